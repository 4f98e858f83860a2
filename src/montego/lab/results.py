"""What has been found out: the games and measurements of experiments, out of their files."""

from __future__ import annotations

import json
import math
import os
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from montego.arena.jsonl import read_lines, write_lines
from montego.arena.match import Series, effort_of
from montego.arena.played import is_same, plain, plays_alike
from montego.arena.settings import SIDES
from montego.arena.statistics import Mean, Tally, elo
from montego.arena.store import Store
from montego.lab.experiment import Experiment, LabError, Point
from montego.lab.measure import configuration_of

GAMES, MEASUREMENTS = "games.jsonl", "measurements.jsonl"


@dataclass(frozen=True)
class Found:
    """A point and what was found about it."""

    point: Point
    tally: Tally = field(default_factory=Tally)
    not_counted: int = 0
    """games that told nothing"""
    leads: tuple[float, ...] = ()
    """of the first player, in the games that tell the points"""
    measured: tuple[dict[str, Any], ...] = ()
    """of a measurement, each time it was made: its value, and all that is told with it"""
    verdict: str | None = None
    """of the sequential test: H0, H1, or nothing yet"""
    seconds: tuple[float | None, float | None] = (None, None)
    """what a move took the first player and the second, on average"""

    @property
    def rate(self) -> float | None:
        return self.tally.rate

    @property
    def interval(self) -> tuple[float, float]:
        return self.tally.interval

    @property
    def score(self) -> Mean | None:
        """The mean lead of the first player, in games that were counted or in the last measurement of such games."""
        if self.measured:
            told = self.measured[-1]
            return Mean(told["games"], told["value"], told["error"])
        return Mean.of(self.leads)

    @property
    def elo(self) -> float | None:
        return None if self.rate is None else elo(self.rate)

    @property
    def elo_interval(self) -> tuple[float, float]:
        low, high = self.interval
        return elo(low), elo(high)

    @property
    def value(self) -> float | None:
        """The median of the measurements."""
        return statistics.median(line["value"] for line in self.measured) if self.measured else None


class Results:
    """The points of an experiment with what was found, in the order of the settings."""

    def __init__(self, experiment: Experiment, found: Iterable[Found], store: Store) -> None:
        self.experiment, self._found = experiment, {one.point.id: one for one in found}
        self.store = store
        """the games of all experiments"""

    def __iter__(self) -> Any:
        return iter(self._found.values())

    def __getitem__(self, name: str) -> Found:
        return self._found[self.experiment.point(name).id]

    @cached_property
    def games(self) -> int:
        return sum(one.tally.games for one in self)


def open_store(experiments: Iterable[Experiment], database: Path | str = ":memory:") -> Store:
    """A store with all published games of some experiments."""
    store = Store(database)
    for experiment in experiments:
        path = experiment.results / GAMES
        if path.is_file():
            with path.open(encoding="utf-8") as lines:
                read_lines(lines, store, f"{experiment.name}/results/{GAMES}")
    return store


def series_of(point: Point, store: Store, games: int | None = None) -> Series:
    match = point.match if games is None else replace(point.match, games=games)
    return Series(match, store, sprt=point.test, again=True)


def results_of(experiment: Experiment, store: Store) -> Results:
    return Results(experiment, [_found(experiment, point, store) for point in experiment.points], store)


def _found(experiment: Experiment, point: Point, store: Store) -> Found:
    if point.kind != "match":
        return Found(point, measured=tuple(measurements_of(experiment, point)))
    series = series_of(point, store)
    lost = sum(not game.counts for game in series.played.values())
    leads = tuple(game.lead for game in series.played.values() if game.lead is not None)
    seconds = tuple(effort_of(series.played.values(), side)["seconds_per_move"] for side in SIDES)
    return Found(point, series.tally(), lost, leads, verdict=series.verdict, seconds=(seconds[0], seconds[1]))


def measurements_of(experiment: Experiment, point: Point) -> list[dict[str, Any]]:
    """The measurements of a point as it is configured now."""
    now = plain(configuration_of(point, experiment.folder.parent.parent))
    still_counts = is_same if point.kind == "suite" else plays_alike  # an opinion is what is told
    lines = [line for line in read_measurements(experiment) if line["point"] == point.id]
    return [line for line in lines if still_counts(line["configuration"], now)]


def read_measurements(experiment: Experiment) -> list[dict[str, Any]]:
    path = experiment.results / MEASUREMENTS
    if not path.is_file():
        return []
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        good = all(isinstance(line["point"], str) and math.isfinite(line["value"]) for line in lines)
        good &= all(isinstance(line["configuration"], dict) for line in lines)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LabError(f"{experiment.name}/results/{MEASUREMENTS} cannot be read: {error}") from None
    if not good:
        raise LabError(f"{experiment.name}/results/{MEASUREMENTS} holds values that are none")
    return lines


def publish(experiment: Experiment, store: Store) -> None:
    """Write the games of an experiment's points as lines of JSON."""
    points = [point for point in experiment.points if point.kind == "match"]
    pairings = {(series := series_of(point, store)).pairing.hash: series for point in points}
    played = [series.pairing for series in pairings.values() if series.played]
    if played:
        write_file(experiment.results / GAMES, "".join(f"{line}\n" for line in write_lines(store, played)))


def write_file(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    with new.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
