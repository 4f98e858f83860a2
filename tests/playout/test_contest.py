"""Games between pseudo-random players, without search."""

from __future__ import annotations

import numpy as np
import pytest

from montego.patterns.indigo import manual_urgencies
from montego.patterns.urgency import PATTERNS, Urgencies, zero_urgencies
from montego.playout.contest import contest


def test_an_expert_beats_chance_by_far() -> None:
    found = contest(manual_urgencies(), zero_urgencies(), 9, 200, seed=3)
    assert found.games == 200 and found.score > 30 and found.wins > 0.9
    other = contest(zero_urgencies(), manual_urgencies(), 9, 200, seed=3)
    assert other.score < -30 and other.wins < 0.1


def test_equals_are_equal_and_the_error_says_how_sure_that_is() -> None:
    found = contest(zero_urgencies(), zero_urgencies(), 9, 2000)
    assert abs(found.score) < 4 * found.error and abs(found.wins - 0.5) < 0.05
    assert found.error == pytest.approx(39 / np.sqrt(2000), rel=0.1), "random games differ by some 39 points"


def test_the_seed_brings_the_same_games_back() -> None:
    a, b = manual_urgencies(), Urgencies(np.random.default_rng(1).uniform(0.1, 9.0, PATTERNS), 2.0)
    assert contest(a, b, 5, 21, seed=4) == contest(a, b, 5, 21, seed=4) != contest(a, b, 5, 21, seed=5)
    assert contest(a, b, 5, 1).games == 1
