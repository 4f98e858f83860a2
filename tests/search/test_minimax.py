"""UCT's values converge to minimax values (G&S11 §2.5) on game trees of depth 3 with known outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from toy_tree import BLACK, PASS, WHITE, A, B, C, D, E, F, G, Toy

# Black, White, Black. Averages mislead: A is the best on average, B by minimax.
GAME = {
    A: {E: {C: 0.9, D: 1.0}, F: {C: 0.8, D: 0.9}, G: {C: 0.1, D: 0.2}},
    B: {E: {C: 0.6, D: 0.1}, F: {C: 0.0, D: 0.7}, G: {C: 0.65, D: 0.0}},
    PASS: {E: {C: 0.3, D: 0.2}, F: {C: 0.4, D: 0.5}},
}
MINIMAX = {A: 0.2, B: 0.6, PASS: 0.3}
LINE = [B, E, C]


def minimax(game: Any, black: bool = True) -> float:
    if not isinstance(game, dict):
        return float(game)
    values = [minimax(after, not black) for after in game.values()]
    return max(values) if black else min(values)


def mean(game: Any) -> float:
    return float(np.mean([mean(after) for after in game.values()])) if isinstance(game, dict) else float(game)


def mirrored(game: Any) -> Any:
    return {p: mirrored(after) for p, after in game.items()} if isinstance(game, dict) else 1 - game


def coins(game: Any, generator: np.random.Generator) -> Any:
    """The same tree with wins and losses instead of values."""
    if isinstance(game, dict):
        return {p: coins(after, generator) for p, after in game.items()}
    return lambda: float(generator.random() < game)


def test_the_tree_is_what_it_says() -> None:
    assert {p: minimax(after, black=False) for p, after in GAME.items()} == MINIMAX
    assert max(GAME, key=lambda p: mean(GAME[p])) == A


def random_default(seed: int) -> Any:
    generator = np.random.default_rng(seed)
    return lambda game: int(generator.choice(list(game)))


@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize("leaves", ["fixed", "Bernoulli"])
def test_convergence(leaves: str, colour: int) -> None:
    game = GAME if colour == BLACK else mirrored(GAME)
    if leaves == "Bernoulli":
        game = coins(game, np.random.default_rng(5))
    search = Toy(game, colour, default=random_default(2), schedule="none", exploration=0.5)
    search.simulate(8000)
    value, q = search.wins_of()[0] / 8000, search.mc()[B][1]
    assert (value if colour == BLACK else 1 - value) == pytest.approx(0.6, abs=0.03)
    assert (q if colour == BLACK else 1 - q) == pytest.approx(0.6, abs=0.02)
    line: list[int] = []
    while len(line) < 3:
        visits = search.visits(*line)
        line.append(max(visits, key=visits.__getitem__))
    assert line == LINE


def test_greedy_search_may_never_find_it() -> None:
    """What UCT's bonus is for: without it a first bad outcome is final."""
    game = {A: {E: 0.5}, B: {E: {C: 0.0, D: 1.0}, F: {C: 0.0, D: 1.0}}}
    greedy, uct = (Toy(game, schedule="none", exploration=c) for c in (0.0, 0.5))
    greedy.simulate(2000)
    uct.simulate(2000)
    assert greedy.visits() == {A: 1999, B: 1}
    assert uct.visits()[B] > 1800
