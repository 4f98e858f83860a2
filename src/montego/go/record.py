"""A game on record: a tree of moves, setups and comments, as SGF files have it. `sgf.py` reads and writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from itertools import pairwise, zip_longest
from typing import Any

import numpy as np

from montego.go.board import BLACK, WHITE
from montego.go.errors import IllegalMove, MontegoError, SgfError, UndoError, VertexError, shown
from montego.go.game import Game, Move, Vertex
from montego.go.geometry import COLOUR_NAMES, geometry, parse_colour
from montego.go.rules import RULES, Rules

MAX_SETUPS = 500
"""The most setups on one line that a replay goes through."""

_BLANKS = str.maketrans("\t\v\f", "   ")
_FILE_NAMES = {"chinese": "Chinese", "japanese": "Japanese", "aga": "AGA", "new-zealand": "NZ"}
_ALIASES = {
    "nz": "new-zealand",
    "newzealand": "new-zealand",
    "tromptaylor": "tromp-taylor",
    "tt": "tromp-taylor",
    "korean": "japanese",
}


def rules_name(text: str) -> str | None:
    """Montego's name of the rules that a file calls `text`, None if it has no such rules."""
    words = text.lower().replace("_", " ").replace("-", " ").split()
    if words and words[-1] in ("rule", "rules", "ruleset"):
        words.pop()
    name = "-".join(words)
    name = _ALIASES.get(name, name)
    return name if name in RULES else None


@dataclass(slots=True)
class Node:
    """One node of a record. Nodes name each other by number, so that no tree is too deep to copy or throw away."""

    number: int
    parent: int | None
    children: list[int] = field(default_factory=list)
    """the continuations, the main one first"""
    move: Move | None = None
    black: tuple[str, ...] = ()
    white: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    """vertices set up here, before the move if there is one"""
    to_play: int | None = None
    """BLACK or WHITE where the file says so"""
    comment: str = ""
    properties: dict[str, list[str]] = field(default_factory=dict)
    """whatever else the file has here: raw values, escapes included, which are written as they are"""

    def content(self) -> tuple[Any, ...]:
        """All but the numbers: what makes two nodes of two records equal."""
        setup = self.black, self.white, self.empty, self.to_play
        return self.move, *setup, self.comment, self.properties, len(self.children)


@dataclass(eq=False)
class GameRecord:
    """A game tree and what its file says about the game."""

    size: int = 19
    komi: float | None = None
    """None if the file has none; played as 0"""
    rules_text: str = ""
    """the rules as the file calls them"""
    handicap: int = 0
    black_player: str = ""
    white_player: str = ""
    result: str = ""
    date: str = ""
    event: str = ""
    nodes: list[Node] = field(default_factory=lambda: [Node(0, None)], repr=False, compare=False)
    """all nodes, the root first; a record just read has them in the order of the file"""

    def __post_init__(self) -> None:
        geometry(self.size)

    @property
    def rules(self) -> str | None:
        """Montego's name of the rules, None if they are not given or not known."""
        return rules_name(self.rules_text)

    # --- the tree ---------------------------------------------------------------------------------------------

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def node(self, node: Node | int) -> Node:
        """A node by its number."""
        number = node.number if isinstance(node, Node) else node
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(self.nodes):
            raise SgfError(f"there is no node {shown(number)}; accepted: 0 to {len(self.nodes) - 1}")
        return self.nodes[number]

    def children(self, node: Node | int) -> list[Node]:
        """The continuations of a node, the main one first."""
        return [self.nodes[child] for child in self.node(node).children]

    def parent(self, node: Node | int) -> Node | None:
        """The node before, None for the root."""
        number = self.node(node).parent
        return None if number is None else self.nodes[number]

    def path(self, node: Node | int) -> list[Node]:
        """The nodes from the root to `node`, both included."""
        nodes = [self.node(node)]
        while nodes[-1].parent is not None:
            nodes.append(self.nodes[nodes[-1].parent])
        return nodes[::-1]

    def main_line(self) -> list[Node]:
        """The nodes from the root on, taking the first continuation each time."""
        nodes = [self.root]
        while nodes[-1].children:
            nodes.append(self.nodes[nodes[-1].children[0]])
        return nodes

    def walk(self) -> Iterator[Node]:
        """All nodes, each before its continuations, as a file has them."""
        waiting = [0]
        while waiting:
            node = self.nodes[waiting.pop()]
            yield node
            waiting.extend(reversed(node.children))

    def before_move(self, number: int) -> Node:
        """The node of the main line that its move `number` (from 1) follows; the last one if there is no such move."""
        line = self.main_line()
        moves = int(self.root.move is not None)
        for before, node in pairwise(line):
            moves += node.move is not None
            if moves >= number:
                return before
        return line[-1]

    def add(
        self,
        parent: Node | int,
        move: Move | None = None,
        *,
        black: Iterable[Vertex] = (),
        white: Iterable[Vertex] = (),
        empty: Iterable[Vertex] = (),
        to_play: str | int | None = None,
        comment: str = "",
    ) -> Node:
        """Append a continuation to a node, after those it has."""
        names, before = geometry(self.size), self.node(parent)
        if not isinstance(comment, str):
            raise SgfError(f"the comment {shown(comment)} is not text")
        if move is not None:
            if not isinstance(move, Move):
                raise SgfError(f"{shown(move)} is not a move; accepted: a Move")
            move = Move(parse_colour(move.colour), names.vertex(names.parse(move.vertex)))
        node = Node(len(self.nodes), before.number, move=move)
        node.black, node.white, node.empty = self._vertices(black), self._vertices(white), self._vertices(empty)
        node.to_play = None if to_play is None else parse_colour(to_play)
        node.comment = plain_text(comment)
        before.children.append(node.number)
        self.nodes.append(node)
        return node

    def _vertices(self, points: Iterable[Vertex]) -> tuple[str, ...]:
        names = geometry(self.size)
        found = [names.vertex(names.parse(vertex)) for vertex in points]
        if "pass" in found:
            raise VertexError("pass is not a point of the board")
        return tuple(dict.fromkeys(found))

    def __eq__(self, other: object) -> bool:
        """Whether headers and trees are the same; the numbers of the nodes may differ."""
        if not isinstance(other, GameRecord):
            return NotImplemented
        if any(getattr(self, each.name) != getattr(other, each.name) for each in fields(self) if each.compare):
            return False
        pairs = zip_longest(self.walk(), other.walk())
        return all(mine and theirs and mine.content() == theirs.content() for mine, theirs in pairs)

    # --- playing it -------------------------------------------------------------------------------------------

    def to_game(
        self, node: Node | int | None = None, *, rules: str | Rules | None = None, komi: float | None = None
    ) -> Game:
        """The game at a node, by default at the end of the main line. See `replay`."""
        for _, game in self.replay(node, rules=rules, komi=komi):  # noqa: B007
            pass
        return game

    def replay(
        self, node: Node | int | None = None, *, rules: str | Rules | None = None, komi: float | None = None
    ) -> Iterator[tuple[Node, Game]]:
        """Each node from the root to `node` (the end of the main line), with one game that is played on in between.

        Rules the file does not name, or that are not known, are taken as Chinese, which forbid no repetition but the
        immediate retaking of a ko. An illegal move raises SgfError; other `rules` than the file's may allow it.
        """
        line = self.main_line() if node is None else self.path(node)
        if komi is None:
            komi = 0.0 if self.komi is None else self.komi
        game = Game(self.size, komi, rules or self.rules or "chinese")
        moves = setups = 0
        for step in line:
            try:
                setups += self._set_up(game, step, first=not moves + setups)
                if setups > MAX_SETUPS:
                    raise SgfError(f"there are more than {MAX_SETUPS} setups on the way here, the most accepted")
                if step.move is not None:
                    game.play(step.move.vertex, step.move.colour)
                    moves += 1
            except MontegoError as error:
                raise SgfError(f"{self.where(step)}: {_reason(error)}") from None
            yield step, game

    def _set_up(self, game: Game, node: Node, first: bool) -> bool:
        """Apply the setup of a node, if it has one that changes anything."""
        black, placed = node.black, False
        if first and len(black) == self.handicap >= 2:
            game.set_free_handicap(black)
            black, placed = (), True
        turned = node.to_play is not None and node.to_play != game.to_play
        handicap = self.handicap if first and not placed and self.handicap >= 2 else None
        if black or node.white or node.empty or turned or handicap:
            to_play = node.to_play
            if to_play is None and not placed:
                following = self.nodes[node.children[0]].move if node.children else None
                to_play = following.colour if following else None
            game.setup(black, node.white, node.empty, to_play, handicap)
            placed = True
        return placed

    def where(self, node: Node | int) -> str:
        """A node in words: "node 12 (main line, move 11: black D4)"."""
        path = self.path(node)
        node = path[-1]
        if node.parent is None:
            line = "root"
        else:
            main = all(before.children[0] == after.number for before, after in pairwise(path))
            line = "main line" if main else "variation"
        if node.move is None:
            return f"node {node.number} ({line})"
        count = sum(each.move is not None for each in path)
        return f"node {node.number} ({line}, move {count}: {COLOUR_NAMES[node.move.colour]} {node.move.vertex})"

    @classmethod
    def from_game(cls, game: Game) -> GameRecord:
        """The record of a game: all its moves and setups, one node each, without variations."""
        result, name = game.result(), game.rules.name
        record = cls(game.size, game.komi, _FILE_NAMES.get(name, name), game.handicap)
        record.result = "" if result == "?" else result
        node = record.root
        for before, after, moves in _stages(game):
            if before is not None:
                if node.parent is not None or node.to_play is not None:
                    node = record.add(node)
                node.black, node.white, node.empty = (
                    _vertices(game.size, (after.stones == value) & (before.stones != value))
                    for value in (BLACK, WHITE, 0)
                )
                node.to_play = after.to_play
                if not (node.black or node.white or node.empty):
                    # It still started the history anew. An empty point made empty says so.
                    node.empty = _vertices(game.size, after.stones == 0)[:1]
            for move in moves:
                node = record.add(node, move)
        return record


def _stages(game: Game) -> list[tuple[Game | None, Game, list[Move]]]:
    """The past of a game from setup to setup: before it (None at the start), after it, the moves that followed."""
    past = game.copy()
    if past.result().endswith("+R"):
        past.undo()
    stages: list[tuple[Game | None, Game, list[Move]]] = []
    while True:
        moves = past.moves
        if moves:
            past.undo(len(moves))
        after = past.copy()
        try:
            past.undo()
        except UndoError:
            stages.append((None, after, moves))
            return stages[::-1]
        stages.append((past.copy(), after, moves))


def _vertices(size: int, marked: np.ndarray[Any, Any]) -> tuple[str, ...]:
    names = geometry(size)
    return tuple(names.vertex(names.point(int(row), int(column))) for row, column in np.argwhere(marked))


def plain_text(text: str) -> str:
    """Text as an SGF file can hold it: line breaks are line feeds, other blanks spaces, no halves of characters."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n").translate(_BLANKS)


def _reason(error: MontegoError) -> str:
    """What is wrong, without the move: the place before it names it."""
    if not isinstance(error, IllegalMove):
        return str(error)
    return "the game had ended: a position came back" if error.why == "over" else str(error).partition(": ")[2]
