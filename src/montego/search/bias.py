"""b̃, the bias of AMAF values, by the kind of position: what G&S11 §4.6 leaves open.

The paper takes one constant. How far AMAF values really are from the Monte-Carlo values can be seen in the tree of a
long search: of a move with n simulations, of which Ñ − n others played it later, Q̃ − Q = (Ñ − n)/Ñ · (R − Q), R being
the mean of those others. What the two means differ by, less what they differ by by chance, is the squared bias:

b̂² = mean over moves of (Q̃ − Q)² − ((Ñ − n)/Ñ)² · (Q(1 − Q)/n + R(1 − R)/(Ñ − n)).

The scale of b̃ stays that of the configuration: the value that plays best is far below b̂. What is taken from the
measurement is how b̂ goes with the phase of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from montego.go.game import Game
from montego.search.komi import played
from montego.search.records import AMAF_N, AMAF_W, CHILD, VISITS, N, Tree, W

PHASES = ("opening", "middle", "ending")


@dataclass(frozen=True)
class BiasByPhase:
    """b̂ in the three phases of a game over b̂ of all positions: the factors of `bias` with `bias_by = phase`."""

    opening: float
    middle: float
    ending: float
    middle_from: float
    """moves, as a share of the points, at which the middle game begins"""
    ending_from: float
    provenance: str

    def factor(self, game: Game) -> float:
        return float(getattr(self, self.phase(game)))

    def phase(self, game: Game) -> str:
        """opening, middle or ending."""
        share = played(game)
        return PHASES[int(share >= self.middle_from) + int(share >= self.ending_from)]


MEASURED = BiasByPhase(
    opening=0.60,
    middle=1.30,
    ending=0.92,
    middle_from=0.2,
    ending_from=0.5,
    provenance="lab.bias.measure(9, 16, 20_000, 'house', seed=0): b̂ 0.032, 0.070, 0.050 of 2336, 3277, 4965 moves",
)


class Bias(NamedTuple):
    """A squared bias, added up over moves."""

    moves: int
    total: float

    @property
    def bias(self) -> float | None:
        """b̂; None if there are no moves, 0 if chance explains all."""
        return None if self.moves == 0 else max(0.0, self.total / self.moves) ** 0.5

    def plus(self, other: Bias) -> Bias:
        return Bias(self.moves + other.moves, self.total + other.total)


def squared_biases(stats: np.ndarray[Any, Any], visits: np.ndarray[Any, Any], least: int) -> Bias:
    """Of the moves of a state with at least `least` simulations, and as many others that played them later."""
    n, w, amaf_n, amaf_w = (stats[row] for row in (N, W, AMAF_N, AMAF_W))
    chosen = np.flatnonzero((visits >= least) & (amaf_n - n >= least))
    n, w, amaf_n, amaf_w = n[chosen], w[chosen], amaf_n[chosen], amaf_w[chosen]
    later = amaf_n - n
    q, r, share = w / n, np.clip((amaf_w - w) / later, 0.0, 1.0), later / amaf_n
    chance = share**2 * (q * (1 - q) / n + r * (1 - r) / later)
    return Bias(len(chosen), float(((amaf_w / amaf_n - q) ** 2 - chance).sum()))


def amaf_bias(tree: Tree, root: int, least: int) -> tuple[Bias, Bias]:
    """Of the root's moves, and of those of all states below it."""
    found, waiting = [Bias(0, 0.0), Bias(0, 0.0)], [root]
    while waiting:
        s = waiting.pop()
        below = int(s != root)
        found[below] = found[below].plus(squared_biases(tree.stats[s], tree.links[s, VISITS], least))
        visited = (tree.links[s, CHILD] > 0) & (tree.links[s, VISITS] >= least)
        waiting += [int(child) for child in tree.links[s, CHILD, visited]]
    return found[0], found[1]
