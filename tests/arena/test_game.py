"""One game between two contestants: how it ends, and what goes wrong."""

from __future__ import annotations

from typing import Any

import pytest

from arena.fakes import Fake, FakeChoice, Raises, Random
from montego import Game
from montego.arena.contestants import OutOfStep
from montego.arena.game import COUNTED, Ending, play_game
from montego.go.board import BLACK, WHITE
from montego.gtp.errors import EngineDied, EngineTimeout, ProtocolError, Refused, StartError


def test_two_passes_and_the_stones_count() -> None:
    result = play_game(Fake(["C3"]), Fake(), Game(5, komi=7.5))
    assert result.ending == Ending("win", BLACK, "B+17.5", "score")
    assert result.moves == ["C3", "pass", "pass"]
    assert (result.efforts[BLACK].turns, result.efforts[WHITE].turns) == (2, 1)
    assert (result.efforts[BLACK].simulations, result.efforts[WHITE].simulations) == (20, 10)
    assert result.efforts[BLACK].seconds > 0


def test_a_draw() -> None:
    assert play_game(Fake(), Fake(), Game(5, komi=0)).ending == Ending("draw", None, "0", "score")


def test_an_illegal_move_forfeits() -> None:
    ending = play_game(Fake(["C3"]), Fake(["C3"]), Game(5)).ending
    assert (ending.outcome, ending.result, ending.winner, ending.reason) == ("forfeit", "B+F", BLACK, "illegal")
    assert "white chose 'C3'" in ending.message and "occupied" in ending.message


@pytest.mark.parametrize(
    ("black", "white", "loser", "word"),
    [
        (["B2", "D2", "C1", "C3", "C3"], ["B3", "C4", "D3", "C2"], "black", "ko"),  # C2 takes C3, which takes back
        (["A2", "B1"], ["E5", "A1"], "white", "suicide"),
    ],
)
def test_ko_and_suicide_forfeit(black: list[str], white: list[str], loser: str, word: str) -> None:
    ending = play_game(Fake(black), Fake(white), Game(5)).ending
    assert (ending.outcome, ending.reason) == ("forfeit", "illegal")
    assert f"{loser} chose" in ending.message and word in ending.message


@pytest.mark.parametrize("vertex", [None, "Z9", "", "A26", 3.5, "D4 ", True, ["C3"]])
def test_what_is_no_move_forfeits(vertex: Any) -> None:
    ending = play_game(Fake([vertex]), Fake(), Game(3)).ending
    assert (ending.outcome, ending.result, ending.winner) == ("forfeit", "W+F", WHITE) and ending.message


def test_an_exception_makes_the_game_void() -> None:
    ending = play_game(Random(1), Raises(), Game(5)).ending
    assert ending == Ending("void", None, "Void", "error", "white failed: RuntimeError: out of ideas")


class Silent(Fake):
    def choose(self, game: Game) -> Any:
        return None


@pytest.mark.parametrize("simulations", ["many", float("nan"), object()])
def test_an_effort_that_is_no_number_makes_the_game_void(simulations: Any) -> None:
    class Vague(Fake):
        def choose(self, game: Game) -> FakeChoice:
            return FakeChoice("pass", simulations)

    assert play_game(Vague(), Fake(), Game(5)).ending.outcome == "void"


def test_no_choice_at_all_makes_the_game_void() -> None:
    assert play_game(Silent(), Fake(), Game(5)).ending.reason == "error"


def test_a_player_that_does_not_tell_its_effort() -> None:
    class Secretive(Fake):
        def choose(self, game: Game) -> FakeChoice:
            return FakeChoice("pass", None)

    result = play_game(Fake(["C3"]), Secretive(), Game(5))
    assert (result.efforts[WHITE].turns, result.efforts[WHITE].simulations) == (1, None)
    assert result.efforts[BLACK].simulations == 20


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (StartError("not there"), "start"),
        (EngineDied("it ended"), "crash"),
        (EngineTimeout("no answer"), "timeout"),
        (ProtocolError("no answer"), "protocol"),
        (OutOfStep("other stones"), "step"),
        (Refused("no", "no"), "error"),
        (MemoryError(), "error"),
    ],
)
@pytest.mark.parametrize("when", ["begin", "choose", "opinion"])
def test_failures_are_told_apart_and_never_count(error: Exception, reason: str, when: str) -> None:
    def fail(*_: Any) -> Any:
        raise error

    bad, good = Fake(), Fake(["C3"])
    setattr(bad, when, fail)
    result = play_game(good, bad, Game(5), lambda game, players: players[WHITE].opinion(game) and Ending("win", BLACK))
    if when == "begin" and reason == "error":
        reason = "start"
    assert (result.ending.outcome, result.ending.winner, result.ending.reason) == ("void", None, reason)
    assert result.ending.outcome not in COUNTED and type(error).__name__ in result.ending.message


def test_both_leave_the_board_whatever_happens() -> None:
    for black, white in [(Fake(), Fake()), (Raises(), Fake()), (Fake(), Silent())]:
        play_game(black, white, Game(5))
        assert (black.closed, white.closed) == (1, 1)

    class Clumsy(Fake):
        def close(self) -> None:
            raise OSError("stuck in the door")

    other = Fake()
    with pytest.raises(OSError, match="stuck"):
        play_game(Clumsy(), other, Game(5))
    assert other.closed == 1


def test_a_game_broken_off_for_its_length_tells_nothing() -> None:
    result = play_game(Fake(["A1", "B1"]), Fake(["A3", "B3"]), Game(3, komi=0), max_moves=3)
    assert result.ending == Ending("unknown", None, "?", "length", "broken off after 3 moves")
    assert len(result.moves) == 3


def test_the_default_length() -> None:
    class Restless(Fake):
        def choose(self, game: Game) -> FakeChoice:
            return FakeChoice((game.legal_moves() or ["pass"])[0])

    result = play_game(Restless(), Restless(), Game(2))
    assert (len(result.moves), result.ending.reason) == (16, "length")


def test_a_position_that_comes_back_under_japanese_rules_is_void() -> None:
    ending = play_game(Fake(["A2", "A1", "A2", "A2"]), Fake(["B2", "B1", "A1"]), Game(2, rules="japanese")).ending
    assert (ending.outcome, ending.result, ending.winner, ending.reason) == ("void", "Void", None, "cycle")
    assert "japanese" in ending.message


def test_a_player_may_resign() -> None:
    result = play_game(Fake(["C3"]), Fake(["resign"]), Game(5))
    assert result.ending == Ending("win", BLACK, "B+R", "resign") and result.moves == ["C3"]


def test_a_game_may_have_begun() -> None:
    game = Game(5)
    game.play("C3")
    result = play_game(Fake(), Fake(["C4"]), game)
    assert result.moves == ["C3", "C4", "pass", "pass"] and result.efforts[BLACK].turns == 1


def test_messages_are_one_line_of_reasonable_length() -> None:
    class Verbose(Fake):
        def choose(self, game: Game) -> FakeChoice:
            raise RuntimeError("a very\nlong story " * 1000)

    message = play_game(Verbose(), Fake(), Game(5)).ending.message
    assert "\n" not in message and len(message) < 400
