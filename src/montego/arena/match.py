"""Many games between two players with colours in turn, in several processes, kept on file and summed up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from montego.arena.game import Effort, Player, in_a_line, play_game
from montego.arena.settings import SIDES, Match, MatchError, check_count
from montego.arena.statistics import Tally, elo
from montego.arena.store import Played, Store
from montego.arena.workers import Died, share_out
from montego.go.board import BLACK, WHITE

Build = Callable[..., Player]
"""Makes a player of a spec, with the keywords of `montego.player`. A function of a module, so that it can travel."""
MOST_JOBS = 256
WARM_UP_SIMULATIONS = 2


def engine(spec: str, **limits: Any) -> Player:
    """A player of the engine: `montego.player`, loaded when it is needed."""
    from montego.players import player

    return player(spec, **limits)


def warm_up(match: Match, build: Build = engine) -> None:
    """Let each player choose a move with hardly any search: whatever must be compiled or loaded then is."""
    game = match.new_game()
    for side in SIDES:
        player = build(match.spec(side), simulations=WARM_UP_SIMULATIONS, threads=match.threads, seed=0)
        try:
            player.choose(game)
        except Exception as error:  # whatever a player raises
            raise MatchError(f"{match.spec(side)} cannot play: {in_a_line(error)}") from error
    game.play("pass")
    game.score()


def play_one(match: Match, build: Build, index: int) -> Played:
    """Play one game of a match, with players made for it alone."""
    black = match.black(index)
    white = SIDES[1 - SIDES.index(black)]
    seeds = {side: match.seed_of(index, side) for side in SIDES}
    try:
        players = {side: _make(match, build, side, seeds[side]) for side in SIDES}
    except Exception as error:  # whatever a player raises
        return _void(match, index, f"a player could not be made: {in_a_line(error)}")
    game = play_game(players[black], players[white], match.new_game(), match.resign)
    side_of = {BLACK: black, WHITE: white, None: None}
    efforts = {side: game.efforts[colour] for colour, side in ((BLACK, black), (WHITE, white))}
    return Played(
        index, black, side_of[game.winner], game.result, game.reason, game.message, game.moves, seeds, efforts
    )


def _make(match: Match, build: Build, side: str, seed: int) -> Player:
    player = build(
        match.spec(side), simulations=match.simulations, seconds=match.seconds, threads=match.threads, seed=seed
    )
    player.new_game()
    return player


def _void(match: Match, index: int, message: str) -> Played:
    """A game that told nothing."""
    seeds = {side: match.seed_of(index, side) for side in SIDES}
    return Played(index, match.black(index), None, "Void", "void", message, [], seeds, {s: Effort() for s in SIDES})


class Series:
    """The games of a match: those already on file, and those played now."""

    def __init__(self, match: Match, record: Path | None = None, build: Build = engine) -> None:
        """Refuses, before any game, players that cannot be made and a file of another match."""
        self.match, self.build = match, build
        self.players = {side: self._description(side) for side in SIDES}
        self.store = Store(record, match, self.players) if record else None
        self.played: dict[int, Played] = {}
        if self.store:
            self.played = {game.index: game for game in self.store.open() if game.index < match.games}

    def _description(self, side: str) -> dict[str, Any]:
        player = _make(self.match, self.build, side, 0)
        configuration = {key: value for key, value in player.describe().items() if key != "seed"}
        return {"spec": self.match.spec(side), "name": player.name, "configuration": configuration}

    @property
    def missing(self) -> list[int]:
        """The games yet to be played."""
        return [index for index in range(self.match.games) if index not in self.played]

    def play(self, jobs: int = 2, progress: Callable[[Series], None] = lambda series: None) -> bool:
        """Play the missing games, `jobs` at a time. False if Ctrl-C ended it early; what was played stands.

        With one job the games are played in this process, otherwise in processes of their own.
        """
        check_count("jobs", jobs, MOST_JOBS)
        try:
            with closing(self._games(jobs)) as games:
                for game in games:
                    self.played[game.index] = game
                    if self.store:
                        self.store.append(game)
                    progress(self)
        except KeyboardInterrupt:
            return False
        return True

    def _games(self, jobs: int) -> Generator[Played, None, None]:
        prepare, work = partial(warm_up, self.match, self.build), partial(play_one, self.match, self.build)
        if jobs == 1:
            prepare()
            yield from map(work, self.missing)
            return
        with closing(share_out(self.missing, jobs, prepare, work)) as answers:
            for index, answer in answers:
                yield _void(self.match, index, str(answer)) if isinstance(answer, Died) else answer

    def tally(self, black: str | None = None) -> Tally:
        """The games counted from a's side; all of them, or those in which `black` had Black."""
        tally = Tally()
        for game in self.played.values():
            if game.reason != "void" and black in (None, game.black):
                tally.add(game.winner, "a")
        return tally

    def report(self) -> dict[str, Any]:
        """Everything the games tell, as one JSON object."""
        games = sorted(self.played.values(), key=lambda game: game.index)
        counted = [game for game in games if game.reason != "void"]
        tally, reasons = self.tally(), Counter(game.reason for game in games)
        forfeits = Counter(game.winner for game in games if game.reason == "forfeit")
        return {
            **_standing(tally),
            "forfeits": {"a": forfeits["b"], "b": forfeits["a"]},
            "void": reasons["void"],
            "as_black": _standing(self.tally("a")),
            "as_white": _standing(self.tally("b")),
            "moves": _mean(sum(len(game.moves) for game in counted), len(counted)),
            "reasons": dict(reasons),
            "problems": [f"game {game.index}: {game.message}" for game in games if game.message],
            "players": {side: {**self.players[side], **_effort(counted, side)} for side in SIDES},
            "settings": asdict(self.match),
        }


def play_match(match: Match, jobs: int = 2, record: str | Path | None = None, build: Build = engine) -> dict[str, Any]:
    """Play a match, or what is missing of it in the file `record`, and return the report."""
    series = Series(match, Path(record) if record else None, build)
    series.play(jobs)
    return series.report()


def _standing(tally: Tally) -> dict[str, Any]:
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
    }


def _effort(games: list[Played], side: str) -> dict[str, float | None]:
    efforts = [game.efforts[side] for game in games]
    turns = sum(effort.turns for effort in efforts)
    return {
        "simulations_per_move": _mean(sum(effort.simulations for effort in efforts), turns),
        "seconds_per_move": _mean(sum(effort.seconds for effort in efforts), turns),
    }


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None


def _finite(number: float) -> float | None:
    """JSON has no infinity."""
    return number if math.isfinite(number) else None
