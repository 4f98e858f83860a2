"""5×5 is Black's by 25 points from the centre: the engine finds that out."""

from __future__ import annotations

import pytest

import montego


@pytest.mark.parametrize("seed", range(5))
def test_5x5_opens_in_the_centre_and_claims_the_win(seed: int) -> None:
    choice = montego.player("house", simulations=20_000, seed=seed).choose(montego.Game(5, komi=10.5))
    assert choice.vertex == "C3"
    assert choice.value > 0.5
    assert choice.simulations == 20_000 and choice.visits > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_5x5_is_won_by_much_more(seed: int) -> None:
    choice = montego.player("house", simulations=200_000, seed=seed).choose(montego.Game(5, komi=20.5))
    assert choice.vertex == "C3" and choice.value > 0.5
