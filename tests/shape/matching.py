"""Which weight of the package is which of the plain features', found by looking at both."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from montego.go.geometry import geometry
from montego.shape.features import Features
from shape import plain_shapes as plain

Cells = list[tuple[int, int, int]]
"""Row, column and power of a window's cells."""


def window_cells(features: Features) -> list[Cells]:
    """The cells of every window, from the layout that kernels use."""
    layout, names = features.layout[0], geometry(features.size)
    cells: list[Cells] = [[] for _ in layout.origin]
    for point in names.points:
        for i in range(layout.first[point], layout.first[point + 1]):
            cells[layout.window[i]].append((*names.row_column(int(point)), int(layout.power[i])))
    return cells


def raw_features(features: Features, stones: np.ndarray) -> list[int]:
    """The active raw feature of every window."""
    origins = features.layout[0].origin.tolist()
    cells = window_cells(features)
    return [
        o + sum(int(stones[r, c]) * power for r, c, power in window) for o, window in zip(origins, cells, strict=True)
    ]


class Matching:
    """Pairs of weights met so far: (set, smallest feature) of the plain ones, number and sign of the package's."""

    def __init__(self, features: Features) -> None:
        self.features = features
        self.cells = window_cells(features)
        self.number: dict[plain.Name, tuple[int, int]] = {}
        self.name: dict[int, plain.Name] = {}

    def meet(self, window: int, colours: Iterable[int]) -> None:
        """Look at the feature of a window in which its cells have these colours; both sides must agree."""
        cells = list(zip(self.cells[window], colours, strict=True))
        feature = tuple(sorted((row, column, colour) for (row, column, _), colour in cells))
        raw = int(self.features.layout[0].origin[window]) + sum(power * colour for (_, _, power), colour in cells)
        for column, name in enumerate(("ld", "li")):
            link = int(self.features.links[raw, column])
            found = plain.weight(feature, self.features.size, name) if name in self.features.sets.split("+") else None
            assert (found is None) == (link == 0), feature
            if found is not None:
                number, sign = link // 2 - 1, -1 if link % 2 else 1
                paired = (number, sign * found[1])
                assert self.number.setdefault(found[0], paired) == paired, feature
                assert self.name.setdefault(number, found[0]) == found[0], feature

    def meet_all(self, stones: np.ndarray) -> None:
        """Look at the active features of a position."""
        for window, cells in enumerate(self.cells):
            self.meet(window, [int(stones[row, column]) for row, column, _ in cells])
