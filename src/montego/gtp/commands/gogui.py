"""GoGui: its menu of analysis commands, and views of the search on the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from montego import __version__
from montego.go.geometry import geometry
from montego.gtp.commands import command
from montego.gtp.formats import variation

if TYPE_CHECKING:
    from montego.gtp.session import Session
    from montego.search.report import MoveReport

Words = tuple[str, ...]

MENU = (
    "sboard/Visits/montego-visits",
    "sboard/Win rate Q(s,a) in %/montego-values",
    "sboard/AMAF value in %/montego-amaf",
    "dboard/RAVE weight (beta)/montego-beta",
    "dboard/Prior H(s,a)/montego-prior",
    "dboard/Ownership/montego-ownership",
    "gfx/Main line/montego-pv",
    "param/Settings/montego-param",
    "string/Score/final_score",
    "plist/Dead stones/final_status_list dead",
    "hstring/Engine/gomill-describe_engine",
)


@command("gogui-analyze_commands")
def analyze_commands(session: Session, words: Words) -> str:
    return "\n".join(MENU)


@command("gogui-interrupt")
def interrupt(session: Session, words: Words) -> str:
    """That it is there means: the comment "# interrupt" ends a search."""
    return ""


@command("gogui-title")
def title(session: Session, words: Words) -> str:
    return f"Montego ({session.engine.settings.player.spec})"


@command("gogui-version")
def version(session: Session, words: Words) -> str:
    return __version__


def _view(session: Session, cell: Callable[[MoveReport], str], nothing: str) -> str:
    """A word for every point of the board, row by row."""
    size, names = session.game.size, geometry(session.game.size)
    cells = np.full((size, size), nothing, dtype=object)
    for move in session.report().moves:
        if move.vertex != "pass":
            cells[names.row_column(names.parse(move.vertex))] = cell(move)
    return "\n" + "\n".join(" ".join(row) for row in cells)


def _percent(value: float | None) -> str:
    return '""' if value is None else f"{100 * value:.0f}"


@command("montego-visits")
def visits(session: Session, words: Words) -> str:
    return _view(session, lambda move: str(move.visits) if move.visits else '""', '""')


@command("montego-values")
def values(session: Session, words: Words) -> str:
    return _view(session, lambda move: _percent(move.value if move.visits else None), '""')


@command("montego-amaf")
def amaf(session: Session, words: Words) -> str:
    return _view(session, lambda move: _percent(move.amaf_value), '""')


@command("montego-beta")
def beta(session: Session, words: Words) -> str:
    return _view(session, lambda move: f"{move.beta:.3f}", "0.0")


@command("montego-prior")
def prior(session: Session, words: Words) -> str:
    return _view(session, lambda move: f"{move.prior or 0.0:.3f}", "0.0")


@command("montego-ownership")
def ownership(session: Session, words: Words) -> str:
    """+1 Black's, −1 White's."""
    owned = session.report().ownership
    if owned is None:
        owned = np.zeros((session.game.size, session.game.size))
    return "\n" + "\n".join(" ".join(f"{value:.2f}" for value in row) for row in owned)


@command("montego-pv")
def pv(session: Session, words: Words) -> str:
    return variation(session.report())
