"""What strings bring to each point, as kernels: those of one or two liberties are read to the end of their ladders.

They are read once a position; `read_position` leaves in the record of reading.py what moves are told by.
"""

from __future__ import annotations

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import in_atari, last_liberty
from montego.go.ladder import CAPTURED, gets_away, is_caught, is_caught_after, read_ladder
from montego.go.shapes import is_bad_self_atari, nakade_point
from montego.go.tactics import chain_liberties, is_capture, is_legal, open_sides
from montego.go.trial import take_back, try_move
from montego.patterns.strengths import MOST_LIBERTIES

_MOST = U(MOST_LIBERTIES)
_URGENT, _SOON, _LITTLE = U0, U1, U2  # in atari; with two liberties; in vain, or not needed
_VITAL, _OWN_VITAL, _KILLING, _BAD, _CAUGHT = U1, U2, U3, U(4), U(7)


@jit(inline=True)
def _ranked(kind, stones):
    """The number of a feature of RESCUES or PREYS."""
    if kind == _LITTLE:
        return U(9) - U(stones > U1) - U(stones > U3)
    if stones == U1:
        return U(5) + kind
    return kind + kind + (U1 if stones > U3 else U2)


@jit(inline=True)
def _note(features, p, feature):
    if features[p] == 0 or U(features[p]) > feature:
        features[p] = feature


@jit
def _is_saved_by(board, memory, p, string):
    """Whether the owner's legal move p saves a string of one or two liberties."""
    owner = U(board.colour[string])
    return not is_caught_after(board, memory.ladder[U0], p, owner, string, memory.nodes)


@jit
def _defend(board, memory, string, kind):
    """Note the moves that save a string of one's own: on its liberties, or on the last one of a hostile neighbour."""
    stride, owner, stones = U(board.pitch.size), U(board.colour[string]), U(board.stones[string])
    s = string
    while True:
        for q in (s - stride, s - U1, s + U1, s + stride):
            stone, p = U(board.colour[q]), U0
            if stone == U0:
                p = q
            elif stone == U3 - owner and in_atari(board.liberties[board.chain[q]]):
                p = last_liberty(board.liberties[board.chain[q]])
            if p != U0 and U(memory.looked_at[p]) != string:
                memory.looked_at[p] = string
                if is_legal(board, p, owner):
                    if _is_saved_by(board, memory, p, string):
                        _note(memory.rescue, p, _ranked(kind, stones))
                    elif kind == _URGENT:
                        _note(memory.rescue, p, _ranked(_LITTLE, stones))
        s = U(board.next_stone[s])
        if s == string:
            return


@jit
def _attack(board, memory, string, a, b, colour):
    """Note the moves that take or catch a hostile string with the liberties a and b (0: none)."""
    stones = U(board.stones[string])
    if b == U0:
        if is_legal(board, a, colour):
            caught = read_ladder(board, memory.ladder[U0], string, True, memory.nodes) == CAPTURED
            _note(memory.prey, a, _ranked(_LITTLE if caught else _URGENT, stones))
        return
    for p, q in ((a, b), (b, a)):
        if gets_away(board, q, p) or not is_legal(board, p, colour):
            continue
        if is_caught_after(board, memory.ladder[U0], p, colour, string, memory.nodes):
            _note(memory.prey, p, _ranked(_SOON, stones))


@jit
def _count(board, memory, string):
    """The liberties of a string, as far as they are told apart."""
    stride, found = U(board.pitch.size), U0
    s = string
    while True:
        for q in (s - stride, s - U1, s + U1, s + stride):
            if board.colour[q] == 0 and U(memory.counted_for[q]) != string:
                memory.counted_for[q] = string
                found += U1
                if found == _MOST:
                    return found
        s = U(board.next_stone[s])
        if s == string:
            return found


@jit
def _draw_wide(board, memory, colour):
    """The signs of all points, as the mover sees them."""
    stride, size = U(board.pitch.size), U(board.rows.size)
    for row in range(U1, size + U1):
        for p in range(row * stride + U1, row * stride + size + U1):
            stone = U(board.colour[p])
            memory.wide[memory.wide_at[p]] = U0 if stone == U0 else (U1 if stone == colour else U2)


@jit
def read_position(board, memory, colour):
    """What strings bring to each point if `colour` is to move."""
    memory.rescue[:] = 0
    memory.prey[:] = 0
    memory.touched[:] = 0
    memory.looked_at[:] = 0
    memory.counted_for[:] = 0
    for string in range(U1, U(board.colour.size)):
        if U(board.chain[string]) == string:
            found = _count(board, memory, string)
            memory.count[string] = found
            if found >= U3:
                continue
            _, a, b = chain_liberties(board, string)
            if U(board.colour[string]) != colour:
                _attack(board, memory, string, a, b, colour)
            elif found == U1:
                _defend(board, memory, string, _URGENT)
            elif is_caught(board, memory.ladder[U0], string, memory.nodes):
                _defend(board, memory, string, _SOON)
    last, stride = board.last, U(board.pitch.size)
    if last != U0:
        for q in (last - stride, last - U1, last + U1, last + stride):
            memory.touched[board.chain[q]] = 1
    _draw_wide(board, memory, colour)


@jit
def surroundings_of(board, memory, p, colour):
    """The features of LIBERTIES and CONTACTS: the least liberties of the strings around p, by whose they are."""
    stride, last = U(board.pitch.size), board.last
    own, hostile, of_last, of_touched = U0, U0, U0, U0
    for q in (p - stride, p - U1, p + U1, p + stride):
        stone = U(board.colour[q])
        if stone in (U0, U3):
            continue
        string = U(board.chain[q])
        count = U(memory.count[string])
        if stone == colour:
            own = count if own == U0 else min(own, count)
        else:
            hostile = count if hostile == U0 else min(hostile, count)
        if last != U0 and string == U(board.chain[last]):
            of_last = count
        elif stone == colour and memory.touched[string] != 0:
            of_touched = count if of_touched == U0 else min(of_touched, count)
    return own * (_MOST + U1) + hostile, of_last * (_MOST + U1) + of_touched


@jit
def _encloses(board, p):
    """The colour around the eye space of which p is the vital point: it is two steps away at most."""
    stride = U(board.pitch.size)
    for q in (p - stride, p - U1, p + U1, p + stride):
        stone = U(board.colour[q])
        if stone in (U1, U2):
            return stone
        if stone == U0:
            for r in (q - stride, q - U1, q + U1, q + stride):
                if U(board.colour[r]) in (U1, U2):
                    return U(board.colour[r])
    return U0


@jit
def _has_liberties(board, memory, p, colour):
    """Whether a move at p joins a string that keeps three liberties for sure."""
    stride = U(board.pitch.size)
    for q in (p - stride, p - U1, p + U1, p + stride):
        if U(board.colour[q]) == colour and U(memory.count[board.chain[q]]) == _MOST:
            return True
    return False


@jit(inline=True)
def _touches(board, p, colour):
    """Whether a stone of `colour` is on one of the four sides of p."""
    stride, stones = U(board.pitch.size), board.colour
    beside = (U(stones[p - stride]) == colour) | (U(stones[p - U1]) == colour)
    return beside | (U(stones[p + U1]) == colour) | (U(stones[p + stride]) == colour)


@jit
def shape_of(board, memory, p, colour):
    """The feature of SHAPES of a legal move: a vital point, or a string that is in atari or caught in a ladder.

    Ladders are read where a hostile stone is beside the move: others are far away, or long.
    """
    sides = open_sides(U(board.code[p]))
    if sides >= U2 and nakade_point(board, p, memory.stack) == p:
        return _OWN_VITAL if _encloses(board, p) == colour else _VITAL
    if sides >= U3 or (sides == U2 and not _touches(board, p, U3 - colour)):
        return U0
    if is_capture(board, p, colour) or _has_liberties(board, memory, p, colour):
        return U0
    try_move(board, memory.ladder[U0], p, colour)
    found, a, b = chain_liberties(board, p)
    stones = U(board.stones[board.chain[p]])
    caught = found == U2 and _touches(board, p, U3 - colour) and not (gets_away(board, a, b) and gets_away(board, b, a))
    if caught:
        caught = read_ladder(board, memory.ladder[U0], p, False, memory.nodes) == CAPTURED
    take_back(board, memory.ladder[U0])
    size = U(stones > U1) + U(stones > U3)
    if found == U1:
        return _BAD + size if is_bad_self_atari(board, p, colour, memory.stack) else _KILLING
    return _CAUGHT + size if caught else U0
