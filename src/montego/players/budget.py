"""What a move may cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from montego.go.errors import ConfigError, is_whole, shown

MOST_SECONDS = 1e9


@dataclass(frozen=True)
class Budget:
    """What a move may cost."""

    simulations: int | None = None
    seconds: float | None = None
    """how long a move should take"""
    longest: float | None = None
    """how long it may take where thinking longer pays; none: as long as `seconds`"""
    early: bool = False
    """stop before that when the choice cannot change any more"""

    def __post_init__(self) -> None:
        check_budget(self.simulations, self.seconds)
        check_budget(None, self.longest, "longest")


def check_budget(simulations: Any, seconds: Any, name: str = "seconds") -> None:
    if simulations is not None and (not is_whole(simulations) or not 1 <= simulations < 1 << 40):
        raise ConfigError(f"simulations is {shown(simulations)}; accepted: a whole number from 1")
    if seconds is not None and (
        isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < MOST_SECONDS
    ):
        raise ConfigError(f"{name} is {shown(seconds)}; accepted: a number above 0")
