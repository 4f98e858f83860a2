"""What the large set of move features is read with, as records: learned strengths, shared, and scratch of a thread."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from montego._intrinsics import borrower
from montego._jit import record_dtype
from montego.go.geometry import geometry
from montego.go.ladder import ladder_dtype
from montego.patterns import large
from montego.patterns.strengths import TREE_SET, Strengths
from montego.search.large import fill_table

PLACES = 1 << 19
"""In the table of large patterns: each has eight images, and half of it stays empty."""
MOST_NODES = 200
"""Moves of a ladder that are read."""

LARGE_DTYPE = record_dtype(
    [
        ("mask", "u8"),  # of hashes: how much of the table is in use
        ("gamma", "f8", (TREE_SET.count + large.MOST,)),  # by feature, large patterns last
        ("keys", "u8", large.keys().shape),
        ("salts", "u8", large.salts().shape),
        ("sizes", "u8", (len(large.SIZES),)),
        ("places", "u8", (PLACES,)),  # hashes of large patterns; 0: none
        ("numbers", "u2", (PLACES,)),  # and their numbers from 1
    ]
)


@cache
def reading_dtype(size: int) -> np.dtype[Any]:
    points = (size + 2) * (size + 1) + 1
    return record_dtype(
        [
            ("large", "u8"),  # where the record of LARGE_DTYPE is
            ("nodes", "u8"),  # moves of a ladder that are read; what takes more has escaped
            ("steps", "u8", (len(large.OFFSETS),)),  # to the points of a large pattern, on the wide board
            ("wide_at", "u8", (points,)),  # where a point is on it
            ("ladder", ladder_dtype(size), (1,)),  # after words of 8 bytes, as its own are
            ("stack", "u2", (8,)),  # scratch of shapes
            ("counted_for", "u2", (points,)),  # the string for which a liberty was last counted,
            ("looked_at", "u2", (points,)),  # and for which a point was last looked at
            ("found", "u2", (len(large.SIZES),)),  # the large patterns of a move
            ("rescue", "u1", (points,)),  # by point, the feature of its group
            ("prey", "u1", (points,)),
            ("count", "u1", (points,)),  # by string, its liberties, up to MOST_LIBERTIES
            ("touched", "u1", (points,)),  # by string, whether the last move touches it
            ("wide", "u1", ((size + 2 * large.REACH) ** 2,)),  # signs of all points, with a border of REACH
        ]
    )


reading_of = borrower(reading_dtype)
"""reading_of(board, address) in a kernel: the record lent."""


def _large_dtype(_size: int) -> np.dtype[Any]:
    return LARGE_DTYPE


large_of = borrower(_large_dtype)
"""large_of(board, address): the record of LARGE_DTYPE."""


def new_table(strengths: Strengths) -> np.ndarray[Any, Any]:
    """What was learned, as an array of one record."""
    made = np.zeros(1, LARGE_DTYPE)
    table = made[0]
    table.gamma[: len(strengths.tree)] = np.exp(strengths.tree)
    table.keys[:], table.salts[:], table.sizes[:] = large.keys(), large.salts(), large.SIZES
    table.mask = min(PLACES, 1 << (16 * len(strengths.large) + 1).bit_length()) - 1
    fill_table(table, large.hashes(strengths.large))
    return made


table_of = lru_cache(maxsize=4)(new_table)
"""The same, shared by all threads and searches that read it."""


def new_readings(table: np.ndarray[Any, Any], size: int, count: int = 1) -> np.ndarray[Any, Any]:
    """So many records, one for each thread. They have the table's address alone: it must outlive them."""
    made, width, reach = np.zeros(count, reading_dtype(size)), size + 2 * large.REACH, large.REACH
    made["nodes"] = MOST_NODES
    made["large"] = table.ctypes.data
    made["steps"] = np.array([dy * width + dx for dy, dx in large.OFFSETS], np.int64).astype(np.uint64)
    rows, columns = np.divmod(np.arange(size * size), size)
    made["wide_at"][:, geometry(size).points] = (rows + reach) * width + columns + reach
    made["wide"] = large.SIGNS.index("#")
    return made


def lend_readings(works: Sequence[Any], size: int, strengths: Strengths) -> list[Any]:
    """Give each working record what new nodes are read with. What is returned must outlive it."""
    table = table_of(strengths)
    made = new_readings(table, size, len(works))
    for i, work in enumerate(works):
        work.knowledge = made[i : i + 1].ctypes.data
    return [table, made]
