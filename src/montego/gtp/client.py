"""The client side of GTP: another engine, with time limits on its start, its answers and its exit."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Self

from montego.go.errors import VertexError, shown
from montego.go.geometry import COLOUR_NAMES, MAX_SIZE, PASS, geometry, parse_colour
from montego.gtp.errors import EngineDied, EngineError, ProtocolError, Refused, RequestError
from montego.gtp.pipes import Limit, Program

REQUIRED = frozenset(
    {
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
    }
)
"""What every engine has to know (GTP version 2)."""

_HEAD = re.compile(r"([=?])([0-9]*)(?:[ \t]+(.*))?")


class GtpClient:
    """Another engine, asked one command at a time, from one thread.

    A refusal (`Refused`) leaves the engine as it is. After any other `EngineError`, and after Ctrl-C in the middle of a
    command, it has been ended together with its children, and all that remains is to start another.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        start_seconds: float = 10.0,
        answer_seconds: float = 30.0,
        exit_seconds: float = 2.0,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        start = Limit(start_seconds)
        self.answer_seconds, self.exit_seconds = Limit(answer_seconds).seconds, Limit(exit_seconds).seconds
        self.name, self.version, self.commands = "", "", REQUIRED
        self._lists_commands = False
        self._names = geometry(MAX_SIZE)
        self._number = self._streaming = 0
        self._program = Program(command, cwd, env)
        self._introduce(start)

    def _introduce(self, limit: Limit) -> None:
        self.name = self._ask_if_known("name", limit)
        self.version = self._ask_if_known("version", limit)
        listed = self._ask_if_known("list_commands", limit).split()
        if listed:
            self.commands, self._lists_commands = frozenset(listed), True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ask the engine to quit, wait, insist, and at last kill it. One that has ended is closed already."""
        if self._program.open:
            self._post("quit")
            self._program.close(self.exit_seconds)

    @property
    def returncode(self) -> int | None:
        """The exit code of an engine that has ended; below 0 the signal that ended it."""
        return self._program.returncode

    @property
    def stderr(self) -> str:
        """The last that the engine wrote on its stderr."""
        return self._program.stderr

    # Any command.

    def send(self, command: str, *arguments: object, seconds: float | None = None) -> str:
        """The engine's answer, of one line or several."""
        line, limit = _command_line(command, arguments), self._limit(seconds)
        self.stop()
        return self._ask(line, limit)

    def stream(self, command: str, *arguments: object, seconds: float | None = None) -> Iterator[str]:
        """The lines of an answer as they come. `seconds` limits the wait for each.

        The stream ends with the answer, or is ended by `stop`, by the next command, or by closing the iterator.
        """
        line, limit = _command_line(command, arguments), self._limit(seconds)
        self.stop()
        with self._asking(line):
            number = self._post(line)
            sign, first = self._head(number, limit)
            if sign == "?":
                raise self._refusal(line, self._body(first, limit))
            self._streaming = number
        return self._lines(line, number, first, limit.seconds)

    def stop(self) -> None:
        """End the stream that is going on, if any. Every command interrupts an analysis; this one changes nothing."""
        if not self._streaming:
            return
        self._streaming = 0
        line, limit = "protocol_version", self._limit(None)
        with self._asking(line):
            number = self._post(line)
            while self._program.read(limit):
                pass
            with suppress(Refused):
                self._answer(line, number, limit)

    def supports(self, command: str) -> bool:
        """Whether the engine knows a command."""
        if command in self.commands or self._lists_commands:
            return command in self.commands
        line, limit = _command_line("known_command", [command]), self._limit(None)
        self.stop()
        return self._ask_if_known(line, limit).lower() == "true"

    # What a match needs.

    def boardsize(self, size: int) -> None:
        names = geometry(size)
        self.send("boardsize", names.size)
        self._names = names

    def clear_board(self) -> None:
        self.send("clear_board")

    def komi(self, komi: float) -> None:
        self.send("komi", komi)

    def play(self, colour: Any, vertex: Any) -> None:
        self.send("play", _side(colour), self._names.vertex(self._names.parse(vertex)))

    def genmove(self, colour: Any, seconds: float | None = None) -> str:
        """The engine's move: a vertex of the board in capitals, pass or resign."""
        move = self.send("genmove", _side(colour), seconds=seconds)
        return "resign" if move.lower() == "resign" else self._vertex("genmove", move)

    def final_status_list(self, status: str, seconds: float | None = None) -> list[str]:
        """The vertices of all stones that are alive, dead or seki."""
        words = self.send("final_status_list", status, seconds=seconds).split()
        return [self._vertex("final_status_list", word, passing=False) for word in words]

    def final_score(self, seconds: float | None = None) -> str:
        """B+3.5, W+0.5, 0, or whatever else the engine says."""
        return self.send("final_score", seconds=seconds)

    def time_settings(self, main: int, period: int, stones: int) -> None:
        self.send("time_settings", main, period, stones)

    def time_left(self, colour: Any, seconds: float, stones: int = 0) -> None:
        """Tell the engine its clock, in whole seconds, as the protocol has them."""
        self.send("time_left", _side(colour), max(0, int(seconds)), stones)

    def _vertex(self, command: str, text: str, passing: bool = True) -> str:
        with self._asking(command):
            try:
                point = self._names.parse(text)
            except VertexError as error:
                raise ProtocolError(str(error)) from None
            if point == PASS and not passing:
                raise ProtocolError(f"a pass is no stone; accepted: {self._names.accepted}")
        return self._names.vertex(point)

    # A command and its answer.

    def _ask(self, line: str, limit: Limit) -> str:
        with self._asking(line):
            return self._answer(line, self._post(line), limit)

    def _ask_if_known(self, line: str, limit: Limit) -> str:
        """The answer, empty if it is refused."""
        try:
            return self._ask(line, limit)
        except Refused:
            return ""

    @contextmanager
    def _asking(self, line: str) -> Iterator[None]:
        """Whatever goes wrong in this block but for a refusal ends the engine."""
        if not self._program.open:
            raise EngineDied(f"{self._asked(line)}: it has been ended before; accepted: a new client")
        try:
            yield
        except Refused:
            raise
        except EngineError as error:
            self._program.end()
            said = _short(" / ".join(self.stderr.splitlines()[-3:]))
            text = f"{self._asked(line)}: {error}" + (f"; on stderr: {said}" if said else "")
            raise type(error)(text) from None
        except BaseException:
            self._program.end()
            raise

    def _asked(self, line: str) -> str:
        return f"{_short(self.name) or self._program.name}, asked '{_short(line)}'"

    def _refusal(self, line: str, message: str) -> Refused:
        return Refused(f"{self._asked(line)}: refused: {_short(message) or 'without a reason'}", message)

    def _limit(self, seconds: float | None) -> Limit:
        return Limit(self.answer_seconds if seconds is None else seconds)

    def _post(self, line: str) -> int:
        """Send a command, numbered."""
        self._number += 1
        self._program.write(f"{self._number} {line}")
        return self._number

    def _answer(self, line: str, number: int, limit: Limit) -> str:
        sign, first = self._head(number, limit)
        text = self._body(first, limit)
        if sign == "?":
            raise self._refusal(line, text)
        return text

    def _head(self, number: int, limit: Limit) -> tuple[str, str]:
        """The sign of an answer and the rest of its first line, after any empty lines and comments."""
        while not (line := self._program.read(limit).rstrip()) or line.startswith("#"):
            pass
        match = _HEAD.fullmatch(line)
        if match is None:
            raise ProtocolError(f"'{_short(line)}' is no answer; accepted: ={number} or ?{number}, and a text")
        if match[2] != str(number):
            raise ProtocolError(f"'{_short(line)}' is not the answer to command {number}")
        return match[1], match[3] or ""

    def _body(self, first: str, limit: Limit) -> str:
        """The text of an answer, up to the empty line that ends it."""
        lines = [first] if first else []
        while line := self._program.read(limit):
            lines.append(line.rstrip())
        return "\n".join(lines)

    def _lines(self, command: str, number: int, first: str, seconds: float) -> Iterator[str]:
        try:
            if first:
                yield first
            while self._streaming == number and self._program.open:
                with self._asking(command):
                    self._program.taken = 0
                    line = self._program.read(Limit(seconds))
                if not line:
                    self._streaming = 0
                else:
                    yield line.rstrip()
        finally:
            if self._streaming == number and self._program.open:
                self.stop()


def _command_line(command: str, arguments: Sequence[object]) -> str:
    """A command as it is sent. What the engine would read as something else is refused."""
    words = [str(word) for word in (command, *arguments)]
    for word in words:
        if not word.isprintable() or "#" in word:
            raise RequestError(f"{shown(word)} cannot be sent; accepted: no control characters, and no # (a comment)")
    if not words[0] or " " in words[0]:
        raise RequestError(f"{shown(command)} is no command; accepted: one word, its arguments apart")
    return " ".join(words)


def _side(colour: Any) -> str:
    return COLOUR_NAMES[parse_colour(colour)][0].upper()


def _short(text: str) -> str:
    """What an engine wrote, as it may stand in a message: printable, on one line, not too long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= 200 else line[:197] + "..."
