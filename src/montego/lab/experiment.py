"""An experiment is a folder: settings.toml, analysis.py, README.md and results.

settings.toml says what is played or measured. Its points have an id each; a point of kind `match` is a match whose
rate is the result, one of kind `speed` a search whose simulations per second are, one of kind `suite` a policy,
heuristic or player whose squared error over the labelled positions is, one of kind `tactics` a player whose share of
solved problems is, one of kind `low-level` two pseudo-random players whose games without search are scored.
"""

from __future__ import annotations

import importlib.util
import tomllib
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from montego.arena.sequential import Sprt
from montego.arena.settings import Match, MatchError
from montego.go.errors import MontegoError, shown

_OWN_FIELDS = {
    "id",
    "label",
    "kind",
    "published",
    "published_error",
    "published_elo",
    "published_score",
    "published_text",
    "sprt",
    "x",
}
_FIELDS = {
    "match": {f.name for f in fields(Match)},
    "speed": {"a", "simulations", "size", "threads"},
    "suite": {"subject", "simulations"},
    "tactics": {"a", "simulations"},
    "low-level": {"a", "b", "games", "size"},
}
"""What the settings of a point may hold, by its kind."""


class LabError(MontegoError):
    """An experiment that is not there, or not as it should be."""


@dataclass(frozen=True)
class Point:
    """One thing to find out, and what the paper found."""

    id: str
    label: str
    kind: str
    """match, speed, suite, tactics or low-level"""
    settings: dict[str, Any]
    """the fields of the match, of the search that is timed, or whose opinion is asked, or whose urgencies meet"""
    published: float | None = None
    """the rate of a, from 0 to 1, simulations per second, or a squared error"""
    published_error: float | None = None
    published_elo: float | None = None
    """the difference between a and b"""
    published_score: float | None = None
    """points by which a is ahead of b on average"""
    published_text: str = ""
    """what the paper says where it prints no number"""
    x: float | None = None
    """where it lies on the axis of a figure"""
    sprt: tuple[float, float] | None = None
    """two differences in Elo between a and b: games are played until one of them is held to be true, or all are"""

    @property
    def match(self) -> Match:
        return Match(**self.settings)

    @property
    def test(self) -> Sprt | None:
        if self.sprt is None:
            return None
        elo0, elo1 = self.sprt
        return Sprt(elo0, elo1)


@dataclass(frozen=True)
class Experiment:
    folder: Path
    name: str
    """paper/table-or-figure"""
    title: str
    source: str
    """paper and section"""
    claim: str
    order: int
    points: list[Point] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    """whatever else the analysis needs, such as published figures that belong to no single point"""

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @cached_property
    def analysis(self) -> ModuleType:
        """The experiment's own code: analyse(results) gives the parts of its page."""
        spec = importlib.util.spec_from_file_location(f"montego_experiment_{self.name}", self.folder / "analysis.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def point(self, name: str) -> Point:
        found = next((point for point in self.points if point.id == name), None)
        if found is None:
            accepted = ", ".join(point.id for point in self.points)
            raise LabError(f"{self.name} has no point {shown(name)}; accepted: {accepted}")
        return found


def load_experiment(folder: Path, name: str) -> Experiment:
    """Read an experiment's settings."""
    path = folder / "settings.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        common, points = data.pop("common", {}), data.pop("points")
        loaded = Experiment(folder, name, points=[_point({**common, **point}) for point in points], **data)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, MontegoError) as error:
        raise LabError(f"{name}/settings.toml cannot be read: {type(error).__name__}: {error}") from None
    names = [point.id for point in loaded.points]
    if len(set(names)) != len(names):
        raise LabError(f"{name}/settings.toml names a point twice")
    return loaded


def _point(fields_: dict[str, Any]) -> Point:
    own = {key: value for key, value in fields_.items() if key in _OWN_FIELDS}
    settings = {key: value for key, value in fields_.items() if key not in _OWN_FIELDS}
    kind = own.setdefault("kind", "match")
    accepted = _FIELDS.get(kind)
    if accepted is None:
        raise LabError(f"{own['id']} is of kind {shown(kind)}; accepted: {', '.join(_FIELDS)}")
    if not set(settings) <= accepted:
        raise LabError(f"{own['id']} has fields {sorted(set(settings) - accepted)}; accepted: {sorted(accepted)}")
    point = Point(**{"label": own["id"], **own, "settings": settings})
    if kind == "match":
        try:
            _ = point.match, point.test
        except (MatchError, TypeError, ValueError) as error:
            raise LabError(f"{point.id}: {error}") from None
    return point
