"""What must be true of every search tree, and trees in a form that can be compared."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from montego.go.board import pass_turn, play
from montego.go.tactics import is_legal
from montego.search.records import (
    AMAF_N,
    AMAF_W,
    CHILD,
    ILLEGAL,
    PRUNED,
    SIMULATIONS,
    TOTAL,
    VISITS,
    WON,
    N,
    W,
)
from montego.search.search import Search

Line = tuple[int, ...]
Array = np.ndarray[Any, Any]


class Nodes(NamedTuple):
    """The nodes below a root, parents first, by index: the nodes, their parents' places in the list, their moves."""

    s: Array
    parent: Array
    move: Array

    def line(self, i: int) -> Line:
        return () if i == 0 else (*self.line(int(self.parent[i])), int(self.move[i]))


def nodes_of(search: Search, root: int | None = None) -> Nodes:
    """Every node below the root. No node is reached twice, none is out of range."""
    level, start = np.array([search.pool.root if root is None else root]), 0
    found, parents, moves = [level], [np.array([-1])], [np.array([-1])]
    while len(level):
        child = search.tree.links[level, CHILD]
        assert child.min() >= PRUNED and child.max() < search.pool.capacity, "no such node"
        above, move = np.nonzero(child > 0)
        start, level = start + len(level), child[above, move]
        found.append(level)
        parents.append(above + start - len(found[-2]))
        moves.append(move)
    s = np.concatenate(found)
    assert len(np.unique(s)) == len(s), "a node is reached twice"
    return Nodes(s, np.concatenate(parents), np.concatenate(moves))


def lines(search: Search, root: int | None = None) -> dict[Line, int]:
    """Every node below the root by the moves that lead to it."""
    nodes = nodes_of(search, root)
    return {nodes.line(i): int(s) for i, s in enumerate(nodes.s)}


def dump(search: Search, root: int | None = None, digits: int | None = None) -> dict[Line, tuple[bytes, ...]]:
    """All the numbers of a tree, by the moves that lead to a node: what must be the same for trees to be the same.

    digits: after the point; the last bit of an exponential is another one with some processors' compiled functions.
    """
    tree, made = search.tree, {}
    for line, s in lines(search, root).items():
        moves = np.minimum(tree.links[s, CHILD], 1)  # which node it is does not matter
        stats = tree.stats[s] if digits is None else tree.stats[s].round(digits) + 0.0  # no −0
        made[line] = tuple(a.tobytes() for a in (stats, moves, tree.links[s, VISITS], tree.states[s]))
    return made


def check_tree(search: Search, slack: float = 0.0, most_boards: int = 500) -> Nodes:
    """Check a tree and return its nodes. slack: the AMAF updates that threads may lose, as a share of all.

    Visits and outcomes are added atomically: of them nothing may be lost.
    """
    tree, pool, config = search.tree, search.pool, search.config
    nodes = nodes_of(search)
    used, free = nodes.s, pool.free[: pool.capacity - 1 - pool.used]
    assert len(np.unique(free)) == len(free) and not np.isin(used, free).any(), "a node is free twice, or free and used"
    assert ((free > 0) & (free < pool.capacity)).all()
    assert len(used) <= pool.used < pool.capacity

    stats, visits, states = tree.stats[used], tree.links[used, VISITS], tree.states[used]
    off = 1e-6 + 1e-9 * float(stats.max())  # rounding
    amaf_off = off + slack * search.simulations
    assert np.isfinite(stats).all() and np.isfinite(states).all()
    assert (stats >= -off).all() and (states >= 0).all() and (visits >= 0).all()
    assert (stats[:, W] <= stats[:, N] + off).all() and (stats[:, AMAF_W] <= stats[:, AMAF_N] + amaf_off).all()
    assert (states[:, WON] <= states[:, SIMULATIONS]).all()
    assert (abs(states[:, TOTAL] - stats[:, N].sum(axis=1)) <= off).all(), "N(s) = Σ N(s,a)"
    assert (states[:, SIMULATIONS] == visits.sum(axis=1)).all(), "each simulation makes one move in a state"
    assert (stats[:, N] >= visits - off).all(), "N(s,a) is the visits and the heuristic's count"
    assert (states[1:, SIMULATIONS] <= visits[nodes.parent[1:], nodes.move[1:]]).all(), "nobody falls from the sky"
    if config.allocation == "tree-policy" and config.expand == "after":
        # The default policy's own first move in a new node may be no move of the node: superko, or an eye filled.
        stray = np.where(tree.links[used, CHILD] == ILLEGAL, visits, 0)
        assert (stray.sum(axis=1) <= len(search.works)).all(), "a move was tried that is none"
    _check_moves(search, [(nodes.line(i), int(s)) for i, s in enumerate(used[:most_boards])])
    return nodes


def _check_moves(search: Search, nodes: list[tuple[Line, int]]) -> None:
    """The moves on offer in a state are legal in its position."""
    assert search.game is not None
    for line, s in nodes:
        boards, colour = search.game.board, search.game.to_play
        for p in line:
            if p == 0:
                pass_turn(boards[0])
            else:
                play(boards[0], np.uint64(p), np.uint64(colour))
            colour = 3 - colour
        stones = boards[0].colour
        for p in np.flatnonzero(search.tree.links[s, CHILD] >= 0):
            assert p == 0 or (stones[p] == 0 and is_legal(boards[0], np.uint64(p), np.uint64(colour))), (line, p)
