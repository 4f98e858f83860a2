"""When a setting is given up: games are coins, and a few of them prove little.

A rule that compares rates, such as a median of earlier trials, takes luck for strength: of 8 games between equals, 2 or
fewer are won once in seven times. Here a setting has a posterior. The settings tried so far say how much settings of
this space differ at all (a Beta distribution by the method of moments, an empirical Bayes prior); each setting's games
move it from there. The yardstick is the best posterior mean, not the best rate, which is the luckiest as a rule. A
setting is given up when it is unlikely to reach the yardstick. Where settings hardly differ, none is given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from montego.arena.extras import lab_package
from montego.arena.statistics import Tally

WARM_UP = 4
"""Settings to be known before any is given up."""
STRENGTHS = (2.0, 1000.0)
"""Games that the prior may be worth."""


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


def prior_of(standings: Sequence[Standing]) -> tuple[float, float]:
    """The Beta distribution of the settings' true rates, as wins and losses, by the method of moments."""
    games = sum(s.games for s in standings)
    mean = min(0.99, max(0.01, sum(s.points for s in standings) / games))
    spread = sum(s.games * (s.rate - mean) ** 2 for s in standings) / games
    luck = (len(standings) - 1) * mean * (1 - mean) / games
    between = max(spread - luck, 1e-9)
    strength = min(STRENGTHS[1], max(STRENGTHS[0], mean * (1 - mean) / between - 1))
    return mean * strength, (1 - mean) * strength


def posterior_mean(standing: Standing, prior: tuple[float, float]) -> float:
    return (prior[0] + standing.points) / (sum(prior) + standing.games)


def chance(standing: Standing, others: Sequence[Standing]) -> float:
    """The probability that a setting is as good as the best of others, as far as is known; 1 while little is."""
    if len(others) < WARM_UP:
        return 1.0
    prior = prior_of([*others, standing])
    yardstick = max(posterior_mean(other, prior) for other in others)
    wins, losses = prior[0] + standing.points, prior[1] + standing.games - standing.points
    return 1.0 - float(lab_package("scipy.special").betainc(wins, losses, yardstick))
