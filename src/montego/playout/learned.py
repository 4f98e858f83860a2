"""Default policies from a learned value function (G&S07 §5), and the playout that follows it, as kernels.

The moves are those of the uniform policy. Q(s,a) = σ(φ·θ) of the position after a move is its value for the side to
move; `memory` (shape/memory.py) follows the board, its address is in `work.memory`.
"""

from __future__ import annotations

import math

from montego._jit import U0, U1, U2, U3, U, jit
from montego.playout.greedy import best_move, epsilon_move, evaluate_moves, greatest, make_move
from montego.playout.loop import final_lead, stone_lead
from montego.playout.policies import sensible_moves
from montego.playout.reasons import Reason
from montego.rng import advance, normal_pair, unit
from montego.shape.memory import memory_of
from montego.shape.value import DIRECT, scan, sigmoid

EPSILON, SIGMA, TAU = U(0), U(1), U(2)

_15 = U(15)
_PASS, _VALUE = U(Reason.PASS), U(Reason.VALUE)


@jit
def _evaluate(board, work, memory, count, colour):
    evaluate_moves(board, work, memory, memory, memory.table, DIRECT, memory.sums, count, colour)


@jit
def _epsilon_move(board, work, memory, count, colour, rng):
    """π_ε: with probability ε any move, else argmax Q."""
    return epsilon_move(
        board, work, memory, memory, memory.table, DIRECT, memory.sums, count, colour, memory.randomness, rng
    )


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
    p, rng = best_move(work, memory.sums, count, rng)
    return p, _VALUE, rng


@jit
def _tau_move(board, work, memory, count, colour, rng):
    """π_τ: a move with probability ∝ e^{Q/τ}."""
    _evaluate(board, work, memory, count, colour)
    best, total = sigmoid(greatest(memory.sums, count)), 0.0
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
        passes = passes + U1 if p == U0 else U0
        make_move(board, memory, memory, memory.table, DIRECT, p, colour)
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
