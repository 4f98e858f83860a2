"""Default policies π as kernels: each returns the move (0 to pass), its Reason and the advanced generator state."""

from __future__ import annotations

from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import in_atari, is_legal_tight, last_liberty
from montego.go.tactics import is_legal, is_self_atari
from montego.playout.reasons import Reason
from montego.rng import advance, below

UNIFORM, MOGO = U(0), U(1)
RULES = {"uniform": UNIFORM, "mogo": MOGO}
"""The policies that need no learning, as `work.policy` names them to kernels that play either."""

_PASS, _RANDOM, _CAPTURE = U(Reason.PASS), U(Reason.RANDOM), U(Reason.CAPTURE)
_PATTERN, _SAVE = U(Reason.PATTERN), U(Reason.SAVE)


@jit(inline=True)
def set_aside(board, p, i, end):
    """Swap the empty point p, which stands at i in the list, with the one at `end`."""
    q = board.empty[end]
    board.empty[i] = q
    board.empty_at[q] = i
    board.empty[end] = p
    board.empty_at[p] = end


@jit(inline=True)
def uniform_move(board, colour, rng, tables):
    """A uniformly random legal move that does not fill a true eye of one's own.

    Points are drawn without replacement: a refused one is swapped behind the end of those still to be tried.
    """
    tried = board.empty_count
    while tried > U0:
        i = below(rng, tried)
        rng = advance(rng)
        p = U(board.empty[i])
        flags = U(tables.facts[board.code[p]])
        if (flags >> colour) & U1 == U0 and (flags & U1 != U0 or is_legal_tight(board, p, colour)):
            return p, _RANDOM, rng
        tried -= U1
        set_aside(board, p, i, tried)
    return U0, _PASS, rng


@jit
def sensible_moves(board, work, tables, colour):
    """List all the moves that `uniform_move` draws from in `work.candidates`. Returns how many."""
    count, i = U0, U0
    while i < board.empty_count:
        p = U(board.empty[i])
        if (U(tables.facts[board.code[p]]) >> colour) & U1 == U0 and is_legal(board, p, colour):
            work.candidates[count] = p
            count += U1
        i += U1
    return count


@jit(inline=True)
def add_candidate(board, work, count, p):
    """Append the candidate p unless it is the ko or stands there already: every move is equally likely."""
    if p == board.ko:
        return count
    i = U0
    while i < count:
        if U(work.candidates[i]) == p:
            return count
        i += U1
    work.candidates[count] = p
    return count + U1


@jit(inline=True)
def add_capture(board, work, q, colour, count):
    """Candidate: take the chain at q if it is hostile and in atari."""
    if U(board.colour[q]) == U3 - colour:
        packed = board.liberties[board.chain[q]]
        if in_atari(packed):
            count = add_candidate(board, work, count, last_liberty(packed))
    return count


@jit
def _add_saves(board, work, q, colour, count):
    """Candidates that save the chain at q if it is one's own and in atari: extend to two liberties, or capture."""
    if U(board.colour[q]) != colour:
        return count
    packed = board.liberties[board.chain[q]]
    if not in_atari(packed):
        return count
    escape = last_liberty(packed)
    if not is_self_atari(board, escape, colour):
        count = add_candidate(board, work, count, escape)
    return add_captures(board, work, q, colour, count)


@jit
def add_captures(board, work, q, colour, count):
    """Candidates: take any hostile string in atari that touches the string at q."""
    stride = U(board.pitch.size)
    s = q
    while True:
        count = add_capture(board, work, s - stride, colour, count)
        count = add_capture(board, work, s - U1, colour, count)
        count = add_capture(board, work, s + U1, colour, count)
        count = add_capture(board, work, s + stride, colour, count)
        s = U(board.next_stone[s])
        if s == q:
            return count


@jit(inline=True)
def saving_moves(board, work, colour):
    """Rule 1: the moves that save strings which the last move put into atari. Returns how many."""
    last, stride = board.last, U(board.pitch.size)
    count = _add_saves(board, work, last - stride, colour, U0)
    count = _add_saves(board, work, last - U1, colour, count)
    count = _add_saves(board, work, last + U1, colour, count)
    return _add_saves(board, work, last + stride, colour, count)


@jit(inline=True)
def _add_pattern(board, work, tables, q, colour, count):
    """Candidate q if it matches a pattern; branch-free: always store, advance by the condition."""
    flags = U(tables.facts[board.code[q]])
    work.candidates[count] = q
    return count + ((flags >> (U2 + colour)) & U(board.colour[q] == 0))


@jit(inline=True)
def pattern_moves(board, work, tables, colour):
    """Rule 2: the pattern moves among the eight points around the last move, not all legal. Returns how many."""
    last, stride = board.last, U(board.pitch.size)
    count = _add_pattern(board, work, tables, last - stride - U1, colour, U0)
    count = _add_pattern(board, work, tables, last - stride, colour, count)
    count = _add_pattern(board, work, tables, last - stride + U1, colour, count)
    count = _add_pattern(board, work, tables, last - U1, colour, count)
    count = _add_pattern(board, work, tables, last + U1, colour, count)
    count = _add_pattern(board, work, tables, last + stride - U1, colour, count)
    count = _add_pattern(board, work, tables, last + stride, colour, count)
    count = _add_pattern(board, work, tables, last + stride + U1, colour, count)
    return count


@jit
def capturing_moves(board, work, colour):
    """Rule 3: the moves that take any hostile string. Drops what is no longer in atari from the board's list."""
    count = U0
    i = U0
    listed = board.atari_count
    while i < listed:
        chain = U(board.atari[i])
        packed = board.liberties[chain]
        if U(board.chain[chain]) == chain and in_atari(packed):
            if U(board.colour[chain]) != colour:
                count = add_candidate(board, work, count, last_liberty(packed))
            i += U1
        else:
            listed -= U1
            board.listed[chain] = 0
            board.atari[i] = board.atari[listed]
    board.atari_count = listed
    return count


@jit(inline=True)
def mogo_move(board, work, colour, rng, tables):
    """MoGo's four prioritised rules (Gelly & Silver 2011 §3.6): save, pattern, capture, random."""
    if board.last != U0:
        if board.threats != U0:
            count = saving_moves(board, work, colour)
            if count != U0:
                return U(work.candidates[below(rng, count)]), _SAVE, advance(rng)
        count = pattern_moves(board, work, tables, colour)
        while count != U0:
            i = below(rng, count)
            rng = advance(rng)
            p = U(work.candidates[i])
            if tables.facts[board.code[p]] & 1 != 0 or is_legal_tight(board, p, colour):
                return p, _PATTERN, rng
            count -= U1
            work.candidates[i] = work.candidates[count]
    if board.atari_count != U0:
        count = capturing_moves(board, work, colour)
        if count != U0:
            return U(work.candidates[below(rng, count)]), _CAPTURE, advance(rng)
    return uniform_move(board, colour, rng, tables)


@jit
def mogo_rule(board, work, tables, colour):
    """The rule of MoGo's that fires, and how many moves it leaves in `work.candidates`."""
    if board.last != U0:
        if board.threats != U0:
            count = saving_moves(board, work, colour)
            if count != U0:
                return _SAVE, count
        count = pattern_moves(board, work, tables, colour)
        i = U0
        while i < count:
            if is_legal(board, U(work.candidates[i]), colour):
                i += U1
            else:
                count -= U1
                work.candidates[i] = work.candidates[count]
        if count != U0:
            return _PATTERN, count
    count = capturing_moves(board, work, colour)
    if count != U0:
        return _CAPTURE, count
    count = sensible_moves(board, work, tables, colour)
    return (_RANDOM if count != U0 else _PASS), count


@jit
def policy_move(board, work, tables, colour):
    """The next move of the policy in `work`, and its reason."""
    if work.policy == MOGO:
        p, reason, work.rng = mogo_move(board, work, colour, work.rng, tables)
    else:
        p, reason, work.rng = uniform_move(board, colour, work.rng, tables)
    return p, reason
