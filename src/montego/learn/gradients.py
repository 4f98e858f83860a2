"""The gradient of a position's Monte-Carlo value in the strengths of the playouts (Silver & Tesauro 2009), as kernels.

ψ(s,a) = ∇ log π(s,a) = φ(s,a) − Σ_b π(s,b) φ(s,b): the features of the move made less those expected. As E[Σψ] = 0, a
number that does not depend on the playout may be taken off its outcome z: ∇V = E[(z − c) Σψ].
"""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import note_ataris, pass_turn, place
from montego.go.tactics import is_legal
from montego.playout.features import playout_features
from montego.playout.loop import final_lead
from montego.rng import advance, unit


@jit
def weigh_moves(board, tables, memory, colour, teams, weights):
    """The sensible moves in `teams` (features, then the point) and their strengths. Returns how many, and their sum."""
    count, total, i = U0, 0.0, U0
    while i < board.empty_count:
        p = U(board.empty[i])
        if (U(tables.facts[board.code[p]]) >> colour) & U1 == U0 and is_legal(board, p, colour):
            weight = 1.0
            for group, feature in enumerate(playout_features(board, memory.classes, p, colour)):
                weight *= memory.playout[feature]
                teams[count, group] = feature
            teams[count, 4] = p
            weights[count] = weight
            total += weight
            count += U1
        i += U1
    return count, total


@jit
def _draw(weights, count, total, rng):
    """The number of a move drawn in proportion to its strength."""
    drawn, chosen = unit(rng) * total, U0
    while chosen + U1 < count and drawn > weights[chosen]:
        drawn -= weights[chosen]
        chosen += U1
    return chosen


@jit
def _add_score(teams, weights, count, total, chosen, psi):
    """Add ψ of a move, by feature."""
    i = U0
    while i < count:
        share = np.float64(i == chosen) - weights[i] / total
        for group in range(4):
            psi[teams[i, group]] += share
        i += U1


@jit
def scored_playout(board, work, tables, memory, colour, teams, weights, psi):
    """A playout of the Boltzmann policy that fills in Σψ over its moves. Returns Black's area lead."""
    psi[:] = 0.0
    passes, length = work.passes, U0
    while passes < U2 and length < work.max_length:
        count, total = weigh_moves(board, tables, memory, colour, teams, weights)
        if count == U0:
            passes += U1
            pass_turn(board)
        else:
            chosen = _draw(weights, count, total, work.rng)
            work.rng = advance(work.rng)
            _add_score(teams, weights, count, total, chosen, psi)
            passes = U0
            p = U(teams[chosen, 4])
            place(board, p, colour)
            note_ataris(board, p, colour)
        colour = U3 - colour
        length += U1
    work.length = length
    return final_lead(board)


@jit
def add_gradient(count, boards, work, tables, memory, colour, less, teams, weights, psi, gradient):
    """Play out boards[0] `count` times on boards[1] and add up (z − less) Σψ. Returns the sum of z, for Black."""
    board, won = boards[1], 0.0
    for _ in range(count):
        boards[1] = boards[0]
        lead = np.float64(scored_playout(board, work, tables, memory, colour, teams, weights, psi))
        z = 0.5 + 0.5 * np.sign(lead - work.komi)
        won += z
        for i in range(U(psi.size)):
            gradient[i] += (z - less) * psi[i]
    return won
