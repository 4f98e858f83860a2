"""The large set of move features (Coulom 2007), for new nodes, and the heuristic of their strengths, as kernels."""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.tactics import chain_liberties, is_legal
from montego.patterns.strengths import FARTHEST, LINES, TREE_SET
from montego.playout.features import numbered, response_of, tactic_of
from montego.playout.strengths import strength_of
from montego.search.places import distance, line_of

_STARTS = TREE_SET.starts
_TACTIC, _RESPONSE, _ATARI = U(_STARTS["tactic"]), U(_STARTS["response"]), U(_STARTS["atari"])
_DISTANCE, _BEFORE, _LINE = U(_STARTS["distance"]), U(_STARTS["before"]), U(_STARTS["line"])


@jit
def gives_atari(board, p, colour):
    """Whether a move at the empty point p leaves a hostile string with one liberty."""
    stride = U(board.pitch.size)
    for q in (p - stride, p - U1, p + U1, p + stride):
        if U(board.colour[q]) == U3 - colour and chain_liberties(board, U(board.chain[q]))[0] == U2:
            return True
    return False


@jit(inline=True)
def _apart(board, p, q):
    """The number from 1 of the distance to an earlier move; 0 if there was none."""
    return U(min(distance(board, p, q), FARTHEST)) + U1 if q != U0 else U0


@jit
def tree_features(board, classes, p, colour):
    """The features of a move in the tree's set: of its pattern, tactic, response, atari, distances and line."""
    tactic = tactic_of(board, p, colour)
    return (
        U(classes[colour - U1, board.code[p]]),
        numbered(tactic, _TACTIC),
        numbered(response_of(board, p, colour, tactic), _RESPONSE),
        numbered(U(gives_atari(board, p, colour)), _ATARI),
        numbered(_apart(board, p, board.last), _DISTANCE),
        numbered(_apart(board, p, board.before), _BEFORE),
        numbered(U(min(line_of(board, p), len(LINES))), _LINE),
    )


@jit
def tree_strength(board, memory, p, colour):
    """γ of a move: the product over its features."""
    gamma = 1.0
    for feature in tree_features(board, memory.classes, p, colour):
        gamma *= memory.tree[feature]
    return gamma


@jit
def strengths(board, tree, s, older, work, tables, thread, parameters, colour):
    """H = γ / (γ + γ̄): ½ for a move as strong as the mean of all; 0 for own eyes and the pass."""
    memory, total, count = strength_of(board, work.strengths), 0.0, 0.0
    thread.prior[:] = 0.0
    thread.prior_n[:] = 1.0
    i = U0
    while i < board.empty_count:
        p = U(board.empty[i])
        if (U(tables.facts[board.code[p]]) >> colour) & U1 == U0 and is_legal(board, p, colour):
            gamma = tree_strength(board, memory, p, colour)
            thread.prior[p] = gamma
            total += gamma
            count += 1.0
        i += U1
    mean = total / max(count, 1.0)
    for p in range(U(thread.prior.size)):
        gamma = thread.prior[p]
        thread.prior[p] = gamma / (gamma + mean) if gamma > 0.0 else np.float64(0.0)
    return 0
