"""Backup as kernels: the outcome of a simulation goes into the MC and AMAF values of its path. They know no board."""

from __future__ import annotations

import numpy as np

from montego._intrinsics import add_safely
from montego._jit import U0, U1, U2, U3, U, jit
from montego.search.amaf import (
    EQUAL_WEIGHTS,
    SAME_COLOUR,
    SIMULATION,
    backup_amaf_of_simulation,
    note_plays,
    note_times,
    path_time,
    time_of,
    update_amaf,
    update_weighted,
    weights_at,
)
from montego.search.policy import HEURISTIC, NONE
from montego.search.proof import proven_outcome
from montego.search.records import (
    CHILD,
    PRUNED,
    SIMULATIONS,
    TOTAL,
    VISITS,
    WON,
    N,
    W,
)


@jit
def pretend_loss(tree, s, p, colour, losses):
    """Virtual loss: as if `losses` simulations had just gone wrong for the side to move; `backup` takes them back."""
    add_safely(tree.stats[s, N], p, losses)
    add_safely(tree.states[s], TOTAL, losses)
    if colour == U2:
        add_safely(tree.stats[s, W], p, losses)


@jit
def best_reply(tree, s, colour):
    """The value for Black of the best move tried in a state with `colour` to move, −1 if there is none."""
    best = -1.0
    for p in range(U(tree.links.shape[2])):
        if tree.links[s, VISITS, p] > 0 and tree.links[s, CHILD, p] >= 0:
            q = tree.stats[s, W, p] / tree.stats[s, N, p]
            better = q > best if colour == U1 else q < best
            if best < 0.0 or better:
                best = q
    return best


@jit
def _move_towards_best_reply(tree, s, p, colour, weight):
    """Q(s,a) = mean + weight · (value of the best reply − mean), the mean being that of the state it leads to."""
    reply = tree.links[s, CHILD, p]
    best = best_reply(tree, reply, U3 - colour)
    if best >= 0.0:
        mean = tree.states[reply, WON] / max(tree.states[reply, SIMULATIONS], 1.0)
        tree.stats[s, W, p] = tree.stats[s, N, p] * (mean + weight * (best - mean))


@jit(inline=True)
def _update_mc(tree, s, p, colour, z, losses):
    """(4)–(6) for one move on the path, virtual losses taken back. None is lost between threads; of the many AMAF
    updates a few may be."""
    state = tree.states[s]
    add_safely(state, SIMULATIONS, 1.0)
    add_safely(state, WON, z)
    add_safely(state, TOTAL, 1.0 - losses)
    add_safely(tree.links[s, VISITS], p, np.int32(1))
    add_safely(tree.stats[s, N], p, 1.0 - losses)
    add_safely(tree.stats[s, W], p, z - (losses if colour == U2 else 0.0))


@jit
def backup(tree, moves, thread, parameters, colour, z):
    """Backup of Algorithm 2: from the last state of the path to the root. `colour` began the playout with `moves`.

    A new node is the last of the path, and its move is the first of the playout.
    """
    if parameters.solver != 0:
        z = proven_outcome(tree, thread, z)
    uses_amaf = parameters.schedule != NONE and parameters.schedule != HEURISTIC
    keep = U3 if parameters.amaf == SAME_COLOUR else U0
    losses = np.float64(parameters.virtual_loss)
    plays = thread.plays[: tree.links.shape[2]]
    weighted = parameters.amaf_weight != EQUAL_WEIGHTS
    if uses_amaf:
        note_plays(moves, thread.made_new, plays, colour, keep)
        if weighted:
            note_times(moves, thread.made_new, thread.times, colour, parameters)
    mover, t = U3 - colour, thread.depth
    if thread.made_new != U0:
        mover, losses = colour, 0.0
    while t > U0:
        t -= U1
        s, p = thread.path[t], U(thread.moves[t])
        _update_mc(tree, s, p, mover, z, losses)
        losses = np.float64(parameters.virtual_loss)
        if parameters.max_weight > 0.0 and tree.links[s, CHILD, p] > 0:
            _move_towards_best_reply(tree, s, p, mover, parameters.max_weight)
        if uses_amaf:
            kept = keep if p != U0 else U3
            plays[p] = mover | (U(plays[p]) & kept)
            points = U(plays.size) if parameters.amaf != SIMULATION else U1  # for the others see below
            if weighted:
                time = path_time(t, thread)
                thread.times[mover - U1, p] = time_of(time, parameters)
                a, b = weights_at(time, np.float64(moves.size), parameters)
                update_weighted(tree, s, plays, thread.times, a, b, mover, z, points)
            else:
                update_amaf(tree, s, plays, mover, z, points)
        mover = U3 - mover
    if uses_amaf and parameters.amaf == SIMULATION:
        backup_amaf_of_simulation(tree, thread, plays, np.float64(moves.size), parameters, z)
    return 0


@jit
def prune_moves(tree, squares, parameters):
    """Progressive pruning (Bouzy & Chaslot 2006 §III.B, figure 1): give up what is clearly below the best move.

    squares: the sums of z² of the root's moves. Returns how many moves are left.
    """
    root, best, left = parameters.root, -np.inf, 0
    child, visits = tree.links[root, CHILD], tree.links[root, VISITS]
    for p in range(U(squares.size)):
        if child[p] >= 0 and visits[p] >= parameters.pruning_after:
            mean, error = _mean_and_error(tree, root, p, squares[p], parameters.colour)
            best = max(best, mean - parameters.pruning * error)
    for p in range(U(squares.size)):
        if child[p] >= 0 and visits[p] >= parameters.pruning_after:
            mean, error = _mean_and_error(tree, root, p, squares[p], parameters.colour)
            if mean + parameters.pruning * error < best:
                child[p] = PRUNED
        left += child[p] >= 0
    return left


@jit
def _mean_and_error(tree, s, p, squares, colour):
    """The mean outcome of a move for the side to move and its standard error."""
    n = np.float64(tree.links[s, VISITS, p])
    mean = tree.stats[s, W, p] / tree.stats[s, N, p]
    variance = max(0.0, squares / n - mean * mean)
    return (mean if colour == U1 else 1.0 - mean), np.sqrt(variance / n)
