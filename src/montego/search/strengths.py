"""The large set of move features (Coulom 2007), for new nodes, and the heuristic of their strengths, as kernels."""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.tactics import chain_liberties, is_legal
from montego.patterns.strengths import FARTHEST, FULL, LINES, TREE_SET
from montego.playout.features import numbered, response_of, tactic_of
from montego.playout.strengths import strength_of
from montego.search.large import find_large
from montego.search.places import distance, line_of
from montego.search.reading import large_of, reading_of
from montego.search.strings import read_position, shape_of, surroundings_of

_STARTS = TREE_SET.starts
_TACTIC, _RESPONSE, _ATARI = U(_STARTS["tactic"]), U(_STARTS["response"]), U(_STARTS["atari"])
_DISTANCE, _BEFORE, _LINE = U(_STARTS["distance"]), U(_STARTS["before"]), U(_STARTS["line"])
_RESCUE, _PREY, _SHAPE = U(_STARTS["rescue"]), U(_STARTS["prey"]), U(_STARTS["shape"])
_LIBERTIES, _CONTACT = U(_STARTS["liberties"]), U(_STARTS["contact"])
_LARGE = U(TREE_SET.count - 1)
_LINES, _SIXTH, _HALF = U(len(LINES)), U(FULL[0]), U(FULL[1])


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


@jit(inline=True)
def _place(board, p):
    """The number from 1 of the line and the stage of the game."""
    area = U(board.rows.size) * U(board.rows.size)
    stones = area - board.empty_count
    stage = U(stones * _SIXTH > area) + U(stones * _HALF > area)
    return stage * _LINES + min(U(line_of(board, p)), _LINES)


@jit
def tree_features(board, classes, reading, p, colour):
    """The features of a legal move in the tree's set, all but large patterns. The position has been read."""
    tactic = tactic_of(board, p, colour)
    liberties, contact = surroundings_of(board, reading, p, colour)
    return (
        U(classes[colour - U1, board.code[p]]),
        numbered(tactic, _TACTIC),
        numbered(response_of(board, p, colour, tactic), _RESPONSE),
        numbered(U(gives_atari(board, p, colour)), _ATARI),
        numbered(_apart(board, p, board.last), _DISTANCE),
        numbered(_apart(board, p, board.before), _BEFORE),
        numbered(_place(board, p), _LINE),
        numbered(U(reading.rescue[p]), _RESCUE),
        numbered(U(reading.prey[p]), _PREY),
        numbered(shape_of(board, reading, p, colour), _SHAPE),
        numbered(liberties, _LIBERTIES),
        numbered(contact, _CONTACT),
    )


@jit
def tree_strength(board, classes, reading, p, colour):
    """γ of a move: the product over its features."""
    table, strength = large_of(board, reading.large), 1.0
    for feature in tree_features(board, classes, reading, p, colour):
        strength *= table.gamma[feature]
    for size in range(find_large(table, reading, p)):
        strength *= table.gamma[_LARGE + U(reading.found[size])]
    return strength


@jit
def strengths(board, tree, s, older, work, tables, thread, parameters, colour):
    """H = γ / (γ + γ̄): ½ for a move as strong as the mean of all; 0 for own eyes and the pass."""
    classes, total, count = strength_of(board, work.strengths).classes, 0.0, 0.0
    reading = reading_of(board, work.knowledge)
    read_position(board, reading, colour)
    thread.prior[:] = 0.0
    thread.prior_n[:] = 1.0
    i = U0
    while i < board.empty_count:
        p = U(board.empty[i])
        if (U(tables.facts[board.code[p]]) >> colour) & U1 == U0 and is_legal(board, p, colour):
            gamma = tree_strength(board, classes, reading, p, colour)
            thread.prior[p] = gamma
            total += gamma
            count += 1.0
        i += U1
    mean = total / max(count, 1.0)
    for p in range(U(thread.prior.size)):
        gamma = thread.prior[p]
        thread.prior[p] = gamma / (gamma + mean) if gamma > 0.0 else np.float64(0.0)
    return 0
