"""Every client's way of speaking, played against a fresh engine. `transcripts/README.md` explains the files."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from gtp.clients.readers import POINT, READERS, confused_by
from gtp.clients.session import PATIENCE, Reply, Session

FOLDER = Path(__file__).parent / "transcripts"
TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))
CORNERS = [f"{column}{row}" for row in (3, 7, 5, 4, 6) for column in "CGEDF"]


class Play:
    """A transcript on its way."""

    def __init__(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8").split("\n")
        self.steps = [(number, line) for number, line in enumerate(lines, 1) if line and not line.startswith("#")]
        options = [word for _, line in self.steps if line.startswith("!") for word in line[1:].split()]
        self.session = Session("gtp", *(word.replace("{folder}", str(FOLDER)) for word in options))
        self.named: set[str] = set()
        self.reply: Reply | None = None
        self.within = PATIENCE

    def send(self, text: str, end: str) -> None:
        if "{free}" in text:
            text = text.replace("{free}", next(point for point in CORNERS if point not in self.named))
        self.note(text)
        text = re.sub(r"\\(r|n|t|x[0-9a-f]{2}|\\)", lambda found: found[0].encode().decode("unicode_escape"), text)
        self.session.send(text.replace("{folder}", str(FOLDER)) + end)

    def note(self, text: str) -> None:
        self.named |= set(re.findall(rf"\b{POINT}\b", text.upper()))

    def expect(self, line: str) -> None:
        head, _, pattern = line.partition(" ")
        status = head.rstrip("0123456789")
        self.reply = self.session.reply(self.within)
        self.within = PATIENCE
        if "info" not in self.reply.text:
            self.note(self.reply.text)
        assert self.reply.status in status and status + self.reply.id == head, self.reply.raw
        assert re.fullmatch(pattern, self.reply.text, re.DOTALL), f"{self.reply.text!r} is not {pattern!r}"

    def step(self, line: str) -> None:
        kind, _, rest = line.partition(" ")
        if kind in (">", ">>"):
            self.send(rest, "\n" if kind == ">" else "")
        elif kind[0] in "=?":
            self.expect(line)
        elif kind == "~":
            count, _, start = rest.partition(" ")
            self.session.await_lines(int(count), re.compile(start))
        elif kind == ":":
            assert self.reply is not None
            READERS[rest](self.reply)
        elif kind == ".":
            time.sleep(float(rest))
        elif kind == "<":
            self.within = float(rest)
        elif kind == "$":
            assert self.session.ended() == int(rest)
        else:
            assert kind == "!", f"not a line of a transcript: {line}"


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    play = Play(path)
    try:
        for number, line in play.steps:
            try:
                play.step(line)
            except (AssertionError, LookupError, ValueError) as error:
                raise AssertionError(f"{path.name}:{number}: {line}\n{error!r}") from None
    finally:
        play.session.close()
    misread = [(client, line) for line in play.session.stderr if (client := confused_by(line))]
    assert misread == []
