"""The bias of AMAF values: the estimate against simulated moves of known bias, by phase, and in a search."""

from __future__ import annotations

import numpy as np
import pytest

from montego.go.game import Game
from montego.lab.bias import factors, measure, table
from montego.search.bias import MEASURED, PHASES, Bias, amaf_bias, squared_biases
from montego.search.config import SearchConfig
from montego.search.records import CHILD, SIMULATIONS, VISITS
from montego.search.search import Search

MOVES = 20_000


@pytest.mark.parametrize("bias", [0.0, 0.05, 0.2])
def test_the_estimate_finds_a_known_bias(bias: float) -> None:
    """Moves of value Q whose later plays win by ± bias more or less often; a third of Ñ are the move's own."""
    generator = np.random.default_rng(1)
    q = generator.uniform(0.3, 0.7, MOVES)
    r = q + generator.choice([-1, 1], MOVES) * bias
    n, later = 100, 200
    w, later_w = generator.binomial(n, q), generator.binomial(later, np.clip(r, 0, 1))
    stats = np.array([np.full(MOVES, float(n)), w, np.full(MOVES, float(n + later)), w + later_w])
    found = squared_biases(stats, np.full(MOVES, n), least=100)
    assert found.moves == MOVES
    assert found.total / MOVES == pytest.approx((bias * later / (n + later)) ** 2, abs=1e-4)
    assert found.bias == pytest.approx(bias * 2 / 3, abs=0.01)


def test_only_moves_with_enough_simulations_count() -> None:
    stats = np.array([[50.0, 100.0, 100.0], [25.0, 50.0, 50.0], [500.0, 150.0, 300.0], [250.0, 75.0, 250.0]])
    visits = np.array([50, 100, 100])
    found = squared_biases(stats, visits, least=100)
    assert found.moves == 1
    q, amaf_q, r = 0.5, 250 / 300, 1.0
    chance = (200 / 300) ** 2 * (q * (1 - q) / 100 + r * (1 - r) / 200)
    assert found.total == pytest.approx((amaf_q - q) ** 2 - chance)
    assert Bias(0, 0.0).bias is None and Bias(3, -1.0).bias == 0.0


def test_roots_and_all_below() -> None:
    search = Search(5, SearchConfig(fpu=1.0), seed=2)
    search.set_position(Game(5, komi=0.5))
    search.run(3000)
    root, below = amaf_bias(search.tree, search.pool.root, 50)
    tree = search.tree
    assert root == squared_biases(tree.stats[search.pool.root], tree.links[search.pool.root, VISITS], 50)
    deep = [s for s in range(tree.states.shape[0]) if tree.states[s, SIMULATIONS] and s != search.pool.root]
    moves = sum(squared_biases(tree.stats[s], tree.links[s, VISITS], 50).moves for s in deep)
    assert root.moves > 0 and below.moves == moves > 0
    assert (tree.links[search.pool.root, CHILD] > 0).any()


def test_phases() -> None:
    game = Game(9)
    assert MEASURED.phase(game) == "opening"
    points = [v for v in game.legal_moves() if v != "pass"][::2]
    seen = []
    for vertex in points:
        game.play(vertex)
        seen.append(MEASURED.phase(game))
    first = {phase: seen.index(phase) + 1 for phase in ("middle", "ending")}
    assert first == {"middle": int(np.ceil(0.2 * 81)), "ending": int(np.ceil(0.5 * 81))}
    assert all(getattr(MEASURED, phase) > 0 for phase in PHASES) and MEASURED.provenance


def test_a_search_takes_the_bias_of_its_phase() -> None:
    game = Game(5, komi=0.5)
    for by, factor in (("constant", 1.0), ("phase", MEASURED.opening)):
        search = Search(5, SearchConfig(bias=0.01, bias_by=by))
        search.set_position(game)
        assert search.parameters.bias == pytest.approx(0.01 * factor)
    late = Game.from_diagram("X X X X X\nX X X X X\nX X . O O\nO O O O O\nO . O . O", komi=0.5)
    search.set_position(late)
    assert search.parameters.bias == pytest.approx(0.01 * MEASURED.ending)
    search.set_position(game)
    assert search.parameters.bias == pytest.approx(0.01 * MEASURED.opening)


@pytest.mark.parametrize("preset", ["mogo-2007", "house"])
def test_measuring(preset: str) -> None:
    said: list[str] = []
    found = measure(5, 1, 1500, preset, say=said.append)
    assert set(found) == {(phase, depth) for phase in PHASES for depth in ("root", "below")}
    assert sum(bias.moves for bias in found.values()) > 0
    assert said == ["1 of 1 games", *table(found)] and len(table(found)) == 4


def test_factors() -> None:
    """√ of the ratio of mean squares; a phase of which nothing is known has the mean of all."""
    nothing = Bias(0, 0.0)
    found = {(phase, depth): nothing for phase in PHASES for depth in ("root", "below")}
    assert factors(found) == dict.fromkeys(PHASES, 1.0)
    found |= {
        ("opening", "root"): Bias(10, 0.4),
        ("opening", "below"): Bias(30, 1.2),
        ("middle", "root"): Bias(40, 6.4),
    }
    whole = (8.0 / 80) ** 0.5
    assert factors(found) == pytest.approx({"opening": 0.2 / whole, "middle": 0.4 / whole, "ending": 1.0})
