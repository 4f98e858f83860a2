"""AMAF values as kernels: which later plays of a simulation count in a state, and how much. They know no board.

A later play counts by its colour and the first play on its point (`plays`). With `amaf_weight` it also counts by its
time: with τ the time of the state and t that of the play, both counted from the first move of the playout, d = t − τ.
Linear weights are then 2(1 − d/D) = a·x + b with x = t, exponential ones 2^(−d/h) = a·x + b with x = 2^(−t/h), a and b
being the state's alone: `times` holds x, and a state is updated by one plain loop whatever the weights.
"""

from __future__ import annotations

import math

import numpy as np

from montego._jit import U0, U1, U3, U, jit
from montego.search.records import AMAF_N, AMAF_W, CHILD

SAME_COLOUR, SIMULATION = 1, 2
EQUAL_WEIGHTS, EXPONENTIAL = 0, 2


@jit
def note_plays(moves, start, plays, colour, keep):
    """By point, the colours whose later play counts: those of a playout begun by `colour`, from move `start` on.

    Walking backwards, the first play on a point is the last one written. keep: 0 if only the first play by either
    colour counts, 3 if the first of each does. A pass is no play on a point: it counts for both colours.
    """
    plays[:] = 0
    i = U(moves.size)
    while i > start:
        i -= U1
        p = U(moves[i])
        mover = colour if (i & U1) == U0 else U3 - colour
        kept = keep if p != U0 else U3
        plays[p] = mover | (U(plays[p]) & kept)


@jit(inline=True)
def time_of(t, parameters):
    """x of a play at time t."""
    if parameters.amaf_weight == EXPONENTIAL:
        return math.pow(2.0, -t / parameters.amaf_half_life)
    return t


@jit
def note_times(moves, start, times, colour, parameters):
    """By colour and point, x of the first play in a playout begun by `colour`, from move `start` on."""
    growth, less = 1.0, 1.0
    if parameters.amaf_weight == EXPONENTIAL:
        growth, less = math.pow(2.0, 1.0 / parameters.amaf_half_life), 0.0
    i, x = U(moves.size), time_of(np.float64(moves.size), parameters)
    while i > start:
        i -= U1
        x = x * growth - less
        mover = colour if (i & U1) == U0 else U3 - colour
        times[mover - U1, moves[i]] = x


@jit(inline=True)
def weights_at(t, length, parameters):
    """a and b of a state at time t; `length`: the moves of the playout."""
    if parameters.amaf_weight == EXPONENTIAL:
        return math.pow(2.0, t / parameters.amaf_half_life), 0.0
    left = max(length - t, 1.0)
    return -2.0 / left, 2.0 + 2.0 * t / left


@jit(inline=True)
def update_amaf(tree, s, plays, colour, z, points):
    """(16) and (17) for one state: every later play of the side to move that is legal in it, on the first `points`."""
    stats, child = tree.stats[s], tree.links[s, CHILD]
    for p in range(points):
        counts = np.float64(((U(plays[p]) & colour) != U0) & (child[p] >= 0))
        stats[AMAF_N, p] += counts
        stats[AMAF_W, p] += counts * z


@jit
def update_weighted(tree, s, plays, times, a, b, colour, z, points):
    """The same, every play with its weight."""
    stats, child, x = tree.stats[s], tree.links[s, CHILD], times[colour - U1]
    for p in range(points):
        counts = np.float64(((U(plays[p]) & colour) != U0) & (child[p] >= 0)) * (a * x[p] + b)
        stats[AMAF_N, p] += counts
        stats[AMAF_W, p] += counts * z


@jit
def backup_amaf_of_simulation(tree, thread, plays, length, parameters, z):
    """AMAF as in G&S07: a move counts if it is the first on its point since the root. From the root downwards.

    The pass is no point, and has been dealt with. `length`: the moves of the playout.
    """
    t, colour, points = U0, parameters.colour, U(plays.size)
    plays[U0] = 0
    while t < thread.depth:
        if parameters.amaf_weight == EQUAL_WEIGHTS:
            update_amaf(tree, thread.path[t], plays, colour, z, points)
        else:
            a, b = weights_at(path_time(t, thread), length, parameters)
            update_weighted(tree, thread.path[t], plays, thread.times, a, b, colour, z, points)
        plays[thread.moves[t]] = 0
        colour = U3 - colour
        t += U1


@jit(inline=True)
def path_time(t, thread):
    """The time of the state t of the path: 0 where the playout began, negative before."""
    return np.float64(t) - np.float64(thread.depth - thread.made_new)
