"""Games between two pseudo-random players, without search: the low level of B&C06 §IV."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from montego._jit import address_of
from montego.go.board import new_boards
from montego.patterns.urgency import Urgencies
from montego.playout.loop import run_playouts
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.playout.urgencies import new_urgency_memories
from montego.playout.urgent import urgent_playout


@dataclass(frozen=True)
class Contest:
    """How the first player fared."""

    games: int
    score: float
    """mean lead in area points; each has Black in half of the games, so there is no komi"""
    error: float
    """standard error of the score"""
    wins: float
    """share of the games in which it was ahead, even games counted as half"""


def contest(a: Urgencies, b: Urgencies, size: int, games: int, seed: int = 0, index: int = 0) -> Contest:
    """Let two players play from the empty board, each as Black in half of the games.

    Another index of the same seed brings other games.
    """
    means, variances, wins, counts = [], [], [], [(games + 1) // 2, games // 2]
    for side, (black, white, sign) in enumerate(((a, b, 1), (b, a, -1))):
        count, totals = counts[side], np.zeros(5)
        if count:
            totals = _played(black, white, size, count, seed, 2 * index + side)
            mean = totals[1] / count
            means.append(sign * mean)
            variances.append(max(0.0, totals[2] / count - mean * mean) / count)
            ahead = totals[3] if sign == 1 else totals[4]
            wins.append(ahead + (count - totals[3] - totals[4]) / 2)
    error = math.sqrt(sum(variances)) / len(means)
    return Contest(games, float(sum(means) / len(means)), error, float(sum(wins) / games))


def _played(black: Urgencies, white: Urgencies, size: int, count: int, seed: int, index: int) -> np.ndarray:
    """Length, Black's lead, its square, Black's wins and White's, all summed up."""
    work, boards = new_work(size, PlayoutConfig("zero"), seed, index), new_boards(size, 2)
    memories = new_urgency_memories(black, size, white=white)
    work.urgencies = memories.ctypes.data
    totals, none, first = np.zeros(5, np.int64), np.zeros(0, np.int64), np.uint64(1)
    part = address_of(urgent_playout, boards[0], work, tables()[0], first)
    run_playouts(part, boards, work, tables()[0], count, first, totals, none, none)
    return totals.astype(np.float64)
