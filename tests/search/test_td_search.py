"""TD search: its update against plain NumPy, what it learns and forgets, and what the root tells of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import montego
from learned_weights import weights_file
from montego.go.errors import ConfigError
from montego.go.game import Game
from montego.players.presets import PRESETS
from montego.search.config import SearchConfig
from montego.search.learner import Learner
from montego.search.records import CHILD, SIMULATIONS, VISITS, WON
from montego.search.report import final_values, make_report
from montego.search.search import Search
from montego.search.table import HeuristicTable

PRESET = PRESETS["rlgo-2.4"].config

WON_BY_BLACK = """
    . X X . O
    X X . X O
    X . X X O
    X X X O O
    . X X O .
"""


def configured(**fields: Any) -> SearchConfig:
    return SearchConfig(**{**vars(PRESET), "memory": 1, "weights": "none", **fields})


def searched(game: Game, simulations: int, seed: int = 1, **fields: Any) -> Search:
    search = Search(game.size, configured(**fields), seed)
    search.set_position(game)
    search.parameters.owning = 1
    assert search.run(simulations) == simulations
    return search


def learner_of(search: Search) -> Learner:
    assert search.learner is not None
    return search.learner


def weights_of(search: Search) -> Any:
    return learner_of(search).memories.weights


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


# --- learning ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("plies", "decay", "alpha"), [(2, 0.0, 0.1), (1, 0.0, 0.3), (2, 0.4, 0.1), (1, 1.0, 0.1)])
def test_a_simulation_is_learned_as_in_plain_numpy(plies: int, decay: float, alpha: float) -> None:
    """Its states, from the features it remembers; its outcome, from the root."""
    search = searched(Game(5, komi=0.5), 1, weights=weights_file(5), plies=plies, decay=decay, alpha=alpha)
    memories, states = learner_of(search).memories, learner_of(search)._states
    states = states[states.any(axis=1)].astype(np.int64)
    z = float(search.tree.states[search.pool.root, WON])
    theta = memories.permanent.astype(np.float64)
    values = [sigmoid(theta[row].sum()) for row in states]

    def target(t: int) -> float:
        if t + plies >= len(states):
            return z
        return float((1 - decay) * values[t + plies] + decay * target(t + plies))

    for t, row in enumerate(states):
        theta[row] += alpha / len(row) * (target(t) - sigmoid(theta[row].sum()))
    assert len(states) > 10 and memories.transient.any()
    assert np.abs(memories.weights - theta).max() < 1e-6


@pytest.mark.parametrize("winner", ["black", "white"])
def test_a_won_position_is_learned_to_be_one(winner: str) -> None:
    stones = WON_BY_BLACK if winner == "black" else WON_BY_BLACK.translate(str.maketrans("XO", "OX"))
    komi = 0.5 if winner == "black" else -0.5
    for to_play in ("black", "white"):
        search = searched(Game.from_diagram(stones, to_play=to_play, komi=komi), 300)
        value, visits = search.value_of(search.best())
        learned = final_values(search.tree, search.pool.root, int(search.parameters.colour), search.parameters)
        wins = winner == to_play
        assert visits > 0 and (value > 0.9 if wins else value < 0.1)
        assert learned[search.best()] > 0.8 if wins else learned[search.best()] < 0.2


def test_the_choice_is_greedy_in_what_was_learned() -> None:
    """V of every afterstate, from the weights as they are: the features of a position played out by `Game`."""
    game = Game(5, komi=2.5)
    for vertex in ("C3", "C2", "D2", "D3"):
        game.play(vertex)
    search = searched(game, 400, weights=weights_file(5))
    memories, layout = learner_of(search).memories, learner_of(search).memories.layout
    found = {}
    for vertex in game.legal_moves():
        after = game.copy()
        after.play(vertex)
        raw = layout.origin.astype(np.int64)
        for p in np.flatnonzero(np.isin(after.board[0].colour, (1, 2))):
            entries = slice(layout.first[p], layout.first[p + 1])
            raw[layout.window[entries]] += int(after.board[0].colour[p]) * layout.power[entries].astype(np.int64)
        found[vertex] = float(sigmoid(memories.weights[raw].astype(float).sum()))
    values = final_values(search.tree, search.pool.root, 1, search.parameters)
    for vertex, value in found.items():
        assert values[search.names.parse(vertex)] == pytest.approx(value, abs=1e-6)
    assert found[search.names.vertex(search.best())] == pytest.approx(max(found.values()), abs=1e-6)
    assert values[0] == 0, "a pass is the last resort"


def test_it_learns_what_the_first_moves_come_to() -> None:
    """Whoever plays C2 wins the middle; nothing is known of it before."""
    game = Game.from_diagram(". X O X .\n. X O X .\n. X O X .\n. X . X .\n. . . . .", komi=0.5)
    assert searched(game, 500).names.vertex(searched(game, 500).best()) == "C2"


# --- memory --------------------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_weights_in_any_batches() -> None:
    game = Game(5, komi=2.5)
    whole, again, other = (weights_of(searched(game, 100, seed)) for seed in (1, 1, 2))
    assert np.array_equal(whole, again) and not np.array_equal(whole, other)
    in_parts = searched(game, 30)
    in_parts.run(50)
    in_parts.run(20)
    assert np.array_equal(weights_of(in_parts), whole)


def test_what_is_learned_is_kept_within_a_game() -> None:
    game = Game(5, komi=2.5)
    search = searched(game, 50)
    permanent = learner_of(search).memories.permanent.copy()
    for vertex in ("C3", "C2"):
        learned = weights_of(search).copy()
        game.play(vertex)
        search.set_position(game)
        assert np.array_equal(weights_of(search), learned)
        search.set_position(game)  # asked about twice
        assert np.array_equal(weights_of(search), learned)
        search.run(50)
    assert np.array_equal(learner_of(search).memories.permanent, permanent)


def test_a_new_game_starts_from_the_permanent_memory() -> None:
    played = Game(5, komi=2.5)
    played.play("C3")
    back, other, elsewhere = Game(5, komi=2.5), Game(5, komi=0.5), Game(5, komi=2.5)
    other.play("C3")
    elsewhere.play("B3")
    for new in (back, other, elsewhere):
        search = searched(played, 50)
        assert learner_of(search).memories.transient.any()
        search.set_position(new)
        assert not learner_of(search).memories.transient.any()


def test_a_player_forgets_a_game_that_is_over() -> None:
    player, game = montego.player("rlgo-2.4", simulations=30, seed=5), Game(5)

    def moves() -> list[str]:
        going_on = game.copy()
        for _ in range(4):
            going_on.play(player.choose(going_on))
        return [move.vertex for move in going_on.moves]

    first = moves()
    player.new_game()
    assert moves() == first


def test_permanent_memory_makes_it_dyna_2() -> None:
    game = Game(5, komi=2.5)
    plain, dyna = searched(game, 100), searched(game, 100, weights=weights_file(5))
    assert not learner_of(plain).memories.permanent.any() and learner_of(dyna).memories.permanent.any()
    assert not np.array_equal(learner_of(plain).memories.transient, learner_of(dyna).memories.transient)


def test_without_a_step_nothing_is_learned() -> None:
    assert not learner_of(searched(Game(5), 50, alpha=0.0)).memories.transient.any()


# --- simulations ---------------------------------------------------------------------------------------------------


def test_the_root_tells_of_the_simulations() -> None:
    search = searched(Game(5, komi=2.5), 400)
    root, tree = search.pool.root, search.tree
    assert tree.states[root, SIMULATIONS] == tree.links[root, VISITS].sum() == 400 and search.pool.used == 1
    report = make_report(search, 1.0)
    assert report.simulations == 400 and report.ownership is not None and np.abs(report.ownership).max() > 0.1
    assert report.lead is not None and report.moves[0].mixed == max(move.mixed or 0.0 for move in report.moves)
    assert sum(move.visits for move in report.moves) == 400


def test_epsilon_spreads_the_first_moves() -> None:
    greedy, random = (searched(Game(5), 300, alpha=0.0, weights=weights_file(5), randomness=e) for e in (0.0, 1.0))
    tried = [int((search.tree.links[search.pool.root, VISITS] > 0).sum()) for search in (greedy, random)]
    assert tried[0] <= 8 and tried[1] == 25


def test_only_moves_of_the_root_are_tried() -> None:
    search = Search(5, configured(randomness=1.0), 1)
    search.set_position(Game(5), without=("C3", "A1"))
    search.run(300)
    visits, child = search.tree.links[search.pool.root, VISITS], search.tree.links[search.pool.root, CHILD]
    assert not visits[child < 0].any() and (visits > 0).sum() == 23


def test_where_nothing_is_left_it_passes() -> None:
    game = Game.from_diagram(". X . X .\nX X X X X\n. X . X .\nX X X X X\n. X . X .", komi=0.5)
    search = searched(game, 20)
    assert search.names.vertex(search.best()) == "pass" and search.value_of(0) == (1.0, 20)


# --- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fields", [{"schedule": "rave"}, {"heuristic": "rlgo"}, {"depth": 2}])
def test_what_does_not_go_with_it(fields: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"simulation 'td' .*; accepted with it: schedule heuristic, heuristic alpha"):
        configured(**fields)


def test_it_has_one_thread_and_no_parts_but_a_policy() -> None:
    for parallel in ("tree", "root", "leaf"):
        with pytest.raises(ConfigError, match="threads is 2; accepted: 1 for TD search"):
            Search(5, configured(parallel=parallel), threads=2)
    player = montego.player("rlgo-2.4", simulations=5, heuristic=HeuristicTable(np.full((5, 5), 0.5)))
    with pytest.raises(ConfigError, match="heuristic of one's own in TD search"):
        player.choose(Game(5))
