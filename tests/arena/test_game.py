"""One game between two players: how it ends, and what goes wrong."""

from __future__ import annotations

from typing import Any

import pytest

from arena.fakes import Fake, FakeChoice, Raises, Random
from montego import Game
from montego.arena.game import play_game
from montego.go.board import BLACK, WHITE


def test_two_passes_and_the_stones_count() -> None:
    result = play_game(Fake(["C3"]), Fake(), Game(5, komi=7.5))
    assert (result.result, result.winner, result.reason, result.message) == ("B+17.5", BLACK, "score", "")
    assert result.moves == ["C3", "pass", "pass"]
    assert (result.efforts[BLACK].turns, result.efforts[WHITE].turns) == (2, 1)
    assert (result.efforts[BLACK].simulations, result.efforts[WHITE].simulations) == (20, 10)
    assert result.efforts[BLACK].seconds > 0


def test_a_draw() -> None:
    result = play_game(Fake(), Fake(), Game(5, komi=0))
    assert (result.result, result.winner, result.reason) == ("0", None, "score")


def test_an_illegal_move_forfeits() -> None:
    result = play_game(Fake(["C3"]), Fake(["C3"]), Game(5))
    assert (result.result, result.winner, result.reason) == ("B+F", BLACK, "forfeit")
    assert "white chose 'C3'" in result.message and "occupied" in result.message


@pytest.mark.parametrize("vertex", [None, "Z9", "", "A26", 3.5, "D4 "])
def test_what_is_no_move_forfeits(vertex: Any) -> None:
    result = play_game(Fake([vertex]), Fake(), Game(3))
    assert (result.result, result.reason) == ("W+F", "forfeit") and result.message


def test_an_exception_makes_the_game_void() -> None:
    result = play_game(Random(1), Raises(), Game(5))
    assert (result.result, result.winner, result.reason) == ("Void", None, "void")
    assert result.message == "white failed: RuntimeError: out of ideas"


def test_no_choice_at_all_makes_the_game_void() -> None:
    class Silent(Fake):
        def choose(self, game: Game) -> Any:
            return None

    assert play_game(Silent(), Fake(), Game(5)).reason == "void"


def test_a_long_game_is_counted_as_it_stands() -> None:
    result = play_game(Fake(["A1", "B1"]), Fake(["A3", "B3"]), Game(3, komi=0), max_moves=3)
    assert (len(result.moves), result.result, result.reason) == (3, "B+1", "length")


def test_the_default_length() -> None:
    class Restless(Fake):
        def choose(self, game: Game) -> FakeChoice:
            return FakeChoice((game.legal_moves() or ["pass"])[0])

    result = play_game(Restless(), Restless(), Game(2))
    assert (len(result.moves), result.reason) == (16, "length")


def test_a_position_that_comes_back_under_japanese_rules_is_void() -> None:
    result = play_game(Fake(["A2", "A1", "A2", "A2"]), Fake(["B2", "B1", "A1"]), Game(2, rules="japanese"))
    assert (result.result, result.winner, result.reason) == ("Void", None, "void")
    assert "japanese" in result.message


MOVES = [f"{letter}{row}" for row in (1, 2) for letter in "ABCDEFGHJ"]


@pytest.mark.parametrize(
    ("values", "limit", "turns"),
    [
        ([0.01] * 30, 0.05, 11),  # from the first turn on: Black resigns at its 11th turn, 20 moves being played
        ([0.5] * 12 + [0.01] * 9, 0.05, 14),  # two turns in a row
        ([0.5] * 12 + [0.01, 0.5, 0.01, 0.01], 0.05, 16),  # a better moment in between
        ([0.5] * 12 + [0.05] * 4, 0.05, None),  # the limit itself is not below it
        ([0.01] * 30, 0.0, None),  # switched off
        ([float("nan")] * 30, 0.05, None),
    ],
)
def test_resignation(values: list[float], limit: float, turns: int | None) -> None:
    white = [f"{letter}{row}" for row in (8, 9) for letter in "ABCDEFGHJ"]
    result = play_game(Fake(MOVES, values), Fake(white), Game(9), resign_below=limit)
    if turns is None:
        assert result.reason == "score"
    else:
        assert (result.result, result.winner, result.reason) == ("W+R", WHITE, "resign")
        assert result.efforts[BLACK].turns == turns and len(result.moves) == 2 * (turns - 1)


def test_nobody_resigns_with_the_pass_that_ends_the_game() -> None:
    result = play_game(Fake(["B2"], [0.01] * 9), Fake(), Game(2, komi=0.5, rules="tromp-taylor"))
    assert (result.moves[-2:], result.result, result.reason) == (["pass", "pass"], "B+3.5", "score")


def test_a_player_may_resign_by_itself() -> None:
    result = play_game(Fake(["C3"]), Fake(["resign"]), Game(5))
    assert (result.result, result.reason) == ("B+R", "resign")
