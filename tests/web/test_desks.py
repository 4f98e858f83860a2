"""How searches share a process: who comes first, who takes turns, and what happens to a process that hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from montego.go.errors import MontegoError
from montego.go.game import Game
from montego.players.remote import Message
from montego.players.worker import Task
from montego.web import desks as module
from montego.web.desks import Desk, Desks, Job, TooBusy

MOVE = 0.1
"""Seconds of a move."""


class FakeRemote:
    """A process that needs some time for a move, and analyses until it is stopped."""

    hangs = False

    def __init__(self) -> None:
        self.heard, self.restarts = time.monotonic(), 0
        self._ticket, self._stopped = 0, False

    def submit(self, task: Task) -> int:
        self.task, self._stopped, self._until = task, False, time.monotonic() + MOVE
        self._ticket += 1
        return self._ticket

    def stop(self) -> None:
        self._stopped = True

    def take(self, ticket: int, until: float, interrupted: Callable[[], bool]) -> Message | None:
        while time.monotonic() < until:
            done = self._stopped or (self.task.kind != "analyse" and time.monotonic() > self._until)
            if done and not self.hangs:
                return Message(ticket, "done", SimpleNamespace(simulations=10), 0.0)
            if interrupted():
                return None
            time.sleep(0.002)
        return None

    def restart(self) -> None:
        self.restarts += 1
        self.heard = time.monotonic()

    def close(self) -> None:
        pass


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(module, "Remote", FakeRemote)
    monkeypatch.setattr(module, "SLICE", 0.02)
    monkeypatch.setattr(module, "STOP_SECONDS", 0.2)
    made = Desk()
    yield made
    made.close()


class Waiter:
    """Waits for the end of a job."""

    def __init__(self, owner: str, kind: str = "choose", **details: Any) -> None:
        self.ended, self.found = threading.Event(), None
        self.job = Job(owner, Task(kind, Game(5)), self._end, **details)

    def _end(self, found: Any) -> None:
        self.found = found
        self.ended.set()

    def wait(self) -> Any:
        assert self.ended.wait(10)
        return self.found


def analysis(owner: str, seconds: float = 5.0) -> Waiter:
    return Waiter(owner, "analyse", sliced=True, seconds=seconds)


def test_a_persons_move_interrupts_an_analysis_which_goes_on_later(desk: Desk) -> None:
    long = analysis("a", seconds=1.0)
    desk.submit(long.job)
    time.sleep(0.05)
    move, start = Waiter("b", first=True), time.monotonic()
    desk.submit(move.job)
    move.wait()
    assert time.monotonic() - start < 3 * MOVE + 0.2
    assert not long.ended.is_set()
    long.wait()
    assert long.job.spent >= 1.0


def test_analyses_share_the_time(desk: Desk) -> None:
    both = [analysis("a"), analysis("b")]
    for one in both:
        desk.submit(one.job)
    time.sleep(1.0)
    spent = [one.job.spent for one in both]
    assert min(spent) > 0.3 * sum(spent) > 0.1


def test_engines_that_play_each_other_leave_time_for_analyses(desk: Desk) -> None:
    watched = analysis("a")
    desk.submit(watched.job)
    until = time.monotonic() + 1.5
    while time.monotonic() < until:  # a move as soon as the last was made
        move = Waiter("game")
        desk.submit(move.job)
        move.wait()
    assert watched.job.spent > 0.4


def test_whoever_comes_later_has_no_right_to_the_time_of_others(desk: Desk) -> None:
    old = analysis("old")
    desk.submit(old.job)
    time.sleep(0.6)
    new = analysis("new")
    desk.submit(new.job)
    before = old.job.spent
    time.sleep(0.6)
    assert old.job.spent - before > 0.15


def test_the_line_has_an_end_and_cancelled_jobs_leave_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 3)
    running = Waiter("x", first=True)
    desk.submit(running.job)
    time.sleep(0.02)
    waiting = [analysis(str(i)) for i in range(3)]
    for one in waiting:
        desk.submit(one.job)
    with pytest.raises(TooBusy):
        desk.submit(analysis("late").job)
    waiting[0].job.cancelled = True
    desk.submit(analysis("late").job)
    assert waiting[0].wait() is None


def test_a_callback_that_fails_does_not_end_the_desk(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(found: Any) -> None:
        raise RuntimeError("of the test")

    desk.submit(Job("a", Task("choose", Game(5)), fail))
    last = Waiter("b")
    desk.submit(last.job)
    last.wait()
    assert "of the test" in capsys.readouterr().err


def test_a_process_that_hangs_is_replaced(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HUNG_SECONDS", 0.5)
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.1)
    monkeypatch.setattr(FakeRemote, "hangs", True)
    both = [analysis("a"), analysis("b")]
    for one in both:
        desk.submit(one.job)
    found = both[0].wait() if both[0].ended.wait(3) else both[1].wait()
    assert isinstance(found, MontegoError) and desk.remote.restarts  # type: ignore[attr-defined]


def test_owners_are_spread_over_the_desks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Remote", FakeRemote)
    both = Desks(2, 256)
    places = [both.desk_of(owner) for owner in "abcd"]
    assert places[0] is not places[1] and [places.count(desk) for desk in both.desks] == [2, 2]
    memories = []
    for count in (1, 10, 100, 1000):
        for number in range(count):
            both.desk_of(f"{count}-{number}")
        job = Waiter("a", first=True)
        both.submit(job.job)
        job.wait()
        memories.append((job.job.task.player.memory or 0) * job.job.task.keep)
    assert all(memory <= 256 // 2 for memory in memories)
    both.close()
