"""`montego match`: games between two players, and who is stronger."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from montego.arena.contestants import make
from montego.arena.match import Series
from montego.arena.sequential import Sprt
from montego.arena.settings import MOST_GAMES, Match
from montego.cli.conditions import asked_for, conditions, game_options, keep, play_with_progress, stop_here, told_limit
from montego.cli.figures import counts, elo_text, elos, percent, percents


@click.command("match")
@click.argument("a", metavar="A", required=False)
@click.argument("b", metavar="B", required=False)
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=100, show_default=True, help="How many, at most.")
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="Stop as soon as it is decided whether A is stronger by ELO0 or by ELO1 (each wrong once in 20).",
)
@game_options
def command(as_json: bool, jobs: int, record: Path | None, resume: Path | None, **settings: Any) -> None:
    """Let two players play each other, and see who is stronger.

    A and B are presets, with other values for some of their fields if you like; default policies without a search, as
    policy:mogo; or other programs: gnugo, gnugo-mc, pachi, fuego, katago with their options, or gtp: and any command
    line. They have Black in turn. The win rate is A's, a draw counted as half a win, with its 95 % interval (Wilson):
    while that holds 50 %, the match has not told who is stronger. Games in which a program failed are void and count
    for nobody.

    \b
      montego match house mogo-2007 --games 200 --simulations 1000
      montego match house gnugo:level=10 --simulations 3000 --record games.db
      montego match house house:expand_after=2 --seconds 0.5 --sprt 0 30 --games 2000
      montego match over-gtp:house "gtp:/opt/engine --seed {seed}" --openings balanced

    With simulations and one thread the same seed gives the same games. With seconds, let jobs × threads not exceed
    the cores of the machine; other programs are told them as their clock, one at least, and Pachi, Fuego and KataGo
    go by the limits among their options all the same. Ctrl-C stops, and tells what was played.
    """
    series = _series(record, resume, settings)
    stopped = not play_with_progress([series], jobs)
    report = series.report() | {"stopped": stopped}
    click.echo(json.dumps(report) if as_json else as_text(report))
    if stopped:
        stop_here([series])
    if not report["games"]:
        sys.exit(1)


def _series(record: Path | None, resume: Path | None, settings: dict[str, Any]) -> Series:
    settings = asked_for("match", resume, settings)
    if settings["a"] is None or settings["b"] is None:
        raise click.UsageError("two players are needed, as in: montego match house gnugo")
    sprt = settings.pop("sprt")
    series = Series(Match(**conditions(settings)), None, make, Sprt(*sprt) if sprt else None)
    keep([series], resume or record, {"kind": "match", "sprt": sprt, **series.report()["settings"]})
    return series


def as_text(report: dict[str, Any]) -> str:
    settings, players = report["settings"], report["players"]
    size, limit = settings["size"], told_limit(settings, settings["a"], settings["b"])
    lines = [
        f"A           {settings['a']}",
        f"B           {settings['b']}",
        f"conditions  {size}×{size}, {settings['rules']}, komi {settings['komi']:g}{limit}",
        f"games       {report['games']}: A {counts(report)}",
    ]
    if report["games"]:
        elo = f"{elo_text(report['elo'], report['rate'])} for A, 95 % interval {elos(report['elo_interval'])}"
        lines += [
            f"win rate    {percent(report['rate'])} for A, 95 % interval {percents(report['interval'])}",
            f"Elo         {elo}; stronger with a likelihood of {percent(report['superiority'])}",
            f"A as Black  {counts(report['as_black'])}",
            f"A as White  {counts(report['as_white'])}",
            f"length      {report['moves']:.1f} moves",
        ]
        lines += [f"{side.upper()} a move    {_effort(players[side])}" for side in ("a", "b")]
    return "\n".join(lines + _sprt(report) + _trouble(report))


def _sprt(report: dict[str, Any]) -> list[str]:
    if "sprt" not in report:
        return []
    test = report["sprt"]
    words = {
        "H0": f"decided: A is not stronger by {test['elo1']:g} Elo (H0: {test['elo0']:g})",
        "H1": f"decided: A is stronger than by {test['elo0']:g} Elo (H1: {test['elo1']:g})",
        None: f"undecided between {test['elo0']:g} and {test['elo1']:g} Elo",
    }
    return [f"SPRT        {words[test['verdict']]}"]


def _trouble(report: dict[str, Any]) -> list[str]:
    lines, forfeits = [], report["forfeits"]
    if any(forfeits.values()):
        lines.append(f"FORFEITS    {forfeits['a']} by A, {forfeits['b']} by B, counted above as losses")
    for name in ("void", "unknown"):
        if report[name]:
            lines.append(f"{name.upper():<11} {report[name]} games, not counted above")
    return [*lines, *(f"  {problem}" for problem in report["problems"])]


def _effort(player: dict[str, Any]) -> str:
    if player["seconds_per_move"] is None:
        return "nothing"
    simulations = player["simulations_per_move"]
    return ("" if simulations is None else f"{simulations:,.0f} simulations, ") + f"{player['seconds_per_move']:.3f} s"
