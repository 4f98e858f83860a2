"""What a match is: two players, the conditions of their games, and the seeds of each game."""

from __future__ import annotations

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
MOST_OPENINGS = 10_000
BALANCED = "balanced"
"""Openings made for each pair of games, in which both sides have the same chance."""
SCORINGS = ("agreement", "board")
"""How a game is counted that two passes ended: as both players say, or as the stones stand; else a referee's name."""


class MatchError(MontegoError):
    """A match that cannot be played as asked."""


@dataclass(frozen=True)
class Match:
    """Everything that decides how the games of a match go. Plain data: it travels to other processes."""

    a: str
    """the first player's spec (see contestants.py); it has Black in the games with an even number"""
    b: str
    games: int = 100
    simulations: int | None = None
    """for each move of a player of ours that has no limit of its own; this or `seconds`"""
    seconds: float | None = None
    """for each move; other programs are told it as their clock"""
    size: int = 9
    komi: float = 7.5
    rules: str = "chinese"
    seed: int = 1
    threads: int = 1
    """of each player of ours"""
    resign: float = 0.05
    """a player of ours whose chance to win stays below this resigns; 0: never"""
    openings: tuple[str, ...] | str = ()
    """moves already played when the players sit down, each opening for two games with colours changed; or balanced"""
    scoring: str = "agreement"
    """agreement, board, or the spec of the player who is the referee"""
    answer_seconds: float = 300.0
    """how long another program may take for a move before the game is void"""

    def __post_init__(self) -> None:
        if (self.simulations is None) == (self.seconds is None):
            raise MatchError("a move is limited by simulations or by seconds; accepted: exactly one of the two")
        check_count("games", self.games, MOST_GAMES)
        check_count("threads", self.threads, MOST_THREADS)
        if self.simulations is not None:
            check_count("simulations", self.simulations, MOST_SIMULATIONS)
        if self.seconds is not None:
            _check_number("seconds", self.seconds, MOST_SECONDS)
        _check_number("answer_seconds", self.answer_seconds, MOST_SECONDS)
        _check_number("resign", self.resign, 0.5)
        if self.seconds == 0 or self.answer_seconds == 0:
            raise MatchError("a player has 0 seconds for a move; accepted: more than 0")
        if not is_whole(self.seed):
            raise MatchError(f"seed is {shown(self.seed)}; accepted: a whole number")
        for name in ("a", "b", "scoring"):
            if not isinstance(getattr(self, name), str) or not getattr(self, name):
                raise MatchError(f"{name} is {shown(getattr(self, name))}; accepted: a name")
        object.__setattr__(self, "size", check_size(self.size))
        object.__setattr__(self, "komi", check_komi(self.komi))
        object.__setattr__(self, "rules", find_rules(self.rules).name)
        self._check_openings()

    def _check_openings(self) -> None:
        if self.openings == BALANCED:
            return
        if isinstance(self.openings, str) or len(self.openings) > MOST_OPENINGS:
            raise MatchError(
                f"openings are {shown(self.openings)}; accepted: {BALANCED}, or up to {MOST_OPENINGS} lines"
            )
        object.__setattr__(self, "openings", tuple(self.openings))
        for line in self.openings:
            try:
                self.opened(line.split())
            except (MontegoError, AttributeError) as error:
                raise MatchError(f"the opening {shown(line)} cannot be played: {error}") from None

    def new_game(self) -> Game:
        return Game(self.size, self.komi, self.rules)

    def opened(self, moves: list[str]) -> Game:
        """A game in which these moves have been played. An opening does not end a game."""
        game = self.new_game()
        for move in moves:
            game.play(move)
        if game.is_over:
            raise MatchError("the game is over; accepted: an opening after which it goes on")
        return game

    def spec(self, side: str) -> str:
        return self.a if side == "a" else self.b

    def black(self, number: int) -> str:
        """Who has Black in a game: a and b in turn."""
        return SIDES[number % 2]

    def seed_of(self, number: int, side: str) -> int:
        """The seed of one player in one game: different in every game and for each player."""
        game = int(stream(self.seed, number))
        return int(stream(game, SIDES.index(side))) >> 32

    def seed_of_opening(self, number: int) -> int:
        """The same in both games of a pair."""
        return int(stream(int(stream(self.seed, number // 2)), len(SIDES))) >> 32

    def conditions(self) -> dict[str, Any]:
        """What makes two games part of the same match: everything but the number of games."""
        fields = asdict(self)
        del fields["games"]
        return fields


def check_count(name: str, value: Any, most: int) -> None:
    if not is_whole(value) or not 1 <= value <= most:
        raise MatchError(f"{name} is {shown(value)}; accepted: a whole number from 1 to {most}")


def _check_number(name: str, value: Any, most: float) -> None:
    is_number = is_whole(value) or isinstance(value, float)
    if not is_number or not 0 <= value <= most:  # NaN fails every comparison
        raise MatchError(f"{name} is {shown(value)}; accepted: a number from 0 to {most:g}")
