"""A search of one position after another: the tree, its threads, and how long it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from montego._jit import address_of
from montego.go.board import BLACK, new_boards, zobrist
from montego.go.errors import ConfigError, is_whole, shown
from montego.go.game import Game
from montego.go.geometry import PASS, geometry
from montego.patterns.strength_files import strengths_of
from montego.playout.parts import PLAYOUTS
from montego.playout.reasons import Reason
from montego.playout.simulate import lend_memories, new_work, tables
from montego.rng import stream
from montego.search.backup import backup
from montego.search.bias import MEASURED
from montego.search.clock import Clock, in_parallel, next_batch
from montego.search.config import HEURISTICS, SearchConfig
from montego.search.criticality import find_criticality
from montego.search.heuristics import KERNELS
from montego.search.knowledge import lend_knowledge
from montego.search.komi import Past, komi_shift
from montego.search.learner import new_learner
from montego.search.loop import list_moves, run, seed_moves
from montego.search.own import MEANING, OwnParts, heuristic_part, playout_part, select_part
from montego.search.parameters import parameters_of, rows_of
from montego.search.policy import select_move
from montego.search.pool import Pool
from montego.search.proof import proofs, winner_of
from montego.search.reading import lend_readings
from montego.search.records import (
    ACCOUNT_ROWS,
    CHILD,
    ILLEGAL,
    LEAD_N,
    OWNED,
    REALLY_WON,
    SIMULATIONS,
    THREAD_DTYPE,
    UNEXPANDED,
    VISITS,
    WON,
    N,
    Tree,
    W,
    point_count,
)
from montego.search.report import best_moves, for_mover, reasons_at_root
from montego.search.table import HeuristicTable
from montego.search.winrate import sharpened

MAX_THREADS = 256
FIRST_BATCH = 16
LONGEST_GROWTH = 8
"""Moves beyond a known line for which the tree is kept, as the past of the new position."""


def position_keys(game: Game) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The positions that superko forbids to bring back, as `loop._is_forbidden` compares them; none for simple ko."""
    if game.rules.ko == "SIMPLE":
        return np.zeros(0, np.uint64)
    if game.rules.ko == "POSITIONAL":
        return game.history
    sides = np.array([int(zobrist(np.uint64(0), np.uint64(c))) for c in game.movers], np.uint64)
    return game.history ^ sides


def earlier(game: Game, moves: int) -> Game:
    """The game so many moves ago."""
    past = game.copy()
    if moves:
        past.undo(moves)
    return past


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
        self.names, self.size = geometry(size), size
        self.config = config = config.on(size)
        self.own = own or OwnParts()
        self.parameters = parameters_of(config)
        self.parameters.stride = size + 1
        if self.own.heuristic is not None:
            self.parameters.heuristic = HEURISTICS["even"]  # whatever the configured one: there is one
        if config.parallel == "leaf":
            self.parameters.virtual_loss = 0  # a single thread descends
        playouts = config.playouts
        twins = threads - 1 if config.parallel == "root" else 0
        self._works = np.concatenate([np.atleast_1d(new_work(size, playouts, seed, t)) for t in range(threads - twins)])
        self._works["tracing"] = 1
        self.works = [self._works[t] for t in range(len(self._works))]
        needed = (config.uses_weights, config.uses_urgencies, config.uses_strengths)
        self._memories = lend_memories(self.works, size, playouts, *needed)
        if config.heuristic == "indigo":
            self._memories.append(lend_knowledge(self.works, size))
        elif config.uses_strengths:
            self._memories += lend_readings(self.works, size, strengths_of(playouts.strengths, size))
        self.threads = [np.zeros(1, THREAD_DTYPE)[0] for _ in range(threads if config.parallel == "tree" else 1)]
        self.accounts = [np.zeros((ACCOUNT_ROWS, point_count(size)), np.int64) for _ in self.threads]
        self.squares = np.zeros(point_count(size))
        self.pool = Pool(size, max(1, config.memory // (twins + 1)), rows_of(config))
        self.parts = self._find_parts(self.own)
        self.learner = new_learner(size, config, threads, self.own, int(self.works[0].max_length))
        alone = replace(config, memory=max(1, config.memory // (twins + 1)), parallel="tree")
        self.twins = [Search(size, alone, int(stream(seed, t + 1)), 1, own) for t in range(twins)]
        self._merged = [twin.root_statistics() for twin in self.twins]
        self.game: Game | None = None
        self.komi_shift = 0
        """points that White gets beyond the komi of the rules in this search: see komi.py"""
        self._setup: tuple[Any, ...] = ()
        self._base: list[tuple[int, int]] = []
        """the moves before the first node of the tree"""
        self._first = 1
        """who is to move there"""
        self._line: list[tuple[int, int]] = []
        """the moves before the root"""

    # --- the position -----------------------------------------------------------------------------------------

    def set_position(self, game: Game, without: Iterable[str] = (), shift: int | None = None) -> None:
        """Search this position from now on, with what is known of it if it lies in the tree. Undo is no loss.

        without: moves that are not to be considered in this position. shift: see komi.py; None: as configured.
        """
        if game.size != self.size:
            raise ConfigError(f"a game on {game.size}×{game.size}; accepted: the size of this search, {self.size}")
        avoided = sorted({self.names.parse(vertex) for vertex in without})
        self.komi_shift = self._next_shift(game) if shift is None else shift
        self.game = game.copy()
        self._boards = [np.repeat(game.board, 2) for _ in self.threads]
        self._history = position_keys(game)
        parameters = self.parameters
        parameters.colour, parameters.passes = game.to_play, min(1, game.passes)
        parameters.real_komi = game.komi + game.rules.handicap_bonus(game.handicap)
        parameters.komi = self._works["komi"] = parameters.real_komi + self.komi_shift
        if self.config.bias_by == "phase":
            parameters.bias = self.config.bias * MEASURED.factor(game)
        parameters.collecting = int(self.config.dynamic_komi != "none" or self.config.criticality > 0)
        parameters.superko = ("SIMPLE", "POSITIONAL", "SITUATIONAL").index(game.rules.ko)
        exact = game.rules.scoring == "AREA" and not self.komi_shift  # what the search counts is what the rules do
        parameters.solver = int(self.config.solver and exact)
        self.squares[:] = 0
        for thread in self.threads:
            thread.simulations = thread.moves_in_tree = 0
            thread.critical[:] = 0
        for account in self.accounts:
            account[:] = 0
        for i, twin in enumerate(self.twins):
            twin.set_position(game, without, self.komi_shift)
            self._merged[i] = twin.root_statistics()
        self._find_root(game, avoided)
        parameters.root = self.pool.root
        self._forbid_repetitions(game)
        if not (self.tree.links[self.pool.root, CHILD] >= UNEXPANDED).any():
            self.game = None
            raise ConfigError("every sensible move is left out; accepted: one or more to consider")
        self._judge()
        self._simulate(0, 0)  # whatever must be compiled is compiled now, before the clock starts

    def _find_root(self, game: Game, avoided: list[int]) -> None:
        """The node of the position: a known one, one grown at the end of a known line, or the first of a new tree."""
        line = self._line_of(game)
        here = (avoided, line) if avoided else ()  # a tree in which moves are left out is good for this position alone
        setup = (*self._setup_of(game), here, self.komi_shift)
        goes_on = line and self._goes_on(game)
        if self.learner and not goes_on:  # another game, or the first move of one
            self.learner.memories.forget()
        keeps = self.config.reuse and not self.config.pruning and not self.learner
        root = self._walk(game, line) if keeps and setup == self._setup else 0
        self._line = line
        if root:
            self.pool.root = root
            return
        self.pool.clear()
        self._grow(self.pool.root, game.board, game.to_play, avoided)
        self._setup, self._base, self._first = setup, line, game.to_play

    def _line_of(self, game: Game) -> list[tuple[int, int]]:
        return [(move.colour, self.names.parse(move.vertex)) for move in game.moves]

    def _setup_of(self, game: Game) -> tuple[Any, ...]:
        return game.komi, game.rules, game.handicap, int(game.history[0])

    def _goes_on(self, game: Game) -> bool:
        """Whether it is the game of the last position, some moves later or none."""
        return self._line_of(game)[: len(self._line)] == self._line and self._setup_of(game) == self._setup[:4]

    def _next_shift(self, game: Game) -> int:
        """The shift of the komi for a position, from what the last search has found if it is the same game."""
        if self.config.dynamic_komi == "none":
            return 0
        past = None
        if self.game is not None and self._goes_on(game):
            if len(game.moves) == len(self._line):
                return self.komi_shift  # the same position: the same komi
            n, leads, _ = self.leads()
            mover, tree, root = int(self.parameters.colour), self.tree, self.pool.root
            value = for_mover(tree.states[root, WON], tree.states[root, SIMULATIONS], mover)
            lead = float((n * leads).sum() / max(1.0, n.sum())) * (1 if mover == BLACK else -1)
            past = Past(self.komi_shift, int(n.sum()), 0.5 if value is None else value, mover, lead)
        return komi_shift(game, self.config, past)

    def _walk(self, game: Game, line: list[tuple[int, int]]) -> int:
        """The node a line of moves leads to from the first node of the tree, 0 if it cannot be reached."""
        known, grown = len(self._base), 0
        if line[:known] != self._base:
            return 0
        node, mover = self.pool.base, self._first
        for i, (colour, point) in enumerate(line[known:], known + 1):
            if colour != mover:
                return 0
            child, mover = int(self.tree.links[node, CHILD, point]), 3 - mover
            if child <= 0:
                child, grown = self.pool.take(), grown + 1
                if not child or grown > LONGEST_GROWTH:
                    return 0
                self._grow(child, earlier(game, len(line) - i).board, mover)
                self.tree.links[node, CHILD, point] = child
            node = child
        return node if mover == game.to_play else 0

    def _grow(self, node: int, boards: np.ndarray[Any, Any], colour: int, avoided: Iterable[int] = ()) -> None:
        """Make a node of a position, without statistics: as `new_node` does, but for moves to be left out."""
        s, mover = np.int64(node), np.uint64(colour)
        list_moves(boards[0], self.tree, s, tables()[0], self.parameters, mover)
        self.tree.links[node, CHILD, list(avoided)] = ILLEGAL
        seed_moves(boards[0], self.tree, s, s, self.works[0], tables()[0], self.threads[0], self.parameters,
                   self.parts, mover)  # fmt: skip

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
        return best_moves(self.tree, self.pool.root, self.config.final, mover, self.parameters)[0]

    def value_of(self, point: int) -> tuple[float, int]:
        """A move's value for the side to move, the position's if it has not been tried, and its visits."""
        root, mover, tree = self.pool.root, int(self.parameters.colour), self.tree
        proven = int(proofs(tree, root, mover)[point])
        if proven:
            return max(0.0, float(proven)), int(tree.links[root, VISITS, point])
        value = self.real_value(point) if self.komi_shift else None
        if value is None:
            value = for_mover(tree.stats[root, W, point], tree.stats[root, N, point], mover)
        if value is None:
            value = for_mover(tree.states[root, WON], tree.states[root, SIMULATIONS], mover)
        return (0.5 if value is None else value), int(tree.links[root, VISITS, point])

    def winrate(self, mean: float) -> float:
        """How likely a win is, by a mean outcome."""
        return sharpened(min(1.0, max(0.0, mean)), self.config.sharpness)

    def real_value(self, point: int | None = None) -> float | None:
        """How often the side to move wins by the komi of the rules, in the simulations since the position was set that
        began with a move, or in all; None if there are none. They are collected with dynamic komi."""
        won, n = np.sum(self.accounts, axis=0)[[REALLY_WON, LEAD_N]]
        chosen = slice(None) if point is None else point
        return for_mover(float(won[chosen].sum()) / 2, float(n[chosen].sum()), int(self.parameters.colour))

    @property
    def is_proven(self) -> bool:
        """Whether it is proven who wins, under area rules with every stone alive."""
        return winner_of(self.tree, self.pool.root, int(self.parameters.colour)) != 0

    @property
    def playouts(self) -> int:
        """Simulations made since the position was set."""
        return sum(int(thread.simulations) for thread in self.threads)

    def ownership_map(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Who owns each point at the end of those playouts, by row and column: +1 always Black … −1 always White.

        All zeros unless parameters.owning is set."""
        owned = np.sum(self.accounts, axis=0)[OWNED:LEAD_N, self.names.points].sum(axis=0) / max(1, self.playouts)
        made: np.ndarray[Any, np.dtype[np.float64]] = owned.reshape(self.size, self.size)
        return made

    def criticality_map(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """How much the game hangs on each point, by row and column, over the same playouts: see criticality.py."""
        critical = np.zeros(point_count(self.size))
        find_criticality(np.sum(self.accounts, axis=0), critical)
        made: np.ndarray[Any, np.dtype[np.float64]] = critical[self.names.points].reshape(self.size, self.size)
        return made

    def leads(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """By move of the root: simulations, mean lead of the side to move with komi, and its standard deviation.

        Over the simulations since the position was set, if parameters.owning is set."""
        n, total, squares = np.sum(self.accounts, axis=0)[LEAD_N:REALLY_WON].astype(float)
        some = np.maximum(n, 1.0)
        mean = total / some
        spread = np.sqrt(np.maximum(0.0, squares / some - mean * mean))
        mean -= float(self.parameters.real_komi)
        return n, mean if self.parameters.colour == 1 else -mean, spread

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
        self._judge()
        self._check_answers()
        return clock.done

    def _judge(self) -> None:
        """TD search: the root's moves have the values that have been learned."""
        if self.learner:
            self.learner.judge(self._boards[0][0], self.tree, self.pool.root, int(self.parameters.colour))

    def _reclaim(self) -> None:
        """Take the free nodes back from the threads; make room if there are none."""
        self.pool.collect(self.threads)
        if any(int(thread.full) for thread in self.threads):
            self.pool.prune()
            self._base, self._first = self._line, int(self.parameters.colour)

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
        if self.learner:
            return self.learner.run(count, self._boards[t], self.tree, self.works[t], tables()[0], self.threads[t],
                                    self.parameters, self.parts, self.accounts[t])  # fmt: skip
        done = run(count, self._boards[t], self.tree, self.pool.free, self.works[t], tables()[0], self.threads[t],
                   self.parameters, self.parts, self._history, self.accounts[t], self.squares)  # fmt: skip
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
                        self.parameters, self.parts, self._history, self.accounts[0], mail)
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
