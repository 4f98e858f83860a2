"""Playing and measuring what an experiment still misses."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence

from montego.arena.contestants import is_outside
from montego.arena.match import Series, warm_up
from montego.arena.play import play
from montego.arena.settings import SIDES, MatchError
from montego.arena.store import Store
from montego.lab.experiment import Experiment, LabError, Point
from montego.lab.measure import REPETITIONS, measure
from montego.lab.results import MEASUREMENTS, measurements_of, publish, read_measurements, series_of, write_file

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


def playable(series: Sequence[Series], told: Callable[[str], object]) -> list[Series]:
    """The matches whose programs are here; told: why others are left out. Refuses if none can be played."""
    why: dict[str, str] = {}
    for one in series:
        for side in SIDES:
            spec = one.match.spec(side)
            if is_outside(spec) and spec not in why:
                why[spec] = _absence(one, side)
    missing = {spec: text for spec, text in why.items() if text}
    found = [one for one in series if not missing.keys() & {one.match.a, one.match.b}]
    if missing and not found:
        raise LabError(next(iter(missing.values())))
    for text in missing.values():
        told(f"left out: {text}")
    return found


def _absence(series: Series, side: str) -> str:
    """Why another program cannot play; nothing if it can."""
    try:
        warm_up(series.match, series.making, [side])
    except MatchError as error:
        return str(error)
    return ""


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


def missing_measurements(experiment: Experiment, points: Sequence[str] = ()) -> list[Point]:
    """A point for each measurement that is missing, in turn, so that none has the better minutes."""
    wanted = [p for p in experiment.points if p.kind in REPETITIONS and (not points or p.id in points)]
    have = {point.id: len(measurements_of(experiment, point)) for point in wanted}
    rounds = range(max(REPETITIONS.values()))
    return [point for done in rounds for point in wanted if have[point.id] <= done < REPETITIONS[point.kind]]


def run_measurements(experiment: Experiment, points: Iterable[Point], progress: Callable[[Point], None]) -> None:
    """Measure points, and keep each measurement as soon as it is there."""
    lines = read_measurements(experiment)
    for point in points:
        progress(point)
        lines.append(measure(point, experiment.folder.parent.parent))
        write_file(experiment.results / MEASUREMENTS, "".join(json.dumps(line) + "\n" for line in lines))
