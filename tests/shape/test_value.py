"""Values, afterstates and updates equal those of plain code, move after move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montego._jit import U
from montego.go.board import LEGAL, board_of, legality, new_boards, pass_turn, place, play
from montego.go.diagram import parse_diagram
from montego.go.geometry import geometry
from montego.go.tactics import is_capture
from montego.playout.policies import uniform_move
from montego.playout.simulate import tables
from montego.rng import stream
from montego.shape import ShapeValue, learning
from montego.shape import value as kernels
from montego.shape.features import WINDOWS, Features, features
from montego.shape.value import DIRECT, new_state
from shape import plain_shapes as plain
from shape.matching import Matching, raw_features


def doubled(made: Features, seed: int = 1, dtype: Any = np.float32) -> np.ndarray:
    """Random weights."""
    weights, theta = made.new_weights(dtype), np.random.default_rng(seed).normal(0, 0.1, made.weight_count)
    weights[2::2] = theta
    weights[3::2] = -weights[2::2]
    return weights


def scanned(made: Features, weights: np.ndarray, board: Any) -> Any:
    state = new_state(made)
    kernels.scan(state, made.layout[0], weights, made.links, board)
    return state


def random_game(size: int, seed: int) -> Iterator[tuple[Any, np.uint64, np.uint64, np.uint64]]:
    """A game of the uniform policy: after each move the board, the move, its colour and the first captured point's
    place among the empty points.
    """
    board, colour, rng, passes = new_boards(size)[0], U(1), stream(seed), 0
    for _ in range(4 * size * size):
        p, _, rng = uniform_move(board, colour, U(rng), tables()[0])
        first_captured = U(board.empty_count - 1)
        passes = 0 if p else passes + 1
        if passes == 2:
            return
        if p:
            place(board, U(p), colour)
            yield board, U(p), colour, first_captured
        else:
            pass_turn(board)
        colour = U(3 - colour)


# --- the value --------------------------------------------------------------------------------------------------

STONES_5 = st.lists(st.integers(0, 2), min_size=25, max_size=25).map(lambda cells: np.array(cells).reshape(5, 5))
STONES_9 = st.lists(st.integers(0, 2), min_size=81, max_size=81).map(lambda cells: np.array(cells).reshape(9, 9))


def plain_theta(made: Features, theta: np.ndarray, stones: np.ndarray) -> dict[plain.Name, float]:
    """The weights of a position's active features, under their plain names."""
    matching = Matching(made)
    matching.meet_all(stones)
    return {name: sign * float(theta[number]) for name, (number, sign) in matching.number.items()}


@settings(max_examples=25, deadline=None)
@given(stones=STONES_5, windows=st.sampled_from(sorted(WINDOWS)))
def test_the_value_is_that_of_plain_features(stones: np.ndarray, windows: str) -> None:
    shape_value = ShapeValue(5, windows)
    made = shape_value.features
    shape_value.theta = doubled(made)[2::2]
    theta = plain_theta(made, shape_value.theta, stones)
    total = sum(count * theta[name] for name, count in plain.phi(stones.tolist(), WINDOWS[windows]).items())
    assert shape_value.value(stones) == pytest.approx(1 / (1 + np.exp(-total)), abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(stones=STONES_9)
def test_symmetric_positions_have_equal_values_and_inverse_ones_add_up_to_1(stones: np.ndarray) -> None:
    value = trained_9().value
    here = value(stones)
    assert value((3 - stones) % 3) == pytest.approx(1 - here, abs=1e-12)
    for turns in range(4):
        assert value(np.rot90(stones, turns)) == pytest.approx(here, abs=1e-12)
        assert value(np.rot90(stones, turns).T) == pytest.approx(here, abs=1e-12)


def trained_9() -> ShapeValue:
    shape_value = ShapeValue(9)
    shape_value.theta = doubled(shape_value.features)[2::2]
    return shape_value


def test_location_independent_weights_do_not_see_where_a_shape_is() -> None:
    """Away from the edge; with location-dependent weights it matters."""
    stones = np.zeros((2, 9, 9), int)
    stones[0, 3:5, 3:5] = stones[1, 2:4, 4:6] = [[1, 2], [0, 1]]
    values = {}
    for sets in ("li", "ld+li"):
        shape_value = ShapeValue(9, "rlgo-1.0", sets)
        shape_value.theta = doubled(shape_value.features)[2::2]
        values[sets] = [shape_value.value(position) for position in stones]
    assert values["li"][0] == pytest.approx(values["li"][1], abs=1e-12)
    assert abs(values["ld+li"][0] - values["ld+li"][1]) > 1e-3


# --- a state that follows a board -------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "games", "windows"), [(9, 75, "rlgo-1.0"), (5, 80, "full")])
def test_a_state_that_follows_equals_a_new_one(size: int, games: int, windows: str) -> None:
    """More than 10,000 moves in all, with their captures."""
    made = features(size, windows)
    layout, links, weights = made.layout[0], made.links, doubled(made)
    moves = captures = 0
    for seed in range(games):
        state = scanned(made, weights, new_boards(size)[0])
        for board, p, colour, first_captured in random_game(size, seed):
            kernels.follow(state, layout, weights, links, board, p, colour, first_captured)
            fresh = scanned(made, weights, board)
            assert (state.raw == fresh.raw).all() and (state.part == fresh.part).all()
            assert abs(state.total - fresh.total) < 1e-9
            moves += 1
            captures += int(board.empty_count - first_captured)
        stones = board.colour[geometry(size).points].reshape(size, size)
        assert state.raw.tolist() == raw_features(made, stones)
    assert moves > {9: 7500, 5: 2500}[size] and captures > 500


def test_stones_that_come_and_go() -> None:
    made = features(5, "full")
    layout, links, weights = made.layout[0], made.links, doubled(made)
    board = new_boards(5)[0]
    empty, state = scanned(made, weights, board), scanned(made, weights, board)
    assert empty.total == 0
    generator, p = np.random.default_rng(2), geometry(5).points
    placed = {int(point): int(generator.integers(1, 3)) for point in generator.permutation(p)[:15]}
    for point, colour in placed.items():
        kernels.place_stone(state, layout, weights, links, U(point), U(colour))
        board.colour[point] = colour
    full = scanned(made, weights, board)
    assert state.total == pytest.approx(full.total, abs=1e-9) and (state.raw == full.raw).all()
    for point, colour in placed.items():
        kernels.remove_stone(state, layout, weights, links, U(point), U(colour))
    assert state.total == pytest.approx(0, abs=1e-9) and (state.raw == empty.raw).all()


def test_new_weights_need_a_new_sum_only() -> None:
    made = features(5, "full")
    board = board_of(np.random.default_rng(3).choice(3, (5, 5), p=[0.5, 0.25, 0.25]))[0]
    state, others = scanned(made, doubled(made, 1), board), doubled(made, 2)
    kernels.evaluate(state, others, made.links)
    fresh = scanned(made, others, board)
    assert state.total == fresh.total and (state.part == fresh.part).all()


# --- afterstates ------------------------------------------------------------------------------------------------


def check_afterstates(made: Features, weights: np.ndarray, board: Any) -> int:
    """Every legal move of both colours, compared with playing it. Returns how many of them capture."""
    layout, links, size = made.layout[0], made.links, made.size
    state = scanned(made, weights, board)
    before, captures = state.tobytes(), 0
    for colour in (U(1), U(2)):
        moves = [p for p in geometry(size).points if legality(board, U(p), colour, False) == LEGAL]
        sums, points = np.zeros(len(moves)), np.array(moves, np.uint16)
        kernels.afterstates(state, layout, weights, links, board, colour, points, U(len(moves)), sums)
        assert state.tobytes() == before
        for p, total in zip(moves, sums, strict=True):
            after = np.array([board])  # a copy
            captures += bool(is_capture(board, U(p), colour))
            play(after[0], U(p), colour)
            assert abs(scanned(made, weights, after[0]).total - total) < 1e-9
    return captures


@pytest.mark.parametrize(("size", "windows", "captures"), [(9, "rlgo-1.0", 100), (5, "full", 40)])
def test_afterstates_equal_playing_the_moves(size: int, windows: str, captures: int) -> None:
    made = features(size, windows)
    weights, found = doubled(made), 0
    for seed in range(100, 103):
        for number, (board, *_) in enumerate(random_game(size, seed)):
            if number % {9: 6, 5: 2}[size] == 0:
                found += check_afterstates(made, weights, board)
    assert found > captures


SEVERAL_SIDES = {
    "four chains": """
        . . X . .
        . X O X .
        X O . O X
        . X O X .
        . . X . .
    """,
    "one chain from two sides": """
        X X X . .
        X O O X .
        X O . X .
        . X X . .
        . . . . .
    """,
    "one chain from four sides": """
        . X X X .
        X O O O X
        X O . O X
        X O O O X
        . X X X .
    """,
    "two chains from two sides each": """
        X X X X .
        X O O X .
        O . O X .
        O O X . .
        X X . . .
    """,
}


@pytest.mark.parametrize("name", SEVERAL_SIDES)
def test_afterstates_of_moves_that_take_chains_from_several_sides(name: str) -> None:
    made, board = features(5, "full"), board_of(parse_diagram(SEVERAL_SIDES[name]))[0]
    assert check_afterstates(made, doubled(made), board) >= 1


def test_the_expanded_table_says_the_same() -> None:
    made = features(9)
    weights, table = doubled(made), np.zeros(len(made.links), np.float32)
    kernels.expand(weights, made.links, table)
    *_, (board, _, _, _) = (position for i, position in enumerate(random_game(9, 7)) if i < 60)
    moves = np.array([p for p in geometry(9).points if legality(board, U(p), U(1), False) == LEGAL], np.uint16)
    found = []
    for numbers, links in ((weights, made.links), (table, DIRECT)):
        state, sums = new_state(made), np.zeros(len(moves))
        kernels.scan(state, made.layout[0], numbers, links, board)
        kernels.afterstates(state, made.layout[0], numbers, links, board, U(1), moves, U(len(moves)), sums)
        found.append([state.total, *sums])
    assert np.ptp(found[0]) > 0.5
    assert np.allclose(*found, rtol=0, atol=1e-5)


# --- learning ---------------------------------------------------------------------------------------------------


def remembered(made: Features, positions: list[np.ndarray]) -> np.ndarray:
    states = np.zeros((len(positions), len(made.layout[0].origin)), np.uint32)
    for t, stones in enumerate(positions):
        board = new_boards(made.size)[0]
        board.colour[geometry(made.size).points] = stones.ravel()
        learning.remember(scanned(made, made.new_weights(), board), states, U(t))
    return states


@settings(max_examples=15, deadline=None)
@given(
    stones=STONES_5,
    target=st.floats(0, 1),
    alpha=st.floats(0.01, 1),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_the_update_is_that_of_plain_features(stones: np.ndarray, target: float, alpha: float, dtype: Any) -> None:
    """Δθ = (α / |φ|) · (target − V) · φ, and −∂(cross-entropy)/∂θ = (target − V) · φ by finite differences."""
    made, shapes = features(5), WINDOWS["rlgo-1.0"]
    weights = doubled(made, dtype=dtype)
    before = weights.copy()
    states = remembered(made, [stones])
    delta = learning.td_update(states, U(0), weights, made.links, target, alpha)
    changes = weights.astype(float) - before

    phi, theta = plain.phi(stones.tolist(), shapes), plain_theta(made, before[2::2], stones)
    active = len(plain.active_weights(stones.tolist(), shapes))
    value = 1 / (1 + np.exp(-sum(phi[name] * theta[name] for name in phi)))
    assert delta == pytest.approx(target - value, abs=1e-6)
    matching = Matching(made)
    matching.meet_all(stones)
    expected = np.zeros(made.weight_count)
    for name, count in phi.items():
        number, sign = matching.number[name]
        expected[number] = sign * alpha / active * (target - value) * count
    assert np.allclose(changes[2::2], expected, rtol=0, atol=1e-6)
    assert (weights[3::2] == -weights[2::2]).all() and (weights[:2] == 0).all()

    def loss(weight: plain.Name, step: float) -> float:
        v = 1 / (1 + np.exp(-sum(phi[name] * (theta[name] + step * (name == weight)) for name in phi)))
        return float(-target * np.log(v) - (1 - target) * np.log(1 - v))

    for name in sorted(phi)[::20]:
        number, sign = matching.number[name]
        slope = (loss(name, 1e-5) - loss(name, -1e-5)) / 2e-5
        assert sign * changes[2 + 2 * number] == pytest.approx(-alpha / max(active, 1) * slope, abs=1e-6)


def test_a_position_without_weights_teaches_nothing() -> None:
    made = features(5)
    weights = doubled(made)
    before = weights.copy()
    states = remembered(made, [np.zeros((5, 5), int)])
    assert learning.td_update(states, U(0), weights, made.links, 1.0, 0.1) == 0.5
    assert (weights == before).all()


def test_updates_lead_to_their_targets() -> None:
    made, generator = features(5), np.random.default_rng(5)
    positions = [generator.choice(3, (5, 5)) for _ in range(10)]
    targets, states, weights = generator.random(10), remembered(made, positions), made.new_weights()
    for _ in range(2000):
        for t, target in enumerate(targets):
            learning.td_update(states, U(t), weights, made.links, target, 0.3)
    sums = np.array([learning.remembered_sum(states, U(t), weights, made.links) for t in range(10)])
    assert np.allclose(1 / (1 + np.exp(-sums)), targets, atol=0.01)
