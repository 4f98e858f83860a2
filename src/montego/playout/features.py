"""The features of a move that playouts look at (patterns/strengths.py), as kernels.

Each function answers with the number of the feature in its group, from 1, or 0 for none of them.
"""

from __future__ import annotations

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import in_atari
from montego.go.tactics import is_self_atari, open_sides
from montego.patterns.strengths import PLAYOUT_SET

CAPTURE_SAVING, CAPTURE_SEVERAL, CAPTURE_ONE = U(1), U(2), U(3)
EXTENSION, VAIN_EXTENSION, SELF_ATARI = U(4), U(5), U(6)
BESIDE, DIAGONAL = U(1), U(2)
RECAPTURE, SAVING_CAPTURE, SAVING_EXTENSION = U(1), U(2), U(3)

_STARTS = PLAYOUT_SET.starts
TACTIC_AT, NEAR_AT, RESPONSE_AT = U(_STARTS["tactic"]), U(_STARTS["near"]), U(_STARTS["response"])


@jit(inline=True)
def is_in_atari(board, q, colour):
    """Whether q holds a stone of `colour` whose string has one liberty."""
    return U(board.colour[q]) == colour and in_atari(board.liberties[board.chain[q]])


@jit(inline=True)
def _is_beside(board, chain, p):
    """Whether a string stands on one of the four sides of p."""
    stride, chains = U(board.pitch.size), board.chain
    return (
        (U(chains[p - stride]) == chain)
        | (U(chains[p - U1]) == chain)
        | (U(chains[p + U1]) == chain)
        | (U(chains[p + stride]) == chain)
    )


@jit
def _holds_down(board, prey, colour, last):
    """Whether the hostile string `prey` touches a string of `colour` in atari; with `last`, one beside that point."""
    stride = U(board.pitch.size)
    s = prey
    while True:
        for q in (s - stride, s - U1, s + U1, s + stride):
            if is_in_atari(board, q, colour) and (last == U0 or _is_beside(board, U(board.chain[q]), last)):
                return True
        s = U(board.next_stone[s])
        if s == prey:
            return False


@jit
def tactic_of(board, p, colour):
    """What a move does to strings in atari, and else whether it puts itself there. It need not be legal."""
    stride, other = U(board.pitch.size), U3 - colour
    captured, extends, saves = U0, False, False
    for q in (p - stride, p - U1, p + U1, p + stride):
        if is_in_atari(board, q, colour):
            extends = True
        elif is_in_atari(board, q, other):
            captured += U(board.stones[board.chain[q]])  # a string met twice has several stones anyway
            saves = saves or _holds_down(board, q, colour, U0)
    if captured != U0:
        if extends or saves:
            return CAPTURE_SAVING
        return CAPTURE_SEVERAL if captured > U1 else CAPTURE_ONE
    if extends:
        return VAIN_EXTENSION if is_self_atari(board, p, colour) else EXTENSION
    return self_atari_of(board, p, colour)


@jit(inline=True)
def self_atari_of(board, p, colour):
    """Of a move that takes nothing and extends nothing in atari: SELF_ATARI or 0. Two empty sides rule it out."""
    return SELF_ATARI if open_sides(U(board.code[p])) < U2 and is_self_atari(board, p, colour) else U0


@jit
def response_of(board, p, colour, tactic):
    """What a move that has `tactic` answers to the last one."""
    last, stride, other = board.last, U(board.pitch.size), U3 - colour
    if last == U0 or tactic in (U0, SELF_ATARI):
        return U0
    answer = U0
    for q in (p - stride, p - U1, p + U1, p + stride):
        chain = U(board.chain[q])
        if is_in_atari(board, q, other):
            if chain == U(board.chain[last]):
                return RECAPTURE
            if tactic == CAPTURE_SAVING and _holds_down(board, q, colour, last):
                answer = SAVING_CAPTURE
        elif is_in_atari(board, q, colour) and _is_beside(board, chain, last):
            if tactic == CAPTURE_SAVING:
                answer = SAVING_CAPTURE
            elif answer == U0:
                answer = SAVING_EXTENSION
    return answer


@jit(inline=True)
def near_of(board, p):
    """Where a move is, seen from the last one: on one of its sides, diagonal to it, or elsewhere."""
    stride, last = U(board.pitch.size), board.last
    if last == U0:
        return U0
    apart = p - last if p > last else last - p
    if apart in (U1, stride):
        return BESIDE
    return DIAGONAL if apart in (stride - U1, stride + U1) else U0


@jit(inline=True)
def numbered(feature, start):
    """The number in the whole set of a feature of a group."""
    return feature + start if feature != U0 else U0


@jit
def playout_features(board, classes, p, colour):
    """The features of a move in the playouts' set: of its pattern, tactic, place and response."""
    tactic = tactic_of(board, p, colour)
    response = response_of(board, p, colour, tactic)
    return (
        U(classes[colour - U1, board.code[p]]),
        numbered(tactic, TACTIC_AT),
        numbered(near_of(board, p), NEAR_AT),
        numbered(response, RESPONSE_AT),
    )
