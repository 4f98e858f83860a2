"""Killing shapes: the vital point of an eye space (nakade), and simple sekis."""

from __future__ import annotations

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import in_atari, last_liberty
from montego.go.tactics import (
    are_beside,
    chain_liberties,
    is_capture,
    is_legal,
    is_self_atari,
    liberties_after,
    open_sides,
)

_4, _5, _6 = U(4), U(5), U(6)
_NORTH, _WEST, _EAST, _SOUTH, _EACH = U(1), U(4), U(16), U(64), U(0x55)
"""The low bits of the four neighbours in a code (codes.py): those of Black, as the high ones are of White."""


@jit
def _measure(points, count, stride):
    """Of a set of points: the pairs of neighbours, the most neighbours one of them has, and that one."""
    pairs, most, top = U0, U0, U0
    i = U0
    while i < count:
        p = U(points[i])
        degree = U0
        j = U0
        while j < count:
            q = U(points[j])
            degree += U((q + U1 == p) | (p + U1 == q) | (q + stride == p) | (p + stride == q))
            j += U1
        pairs += degree
        if degree > most:
            most, top = degree, p
        i += U1
    return pairs >> U1, most, top


@jit
def _kills(count, pairs, most):
    """Whether capturing stones of this shape leaves an eye space that a stone on its vital point makes one eye.

    All shapes up to three, square four and pyramid four, bulky five and cross five, rabbity six. Each is told by
    its number of points, of neighbouring pairs, and the most neighbours of one point.
    """
    if count <= U3:
        return True
    if count == _4:
        return (pairs == _4) | (most == U3)
    if count == _5:
        return (pairs == _5) | (most == _4)
    return (count == _6) & (pairs == _6) & (most == _4)


@jit
def nakade_point(board, p, stack):
    """The vital point of the empty region around p if one colour encloses it in a killing shape of 3–6, else 0.

    A square four has none: it is dead as it stands. `stack` is scratch for six points; the flood ends at the seventh.
    """
    stride = U(board.pitch.size)
    stack[U0] = p
    count, i, touched = U1, U0, U0
    while i < count:
        s = U(stack[i])
        code = U(board.code[s])
        low, high = code & _EACH, (code >> U1) & _EACH
        touched |= U(low & ~high != U0) | (U(high & ~low != U0) << U1)
        if touched == U3:
            return U0
        stones = low | high
        for q, side in ((s - stride, _NORTH), (s - U1, _WEST), (s + U1, _EAST), (s + stride, _SOUTH)):
            if stones & side == U0:
                j = U0
                while j < count and U(stack[j]) != q:
                    j += U1
                if j == count:
                    if count == _6:
                        return U0
                    stack[count] = q
                    count += U1
        i += U1
    if count < U3:
        return U0
    pairs, most, top = _measure(stack, count, stride)
    return top if touched != U0 and _kills(count, pairs, most) and (count == U3 or most >= U3) else U0


@jit
def _can_only_lose(board, p, colour):
    """Whether `colour` cannot play p, or only into atari."""
    return not is_legal(board, p, colour) or is_self_atari(board, p, colour)


@jit
def _is_killing_with(board, chain, p, stack):
    """Whether the chain together with p is a killing shape of up to six stones."""
    count = U(board.stones[chain]) + U1
    if count > _6:
        return False
    stack[U0] = p
    i, s = U1, chain
    while i < count:
        stack[i] = s
        s = U(board.next_stone[s])
        i += U1
    pairs, most, _ = _measure(stack, count, U(board.pitch.size))
    return _kills(count, pairs, most)


@jit
def _touches_prey(board, chain):
    """Whether a hostile chain beside this one is in atari: taking it may break any balance."""
    stride = U(board.pitch.size)
    other = U3 - U(board.colour[chain])
    s = chain
    while True:
        for q in (s - stride, s - U1, s + U1, s + stride):
            if U(board.colour[q]) == other and in_atari(board.liberties[board.chain[q]]):
                return True
        s = U(board.next_stone[s])
        if s == chain:
            return False


@jit
def _is_own_eye(board, p, chain, shared):
    """Whether p is an eye that nobody can make false: every neighbour on the board belongs to the chain, or to one
    that has the same two liberties, p and the shared one, and so lives and dies with it."""
    stride = U(board.pitch.size)
    for q in (p - stride, p - U1, p + U1, p + stride):
        if U(board.colour[q]) == U3 or U(board.chain[q]) == chain:
            continue
        if board.colour[q] != board.colour[chain]:
            return False
        count, first, second = chain_liberties(board, U(board.chain[q]))
        same = (first == p) & (second == shared) | (first == shared) & (second == p)
        if count != U2 or not same or _touches_prey(board, U(board.chain[q])):
            return False
    return True


@jit
def _is_mutual(board, a, b, stack):
    """Whether the hostile chains a and b live in seki by their two liberties each."""
    count, a1, a2 = chain_liberties(board, a)
    found, b1, b2 = chain_liberties(board, b)
    if count != U2 or found != U2 or _touches_prey(board, a) or _touches_prey(board, b):
        return False
    colour = U(board.colour[a])
    if (a1 == b1) & (a2 == b2) | (a1 == b2) & (a2 == b1):
        for p in (a1, a2):
            if not _can_only_lose(board, p, colour) or not _can_only_lose(board, p, U3 - colour):
                return False
            if _is_killing_with(board, a, p, stack) or _is_killing_with(board, b, p, stack):
                return False
        return True
    # An eye each and one liberty in common.
    if a1 in (b1, b2):
        shared, eye_a = a1, a2
    elif a2 in (b1, b2):
        shared, eye_a = a2, a1
    else:
        return False
    eye_b = b2 if shared == b1 else b1
    return (
        _is_own_eye(board, eye_a, a, shared)
        and _is_own_eye(board, eye_b, b, shared)
        and _can_only_lose(board, shared, colour)
        and _can_only_lose(board, shared, U3 - colour)
    )


@jit
def in_simple_seki(board, p, stack):
    """Whether the chain at p and a hostile neighbour stand in simple seki. `stack` is scratch for six points."""
    stride = U(board.pitch.size)
    chain = U(board.chain[p])
    other = U3 - U(board.colour[p])
    s = chain
    while True:
        for q in (s - stride, s - U1, s + U1, s + stride):
            if U(board.colour[q]) == other and _is_mutual(board, chain, U(board.chain[q]), stack):
                return True
        s = U(board.next_stone[s])
        if s == chain:
            return False


@jit
def _add_string(board, q, colour, stack, count):
    """Add the stones of the friendly string at q to a list of at most six, once. Returns how many; 7: too many."""
    if U(board.colour[q]) != colour or count > _6:
        return count
    i = U1
    while i < count:
        if U(stack[i]) == q:
            return count
        i += U1
    if count + U(board.stones[board.chain[q]]) > _6:
        return U(7)
    s = q
    while True:
        stack[count] = s
        count += U1
        s = U(board.next_stone[s])
        if s == q:
            return count


@jit
def _spoils_eye(board, p, colour):
    """Whether a single stone at p takes an eye away: a friendly diagonal neighbour, or the edge, makes it false."""
    stride = U(board.pitch.size)
    for q in (p - stride - U1, p - stride + U1, p + stride - U1, p + stride + U1):
        if (U(board.colour[q]) & colour) != U0:  # the edge has both bits
            return True
    return False


@jit
def is_bad_self_atari(board, p, colour, stack):
    """Whether the legal move p leaves its own string with one liberty for nothing.

    Not bad are a capture; stones in a killing shape inside an eye, whose capture leaves one eye; and a stone thrown in
    where the other side would have an eye. `stack` is scratch for seven points.
    """
    packed = liberties_after(board, p, colour)
    if not in_atari(packed) or is_capture(board, p, colour):
        return False
    stride = U(board.pitch.size)
    stack[U0] = p
    count = U1
    for q in (p - stride, p - U1, p + U1, p + stride):
        count = _add_string(board, q, colour, stack, count)
    if count == U1:
        return not _spoils_eye(board, p, colour)
    left = last_liberty(packed)
    if count > _6 or open_sides(U(board.code[left])) > U(are_beside(board, left, p)):
        return True
    pairs, most, _ = _measure(stack, count, stride)
    return not _kills(count, pairs, most)
