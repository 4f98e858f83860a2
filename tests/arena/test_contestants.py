"""Contestants that are default policies."""

from __future__ import annotations

import pytest

from montego import Game, MontegoError
from montego.arena.contestants import make
from montego.arena.match import play_one
from montego.arena.settings import Match


def test_a_default_policy_plays_whole_games() -> None:
    match = Match("policy:mogo", "policy:uniform", simulations=1, size=7, games=2)
    games = [play_one(match, make, number) for number in (0, 0, 1)]
    assert games[0].moves == games[1].moves != games[2].moves
    assert all(game.reason == "score" and len(game.moves) > 20 for game in games), games


def test_its_fields_are_its_configuration() -> None:
    told = make("policy:rlgo-sigma:randomness=0.15").describe()
    assert told["config"]["policy"] == "rlgo-sigma" and told["config"]["randomness"] == 0.15
    assert len(told["weights"]) == 12 and "weights" not in make("policy:mogo").describe()


def test_the_seed_makes_the_moves() -> None:
    moves = [make("policy:uniform", seed=seed).choose(Game(9)).vertex for seed in (1, 1, 2)]
    assert moves[0] == moves[1] != moves[2]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("policy:", "there is no policy ''"),
        ("policy:best", "there is no policy 'best'; accepted: uniform, mogo"),
        ("policy:mogo:policy=uniform", "has no field 'policy'; accepted: max_length"),
        ("policy:rlgo-sigma:randomness=much", "randomness is 'much'; accepted: a number"),
        ("policy:rlgo-epsilon:randomness=2", "randomness is 2.0; accepted: a number from 0 to 1"),
    ],
)
def test_what_is_no_policy_is_refused(spec: str, message: str) -> None:
    with pytest.raises(MontegoError, match=message):
        make(spec)
