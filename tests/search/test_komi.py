"""Dynamic komi: how it is shifted, when it is not, and that what is shown is by the komi of the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from montego.go.game import Game
from montego.search.config import SearchConfig
from montego.search.komi import ENOUGH, Past, handicap_of, komi_shift, played
from montego.search.records import SIMULATIONS, WON
from montego.search.report import make_report
from montego.search.search import Search

BLACK, WHITE = 1, 2


def linear(**config: Any) -> SearchConfig:
    return SearchConfig(**{"dynamic_komi": "linear", "fpu": 1.0, **config})


def by_value(**config: Any) -> SearchConfig:
    return SearchConfig(**{"dynamic_komi": "value", "fpu": 1.0, **config})


def handicap_game(stones: int, komi: float = 0.5, **settings: Any) -> Game:
    game = Game(9, komi=komi, **settings)
    game.place_free_handicap(stones)
    return game


def after(game: Game, moves: int) -> Game:
    """The game after some moves, one beside another."""
    points = [v for v in game.legal_moves() if v != "pass"]
    for vertex in points[::2][:moves]:
        game.play(vertex)
    return game


def test_linear_falls_to_nothing() -> None:
    game = handicap_game(4)
    assert komi_shift(game, linear(), None) == round(4 * 7 * (1 - 4 / 81 / 0.5))
    shifts = [komi_shift(after(handicap_game(4), moves), linear(), None) for moves in (0, 10, 20, 30)]
    assert shifts == sorted(shifts, reverse=True) and shifts[0] > shifts[2] > 0
    last = after(handicap_game(4), 37)
    assert played(last) > 0.5 and komi_shift(last, linear(), None) == 0
    assert komi_shift(game, linear(komi_per_stone=0.0), None) == 0
    assert komi_shift(game, linear(komi_until=0.0), None) == 0


def test_handicaps_that_come_as_moves() -> None:
    game = Game(9, komi=0.5)
    assert handicap_of(game) == 0
    game.play("E5")
    assert handicap_of(game) == 0  # an even game
    game.play("C3", "black")
    assert handicap_of(game) == 2
    game.play("G7", "black")
    game.play("G3")
    assert handicap_of(game) == 3
    assert komi_shift(game, linear(), None) == round(21 * (1 - 4 / 81 / 0.5))


@pytest.mark.parametrize(
    ("past", "shift"),
    [
        (Past(0, 1000, 0.47, BLACK, 20.0), 0),  # within the band
        (Past(0, 1000, 0.90, BLACK, 20.0), 2),  # Black is too well off: White gets more
        (Past(6, 1000, 0.90, BLACK, 20.0), 8),
        (Past(6, 1000, 0.10, BLACK, 20.0), 4),
        (Past(6, 1000, 0.90, WHITE, 20.0), 4),
        (Past(6, 1000, 0.10, WHITE, 20.0), 8),
        (Past(6, ENOUGH - 1, 0.10, WHITE, 20.0), 6),  # too few simulations to tell
        (Past(6, 1000, 0.10, WHITE, 7.9), 7),  # never beyond the lead
        (Past(6, 1000, 0.10, WHITE, -3.0), 0),  # nor to the side that is behind
        (Past(-6, 1000, 0.90, WHITE, -20.0), -8),
        (Past(-6, 1000, 0.90, WHITE, -7.2), -7),
    ],
)
def test_by_value(past: Past, shift: int) -> None:
    game = Game(9)
    assert komi_shift(game, by_value(komi_step=2), past) == shift
    assert komi_shift(game, by_value(komi_step=2), None) == 0
    assert komi_shift(after(Game(9), 41), by_value(komi_step=2), past) == 0  # half of the board is full


def test_off_it_is_off() -> None:
    search = Search(9, SearchConfig())
    search.set_position(handicap_game(5, rules="chinese"))
    assert search.komi_shift == 0 and search.parameters.komi == search.parameters.real_komi == 5.5


def test_values_are_shown_by_the_komi_of_the_rules() -> None:
    """White gives four stones: even with the shift, and hopeless without it, which is what the report says."""
    game = handicap_game(4, rules="cgos")
    search = Search(9, linear(komi_per_stone=14.0), seed=3)
    search.set_position(game)
    search.run(400)
    assert search.komi_shift > 20
    shifted = 1 - search.tree.states[search.pool.root, WON] / search.tree.states[search.pool.root, SIMULATIONS]
    real = search.real_value()
    assert real is not None and real < shifted - 0.2
    report = make_report(search, 0.0)
    assert report.komi_shift == search.komi_shift and report.value == pytest.approx(real)
    tried = [move for move in report.moves if move.visits]
    assert sum(move.visits for move in tried) == 400
    assert sum(move.visits * (move.value or 0.0) for move in tried) / 400 == pytest.approx(real)
    best = search.best()
    assert search.value_of(best)[0] == pytest.approx(search.real_value(best))
    assert report.lead is not None  # by the komi of the rules too
    n, leads, _ = search.leads()
    assert report.lead == pytest.approx((n * leads).sum() / n.sum()) and report.lead < 0


def test_without_a_shift_both_values_are_the_same() -> None:
    search = Search(5, by_value(), seed=1)
    search.set_position(Game(5, komi=2.5))
    search.run(300)
    state = search.tree.states[search.pool.root]
    assert search.komi_shift == 0 and search.real_value() == pytest.approx(state[WON] / state[SIMULATIONS])


def test_from_move_to_move() -> None:
    """Black is far ahead: the komi rises step by step; the tree is kept only while it stays the same."""
    game = Game(9, komi=-30.5)
    search = Search(9, by_value(komi_step=3), seed=2)
    shifts, kept = [], []
    for vertex in ("E5", "C3", "G7", "G3"):
        search.set_position(game)
        shifts.append(search.komi_shift)
        kept.append(search.simulations)
        search.run(300)
        game.play(vertex)
    assert shifts == [0, 3, 6, 9] and kept == [0] * 4
    search.set_position(game)
    search.set_position(game)  # again: nothing changes
    assert search.komi_shift == 12
    search.run(200)
    search.set_position(game)
    assert search.komi_shift == 12 and search.simulations == 200
    game.undo(2)
    search.set_position(game)  # not the game going on
    assert search.komi_shift == 0


def test_the_same_games_the_same_trees() -> None:
    made = []
    for _ in range(2):
        search, game = Search(9, by_value(komi_step=3), seed=2), Game(9, komi=-30.5)
        for vertex in ("E5", "C3"):
            search.set_position(game)
            search.run(200)
            game.play(vertex)
        made.append((search.komi_shift, search.tree.stats[search.pool.root].copy()))
    assert made[0][0] == made[1][0] and np.array_equal(made[0][1], made[1][1])


def test_nothing_is_proven_with_another_komi() -> None:
    search = Search(9, linear(solver=True))
    search.set_position(handicap_game(4, rules="cgos"))
    assert search.komi_shift and search.parameters.solver == 0
    search.set_position(Game(9, komi=0.5, rules="cgos"))
    assert not search.komi_shift and search.parameters.solver == 1


def test_trees_that_share_the_root_share_the_komi() -> None:
    search = Search(9, linear(parallel="root"), threads=2)
    search.set_position(handicap_game(3))
    assert search.komi_shift > 0 and {twin.komi_shift for twin in search.twins} == {search.komi_shift}
