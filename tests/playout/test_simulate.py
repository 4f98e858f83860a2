"""Playouts: what comes out on request agrees with the trace, and the options do what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from montego.go.errors import PolicyError
from montego.go.game import Game
from montego.playout import PlayoutConfig, Reason, simulate, trace
from montego.playout.loop import longest

GOLDEN = Path(__file__).parents[1] / "golden" / "playouts.json"


def golden() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return found


def replayed(entry: dict[str, Any]) -> dict[str, Any]:
    """The playout an entry describes, played anew, in the form it is stored in."""
    game = Game(entry["size"])
    for vertex in entry["start"]:
        game.play(vertex)
    played = trace(game, PlayoutConfig(entry["policy"]), seed=entry["seed"])
    moves = " ".join(f"{move.vertex}:{move.reason.name[0]}" for move in played.moves)
    return {**entry, "moves": moves, "lead": played.lead}


@pytest.mark.parametrize("entry", golden(), ids=lambda e: f"{e['policy']}-{e['size']}-{e['seed']}")
def test_golden_traces(entry: dict[str, Any]) -> None:
    assert replayed(entry) == entry


def test_golden_traces_without_compiling() -> None:
    """The same source as plain Python, warnings as errors, gives the same games."""
    here = Path(__file__)
    code = (
        f"import sys; sys.path.insert(0, {str(here.parent)!r})\n"
        "import test_simulate as t\n"
        "from montego import _jit\n"
        "assert not _jit.COMPILED and 'numba' not in sys.modules\n"
        "assert [t.replayed(e) for e in t.golden()] == t.golden()\n"
        "print(len(t.golden()))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 20


@pytest.mark.parametrize("policy", ["uniform", "mogo"])
def test_the_trace_is_the_game(policy: str) -> None:
    """Replayed move by move under the rules, the trace ends in the area its lead says."""
    for seed in range(30):
        played = trace(Game(7), PlayoutConfig(policy), seed=seed)
        game = Game(7, komi=0)
        first: dict[str, int] = {}
        for move in played.moves:
            assert move.colour == game.to_play
            game.play(move.vertex)
            if move.vertex != "pass":
                first.setdefault(move.vertex, move.colour)
        assert game.is_over and game.score().lead == played.lead
        assert first == played.first_plays


def test_statistics_agree_with_single_playouts() -> None:
    game, config = Game(5, komi=2.5), PlayoutConfig("mogo")
    summary = simulate(game, 300, config, seed=4, reasons=True, ownership=True)
    plain = simulate(game, 300, config, seed=4)
    assert (summary.mean_length, summary.mean_lead, summary.black_wins, summary.lead_deviation) == (
        plain.mean_length,
        plain.mean_lead,
        plain.black_wins,
        plain.lead_deviation,
    )
    assert plain.reasons is None and plain.ownership is None
    assert summary.reasons is not None and summary.ownership is not None
    assert sum(summary.reasons.values()) == round(summary.mean_length * 300)
    assert summary.ownership.shape == (5, 5)
    assert summary.ownership.sum() == pytest.approx(summary.mean_lead)
    single = simulate(game, 1, config, seed=4, reasons=True)
    moves = trace(game, config, seed=4).moves
    assert single.reasons == {reason: Counter(m.reason for m in moves)[reason] for reason in Reason}
    assert single.mean_length == len(moves)


def fields(game: Game) -> dict[str, Any]:
    board = game.board[0]
    return {name: np.asarray(board[name]).tolist() for name in board.dtype.names}


def test_the_game_is_untouched_and_seeds_decide() -> None:
    game = Game(9)
    for vertex in ("D4", "E5", "pass", "C3"):
        game.play(vertex)
    before = (fields(game), game.moves)
    results = [simulate(game, 50, seed=seed) for seed in (1, 1, 2)]
    assert (fields(game), game.moves) == before
    assert results[0] == results[1] != results[2]


def test_winner_counts_komi_handicap_and_draws() -> None:
    game = Game.from_diagram(". X .\nX X X\nX X X", to_play="white", komi=9)  # two eyes: Black owns the board
    assert simulate(game, 10).black_wins == 0.5
    game.komi = 8.5
    assert simulate(game, 10).black_wins == 1.0
    game.komi = 9.5
    assert simulate(game, 10).black_wins == 0.0
    even, handicap = Game(9, komi=0.5), Game(9, komi=0.5)
    handicap.place_fixed_handicap(4)
    assert simulate(handicap, 2000).black_wins > simulate(even, 2000).black_wins


def test_length_cap_and_mercy() -> None:
    game = Game(9)
    assert simulate(game, 20, PlayoutConfig("uniform", max_length=30)).mean_length == 30
    full = simulate(game, 500, PlayoutConfig("uniform"))
    merciful = simulate(game, 500, PlayoutConfig("uniform", mercy=20))
    assert merciful.mean_length < full.mean_length - 3
    assert abs(merciful.black_wins - full.black_wins) < 0.1
    assert simulate(game, 500, PlayoutConfig("uniform", mercy=81)).mean_length == full.mean_length


def test_even_a_forced_cycle_ends() -> None:
    """Two sides that can only take ko after ko: simple ko alone would let them go on for ever."""
    for size in (2, 3):
        for seed in range(200):
            assert len(trace(Game(size), PlayoutConfig("mogo"), seed=seed).moves) <= longest(size)


def test_bad_settings_are_refused() -> None:
    for wrong in ("no-such", "", None, 3):
        with pytest.raises(PolicyError, match="accepted: uniform, mogo"):
            PlayoutConfig(wrong)  # type: ignore[arg-type]
    for field in ("max_length", "mercy"):
        for value in (-1, 1.5, True, "3", 1 << 40):
            with pytest.raises(PolicyError, match=f"{field} is"):
                PlayoutConfig(**{field: value})  # type: ignore[arg-type]
    for count in (0, -5, 2.5, True, None, 1 << 60):
        with pytest.raises(PolicyError, match="accepted"):
            simulate(Game(5), count)  # type: ignore[arg-type]
    assert simulate(Game(5), np.int64(3)).playouts == 3
