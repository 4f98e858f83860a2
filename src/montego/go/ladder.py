"""Ladders read to the end: an AND/OR search over forcing moves, bounded in nodes and in depth."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego._jit import U0, U1, U3, U, jit, record_dtype
from montego.go.board import in_atari, last_liberty
from montego.go.tactics import are_beside, are_many, chain_liberties, is_capture, is_legal, open_sides
from montego.go.trial import take_back, trial_fields, try_move

ESCAPES, CAPTURED, UNKNOWN = 0, 1, 2
_OPEN = 3  # not decided yet: there are moves to try
_WIDTH = 16
"""Moves looked at in one position: two of the attacker, or one extension and the nearest captures."""


def depth_limit(size: int) -> int:
    """A ladder across the whole board takes about 4 · size moves."""
    return 8 * size


@cache
def ladder_dtype(size: int) -> np.dtype[Any]:
    depth = depth_limit(size)
    return record_dtype(
        [
            *trial_fields(depth + 1),  # of a ladder, and the move before it
            ("moves", "u2", (depth * _WIDTH,)),
            ("count", "u2", (depth,)),  # moves of the position at this depth
            ("tried", "u2", (depth,)),  # … of which have been tried
        ]
    )


@jit
def _add(work, depth, p):
    """List a move to try at this depth, once."""
    start, count = depth * U(_WIDTH), U(work.count[depth])
    i = U0
    while i < count:
        if U(work.moves[start + i]) == p:
            return
        i += U1
    if count < U(_WIDTH):
        work.moves[start + count] = p
        work.count[depth] = count + U1


@jit
def _add_captures(board, work, depth, prey, defender):
    """The defender's captures: attacking chains in atari that touch the prey."""
    stride = U(board.pitch.size)
    s = prey
    while True:
        for q in (s - stride, s - U1, s + U1, s + stride):
            if U(board.colour[q]) == U3 - defender:
                packed = board.liberties[board.chain[q]]
                if in_atari(packed) and last_liberty(packed) != board.ko:
                    _add(work, depth, last_liberty(packed))
        s = U(board.next_stone[s])
        if s == prey:
            return


@jit(inline=True)
def gets_away(board, p, taken):
    """Whether a chain in atari that extends to p has three liberties by p alone; `taken`: a neighbour about to go."""
    return open_sides(U(board.code[p])) >= U3 + U(are_beside(board, p, taken))


@jit
def _open_position(board, work, depth, prey, defender, defending):
    """List the moves to try at this depth, or give the verdict if there is nothing to read."""
    work.count[depth] = 0
    work.tried[depth] = 0
    if U(board.colour[prey]) != defender:
        return CAPTURED
    packed = board.liberties[board.chain[prey]]
    if defending:
        if not in_atari(packed):
            return ESCAPES
        a = last_liberty(packed)
        if gets_away(board, a, U0):
            return ESCAPES
        if is_legal(board, a, defender):
            _add(work, depth, a)
        _add_captures(board, work, depth, prey, defender)
        return _OPEN if work.count[depth] != 0 else CAPTURED
    if in_atari(packed):
        return ESCAPES if last_liberty(packed) == board.ko else CAPTURED
    if are_many(packed):
        return ESCAPES
    found, a, b = chain_liberties(board, prey)
    if found >= U3:
        return ESCAPES
    attacker = U3 - defender
    if not gets_away(board, b, a) and is_legal(board, a, attacker):
        _add(work, depth, a)
    if not gets_away(board, a, b) and is_legal(board, b, attacker):
        _add(work, depth, b)
    return _OPEN if work.count[depth] != 0 else ESCAPES


@jit(inline=True)
def _is_in_vain(board, p, prey, defender):
    """Whether the defender's move p brings nothing: it takes no stone, joins no string and leaves one liberty.

    It is then the extension of the prey, which had p alone: the attacker takes it next.
    """
    if open_sides(U(board.code[p])) != U1 or is_capture(board, p, defender):
        return False
    stride, chain = U(board.pitch.size), board.chain[prey]
    for q in (p - stride, p - U1, p + U1, p + stride):
        if U(board.colour[q]) == defender and board.chain[q] != chain:
            return False
    return True


@jit
def read_ladder(board, work, prey, defends, max_nodes):
    """Whether the chain at `prey` is caught by ataris alone. The board is afterwards what it was.

    defends: the chain's own side is to move. A capture that needs a ko counts as an escape. UNKNOWN when max_nodes or
    the depth did not suffice.
    """
    depth, nodes = U0, U0
    defender = U(board.colour[prey])
    verdict = _open_position(board, work, depth, prey, defender, defends)
    while True:
        # Even depths are the first mover's.
        defending = defends == (depth & U1 == U0)
        if verdict == _OPEN:
            if work.tried[depth] < work.count[depth]:
                move = U(work.moves[depth * U(_WIDTH) + U(work.tried[depth])])
                work.tried[depth] += 1
                nodes += U1
                if nodes > max_nodes or depth + U1 >= U(work.count.size):
                    verdict = UNKNOWN
                    break
                if defending and _is_in_vain(board, move, prey, defender):
                    continue
                depth += U1
                try_move(board, work, move, defender if defending else U3 - defender)
                verdict = _open_position(board, work, depth, prey, defender, not defending)
                continue
            verdict = CAPTURED if defending else ESCAPES  # every move was tried in vain
        if depth == U0:
            break
        depth -= U1
        take_back(board, work)
        # One good move decides for the side that made it; otherwise the next is tried.
        if verdict == (CAPTURED if defends == (depth & U1 == U0) else ESCAPES):
            verdict = _OPEN
    while depth != U0:
        depth -= U1
        take_back(board, work)
    return verdict


@jit
def is_caught(board, work, prey, max_nodes):
    """Whether ataris catch the chain at `prey`, which has two liberties, if the other side begins."""
    _, a, b = chain_liberties(board, prey)
    if gets_away(board, a, b) and gets_away(board, b, a):
        return False
    return read_ladder(board, work, prey, False, max_nodes) == CAPTURED


@jit
def is_caught_after(board, work, p, mover, prey, max_nodes):
    """Whether ataris catch the chain at `prey` after the legal move p of either side, the other to answer."""
    owner = U(board.colour[prey])
    try_move(board, work, p, mover)
    caught = U(board.colour[prey]) != owner
    if not caught:
        caught = read_ladder(board, work, prey, mover != owner, max_nodes) == CAPTURED
    take_back(board, work)
    return caught
