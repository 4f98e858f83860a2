"""Game clocks: absolute, Canadian, Japanese byo-yomi and Fischer time, and what a move may cost under each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from montego.go.errors import MontegoError, is_whole, shown

MOST_SECONDS = 1e8
MOST_PERIODS = 1_000_000
LONGER = 2.5
"""Where it pays, a move may take so many times its share …"""
MOST_OF_THE_REST = 0.25
"""… but never more than this part of the time left for the whole game."""
SHARE_OF_PERIOD = 0.9
"""The part of a byo-yomi period or a Fischer increment that is planned for a move."""
OVERHEAD = 0.02
"""What every move may lose on the way; where there is main time alone, it is kept for all moves of a long game."""
LEAST = 0.001


class TimeError(MontegoError):
    """Time settings that make no sense."""


@dataclass(frozen=True)
class TimeSettings:
    """A time system: main time, and what comes after it or is added to it. All in seconds."""

    main: float = 0.0
    period: float = 0.0
    """length of a Canadian or byo-yomi period"""
    stones: int = 0
    """moves in each Canadian period"""
    periods: int = 0
    """byo-yomi periods"""
    increment: float = 0.0
    """Fischer: added after every move"""
    cap: float | None = None
    """Fischer: the main time never grows beyond this"""
    longest: float | None = None
    """no move may take longer"""

    def __post_init__(self) -> None:
        for field in ("main", "period", "increment", "cap", "longest"):
            value: Any = getattr(self, field)
            if value is not None and not (isfinite(value) and 0 <= value <= MOST_SECONDS):
                raise TimeError(f"a time of {shown(value)} s; accepted: 0 to {MOST_SECONDS:g} seconds")
        for field in ("stones", "periods"):
            value = getattr(self, field)
            if not is_whole(value) or not 0 <= value <= MOST_PERIODS:
                raise TimeError(f"{shown(value)} {field}; accepted: a whole number from 0 to {MOST_PERIODS}")
        if self.period == 0 and (self.stones or self.periods):
            object.__setattr__(self, "stones", 0)  # periods without time are none: the main time is all there is
            object.__setattr__(self, "periods", 0)

    @classmethod
    def gtp(cls, main: float, period: float, stones: int) -> TimeSettings | None:
        """As the GTP command time_settings means it; a period without stones stands for no limit at all."""
        settings = cls(main, period, stones)
        if (period > 0 and stones == 0) or (main == 0 and period == 0):
            return None
        return settings


class GameClock:
    """One player's clock: what is left, as the controller last said or as the player itself has counted."""

    def __init__(self, settings: TimeSettings) -> None:
        self.settings = settings
        self.left = settings.main
        self.count = 0
        """Canadian stones or byo-yomi periods left; 0 in main time"""
        if settings.main == 0:
            self._enter_overtime()

    def _enter_overtime(self) -> None:
        settings = self.settings
        if settings.stones or settings.periods:
            self.left, self.count = settings.period, settings.stones or settings.periods

    def set_left(self, seconds: float, count: int) -> None:
        """What the controller says is left (time_left)."""
        if not (isfinite(seconds) and -MOST_SECONDS <= seconds <= MOST_SECONDS):
            raise TimeError(f"{shown(seconds)} s left; accepted: a number of seconds")
        if not is_whole(count) or not 0 <= count <= MOST_PERIODS:
            raise TimeError(f"{shown(count)} stones left; accepted: a whole number from 0")
        if count and not (self.settings.stones or self.settings.periods):  # it must be Canadian after all
            self.settings = replace(self.settings, period=max(seconds, LEAST), stones=count)
        self.left, self.count = max(0.0, seconds), count
        if self.left == 0 and count == 0:
            self._enter_overtime()

    def spend(self, seconds: float) -> None:
        """Count a move of one's own; good until the controller says what is left."""
        settings = self.settings
        if self.count == 0:
            over = seconds - self.left
            self.left = max(0.0, -over) + settings.increment
            if settings.cap is not None:
                self.left = min(self.left, settings.cap)
            if over < 0:
                return
            self._enter_overtime()
            seconds = over  # what the main time did not pay for
        if settings.periods:
            while seconds >= self.left and self.count > 1:
                seconds, self.left, self.count = seconds - self.left, settings.period, self.count - 1
            self.left = settings.period
        elif settings.stones:
            self.left = self.left - seconds if seconds < self.left else settings.period
            self.count -= 1
            if self.count <= 0:
                self._enter_overtime()

    def allowance(self, size: int, moves: int, lag: float, overhead: float = OVERHEAD) -> tuple[float, float]:
        """How long the next move should take, and how long it may.

        lag: seconds that may be lost on the way; overhead: what every move costs beside the thinking.
        """
        left = self.deadline
        if self.is_sudden_death:
            left = max(left - overhead * most_moves(size, moves), left / 50)
        safe = left - min(lag, left / 2)
        share, most = self._shares(safe, moves_to_go(size, moves))
        if self.settings.longest is not None:
            most = min(most, self.settings.longest - min(lag, self.settings.longest / 2))
        longest = max(LEAST, min(most, safe, LONGER * share))
        return max(LEAST, min(share, longest)), longest

    def _shares(self, safe: float, horizon: float) -> tuple[float, float]:
        """A move's share of the time that can safely be used, and the most that it may take of it."""
        settings = self.settings
        if settings.periods or settings.stones:
            each = settings.period / settings.stones if settings.stones else settings.period
            if self.count == 0:
                return max(self.left / horizon, SHARE_OF_PERIOD * min(each, safe)), SHARE_OF_PERIOD * safe
            if settings.periods:
                return SHARE_OF_PERIOD * safe, SHARE_OF_PERIOD * safe
            share = SHARE_OF_PERIOD / self.count
            return share * safe, max(share, MOST_OF_THE_REST) * safe
        more = SHARE_OF_PERIOD * min(settings.increment, safe)
        return safe / horizon + more, safe * MOST_OF_THE_REST + more

    @property
    def is_sudden_death(self) -> bool:
        """Whether there is main time and nothing else."""
        return not (self.settings.period or self.settings.increment)

    @property
    def deadline(self) -> float:
        """Seconds after which the game, or a byo-yomi period, is lost."""
        settings = self.settings
        if self.count or not (settings.periods or settings.stones):
            return self.left
        return self.left + (settings.period if settings.periods else settings.period / settings.stones)


def moves_to_go(size: int, moves: int) -> float:
    """How many moves of its own a player should still have time for. Games last about as many moves as points."""
    area = size * size
    return max(0.15 * area, (area - moves) / 2) + 3


def most_moves(size: int, moves: int) -> float:
    """How many moves of its own a player may have to make yet if the game is very long."""
    return max(20.0, size * size / 2 + 70 - moves / 2)
