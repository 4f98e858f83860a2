"""When to stop a match: Wald's sequential probability ratio test (1945) between two hypotheses in Elo."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from montego.arena.settings import MatchError
from montego.go.errors import is_whole, shown

MOST_ELO = 2000.0
"""Beyond it one game decides anyway, and probabilities come close to what floats can tell from 1."""


@dataclass(frozen=True)
class Sprt:
    """The test whether a player is `elo0` (H0) or `elo1` (H1) above its opponent, after any number of games.

    A draw counts as half a win and half a loss. Such a sequence strays less than one of wins and losses alone, so with
    draws the errors are rarer than asked for. They are rarer anyway because the last game oversteps the bound.
    """

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    """probability of H1 where H0 is true"""
    beta: float = 0.05
    """probability of H0 where H1 is true"""

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= MOST_ELO:
                raise MatchError(
                    f"{name} is {shown(getattr(self, name))}; accepted: a number from {-MOST_ELO:g} to {MOST_ELO:g}"
                )
        if not self.elo0 < self.elo1:
            raise MatchError(f"elo0 is {shown(self.elo0)} and elo1 {shown(self.elo1)}; accepted: elo0 below elo1")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise MatchError(f"{name} is {shown(getattr(self, name))}; accepted: a number between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def steps(self) -> tuple[float, float]:
        """What a win and a loss add to the log-likelihood ratio."""
        p0, p1 = win_probability(self.elo0), win_probability(self.elo1)
        return math.log(p1 / p0), math.log((1 - p1) / (1 - p0))

    def log_likelihood_ratio(self, wins: int, losses: int, draws: int = 0) -> float:
        """How much more likely H1 makes these games than H0, as a natural logarithm."""
        for name, count in (("wins", wins), ("losses", losses), ("draws", draws)):
            if not is_whole(count) or count < 0:
                raise MatchError(f"{name} is {shown(count)}; accepted: a whole number from 0")
        win, loss = self.steps
        return (wins + draws / 2) * win + (losses + draws / 2) * loss

    def verdict(self, wins: int, losses: int, draws: int = 0) -> Literal["H0", "H1"] | None:
        """The hypothesis to accept, to be asked after each game; None: play on."""
        low, high = self.bounds
        ratio = self.log_likelihood_ratio(wins, losses, draws)
        if ratio >= high:
            return "H1"
        return "H0" if ratio <= low else None

    def acceptance(self, elo: float) -> float:
        """Wald's approximation of the probability that H0 is accepted where the true difference is `elo`."""
        (low, high), tilt = self.bounds, self._tilt(elo)
        if abs(tilt) < 1e-6:
            return high / (high - low)
        up, down = (math.expm1(max(-700.0, min(700.0, tilt * bound))) for bound in (high, low))
        return up / (up - down)

    def expected_games(self, elo: float) -> float:
        """Wald's approximation of how many games the test takes where the true difference is `elo`, without draws."""
        (low, high), (win, loss), p = self.bounds, self.steps, _inside(win_probability(elo))
        if abs(self._tilt(elo)) < 1e-6:  # no drift: the walk ends by its variance
            return max(1.0, -low * high / (p * win**2 + (1 - p) * loss**2))
        h0 = self.acceptance(elo)
        return max(1.0, (h0 * low + (1 - h0) * high) / (p * win + (1 - p) * loss))

    def _tilt(self, elo: float) -> float:
        """Wald's h: the solution other than 0 of p e^(h·win) + (1 − p) e^(h·loss) = 1; 0 where there is none.

        It is 1 at elo0 and −1 at elo1. The left side is convex, so h lies beyond the minimum, seen from 0.
        """
        (win, loss), p = self.steps, _inside(win_probability(elo))
        near = math.log(-(1 - p) * loss / (p * win)) / (win - loss)
        if abs(near) < 1e-7:
            return 0.0

        def excess(h: float) -> float:
            return p * math.exp(h * win) + (1 - p) * math.exp(h * loss) - 1

        far = 2 * near
        while excess(far) < 0:
            far *= 2
        for _ in range(80):
            middle = (near + far) / 2
            near, far = (middle, far) if excess(middle) < 0 else (near, middle)
        return far


def win_probability(elo: float) -> float:
    """The expected score of a player `elo` above its opponent: 1 / (1 + 10^(−elo/400))."""
    return (1 + math.tanh(elo * math.log(10) / 800)) / 2


def _inside(probability: float) -> float:
    """Away from 0 and 1, where logarithms end."""
    return min(1 - 1e-12, max(1e-12, probability))
