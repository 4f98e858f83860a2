"""Large patterns: what stands around an empty point, within diamonds of growing size (Stern et al. 2006; Coulom 2007).

A pattern is a text, one sign a point, the nearest first: "." empty, "X" a stone of the mover, "O" a hostile one, "#"
off the board. It does not depend on the size of the board. A pattern stands for its eight images: of these it is
written as the one with the least hash. What is known of a pattern adds to what is known of the smaller ones inside it,
down to 3×3; so it counts only where they are known too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from montego.go.errors import MontegoError, shown

REACH = 4
"""The farthest point is so many lines away."""
DISTANCES = (4, 5, 6, 7, 8)
"""dx + dy + max(dx, dy) of the farthest points, by size of diamond."""
SIGNS = ".XO#"
MOST = 30_000
"""Patterns that a table holds."""

_LARGEST = np.uint64(0xFFFFFFFFFFFFFFFF)
Wholes = np.ndarray[Any, np.dtype[np.uint64]]


def _distance(dy: int, dx: int) -> int:
    return abs(dy) + abs(dx) + max(abs(dy), abs(dx))


OFFSETS: tuple[tuple[int, int], ...] = tuple(
    sorted(
        (
            (dy, dx)
            for dy in range(-REACH, REACH + 1)
            for dx in range(-REACH, REACH + 1)
            if 0 < _distance(dy, dx) <= DISTANCES[-1]
        ),
        key=lambda at: (_distance(*at), at),
    )
)
"""Down and to the right, of every point of the largest diamond, the nearest first: smaller ones are its beginning."""
SIZES = tuple(sum(_distance(*at) <= most for at in OFFSETS) for most in DISTANCES)


@cache
def turns() -> np.ndarray[Any, np.dtype[np.int64]]:
    """By symmetry of the square and point of the image, the point that comes there: (8, points)."""
    made = []
    for a, b, c, d in ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)):
        for mirror in (1, -1):
            made.append([OFFSETS.index((a * y + b * x * mirror, c * y + d * x * mirror)) for y, x in OFFSETS])
    return np.array(made)


@cache
def keys() -> Wholes:
    """A random word by point and sign; the hash of a pattern is their sum by XOR, as of a board (Zobrist)."""
    return np.random.default_rng(20060704).integers(1, 1 << 63, (len(OFFSETS), len(SIGNS)), np.uint64)


@cache
def salts() -> Wholes:
    """And one by size, so that sizes share a table."""
    return np.random.default_rng(20070615).integers(1, 1 << 63, len(SIZES), np.uint64)


def hashes(patterns: Sequence[str]) -> Wholes:
    """Of the eight images of patterns, the first as it is written: (patterns, 8)."""
    made = np.zeros((len(patterns), 8), np.uint64)
    lengths, signs = np.array([len(text) for text in patterns], np.int64), np.zeros(128, np.int64)
    signs[[ord(sign) for sign in SIGNS]] = range(len(SIGNS))
    for size, salt in zip(SIZES, salts(), strict=True):
        (which,) = np.nonzero(lengths == size)
        text = "".join(patterns[int(i)] for i in which).encode("ascii")
        cells = signs[np.frombuffer(text, np.uint8)].reshape(len(which), size)
        for symmetry, turn in enumerate(turns()):
            made[which, symmetry] = salt
            for i in range(size):
                made[which, symmetry] ^= keys()[i, cells[:, turn[i]]]
    return made


def checked(patterns: Any) -> tuple[str, ...]:
    """Patterns as they were read from a file; anything else is refused."""
    sizes = ", ".join(map(str, SIZES))
    accepted = f"up to {MOST} different texts of {sizes} signs {SIGNS}, each the one of its images with the least hash"
    if not isinstance(patterns, list) or len(patterns) > MOST:
        raise MontegoError(f"large patterns {shown(patterns)}; accepted: {accepted}")
    for text in patterns:
        if not isinstance(text, str) or len(text) not in SIZES or set(text) - set(SIGNS):
            raise MontegoError(f"large pattern {shown(text)}; accepted: {accepted}")
    found = hashes(patterns)
    if (found[:, 0] != found.min(axis=1, initial=_LARGEST)).any() or len(set(patterns)) != len(patterns):
        raise MontegoError(f"a large pattern twice, or the wrong one of its images; accepted: {accepted}")
    return tuple(patterns)
