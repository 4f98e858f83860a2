"""Intervals and Elo, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from montego.arena.statistics import Mean, Tally, elo, superiority, wilson


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [
        # z² = 3.841459: (p + z²/2n ∓ z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)
        (8, 10, 0.490162, 0.943318),
        (50, 100, 0.403832, 0.596168),
        (1, 2, 0.094531, 0.905469),
        (0, 10, 0.0, 0.277533),  # z² / (n + z²) = 3.841459 / 13.841459
        (10, 10, 0.722467, 1.0),
        (0.5, 1, 0.054620, 0.945380),  # a single draw
    ],
)
def test_wilson(points: float, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))


def test_no_games_tell_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert Tally().rate is None and Tally().interval == (0.0, 1.0)


def test_the_ends_are_exact() -> None:
    for games in range(1, 2000):
        assert wilson(0, games)[0] == 0.0 and wilson(games, games)[1] == 1.0


def test_elo() -> None:
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.25) == pytest.approx(-190.848, abs=1e-3)
    assert elo(0.75) == pytest.approx(190.848, abs=1e-3)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)


def test_tally() -> None:
    tally = Tally()
    for winner in ("a", "a", "b", None):
        tally.add(winner, "a")
    assert (tally.wins, tally.losses, tally.draws, tally.games) == (2, 1, 1, 4)
    assert tally.rate == 0.625


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (1, 0), (7, 3), (30, 31), (0, 12), (400, 380)])
def test_the_likelihood_of_superiority_is_the_share_above_one_half(wins: int, losses: int) -> None:
    from scipy.stats import beta

    assert superiority(wins, losses) == pytest.approx(beta.sf(0.5, wins + 1, losses + 1), abs=1e-9)
    assert superiority(wins, losses) + superiority(losses, wins) == pytest.approx(1)


def test_the_likelihood_of_superiority_of_many_games() -> None:
    assert superiority(600, 400) > superiority(520, 480) == pytest.approx(0.897, abs=0.002)


def test_the_mean_and_its_standard_error() -> None:
    mean = Mean.of([1.0, 2.0, 3.0, 6.0])
    assert mean is not None and (mean.count, mean.value) == (4, 3.0)
    assert mean.error == pytest.approx(math.sqrt(14 / 3) / 2)
    low, high = mean.interval
    assert (low + high) / 2 == pytest.approx(3) and high - low == pytest.approx(2 * 1.96 * mean.error, rel=1e-3)
    assert Mean.of([5.0]) is None and Mean.of([]) is None
