"""Alpha-beta search with the learned value at the leaves, as kernels: a heuristic that looks some plies ahead.

It is full-width: every sensible move of either side, a pass only where there is none. Scores are φ·θ for the side to
move, for where that is greatest the value σ(φ·θ) is. Positions stand in the memory on loan (shape/memory.py), one a
ply, counted by the plies that are left: captures and simple ko are right, superko is not looked at.
"""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U3, U, jit
from montego.playout.greedy import make_move
from montego.playout.policies import sensible_moves
from montego.shape.memory import memory_of
from montego.shape.value import DIRECT, afterstate, scan, sigmoid


@jit
def _best_score(board, state, work, memory, count, beta, colour):
    """The best score of the last ply, or the first that is not below beta."""
    sign, best = 1.0 if colour == U1 else -1.0, -np.inf
    i = U0
    while i < count and best < beta:
        p = U(work.candidates[i])
        best = max(best, sign * afterstate(state, memory, memory.table, DIRECT, board, p, colour))
        i += U1
    return best


@jit
def _order(moves, scores, count):
    """Sort moves by their scores, the highest first."""
    i = U1
    while i < count:
        move, score, j = moves[i], scores[i], i
        while j > U0 and scores[j - U1] < score:
            moves[j], scores[j] = moves[j - U1], scores[j - U1]
            j -= U1
        moves[j], scores[j] = move, score
        i += U1


@jit
def _list_moves(board, state, work, memory, left, count, colour):
    """The candidates in the order of their afterstates' values, as the moves of a ply; a pass if there is none."""
    moves, scores = memory.moves[left], memory.scores[left]
    sign = 1.0 if colour == U1 else -1.0
    moves[U0], scores[U0] = U0, sign * state.total
    i = U0
    while i < count:
        p = U(work.candidates[i])
        moves[i] = p
        scores[i] = sign * afterstate(state, memory, memory.table, DIRECT, board, p, colour)
        i += U1
    _order(moves, scores, count)
    return max(count, U1)


@jit
def _advance(board, state, memory, left, p, colour):
    """Put the position after a move on the place of its ply."""
    memory.boards[left] = board
    memory.states[left] = state
    make_move(memory.boards[left], memory.states[left], memory, memory.table, DIRECT, p, colour)


@jit
def _negamax(board, state, work, tables, memory, left, alpha, beta, colour, passes):
    """The score of a position for the side to move, `left` ≥ 1 plies deep.

    Exact between alpha and beta, a bound beyond them (fail-soft; Knuth & Moore 1975).
    """
    count = sensible_moves(board, work, tables, colour)
    if count == U0 and (passes != U0 or left == U1):
        return state.total if colour == U1 else -state.total
    if left == U1:
        return _best_score(board, state, work, memory, count, beta, colour)
    count = _list_moves(board, state, work, memory, left, count, colour)
    best = -np.inf
    i = U0
    while i < count and best < beta:
        p = U(memory.moves[left, i])
        _advance(board, state, memory, left, p, colour)
        score = -_negamax(memory.boards[left], memory.states[left], work, tables, memory, left - U1, -beta,
                          -max(alpha, best), U3 - colour, U(p == U0))  # fmt: skip
        best = max(best, score)
        i += U1
    return best


@jit
def alpha_beta(board, tree, s, older, work, tables, thread, parameters, colour):
    """The value of every move by a search of `depth` plies; with one ply it is that of its afterstate, as in RLGO 1.0.

    Every move has a full window, for the heuristic of each is to be exact. What is not looked at has the value 0.
    """
    memory, left = memory_of(board, work.memory), U(parameters.depth)
    state = memory.states[U0]
    scan(state, memory, memory.table, DIRECT, board)
    thread.prior[:] = 0.0
    thread.prior_n[:] = 1.0
    count = sensible_moves(board, work, tables, colour)
    count = _list_moves(board, state, work, memory, left, count, colour)
    i = U0
    while i < count:
        p, score = U(memory.moves[left, i]), memory.scores[left, i]
        if left > U1:
            _advance(board, state, memory, left, p, colour)
            score = -_negamax(memory.boards[left], memory.states[left], work, tables, memory, left - U1, -np.inf,
                              np.inf, U3 - colour, U(p == U0))  # fmt: skip
        thread.prior[p] = sigmoid(score)
        i += U1
    return 0
