"""Levels: every one of them plays, each is a spec like any other, and they are in order."""

from __future__ import annotations

from itertools import pairwise

import pytest

import montego
from montego import Game
from montego.go.errors import ConfigError
from montego.players.budget import Budget
from montego.players.levels import LEVELS, find_level
from montego.players.presets import PRESETS
from montego.players.spec import expanded, limits_of

QUICK = [name for name in LEVELS if int(limits_of(expanded(name)[1])["simulations"]) <= 200]


def strength(name: str) -> int:
    """A rank as a number that grows with it."""
    return -int(name[:-1]) if name.endswith("k") else int(name[:-1])


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_makes_a_move(name):
    """Within the simulations that are its own."""
    player = montego.player(name, seed=1)
    game = Game(5)
    choice = player.choose(game)
    assert game.is_legal(choice.vertex) and choice.simulations == player.simulations
    assert player.describe()["name"] == name


@pytest.mark.parametrize("name", QUICK)
def test_weak_levels_play_whole_games(name):
    """Friendly, as people meet them."""
    game, player = Game(5, komi=2.5), montego.player(name, seed=1, friendly=True)
    while not game.is_over:
        game.play(player.choose(game))
        assert len(game.moves) < 150


@pytest.mark.parametrize("rules", ["japanese", "cgos"])
def test_the_weakest_ends_its_games_under_any_rules(rules):
    game, player = Game(5, komi=2.5, rules=rules), montego.player(next(iter(LEVELS)), seed=2, friendly=True)
    while not game.is_over:
        game.play(player.choose(game))
        assert len(game.moves) < 200


def test_they_are_in_order():
    names = list(LEVELS)
    assert names == sorted(names, key=strength) and len(names) >= 10
    assert all(level.name == name for name, level in LEVELS.items())
    assert not set(names) & set(PRESETS)
    costs = [montego.player(name).simulations for name in names]
    assert min(costs) >= 1 and costs[-1] == max(costs)
    assert len({LEVELS[name].spec for name in names}) == len(names)


def test_softer_is_weaker():
    """Where two levels differ in softness alone, the softer one comes first."""
    players = [montego.player(name) for name in LEVELS]
    for weak, strong in pairwise(players):
        if weak.simulations == strong.simulations and weak.config == strong.config:
            assert weak.conduct.softness > strong.conduct.softness


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_has_its_own_limit_whatever_the_match_says(name):
    own = montego.player(name)
    assert own.seconds is None
    for limit in ({"simulations": 7}, {"seconds": 9.0}, {"simulations": 7, "seconds": 9.0}):
        player = montego.player(name, **limit)
        assert (player.simulations, player.seconds) == (own.simulations, None)


def test_the_eighth_kyu():
    """The one that is named in the documents."""
    player = montego.player("8k", simulations=1, seconds=0.001)
    assert player.simulations == montego.player("8k").simulations > 1
    assert montego.player("8k:simulations=5").simulations == 5
    assert montego.player("8k:seconds=0.5").budget.simulations is not None
    changed = montego.player("8k:bias=0.02,softness=0.1")
    assert changed.simulations == player.simulations
    assert changed.config.bias == 0.02 and changed.conduct.softness == 0.1


def test_a_budget_given_for_one_move_counts():
    assert montego.player("26k", seed=1).choose(Game(5), Budget(3)).simulations == 3


@pytest.mark.parametrize("name", ["9d", "", "8K ", "k", "house"])
def test_there_is_no_such_level(name):
    with pytest.raises(ConfigError, match=r"there is no level .*accepted: 30k"):
        find_level(name)
    assert find_level("8k") is LEVELS["8k"]
