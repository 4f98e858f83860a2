"""Random games played by Game, by the reference and by sgfmill's board, compared after every move."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from sgfmill.boards import Board as SgfmillBoard

from agreement import RULE_SETS, both_games, compare, compare_scores, snapshot, vertices
from montego import Game
from montego.go.errors import IllegalMove
from reference import BLACK, COLOURS, EMPTY, WHITE, Point, Position, ReferenceGame, all_points, neighbours, opponent

# Positions compared on each size: small boards repeat and refuse more, large ones cost more.
ORDINARY = {size: 950 if size < 5 else 400 if size < 8 else 200 if size < 10 else 60 for size in range(2, 20)}
MANY = {size: 24_000 if size < 5 else 6_000 if size < 8 else 2_000 if size < 10 else 650 for size in range(2, 20)}

# How often a random player does other than play any legal point that is not its own eye.
PASS, UNDO, OUT_OF_TURN, CAPTURE, FILL_EYE, TRY_ILLEGAL = 0.04, 0.06, 0.06, 0.25, 0.05, 0.05


def test_enough_positions() -> None:
    assert sum(ORDINARY.values()) >= 5_000
    assert sum(MANY.values()) >= 100_000


@pytest.mark.parametrize("size", ORDINARY)
def test_agrees_with_the_reference(size: int) -> None:
    differential(size, ORDINARY[size])


@pytest.mark.slow
@pytest.mark.parametrize("size", MANY)
def test_agrees_with_the_reference_at_length(size: int) -> None:
    differential(size, MANY[size])


def differential(size: int, positions: int) -> None:
    """Random games under all rule sets in turn, from the empty board and from crowded ones."""
    tally = Tally()
    for number in itertools.count():
        rules = list(RULE_SETS)[number % len(RULE_SETS)]
        superko = RULE_SETS[rules][0] != "SIMPLE"
        crowded = number % 2 == 1 or (superko and size > 9)
        match = Match(size, rules, random.Random(f"{size} {number}"), tally)
        if crowded:
            match.set_up_crowded()
        # Superko looks through all the history for every point: shorter games.
        longest = (30 if size < 10 else 15) if superko else 2 * size * size
        match.play_moves(min(longest, positions // 6 if crowded else positions // 2))
        if tally.positions >= positions and number + 1 >= len(RULE_SETS):
            break
    tally.check(size, positions)


@dataclass
class Tally:
    """What was met in all the games of one size."""

    positions: int = 0
    refusals: set[str | None] = field(default_factory=set)
    captures: int = 0
    suicides: int = 0
    undone: int = 0
    hash_of: dict[tuple[int, ...], int] = field(default_factory=dict)
    position_of: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def note_hash(self, position: tuple[int, ...], number: int) -> None:
        """Equal positions have equal hashes, different ones different."""
        assert self.hash_of.setdefault(position, number) == number
        assert self.position_of.setdefault(number, position) == position

    def check(self, size: int, positions: int) -> None:
        assert self.positions >= positions
        assert self.captures > positions // 50
        assert self.undone
        assert self.refusals >= {"occupied", "suicide"}
        assert "ko" in self.refusals or size not in range(3, 10)  # none fits on 2×2, and on large boards it is rare
        assert size > 4 or ("superko" in self.refusals and self.suicides)


class Match:
    """One game on three boards."""

    def __init__(self, size: int, rules: str, rng: random.Random, tally: Tally) -> None:
        self.size, self.rules, self.rng, self.tally = size, rules, rng, tally
        self.game, self.reference = both_games(size, rules, komi=rng.choice([0, 7.5, -3]))
        self.sgfmill = [(SgfmillBoard(size), None)]
        self.seen = [essence(self.game)]
        self.names = vertices(size)
        self.compare_all()

    def play_moves(self, count: int) -> None:
        for _ in range(count):
            if self.rng.random() < UNDO:
                self.undo()
            else:
                self.move()

    def move(self) -> None:
        colour = self.game.to_play
        if self.rng.random() < OUT_OF_TURN:
            colour = opponent(colour)
        reasons = self.reference.reasons(colour)
        if self.rng.random() < TRY_ILLEGAL:
            self.try_illegal(reasons, colour)
        legal = [point for point, why in reasons.items() if why is None]
        if not legal or self.rng.random() < PASS:
            self.pass_turn(colour)
        else:
            self.play(self.choose(legal, colour), colour)

    def choose(self, legal: list[Point], colour: int) -> Point:
        position = self.reference.position
        captures = [point for point in legal if position.prey(point, colour)]
        if captures and self.rng.random() < CAPTURE:
            return self.rng.choice(captures)
        sensible = [point for point in legal if not is_eye(position, point, colour)]
        return self.rng.choice(legal if not sensible or self.rng.random() < FILL_EYE else sensible)

    def play(self, point: Point, colour: int) -> None:
        lost = self.reference.position.lost(point, colour)
        self.tally.suicides += bool(lost)
        self.tally.captures += bool(self.reference.position.prey(point, colour))
        board = self.sgfmill[-1][0].copy()
        ko = board.play(*point, "bw"[colour - 1])
        self.sgfmill.append((board, None if lost else ko))
        self.game.play(self.names[point], colour)
        self.reference.play(point, colour)
        self.advance()

    def pass_turn(self, colour: int) -> None:
        self.sgfmill.append((self.sgfmill[-1][0], None))
        self.game.play("pass", colour)
        self.reference.pass_turn(colour)
        self.advance()

    def set_up_crowded(self) -> None:
        stones = crowded_stones(self.size, self.rng)
        to_play = self.rng.choice(COLOURS)
        black, white = ([p for p, colour in stones.items() if colour == side] for side in COLOURS)
        board = SgfmillBoard(self.size)
        assert board.apply_setup(black, white, [])
        self.sgfmill.append((board, None))
        self.game.setup([self.names[p] for p in black], [self.names[p] for p in white], to_play=to_play)
        assert self.reference.set_up(stones, to_play)
        self.advance()

    def advance(self) -> None:
        self.seen.append(essence(self.game))
        self.compare_all()

    def undo(self) -> None:
        """Take back one to three moves, at once or one by one."""
        count = min(self.rng.randint(1, 3), len(self.seen) - 1)
        if count == 0:
            return
        for step in [count] if self.rng.random() < 0.5 else [1] * count:
            self.game.undo(step)
        for _ in range(count):
            self.reference.undo()
        del self.seen[-count:], self.sgfmill[-count:]
        assert essence(self.game) == self.seen[-1]
        self.tally.undone += 1
        self.compare_all()

    def try_illegal(self, reasons: dict[Point, str | None], colour: int) -> None:
        illegal = [point for point, why in reasons.items() if why]
        if not illegal:
            return
        point = self.rng.choice(illegal)
        before = snapshot(self.game)
        with pytest.raises(IllegalMove) as refusal:
            self.game.play(self.names[point], colour)
        assert refusal.value.why == reasons[point]
        assert snapshot(self.game) == before

    def compare_all(self) -> None:
        compare(self.game, self.reference)
        self.tally.refusals.update(*[self.reference.reasons(colour).values() for colour in COLOURS])
        compare_scores(self.game, self.reference, self.rng)
        compare_sgfmill(self.reference, *self.sgfmill[-1])
        self.compare_hash()
        self.tally.positions += 1

    def compare_hash(self) -> None:
        position = self.reference.position
        self.tally.note_hash(position.key, self.game.hash)
        assert Game.from_diagram(position.diagram()).hash == self.game.hash
        assert self.game.history.tolist()[-1] == self.game.hash


def essence(game: Game) -> tuple[Any, ...]:
    """What undo must bring back."""
    lost = [game.captured(colour) for colour in COLOURS]
    return game.stones.tobytes(), game.hash, game.ko, game.to_play, lost, game.is_over, len(game.moves)


def compare_sgfmill(reference: ReferenceGame, board: SgfmillBoard, ko: Point | None) -> None:
    colours = {None: EMPTY, "b": BLACK, "w": WHITE}
    assert tuple(colours[cell] for row in board.board for cell in row) == reference.position.key
    assert ko == reference.state.ko
    black, white = reference.area()
    assert board.area_score() == black - white


def is_eye(position: Position, point: Point, colour: int) -> bool:
    return all(position.stones[p] == colour for p in neighbours(position.size, point))


def crowded_stones(size: int, rng: random.Random) -> dict[Point, int]:
    """Stones strewn over the board, those without a liberty taken off again."""
    crowd = rng.uniform(0.5, 0.9)
    stones = {p: rng.choice(COLOURS) if rng.random() < crowd else EMPTY for p in all_points(size)}
    position = Position(size, stones)
    while not position.can_stand():
        position = position.without(set(rng.choice([c for c in position.chains if not c.liberties]).stones))
    return position.stones
