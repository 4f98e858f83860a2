"""MoGo's rules with urgencies in the place of its patterns, as kernels.

Rule 2 of MoGo's (G&S11 §3.6) looks for a pattern around the last move. Here one of those eight points is drawn by its
urgency (B&C06), against what all the rest of the board is worth together; rules 1, 3 and 4 are MoGo's.
"""

from __future__ import annotations

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import is_legal_tight, note_ataris, pass_turn, place
from montego.patterns.urgency import UNIT
from montego.playout.loop import final_lead, stone_lead
from montego.playout.policies import capturing_moves, saving_moves, uniform_move
from montego.playout.reasons import Reason
from montego.playout.urgencies import urgency_of
from montego.playout.urgent import pattern_of
from montego.rng import advance, below

_15 = U(15)
_LOW = U(0xFFFFFFFF)
_CAPTURE, _SAVE, _URGENCY = U(Reason.CAPTURE), U(Reason.SAVE), U(Reason.URGENCY)
_ELSEWHERE = U(8 * UNIT)
"""What the rest of the board is worth: as much as eight ordinary moves."""


@jit(inline=True)
def _neighbour(board, work, memory, colour, rng, tables):
    """One of the eight points around the last move, or 0: elsewhere. Returns the generator's state, too."""
    stride, shift, last = U(board.pitch.size), (colour - U1) << U(5), board.last
    count, total = U0, _ELSEWHERE
    for q in (last - stride - U1, last - stride, last - stride + U1, last - U1,
              last + U1, last + stride - U1, last + stride, last + stride + U1):  # fmt: skip
        if board.colour[q] == 0 and (tables.facts[board.code[q]] & 1 != 0 or is_legal_tight(board, q, colour)):
            total += (memory.table[pattern_of(board, memory, q)] >> shift) & _LOW
            work.candidates[count] = q
            count += U1
    drawn = below(rng, total)
    while count != U0:
        count -= U1
        q = U(work.candidates[count])
        part = (memory.table[pattern_of(board, memory, q)] >> shift) & _LOW
        if drawn < part:
            return q, advance(rng)
        drawn -= part
    return U0, advance(rng)


@jit(inline=True)
def local_move(board, work, memory, colour, rng, tables):
    """Save, an urgent point beside the last move, capture, random."""
    if board.last != U0:
        if board.threats != U0:
            count = saving_moves(board, work, colour)
            if count != U0:
                return U(work.candidates[below(rng, count)]), _SAVE, advance(rng)
        p, rng = _neighbour(board, work, memory, colour, rng, tables)
        if p != U0:
            return p, _URGENCY, rng
    if board.atari_count != U0:
        count = capturing_moves(board, work, colour)
        if count != U0:
            return U(work.candidates[below(rng, count)]), _CAPTURE, advance(rng)
    return uniform_move(board, colour, rng, tables)


@jit
def local_playout(board, work, tables, colour):
    """A playout with these rules. Returns Black's area lead, komi left out."""
    memory = urgency_of(board, work.urgencies)
    rng, passes, length = work.rng, work.passes, U0
    while passes < U2 and length < work.max_length:
        p, reason, rng = local_move(board, work, memory, colour, rng, tables)
        if work.tracing != U0:
            work.moves[length] = p
            work.reasons[length] = reason
        length += U1
        if p == U0:
            passes += U1
            pass_turn(board)
        else:
            passes = U0
            place(board, p, colour)
            note_ataris(board, p, colour)
        colour = U3 - colour
        if work.mercy != U0 and length & _15 == U0 and U(abs(stone_lead(board))) >= work.mercy:
            break
    work.rng = rng
    work.length = length
    return final_lead(board)
