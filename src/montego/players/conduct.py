"""How a player behaves beyond its search: a softer choice, when to resign, when to trust an agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from montego.go.errors import ConfigError, shown


@dataclass(frozen=True)
class Conduct:
    """A player's manners. The defaults are those of a machine in a match: best move, stones count as they stand."""

    softness: float = 0.0
    """win probability that a move may give away and still be played now and then; 0: always the best move"""
    resign_below: float = 0.0
    """win probability under which it gives up, if that lasts; 0: never"""
    friendly: bool = False
    """pass when all is settled, and trust that dead stones will be taken off by agreement; never under rules in which
    every stone counts as alive"""

    def __post_init__(self) -> None:
        for field, most in (("softness", 1.0), ("resign_below", 0.5)):
            value: Any = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
                raise ConfigError(f"{field} is {shown(value)}; accepted: a number from 0 to {most:g}")
        if not isinstance(self.friendly, bool):
            raise ConfigError(f"friendly is {shown(self.friendly)}; accepted: true or false")
