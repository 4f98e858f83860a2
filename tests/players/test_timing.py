"""Clocks: what a move may cost under every time system, and that no game is lost on time."""

from __future__ import annotations

from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montego.go.errors import MontegoError
from montego.players.timing import LEAST, LONGER, GameClock, TimeError, TimeSettings, moves_to_go

seconds = st.floats(0.5, 3600.0)
lags = st.floats(0.0, 1.0)
sizes = st.sampled_from([5, 9, 13, 19])
counts = st.integers(1, 30)


@st.composite
def time_settings(draw: st.DrawFn) -> TimeSettings:
    main = draw(st.just(0.0) | seconds)
    match draw(st.sampled_from(["absolute", "canadian", "byoyomi", "fischer", "capped"])):
        case "absolute":
            return TimeSettings(draw(seconds))
        case "canadian":
            return TimeSettings(main, period=draw(seconds), stones=draw(counts))
        case "byoyomi":
            return TimeSettings(main, period=draw(seconds), periods=draw(counts))
        case "fischer":
            return TimeSettings(draw(seconds), increment=draw(seconds))
    most = draw(st.none() | seconds)
    return TimeSettings(draw(seconds), increment=draw(seconds), cap=draw(seconds), longest=most)


class Controller:
    """A plain clock, written from the rules of each system. It raises when the game is lost on time."""

    def __init__(self, settings: TimeSettings) -> None:
        self.settings, self.main = settings, settings.main
        self.in_overtime = False
        self.period, self.stones, self.periods = settings.period, settings.stones, settings.periods

    def move(self, taken: float) -> None:
        settings = self.settings
        assert settings.longest is None or taken <= settings.longest, "a move took longer than any may"
        if not self.in_overtime:
            if taken < self.main:
                self.main = self.main - taken + settings.increment
                if settings.cap is not None:
                    self.main = min(self.main, settings.cap)
                return
            assert settings.periods or settings.stones, "lost on time"
            taken, self.main, self.in_overtime = taken - self.main, 0.0, True
        if settings.periods:
            self._byoyomi(taken)
        else:
            self._canadian(taken)

    def _byoyomi(self, taken: float) -> None:
        while taken >= self.period:
            taken -= self.period
            self.periods -= 1
            assert self.periods > 0, "lost on time"

    def _canadian(self, taken: float) -> None:
        assert taken < self.period, "lost on time"
        self.period -= taken
        self.stones -= 1
        if self.stones == 0:
            self.period, self.stones = self.settings.period, self.settings.stones

    @property
    def time_left(self) -> tuple[float, int]:
        if not self.in_overtime:
            return self.main, 0
        if self.settings.periods:
            return self.settings.period, self.periods
        return self.period, self.stones


def checked_allowance(clock: GameClock, size: int, moves: int, lag: float) -> tuple[float, float]:
    target, longest = clock.allowance(size, moves, lag)
    assert 0 < target <= longest <= LONGER * max(target, LEAST) + 1e-9
    assert longest <= max(clock.deadline, LEAST)
    return target, longest


# --- no game is lost on time --------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(time_settings(), sizes, st.integers(1, 400), st.booleans())
def test_moves_that_take_all_they_may_never_lose_on_time(system, size, moves, told):
    """However long the game: with the clock counted by itself, or told by the controller before every move."""
    clock, controller = GameClock(system), Controller(system)
    for move in range(moves):
        if told:
            clock.set_left(*controller.time_left)
        _, taken = checked_allowance(clock, size, 2 * move, 0.0)
        if taken <= 2 * LEAST:
            return  # nothing is left to divide
        controller.move(taken * 0.999)
        clock.spend(taken * 0.999)


@settings(max_examples=50, deadline=None)
@given(time_settings(), sizes, st.floats(0.0, 0.2), st.data())
def test_what_is_lost_on_the_way_is_paid_from_the_lag(system, size, lag, data):
    """In every byo-yomi period, and for every Fischer increment, as much as the lag may get lost."""
    if system.stones or not (system.periods or system.increment):
        system = TimeSettings(system.main, period=1.0 + system.period, periods=3)
    clock, controller = GameClock(system), Controller(system)
    for move in range(60):
        clock.set_left(*controller.time_left)
        if system.increment:
            lag = min(lag, 0.09 * system.increment, 0.5 * (system.longest or inf), 0.5 * (system.cap or inf))
        _, taken = checked_allowance(clock, size, 2 * move, lag)
        lost = data.draw(st.floats(0.0, 0.999)) * lag
        controller.move(taken * 0.999 + lost)
        clock.spend(taken * 0.999 + lost)


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("fraction", ["target", "longest"])
def test_five_seconds_are_enough_for_a_hundred_moves(told, fraction):
    """20 ms of every move are lost where the player cannot see them; the controller's word makes up for it."""
    clock, left = GameClock(TimeSettings(5.0)), 5.0
    for move in range(100):
        if told:
            clock.set_left(left, 0)
        target, longest = checked_allowance(clock, 9, 2 * move, 0.5)
        taken = target if fraction == "target" else longest
        left -= taken + 0.02
        clock.spend(taken if told else taken + 0.02)
        assert left > 0, f"lost on time at move {move}"


@pytest.mark.parametrize("told", [1, 0.5])
def test_whole_seconds_told_by_a_controller_are_enough(told):
    """GTP has whole seconds: the last ones are told as 0."""
    left = 30.0
    clock = GameClock(TimeSettings(left))
    for move in range(120):
        clock.set_left(left // told * told, 0)
        _, longest = checked_allowance(clock, 19, 2 * move, 0.2)
        left -= longest
        assert left > 0


def test_a_lag_as_long_as_a_period_leaves_something():
    for system in (
        TimeSettings(0, period=1.0, periods=3),
        TimeSettings(0, period=1.0, stones=3),
        TimeSettings(1.0, increment=0.1),
        TimeSettings(1.0),
        TimeSettings(60.0, longest=0.5),
    ):
        clock = GameClock(system)
        for lag in (1.0, 5.0, 1e8):
            target, longest = checked_allowance(clock, 9, 0, lag)
            assert 0 < target <= longest <= 0.55


# --- and the time is used -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("main", [10.0, 60.0, 900.0])
def test_most_of_the_main_time_is_used(size, main):
    """By a player that takes its share: half of the time in a short game, more in a long one."""
    clock, usual = GameClock(TimeSettings(main)), {9: 30, 13: 60, 19: 120}[size]
    allotted = []
    for move in range(2 * usual):
        if move == usual:
            assert clock.left < 0.6 * main
        allotted.append(clock.allowance(size, 2 * move, 0.1)[0])
        clock.spend(allotted[-1])
    assert 0 < clock.left < 0.35 * main
    assert max(allotted) < 6 * main / (size * size)


def test_sixty_moves_use_more_than_half():
    clock = GameClock(TimeSettings(300.0))
    for move in range(60):
        clock.spend(clock.allowance(9, 2 * move, 0.5)[0])
    assert clock.left < 150


@given(st.floats(20.0, 1e6), sizes, st.integers(0, 700))
def test_absolute_time_is_shared_out_sensibly(left, size, moves):
    target, longest = checked_allowance(GameClock(TimeSettings(left)), size, moves, 0.5)
    assert left / (size * size) / 2 < target < left / 4
    assert longest <= left / 4


@given(seconds, st.integers(1, 25), lags)
def test_a_canadian_period_is_used_up_and_not_overdrawn(period, stones, lag):
    """Every move gets about the same; at the end of the period most of it is spent."""
    clock, taken = GameClock(TimeSettings(0, period=period, stones=stones)), []
    for _ in range(stones):
        target, _ = checked_allowance(clock, 9, 0, lag)
        taken.append(target)
        clock.spend(target)
    assert sum(taken) < period
    assert sum(taken) > 0.7 * (period - min(stones * lag, period / 2)) or period < 4 * lag
    assert clock.left == period and clock.count == stones  # a new one has begun
    assert max(taken) < 1.5 * period / stones or period < 20 * lag


@given(seconds, counts, st.floats(0.0, 0.1))
def test_a_byoyomi_move_takes_most_of_its_period(period, periods, lag):
    target, longest = checked_allowance(GameClock(TimeSettings(0, period=period, periods=periods)), 9, 30, lag)
    assert 0.7 * period < longest <= 0.9 * period
    assert target == longest


def test_in_main_time_a_move_may_use_what_overtime_gives_anyway():
    """With a byo-yomi period of 10 s for every later move, taking less than that now saves nothing."""
    for system in (TimeSettings(600, period=10, periods=5), TimeSettings(600, period=100, stones=10)):
        target, longest = GameClock(system).allowance(19, 0, 0.1)
        assert 8.5 < target < 12 and longest <= 3 * target
    target, _ = GameClock(TimeSettings(6000, period=1, periods=5)).allowance(19, 0, 0.1)
    assert 20 < target < 50  # here the main time is worth more


def test_an_increment_is_used_at_once():
    target, _ = GameClock(TimeSettings(60.0, increment=5.0)).allowance(9, 0, 0.1)
    assert target > 5.0
    short, _ = GameClock(TimeSettings(2.0, increment=5.0)).allowance(9, 0, 0.1)
    assert 1.0 < short < 2.0


def test_no_move_takes_longer_than_any_may():
    clock = GameClock(TimeSettings(3600.0, increment=60.0, longest=2.0))
    target, longest = clock.allowance(9, 0, 0.1)
    assert 1.5 < target <= longest <= 1.9


def test_games_are_expected_to_end():
    for size in (2, 9, 19):
        expected = [moves_to_go(size, moves) for moves in range(0, 3 * size * size)]
        assert expected == sorted(expected, reverse=True) and expected[-1] >= 3
        assert expected[0] < size * size / 2 + 4


# --- counting -----------------------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(time_settings(), st.lists(st.floats(0.001, 1.0), min_size=1, max_size=80))
def test_spending_agrees_with_a_plain_clock(system, parts):
    """Whatever part of the time left the moves take."""
    clock, controller = GameClock(system), Controller(system)
    for part in parts:
        taken = 0.999 * part * min(clock.deadline, system.longest or inf)
        controller.move(taken)
        clock.spend(taken)
        left, count = controller.time_left
        if left == 0 and count == 0:
            return
        assert clock.left == pytest.approx(left) and clock.count == count


def test_main_time_runs_over_into_a_canadian_period():
    clock = GameClock(TimeSettings(10.0, period=30.0, stones=5))
    clock.spend(8.0)
    assert (clock.left, clock.count) == (2.0, 0)
    clock.spend(7.0)  # 5 s of the first period
    assert (clock.left, clock.count) == (25.0, 4)
    for _ in range(4):
        clock.spend(1.0)
    assert (clock.left, clock.count) == (30.0, 5)


def test_byoyomi_periods_are_lost_one_by_one():
    clock = GameClock(TimeSettings(10.0, period=30.0, periods=5))
    clock.spend(15.0)
    assert (clock.left, clock.count) == (30.0, 5)
    clock.spend(31.0)
    assert (clock.left, clock.count) == (30.0, 4)
    clock.set_left(12.0, 4)
    clock.spend(43.0)  # the rest of one, another, and a second of the third
    assert (clock.left, clock.count) == (30.0, 2)
    clock.spend(1e6)  # the game goes on all the same
    assert (clock.left, clock.count) == (30.0, 1)


def test_main_time_may_skip_periods():
    clock = GameClock(TimeSettings(10.0, period=30.0, periods=5))
    clock.spend(75.0)
    assert (clock.left, clock.count) == (30.0, 3)


def test_the_controller_knows_better():
    clock = GameClock(TimeSettings(600.0, period=30.0, stones=10))
    clock.set_left(20.0, 7)
    assert (clock.left, clock.count, clock.deadline) == (20.0, 7, 20.0)
    clock.set_left(100.0, 0)
    assert clock.deadline == pytest.approx(103.0)
    clock.set_left(0.0, 0)  # main time is over
    assert (clock.left, clock.count) == (30.0, 10)
    clock.set_left(-3.0, 2)
    assert clock.left == 0.0
    assert 0 < clock.allowance(9, 0, 0.5)[0] <= LEAST


def test_stones_that_nobody_announced_are_canadian():
    clock = GameClock(TimeSettings(60.0))
    clock.set_left(25.0, 5)
    assert 3.0 < clock.allowance(9, 0, 0.1)[0] < 5.0
    for _ in range(5):
        clock.spend(4.0)
    assert clock.count == 5 and clock.left == 25.0


def test_fischer_time_grows_up_to_its_cap():
    clock = GameClock(TimeSettings(10.0, increment=5.0, cap=12.0))
    for left in (12.0, 12.0, 12.0):
        clock.spend(1.0)
        assert clock.left == left
    clock.spend(11.0)
    assert clock.left == 6.0


def test_overdrawn_clocks_go_on():
    """Who has lost on time, and plays on because nobody minds, still gets an allowance."""
    for system in (
        TimeSettings(5.0),
        TimeSettings(0.0),
        TimeSettings(5.0, period=3, stones=2),
        TimeSettings(5.0, period=3, periods=2),
        TimeSettings(5.0, increment=1.0),
    ):
        clock = GameClock(system)
        for _ in range(10):
            clock.spend(1000.0)
            assert clock.left >= 0
            checked_allowance(clock, 9, 0, 0.5)


# --- what GTP says ------------------------------------------------------------------------------------------------


def test_gtp_time_settings():
    assert TimeSettings.gtp(0, 10, 0) is None  # no limit
    assert TimeSettings.gtp(60, 10, 0) is None
    assert TimeSettings.gtp(60, 0, 0) == TimeSettings(60)
    assert TimeSettings.gtp(60, 0, 5) == TimeSettings(60)  # stones in no time are none
    assert TimeSettings.gtp(60, 30, 5) == TimeSettings(60, period=30, stones=5)
    assert GameClock(TimeSettings(0, period=30, stones=5)).count == 5


@pytest.mark.parametrize("value", [-1, nan, inf, -inf, 1e9])
@pytest.mark.parametrize("field", ["main", "period", "increment", "cap", "longest"])
def test_absurd_times_are_refused(field, value):
    with pytest.raises(TimeError, match="accepted: 0 to 1e"):
        TimeSettings(**{"main": 1.0, field: value})


@pytest.mark.parametrize("value", [-1, 1.5, 10**7, nan, "3", None])
@pytest.mark.parametrize("field", ["stones", "periods"])
def test_absurd_counts_are_refused(field, value):
    with pytest.raises(TimeError, match="accepted: a whole number"):
        TimeSettings(60, period=10, **{field: value})


def test_absurd_times_left_are_refused_and_change_nothing():
    clock = GameClock(TimeSettings(60, period=10, stones=5))
    for left, count in ((nan, 0), (inf, 0), (1e300, 0), (10, -1), (10, 2.5), (10, 10**9)):
        with pytest.raises(MontegoError, match="accepted"):
            clock.set_left(left, count)
        assert (clock.left, clock.count) == (60, 0)
