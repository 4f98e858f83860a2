"""RLGO's programs as players: whole games on every board, and a session over GTP."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import montego
from montego.players.presets import PRESETS

RLGO = [name for name in PRESETS if name.startswith("rlgo")]


def test_there_are_three() -> None:
    assert RLGO == ["rlgo-1.0", "rlgo-alpha-beta", "rlgo-2.4"]


@pytest.mark.parametrize("name", RLGO)
def test_they_play_a_whole_game(name: str) -> None:
    game, player = montego.Game(9), montego.player(name, simulations=20, seed=1)
    while not game.is_over:
        game.play(player.choose(game))
        assert len(game.moves) < 300
    assert game.result() != "?" and len(game.moves) > 40


@pytest.mark.parametrize("name", RLGO)
@pytest.mark.parametrize("size", [2, 13, 19])
def test_they_play_on_other_boards(name: str, size: int) -> None:
    """Where no weights are shipped, with the location-independent ones of another board."""
    game, player = montego.Game(size), montego.player(f"{name}:depth=1", simulations=5, seed=1)
    for _ in range(4):
        if not game.is_over:
            game.play(player.choose(game))
    assert len(game.moves) >= 2


SESSION = "boardsize 5\nkomi 2.5\nplay b C3\ngenmove w\ngenmove b\nclear_board\ngenmove b\nfinal_score\nquit\n"


@pytest.mark.parametrize("name", RLGO)
def test_a_session(name: str) -> None:
    command = [sys.executable, "-m", "montego", "gtp", "--preset", name, "--simulations", "200"]
    done = subprocess.run(command, input=SESSION, capture_output=True, text=True, timeout=600)
    answers = [line for line in done.stdout.splitlines() if line]
    assert done.returncode == 0 and len(answers) == 9 and all(answer.startswith("=") for answer in answers)
    assert answers[7][2:3] in "BW0"


PLAIN = """
import montego
for name in ("rlgo-1.0", "rlgo-alpha-beta:depth=2", "rlgo-2.4"):
    game, player = montego.Game(3), montego.player(name, simulations=3, seed=1, memory=1)
    for _ in range(4):
        game.play(player.choose(game))
    print([move.vertex for move in game.moves])
"""


def test_the_same_moves_without_compiling() -> None:
    found = []
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "error", "-c", PLAIN]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        found.append(done.stdout)
    assert found[0] == found[1] and len(found[0].splitlines()) == 3
