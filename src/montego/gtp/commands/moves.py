"""Moves of the engine's own, with or without a look at what it thinks."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from montego.go.geometry import parse_colour
from montego.gtp.commands import MANY, command
from montego.gtp.commands.analysis import parse_request
from montego.gtp.formats import cgos_json

if TYPE_CHECKING:
    from montego.gtp.session import Session

Words = tuple[str, ...]


@command("genmove", 1)
def genmove(session: Session, words: Words) -> str:
    return session.genmove(parse_colour(words[0]))


@command("reg_genmove", 1)
def reg_genmove(session: Session, words: Words) -> str:
    """A move that is not played; the clock does not run."""
    conduct = replace(session.engine.settings.conduct, resign_below=0.0)
    return session.think(parse_colour(words[0]), timed=False, conduct=conduct).vertex


@command("kgs-genmove_cleanup", 1)
def kgs_genmove_cleanup(session: Session, words: Words) -> str:
    """A move that captures dead stones; a pass when there are none left."""
    conduct = replace(session.engine.settings.conduct, resign_below=0.0)
    return session.genmove(parse_colour(words[0]), cleanup=True, conduct=conduct)


@command("lz-genmove_analyze", 0, MANY)
def lz_genmove_analyze(session: Session, words: Words) -> str:
    return _streamed(session, words, kata=False)


@command("kata-genmove_analyze", 0, MANY)
def kata_genmove_analyze(session: Session, words: Words) -> str:
    return _streamed(session, words, kata=True)


def _streamed(session: Session, words: Words, kata: bool) -> str:
    """A move, and what the engine thinks on the way to it."""
    request = parse_request(session, words)
    session.check_going_on(request.colour)
    session.begin()
    details: dict[str, Any] = {"without": request.avoid, "only": request.allow, "every": request.every}
    move = session.genmove(request.colour, watch=lambda report: session.emit(request.show(report, kata)), **details)
    session.emit(f"play {move}")
    return ""


@command("cgos-genmove_analyze", 1, MANY)
def cgos_genmove_analyze(session: Session, words: Words) -> str:
    """A move, and what the engine thought in the end."""
    colour, reports = parse_colour(words[0]), deque[Any](maxlen=1)
    session.check_going_on(colour)
    session.begin()
    move = session.genmove(colour, watch=reports.append, every=0.1)
    session.emit(cgos_json(reports[0] if reports else None))
    session.emit(f"play {move}")
    return ""
