"""Who won: what both say, what the board says, what a referee says."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from arena.fakes import Fake, build
from montego import Game, MontegoError
from montego.arena.adjudication import adjudicator, by_agreement
from montego.arena.contestants import make
from montego.arena.game import Ending, play_game
from montego.arena.match import play_one
from montego.arena.results import margin_of, result_text
from montego.arena.settings import Match
from montego.go.board import BLACK, WHITE

ENGINE = Path(__file__).with_name("scripted_engine.py")


def finished(komi: float = 7.5) -> Game:
    """Black has one stone, and with it the board."""
    game = Game(5, komi=komi)
    for vertex in ("C3", "pass", "pass"):
        game.play(vertex)
    return game


@pytest.mark.parametrize(
    ("text", "winner", "margin"),
    [
        ("B+3.5", BLACK, 3.5),
        ("w+0.5", WHITE, 0.5),
        ("  W+12  ", WHITE, 12.0),
        ("Black+3", BLACK, 3.0),
        ("white+R", WHITE, None),
        ("B+Resign", BLACK, None),
        ("W+T", WHITE, None),
        ("B+", BLACK, None),
        ("0", None, 0.0),
        ("Draw", None, 0.0),
        ("jigo", None, 0.0),
        ("B+0", None, 0.0),
        ("W+0.0", None, 0.0),
    ],
)
def test_results_are_read(text: str, winner: int | None, margin: float | None) -> None:
    assert margin_of(text) == (winner, margin)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "Void",
        "unknown",
        "B",
        "B+x",
        "B-3",
        "3.5",
        "B+1e5",
        "B+inf",
        "B+nan",
        "B+3.5 or so",
        "+3",
        "B+" + "9" * 400,
    ],
)
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(MontegoError, match="is no result"):
        margin_of(text)


def test_a_result_without_end_is_refused_at_once() -> None:
    for text in ("B+" + "9" * 1_000_000 + "x", "b" * 1_000_000, "B+" + "." * 1_000_000):
        with pytest.raises(MontegoError, match="is no result"):
            margin_of(text)


def test_result_texts() -> None:
    assert (result_text(BLACK, "3.5"), result_text(WHITE, "R")) == ("B+3.5", "W+R")


@pytest.mark.parametrize(
    ("black", "white", "ending"),
    [
        ("B+3.5", "B+3.5", Ending("win", BLACK, "B+3.5", "score")),
        ("b+3.50", "Black+3.5", Ending("win", BLACK, "B+3.5", "score")),
        ("W+1.5", "W+2.5", Ending("win", WHITE, "W+", "score")),
        ("W+R", "W+2.5", Ending("win", WHITE, "W+", "score")),
        ("0", "Draw", Ending("draw", None, "0", "score")),
        ("B+3.5", None, Ending("win", BLACK, "B+3.5", "score")),
        (None, "W+0.5", Ending("win", WHITE, "W+0.5", "score")),
        ("I cannot tell", "W+0.5", Ending("win", WHITE, "W+0.5", "score")),
    ],
)
def test_agreement(black: str | None, white: str | None, ending: Ending) -> None:
    assert by_agreement(finished(), {BLACK: Fake(says=black), WHITE: Fake(says=white)}) == ending


@pytest.mark.parametrize(
    ("black", "white", "words"),
    [
        ("B+3.5", "W+3.5", "the players disagree about the score: black says 'B+3.5', white says 'W+3.5'"),
        ("B+3.5", "0", "the players disagree"),
        (None, None, "neither player can tell the score: black says nothing, white says nothing"),
        ("maybe", None, "neither player can tell"),
    ],
)
def test_no_agreement(black: str | None, white: str | None, words: str) -> None:
    ending = by_agreement(finished(), {BLACK: Fake(says=black), WHITE: Fake(says=white)})
    assert (ending.outcome, ending.winner, ending.result, ending.reason) == ("unknown", None, "?", "dispute")
    assert words in ending.message and "--scoring gnugo" in ending.message


def test_the_board_as_it_stands() -> None:
    match = Match("builder", "passes", simulations=1, size=5, scoring="board")
    assert adjudicator(match) is None
    ending = play_game(Fake(["C3"], says="W+99"), Fake(says="W+99"), Game(5)).ending
    assert ending == Ending("win", BLACK, "B+17.5", "score")


def referee(mode: str, score: str) -> str:
    return "gtp:" + shlex.join([sys.executable, "-I", "-S", str(ENGINE), mode, "{seed}", "referee", score])


@pytest.mark.parametrize(
    ("mode", "score", "ending"),
    [
        ("always-plain", "W+0.5", ("win", "b", "W+0.5", "score")),
        ("always-plain", "0", ("draw", None, "0", "score")),
        ("always-plain", "hard to say", ("unknown", None, "?", "dispute")),
        ("always-no-score", "B+1", ("unknown", None, "?", "dispute")),
        ("always-refuse-score", "B+1", ("unknown", None, "?", "dispute")),
        ("always-exit-at-start", "B+1", ("void", None, "Void", "crash")),
        ("always-out-of-step", "B+1", ("void", None, "Void", "step")),
        ("always-refuse-play", "B+1", ("void", None, "Void", "step")),
    ],
)
def test_a_referee_decides(mode: str, score: str, ending: tuple[str, str | None, str, str]) -> None:
    """Whatever the players think of it: our builder has the board by their count."""
    match = Match("builder", "passes", games=1, simulations=1, size=5, scoring=referee(mode, score))
    game = play_one(match, build, 0)
    assert (game.outcome, game.winner, game.result, game.reason) == ending, game.message


def test_a_referee_is_not_asked_about_a_resignation() -> None:
    match = Match("resigns", "passes", games=1, simulations=1, size=5, scoring=referee("always-exit-at-start", "0"))
    assert play_one(match, build, 0).result == "W+R"


def test_our_own_players_agree_about_the_board_as_it_stands() -> None:
    match = Match("mogo-2007", "house", simulations=20, size=5, resign=0)
    for number in range(2):
        game = play_one(match, make, number)
        assert (game.outcome, game.reason) == ("win", "score") and "." in game.result


def test_a_friendly_player_of_ours_can_be_the_referee() -> None:
    match = Match("builder", "passes", games=1, simulations=1, size=5, scoring="mogo-2007:friendly=true")
    assert play_one(match, build, 0).result == "B+17.5"
