"""Whole games gone over in the background: a thread waits for one search after another, at a desk like any page's."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from montego.go.errors import MontegoError
from montego.go.game import Game
from montego.go.record import GameRecord
from montego.players.review import Turn, review_turns
from montego.players.worker import PlayerSpec, Task
from montego.web.desks import Job

PLAYER = "house"
VISITS = 1000
"""For each position, if nothing else is said."""
SECONDS = 60.0
"""The most that a position may take, others' turns not counted."""


class Stopped(Exception):
    """Nobody wants to know any more."""


class Reviewing:
    """One review that is going on. `submit` is called in the event loop, the other callbacks in a thread."""

    def __init__(self, owner: str, record: GameRecord, visits: int | None, submit: Callable[[Job], object],
                 on_turn: Callable[[Turn], object], on_end: Callable[[str], object]) -> None:  # fmt: skip
        """on_turn is given each turn, on_end what went wrong, or ""."""
        self._owner, self._record, self._visits, self._submit = owner, record, visits or VISITS, submit
        self._on_turn, self._on_end = on_turn, on_end
        self._loop = asyncio.get_running_loop()
        self._job: Job | None = None
        self._stopped = False
        threading.Thread(target=self._work, daemon=True).start()

    def stop(self) -> None:
        self._stopped = True
        if self._job is not None:
            self._job.cancelled = True

    def _work(self) -> None:
        try:
            for turn in review_turns(self._record, self._search):
                self._on_turn(turn)
            self._on_end("")
        except Stopped:
            pass
        except MontegoError as error:
            self._on_end(str(error))
        except Exception as error:
            traceback.print_exc()
            self._on_end(f"this should not have happened ({type(error).__name__})")

    def _search(self, game: Game) -> Any:
        found: SimpleQueue[Any] = SimpleQueue()
        player = PlayerSpec(PLAYER, owner=f"{self._owner}/review", lasting=True)
        task = Task("analyse", game, player, every=0.5)
        job = Job(self._owner, task, found.put, sliced=True, visits=self._visits, seconds=SECONDS)
        if self._stopped or self._loop.is_closed():
            raise Stopped
        self._loop.call_soon_threadsafe(self._begin, job, found)
        report = found.get()
        if self._stopped:
            raise Stopped
        if report is None or isinstance(report, MontegoError):
            raise report or MontegoError("the search was lost; try again")
        return report

    def _begin(self, job: Job, found: SimpleQueue[Any]) -> None:
        """In the loop, where a page that closes ends its searches."""
        if self._stopped:
            found.put(None)
            return
        self._job = job
        try:
            self._submit(job)
        except MontegoError as error:
            found.put(error)
