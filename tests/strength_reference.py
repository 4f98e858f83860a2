"""The features of moves, slow and obvious, from the stones alone; and strengths at random to tell them apart."""

from __future__ import annotations

import atexit
import math
import shutil
import tempfile
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import mogo_oracle as oracle
import tactics_reference as tactics
from montego.go.codes import CELLS
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns.files import Provenance
from montego.patterns.strength_files import save_strengths
from montego.patterns.strengths import PLAYOUT_SET, TREE_SET, Strengths, bounded, pattern_classes

Grid = oracle.Grid
Point = oracle.Point


def place(game: Game, vertex: str | None) -> Point | None:
    names = geometry(game.size)
    return None if vertex in (None, "pass") else names.row_column(names.parse(vertex))


def earlier(game: Game, back: int) -> Point | None:
    """The last move (1), the one before it (2); None if there was none, or a pass."""
    return place(game, game.moves[-back].vertex) if len(game.moves) >= back else None


def picture(grid: Grid, point: Point, colour: int) -> str:
    """What is around a point for a mover: the same text for all views of it."""
    names = {0: ".", colour: "X", 3 - colour: "O", None: "#"}
    return min("".join(names[stone] for line in view for stone in line) for view in oracle.views(grid, point))


@cache
def class_names() -> dict[str, int]:
    """The number of the class of every picture, from the codes as Black sees them."""
    names, made = ".XO#", {}
    for code, number in enumerate(pattern_classes()[0][0]):
        if number:
            cells = {cell: names[(code >> (2 * i)) & 3] for i, cell in enumerate(CELLS)} | {(1, 1): "."}
            view = [[cells[r, c] for c in range(3)] for r in range(3)]
            views = []
            for _ in range(4):
                view = [list(line) for line in zip(*view[::-1], strict=True)]
                views += ["".join(map("".join, view)), "".join("".join(line[::-1]) for line in view)]
            assert made.setdefault(min(views), int(number)) == number, "one picture, two classes"
    return made


def in_atari(grid: Grid, chain: set[Point]) -> bool:
    return len(oracle.liberties_of(grid, chain)) == 1


def strings_beside(grid: Grid, points: set[Point], colour: int) -> list[set[Point]]:
    """Strings of a colour in atari that touch some points."""
    beside = {n for p in points for n in oracle.around(grid, p) if grid[n[0]][n[1]] == colour}
    return [chain for chain in (oracle.chain_of(grid, n) for n in beside) if in_atari(grid, chain)]


def tactic(grid: Grid, point: Point, colour: int) -> int:
    prey, own = strings_beside(grid, {point}, 3 - colour), strings_beside(grid, {point}, colour)
    played = oracle.after(grid, point, colour)
    short = len(oracle.liberties_of(played, oracle.chain_of(played, point))) < 2
    if prey:
        if own or any(strings_beside(grid, chain, colour) for chain in prey):
            return 1
        return 3 if all(len(chain) == 1 for chain in prey) and len({min(chain) for chain in prey}) == 1 else 2
    if own:
        return 5 if short else 4
    return 6 if short else 0


def response(grid: Grid, point: Point, colour: int, last: Point | None) -> int:
    if last is None:
        return 0
    prey, own = strings_beside(grid, {point}, 3 - colour), strings_beside(grid, {point}, colour)
    if any(last in chain for chain in prey):
        return 1
    threatened = strings_beside(grid, {last}, colour)
    if prey:
        return 2 if any(c in threatened for p in [*prey, {point}] for c in strings_beside(grid, p, colour)) else 0
    return 3 if any(chain in threatened for chain in own) else 0


def near(point: Point, last: Point | None) -> int:
    if last is None:
        return 0
    apart = sorted((abs(point[0] - last[0]), abs(point[1] - last[1])))
    return {(0, 1): 1, (1, 1): 2}.get((apart[0], apart[1]), 0)


def apart(point: Point, other: Point | None) -> int:
    """Number of the distance from 1, 0 for none."""
    if other is None:
        return 0
    dy, dx = abs(point[0] - other[0]), abs(point[1] - other[1])
    return min(dx + dy + max(dx, dy), 17) + 1


def gives_atari(grid: Grid, point: Point, colour: int) -> int:
    beside = [n for n in oracle.around(grid, point) if grid[n[0]][n[1]] == 3 - colour]
    return int(any(len(oracle.liberties_of(grid, oracle.chain_of(grid, n))) == 2 for n in beside))


def numbered(features: dict[str, int], starts: dict[str, int]) -> list[int]:
    return [number + starts[group] if number else 0 for group, number in features.items()]


def playout_team(game: Game, point: Point, colour: int) -> list[int]:
    grid, last = game.stones.tolist(), earlier(game, 1)
    found = {
        "pattern": class_names()[picture(grid, point, colour)],
        "tactic": tactic(grid, point, colour),
        "near": near(point, last),
        "response": response(grid, point, colour, last),
    }
    return numbered(found, PLAYOUT_SET.starts)


@lru_cache(maxsize=4)
def rescues_and_preys(rows: tuple[tuple[int, ...], ...], ko: Point | None, colour: int) -> Any:
    """They are the same for all moves of a position."""
    return tactics.rescues_and_preys([list(row) for row in rows], ko, colour)


def stage(grid: Grid) -> int:
    stones, area = sum(stone != 0 for row in grid for stone in row), len(grid) ** 2
    return 0 if stones <= area / 6 else 1 if stones <= area / 2 else 2


def tree_team(game: Game, point: Point, colour: int) -> list[int]:
    """All but large patterns."""
    grid, last = game.stones.tolist(), earlier(game, 1)
    rescues, preys = rescues_and_preys(tuple(map(tuple, grid)), place(game, game.ko), colour)
    liberties, contact = tactics.surroundings(grid, point, colour, last)
    line = min(1 + min(*point, game.size - 1 - point[0], game.size - 1 - point[1]), 5)
    found = {
        "pattern": class_names()[picture(grid, point, colour)],
        "tactic": tactic(grid, point, colour),
        "response": response(grid, point, colour, last),
        "atari": gives_atari(grid, point, colour),
        "distance": apart(point, last),
        "before": apart(point, earlier(game, 2)),
        "line": 5 * stage(grid) + line,
        "rescue": rescues.get(point, 0),
        "prey": preys.get(point, 0),
        "shape": tactics.shape(game, point, colour),
        "liberties": liberties,
        "contact": contact,
    }
    return numbered(found, TREE_SET.starts)


def sensible(game: Game) -> list[Point]:
    return sorted(oracle.sensible_moves(game.stones.tolist(), game.to_play, place(game, game.ko)))


def probabilities(game: Game, strengths: Strengths) -> dict[str, float]:
    """γ / Σγ by vertex."""
    names = geometry(game.size)
    teams = {point: playout_team(game, point, game.to_play) for point in sensible(game)}
    gammas = {point: math.exp(sum(strengths.playout[f] for f in team)) for point, team in teams.items()}
    return {names.vertex(names.point(*p)): gamma / sum(gammas.values()) for p, gamma in gammas.items()}


@cache
def random_strengths(seed: int = 0) -> Strengths:
    generator = np.random.default_rng(seed)
    return bounded(Strengths(generator.normal(0, 1, PLAYOUT_SET.count), generator.normal(0, 1, TREE_SET.count)))


@cache
def strengths_file(seed: int = 0) -> str:
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / f"strengths-{seed}.npz"
    save_strengths(path, random_strengths(seed), Provenance("a test"))
    return str(path)
