"""Time: settings of every kind, and what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.geometry import parse_colour
from montego.gtp.commands import command
from montego.gtp.protocol import CommandError, number, one_of, whole_number
from montego.players.timing import GameClock, TimeSettings

if TYPE_CHECKING:
    from montego.gtp.session import Session

Words = tuple[str, ...]

SYSTEMS = ("none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped")
NEEDS = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3, "fischer": 2, "fischer-capped": 4}


def seconds(word: str) -> float:
    value = number(word, "time")
    if value < 0:
        raise CommandError(f"a time of {value:g} s; accepted: 0 or more")
    return value


@command("time_settings", 3)
def time_settings(session: Session, words: Words) -> str:
    stones = whole_number(words[2], 0, 1_000_000, "number of stones")
    session.engine.set_time(TimeSettings.gtp(seconds(words[0]), seconds(words[1]), stones))
    return ""


@command("kgs-time_settings", 1, 4)
def kgs_time_settings(session: Session, words: Words) -> str:
    session.engine.set_time(_system(words, SYSTEMS[:4]))
    return ""


@command("kata-list_time_settings")
def kata_list_time_settings(session: Session, words: Words) -> str:
    return " ".join(SYSTEMS)


@command("kata-time_settings", 1, 5)
def kata_time_settings(session: Session, words: Words) -> str:
    session.engine.set_time(_system(words, SYSTEMS))
    return ""


def _system(words: Words, accepted: tuple[str, ...]) -> TimeSettings | None:
    system = one_of(words[0], accepted, "time system")
    values = [seconds(word) if word != "-1" else -1.0 for word in words[1:]]
    if len(values) < NEEDS[system]:
        raise CommandError(f"{system} needs {NEEDS[system]} numbers")
    if system == "none":
        return None
    if system == "absolute":
        return TimeSettings(values[0])
    if system == "byoyomi":
        return TimeSettings(values[0], period=values[1], periods=whole_number(words[3], 0, 1_000_000, "count"))
    if system == "canadian":
        return TimeSettings(values[0], period=values[1], stones=whole_number(words[3], 0, 1_000_000, "count"))
    cap, longest = [*(None if value < 0 else value for value in values[2:]), None, None][:2]
    return TimeSettings(values[0], increment=values[1], cap=cap, longest=longest)


@command("time_left", 2, 3)
def time_left(session: Session, words: Words) -> str:
    """What the controller's clock says; under byo-yomi the last number is periods."""
    colour = parse_colour(words[0])
    left, count = number(words[1], "time"), whole_number(words[2], 0, 1_000_000, "count") if len(words) > 2 else 0
    clock = session.engine.clocks.get(colour)
    if clock is None:  # nobody has told the settings
        clock = GameClock(TimeSettings(max(0.0, left), period=max(left, 1.0) if count else 0.0, stones=count))
        clock.set_left(left, count)
        session.engine.clocks[colour] = clock
    else:
        clock.set_left(left, count)
    return ""
