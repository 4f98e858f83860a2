"""A slow, obvious game of Go to test the fast one against. It shares no code with the package.

A point is (row, column) from the top left. A position is never changed once made: a move makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

EMPTY, BLACK, WHITE = 0, 1, 2
COLOURS = (BLACK, WHITE)
LETTERS = "ABCDEFGHJKLMNOPQRST"

Point = tuple[int, int]


def opponent(colour: int) -> int:
    return WHITE if colour == BLACK else BLACK


@cache
def all_points(size: int) -> list[Point]:
    return [(row, column) for row in range(size) for column in range(size)]


@cache
def neighbours(size: int, point: Point) -> list[Point]:
    row, column = point
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [(r, c) for r, c in around if 0 <= r < size and 0 <= c < size]


def vertex(size: int, point: Point) -> str:
    """Letters count columns from the left and leave out I; rows are counted from the bottom."""
    return f"{LETTERS[point[1]]}{size - point[0]}"


def fixed_handicap(size: int, count: int) -> list[Point]:
    """Third line below 13×13, else fourth; corners, then sides in pairs, and the centre for 5, 7 and 9 (GTP 2)."""
    low = 3 if size < 13 else 4
    high, middle = size + 1 - low, (size + 1) // 2
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    odd = count in (5, 7, 9)
    places = [*(corners + sides)[: count - odd], *([(middle, middle)] if odd else [])]
    return [(size - up, right - 1) for right, up in places]


def most_fixed_handicap(size: int) -> int:
    """None below 7×7, four on 7×7 and on even sizes, else nine (GTP 2)."""
    if size < 7:
        return 0
    return 4 if size == 7 or size % 2 == 0 else 9


@dataclass(frozen=True)
class Chain:
    colour: int
    stones: frozenset[Point]
    liberties: frozenset[Point]


class Position:
    """The colour of every point, row by row."""

    def __init__(self, size: int, stones: dict[Point, int] | None = None) -> None:
        self.size = size
        self.stones = dict.fromkeys(all_points(size), EMPTY) if stones is None else stones

    @cached_property
    def key(self) -> tuple[int, ...]:
        return tuple(self.stones.values())

    def flood(self, start: Point) -> tuple[set[Point], set[Point]]:
        """The points of one colour connected to `start`, and the points of other colours beside them."""
        colour, inside, border, waiting = self.stones[start], {start}, set(), [start]
        while waiting:
            for point in neighbours(self.size, waiting.pop()):
                if self.stones[point] != colour:
                    border.add(point)
                elif point not in inside:
                    inside.add(point)
                    waiting.append(point)
        return inside, border

    @cached_property
    def chain_of(self) -> dict[Point, Chain]:
        """A chain is all the connected stones of one colour; its liberties are the empty points beside them."""
        found: dict[Point, Chain] = {}
        for point, colour in self.stones.items():
            if colour != EMPTY and point not in found:
                stones, border = self.flood(point)
                liberties = frozenset(p for p in border if self.stones[p] == EMPTY)
                found.update(dict.fromkeys(stones, Chain(colour, frozenset(stones), liberties)))
        return found

    @cached_property
    def chains(self) -> set[Chain]:
        return set(self.chain_of.values())

    def can_stand(self) -> bool:
        """A position is possible only if every chain has a liberty."""
        return all(chain.liberties for chain in self.chains)

    def beside(self, point: Point, colour: int) -> list[Chain]:
        return [self.chain_of[p] for p in neighbours(self.size, point) if self.stones[p] == colour]

    def prey(self, point: Point, colour: int) -> set[Point]:
        """A move takes the hostile chains whose last liberty it fills."""
        others = self.beside(point, opponent(colour))
        return set().union(*[chain.stones for chain in others if chain.liberties == {point}])

    def breathes(self, point: Point, colour: int) -> bool:
        """A move has a liberty beside it, or from a friendly chain, or by taking stones."""
        return (
            any(self.stones[p] == EMPTY for p in neighbours(self.size, point))
            or any(chain.liberties != {point} for chain in self.beside(point, colour))
            or bool(self.prey(point, colour))
        )

    def lost(self, point: Point, colour: int) -> set[Point]:
        """A suicide takes off the new stone with all the friendly chains it joins."""
        if self.breathes(point, colour):
            return set()
        return {point}.union(*[chain.stones for chain in self.beside(point, colour)])

    def after(self, point: Point, colour: int) -> Position:
        stones = self.stones.copy()
        stones[point] = colour
        for stone in self.prey(point, colour) | self.lost(point, colour):
            stones[stone] = EMPTY
        return Position(self.size, stones)

    def makes_ko(self, point: Point, colour: int) -> Point | None:
        """A single stone that took a single stone, and whose only liberty is where that stood, makes a ko there."""
        prey = self.prey(point, colour)
        chain = self.after(point, colour).chain_of.get(point)
        return min(prey) if len(prey) == 1 and chain and len(chain.stones) == 1 and chain.liberties == prey else None

    def without(self, removed: set[Point]) -> Position:
        return Position(self.size, {p: EMPTY if p in removed else colour for p, colour in self.stones.items()})

    @cached_property
    def regions(self) -> list[tuple[set[Point], set[int]]]:
        """The connected empty points, and the colours beside them."""
        found, seen = [], set()
        for point, colour in self.stones.items():
            if colour == EMPTY and point not in seen:
                region, border = self.flood(point)
                seen |= region
                found.append((region, {self.stones[p] for p in border}))
        return found

    def surrounded(self, colour: int) -> int:
        """Empty points count for a colour if no other touches their region."""
        return sum(len(region) for region, touching in self.regions if touching == {colour})

    def count(self, colour: int) -> int:
        return sum(stone == colour for stone in self.stones.values())

    def diagram(self) -> str:
        signs = [".XO"[colour] for colour in self.key]
        return "\n".join("".join(signs[i : i + self.size]) for i in range(0, len(signs), self.size))


@dataclass(frozen=True)
class State:
    position: Position
    to_play: int = BLACK
    ko: Point | None = None
    """closed by the simple ko rule, for the very next move only"""
    ko_closed_to: int = EMPTY
    """the side whose stone was taken"""
    prisoners: dict[int, int] = field(default_factory=lambda: {BLACK: 0, WHITE: 0})
    """stones lost, by colour"""
    passes: int = 0
    handicap: int = 0
    starts_history: bool = False
    reasons: dict[int, dict[Point, str | None]] = field(default_factory=dict, init=False, repr=False)


class ReferenceGame:
    """`ko` is SIMPLE, POSITIONAL or SITUATIONAL; `bonus` what White gets for N handicap stones: 0, N or N-1."""

    def __init__(
        self, size: int, ko: str = "SIMPLE", suicide: bool = False, bonus: str = "0", komi: float = 7.5
    ) -> None:
        self.size, self.ko_rule, self.suicide, self.bonus, self.komi = size, ko, suicide, bonus, komi
        self.states = [State(Position(size), starts_history=True)]

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def position(self) -> Position:
        return self.state.position

    # --- what may be played -----------------------------------------------------------------------------------

    def history(self) -> list[tuple[tuple[int, ...], int]]:
        """Every position since the last setup with the player to move then, passes included."""
        start = max(i for i, state in enumerate(self.states) if state.starts_history)
        return [(state.position.key, state.to_play) for state in self.states[start:]]

    def forbidden(self, colour: int) -> set[tuple[int, ...]]:
        """Positional superko: no position twice. Situational: none twice with the same player to move next."""
        if self.ko_rule == "POSITIONAL":
            return {key for key, _ in self.history()}
        if self.ko_rule == "SITUATIONAL":
            return {key for key, to_play in self.history() if to_play == opponent(colour)}
        return set()

    def reason(self, point: Point, colour: int, forbidden: set[tuple[int, ...]]) -> str | None:
        """Why a move is illegal: occupied, ko, suicide, superko; None if it is legal."""
        if self.position.stones[point] != EMPTY:
            return "occupied"
        if point == self.state.ko and colour == self.state.ko_closed_to:
            return "ko"
        if not self.suicide and not self.position.breathes(point, colour):
            return "suicide"
        if forbidden and self.position.after(point, colour).key in forbidden:
            return "superko"
        return None

    def reasons(self, colour: int) -> dict[Point, str | None]:
        """`reason` for every point; worked out once in each state."""
        known = self.state.reasons
        if colour not in known:
            forbidden = self.forbidden(colour)
            known[colour] = {point: self.reason(point, colour, forbidden) for point in all_points(self.size)}
        return known[colour]

    # --- playing ----------------------------------------------------------------------------------------------

    def play(self, point: Point, colour: int) -> None:
        """Either colour may play at any time; it is then the other's turn."""
        assert self.reasons(colour)[point] is None
        before = self.state
        prey, lost = self.position.prey(point, colour), self.position.lost(point, colour)
        prisoners = before.prisoners.copy()
        prisoners[opponent(colour)] += len(prey)
        prisoners[colour] += len(lost)
        other = opponent(colour)
        self.states.append(
            State(
                self.position.after(point, colour),
                to_play=other,
                ko=self.position.makes_ko(point, colour),
                ko_closed_to=other,
                prisoners=prisoners,
                handicap=before.handicap,
            )
        )

    def pass_turn(self, colour: int) -> None:
        """A pass changes nothing but the turn, and lifts the ko."""
        before = self.state
        passed = replace(before, to_play=opponent(colour), ko=None, passes=before.passes + 1, starts_history=False)
        self.states.append(passed)

    def undo(self) -> None:
        """The game is as it was before the last move, pass or setup."""
        assert len(self.states) > 1
        self.states.pop()

    @property
    def is_over(self) -> bool:
        return self.state.passes >= 2

    # --- setting up -------------------------------------------------------------------------------------------

    def set_up(self, changes: dict[Point, int], to_play: int | None = None, handicap: int | None = None) -> bool:
        """Put stones or take them off; ko and superko start anew, prisoners stay. False if a chain could not stand."""
        before = self.state
        position = Position(self.size, self.position.stones | changes)
        if not position.can_stand():
            return False
        self.states.append(
            State(
                position,
                to_play=before.to_play if to_play is None else to_play,
                prisoners=before.prisoners,
                handicap=before.handicap if handicap is None else handicap,
                starts_history=True,
            )
        )
        return True

    def place_handicap(self, points: list[Point]) -> bool:
        """Black's stones before the first move; White plays next."""
        if len(self.states) > 1:
            return False
        return self.set_up(dict.fromkeys(points, BLACK), WHITE, len(points))

    # --- counting ---------------------------------------------------------------------------------------------

    def dead_stones(self, dead: Iterable[Point]) -> set[Point]:
        """A dead stone means its whole chain."""
        return set().union(*[self.position.chain_of[point].stones for point in dead])

    def area(self, dead: Iterable[Point] = ()) -> tuple[int, int]:
        """Black's and White's stones and the empty points only they touch, once dead stones are taken off."""
        alive = self.position.without(self.dead_stones(dead))
        return tuple(alive.count(colour) + alive.surrounded(colour) for colour in COLOURS)

    def territory(self, dead: Iterable[Point] = ()) -> tuple[int, int]:
        """Surrounded empty points, hostile stones taken in the game, and hostile dead stones."""
        removed = self.dead_stones(dead)
        alive = self.position.without(removed)
        points = {}
        for colour in COLOURS:
            other = opponent(colour)
            dead_others = sum(self.position.stones[stone] == other for stone in removed)
            points[colour] = alive.surrounded(colour) + self.state.prisoners[other] + dead_others
        return points[BLACK], points[WHITE]

    def compensation(self) -> float:
        """Komi, and what White gets for two or more handicap stones."""
        stones = self.state.handicap
        extra = {"0": 0, "N": stones, "N-1": stones - 1}[self.bonus] if stones >= 2 else 0
        return self.komi + extra
