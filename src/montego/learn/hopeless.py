"""When a trial is stopped: games are coins, and a few of them prove little.

A rule that compares rates, such as Optuna's with the median or the best of earlier trials, takes luck for strength: of
8 games between equals 2 or fewer are won once in seven times, and among many trials the best rate is the luckiest. Both
sides of the comparison are smoothed here. The games of all trials make one estimate over the whole space
(surrogate.py), in which neighbours speak for each other; the yardstick is the setting that is best in it. A trial is
stopped when its setting, its own games included, is unlikely to come close to the yardstick. Its games stay in the
estimate for what they are worth, so that stopping early biases nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

import numpy as np

from montego.arena.statistics import Tally
from montego.learn.space import Setting, Space
from montego.learn.surrogate import TO_ELO, Surrogate

CLOSE = 20.0
"""Elo: settings so near to each other are not worth telling apart, and a smooth estimate is no surer than that."""
WARM_UP = 4
"""Settings to be known before a trial is stopped."""


@dataclass(frozen=True)
class Standing:
    """What the games of a setting say: the mean rate over its opponents, and how many games that is worth."""

    rate: float
    games: float

    @classmethod
    def of(cls, tallies: Sequence[Tally]) -> Standing | None:
        """From the games against each opponent; None where there is one without games.

        The variance of a mean of rates is Σ p(1 − p)/nᵢ / k²: as much as of k² / Σ 1/nᵢ games of one rate.
        """
        rates = [tally.rate for tally in tallies if tally.rate is not None]
        if len(rates) < len(tallies) or not rates:
            return None
        return cls(fmean(rates), len(tallies) ** 2 / sum(1 / tally.games for tally in tallies))

    @property
    def points(self) -> float:
        return self.rate * self.games


Known = Sequence[tuple[Setting, Standing]]


def smoothed(space: Space, known: Known, like: Surrogate | None = None, starts: int = 2) -> Surrogate:
    """The estimate from what is known of some settings; `like`: with the amplitude and lengths of another one."""
    rows = space.encoded([setting for setting, _ in known])
    points = np.array([standing.points for _, standing in known])
    games = np.array([standing.games for _, standing in known])
    return Surrogate(rows, space.owners, points, games, None if like is None else like.logs, starts)


class Yardstick:
    """The best setting so far, and how others compare with it."""

    def __init__(self, space: Space, known: Known) -> None:
        self.space, self.known = space, list(known)
        self._estimate = smoothed(space, known, starts=1)
        self._best = int(np.argmax(self._estimate.logits(self._estimate.rows)[0]))

    @property
    def rate(self) -> float:
        """The estimated rate of the best setting."""
        return float(self._estimate.rates(self._estimate.rows[self._best : self._best + 1])[0][0])

    def chance(self, setting: Setting, standing: Standing) -> float:
        """The probability that a setting with these games comes close to the best; 1 while little is known."""
        if len(self.known) < WARM_UP:
            return 1.0
        estimate = smoothed(self.space, [*self.known, (setting, standing)], self._estimate)
        mean, error = estimate.difference(estimate.rows[[len(self.known), self._best]])
        return 1 - NormalDist(mean, max(error, 1e-9)).cdf(-CLOSE / TO_ELO)
