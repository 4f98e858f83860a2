"""Strings read to the end of their ladders, and large patterns, slow and obvious, from the stones alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import mogo_oracle as oracle
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.go.shapes import is_bad_self_atari, nakade_point
from montego.patterns.large import OFFSETS, SIZES

Grid = oracle.Grid
Point = oracle.Point


def play(grid: Grid, point: Point, colour: int) -> tuple[Grid, Point | None]:
    """The position after a move, and the ko."""
    played = oracle.after(grid, point, colour)
    taken = [
        (r, c) for r, row in enumerate(grid) for c, stone in enumerate(row) if stone == 3 - colour and not played[r][c]
    ]
    chain = oracle.chain_of(played, point)
    alone = len(chain) == 1 and len(oracle.liberties_of(played, chain)) == 1
    return played, taken[0] if len(taken) == 1 and alone else None


def captures(grid: Grid, chain: set[Point], ko: Point | None) -> set[Point]:
    """The last liberties of hostile strings in atari beside one."""
    owner, found = grid[min(chain)[0]][min(chain)[1]], set()
    for r, c in {n for point in chain for n in oracle.around(grid, point) if grid[n[0]][n[1]] == 3 - owner}:
        free = oracle.liberties_of(grid, oracle.chain_of(grid, (r, c)))
        if len(free) == 1:
            found |= free - {ko}
    return found


def is_caught(grid: Grid, prey: Point, owner: int, ko: Point | None, defends: bool) -> bool:
    """Whether ataris catch the string at `prey`. defends: its owner is to move."""
    if grid[prey[0]][prey[1]] != owner:
        return True
    chain = oracle.chain_of(grid, prey)
    free = oracle.liberties_of(grid, chain)
    if defends:
        moves = set() if len(free) > 1 else free | captures(grid, chain, ko)
        legal = [p for p in moves if oracle.is_legal(grid, p, owner, ko)]
        return len(free) < 2 and all(
            is_caught(g, prey, owner, k, False) for g, k in (play(grid, p, owner) for p in legal)
        )
    if len(free) != 2:
        return len(free) == 1 and ko not in free
    legal = [p for p in free if oracle.is_legal(grid, p, 3 - owner, ko)]
    return any(is_caught(g, prey, owner, k, True) for g, k in (play(grid, p, 3 - owner) for p in legal))


def strings(grid: Grid) -> list[set[Point]]:
    found: list[set[Point]] = []
    for r, row in enumerate(grid):
        for c, stone in enumerate(row):
            if stone and not any((r, c) in chain for chain in found):
                found.append(oracle.chain_of(grid, (r, c)))
    return found


def ranked(kind: int, stones: int) -> int:
    """kind: in atari (0), with two liberties (1), in vain or not needed (2)."""
    size = 0 if stones >= 4 else 1 if stones >= 2 else 2
    return [(1, 2, 5), (3, 4, 6), (7, 8, 9)][kind][size]


def rescues_and_preys(grid: Grid, ko: Point | None, colour: int) -> tuple[dict[Point, int], dict[Point, int]]:
    """By point, the features of both groups."""
    found: tuple[dict[Point, int], dict[Point, int]] = ({}, {})

    def note(group: int, point: Point, feature: int) -> None:
        found[group][point] = min(feature, found[group].get(point, 99))

    for chain in strings(grid):
        some, free, stones = min(chain), oracle.liberties_of(grid, chain), len(chain)
        owner = grid[some[0]][some[1]]
        if len(free) > 2:
            continue
        moves = free if owner != colour else free | captures(grid, chain, ko)
        for p in [p for p in moves if oracle.is_legal(grid, p, colour, ko)]:
            played, later = play(grid, p, colour)
            lost = is_caught(played, some, owner, later, owner != colour)
            if owner != colour and len(free) == 1:
                note(1, p, ranked(2 if is_caught(grid, some, owner, ko, True) else 0, stones))
            elif owner != colour and lost:
                note(1, p, ranked(1, stones))
            elif owner == colour and len(free) == 1:
                note(0, p, ranked(2 if lost else 0, stones))
            elif owner == colour and not lost and is_caught(grid, some, owner, ko, False):
                note(0, p, ranked(1, stones))
    return found


def around_colour(grid: Grid, point: Point) -> int:
    """The colour around the empty region of a point."""
    region = oracle.chain_of(grid, point)
    return max(grid[r][c] for p in region for r, c in oracle.around(grid, p))


def shape(game: Game, point: Point, colour: int) -> int:
    grid, names, stack = game.stones.tolist(), geometry(game.size), np.zeros(8, np.uint16)
    at = np.uint64(names.point(*point))
    if int(nakade_point(game.board[0], at, stack)) == at:
        return 2 if around_colour(grid, point) == colour else 1
    played, ko = play(grid, point, colour)
    if any(grid[r][c] and not played[r][c] for r in range(game.size) for c in range(game.size)):
        return 0
    chain = oracle.chain_of(played, point)
    size = 0 if len(chain) == 1 else 1 if len(chain) < 4 else 2
    if len(oracle.liberties_of(played, chain)) == 1:
        return 4 + size if is_bad_self_atari(game.board[0], at, np.uint64(colour), stack) else 3
    touches = any(grid[r][c] == 3 - colour for r, c in oracle.around(grid, point))
    return 7 + size if touches and is_caught(played, point, colour, ko, False) else 0


def counted(grid: Grid, point: Point) -> int:
    return min(4, len(oracle.liberties_of(grid, oracle.chain_of(grid, point))))


def surroundings(grid: Grid, point: Point, colour: int, last: Point | None) -> tuple[int, int]:
    """The features of liberties and of contact."""
    beside = [n for n in oracle.around(grid, point) if grid[n[0]][n[1]]]
    string = oracle.chain_of(grid, last) if last else set()
    touched = {n for n in oracle.around(grid, last) if grid[n[0]][n[1]] == colour} if last else set()
    own = [n for n in beside if grid[n[0]][n[1]] == colour]
    hostile = [n for n in beside if n not in own]
    contact = [n for n in own if n not in string and oracle.chain_of(grid, n) & touched]

    def least(points: list[Point]) -> int:
        return min((counted(grid, n) for n in points), default=0)

    return least(own) * 5 + least(hostile), least([n for n in beside if n in string]) * 5 + least(contact)


# --- large patterns ---------------------------------------------------------------------------------------------


def signs(grid: Grid, point: Point, colour: int) -> str:
    """All of the largest diamond, the nearest first."""
    made = ""
    for dy, dx in OFFSETS:
        r, c = point[0] + dy, point[1] + dx
        inside = 0 <= r < len(grid) and 0 <= c < len(grid)
        made += {0: ".", colour: "X", 3 - colour: "O"}[grid[r][c]] if inside else "#"
    return made


def views(text: str) -> set[str]:
    """A pattern turned and mirrored as a picture."""
    picture = dict(zip(OFFSETS, text, strict=False))
    found = set()
    for _ in range(4):
        picture = {(x, -y): sign for (y, x), sign in picture.items()}
        for view in (picture, {(y, -x): sign for (y, x), sign in picture.items()}):
            found.add("".join(view[at] for at in OFFSETS[: len(text)]))
    return found


def known_patterns(grid: Grid, point: Point, colour: int, patterns: Sequence[str]) -> list[int]:
    """The numbers from 1 of the patterns around a point, by size, up to the first that is not known."""
    found = []
    for size in SIZES:
        seen = views(signs(grid, point, colour)[:size])
        known = [number for number, text in enumerate(patterns, 1) if text in seen]
        if not known:
            break
        found += known
    return found
