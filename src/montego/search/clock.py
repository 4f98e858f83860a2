"""How long a search runs, and on how many threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

BATCH_SECONDS = 0.01
"""How long a thread computes between two looks at the clock."""


class Clock:
    """Hands out simulations to threads until there are none, the time is over, or it is told to stop."""

    def __init__(self, simulations: int | None, seconds: float | None, stop: Callable[[], bool] | None = None) -> None:
        self._limit, self._stop = simulations, stop
        self._end = None if seconds is None else time.perf_counter() + seconds
        self._lock, self._cancelled = threading.Lock(), False
        self.done = 0

    def cancel(self) -> None:
        self._cancelled = True

    def is_over(self) -> bool:
        if self._cancelled or (self._stop is not None and self._stop()):
            return True
        if self._end is not None and time.perf_counter() >= self._end:
            return True
        return self._limit is not None and self.done >= self._limit

    def take(self, count: int, least: int = 1) -> int:
        """How many simulations to do now, at most `count` and a multiple of `least`; 0: none any more."""
        with self._lock:
            if self.is_over():
                return 0
            if self._limit is not None:
                count = min(count, self._limit - self.done)
            count = max(1, count // least) * least
            self.done += count
            return count

    def give_back(self, count: int) -> None:
        """Simulations that were taken and not done."""
        with self._lock:
            self.done -= count


def next_batch(count: int, taken: float) -> int:
    """How many simulations take BATCH_SECONDS, if `count` took so long; the first batches grow step by step."""
    return max(1, min(2 * count, round(count * BATCH_SECONDS / max(taken, 1e-6))))


def in_parallel(tasks: list[Callable[[], object]], cancel: Callable[[], object]) -> None:
    """Run all tasks, the first in the calling thread if it is alone. None outlives the call, not even on Ctrl-C."""
    if len(tasks) == 1:
        tasks[0]()
        return
    errors: list[BaseException] = []

    def guarded(task: Callable[[], object]) -> None:
        try:
            task()
        except BaseException as error:
            errors.append(error)
            cancel()

    workers = [threading.Thread(target=guarded, args=(task,), daemon=True) for task in tasks]
    for worker in workers:
        worker.start()
    try:
        for worker in workers:
            worker.join()
    except BaseException:
        cancel()
        for worker in workers:
            worker.join()
        raise
    if errors:
        raise errors[0]
