"""Playing and measuring what an experiment still misses."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from montego import __version__
from montego.arena.match import Series
from montego.arena.play import play
from montego.arena.store import Store
from montego.go.game import Game
from montego.lab.experiment import Experiment, Point
from montego.lab.results import MEASUREMENTS, publish, read_measurements, series_of, write_file

REPETITIONS = 5
"""Measurements of each speed; the median counts."""
PUBLISH_EVERY = 300.0
"""Seconds between two writings of the published files while games are played; the database has them at once."""


def wanted_series(
    experiments: Iterable[Experiment], store: Store, games: int | None, points: Sequence[str] = ()
) -> list[Series]:
    """The matches of experiments that miss games, each once. games: of each, instead of the settings' number."""
    found: dict[str, Series] = {}
    for experiment in experiments:
        for point in experiment.points:
            if point.kind == "match" and (not points or point.id in points):
                series = series_of(point, store, games)
                known = found.get(series.pairing.hash)
                if known is None or known.match.games < series.match.games:
                    found[series.pairing.hash] = series
    return [series for series in found.values() if series.missing]


def run_games(
    experiments: Sequence[Experiment],
    store: Store,
    series: Sequence[Series],
    jobs: int,
    progress: Callable[[Series], None],
) -> bool:
    """Play what is missing, and publish it now and then. False if it was stopped."""
    last = time.monotonic()

    def took(one: Series) -> None:
        nonlocal last
        progress(one)
        if time.monotonic() - last >= PUBLISH_EVERY:
            last = time.monotonic()
            publish_all(experiments, store)

    try:
        return play(series, jobs, took)
    finally:
        publish_all(experiments, store)


def publish_all(experiments: Iterable[Experiment], store: Store) -> None:
    for experiment in experiments:
        publish(experiment, store)


def missing_speeds(experiment: Experiment, points: Sequence[str] = ()) -> list[Point]:
    done = [line["point"] for line in read_measurements(experiment)]
    speeds = [p for p in experiment.points if p.kind == "speed" and (not points or p.id in points)]
    return [p for p in speeds if done.count(p.id) < REPETITIONS]


def measure_speeds(experiment: Experiment, points: Sequence[Point]) -> None:
    """Time searches from the empty board, all points in turn so that none has the better minutes."""
    lines = read_measurements(experiment)
    for _ in range(REPETITIONS):
        for point in points:
            lines.append(_measure(point))
            write_file(experiment.results / MEASUREMENTS, "".join(json.dumps(line) + "\n" for line in lines))


def _measure(point: Point) -> dict[str, Any]:
    from montego.players import player

    settings = dict(point.settings)
    size, simulations = settings.get("size", 9), settings["simulations"]
    timed = player(settings["a"], simulations=simulations, threads=settings.get("threads", 1), seed=1)
    timed.choose(Game(size))  # compiles, and warms up
    timed.new_game()
    start = time.perf_counter()
    choice = timed.choose(Game(size))
    seconds = time.perf_counter() - start
    return {
        "point": point.id,
        "value": round(choice.simulations / seconds, 1),
        "simulations": choice.simulations,
        "configuration": timed.describe(),
        "machine": machine(),
        "montego": __version__,
        "played": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def machine() -> str:
    """The processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return name
