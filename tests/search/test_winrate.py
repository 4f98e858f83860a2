"""How likely a win is, by the mean outcome: told, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego import Game, player
from montego.go.errors import ConfigError
from montego.search.config import SearchConfig
from montego.search.winrate import sharpened

# A share of simulations: unlike those of any float, what it lacks to one is a float too.
MEANS = st.integers(0, 2**30).map(lambda wins: wins / 2**30)
FACTORS = st.floats(0.1, 20.0)


def test_log_odds_are_multiplied():
    odds = 1.5**3
    assert sharpened(np.array([0.6, 0.5, 0.4]), 3.0) == pytest.approx([odds / (1 + odds), 0.5, 1 / (1 + odds)])


@given(MEANS, FACTORS)
def test_it_is_a_probability_and_fair_to_both(mean: float, factor: float):
    told = sharpened(mean, factor)
    assert 0.0 <= told <= 1.0 and sharpened(1.0 - mean, factor) == pytest.approx(1.0 - told, abs=1e-9)
    assert sharpened(mean, 1.0) == mean


@given(MEANS, MEANS, FACTORS)
def test_a_better_mean_is_never_told_as_worse(a: float, b: float, factor: float):
    assert (a <= b) == (sharpened(a, factor) <= sharpened(b, factor)) or sharpened(a, factor) == sharpened(b, factor)


def test_it_changes_what_is_told_and_nothing_else():
    game = Game(5)
    for vertex in ("C3", "C2", "D2"):
        game.play(vertex)
    plain, surer = (player("mogo-2007", simulations=300, seed=1, sharpness=k).analyse(game) for k in (1.0, 4.0))
    assert plain.winrate == plain.value == surer.value != 0.5
    assert surer.winrate == sharpened(plain.value, 4.0)
    for a, b in zip(plain.moves, surer.moves, strict=True):
        assert (a.vertex, a.visits, a.value, a.mixed) == (b.vertex, b.visits, b.value, b.mixed)
        assert a.winrate == (plain.value if a.value is None else a.value)
        assert b.winrate == sharpened(a.winrate, 4.0)
    choices = [player("mogo-2007", simulations=300, seed=1, sharpness=k).choose(game) for k in (1.0, 4.0)]
    assert choices[0].vertex == choices[1].vertex and choices[1].value == sharpened(choices[0].value, 4.0)


def test_resignation_goes_by_the_mean_outcome():
    """Nobody gives up sooner because he is told more clearly how he stands."""
    game = Game(5)
    for vertex in ("C3", "pass", "B3", "pass", "D3", "pass", "C4", "pass"):
        game.play(vertex)
    game.play("C2")

    def last(sharpness: float, below: float) -> str:
        asked = player("mogo-2007", simulations=200, seed=1, sharpness=sharpness, resign_below=below)
        rest = game.copy()
        for _ in range(3):
            vertex = asked.choose(rest).vertex
            if vertex == "resign":
                return vertex
            rest.play(vertex)
            rest.play(player("mogo-2007", simulations=50, seed=2).choose(rest).vertex)
        return vertex

    for below in (0.02, 0.5):
        assert last(1.0, below) == last(8.0, below)
    assert last(8.0, 0.5) == "resign"


@pytest.mark.parametrize("factor", [0.0, -1.0, 21.0, "much"])
def test_what_is_no_factor_is_refused(factor: object):
    with pytest.raises(ConfigError, match="sharpness"):
        SearchConfig(sharpness=factor)  # type: ignore[arg-type]
