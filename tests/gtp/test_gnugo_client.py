"""The client with a real engine, GNU Go."""

from __future__ import annotations

import os

import pytest

from montego import Game
from montego.gtp.client import GtpClient
from montego.gtp.errors import Refused, StartError
from montego.gtp.pipes import find_program


@pytest.fixture
def gnugo() -> str:
    try:
        return find_program("gnugo")
    except StartError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


def test_gnugo(gnugo: str) -> None:
    command = [gnugo, "--mode", "gtp", "--level", "1", "--chinese-rules", "--seed", "1"]
    with GtpClient(command, start_seconds=60, answer_seconds=60, exit_seconds=60) as engine:
        assert engine.name == "GNU Go" and engine.version.startswith("3.")
        assert engine.supports("final_status_list") and not engine.supports("no-such-command")
        engine.boardsize(9)
        engine.clear_board()
        engine.komi(7.5)
        engine.time_settings(600, 0, 0)
        engine.time_left("b", 599.7)
        game = Game(size=9, komi=7.5)
        for colour in "bwbwbw":
            move = engine.genmove(colour)
            assert move not in ("pass", "resign")
            game.play(move)
        free = game.legal_moves()[0]
        game.play(free)
        engine.play("b", free)
        with pytest.raises(Refused, match=r"GNU Go, asked 'play W .*illegal move"):
            engine.play("w", free)
        black = engine.send("list_stones", "black").split()
        assert len(black) == 4 and all(game.at(vertex) == 1 for vertex in black)
    assert engine.returncode == 0


def test_dead_stones(gnugo: str) -> None:
    """Black owns the board but for a lone white stone that cannot live."""
    with GtpClient(f"'{gnugo}' --mode gtp --chinese-rules", start_seconds=60, answer_seconds=60) as engine:
        engine.boardsize(5)
        engine.clear_board()
        engine.komi(0.5)
        for vertex in ("C1", "C2", "C3", "C4", "C5", "D3"):
            engine.play("b", vertex)
        engine.play("w", "A5")
        assert engine.final_status_list("dead") == ["A5"]
        assert sorted(engine.final_status_list("alive")) == ["C1", "C2", "C3", "C4", "C5", "D3"]
        assert engine.final_score() == "B+24.5"
        assert "A5" not in engine.send("showboard") and len(engine.send("showboard").splitlines()) >= 7
