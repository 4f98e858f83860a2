"""The Boltzmann policy (Coulom 2007; Silver & Tesauro 2009): a move is drawn with probability γ / Σγ = e^θ / Σe^θ.

A memory (strengths.py) follows the board with every point's weight by its pattern and, at the last liberties of strings
in atari, by what a move there does. After a move only the points around its stone and around captured ones are looked
up again, and those liberties. What depends on the last move concerns a few points, whose weights are changed while a
move is drawn and put back afterwards.

Illegal moves and self-atari are found out only when drawn. A drawn move whose true weight v is below its weight w is
played with probability v / w; else w becomes v and another one is drawn. That is exact: if a move is played with
probability v/V once all weights are true, before that it is v/W + (W − V)/W · v/V = v/V. Hence γ ≤ 1 of self-atari.
"""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import in_atari, is_legal_tight, last_liberty, note_ataris, pass_turn, place
from montego.playout.features import SELF_ATARI, near_of, response_of, self_atari_of, tactic_of
from montego.playout.loop import final_lead, stone_lead
from montego.playout.reasons import Reason
from montego.playout.strengths import MOST, strength_of
from montego.playout.urgent import change, draw
from montego.rng import advance, below

_4, _5, _15, _32 = U(4), U(5), U(15), U(32)
_LOW = U(0xFFFFFFFF)
_MOST = U(MOST)
_PASS, _STRENGTH = U(Reason.PASS), U(Reason.STRENGTH)


@jit(inline=True)
def scaled(weight, factor):
    """A weight times γ, as a whole number; 0 stays 0 and nothing else becomes it."""
    most = np.float64(_MOST)
    product = min(np.float64(weight) * factor, most)
    return max(U(product + 0.5), U1) if weight != U0 else U0


@jit(inline=True)
def _look_up(board, memory, p):
    """Set the weight of a point by its pattern: 0 where a stone stands, or off the board."""
    now = memory.table[board.code[p]] if board.colour[p] == 0 else U0
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
def _mark(board, memory):
    """Bring in the last liberties of strings in atari. Drops what is no longer in atari from the board's list."""
    count, i, listed = U0, U0, board.atari_count
    while i < listed:
        chain = U(board.atari[i])
        packed = board.liberties[chain]
        if U(board.chain[chain]) == chain and in_atari(packed):
            p = last_liberty(packed)
            if memory.tactic[p] == 0:
                black, white, word = tactic_of(board, p, U1), tactic_of(board, p, U2), memory.table[board.code[p]]
                now = scaled(word & _LOW, memory.tactics[black]) | scaled(word >> _32, memory.tactics[white]) << _32
                memory.tactic[p] = black | white << _4
                memory.marks[count] = p
                count += U1
                change(memory, p, now - memory.urgency[p])
            i += U1
        else:
            listed -= U1
            board.listed[chain] = 0
            board.atari[i] = board.atari[listed]
    board.atari_count = listed
    memory.marked = count


@jit(inline=True)
def _unmark(board, memory):
    i = U0
    while i < memory.marked:
        p = U(memory.marks[i])
        memory.tactic[p] = 0
        _look_up(board, memory, p)
        i += U1
    memory.marked = U0


@jit
def scan_strengths(board, memory):
    """Set the memory to a position."""
    memory.total = U0
    memory.row[:] = U0
    memory.urgency[:] = U0
    memory.tactic[:] = 0
    i = U0
    while i < board.empty_count:
        _look_up(board, memory, U(board.empty[i]))
        i += U1
    _mark(board, memory)


@jit(inline=True)
def _set(memory, p, shift, old, new):
    """Change one colour's weight of a point until `_put_back`."""
    memory.change_at[memory.changes] = p
    memory.change_from[memory.changes] = memory.urgency[p]
    memory.changes += U1
    change(memory, p, (new - old) << shift)


@jit(inline=True)
def _put_back(memory):
    i = memory.changes
    while i != U0:
        i -= U1
        p = U(memory.change_at[i])
        memory.known[p] = 0
        change(memory, p, memory.change_from[i] - memory.urgency[p])
    memory.changes = U0


@jit(inline=True)
def _strengthen(board, memory, p, shift, factor):
    old = (memory.urgency[p] >> shift) & _LOW
    _set(memory, p, shift, old, scaled(old, factor))


@jit(inline=True)
def _tactic(memory, p, colour):
    """What a move at a marked point does; 0 elsewhere."""
    return (U(memory.tactic[p]) >> ((colour - U1) << U2)) & _15


@jit(inline=True)
def _add_local(board, memory, colour, shift):
    """Bring in what depends on the last move: responses to it, and the eight points around it."""
    last, stride = board.last, U(board.pitch.size)
    i = U0
    while i < memory.marked:
        p = U(memory.marks[i])
        response = response_of(board, p, colour, _tactic(memory, p, colour))
        _strengthen(board, memory, p, shift, memory.responses[response] * memory.near[near_of(board, p)])
        i += U1
    for q in (last - stride, last - U1, last + U1, last + stride):
        if board.colour[q] == 0 and memory.tactic[q] == 0:
            _strengthen(board, memory, q, shift, memory.near[U1])
    for q in (last - stride - U1, last - stride + U1, last + stride - U1, last + stride + U1):
        if board.colour[q] == 0 and memory.tactic[q] == 0:
            _strengthen(board, memory, q, shift, memory.near[U2])


@jit(inline=True)
def boltzmann_move(board, memory, colour, rng, tables):
    """A legal move drawn with probability proportional to its strength; a pass where there is none."""
    stride, shift = U(board.pitch.size), (colour - U1) << _5
    chosen, reason = U0, _PASS
    if board.last != U0:
        _add_local(board, memory, colour, shift)
    while chosen == U0:
        total = (memory.total >> shift) & _LOW
        if total == U0:
            break
        p, rest = draw(memory, stride, shift, below(rng, total))
        rng = advance(rng)
        weight = (memory.urgency[p] >> shift) & _LOW
        true = weight
        if tables.facts[board.code[p]] & 1 == 0 and not is_legal_tight(board, p, colour):
            true = U0
        elif memory.tactic[p] == 0 and memory.known[p] == 0 and self_atari_of(board, p, colour) != U0:
            true = scaled(weight, memory.tactics[SELF_ATARI])
        if rest < true:
            chosen, reason = p, _STRENGTH
        else:
            _set(memory, p, shift, weight, true)
            memory.known[p] = 1
    _put_back(memory)
    return chosen, reason, rng


@jit(inline=True)
def make_boltzmann_move(board, memory, p, colour):
    """Play a legal move or a pass, the memory following."""
    if p == U0:
        pass_turn(board)
        return
    _unmark(board, memory)
    captured = board.empty_count - U1  # captured points are appended to the empty ones
    place(board, p, colour)
    note_ataris(board, p, colour)
    _look_around(board, memory, p)
    while captured < board.empty_count:
        _look_around(board, memory, U(board.empty[captured]))
        captured += U1
    _mark(board, memory)


@jit
def boltzmann_playout(board, work, tables, colour):
    """A playout of the Boltzmann policy. Returns Black's area lead, komi left out."""
    memory = strength_of(board, work.strengths)
    scan_strengths(board, memory)
    rng, passes, length = work.rng, work.passes, U0
    while passes < U2 and length < work.max_length:
        p, reason, rng = boltzmann_move(board, memory, colour, rng, tables)
        if work.tracing != U0:
            work.moves[length] = p
            work.reasons[length] = reason
        length += U1
        passes = passes + U1 if p == U0 else U0
        make_boltzmann_move(board, memory, p, colour)
        colour = U3 - colour
        if work.mercy != U0 and length & _15 == U0 and U(abs(stone_lead(board))) >= work.mercy:
            break
    work.rng = rng
    work.length = length
    return final_lead(board)
