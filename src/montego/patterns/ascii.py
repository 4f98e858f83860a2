"""3×3 patterns drawn as pictures, turned into tables over the board's 3×3 codes.

    X, O   the two colours        x, o   X or empty, O or empty (Fuego's meaning; in Pachi and michi: *not* X, *not* O)
    .      empty                  ?      anything on the board        #   off the board

The move is the centre. A picture holds in all eight symmetries and, `to_play` being "X", "O" or "any", for both
assignments of the colours: X is the side to move, or O is, or it does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from montego.go.codes import CELLS, Mask

Rows = tuple[str, str, str]

# The values (0 empty, 1 the colour X stands for, 2 the colour O stands for, 3 off the board) each sign admits.
_SIGNS = {
    sign: np.array(values)
    for sign, values in {".": [0], "X": [1], "O": [2], "x": [0, 1], "o": [0, 2], "?": [0, 1, 2], "#": [3]}.items()
}
_SWAP = str.maketrans("XOxo", "OXox")


@dataclass(frozen=True)
class Pattern:
    """A picture, the pictures that make an exception to it, and who may play it."""

    rows: Rows
    to_play: str = "any"
    unless: tuple[Rows, ...] = ()

    def __post_init__(self) -> None:
        for rows in (self.rows, *self.unless):
            if [len(row) for row in rows] != [3, 3, 3] or not set("".join(rows)) <= set(_SIGNS):
                raise ValueError(f"a pattern is three rows of three signs out of {' '.join(_SIGNS)}, not {rows}")
            if rows[1][1] != ".":
                raise ValueError(f"the centre of a pattern is the move and must be '.': {rows}")
        if self.to_play not in ("X", "O", "any"):
            raise ValueError(f"to_play is 'X', 'O' or 'any', not {self.to_play!r}")


def symmetries(rows: Rows) -> Iterator[Rows]:
    """The eight rotations and reflections of a picture (repeated where it is symmetric itself)."""
    for _ in range(4):
        turned = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        rows = (turned[0], turned[1], turned[2])
        yield rows
        yield (rows[0][::-1], rows[1][::-1], rows[2][::-1])


def _codes(rows: Rows) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The codes a picture matches as it stands, X being Black."""
    codes = np.zeros(1, np.int64)
    for i, (row, column) in enumerate(CELLS):
        codes = np.add.outer(_SIGNS[rows[row][column]] << (2 * i), codes).ravel()
    return codes


def _any_symmetry(rows: Rows) -> Mask:
    hit = np.zeros(65536, dtype=bool)
    for turned in set(symmetries(rows)):
        hit[_codes(turned)] = True
    return hit


def _colours_swapped(rows: Rows) -> Rows:
    return (rows[0].translate(_SWAP), rows[1].translate(_SWAP), rows[2].translate(_SWAP))


def matching_codes(patterns: tuple[Pattern, ...], colour: int) -> Mask:
    """The codes at which `colour` (1 Black, 2 White) to play finds any of the patterns."""
    hit = np.zeros(65536, dtype=bool)
    for pattern in patterns:
        for x_colour in (1, 2):
            if pattern.to_play != "any" and (pattern.to_play == "X") != (x_colour == colour):
                continue
            # Pictures are matched with X as Black; for X as White the picture's colours are swapped.
            seen = [rows if x_colour == 1 else _colours_swapped(rows) for rows in (pattern.rows, *pattern.unless)]
            exception = np.zeros(65536, dtype=bool)
            for rows in seen[1:]:
                exception |= _any_symmetry(rows)
            hit |= _any_symmetry(seen[0]) & ~exception
    return hit
