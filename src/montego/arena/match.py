"""The games of a match: those on file, those played now, and what they tell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from montego import __version__
from montego.arena.adjudication import adjudicator, referee_of
from montego.arena.contestants import Contestant, make
from montego.arena.game import FORFEIT, UNKNOWN, VOID, Effort, in_a_line, play_game
from montego.arena.openings import opening_of
from montego.arena.played import Pairing, Played, plain
from montego.arena.sequential import Sprt
from montego.arena.settings import SCORINGS, SIDES, Match, MatchError
from montego.arena.statistics import Tally, elo, superiority
from montego.arena.store import Store
from montego.go.board import BLACK, WHITE

Make = Callable[..., Contestant]
"""Makes a contestant of a spec, as `contestants.make` does. A function of a module, so that it can travel."""
WARM_UP_SIMULATIONS = 2
SPARE = 5
"""Void games are played again under further numbers, up to a fifth of the games and this many more."""


def seated(match: Match, making: Make, side: str, seed: int, **changes: Any) -> Contestant:
    """A player of a match."""
    limits: dict[str, Any] = {"simulations": match.simulations, "seconds": match.seconds, **changes}
    ways = {"threads": match.threads, "resign": match.resign, "rules": match.rules}
    return making(match.spec(side), seed=seed, answer_seconds=match.answer_seconds, **ways, **limits)


def warm_up(match: Match, making: Make = make, sides: Iterable[str] = SIDES) -> None:
    """Let players choose a move with hardly any search: whatever must be compiled, loaded or found then is."""
    game = match.new_game()
    for side in sides:
        player = seated(match, making, side, 0, simulations=WARM_UP_SIMULATIONS, seconds=None)
        try:
            player.begin(game)
            player.choose(game)
        except Exception as error:  # whatever a player raises
            raise MatchError(f"{match.spec(side)} cannot play: {in_a_line(error)}") from error
        finally:
            player.close()
    opening_of(match, 0)
    game.play("pass")
    game.score()


def warm_up_referee(match: Match) -> None:
    """See that whoever is to count the games of a match is there."""
    referee = referee_of(match)
    try:
        referee.begin(match.new_game())
    except Exception as error:  # whatever it raises
        raise MatchError(f"the referee {match.scoring} cannot count: {in_a_line(error)}") from error
    finally:
        referee.close()


def play_one(match: Match, making: Make, number: int) -> Played:
    """Play one game of a match, with players made for it alone."""
    black = match.black(number)
    white = SIDES[1 - SIDES.index(black)]
    side_of = {BLACK: black, WHITE: white}
    seeds = {side: match.seed_of(number, side) for side in SIDES}
    try:
        players = {side: seated(match, making, side, seeds[side]) for side in SIDES}
        opening = opening_of(match, number)
        game = match.opened(opening)
    except Exception as error:  # whatever a player raises
        return no_game(match, number, in_a_line(error))
    played = play_game(players[black], players[white], game, adjudicator(match))
    ending = played.ending
    return Played(
        number,
        black,
        ending.outcome,
        None if ending.winner is None else side_of[ending.winner],
        ending.result,
        ending.reason,
        ending.message,
        played.moves,
        seeds,
        {side: played.efforts[BLACK if side == black else WHITE] for side in SIDES},
        len(opening),
        {side: players[side].version for side in SIDES},
        __version__,
        _now(),
    )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def no_game(match: Match, number: int, message: str) -> Played:
    """A game that could not be played."""
    seeds = {side: match.seed_of(number, side) for side in SIDES}
    efforts, versions = {side: Effort() for side in SIDES}, dict.fromkeys(SIDES, "")
    ends = (VOID, None, "Void", "error", f"no game: {message}")
    return Played(number, match.black(number), *ends, [], seeds, efforts, 0, versions, __version__, _now())


class Series:
    """The games of one match, out of a store and into it."""

    def __init__(
        self,
        match: Match,
        store: Store | None = None,
        making: Make = make,
        sprt: Sprt | None = None,
        again: bool = False,
    ) -> None:
        """Refuses, before any game, players that cannot be made. again: play others for games that tell nothing."""
        self.match, self.making, self.sprt, self.again = match, making, sprt, again
        self.pairing = Pairing.of(match, {side: self._description(side) for side in SIDES})
        if match.scoring not in SCORINGS:
            referee_of(match)
        self.played: dict[int, Played] = {}
        self.store: Store | None = None
        if store:
            self.keep_in(store)

    def keep_in(self, store: Store) -> None:
        """Take up the games that a store has, and keep further ones in it."""
        self.store, self.pairing = store, store.known(self.pairing)
        store.add(self.pairing)
        games = store.games(self.pairing)
        self.played = {game.number: game for game in games if self.again or game.number < self.match.games}

    def _description(self, side: str) -> dict[str, Any]:
        player = seated(self.match, self.making, side, 0)
        return {"spec": self.match.spec(side), "name": player.name, "configuration": player.describe(self.match.size)}

    @property
    def missing(self) -> list[int]:
        """The numbers of the games yet to be played; none once the question is decided."""
        return [] if self.verdict else [n for n in range(self._end) if n not in self.played]

    @property
    def _end(self) -> int:
        """The number after the last game's."""
        games = self.match.games
        if not self.again:
            return games
        return min(games + sum(not game.counts for game in self.played.values()), games + games // 5 + SPARE)

    def take(self, game: Played) -> None:
        """Keep a game that has just been played."""
        if self.store:
            self.store.add(self.pairing, [game])
        self.played[game.number] = game

    @property
    def verdict(self) -> str | None:
        """What the sequential test says: H0, H1 or nothing yet.

        It reads the games in the order of their numbers, up to the first that is missing: in the order in which they
        ended, short ones would come too early.
        """
        if self.sprt is None:
            return None
        tally, found = Tally(), None
        for number in range(len(self.played)):
            game = self.played.get(number)
            if game is None or found:
                break
            if game.counts:
                tally.add(game.winner, "a")
                found = self.sprt.verdict(tally.wins, tally.losses, tally.draws)
        return found

    def tally(self, black: str | None = None) -> Tally:
        """The games counted from a's side; all of them, or those in which `black` had Black."""
        return tally_of(game for game in self.played.values() if black in (None, game.black))

    def report(self) -> dict[str, Any]:
        """Everything the games tell, as one JSON object."""
        games = [game for _, game in sorted(self.played.items())]
        counted = [game for game in games if game.counts]
        outcomes = Counter(game.outcome for game in games)
        forfeits = Counter(game.winner for game in games if game.outcome == FORFEIT)
        sprt = {} if self.sprt is None else {"sprt": {**asdict(self.sprt), "verdict": self.verdict}}
        return {
            **standing(self.tally()),
            "forfeits": {"a": forfeits["b"], "b": forfeits["a"]},
            "void": outcomes[VOID],
            "unknown": outcomes[UNKNOWN],
            "as_black": standing(self.tally("a")),
            "as_white": standing(self.tally("b")),
            "moves": sum(len(game.moves) for game in counted) / len(counted) if counted else None,
            "reasons": dict(Counter(game.reason for game in games)),
            "problems": [f"game {game.number}: {game.message}" for game in games if game.message],
            "players": {side: {**self.pairing.players[side], **effort_of(games, side)} for side in SIDES},
            "settings": plain(asdict(self.match)),
            "match": self.pairing.hash,
            **sprt,
        }


def tally_of(games: Iterable[Played]) -> Tally:
    """Games counted from a's side."""
    tally = Tally()
    for game in games:
        if game.counts:
            tally.add(game.winner, "a")
    return tally


def standing(tally: Tally) -> dict[str, Any]:
    """The counts and what follows from them, as plain data."""
    low, high = tally.interval
    return {
        "games": tally.games,
        "wins": tally.wins,
        "losses": tally.losses,
        "draws": tally.draws,
        "rate": tally.rate,
        "interval": [low, high],
        "elo": None if tally.rate is None else _finite(elo(tally.rate)),
        "elo_interval": [_finite(elo(low)), _finite(elo(high))],
        "superiority": superiority(tally.wins, tally.losses),
    }


def _finite(value: float) -> float | None:
    """None stands for an infinite Elo difference, which JSON cannot say."""
    return value if math.isfinite(value) else None


def effort_of(games: Iterable[Played], side: str) -> dict[str, float | None]:
    """Means over all moves of a player in games with moves of its own."""
    efforts = [game.efforts[side] for game in games]
    turns = sum(effort.turns for effort in efforts)
    told = [effort.simulations for effort in efforts if effort.turns]
    simulations = None if None in told else sum(count or 0 for count in told)
    return {
        "simulations_per_move": simulations / turns if turns and simulations is not None else None,
        "seconds_per_move": sum(effort.seconds for effort in efforts) / turns if turns else None,
    }
