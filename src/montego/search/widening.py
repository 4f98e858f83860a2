"""H that stays with a node, as kernels: progressive bias, PUCT and progressive widening. They know no board.

They need H(s,a) after the node has been made, so that nodes have three more rows of statistics when one of them is on:
H itself, the rank of each move by it, 0 for the best, and its share of all odds. Ties are broken by the generator.
"""

from __future__ import annotations

import numpy as np

from montego._jit import U, jit
from montego.rng import advance
from montego.search.records import CHILD, PRIOR, RANK, SHARE, SIMULATIONS

_NOISE = 1e-9 / 2.0**64
"""Less than any difference of H that means something, over a number drawn from the generator."""
_LEAST_DOUBT = 1e-3
"""What 1 − H is at least in the odds H / (1 − H)."""


@jit
def keep_prior(tree, s, thread, rng):
    """Write H, ranks and shares of a new node. Returns the generator's state."""
    stats, child = tree.stats[s], tree.links[s, CHILD]
    keys = thread.values[: child.size]
    for p in range(U(child.size)):
        stats[PRIOR, p], keys[p] = 0.0, -np.inf
        if child[p] >= 0:
            stats[PRIOR, p], keys[p] = thread.prior[p], thread.prior[p] + _NOISE * np.float64(rng)
            rng = advance(rng)
    for p in range(U(child.size)):
        better, key = 0.0, keys[p]
        for q in range(U(child.size)):
            better += np.float64(keys[q] > key)
        stats[RANK, p] = better
    _keep_shares(stats)
    return rng


@jit(inline=True)
def _keep_shares(stats):
    """Each move's share of the odds of all: γ / Σγ if H = γ / (γ + γ̄)."""
    total = 0.0
    for p in range(U(stats.shape[1])):
        stats[SHARE, p] = stats[PRIOR, p] / max(1.0 - stats[PRIOR, p], _LEAST_DOUBT)
        total += stats[SHARE, p]
    for p in range(U(stats.shape[1])):
        stats[SHARE, p] /= max(total, _LEAST_DOUBT)


@jit(inline=True)
def add_progressive_bias(stats, values, n_row, weight):
    """+ w·H / (N(s,a) + 1) (Chaslot et al. 2008)."""
    for p in range(U(values.size)):
        values[p] += weight * stats[PRIOR, p] / (stats[n_row, p] + 1.0)


@jit(inline=True)
def add_probable(stats, values, n_row, weight):
    """+ c·P·√N(s) / (1 + N(s,a)), the weight being c·√N(s)."""
    for p in range(U(values.size)):
        values[p] += weight * stats[SHARE, p] / (stats[n_row, p] + 1.0)


@jit(inline=True)
def tried(simulations, first, base, growth, most):
    """How many moves are tried after so many simulations: `first`, and the n-th further one from t_n on, with
    t_1 = base and t_{n+1} = t_n + base·growthⁿ (Coulom 2007)."""
    count, step, due = np.float64(first), base, base
    while due <= simulations and count < most:
        count += 1.0
        step *= growth
        due += step
    return count


@jit
def widen(tree, s, values, parameters):
    """−∞ for moves that are not tried yet. If none is left of those that are, the next one is: some turn out to be
    against the rules, some to be proven losses."""
    rank = tree.stats[s, RANK]
    count = tried(tree.states[s, SIMULATIONS], parameters.widening_first, parameters.widening,
                  parameters.widening_growth, np.float64(values.size))  # fmt: skip
    least = np.inf
    for p in range(U(values.size)):
        least = min(least, rank[p] if values[p] > -np.inf else np.inf)
    count = max(count, least + 1.0)
    for p in range(U(values.size)):
        values[p] = values[p] if rank[p] < count else -np.inf
