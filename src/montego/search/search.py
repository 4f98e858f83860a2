"""A search of one position after another: the tree, its threads, and how long it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
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
from montego.rng import stream
from montego.search.backup import backup
from montego.search.clock import Clock, in_parallel, next_batch
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
from montego.search.own import MEANING, OwnParts, heuristic_part, playout_part, select_part
from montego.search.policy import select_move
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
from montego.search.table import HeuristicTable

MAX_THREADS = 256
FIRST_BATCH = 16

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
    """The positions that superko forbids to bring back, as `loop._is_forbidden` compares them; none for simple ko."""
    if game.rules.ko == "SIMPLE":
        return np.zeros(0, np.uint64)
    if game.rules.ko == "POSITIONAL":
        return game.history
    sides = np.array([int(zobrist(np.uint64(0), np.uint64(c))) for c in game.movers], np.uint64)
    return game.history ^ sides


def check_threads(threads: Any) -> int:
    if not is_whole(threads) or not 1 <= threads <= MAX_THREADS:
        raise ConfigError(f"threads is {shown(threads)}; accepted: a whole number from 1 to {MAX_THREADS}")
    return int(threads)


def check_seed(seed: Any) -> int:
    if not is_whole(seed):
        raise ConfigError(f"seed is {shown(seed)}; accepted: a whole number")
    return int(seed)


class Search:
    """Monte-Carlo tree search on one board size. The same seed, one thread and the same games: the same trees."""

    def __init__(
        self, size: int, config: SearchConfig, seed: int = 0, threads: int = 1, own: OwnParts | None = None
    ) -> None:
        check_threads(threads)
        self.names, self.size, self.config = geometry(size), size, config
        self.own = own or OwnParts()
        self.parameters = parameters_of(config)
        self.parameters.stride = size + 1
        if config.parallel == "leaf":
            self.parameters.virtual_loss = 0  # a single thread descends
        playouts = PlayoutConfig(config.policy, config.max_length, config.mercy)
        twins = threads - 1 if config.parallel == "root" else 0
        self._works = np.concatenate([np.atleast_1d(new_work(size, playouts, seed, t)) for t in range(threads - twins)])
        self._works["tracing"] = 1
        self.works = [self._works[t] for t in range(len(self._works))]
        self.threads = [np.zeros(1, THREAD_DTYPE)[0] for _ in range(threads if config.parallel == "tree" else 1)]
        self.ownership = [np.zeros(point_count(size), np.int64) for _ in self.threads]
        self.squares = np.zeros(point_count(size))
        self.pool = Pool(size, max(1, config.memory // (twins + 1)))
        self.parts = self._find_parts(self.own)
        alone = replace(config, memory=max(1, config.memory // (twins + 1)), parallel="tree")
        self.twins = [Search(size, alone, int(stream(seed, t + 1)), 1, own) for t in range(twins)]
        self._merged = [twin.root_statistics() for twin in self.twins]
        self.game: Game | None = None
        self._line: tuple[Any, ...] = ()

    # --- the position -----------------------------------------------------------------------------------------

    def set_position(self, game: Game) -> None:
        """Search this position from now on, with what is known of it if it follows from the last one."""
        if game.size != self.size:
            raise ConfigError(f"a game on {game.size}×{game.size}; accepted: the size of this search, {self.size}")
        root = self._known_root(game) if self.config.reuse and not self.config.pruning else 0
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
        for i, twin in enumerate(self.twins):
            twin.set_position(game)
            self._merged[i] = twin.root_statistics()
        if root:
            self.pool.keep(root)
        else:
            self._plant()
        parameters.root = self.pool.root
        self._forbid_repetitions(game)
        self._line = self._identity(game)
        self._simulate(0, 0)  # whatever must be compiled is compiled now, before the clock starts

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

    def _find_parts(self, own: OwnParts) -> tuple[Any, ...]:
        """The addresses of the parts that the loop calls: see loop.py."""
        playout = playout_part(own.policy) if own.policy else PLAYOUTS[self.config.policy]
        heuristic = KERNELS.get(self.config.heuristic)
        if own.table:
            self._use_table(own.table)
            heuristic = None
        elif callable(own.heuristic):
            heuristic = heuristic_part(own.heuristic)
        select = select_part(self.own.tree_policy) if self.own.tree_policy else select_move
        self._kernels = playout, heuristic, select  # an address is good as long as its kernel lives
        tree, thread, parameters, work = self.tree, self.threads[0], self.parameters, self.works[0]
        board, colour, root, table = new_boards(self.size)[0], np.uint64(1), np.int64(1), tables()[0]
        nothing = np.uint64(0)
        return (
            address_of(playout, board, work, table, colour),
            address_of(heuristic, board, tree, root, root, work, table, thread, parameters, colour)
            if heuristic
            else nothing,
            address_of(select, tree, thread, parameters, nothing, colour, nothing),
            address_of(backup, tree, work.moves[:1], thread, parameters, colour, 0.0),
        )

    def _use_table(self, table: HeuristicTable) -> None:
        """A heuristic of arrays stands in the threads' records once and for all."""
        if table.size != self.size:
            accepted = f"arrays of the shape ({self.size}, {self.size}), as the board"
            raise ConfigError(f"heuristic: a table of the shape ({table.size}, {table.size}); accepted: {accepted}")
        for thread in self.threads:
            thread.prior[:], thread.prior_n[:] = table.by_point()

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
        if simulations is None and seconds is None and stop is None:
            raise ConfigError("a search without end; accepted: a number of simulations, seconds, or a way to stop")
        clock, members = Clock(simulations, seconds, stop), [self, *self.twins]
        while not clock.is_over() and not self._is_decided():
            for member in members:
                member.pool.share(member.threads)
            try:
                in_parallel([task for member in members for task in member._tasks(clock)], clock.cancel)
            finally:  # also on Ctrl-C: a node in use must not be taken for a free one
                for member in members:
                    member._reclaim()
        self._merge_twins()
        self._check_answers()
        return clock.done

    def _reclaim(self) -> None:
        """Take the free nodes back from the threads; make room if there are none."""
        self.pool.collect(self.threads)
        if any(int(thread.full) for thread in self.threads):
            self.pool.prune()

    def _tasks(self, clock: Clock) -> list[Callable[[], object]]:
        if self.config.parallel == "leaf" and len(self.works) > 1:
            return [partial(self._lead, clock)]
        return [partial(self._work, t, clock) for t in range(len(self.threads))]

    def _is_decided(self) -> bool:
        """Whether progressive pruning has left a single move."""
        return self.config.pruning > 0 and int((self.tree.links[self.pool.root, CHILD] >= 0).sum()) <= 1

    def _work(self, t: int, clock: Clock) -> None:
        """One thread on the tree, until the clock or the memory runs out."""
        thread, batch = self.threads[t], FIRST_BATCH
        while count := clock.take(batch):
            start = time.perf_counter()
            done = self._simulate(count, t)
            batch = next_batch(count, time.perf_counter() - start)
            clock.give_back(count - done)
            if thread.full or self._is_decided():
                return

    def _simulate(self, count: int, t: int) -> int:
        done = run(count, self._boards[t], self.tree, self.pool.free, self.works[t], tables()[0], self.threads[t],
                   self.parameters, self.parts, self._history, self.ownership[t], self.squares)  # fmt: skip
        return int(done)

    def _lead(self, clock: Clock) -> None:
        """Leaf parallelism: one thread on the tree, and the others play its leaves out."""
        from montego.search.leaf import SLOT, lead, serve

        thread, works, batch = self.threads[0], len(self.works), FIRST_BATCH
        boards = np.repeat(self._boards[0][:1], works + 1)
        while not thread.full and (count := clock.take(batch, works)):
            mail, start = np.zeros(works * SLOT, np.int64), time.perf_counter()
            tasks: list[Callable[[], object]] = [
                partial(lead, count // works, boards, self.tree, self.pool.free, self._works, tables()[0], thread,
                        self.parameters, self.parts, self._history, self.ownership[0], mail)
            ]  # fmt: skip
            tasks += [partial(serve, t, boards, self._works, tables()[0], self.parts, mail) for t in range(1, works)]
            in_parallel(tasks, clock.cancel)
            batch = next_batch(count, time.perf_counter() - start)

    # --- threads that share nothing but the root --------------------------------------------------------------

    def root_statistics(self) -> list[np.ndarray[Any, Any]]:
        """Copies of all numbers of the root but the links."""
        tree, root = self.tree, self.pool.root
        return [tree.stats[root].copy(), tree.links[root, VISITS].copy(), tree.states[root].copy()]

    def _merge_twins(self) -> None:
        """Root parallelism: add what the other trees have learned of the root's moves since the last time."""
        tree, root = self.tree, self.pool.root
        for i, twin in enumerate(self.twins):
            now = twin.root_statistics()
            stats, visits, state = (new - old for new, old in zip(now, self._merged[i], strict=True))
            tree.stats[root] += stats
            tree.links[root, VISITS] += visits
            tree.states[root] += state
            self._merged[i] = now

    def _check_answers(self) -> None:
        """A user's own function that gave answers nobody can use is told so."""
        faults = sum(int(work.faults) for member in (self, *self.twins) for work in member.works)
        for member in (self, *self.twins):
            member._works["faults"] = 0
        if faults:
            part = "policy" if self.own.policy else "heuristic"
            raise ConfigError(f"{part}: {faults} answers cannot be used; accepted: {MEANING[part]}, for a legal move")
