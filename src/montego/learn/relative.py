"""Experiment 2 (B&C06 §V.B): urgencies from relative differences of Monte-Carlo values.

Q = log u. As in td.py every stream learns on a copy; then a Q moves by the mean change among the streams that
changed it. Since each of two patterns has a step of its own, a comparison does not quite keep their sum, so Q is
shifted until its mean over all matches is 0: a pattern that was never met stays as urgent as the average of the others.
"""

from __future__ import annotations

from functools import partial
from math import log
from typing import Any

import numpy as np

from montego.go.board import new_boards
from montego.learn.indigo_settings import IndigoSettings
from montego.learn.low_level import Table, from_kinds, kinds
from montego.learn.td import merged
from montego.learn.urgent_games import RELATIVE_DTYPE, relative_games
from montego.patterns.urgency import LEAST, MOST, UNIT, Urgencies
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.playout.urgencies import new_urgency_memories
from montego.search.clock import in_parallel

LOW, HIGH = log(LEAST / UNIT), log(MOST / UNIT)
"""What Q is kept between: the urgencies that a memory can hold."""


class RelativePlayer:
    """state: Q and the number N of matches, both by kind."""

    def __init__(self, settings: IndigoSettings) -> None:
        self.settings, self.block_games = settings, settings.block * settings.streams
        q = np.clip(np.log(settings.start_by_kind()), LOW, HIGH)
        self.state: Table = np.array([q, np.zeros_like(q)], np.float32)

    @property
    def urgencies(self) -> Urgencies:
        return from_kinds(np.exp(self.state[0].astype(np.float64)), self.settings.one_liberty)

    def learn(self, games: int) -> Any:
        """A block, played with the urgencies before it. Returns the totals of its games."""
        streams = self.settings.streams
        after, totals = np.repeat(self.state[None].astype(np.float64), streams, axis=0), np.zeros((streams, 3))
        memories = new_urgency_memories(self.urgencies, self.settings.size, streams)

        def play(i: int) -> None:
            self._play(memories[i : i + 1], self.settings.seeds(games, i), after[i], totals[i])

        in_parallel([partial(play, i) for i in range(streams)], lambda: None)
        before = self.state.copy()
        q, matches = merged(before[0], list(after[:, 0])), before[1] + (after[:, 1] - before[1]).sum(axis=0)
        met = matches > 0
        if met.any():
            q[met] -= np.average(q[met].astype(np.float64), weights=matches[met])
        self.state[:] = np.clip(q, LOW, HIGH), matches
        return totals.sum(axis=0)

    def _play(self, memory: Any, seeds: tuple[int, int], learned: Any, totals: Any) -> None:
        settings, relative = self.settings, np.zeros(1, RELATIVE_DTYPE)[0]
        for field in ("playouts", "sample", "opening", "epsilon", "c", "step"):
            relative[field] = getattr(settings, field)
        relative.outcome, relative.least, relative.most = settings.value == "outcome", LOW, HIGH
        work = new_work(settings.size, PlayoutConfig("uniform"), *seeds)
        work.urgencies, work.komi = memory.ctypes.data, settings.komi
        start, boards = new_boards(settings.size), new_boards(settings.size, 3)
        relative_games(settings.block, start, boards, work, tables()[0], kinds(), relative, *learned, totals)
