"""An engine in a process of its own, and what a client sees of it: lines, replies, their order and their time."""

from __future__ import annotations

import contextlib
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

PATIENCE = 300.0
"""Seconds until anything awaited must have come. Generous: kernels may have to be compiled first, on a busy machine."""

_STATUS = re.compile(r"([=?])(\d*)(?: (.*))?")


@dataclass(frozen=True)
class Reply:
    """One GTP reply. `raw` is all of it without the empty line that ends it, `text` what follows status and id."""

    status: str
    id: str
    text: str
    raw: str


class Session:
    """A running `montego` command: `send` bytes, `line`s and `reply`s come back in order."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "montego", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._begun: list[str] = []
        self.stderr: list[str] = []
        assert self._process.stdout is not None and self._process.stderr is not None
        self._readers = [
            threading.Thread(target=_read, args=(self._process.stdout, self._lines.put), daemon=True),
            threading.Thread(target=_read, args=(self._process.stderr, self._note), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _note(self, line: str | None) -> None:
        if line is not None:
            self.stderr.append(line)

    def _told(self) -> str:
        return "stderr: " + "\n".join(self.stderr[-20:])

    def send(self, data: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data.encode())
        self._process.stdin.flush()

    def line(self, within: float = PATIENCE) -> str:
        """The next line of output."""
        try:
            line = self._lines.get(timeout=within)
        except queue.Empty:
            raise AssertionError(f"nothing within {within} s after {self._begun!r}; {self._told()}") from None
        assert line is not None, f"the engine is gone; {self._told()}"
        return line

    def await_lines(self, count: int, wanted: re.Pattern[str], within: float = PATIENCE) -> None:
        """Wait until the reply that is coming in has `count` lines that match; it goes on."""
        deadline = time.monotonic() + within
        while sum(bool(wanted.match(line)) for line in self._begun) < count:
            line = self.line(deadline - time.monotonic())
            assert line, f"the reply ended early: {self._begun}"
            self._begun.append(line)

    def reply(self, within: float = PATIENCE) -> Reply:
        """The next whole reply. Anything else on the output is a failure: clients are confused by it."""
        deadline = time.monotonic() + within
        while line := self.line(deadline - time.monotonic()):
            self._begun.append(line)
        lines, self._begun = self._begun, []
        assert lines, "an empty line where a reply should begin"
        head = _STATUS.fullmatch(lines[0])
        assert head, f"no reply: {lines}"
        assert not any(_STATUS.fullmatch(line) for line in lines[1:]), f"no empty line between replies: {lines}"
        text = "\n".join([head[3] or "", *lines[1:]]).strip("\n")
        return Reply(head[1], head[2], text, "\n".join(lines))

    def ended(self, within: float = 30.0) -> int:
        """The exit status of an engine that has nothing more to say."""
        status = self._process.wait(within)
        for reader in self._readers:
            reader.join(within)
        rest = []
        while (line := self._lines.get_nowait()) is not None:
            rest.append(line)
        assert not rest, f"said after the last reply: {rest}"
        return status

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):  # what was written last had no reader
                pipe.close()


def _read(pipe: IO[bytes], take: Callable[[str | None], None]) -> None:
    for line in pipe:
        take(line.decode().rstrip("\r\n"))
    take(None)
