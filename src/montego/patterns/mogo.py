"""MoGo's 3×3 patterns (Gelly, Wang, Munos & Teytaud 2006, RR-6062) as Fuego transcribed them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego.go.codes import base_flags
from montego.go.game import Game, Vertex
from montego.go.geometry import PASS, geometry, parse_colour
from montego.patterns.ascii import Pattern, matching_codes

MOGO_PATTERNS = (
    # hane
    Pattern((
        "XOX",
        "...",
        "???")),
    Pattern((
        "XO.",
        "...",
        "?.?")),
    Pattern((
        "XO?",
        "X..",
        "?.?")),
    Pattern((
        "XOO",
        "...",
        "?.?"), to_play="X"),
    # cut 1
    Pattern((
        "XO?",
        "O.?",
        "???"),
        unless=((
        "XO?",
        "O.O",
        "?.?"), (
        "XO?",
        "O..",
        "?O?"))),
    # cut 2
    Pattern((
        "?X?",
        "O.O",
        "xxx")),
    # edge (the corner points themselves match nothing)
    Pattern((
        "X.?",
        "O.?",
        "###")),
    Pattern((
        "?X?",
        "o.O",
        "###")),
    Pattern((
        "?XO",
        "?.?",
        "###"), to_play="X"),
    Pattern((
        "?XO",
        "?.o",
        "###"), to_play="O"),
    Pattern((
        "?XO",
        "O.X",
        "###"), to_play="O"),
)  # fmt: skip

PATTERN_BLACK, PATTERN_WHITE = 8, 16
"""Flag bits beside those of go.codes: a pattern for Black, for White to play (bit 4 << colour)."""


@cache
def mogo_flags() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Flags of every 3×3 code: the facts of go.codes and MoGo's patterns."""
    flags = base_flags().copy()
    flags |= np.where(matching_codes(MOGO_PATTERNS, 1), PATTERN_BLACK, 0).astype(np.uint8)
    flags |= np.where(matching_codes(MOGO_PATTERNS, 2), PATTERN_WHITE, 0).astype(np.uint8)
    return flags


def matches(game: Game, vertex: Vertex, colour: str | int) -> bool:
    """Whether `colour` to play finds one of the patterns on an empty vertex."""
    point, mover = geometry(game.size).parse(vertex), parse_colour(colour)
    if point == PASS or game.at(point):
        return False
    return bool(mogo_flags()[game.board[0].code[point]] & (4 << mover))
