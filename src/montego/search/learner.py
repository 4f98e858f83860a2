"""What TD search has and a tree search has not: the memories it learns, and room for a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from montego.go.errors import ConfigError
from montego.search.config import SearchConfig
from montego.search.own import OwnParts
from montego.search.td import judge_moves, td_search
from montego.shape.memory import fitted
from montego.shape.shipped import weights_of
from montego.shape.transient import TwoMemories


class Learner:
    """Learns from simulated games of one thread; the longest has `longest` moves."""

    def __init__(self, memories: TwoMemories, longest: int) -> None:
        self.memories = memories
        self._states = np.zeros((longest, len(memories.layout.origin)), np.uint32)
        self._values, self._sums = np.zeros(2 * longest), np.zeros(len(memories.layout.first))

    def run(self, count: int, *search: Any) -> int:
        """Simulate so many times. search: the arguments of `td_search`, from boards to account."""
        value = self.memories
        done = td_search(count, *search, value.state, value.layout, value.weights, self._states, self._values,
                         self._sums)  # fmt: skip
        return int(done)

    def judge(self, board: Any, tree: Any, root: int, colour: int) -> None:
        """Bring the values of the root's moves up to date."""
        value = self.memories
        judge_moves(board, tree, np.int64(root), value.state, value.layout, value.weights, np.uint64(colour))


def new_learner(size: int, config: SearchConfig, threads: int, own: OwnParts, longest: int) -> Learner | None:
    """What a configuration needs to learn; None for a search of a tree."""
    if not config.learns:
        return None
    if threads != 1:
        raise ConfigError(f"threads is {threads}; accepted: 1 for TD search, which learns from one game after another")
    for field in ("heuristic", "tree_policy"):
        if getattr(own, field) is not None:
            raise ConfigError(f"{field} of one's own in TD search, which has no use for it; accepted: a policy")
    return Learner(TwoMemories(fitted(weights_of(config.weights, size), size)), longest)
