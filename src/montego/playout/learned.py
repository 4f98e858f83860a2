"""Default policies from a learned value function (G&S07 §5), and the playout that follows it, as kernels.

The moves are those of the uniform policy. Q(s,a) = σ(φ·θ) of the position after a move is its value for the side to
move; `memory` (shape/memory.py) follows the board, its address is in `work.memory`.
"""

from __future__ import annotations

import math

import numpy as np

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import note_ataris, pass_turn, place
from montego.playout.loop import final_lead, stone_lead
from montego.playout.policies import sensible_moves
from montego.playout.reasons import Reason
from montego.rng import advance, below, normal_pair, unit
from montego.shape.memory import memory_of
from montego.shape.value import DIRECT, afterstate, follow, scan, sigmoid

EPSILON, SIGMA, TAU = U(0), U(1), U(2)
TIE = 1e-9
"""Values this close are equal: sums of the same weights differ by rounding."""

_15 = U(15)
_PASS, _RANDOM, _VALUE = U(Reason.PASS), U(Reason.RANDOM), U(Reason.VALUE)


@jit
def _evaluate(board, work, memory, count, colour):
    """memory.sums[i] = φ·θ after the i-th candidate, for the side to move."""
    sign = 1.0 if colour == U1 else -1.0
    i = U0
    while i < count:
        p = U(work.candidates[i])
        memory.sums[i] = sign * afterstate(memory, memory, memory.table, DIRECT, board, p, colour)
        i += U1


@jit
def _greatest(memory, count):
    best = -np.inf
    i = U0
    while i < count:
        best = max(best, memory.sums[i])
        i += U1
    return best


@jit
def _best(work, memory, count, rng):
    """A candidate with the greatest of `sums`, ties broken by the generator. Returns its advanced state too."""
    limit = _greatest(memory, count) - TIE
    ties, i = U0, U0
    while i < count:
        work.candidates[ties] = work.candidates[i]
        ties += U(memory.sums[i] >= limit)
        i += U1
    return U(work.candidates[below(rng, ties)]), advance(rng)


@jit
def _epsilon_move(board, work, memory, count, colour, rng):
    """π_ε: with probability ε any move, else argmax Q, which is where φ·θ is greatest."""
    explores = unit(rng) <= memory.randomness
    rng = advance(rng)
    if explores:
        return U(work.candidates[below(rng, count)]), _RANDOM, advance(rng)
    _evaluate(board, work, memory, count, colour)
    p, rng = _best(work, memory, count, rng)
    return p, _VALUE, rng


@jit
def _sigma_move(board, work, memory, count, colour, rng):
    """π_σ: argmax Q + η, with noise η ~ N(0, σ²) for every move."""
    _evaluate(board, work, memory, count, colour)
    i = U0
    while i < count:
        a, b, rng = normal_pair(rng)
        memory.sums[i] = sigmoid(memory.sums[i]) + memory.randomness * a
        memory.sums[i + U1] = sigmoid(memory.sums[i + U1]) + memory.randomness * b
        i += U2
    p, rng = _best(work, memory, count, rng)
    return p, _VALUE, rng


@jit
def _tau_move(board, work, memory, count, colour, rng):
    """π_τ: a move with probability ∝ e^{Q/τ}."""
    _evaluate(board, work, memory, count, colour)
    best, total = sigmoid(_greatest(memory, count)), 0.0
    i = U0
    while i < count:
        total += math.exp((sigmoid(memory.sums[i]) - best) / memory.randomness)
        memory.sums[i] = total
        i += U1
    drawn, i = unit(rng) * total, U0
    while i + U1 < count and memory.sums[i] < drawn:
        i += U1
    return U(work.candidates[i]), _VALUE, advance(rng)


@jit(inline=True)
def _move(board, work, memory, tables, colour, rng, policy):
    """The next move of a policy, its Reason and the advanced generator state; `policy` is a constant in each call."""
    count = sensible_moves(board, work, tables, colour)
    if count == U0:
        return U0, _PASS, rng
    if policy == EPSILON:
        return _epsilon_move(board, work, memory, count, colour, rng)
    if policy == SIGMA:
        return _sigma_move(board, work, memory, count, colour, rng)
    return _tau_move(board, work, memory, count, colour, rng)


@jit(inline=True)
def _play_out(board, work, tables, colour, policy):
    """The loop of a playout, as in loop.py; `memory` goes along."""
    memory = memory_of(board, work.memory)
    scan(memory, memory, memory.table, DIRECT, board)
    rng, passes, length = work.rng, work.passes, U0
    while passes < U2 and length < work.max_length:
        p, reason, rng = _move(board, work, memory, tables, colour, rng, policy)
        if work.tracing != U0:
            work.moves[length] = p
            work.reasons[length] = reason
        length += U1
        if p == U0:
            passes += U1
            pass_turn(board)
        else:
            passes, first_captured = U0, board.empty_count - U1
            place(board, p, colour)
            note_ataris(board, p, colour)
            follow(memory, memory, memory.table, DIRECT, board, p, colour, first_captured)
        colour = U3 - colour
        if work.mercy != U0 and length & _15 == U0 and U(abs(stone_lead(board))) >= work.mercy:
            break
    work.rng = rng
    work.length = length


@jit
def epsilon_playout(board, work, tables, colour):
    """A playout with π_ε."""
    _play_out(board, work, tables, colour, EPSILON)
    return final_lead(board)


@jit
def sigma_playout(board, work, tables, colour):
    """A playout with π_σ."""
    _play_out(board, work, tables, colour, SIGMA)
    return final_lead(board)


@jit
def tau_playout(board, work, tables, colour):
    """A playout with π_τ."""
    _play_out(board, work, tables, colour, TAU)
    return final_lead(board)
