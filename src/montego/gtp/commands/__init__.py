"""The commands of the engine: each a function of the session and the words behind its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from montego.gtp.session import Session

Handler = Callable[["Session", tuple[str, ...]], str]

MANY = 1 << 20
MODULES = ("engine", "board", "moves", "clock", "rules", "scoring", "analysis", "gogui", "servers")


@dataclass(frozen=True)
class Entry:
    handler: Handler
    least: int
    """words it needs"""
    most: int
    """words it takes; more of them are ignored, as the protocol allows"""


TABLE: dict[str, Entry] = {}


def command(name: str, least: int = 0, most: int | None = None) -> Callable[[Handler], Handler]:
    """Enter a function under the name of a command."""

    def enter(handler: Handler) -> Handler:
        TABLE[name] = Entry(handler, least, least if most is None else most)
        return handler

    return enter


def load() -> dict[str, Entry]:
    """All commands by name."""
    for module in MODULES:
        import_module(f"{__name__}.{module}")
    return TABLE
