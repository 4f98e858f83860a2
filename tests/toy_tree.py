"""A search without a board: a game given as a tree of outcomes, walked with the real tree policies and the real backup.

A game is a dict from moves (points of 5×5) to the games after them; a number is the outcome z for Black, a function
draws one. The default policy is the first move of the dict unless another is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from montego.rng import stream
from montego.search.backup import backup, pretend_loss
from montego.search.config import SearchConfig
from montego.search.parameters import parameters_of
from montego.search.policy import beta_of, eval_moves, select_move
from montego.search.pool import new_tree
from montego.search.records import (
    AMAF_N,
    AMAF_W,
    CHILD,
    ILLEGAL,
    SIMULATIONS,
    THREAD_DTYPE,
    TOTAL,
    UNEXPANDED,
    VISITS,
    WON,
    N,
    Tree,
    W,
)

PASS, A, B, C, D = 0, 7, 8, 9, 10
"""The pass, and four points in a row in the top left corner of 5×5."""
E, F, G = 25, 27, 29
"""Three points of the fourth line, none beside another."""
BLACK, WHITE = 1, 2
ROOT = 1


def first(game: dict[int, Any]) -> int:
    return next(iter(game))


class Toy:
    """One node a simulation; its first move is the default policy's, as in Algorithm 2."""

    def __init__(
        self,
        game: dict[int, Any],
        colour: int = BLACK,
        seed: int = 1,
        default: Callable[[dict[int, Any]], int] = first,
        capacity: int = 200,
        **config: Any,
    ) -> None:
        self.tree: Tree = new_tree(5, capacity)
        self.thread = np.zeros(1, THREAD_DTYPE)[0]
        self.parameters = parameters_of(SearchConfig(**config))
        self.parameters.stride, self.parameters.colour, self.parameters.root = 6, colour, ROOT
        self.game, self.colour, self.default = game, colour, default
        self.rng = stream(seed)
        self.used = 0
        self.add(game)

    def add(self, game: dict[int, Any]) -> int:
        """A new node."""
        self.used += 1
        self.tree.links[self.used, CHILD, :] = ILLEGAL
        self.tree.links[self.used, CHILD, list(game)] = UNEXPANDED
        return self.used

    def select(self, depth: int, colour: int) -> int:
        p, rng = select_move(self.tree, self.thread, self.parameters, np.uint64(depth), np.uint64(colour), self.rng)
        self.rng = np.uint64(rng)
        return int(p)

    def simulate(self, count: int = 1) -> list[int]:
        """Simulate; returns the moves of the last simulation."""
        for _ in range(count):
            line = self._simulate()
        return line

    def _simulate(self) -> list[int]:
        tree, thread, losses = self.tree, self.thread, float(self.parameters.virtual_loss)
        s, game, colour, line = ROOT, self.game, self.colour, []
        thread.made_new = 0
        while isinstance(game, dict):
            thread.path[len(line)] = s
            if tree.states[s, SIMULATIONS] == 0:
                thread.made_new = 1
                break
            p = self.select(len(line), colour)
            pretend_loss(tree, np.int32(s), np.uint64(p), np.uint64(colour), losses)
            thread.moves[len(line)] = p
            line.append(p)
            game, colour = game[p], 3 - colour
            if isinstance(game, dict):
                if tree.links[s, CHILD, p] == UNEXPANDED:
                    tree.links[s, CHILD, p] = self.add(game)
                s = int(tree.links[s, CHILD, p])
        plays = []
        while isinstance(game, dict):
            plays.append(self.default(game))
            game = game[plays[-1]]
        if thread.made_new:
            thread.moves[len(line)] = plays[0]
        thread.depth = len(line) + int(thread.made_new)
        z = float(game() if callable(game) else game)
        backup(tree, np.array(plays, np.uint16), thread, self.parameters, np.uint64(colour), z)
        return line + plays

    def script(self, line: list[int], plays: list[int], z: float, is_new: bool = True) -> None:
        """A simulation as told: `line` in the tree, `plays` beyond it. The state after `line` is new, or has no node.

        States met for the first time have the same legal moves as the root.
        """
        thread, s = self.thread, ROOT
        states, moves = len(line) + is_new, line + plays
        for t in range(states):
            thread.path[t], thread.moves[t] = s, moves[t]
            if t + 1 < states:
                if self.tree.links[s, CHILD, moves[t]] <= 0:
                    self.tree.links[s, CHILD, moves[t]] = self.add(self.game)
                s = int(self.tree.links[s, CHILD, moves[t]])
        thread.made_new, thread.depth = int(is_new), states
        mover = self.colour if len(line) % 2 == 0 else 3 - self.colour
        backup(self.tree, np.array(plays, np.uint16), thread, self.parameters, np.uint64(mover), z)

    # --- looking at it ----------------------------------------------------------------------------------------

    def node(self, *line: int) -> int:
        s = ROOT
        for p in line:
            s = int(self.tree.links[s, CHILD, p])
            assert s > 0, f"there is no node after {line}"
        return s

    def visits(self, *line: int) -> dict[int, int]:
        visits = self.tree.links[self.node(*line), VISITS]
        return {int(p): int(visits[p]) for p in np.flatnonzero(visits)}

    def mc(self, *line: int) -> dict[int, tuple[float, float]]:
        """N and Q of every move tried after a line."""
        return pairs(self.tree.stats[self.node(*line), [N, W]])

    def amaf(self, *line: int) -> dict[int, tuple[float, float]]:
        """Ñ and Q̃ of every move that has AMAF values after a line."""
        return pairs(self.tree.stats[self.node(*line), [AMAF_N, AMAF_W]])

    def values(self, colour: int, s: int = ROOT, older: int = ROOT) -> dict[int, float]:
        """Eval of every move of a node."""
        values = self.thread.values[: self.tree.stats.shape[2]]
        eval_moves(self.tree, np.int32(s), np.int32(older), values, self.parameters, np.uint64(colour))
        child = self.tree.links[s, CHILD]
        assert np.all(np.isneginf(values[child < 0]))
        return {int(p): float(values[p]) for p in np.flatnonzero(child >= 0)}

    def wins_of(self, *line: int) -> tuple[float, float]:
        """Black's wins and the visits of a state."""
        state = self.tree.states[self.node(*line)]
        return float(state[WON]), float(state[SIMULATIONS])


def pairs(stats: np.ndarray[Any, Any]) -> dict[int, tuple[float, float]]:
    return {int(p): (float(stats[0, p]), float(stats[1, p] / stats[0, p])) for p in np.flatnonzero(stats[0])}


def near(expected: dict[int, tuple[float, float]]) -> dict[int, Any]:
    """Counts and values to compare with, up to rounding."""
    return {p: pytest.approx(pair) for p, pair in expected.items()}


class State:
    """One state with statistics written by hand: of each move N, Q, Ñ, Q̃ for the side to move, and visits."""

    def __init__(self, moves: dict[int, tuple[float, ...]], colour: int = BLACK, **config: Any) -> None:
        self.toy = Toy(dict.fromkeys(moves, 0.0), colour, **config)
        self.moves, self.colour = moves, colour
        self.fill(ROOT, moves)

    def fill(self, s: int, moves: dict[int, tuple[float, ...]]) -> None:
        stats = self.toy.tree.stats[s]
        for p, (n, q, amaf_n, amaf_q) in moves.items():
            black_q, black_amaf_q = (q, amaf_q) if self.colour == BLACK else (1 - q, 1 - amaf_q)
            stats[:, p] = n, n * black_q, amaf_n, amaf_n * black_amaf_q
            self.toy.tree.links[s, VISITS, p] = n
        self.toy.tree.states[s, [TOTAL, SIMULATIONS]] = sum(n for n, *_ in moves.values())

    def values(self, older: dict[int, tuple[float, ...]] | None = None) -> dict[int, float]:
        """Eval of every move; `older`: the statistics of two moves earlier."""
        if older is None:
            return self.toy.values(self.colour)
        grandfather = self.toy.add(dict.fromkeys(older, 0.0))
        self.fill(grandfather, older)
        return self.toy.values(self.colour, older=grandfather)

    def beta(self, p: int) -> float:
        return float(beta_of(self.toy.tree, np.int32(ROOT), np.uint64(p), self.toy.parameters))

    def choice(self) -> int:
        self.toy.thread.path[0] = ROOT
        return self.toy.select(0, self.colour)
