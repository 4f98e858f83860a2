"""A fixed value function as one record: what kernels of playouts and of the search are lent.

The record is both `state` and `layout` of the kernels in value.py, and holds the expanded table of weights. Its type
follows from the board size alone: windows are those of RLGO 1.0, weights are location-dependent up to 9×9. On larger
boards they are location-independent, for tables of every location would not fit into a core's cache.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego._intrinsics import borrower
from montego._jit import record_dtype
from montego.go.board import board_dtype
from montego.go.errors import shown
from montego.shape.features import WINDOWS, Features, ShapeError, features
from montego.shape.value import state_dtype
from montego.shape.weights import ShapeValue

LARGEST_LOCAL = 9
"""The largest board with location-dependent weights."""
DEEPEST = 8
"""Plies for which there is room to look ahead."""


def _form(size: int) -> Features:
    return features(size, "rlgo-1.0", "ld+li" if size <= LARGEST_LOCAL else "li")


@cache
def memory_dtype(size: int) -> np.dtype[Any]:
    form = _form(size)
    layout, entries = form.layout[0], len(form.links)
    windows, area = len(layout.origin), size * size
    return record_dtype(
        [
            # First, or numba would take the record for a kind of state_dtype and use kernels compiled for that.
            ("randomness", "f8"),  # ε, σ or τ of a policy
            ("total", "f8"),  # the state: see value.state_dtype
            ("raw", "u4", (windows,)),
            ("part", "f8", (windows,)),
            ("origin", "u4", (windows,)),  # the layout: see features.layout_dtype
            ("first", "u2", (len(layout.first),)),
            ("window", "u2", (len(layout.window),)),
            ("power", "u2", (len(layout.power),)),
            ("sums", "f8", (area + 8,)),  # of the moves a policy chooses among
            ("boards", board_dtype(size), (DEEPEST + 1,)),  # by ply, where moves are looked ahead: a position,
            ("states", state_dtype(form), (DEEPEST + 1,)),  # its state,
            ("moves", "u2", (DEEPEST + 1, area + 8)),  # its moves
            ("scores", "f8", (DEEPEST + 1, area + 8)),  # and what they come to
            ("table", "f4", (entries,)),  # the weights: see value.expand
        ]
    )


memory_of = borrower(memory_dtype)
"""memory_of(board, address) in a kernel: the record lent."""


def fitted(value: ShapeValue, size: int) -> ShapeValue:
    """A value function in the form that a memory holds: itself if it is, else one with its location-independent
    weights. Those of locations are lost on boards of another size, and beyond 9×9.
    """
    form, given = _form(size), value.features
    if given.windows != WINDOWS["rlgo-1.0"]:
        raise ShapeError(f"weights for the windows {shown(given.windows)}; accepted: those of rlgo-1.0")
    if value.size == size and (given.sets == "li") == (form.sets == "li"):
        return value
    made = ShapeValue(size, "rlgo-1.0", form.sets)
    made.start_from(value)
    return made


def new_memories(value: ShapeValue, size: int, count: int = 1, randomness: float = 0.0) -> np.ndarray[Any, Any]:
    """So many memories with the weights as they are now: one for each thread."""
    value = fitted(value, size)
    made, layout = np.zeros(count, memory_dtype(size)), value.features.layout[0]
    for field in ("origin", "first", "window", "power"):
        made[field] = layout[field]
    made["table"] = value.table()
    made["randomness"] = randomness
    return made
