"""Heuristics for new nodes as kernels: H(s,a), the value of a move for the side to move, and how much it is trusted.

Each fills `thread.prior` (H) and `thread.prior_n` (its count, a factor of C and C̃) for the moves of state s, point 0
being the pass. All have the same arguments, for the loop calls the one it needs by its address; `older` is the state
two moves earlier, or s itself at the root.
"""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U2, U, jit
from montego.go.tactics import is_capture, is_self_atari, open_sides
from montego.playout.policies import mogo_rule
from montego.playout.reasons import Reason
from montego.playout.urgencies import urgency_of
from montego.playout.urgent import scan_urgencies
from montego.search.alpha_beta import alpha_beta
from montego.search.places import distance, is_alone, line_of
from montego.search.policy import perspective
from montego.search.preselection import indigo
from montego.search.records import AMAF_N, AMAF_W, CHILD, N, W
from montego.search.strengths import strengths
from montego.shape.memory import memory_of
from montego.shape.value import DIRECT, afterstate, scan, sigmoid

_PASS, _RANDOM, _CAPTURE = U(Reason.PASS), U(Reason.RANDOM), U(Reason.CAPTURE)
_PATTERN, _SAVE = U(Reason.PATTERN), U(Reason.SAVE)
_EYE, _SELF_ATARI = U(Reason.EYE), U(Reason.SELF_ATARI)
_VARIANCE = 1  # of config.CONFIDENCES
_MOST_CONFIDENT = 10.0
_LOW = U(0xFFFFFFFF)


@jit
def find_reasons(board, work, tables, thread, colour):
    """The reason of every move: the first rule of MoGo's that fires, bad self-atari, own eye, or none (RANDOM).

    Self-atari is bad if it captures nothing; two empty neighbours rule it out at a glance. Returns the rule that fires.
    """
    reasons = thread.reasons
    i = U0
    while i < board.empty_count:
        p = U(board.empty[i])
        code = U(board.code[p])
        reason = _RANDOM
        if (U(tables.facts[code]) >> colour) & U1 != U0:
            reason = _EYE
        elif open_sides(code) < U2 and is_self_atari(board, p, colour) and not is_capture(board, p, colour):
            reason = _SELF_ATARI
        reasons[p] = reason
        i += U1
    rule, count = mogo_rule(board, work, tables, colour)
    if rule != _RANDOM:
        i = U0
        while i < count:
            reasons[work.candidates[i]] = rule
            i += U1
    reasons[U0] = _PASS
    return rule


@jit
def even(board, tree, s, older, work, tables, thread, parameters, colour):
    """Q_even = ½ (G&S11 §5.1)."""
    thread.prior[:] = 0.5
    thread.prior_n[:] = 1.0
    return 0


@jit
def grandfather(board, tree, s, older, work, tables, thread, parameters, colour):
    """Q_grand (G&S11 §5.1): the value the same move had two moves earlier, ½ where it had none."""
    sign, shift = perspective(colour)
    for p in range(U(tree.stats.shape[2])):
        n, w = tree.stats[older, N, p], tree.stats[older, W, p]
        thread.prior[p] = (sign * w + shift * n) / n if n > 0.0 and older != s else 0.5
        thread.prior_n[p] = 1.0
    return 0


@jit
def handcrafted(board, tree, s, older, work, tables, thread, parameters, colour):
    """Q_mogo (G&S11 §5.1): 1 for the moves of MoGo's first rule that fires, 0 for bad self-atari and own eyes, else ½.

    Greedy play is then π_mogo; so a pass, which π_mogo plays only when nothing else is left, is 1 then and 0 before.
    """
    rule = find_reasons(board, work, tables, thread, colour)
    for p in range(U(tree.stats.shape[2])):
        reason = U(thread.reasons[p])
        good = (reason == _SAVE) | (reason == _PATTERN) | (reason == _CAPTURE)
        bad = (reason == _EYE) | (reason == _SELF_ATARI)
        thread.prior[p] = 1.0 if good else (0.0 if bad else 0.5)
        thread.prior_n[p] = 1.0
    thread.prior[U0] = 1.0 if rule == _PASS else 0.0
    return 0


@jit
def urgency(board, tree, s, older, work, tables, thread, parameters, colour):
    """H = u / (u + ū): ½ for a move that is as urgent as the mean of all; 0 for own eyes and the pass."""
    memory, shift = urgency_of(board, work.urgencies), (colour - U1) << U(5)
    scan_urgencies(board, memory)
    mean = np.float64((memory.total >> shift) & _LOW) / max(np.float64(board.empty_count), 1.0)
    thread.prior[:] = 0.0
    thread.prior_n[:] = 1.0
    i = U0
    while i < board.empty_count:
        p = U(board.empty[i])
        u = np.float64((memory.urgency[p] >> shift) & _LOW)
        thread.prior[p] = u / (u + mean) if u > 0.0 else 0.0
        i += U1
    return 0


_EVEN, _GIVE_UP, _NEAR, _LINE = 0, 6, 7, 10  # rows of parameters.evidence: see records.FEATURES


@jit
def evidence(board, tree, s, older, work, tables, thread, parameters, colour):
    """Several features a move, each with a value and a count that are added up: see evidence.py."""
    weights = parameters.evidence
    rule = find_reasons(board, work, tables, thread, colour)
    i = U0
    while i < board.empty_count:
        p = U(board.empty[i])
        total, count = weights[_EVEN, 0] * weights[_EVEN, 1], weights[_EVEN, 1]
        reason = U(thread.reasons[p])
        feature = 0
        if reason == _SAVE:
            feature = 1
        elif reason == _PATTERN:
            feature = 2
        elif reason == _CAPTURE:
            feature = 3
        elif reason == _SELF_ATARI:
            feature = 4
        elif reason == _EYE:
            feature = 5
        if feature != 0:
            total += weights[feature, 0] * weights[feature, 1]
            count += weights[feature, 1]
        if board.last != U0:
            apart = distance(board, p, board.last)
            if apart <= 6:
                feature = _NEAR + (0 if apart <= 3 else (1 if apart == 4 else 2))
                total += weights[feature, 0] * weights[feature, 1]
                count += weights[feature, 1]
        line = line_of(board, p)
        if line <= 3 and is_alone(board, p):
            total += weights[_LINE + line - 1, 0] * weights[_LINE + line - 1, 1]
            count += weights[_LINE + line - 1, 1]
        thread.prior[p] = total / max(count, 1e-9)
        thread.prior_n[p] = count
        i += U1
    give_up = weights[_GIVE_UP, 1] if rule != _PASS else 0.0
    count = weights[_EVEN, 1] + give_up
    thread.prior[U0] = (weights[_EVEN, 0] * weights[_EVEN, 1] + weights[_GIVE_UP, 0] * give_up) / max(count, 1e-9)
    thread.prior_n[U0] = count
    return 0


@jit(inline=True)
def confidence(value):
    """1 / (4V(1 − V)), at most 10: how the worth of V in simulations goes with V.

    The mean of n outcomes has the variance V(1 − V)/n. If φ·θ has the variance ς² everywhere, V = σ(φ·θ) has about
    (V(1 − V)ς)². Both are equal for n = 1 / (V(1 − V)ς²), which is M at V = ½.
    """
    return min(_MOST_CONFIDENT, 0.25 / max(value * (1.0 - value), 1e-9))


@jit
def rlgo(board, tree, s, older, work, tables, thread, parameters, colour):
    """Q_rlgo (G&S07 §7, G&S11 §5.1): the learned value of the position after each move; after a pass it stays."""
    memory, child = memory_of(board, work.memory), tree.links[s, CHILD]
    scan(memory, memory, memory.table, DIRECT, board)
    side = 1.0 if colour == U1 else -1.0  # σ(−x) = 1 − σ(x)
    i = U0
    while i < board.empty_count:
        p = U(board.empty[i])
        if child[p] >= 0:
            value = sigmoid(side * afterstate(memory, memory, memory.table, DIRECT, board, p, colour))
            thread.prior[p] = value
            thread.prior_n[p] = confidence(value) if parameters.confidence == _VARIANCE else 1.0
        i += U1
    value = sigmoid(side * memory.total)
    thread.prior[U0] = value
    thread.prior_n[U0] = confidence(value) if parameters.confidence == _VARIANCE else 1.0
    return 0


KERNELS = {
    "even": even,
    "grandfather": grandfather,
    "handcrafted": handcrafted,
    "evidence": evidence,
    "rlgo": rlgo,
    "alpha-beta": alpha_beta,
    "urgency": urgency,
    "indigo": indigo,
    "strengths": strengths,
}


@jit
def add_prior(tree, s, thread, parameters, colour):
    """Q = H, N = C; Q̃ = H, Ñ = C̃; N(s) = Σ N(s,a) (48)–(52). H is for the side to move, Q for Black."""
    sign, shift = perspective(colour)
    stats, child, total = tree.stats[s], tree.links[s, CHILD], 0.0
    for p in range(U(child.size)):
        legal = np.float64(child[p] >= 0)
        h = sign * thread.prior[p] + shift
        mc = legal * parameters.prior_mc * thread.prior_n[p]
        amaf = legal * parameters.prior_amaf * thread.prior_n[p]
        stats[N, p] = mc
        stats[W, p] = mc * h
        stats[AMAF_N, p] = amaf
        stats[AMAF_W, p] = amaf * h
        total += mc
    return total
