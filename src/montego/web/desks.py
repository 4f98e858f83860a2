"""The processes that search, shared fairly: moves come before analyses, and analyses take turns."""

from __future__ import annotations

import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from montego.go.errors import MontegoError
from montego.go.game import Game
from montego.players.engine import never
from montego.players.remote import Remote
from montego.players.worker import PlayerSpec, Task

SLICE = 0.25
"""Seconds that an analysis may run while others wait."""
STOP_SECONDS = 1.0
"""How long an interrupted search has to say what it found."""
QUIET_SECONDS = 1.5
"""After that whoever waits is told that something is being compiled."""
HUNG_SECONDS = 180.0
"""A process that says nothing for so long is replaced; compiling takes less."""
MOST_WAITING = 512
"""Jobs at one desk."""

LEAST_MEMORY = 4
"""MiB of a tree."""

COMPILING = "compiling the engine for this board on this machine (once, some 20 s)"
BUSY = "waiting for other searches"


class TooBusy(MontegoError):
    """More is asked for than can be done."""


@dataclass(eq=False)
class Job:
    """Something to search. The callbacks run in the desk's thread."""

    owner: str
    """who shares the time with others"""
    task: Task
    on_end: Callable[[Any], object]
    """given the answer, the last report if it was cut short, or a MontegoError"""
    on_report: Callable[[Any], object] = lambda report: None
    on_wait: Callable[[str], object] = lambda why: None
    on_start: Callable[[], object] = lambda: None
    first: bool = False
    """a person waits for it at the board: before all that is not"""
    sliced: bool = False
    """an analysis, which makes room for others and goes on later"""
    visits: int | None = None
    """at which an analysis ends"""
    seconds: float = 0.0
    """how long an analysis may run in all"""
    cancelled: bool = False
    spent: float = field(default=0.0, init=False)
    latest: Any = field(default=None, init=False)

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing more to do after a slice."""
        enough = self.visits is not None and self.latest is not None and self.latest.simulations >= self.visits
        return self.cancelled or not self.sliced or enough or self.spent >= self.seconds


class Desk:
    """One process and the thread that hands it one job after another."""

    def __init__(self) -> None:
        self.remote = Remote()
        self._changed = threading.Condition()
        self._waiting: list[Job] = []
        self._served: dict[str, float] = {}
        """seconds that owners have had"""
        self._reached = 0.0
        """the most that an owner had had when a job was begun: whoever comes, or comes back, starts from there"""
        self._closed = False
        self.is_busy = False
        """whether a job is being done"""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    # --- from outside -----------------------------------------------------------------------------------------

    def submit(self, job: Job) -> None:
        with self._changed:
            gone = [other for other in self._waiting if other.cancelled]
            self._waiting = [other for other in self._waiting if not other.cancelled]
            if len(self._waiting) >= MOST_WAITING:
                raise TooBusy("too many searches are waiting; try again later")
            if not any(other.owner == job.owner for other in self._waiting):
                self._served[job.owner] = max(self._served.get(job.owner, 0.0), self._reached)
            self._waiting.append(job)
            self._changed.notify_all()
        for other in gone:
            self._tell(other.on_end, other.latest)

    def waiting(self) -> int:
        """How many jobs of others a new one would share the time with."""
        with self._changed:
            return len({job.owner for job in self._waiting if not job.cancelled})

    def forget(self, owner: str) -> None:
        with self._changed:
            self._served.pop(owner, None)
            for job in self._waiting:
                job.cancelled = job.cancelled or job.owner == owner
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.remote.close()
        self._thread.join(STOP_SECONDS)

    # --- the thread -------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                job = min(self._waiting, key=lambda job: (not job.first, self._served.get(job.owner, 0.0)))
                self._waiting.remove(job)
                if not job.first:
                    self._reached = max(self._reached, self._served.get(job.owner, 0.0))
            if job.cancelled:
                self._tell(job.on_end, job.latest)
            else:
                self._do(job)

    def _do(self, job: Job) -> None:
        """A slice of a job, or all of it."""
        start, self.is_busy = time.monotonic(), True
        found = self._run(job, start)
        took, self.is_busy = time.monotonic() - start, False
        job.spent += took
        with self._changed:
            if job.owner in self._served:
                self._served[job.owner] += took
        if isinstance(found, MontegoError) or job.is_finished:
            self._tell(job.on_end, found)
        else:
            self._tell(job.on_wait, BUSY)
            with self._changed:
                self._waiting.append(job)

    @staticmethod
    def _tell(callback: Callable[..., object], *args: Any) -> None:
        """Whatever a callback does, the desk goes on."""
        try:
            callback(*args)
        except Exception:
            traceback.print_exc()

    def _must_yield(self, job: Job, start: float) -> bool:
        if job.cancelled or self._closed:
            return True
        if job.first or job.task.kind == "prepare":  # compiling cannot be interrupted
            return False
        took = time.monotonic() - start
        with self._changed:
            first = any(other.first and not other.cancelled for other in self._waiting)
            others = bool(self._waiting)
        if not job.sliced:  # a move that nobody waits for at the board: it is made with what has been found
            return first and took > SLICE
        return first or (others and took > SLICE) or job.is_finished or job.spent + took >= job.seconds

    def _run(self, job: Job, start: float) -> Any:
        ticket, stopped, told = self.remote.submit(job.task), False, False
        until = start + QUIET_SECONDS
        self._tell(job.on_start)
        while True:
            message = self.remote.take(ticket, until, never if stopped else lambda: self._must_yield(job, start))
            now = time.monotonic()
            hung = now - self.remote.heard > HUNG_SECONDS
            if message is None and hung:
                self.remote.restart()
                return MontegoError("the search does not answer; try again")
            if message is None and stopped:
                return job.latest  # it compiles, and will notice later
            if message is None and self._must_yield(job, start):
                self.remote.stop()
                stopped, until = True, now + STOP_SECONDS
            elif message is None:
                if not told:
                    self._tell(job.on_wait, COMPILING)
                told, until = True, now + QUIET_SECONDS
            elif message.kind == "report":
                job.latest, told = message.content, True
                until = until if stopped else now + QUIET_SECONDS
                self._tell(job.on_report, job.latest)
            elif message.kind == "done":
                job.latest = message.content
                return job.latest
            elif message.kind == "refused":
                return message.content
            else:
                return MontegoError(f"the search failed: {message.content}")


class Desks:
    """All processes. Whoever searches stays at one desk, where what was found is remembered."""

    def __init__(self, count: int, memory: int) -> None:
        self.desks, self.memory = [Desk() for _ in range(count)], memory // count
        """MiB of all trees of a process"""
        self._places: dict[str, Desk] = {}

    def prepare(self, specs: tuple[str, ...], size: int, desk: int = 0) -> None:
        """Have what most visitors need compiled or loaded before they ask: at one desk after another, for what the
        first has compiled the others only load."""
        if specs and desk < len(self.desks):
            tasks = [Task("prepare", Game(size), PlayerSpec(spec), keep=1 << 20) for spec in specs]
            *first, last = [Job("", task, lambda found: None) for task in tasks]
            last.on_end = lambda found: self.prepare(specs, size, desk + 1)
            for job in (*first, last):
                self.desks[desk].submit(job)

    def desk_of(self, owner: str) -> Desk:
        if owner not in self._places:
            taken = Counter(self._places.values())
            self._places[owner] = min(self.desks, key=lambda desk: taken[desk])
        return self._places[owner]

    def submit(self, job: Job) -> None:
        """Have a job done. Trees are the smaller, the more owners share a process; the sizes are powers of two, so that
        few trees are lost when somebody comes. An owner has up to three players (two analyses and a review)."""
        desk, owners = self.desk_of(job.owner), max(2, len(self._places) // len(self.desks))
        keep = min(4 << owners.bit_length(), max(8, self.memory // (2 * LEAST_MEMORY)))
        share = max(LEAST_MEMORY, self.memory // (2 * keep))  # a player has a second, smaller search beside its first
        job.task = replace(job.task, player=replace(job.task.player, memory=share), keep=keep)
        desk.submit(job)

    def forget(self, owner: str) -> None:
        """The owner has left."""
        desk = self._places.pop(owner, None)
        if desk is not None:
            desk.forget(owner)

    def close(self) -> None:
        for desk in self.desks:
            desk.close()
