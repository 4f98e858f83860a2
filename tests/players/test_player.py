"""The player as researchers use it: choose, analyse, budgets, reuse, the end of the game."""

from __future__ import annotations

import json

import pytest

import montego
from montego.players.presets import PRESETS
from montego.playout.reasons import Reason

LOST_ATARI = """
. . . . .
. X X . .
X O O . .
. X X . .
. . . . .
"""


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_plays_a_whole_game(preset):
    player = montego.player(preset, simulations=60, seed=1)
    game = montego.Game(5)
    while not game.is_over:
        choice = player.choose(game)
        assert 0 <= choice.value <= 1 and choice.simulations <= 60 and choice.seconds > 0
        assert isinstance(choice.reason, Reason)
        game.play(choice)
        assert len(game.moves) <= 150
    assert game.result() != "?"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_plays_the_same_game(preset):
    def moves(seed):
        game, player = montego.Game(5), montego.player(preset, simulations=40, seed=seed)
        while len(game.moves) < 6 and not game.is_over:
            game.play(player.choose(game))
        return [move.vertex for move in game.moves]

    assert moves(7) == moves(7)


def test_the_move_everybody_sees():
    """Two stones in atari that decide the game."""
    game = montego.Game.from_diagram(LOST_ATARI, to_play="black", komi=0.5)
    for preset in ("uct-random", "mogo-2006", "mogo-rave", "mogo-2007", "house"):
        report = montego.player(preset, simulations=3000, seed=1).analyse(game)
        assert report.value > 0.8, preset


def test_a_report_is_complete_and_plain():
    game = montego.Game(5)
    game.play("C3")
    player = montego.player("mogo-2007", seed=1)
    report = player.analyse(game, simulations=500)
    assert report.colour == "white" and report.simulations == 500 and report.nodes > 1 and report.depth > 1
    assert sum(move.visits for move in report.moves) == 500
    assert {move.vertex for move in report.moves} == {*game.legal_moves(), "pass"}
    assert [move.visits for move in report.moves] == sorted((move.visits for move in report.moves), reverse=True)
    best = report.moves[0]
    assert best.line[0] == best.vertex and len(best.line) > 2 and 0 < best.beta < 1
    assert best.mixed == pytest.approx((1 - best.beta) * best.value + best.beta * best.amaf_value)
    assert report.ownership.shape == (5, 5) and abs(report.ownership).max() <= 1
    assert report.ownership[2, 2] > 0  # row 3, column C: Black's stone
    assert report.memory == report.nodes * 43 * 40 + report.nodes * 28
    assert json.loads(json.dumps(report.to_dict()))["moves"][0]["vertex"] == best.vertex


def test_a_line_is_a_legal_sequence():
    game, player = montego.Game(5), montego.player("house", simulations=2000, seed=1)
    for vertex in player.analyse(game).moves[0].line:
        game.play(vertex)


def test_reports_stream_while_the_search_runs():
    seen = []
    montego.player("mogo-2007").analyse(montego.Game(5), seconds=0.5, every=0.1, watch=seen.append)
    assert 2 <= len(seen) <= 6
    counts = [report.simulations for report in seen]
    assert counts == sorted(set(counts))


def test_seconds_are_kept():
    """The best of several: another program may take the processor away for a while."""
    player, game = montego.player("house", seconds=0.2), montego.Game(5)
    choices = [player.choose(game) for _ in range(6)]
    assert all(choice.seconds >= 0.2 and choice.simulations > 0 for choice in choices)
    assert min(choice.seconds for choice in choices) < 0.3


def test_the_tree_is_kept_between_moves_and_forgotten_on_request():
    game, player = montego.Game(5), montego.player("house", simulations=1000, seed=1)
    first = player.choose(game)
    game.play(first)
    game.play(player.tree[first.vertex].child.moves[0].vertex)
    player.choose(game)
    assert player.tree.simulations > 1000
    player.new_game()
    player.choose(game)
    assert player.tree.simulations == 1000
    game.undo()
    player.choose(game)  # a position that does not follow
    assert player.tree.simulations == 1000


def test_a_pass_that_wins_is_played():
    """White has passed; as the board stands Black wins, so nothing is left to be gained."""
    game = montego.Game(5, komi=0.5)
    game.play("C3")
    game.play("pass")
    for preset in ("house", "mogo-2007", "uct-random"):
        assert montego.player(preset, simulations=50, seed=1).choose(game).vertex == "pass"
    game.komi = 30
    assert montego.player("house", simulations=50, seed=1).choose(game).vertex != "pass"


def test_a_game_that_is_over_is_refused():
    game = montego.Game(5)
    game.play("pass")
    game.play("pass")
    for ask in (montego.player("house").choose, montego.player("house").analyse):
        with pytest.raises(montego.MontegoError, match="the game is over; accepted: a game that goes on"):
            ask(game)


def test_superko_is_kept_at_the_root():
    """Every choice is a legal move under positional superko, game after game."""
    for seed in range(3):
        game, player = montego.Game(3, komi=0.5, rules="cgos"), montego.player("house", simulations=30, seed=seed)
        while not game.is_over and len(game.moves) < 80:
            game.play(player.choose(game))  # raises for an illegal one


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"preset": "mogo-2001"}, "there is no preset 'mogo-2001'; accepted: mc-flat, "),
        ({"simulations": 0}, "simulations is 0; accepted: a whole number from 1"),
        ({"simulations": 2.5}, "simulations is 2.5; accepted"),
        ({"seconds": 0}, "seconds is 0; accepted: a number above 0"),
        ({"seconds": float("nan")}, "seconds is nan; accepted"),
        ({"threads": 0}, "threads is 0; accepted: a whole number from 1 to 256"),
        ({"seed": "one"}, "seed is 'one'; accepted: a whole number"),
        ({"colour": "red"}, "house has no field 'colour'; accepted: policy, "),
        ({"preset": "house:bias"}, "'bias' is no setting; accepted: PRESET:field=value"),
        ({"preset": "house:bias=big"}, "bias is 'big'; accepted: a number"),
        ({"preset": "house:expand_after=1.5"}, "expand_after is '1.5'; accepted: a whole number"),
        ({"preset": "house:reuse=perhaps"}, "reuse is 'perhaps'; accepted: true or false"),
    ],
)
def test_what_makes_no_player_is_refused(settings, message):
    with pytest.raises(montego.MontegoError, match=message):
        montego.player(**settings)


def test_a_spec_changes_fields():
    player = montego.player("house:bias=0.02,expand_after=2,reuse=false,policy=uniform", memory=64)
    config = player.config
    assert (config.bias, config.expand_after, config.reuse, config.policy, config.memory) == (
        0.02,
        2,
        False,
        "uniform",
        64,
    )
    described = json.loads(json.dumps(player.describe()))
    assert described["config"]["bias"] == 0.02 and described["name"].startswith("house:")
