"""A player in a process of its own, seen from this one: tasks go out, messages come back, and nobody has to wait."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from montego.go.errors import MontegoError
from montego.players.worker import Task, serve
from montego.processes import start_process

LOOK_SECONDS = 0.05
"""How often a wait looks whether it is interrupted, if nothing happens."""
MOST_RESTARTS = 5
"""Processes that may die before no new one is started."""
END_SECONDS = 1.0


class Message(NamedTuple):
    ticket: int
    kind: str
    """report, done, refused (with a MontegoError), failed (with a text), died"""
    content: Any
    cpu: float = 0.0
    """processor time that the process had used by then; 0 in reports"""


class RemoteError(MontegoError):
    """The player's process has failed."""


class Remote:
    """The process, what it is busy with, and what it has said. Every change wakes the waiters on `changed`."""

    def __init__(self, changed: threading.Condition | None = None) -> None:
        self.changed = changed or threading.Condition()
        self.messages: deque[Message] = deque()
        self._tickets = 0
        self._busy: tuple[int, Task] | None = None
        self._next: list[tuple[int, Task]] = []
        self._stopping = self._closed = False
        self._deaths = 0
        self.cpu = 0.0
        """processor seconds of the process, when it last answered"""
        self.heard = time.monotonic()
        """when it last said anything"""
        self.prepared: set[int] = set()
        """the tickets of what was compiled"""
        self._start()

    # --- tasks ------------------------------------------------------------------------------------------------

    def submit(self, task: Task) -> int:
        """Ask for something. Whatever is being done ends early, and its ticket is void."""
        with self.changed:
            self._tickets += 1
            self._next = [*self._to_prepare(), (self._tickets, task)]
            self.messages.clear()
            if self._busy is None:
                self._hand_over()
            else:
                self._interrupt()
            return self._tickets

    def stop(self) -> None:
        """End what is being done early: it is answered with what has been found."""
        with self.changed:
            self._next = self._to_prepare()
            if self._busy is not None:
                self._interrupt()

    def withdraw(self, ticket: int) -> bool:
        """Take back a task that has not begun; False if it has."""
        with self.changed:
            waiting = [held for held in self._next if held[0] != ticket]
            found = len(waiting) < len(self._next)
            self._next = waiting
            return found

    def is_doing(self, ticket: int) -> bool:
        return any(held is not None and held[0] == ticket for held in (self._busy, *self._next))

    def _to_prepare(self) -> list[tuple[int, Task]]:
        """What has to be compiled, which no later task makes superfluous."""
        return [held for held in self._next if held[1].kind == "prepare"]

    def take(self, ticket: int, until: float | None, interrupted: Callable[[], bool]) -> Message | None:
        """The next message of a ticket; None when the time is up or the wait is interrupted."""
        while True:
            with self.changed:
                while self.messages:
                    message = self.messages.popleft()
                    if message.ticket == ticket:
                        return message
            if interrupted():  # not under the lock: it may do whatever it likes
                return None
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                return None
            with self.changed:
                if not self.messages:
                    self.changed.wait(LOOK_SECONDS if left is None else min(left, LOOK_SECONDS))

    # --- the process ------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Begin again with a new process; what the old one was doing is lost."""
        with self.changed:
            self._end(self._process)
            self._busy = None
            self._try_to_start()

    def close(self) -> None:
        with self.changed:
            self._closed = True
            self._end(self._process)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return int(self._process.pid)

    @property
    def works(self) -> bool:
        """Whether there is a process to ask."""
        return self._deaths <= MOST_RESTARTS

    def _start(self) -> None:
        self._process, self._pipe = start_process(serve)
        self._stopping = False
        threading.Thread(target=self._listen, args=(self._process, self._pipe), daemon=True).start()

    def _try_to_start(self) -> None:
        try:
            self._start()
        except OSError:  # the system has nothing left for another process
            self._deaths = MOST_RESTARTS + 1

    def _end(self, process: Any) -> None:
        """At once: it has nothing to lose, and whoever waits for its end may be short of time."""
        process.kill()
        process.join(END_SECONDS)

    def _hand_over(self) -> None:
        if not self._next:
            return
        if not self.works:
            self.messages.extend(Message(ticket, "died", "the search process keeps dying") for ticket, _ in self._next)
            self._next = []
            return
        self._busy, self._stopping = self._next.pop(0), False
        self.heard = time.monotonic()  # until now it had nothing to say
        self._send(self._busy)

    def _interrupt(self) -> None:
        if not self._stopping:
            self._stopping = True
            self._send((0, None))

    def _send(self, message: Any) -> None:
        with suppress(OSError):  # it has died, which the listener will notice
            self._pipe.send(message)

    def _listen(self, process: Any, pipe: Any) -> None:
        """Take in what the process says, until it ends."""
        while True:
            try:
                message = Message(*pipe.recv())
            except Exception:  # it has ended, or says what nobody can read
                break
            with self.changed:
                if process is not self._process:
                    return
                self._note(message)
                self.changed.notify_all()
        self._mourn(process)

    def _note(self, message: Message) -> None:
        self.heard = time.monotonic()
        if message.kind == "report":
            if self.messages and self.messages[-1].kind == "report":
                self.messages.pop()  # nobody has looked at it: the new one says more
        else:
            prepared = self._busy is not None and self._busy[1].kind == "prepare"
            if prepared and message.kind == "done":
                self.prepared.add(message.ticket)
            self._deaths = self._deaths if prepared else 0  # one that searches is in order
            self._busy, self.cpu = None, message.cpu
        self.messages.append(message)
        if message.kind != "report":
            self._hand_over()

    def _mourn(self, process: Any) -> None:
        """The process has ended by itself: start another, and tell whoever waited."""
        with self.changed:
            if self._closed or process is not self._process:
                return
            self._end(process)
            self._deaths += 1
            if self._busy is not None:
                text = f"the search process ended with code {process.exitcode}"
                self.messages.append(Message(self._busy[0], "died", text))
                self._busy = None
            if self.works:
                self._try_to_start()
            self._hand_over()
            self.changed.notify_all()
