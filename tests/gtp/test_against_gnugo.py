"""Whole games against GNU Go: no illegal move, the same board, the same winner, the same dead stones."""

from __future__ import annotations

import os

import pytest

from gtp.referee import MONTEGO, play_game, same_board, winner_of
from montego.go.board import BLACK, WHITE
from montego.go.game import Game
from montego.gtp.client import GtpClient
from montego.gtp.errors import EngineDied, EngineError
from montego.gtp.pipes import find_program


def gnugo() -> str:
    try:
        return find_program("gnugo")
    except EngineError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


def game_against_gnugo(size: int, ours: int, seed: int) -> None:
    """A game; GNU Go 3.8 is known to crash now and then, and then another one is played."""
    for attempt in range(3):
        try:
            return game_of_seed(size, ours, seed + 100 * attempt)
        except EngineDied as error:
            if not str(error).startswith("GNU Go") or attempt == 2:
                raise


def game_of_seed(size: int, ours: int, seed: int) -> None:
    opponent = [gnugo(), "--mode", "gtp", "--level", "1", "--chinese-rules", "--seed", str(seed)]
    us = [*MONTEGO, "--simulations", "300", "--seed", str(seed), "--resign", "0"]
    with GtpClient(us, 60, 300) as montego, GtpClient(opponent, 60, 300) as other:
        played = play_game({ours: montego, 3 - ours: other}, Game(size, 7.5, "chinese"))
        assert played.resigned != ours
        assert same_board(montego, played.game) and same_board(other, played.game)
        if played.resigned is None:
            dead = sorted(montego.final_status_list("dead"))
            assert dead == sorted(other.final_status_list("dead")), f"\n{played.game}"
            assert winner_of(montego.final_score()) == winner_of(other.final_score()), f"\n{played.game}"


@pytest.mark.parametrize("ours", [BLACK, WHITE])
def test_a_game_on_9x9(ours: int) -> None:
    game_against_gnugo(9, ours, 1)


@pytest.mark.slow
@pytest.mark.parametrize("ours", [BLACK, WHITE])
@pytest.mark.parametrize("size", [9, 13, 19])
def test_games_on_all_boards(size: int, ours: int) -> None:
    game_against_gnugo(size, ours, 2)
