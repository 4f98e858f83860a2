"""What Indigo's pre-selection knows (B&C06 §III.C, figure 2): its numbers, and the record that kernels are lent.

Numbers are urgencies, of which an ordinary move has 1, or factors of them: see preselection.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any

import numpy as np

from montego._intrinsics import borrower
from montego._jit import record_dtype
from montego.go.codes import ORTHOGONAL, neighbours
from montego.go.ladder import ladder_dtype
from montego.patterns.indigo import manual_codes

SMALL = 11
"""The largest board on which the centre is worth more than the sides."""


@dataclass(frozen=True)
class Knowledge:
    """Gains are added, what speaks for or against a place multiplies."""

    capture: float = 60.0
    """for each stone of a string that is caught by this move, and saved if the other side moves first"""
    save: float = 50.0
    """for each stone of one's own that is saved by this move, and caught otherwise"""
    remove: float = 2.0
    """for each stone of a string that is caught whoever moves first"""
    beside: float = 5.0
    """next to the last move, or diagonal to it: there something has just changed"""
    near: float = 3.0
    """a jump away from it"""
    around: float = 2.0
    """a knight's move or two diagonals away"""
    contact: float = 1.5
    """next to a hostile stone: that ends in a capture, sooner or later"""
    home: float = 0.3
    """among stones of one's own and far from hostile ones: it fills one's own area"""
    edge: float = 0.05
    """on the first line, with no stone near"""
    low: float = 0.2
    """on the second line"""
    third: float = 3.0
    """on the third line: takes area"""
    fourth: float = 3.0
    """on the fourth line: takes influence"""
    centre: float = 1.2
    """further in, on a large board"""
    small_centre: float = 4.0
    """further in, on a small board, where it reaches everything"""
    least: float = 0.02
    """what a move has at least that does no harm"""
    passing: float = 0.01
    """of a pass: the last resort"""
    lost: float = 0.005
    """of a stone that can be caught at once or in a ladder and brings nothing else: it is worse than a pass"""


INDIGO = Knowledge()


@cache
def knowledge_dtype(size: int) -> np.dtype[Any]:
    points = (size + 2) * (size + 1) + 1
    return record_dtype(
        [
            *((field.name, "f8") for field in fields(Knowledge)),
            ("line", "f8", (size + 1,)),  # by line, a factor where no stone is near
            ("gain", "f8", (points,)),  # by point: what strings bring to it
            ("ladder", ladder_dtype(size), (1,)),  # after words of 8 bytes, as its own are
            ("looked_at", "u2", (points,)),  # the string for which a point was last looked at
            ("pattern", "f4", (2, 1 << 16)),  # by colour to move and 3×3 code
        ]
    )


knowledge_of = borrower(knowledge_dtype)
"""knowledge_of(board, address) in a kernel: the record lent."""


def lines(size: int) -> list[float]:
    """By line from 1, the factor of a move with no stone near."""
    inner = INDIGO.small_centre if size <= SMALL else INDIGO.centre
    return ([INDIGO.edge, INDIGO.low, INDIGO.third, INDIGO.fourth] + [inner] * size)[:size]


@cache
def pattern_urgencies(colour: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """By 3×3 code, the expert's urgency for `colour` and what the nearest stones say."""
    cells, found = neighbours(), np.asarray(np.maximum(manual_codes(colour), INDIGO.least))
    own, hostile = cells == colour, cells == 3 - colour
    found[hostile[list(ORTHOGONAL)].any(axis=0)] *= INDIGO.contact
    found[(own.sum(axis=0) >= 2) & ~hostile.any(axis=0)] *= INDIGO.home
    return found


def lend_knowledge(works: Sequence[Any], size: int) -> np.ndarray[Any, Any]:
    """Give each working record knowledge of its own. It has but an address: what is returned must outlive it."""
    made = np.zeros(len(works), knowledge_dtype(size))
    for name, value in asdict(INDIGO).items():
        made[name] = value
    made["line"][:, 1:] = lines(size)
    made["pattern"] = pattern_urgencies(1), pattern_urgencies(2)
    for i, work in enumerate(works):
        work.knowledge = made[i : i + 1].ctypes.data
    return made
