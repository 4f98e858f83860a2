"""Strengths of move features on one board size, as one record that kernels are lent: boltzmann.py keeps it up to date.

Weights of moves are whole numbers, both colours' in one word, as urgencies are (urgent.py): sums kept up to date equal
sums made anew.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego._intrinsics import borrower
from montego._jit import record_dtype
from montego.go.codes import base_flags
from montego.go.geometry import geometry
from montego.patterns.strengths import NEAR, PLAYOUT_SET, RESPONSES, TACTICS, Strengths, pattern_classes

UNIT = 1024
"""γ = 1 in whole numbers."""
MOST = 1 << 23
"""Of a move; the sum of a board of 19×19 stays below half a word. The least is 1."""


@cache
def strength_dtype(size: int) -> np.dtype[Any]:
    points = (size + 2) * (size + 1) + 1
    area = size * size
    return record_dtype(
        [
            ("total", "u8"),
            ("row", "u8", (size + 2,)),
            ("urgency", "u8", (points,)),  # the weight of a move by its pattern and its tactic, by point
            ("marked", "u8"),  # how many last liberties of strings in atari there are,
            ("marks", "u2", (area + 1,)),  # where they are,
            ("tactic", "u1", (points,)),  # and what a move there does: Black's feature, and White's << 4
            ("changes", "u8"),  # of weights while a move is drawn: how many,
            ("change_at", "u2", (3 * area + 16,)),  # where,
            ("change_from", "u8", (3 * area + 16,)),  # and what there was before
            ("known", "u1", (points,)),  # whether a change has brought in a self-atari
            ("row_of", "u1", (points,)),
            ("tactics", "f8", (len(TACTICS) + 1,)),  # γ by feature of the group
            ("near", "f8", (len(NEAR) + 1,)),
            ("responses", "f8", (len(RESPONSES) + 1,)),
            ("table", "u8", (1 << 16,)),  # weight by code, for both colours; 0 in one's own true eye
            ("classes", "u2", (2, 1 << 16)),  # patterns.strengths.pattern_classes
            ("playout", "f8", (PLAYOUT_SET.count,)),  # γ by feature
        ]
    )


strength_of = borrower(strength_dtype)
"""strength_of(board, address) in a kernel: the record lent."""


def set_strengths(memories: np.ndarray[Any, Any], strengths: Strengths) -> None:
    """Give memories other strengths."""
    gamma, starts = np.exp(strengths.playout), PLAYOUT_SET.starts
    groups = {"tactics": ("tactic", TACTICS), "near": ("near", NEAR), "responses": ("response", RESPONSES)}
    for field, (group, features) in groups.items():
        memories[field] = [1.0, *gamma[starts[group] + 1 : starts[group] + 1 + len(features)]]
    memories["table"] = _packed(gamma)
    memories["playout"] = gamma


def _packed(gamma: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    halves = []
    for classes, eye in zip(pattern_classes()[0], (2, 4), strict=True):
        whole = np.clip(np.rint(gamma[classes] * UNIT), 1, MOST).astype(np.uint64)
        whole[base_flags() & eye != 0] = 0
        halves.append(whole)
    return np.asarray(halves[0] | halves[1] << np.uint64(32))


def new_strength_memories(strengths: Strengths, size: int, count: int = 1) -> np.ndarray[Any, Any]:
    """So many memories, one for each thread."""
    made, points = np.zeros(count, strength_dtype(size)), geometry(size).points
    made["row_of"][:, points] = np.repeat(np.arange(1, size + 1), size)
    made["classes"] = pattern_classes()[0]
    set_strengths(made, strengths)
    return made
