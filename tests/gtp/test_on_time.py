"""No game is lost on time, not even on a machine that is busy with other things."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from gtp.referee import MONTEGO, play_game
from montego.go.board import BLACK, WHITE
from montego.go.game import Game
from montego.gtp.client import GtpClient


@pytest.fixture
def busy() -> Iterator[None]:
    """Another process on each of two cores."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    yield
    for other in others:
        other.kill()
        other.wait()


def games(size: int, seconds: float, count: int) -> None:
    with GtpClient(MONTEGO, 60, 300) as one, GtpClient(MONTEGO, 60, 300) as other:
        for index in range(count):
            engines = {BLACK: one, WHITE: other} if index % 2 else {BLACK: other, WHITE: one}
            played = play_game(engines, Game(size, 7.5, "chinese"), main=seconds)
            assert played.late is None, f"{played.used} after {len(played.game.moves)} moves"
            assert played.game.is_over or played.resigned


@pytest.mark.usefixtures("busy")
def test_a_short_game() -> None:
    games(9, 3.0, 1)


@pytest.mark.slow
@pytest.mark.usefixtures("busy")
def test_games_of_five_seconds() -> None:
    games(9, 5.0, 6)


@pytest.mark.slow
@pytest.mark.usefixtures("busy")
def test_a_game_of_thirty_seconds_on_the_large_board() -> None:
    games(19, 30.0, 1)
