"""Measurements that are no stored games: the speed of a search, an opinion about the labelled positions, the share of
the tactics collection that a player solves, the score of many quick games between pseudo-random players, which their
seed brings back.
"""

from __future__ import annotations

import platform
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from montego import __version__
from montego.go.game import Game
from montego.lab.experiment import Point
from montego.lab.suite import Subject, judge, load_suite, subject_of, summary_of
from montego.lab.tactics import SEED, SIMULATIONS, collection_hash, load_problems, shares_of, solves
from montego.patterns.learned import fingerprint, urgencies_of
from montego.players import player
from montego.players.search import SearchPlayer
from montego.playout.contest import contest

REPETITIONS = {"speed": 5, "suite": 1, "low-level": 1, "tactics": 1}
"""Measurements of each point, by its kind; the median counts."""


def configuration_of(point: Point, experiments: Path) -> dict[str, Any]:
    """All that a measurement depends on, but for the machine; experiments: their folder, with positions beside them."""
    if point.kind == "low-level":
        return _pairing(point)
    if point.kind == "tactics":
        return {**_player(point).describe(), "collection": collection_hash(experiments)}
    return _player(point).describe() if point.kind == "speed" else _subject(point).configuration


def measure(point: Point, experiments: Path) -> dict[str, Any]:
    """One measurement; experiments: the folder with the labelled positions and the tactics collection in it."""
    if point.kind == "low-level":
        found = _low_level(point)
    elif point.kind == "tactics":
        found = _tactics(point, experiments)
    else:
        found = _speed(point) if point.kind == "speed" else _opinion(point, experiments)
    about = {"machine": machine(), "montego": __version__, "played": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"}
    return {"point": point.id, **found, "configuration": configuration_of(point, experiments), **about}


def _player(point: Point) -> SearchPlayer:
    settings = point.settings
    simulations = settings.get("simulations", SIMULATIONS)
    return player(settings["a"], simulations=simulations, threads=settings.get("threads", 1), seed=SEED)


def _tactics(point: Point, experiments: Path) -> dict[str, Any]:
    """The share of problems solved with its standard error, in all and by theme."""
    asked = _player(point)
    shares = shares_of([(problem, solves(asked, problem)) for problem in load_problems(experiments)])
    told = {
        theme: {"solved": share.solved, "positions": share.positions, "error": round(share.error, 6)}
        for theme, share in shares.items()
    }
    whole = shares["all"]
    return {"value": round(whole.value, 6), "error": round(whole.error, 6), "themes": told}


def _speed(point: Point) -> dict[str, Any]:
    """Simulations per second from the empty board."""
    timed, game = _player(point), Game(point.settings.get("size", 9))
    timed.choose(game)  # compiles, and warms up
    timed.new_game()
    start = time.perf_counter()
    choice = timed.choose(game)
    value = choice.simulations / (time.perf_counter() - start)
    return {"value": round(value, 1), "simulations": choice.simulations}


def _subject(point: Point) -> Subject:
    return subject_of(point.settings["subject"], point.settings.get("simulations", 1000))


def _opinion(point: Point, experiments: Path) -> dict[str, Any]:
    """The squared error over the labelled positions with its standard error, and the place of the best move."""
    subject = _subject(point)
    found = summary_of([judge(position, subject.ask(position.game)) for position in load_suite(experiments)])
    numbers = {
        "value": found.mse,
        "error": found.mse_error,
        "calibrated": found.calibrated,
        "calibrated_error": found.calibrated_error,
        "slope": found.slope,
        "rank": found.mean_rank,
        "first": found.first,
    }
    return {**{name: round(number, 6) for name, number in numbers.items()}, "positions": found.positions}


def _pairing(point: Point) -> dict[str, Any]:
    settings = point.settings
    names = {side: {"urgencies": settings[side], "numbers": fingerprint(settings[side])} for side in ("a", "b")}
    return {**names, "size": settings.get("size", 9), "games": settings["games"], "seed": 1}


def _low_level(point: Point) -> dict[str, Any]:
    """The mean lead of a over b with its standard error, and how often a was ahead, in games without search."""
    settings = point.settings
    size, games = settings.get("size", 9), settings["games"]
    a, b = (urgencies_of(settings[side], size) for side in ("a", "b"))
    found = contest(a, b, size, games, seed=1)
    return {"value": round(found.score, 6), "error": round(found.error, 6), "wins": found.wins, "games": games}


def machine() -> str:
    """The processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return name
