"""The playout: a position played to the end by a default policy, and many of them in one call.

The working memory of a playout is one record of its own beside the board. Its `trace` (the moves and their reasons)
is written only when asked for; what can be derived from it (first plays, counts per reason) is derived afterwards.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego._intrinsics import call
from montego._jit import U0, U1, U2, U3, U, jit, record_dtype
from montego.go.board import note_ataris, pass_turn, place
from montego.playout.policies import MOGO, UNIFORM, mogo_move, uniform_move

_15 = U(15)
_EACH = U(0x55)  # the low bit of each of the four orthogonal neighbours in a code


def longest(size: int) -> int:
    """The length at which every playout is cut off, for with simple ko alone a forced cycle would never end."""
    return 10 * size * size + 200


@cache
def work_dtype(size: int) -> np.dtype[Any]:
    area = size * size
    return record_dtype(
        [
            ("rng", "u8"),  # the generator's state
            ("policy", "u8"),  # which policy `policy_move` plays: policies.RULES
            ("memory", "u8"),  # where the record is that a learned policy or heuristic reads: shape/memory.py; 0: none
            ("urgencies", "u8"),  # where the record of a pseudo-random player is: playout/urgent.py; 0: none
            ("rules", "u8"),  # where the record of the policy `tactical` is: playout/rules.py; 0: none
            ("strengths", "u8"),  # where the record of the Boltzmann policy is: playout/strengths.py; 0: none
            (
                "knowledge",
                "u8",
            ),  # where the record of a heuristic is: search/knowledge.py, reading.py; 0: none
            ("length", "u8"),  # moves played, passes included
            ("max_length", "u8"),  # cut the game off here
            ("passes", "u8"),  # passes in a row before the playout
            ("faults", "u8"),  # answers of a user's own function that could not be used
            ("mercy", "u8"),  # stop when one colour has this many more stones on the board; 0: never
            ("komi", "f8"),  # what Black's area lead is compared with
            ("tracing", "u8"),  # whether to write `moves` and `reasons`
            ("moves", "u2", (longest(size),)),
            ("reasons", "u1", (longest(size),)),
            ("candidates", "u2", (area + 8,)),  # moves a policy chooses among
        ]
    )


TABLES_DTYPE = record_dtype([("facts", "u1", (65536,))])


@jit
def stone_lead(board):
    """Black's stones less White's. The border (3) counts one for each and needs no exception."""
    lead = np.int64(0)
    for stone in board.colour:
        lead += np.int64(stone & 1) - np.int64(stone >> 1)
    return lead


@jit(inline=True)
def empty_owner(board, p):
    """+1 if only Black touches the empty point p, −1 if only White does, else 0."""
    code = U(board.code[p])
    black = code & ~(code >> U1) & _EACH  # a bit for every orthogonal neighbour that is 1
    white = (code >> U1) & ~code & _EACH  # … that is 2
    return np.int64(white == U0) - np.int64(black == U0)


@jit
def final_lead(board):
    """Black's area lead at the end of a playout.

    No empty point then has an empty neighbour (it could be played), so an empty point belongs to the colour that
    alone touches it. Where a playout was cut off, this is an estimate.
    """
    lead = stone_lead(board)
    i = U0
    while i < board.empty_count:
        lead += empty_owner(board, U(board.empty[i]))
        i += U1
    return lead


@jit(inline=True)
def _play_out(board, work, tables, colour, policy):
    """Play on from `board` with `colour` to move until two passes; `policy` is a constant in each call."""
    rng = work.rng
    max_length, mercy, tracing = work.max_length, work.mercy, work.tracing
    passes, length = work.passes, U0
    while passes < U2 and length < max_length:
        if policy == MOGO:
            p, reason, rng = mogo_move(board, work, colour, rng, tables)
        else:
            p, reason, rng = uniform_move(board, colour, rng, tables)
        if tracing != U0:
            work.moves[length] = p
            work.reasons[length] = reason
        length += U1
        if p == U0:
            passes += U1
            pass_turn(board)
        else:
            passes = U0
            place(board, p, colour)
            if policy != UNIFORM:
                note_ataris(board, p, colour)
        colour = U3 - colour
        if mercy != U0 and length & _15 == U0 and U(abs(stone_lead(board))) >= mercy:
            break
    work.rng = rng
    work.length = length


@jit
def uniform_playout(board, work, tables, colour):
    """A playout with the uniform policy. Returns Black's area lead, komi left out."""
    _play_out(board, work, tables, colour, UNIFORM)
    return final_lead(board)


@jit
def mogo_playout(board, work, tables, colour):
    """A playout with MoGo's policy. Returns Black's area lead, komi left out."""
    _play_out(board, work, tables, colour, MOGO)
    return final_lead(board)


@jit
def add_ownership(board, ownership):
    """Add the final position of a playout to `ownership` (by point): +1 where Black's, −1 where White's."""
    p = U0
    while p < U(board.colour.size):
        stone = U(board.colour[p])
        if stone == U0:
            ownership[p] += empty_owner(board, p)
        elif stone != U3:
            ownership[p] += np.int64(stone == U1) - np.int64(stone == U2)
        p += U1


@jit
def add_reasons(work, counts):
    """Add up a traced playout's moves by Reason."""
    i = U0
    while i < work.length:
        counts[work.reasons[i]] += 1
        i += U1


@jit
def first_plays(work, colour, first):
    """By point, the colour that first played there in a traced playout begun by `colour`, 0 where nobody did.

    This is what all-moves-as-first asks for: the first play on a point by either colour (G&S11 §4.3).
    """
    first[:] = 0
    i = U0
    while i < work.length:
        p = U(work.moves[i])
        if first[p] == 0:
            first[p] = colour
        colour = U3 - colour
        i += U1
    first[U0] = 0


@jit
def run_playouts(playout, boards, work, tables, count, colour, totals, ownership, reasons):
    """Play out boards[0] `count` times on boards[1] and add up. playout: the address of one of parts.PLAYOUTS.

    totals: length, Black's lead, its square, Black's wins and White's (the komi is in `work.komi`).
    ownership and reasons are filled if they are not empty; reasons need a traced playout.
    """
    board = boards[1]
    for _ in range(count):
        boards[1] = boards[0]
        lead = call(playout, 0, (board, work, tables, colour))
        totals[0] += work.length
        totals[1] += lead
        totals[2] += lead * lead
        totals[3] += lead > work.komi
        totals[4] += lead < work.komi
        if ownership.size != 0:
            add_ownership(board, ownership)
        if reasons.size != 0:
            add_reasons(work, reasons)
