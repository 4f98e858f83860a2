"""Proven wins and losses: what follows from games that end in the tree, and what becomes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import montego
from montego.go.game import Game
from montego.go.geometry import PASS
from montego.search.config import SearchConfig
from montego.search.proof import back_up_proof, heed_proofs, is_lost, proofs, winner_of
from montego.search.records import CHILD, PROOF, PRUNED
from montego.search.report import best_moves, final_values, make_report
from montego.search.search import Search
from toy_tree import BLACK, ROOT, WHITE, A, B, C, D, State, Toy
from tree_checks import check_tree

both_colours = pytest.mark.parametrize("colour", [BLACK, WHITE])
MOVES = {A: (10, 0.9, 0, 0.0), B: (5, 0.4, 0, 0.0), C: (2, 0.1, 0, 0.0)}


def with_proofs(proven: dict[int, int], colour: int = BLACK) -> State:
    """A state with proofs: +1 a win for the side to move, −1 a loss."""
    state = State(MOVES, colour, schedule="none", fpu=0.5)
    tree = state.toy.tree
    state.toy.tree = tree._replace(links=np.concatenate([tree.links, np.zeros_like(tree.links[:, :1])], axis=1))
    for p, sign in proven.items():
        state.toy.tree.links[ROOT, PROOF, p] = colour if sign > 0 else 3 - colour
    state.toy.parameters.solver = 1
    return state


@both_colours
@pytest.mark.parametrize(
    ("proven", "chosen", "order", "winner"),
    [
        ({}, {A}, [A, B, C], 0),
        ({C: 1}, {C}, [C, A, B], 1),
        ({A: -1}, {B}, [B, C, A], 0),
        ({A: -1, B: -1}, {C}, [C, A, B], 0),
        ({A: -1, B: -1, C: -1}, {A}, [A, B, C], -1),
        ({B: 1, C: 1}, {B, C}, [B, C, A], 1),
    ],
)
def test_choices(proven: dict[int, int], chosen: set[int], order: list[int], winner: int, colour: int) -> None:
    """A proven win at once, a proven loss never, unless all are."""
    state = with_proofs(proven, colour)
    tree, parameters = state.toy.tree, state.toy.parameters
    assert {state.choice() for _ in range(30)} == chosen
    assert best_moves(tree, ROOT, "visits", colour, parameters) == order
    values = final_values(tree, ROOT, colour, parameters)
    expected = [{1: 1, -1: 0}.get(proven.get(p, 0), q) for p, (_, q, *_) in MOVES.items()]
    assert [values[p] for p in MOVES] == pytest.approx(expected)
    assert winner_of(tree, ROOT, colour) == {0: 0, 1: colour, -1: 3 - colour}[winner]
    assert is_lost(tree, np.int64(ROOT), np.uint64(colour)) == (winner == -1)


def test_what_was_given_up_is_not_lost() -> None:
    state = with_proofs({A: -1, B: -1})
    state.toy.tree.links[ROOT, CHILD, C] = PRUNED
    assert not is_lost(state.toy.tree, np.int64(ROOT), np.uint64(BLACK))
    assert winner_of(state.toy.tree, ROOT, BLACK) == 0


def tree_with_line(toy: Toy, line: list[int]) -> None:
    """A game that has ended after these moves."""
    s = ROOT
    for t, p in enumerate(line):
        toy.thread.path[t], toy.thread.moves[t] = s, p
        if t + 1 < len(line):
            if toy.tree.links[s, CHILD, p] <= 0:
                toy.tree.links[s, CHILD, p] = toy.add(toy.game)
            s = int(toy.tree.links[s, CHILD, p])
    toy.thread.depth, toy.thread.made_new = len(line), 0


@both_colours
def test_two_plies_by_hand(colour: int) -> None:
    """After A the other side may pass, which loses, or play B, which loses too once it has been seen."""
    toy = Toy(dict.fromkeys((PASS, A, B), 0.0), colour)
    toy.tree = toy.tree._replace(links=np.concatenate([toy.tree.links, np.zeros_like(toy.tree.links[:, :1])], axis=1))
    toy.parameters.komi = 0.5
    won = 5 if colour == BLACK else -5
    for reply, proven in ((PASS, 0), (B, 0), (A, 1)):
        tree_with_line(toy, [A, reply])
        toy.thread.lead = won
        back_up_proof(toy.tree, toy.thread, toy.parameters)
        assert proofs(toy.tree, ROOT, colour)[A] == proven
        assert proofs(toy.tree, toy.node(A), 3 - colour)[reply] == -1
    tree_with_line(toy, [B, PASS])
    toy.thread.lead = -won  # B loses: the other side's pass wins
    back_up_proof(toy.tree, toy.thread, toy.parameters)
    assert proofs(toy.tree, ROOT, colour)[[A, B, PASS]].tolist() == [1, -1, 0]
    assert proofs(toy.tree, toy.node(B), 3 - colour)[PASS] == 1


def test_draws_prove_nothing() -> None:
    toy = Toy(dict.fromkeys((PASS, A), 0.0))
    toy.tree = toy.tree._replace(links=np.concatenate([toy.tree.links, np.zeros_like(toy.tree.links[:, :1])], axis=1))
    toy.parameters.komi, toy.thread.lead = 3.0, 3
    tree_with_line(toy, [PASS, PASS])
    back_up_proof(toy.tree, toy.thread, toy.parameters)
    assert not toy.tree.links[:, PROOF].any()


SETTLED = """
    . X . O .
    X X . O O
    . X . O .
    X X X O O
    . X X O .
"""


def search_of(game: Game, simulations: int, **config: Any) -> Search:
    search = Search(5, SearchConfig(**{"solver": True, "fpu": 1.0, "exploration": 0.7, **config}), seed=1)
    search.set_position(game)
    search.run(simulations)
    return search


@pytest.mark.parametrize("moves", ["legal", "sensible"])
@pytest.mark.parametrize("rules", ["cgos", "chinese", "aga"])
def test_a_won_game_is_proven(rules: str, moves: str) -> None:
    """Black is ahead, and White has passed: Black's pass wins."""
    game = Game.from_diagram(SETTLED, to_play="white", komi=0.5, rules=rules)
    game.play("pass")
    search = search_of(game, 300, moves=moves)
    assert search.is_proven and search.best() == PASS and search.value_of(PASS)[0] == 1.0
    report = make_report(search, 0.0)
    assert report.moves[0].vertex == "pass" and report.moves[0].proven is True and report.moves[0].mixed == 1.0
    check_tree(search)


def test_a_lost_pass_is_known() -> None:
    """White has passed, and Black is behind: to pass now would lose, once seen never tried again."""
    game = Game.from_diagram(SETTLED, to_play="white", komi=9.5, rules="cgos")
    game.play("pass")
    search = search_of(game, 300)
    proven = proofs(search.tree, search.pool.root, BLACK)
    assert proven[PASS] == -1 and search.value_of(PASS) == (0.0, 1)
    assert search.best() != PASS or search.is_proven


def test_territory_is_not_proven() -> None:
    game = Game.from_diagram(SETTLED, to_play="white", komi=0.5, rules="japanese")
    game.play("pass")
    search = search_of(game, 300)
    assert not search.is_proven and not search.tree.links[:, PROOF].any()


def test_every_proof_holds() -> None:
    """A move proven to win is answered by nothing but losses, down to games that are over."""
    game = Game.from_diagram(SETTLED, komi=0.5, rules="cgos")
    search = search_of(game, 4000, moves="sensible")
    tree, checked = search.tree, 0
    waiting = [(search.pool.root, BLACK, 0)]
    while waiting:
        s, colour, passes = waiting.pop()
        proven = proofs(tree, s, colour)
        for p in np.flatnonzero(tree.links[s, CHILD] >= 0):
            child, over = int(tree.links[s, CHILD, p]), p == PASS and passes == 1
            if proven[p] and not over:
                assert child > 0 and winner_of(tree, child, 3 - colour) == (colour if proven[p] > 0 else 3 - colour)
                checked += 1
            if child > 0:
                waiting.append((child, 3 - colour, passes + 1 if p == PASS else 0))
    assert checked > 5


def test_values_of_other_moves_are_left_alone() -> None:
    state = with_proofs({D: 0})
    values = np.array([0.25] * state.toy.tree.stats.shape[2])
    heed_proofs(state.toy.tree, np.int64(ROOT), values, np.uint64(BLACK))
    assert (values[[A, B, C]] == 0.25).all() and np.isneginf(np.delete(values, [A, B, C])).all()


def test_a_player_passes_at_once_when_it_wins() -> None:
    game = Game.from_diagram(SETTLED, to_play="white", komi=0.5, rules="cgos")
    game.play("pass")
    chosen = montego.player("house", solver=True, simulations=500, seed=2).choose(game)
    assert chosen.vertex == "pass" and chosen.value == 1.0
