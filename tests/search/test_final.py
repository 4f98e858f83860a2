"""The move chosen in the end: by value, by visits, by a lower confidence bound."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import pytest

from montego.go.game import Game
from montego.search.config import SearchConfig
from montego.search.report import best_moves, lower_bounds
from montego.search.search import Search
from toy_tree import BLACK, ROOT, WHITE, A, B, C, D, State

both_colours = pytest.mark.parametrize("colour", [BLACK, WHITE])

# N, Q for the side to move: A most visits, B a higher value with fewer, C the highest with very few, D untried.
MOVES = {A: (1000, 0.50, 0, 0.0), B: (300, 0.60, 0, 0.0), C: (20, 0.90, 0, 0.0), D: (0, 0.0, 0, 0.0)}


def bound(n: float, q: float, errors: float) -> float:
    mean = (n * q + 0.5) / (n + 1)
    return q - errors * sqrt(mean * (1 - mean) / n)


def chosen(state: State, final: str) -> list[int]:
    toy = state.toy
    return [p for p in best_moves(toy.tree, ROOT, final, state.colour, toy.parameters) if p in MOVES]


@both_colours
def test_the_three_choices(colour: int) -> None:
    state = State(MOVES, colour, schedule="none", final_errors=2.0, final_share=0.1)
    assert chosen(state, "value") == [C, B, A, D]
    assert chosen(state, "visits") == [A, B, C, D]
    assert chosen(state, "lower-bound") == [B, A, C, D]


@both_colours
@pytest.mark.parametrize(
    ("config", "order"),
    [
        ({"final_errors": 2.0, "final_share": 0.0}, [C, B, A, D]),  # 0.90 less 2 errors is still 0.75
        ({"final_errors": 7.5, "final_share": 0.0}, [B, A, C, D]),  # less 7.5 errors 0.36
        ({"final_errors": 40.0, "final_share": 0.0}, [A, B, C, D]),
        ({"final_errors": 0.0, "final_share": 0.5}, [A, B, C, D]),  # A alone has its share; the others by visits
        ({"final_errors": 0.0, "final_share": 0.3}, [B, A, C, D]),
        ({"final_errors": 0.0, "final_share": 0.02}, [C, B, A, D]),
    ],
)
def test_errors_and_share(config: dict[str, Any], order: list[int], colour: int) -> None:
    state = State(MOVES, colour, schedule="none", **config)
    bounds = lower_bounds(state.toy.tree, ROOT, colour, state.toy.parameters)
    for p, (n, q, *_) in MOVES.items():
        enough = n > 0 and n >= config["final_share"] * 1000
        assert bounds[p] == pytest.approx(bound(n, q, config["final_errors"]) if enough else -inf)
    assert chosen(state, "lower-bound") == order


def test_sure_wins_are_not_all_alike() -> None:
    """100 of 100 is surer than 10 of 10."""
    state = State({A: (10, 1.0, 0, 0.0), B: (100, 1.0, 0, 0.0)}, schedule="none", final_share=0.05)
    assert best_moves(state.toy.tree, ROOT, "lower-bound", BLACK, state.toy.parameters)[0] == B


def test_a_search_goes_by_it() -> None:
    """Whatever the search finds, its choice has the highest bound among the moves with their share of visits."""
    search = Search(5, SearchConfig(final="lower-bound", exploration=0.5, fpu=1.0), seed=3)
    search.set_position(Game(5, komi=0.5))
    for _ in range(5):
        search.run(100)
        bounds = lower_bounds(search.tree, search.pool.root, 1, search.parameters)
        assert bounds[search.best()] == bounds.max() > -inf
