"""Jobs shared out to worker processes, one at a time to each; a process that dies costs one job, not the others."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from montego.arena.settings import MatchError
from montego.processes import start_process


class Died(Exception):
    """What comes back for a job whose process ended before it answered."""


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    job: Any = None
    ready: bool = False

    def hand(self, job: Any) -> None:
        """Give it a job. That it has died meanwhile will show when the answer is read."""
        self.job = job
        with suppress(OSError):
            self.pipe.send(job)


def share_out(
    jobs: Iterable[Any], processes: int, prepare: Callable[[], None], work: Callable[[Any], Any]
) -> Generator[tuple[Any, Any], None, None]:
    """Pairs of a job and its answer, as they come: `work(job)`, or `Died`. Each process calls `prepare()` first.

    Closing the iterator, or an exception such as Ctrl-C inside it, ends all processes at once.
    """
    waiting = list(jobs)[::-1]
    crew: list[_Worker] = []
    try:
        for _ in range(min(processes, len(waiting))):
            crew.append(_start(prepare, work))
        while waiting or any(worker.job is not None for worker in crew):
            for pipe in wait([worker.pipe for worker in crew]):
                worker = next(worker for worker in crew if worker.pipe is pipe)
                job, answer = worker.job, _answer(worker)
                if isinstance(answer, Died):
                    crew.remove(worker)
                    crew.append(_start(prepare, work))
                elif waiting:
                    worker.hand(waiting.pop())
                else:
                    worker.job = None
                if job is not None:
                    yield job, answer
    finally:
        for worker in crew:
            worker.process.terminate()
        for worker in crew:
            worker.process.join()
            worker.pipe.close()


def _start(prepare: Callable[[], None], work: Callable[[Any], Any]) -> _Worker:
    return _Worker(*start_process(_serve, prepare, work))


def _answer(worker: _Worker) -> Any:
    """What a worker has to say: nothing when it is ready, then answers."""
    try:
        answer = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode
        if not worker.ready:
            raise MatchError(f"a worker process ended with code {code} before its first game") from None
        return Died(f"the process ended with code {code}")
    worker.ready = True
    return answer


def _serve(pipe: Connection, prepare: Callable[[], None], work: Callable[[Any], Any]) -> None:
    """What a worker process does."""
    prepare()
    pipe.send(None)
    with suppress(EOFError, OSError):  # the parent hangs up
        while True:
            pipe.send(work(pipe.recv()))
