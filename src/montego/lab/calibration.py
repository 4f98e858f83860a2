"""How much surer an opinion should be: σ(k·logit v), k fitted to the labels of other games.

The mean outcome of simulations is nearer to ½ than the chance to win, since both sides err in them. One number mends
that, and what an opinion is worth then depends no more on how sharp its scale happens to be.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from montego.search.winrate import Numbers, sharpened

FOLDS = 10
"""Parts of the games; the slope for each is fitted to the others."""
SLOPES = np.geomspace(0.1, 20.0, 400)


def best_slope(values: Numbers, labels: Numbers) -> float:
    """The slope with the least squared error."""
    errors = [float(((sharpened(values, slope) - labels) ** 2).mean()) for slope in SLOPES]
    return float(SLOPES[int(np.argmin(errors))])


def calibrated(values: Sequence[float], labels: Sequence[float], games: Sequence[int]) -> Numbers:
    """The values sharpened, each by the slope best over the games of other folds; as they are if there are none."""
    given, wanted = np.array(values), np.array(labels)
    fold = np.searchsorted(np.unique(games), games) % FOLDS
    made = given.copy()
    for k in range(FOLDS):
        inside = fold == k
        if inside.any() and not inside.all():
            made[inside] = sharpened(given[inside], best_slope(given[~inside], wanted[~inside]))
    return made
