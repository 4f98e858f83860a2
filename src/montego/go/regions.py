"""Regions of empty points and who surrounds them, as kernels: what area and territory are counted from."""

from __future__ import annotations

from montego._jit import U0, U1, U, jit
from montego.go.board import WHITE

_STONES = U(3)


@jit
def flood(board, start, marks, stack):
    """Mark the empty region around `start` with 4 and list it in `stack`.

    Returns its size and which colours touch it: bit 0 Black, bit 1 White.
    """
    stride = U(board.pitch.size)
    marks[start] = 4
    stack[U0] = start
    count, i, touched = U1, U0, U0
    while i < count:
        p = U(stack[i])
        for q in (p - stride, p - U1, p + U1, p + stride):
            stone = U(board.colour[q])
            if stone == U0:
                if marks[q] == 0:
                    marks[q] = 4
                    stack[count] = q
                    count += U1
            elif stone != _STONES:
                touched |= stone
        i += U1
    return count, touched


@jit
def find_owners(board, owners, stack):
    """The owner of every point: stones their colour, an empty region the one colour that touches it, else 0.

    `owners` (bytes, by point) and `stack` (16 bits, by point) are the caller's memory; the border is left at 0.
    """
    owners[:] = 0
    i = U0
    while i < board.empty_count:
        start = U(board.empty[i])
        if owners[start] == 0:
            count, touched = flood(board, start, owners, stack)
            # Neutral regions get 8 for now: 0 would mean "not visited".
            mark = touched if (touched == U1) | (touched == U(WHITE)) else U(8)
            k = U0
            while k < count:
                owners[stack[k]] = mark
                k += U1
        i += U1
    p = U0
    while p < U(owners.size):
        stone = board.colour[p]
        if stone == 1 or stone == 2:
            owners[p] = stone
        elif owners[p] == 8:
            owners[p] = 0
        p += U1


@jit
def area_lead(board, owners, stack):
    """Black's area less White's, every stone alive; memory as for `find_owners`."""
    find_owners(board, owners, stack)
    lead = 0
    for p in range(U(owners.size)):
        owner = owners[p]
        if owner != 0:
            lead += 1 if owner == 1 else -1
    return lead
