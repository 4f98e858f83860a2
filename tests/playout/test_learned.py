"""Policies from a learned value: each plays its formula, computed here from the value of every afterstate."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mogo_oracle as oracle
from learned_weights import random_value, weights_file
from montego.go.errors import MontegoError, PolicyError
from montego.go.facts import captures
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.players.playout import PlayoutPlayer
from montego.playout import PlayoutConfig, Reason, simulate, trace
from montego.playout.loop import longest
from montego.playout.parts import LEARNED

Values = dict[str, float]


def learned(policy: str, size: int, randomness: float = 0.1) -> PlayoutConfig:
    return PlayoutConfig(policy, randomness=randomness, weights=weights_file(size))


def sensible(game: Game) -> set[str]:
    names = geometry(game.size)
    ko = names.row_column(names.parse(game.ko)) if game.ko else None
    points = oracle.sensible_moves(game.stones.tolist(), game.to_play, ko)
    return {vertex for vertex in game.legal_moves() if names.row_column(names.parse(vertex)) in points}


def values_of(game: Game) -> Values:
    """Q of every sensible move, for the side to move."""
    found = random_value(game.size).afterstates(game)
    return {v: found[v] if game.to_play == 1 else 1 - found[v] for v in sorted(sensible(game))}


# --- the formulas -----------------------------------------------------------------------------------------------


def epsilon_greedy(values: Values, epsilon: float) -> Values:
    best = [v for v, q in values.items() if q > max(values.values()) - 1e-6]
    return {v: epsilon / len(values) + (1 - epsilon) * (v in best) / len(best) for v in values}


def noisy_greedy(values: Values, sigma: float) -> Values:
    """Pr(Q_i + η_i is the greatest) = ∫ φ(x) Π_{j≠i} Φ(x + (Q_i − Q_j) / σ) dx."""
    x = np.linspace(-8, 8, 4001)
    cumulative = np.vectorize(lambda y: (1 + math.erf(y / 2**0.5)) / 2)
    density = np.exp(-x * x / 2) / (2 * math.pi) ** 0.5
    found = {}
    for v, q in values.items():
        others = [cumulative(x + (q - r) / sigma) for w, r in values.items() if w != v]
        found[v] = float((density * np.prod(others, axis=0)).sum() * (x[1] - x[0]))
    return found


def softmax(values: Values, tau: float) -> Values:
    weights = {v: math.exp(q / tau) for v, q in values.items()}
    return {v: w / sum(weights.values()) for v, w in weights.items()}


FORMULAS = {"rlgo-epsilon": epsilon_greedy, "rlgo-sigma": noisy_greedy, "rlgo-tau": softmax}


def agree(counts: Counter[str], expected: Values, trials: int) -> bool:
    """A χ² test; what is expected less than five times is put together."""
    assert sum(expected.values()) == pytest.approx(1, abs=1e-6) and set(counts) <= set(expected)
    rare = {v for v, p in expected.items() if p * trials < 5}
    cells = [(counts[v], p * trials) for v, p in expected.items() if v not in rare]
    cells.append((sum(counts[v] for v in rare), sum(expected[v] for v in rare) * trials))
    chi_squared = sum((seen - wanted) ** 2 / max(wanted, 1.0) for seen, wanted in cells)
    return chi_squared < len(cells) + 5 * (2 * len(cells)) ** 0.5


CAPTURES = "O O . X .\n X X O . .\n O . X O .\n O X . X .\n . O X . ."
POSITIONS = {
    "opening": Game(5),
    "captures": Game.from_diagram(CAPTURES),
    "captures of White": Game.from_diagram(CAPTURES, to_play="white"),
    "eyes": Game.from_diagram(". X . . .\n X X . O .\n . X O . .\n X X . . O\n . X . O ."),
    "ko": Game.from_diagram(". X O . .\n X . X O .\n . X O . .\n . . . . .\n . . . . .", to_play="white"),
}
POSITIONS["ko"].play("B4")


@pytest.mark.parametrize("randomness", [0.05, 0.3])
@pytest.mark.parametrize("policy", LEARNED)
@pytest.mark.parametrize("name", POSITIONS)
def test_moves_are_as_likely_as_the_formula_says(name: str, policy: str, randomness: float) -> None:
    game, trials = POSITIONS[name], 4000
    player = PlayoutPlayer(learned(policy, 5, randomness), seed=11)
    counts = Counter(player.choose(game).vertex for _ in range(trials))
    expected = FORMULAS[policy](values_of(game), randomness)
    assert agree(counts, expected, trials), (counts, expected)


def test_the_positions_show_what_they_should() -> None:
    for game in POSITIONS.values():
        values = values_of(game).values()
        assert len(values) > 3 and max(values) - min(values) > 0.05
    assert sensible(POSITIONS["eyes"]) == set(POSITIONS["eyes"].legal_moves()) - {"A5", "A3", "A1"}
    assert POSITIONS["ko"].ko == "C4" and "C4" not in sensible(POSITIONS["ko"])
    for name in ("captures", "captures of White"):
        game = POSITIONS[name]
        takes = [captures(game, vertex, game.to_play) for vertex in sensible(game)]
        assert max(takes) >= 2 and min(takes) == 0


# --- playouts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", LEARNED)
@pytest.mark.parametrize(("size", "games"), [(3, 4), (5, 4), (9, 1), (13, 1)])
def test_playouts_are_games(policy: str, size: int, games: int) -> None:
    """Every move is sensible, a pass is the last resort, and the end is counted right."""
    for seed in range(games):
        game, played = Game(size, komi=0, rules="chinese"), trace(Game(size), learned(policy, size), seed=seed)
        for move in played.moves:
            moves = sensible(game)
            assert (move.vertex in moves) if moves else move.vertex == "pass", f"{move}\n{game}"
            assert (move.reason is Reason.PASS) == (move.vertex == "pass")
            assert move.reason in (Reason.PASS, Reason.VALUE) or policy == "rlgo-epsilon"
            game.play(move.vertex)
        assert game.is_over and game.score().lead == played.lead


@pytest.mark.parametrize("policy", LEARNED)
def test_even_a_forced_cycle_ends(policy: str) -> None:
    """The same captures seem best again and again."""
    assert max(len(trace(Game(2), learned(policy, 2), seed=seed).moves) for seed in range(20)) <= longest(2)


@pytest.mark.parametrize("policy", ["rlgo-epsilon", "rlgo-sigma"])
def test_without_randomness_play_is_greedy(policy: str) -> None:
    """Through captures too: the record that follows the board never loses its way."""
    for seed in range(3):
        game = Game(5)
        for move in trace(Game(5), learned(policy, 5, 0.0), seed=seed).moves:
            if move.vertex != "pass":
                values = values_of(game)
                assert move.reason is Reason.VALUE and values[move.vertex] > max(values.values()) - 1e-6
            game.play(move.vertex)
        assert game.captured("black") + game.captured("white") > 0


def test_with_epsilon_1_play_is_random() -> None:
    summary = simulate(Game(9, komi=0), 3000, learned("rlgo-epsilon", 9, 1.0), reasons=True)
    assert summary.reasons is not None and summary.reasons[Reason.VALUE] == 0
    assert abs(summary.mean_length - 111) <= 2 and abs(summary.mean_lead - 2.1) <= 3


@pytest.mark.parametrize("policy", LEARNED)
def test_seeds_decide(policy: str) -> None:
    config = learned(policy, 5)
    game = POSITIONS["captures"]
    assert trace(game, config, seed=3) == trace(game, config, seed=3) != trace(game, config, seed=4)
    results = [simulate(game, 40, config, seed=seed) for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]
    single = simulate(game, 1, config, seed=4, reasons=True)
    assert single.mean_length == len(trace(game, config, seed=4).moves)
    first, again = ([player.choose(game) for _ in range(9)] for player in (PlayoutPlayer(config, 2) for _ in "ab"))
    assert first == again


def test_length_cap_and_mercy() -> None:
    config = learned("rlgo-tau", 9)
    assert simulate(Game(9), 20, replace(config, max_length=30)).mean_length == 30
    full, merciful = simulate(Game(9), 200, config), simulate(Game(9), 200, replace(config, mercy=15))
    assert merciful.mean_length < full.mean_length - 3


PLAIN = """
import json
from montego.go.game import Game
from montego.playout import PlayoutConfig, trace
found = []
for policy in ("rlgo-epsilon", "rlgo-sigma", "rlgo-tau"):
    for size in (3, 5):
        config = PlayoutConfig(policy, randomness=0.15, weights={weights!r})
        played = trace(Game(size), config, seed=size)
        found.append([[move.vertex for move in played.moves], played.lead])
print(json.dumps(found))
"""


def test_the_same_playouts_without_compiling() -> None:
    code = PLAIN.format(weights=weights_file(5))
    found = []
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "error", "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert found[0] == found[1]
    assert all(len(moves) > 5 for moves, _ in found[0])


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "wrong"),
    [("rlgo-epsilon", 1.01), ("rlgo-sigma", -0.1), ("rlgo-tau", 0.0), ("rlgo-tau", math.nan), ("mogo", "0.1")],
)
def test_impossible_randomness(policy: str, wrong: object) -> None:
    with pytest.raises(PolicyError, match=f"randomness is .*; accepted: a number from .* for the policy {policy}"):
        PlayoutConfig(policy, randomness=wrong)  # type: ignore[arg-type]


def test_weights_that_are_not_there(tmp_path: Path) -> None:
    for wrong in (None, "", 3):
        with pytest.raises(PolicyError, match=r"weights is .*; accepted: shipped, none, or the path of a file"):
            PlayoutConfig(weights=wrong)  # type: ignore[arg-type]
    config = PlayoutConfig("rlgo-tau", weights=str(tmp_path / "none.npz"))
    for use in (simulate, trace):
        with pytest.raises(MontegoError, match=r"there is no file of weights .*none.npz"):
            use(Game(5), config=config)
    with pytest.raises(MontegoError, match="there is no file of weights"):
        PlayoutPlayer(config).choose(Game(5))
    assert simulate(Game(5), 5, PlayoutConfig("mogo", weights=str(tmp_path / "none.npz"))).playouts == 5
