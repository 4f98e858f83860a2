"""The Go Text Protocol, version 2: lines to commands, answers to replies, and what the words of a command mean."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from montego.go.errors import MontegoError, shown

LONGEST_ID = 18
"""Digits of a command's number; more of them make it a command nobody knows."""
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\ufeff]")
"""Characters that are as if they had not been sent; tabs are blanks."""


class CommandError(MontegoError):
    """A command that is refused for its form: too few words, a word that makes no sense."""


@dataclass(frozen=True)
class Command:
    number: str
    """the client's number, repeated in the reply; empty if there is none"""
    name: str
    words: tuple[str, ...]


def parse_command(line: str) -> Command | None:
    """A line as a command; None if there is nothing on it but blanks and a comment."""
    words = _CONTROL.sub("", line).partition("#")[0].split()
    number = words.pop(0) if words and words[0].isascii() and words[0].isdigit() else ""
    if len(number) > LONGEST_ID:
        number, words = "", [number, *words]
    if not words:
        return Command(number, "", ()) if number else None
    return Command(number, words[0], tuple(words[1:]))


def is_interrupt(line: str) -> bool:
    """Whether a line is GoGui's comment that ends a search."""
    return line.strip().lower() == "# interrupt"


def reply(number: str, text: str, refused: bool = False) -> str:
    """A complete reply. Empty lines end replies, so there is none inside."""
    lines = [line for line in text.replace("\r", "").split("\n") if line.strip()]
    body = "\n".join(lines)
    if text.startswith("\n") and not refused:
        body = "\n" + body
    head = f"{'?' if refused else '='}{number}"
    return f"{head} {body}".rstrip(" ") + "\n\n"


# --- words ------------------------------------------------------------------------------------------------------


def whole_number(word: str, least: int = 0, most: int = 1 << 31, what: str = "number") -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,12}", word) or not least <= int(word) <= most:
        raise CommandError(f"{shown(word)} is not a {what}; accepted: a whole number from {least} to {most}")
    return int(word)


def number(word: str, what: str = "number") -> float:
    """A finite number, as people and programs write them."""
    if re.fullmatch(r"[+-]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})([eE][+-]?[0-9]{1,2})?", word):
        value = float(word)
        if math.isfinite(value):
            return value
    raise CommandError(f"{shown(word)} is not a {what}; accepted: a number such as 7.5")


def truth(word: str) -> bool:
    values = {"true": True, "1": True, "on": True, "yes": True, "false": False, "0": False, "off": False, "no": False}
    if word.lower() not in values:
        raise CommandError(f"{shown(word)} is neither true nor false; accepted: true or false")
    return values[word.lower()]


def one_of(word: str, accepted: Sequence[str], what: str) -> str:
    if word.lower() not in accepted:
        raise CommandError(f"{shown(word)} is not a {what}; accepted: {', '.join(accepted)}")
    return word.lower()
