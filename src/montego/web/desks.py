"""The processes that search, shared fairly: moves come before analyses, and analyses take turns."""

from __future__ import annotations

import threading
import time
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
    urgent: bool = True
    """a move; False: an analysis, which goes on in slices"""
    visits: int | None = None
    """at which an analysis ends"""
    seconds: float = 0.0
    """how long an analysis may run in all"""
    cancelled: bool = False
    spent: float = field(default=0.0, init=False)
    latest: Any = field(default=None, init=False)

    @property
    def is_finished(self) -> bool:
        if self.task.kind == "prepare":
            return True
        enough = self.visits is not None and self.latest is not None and self.latest.simulations >= self.visits
        return self.cancelled or (not self.urgent and (enough or self.spent >= self.seconds))


class Desk:
    """One process and the thread that hands it one job after another."""

    def __init__(self) -> None:
        self.remote = Remote()
        self._changed = threading.Condition()
        self._waiting: list[Job] = []
        self._served: dict[str, float] = {}
        """seconds that owners have had"""
        self._closed = False
        self.is_busy = False
        """whether a job is being done"""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    # --- from outside -----------------------------------------------------------------------------------------

    def submit(self, job: Job) -> None:
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                raise TooBusy("too many searches are waiting; try again later")
            if job.owner not in self._served:  # nobody has the right to all the time that others had before
                self._served[job.owner] = min(self._served.values(), default=0.0)
            self._waiting.append(job)
            self._changed.notify_all()

    def moves_waiting(self) -> int:
        with self._changed:
            return sum(job.urgent for job in self._waiting)

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
                job = min(self._waiting, key=self._rank)
                self._waiting.remove(job)
            if job.cancelled:
                job.on_end(job.latest)
                continue
            start, self.is_busy = time.monotonic(), True
            found = self._run(job, start)
            self.is_busy = False
            took = time.monotonic() - start
            job.spent += took
            with self._changed:
                if job.owner in self._served:
                    self._served[job.owner] += took
            if job.urgent or isinstance(found, MontegoError) or job.is_finished:
                job.on_end(found)
            else:
                job.on_wait(BUSY)
                with self._changed:
                    self._waiting.append(job)

    def _rank(self, job: Job) -> tuple[bool, float]:
        """Moves first, as they came; of analyses the owner's who has had least."""
        return not job.urgent, 0.0 if job.urgent else self._served.get(job.owner, 0.0)

    def _must_yield(self, job: Job, start: float) -> bool:
        if job.task.kind == "prepare" or job.urgent:  # compiling cannot be interrupted
            return job.cancelled or self._closed
        if job.is_finished or self._closed:
            return True
        took = time.monotonic() - start
        with self._changed:
            urgent = any(other.urgent for other in self._waiting)
            return urgent or (took > SLICE and bool(self._waiting)) or job.spent + took >= job.seconds

    def _run(self, job: Job, start: float) -> Any:
        """A slice of a job, or all of it."""
        ticket, stopped, told = self.remote.submit(job.task), False, False
        until = start + QUIET_SECONDS
        while True:
            message = self.remote.take(ticket, until, never if stopped else lambda: self._must_yield(job, start))
            now = time.monotonic()
            if message is None and stopped:
                return job.latest  # it compiles, and will notice later
            if message is None and self._must_yield(job, start):
                self.remote.stop()
                stopped, until = True, now + STOP_SECONDS
            elif message is None and not told:
                job.on_wait(COMPILING)
                told, until = True, start + HUNG_SECONDS
            elif message is None:
                self.remote.restart()
                return MontegoError("the search does not answer; try again")
            elif message.kind == "report":
                job.latest, until, told = message.content, now + HUNG_SECONDS, True
                job.on_report(job.latest)
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
            tasks = [Task("prepare", Game(size), PlayerSpec(spec)) for spec in specs]
            *first, last = [Job("", task, lambda found: None, urgent=False) for task in tasks]
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
        few trees are lost when somebody comes."""
        desk, owners = self.desk_of(job.owner), max(4, len(self._places) // len(self.desks))
        keep = 2 << owners.bit_length()
        player = replace(job.task.player, memory=max(LEAST_MEMORY, self.memory // keep))
        job.task = replace(job.task, player=player, keep=keep)
        desk.submit(job)

    def forget(self, owner: str) -> None:
        """The owner has left."""
        desk = self._places.pop(owner, None)
        if desk is not None:
            desk.forget(owner)

    def close(self) -> None:
        for desk in self.desks:
            desk.close()
