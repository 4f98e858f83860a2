"""Urgencies of 3×3 patterns (Bouzy & Chaslot 2006, B&C06, §III.C), and the form in which kernels read them.

A pattern is what surrounds an empty point: eight neighbours, each empty, the mover's or the opponent's, and one of 25
dispositions to the edge: five classes of a coordinate (first line, second, further in, second and first of the other
side) in each direction. 3⁸ · 25 = 164,025 patterns; those that differ by a symmetry of the board share one urgency.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from montego.go.codes import CELLS, base_flags

CLASSES, NEIGHBOURHOODS = 5, 3**8
PATTERNS = CLASSES * CLASSES * NEIGHBOURHOODS

UNIT = 64
"""An urgency of 1, what an ordinary move has, in the whole numbers that kernels add up: their sums are exact."""
LEAST, MOST = 1, UNIT << 12
"""Of a pattern; and the most of a stone in atari. A board full of both stays far below half a word."""

Floats = np.ndarray[Any, np.dtype[np.float64]]
Wholes = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Urgencies:
    """What a pseudo-random player knows."""

    patterns: Floats
    """by pattern, for the side to move; an ordinary move has 1"""
    one_liberty: float = 0.0
    """per stone of a string in atari, for the point that is its last liberty; for both colours, capture and escape"""


@cache
def zero_urgencies() -> Urgencies:
    """Zero: every move is as urgent as any other."""
    return Urgencies(np.ones(PATTERNS))


def class_of(coordinate: int, size: int) -> int:
    """The class of a row or column; the nearer edge decides. A middle line is the image of itself, even on 3×3."""
    low, high = coordinate, size - 1 - coordinate
    if low == high:
        return CLASSES // 2
    return min(low, 2) if low < high else CLASSES - 1 - min(high, 2)


@cache
def dispositions(size: int) -> Wholes:
    """By row and column, the number of the first pattern with that disposition to the edge."""
    classes = np.array([class_of(i, size) for i in range(size)])
    return np.asarray((classes[:, None] * CLASSES + classes) * NEIGHBOURHOODS)


@cache
def neighbourhoods() -> Wholes:
    """The number 0 … 3⁸ − 1 of every 16-bit code: a digit a neighbour, Black 1, White 2; off the board counts as 0."""
    codes = np.arange(1 << 16)
    digits = [(codes >> (2 * i)) & 3 for i in range(8)]
    return np.asarray(sum(np.where(digit == 3, 0, digit) * 3**i for i, digit in enumerate(digits)))


@cache
def _split() -> tuple[Wholes, Wholes, Wholes]:
    """Of every pattern: class of its row, class of its column, and its eight digits as (8, PATTERNS)."""
    numbers = np.arange(PATTERNS)
    disposition, neighbourhood = numbers // NEIGHBOURHOODS, numbers % NEIGHBOURHOODS
    digits = np.array([neighbourhood // 3**i % 3 for i in range(8)])
    return disposition // CLASSES, disposition % CLASSES, digits


def _joined(row: Wholes, column: Wholes, digits: Wholes) -> Wholes:
    neighbourhood = sum(digits[i] * 3**i for i in range(8))
    return np.asarray((row * CLASSES + column) * NEIGHBOURHOODS + neighbourhood)


@cache
def symmetric() -> tuple[Wholes, int]:
    """By pattern, the number that it shares with its images under the eight symmetries; and how many there are."""
    row, column, digits = _split()
    least = np.arange(PATTERNS)
    turned = [CELLS.index((2 - c, r)) for r, c in CELLS]  # what comes to a cell when the picture turns clockwise
    mirrored = [CELLS.index((r, 2 - c)) for r, c in CELLS]
    for _ in range(4):
        row, column, digits = column, CLASSES - 1 - row, digits[turned]
        least = np.minimum(least, _joined(row, column, digits))
        least = np.minimum(least, _joined(row, CLASSES - 1 - column, digits[mirrored]))
    kinds, shared = np.unique(least, return_inverse=True)
    return shared, len(kinds)


@cache
def colours_swapped() -> Wholes:
    """By pattern, the same one with the colours of all stones swapped."""
    row, column, digits = _split()
    return _joined(row, column, np.array([0, 2, 1])[digits])


@cache
def codes() -> Wholes:
    """By pattern, the 16-bit code of a point where it occurs, X being Black."""
    row, column, digits = _split()
    code = np.zeros(PATTERNS, np.int64)
    for i, (r, c) in enumerate(CELLS):
        outside = (r != 1) & (row == 2 * r) | (c != 1) & (column == 2 * c)  # classes 0 and 4 are first lines
        code |= np.where(outside, 3, digits[i]) << (2 * i)
    return code


def packed(black: Urgencies, white: Urgencies | None = None) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Two players' urgencies as kernels read them: by pattern as Black sees it, Black's in the low half of a word and
    White's in the high half. A true eye of one's own has 0, everything else at least 1.
    """
    halves = []
    for urgencies, seen, eye in ((black, slice(None), 2), (white or black, colours_swapped(), 4)):
        whole = np.clip(np.rint(urgencies.patterns[seen] * UNIT), LEAST, MOST).astype(np.uint64)
        whole[base_flags()[codes()] & eye != 0] = 0
        halves.append(whole)
    return np.asarray(halves[0] | halves[1] << np.uint64(32))
