"""The memory of a search tree: a fixed number of nodes, the free ones in a list, and pruning when none is left.

Nodes never move. Threads take free nodes from shares of their own of the list, so that taking one needs no lock;
what is cut off goes back to the list between two runs, when no thread is at work.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from montego._jit import U, jit
from montego.go.errors import ConfigError
from montego.search.records import CHILD, SIMULATIONS, UNEXPANDED, Tree, point_count

LEAST_NODES = 16
"""A tree is never smaller, whatever the memory asked for: room for the root and a few moves."""


class Rows(NamedTuple):
    """How many numbers a node has for every point: more than these only where a part of the search needs them."""

    stats: int = 4
    links: int = 2


PLAIN = Rows()


def node_bytes(size: int, rows: Rows = PLAIN) -> int:
    """What one node takes: some doubles and 32-bit numbers a point, three doubles, a place in the list."""
    return point_count(size) * (8 * rows.stats + 4 * rows.links) + 24 + 4


def new_tree(size: int, capacity: int, rows: Rows = PLAIN) -> Tree:
    """Empty arrays; the pages of nodes never used cost nothing."""
    points = point_count(size)
    links = np.zeros((capacity, rows.links, points), np.int32)
    return Tree(np.zeros((capacity, rows.stats, points)), links, np.zeros((capacity, 3)))


@jit
def mark(tree, marks, stack, root, least):
    """Mark the root and all nodes below it that at least `least` simulations passed through. Returns how many."""
    marks[:] = 0
    marks[root] = 1
    stack[0] = root
    count, top = 1, 1
    while top > 0:
        top -= 1
        child = tree.links[stack[top], CHILD]
        for p in range(U(child.size)):
            s = child[p]
            if s > 0 and marks[s] == 0 and tree.states[s, SIMULATIONS] >= least:
                marks[s] = 1
                stack[top] = s
                top += 1
                count += 1
    return count


@jit
def cut(tree, marks):
    """Forget the way to every node that is not marked; the statistics of the move that led there stay."""
    for s in range(marks.size):
        if marks[s] != 0:
            child = tree.links[s, CHILD]
            for p in range(U(child.size)):
                if child[p] > 0 and marks[child[p]] == 0:
                    child[p] = UNEXPANDED


class Pool:
    """The nodes of one search. Node 0 is never used, for a child 0 means that there is none.

    The root is the position that is searched, the base the first of the tree: what lies between them and beside them
    is kept as long as there is memory, for moves may be taken back.
    """

    def __init__(self, size: int, memory: int, rows: Rows = PLAIN) -> None:
        """memory: MiB."""
        self.rows, self.node_bytes = rows, node_bytes(size, rows)
        self.capacity = max(LEAST_NODES, (memory << 20) // self.node_bytes)
        try:
            self.tree = new_tree(size, self.capacity, rows)
            self.free = np.zeros(self.capacity, np.int32)
        except MemoryError:
            accepted = "a number of MiB that this machine can spare"
            raise ConfigError(f"memory is {memory}, which cannot be had; accepted: {accepted}") from None
        self.pruned = 0
        """nodes given up for want of memory so far"""
        self.clear()

    def clear(self) -> None:
        """An empty tree: one free root, everything else on the list of free nodes."""
        self.root = self.base = 1
        self._set_free(np.arange(2, self.capacity, dtype=np.int32))

    def _set_free(self, indices: np.ndarray[Any, Any]) -> None:
        self.free[: len(indices)] = indices
        self._left = len(indices)

    @property
    def used(self) -> int:
        """Nodes in use, the root included; right between two runs."""
        return self.capacity - 1 - self._left

    def share(self, threads: list[Any]) -> None:
        """Give each thread its part of the free nodes."""
        ends = [self._left * (t + 1) // len(threads) for t in range(len(threads))]
        for t, thread in enumerate(threads):
            thread.free_at, thread.free_end = (ends[t - 1] if t else 0), ends[t]
            thread.full = 0

    def collect(self, threads: list[Any]) -> None:
        """Take back what the threads have not used."""
        rest = [self.free[int(thread.free_at) : int(thread.free_end)].copy() for thread in threads]
        self._set_free(np.concatenate(rest))

    def keep(self, root: int, least: int = 0) -> None:
        """Make a node the root; free all nodes that are not below it or have fewer than `least` simulations."""
        marks, stack = self._scratch()
        mark(self.tree, marks, stack, root, least)
        cut(self.tree, marks)
        self.root = self.base = root
        marks[0] = 1
        self._set_free(np.flatnonzero(marks == 0).astype(np.int32))

    def take(self) -> int:
        """A node from the end of the list, between two runs; 0 if there is none."""
        if self._left == 0:
            return 0
        self._left -= 1
        return int(self.free[self._left])

    def prune(self) -> None:
        """Free at least half of the nodes: those of the past, and those with the fewest simulations."""
        marks, stack = self._scratch()
        before, least = self.used, 0
        while int(mark(self.tree, marks, stack, self.root, least)) > self.capacity // 2:
            least = max(2, 2 * least)
        self.keep(self.root, least)
        self.pruned += before - self.used

    def _scratch(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        return np.zeros(self.capacity, np.uint8), np.zeros(self.capacity, np.int32)
