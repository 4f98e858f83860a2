"""`montego lab`: the papers' tables and figures from games really played."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from montego.arena.match import Series
from montego.arena.play import MOST_JOBS, prepare
from montego.arena.settings import MOST_GAMES
from montego.cli.conditions import series_progress, stop_here
from montego.cli.waiting import compiling
from montego.lab.experiment import Experiment
from montego.lab.home import Home, find_home
from montego.lab.results import Results, open_store, results_of

_NAMES = click.argument("experiments", nargs=-1)
_FOLDER = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where experiments and results are.  [default: the checkout; for an installed package ./montego-lab]",
)


@click.group("lab")
def command() -> None:
    """The papers' tables and figures, redrawn from games really played.

    An experiment has a name such as gelly-silver-2007/table-2; the name of a paper means all of its experiments, no
    name means all. Games that are there are never played again: `run` plays what is missing, and more if more are
    asked for.

    \b
      montego lab list                                      # what there is, and how many games are missing
      montego lab run gelly-silver-2007/table-2             # play what is missing
      montego lab run gelly-silver-2007 --games 1000        # more of each
      montego lab table gelly-silver-2007/table-2           # published and ours, side by side
      montego lab plot gelly-silver-2011/figure-7           # PNG and SVG
      montego lab report                                    # the whole page, with all figures
      montego lab suite policy:mogo house                   # opinions against labelled positions
      montego lab tactics house mogo-2007                   # problems solved, by theme
    """


@command.command("list")
@_FOLDER
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each experiment.")
def list_(folder: Path | None, as_json: bool) -> None:
    """The experiments, with the games they have and the games they want."""
    home = find_home(folder)
    for experiment, results in _results(home, home.all()):
        have, want = results.games, sum(p.match.games for p in experiment.points if p.kind == "match")
        if as_json:
            told = {"name": experiment.name, "title": experiment.title, "source": experiment.source}
            click.echo(json.dumps({**told, "games": have, "wanted": want}))
        else:
            count = f"{have} of {want} games" if want else "measurements"
            click.echo(f"{experiment.name:<40} {count:>20}  {experiment.title}")


def _results(home: Home, experiments: Sequence[Experiment]) -> list[tuple[Experiment, Results]]:
    store = open_store(home.all())
    return [(experiment, results_of(experiment, store)) for experiment in experiments]


@command.command("run")
@_NAMES
@_FOLDER
@click.option("--games", type=click.IntRange(1, MOST_GAMES), help="Of each point, instead of the experiment's number.")
@click.option("--point", "points", multiple=True, help="Only this point of the experiment; may be given several times.")
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), default=2, show_default=True, help="Games at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def run(
    experiments: tuple[str, ...],
    folder: Path | None,
    games: int | None,
    points: tuple[str, ...],
    jobs: int,
    as_json: bool,
) -> None:
    """Play and measure what is missing. Ctrl-C stops; nothing is lost."""
    from montego.lab.run import missing_measurements, playable, run_games, run_measurements, wanted_series

    home = find_home(folder, writing=True)
    chosen = home.chosen(experiments)
    with open_store(home.all(), home.database) as store:
        wanted = wanted_series(chosen, store, games, points)
        series = playable(wanted, lambda text: click.echo(f"montego: {text}", err=True))
        finished = _play(chosen, store, series, jobs, run_games) if series else True
    if not finished:
        stop_here(series)
    for experiment in chosen:
        missing = missing_measurements(experiment, points)
        if any(point.kind == "speed" for point in missing):
            click.echo(f"montego: {experiment.name} measures speeds; let nothing else run", err=True)
        run_measurements(experiment, missing, lambda p: click.echo(f"montego: measuring {p.label}", err=True))
    played = {s.pairing.hash: len(s.played) for s in series}
    if as_json:
        click.echo(json.dumps({"matches": played, "missing": sum(len(s.missing) for s in series)}))


def _play(chosen: Sequence[Experiment], store: Any, series: Sequence[Series], jobs: int, run_games: Any) -> bool:
    with compiling("the players' kernels"):
        prepare([one.match for one in series], series[0].making, ours=True)
    with series_progress(series) as news:
        finished: bool = run_games(chosen, store, series, jobs, news)
    return finished


@command.command("table")
@_NAMES
@_FOLDER
def table(experiments: tuple[str, ...], folder: Path | None) -> None:
    """Published figures and ours, side by side, on the terminal."""
    from montego.lab.report import as_terminal

    home = find_home(folder)
    for experiment, results in _results(home, home.chosen(experiments)):
        click.echo(as_terminal(experiment, results))


@command.command("plot")
@_NAMES
@_FOLDER
@click.option(
    "--to", "target", type=click.Path(path_type=Path, file_okay=False), help="Folder of the pictures.  [default: .]"
)
def plot(experiments: tuple[str, ...], folder: Path | None, target: Path | None) -> None:
    """The figures, as PNG and SVG files."""
    from montego.lab.report import draw_figures

    home = find_home(folder)
    written = [
        path
        for experiment, results in _results(home, home.chosen(experiments))
        for path in draw_figures(experiment, results, target or Path())
    ]
    for path in written:
        click.echo(path)
    if not written:
        click.echo("montego: these experiments have no figures, only tables", err=True)
        sys.exit(1)


@command.command("report")
@_FOLDER
@click.option("--check", is_flag=True, help="Write nothing; fail if the page is not what the games say.")
def report(folder: Path | None, check: bool) -> None:
    """Write the page of all results, its figures, and the tables in the experiments' own pages."""
    from montego.lab.report import check_report, write_report

    home = find_home(folder, writing=not check)
    if check:
        check_report(home)
        return
    for path in write_report(home):
        click.echo(path)


@command.command("suite")
@click.argument("subjects", nargs=-1, required=True)
@_FOLDER
@click.option(
    "--simulations",
    type=click.IntRange(1, 10_000_000),
    default=1000,
    show_default=True,
    help="Of a player, or playouts of a policy, for each position.",
)
@click.option("--positions", type=click.IntRange(1), help="Only the first so many.  [default: all]")
@click.option("--tuning", is_flag=True, help="Positions of other games, to tune on: the suite stays for the report.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other simulations.")
@click.option("--calibration", is_flag=True, help="Also tell what the labels are where the subject gives a value.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each subject.")
def suite(
    subjects: tuple[str, ...],
    folder: Path | None,
    simulations: int,
    positions: int | None,
    tuning: bool,
    seed: int,
    calibration: bool,
    as_json: bool,
) -> None:
    """Measure opinions against 240 positions labelled by a strong program.

    A subject is a default policy (policy:mogo), a heuristic for new nodes (heuristic:handcrafted), or a player as
    elsewhere (house, mogo-2007:bias=0.01). Told are the mean squared error of its value for Black, as in Gelly &
    Silver 2007, Figure 3; the mean rank it gives to the best move, and how often that comes first.

    \b
      montego lab suite policy:uniform policy:mogo
      montego lab suite house mogo-2007 --simulations 3000 --calibration
    """
    from montego.cli.suite import measure, show
    from montego.lab.suite import POSITIONS, TUNING, load_suite, subject_of

    chosen = load_suite(find_home(folder).experiments, TUNING if tuning else POSITIONS)[:positions]
    asked = [(spec, subject_of(spec, simulations, seed)) for spec in subjects]
    measured = measure(asked, chosen)
    if not as_json:
        show(list(measured), calibration)
        return
    for (spec, summary), (_, subject) in zip(measured, asked, strict=True):
        limit = subject.configuration["simulations"]
        click.echo(json.dumps({"subject": spec, "simulations": limit, "seed": seed, **asdict(summary)}))


@command.command("tactics")
@click.argument("players", nargs=-1, required=True)
@_FOLDER
@click.option(
    "--simulations",
    type=click.IntRange(1, 10_000_000),
    default=3000,
    show_default=True,
    help="For each problem.",
)
@click.option("--theme", "themes", multiple=True, help="Only this theme; may be given several times.  [default: all]")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other simulations.")
@click.option("--failed", is_flag=True, help="Also tell the titles of the problems that were not solved.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each player.")
def tactics(
    players: tuple[str, ...],
    folder: Path | None,
    simulations: int,
    themes: tuple[str, ...],
    seed: int,
    failed: bool,
    as_json: bool,
) -> None:
    """Count the problems of the tactics collection that players solve.

    Each problem is a whole board on which one fight decides the game: nakade, races, sekis, life and death, kos,
    ladders and nets. It is solved by choosing one of the moves that win.

    \b
      montego lab tactics house mogo-2006
      montego lab tactics house --theme seki --simulations 20000 --failed
    """
    from montego.cli.tactics import ask, show
    from montego.lab.tactics import load_problems, of_themes, shares_of
    from montego.players import player

    asked = [(spec, player(spec, simulations=simulations, seed=seed)) for spec in players]
    answers = ask(asked, of_themes(load_problems(find_home(folder).experiments), themes))
    if not as_json:
        show(list(answers), failed)
        return
    for (spec, judged), (_, its) in zip(answers, asked, strict=True):
        told = {theme: asdict(share) for theme, share in shares_of(judged).items()}
        limit = its.describe()["simulations"]
        click.echo(json.dumps({"player": spec, "simulations": limit, "seed": seed, "themes": told}))
