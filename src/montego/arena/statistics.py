"""What counts of games tell: the win rate, its interval, and both as Elo."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

Z95 = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


def wilson(points: float, games: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval (1927) for a rate of points / games; 0 … 1 where there is no game."""
    if games == 0:
        return 0.0, 1.0
    rate, spread = points / games, z * z / games
    centre = (rate + spread / 2) / (1 + spread)
    half = math.sqrt(rate * (1 - rate) * spread + spread * spread / 4) / (1 + spread)
    return (0.0 if points <= 0 else centre - half), (1.0 if points >= games else centre + half)


def elo(rate: float) -> float:
    """The Elo difference at which a player is expected to score `rate`; infinite at 0 and 1."""
    if rate <= 0 or rate >= 1:
        return -math.inf if rate <= 0 else math.inf
    return 400 * math.log10(rate / (1 - rate))


def superiority(wins: int, losses: int) -> float:
    """The likelihood that whoever won `wins` games is the stronger one; draws tell nothing about that.

    The share of a flat prior's posterior, Beta(wins + 1, losses + 1), above one half: a binomial sum.
    """
    games = wins + losses + 1
    if games > 1000:
        return NormalDist().cdf((wins - losses) / math.sqrt(games - 1))
    return float(sum(math.comb(games, k) for k in range(wins + 1)) / 2**games)


@dataclass(frozen=True)
class Mean:
    """The mean of some numbers and its standard error."""

    count: int
    value: float
    error: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Mean | None:
        """None where fewer than two numbers tell nothing about their spread."""
        if len(numbers) < 2:
            return None
        return cls(len(numbers), fmean(numbers), stdev(numbers) / math.sqrt(len(numbers)))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        return self.value - Z95 * self.error, self.value + Z95 * self.error


@dataclass
class Tally:
    """Games counted from one player's side. Forfeits count as what they are, wins and losses; void games do not."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    def add(self, winner: str | None, side: str) -> None:
        self.draws += winner is None
        self.wins += winner == side
        self.losses += winner is not None and winner != side

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def rate(self) -> float | None:
        """Wins and half the draws, as a share of the games; None where there is no game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate."""
        return wilson(self.wins + self.draws / 2, self.games)
