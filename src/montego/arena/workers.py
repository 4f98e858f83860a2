"""Jobs shared out to worker processes, one at a time to each; a process that dies costs one job, not the others."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from montego.arena.settings import MatchError
from montego.go.errors import MontegoError
from montego.processes import leave, start_process

GRACE = 5.0
"""Seconds for a process to take the programs it started along; one deep in a search does not hear that it should."""


class Died(Exception):
    """What comes back for a job whose process ended before it answered."""


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    job: Any = None
    ready: bool = False

    @property
    def is_busy(self) -> bool:
        """Whether something is to be heard from it."""
        return self.job is not None or not self.ready

    def hand(self, job: Any) -> None:
        """Give it a job. That it has died meanwhile will show when the answer is read."""
        self.job = job
        with suppress(OSError):
            self.pipe.send(job)


def share_out(
    next_job: Callable[[], Any], processes: int, prepare: Callable[[], None], work: Callable[[Any], Any]
) -> Generator[tuple[Any, Any], None, None]:
    """Pairs of a job and its answer, as they come: `work(job)`, or `Died`. Each process calls `prepare()` first.

    `next_job()` is asked when a process is free; None: there is none at the moment. It ends when there is none and
    none is being worked on. Closing the iterator, or an exception such as Ctrl-C inside it, ends all processes at once.
    """
    crew: list[_Worker] = []
    try:
        crew += [_start(prepare, work) for _ in range(processes)]
        while any(worker.is_busy for worker in crew):
            for pipe in wait([worker.pipe for worker in crew]):
                worker = next(worker for worker in crew if worker.pipe is pipe)
                job, answer = worker.job, _answer(worker)
                worker.job = None
                if isinstance(answer, Died):
                    crew.remove(worker)
                    crew.append(_start(prepare, work))
                if job is not None:
                    yield job, answer
                _employ(crew, next_job)
    finally:
        for worker in crew:
            worker.process.terminate()
        for worker in crew:
            worker.process.join(GRACE)
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()


def _employ(crew: list[_Worker], next_job: Callable[[], Any]) -> None:
    """Hand out jobs as long as there are some and somebody is free."""
    for worker in crew:
        if worker.ready and worker.job is None:
            job = next_job()
            if job is None:
                return
            worker.hand(job)


def _start(prepare: Callable[[], None], work: Callable[[Any], Any]) -> _Worker:
    return _Worker(*start_process(_serve, prepare, work))


def _answer(worker: _Worker) -> Any:
    """What a worker has to say: nothing when it is ready, or why it cannot be; then answers."""
    try:
        answer = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode
        if not worker.ready:
            raise MatchError(f"a worker process ended with code {code} before its first game") from None
        return Died(f"the process ended with code {code}")
    if not worker.ready and answer is not None:
        raise answer
    worker.ready = True
    return answer


def _serve(pipe: Connection, prepare: Callable[[], None], work: Callable[[Any], Any]) -> None:
    """What a worker process does."""
    for name in ("SIGTERM", "SIGHUP"):  # a terminal that is closed hangs up
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: leave())
    refusal = _refusal(prepare)
    with suppress(EOFError, OSError):  # the parent hangs up
        pipe.send(refusal)
        while refusal is None:
            pipe.send(work(pipe.recv()))


def _refusal(prepare: Callable[[], None]) -> MontegoError | None:
    """Why there can be no work; None: there can."""
    try:
        prepare()
    except MontegoError as error:
        return error
    return None
