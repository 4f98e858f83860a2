"""Rates, intervals and Elo differences as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def percents(interval: Sequence[float]) -> str:
    return f"{100 * interval[0]:.1f} … {100 * interval[1]:.1f} %"


def elo_text(difference: float | None, rate: float) -> str:
    """An Elo difference; None is infinite, with the sign that the rate says."""
    if difference is None:
        return "+∞" if rate > 0.5 else "−∞"
    return f"{difference:+.0f}".replace("-", "−")


def elos(interval: Sequence[float | None]) -> str:
    """An interval's ends, infinite where nothing was lost or won."""
    low, high = interval
    return f"{elo_text(low, 0)} … {elo_text(high, 1)}"


def counts(standing: dict[str, Any]) -> str:
    return f"{standing['wins']} won, {standing['losses']} lost, {standing['draws']} drawn"
