"""Results as text, the way SGF and GTP write them: B+3.5, W+R, 0."""

from __future__ import annotations

import math
import re

from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, shown

_RESULT = re.compile(r"([BW])(?:[a-z]*)\+([0-9]*(?:\.[0-9]*)?|R|F|T|Resign|Time|Forfeit)", re.IGNORECASE)
_DRAWS = ("0", "draw", "jigo", "b+0", "w+0", "b+0.0", "w+0.0")


def opponent_of(colour: int) -> int:
    return WHITE if colour == BLACK else BLACK


def result_text(winner: int, margin: str) -> str:
    return f"{'B' if winner == BLACK else 'W'}+{margin}"


def margin_of(result: str) -> tuple[int | None, float | None]:
    """Winner and margin of a result; a draw has neither winner nor margin; the margin is None where none is told.

    Anything else, such as a text that says nobody knows, is refused.
    """
    text = " ".join(result.split()).lower()
    if text in _DRAWS:
        return None, 0.0
    match = _RESULT.fullmatch(text)
    if match is None:
        raise MontegoError(f"{shown(result)} is no result; accepted: such as B+3.5, W+R or 0")
    winner, margin = BLACK if match[1] == "b" else WHITE, match[2]
    try:
        points = float(margin)
    except ValueError:
        return winner, None
    if not math.isfinite(points):
        raise MontegoError(f"{shown(result)} is no result; accepted: such as B+3.5, W+R or 0")
    return (None, 0.0) if points == 0 else (winner, points)
