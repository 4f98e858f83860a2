"""Openings for pairs of games: a few moves, then both players have the position once with each colour."""

from __future__ import annotations

from functools import lru_cache

from montego.arena.settings import BALANCED, Match
from montego.go.game import Game
from montego.rng import stream

MOVES = 6
"""of a balanced opening, at most; on small boards fewer"""
SIMULATIONS, JUDGING = 200, 2000
SOFTNESS = 0.08
"""what a move of the opening may give away, in win probability"""
FAIR = 0.08
"""how far Black's chance may be from one half"""
TRIES = 20


def opening_of(match: Match, number: int) -> list[str]:
    """The moves with which a game of a match begins; the same in both games of a pair."""
    if match.openings == BALANCED:
        return _balanced(match.size, match.komi, match.rules, match.seed_of_opening(number)).split()
    return match.openings[number // 2 % len(match.openings)].split() if match.openings else []


@lru_cache(maxsize=64)
def _balanced(size: int, komi: float, rules: str, seed: int) -> str:
    """Soft moves of our own player, until it gives both sides about the same chance; the fairest try if none does."""
    found: list[tuple[float, str]] = []
    for attempt in range(TRIES if length(size) else 0):
        game = Game(size, komi, rules)
        unfair = _play_on(game, int(stream(seed, attempt)) >> 32)
        found.append((unfair, " ".join(move.vertex for move in game.moves)))
        if unfair <= FAIR:
            break
    return min(found)[1] if found else ""


def length(size: int) -> int:
    """The most moves of an opening on a board of a size; none on a tiny one."""
    return min(MOVES, size**2 // 12)


def _play_on(game: Game, seed: int) -> float:
    """Play some moves, and say how unfair the position is then."""
    from montego.players import player
    from montego.players.levels import STEADY

    mover = player(STEADY, simulations=SIMULATIONS, seed=seed, softness=SOFTNESS)
    for _ in range(length(game.size)):
        choice = mover.choose(game)
        if choice.vertex in ("pass", "resign"):
            break
        game.play(choice.vertex)
    judge = player(STEADY, simulations=JUDGING, seed=seed)
    return abs(judge.choose(game).value - 0.5)
