"""Players by name: a preset or a level, with some of its fields changed."""

from __future__ import annotations

from dataclasses import is_dataclass, replace
from typing import Any, TypeVar

from montego.go.errors import ConfigError, shown
from montego.players.levels import LEVELS

Config = TypeVar("Config")
_LIMITS = {"simulations": 1, "seconds": 1.0}


def parse_spec(text: str) -> tuple[str, dict[str, str]]:
    """PRESET, or PRESET:field=value,field=value, taken apart."""
    name, _, rest = str(text).partition(":")
    overrides: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        field, equals, value = part.partition("=")
        if not equals or not field.strip() or not value.strip():
            raise ConfigError(f"{shown(part)} is no setting; accepted: PRESET:field=value,field=value")
        overrides[field.strip()] = value.strip()
    return name, overrides


def expanded(spec: str) -> tuple[str, dict[str, Any]]:
    """The preset a spec builds on and the fields it changes; a level stands for its own spec."""
    name, changes = parse_spec(spec)
    if name not in LEVELS:
        return name, changes
    base, fields = parse_spec(LEVELS[name].spec)
    return base, {**fields, **changes}


def limits_of(changes: dict[str, Any]) -> dict[str, Any]:
    """The simulations or seconds among the fields of a spec, taken out of them."""
    return {field: read_as(field, changes.pop(field), like) for field, like in _LIMITS.items() if field in changes}


def read_as(field: str, text: str, like: Any) -> Any:
    """A text as the type of `like`."""
    try:
        if isinstance(like, bool):
            return {"true": True, "false": False}[text.lower()]
        return type(like)(text)
    except (KeyError, ValueError):
        kind = {bool: "true or false", int: "a whole number"}.get(type(like), "a number")
        raise ConfigError(f"{field} is {shown(text)}; accepted: {kind}") from None


def changed(config: Config, changes: dict[str, Any], whose: str) -> Config:
    """A frozen record with some fields changed, those of a record inside it by names such as rules.nakade.

    Texts are read as the field's type.
    """
    known = known_fields(config)
    inner: dict[str, dict[str, Any]] = {}
    made: dict[str, Any] = {}
    for name, value in changes.items():
        if name not in known:
            raise ConfigError(f"{whose} has no field {shown(name)}; accepted: {', '.join(known)}")
        value = read_as(name, value, known[name]) if isinstance(value, str) else value
        record, dot, field = name.partition(".")
        if dot:
            inner.setdefault(record, {})[field] = value
        else:
            made[name] = value
    records = {record: replace(getattr(config, record), **fields) for record, fields in inner.items()}
    return replace(config, **made, **records)  # type: ignore[type-var]


def known_fields(config: Any) -> dict[str, Any]:
    """By name, the fields of a record that can be changed, and their values."""
    known = {}
    for name, value in vars(config).items():
        if is_dataclass(value):
            known.update({f"{name}.{field}": inner for field, inner in vars(value).items()})
        else:
            known[name] = value
    return known
