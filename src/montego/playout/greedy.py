"""Moves by the learned value, as kernels: what policies, training and TD search choose with.

The moves are the candidates in `work`. The value comes as in shape/value.py: a `state` that follows the board, its
`layout`, and weights in either form. `sums` holds φ·θ after each candidate for the side to move: where it is greatest,
Q = σ(φ·θ) is.
"""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U, jit
from montego.go.board import note_ataris, pass_turn, place
from montego.playout.policies import sensible_moves
from montego.playout.reasons import Reason
from montego.rng import advance, below, unit
from montego.shape.value import afterstate, follow

TIE = 1e-9
"""Values this close are equal: sums of the same weights differ by rounding."""

_RANDOM, _VALUE = U(Reason.RANDOM), U(Reason.VALUE)


@jit
def evaluate_moves(board, work, state, layout, weights, links, sums, count, colour):
    """sums[i] = φ·θ after the i-th candidate, for the side to move."""
    sign = 1.0 if colour == U1 else -1.0
    i = U0
    while i < count:
        sums[i] = sign * afterstate(state, layout, weights, links, board, U(work.candidates[i]), colour)
        i += U1


@jit
def greatest(sums, count):
    best = -np.inf
    i = U0
    while i < count:
        best = max(best, sums[i])
        i += U1
    return best


@jit
def best_move(work, sums, count, rng):
    """A candidate with the greatest of `sums`, ties broken by the generator. Returns its advanced state too."""
    limit = greatest(sums, count) - TIE
    ties, i = U0, U0
    while i < count:
        work.candidates[ties] = work.candidates[i]
        ties += U(sums[i] >= limit)
        i += U1
    return U(work.candidates[below(rng, ties)]), advance(rng)


@jit
def epsilon_move(board, work, state, layout, weights, links, sums, count, colour, epsilon, rng):
    """π_ε: with probability ε any candidate, else argmax Q. Returns the move, its Reason and the generator's state."""
    explores = unit(rng) <= epsilon
    rng = advance(rng)
    if explores:
        return U(work.candidates[below(rng, count)]), _RANDOM, advance(rng)
    evaluate_moves(board, work, state, layout, weights, links, sums, count, colour)
    p, rng = best_move(work, sums, count, rng)
    return p, _VALUE, rng


@jit
def choose(board, work, tables, state, layout, weights, links, sums, colour, epsilon):
    """An ε-greedy move among the sensible ones, 0 to pass if there is none."""
    count = sensible_moves(board, work, tables, colour)
    if count == U0:
        return U0
    p, _, work.rng = epsilon_move(board, work, state, layout, weights, links, sums, count, colour, epsilon, work.rng)
    return p


@jit
def make_move(board, state, layout, weights, links, p, colour):
    """Play a move, or pass, on the board and in the state."""
    if p == U0:
        pass_turn(board)
    else:
        first_captured = board.empty_count - U1
        place(board, p, colour)
        note_ataris(board, p, colour)
        follow(state, layout, weights, links, board, p, colour, first_captured)
