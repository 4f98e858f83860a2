"""The sequential test: its bounds by hand, its errors and its length by simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from montego.arena.sequential import Sprt, win_probability
from montego.arena.settings import MatchError


def played(test: Sprt, rng: np.random.Generator, elo: float, draws: float = 0.0) -> tuple[str, int]:
    """One match, until the test ends it: what it accepted, after how many games."""
    counts = [0, 0, 0]
    win = win_probability(elo) - draws / 2
    while True:
        for luck in rng.random(100):
            counts[0 if luck < win else 2 if luck < win + draws else 1] += 1
            verdict = test.verdict(*counts)
            if verdict:
                return verdict, sum(counts)


def test_walds_bounds() -> None:
    assert Sprt().bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_the_ratio_by_hand() -> None:
    test = Sprt(0, 400)  # p0 = 1/2, p1 = 10/11: a win is worth ln 20/11, a loss ln 2/11
    assert test.steps == pytest.approx((math.log(20 / 11), math.log(2 / 11)))
    assert test.log_likelihood_ratio(7, 2) == pytest.approx(7 * math.log(20 / 11) + 2 * math.log(2 / 11))
    assert test.log_likelihood_ratio(0, 0, 2) == pytest.approx(test.log_likelihood_ratio(1, 1))
    assert test.log_likelihood_ratio(0, 0) == 0


def test_the_verdict_comes_with_the_game_that_reaches_a_bound() -> None:
    test = Sprt(0, 400)  # ln 19 = 2.944; a win adds 0.598, a loss takes 1.705
    assert [test.verdict(wins, 0) for wins in (0, 4, 5)] == [None, None, "H1"]
    assert [test.verdict(0, losses) for losses in (1, 2)] == [None, "H0"]
    assert test.verdict(5, 1) is None and test.verdict(8, 1) == "H1" and test.verdict(0, 0, 6) == "H0"


@pytest.mark.parametrize(("elo", "truth"), [(-20.0, "H0"), (80.0, "H1")])
def test_errors_and_length(elo: float, truth: str) -> None:
    test, rng = Sprt(-20, 80, alpha=0.1, beta=0.1), np.random.default_rng(1)
    matches = [played(test, rng, elo) for _ in range(1000)]
    wrong = np.mean([verdict != truth for verdict, _ in matches])
    assert 0.05 < wrong < 0.115
    # Wald leaves out by how much the last game oversteps: here two thirds of a step of 29 to the bound.
    assert 0.97 < np.mean([games for _, games in matches]) / test.expected_games(elo) < 1.2


def test_with_draws_errors_are_rarer() -> None:
    test, rng = Sprt(0, 100, alpha=0.1, beta=0.1), np.random.default_rng(2)
    wrong = [np.mean([played(test, rng, 0, draws)[0] == "H1" for _ in range(600)]) for draws in (0.0, 0.6)]
    assert wrong[1] < 0.5 * wrong[0]


def test_between_the_hypotheses() -> None:
    test, rng = Sprt(0, 100, alpha=0.1, beta=0.1), np.random.default_rng(3)
    matches = [played(test, rng, 35) for _ in range(600)]
    assert np.mean([verdict == "H0" for verdict, _ in matches]) == pytest.approx(test.acceptance(35), abs=0.06)
    assert 0.95 < np.mean([games for _, games in matches]) / test.expected_games(35) < 1.25


def test_acceptance_at_the_hypotheses() -> None:
    test = Sprt(10, 60, alpha=0.02, beta=0.1)
    assert test.acceptance(10) == pytest.approx(0.98) and test.acceptance(60) == pytest.approx(0.1)


def test_the_longest_matches_are_between_the_hypotheses() -> None:
    test = Sprt(0, 50)
    lengths = [test.expected_games(elo) for elo in range(-2000, 2001)]
    longest = int(np.argmax(lengths))
    assert 2023 <= longest <= 2027 and np.all(np.diff(lengths[: longest + 1]) > 0)
    assert np.all(np.diff(lengths[longest:]) < 0), "smooth through the point without drift"
    win, loss = test.steps
    assert max(lengths) == pytest.approx(math.log(19) ** 2 / (win * -loss), rel=1e-3)
    assert lengths[-1] == pytest.approx(math.log(19) / win, rel=0.01), "all won"


@pytest.mark.parametrize("elo", [-1e6, 1e6])
@pytest.mark.parametrize("test", [Sprt(), Sprt(0, 0.1, 0.001, 0.001), Sprt(-2000, 2000), Sprt(1990, 2000)])
def test_the_extremes(test: Sprt, elo: float) -> None:
    assert 1 <= test.expected_games(elo) < math.inf
    assert test.acceptance(elo) == pytest.approx(1.0 if elo < 0 else 0.0, abs=1e-3)


@pytest.mark.parametrize(
    "settings",
    [
        {"elo0": 50},
        {"elo0": 60},
        {"elo0": math.nan},
        {"elo1": math.inf},
        {"elo1": 2001},
        {"alpha": 0},
        {"alpha": 0.5},
        {"beta": -0.1},
        {"beta": math.nan},
    ],
)
def test_settings_that_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(MatchError, match="accepted"):
        Sprt(**settings)


@pytest.mark.parametrize("counts", [(-1, 0, 0), (0, 1.5, 0), (0, 0, True)])
def test_counts_that_are_refused(counts: Any) -> None:
    with pytest.raises(MatchError, match="accepted: a whole number from 0"):
        Sprt().verdict(*counts)
