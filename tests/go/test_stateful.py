"""Hypothesis drives a Game and the reference through the same changes, in any order; they must always agree."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agreement import RULE_SETS, both_games, compare, compare_scores, snapshot, vertices
from montego.go.errors import HandicapError, IllegalMove, MontegoError, SetupError, UndoError
from reference import BLACK, COLOURS, EMPTY, WHITE, Point, fixed_handicap, most_fixed_handicap

COLOUR_CHOICE = st.none() | st.sampled_from(COLOURS)
SEEDS = st.integers(0, 2**32 - 1)
"""Points are drawn as numbers and taken modulo the board."""
KOMI = st.integers(-800, 800).map(lambda halves: halves / 2)


class GameMachine(RuleBasedStateMachine):
    @initialize(
        size=st.sampled_from([2, 3, 3, 4, 5, 7, 9]),
        rules=st.sampled_from(list(RULE_SETS)),
        komi=KOMI,
    )
    def begin(self, size: int, rules: str, komi: float) -> None:
        self.game, self.reference = both_games(size, rules, komi)
        self.names = vertices(size)
        self.points = list(self.names)

    def some_points(self, numbers: list[int]) -> list[Point]:
        return [self.points[number % len(self.points)] for number in numbers]

    def refuses(self, kind: type[MontegoError], change: Callable[[], object]) -> MontegoError:
        before = snapshot(self.game)
        with pytest.raises(kind) as refusal:
            change()
        assert snapshot(self.game) == before
        return refusal.value

    # --- moves ------------------------------------------------------------------------------------------------

    @rule(number=SEEDS, colour=COLOUR_CHOICE)
    def play_anywhere(self, number: int, colour: int | None) -> None:
        point = self.some_points([number])[0]
        mover = colour or self.reference.state.to_play
        why = self.reference.reasons(mover)[point]
        if why:
            refusal = self.refuses(IllegalMove, lambda: self.game.play(self.names[point], colour))
            assert isinstance(refusal, IllegalMove)
            assert refusal.why == why
        else:
            self.game.play(self.names[point], colour)
            self.reference.play(point, mover)

    @rule(number=SEEDS, colour=COLOUR_CHOICE)
    def play_legally(self, number: int, colour: int | None) -> None:
        mover = colour or self.reference.state.to_play
        legal = [point for point, why in self.reference.reasons(mover).items() if why is None]
        if legal:
            point = legal[number % len(legal)]
            self.game.play(self.names[point].lower(), colour)
            self.reference.play(point, mover)

    @rule(colour=COLOUR_CHOICE)
    def pass_turn(self, colour: int | None) -> None:
        mover = colour or self.reference.state.to_play
        self.game.play("pass", colour)
        self.reference.pass_turn(mover)

    @rule(count=st.integers(1, 5))
    def undo(self, count: int) -> None:
        if count >= len(self.reference.states):
            self.refuses(UndoError, lambda: self.game.undo(count))
            return
        self.game.undo(count)
        for _ in range(count):
            self.reference.undo()

    @precondition(lambda self: len(self.reference.states) > 3)
    @rule()
    def undo_everything(self) -> None:
        count = len(self.reference.states) - 1
        self.game.undo(count)
        for _ in range(count):
            self.reference.undo()

    # --- setting up -------------------------------------------------------------------------------------------

    @rule(black=st.lists(SEEDS, max_size=6), white=st.lists(SEEDS, max_size=6), empty=st.lists(SEEDS, max_size=3))
    def set_up(self, black: list[int], white: list[int], empty: list[int]) -> None:
        self.change_stones(self.some_points(black), self.some_points(white), self.some_points(empty), None)

    @rule(seed=SEEDS, to_play=COLOUR_CHOICE)
    def strew_stones(self, seed: int, to_play: int | None) -> None:
        rng = random.Random(seed)
        chosen = rng.choices([EMPTY, *COLOURS], [rng.choice([1, 3, 9]), 2, 2], k=len(self.points))
        black, white, empty = (
            [point for point, colour in zip(self.points, chosen, strict=True) if colour == wanted]
            for wanted in (BLACK, WHITE, EMPTY)
        )
        self.change_stones(black, white, empty, to_play)

    def change_stones(self, black: list[Point], white: list[Point], empty: list[Point], to_play: int | None) -> None:
        changes = dict.fromkeys(black, BLACK) | dict.fromkeys(white, WHITE) | dict.fromkeys(empty, EMPTY)
        named = [[self.names[point] for point in points] for points in (black, white, empty)]
        twice = set(black) & set(white) | set(black) & set(empty) | set(white) & set(empty)
        if not twice and self.reference.set_up(changes, to_play):
            self.game.setup(*named, to_play=to_play)
        else:
            self.refuses(SetupError, lambda: self.game.setup(*named, to_play=to_play))

    # Handicaps are for the empty board: without these preconditions most tries would come too late.

    def at_the_start(self) -> bool:
        return len(self.reference.states) < 3

    @precondition(at_the_start)
    @rule(count=st.integers(-1, 11))
    def place_fixed_handicap(self, count: int) -> None:
        size = self.game.size
        possible = 2 <= count <= most_fixed_handicap(size)
        points = fixed_handicap(size, count) if possible else []
        if possible and self.reference.place_handicap(points):
            assert self.game.place_fixed_handicap(count) == [self.names[point] for point in points]
        else:
            self.refuses(HandicapError, lambda: self.game.place_fixed_handicap(count))

    @precondition(at_the_start)
    @rule(count=st.integers(0, 30))
    def place_free_handicap(self, count: int) -> None:
        if not 2 <= count < len(self.points) or len(self.reference.states) > 1:
            self.refuses(HandicapError, lambda: self.game.place_free_handicap(count))
            return
        chosen = self.game.place_free_handicap(count)
        assert len(set(chosen)) == count
        assert self.reference.place_handicap([point for point in self.points if self.names[point] in chosen])

    @precondition(at_the_start)
    @rule(numbers=st.lists(SEEDS, max_size=12))
    def set_free_handicap(self, numbers: list[int]) -> None:
        points = self.some_points(numbers)
        named = [self.names[point] for point in points]
        possible = len(set(points)) == len(points) and 2 <= len(points) < len(self.points)
        if possible and self.reference.place_handicap(points):
            assert self.game.set_free_handicap(named) == named
        else:
            self.refuses(HandicapError, lambda: self.game.set_free_handicap(named))

    @rule(komi=KOMI)
    def change_komi(self, komi: float) -> None:
        self.game.komi = self.reference.komi = komi

    # --- agreement --------------------------------------------------------------------------------------------

    @invariant()
    def games_agree(self) -> None:
        compare(self.game, self.reference)
        compare_scores(self.game, self.reference, random.Random(len(self.reference.states)))


class LongGameMachine(GameMachine):
    pass


ORDINARY = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)

TestGame = GameMachine.TestCase
TestGame.settings = ORDINARY

TestLongGame = pytest.mark.slow(LongGameMachine.TestCase)
TestLongGame.settings = settings(ORDINARY, max_examples=200, stateful_step_count=80)
