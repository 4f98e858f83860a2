"""One game between two contestants, with everything that can go wrong in it.

What a game tells is its outcome: a *win*; a *draw*; a *forfeit*, lost by an illegal move; *void*, because a contestant
did not start, crashed, hung, or lost touch with the game; or *unknown*, because nobody can say who won. Only the first
three count. That a program failed is never a win for the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

from montego.arena.contestants import Choice, Contestant, OutOfStep
from montego.arena.results import margin_of, opponent_of, result_text
from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, shown
from montego.go.game import Game
from montego.go.geometry import COLOUR_NAMES
from montego.gtp.errors import EngineDied, EngineTimeout, ProtocolError, StartError

WIN, DRAW, FORFEIT, VOID, UNKNOWN = OUTCOMES = ("win", "draw", "forfeit", "void", "unknown")
COUNTED = (WIN, DRAW, FORFEIT)

Adjudicate = Callable[[Game, dict[int, Contestant]], "Ending"]
"""Says how a game ended that was played out."""


@dataclass
class Effort:
    """What a player spent on a game."""

    turns: int = 0
    simulations: int | None = 0
    """None: the player does not tell"""
    seconds: float = 0.0
    """by the arena's clock"""


@dataclass(frozen=True)
class Ending:
    """How a game ended."""

    outcome: str
    winner: int | None = None
    """BLACK, WHITE, or nobody"""
    result: str = "Void"
    """as SGF has it: B+3.5, B+ (by how much is not agreed), W+R (resigned), B+F (forfeit), 0 (a draw), Void, ?"""
    reason: str = ""
    """score, resign, illegal; of a void game start, crash, timeout, protocol, step, error, cycle; of an unknown one
    dispute, length"""
    message: str = ""
    """what went wrong"""


@dataclass(frozen=True)
class GameResult:
    ending: Ending
    moves: list[str]
    efforts: dict[int, Effort] = field(default_factory=dict)


@dataclass
class _Seat:
    """A contestant at the board."""

    player: Contestant
    effort: Effort = field(default_factory=Effort)

    def choose(self, game: Game) -> Choice:
        start = time.perf_counter()
        choice = self.player.choose(game)
        effort, simulations = self.effort, choice.simulations
        effort.seconds += time.perf_counter() - start
        effort.turns += 1
        told = effort.simulations is not None and simulations is not None
        effort.simulations = effort.simulations + int(simulations) if told else None  # type: ignore[operator, arg-type]
        return choice


def play_game(
    black: Contestant,
    white: Contestant,
    game: Game,
    adjudicate: Adjudicate | None = None,
    max_moves: int | None = None,
) -> GameResult:
    """Let two contestants play a game to its end, from whatever position it is in.

    Two passes end it, and `adjudicate` says who won; without it the stones count as they stand. A game of `max_moves`
    (by default 4 size²) is broken off.
    """
    players = {BLACK: black, WHITE: white}
    seats = {colour: _Seat(player) for colour, player in players.items()}
    longest = min(game.max_moves, 4 * game.size**2 if max_moves is None else max_moves)
    with ExitStack() as at_end:
        for player in players.values():
            at_end.callback(player.close)
        ending = _begin(game, players)
        while ending is None and not game.is_over and len(game.moves) < longest:
            ending = _turn(game, seats[game.to_play])
        ending = ending or _finished(game, players, adjudicate)
    efforts = {colour: seat.effort for colour, seat in seats.items()}
    return GameResult(ending, [move.vertex for move in game.moves], efforts)


def _begin(game: Game, players: dict[int, Contestant]) -> Ending | None:
    for colour, player in players.items():
        try:
            player.begin(game)
        except Exception as error:  # whatever a player raises
            return void(error, f"{COLOUR_NAMES[colour]} did not begin", starting=True)
    return None


def _turn(game: Game, seat: _Seat) -> Ending | None:
    """One move, or the end it brings about."""
    mover, colour = game.to_play, COLOUR_NAMES[game.to_play]
    try:
        choice = seat.choose(game)
    except Exception as error:  # whatever a player raises
        return void(error, f"{colour} failed")
    if choice.vertex == "resign":
        return Ending(WIN, opponent_of(mover), result_text(opponent_of(mover), "R"), "resign")
    try:
        game.play(choice.vertex)
    except MontegoError as error:
        text = f"{colour} chose {shown(choice.vertex)}: {error}"
        return Ending(FORFEIT, opponent_of(mover), result_text(opponent_of(mover), "F"), "illegal", text)
    return None


def _finished(game: Game, players: dict[int, Contestant], adjudicate: Adjudicate | None) -> Ending:
    if not game.is_over:
        return Ending(UNKNOWN, None, "?", "length", f"broken off after {len(game.moves)} moves")
    if game.result() == "Void":
        text = f"a position came back, which the {game.rules.name} rules call no result"
        return Ending(VOID, None, "Void", "cycle", text)
    if adjudicate is None:
        return counted(str(game.score()))
    try:
        return adjudicate(game, players)
    except Exception as error:  # whatever a player raises
        return void(error, "the count failed")


def counted(result: str) -> Ending:
    """The ending of a game with a result such as B+3.5, B+ or 0."""
    winner, _ = margin_of(result)
    return Ending(DRAW if winner is None else WIN, winner, result, "score")


_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (StartError, "start"),
    (EngineDied, "crash"),
    (EngineTimeout, "timeout"),
    (ProtocolError, "protocol"),
    (OutOfStep, "step"),
)


def void(error: Exception, what: str, starting: bool = False) -> Ending:
    """The ending of a game that a contestant's failure broke off."""
    reason = next((word for kind, word in _REASONS if isinstance(error, kind)), "start" if starting else "error")
    return Ending(VOID, None, "Void", reason, f"{what}: {in_a_line(error)}")


def in_a_line(error: Exception) -> str:
    """An exception's type and words, short enough for a line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
