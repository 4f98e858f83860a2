"""What a page may say, as a table: every message is checked against it before anything is done."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any

from montego.go.errors import MontegoError, is_whole, shown
from montego.go.game import check_komi
from montego.go.geometry import MAX_SIZE, MIN_SIZE
from montego.go.rules import RULES
from montego.players.spec import expanded, parse_spec, read_as
from montego.players.timing import TimeSettings

LONGEST = 1 << 20
"""Characters of a message."""
LONGEST_FILE = 1 << 18
PERSON = "person"
MOST_SIMULATIONS, MOST_SECONDS = 200_000, 30.0
"""What a visitor may ask of a player for a move."""
MOST_VISITS = 1_000_000
MOST_MAIN, MOST_PERIOD, MOST_PERIODS = 86_400.0, 3_600.0, 100
LONGEST_PATH = 200
CLOSED_FIELDS = ("weights", "urgencies", "strengths", "memory", "parallel", "resign_below", "friendly")
"""Fields of a player that a visitor may not set: files of this machine, its memory and threads, manners."""


class MessageError(MontegoError):
    """A message that is refused, and the field to blame."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


Check = Callable[[Any], Any]


@dataclass(frozen=True)
class Optional:
    """A field that may be missing or null."""

    check: Check
    default: Any = None


def whole(low: int, high: int) -> Check:
    def check(value: Any) -> int:
        if not is_whole(value) or not low <= value <= high:
            raise MontegoError(f"it is {shown(value)}; accepted: a whole number from {low} to {high}")
        return int(value)

    return check


def number(low: float, high: float) -> Check:
    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise MontegoError(f"it is {shown(value)}; accepted: a number from {low:g} to {high:g}")
        return float(value)

    return check


def text(longest: int) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise MontegoError(f"it is {shown(value)}; accepted: a text of up to {longest} characters")
        return value

    return check


def word(accepted: tuple[str, ...]) -> Check:
    def check(value: Any) -> str:
        if value not in accepted:
            raise MontegoError(f"it is {shown(value)}; accepted: {', '.join(accepted)}")
        return str(value)

    return check


LIMITED = {
    "simulations": whole(1, MOST_SIMULATIONS),
    "seconds": number(0.01, MOST_SECONDS),
    "softness": number(0.0, 1.0),
    "depth": whole(1, 3),
    "greedy_plies": whole(0, 100),
    "max_length": whole(0, 2000),
}
"""Fields of a player with bounds of their own: beyond them a search would not end in time."""
KEPT, FRACTIONS = ("depth", "greedy_plies", "max_length"), ("seconds", "softness")
"""those that are the preset's, and those that are no whole numbers"""


def vertices(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > LONGEST_PATH:
        raise MontegoError(f"it is {shown(value)}; accepted: a list of up to {LONGEST_PATH} vertices")
    return tuple(text(4)(vertex) for vertex in value)


def handicap(value: Any) -> int:
    if not is_whole(value) or value not in (0, *range(2, 10)):
        raise MontegoError(f"it is {shown(value)}; accepted: 0 or 2 to 9 stones")
    return int(value)


def side(value: Any) -> str:
    """A person, or the spec of a player."""
    return PERSON if value == PERSON else spec(value)


def spec(value: Any) -> str:
    known: str = text(200)(value)
    checked_spec(known)
    return known


@lru_cache(1000)
def checked_spec(known: str) -> None:
    """Refuse players that do not exist, and fields that are not a visitor's to set."""
    from montego.players.presets import configured, find_preset

    _, given = parse_spec(known)
    for field in CLOSED_FIELDS:
        if field in given:
            raise MontegoError(f"the field {field} cannot be set from a page; accepted: other fields of a preset")
    name, changes = expanded(known)
    for field, check in LIMITED.items():
        if field in changes:
            value = changes[field] if field in KEPT else changes.pop(field)
            try:
                check(read_as(field, value, 1.0 if field in FRACTIONS else 1))
            except MontegoError as error:
                raise MontegoError(f"{field}: {error}") from None
    configured(find_preset(name), changes)


def clock(value: Any) -> TimeSettings:
    if not isinstance(value, dict) or value.keys() - {"main", "periods", "period"}:
        raise MontegoError(f"it is {shown(value)}; accepted: null, or main, periods, period")
    main = number(0, MOST_MAIN)(value.get("main", 0))
    period, periods = number(0, MOST_PERIOD)(value.get("period", 0)), whole(0, MOST_PERIODS)(value.get("periods", 0))
    if main + period * periods < 1:
        raise MontegoError("there is no time; accepted: at least a second")
    return TimeSettings(main, period if periods else 0.0, periods=periods)


GAME, TURN = text(40), whole(0, 100_000)
SCHEMA: dict[str, dict[str, Check | Optional]] = {
    "hello": {},
    "new": {
        "size": whole(MIN_SIZE, MAX_SIZE),
        "komi": check_komi,
        "rules": word(tuple(RULES)),
        "handicap": Optional(handicap, 0),
        "black": side,
        "white": side,
        "clock": Optional(clock),
    },
    "open": {"game": GAME},
    "leave": {"game": GAME},
    "play": {"game": GAME, "turn": TURN, "vertex": text(4)},
    "undo": {"game": GAME, "turn": TURN, "to": Optional(TURN)},
    "resign": {"game": GAME, "turn": TURN},
    "dead": {"game": GAME, "turn": TURN, "vertex": text(4)},
    "accept": {"game": GAME, "turn": TURN},
    "resume": {"game": GAME, "turn": TURN},
    "load": {"sgf": text(LONGEST_FILE)},
    "save": {"game": GAME},
    "analyse": {
        "game": GAME,
        "turn": TURN,
        "slot": whole(0, 1),
        "player": spec,
        "visits": Optional(whole(1, MOST_VISITS)),
    },
    "stop": {"slot": whole(0, 1)},
    "tree": {"slot": whole(0, 1), "path": vertices},
    "review": {"game": GAME, "visits": Optional(whole(1, 100_000))},
}

PRICES = {"new": 20, "load": 20, "review": 20}
"""Messages that cost more than others count for so many."""


def parsed(line: str | bytes) -> dict[str, Any]:
    """The JSON object of a message."""
    if not isinstance(line, str):
        raise MessageError("", "a message of bytes; accepted: text")
    if len(line) > LONGEST:
        raise MessageError("", f"{len(line)} characters; accepted: at most {LONGEST}")
    try:
        raw = json.loads(line, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        raise MessageError("", "no JSON; accepted: a JSON object") from None
    if not isinstance(raw, dict):
        raise MessageError("", f"{shown(raw)} is no message; accepted: a JSON object with a type")
    return raw


def checked(raw: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The type of a message and its fields, each as the table has it."""
    kind = raw.get("type")
    if not isinstance(kind, str) or kind not in SCHEMA:
        raise MessageError("type", f"it is {shown(kind)}; accepted: {', '.join(SCHEMA)}")
    unknown = raw.keys() - SCHEMA[kind].keys() - {"type", "ref"}
    if unknown:
        raise MessageError(min(unknown)[:40], f"not a field of {kind}; accepted: {', '.join(SCHEMA[kind]) or 'none'}")
    fields = {}
    for field, check in SCHEMA[kind].items():
        value = raw.get(field)
        if isinstance(check, Optional):
            if value is None:
                fields[field] = check.default
                continue
            check = check.check
        elif field not in raw:
            raise MessageError(field, "it is missing")
        try:
            fields[field] = check(value)
        except MontegoError as error:
            raise MessageError(field, str(error)) from None
    return kind, fields


def _finite(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise ValueError
    return value
