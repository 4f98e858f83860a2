"""Two memories of a value function (Dyna-2): a permanent one, learned before, and a transient one, learned in a game.

V = σ(φ·θ + φ̄·θ̄). The transient weights θ̄ are location-dependent and shared by nothing: what is learned of a corner of
this game says nothing of the other corners. So every raw feature of every window has one weight, the sum of both
memories, which is read and changed in one place; the transient memory is what it has become less what it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from montego.shape.features import Features
from montego.shape.value import new_state
from montego.shape.weights import ShapeValue, Weights


class TwoMemories:
    """Weights by raw feature of every window, the form `DIRECT` of value.py, with a layout to match."""

    def __init__(self, value: ShapeValue) -> None:
        """value: the permanent memory, which is never changed."""
        features = value.features
        configurations = _configurations(features)
        starts = np.concatenate(([0], np.cumsum(configurations)[:-1]))
        self._layouts = features.layout.copy()
        self._layouts["origin"] = starts
        table = value.table()
        origins = zip(features.layout[0].origin, configurations, strict=True)
        self.permanent: Weights = np.concatenate([table[start : start + count] for start, count in origins])
        self.weights: Weights = self.permanent.copy()
        """both together, as kernels read and change them"""
        self.permanent.setflags(write=False)
        self.state: Any = new_state(features)

    @property
    def layout(self) -> Any:
        return self._layouts[0]

    @property
    def transient(self) -> Weights:
        """θ̄: a copy."""
        return self.weights - self.permanent

    def forget(self) -> None:
        """A new game: θ̄ = 0."""
        self.weights[:] = self.permanent


def _configurations(features: Features) -> np.ndarray[Any, np.dtype[np.int64]]:
    """By window, in the order of the layout, how many configurations it has."""
    size = features.size
    shapes = [(3 ** (h * w), (size - h + 1) * (size - w + 1)) for h, w in features.windows if max(h, w) <= size]
    return np.concatenate([np.full(number, count, np.int64) for count, number in shapes])
