"""What a match is: two players, the conditions of their games, and the seeds of each game."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from montego.go.errors import MontegoError, is_whole, shown
from montego.go.game import Game, check_komi
from montego.go.geometry import check_size
from montego.go.rules import find_rules
from montego.rng import stream

SIDES = ("a", "b")
"""The two players of a match, whatever colour they have."""
MOST_GAMES = 1_000_000
MOST_SIMULATIONS = 1_000_000_000
MOST_SECONDS = 86_400.0
MOST_THREADS = 256


class MatchError(MontegoError):
    """A match that cannot be played as asked."""


@dataclass(frozen=True)
class Match:
    """Everything that decides how the games of a match go. Plain data: it travels to other processes."""

    a: str
    """the first player's preset or spec; it has Black in the games with an even index"""
    b: str
    games: int = 100
    simulations: int | None = None
    """for each move; this or `seconds`"""
    seconds: float | None = None
    """for each move"""
    size: int = 9
    komi: float = 7.5
    rules: str = "chinese"
    seed: int = 1
    threads: int = 1
    """of each player"""
    resign: float = 0.05
    """a side that twice in a row gives itself less than this probability to win has lost; 0: nobody resigns"""

    def __post_init__(self) -> None:
        if (self.simulations is None) == (self.seconds is None):
            raise MatchError("a move is limited by simulations or by seconds; accepted: exactly one of the two")
        for name, most in (("games", MOST_GAMES), ("threads", MOST_THREADS), ("simulations", MOST_SIMULATIONS)):
            check_count(name, getattr(self, name), most)
        _check_number("seconds", self.seconds, MOST_SECONDS)
        _check_number("resign", self.resign, 0.5)
        if self.seconds == 0:
            raise MatchError("seconds is 0; accepted: more than 0")
        if not is_whole(self.seed):
            raise MatchError(f"seed is {shown(self.seed)}; accepted: a whole number")
        object.__setattr__(self, "size", check_size(self.size))
        object.__setattr__(self, "komi", check_komi(self.komi))
        object.__setattr__(self, "rules", find_rules(self.rules).name)

    def new_game(self) -> Game:
        return Game(self.size, self.komi, self.rules)

    def spec(self, side: str) -> str:
        return self.a if side == "a" else self.b

    def black(self, index: int) -> str:
        """Who has Black in a game: a and b in turn."""
        return SIDES[index % 2]

    def seed_of(self, index: int, side: str) -> int:
        """The seed of one player in one game: different in every game and for each player."""
        game = int(stream(self.seed, index))
        return int(stream(game, SIDES.index(side))) >> 32

    def conditions(self) -> dict[str, Any]:
        """What makes two games part of the same match: everything but the number of games."""
        fields = asdict(self)
        del fields["games"]
        return fields


def check_count(name: str, value: Any, most: int) -> None:
    if value is not None and (not is_whole(value) or not 1 <= value <= most):
        raise MatchError(f"{name} is {shown(value)}; accepted: a whole number from 1 to {most}")


def _check_number(name: str, value: Any, most: float) -> None:
    if value is None:
        return
    is_number = is_whole(value) or isinstance(value, float)
    if not is_number or not math.isfinite(value) or not 0 <= value <= most:
        raise MatchError(f"{name} is {shown(value)}; accepted: a number from 0 to {most:g}")
