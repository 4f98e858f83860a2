"""Local shape features written down plainly, to test the fast ones against. It shares no code with the package.

A feature is a set of cells (row, column, colour). The name of the weight it shares is the smallest of the features
that it may be turned into; a weight's value of a position is the number of its active features, counted with sign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

Cell = tuple[int, int, int]
Feature = tuple[Cell, ...]
Name = tuple[str, Feature]


def windows(size: int, shapes: tuple[tuple[int, int], ...]) -> Iterator[list[tuple[int, int]]]:
    """The points of every window."""
    for height, width in shapes:
        for top in range(size - height + 1):
            for left in range(size - width + 1):
                yield [(top + i, left + j) for i in range(height) for j in range(width)]


def turned(feature: Feature, size: int) -> Iterator[Feature]:
    """The eight images of a feature on the board."""
    last = size - 1
    for row_flip in (False, True):
        for column_flip in (False, True):
            for swap in (False, True):
                cells = []
                for row, column, colour in feature:
                    r, c = (last - row if row_flip else row), (last - column if column_flip else column)
                    cells.append((c, r, colour) if swap else (r, c, colour))
                yield tuple(sorted(cells))


def moved_to_corner(feature: Feature) -> Feature:
    top, left = min(row for row, _, _ in feature), min(column for _, column, _ in feature)
    return tuple(sorted((row - top, column - left, colour) for row, column, colour in feature))


def inverse(feature: Feature) -> Feature:
    return tuple((row, column, (0, 2, 1)[colour]) for row, column, colour in feature)


@cache
def weight(feature: Feature, size: int, name: str) -> tuple[Name, int] | None:
    """The weight a feature has in a set ("ld" or "li") and the sign it has there; None if it has no weight."""

    def smallest(some: Feature) -> Feature:
        images = turned(some, size)
        return min(images) if name == "ld" else min(moved_to_corner(image) for image in images)

    own, others = smallest(feature), smallest(inverse(feature))
    if own == others:
        return None
    return ((name, own), 1) if own < others else ((name, others), -1)


def active_weights(
    stones: list[list[int]], shapes: tuple[tuple[int, int], ...], sets: str = "ld+li"
) -> list[tuple[Name, int]]:
    """The weight and sign of every active feature that has one."""
    size, found = len(stones), []
    for points in windows(size, shapes):
        feature = tuple(sorted((row, column, stones[row][column]) for row, column in points))
        found += [weight(feature, size, name) for name in sets.split("+")]
    return [pair for pair in found if pair is not None]


def phi(stones: list[list[int]], shapes: tuple[tuple[int, int], ...], sets: str = "ld+li") -> Counter[Name]:
    """φ of a position, by weight."""
    counts: Counter[Name] = Counter()
    for name, sign in active_weights(stones, shapes, sets):
        counts[name] += sign
    return counts
