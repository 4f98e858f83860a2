"""A player that searches: `montego.player(...)`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from math import inf
from typing import Any

from montego.go.errors import ConfigError, IllegalMove, is_whole, shown
from montego.go.game import Game
from montego.go.geometry import PASS
from montego.players.choice import Choice
from montego.search.config import SearchConfig
from montego.search.own import OwnParts
from montego.search.report import Report, make_report
from montego.search.search import Search, check_seed, check_threads
from montego.search.walk import Node

DEFAULT_SIMULATIONS = 10_000


class SearchPlayer:
    """Chooses moves by search. The same seed, one thread, a count of simulations and the same games: the same moves."""

    def __init__(
        self,
        name: str,
        config: SearchConfig,
        simulations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        seed: int = 0,
        own: OwnParts | None = None,
    ) -> None:
        check_budget(simulations, seconds)
        if simulations is None and seconds is None:
            simulations = DEFAULT_SIMULATIONS
        self.name, self.config = name, config
        self.simulations, self.seconds = simulations, seconds
        self.threads, self.seed = check_threads(threads), check_seed(seed)
        self.own = own or OwnParts()
        self._search: Search | None = None

    def search_of(self, game: Game) -> Search:
        """The search, set to a game's position."""
        if game.is_over:
            raise IllegalMove("the game is over; accepted: a game that goes on", "over")
        if self._search is None or self._search.size != game.size:
            self._search = Search(game.size, self.config, self.seed, self.threads, self.own)
        self._search.set_position(game)
        return self._search

    def new_game(self) -> None:
        """Forget everything: the next game starts as if this player had just been made."""
        self._search = None

    def choose(self, game: Game) -> Choice:
        """A move for the side to move."""
        start = time.perf_counter()
        search = self.search_of(game)
        done = search.run(self.simulations, self.seconds)
        point = PASS if wins_by_passing(game) else search.best()
        value, visits = search.value_of(point)
        return Choice(
            search.names.vertex(point), search.reason_of(point), value, visits, done, time.perf_counter() - start
        )

    def analyse(
        self,
        game: Game,
        simulations: int | None = None,
        seconds: float | None = None,
        every: float = 0.5,
        watch: Callable[[Report], object] | None = None,
    ) -> Report:
        """Search and report on every move. `watch` is given a report every so many seconds while the search runs."""
        check_budget(simulations, seconds)
        check_budget(None, every, "every")
        if simulations is None and seconds is None:
            simulations, seconds = self.simulations, self.seconds
        start = time.perf_counter()
        search = self.search_of(game)
        end = inf if seconds is None else time.perf_counter() + seconds  # what had to be compiled is compiled by now
        slices, done = inf if watch is None else every, 0
        search.parameters.owning = 1
        try:
            while True:
                rest = max(0.0, min(slices, end - time.perf_counter()))
                made = search.run(None if simulations is None else simulations - done, None if rest == inf else rest)
                done += made
                report = make_report(search, time.perf_counter() - start)
                enough = simulations is not None and done >= simulations
                if enough or made == 0 or time.perf_counter() >= end:
                    return report
                if watch is not None:
                    watch(report)
        finally:
            search.parameters.owning = 0

    @property
    def tree(self) -> Node:
        """The tree of the last search, to be walked or written out."""
        if self._search is None or self._search.game is None:
            raise ConfigError("there is no tree yet; accepted: after choose or analyse")
        return Node(self._search, self._search.pool.root, self._search.game.to_play)

    def describe(self) -> dict[str, Any]:
        """The whole configuration, as plain data."""
        config = {field: repr(v) if v == inf else v for field, v in asdict(self.config).items()}
        return {
            "name": self.name,
            "simulations": self.simulations,
            "seconds": self.seconds,
            "threads": self.threads,
            "seed": self.seed,
            "config": config,
            **({"own": self.own.describe()} if self.own.describe() else {}),
        }


def wins_by_passing(game: Game) -> bool:
    """Whether a pass would end the game now, with a win as the board stands."""
    if game.passes != 1:
        return False
    lead = game.score().lead
    return lead > 0 if game.to_play == 1 else lead < 0


def check_budget(simulations: Any, seconds: Any, name: str = "seconds") -> None:
    if simulations is not None and (not is_whole(simulations) or not 1 <= simulations < 1 << 40):
        raise ConfigError(f"simulations is {shown(simulations)}; accepted: a whole number from 1")
    if seconds is not None and (
        isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < 1e9
    ):
        raise ConfigError(f"{name} is {shown(seconds)}; accepted: a number above 0")
