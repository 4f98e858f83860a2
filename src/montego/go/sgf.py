"""SGF files in and out: `read_sgf` and `write_sgf`. The grammar is sgfmill's; what a game is stands in record.py.

Of a file with several games the first is read. Whatever is wrong with a file raises SgfError, which names the node.
"""

from __future__ import annotations

import os
import re
from typing import Any

from sgfmill import sgf_grammar, sgf_properties

from montego import __version__
from montego.go.board import BLACK
from montego.go.errors import MontegoError, SgfError, VertexError, shown
from montego.go.game import Game, Move, check_komi
from montego.go.geometry import PASS, check_size, geometry, parse_colour
from montego.go.record import GameRecord, Node, plain_text
from montego.go.sgf_tree import parse_tree

__all__ = ["GameRecord", "Node", "read_sgf", "write_sgf"]

MAX_SETUP_POINTS = 1_000_000
"""The most points that all setups of a game may name together."""

_FILE_PROPERTIES = ("FF", "GM", "CA", "AP")
_TEXT_FIELDS = {
    "RU": "rules_text",
    "PB": "black_player",
    "PW": "white_player",
    "RE": "result",
    "DT": "date",
    "EV": "event",
}

Properties = dict[str, list[bytes]]
"""Raw values by name, as sgfmill has them; here they are always UTF-8."""


def read_sgf(source: bytes | str | os.PathLike[Any]) -> GameRecord:
    """The first game of SGF data (bytes), SGF text (str) or a file (a path)."""
    nodes, maps = _flatten(parse_tree(source))
    try:
        record = _header(maps[0])
    except MontegoError as error:
        raise SgfError(f"node 0 (root): {error}") from None
    record.nodes = nodes
    points = _Points(record.size)
    for node, properties in zip(nodes, maps, strict=True):
        try:
            _interpret(node, properties, points)
        except MontegoError as error:
            raise SgfError(f"{record.where(node)}: {error}") from None
    return record


def write_sgf(game: GameRecord | Game) -> bytes:
    """A record, or the record of a game, as the content of an SGF file (FF[4], UTF-8)."""
    record = GameRecord.from_game(game) if isinstance(game, Game) else game
    if not isinstance(record, GameRecord):
        raise SgfError(f"a GameRecord or a Game is written, not {type(game).__name__}")
    tree = sgf_grammar.make_coarse_game_tree(
        record.root, record.children, lambda node: {**_other_properties(record, node), **_properties(record, node)}
    )
    written: bytes = sgf_grammar.serialise_game_tree(tree)
    return written


# --- from a tree to a record ------------------------------------------------------------------------------------


def _flatten(tree: Any) -> tuple[list[Node], list[Properties]]:
    """The nodes of a tree in the order of the file, and the properties of each."""
    nodes: list[Node] = []
    maps: list[Properties] = []
    waiting = [(tree, -1)]
    while waiting:
        branch, parent = waiting.pop()
        for properties in branch.sequence:
            number = len(nodes)
            nodes.append(Node(number, parent if number else None))
            if number:
                nodes[parent].children.append(number)
            maps.append(properties)
            parent = number
        waiting.extend((child, parent) for child in reversed(branch.children))
    return nodes, maps


def _header(root: Properties) -> GameRecord:
    """A record with what the root says about the game, and takes it out of the root."""
    game = _take(root, "GM")
    if game not in ("", "1"):
        raise SgfError(f"GM[{shown(game)[1:-1]}] is another game; accepted: 1, which is Go")
    size = _take(root, "SZ") or "19"
    width, colon, height = size.partition(":")
    if not _is_number(width.strip()) or (colon and height.strip() != width.strip()):
        raise SgfError(f"board size {shown(size)}; accepted: a square of 2 to 19")
    record = GameRecord(check_size(int(width)))
    komi = _take(root, "KM").replace(",", ".")
    if komi:
        if not re.fullmatch(r"[+-]?([0-9]{1,9}(\.[0-9]{0,40})?|\.[0-9]{1,40})", komi):
            raise SgfError(f"komi {shown(komi)}; accepted: a number such as 6.5")
        record.komi = check_komi(float(komi))
    handicap, most = _take(root, "HA") or "0", record.size**2 - 1
    if not _is_number(handicap) or int(handicap) > most:
        raise SgfError(f"a handicap of {shown(handicap)} stones; accepted: 0 to {most}")
    record.handicap = int(handicap)
    for name, attribute in _TEXT_FIELDS.items():
        setattr(record, attribute, _take(root, name))
    for name in _FILE_PROPERTIES:
        root.pop(name, None)
    return record


def _is_number(text: str) -> bool:
    return re.fullmatch("[0-9]{1,6}", text) is not None


def _take(properties: Properties, name: str) -> str:
    """Take out a property of one line of text; "" if there is none."""
    return _unescaped(properties.pop(name, [b""])[0]).replace("\n", " ").strip()


def _unescaped(value: bytes) -> str:
    """The text that a raw value stands for. (sgfmill's function for it takes a second per million escapes.)"""
    keep = "\ud800"  # decoded text has none
    text = plain_text(value.decode()).replace("\\\\", keep).replace("\\\n", "")
    return text.replace("\\", "").replace(keep, "\\")


def _interpret(node: Node, properties: Properties, points: _Points) -> None:
    """Fill a node with what its properties say."""
    moves = [(colour, value) for colour in ("B", "W") if colour in properties for value in properties.pop(colour)]
    if len(moves) > 1:
        raise SgfError("two moves in one node; accepted: one")
    if not properties.keys().isdisjoint(("AB", "AW", "AE")):
        node.black, node.white, node.empty = (points.vertices(name, properties) for name in ("AB", "AW", "AE"))
        named = node.black + node.white + node.empty
        if len(set(named)) < len(named):
            twice = next(vertex for vertex in named if named.count(vertex) > 1)
            raise SgfError(f"the setup names {twice} in more than one of AB, AW and AE; accepted: each vertex once")
    if "PL" in properties and (colour := _take(properties, "PL")):
        node.to_play = parse_colour(colour)
    if "C" in properties:
        node.comment = "\n".join(map(_unescaped, properties.pop("C")))
    properties.pop("", None)  # what sgfmill makes of a name without capital letters
    node.properties = {name: [value.decode() for value in values] for name, values in properties.items()}
    if moves:
        node.move = points.move(*moves[0])


class _Points:
    """Point values of one board size as vertices and moves. Each is worked out once."""

    def __init__(self, size: int) -> None:
        self._geometry = geometry(size)
        self._moves: dict[tuple[str, bytes], Move] = {}
        self._lists: dict[bytes, list[str]] = {}
        self._named = 0

    def move(self, colour: str, value: bytes) -> Move:
        known = self._moves.get((colour, value))
        if known is None:
            try:
                point = self._geometry.parse_sgf(value.decode().strip())
            except VertexError as error:
                raise SgfError(f"in {colour}: {error}") from None
            known = self._moves[colour, value] = Move(parse_colour(colour), self._geometry.vertex(point))
        return known

    def vertices(self, name: str, properties: Properties) -> tuple[str, ...]:
        """Take out a point list, rectangles such as aa:cc included: its vertices, each once."""
        found: dict[str, None] = {}
        for value in properties.pop(name, []):
            if value not in self._lists:
                try:
                    self._lists[value] = self._rectangle(value.decode().strip())
                except VertexError as error:
                    raise SgfError(f"in {name}: {error}") from None
            found.update(dict.fromkeys(self._lists[value]))
            self._named += len(self._lists[value])
            if self._named > MAX_SETUP_POINTS:
                raise SgfError(f"the setups so far name more than {MAX_SETUP_POINTS} points, the most accepted")
        return tuple(found)

    def _rectangle(self, value: str) -> list[str]:
        if not value:
            return []
        first, colon, last = value.partition(":")
        corners = [self._geometry.parse_sgf(corner) for corner in ([first, last] if colon else [first])]
        if PASS in corners:
            raise VertexError(f"{shown(value)} is not a point of the board")
        (rows, columns) = zip(*(self._geometry.row_column(corner) for corner in corners), strict=True)
        return [
            self._geometry.vertex(self._geometry.point(row, column))
            for row in range(min(rows), max(rows) + 1)
            for column in range(min(columns), max(columns) + 1)
        ]


# --- from a record to properties -------------------------------------------------------------------------------


def _properties(record: GameRecord, node: Node) -> dict[str, list[bytes]]:
    """The properties of a node that its fields stand for."""
    names = geometry(record.size)
    found: dict[str, list[bytes]] = {}
    if node.parent is None:
        found |= {"FF": [b"4"], "GM": [b"1"], "CA": [b"UTF-8"], "AP": [f"Montego:{__version__}".encode()]}
        found["SZ"] = [str(record.size).encode()]
        if record.komi is not None:
            found["KM"] = [sgf_properties.serialise_real(check_komi(record.komi))]
        if record.handicap:
            found["HA"] = [str(record.handicap).encode()]
        found |= {name: [_escaped(text)] for name, field in _TEXT_FIELDS.items() if (text := getattr(record, field))}
    for name, vertices in (("AB", node.black), ("AW", node.white), ("AE", node.empty)):
        if vertices:
            found[name] = [names.sgf(names.parse(vertex)).encode() for vertex in vertices]
    if node.to_play is not None:
        found["PL"] = [b"B" if node.to_play == BLACK else b"W"]
    if node.move is not None:
        found["B" if node.move.colour == BLACK else "W"] = [names.sgf(names.parse(node.move.vertex)).encode()]
    if node.comment:
        found["C"] = [_escaped(node.comment)]
    return found


def _escaped(text: str) -> bytes:
    escaped: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return escaped


def _other_properties(record: GameRecord, node: Node) -> dict[str, list[bytes]]:
    found = {name: [value.encode("utf-8", "replace") for value in values] for name, values in node.properties.items()}
    for name, values in found.items():
        if not sgf_grammar.is_valid_property_identifier(name):
            raise SgfError(f"{record.where(node)}: {shown(name)} is not a property name; accepted: capital letters")
        if not values or not all(map(sgf_grammar.is_valid_property_value, values)):
            raise SgfError(f"{record.where(node)}: the values of {name} are not raw SGF values: escape \\ and ]")
    return found
