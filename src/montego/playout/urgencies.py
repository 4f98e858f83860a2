"""Two players' urgencies on one board size, as one record that kernels are lent: what urgent.py keeps up to date."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego._intrinsics import borrower
from montego._jit import record_dtype
from montego.go.geometry import geometry
from montego.patterns.urgency import MOST, PATTERNS, UNIT, Urgencies, dispositions, neighbourhoods, packed


@cache
def urgency_dtype(size: int) -> np.dtype[Any]:
    points = (size + 2) * (size + 1) + 1
    area = size * size
    return record_dtype(
        [
            ("total", "u8"),
            ("row", "u8", (size + 2,)),
            ("urgency", "u8", (points,)),
            ("bonuses", "u8"),  # how many strings in atari have brought their urgency
            ("bonus_at", "u2", (area + 1,)),  # to which point,
            ("bonus", "u8", (area + 1,)),  # and what
            ("refused", "u2", (area + 1,)),  # illegal points, set aside while a move is drawn
            ("set_aside", "u8", (area + 1,)),
            ("one_liberty", "u8"),  # a stone, for both colours
            ("disposition", "u4", (points,)),  # patterns.urgency.dispositions
            ("row_of", "u1", (points,)),
            ("neighbourhood", "u2", (1 << 16,)),  # patterns.urgency.neighbourhoods
            ("table", "u8", (PATTERNS,)),  # patterns.urgency.packed
        ]
    )


urgency_of = borrower(urgency_dtype)
"""urgency_of(board, address) in a kernel: the record lent."""


def new_urgency_memories(
    black: Urgencies, size: int, count: int = 1, white: Urgencies | None = None
) -> np.ndarray[Any, Any]:
    """So many memories of one player, or of two where White has other urgencies: one for each thread."""
    made, points = np.zeros(count, urgency_dtype(size)), geometry(size).points
    ours, theirs = (min(max(round(u.one_liberty * UNIT), 0), MOST) for u in (black, white or black))
    made["one_liberty"] = ours | theirs << 32
    made["disposition"][:, points] = dispositions(size).ravel()
    made["row_of"][:, points] = np.repeat(np.arange(1, size + 1), size)
    made["neighbourhood"] = neighbourhoods()
    made["table"] = packed(black, white)
    return made
