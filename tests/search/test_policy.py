"""Tree policies and schedules, against the papers' formulas written out with plain numbers."""

from __future__ import annotations

from collections import Counter
from math import inf, log, sqrt
from typing import Any

import numpy as np
import pytest

from montego.rng import advance, stream
from montego.search.policy import argmax
from montego.search.records import CHILD
from toy_tree import BLACK, PASS, ROOT, WHITE, A, B, C, D, E, F, G, State, Toy, near

# N, Q, Ñ, Q̃ for the side to move. C has AMAF values alone, D has nothing. N(s) = 15, m(s) = Σ Ñ = 68.
MOVES = {
    A: (10, 0.6, 40, 0.5),
    B: (5, 0.4, 20, 0.8),
    C: (0, 0.0, 8, 0.75),
    D: (0, 0.0, 0, 0.0),
}
both_colours = pytest.mark.parametrize("colour", [BLACK, WHITE])


def mixed(beta: float, q: float, amaf_q: float) -> float:
    """Q⋆ = (1 − β)Q + βQ̃ (12)"""
    return (1 - beta) * q + beta * amaf_q


# (47) with b̃ = 0.1: 4·b̃² = 0.04
BETA_47_A = 40 / (10 + 40 + 10 * 40 * 0.04)
BETA_47_B = 20 / (5 + 20 + 5 * 20 * 0.04)
# (46): μ⋆ is the mean of all outcomes at hand and half a win and half a loss
MEAN_A = (10 * 0.6 + 40 * 0.5 + 0.5) / (10 + 40 + 1)
MEAN_B = (5 * 0.4 + 20 * 0.8 + 0.5) / (5 + 20 + 1)
BETA_46_A = 40 / (10 + 40 + 10 * 40 * 0.01 / (MEAN_A * (1 - MEAN_A)))
BETA_46_B = 20 / (5 + 20 + 5 * 20 * 0.01 / (MEAN_B * (1 - MEAN_B)))
# (19) with k = 30
BETA_19 = sqrt(30 / (3 * 15 + 30))

# configuration, values of A, B, C, D, and the move that is chosen
CASES: dict[str, tuple[dict[str, Any], tuple[float, float, float, float], int]] = {
    "greedy mean": (
        {"schedule": "none", "fpu": 0.5},
        (0.6, 0.4, 0.5, 0.5),
        A,
    ),
    "greedy mean, urgent": (
        {"schedule": "none", "fpu": 0.61},
        (0.6, 0.4, 0.61, 0.61),
        -1,
    ),
    "UCB1": (
        {"schedule": "none", "exploration": 0.3, "fpu": 0.7},
        (0.6 + 0.3 * sqrt(log(15) / 10), 0.4 + 0.3 * sqrt(log(15) / 5), 0.7, 0.7),
        A,
    ),
    "UCB1, more exploration": (
        {"schedule": "none", "exploration": 1.0, "fpu": 0.7},
        (0.6 + sqrt(log(15) / 10), 0.4 + sqrt(log(15) / 5), 0.7, 0.7),
        B,
    ),
    "UCB1 as in MoGo's slides": (
        {"schedule": "none", "exploration": sqrt(2), "fpu": 1.1},
        (0.6 + sqrt(2 * log(15) / 10), 0.4 + sqrt(2 * log(15) / 5), 1.1, 1.1),
        B,
    ),
    "UCB1, untried moves first": (
        {"schedule": "none", "exploration": 1.0},
        (0.6 + sqrt(log(15) / 10), 0.4 + sqrt(log(15) / 5), inf, inf),
        -1,
    ),
    "UCB1-tuned": (
        {"schedule": "none", "exploration": 1.0, "bonus": "ucb1-tuned", "fpu": 0.0},
        (
            0.6 + sqrt(log(15) / 10 * min(0.25, 0.6 * 0.4 + sqrt(2 * log(15) / 10))),
            0.4 + sqrt(log(15) / 5 * min(0.25, 0.4 * 0.6 + sqrt(2 * log(15) / 5))),
            0.0,
            0.0,
        ),
        A,
    ),
    "neighbours": (
        {"schedule": "none", "neighbours": 2.0, "fpu": 0.5},
        # A is beside B, B beside A and the untried C, C beside B, D beside the untried C alone
        (0.6 + 2 * 0.4, 0.4 + 2 * 0.6, 0.5 + 2 * 0.4, 0.5 + 2 * 0.5),
        B,
    ),
    "RAVE alone": (
        {"schedule": "rave", "fpu": 0.2},
        (0.5, 0.8, 0.75, 0.2),
        B,
    ),
    "hand-selected (19)": (
        {"schedule": "hand-selected", "equivalence": 30, "fpu": 0.2},
        (mixed(BETA_19, 0.6, 0.5), mixed(BETA_19, 0.4, 0.8), 0.75, 0.2),
        C,
    ),
    "minimum MSE (47)": (
        {"schedule": "minimum-mse", "bias": 0.1, "fpu": 0.2},
        (mixed(BETA_47_A, 0.6, 0.5), mixed(BETA_47_B, 0.4, 0.8), 0.75, 0.2),
        C,
    ),
    "minimum MSE (46)": (
        {"schedule": "minimum-mse-46", "bias": 0.1, "fpu": 0.2},
        (mixed(BETA_46_A, 0.6, 0.5), mixed(BETA_46_B, 0.4, 0.8), 0.75, 0.2),
        C,
    ),
    "without bias both counts weigh alike": (
        {"schedule": "minimum-mse", "bias": 0.0, "fpu": 0.9},
        ((6 + 20) / 50, (2 + 16) / 25, 0.75, 0.9),
        D,
    ),
    "UCT-RAVE 2011 (18)": (
        {"schedule": "minimum-mse", "bias": 0.1, "exploration": 0.2, "fpu": 0.2},
        (
            mixed(BETA_47_A, 0.6, 0.5) + 0.2 * sqrt(log(15) / 10),
            mixed(BETA_47_B, 0.4, 0.8) + 0.2 * sqrt(log(15) / 5),
            0.75 + 0.2 * sqrt(log(15) / 1),  # max(N, 1)
            0.2,
        ),
        C,
    ),
    "UCT-RAVE 2007": (
        {"schedule": "hand-selected", "equivalence": 30, "exploration": 0.5, "bonus": "ucb1-rave", "fpu": 0.2},
        (
            mixed(BETA_19, 0.6 + 0.5 * sqrt(log(15) / 10), 0.5 + 0.5 * sqrt(log(68) / 40)),
            mixed(BETA_19, 0.4 + 0.5 * sqrt(log(15) / 5), 0.8 + 0.5 * sqrt(log(68) / 20)),
            0.75 + 0.5 * sqrt(log(68) / 8),
            0.2,
        ),
        C,
    ),
    "equal allocation": (
        {"schedule": "none", "allocation": "equal"},
        (-10, -5, 0, 0),
        -1,
    ),
}


@both_colours
@pytest.mark.parametrize("name", CASES)
def test_values_and_choice(name: str, colour: int) -> None:
    """The statistics are mirrored for White, who minimises Black's value: both colours see the same numbers."""
    config, expected, chosen = CASES[name]
    state = State(MOVES, colour, **config)
    assert state.values() == pytest.approx(dict(zip(MOVES, expected, strict=True)), abs=1e-12)
    if chosen == -1:  # C and D are as good: both are chosen
        assert {state.choice() for _ in range(40)} == {C, D}
    else:
        assert {state.choice() for _ in range(10)} == {chosen}


@both_colours
@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"schedule": "none"}, (0, 0, 0, 0)),
        ({"schedule": "rave"}, (1, 1, 1, 0)),
        ({"schedule": "hand-selected", "equivalence": 30}, (BETA_19, BETA_19, 1, 0)),
        ({"schedule": "minimum-mse", "bias": 0.1}, (BETA_47_A, BETA_47_B, 1, 0)),
        ({"schedule": "minimum-mse-46", "bias": 0.1}, (BETA_46_A, BETA_46_B, 1, 0)),
    ],
)
def test_beta(config: dict[str, Any], expected: tuple[float, ...], colour: int) -> None:
    """1 when n = 0 < ñ, 0 without AMAF values."""
    state = State(MOVES, colour, **config)
    assert [state.beta(p) for p in MOVES] == pytest.approx(expected, abs=1e-12)


def test_hand_selected_weighs_both_alike_at_k_simulations() -> None:
    state = State({A: (1000, 0.2, 900, 0.6)}, schedule="hand-selected", equivalence=1000)
    assert state.beta(A) == pytest.approx(0.5)
    assert state.values()[A] == pytest.approx(0.4)


def test_minimum_mse_equations_agree_in_even_positions() -> None:
    """(46) with μ⋆ = ½ is (47)."""
    even = {A: (7, 0.5, 30, 0.5)}
    betas = [State(even, schedule=schedule, bias=0.2).beta(A) for schedule in ("minimum-mse", "minimum-mse-46")]
    assert betas[0] == pytest.approx(30 / (7 + 30 + 4 * 7 * 30 * 0.04)) == pytest.approx(betas[1])


def test_sure_outcomes_do_not_break_equation_46() -> None:
    """All won: the variance μ⋆(1 − μ⋆) is small but not 0."""
    beta = State({A: (4, 1.0, 9, 1.0)}, schedule="minimum-mse-46", bias=0.1).beta(A)
    mean = (4 + 9 + 0.5) / 14
    assert beta == pytest.approx(9 / (13 + 36 * 0.01 / (mean * (1 - mean))))


def test_a_bonus_does_not_undo_rave() -> None:
    """(18) with N(s,a) = 0 would be infinite: max(N, 1) leaves the order to the AMAF values."""
    moves = {A: (0, 0.0, 5, 0.9), B: (0, 0.0, 5, 0.2), C: (3, 0.5, 5, 0.5)}
    state = State(moves, schedule="minimum-mse", exploration=0.1)
    assert state.values()[A] == pytest.approx(0.9 + 0.1 * sqrt(log(3)))
    assert state.choice() == A


def test_exploration_before_any_visit() -> None:
    """ln N(s) is 0, not −∞."""
    moves = {A: (0, 0.0, 2, 0.5), B: (0, 0.0, 2, 0.25)}
    for bonus in ("ucb1", "ucb1-tuned"):
        values = State(moves, schedule="rave", exploration=1.0, bonus=bonus).values()
        assert values == {A: 0.5, B: 0.25}


@both_colours
def test_urgency_is_for_moves_nothing_is_known_of(colour: int) -> None:
    """With AMAF values at hand a move has no urgency, unless the schedule does not look at them."""
    state = State(MOVES, colour, schedule="minimum-mse", fpu=1.1)
    assert state.values()[C] == pytest.approx(0.75) and state.values()[D] == 1.1
    state = State(MOVES, colour, schedule="none", fpu=1.1)
    assert state.values()[C] == state.values()[D] == 1.1


@both_colours
def test_urgencies_of_the_grandfather(colour: int) -> None:
    """Untried moves have the value of two moves earlier where there is one; B is tried, D was not tried then."""
    older = {A: (4, 0.25, 9, 0.9), B: (4, 0.25, 9, 0.9), C: (8, 0.875, 9, 0.1), D: (0, 0.0, 9, 0.9)}
    config: dict[str, Any] = {"schedule": "none", "fpu": 0.7, "fpu_grandfather": True}
    assert State(MOVES, colour, **config).values(older) == pytest.approx({A: 0.6, B: 0.4, C: 0.875, D: 0.7})
    without = State(MOVES, colour, **{**config, "fpu_grandfather": False}).values(older)
    assert without == pytest.approx({A: 0.6, B: 0.4, C: 0.7, D: 0.7})


@both_colours
def test_the_grandfather_is_two_moves_earlier(colour: int) -> None:
    """After A and E, both B and C are untried; at the root C was the better one for the side to move."""
    game = {A: {E: {B: 0.5, C: 0.5}}, B: {E: 0.5}, C: {E: 0.5}}
    toy = Toy(game, colour, schedule="none", fpu=0.5, fpu_grandfather=True)
    good, bad = (1, 0) if colour == BLACK else (0, 1)
    for p, z in ((B, bad), (C, good)):
        toy.script([], [p, E], z)
    toy.tree.links[ROOT, CHILD, A] = toy.add(game[A])
    toy.tree.links[2, CHILD, E] = toy.add(game[A][E])
    toy.thread.path[:3] = ROOT, 2, 3
    assert {toy.select(2, colour) for _ in range(20)} == {C}


@both_colours
def test_ucb1_tuned_trusts_small_variances(colour: int) -> None:
    """V = q(1 − q) + √(2 ln N(s) / n) below ¼: a move that nearly always wins is explored less."""
    values = State(
        {A: (2000, 0.95, 0, 0.0), B: (1000, 0.5, 0, 0.0)}, colour, schedule="none", exploration=1.0, bonus="ucb1-tuned"
    ).values()
    v = 0.95 * 0.05 + sqrt(2 * log(3000) / 2000)
    assert v < 0.25
    assert values == pytest.approx({A: 0.95 + sqrt(log(3000) / 2000 * v), B: 0.5 + sqrt(log(3000) / 1000 * 0.25)})


@both_colours
def test_neighbours_are_points_of_the_board(colour: int) -> None:
    """E, F and G touch nothing, and the pass is nobody's neighbour: ½ for each."""
    moves = {PASS: (9, 0.9, 0, 0.0), A: (4, 0.5, 0, 0.0), E: (4, 0.25, 0, 0.0), F: (4, 0.75, 0, 0.0)}
    values = State(moves, colour, schedule="none", neighbours=1.0).values()
    assert values == pytest.approx({PASS: 1.4, A: 1.0, E: 0.75, F: 1.25})


@both_colours
def test_neighbours_on_all_four_sides(colour: int) -> None:
    centre = 22  # row 3, column 4
    beside = {16: 0.1, 21: 0.2, 23: 0.4, 28: 0.9}
    moves = {centre: (2, 0.5, 0, 0.0), **{p: (1.0, q, 0, 0.0) for p, q in beside.items()}}
    values = State(moves, colour, schedule="none", neighbours=0.5).values()
    assert values[centre] == pytest.approx(0.5 + 0.5 * (0.1 + 0.2 + 0.4 + 0.9) / 4)


# --- ties ----------------------------------------------------------------------------------------------------------


def test_ties_are_spread() -> None:
    for moves in (
        {A: (0, 0, 0, 0), C: (0, 0, 0, 0), E: (0, 0, 0, 0), G: (0, 0, 0, 0)},  # infinite
        {A: (3, 1 / 3, 0, 0), C: (6, 1 / 3, 0, 0), E: (9, 1 / 3, 0, 0), G: (300, 1 / 3, 0, 0), F: (1, 0, 0, 0)},
    ):
        state = State(moves, schedule="none")
        counts = Counter(state.choice() for _ in range(4000))
        assert set(counts) == {A, C, E, G}
        assert all(abs(count - 1000) < 150 for count in counts.values()), counts


@pytest.mark.parametrize("ties", [1, 2, 5])
def test_a_number_is_drawn_only_for_ties(ties: int) -> None:
    values = np.array([0.5 - 1e-8] * 3 + [0.5, 0.5 - 1e-10, 0.5 + 1e-10, 0.5, 0.5][:ties] + [-inf])
    state = stream(9)
    p, after = argmax(values, state)
    assert 3 <= p < 3 + ties
    assert after == (state if ties == 1 else advance(state))


def test_argmax_finds_the_highest_anywhere() -> None:
    generator = np.random.default_rng(3)
    for length in (1, 2, 3, 4, 5, 7, 43, 111):
        for _ in range(30):
            values = generator.random(length)
            assert argmax(values, stream(1))[0] == int(values.argmax())


# --- one simulation after another ----------------------------------------------------------------------------------

OUTCOMES = {A: 0.6, B: 0.4, C: 0.75}


def ucb1(c: float) -> Any:
    return lambda n, q, total: q + c * sqrt(log(total) / n)


def tuned(n: int, q: float, total: int) -> float:
    return q + sqrt(log(total) / n * min(0.25, q * (1 - q) + sqrt(2 * log(total) / n)))


@both_colours
@pytest.mark.parametrize(
    ("config", "formula"),
    [
        ({"exploration": 0.0}, ucb1(0.0)),
        ({"exploration": 0.1}, ucb1(0.1)),
        ({"exploration": 1.0}, ucb1(1.0)),
        ({"exploration": sqrt(2)}, ucb1(sqrt(2))),
        ({"exploration": 1.0, "bonus": "ucb1-tuned"}, tuned),
    ],
)
@pytest.mark.parametrize("fpu", [inf, 0.7])
def test_a_bandit_with_three_arms(config: dict[str, Any], formula: Any, fpu: float, colour: int) -> None:
    """Every choice of 200 is the formula's; outcomes are for the side to move."""
    game = {p: z if colour == BLACK else 1 - z for p, z in OUTCOMES.items()}
    toy = Toy(game, colour, schedule="none", fpu=fpu, **config)
    counts: Counter[int] = Counter()
    for total in range(200):
        (p,) = toy.simulate()
        if total == 0:
            assert p == A  # the root is new: the default policy's move
        else:
            values = {q: formula(counts[q], z, total) if counts[q] else fpu for q, z in OUTCOMES.items()}
            assert values[p] >= max(values.values()) - 1e-9
        counts[p] += 1
    assert toy.visits() == {p: n for p, n in counts.items() if n}
    assert toy.mc() == near({p: (counts[p], game[p]) for p in counts})
    assert toy.amaf() == {}


def test_equal_allocation_in_turn() -> None:
    toy = Toy({A: 0.0, B: 1.0, C: 0.5, D: 0.0}, schedule="none", allocation="equal")
    for rounds in range(1, 26):
        assert sorted(toy.simulate()[0] for _ in range(4)) == [A, B, C, D]
        assert toy.visits() == dict.fromkeys((A, B, C, D), rounds)


@both_colours
def test_five_simulations_of_mc_rave_by_hand(colour: int) -> None:
    """Black's moves A, B, C, White's E, F between them. With b̃ = ½, β = ñ / (n + ñ + nñ). White: all mirrored."""

    def z(black: float) -> float:
        return black if colour == BLACK else 1 - black

    game = {
        A: {E: {B: z(0)}},
        B: {E: {A: z(0)}},
        C: {E: {A: z(1)}, F: {A: z(0), B: z(1)}},
    }
    toy = Toy(game, colour, schedule="minimum-mse", bias=0.5, fpu=0.75)

    # 1. The root is new: the default policy plays A, E, B and loses.
    assert toy.simulate() == [A, E, B]
    assert toy.mc() == {A: (1, z(0))} and toy.amaf() == {A: (1, z(0)), B: (1, z(0))}

    # 2. A = B = 0 by AMAF and MC, C = 0.75, unknown. C is new: E, A, won.
    assert toy.simulate() == [C, E, A]
    assert toy.mc() == {A: (1, z(0)), C: (1, z(1))}
    assert toy.amaf() == {A: (2, 0.5), B: (1, z(0)), C: (1, z(1))}
    assert toy.mc(C) == toy.amaf(C) == {E: (1, z(1))}

    # 3. A = 3/5 · 0 + 2/5 · 1/2, B = 0, C = 1. Then E has lost for its mover, F = 0.75. C, F is new: A, lost.
    assert toy.values(colour) == pytest.approx({A: 1 / 5, B: 0, C: 1})
    assert toy.simulate() == [C, F, A]
    assert toy.mc() == {A: (1, z(0)), C: (2, 0.5)}
    assert toy.amaf() == near({A: (3, z(1 / 3)), B: (1, z(0)), C: (2, 0.5)})
    assert toy.mc(C) == toy.amaf(C) == {E: (1, z(1)), F: (1, z(0))}
    assert toy.mc(C, F) == toy.amaf(C, F) == {A: (1, z(0))}

    # 4. A = 4/7 · 0 + 3/7 · 1/3, C = 1/2. F has won for its mover, A has lost after it, B = 0.75: won.
    assert toy.values(colour) == pytest.approx({A: 1 / 7, B: 0, C: 1 / 2})
    assert toy.simulate() == [C, F, B]
    assert toy.mc() == near({A: (1, z(0)), C: (3, z(2 / 3))})
    assert toy.amaf() == near({A: (3, z(1 / 3)), B: (2, 0.5), C: (3, z(2 / 3))})
    assert toy.mc(C) == {E: (1, z(1)), F: (2, 0.5)}

    # 5. The same line once more, for B = 1/2 at the root.
    assert toy.values(colour) == pytest.approx({A: 1 / 7, B: 1 / 2, C: 2 / 3})
    assert toy.simulate() == [C, F, B]
    assert toy.visits() == {A: 1, C: 4} and toy.visits(C) == {E: 1, F: 3} and toy.visits(C, F) == {A: 1, B: 2}
    assert toy.amaf()[B] == pytest.approx((3, z(2 / 3)))


# --- exploration from some simulations on --------------------------------------------------------------------------


@both_colours
@pytest.mark.parametrize(("after", "explores"), [(0, True), (15, True), (16, False)])
def test_exploration_after_so_many_simulations_of_the_state(after: int, explores: bool, colour: int) -> None:
    """N(s) = 15."""
    state = State(MOVES, colour, schedule="none", exploration=0.3, exploration_after=after, fpu=0.7)
    bonus = 0.3 if explores else 0.0
    assert state.values()[A] == pytest.approx(0.6 + bonus * sqrt(log(15) / 10))
    assert state.values()[C] == 0.7
