"""Urgencies, slow and obvious: of every point from the stones alone, and tables nobody has learned, to try them with.

Written from Bouzy & Chaslot 2006 §III.C. Points and positions are those of mogo_oracle; a table is a list of urgencies
by pattern. Only the numbering of patterns, of which files are made, is the package's, written down a second time.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

import mogo_oracle as oracle
from mogo_oracle import Grid, Point
from montego.patterns.files import Provenance
from montego.patterns.learned import load_urgencies, save_urgencies
from montego.patterns.urgency import Urgencies, symmetric

AROUND = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))


def line(coordinate: int, size: int) -> int:
    """0 first line, 1 second, 2 further in or in the middle, 3 second from the other side, 4 first."""
    other = size - 1 - coordinate
    if coordinate == other or min(coordinate, other) >= 2:
        return 2
    return coordinate if coordinate < other else 4 - other


def pattern(grid: Grid, point: Point, colour: int) -> int:
    """The number of the pattern around a point as `colour` sees it."""
    (row, column), size = point, len(grid)
    number = 0
    for dr, dc in reversed(AROUND):
        r, c = row + dr, column + dc
        stone = grid[r][c] if 0 <= r < size and 0 <= c < size else 0
        number = 3 * number + (0 if stone == 0 else 1 if stone == colour else 2)
    return (5 * line(row, size) + line(column, size)) * 3**8 + number


def in_64ths(urgency: float) -> int:
    return round(64 * urgency)


def atari_stones(grid: Grid) -> dict[Point, int]:
    """By last liberty, how many stones of either colour have no other."""
    found: dict[Point, int] = {}
    seen: set[Point] = set()
    for point in product(range(len(grid)), repeat=2):
        if grid[point[0]][point[1]] and point not in seen:
            chain = oracle.chain_of(grid, point)
            seen |= chain
            liberties = oracle.liberties_of(grid, chain)
            if len(liberties) == 1:
                found[min(liberties)] = found.get(min(liberties), 0) + len(chain)
    return found


def urgencies_at(grid: Grid, colour: int, table: Urgencies) -> dict[Point, int]:
    """By empty point its urgency for `colour`, legal or not, in 64ths; a true eye of one's own has none."""
    stones, found = atari_stones(grid), {}
    for point in product(range(len(grid)), repeat=2):
        if grid[point[0]][point[1]] == 0:
            by_shape = min(max(in_64ths(table.patterns[pattern(grid, point, colour)]), 1), 64 << 12)
            by_atari = min(in_64ths(table.one_liberty), 64 << 12) * stones.get(point, 0)
            found[point] = 0 if oracle.is_true_eye(grid, point, colour) else by_shape + by_atari
    return found


def random_urgencies(seed: int = 0) -> Urgencies:
    """From a hundredth of an ordinary move's to a hundred times as much; symmetric, and exact in a file."""
    shared, kinds = symmetric()
    values = np.exp(np.random.default_rng(seed).normal(0, 1.5, kinds)).astype(np.float32)
    return Urgencies(values[shared].astype(np.float64), 2.5 + seed)


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="montego-urgencies-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def urgencies_file(seed: int = 0) -> str:
    """The path of `random_urgencies(seed)`, there as long as this process."""
    path = _folder() / f"{seed}.npz"
    save_urgencies(path, random_urgencies(seed), Provenance("nobody", seed=seed))
    assert (load_urgencies(path)[0].patterns == random_urgencies(seed).patterns).all()
    return str(path)
