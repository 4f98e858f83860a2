"""The smoothed estimate: against plain integration, and on landscapes whose optimum is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from montego.learn.findings import importance, recommend
from montego.learn.space import Choice, Range, Space
from montego.learn.surrogate import CONSTANT, Surrogate, sigmoid

SPACE = Space((Range("x", 0, 1), Range("y", 0.01, 1, log=True), Choice("c", ("a", "b"))))


def landscape(rows: Any) -> Any:
    """Logits with an optimum at x = 0.7, y in the middle of its logarithms, c = a."""
    return 0.7 - 8 * (rows[:, 0] - 0.7) ** 2 - 3 * (rows[:, 1] - 0.5) ** 2 - 0.4 * (rows[:, 3] > 0)


def played(count: int, seed: int) -> tuple[Any, ...]:
    chance = np.random.default_rng(seed)
    settings = [SPACE.setting(place) for place in chance.random((count, 3))]
    rows, games = SPACE.encoded(settings), chance.choice([8, 16, 40], count)
    return settings, rows, chance.binomial(games, sigmoid(landscape(rows))), games


def test_the_slope_of_the_evidence_is_its_slope() -> None:
    _, rows, points, games = played(30, 1)
    estimate, logs = Surrogate(rows, SPACE.owners, points, games), np.array([-0.5, -1.0, -0.3, 0.2])
    slope = estimate.evidence(logs)[1]
    for k, step in enumerate(1e-5 * np.eye(4)):
        change = (estimate.evidence(logs + step)[0] - estimate.evidence(logs - step)[0]) / 2e-5
        assert slope[k] == pytest.approx(change, rel=1e-4, abs=1e-6)


def test_one_setting_against_plain_integration() -> None:
    """The posterior of a single rate, by a sum over logits; Laplace's approximation is near with many games."""
    estimate = Surrogate(np.zeros((1, 1)), [0], np.array([70.0]), np.array([100.0]))
    grid = np.linspace(-8, 8, 20001)
    density = sigmoid(grid) ** 70 * sigmoid(-grid) ** 30 * np.exp(-(grid**2) / 2 / (CONSTANT + estimate.amplitude**2))
    density /= density.sum()
    mean = float(density @ sigmoid(grid))
    error = float(np.sqrt(density @ sigmoid(grid) ** 2 - mean**2))
    rate, spread = estimate.rates(np.zeros((1, 1)))
    assert rate[0] == pytest.approx(mean, abs=0.005) and spread[0] == pytest.approx(error, rel=0.03)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_optimum_of_a_landscape_is_found(seed: int) -> None:
    settings, rows, points, games = played(80, seed)
    estimate = Surrogate(rows, SPACE.owners, points, games)
    best = recommend(SPACE, estimate, settings, seed)
    row = SPACE.encoded([best])
    truth, optimum = sigmoid(landscape(row))[0], sigmoid(np.array([0.7]))[0]
    assert truth > optimum - 0.03, f"{best}: {truth:.3f} of {optimum:.3f}"
    rate, error = estimate.rates(row)
    assert abs(rate[0] - truth) < 3.5 * error[0] and error[0] < 0.08
    luckiest = np.argmax(points / games)
    assert points[luckiest] / games[luckiest] > optimum + 0.05, "the luckiest rate is beyond any true one"
    matters = importance(SPACE, estimate, seed)
    assert max(matters, key=lambda name: matters[name]) == "x"


def test_errors_are_what_they_say() -> None:
    """Over landscapes drawn at random, estimates miss by their standard errors."""
    misses = []
    for seed in range(6):
        _, rows, points, games = played(60, 100 + seed)
        estimate = Surrogate(rows, SPACE.owners, points, games)
        others = SPACE.encoded([SPACE.setting(place) for place in np.random.default_rng(seed).random((200, 3))])
        mean, error = estimate.logits(others)
        misses.append((mean - landscape(others)) / error)
    assert 0.6 < np.sqrt(np.mean(np.square(misses))) < 1.5


def test_nothing_but_wins_has_an_estimate() -> None:
    estimate = Surrogate(np.array([[0.0], [1.0]]), [0], np.array([8.0, 8.0]), np.array([8.0, 8.0]))
    rate, error = estimate.rates(np.array([[0.0], [0.5], [1.0]]))
    assert ((rate > 0.75) & (rate < 1) & (error > 0)).all()


def test_no_difference_between_a_setting_and_itself() -> None:
    _, rows, points, games = played(20, 5)
    estimate = Surrogate(rows, SPACE.owners, points, games)
    assert estimate.difference(rows[[3, 3]]) == pytest.approx((0, 0), abs=1e-6)
    ahead, error = estimate.difference(rows[[0, 1]])
    means, _ = estimate.logits(rows[:2])
    assert ahead == pytest.approx(means[0] - means[1]) and error > 0
