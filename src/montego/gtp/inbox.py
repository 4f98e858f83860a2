"""Lines from a client, read in a thread of their own: a search can look whether something has come in."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import BinaryIO, NamedTuple

LONGEST_LINE = 1 << 20
MOST_LINES, MOST_CHARACTERS = 10_000, 4 << 20
"""Lines waiting to be answered, and characters on them, after which no more are read until some are."""
LOOK_SECONDS = 0.5
"""Windows hears Ctrl-C only between waits."""
SHOWN = 200
"""Characters kept of a line that is too long."""


class Line(NamedTuple):
    text: str
    arrived: float
    """by the monotonic clock"""
    cut: bool = False
    """it was too long, and the rest of it was thrown away"""


class Inbox:
    """The lines that have come in. Every new one, and the end of the input, wakes the waiters on `changed`."""

    def __init__(self, stream: BinaryIO, changed: threading.Condition) -> None:
        self.changed = changed
        self.lines: deque[Line] = deque()
        self.ended: float | None = None
        """when the input ended"""
        self._stream = stream
        self._waiting = 0
        """characters of the lines that wait"""
        threading.Thread(target=self._read, daemon=True).start()

    def take(self) -> Line | None:
        """The next line, waited for; None at the end of the input."""
        with self.changed:
            while not self.lines and self.ended is None:
                self.changed.wait(LOOK_SECONDS)
            line = self.lines.popleft() if self.lines else None
            self._waiting -= len(line.text) if line else 0
            self.changed.notify_all()
            return line

    @property
    def waits(self) -> bool:
        """Whether a line, or the end of the input, is waiting."""
        return bool(self.lines) or self.ended is not None

    def _read(self) -> None:
        try:
            while line := self._next():
                with self.changed:
                    while len(self.lines) >= MOST_LINES or self._waiting >= MOST_CHARACTERS:
                        self.changed.wait()
                    self.lines.append(line)
                    self._waiting += len(line.text)
                    self.changed.notify_all()
        except (OSError, ValueError):  # the stream was closed
            pass
        with self.changed:
            self.ended = time.monotonic()
            self.changed.notify_all()

    def _next(self) -> Line | None:
        raw = self._stream.readline(LONGEST_LINE)
        if not raw:
            return None
        cut = False
        rest = raw
        while not rest.endswith(b"\n") and rest:
            rest = self._stream.readline(LONGEST_LINE)
            cut = cut or len(raw) >= LONGEST_LINE
        return Line((raw[:SHOWN] if cut else raw).decode("utf-8", "replace"), time.monotonic(), cut)
