"""Pseudo-random players (B&C06 §III.C): a move is drawn with probability proportional to its urgency, as kernels.

The urgency of a point is that of its 3×3 pattern and, where it is the last liberty of strings, one in proportion to
their size. A memory (urgencies.py) follows the board: the urgency of every point for both colours in one word, Black's
in the low half, sums by row, and the total. Whole numbers, so that sums kept up to date equal sums made anew. After a
move only the points around its stone and around captured ones are looked up again, and the strings in atari.
"""

from __future__ import annotations

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import in_atari, is_legal_tight, last_liberty, note_ataris, pass_turn, place
from montego.playout.loop import final_lead, stone_lead
from montego.playout.reasons import Reason
from montego.playout.urgencies import urgency_of
from montego.rng import advance, below

_15, _32 = U(15), U(32)
_LOW = U(0xFFFFFFFF)
_PASS, _URGENCY = U(Reason.PASS), U(Reason.URGENCY)


@jit(inline=True)
def pattern_of(board, memory, p):
    """The number of the pattern around p, as Black sees it."""
    return U(memory.disposition[p]) + U(memory.neighbourhood[board.code[p]])


@jit(inline=True)
def change(memory, p, difference):
    """Add to the urgency of p; what is taken away is added modulo 2⁶⁴, for no half is ever below 0 in the end."""
    memory.urgency[p] += difference
    memory.row[memory.row_of[p]] += difference
    memory.total += difference


@jit(inline=True)
def _look_up(board, memory, p):
    """Set the urgency of a point by its pattern: 0 where a stone stands, or off the board."""
    now = memory.table[pattern_of(board, memory, p)] if board.colour[p] == 0 else U0
    change(memory, p, now - memory.urgency[p])


@jit(inline=True)
def _look_around(board, memory, p):
    stride = U(board.pitch.size)
    _look_up(board, memory, p)
    _look_up(board, memory, p - stride - U1)
    _look_up(board, memory, p - stride)
    _look_up(board, memory, p - stride + U1)
    _look_up(board, memory, p - U1)
    _look_up(board, memory, p + U1)
    _look_up(board, memory, p + stride - U1)
    _look_up(board, memory, p + stride)
    _look_up(board, memory, p + stride + U1)


@jit
def _add_bonuses(board, memory):
    """Bring in the strings with one liberty. Drops what is no longer in atari from the board's list."""
    count, i, listed = U0, U0, board.atari_count
    while i < listed:
        chain = U(board.atari[i])
        packed_liberties = board.liberties[chain]
        if U(board.chain[chain]) == chain and in_atari(packed_liberties):
            p = last_liberty(packed_liberties)
            entry = memory.table[pattern_of(board, memory, p)]
            mask = (_LOW if entry & _LOW != U0 else U0) | (_LOW << _32 if entry >> _32 != U0 else U0)  # no own eyes
            amount = memory.one_liberty * U(board.stones[chain]) & mask
            memory.bonus_at[count] = p
            memory.bonus[count] = amount
            change(memory, p, amount)
            count += U1
            i += U1
        else:
            listed -= U1
            board.listed[chain] = 0
            board.atari[i] = board.atari[listed]
    board.atari_count = listed
    memory.bonuses = count


@jit(inline=True)
def _take_bonuses(memory):
    i = U0
    while i < memory.bonuses:
        change(memory, U(memory.bonus_at[i]), U0 - memory.bonus[i])
        i += U1
    memory.bonuses = U0


@jit
def scan_urgencies(board, memory):
    """Set the memory to a position."""
    memory.total = U0
    memory.row[:] = U0
    memory.urgency[:] = U0
    i = U0
    while i < board.empty_count:
        _look_up(board, memory, U(board.empty[i]))
        i += U1
    _add_bonuses(board, memory)


@jit(inline=True)
def draw(memory, stride, shift, drawn):
    """The point where the running sum of one colour's urgencies passes `drawn`, a number below their total; and what is
    left of it, a number below the urgency of the point.
    """
    row, part = U1, (memory.row[U1] >> shift) & _LOW
    while part <= drawn:
        drawn -= part
        row += U1
        part = (memory.row[row] >> shift) & _LOW
    p = row * stride + U1
    part = (memory.urgency[p] >> shift) & _LOW
    while part <= drawn:
        drawn -= part
        p += U1
        part = (memory.urgency[p] >> shift) & _LOW
    return p, drawn


@jit(inline=True)
def urgent_move(board, memory, colour, rng, tables):
    """A legal move drawn with probability proportional to its urgency; illegal ones are drawn, too, and set aside."""
    stride, shift = U(board.pitch.size), (colour - U1) << U(5)
    refused, chosen, reason = U0, U0, _PASS
    while chosen == U0:
        total = (memory.total >> shift) & _LOW
        if total == U0:
            break
        p, _ = draw(memory, stride, shift, below(rng, total))
        rng = advance(rng)
        if tables.facts[board.code[p]] & 1 != 0 or is_legal_tight(board, p, colour):
            chosen, reason = p, _URGENCY
        else:
            memory.refused[refused] = p
            memory.set_aside[refused] = memory.urgency[p]
            change(memory, p, U0 - memory.urgency[p])
            refused += U1
    while refused != U0:
        refused -= U1
        change(memory, U(memory.refused[refused]), memory.set_aside[refused])
    return chosen, reason, rng


@jit(inline=True)
def make_urgent_move(board, memory, p, colour):
    """Play a legal move or a pass, the memory following."""
    if p == U0:
        pass_turn(board)
        return
    _take_bonuses(memory)
    captured = board.empty_count - U1  # captured points are appended to the empty ones
    place(board, p, colour)
    note_ataris(board, p, colour)
    _look_around(board, memory, p)
    while captured < board.empty_count:
        _look_around(board, memory, U(board.empty[captured]))
        captured += U1
    _add_bonuses(board, memory)


@jit
def urgent_playout(board, work, tables, colour):
    """A playout of a pseudo-random player. Returns Black's area lead, komi left out."""
    memory = urgency_of(board, work.urgencies)
    scan_urgencies(board, memory)
    rng, passes, length = work.rng, work.passes, U0
    while passes < U2 and length < work.max_length:
        p, reason, rng = urgent_move(board, memory, colour, rng, tables)
        if work.tracing != U0:
            work.moves[length] = p
            work.reasons[length] = reason
        length += U1
        passes = passes + U1 if p == U0 else U0
        make_urgent_move(board, memory, p, colour)
        colour = U3 - colour
        if work.mercy != U0 and length & _15 == U0 and U(abs(stone_lead(board))) >= work.mercy:
            break
    work.rng = rng
    work.length = length
    return final_lead(board)
