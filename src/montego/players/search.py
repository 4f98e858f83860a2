"""A player that searches: `montego.player(...)`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from math import inf
from typing import Any

from montego.go.errors import ConfigError, IllegalMove
from montego.go.game import Game
from montego.go.geometry import PASS
from montego.players.budget import Budget, check_budget
from montego.players.choice import Choice
from montego.players.conduct import Conduct
from montego.players.decision import Gloom, Judge, draw_of, soft_choice
from montego.players.endgame import Outlook, find_outlook
from montego.players.thinking import think
from montego.playout.simulate import fingerprints
from montego.search.config import SearchConfig, described
from montego.search.own import OwnParts
from montego.search.report import Report, make_report
from montego.search.search import Search, check_seed, check_threads
from montego.search.walk import Node

DEFAULT_SIMULATIONS = 10_000
SECOND_MEMORY = 32
"""MiB of the search that gives second opinions."""
FIRST_SHARE = 0.5
"""The part of the time for a move after which the first search makes room for a second opinion, if one is needed."""

Stop = Callable[[], bool]
Watch = Callable[[Report], object]


def leaving_time(stop: Stop | None, after: float, wanted: Stop) -> Stop:
    """A reason to stop: the one there is, or that after a while something else is wanted."""
    return lambda: (stop is not None and stop()) or (time.perf_counter() >= after and wanted())


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
        conduct: Conduct | None = None,
    ) -> None:
        check_budget(simulations, seconds)
        if simulations is None and seconds is None:
            simulations = DEFAULT_SIMULATIONS
        self.name, self.config, self.conduct = name, config, conduct or Conduct()
        self.simulations, self.seconds = simulations, seconds
        self.threads, self.seed = check_threads(threads), check_seed(seed)
        self.own = own or OwnParts()
        self.new_game()

    def new_game(self) -> None:
        """Forget everything: the next game starts as if this player had just been made."""
        self._search: Search | None = None
        self._second: Search | None = None
        self._gloom = Gloom()

    def search_of(self, game: Game, without: Iterable[str] = ()) -> Search:
        """The search, set to a game's position; `without` names moves it shall not consider there."""
        if game.is_over:
            raise IllegalMove("the game is over; accepted: a game that goes on", "over")
        if self._search is None or self._search.size != game.size:
            self._search = Search(game.size, self.config, self.seed, self.threads, self.own)
        self._search.set_position(game, without)
        return self._search

    def second_of(self, size: int) -> Search:
        """A small search beside the first, for a second opinion about the end of the game."""
        if self._second is None or self._second.size != size:
            # The same for all: neither random playouts, nor knowledge of where fights are, tell who owns what.
            memory = min(SECOND_MEMORY, self.config.memory)
            config = SearchConfig(policy="mogo", fpu=1.0, moves="sensible", expand_after=8, reuse=False, memory=memory)
            self._second = Search(size, config, self.seed)
            self._second.parameters.owning = 1
        return self._second

    @property
    def budget(self) -> Budget:
        """What a move costs if nothing else is said."""
        return Budget(self.simulations, self.seconds)

    def choose(
        self,
        game: Game,
        budget: Budget | None = None,
        stop: Stop | None = None,
        watch: Watch | None = None,
        every: float = 0.5,
        without: Iterable[str] = (),
        cleanup: bool = False,
        whole: bool = True,
    ) -> Choice:
        """A move for the side to move, or "resign".

        stop ends the thinking, watch is given a report every so many seconds (whole: on all moves, also on those not
        tried), without names moves not to consider, cleanup: capture the other side's dead stones before passing.
        """
        start, search = time.perf_counter(), self.search_of(game, without)
        search.parameters.owning = int(self.conduct.friendly or game.rules.all_alive or cleanup or watch is not None)

        def show() -> None:
            if watch is not None:
                watch(make_report(search, time.perf_counter() - start, not whole))

        budget = budget or self.budget
        judge = Judge(search, lambda: self.second_of(game.size), self.conduct, cleanup)
        if budget.seconds is not None and judge.cares(game):
            judge.deadline = start + budget.seconds
            stop = leaving_time(stop, start + FIRST_SHARE * budget.seconds, lambda: judge.is_open(game, search.best()))
        done = think(search, budget, stop, show if watch else None, every if watch else inf)
        show()
        point = search.best()
        if self.conduct.softness:
            point = soft_choice(search, point, self.conduct.softness, draw_of(self.seed, len(game.moves)))
        point = judge.move(game, point)
        value, visits = search.value_of(point)
        vertex = search.names.vertex(point)
        hope, _ = search.value_of(search.best())  # a soft choice does not make a game hopeless
        if point != PASS and self._gloom.gives_up(game, hope, search.playouts, self.conduct.resign_below):
            vertex = "resign"
        return Choice(vertex, search.reason_of(point), search.winrate(value), visits, done, time.perf_counter() - start)

    def analyse(
        self,
        game: Game,
        simulations: int | None = None,
        seconds: float | None = None,
        every: float = 0.5,
        watch: Watch | None = None,
        stop: Stop | None = None,
        without: Iterable[str] = (),
        whole: bool = True,
    ) -> Report:
        """Search and report on every move. `watch` is given a report every so many seconds while the search runs."""
        check_budget(simulations, seconds)
        check_budget(None, every, "every")
        if simulations is None and seconds is None and stop is None:
            simulations, seconds = self.simulations, self.seconds
        start, search = time.perf_counter(), self.search_of(game, without)
        search.parameters.owning = 1

        def report() -> Report:
            return make_report(search, time.perf_counter() - start, not whole)

        def show() -> None:
            if watch is not None:
                watch(report())

        think(search, Budget(simulations, seconds), stop, show if watch else None, every if watch else inf)
        return report()

    def outlook(self, game: Game, simulations: int | None = None, stop: Stop | None = None) -> Outlook:
        """How a position will be counted, from the playouts of a search. The game may be over."""
        going_on = game
        if game.is_over:
            going_on = game.copy()
            going_on.undo(max(1, game.passes))
        search = self.second_of(game.size)
        search.set_position(going_on.with_turn(game.to_play))
        search.run(simulations or DEFAULT_SIMULATIONS, stop=stop)
        return find_outlook(game, search.ownership_map())

    @property
    def tree(self) -> Node:
        """The tree of the last search, to be walked or written out."""
        if self._search is None or self._search.game is None:
            raise ConfigError("there is no tree yet; accepted: after choose or analyse")
        return Node(self._search, self._search.pool.root, self._search.game.to_play)

    def describe(self, size: int | None = None) -> dict[str, Any]:
        """The whole configuration, as plain data; that on boards of one size, if it is given."""
        config = self.config if size is None else self.config.on(size)
        return {
            "name": self.name,
            "simulations": self.simulations,
            "seconds": self.seconds,
            "threads": self.threads,
            "seed": self.seed,
            "config": described(config),
            **fingerprints(config.playouts, config.uses_weights, config.uses_urgencies, config.uses_strengths),
            **({"conduct": asdict(self.conduct)} if self.conduct != Conduct() else {}),
            **({"own": self.own.describe()} if self.own.describe() else {}),
        }
