"""Another program as a subprocess: lines to it, lines from it within a time limit, and its end.

Three threads serve the three pipes, so that nothing the program does or leaves undone can block the caller, and nothing
the caller leaves unread on stderr can block the program. The caller waits for lines, never for a pipe.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import inf
from queue import SimpleQueue
from typing import IO, Any

from montego.go.errors import shown
from montego.gtp.errors import EngineDied, EngineTimeout, ProtocolError, RequestError, StartError
from montego.processes import at_end, not_at_end, starting

MAX_REPLY = 1 << 22
"""Bytes read since the last line was written. Ownership for every move of a 19×19 board takes a quarter of it."""

GAMES_FOLDER = "/usr/games"
"""Where Debian puts its Go programs, on or off the PATH."""

SOURCES = {
    "gnugo": "`apt-get install gnugo` or `brew install gnu-go`",
    "pachi": "from https://github.com/pasky/pachi/releases",
    "fuego": "from https://fuego.sourceforge.net",
    "katago": "from https://github.com/lightvector/KataGo/releases",
}

_STDERR_KEPT = 1 << 14
_CHUNK = 1 << 16
_SLICE = 0.25
"""Seconds of a wait, after which it is looked whether the program still lives; Windows hears Ctrl-C only then."""
_GRACE = 1.0
"""Seconds for what a killed process leaves: its exit code, the ends of its pipes."""
_CONTROLS = {code: None for code in range(128) if not chr(code).isprintable() and chr(code) != "\t"}


class Limit:
    """A number of seconds, counted from now."""

    def __init__(self, seconds: Any) -> None:
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < inf:
            raise RequestError(f"a time limit of {shown(seconds)} seconds; accepted: a number from 0")
        self.seconds = float(seconds)
        self.deadline = time.monotonic() + self.seconds

    @property
    def rest(self) -> float:
        return self.deadline - time.monotonic()


class Program:
    """A running program. `close` or `end` ends it, at the latest the exit of this process."""

    def __init__(
        self,
        command: str | Sequence[str],
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.open = True
        self.taken = 0
        """bytes read since the last line was written"""
        self._news = threading.Condition()
        self._unread, self._complaints = bytearray(), b""
        self._deaf = self._silent = False
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        with starting():
            self._process = _start(command, cwd, env)
            at_end(self.end)
        self.name = os.path.basename(_first_word(self._process.args))
        try:
            self._serve(self._speak, self._process.stdin)
            self._serve(self._listen, self._process.stdout)
            self._serve(self._drain, self._process.stderr)
        except BaseException:
            self.end()
            raise

    @property
    def returncode(self) -> int | None:
        """The exit code of a program that has ended; below 0 the signal that ended it."""
        self._exited()
        return self._process.returncode

    @property
    def stderr(self) -> str:
        """The last it wrote on its stderr."""
        return self._complaints.decode("utf-8", "replace")

    def write(self, line: str) -> None:
        """Send a line; whether it is ever read shows when an answer is waited for."""
        self.taken = 0
        self._outbox.put(f"{line}\n".encode())

    def read(self, limit: Limit) -> str:
        """The next line it writes, without control characters."""
        with self._news:
            while True:
                end = self._unread.find(b"\n")
                if self.taken + (end if end >= 0 else len(self._unread)) >= MAX_REPLY:
                    raise ProtocolError(f"the answer is too long; accepted: {MAX_REPLY} bytes")
                if end >= 0:
                    return self._take(end + 1).decode("utf-8", "replace").translate(_CONTROLS)
                if self._silent or self._deaf or limit.rest <= 0:
                    break
                if not self._news.wait(min(limit.rest, _SLICE)):
                    self._exited()  # its children may hold the pipes open; with them gone, reading comes to an end
        if self._silent or self._deaf or self._exited():
            raise EngineDied(self._obituary())
        raise EngineTimeout(f"no answer within {limit.seconds:g} s")

    def _take(self, count: int) -> bytes:
        """Take bytes that have arrived, and let the listener go on if it waits for room."""
        taken = bytes(self._unread[:count])
        del self._unread[:count]
        self.taken += count
        self._news.notify_all()
        return taken

    def _obituary(self) -> str:
        """How it ended; its pipes are closed a moment before its exit code is known."""
        if not self._exited(_GRACE):
            return "it closed its output" if self._silent else "it closed its input"
        code = self._process.returncode
        if code < 0:
            with suppress(ValueError):
                return f"it was ended by {signal.Signals(-code).name}"
        return f"it ended with code {code}"

    # The end.

    def close(self, seconds: float) -> None:
        """Close its input, wait for so many seconds, ask it to end, wait again, and at last kill it."""
        if not self.open:
            return
        try:
            self._desert()
            if not self._exited(seconds):
                _signal_group(self._process, kill=False)
                self._exited(seconds)
        finally:
            self.end()

    def end(self) -> None:
        """End it and its children now."""
        if not self._exited():
            _signal_group(self._process, kill=True)
        self._desert()
        self._exited(_GRACE)
        for thread in self._threads:
            thread.join(_GRACE)  # a child that fled the group may hold a pipe: its thread is left behind
        not_at_end(self.end)

    def _desert(self) -> None:
        """Write nothing more, and read only to throw away what comes."""
        self._outbox.put(None)
        with self._news:
            self.open = False
            self._news.notify_all()

    def _exited(self, seconds: float = 0.0) -> bool:
        """Whether it ends within so many seconds. What is left of its group ends with it.

        That must not wait: once the exit code is known, the number of the group may become another's.
        """
        if self._process.returncode is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
                _signal_group(self._process, kill=True)
        return self._process.returncode is not None

    # The threads. Each closes its pipe when it is through.

    def _serve(self, work: Callable[[IO[bytes]], None], pipe: IO[bytes] | None) -> None:
        assert pipe is not None
        thread = threading.Thread(target=work, args=(pipe,), daemon=True)
        thread.start()
        self._threads.append(thread)

    def _speak(self, stdin: IO[bytes]) -> None:
        """Write what is in the outbox, however long the program takes to read it."""
        with suppress(OSError), stdin:
            while (data := self._outbox.get()) is not None:
                while data:
                    data = data[stdin.write(data) :]
        with self._news:
            self._deaf = True
            self._news.notify_all()

    def _listen(self, stdout: IO[bytes]) -> None:
        """Keep what the program writes until it is asked for; when that is too much, let the program wait."""
        with suppress(OSError), stdout:
            while chunk := stdout.read(_CHUNK):
                with self._news:
                    self._news.wait_for(lambda: len(self._unread) < MAX_REPLY or not self.open)
                    if self.open:
                        self._unread += chunk
                        self._news.notify_all()
        with self._news:
            self._silent = True
            self._news.notify_all()

    def _drain(self, stderr: IO[bytes]) -> None:
        with suppress(OSError), stderr:
            while chunk := stderr.read(_CHUNK):
                self._complaints = (self._complaints + chunk)[-_STDERR_KEPT:]


def find_program(name: str, path: str | None = None) -> str:
    """Where a program is: on the PATH, or in the folder of Debian's games."""
    found = shutil.which(name, path=path) or shutil.which(name, path=GAMES_FOLDER)
    if found is None:
        hint = f"; get it: {SOURCES[name]}" if name in SOURCES else ""
        raise StartError(f"there is no program {shown(name)} on the PATH or in {GAMES_FOLDER}{hint}")
    return found


def _start(
    command: str | Sequence[str], cwd: str | os.PathLike[str] | None, env: Mapping[str, str] | None
) -> subprocess.Popen[bytes]:
    """Start a program with pipes, out of reach of the terminal's Ctrl-C: we end it when we hear that ourselves."""
    words, pipe = _words(command, env), subprocess.PIPE
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    try:
        return subprocess.Popen(words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env, **apart)
    except (OSError, ValueError) as error:
        raise StartError(f"{shown(_first_word(words))} cannot be started: {error}") from None


def _words(command: str | Sequence[str], env: Mapping[str, str] | None) -> str | list[str]:
    """The words of a command line, the program where it is found; Windows takes a line apart by itself."""
    if sys.platform == "win32" and isinstance(command, str) and command.strip():
        return command
    try:
        words = shlex.split(command) if isinstance(command, str) else [os.fspath(word) for word in command]
    except (TypeError, ValueError) as error:
        raise StartError(f"{shown(command)} is no command line: {error}") from None
    if not words or not words[0]:
        raise StartError(f"{shown(command)} is no command line; accepted: a program and its arguments")
    if not os.path.dirname(words[0]):
        words[0] = find_program(words[0], env.get("PATH") if env else None)
    return words


def _first_word(words: Any) -> str:
    return str(words.split()[0] if isinstance(words, str) else words[0])


def _signal_group(process: subprocess.Popen[bytes], kill: bool) -> None:
    """Ask a program and its children to end, or kill them."""
    if sys.platform == "win32":
        if process.poll() is None:  # a tree is found from its root alone, and cannot be asked
            tool = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            with suppress(OSError):
                subprocess.run(tool, stdin=subprocess.DEVNULL, capture_output=True, check=False)
            process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL if kill else signal.SIGTERM)
