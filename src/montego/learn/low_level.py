"""The low level (B&C06 §IV): games of pseudo-random players themselves, and how random they are."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego.go.board import new_boards
from montego.learn.urgent_games import mean_entropy, urgent_games
from montego.patterns.urgency import Urgencies, colours_swapped, symmetric
from montego.playout.loop import longest
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.playout.urgencies import new_urgency_memories

Table = np.ndarray[Any, np.dtype[np.float32]]
"""A number by kind: what is learned, kept as files keep it."""
Results = np.ndarray[Any, np.dtype[np.int32]]
"""By kind, the sum of results and the number of games."""

LIMIT = 0.999
"""Q is kept a little inside ]−1, 1[: with k = 1 urgencies reach from 1/1999 (a memory holds 1/64) to 1999."""
ENTROPY_GAMES = 20
"""Of the uniform policy, always the same, whose positions the entropy is measured in."""


@cache
def kinds() -> np.ndarray[Any, np.dtype[np.uint16]]:
    """By colour to move and by pattern as Black sees it, the number that it shares with its images."""
    shared, _ = symmetric()
    return np.array([shared, shared[colours_swapped()]], np.uint16)


def kind_count() -> int:
    return symmetric()[1]


def new_results(players: int = 1) -> Results:
    """All 0, by player and kind."""
    return np.zeros((players, kind_count(), 2), np.int32)


def by_kind(urgencies: Urgencies) -> np.ndarray[Any, np.dtype[np.float64]]:
    """One urgency for all images of a pattern."""
    shared, count = symmetric()
    values = np.empty(count)
    values[shared] = urgencies.patterns
    return values


def from_kinds(values: np.ndarray[Any, Any], one_liberty: float) -> Urgencies:
    """Urgencies of patterns from those of kinds. They are rounded as a file rounds them, so that it plays the same."""
    return Urgencies(values.astype(np.float32).astype(np.float64)[symmetric()[0]], one_liberty)


def urgency_of_q(q: np.ndarray[Any, Any], k: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """U = ((1 + Q) / (1 − Q))^k."""
    wide = q.astype(np.float64)
    return np.asarray(((1 + wide) / (1 - wide)) ** k)


def q_of_urgency(urgency: np.ndarray[Any, Any], k: float) -> Table:
    """The Q that has such an urgency, or the nearest: Manual's highest is 156, which k from 0.67 on can reach."""
    root = urgency ** (1 / k) if k else np.ones_like(urgency)
    return np.clip((root - 1) / (root + 1), -LIMIT, LIMIT).astype(np.float32)


def means(results: Results) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Q of the results by kind: Q_n = Q_{n−1} + α (R − Q_{n−1}) with α = 1/(1 + n) and Q_0 = 0 is ΣR / (1 + n)."""
    return np.asarray(results[..., 0] / (1.0 + results[..., 1]))


def play_games(
    black: Urgencies,
    white: Urgencies | None,
    size: int,
    games: int,
    seeds: tuple[int, int],
    komi: float = 0.0,
    results: tuple[Results, Results] | None = None,
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The totals (see urgent_games) of games between two players, or one and itself.

    seeds: a seed and the number of its stream; results: Black's and White's, one player's each, to be added to.
    """
    memory = new_urgency_memories(black, size, white=white)
    work = new_work(size, PlayoutConfig("uniform"), *seeds)
    work.urgencies, work.komi = memory.ctypes.data, komi
    trace, seen, totals = np.zeros(longest(size), np.uint16), np.zeros(kind_count(), np.uint8), np.zeros(3)
    ours, theirs = results or (np.zeros((0, 2), np.int32),) * 2
    boards = np.repeat(new_boards(size), 2)
    urgent_games(games, boards, work, tables()[0], kinds(), trace, ours, theirs, seen, totals)
    return totals


def entropy(player: Urgencies, size: int) -> float:
    """How random the player's moves are: the entropy of the next move, in uniform games, as a share of the highest
    there can be. Zero has 1; whoever always has one move in mind has 0 (determinisation).
    """
    memory = new_urgency_memories(player, size)
    work = new_work(size, PlayoutConfig("uniform"), 0)
    work.urgencies = memory.ctypes.data
    return float(mean_entropy(ENTROPY_GAMES, np.repeat(new_boards(size), 2), work, tables()[0]))
