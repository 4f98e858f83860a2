"""Boards as text, both ways.

  A B C          X or # Black   O White   . or + or , or * empty
3 . X O 3        Blanks, row numbers, column letters and the brackets of the last move may be left out.
2(X). O 2
1 . X O 1
  A B C
"""

from __future__ import annotations

from typing import Any

import numpy as np

from montego.go.board import BLACK, EMPTY, WHITE
from montego.go.errors import DiagramError, SizeError, shown
from montego.go.geometry import COLUMNS, check_size, geometry

_SIGNS = {"X": BLACK, "#": BLACK, "O": WHITE, ".": EMPTY, "+": EMPTY, ",": EMPTY, "*": EMPTY}
_BRACKETS = str.maketrans("()\t", "   ")  # the last move may stand in brackets

MAX_TEXT = 10_000
"""The longest diagram that is looked at, in characters."""

Stones = np.ndarray[Any, np.dtype[np.uint8]]


def parse_diagram(text: str) -> Stones:
    """The stones of a diagram as an array (size, size) of 0, BLACK and WHITE, row 0 at the top."""
    if not isinstance(text, str):
        raise DiagramError(f"a diagram is text, not {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise DiagramError(f"a diagram of {len(text)} characters; accepted: at most {MAX_TEXT}")
    rows = []
    for line in text.splitlines():
        signs = line.translate(_BRACKETS).replace(" ", "").strip("0123456789\r")
        if not signs or signs.startswith("A"):  # blank, or column letters
            continue
        wrong = next((sign for sign in signs if sign not in _SIGNS), None)
        if wrong:
            raise DiagramError(f"{shown(wrong)} in the diagram line {shown(line)}; accepted: {' '.join(_SIGNS)}")
        rows.append([_SIGNS[sign] for sign in signs])
    if any(len(row) != len(rows) for row in rows):
        widths = sorted({len(row) for row in rows})
        raise DiagramError(f"a diagram of {len(rows)} rows has rows of {widths[:5]} points; accepted: a square")
    try:
        check_size(len(rows))
    except SizeError as error:
        raise DiagramError(f"the diagram's {error}") from None
    return np.array(rows, dtype=np.uint8)


def format_diagram(stones: Stones, last: int = 0) -> str:
    """The board with coordinates; the point `last` stands in brackets."""
    size = len(stones)
    letters = "   " + " ".join(COLUMNS[:size])
    lines = [letters]
    for row in range(size):
        cells = [" " + ".XO"[stone] for stone in stones[row]] + [" "]
        for column in range(size):
            if last and geometry(size).point(row, column) == last:
                cells[column] = "(" + cells[column][1]
                cells[column + 1] = ")" + cells[column + 1][1:]
        lines.append(f"{size - row:2}{''.join(cells)}{size - row}")
    return "\n".join([*lines, letters])
