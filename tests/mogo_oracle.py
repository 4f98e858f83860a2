"""MoGo's policy, slow and obvious: which rule fires and which moves it allows, from the stones alone.

Written from Gelly & Silver 2011 §3.6 and Fuego's pictures of the patterns; shares no code with the package.
Points are (row, column) from the top left; a position is a list of rows of 0 (empty), 1 (Black), 2 (White).
"""

from __future__ import annotations

from itertools import product

Point = tuple[int, int]
Grid = list[list[int]]

# The move is the centre; for edge patterns the middle of the lower row, the edge being below it.
CENTRE = {  # picture: who may play it
    ("XOX", "...", "???"): "XO",
    ("XO.", "...", "?.?"): "XO",
    ("XO?", "X..", "?.?"): "XO",
    ("XOO", "...", "?.?"): "X",
    ("?X?", "O.O", "xxx"): "XO",
}
CUT = ("XO?", "O.?", "???")
CUT_EXCEPTIONS = [("XO?", "O.O", "?.?"), ("XO?", "O..", "?O?")]
EDGE = {
    ("X.?", "O.?"): "XO",
    ("?X?", "o.O"): "XO",
    ("?XO", "?.?"): "X",
    ("?XO", "?.o"): "O",
    ("?XO", "O.X"): "O",
}


def around(grid: Grid, point: Point) -> list[Point]:
    size, (row, column) = len(grid), point
    four = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in four if 0 <= r < size and 0 <= c < size]


def chain_of(grid: Grid, point: Point) -> set[Point]:
    colour = grid[point[0]][point[1]]
    chain, fringe = {point}, [point]
    while fringe:
        for r, c in around(grid, fringe.pop()):
            if grid[r][c] == colour and (r, c) not in chain:
                chain.add((r, c))
                fringe.append((r, c))
    return chain


def liberties_of(grid: Grid, chain: set[Point]) -> set[Point]:
    return {(r, c) for point in chain for r, c in around(grid, point) if grid[r][c] == 0}


def after(grid: Grid, point: Point, colour: int) -> Grid:
    """The position after a move, hostile chains without liberties taken off (one's own stays, if suicidal)."""
    played = [list(row) for row in grid]
    played[point[0]][point[1]] = colour
    for r, c in around(played, point):
        if played[r][c] == 3 - colour:
            chain = chain_of(played, (r, c))
            if not liberties_of(played, chain):
                for dead_row, dead_column in chain:
                    played[dead_row][dead_column] = 0
    return played


def is_legal(grid: Grid, point: Point, colour: int, ko: Point | None) -> bool:
    if grid[point[0]][point[1]] or point == ko:
        return False
    played = after(grid, point, colour)
    return bool(liberties_of(played, chain_of(played, point)))


def is_true_eye(grid: Grid, point: Point, colour: int) -> bool:
    (row, column), size = point, len(grid)
    if grid[row][column] or any(grid[r][c] != colour for r, c in around(grid, point)):
        return False
    corners = [(row + dr, column + dc) for dr, dc in product((-1, 1), repeat=2)]
    inside = [(r, c) for r, c in corners if 0 <= r < size and 0 <= c < size]
    hostile = sum(grid[r][c] == 3 - colour for r, c in inside)
    return hostile <= (1 if len(inside) == 4 else 0)


def fits(sign: str, stone: int, x: int) -> bool:
    """Whether a stone fits a sign of a picture in which X stands for the colour x."""
    names = {0: ".", x: "X", 3 - x: "O"}
    return sign == "?" or names[stone] == sign or (sign in "xo" and names[stone] in (".", sign.upper()))


def views(grid: Grid, point: Point) -> list[list[list[int | None]]]:
    """The 3×3 neighbourhood in its eight symmetries; None is off the board."""
    (row, column), size = point, len(grid)

    def stone(r: int, c: int) -> int | None:
        return grid[r][c] if 0 <= r < size and 0 <= c < size else None

    view = [[stone(row + dr, column + dc) for dc in (-1, 0, 1)] for dr in (-1, 0, 1)]
    found = []
    for _ in range(4):
        view = [list(line) for line in zip(*view[::-1], strict=True)]
        found += [view, [line[::-1] for line in view]]
    return found


def shows(view: list[list[int | None]], picture: tuple[str, ...], x: int) -> bool:
    signs = [(sign, stone) for line, stones in zip(picture, view, strict=False) for sign, stone in zip(line, stones)]  # noqa: B905
    return all(stone is not None and fits(sign, stone, x) for sign, stone in signs)


def matches_pattern(grid: Grid, point: Point, colour: int) -> bool:
    if grid[point[0]][point[1]]:
        return False
    seen = views(grid, point)
    missing = sum(stone is None for line in seen[0] for stone in line)
    for x in (1, 2):
        role = "X" if colour == x else "O"
        if missing == 0:
            if any(role in who and shows(view, picture, x) for picture, who in CENTRE.items() for view in seen):
                return True
            cut = any(shows(view, CUT, x) for view in seen)
            if cut and not any(shows(view, picture, x) for picture in CUT_EXCEPTIONS for view in seen):
                return True
        elif missing == 3:
            upright = [view for view in seen if view[2] == [None, None, None]]
            if any(role in who and shows(view[:2], picture, x) for picture, who in EDGE.items() for view in upright):
                return True
    return False


def saving_moves(grid: Grid, last: Point, colour: int, ko: Point | None) -> set[Point]:
    saves = set()
    for point in around(grid, last):
        if grid[point[0]][point[1]] != colour:
            continue
        chain = chain_of(grid, point)
        liberties = liberties_of(grid, chain)
        if len(liberties) != 1:
            continue
        (escape,) = liberties
        played = after(grid, escape, colour)
        if len(liberties_of(played, chain_of(played, escape))) >= 2:
            saves.add(escape)
        for r, c in {n for stone in chain for n in around(grid, stone) if grid[n[0]][n[1]] == 3 - colour}:
            prey = liberties_of(grid, chain_of(grid, (r, c)))
            if len(prey) == 1:
                saves |= prey
    return saves - {ko}


def capturing_moves(grid: Grid, colour: int, ko: Point | None) -> set[Point]:
    size = len(grid)
    taken = set()
    for r, c in product(range(size), repeat=2):
        if grid[r][c] == 3 - colour:
            liberties = liberties_of(grid, chain_of(grid, (r, c)))
            if len(liberties) == 1:
                taken |= liberties
    return taken - {ko}


def rule_and_moves(grid: Grid, last: Point | None, colour: int, ko: Point | None) -> tuple[str, set[Point]]:
    """The name of the rule that fires and all moves it may choose."""
    size = len(grid)
    if last is not None:
        saves = saving_moves(grid, last, colour, ko)
        if saves:
            return "SAVE", saves
        near = [(last[0] + dr, last[1] + dc) for dr, dc in product((-1, 0, 1), repeat=2) if (dr, dc) != (0, 0)]
        inside = [(r, c) for r, c in near if 0 <= r < size and 0 <= c < size]
        pattern = {p for p in inside if matches_pattern(grid, p, colour) and is_legal(grid, p, colour, ko)}
        if pattern:
            return "PATTERN", pattern
    captures = capturing_moves(grid, colour, ko)
    if captures:
        return "CAPTURE", captures
    return ("RANDOM", moves) if (moves := sensible_moves(grid, colour, ko)) else ("PASS", set())


def sensible_moves(grid: Grid, colour: int, ko: Point | None) -> set[Point]:
    """What the uniform policy chooses among."""
    points = product(range(len(grid)), repeat=2)
    return {p for p in points if is_legal(grid, p, colour, ko) and not is_true_eye(grid, p, colour)}
