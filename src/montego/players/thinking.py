"""How long a player thinks about a move: a budget, stopping early, thinking longer, and watchers on the way."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf

import numpy as np

from montego.players.budget import Budget
from montego.search.records import CHILD, VISITS
from montego.search.report import best_moves
from montego.search.search import Search

WARM_UP = 0.05
"""seconds before the speed of a search is known well enough to look ahead"""
CLOSE = 0.5
"""a choice is unclear when the second move has this share of the first one's visits"""


def think(
    search: Search,
    budget: Budget,
    stop: Callable[[], bool] | None = None,
    watch: Callable[[], object] | None = None,
    every: float = inf,
) -> int:
    """Search until the budget is spent or `stop` says so; call `watch` every so many seconds. Returns simulations."""
    start, before = time.perf_counter(), search.simulations
    end = inf if budget.seconds is None else start + budget.seconds
    last = end if budget.longest is None else max(end, start + budget.longest)
    due, done = start + every, 0

    def halt() -> bool:
        if stop is not None and stop():
            return True
        if not (budget.early and end < inf and is_decided(search, time.perf_counter(), start, end, before)):
            return False
        return end == last or not is_unclear(search)

    while True:
        until = max(0.0, min(due, end) - time.perf_counter())
        left = None if budget.simulations is None else budget.simulations - done
        made = search.run(left, None if until == inf else until, halt)
        done, now = done + made, time.perf_counter()
        if watch is not None and now >= due:
            watch()
            due = time.perf_counter() + every  # from now: however long that took, there is time to search again
        elif now >= end and now < last and is_unclear(search):
            end = last
        elif now >= end or made == 0 or done == budget.simulations or halt():
            return done


def is_decided(search: Search, now: float, start: float, end: float, before: int) -> bool:
    """Whether no other move can be chosen in the place of the most visited one in the time that is left."""
    if search.config.solver and search.is_proven:
        return True
    if search.config.final == "value" or now - start < WARM_UP:
        return False
    speed = (search.simulations - before) / (now - start)
    first, second = leaders(search)
    needed = 1.0 if search.config.final == "visits" else search.config.final_share
    return needed * first - second > speed * (end - now)


def is_unclear(search: Search) -> bool:
    """Whether more thought may well change the move: a close race, or visits and values that disagree."""
    first, second = leaders(search)
    if second > CLOSE * first:
        return True
    mover, root = int(search.parameters.colour), search.pool.root
    choices = {best_moves(search.tree, root, final, mover, search.parameters)[0] for final in ("visits", "value")}
    return len(choices) > 1


def leaders(search: Search) -> tuple[int, int]:
    """The visits of the two most visited moves of the root."""
    root = search.pool.root
    visits = search.tree.links[root, VISITS]
    top = np.sort(visits[search.tree.links[root, CHILD] >= 0])[-2:]
    return (int(top[-1]) if len(top) else 0), (int(top[-2]) if len(top) > 1 else 0)
