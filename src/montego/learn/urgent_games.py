"""Games of pseudo-random players to learn urgencies from (B&C06 §V), as kernels.

A pattern is learned for the side to move and together with its images under the symmetries of the board: `kinds` has
the number that they share, by colour and by pattern as Black sees it (low_level.kinds). The players' urgencies are
in the memory that `work.urgencies` lends.
"""

from __future__ import annotations

import math

import numpy as np

from montego._jit import U0, U1, U2, U3, U, jit, record_dtype
from montego.go.board import pass_turn, play
from montego.go.tactics import is_legal
from montego.playout.loop import final_lead
from montego.playout.policies import sensible_moves, uniform_move
from montego.playout.urgencies import urgency_of
from montego.playout.urgent import make_urgent_move, pattern_of, scan_urgencies, urgent_move, urgent_playout
from montego.rng import advance, below, unit

_LOW, _5 = U(0xFFFFFFFF), U(5)
_NO_KIND = 0xFFFF

GAMES, MOVES, LEADS = 0, 1, 2
"""Of `totals`: games, moves, the sum of Black's leads."""


@jit(inline=True)
def _kind(board, memory, kinds, p, colour):
    return U(kinds[colour - U1, pattern_of(board, memory, p)])


# --- experiments 1a and 1b: results of games ---------------------------------------------------------------------


@jit
def urgent_game(board, work, tables, kinds, trace):
    """A game between the players of the memory, Black to begin. Returns Black's lead and the length.

    trace[t]: the kind of the pattern that move t was played in.
    """
    memory = urgency_of(board, work.urgencies)
    scan_urgencies(board, memory)
    colour, passes, t = U1, U0, U0
    while passes < U2 and t < work.max_length:
        p, _, work.rng = urgent_move(board, memory, colour, work.rng, tables)
        trace[t] = _kind(board, memory, kinds, p, colour) if p != U0 else U(_NO_KIND)
        make_urgent_move(board, memory, p, colour)
        passes = passes + U1 if p == U0 else U0
        colour = U3 - colour
        t += U1
    return final_lead(board), t


@jit
def add_results(trace, length, result, black, white, seen):
    """Add a game's result for Black (−1, 0, 1) to the kinds that Black played, and its opposite to White's.

    black and white: by kind, the sum of results and the number of games; they may be the same. A game counts once for
    a kind and a colour, however often it was played there. seen: by kind, all 0 before and after.
    """
    for t in range(length):
        kind, colour = trace[t], np.uint8(1 + (t & 1))
        if kind != _NO_KIND and seen[kind] & colour == 0:
            seen[kind] |= colour
            learned = black if colour == 1 else white
            learned[kind, 0] += result if colour == 1 else -result
            learned[kind, 1] += 1
    for t in range(length):
        if trace[t] != _NO_KIND:
            seen[trace[t]] = 0


@jit
def urgent_games(count, boards, work, tables, kinds, trace, black, white, seen, totals):
    """Play boards[0] `count` times on boards[1]; results are added up by kind unless `black` is empty."""
    for _ in range(count):
        boards[1] = boards[0]
        lead, length = urgent_game(boards[1], work, tables, kinds, trace)
        margin = np.float64(lead) - work.komi
        result = np.int64(margin > 0.0) - np.int64(margin < 0.0)
        if black.size != 0:
            add_results(trace, np.int64(length), result, black, white, seen)
        totals[GAMES] += 1.0
        totals[MOVES] += np.float64(length)
        totals[LEADS] += np.float64(lead)


# --- experiment 2: relative differences --------------------------------------------------------------------------

RELATIVE_DTYPE = record_dtype(
    [
        ("playouts", "u8"),  # for the value of a move
        ("sample", "u8"),  # moves evaluated in a position, drawn at random; 0: all
        ("opening", "u8"),  # first moves of a game, played at random
        ("epsilon", "f8"),  # share of random moves later on
        ("outcome", "u8"),  # whether the value is the mean outcome (±1), not the mean lead
        ("c", "f8"),  # C: from a difference of values to one of Q
        ("step", "f8"),  # α is this / √N
        ("least", "f8"),  # Q is kept between these
        ("most", "f8"),
    ]
)


@jit
def compare(a, b, difference, q, matches, relative):
    """Learn from V_a − V_b for the kinds a and b: δ = Q_a − Q_b − C (V_a − V_b), Q_a −= α δ, Q_b += α δ."""
    if a == b:
        return
    delta = q[a] - q[b] - relative.c * difference
    matches[a] += 1.0
    matches[b] += 1.0
    q[a] = min(max(q[a] - relative.step / math.sqrt(matches[a]) * delta, relative.least), relative.most)
    q[b] = min(max(q[b] + relative.step / math.sqrt(matches[b]) * delta, relative.least), relative.most)


@jit
def _value(boards, work, tables, p, colour, relative):
    """V of a move for its side: playouts after it, of boards[0], on boards[1] and boards[2]."""
    total = 0.0
    boards[1] = boards[0]
    play(boards[1], p, colour)
    for _ in range(relative.playouts):
        boards[2] = boards[1]
        lead = np.float64(urgent_playout(boards[2], work, tables, U3 - colour)) - work.komi
        total += lead if relative.outcome == U0 else np.float64(lead > 0.0) - np.float64(lead < 0.0)
    mean = total / np.float64(relative.playouts)
    return mean if colour == U1 else -mean


@jit
def _shuffle(work, count, wanted):
    """Bring `wanted` of the candidates to the front, drawn at random."""
    i = U0
    while i < wanted:
        j = i + below(work.rng, count - i)
        work.rng = advance(work.rng)
        work.candidates[i], work.candidates[j] = work.candidates[j], work.candidates[i]
        i += U1


@jit
def _best_move(boards, work, tables, kinds, colour, count, relative, q, matches):
    """Evaluate the first `count` candidates, learn from each pair of them, and return the best."""
    board = boards[0]
    memory = urgency_of(board, work.urgencies)
    best, highest, i = U0, -np.inf, U0
    other, its_value = U0, 0.0
    while i < count:
        p = U(work.candidates[i])
        kind, value = _kind(board, memory, kinds, p, colour), _value(boards, work, tables, p, colour, relative)
        if value > highest:
            best, highest = p, value
        if i & U1 != U0:
            compare(other, kind, its_value - value, q, matches, relative)
        other, its_value = kind, value
        i += U1
    return best


@jit
def relative_games(count, start, boards, work, tables, kinds, relative, q, matches, totals):
    """Games of MC(RLPR) with itself from start[0] on boards[0]; q and matches, by kind, learn from every position."""
    board = boards[0]
    for _ in range(count):
        boards[0] = start[0]
        colour, passes, t = U1, U0, U0
        while passes < U2 and t < work.max_length:
            moves = sensible_moves(board, work, tables, colour)
            wanted = moves if relative.sample == U0 or relative.sample > moves else relative.sample
            _shuffle(work, moves, wanted)
            chance = unit(work.rng)
            work.rng = advance(work.rng)
            at_random = t < relative.opening or chance <= relative.epsilon
            p = U(work.candidates[0]) if moves != U0 else U0
            if t >= relative.opening and moves != U0:
                best = _best_move(boards, work, tables, kinds, colour, wanted, relative, q, matches)
                p = p if at_random else best
            if p == U0:
                pass_turn(board)
            else:
                play(board, p, colour)
            passes = passes + U1 if p == U0 else U0
            colour = U3 - colour
            t += U1
        totals[GAMES] += 1.0
        totals[MOVES] += np.float64(t)


# --- determinisation ---------------------------------------------------------------------------------------------


@jit
def _entropy(board, memory, colour):
    """H(p) / log n of the n moves that may be drawn; −1 where there are not two."""
    shift, n, total, weighted, i = (colour - U1) << _5, 0, 0.0, 0.0, U0
    while i < board.empty_count:
        p = U(board.empty[i])
        urgency = np.float64((memory.urgency[p] >> shift) & _LOW)
        if urgency > 0.0 and is_legal(board, p, colour):
            n += 1
            total += urgency
            weighted += urgency * math.log(urgency)
        i += U1
    return (math.log(total) - weighted / total) / math.log(n) if n > 1 else -1.0


@jit
def mean_entropy(count, boards, work, tables):
    """The mean over all positions of `count` uniform games of boards[0], for the memory's players."""
    board = boards[1]
    memory = urgency_of(board, work.urgencies)
    total, positions = 0.0, 0.0
    for _ in range(count):
        boards[1] = boards[0]
        scan_urgencies(board, memory)
        colour, passes, t = U1, U0, U0
        while passes < U2 and t < work.max_length:
            entropy = _entropy(board, memory, colour)
            if entropy >= 0.0:
                total += entropy
                positions += 1.0
            p, _, work.rng = uniform_move(board, colour, work.rng, tables)
            make_urgent_move(board, memory, p, colour)
            passes = passes + U1 if p == U0 else U0
            colour = U3 - colour
            t += U1
    return total / positions
