"""Local shape features (G&S07 §4): every configuration of every small rectangle of points, at every location.

A *window* is a rectangle h×w at a location. Its *configuration* is Σ colour(cell) · 3^k over its cells k (0 empty,
1 Black, 2 White). A raw feature is a window with a configuration; exactly one of a window's features is active.

Two sets of weights. Location-dependent ("ld"): features share a weight if one of the board's eight symmetries turns
one into the other. Location-independent ("li"): translations are allowed too. In both, the colour-inverse of a feature
has the weight with the opposite sign; a feature that is equivalent to its own inverse has none.

The location's symmetry costs nothing: every window numbers its cells as in the one window that stands for all
symmetric ones, so that those share a table of configurations. On 9×9 ten tables serve the 49 windows 3×3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from montego._jit import record_dtype
from montego.go.errors import MontegoError, is_whole, shown
from montego.go.geometry import check_size

Shape = tuple[int, int]
"""Height and width of a window."""

LARGEST = 3
WINDOWS: dict[str, tuple[Shape, ...]] = {
    "rlgo-1.0": ((1, 1), (2, 2), (3, 3)),
    "full": tuple((h, w) for h in range(1, LARGEST + 1) for w in range(1, LARGEST + 1)),
}
"""Sets of windows by name: those of RLGO 1.0, and those of G&S07."""

SETS = ("ld+li", "ld", "li")
"""Which weights there are: location-dependent, location-independent, both."""


class ShapeError(MontegoError):
    """Impossible windows or weights, or a file of weights that cannot be used."""


class Window(NamedTuple):
    """A rectangle of points, by its top left corner."""

    height: int
    width: int
    row: int
    column: int

    @property
    def configurations(self) -> int:
        return int(3 ** (self.height * self.width))

    def points(self, size: int) -> list[int]:
        """Its points on a board, row by row: see go/board.py."""
        rows = range(self.row + 1, self.row + self.height + 1)
        return [i * (size + 1) + j + 1 for i in rows for j in range(self.column, self.column + self.width)]


class Symmetry(NamedTuple):
    """One of the eight of the square: rows turned round, then columns, then both exchanged."""

    flip_rows: bool
    flip_columns: bool
    transpose: bool

    def image(self, window: Window, size: int) -> Window:
        height, width, row, column = window
        row = size - row - height if self.flip_rows else row
        column = size - column - width if self.flip_columns else column
        return Window(width, height, column, row) if self.transpose else Window(height, width, row, column)

    def places(self, window: Window) -> tuple[int, ...]:
        """Which cell of the image each cell of a window becomes; cells are counted row by row."""
        height, width = window.height, window.width
        cells = []
        for row in range(height):
            for column in range(width):
                i = height - 1 - row if self.flip_rows else row
                j = width - 1 - column if self.flip_columns else column
                cells.append(j * height + i if self.transpose else i * width + j)
        return tuple(cells)


SYMMETRIES = tuple(Symmetry(bool(i & 1), bool(i & 2), bool(i & 4)) for i in range(8))


class Block(NamedTuple):
    """Consecutive weights: of one set, and of the windows that `window` stands for (of its shape, for "li")."""

    set: str
    window: Window
    start: int
    stop: int

    @property
    def span(self) -> slice:
        """Its part of θ."""
        return slice(self.start, self.stop)


@dataclass(frozen=True, eq=False)
class Features:
    """The features of a board size. Get them with `features(size, windows, sets)`."""

    size: int
    windows: tuple[Shape, ...]
    sets: str
    layout: np.ndarray[Any, Any]
    """array of one record: see layout_dtype"""
    links: np.ndarray[Any, np.dtype[np.uint32]]
    """(table entries, 2): by raw feature, where its "ld" and its "li" weight stand among the doubled weights"""
    blocks: tuple[Block, ...]
    raw_count: int
    """how many raw features there are: Σ 3^(h·w) over all windows"""

    @property
    def weight_count(self) -> int:
        return self.blocks[-1].stop

    def new_weights(self, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
        """Doubled weights, all zero: [0, 0, θ₀, −θ₀, θ₁, −θ₁, …]. Features without a weight have the first pair."""
        return np.zeros(2 * (1 + self.weight_count), dtype)


def layout_dtype(points: int, windows: int, entries: int) -> np.dtype[Any]:
    """Where windows are. A *raw* index is origin[window] + configuration: a row of `links`."""
    return record_dtype(
        [
            ("origin", "u4", (windows,)),  # the raw feature of an empty window
            ("first", "u2", (points + 1,)),  # by point: which entries below tell of it
            ("window", "u2", (entries,)),  # a window that contains the point
            ("power", "u2", (entries,)),  # and what a black stone adds to its configuration
        ]
    )


def check_windows(windows: Any) -> tuple[Shape, ...]:
    """A set of windows by name, or as shapes (height, width) of which each stands there turned round too."""
    if isinstance(windows, str) and windows in WINDOWS:
        return WINDOWS[windows]
    accepted = f"accepted: {', '.join(WINDOWS)}, or pairs of numbers from 1 to {LARGEST}, with (a, b) also (b, a)"
    try:
        shapes = {(h, w) for h, w in windows}
    except (TypeError, ValueError):
        raise ShapeError(f"windows {shown(windows)}; {accepted}") from None
    whole = all(is_whole(side) and 1 <= side <= LARGEST for shape in shapes for side in shape)
    if not shapes or not whole or not all((w, h) in shapes for h, w in shapes):
        raise ShapeError(f"windows {shown(windows)}; {accepted}")
    return tuple(sorted((int(h), int(w)) for h, w in shapes))


def check_sets(sets: Any) -> str:
    if not isinstance(sets, str) or sets not in SETS:
        raise ShapeError(f"weights {shown(sets)}; accepted: {', '.join(SETS)}")
    return sets


def features(size: Any, windows: Any = "rlgo-1.0", sets: Any = "ld+li") -> Features:
    """The features of a board size; made once."""
    return _features(check_size(size), check_windows(windows), check_sets(sets))


@cache
def _features(size: int, shapes: tuple[Shape, ...], sets: str) -> Features:
    windows = [Window(h, w, i, j) for h, w in shapes for i in range(size - h + 1) for j in range(size - w + 1)]
    if not windows:
        raise ShapeError(f"no window of {shown(shapes)} fits on {size}x{size}")
    frames = [_frame(window, size) for window in windows]
    if sets == "li":  # one table for each shape
        frames = [(Window(frame.height, frame.width, 0, 0), places) for frame, places in frames]
    tables = sorted({frame for frame, _ in frames})
    start, entries = {}, 0
    for table in tables:
        start[table] = entries
        entries += table.configurations
    origins = [start[frame] for frame, _ in frames]
    layout = _layout(size, windows, [places for _, places in frames], origins)
    links, blocks = _links(tables, size, sets)
    raw_count = sum(window.configurations for window in windows)
    return Features(size, shapes, sets, layout, links, blocks, raw_count)


def _frame(window: Window, size: int) -> tuple[Window, tuple[int, ...]]:
    """The window that stands for all symmetric ones, and which of its cells each cell of `window` becomes."""
    images = [(symmetry.image(window, size), symmetry) for symmetry in SYMMETRIES]
    frame, symmetry = min((pair for pair in images if pair[0].height <= pair[0].width), key=lambda pair: pair[0])
    return frame, symmetry.places(window)


def _layout(
    size: int, windows: list[Window], places: list[tuple[int, ...]], origins: list[int]
) -> np.ndarray[Any, Any]:
    """The windows of every point, as one record."""
    points = (size + 2) * (size + 1) + 1
    at: list[list[tuple[int, int]]] = [[] for _ in range(points)]
    for number, (window, cells) in enumerate(zip(windows, places, strict=True)):
        for point, cell in zip(window.points(size), cells, strict=True):
            at[point].append((number, 3**cell))
    layouts = np.zeros(1, layout_dtype(points, len(windows), sum(map(len, at))))
    layout = layouts[0]
    layout.origin[:] = origins
    layout.first[1:] = np.cumsum([len(entries) for entries in at])
    layout.window[:] = [window for entries in at for window, _ in entries]
    layout.power[:] = [power for entries in at for _, power in entries]
    return layouts


def _links(tables: list[Window], size: int, sets: str) -> tuple[np.ndarray[Any, Any], tuple[Block, ...]]:
    """`Features.links` and the blocks of weights: all of "ld", then all of "li"."""
    blocks: list[Block] = []
    owners = {"ld": tables, "li": [Window(table.height, table.width, 0, 0) for table in tables]}
    columns = [
        _column(name, owners[name], size, blocks)
        if name in sets.split("+")
        else np.zeros(sum(table.configurations for table in tables), np.uint32)
        for name in ("ld", "li")
    ]
    links = np.stack(columns, axis=1)
    links.setflags(write=False)
    return links, tuple(blocks)


def _column(name: str, owners: list[Window], size: int, blocks: list[Block]) -> np.ndarray[Any, np.dtype[np.uint32]]:
    """One column of `Features.links`: table after table, each with the weights of its owner, which `blocks` gets."""
    parts = []
    for owner in owners:
        shared, count = _shared(_group(name, owner, size))
        block = next((block for block in blocks if block[:2] == (name, owner)), None)
        if block is None:
            start = blocks[-1].stop if blocks else 0
            block = Block(name, owner, start, start + count)
            blocks.append(block)
        parts.append(np.where(shared > 1, shared + np.uint32(2 * block.start), np.uint32(0)))
    return np.concatenate(parts)


def _group(name: str, window: Window, size: int) -> frozenset[tuple[int, ...]]:
    """What symmetries that keep a window ("ld"), or only its shape ("li"), do to its cells."""
    if name == "ld":
        return frozenset(s.places(window) for s in SYMMETRIES if s.image(window, size) == window)
    return frozenset(s.places(window) for s in SYMMETRIES if not s.transpose or window.height == window.width)


@cache
def _shared(group: frozenset[tuple[int, ...]]) -> tuple[np.ndarray[Any, np.dtype[np.uint32]], int]:
    """By configuration, where its weight stands if permutations of its cells share it: 0 for none, else 2(j + 1) for
    weight j, and 1 more for the opposite sign. And the number of weights.

    Of a class and its inverse, the one with the smallest configuration has the sign +.
    """
    cells = len(next(iter(group)))
    powers = 3 ** np.arange(cells)
    digits = np.arange(3**cells)[:, None] // powers % 3
    smallest = np.min([digits @ powers[list(places)] for places in group], axis=0)
    of_inverse = smallest[(3 - digits) % 3 @ powers]
    weighted = smallest != of_inverse
    leaders, numbers = np.unique(np.minimum(smallest, of_inverse)[weighted], return_inverse=True)
    shared = np.zeros(3**cells, np.uint32)
    shared[weighted] = 2 * (numbers + 1) + (smallest > of_inverse)[weighted]
    return shared, len(leaders)
