"""Criticality (Coulom 2009; Pellegrino, Hubbard, Galbraith, Drake & Chen 2009): how much a game hangs on a point.

c(p) = P(the owner of p wins) − [P(B owns p)·P(B wins) + P(W owns p)·P(W wins)]: what owning the point and winning have
to do with each other, beyond what chance would bring together. With o = +1, −1, 0 for the owner and r = +1, −1, 0 for
the winner this is half of their covariance, from −½ to ½, over the final positions since the search began.

A new node gets it as AMAF experience: a critical point is as if it had been played and won, `criticality`·c times.
"""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U2, U, jit
from montego.search.records import AMAF_N, AMAF_W, CHILD, OWNED

PERIOD = 64
"""Final positions between two looks at what is critical."""

_OWNED = U(OWNED)


@jit(inline=True)
def games_in(account):
    """The final positions in a thread's account."""
    return account[_OWNED, U0] + account[_OWNED + U1, U0] + account[_OWNED + U2, U0]


@jit
def find_criticality(account, critical):
    """c of every point, from an account of final positions: see records.py."""
    n = np.float64(max(games_in(account), 1))
    winner = np.float64(account[_OWNED + U1, U0] - account[_OWNED + U2, U0]) / n
    drawn, black, white = account[_OWNED], account[_OWNED + U1], account[_OWNED + U2]
    for p in range(U(drawn.size)):
        owner = np.float64(drawn[p] + black[p] + white[p]) / n
        critical[p] = 0.5 * (np.float64(black[p] - white[p]) / n - owner * winner)
    critical[U0] = 0.0


@jit
def look_again(account, thread, parameters):
    """Every so many final positions, once there are enough, see what is critical."""
    n = games_in(account)
    if n >= parameters.criticality_after and n % PERIOD == 0:
        find_criticality(account, thread.critical)


@jit
def add_criticality(tree, s, critical, weight, colour):
    """Give the moves of a new node experience of their points: all won for the side to move."""
    stats, child = tree.stats[s], tree.links[s, CHILD]
    won = 1.0 if colour == U1 else 0.0
    for p in range(U(child.size)):
        count = np.float64(child[p] >= 0) * weight * max(critical[p], 0.0)
        stats[AMAF_N, p] += count
        stats[AMAF_W, p] += count * won
