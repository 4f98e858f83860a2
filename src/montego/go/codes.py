"""3×3 neighbourhoods as 16-bit codes, and what a code alone tells about its empty centre.

Two bits a neighbour (0 empty, 1 Black, 2 White, 3 off the board), in the order north, west, east, south, then
north-west, north-east, south-west, south-east. The board keeps the code of every point up to date; a 64K table
answers in one look-up whether the centre has an empty neighbour and whether it is a true eye.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

ORTHOGONAL = (0, 1, 2, 3)
DIAGONAL = (4, 5, 6, 7)
CELLS = ((0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (0, 2), (2, 0), (2, 2))
"""(row, column) in a 3×3 picture of each neighbour of the code."""

HAS_EMPTY = 1
EYE_BLACK, EYE_WHITE = 2, 4
"""Flag bits: the centre has an empty orthogonal neighbour; it is a true eye of Black, of White (bit 1 << colour)."""

Mask = np.ndarray[Any, np.dtype[np.bool_]]


@cache
def neighbours() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The eight neighbours of every code, as an array (8, 65536)."""
    codes = np.arange(65536, dtype=np.uint32)
    return np.array([(codes >> (2 * i)) & 3 for i in range(8)], dtype=np.uint8)


def surrounded(colour: int) -> Mask:
    """Codes whose centre has no orthogonal neighbour but stones of `colour` and the border: an eye, true or false."""
    orthogonal = neighbours()[list(ORTHOGONAL)]
    return np.asarray(((orthogonal == colour) | (orthogonal == 3)).all(axis=0) & (orthogonal == colour).any(axis=0))


def true_eye(colour: int) -> Mask:
    """Eyes with at most one hostile diagonal in the centre of the board, none at the edge (the common rule)."""
    diagonal = neighbours()[list(DIAGONAL)]
    hostile = (diagonal == 3 - colour).sum(axis=0)
    at_edge = (diagonal == 3).any(axis=0)
    return np.asarray(surrounded(colour) & (hostile + at_edge < 2))


@cache
def base_flags() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The flags of every code that are facts of the game: HAS_EMPTY and the true eyes."""
    flags = np.where((neighbours()[list(ORTHOGONAL)] == 0).any(axis=0), HAS_EMPTY, 0).astype(np.uint8)
    flags |= np.where(true_eye(1), EYE_BLACK, 0).astype(np.uint8)
    flags |= np.where(true_eye(2), EYE_WHITE, 0).astype(np.uint8)
    return flags
