"""`montego bench`: playouts, simulations and games of training per second, and how long a start takes."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import click

from montego.cli.doctor import versions
from montego.cli.waiting import compiling
from montego.go.errors import MontegoError, SizeError
from montego.go.geometry import check_size
from montego.players.presets import find_preset
from montego.playout.parts import PLAYOUTS
from montego.search.search import check_threads

PARTS = ("playouts", "search", "training", "start")
POLICIES = ("uniform", "mogo", "manual", "rlpr", "rlgo-sigma")
"""Default policies measured unless one is named."""
SEARCHES = ("mogo-2007", "mogo-rlgo", "house")
"""Presets measured unless some are named."""


class _Sizes(click.ParamType):  # type: ignore[type-arg]  # older releases of click take no argument
    """Board sizes with commas between them: 9,13,19."""

    name = "SIZES"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> list[int]:
        if isinstance(value, list):
            return value
        try:
            return [check_size(int(part)) for part in str(value).split(",")]
        except SizeError as error:
            self.fail(str(error), param, context)
        except ValueError:
            self.fail(f"{value!r} is not a list of board sizes; accepted: numbers like 9,13,19", param, context)


class _Threads(click.ParamType):  # type: ignore[type-arg]
    """Numbers of threads with commas between them: 1,2."""

    name = "THREADS"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> list[int]:
        if isinstance(value, list):
            return value
        try:
            return [check_threads(int(part)) for part in str(value).split(",")]
        except ValueError:
            self.fail(f"{value!r} is not a list of numbers of threads; accepted: numbers like 1,2", param, context)


def playout_speeds(policy: str, size: int, seconds: float, repetitions: int) -> list[float]:
    """Playouts per second from the empty board on one core, one figure a repetition."""
    from montego.go.game import Game
    from montego.playout.simulate import PlayoutConfig, simulate

    game, config = Game(size), PlayoutConfig(policy)
    with compiling(f"the playout kernels of {size}×{size}"):
        simulate(game, 1, config)
    count = 50
    while True:  # find a count that takes about as long as asked
        start = time.perf_counter()
        simulate(game, count, config)
        taken = time.perf_counter() - start
        if taken > seconds / 4:
            break
        count *= 2
    count = max(1, round(count * seconds / taken))
    speeds = []
    for repetition in range(repetitions):
        start = time.perf_counter()
        simulate(game, count, config, seed=repetition)
        speeds.append(count / (time.perf_counter() - start))
    return speeds


def search_speed(preset: str, size: int, threads: int, seconds: float, repetition: int) -> float:
    """Simulations per second of a fresh search from the empty board; loading kernels and tables is not counted."""
    from montego.go.game import Game
    from montego.players import player

    searcher = player(preset, seconds=seconds, threads=threads, seed=repetition)
    search = searcher.search_of(Game(size))
    start = time.perf_counter()
    done = search.run(seconds=seconds)
    return done / (time.perf_counter() - start)


def measure_search(
    sizes: list[int], presets: list[str], threads: list[int], seconds: float, repetitions: int
) -> dict[str, Any]:
    """Medians over the repetitions, by preset, size and number of threads."""
    from montego.players.spec import parse_spec

    for preset in presets:
        find_preset(parse_spec(preset)[0])
    medians: dict[str, Any] = {preset: {str(size): {} for size in sizes} for preset in presets}
    spread: dict[str, Any] = {preset: {str(size): {} for size in sizes} for preset in presets}
    jobs = [(preset, size, count) for preset in presets for size in sizes for count in threads]
    for done, (preset, size, count) in enumerate(jobs):
        left = (len(jobs) - done) * seconds * repetitions
        click.echo(f"montego: {preset} {size}×{size}, {count} threads, about {left:.0f} s left", err=True)
        with compiling(f"the search kernels of {size}×{size}"):
            search_speed(preset, size, count, 0.05, 0)
        speeds = [search_speed(preset, size, count, seconds, repetition) for repetition in range(repetitions)]
        medians[preset][str(size)][str(count)] = round(statistics.median(speeds), 1)
        spread[preset][str(size)][str(count)] = [round(min(speeds), 1), round(max(speeds), 1)]
    return {"simulations_per_second": medians, "simulations_per_second_spread": spread}


def measure_training(streams: list[int], seconds: float, repetitions: int) -> dict[str, Any]:
    """Games per second of RLGO's self-play on 9×9, by the number of streams: medians over the repetitions."""
    from montego.learn.td import TdSettings, Training

    medians, spread = {}, {}
    for count in streams:
        training = Training(TdSettings(streams=count))
        click.echo(f"montego: training, {count} streams, about {seconds * repetitions:.0f} s", err=True)
        with compiling("the kernels of the training"):
            training.learn_block()
        speeds = []
        for _ in range(repetitions):
            start, before = time.perf_counter(), training.games
            while time.perf_counter() - start < seconds:
                training.learn_block()
            speeds.append((training.games - before) / (time.perf_counter() - start))
        medians[str(count)] = round(statistics.median(speeds), 1)
        spread[str(count)] = [round(min(speeds), 1), round(max(speeds), 1)]
    return {"training_games_per_second": medians, "training_games_per_second_spread": spread}


def start_seconds() -> dict[str, float]:
    """From the shell to `montego doctor`'s answer: with an empty cache, and (median of five) with a filled one."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        times = []
        for _ in range(6):
            start = time.perf_counter()
            command = [sys.executable, "-m", "montego", "doctor"]
            subprocess.run(command, env=environment, check=True, capture_output=True, timeout=600)
            times.append(time.perf_counter() - start)
    return {"cold": round(times[0], 3), "warm": round(statistics.median(times[1:]), 3)}


def measure_playouts(sizes: list[int], policies: tuple[str, ...], seconds: float, repetitions: int) -> dict[str, Any]:
    """Medians over the repetitions, with the least and the greatest beside them."""
    jobs = [(policy, size) for policy in policies for size in sizes]
    medians: dict[str, dict[str, float]] = {policy: {} for policy in policies}
    spread: dict[str, dict[str, list[float]]] = {policy: {} for policy in policies}
    for done, (policy, size) in enumerate(jobs):
        left = (len(jobs) - done) * seconds * (repetitions + 1)
        click.echo(f"montego: {policy} {size}×{size}, about {left:.0f} s left (compiling not counted)", err=True)
        speeds = playout_speeds(policy, size, seconds, repetitions)
        medians[policy][str(size)] = round(statistics.median(speeds), 1)
        spread[policy][str(size)] = [round(min(speeds), 1), round(max(speeds), 1)]
    return {"playouts_per_second": medians, "playouts_per_second_spread": spread}


@click.command("bench")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else on stdout.")
@click.option("--only", type=click.Choice(PARTS), help="Measure just this part.")
@click.option("--sizes", type=_Sizes(), default="9,13,19", show_default=True, help="Board sizes.")
@click.option("--policy", type=click.Choice(tuple(PLAYOUTS)), help="Measure just this default policy.")
@click.option("--preset", "presets", multiple=True, help="Measure these searches; may be given several times.")
@click.option("--threads", type=_Threads(), default="1,2", show_default=True, help="Numbers of threads, or of streams.")
@click.option("--seconds", type=click.FloatRange(0.01, 600), default=1.0, show_default=True, help="Per repetition.")
@click.option("--repetitions", type=click.IntRange(1, 1000), default=5, show_default=True, help="Of each measurement.")
def command(
    as_json: bool,
    only: str | None,
    sizes: list[int],
    policy: str | None,
    presets: tuple[str, ...],
    threads: list[int],
    seconds: float,
    repetitions: int,
) -> None:
    """How fast playouts, searches and training are on this machine, from the empty board.

    Figures are medians over the repetitions; the spread is their least and greatest. Close other programs first.
    """
    report: dict[str, Any] = {}
    if only in (None, "playouts"):
        report |= measure_playouts(sizes, (policy,) if policy else POLICIES, seconds, repetitions)
    if only in (None, "search"):
        report |= measure_search(sizes, list(presets or SEARCHES), threads, seconds, repetitions)
    if only in (None, "training"):
        report |= measure_training(threads, seconds, repetitions)
    if only in (None, "start"):
        click.echo("montego: starting six times, the first with an empty cache, about 20 s", err=True)
        try:
            report["start_seconds"] = start_seconds()
        except subprocess.SubprocessError as error:
            raise MontegoError(f"`montego doctor` could not be started: {error}") from error
    report |= {
        "repetitions": repetitions,
        "seconds": seconds,
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "versions": versions(),
    }
    click.echo(json.dumps(report) if as_json else _as_text(report))


def _as_text(report: dict[str, Any]) -> str:
    lines = []
    for policy, by_size in report.get("playouts_per_second", {}).items():
        for size, speed in by_size.items():
            low, high = report["playouts_per_second_spread"][policy][size]
            board = f"{size}×{size}"
            lines.append(f"{policy:12} {board:6} {speed:10,.0f} playouts/s   ({low:,.0f} … {high:,.0f})")
    for preset, by_board in report.get("simulations_per_second", {}).items():
        for size, by_threads in by_board.items():
            for threads, speed in by_threads.items():
                low, high = report["simulations_per_second_spread"][preset][size][threads]
                what = f"{preset} {size}×{size}, threads: {threads}"
                lines.append(f"{what:28} {speed:10,.0f} simulations/s   ({low:,.0f} … {high:,.0f})")
    for streams, speed in report.get("training_games_per_second", {}).items():
        low, high = report["training_games_per_second_spread"][streams]
        what = f"training 9×9, streams: {streams}"
        lines.append(f"{what:28} {speed:10,.0f} games/s   ({low:,.0f} … {high:,.0f})")
    for kind, seconds in report.get("start_seconds", {}).items():
        lines.append(f"{kind} start{seconds:14.2f} s")
    return "\n".join(lines)
