"""Openings: the same for both games of a pair, others for the next, fair by a search's judgement."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from arena.fakes import build, play_here, series_of
from montego import MontegoError, player
from montego.arena.match import play_one
from montego.arena.openings import FAIR, MOVES, opening_of
from montego.arena.settings import BALANCED, Match

MATCH = Match("builder", "random", games=8, simulations=10, size=7, komi=7.5, openings=BALANCED)


@cache
def openings(match: Match = MATCH) -> list[str]:
    return [" ".join(opening_of(match, number)) for number in range(6)]


def test_both_games_of_a_pair_begin_alike_and_pairs_differ() -> None:
    made = openings()
    assert made[0::2] == made[1::2] and len(set(made)) == 3


def test_an_opening_depends_on_seed_and_board_alone() -> None:
    assert openings(replace(MATCH, a="passes", b="passes", simulations=99, games=2)) == openings()
    assert openings(replace(MATCH, seed=2)) != openings()


def test_openings_are_short_and_can_be_played() -> None:
    for line in openings():
        assert 1 <= len(line.split()) <= MOVES
        game = MATCH.opened(line.split())
        assert not game.is_over and "pass" not in line


def test_openings_are_fair_in_the_judgement_of_a_search() -> None:
    """Another search than the one that chose them, with more simulations and some allowance for its own errors."""
    assert unfairness(MATCH) <= FAIR + 0.05


def unfairness(match: Match, pairs: int = 3) -> float:
    """How far Black's chance is from one half, in the mean over some openings."""
    judge = player("house", simulations=4000, seed=99, sharpness=1.0)
    far = [abs(judge.choose(match.opened(opening_of(match, 2 * n))).value - 0.5) for n in range(pairs)]
    return sum(far) / pairs


@pytest.mark.slow
@pytest.mark.parametrize(("size", "komi"), [(5, 9.5), (9, 7.5), (9, 0.5), (13, 7.5)])
def test_openings_on_other_boards_are_fair(size: int, komi: float) -> None:
    match = replace(MATCH, size=size, komi=komi)
    assert unfairness(match, 8) <= max(FAIR + 0.05, unfairness(replace(match, openings=())))


def test_a_tiny_board_has_no_room_for_an_opening() -> None:
    assert opening_of(replace(MATCH, size=3), 0) == []


def test_openings_that_are_given_take_turns() -> None:
    match = replace(MATCH, openings=("C3 D4", "E5", ""))
    expected = [["C3", "D4"], ["C3", "D4"], ["E5"], ["E5"], [], [], ["C3", "D4"]]
    assert [opening_of(match, number) for number in range(7)] == expected


def test_without_openings_games_begin_with_the_first_move() -> None:
    assert opening_of(replace(MATCH, openings=()), 0) == []


def test_games_begin_with_their_opening() -> None:
    series = play_here(series_of("builder", "random", games=4, size=7, openings=("D4 D5 A1", "E4")))
    for number, opening in enumerate([["D4", "D5", "A1"]] * 2 + [["E4"]] * 2):
        game = series.played[number]
        assert game.moves[: len(opening)] == opening and game.opening == len(opening)
        assert game.efforts["a"].turns + game.efforts["b"].turns == len(game.moves) - len(opening)
    assert [series.played[number].black for number in range(4)] == ["a", "b", "a", "b"]


def test_balanced_games_begin_with_the_opening_of_their_pair() -> None:
    games = [play_one(MATCH, build, number) for number in range(2)]
    assert [" ".join(game.moves[: game.opening]) for game in games] == openings()[:2]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("E5 E5",), "occupied"),
        (("E5", "Z9"), "'Z9' cannot be played"),
        (("resign",), "resign"),
        (("pass pass",), "the game is over"),
    ],
)
def test_an_opening_that_cannot_be_played_is_refused(lines: tuple[str, ...], words: str) -> None:
    with pytest.raises(MontegoError, match=words):
        replace(MATCH, openings=lines)


def test_too_many_openings_are_refused() -> None:
    with pytest.raises(MontegoError, match="up to 10000 lines"):
        replace(MATCH, openings=("E5",) * 10_001)
