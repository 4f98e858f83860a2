"""`montego match`: games between two players, and who is stronger."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import click

from montego.arena.match import MOST_JOBS, Series, engine, warm_up
from montego.arena.settings import MOST_GAMES, MOST_THREADS, Match
from montego.cli.waiting import compiling
from montego.go.rules import RULES

SIMULATIONS = 1000
"""For each move, if neither simulations nor seconds are given."""
EVERY_GAMES, EVERY_SECONDS = 10, 30
"""How often a line is written where lines cannot be rewritten."""


class Progress:
    """How far a match is, on stderr: one line rewritten on a terminal, a line now and then elsewhere."""

    def __init__(self, series: Series) -> None:
        self.series, self.start, self.before = series, time.monotonic(), len(series.played)
        self.said = self.start
        self.terminal = sys.stderr.isatty()
        if self.terminal:
            self.rewrite(f"{self.before} of {series.match.games} games")
        else:
            click.echo(f"montego: {len(series.missing)} games to play", err=True)

    def __call__(self, series: Series) -> None:
        now, done = time.monotonic(), len(series.played)
        if self.terminal:
            self.rewrite(self.line(now))
        elif done % EVERY_GAMES == 0 or now - self.said >= EVERY_SECONDS:
            self.said = now
            click.echo(f"montego: {self.line(now)}", err=True)

    def line(self, now: float) -> str:
        done, tally = len(self.series.played), self.series.tally()
        left = (now - self.start) / (done - self.before) * (self.series.match.games - done)
        text = f"{done} of {self.series.match.games} games"
        if tally.rate is not None:
            text += f", A wins {_percent(tally.rate)} ({_percents(tally.interval)})"
        return f"{text}, {_duration(left)} left"

    def rewrite(self, text: str) -> None:
        click.echo(f"\r{text:79}", nl=False, err=True)

    def close(self) -> None:
        if self.terminal:
            self.rewrite("")
            click.echo("\r", nl=False, err=True)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 120:
        return f"{whole} s"
    return f"{whole // 60} min" if whole < 7200 else f"{whole // 3600} h {whole // 60 % 60} min"


@click.command("match")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=100, show_default=True, help="How many.")
@click.option("--simulations", type=int, help=f"Of each player for each move.  [default: {SIMULATIONS}]")
@click.option("--seconds", type=float, help="Of each player for each move, instead of simulations.")
@click.option("--size", type=click.IntRange(2, 19), default=9, show_default=True, help="Board size.")
@click.option("--komi", type=float, default=7.5, show_default=True, help="Points White starts with.")
@click.option("--rules", type=click.Choice(list(RULES)), default="chinese", show_default=True, help="Rule set.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other games.")
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), default=2, show_default=True, help="Games at a time.")
@click.option("--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True, help="Of each player.")
@click.option(
    "--resign",
    type=float,
    default=0.05,
    show_default=True,
    help="A side that twice in a row gives itself less than this probability to win has lost; 0: nobody resigns.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the games in this file, a line of JSON each; the same command again goes on where it stopped.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool, jobs: int, record: Path | None, **settings: Any) -> None:
    """Let two players play each other, and see who is stronger.

    A and B are presets, or presets with other values for some of their fields. They have Black in turn. Stones count
    as they stand after two passes. The win rate is A's, a draw counted as half a win, with its 95 % interval (Wilson):
    while that holds 50 %, the match has not told who is stronger.

    \b
      montego match house mogo-2007 --games 200 --simulations 1000
      montego match house house:expand_after=8 --seconds 0.5 --record variant.jsonl

    With simulations and one thread the same seed gives the same games. With seconds, let jobs × threads not exceed
    the cores of the machine. Ctrl-C stops, and tells what was played.
    """
    if settings["simulations"] is None and settings["seconds"] is None:
        settings["simulations"] = SIMULATIONS
    series = Series(Match(**settings), record, engine)
    stopped = bool(series.missing) and not _play(series, jobs)
    report = series.report() | {"stopped": stopped}
    click.echo(json.dumps(report) if as_json else _as_text(report))
    if stopped:
        click.echo(f"montego: stopped after {len(series.played)} of {series.match.games} games", err=True)
        sys.exit(130)
    if not report["games"]:
        sys.exit(1)


def _play(series: Series, jobs: int) -> bool:
    """Play what is missing. False if it was stopped."""
    with compiling("the players' kernels"):
        warm_up(series.match, engine)
    progress = Progress(series)
    try:
        return series.play(jobs, progress)
    finally:
        progress.close()


def _as_text(report: dict[str, Any]) -> str:
    settings, players = report["settings"], report["players"]
    limit = f"{settings['simulations']} simulations" if settings["simulations"] else f"{settings['seconds']:g} s"
    size = settings["size"]
    lines = [
        f"A           {settings['a']}",
        f"B           {settings['b']}",
        f"conditions  {size}×{size}, {settings['rules']}, komi {settings['komi']:g}, {limit} a move",
        f"games       {report['games']}: A {_counts(report)}",
    ]
    if report["games"]:
        lines += [
            f"win rate    {_percent(report['rate'])} for A, 95 % interval {_percents(report['interval'])}",
            f"Elo         {_elo(report['elo'], report['rate'])} for A, {_elos(report)}",
            f"A as Black  {_counts(report['as_black'])}",
            f"A as White  {_counts(report['as_white'])}",
            f"length      {report['moves']:.1f} moves",
        ]
        lines += [f"{side.upper()} a move    {_effort(players[side])}" for side in ("a", "b")]
    forfeits = report["forfeits"]
    if any(forfeits.values()):
        lines.append(f"FORFEITS    {forfeits['a']} by A, {forfeits['b']} by B, counted above as losses")
    if report["void"]:
        lines.append(f"VOID        {report['void']} games, not counted above")
    return "\n".join([*lines, *(f"  {problem}" for problem in report["problems"])])


def _counts(standing: dict[str, Any]) -> str:
    return f"{standing['wins']} won, {standing['losses']} lost, {standing['draws']} drawn"


def _effort(player: dict[str, Any]) -> str:
    if player["seconds_per_move"] is None:
        return "nothing"
    return f"{player['simulations_per_move']:,.0f} simulations, {player['seconds_per_move']:.3f} s"


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def _percents(interval: tuple[float, float] | list[float]) -> str:
    return f"{100 * interval[0]:.1f} … {100 * interval[1]:.1f} %"


def _elo(difference: float | None, rate: float) -> str:
    if difference is None:
        return "+∞" if rate > 0.5 else "−∞"
    return f"{difference:+.0f}".replace("-", "−")


def _elos(report: dict[str, Any]) -> str:
    """The interval's ends, infinite where nothing was lost or won."""
    low, high = report["elo_interval"]
    return f"95 % interval {_elo(low, 0)} … {_elo(high, 1)}"
