"""Manual: what an expert would tell Indigo's playouts (B&C06 §III.C): urgencies for cutting and connecting, blocking
and running, at the edge and off it. Capture and escape are the one-liberty urgency.

The signs are those of ascii.py. An ordinary move has urgency 1; every pattern that matches adds its own.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego.patterns.ascii import Pattern, matching_codes
from montego.patterns.urgency import Urgencies, codes

ONE_LIBERTY = 50.0

MANUAL: tuple[tuple[float, Pattern], ...] = (
    # cut and connect: the point both sides want
    (60, Pattern(("XO?", "O.?", "???"), unless=(("XO?", "O.O", "?.?"), ("XO?", "O..", "?O?")))),  # cross-cut
    (40, Pattern(("?X?", "O.O", "xxx"))),  # one stone between two
    (60, Pattern(("?X?", "O.O", "?X?"))),  # both cut at once
    (30, Pattern(("O.O", "X.X", "???"), to_play="X")),  # a gap with hostile stones behind it
    (30, Pattern(("X?O", "O.?", "?.X"), to_play="any")),  # diagonals that cross
    (20, Pattern(("X??", "..O", "?O?"), to_play="X")),  # diagonal kept, or cut
    (20, Pattern(("O??", "..X", "?X?"), to_play="X")),
    (25, Pattern(("?XO", "X.?", "OO?"), to_play="any")),
    # hane and turn
    (35, Pattern(("XOX", "...", "???"))),
    (25, Pattern(("XO.", "...", "?.?"))),
    (30, Pattern(("XO?", "X..", "?.?"))),
    (25, Pattern(("XOO", "...", "?.?"), to_play="X")),
    (30, Pattern((".O.", "X..", "..."), to_play="X")),  # hane underneath and stretch away: one shape
    # block and push
    (30, Pattern(("XO?", "X.?", "X.?"), to_play="X")),  # a wall kept whole
    (30, Pattern(("OX?", "O.?", "O.?"), to_play="X")),  # and pushed through
    (20, Pattern(("?O?", "X..", "?O?"), to_play="X")),  # out between two stones
    (20, Pattern(("?X?", "O..", "?X?"), to_play="X")),  # and shut in
    (15, Pattern(("OXO", "...", "?.?"), to_play="X")),  # a head out
    (15, Pattern(("XXO", "...", "..."), to_play="X")),  # extend along
    # a stone all but surrounded
    (20, Pattern(("OXO", "?.?", "???"))),
    # the edge
    (25, Pattern(("X.?", "O.?", "###"))),
    (25, Pattern(("?X?", "o.O", "###"))),
    (20, Pattern(("?XO", "?.?", "###"), to_play="X")),
    (20, Pattern(("?XO", "?.o", "###"), to_play="O")),
    (25, Pattern(("?XO", "O.X", "###"), to_play="O")),
    (25, Pattern(("?XO", "X.O", "###"))),
    (15, Pattern(("XO?", "..?", "###"), to_play="X")),
    # where nobody has anything to gain
    (-0.9, Pattern(("...", "...", "###"))),
    (-0.9, Pattern(("#..", "#..", "###"))),
    (-0.9, Pattern(("XXX", "X.X", "?X?"))),
)


def manual_codes(colour: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The database as a table: by 3×3 code, with `colour` to move."""
    urgency = np.ones(1 << 16)
    for value, pattern in MANUAL:
        urgency[matching_codes((pattern,), colour)] += value
    return urgency


@cache
def manual_urgencies() -> Urgencies:
    """The same by pattern."""
    return Urgencies(manual_codes(1)[codes()], ONE_LIBERTY)
