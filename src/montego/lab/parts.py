"""What the page of an experiment is made of: tables, figures and sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Draw = Callable[[Any], None]
"""Draws on matplotlib's axes."""


@dataclass(frozen=True)
class Table:
    columns: Sequence[str]
    rows: Sequence[Sequence[str]] = field(default_factory=list)

    def markdown(self) -> str:
        lines = [_row(self.columns), _row(["---", *(["---:"] * (len(self.columns) - 1))])]
        return "\n".join([*lines, *map(_row, self.rows)])

    def text(self) -> str:
        """Columns aligned for a terminal."""
        rows = [list(self.columns), *map(list, self.rows)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self.columns))]
        return "\n".join(_aligned(row, widths) for row in rows)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, rest = row[0].ljust(widths[0]), [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]
    return "  ".join([first, *rest]).rstrip()


@dataclass(frozen=True)
class Figure:
    name: str
    """of the file"""
    caption: str
    draw: Draw
    width: float = 6.4
    height: float = 3.8


@dataclass(frozen=True)
class Note:
    """A sentence."""

    text: str


Part = Table | Figure | Note
