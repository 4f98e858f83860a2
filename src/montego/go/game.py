"""A game of Go under a rule set: `montego.Game`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from montego.go import scoring
from montego.go.board import (
    BLACK,
    KO,
    LEGAL,
    OCCUPIED,
    WHITE,
    board_of,
    hashes_after,
    legality,
    new_boards,
)
from montego.go.diagram import format_diagram, parse_diagram
from montego.go.errors import (
    HandicapError,
    IllegalMove,
    KomiError,
    RulesError,
    SetupError,
    UndoError,
    VertexError,
    is_whole,
    shown,
)
from montego.go.geometry import COLOUR_NAMES, PASS, geometry, parse_colour
from montego.go.rules import Rules, find_rules
from montego.go.state import State
from montego.go.tactics import count_liberties

MAX_KOMI = 400
SPARE_SETUPS = 1000
"""Setups on top of the most moves, before a game takes no more of them."""

Vertex = str | int
"""A point as a caller may name it: "D4" or "pass" in any case, or the point's number."""


class HasVertex(Protocol):
    """Whatever names a vertex: a move, a player's choice."""

    @property
    def vertex(self) -> str: ...


@dataclass(frozen=True)
class Move:
    colour: int
    vertex: str


def check_komi(komi: Any) -> float:
    is_number = is_whole(komi) or isinstance(komi, (float, np.floating))
    if not is_number or not abs(komi) <= MAX_KOMI:  # NaN fails every comparison
        raise KomiError(f"komi {shown(komi)}; accepted: a number from -{MAX_KOMI} to {MAX_KOMI}")
    return float(komi)


class Game:
    """A position, how it came about, and what may follow. Every method that refuses its input changes nothing."""

    def __init__(self, size: int = 9, komi: float = 7.5, rules: str | Rules = "chinese") -> None:
        self._geometry = geometry(size)
        self.komi = komi
        self.rules = rules
        self._states = [State(new_boards(self.size), BLACK)]
        self._resigned: int | None = None

    # --- what the game is -------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        return self._geometry.size

    @property
    def komi(self) -> float:
        return self._komi

    @komi.setter
    def komi(self, komi: float) -> None:
        self._komi = check_komi(komi)

    @property
    def rules(self) -> Rules:
        return self._rules

    @rules.setter
    def rules(self, rules: str | Rules) -> None:
        self._rules = find_rules(rules)

    @property
    def _state(self) -> State:
        return self._states[-1]

    @property
    def to_play(self) -> int:
        """BLACK (1) or WHITE (2)."""
        return self._state.to_play

    @property
    def handicap(self) -> int:
        """The number of handicap stones."""
        return self._state.handicap

    @property
    def moves(self) -> list[Move]:
        """The moves since the last setup, passes included."""
        played = [state.move for state in self._since_setup()]
        return [Move(move[0], self._geometry.vertex(move[1])) for move in played if move is not None]

    @property
    def last(self) -> Move | None:
        """The last move, None at the start and after a setup."""
        move = self._state.move
        return None if move is None else Move(move[0], self._geometry.vertex(move[1]))

    @property
    def stones(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The board as an array (size, size) of 0, BLACK and WHITE, row 0 at the top; a copy."""
        colours: np.ndarray[Any, np.dtype[np.uint8]] = self._state.boards[0].colour[self._geometry.points]
        return colours.reshape(self.size, self.size)

    @property
    def board(self) -> np.ndarray[Any, Any]:
        """A copy of the board for kernels: an array of one record (see board.py)."""
        return self._state.boards.copy()

    @property
    def hash(self) -> int:
        """The Zobrist hash of the stones."""
        return self._state.hash

    @property
    def history(self) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """The hashes of all positions since the last setup, this one last: what superko forbids to bring back."""
        return np.array([state.hash for state in self._since_setup()], dtype=np.uint64)

    @property
    def movers(self) -> list[int]:
        """Who was to play in each position of `history`, which is what situational superko looks at."""
        return [state.to_play for state in self._since_setup()]

    @property
    def passes(self) -> int:
        """The passes just made, in a row."""
        return self._state.passes

    @property
    def ko(self) -> str | None:
        """The point closed by the simple ko rule, if any."""
        point = int(self._state.boards[0].ko)
        return self._geometry.vertex(point) if point else None

    def captured(self, colour: str | int) -> int:
        """How many stones `colour` has lost."""
        return self._state.captured[parse_colour(colour) - 1]

    def at(self, vertex: Vertex) -> int:
        """The stone on a vertex: 0, BLACK or WHITE."""
        return int(self._state.boards[0].colour[self._point(vertex)])

    def liberties(self, vertex: Vertex) -> int:
        """The number of liberties of the chain on a vertex; 0 if it is empty."""
        point = self._point(vertex)
        if not self.at(point):
            return 0
        return int(count_liberties(self._state.boards[0], np.uint64(point)))

    # --- what may be played -----------------------------------------------------------------------------------

    def why_illegal(self, vertex: Vertex, colour: str | int | None = None) -> str | None:
        """None for a legal move, else one of over, long, occupied, ko, suicide, superko."""
        point, mover = self._geometry.parse(vertex), self._mover(colour)
        return self._why_illegal(point, mover)

    def is_legal(self, vertex: Vertex, colour: str | int | None = None) -> bool:
        return self.why_illegal(vertex, colour) is None

    def legal_moves(self, colour: str | int | None = None) -> list[str]:
        """All legal moves but pass, row by row from the top."""
        mover = self._mover(colour)
        if self._barred():
            return []
        boards = np.repeat(self._state.boards, 2)
        legal, hashes = np.zeros(len(boards[0].colour), np.uint8), np.zeros(len(boards[0].colour), np.uint64)
        hashes_after(boards, np.uint64(mover), self.rules.suicide, legal, hashes)
        seen = self._forbidden(mover)
        points = (int(p) for p in self._geometry.points if legal[p] and int(hashes[p]) not in seen)
        return [self._geometry.vertex(p) for p in points]

    def _why_illegal(self, point: int, mover: int) -> str | None:
        barred = self._barred()
        if barred or point == PASS:
            return barred
        found = legality(self._state.boards[0], np.uint64(point), np.uint64(mover), self.rules.suicide)
        if found != LEGAL:
            return {OCCUPIED: "occupied", KO: "ko"}.get(found, "suicide")
        seen = self._forbidden(mover)
        if seen and self._after(point, mover).hash in seen:
            return "superko"
        return None

    def _since_setup(self) -> list[State]:
        since = next(i for i in range(len(self._states) - 1, -1, -1) if self._states[i].move is None)
        return self._states[since:]

    def _forbidden(self, mover: int) -> set[int]:
        """The hashes of positions that a move of `mover` must not bring back."""
        if self.rules.ko == "POSITIONAL":
            return {state.hash for state in self._since_setup()}
        if self.rules.ko == "SITUATIONAL":
            return {state.hash for state in self._since_setup() if state.to_play != mover}
        return set()

    # --- playing ----------------------------------------------------------------------------------------------

    @property
    def max_moves(self) -> int:
        """How many moves a game may have; no real game comes near it."""
        return 10 * self.size**2 + 100

    def play(self, vertex: Vertex | HasVertex, colour: str | int | None = None) -> None:
        """Play a move or pass. `colour` defaults to the side to move; the other side may also be named.

        A player's choice, or a move of another game, may stand for its vertex.
        """
        named: Any = getattr(vertex, "vertex", vertex)
        point, mover = self._geometry.parse(named), self._mover(colour)
        why = self._why_illegal(point, mover)
        if why is not None:
            raise IllegalMove(self._refusal(point, mover, why), why)
        self._states.append(self._after(point, mover))

    def _after(self, point: int, mover: int) -> State:
        """The state after a legal move."""
        after = self._state.after(point, mover)
        if point == PASS or not self.rules.long_cycle_void:
            return after
        return replace(after, void=self._completes_cycle(after))

    def _completes_cycle(self, after: State) -> bool:
        """Whether a position comes back with the same player to move and no pass in between."""
        for state in reversed(self._since_setup()):
            if state.hash == after.hash and state.to_play == after.to_play:
                return True
            if state.move is not None and state.move[1] == PASS:
                break
        return False

    def _refusal(self, point: int, mover: int, why: str) -> str:
        move = f"{COLOUR_NAMES[mover]} {self._geometry.vertex(point)}"
        because = {
            "over": "the game has ended; undo to play on",
            "occupied": "the point is occupied; accepted: an empty point",
            "ko": "the ko may not be taken back at once; accepted: any other move first",
            "suicide": f"it would have no liberty, and {self.rules.name} rules do not allow suicide",
            "superko": f"it would repeat a position ({self.rules.ko.lower()} superko of the {self.rules.name} rules)",
            "long": f"the game has {self.max_moves} moves, the most accepted",
        }[why]
        return f"illegal move {move}: {because}"

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` changes (moves, setups, handicaps), or a resignation first."""
        if not is_whole(count) or count < 1:
            raise UndoError(f"cannot undo {shown(count)} moves; accepted: a whole number from 1")
        resigned = int(self._resigned is not None)
        if count - resigned > len(self._states) - 1:
            most = len(self._states) - 1 + resigned
            raise UndoError(f"cannot undo {shown(count)} moves: there are {most}; accepted: at most that many")
        self._resigned = None
        if count > resigned:
            del self._states[resigned - int(count) :]

    def resign(self, colour: str | int | None = None) -> None:
        """`colour`, by default the side to move, gives up."""
        mover = self._mover(colour)
        if self._ended():
            raise IllegalMove("cannot resign: the game has ended", "over")
        self._resigned = mover

    # --- setting up -------------------------------------------------------------------------------------------

    def setup(
        self,
        black: Iterable[Vertex] = (),
        white: Iterable[Vertex] = (),
        empty: Iterable[Vertex] = (),
        to_play: str | int | None = None,
        handicap: int | None = None,
    ) -> None:
        """Put stones on the board, or take them off, outside of play. The ko and superko history start anew.

        handicap: how many of Black's stones are a handicap (for White's bonus); as before if not given.
        """
        if handicap is not None:
            self._check_handicap(handicap)
        stones = self.stones
        named: set[int] = set()
        for vertices, value in ((black, BLACK), (white, WHITE), (empty, 0)):
            points = self._points(vertices)
            if not named.isdisjoint(points):
                raise SetupError("a vertex is set up twice; accepted: each vertex as black, white or empty")
            named.update(points)
            for point in points:
                stones[self._geometry.row_column(point)] = value
        mover = self.to_play if to_play is None else parse_colour(to_play)
        self._set_up(stones, mover, self.handicap if handicap is None else int(handicap))

    def _set_up(self, stones: np.ndarray[Any, Any], to_play: int, handicap: int) -> None:
        if self._ended():
            raise SetupError("the game has ended; accepted: setups before the end (undo first)")
        if len(self._states) > self.max_moves + SPARE_SETUPS:
            raise SetupError(f"the game has {len(self._states) - 1} moves and setups; accepted: no more")
        boards = board_of(stones)
        after = boards[0].colour[self._geometry.points].reshape(stones.shape)
        if (after != stones).any():
            row, column = np.argwhere(after != stones)[0]
            vertex = self._geometry.vertex(self._geometry.point(int(row), int(column)))
            raise SetupError(f"the chain at {vertex} would have no liberty; accepted: stones that can stand")
        captured = self._state.captured
        self._states.append(State(boards, to_play, captured=captured, handicap=handicap))

    def place_fixed_handicap(self, stones: int) -> list[str]:
        """Put Black's handicap on the star points; White is to move. Returns the vertices."""
        return self._place_handicap(self._geometry.handicap_points(stones))

    def place_free_handicap(self, stones: int) -> list[str]:
        """Put a handicap of any size where it is useful: star points first, then points far from other stones."""
        return self._place_handicap(self._geometry.free_handicap_points(stones))

    def set_free_handicap(self, vertices: Iterable[Vertex]) -> list[str]:
        """Put Black's handicap on the named vertices; White is to move."""
        points = self._points(vertices)
        if len(set(points)) != len(points):
            raise HandicapError("a handicap vertex is named twice; accepted: different vertices")
        self._check_handicap(len(points))
        return self._place_handicap(points)

    def _check_handicap(self, stones: int) -> None:
        most = self.size**2 - 1
        if not is_whole(stones) or not 2 <= stones <= most:
            raise HandicapError(f"a handicap of {shown(stones)} stones; accepted: 2 to {most}")

    def _place_handicap(self, points: list[int]) -> list[str]:
        if self.stones.any() or len(self._states) > 1:
            raise HandicapError("a handicap is placed before the first move; accepted: an empty board")
        stones = self.stones
        for point in points:
            stones[self._geometry.row_column(point)] = BLACK
        self._set_up(stones, WHITE, len(points))
        return [self._geometry.vertex(point) for point in points]

    # --- the end ----------------------------------------------------------------------------------------------

    def _barred(self) -> str | None:
        """Why no move at all may be played, if so."""
        if self._ended():
            return "over"
        return "long" if len(self._states) > self.max_moves else None

    def _ended(self) -> bool:
        """Whether nothing may be played. After two passes play may be resumed, if the players disagree."""
        return self._state.void or self._resigned is not None

    @property
    def is_over(self) -> bool:
        return self._state.passes >= 2 or self._ended()

    def score(self, dead: Iterable[Vertex] = (), seki: Iterable[Vertex] = ()) -> scoring.Score:
        """The score if play stopped here. `dead` and `seki` name stones; the whole chain of each is meant.

        Area and territory are counted as the rules say; under territory scoring no eye beside a seki stone counts.
        """
        dead_stones, seki_stones = self._chains(dead), self._chains(seki)
        if dead_stones.any() and self.rules.all_alive:
            raise RulesError(f"under {self.rules.name} rules every stone counts as alive: capture dead stones")
        stones = self.stones
        if self.rules.scoring == "AREA":
            black, white = scoring.area(stones, dead_stones)
        else:
            black, white = scoring.territory(stones, dead_stones, seki_stones)
            black += self._state.captured[WHITE - 1]
            white += self._state.captured[BLACK - 1]
        return scoring.Score(black, white + self.komi + self.rules.handicap_bonus(self.handicap))

    def result(self, dead: Iterable[Vertex] = ()) -> str:
        """B+R, W+3.5, 0 for a draw, Void without result, ? while the game goes on."""
        if self._resigned is not None:
            return f"{'W' if self._resigned == BLACK else 'B'}+R"
        if self._state.void:
            return "Void"
        return str(self.score(dead)) if self.is_over else "?"

    def chain(self, vertex: Vertex) -> list[str]:
        """The vertices of the chain on a vertex; none if it is empty."""
        marked = self._chains([vertex]) if self.at(vertex) else np.zeros((self.size, self.size), bool)
        return [self._geometry.vertex(int(p)) for p in self._geometry.points[marked.ravel()]]

    def _chains(self, vertices: Iterable[Vertex]) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The chains on the named vertices, as an array (size, size)."""
        board = self._state.boards[0]
        names = set()
        for point in self._points(vertices):
            if not board.chain[point]:
                raise VertexError(f"no stone on {self._geometry.vertex(point)}; accepted: a vertex with a stone")
            names.add(int(board.chain[point]))
        chains = board.chain[self._geometry.points].reshape(self.size, self.size)
        return np.isin(chains, sorted(names))

    # --- small things -----------------------------------------------------------------------------------------

    def _point(self, vertex: Vertex) -> int:
        point = self._geometry.parse(vertex)
        if point == PASS:
            raise VertexError(f"pass is not a point of the board; accepted: {self._geometry.accepted}")
        return point

    def _points(self, vertices: Any) -> list[int]:
        if isinstance(vertices, (str, bytes)) or not isinstance(vertices, Iterable):
            raise VertexError(f"{shown(vertices)} is not a list of vertices; accepted: a list such as ['D4', 'E5']")
        return [self._point(vertex) for vertex in vertices]

    def _mover(self, colour: str | int | None) -> int:
        return self.to_play if colour is None else parse_colour(colour)

    def copy(self) -> Game:
        """An independent game in the same state (the past is shared, and never changes)."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._states = list(self._states)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """What it takes to play the game again, which is less than all its boards: games travel between processes."""
        names, past = self._geometry, []
        for state in self._states:
            stones = state.boards[0].colour[names.points].tobytes() if state.move is None else b""
            past.append((state.move, stones, state.to_play, state.captured, state.handicap, state.passes))
        return {"size": self.size, "komi": self.komi, "rules": self.rules, "resigned": self._resigned, "past": past}

    def __setstate__(self, made: dict[str, Any]) -> None:
        self._geometry, self.komi, self.rules = geometry(made["size"]), made["komi"], made["rules"]
        self._resigned, self._states = None, []
        for move, stones, to_play, captured, handicap, passes in made["past"]:
            if move is None:
                boards = board_of(np.frombuffer(stones, np.uint8).reshape(self.size, self.size))
                after = State(boards, to_play, captured=captured, handicap=handicap)
            else:
                after = self._after(move[1], move[0])
            self._states.append(replace(after, to_play=to_play, passes=passes))
        self._resigned = made["resigned"]

    def with_turn(self, colour: str | int) -> Game:
        """A copy in which `colour` is to move, whoever moved last; two passes before do not end it."""
        twin = self.copy()
        passes = self.passes if self.passes < 2 else 0
        twin._states[-1] = replace(self._state, to_play=parse_colour(colour), passes=passes)
        return twin

    @classmethod
    def from_diagram(
        cls, text: str, to_play: str | int = BLACK, komi: float = 7.5, rules: str | Rules = "chinese"
    ) -> Game:
        """A game that starts from a diagram (see diagram.py)."""
        stones = parse_diagram(text)
        game = cls(len(stones), komi, rules)
        game._set_up(stones, parse_colour(to_play), 0)
        return game

    def diagram(self) -> str:
        """The board as text, with coordinates and the last move in brackets."""
        last = self._state.move
        return format_diagram(self.stones, last[1] if last else 0)

    def __str__(self) -> str:
        return self.diagram()

    def __repr__(self) -> str:
        mover = COLOUR_NAMES[self.to_play]
        kind = f"{self.size}x{self.size}, {self.rules.name}, komi {self.komi:g}"
        return f"<Game {kind}, {len(self.moves)} moves, {mover} to play>"
