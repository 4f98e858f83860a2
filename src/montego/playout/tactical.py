"""The policy `tactical`: MoGo's rules, and around them what is right about life and death, as kernels.

Each rule is tried with a probability of its own (rules.py). Ladders are read; strings with two liberties are attacked
and defended; eye spaces get their vital points; and nobody fills his own liberties for nothing, so that a seki stays.
"""

from __future__ import annotations

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import in_atari, is_legal_tight, last_liberty, note_ataris, pass_turn, place
from montego.go.ladder import gets_away, is_caught, is_caught_after
from montego.go.shapes import is_bad_self_atari, nakade_point
from montego.go.tactics import are_many, chain_liberties, is_legal, is_self_atari, open_sides
from montego.playout.loop import final_lead, stone_lead
from montego.playout.policies import (
    add_candidate,
    add_capture,
    add_captures,
    capturing_moves,
    pattern_moves,
    set_aside,
)
from montego.playout.reasons import Reason
from montego.playout.rules import rules_of
from montego.rng import advance, below

_15 = U(15)
_EACH = U(0x55)  # the low bit of each of the four orthogonal neighbours in a code
_CERTAIN = U(1 << 32)
_MOST_NODES = U(12)
"""Moves of a ladder that are read in a playout; what takes more has escaped."""
_TRIES = U(8)
"""Points looked at for an empty region."""

_PASS, _RANDOM, _CAPTURE = U(Reason.PASS), U(Reason.RANDOM), U(Reason.CAPTURE)
_PATTERN, _SAVE, _NAKADE, _CAPTURE_LAST = U(Reason.PATTERN), U(Reason.SAVE), U(Reason.NAKADE), U(Reason.CAPTURE_LAST)
_ATTACK, _DEFEND, _FILL = U(Reason.ATTACK), U(Reason.DEFEND), U(Reason.FILL)


@jit(inline=True)
def _happens(rng, probability):
    return below(rng, _CERTAIN) < probability


@jit(inline=True)
def _is_playable(board, p, colour, tables):
    """Whether the empty point p is legal and no true eye of one's own."""
    flags = U(tables.facts[board.code[p]])
    return (flags >> colour) & U1 == U0 and (flags & U1 != U0 or is_legal_tight(board, p, colour))


@jit(inline=True)
def _is_refused(board, memory, p, colour, rng, probability):
    """Whether a move is refused as self-atari that is bad. Returns the generator's state, too."""
    is_tight = open_sides(U(board.code[p])) < U2
    refused = is_tight and _happens(rng, probability) and is_bad_self_atari(board, p, colour, memory.stack)
    return refused, advance(rng)


@jit(inline=True)
def _may_be_eye(board, p, colour):
    """Whether p, beside a hostile stone, has no friendly one beside it and is not in the open."""
    code = U(board.code[p])
    own = ((code if colour == U1 else code >> U1) & ~(code >> U1 if colour == U1 else code)) & _EACH
    return own == U0 and open_sides(U(board.code[p])) < U3


@jit(inline=True)
def _two_liberties(board, chain):
    """Whether a chain has exactly two liberties, and which."""
    if are_many(board.liberties[chain]):
        return False, U0, U0
    found, a, b = chain_liberties(board, chain)
    return found == U2, a, b


@jit
def _vital_point(board, memory, colour):
    """The vital point of an eye space beside the last move, or 0."""
    last, stride = board.last, U(board.pitch.size)
    for q in (last - stride, last - U1, last + U1, last + stride):
        if board.colour[q] == 0 and _may_be_eye(board, q, colour):
            p = nakade_point(board, q, memory.stack)
            if p != U0 and is_legal(board, p, colour):
                return p
    return U0


@jit
def _is_caught_after(board, memory, p, mover, string):
    return is_caught_after(board, memory.reader[U0], p, mover, string, _MOST_NODES)


@jit
def _add_saves(board, work, memory, q, colour, count, reads):
    """Candidates that save the chain at q if it is one's own and in atari: extend and get away, or capture."""
    if U(board.colour[q]) != colour or not in_atari(board.liberties[board.chain[q]]):
        return count
    escape = last_liberty(board.liberties[board.chain[q]])
    if not is_self_atari(board, escape, colour):
        caught = reads and not gets_away(board, escape, U0)
        if not caught or not _is_caught_after(board, memory, escape, colour, q):
            count = add_candidate(board, work, count, escape)
    return add_captures(board, work, q, colour, count)


@jit
def _local_ataris(board, work, memory, colour, saves, reads, captures):
    """Candidates where a string stands in atari: first those that save one's own beside the last move, then that which
    takes the last one's. Returns how many save, and how many there are."""
    last, stride, count = board.last, U(board.pitch.size), U0
    if saves and board.threats != U0:
        for q in (last - stride, last - U1, last + U1, last + stride):
            count = _add_saves(board, work, memory, q, colour, count, reads)
    saving = count
    if captures:
        count = add_capture(board, work, last, colour, count)
    return saving, count


@jit
def _attacks(board, work, memory, colour):
    """Candidates that catch the string of the last move, which has two liberties, in a ladder."""
    prey = U(board.chain[board.last])
    found, a, b = _two_liberties(board, prey)
    count = U0
    if found:
        for p in (a, b):
            can_work = not gets_away(board, a + b - p, p) and is_legal(board, p, colour)
            if can_work and _is_caught_after(board, memory, p, colour, prey):
                count = add_candidate(board, work, count, p)
    return count


@jit
def _add_defences(board, work, memory, q, colour, count):
    """Candidates that save the chain at q if it is one's own, has two liberties and would be caught."""
    if U(board.colour[q]) != colour:
        return count
    chain = U(board.chain[q])
    found, a, b = _two_liberties(board, chain)
    if not found or not is_caught(board, memory.reader[U0], chain, _MOST_NODES):
        return count
    for p in (a, b):
        if is_legal(board, p, colour) and not _is_caught_after(board, memory, p, colour, chain):
            count = add_candidate(board, work, count, p)
    return count


@jit
def _defences(board, work, memory, colour):
    last, stride, count = board.last, U(board.pitch.size), U0
    for q in (last - stride, last - U1, last + U1, last + stride):
        count = _add_defences(board, work, memory, q, colour, count)
    return count


@jit(inline=True)
def _local_move(board, work, memory, colour, rng, tables):
    """A move that answers the last one, or 0."""
    if memory.nakade != U0:
        if _happens(rng, memory.nakade):
            p = _vital_point(board, memory, colour)
            if p != U0:
                return p, _NAKADE, advance(rng)
        rng = advance(rng)
    if (board.threats != U0) | in_atari(board.liberties[board.chain[board.last]]):
        saves = _happens(rng, memory.save)
        rng = advance(rng)
        reads = _happens(rng, memory.ladder)
        rng = advance(rng)
        captures = _happens(rng, memory.capture_last)
        rng = advance(rng)
        saving, count = _local_ataris(board, work, memory, colour, saves, reads, captures)
        if count != U0:
            i = below(rng, count)
            return U(work.candidates[i]), _SAVE if i < saving else _CAPTURE_LAST, advance(rng)
    if memory.attack != U0:
        if _happens(rng, memory.attack):
            count = _attacks(board, work, memory, colour)
            if count != U0:
                rng = advance(rng)
                return U(work.candidates[below(rng, count)]), _ATTACK, advance(rng)
        rng = advance(rng)
    if memory.defend != U0:
        if _happens(rng, memory.defend):
            count = _defences(board, work, memory, colour)
            if count != U0:
                rng = advance(rng)
                return U(work.candidates[below(rng, count)]), _DEFEND, advance(rng)
        rng = advance(rng)
    if _happens(rng, memory.pattern):
        rng = advance(rng)
        count = pattern_moves(board, work, tables, colour)
        while count != U0:
            i = below(rng, count)
            rng = advance(rng)
            p = U(work.candidates[i])
            if _is_playable(board, p, colour, tables):  # a cut may be an eye
                refused, rng = _is_refused(board, memory, p, colour, rng, memory.pattern_self_atari)
                if not refused:
                    return p, _PATTERN, rng
            count -= U1
            work.candidates[i] = work.candidates[count]
    return U0, _PASS, advance(rng)


@jit(inline=True)
def _empty_region(board, rng):
    """A random empty point with nothing around it, or 0."""
    tries = U0
    while tries < _TRIES:
        p = U(board.empty[below(rng, board.empty_count)])
        rng = advance(rng)
        if board.code[p] == 0:
            return p, rng
        tries += U1
    return U0, rng


@jit(inline=True)
def _random_move(board, memory, colour, rng, tables):
    """As `uniform_move`, but for self-atari that is bad."""
    tried = board.empty_count
    while tried > U0:
        i = below(rng, tried)
        rng = advance(rng)
        p = U(board.empty[i])
        if _is_playable(board, p, colour, tables):
            refused, rng = _is_refused(board, memory, p, colour, rng, memory.self_atari)
            if not refused:
                return p, _RANDOM, rng
        tried -= U1
        set_aside(board, p, i, tried)
    return U0, _PASS, rng


@jit(inline=True)
def tactical_move(board, work, memory, colour, rng, tables):
    """A move by the first rule that has one."""
    if board.last != U0:
        p, reason, rng = _local_move(board, work, memory, colour, rng, tables)
        if p != U0:
            return p, reason, rng
    if board.atari_count != U0:
        if _happens(rng, memory.capture):
            count = capturing_moves(board, work, colour)
            if count != U0:
                rng = advance(rng)
                return U(work.candidates[below(rng, count)]), _CAPTURE, advance(rng)
        rng = advance(rng)
    if memory.empty_region != U0:
        if _happens(rng, memory.empty_region) and board.empty_count != U0:
            p, rng = _empty_region(board, advance(rng))
            if p != U0:
                return p, _FILL, rng
        rng = advance(rng)
    return _random_move(board, memory, colour, rng, tables)


@jit
def tactical_playout(board, work, tables, colour):
    """A playout with these rules. Returns Black's area lead, komi left out."""
    memory = rules_of(board, work.rules)
    rng, passes, length = work.rng, work.passes, U0
    while passes < U2 and length < work.max_length:
        p, reason, rng = tactical_move(board, work, memory, colour, rng, tables)
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
