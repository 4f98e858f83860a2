"""One game between two players, with everything that can go wrong in it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, shown
from montego.go.game import Game
from montego.go.geometry import COLOUR_NAMES

RESIGN_BELOW = 0.05
RESIGN_TURNS = 2
"""A side resigns when it has valued so many of its turns in a row below the limit."""


class Choice(Protocol):
    """A player's move, with its opinion and its effort."""

    @property
    def vertex(self) -> str: ...

    @property
    def value(self) -> float: ...

    @property
    def simulations(self) -> int: ...


class Player(Protocol):
    """Whatever the arena needs of a player."""

    @property
    def name(self) -> str: ...

    def choose(self, game: Game) -> Choice: ...

    def new_game(self) -> None: ...

    def describe(self) -> dict[str, Any]: ...


@dataclass
class Effort:
    """What a player spent on a game."""

    turns: int = 0
    simulations: int = 0
    seconds: float = 0.0
    """by the arena's clock"""


@dataclass(frozen=True)
class GameResult:
    """How a game ended."""

    moves: list[str]
    result: str
    """B+3.5, W+R (resigned), B+F (forfeit), 0 (a draw), Void"""
    winner: int | None
    """BLACK, WHITE, or nobody"""
    reason: str
    """score, resign, length (counted as it stood when it had grown too long), forfeit or void"""
    message: str = ""
    """what went wrong in a forfeit or a void game"""
    efforts: dict[int, Effort] = field(default_factory=dict)


@dataclass
class _Seat:
    """A player at the board."""

    player: Player
    effort: Effort = field(default_factory=Effort)
    gloomy: int = 0
    """turns in a row with a value below the resignation limit"""

    def choose(self, game: Game, resign_below: float) -> Choice:
        start = time.perf_counter()
        choice = self.player.choose(game)
        self.effort.seconds += time.perf_counter() - start
        self.effort.turns += 1
        self.effort.simulations += int(choice.simulations)
        self.gloomy = self.gloomy + 1 if choice.value < resign_below else 0
        return choice


def play_game(
    black: Player, white: Player, game: Game, resign_below: float = RESIGN_BELOW, max_moves: int | None = None
) -> GameResult:
    """Let two players play a game to its end: two passes, and the stones count as they stand.

    A side resigns when it values two of its turns in a row below `resign_below`, once a quarter of size² moves are
    played; 0 switches that off. An illegal move forfeits the game; an exception makes it void. A game of `max_moves`
    (by default 4 size²) is counted as it stands.
    """
    seats = {BLACK: _Seat(black), WHITE: _Seat(white)}
    longest = min(game.max_moves, 4 * game.size**2 if max_moves is None else max_moves)
    end = None
    while end is None and not game.is_over and len(game.moves) < longest:
        end = _turn(game, seats[game.to_play], resign_below)
    result, winner, reason, message = end or _counted(game)
    efforts = {colour: seat.effort for colour, seat in seats.items()}
    return GameResult([move.vertex for move in game.moves], result, winner, reason, message, efforts)


_End = tuple[str, int | None, str, str]
"""Result, winner, reason and message."""


def _turn(game: Game, seat: _Seat, resign_below: float) -> _End | None:
    """One move, or the end it brings about."""
    colour = COLOUR_NAMES[game.to_play]
    try:
        choice = seat.choose(game, resign_below)
    except Exception as error:  # whatever a player raises
        return "Void", None, "void", f"{colour} failed: {in_a_line(error)}"
    if choice.vertex == "resign" or (seat.gloomy >= RESIGN_TURNS and _may_resign(game, choice)):
        return _lost(game.to_play, "R", "resign")
    try:
        game.play(choice.vertex)
    except MontegoError as error:
        return _lost(game.to_play, "F", "forfeit", f"{colour} chose {shown(choice.vertex)}: {error}")
    return None


def _may_resign(game: Game, choice: Choice) -> bool:
    """Not in the opening, and not with the pass that ends the game: there the count decides."""
    played = game.moves
    ends = choice.vertex == "pass" and bool(played) and played[-1].vertex == "pass"
    return len(played) >= game.size**2 // 4 and not ends


def _lost(loser: int, letter: str, reason: str, message: str = "") -> _End:
    if loser == BLACK:
        return f"W+{letter}", WHITE, reason, message
    return f"B+{letter}", BLACK, reason, message


def _counted(game: Game) -> _End:
    if game.result() == "Void":
        return "Void", None, "void", f"a position came back, which the {game.rules.name} rules call no result"
    score = game.score()
    winner = None if score.lead == 0 else BLACK if score.lead > 0 else WHITE
    return str(score), winner, "score" if game.is_over else "length", ""


def in_a_line(error: Exception) -> str:
    """An exception's type and words, short enough for a line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
