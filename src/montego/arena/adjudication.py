"""Who won a game that two passes ended: what both players say, what the board says, or what a referee says."""

from __future__ import annotations

from functools import partial

from montego.arena.contestants import Contestant, make
from montego.arena.game import UNKNOWN, Adjudicate, Ending, counted
from montego.arena.results import margin_of, result_text
from montego.arena.settings import Match
from montego.go.errors import MontegoError, shown
from montego.go.game import Game
from montego.go.geometry import COLOUR_NAMES


def adjudicator(match: Match) -> Adjudicate | None:
    """How the games of a match are counted; None: as the stones stand."""
    if match.scoring == "board":
        return None
    return by_agreement if match.scoring == "agreement" else partial(_by_referee, match)


def by_agreement(game: Game, players: dict[int, Contestant]) -> Ending:
    """What both players say; if one cannot count, what the other says; if they differ about the winner, nobody knows.

    Where they agree about the winner but not about the points, the result is without points.
    """
    said = {COLOUR_NAMES[colour]: player.opinion(game) for colour, player in players.items()}
    told = {name: text for name, text in said.items() if text is not None and _is_result(text)}
    if not told:
        return _unknown("neither player can tell the score", said)
    verdicts = {margin_of(text) for text in told.values()}
    if len(verdicts) == 1:
        return counted(_canonical(next(iter(told.values()))))
    winners = {winner for winner, _ in verdicts}
    winner = winners.pop()
    if winners or winner is None:
        return _unknown("the players disagree about the score", said)
    return counted(result_text(winner, ""))


def _is_result(text: str) -> bool:
    try:
        margin_of(text)
    except MontegoError:
        return False
    return True


def _canonical(text: str) -> str:
    winner, margin = margin_of(text)
    if winner is None:
        return "0"
    return result_text(winner, "" if margin is None else f"{margin:g}")


def _unknown(what: str, said: dict[str, str | None]) -> Ending:
    words = ", ".join(f"{name} says {'nothing' if text is None else shown(text)}" for name, text in said.items())
    return Ending(UNKNOWN, None, "?", "dispute", f"{what}: {words}; a referee decides: --scoring gnugo")


def referee_of(match: Match) -> Contestant:
    return make(match.scoring, 1, answer_seconds=match.answer_seconds, rules=match.rules)


def _by_referee(match: Match, game: Game, players: dict[int, Contestant]) -> Ending:
    """What a third player says, who is told the whole game."""
    referee = referee_of(match)
    try:
        referee.begin(game)
        said = referee.opinion(game)
    finally:
        referee.close()
    if said is None or not _is_result(said):
        return _unknown("the referee cannot tell the score", {match.scoring: said})
    return counted(_canonical(said))
