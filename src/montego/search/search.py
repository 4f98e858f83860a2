"""A search of one position after another: the tree, its threads, and how long it runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from montego._jit import address_of
from montego.go.board import new_boards, zobrist
from montego.go.errors import ConfigError, is_whole, shown
from montego.go.game import Game
from montego.go.geometry import PASS, geometry
from montego.playout.loop import PLAYOUTS
from montego.playout.reasons import Reason
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.search.config import (
    ALLOCATIONS,
    AMAF,
    BONUSES,
    EXPANSIONS,
    FIELDS,
    HEURISTICS,
    MOVES,
    OUTCOMES,
    SCHEDULES,
    SearchConfig,
)
from montego.search.evidence import evidence_array
from montego.search.heuristics import KERNELS
from montego.search.loop import new_node, run
from montego.search.pool import Pool
from montego.search.records import (
    CHILD,
    ILLEGAL,
    PARAMETERS_DTYPE,
    SIMULATIONS,
    THREAD_DTYPE,
    VISITS,
    WON,
    N,
    Tree,
    W,
    point_count,
)
from montego.search.report import best_moves, for_mover, reasons_at_root

BATCH_SECONDS = 0.01
"""How long a thread computes between two looks at the clock."""
MAX_THREADS = 256

_WORDS = {
    "schedule": SCHEDULES,
    "amaf": AMAF,
    "bonus": BONUSES,
    "heuristic": HEURISTICS,
    "allocation": ALLOCATIONS,
    "expand": EXPANSIONS,
    "outcome": OUTCOMES,
    "moves": MOVES,
}
"""Fields whose words are numbers to kernels."""


def parameters_of(config: SearchConfig) -> Any:
    """The configuration as kernels read it."""
    made = np.zeros(1, PARAMETERS_DTYPE)[0]
    for field in set(FIELDS) & set(PARAMETERS_DTYPE.names or ()):
        value = getattr(config, field)
        made[field] = _WORDS[field][value] if field in _WORDS else value
    made.evidence[:] = evidence_array()
    return made


def position_keys(game: Game) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The positions that superko forbids to bring back, as `loop.is_forbidden` compares them; none for simple ko."""
    if game.rules.ko == "SIMPLE":
        return np.zeros(0, np.uint64)
    if game.rules.ko == "POSITIONAL":
        return game.history
    sides = np.array([int(zobrist(np.uint64(0), np.uint64(c))) for c in game.movers], np.uint64)
    return game.history ^ sides


class Search:
    """Monte-Carlo tree search on one board size. The same seed, one thread and the same games: the same trees."""

    def __init__(self, size: int, config: SearchConfig, seed: int = 0, threads: int = 1) -> None:
        if not is_whole(threads) or not 1 <= threads <= MAX_THREADS:
            raise ConfigError(f"threads is {shown(threads)}; accepted: a whole number from 1 to {MAX_THREADS}")
        self.names = geometry(size)
        self.size, self.config = size, config
        self.parameters = parameters_of(config)
        self.parameters.stride = size + 1
        self.pool = Pool(size, config.memory)
        playouts = PlayoutConfig(config.policy, config.max_length, config.mercy)
        self.works = [new_work(size, playouts, seed, t) for t in range(threads)]
        for work in self.works:
            work.tracing = 1
        self.threads = [np.zeros(1, THREAD_DTYPE)[0] for _ in range(threads)]
        self.ownership = [np.zeros(point_count(size), np.int64) for _ in range(threads)]
        self.squares = np.zeros(point_count(size))
        self.parts = self._find_parts()
        self.game: Game | None = None
        self._line: tuple[Any, ...] = ()

    # --- the position -----------------------------------------------------------------------------------------

    def set_position(self, game: Game) -> None:
        """Search this position from now on, with what is known of it if it follows from the last one."""
        if game.size != self.size:
            raise ConfigError(f"a game on {game.size}×{game.size}; accepted: the size of this search, {self.size}")
        root = self._known_root(game) if self.config.reuse else 0
        self.game = game.copy()
        self._boards = [np.repeat(game.board, 2) for _ in self.threads]
        self._history = position_keys(game)
        parameters = self.parameters
        parameters.colour, parameters.passes = game.to_play, min(1, game.passes)
        parameters.komi = game.komi + game.rules.handicap_bonus(game.handicap)
        parameters.superko = ("SIMPLE", "POSITIONAL", "SITUATIONAL").index(game.rules.ko)
        self.squares[:] = 0
        for thread in self.threads:
            thread.simulations = thread.moves_in_tree = 0
        for owned in self.ownership:
            owned[:] = 0
        if root:
            self.pool.keep(root)
        else:
            self._plant()
        parameters.root = self.pool.root
        self._forbid_repetitions(game)
        self._line = self._identity(game)

    def _identity(self, game: Game) -> tuple[Any, ...]:
        """What must be the same for a tree to be of use, and the moves on top of it."""
        return (game.komi, game.rules, game.handicap, int(game.history[0])), tuple(game.moves)

    def _known_root(self, game: Game) -> int:
        """The node of a position that follows from the one searched last, 0 if there is none."""
        if not self._line:
            return 0
        setup, moves = self._identity(game)
        before = self._line[1]
        if setup != self._line[0] or moves[: len(before)] != before:
            return 0
        node, mover = self.pool.root, int(self.parameters.colour)
        for move in moves[len(before) :]:
            if move.colour != mover:
                return 0
            node = int(self.tree.links[node, CHILD, self.names.parse(move.vertex)])
            if node <= 0:
                return 0
            mover = 3 - mover
        return node if mover == game.to_play else 0

    def _plant(self) -> None:
        """A new tree: the root alone."""
        self.pool.clear()
        board, colour, root = self._boards[0][1:].copy()[0], np.uint64(self.parameters.colour), np.int64(self.pool.root)
        new_node(board, self.tree, root, root, self.works[0], tables()[0], self.threads[0], self.parameters,
                 self.parts, colour)  # fmt: skip

    def _forbid_repetitions(self, game: Game) -> None:
        """At the root every move on offer is a legal move of the game."""
        if game.rules.ko != "SIMPLE":
            child = self.tree.links[self.pool.root, CHILD]
            legal = np.zeros(len(child), bool)
            legal[[PASS, *(self.names.parse(vertex) for vertex in game.legal_moves())]] = True
            child[~legal] = ILLEGAL

    def _find_parts(self) -> tuple[Any, ...]:
        """The addresses of the parts that the loop calls: playout, heuristic, own tree policy."""
        size, config = self.size, self.config
        board, work, colour, root = new_boards(size)[0], self.works[0], np.uint64(1), np.int64(1)
        playout = address_of(PLAYOUTS[config.policy], board, work, tables()[0], colour)
        heuristic = np.uint64(0)
        if config.heuristic in KERNELS:
            heuristic = address_of(KERNELS[config.heuristic], board, self.tree, root, root, work, tables()[0],
                                   self.threads[0], self.parameters, colour)  # fmt: skip
        return playout, heuristic, np.uint64(0)

    # --- what came of it --------------------------------------------------------------------------------------

    @property
    def tree(self) -> Tree:
        """The arrays of the tree: see records.py."""
        return self.pool.tree

    def best(self) -> int:
        """The point of the move to play."""
        mover = int(self.parameters.colour)
        return best_moves(self.tree, self.pool.root, self.config.final == "value", mover, self.parameters)[0]

    def value_of(self, point: int) -> tuple[float, int]:
        """A move's value for the side to move, the position's if it has not been tried, and its visits."""
        root, mover, tree = self.pool.root, int(self.parameters.colour), self.tree
        value = for_mover(tree.stats[root, W, point], tree.stats[root, N, point], mover)
        if value is None:
            value = for_mover(tree.states[root, WON], tree.states[root, SIMULATIONS], mover)
        return (0.5 if value is None else value), int(tree.links[root, VISITS, point])

    def reason_of(self, point: int) -> Reason:
        """The rule of the playouts that proposes a move of the root."""
        return Reason(int(reasons_at_root(self)[point]))

    # --- running ----------------------------------------------------------------------------------------------

    @property
    def simulations(self) -> int:
        """Simulations in the tree as it stands, those kept from earlier searches included."""
        return int(self.tree.states[self.pool.root, SIMULATIONS])

    def run(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> int:
        """Simulate until a count or a time is reached or `stop` says so (asked between batches). Returns how many."""
        if self.game is None:
            raise ConfigError("there is no position to search; accepted: set_position first")
        clock = _Clock(simulations, seconds, stop)
        while not clock.is_over():
            self.pool.share(self.threads)
            self._run_threads(clock)
            full = any(int(thread.full) for thread in self.threads)
            self.pool.collect(self.threads)
            if full:
                self.pool.prune()
        return clock.done

    def _run_threads(self, clock: _Clock) -> None:
        """All threads at work until the clock runs out or the memory does."""
        if len(self.threads) == 1:
            self._work(0, clock)
            return
        workers = [threading.Thread(target=self._work, args=(t, clock)) for t in range(len(self.threads))]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                worker.join()
        except BaseException:  # Ctrl-C: no thread may outlive the call, for the tree is about to be read
            clock.cancel()
            for worker in workers:
                worker.join()
            raise

    def _work(self, t: int, clock: _Clock) -> None:
        thread, batch = self.threads[t], 16
        while count := clock.take(batch):
            start = time.perf_counter()
            run(count, self._boards[t], self.tree, self.pool.free, self.works[t], tables()[0], thread,
                self.parameters, self.parts, self._history, self.ownership[t], self.squares)  # fmt: skip
            taken = time.perf_counter() - start
            batch = max(1, min(2 * count, round(count * BATCH_SECONDS / max(taken, 1e-6))))
            if thread.full:
                return


class _Clock:
    """Hands out simulations to threads until there are none, the time is over, or it is told to stop."""

    def __init__(self, simulations: int | None, seconds: float | None, stop: Callable[[], bool] | None) -> None:
        self._limit, self._stop = simulations, stop
        self._end = None if seconds is None else time.perf_counter() + seconds
        self._lock, self._cancelled = threading.Lock(), False
        self.done = 0

    def cancel(self) -> None:
        self._cancelled = True

    def is_over(self) -> bool:
        if self._cancelled or (self._stop is not None and self._stop()):
            return True
        if self._end is not None and time.perf_counter() >= self._end:
            return True
        return self._limit is not None and self.done >= self._limit

    def take(self, count: int) -> int:
        """How many simulations to do now, at most `count`; 0: none any more."""
        with self._lock:
            if self.is_over():
                return 0
            if self._limit is not None:
                count = min(count, self._limit - self.done)
            self.done += count
            return count
