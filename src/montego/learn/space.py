"""What is tuned: parameters of a preset, each with the values it may take.

A range is written FIELD=LOW..HIGH, with :log after it where factors matter rather than differences; a choice
FIELD=WORD,WORD. A field is one of `SearchConfig`, or, with a dot, one of a record in it.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from montego.go.errors import MontegoError, shown
from montego.players.spec import parse_spec

DIGITS = 4
"""Significant ones of a value that is tried: what is played is what is printed."""
MOST_PARAMETERS = 32
MOST_WHOLE = 1 << 40
"""Whole numbers up to here are exact in every part of the way."""
Setting = dict[str, str]
"""A value for each parameter, as a spec has it."""
Array = np.ndarray[Any, np.dtype[np.float64]]
_RANGE, _CHOICE = "FIELD=LOW..HIGH or FIELD=LOW..HIGH:log", "FIELD=WORD,WORD"


class SpaceError(MontegoError):
    """A parameter that cannot be tuned as asked."""


@dataclass(frozen=True)
class Range:
    """A number between two ends, both included."""

    field: str
    low: float
    high: float
    log: bool = False
    """whether it is the factor that matters"""
    whole: bool = False

    def __post_init__(self) -> None:
        for end in (self.low, self.high):
            if isinstance(end, bool) or not isinstance(end, (int, float)) or not math.isfinite(end):
                raise SpaceError(f"the range of {self.field} ends at {shown(end)}; accepted: a number")
            if self.whole and (end != int(end) or abs(end) > MOST_WHOLE):
                raise SpaceError(f"the range of {self.field} ends at {end:g}; accepted: a whole number")
        if not self.low < self.high:
            raise SpaceError(f"the range of {self.field} is {self.low:g}..{self.high:g}; accepted: LOW below HIGH")
        least = 1 if self.whole else 0
        if self.log and (self.low < least or self.low == 0):
            accepted = "1 or more" if self.whole else "more than 0"
            raise SpaceError(f"the range of {self.field} begins at {self.low:g}; accepted with :log: {accepted}")

    def text(self, value: float) -> str:
        """A value as it is played: few digits, inside the range."""
        if self.whole:
            return str(int(min(self.high, max(self.low, round(value)))))
        return repr(min(self.high, max(self.low, float(f"{value:.{DIGITS}g}"))))

    @property
    def _ends(self) -> tuple[float, float]:
        """Those of the places 0 and 1: whole numbers reach halfway to their neighbours."""
        half = 0.5 if self.whole else 0.0
        return self.low - half, self.high + half

    def place(self, text: str) -> float:
        """Where a value of the range lies, from 0 to 1."""
        value, (low, high) = float(text), self._ends
        return math.log(value / low) / math.log(high / low) if self.log else (value - low) / (high - low)

    def at(self, place: float) -> str:
        """The value at a place from 0 to 1."""
        low, high = self._ends
        return self.text(low * (high / low) ** place if self.log else low + (high - low) * place)

    def holds(self, text: str) -> bool:
        return self.low <= float(text) <= self.high

    def columns(self, text: str) -> list[float]:
        return [self.place(text)]

    def grid(self, count: int) -> list[str]:
        """Values from end to end, each once."""
        return list(dict.fromkeys(self.at(k / (count - 1)) for k in range(count)))

    def to_dict(self) -> dict[str, Any]:
        return {"range": [self.low, self.high], "log": self.log, "whole": self.whole}


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    field: str
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        good = len(set(self.options)) == len(self.options) > 1
        words = all(isinstance(option, str) and option and not set(option) & set(",= \t\n") for option in self.options)
        if not good or not words:
            accepted = "two or more different words without commas, spaces and ="
            raise SpaceError(f"the choice of {self.field} is {shown(self.options)}; accepted: {accepted}")

    def place(self, text: str) -> float:
        """A place from 0 to 1 at which an option is found."""
        return (self.options.index(text) + 0.5) / len(self.options)

    def at(self, place: float) -> str:
        return self.options[min(int(place * len(self.options)), len(self.options) - 1)]

    def holds(self, text: str) -> bool:
        return text in self.options

    def columns(self, text: str) -> list[float]:
        """One for each option, so that any two are at distance 1."""
        return [math.sqrt(0.5) * (text == option) for option in self.options]

    def grid(self, count: int) -> list[str]:
        return list(self.options)

    def to_dict(self) -> dict[str, Any]:
        return {"choice": list(self.options)}


Parameter = Range | Choice


@dataclass(frozen=True)
class Space:
    """All parameters that are tuned."""

    parameters: tuple[Parameter, ...]

    def __post_init__(self) -> None:
        names = [parameter.field for parameter in self.parameters]
        if not 1 <= len(names) <= MOST_PARAMETERS:
            raise SpaceError(f"{len(names)} parameters are to be tuned; accepted: 1 to {MOST_PARAMETERS}")
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise SpaceError(f"{twice} is given twice; accepted: one range or choice for each parameter")

    @property
    def fields(self) -> list[str]:
        return [parameter.field for parameter in self.parameters]

    def setting(self, places: Sequence[float]) -> Setting:
        """The setting at a point of the unit cube."""
        return {p.field: p.at(float(place)) for p, place in zip(self.parameters, places, strict=True)}

    def places(self, setting: Mapping[str, str]) -> Array:
        """A point of the unit cube at which a setting is found."""
        return np.array([p.place(setting[p.field]) for p in self.parameters])

    def holds(self, setting: Mapping[str, str]) -> bool:
        return all(p.field in setting and p.holds(setting[p.field]) for p in self.parameters)

    def encoded(self, settings: Sequence[Mapping[str, str]]) -> Array:
        """Settings as rows of numbers in which distances mean something."""
        return np.array([[n for p in self.parameters for n in p.columns(setting[p.field])] for setting in settings])

    @property
    def owners(self) -> list[int]:
        """For each column of such a row the number of its parameter."""
        return [k for k, p in enumerate(self.parameters) for _ in (p.options if isinstance(p, Choice) else " ")]

    def spec(self, preset: str, setting: Mapping[str, str]) -> str:
        """The player with a setting, as everything that takes a player takes it."""
        texts = ",".join(f"{field}={setting[field]}" for field in self.fields)
        return f"{preset}{',' if ':' in preset else ':'}{texts}"

    def setting_of(self, preset: str, spec: str) -> Setting | None:
        """The setting in such a spec; None for any other."""
        known = parse_spec(spec)[1]
        if not set(self.fields) <= set(known):
            return None
        setting = {field: known[field] for field in self.fields}
        return setting if spec == self.spec(preset, setting) and self.holds(setting) else None

    def to_dict(self) -> dict[str, Any]:
        return {parameter.field: parameter.to_dict() for parameter in self.parameters}


def space_from(told: dict[str, Any]) -> Space:
    """A space from what `to_dict` made of it."""
    made: list[Parameter] = []
    for field, values in told.items():
        if "choice" in values:
            made.append(Choice(field, tuple(values["choice"])))
        else:
            low, high = values["range"]
            made.append(Range(field, low, high, bool(values["log"]), bool(values["whole"])))
    return Space(tuple(made))


def read_space(preset: str, ranges: Sequence[str], choices: Sequence[str], file: Path | None = None) -> Space:
    """The space that a command line or a file describes, checked against the preset."""
    texts, words = [_halves(text, _RANGE) for text in ranges], [_halves(text, _CHOICE) for text in choices]
    if file is not None:
        more_ranges, more_choices = read_file(file)
        texts, words = [*more_ranges, *texts], [*more_choices, *words]
    config = configuration(preset)
    made: list[Parameter] = [_range(*text, config) for text in texts]
    made += [_choice(*text, config) for text in words]
    if not made:
        raise SpaceError(f"nothing is to be tuned; accepted: --range {_RANGE}, --choice {_CHOICE}, --space FILE")
    space = Space(tuple(made))
    check_ends(preset, space)
    return space


def _halves(text: str, accepted: str) -> tuple[str, str]:
    field, _, rest = text.partition("=")
    if not field.strip() or not rest.strip():
        raise SpaceError(f"{shown(text)} is no parameter; accepted: {accepted}")
    return field.strip(), rest.strip()


def _range(field: str, text: str, config: Any) -> Range:
    ends, colon, scale = text.partition(":")
    low, dots, high = ends.partition("..")
    if not dots or (colon and scale.strip() != "log"):
        raise SpaceError(f"the range of {shown(field)} is {shown(text)}; accepted: {_RANGE}")
    like = value_of(config, field)
    if isinstance(like, bool) or not isinstance(like, (int, float)):
        raise SpaceError(f"{field} is no number; accepted: --choice {field}=WORD,WORD")
    return Range(field, _number(field, low), _number(field, high), bool(colon), isinstance(like, int))


def _number(field: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SpaceError(f"the range of {field} ends at {shown(text.strip())}; accepted: a number") from None


def _choice(field: str, text: str, config: Any) -> Choice:
    value_of(config, field)
    return Choice(field, tuple(word.strip() for word in text.split(",")))


def value_of(config: Any, field: str) -> Any:
    """A field of a record, or, with a dot, of a record in it."""
    found = config
    for name in field.split(".", 1):
        if name not in _names(found):
            raise SpaceError(f"there is no field {shown(field)}; accepted: {', '.join(_fields(config))}")
        found = getattr(found, name)
    if is_dataclass(found):
        raise SpaceError(f"{field} is a record; accepted: one of its fields, {field}.NAME")
    return found


def _names(record: Any) -> list[str]:
    return [field.name for field in fields(record)] if is_dataclass(record) else []


def _fields(config: Any) -> list[str]:
    """All fields, those of a record in it with a dot."""
    found = []
    for name in _names(config):
        found += [f"{name}.{part}" for part in _names(getattr(config, name))] or [name]
    return found


def configuration(spec: str) -> Any:
    """The search of a player of ours."""
    from montego.players import player

    return player(spec, simulations=1).config


def check_ends(preset: str, space: Space) -> None:
    """Refuse values that the search refuses, or that are the same to it, before any game."""
    chosen = any(isinstance(parameter, Choice) for parameter in space.parameters)  # then a range may matter later
    for parameter in space.parameters:
        ends = parameter.grid(2)
        alone = Space((parameter,))
        made = [_described(alone.spec(preset, {parameter.field: text})) for text in ends]
        if any(one in made[:i] for i, one in enumerate(made)) and (isinstance(parameter, Choice) or not chosen):
            why = f"{' and '.join(ends)} are the same to {shown(preset)}"
            raise SpaceError(f"{parameter.field} need not be tuned: {why}; accepted: what makes a difference")


def _described(spec: str) -> dict[str, Any]:
    """The search of a player as plain data, without what it has no use for."""
    from montego.search.config import described

    try:
        return described(configuration(spec))
    except MontegoError as error:
        raise SpaceError(f"{shown(spec)} cannot be played: {error}") from None


def present_setting(preset: str, space: Space) -> Setting | None:
    """What the preset has now; None where that lies outside the space."""
    config, found = configuration(preset), {}
    for parameter in space.parameters:
        value = value_of(config, parameter.field)
        if isinstance(parameter, Range):
            if not math.isfinite(value) or not parameter.low <= value <= parameter.high:
                return None
            found[parameter.field] = str(value) if parameter.whole else repr(float(value))
        else:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            found[parameter.field] = next((word for word in parameter.options if _is(word, value)), text)
    return found if space.holds(found) else None


def _is(word: str, value: Any) -> bool:
    """Whether a word of a choice stands for a value."""
    try:
        if isinstance(value, bool):
            return word.lower() == str(value).lower()
        return bool(type(value)(word) == value)
    except ValueError:
        return False


def read_file(path: Path) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The ranges and choices of a TOML file: tables [ranges] with texts, [choices] with lists."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # TOML and UTF-8 that cannot be read are ValueErrors
        raise SpaceError(f"cannot read {shown(str(path))}: {error}; accepted: a file of TOML") from None
    unknown = set(tables) - {"ranges", "choices"}
    if unknown or not all(isinstance(table, dict) for table in tables.values()):
        raise SpaceError(f"{shown(str(path))} has {shown(sorted(tables))}; accepted: the tables [ranges] and [choices]")
    ranges, choices = _flat(tables.get("ranges", {})), _flat(tables.get("choices", {}))
    for field, value in [*ranges, *choices]:
        kind: Any = str if (field, value) in ranges else list
        if not isinstance(value, kind) or not value:
            example = '"0.001..0.05:log"' if kind is str else '["visits", "value"]'
            raise SpaceError(f"{field} in {shown(str(path))} is {shown(value)}; accepted: {example}")
    return ranges, [(field, ",".join(map(_word, options))) for field, options in choices]


def _flat(table: dict[str, Any]) -> list[tuple[str, Any]]:
    """A table's entries; those of a table in it with a dot in their names."""
    found: list[tuple[str, Any]] = []
    for name, value in table.items():
        found += [(f"{name}.{part}", v) for part, v in value.items()] if isinstance(value, dict) else [(name, value)]
    return found


def _word(option: Any) -> str:
    return str(option).lower() if isinstance(option, bool) else str(option)
