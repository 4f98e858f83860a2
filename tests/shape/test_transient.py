"""Permanent and transient memory: together they say what the permanent one said, until something is learned."""

from __future__ import annotations

import numpy as np
import pytest

from learned_weights import random_value
from montego._jit import U
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.playout import PlayoutConfig, trace
from montego.shape.learning import remember, td_update
from montego.shape.transient import TwoMemories
from montego.shape.value import DIRECT, afterstates, scan, sigmoid


def position(size: int, moves: int = 20) -> Game:
    game = Game(size)
    for move in trace(game, PlayoutConfig("uniform"), seed=2).moves[:moves]:
        game.play(move.vertex)
    return game


def value_of(memories: TwoMemories, game: Game) -> float:
    scan(memories.state, memories.layout, memories.weights, DIRECT, game.board[0])
    return float(sigmoid(memories.state.total))


def learn(memories: TwoMemories, game: Game, target: float, alpha: float = 0.1) -> tuple[np.ndarray, float]:
    """One update. Returns the features it was about, and δ."""
    states = np.zeros((1, len(memories.layout.origin)), np.uint32)
    value_of(memories, game)
    remember(memories.state, states, U(0))
    return states[0], float(td_update(states, U(0), memories.weights, DIRECT, target, alpha))


@pytest.mark.parametrize(("size", "sets"), [(2, "ld+li"), (3, "li"), (5, "ld+li"), (9, "ld+li"), (13, "li")])
def test_without_learning_they_are_the_permanent_memory(size: int, sets: str) -> None:
    value = random_value(size, sets)
    memories, game, names = TwoMemories(value), position(size, size * size // 2), geometry(size)
    assert value_of(memories, game) == pytest.approx(value.value(game), abs=1e-6)
    moves = np.array([names.parse(vertex) for vertex in game.legal_moves()], np.uint16)
    sums, count = np.zeros(len(moves)), np.uint64(len(moves))
    afterstates(memories.state, memories.layout, memories.weights, DIRECT, game.board[0], U(game.to_play), moves,
                count, sums)  # fmt: skip
    expected = value.afterstates(game)
    for p, total in zip(moves, sums, strict=True):
        assert 1 / (1 + np.exp(-total)) == pytest.approx(expected[names.vertex(int(p))], abs=1e-6)


def test_every_location_has_weights_of_its_own() -> None:
    assert len(TwoMemories(random_value(9)).weights) == 969_894


def test_the_update_is_that_of_plain_numpy() -> None:
    """Δθ̄ = (α / |φ|) · δ for the one active feature of every window, |φ| being the number of windows."""
    memories, game = TwoMemories(random_value(5)), position(5)
    before = value_of(memories, game)
    active, delta = learn(memories, game, 1.0)
    expected = np.zeros(len(memories.weights))
    expected[active] = 0.1 / len(active) * (1 - before)
    assert len(set(active.tolist())) == len(active) == 25 + 16 + 9
    assert delta == pytest.approx(1 - before, abs=1e-6)
    assert memories.transient == pytest.approx(expected, abs=1e-7)
    assert value_of(memories, game) > before


def test_the_permanent_memory_stays_and_the_transient_one_is_forgotten() -> None:
    value, game = random_value(5), position(5)
    theta, memories = value.theta, TwoMemories(value)
    permanent, before = memories.permanent.copy(), value_of(memories, game)
    for _ in range(200):
        learn(memories, game, 0.0)
    assert value_of(memories, game) < 0.1 < before and memories.transient.any()
    assert np.array_equal(memories.permanent, permanent) and np.array_equal(value.theta, theta)
    with pytest.raises(ValueError, match="read-only"):
        memories.permanent[0] = 1
    memories.forget()
    assert value_of(memories, game) == before and not memories.transient.any()
