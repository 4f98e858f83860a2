"""Features are those of a plain list, they share weights as that list says, and there are as many as RLGO had."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montego.go.errors import SizeError
from montego.shape.features import LARGEST, WINDOWS, ShapeError, features
from shape import plain_shapes as plain
from shape.matching import Matching, window_cells

SHAPES = [(h, w) for h in range(1, LARGEST + 1) for w in range(1, LARGEST + 1)]


def test_as_many_as_rlgo_had() -> None:
    made = features(9, "rlgo-1.0")
    assert made.raw_count == 969_894
    counts: Counter[tuple[str, int]] = Counter()
    for block in made.blocks:
        counts[block.set, block.window.height] += block.stop - block.start
    assert [counts["li", side] for side in (1, 2, 3)] == [1, 8, 1_418]
    assert [counts["ld", side] for side in (1, 2, 3)] == [15, 344, 61_517]
    assert made.weight_count == 63_303 == len(made.new_weights()) // 2 - 1
    assert features(9, "rlgo-1.0", "li").weight_count == 1_427
    assert features(9, "rlgo-1.0", "ld").weight_count == 61_876


def burnside(places: list[tuple[int, ...]]) -> int:
    """Classes of configurations under permutations, less the classes when a colour and its inverse count as one:
    the number of classes that differ from their inverse, over two.
    """
    fixed = of_inverse = 0
    for permutation in places:
        cycles, left = [], set(range(len(permutation)))
        while left:
            cell, length = left.pop(), 1
            while (cell := permutation[cell]) in left:
                left.remove(cell)
                length += 1
            cycles.append(length)
        fixed += 3 ** len(cycles)
        of_inverse += 3 ** sum(length % 2 == 0 for length in cycles)
    return (fixed - of_inverse) // (2 * len(places))


def permutations(points: list[tuple[int, int]], size: int) -> tuple[frozenset[tuple[int, int]], list[tuple[int, ...]]]:
    """The window that stands for all symmetric ones, and what those symmetries that keep a window do to its cells."""
    images = [
        [(cell[0], cell[1]) for cell in sorted(image, key=lambda cell: cell[2])]
        for image in plain.turned(tuple((row, column, i) for i, (row, column) in enumerate(points)), size)
    ]
    kept = [tuple(points.index(point) for point in image) for image in images if set(image) == set(points)]
    return frozenset(min(images, key=sorted)), sorted(kept)


@settings(max_examples=60, deadline=None)
@given(size=st.integers(2, 19), sides=st.sets(st.sampled_from([(h, w) for h, w in SHAPES if h <= w]), min_size=1))
def test_counts_by_burnside(size: int, sides: set[tuple[int, int]]) -> None:
    shapes = tuple(sorted(sides | {(w, h) for h, w in sides}))
    windows = list(plain.windows(size, shapes))
    if not windows:
        with pytest.raises(ShapeError):
            features(size, shapes)
        return
    made, shape_only = features(size, shapes), features(size, shapes, "li")
    assert made.raw_count == sum(3 ** len(points) for points in windows) == shape_only.raw_count
    dependent = dict(permutations(points, size) for points in windows)
    expected = sum(burnside(kept) for kept in dependent.values())
    here = {(h, w) for h, w in sides if w <= size}
    independent = sum(burnside(sorted(shape_group(h, w))) for h, w in here)
    assert (made.weight_count, shape_only.weight_count) == (expected + independent, independent)
    assert len(shape_only.links) == sum(3 ** (h * w) for h, w in here), "no table of locations"


def shape_group(height: int, width: int) -> set[tuple[int, ...]]:
    """What flips, and for a square also turns, do to the cells of a rectangle."""
    grid = np.arange(height * width).reshape(height, width)
    flips = [grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]]
    if height == width:
        flips += [flip.T for flip in flips]
    return {tuple(flip.ravel().tolist()) for flip in flips}


def test_every_window_once() -> None:
    for size, shapes in ((2, "full"), (3, "full"), (6, "rlgo-1.0"), (6, "full")):
        made = features(size, shapes)
        found = [sorted((row, column) for row, column, _ in cells) for cells in window_cells(made)]
        assert sorted(found) == sorted(sorted(points) for points in plain.windows(size, WINDOWS[shapes]))
        for cells in window_cells(made):
            assert sorted(power for _, _, power in cells) == [3**k for k in range(len(cells))]


@pytest.mark.parametrize("size", [4, 5])
@pytest.mark.parametrize("sets", ["ld+li", "ld", "li"])
def test_weights_are_shared_as_the_plain_list_says(size: int, sets: str) -> None:
    """Every feature of up to four cells."""
    shapes = ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1))
    matching = Matching(features(size, shapes, sets))
    for window, cells in enumerate(matching.cells):
        for colours in itertools.product((0, 1, 2), repeat=len(cells)):
            matching.meet(window, colours)
    assert len(matching.number) == len(matching.name) == matching.features.weight_count


@pytest.mark.parametrize("size", [3, 5, 6])
def test_large_windows_share_weights_as_the_plain_list_says(size: int) -> None:
    """Random features, and what each of them is turned into."""
    generator = np.random.default_rng(size)
    matching = Matching(features(size, "full"))
    for _ in range(5):
        stones = generator.choice(3, (size, size))
        for turns in range(4):
            for image in (np.rot90(stones, turns), np.rot90(stones, turns).T):
                matching.meet_all(image)
                matching.meet_all((3 - image) % 3)
    assert len(matching.number) > 50


def test_links_cannot_be_changed() -> None:
    with pytest.raises(ValueError):
        features(5).links[0, 0] = 1
    assert features(5) is features(5, [(3, 3), (2, 2), (1, 1)])


@pytest.mark.parametrize(
    "windows",
    ["rlgo", "", None, 3, [], [(1, 2)], [(1, 1), (3, 2)], [(0, 0)], [(4, 4)], [(1, 1, 1)], [(True, 1)], [(1.0, 1.0)],
     [("1", "1")], [([1], 1)], {"a": 1}],
)  # fmt: skip
def test_impossible_windows(windows: object) -> None:
    with pytest.raises(ShapeError, match="accepted"):
        features(9, windows)


def test_impossible_sizes_and_sets() -> None:
    for size in (1, 20, "9", None, 9.0):
        with pytest.raises(SizeError):
            features(size)
    for sets in ("", "LD", "li+ld", None, ["ld"]):
        with pytest.raises(ShapeError, match="accepted"):
            features(9, "full", sets)
    with pytest.raises(ShapeError, match="fits"):
        features(2, [(3, 3)])
