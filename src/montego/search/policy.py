"""Tree policies as kernels: the values of a state's moves, and the choice among them. They know no board.

Statistics are arrays by move. All values are for the side to move, so that both colours maximise: with z from Black's
point of view, what is w for Black is n − w for White, written sign · w + shift · n.
"""

from __future__ import annotations

import math

import numpy as np

from montego._jit import U0, U1, U2, U3, U, jit
from montego.rng import advance, below
from montego.search.proof import heed_proofs
from montego.search.records import AMAF_N, AMAF_W, CHILD, TOTAL, VISITS, N, W
from montego.search.widening import add_probable, add_progressive_bias, widen

TIE = 1e-9
"""Values that differ by no more than rounding does are ties, and ties are broken by the generator."""

NONE, RAVE, HAND_SELECTED, MINIMUM_MSE, MINIMUM_MSE_46, HEURISTIC = 0, 1, 2, 3, 4, 5
UCB1, UCB1_TUNED, UCB1_RAVE = 0, 1, 2
EQUAL = 1

_4 = U(4)


@jit(inline=True)
def perspective(colour):
    """sign and shift for the colour to move."""
    return (1.0, 0.0) if colour == U1 else (-1.0, 1.0)


@jit(inline=True)
def hand_selected(total, equivalence):
    """β = √(k / (3N(s) + k)) (19)."""
    return math.sqrt(equivalence / (3.0 * total + equivalence))


@jit(inline=True)
def minimum_mse(n, amaf_n, bias, variance):
    """β = ñ / (n + ñ + n·ñ·b̃² / (μ⋆(1 − μ⋆))) (46); with the variance ¼ of even positions it is (47)."""
    return amaf_n / (n + amaf_n + n * amaf_n * bias * bias / variance)


@jit(inline=True)
def mean_variance(n, w, amaf_n, amaf_w):
    """μ⋆(1 − μ⋆) for (46), μ⋆ being the mean of all outcomes at hand and half a win and half a loss: never 0."""
    mean = (w + amaf_w + 0.5) / (n + amaf_n + 1.0)
    return mean * (1.0 - mean)


@jit(inline=True)
def beta(n, w, amaf_n, amaf_w, total, schedule, equivalence, bias):
    """β(s,a): 1 where the move has AMAF values alone, 0 where it has none."""
    if schedule == NONE or amaf_n == 0.0:
        return 0.0
    if schedule in (RAVE, HEURISTIC) or n == 0.0:
        return 1.0
    if schedule == HAND_SELECTED:
        return hand_selected(total, equivalence)
    variance = 0.25 if schedule == MINIMUM_MSE else mean_variance(n, w, amaf_n, amaf_w)
    return minimum_mse(n, amaf_n, bias, variance)


@jit
def beta_of(tree, s, p, parameters):
    """β(s,a) of one move in a tree."""
    stats = tree.stats[s]
    total, schedule = tree.states[s, TOTAL], parameters.schedule
    equivalence, bias = parameters.equivalence, parameters.bias
    return beta(stats[N, p], stats[W, p], stats[AMAF_N, p], stats[AMAF_W, p], total, schedule, equivalence, bias)


@jit(inline=True)
def _mixed_values(stats, values, sign, shift, total, schedule, equivalence, bias):
    """Q⋆ = (1 − β)Q + βQ̃ (12), with any schedule."""
    for p in range(U(values.size)):
        n, amaf_n = stats[N, p], stats[AMAF_N, p]
        w, amaf_w = sign * stats[W, p] + shift * n, sign * stats[AMAF_W, p] + shift * amaf_n
        b = beta(n, w, amaf_n, amaf_w, total, schedule, equivalence, bias)
        mc = w / n if n > 0.0 else 0.0
        amaf = amaf_w / amaf_n if amaf_n > 0.0 else 0.0
        values[p] = (1.0 - b) * mc + b * amaf


@jit(inline=True)
def _minimum_mse_values(stats, values, sign, shift, bias):
    """Q⋆ with (47), brought over one denominator: (w(1 + 4ñb̃²) + w̃) / (n + ñ + 4nñb̃²).

    One division instead of three, and n = 0 gives Q̃ as it should; this is what most searches spend their time on.
    """
    b = 4.0 * bias * bias
    for p in range(U(values.size)):
        n, amaf_n = stats[N, p], stats[AMAF_N, p]
        w, amaf_w = sign * stats[W, p] + shift * n, sign * stats[AMAF_W, p] + shift * amaf_n
        values[p] = (w * (1.0 + b * amaf_n) + amaf_w) / (n + amaf_n + b * n * amaf_n)


@jit
def _add_bonus(stats, values, sign, shift, total, parameters):
    """The exploration bonus; it uses max(N(s,a), 1), so that it does not undo RAVE where a move is untried."""
    c, log_total = parameters.exploration, math.log(max(total, 1.0))
    amaf_total = 0.0
    for p in range(U(values.size)):
        amaf_total += stats[AMAF_N, p]
    log_amaf = math.log(max(amaf_total, 1.0))
    for p in range(U(values.size)):
        n = max(stats[N, p], 1.0)
        bonus = math.sqrt(log_total / n)
        if parameters.bonus == UCB1_TUNED:
            mean = (sign * stats[W, p] + shift * stats[N, p]) / n
            bonus *= math.sqrt(min(0.25, mean * (1.0 - mean) + math.sqrt(2.0 * log_total / n)))
        elif parameters.bonus == UCB1_RAVE:
            b = beta(stats[N, p], stats[W, p], stats[AMAF_N, p], stats[AMAF_W, p], total,
                     parameters.schedule, parameters.equivalence, parameters.bias)  # fmt: skip
            bonus = (1.0 - b) * bonus + b * math.sqrt(log_amaf / max(stats[AMAF_N, p], 1.0))
        values[p] += c * bonus


@jit(inline=True)
def _set_urgencies(stats, child, values, uses_amaf, fpu):
    """First-play urgency for moves nothing is known of; −∞ for what is no move here."""
    for p in range(U(values.size)):
        known = stats[N, p] + (stats[AMAF_N, p] if uses_amaf else 0.0)
        value = values[p] if known > 0.0 else fpu
        values[p] = value if child[p] >= 0 else -np.inf


@jit
def _set_grandfather_urgencies(stats, older, child, values, sign, shift, uses_amaf):
    """Untried moves get their value of two moves earlier, where they had one (G&W06)."""
    for p in range(U(values.size)):
        known = stats[N, p] + (stats[AMAF_N, p] if uses_amaf else 0.0)
        n = older[N, p]
        if known == 0.0 and n > 0.0 and child[p] >= 0:
            values[p] = (sign * older[W, p] + shift * n) / n


@jit
def _add_neighbours(stats, child, values, sign, shift, weight, stride):
    """Add weight · the mean value of the tried moves beside each move (G&W06); ½ where none has been tried."""
    for p in range(U(values.size)):
        total, count = 0.0, 0.0
        if p > stride and p + stride < U(values.size):
            for q in (p - stride, p - U1, p + U1, p + stride):
                if child[q] >= 0 and q != U0 and stats[N, q] > 0.0:
                    total += (sign * stats[W, q] + shift * stats[N, q]) / stats[N, q]
                    count += 1.0
        values[p] += weight * (total / count if count > 0.0 else 0.5)


@jit
def _least_tried(visits, child, values):
    """Equal allocation: the fewer visits, the better."""
    for p in range(U(values.size)):
        values[p] = -np.float64(visits[p]) if child[p] >= 0 else -np.inf


@jit
def eval_moves(tree, s, older, values, parameters, colour):
    """Eval(s,a) of Algorithm 2 for all moves of a state at once; `older` is the state two moves earlier, or s."""
    stats, child = tree.stats[s], tree.links[s, CHILD]
    if parameters.allocation == EQUAL:
        _least_tried(tree.links[s, VISITS], child, values)
        return
    sign, shift = perspective(colour)
    total, schedule, uses_amaf = tree.states[s, TOTAL], parameters.schedule, parameters.schedule != NONE
    if schedule == MINIMUM_MSE:
        _minimum_mse_values(stats, values, sign, shift, parameters.bias)
    else:
        _mixed_values(stats, values, sign, shift, total, schedule, parameters.equivalence, parameters.bias)
    if parameters.exploration > 0.0 and total >= parameters.exploration_after:
        _add_bonus(stats, values, sign, shift, total, parameters)
    _set_urgencies(stats, child, values, uses_amaf, parameters.fpu)
    if parameters.fpu_grandfather != 0:
        _set_grandfather_urgencies(stats, tree.stats[older], child, values, sign, shift, uses_amaf)
    if parameters.neighbours > 0.0:
        _add_neighbours(stats, child, values, sign, shift, parameters.neighbours, parameters.stride)
    if parameters.progressive_bias > 0.0:
        add_progressive_bias(stats, values, N, parameters.progressive_bias)
    if parameters.puct > 0.0:
        add_probable(stats, values, N, parameters.puct * math.sqrt(total))
    if parameters.solver != 0:
        heed_proofs(tree, s, values, colour)
    if parameters.widening > 0.0:
        widen(tree, s, values, parameters)


@jit(inline=True)
def highest(values):
    """The maximum; four running ones, since one would wait for itself."""
    a = b = c = d = -np.inf
    i, end = U0, U(values.size)
    while i + U3 < end:
        a = values[i] if values[i] > a else a
        b = values[i + U1] if values[i + U1] > b else b
        c = values[i + U2] if values[i + U2] > c else c
        d = values[i + U3] if values[i + U3] > d else d
        i += _4
    while i < end:
        a = values[i] if values[i] > a else a
        i += U1
    return max(max(a, b), max(c, d))


@jit
def argmax(values, rng):
    """The point of the highest value, ties broken by the generator. Returns its advanced state too."""
    limit = highest(values) - TIE
    ties = U0
    for p in range(U(values.size)):
        ties += U(values[p] >= limit)
    skip = U0
    if ties > U1:
        skip = below(rng, ties)
        rng = advance(rng)
    for p in range(U(values.size)):
        if values[p] >= limit:
            if skip == U0:
                return p, rng
            skip -= U1
    return U0, rng


@jit
def select_move(tree, thread, parameters, depth, colour, rng):
    """SelectMove of Algorithm 2 in the last state of the path. Returns the move and the generator's state."""
    s = thread.path[depth]
    older = thread.path[depth - U2] if depth >= U2 else s
    values = thread.values[: tree.stats.shape[2]]
    eval_moves(tree, s, older, values, parameters, colour)
    return argmax(values, rng)
