"""Greedy play and alpha-beta with the learned value: equal to plain minimax over games, whatever is simulated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import montego
from learned_weights import random_value, weights_file
from montego.go.facts import eye
from montego.go.game import Game
from montego.players.presets import PRESETS
from montego.playout import PlayoutConfig, trace
from montego.search.config import SearchConfig
from montego.search.records import AMAF_N, CHILD
from montego.search.search import Search
from montego.shape import ShapeValue
from montego.shape.memory import fitted
from montego.shape.shipped import shipped_weights


def sensible(game: Game) -> list[str]:
    return [vertex for vertex in game.legal_moves() if eye(game, vertex, game.to_play) != "true"]


def after(game: Game, vertex: str) -> Game:
    made = game.copy()
    made.play(vertex)
    return made


def minimax(game: Game, value: ShapeValue, left: int) -> float:
    """Black's value of a position after best play of so many plies, every line looked at."""
    if left == 0 or game.is_over:
        return value.value(game)
    replies = [minimax(after(game, vertex), value, left - 1) for vertex in sensible(game) or ["pass"]]
    return max(replies) if game.to_play == 1 else min(replies)


def position(size: int, seed: int, moves: int) -> Game:
    """A moment of a random game under simple ko."""
    game = Game(size, rules="japanese")
    for move in trace(game, PlayoutConfig("uniform"), seed=seed).moves[:moves]:
        game.play(move.vertex)
    return game


def priors(game: Game, depth: int, **fields: Any) -> dict[str, float]:
    """H of every move of the root, for the side to move."""
    player = montego.player("rlgo-1.0", simulations=1, depth=depth, memory=4, weights=weights_file(game.size), **fields)
    return {move.vertex: float(move.prior or 0.0) for move in player.analyse(game).moves}


def check(game: Game, depth: int) -> None:
    value, found = fitted(random_value(game.size), game.size), priors(game, depth)
    for vertex in sensible(game) or ["pass"]:
        expected = minimax(after(game, vertex), value, depth - 1)
        expected = expected if game.to_play == 1 else 1 - expected
        assert found[vertex] == pytest.approx(expected, abs=1e-6), f"{vertex}\n{game}"
    if sensible(game):
        assert found["pass"] == 0.0


@pytest.mark.parametrize(
    ("size", "depth", "moves"),
    [(5, 1, 0), (5, 1, 17), (5, 2, 9), (5, 2, 16), (5, 2, 31), (5, 3, 22), (5, 3, 35), (4, 3, 7), (3, 4, 4), (3, 5, 9)],
)
def test_values_are_those_of_minimax(size: int, depth: int, moves: int) -> None:
    for seed in range(3):
        check(position(size, seed, moves), depth)


KO = ". X O . .\nX . X O .\n. X O . .\n. X O . .\n. X O . ."
END = {
    "nothing but eyes": ". X . X .\nX X X X X\n. X . X .\nX X X X X\n. X . X .",
    "one side has a move": ". X . X .\nX X X X X\nX X X X X\nO O O O O\nO . O . .",
}


def test_after_a_ko() -> None:
    game = Game.from_diagram(KO, to_play="white", rules="japanese")
    for depth in (1, 2):
        check(after(game, "B4"), depth)
    assert after(game, "B4").ko == "C4"


@pytest.mark.parametrize("name", END)
@pytest.mark.parametrize("to_play", ["black", "white"])
def test_a_pass_is_the_last_resort(name: str, to_play: str) -> None:
    game = Game.from_diagram(END[name], to_play=to_play, rules="japanese")
    for depth in (1, 2, 3, 4):
        check(game, depth)


# --- greedy play ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [5, 9, 13])
def test_greedy_play_is_the_best_afterstate(size: int) -> None:
    """With the shipped weights, through a whole game of two such players with a little noise."""
    value, noise = fitted(shipped_weights(size), size), np.random.default_rng(size)
    player, game = montego.player("rlgo-1.0", simulations=20, seed=3), Game(size)
    while not game.is_over and len(game.moves) < 60:
        found, chosen = value.afterstates(game), player.choose(game).vertex
        side = 1 if game.to_play == 1 else -1
        if sensible(game) and not game.passes:
            best = max(side * found[vertex] for vertex in sensible(game))
            assert side * found[chosen] == pytest.approx(best, abs=1e-7) and chosen in sensible(game)
        game.play(noise.choice(sensible(game)) if noise.random() < 0.2 and sensible(game) else chosen)


def test_simulations_change_nothing() -> None:
    """Only the owners of points come from them."""
    game = position(5, 4, 12)
    search = Search(5, PRESETS["rlgo-1.0"].config, seed=1)
    search.set_position(game)
    search.parameters.owning = 1
    before, best = search.tree.stats[search.pool.root, AMAF_N:].copy(), search.best()
    search.run(3000)
    assert np.array_equal(search.tree.stats[search.pool.root, AMAF_N:], before) and search.best() == best
    assert search.simulations == 3000 and np.abs(search.ownership_map()).max() > 0.5


# --- as the heuristic of a tree ------------------------------------------------------------------------------------


def test_new_nodes_of_a_tree_are_looked_ahead_in_too() -> None:
    config = SearchConfig(heuristic="alpha-beta", depth=2, prior_mc=1e6, fpu=1.0, memory=4, weights=weights_file(5))
    search, game, value = Search(5, config), position(5, 1, 10), fitted(random_value(5), 5)
    search.set_position(game)
    search.run(100)
    p = int(np.flatnonzero(search.tree.links[search.pool.root, CHILD] > 0)[0])
    node, below = int(search.tree.links[search.pool.root, CHILD, p]), after(game, search.names.vertex(p))
    for vertex in sensible(below):
        n, w = search.tree.stats[node, :2, search.names.parse(vertex)]
        assert w / n == pytest.approx(minimax(after(below, vertex), value, 1), abs=1e-3)
