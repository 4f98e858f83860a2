"""Names of points: (row, column) from the top left, GTP vertices, SGF coordinates, row-major indices.

| form   | top left of 9×9 | one to the right | pass   |
|--------|-----------------|------------------|--------|
| point  | 11              | 12               | 0      |  what kernels use: see board.py
| index  | 0               | 1                | −      |  row by row: how ownership and other board-shaped data run
| vertex | "A9"            | "B9"             | "pass" |  GTP: letters without I, rows counted from the bottom
| SGF    | "aa"            | "ba"             | ""     |  column, then row from the top
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego.go.board import BLACK, WHITE
from montego.go.errors import ColourError, HandicapError, SizeError, VertexError, is_whole, shown

MIN_SIZE, MAX_SIZE = 2, 19
ACCEPTED_SIZES = f"{MIN_SIZE} to {MAX_SIZE}"
PASS = 0
COLUMNS = "ABCDEFGHJKLMNOPQRST"
COLOUR_NAMES = {BLACK: "black", WHITE: "white"}

_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


def check_size(size: Any) -> int:
    if not is_whole(size):
        raise SizeError(f"board size {shown(size)} is not a whole number; accepted: {ACCEPTED_SIZES}")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise SizeError(f"board size {shown(size)} is out of range; accepted: {ACCEPTED_SIZES}")
    return int(size)


def parse_colour(colour: Any) -> int:
    """BLACK or WHITE, from either number or from b, w, black, white in any case."""
    if isinstance(colour, str) and colour.isascii():
        found = _COLOURS.get(colour.strip().lower())
        if found is not None:
            return found
    elif is_whole(colour) and colour in (BLACK, WHITE):
        return int(colour)
    raise ColourError(f"{shown(colour)} is not a colour; accepted: b, w, black, white")


class Geometry:
    """The points of one board size and their names. Get one with `geometry(size)`."""

    def __init__(self, size: int) -> None:
        self.size = check_size(size)
        self.stride = self.size + 1
        rows, columns = np.divmod(np.arange(self.size**2), self.size)
        self.points: np.ndarray[Any, np.dtype[np.int64]] = (rows + 1) * self.stride + columns + 1
        """The points in row-major order: points[index] is the point of an index."""
        self.points.setflags(write=False)
        self._index = {int(p): i for i, p in enumerate(self.points)}
        self._numbers = {PASS, *self._index}
        self._names = {self.vertex(p): p for p in self._numbers}

    def point(self, row: int, column: int) -> int:
        if not (is_whole(row) and is_whole(column) and 0 <= row < self.size and 0 <= column < self.size):
            place = f"row {shown(row)}, column {shown(column)}"
            raise VertexError(f"{place} is not on a {self.size}x{self.size} board; accepted: 0 to {self.size - 1}")
        return (row + 1) * self.stride + column + 1

    def index(self, point: int) -> int:
        """The row-major index of a point."""
        try:
            return self._index[point]
        except (KeyError, TypeError):
            raise VertexError(f"point {shown(point)} is not on a {self.size}x{self.size} board") from None

    def row_column(self, point: int) -> tuple[int, int]:
        return divmod(self.index(point), self.size)

    def parse(self, vertex: Any) -> int:
        """The point of a GTP vertex in any case ("d4", "pass"); a point of this board is returned as it is."""
        if isinstance(vertex, str) and vertex in self._names:
            return self._names[vertex]
        if isinstance(vertex, str) and vertex.isascii():
            text = vertex.strip().upper()
            if text == "PASS":
                return PASS
            letter, digits = text[:1], text[1:]
            column = COLUMNS.find(letter) if letter else -1
            if 0 <= column < self.size and 1 <= len(digits) <= 2 and digits.isdigit():
                row = self.size - int(digits)
                if 0 <= row < self.size:
                    return self.point(row, column)
        elif is_whole(vertex) and int(vertex) in self._numbers:
            return int(vertex)
        raise VertexError(f"{shown(vertex)} is not a vertex of this board; accepted: {self.accepted}, or pass")

    @property
    def accepted(self) -> str:
        """The vertices of this board, as messages name them."""
        return f"A1 to {COLUMNS[self.size - 1]}{self.size} (no I)"

    def vertex(self, point: int) -> str:
        """The GTP name of a point, in capitals."""
        if point == PASS:
            return "pass"
        row, column = self.row_column(point)
        return f"{COLUMNS[column]}{self.size - row}"

    def parse_sgf(self, text: str) -> int:
        """The point of an SGF move: "" passes, and so does "tt" (as files for boards up to 19×19 have it)."""
        if text in ("", "tt"):
            return PASS
        if isinstance(text, str) and len(text) == 2 and text.isascii():
            column, row = ord(text[0]) - ord("a"), ord(text[1]) - ord("a")
            if 0 <= row < self.size and 0 <= column < self.size:
                return self.point(row, column)
        last = chr(ord("a") + self.size - 1)
        raise VertexError(f"{shown(text)} is not an SGF point of this board; accepted: aa to {last}{last}, or empty")

    def sgf(self, point: int) -> str:
        if point == PASS:
            return ""
        row, column = self.row_column(point)
        return chr(ord("a") + column) + chr(ord("a") + row)

    def max_handicap(self) -> int:
        """The most stones a fixed handicap can have (GTP version 2): none below 7×7, four on 7×7 and even sizes."""
        if self.size < 7:
            return 0
        return 9 if self.size % 2 and self.size > 7 else 4

    def handicap_points(self, stones: int) -> list[int]:
        """The points of a fixed handicap, in the order GTP version 2 gives them."""
        most = self.max_handicap()
        if not is_whole(stones) or not 2 <= stones <= most:
            accepted = f"2 to {most}" if most else "none: there is no fixed handicap below 7x7"
            raise HandicapError(f"a fixed handicap of {shown(stones)} on {self.size}x{self.size}; accepted: {accepted}")
        near = 2 if self.size < 13 else 3
        far, middle = self.size - 1 - near, self.size // 2
        # South-west and north-east first, then the other corners, the sides, and the centre with every odd count.
        corners = [(far, near), (near, far), (near, near), (far, far)]
        sides = [(middle, near), (middle, far), (far, middle), (near, middle)]
        chosen = corners[: min(stones, 4)] + (sides[: 2 * ((stones - 4) // 2)] if stones > 5 else [])
        if stones > 4 and stones % 2:
            chosen.append((middle, middle))
        return [self.point(row, column) for row, column in chosen]

    def free_handicap_points(self, stones: int) -> list[int]:
        """Points for any handicap: the star points as far as they go, then whatever is farthest from the others."""
        area, most = self.size**2, self.max_handicap()
        if not is_whole(stones) or not 2 <= stones < area:
            raise HandicapError(f"a handicap of {shown(stones)} stones; accepted: 2 to {area - 1}")
        places = [self.row_column(point) for point in self.handicap_points(min(stones, most))] if most else []
        free = {(row, column) for row in range(self.size) for column in range(self.size)} - set(places)
        while len(places) < stones:
            places.append(max(free, key=lambda place: self._handicap_worth(place, places)))
            free.remove(places[-1])
        return [self.point(row, column) for row, column in places]

    def _handicap_worth(self, place: tuple[int, int], others: list[tuple[int, int]]) -> tuple[float, ...]:
        """Not on the edge, far from other stones, near the centre; the rest makes every place different."""
        row, column = place
        inside = 0 < row < self.size - 1 and 0 < column < self.size - 1
        apart = min((abs(row - r) + abs(column - c) for r, c in others), default=0)
        middle = (self.size - 1) / 2
        return inside, apart, -abs(row - middle) - abs(column - middle), -row, -column


@cache
def _geometry(size: int) -> Geometry:
    return Geometry(size)


def geometry(size: Any) -> Geometry:
    """The one Geometry of a size."""
    return _geometry(check_size(size))
