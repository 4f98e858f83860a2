"""Tactical facts about one move or one chain, as kernels. Colours and points are checked by the caller."""

from __future__ import annotations

from montego._jit import U0, U1, U3, U, jit
from montego.go.board import has_empty_neighbour, in_atari, is_legal_tight, last_liberty, liberty

_8, _COUNT = U(8), U(48)


@jit(inline=True)
def open_sides(code):
    """How many of the four neighbours are empty, from a 3×3 code."""
    return U(code & U3 == U0) + U(code & U(12) == U0) + U(code & U(48) == U0) + U(code & U(192) == U0)


@jit(inline=True)
def are_beside(board, p, q):
    """Whether two points are neighbours."""
    stride = U(board.pitch.size)
    return (p + U1 == q) | (q + U1 == p) | (p + stride == q) | (q + stride == p)


@jit
def is_legal(board, p, colour):
    """Legality of an empty point without superko: not the ko, not suicide."""
    return has_empty_neighbour(board, p) or is_legal_tight(board, p, colour)


@jit
def _takes(board, q, colour):
    """Whether q holds a hostile chain in atari (its last liberty being the empty point looked at beside it)."""
    return U(board.colour[q]) == U3 - colour and in_atari(board.liberties[board.chain[q]])


@jit
def is_capture(board, p, colour):
    """Whether `colour` takes stones by playing at the empty point p (the ko is not looked at)."""
    stride = U(board.pitch.size)
    return (
        _takes(board, p - stride, colour)
        or _takes(board, p - U1, colour)
        or _takes(board, p + U1, colour)
        or _takes(board, p + stride, colour)
    )


@jit
def _gather(board, q, colour, p, total, a, b, c):
    """Add what the neighbour q of a new stone at p brings: its point if empty, its chain's liberties if friendly.

    a, b, c: the friendly chains gathered already. Returns the new total and q's chain if it is friendly, else 0.
    """
    stone = U(board.colour[q])
    if stone == U0:
        return total + liberty(q), U0
    if stone == colour:
        chain = U(board.chain[q])
        total -= liberty(p)
        if chain != a and chain != b and chain != c:
            total += board.liberties[chain]
        return total, chain
    return total, U0


@jit
def _touches(board, q, p, a, b, c, d):
    """1 if q is the new stone p or belongs to one of the chains it joins."""
    chain = U(board.chain[q])
    return U((q == p) | ((chain != U0) & ((chain == a) | (chain == b) | (chain == c) | (chain == d))))


@jit
def _gather_prey(board, q, colour, p, total, a, b, c, d):
    """Add the liberties that capturing the chain at q gives to the new stone p and the chains a … d it joins."""
    if not _takes(board, q, colour):
        return total
    stride = U(board.pitch.size)
    s = q
    while True:
        contacts = _touches(board, s - stride, p, a, b, c, d) + _touches(board, s - U1, p, a, b, c, d)
        contacts += _touches(board, s + U1, p, a, b, c, d) + _touches(board, s + stride, p, a, b, c, d)
        total += contacts * liberty(s)
        s = U(board.next_stone[s])
        if s == q:
            return total


@jit
def liberties_after(board, p, colour):
    """The packed liberties of the chain that playing `colour` at the empty point p would make, captures included.

    Pairs may be counted more than once, so only "none", "one" (`in_atari`) and "more" are to be read from it.
    """
    stride = U(board.pitch.size)
    north, west, east, south = p - stride, p - U1, p + U1, p + stride
    total, a = _gather(board, north, colour, p, U0, U0, U0, U0)
    total, b = _gather(board, west, colour, p, total, a, U0, U0)
    total, c = _gather(board, east, colour, p, total, a, b, U0)
    total, d = _gather(board, south, colour, p, total, a, b, c)
    if is_capture(board, p, colour):
        total = _gather_prey(board, north, colour, p, total, a, b, c, d)
        total = _gather_prey(board, west, colour, p, total, a, b, c, d)
        total = _gather_prey(board, east, colour, p, total, a, b, c, d)
        total = _gather_prey(board, south, colour, p, total, a, b, c, d)
    return total


@jit
def is_self_atari(board, p, colour):
    """Whether the chain made by the move p has a single liberty, or none."""
    return in_atari(liberties_after(board, p, colour))


@jit
def atari_liberty(board, p):
    """The last liberty of the chain at p, or 0 if it has more than one."""
    packed = board.liberties[board.chain[p]]
    return last_liberty(packed) if in_atari(packed) else U0


@jit
def count_captures(board, p, colour):
    """How many hostile stones `colour` takes by playing at the empty point p."""
    stride = U(board.pitch.size)
    stones, a, b, c = U0, U0, U0, U0
    for q in (p - stride, p - U1, p + U1, p + stride):
        chain = U(board.chain[q])
        if _takes(board, q, colour) and chain != a and chain != b and chain != c:
            stones += U(board.stones[chain])
            a, b, c = b, c, chain
    return stones


@jit(inline=True)
def are_many(packed):
    """Whether a chain has three liberties for sure: two have at most eight stones beside them."""
    return packed >> _COUNT > _8


@jit
def chain_liberties(board, chain):
    """How many liberties a chain has, counted up to three, and the first two of them."""
    stride = U(board.pitch.size)
    found, a, b = U0, U0, U0
    s = chain
    while True:
        for q in (s - stride, s - U1, s + U1, s + stride):
            if board.colour[q] == 0 and q != a and q != b:
                if found == U0:
                    a = q
                elif found == U1:
                    b = q
                else:
                    return U3, a, b
                found += U1
        s = U(board.next_stone[s])
        if s == chain:
            return found, a, b


@jit
def count_liberties(board, p):
    """The true number of liberties of the chain at p, by looking at every empty point."""
    stride = U(board.pitch.size)
    chain = U(board.chain[p])
    found = U0
    i = U0
    while i < board.empty_count:
        q = U(board.empty[i])
        found += U(
            (U(board.chain[q - stride]) == chain)
            | (U(board.chain[q - U1]) == chain)
            | (U(board.chain[q + U1]) == chain)
            | (U(board.chain[q + stride]) == chain)
        )
        i += U1
    return found
