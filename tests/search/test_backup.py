"""Backup: MC and AMAF updates, passes, virtual loss, statistics beyond the mean, and what pruning gives up."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

from montego.search.backup import pretend_loss, prune_moves
from montego.search.records import CHILD, ILLEGAL, PRUNED, TOTAL, VISITS, N, W
from toy_tree import BLACK, PASS, ROOT, WHITE, A, B, C, D, E, F, G, State, Toy, near

LEGAL = dict.fromkeys((PASS, A, B, C, D, E, F, G), 0.0)
VARIANTS = ["first-play", "same-colour", "simulation"]
both_colours = pytest.mark.parametrize("colour", [BLACK, WHITE])


def toy(colour: int = BLACK, **config: Any) -> Toy:
    return Toy(LEGAL, colour, **{"schedule": "rave", **config})


# --- (4)–(6) -------------------------------------------------------------------------------------------------------


@both_colours
def test_mean_outcomes_of_every_state_on_the_line(colour: int) -> None:
    """z is Black's whoever moves."""
    search = toy(colour, schedule="none")
    search.script([], [A], 1)
    search.script([A], [E, B], 0)
    search.script([A, E], [C], 1)
    search.script([A, E], [C, F], 0.5, is_new=False)
    assert search.mc() == near({A: (4, 2.5 / 4)})
    assert search.mc(A) == near({E: (3, 1.5 / 3)})
    assert search.mc(A, E) == {C: (1, 1)}  # the last simulation ended at E: nothing of C is the tree's
    assert [search.wins_of(*line) for line in ([], [A], [A, E])] == [(2.5, 4), (1.5, 3), (1, 1)]
    for line in ([], [A], [A, E]):
        s = search.node(*line)
        assert search.tree.states[s, TOTAL] == search.tree.stats[s, N].sum() == search.tree.links[s, VISITS].sum()
    assert search.amaf() == search.amaf(A) == {}


def test_the_game_may_end_in_the_tree() -> None:
    search = toy()
    search.script([A, PASS, PASS], [], 1, is_new=False)
    assert search.mc() == {A: (1, 1)} and search.mc(A) == search.mc(A, PASS) == {PASS: (1, 1)}
    assert search.amaf() == {A: (1, 1), PASS: (1, 1)} and search.amaf(A, PASS) == {PASS: (1, 1)}


# --- AMAF ----------------------------------------------------------------------------------------------------------


@both_colours
def test_later_moves_of_the_same_colour_count(colour: int) -> None:
    search = toy(colour)
    search.script([A, E], [B, F, C], 1)
    assert search.amaf() == {A: (1, 1), B: (1, 1), C: (1, 1)}
    assert search.amaf(A) == {E: (1, 1), F: (1, 1)}
    assert search.amaf(A, E) == {B: (1, 1), C: (1, 1)}
    search.script([A, E], [C, B], 0)  # B is now the other side's
    assert search.amaf() == {A: (2, 0.5), B: (1, 1), C: (2, 0.5)}
    assert search.amaf(A) == near({E: (2, 0.5), F: (1, 1), B: (1, 0)})


@both_colours
@pytest.mark.parametrize(
    ("variant", "root", "after_a"),
    [
        # A, E, B, A, E, B: Black A, B, E; White E, A, B
        ("first-play", {A, B}, {E, A}),  # seen from A on, White's A is the first play there
        ("same-colour", {A, B, E}, {E, A, B}),
        ("simulation", {A, B}, {E}),  # A was played before: White's A is not the first since the root
    ],
)
def test_only_the_first_play_on_a_point_counts(variant: str, root: set[int], after_a: set[int], colour: int) -> None:
    for line, plays in (([A], [E, B, A, E, B]), ([A, E], [B, A, E, B]), ([A, E, B], [A, E, B])):
        search = toy(colour, amaf=variant)
        search.script(line, plays, 1)
        assert search.amaf() == dict.fromkeys(root, (1, 1)), line
        assert search.amaf(A) == dict.fromkeys(after_a, (1, 1)), line


def expected_amaf(moves: list[int], t: int, variant: str, legal: set[int]) -> set[int]:
    """The moves a_u that count in s_t, straight from the definition."""
    found = set()
    for u in range(t, len(moves), 2):
        before = {"first-play": moves[t:u], "same-colour": moves[t:u:2], "simulation": moves[:u]}[variant]
        if moves[u] in legal and (moves[u] == PASS or moves[u] not in before):
            found.add(moves[u])
    return found


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("is_new", [True, False])
def test_random_simulations_against_the_definition(variant: str, is_new: bool) -> None:
    """Games of 5 to 15 moves that end with two passes; in every state of the line two moves are illegal."""
    generator = np.random.default_rng(7)
    for _ in range(150):
        colour = int(generator.integers(1, 3))
        moves = [int(p) for p in generator.choice(list(LEGAL), size=generator.integers(3, 14))] + [PASS, PASS]
        depth = int(generator.integers(1, len(moves)))
        search = toy(colour, amaf=variant)
        search.script(moves[:depth], moves[depth:], 0, is_new)
        search.tree.stats[:], search.tree.states[:] = 0, 0
        illegal = []
        for t in range(depth + is_new):
            illegal.append({int(p) for p in generator.choice(list(LEGAL)[1:], size=2)} - {moves[t]})
            search.tree.links[search.node(*moves[:t]), CHILD, list(illegal[t])] = ILLEGAL
        search.script(moves[:depth], moves[depth:], 1, is_new)
        for t, struck in enumerate(illegal):
            expected = expected_amaf(moves, t, variant, set(LEGAL) - struck)
            assert search.amaf(*moves[:t]) == dict.fromkeys(expected, (1, 1)), (moves, depth, t)


def test_moves_illegal_in_a_state_are_not_updated() -> None:
    search = toy()
    search.script([A, E], [B, F, C], 0)
    search.tree.links[ROOT, CHILD, B] = ILLEGAL
    search.tree.links[search.node(A, E), CHILD, C] = PRUNED
    search.script([A, E], [B, F, C], 1)
    assert search.amaf() == {A: (2, 0.5), B: (1, 0), C: (2, 0.5)}
    assert search.amaf(A, E) == {B: (2, 0.5), C: (1, 0)}


@both_colours
@pytest.mark.parametrize("variant", VARIANTS)
def test_passes_are_no_plays_on_a_point(variant: str, colour: int) -> None:
    """A pass counts for its own side, whatever the other did, and once a simulation."""
    search = toy(colour, amaf=variant)
    search.script([PASS, A], [PASS, B, C, PASS, PASS], 1)
    assert search.amaf() == {PASS: (1, 1), C: (1, 1)}
    assert search.amaf(PASS) == {A: (1, 1), B: (1, 1), PASS: (1, 1)}
    assert search.amaf(PASS, A) == {PASS: (1, 1), C: (1, 1)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_pass_made_before_a_state_does_not_count_in_it(variant: str) -> None:
    """A game that is cut off (max_length, mercy) need not end with passes."""
    search = toy(amaf=variant)
    search.script([PASS, E, A, F], [B, G], 1)
    assert search.amaf() == {PASS: (1, 1), A: (1, 1), B: (1, 1)}
    assert search.amaf(PASS, E) == {A: (1, 1), B: (1, 1)}
    assert search.amaf(PASS, E, A, F) == {B: (1, 1)}


def test_without_a_schedule_there_are_no_amaf_values() -> None:
    search = toy(schedule="none")
    search.script([A, E], [B, F, C], 1)
    assert search.amaf() == search.amaf(A) == search.amaf(A, E) == {}


# --- virtual loss --------------------------------------------------------------------------------------------------


@both_colours
def test_a_virtual_loss_is_a_loss_for_the_side_to_move(colour: int) -> None:
    state = State({A: (4, 0.75, 0, 0.0), B: (1, 0.0, 0, 0.0)}, colour, schedule="none")
    pretend_loss(state.toy.tree, np.int32(ROOT), np.uint64(A), np.uint64(colour), 2.0)
    assert state.values() == pytest.approx({A: 3 / 6, B: 0})
    assert state.toy.tree.states[ROOT, TOTAL] == 7
    assert state.toy.visits() == {A: 4, B: 1}


@both_colours
@pytest.mark.parametrize("is_new", [True, False])
def test_virtual_losses_are_taken_back(is_new: bool, colour: int) -> None:
    """Two threads on one line, backed up one after the other."""
    plain, lossy = toy(colour), toy(colour, virtual_loss=3)
    for search in (plain, lossy):
        search.script([A, E], [B, F], 1, is_new=False)
    lossy.tree.stats[:], lossy.tree.states[:] = plain.tree.stats, plain.tree.states  # a start without losses
    for _ in range(2):
        for depth, p in enumerate([A, E]):
            s, mover = lossy.node(*[A, E][:depth]), colour if depth == 0 else 3 - colour
            pretend_loss(lossy.tree, np.int32(s), np.uint64(p), np.uint64(mover), 3.0)
    assert lossy.mc()[A][0] == 7 and plain.mc()[A][0] == 1
    for search in (plain, lossy):
        search.script([A, E], [C], 0, is_new)
        search.script([A, E], [C, G], 1, is_new)
    for mine, other in zip(plain.tree, lossy.tree, strict=True):
        assert np.array_equal(mine, other)


@both_colours
@pytest.mark.parametrize("config", [{"schedule": "none", "exploration": 1.0}, {"schedule": "minimum-mse", "fpu": 1.0}])
def test_one_thread_sees_no_virtual_loss(config: dict[str, Any], colour: int) -> None:
    game = {
        A: {E: {B: 0.0, C: 1.0}, F: {B: 1.0, C: 0.0}},
        B: {E: {A: 1.0, C: 0.0}, F: {A: 0.0, C: 0.0}},
        C: {E: 0.5, F: {A: 1.0, B: 1.0}},
    }
    plain, lossy = Toy(game, colour, **config), Toy(game, colour, virtual_loss=5, **config)
    assert [plain.simulate() for _ in range(300)] == [lossy.simulate() for _ in range(300)]
    for mine, other in zip(plain.tree, lossy.tree, strict=True):
        assert np.array_equal(mine, other)


# --- beyond the mean -----------------------------------------------------------------------------------------------


@both_colours
@pytest.mark.parametrize("weight", [0.0, 0.25, 1.0])
def test_from_the_mean_to_the_best_reply(weight: float, colour: int) -> None:
    """After A the replies E, F, G are worth 0.9 (twice), 0.3 and 0.6: the best is the lowest for White to reply."""
    outcomes = [(E, 0.9), (E, 0.9), (F, 0.3), (G, 0.6)]
    search = toy(colour, schedule="none", max_weight=weight)
    for reply, z in outcomes:
        search.script([A], [reply, B], z)
    mean, best = (0.9 + 0.9 + 0.3 + 0.6) / 4, 0.3 if colour == BLACK else 0.9
    assert search.mc() == near({A: (4, mean + weight * (best - mean))})
    assert search.mc(A) == near({E: (2, 0.9), F: (1, 0.3), G: (1, 0.6)})
    assert search.wins_of() == pytest.approx((2.7, 4))


def test_max_backup_is_minimax() -> None:
    """With weight 1 the value of a line is that of its best replies all the way down."""
    search = toy(schedule="none", max_weight=1.0)
    for line, z in (([A, E, B], 0.2), ([A, E, C], 0.7), ([A, F, B], 0.9), ([A, F, C], 0.4), ([A, F, C], 0.6)):
        search.script(line[:2], line[2:], z)
    assert search.mc(A, E) == near({B: (1, 0.2), C: (1, 0.7)})
    assert search.mc(A, F) == near({B: (1, 0.9), C: (2, 0.5)})
    assert search.mc(A) == near({E: (2, 0.7), F: (3, 0.9)})  # Black's best after each
    assert search.mc() == near({A: (5, 0.7)})  # White's best, E


# --- progressive pruning -------------------------------------------------------------------------------------------


@both_colours
def test_what_is_pruned(colour: int) -> None:
    """40 wins and losses a move; the error is √(q(1 − q) / 40). Given up: mean + 2 errors below the best less 2."""
    means = {A: 0.9, B: 0.75, C: 0.6, D: 0.0}
    moves = {p: (40, q, 0, 0.0) for p, q in means.items()} | {E: (29, 0.0, 0, 0.0), F: (0, 0.0, 0, 0.0)}
    state = State(moves, colour, schedule="none", pruning=2.0, pruning_after=30)
    tree = state.toy.tree
    squares = tree.stats[ROOT, W].copy()  # z is 0 or 1: z² = z
    prune_moves(tree, squares, state.toy.parameters)
    bounds = {p: (q - 2 * sqrt(q * (1 - q) / 40), q + 2 * sqrt(q * (1 - q) / 40)) for p, q in means.items()}
    given_up = {p for p in means if bounds[p][1] < bounds[A][0]}
    assert given_up == {C, D}  # B: 0.75 + 0.137 > 0.9 − 0.095 > 0.6 + 0.155
    assert {p for p in moves if tree.links[ROOT, CHILD, p] == PRUNED} == given_up
    assert set(np.flatnonzero(tree.links[ROOT, CHILD] == PRUNED)) == given_up


def test_scores_have_a_variance_of_their_own() -> None:
    """Means alike, spreads not: what is certain is given up, what varies is not."""
    moves = {A: (50, 0.6, 0, 0.0), B: (50, 0.55, 0, 0.0), C: (50, 0.55, 0, 0.0)}
    state = State(moves, schedule="none", pruning=1.0, pruning_after=30)
    tree, squares = state.toy.tree, np.zeros(43)
    squares[A], squares[B], squares[C] = 50 * 0.6**2, 50 * 0.55**2, 50 * (0.55**2 + 0.4**2)
    prune_moves(tree, squares, state.toy.parameters)
    assert tree.links[ROOT, CHILD, [A, B, C]].tolist() == [0, PRUNED, 0]


# --- AMAF by distance in time --------------------------------------------------------------------------------------


@both_colours
def test_linear_weights_by_hand(colour: int) -> None:
    """A, E in the tree, then B, F, C: five moves from the root, four from A, three from the new node."""
    search = toy(colour, amaf_weight="linear")
    search.script([A, E], [B, F, C], 1)
    assert search.amaf() == near({A: (2, 1), B: (2 * 3 / 5, 1), C: (2 * 1 / 5, 1)})
    assert search.amaf(A) == near({E: (2, 1), F: (2 * 2 / 4, 1)})
    assert search.amaf(A, E) == near({B: (2, 1), C: (2 * 1 / 3, 1)})
    search.script([A, E], [C, F, B], 0, is_new=False)  # now B is the last move, and C the third
    assert search.amaf() == near({A: (4, 0.5), B: (1.2 + 0.4, 1.2 / 1.6), C: (0.4 + 1.2, 0.4 / 1.6)})


@both_colours
def test_exponential_weights_by_hand(colour: int) -> None:
    search = toy(colour, amaf_weight="exponential", amaf_half_life=4.0)
    search.script([A, E], [B, F, PASS, PASS], 1)
    half = 0.5**0.5
    assert search.amaf() == near({A: (1, 1), B: (half, 1), PASS: (0.5, 1)})
    assert search.amaf(A) == near({E: (1, 1), F: (half, 1), PASS: (0.5, 1)})  # the other side's pass
    assert search.amaf(A, E) == near({B: (1, 1), PASS: (half, 1)})


@pytest.mark.parametrize("weight", ["linear", "exponential"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("is_new", [True, False])
def test_weights_of_random_simulations(variant: str, weight: str, is_new: bool) -> None:
    """The counts are those of equal weights, each play weighed by the formula at its distance."""
    generator = np.random.default_rng(11)
    for _ in range(60):
        colour = int(generator.integers(1, 3))
        moves = [int(p) for p in generator.choice(list(LEGAL), size=generator.integers(3, 14))] + [PASS, PASS]
        depth = int(generator.integers(1, len(moves)))
        search = toy(colour, amaf=variant, amaf_weight=weight, amaf_half_life=7.0)
        search.script(moves[:depth], moves[depth:], 1, is_new)
        for t in range(depth + is_new):
            s = search.node(*moves[:t])
            if moves[:t].count(PASS) == 0 and len(set(moves[:t])) == t:  # a node of its own, met once
                counted = {p: moves[t::2].index(p) * 2 for p in expected_amaf(moves, t, variant, set(LEGAL))}
                left = len(moves) - t
                worth = {p: 2 * (1 - d / left) if weight == "linear" else 0.5 ** (d / 7) for p, d in counted.items()}
                found = {p: n for p, (n, _) in search.amaf(*moves[:t]).items()}
                assert found == pytest.approx(worth), (moves, t, s)
