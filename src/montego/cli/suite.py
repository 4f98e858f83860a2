"""`montego lab suite`: opinions measured against the labelled positions."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from montego.cli.progress import Progress
from montego.lab.home import find_home
from montego.lab.parts import Table


@click.command("suite")
@click.argument("subjects", nargs=-1, required=True)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where experiments and results are.  [default: as for the other lab commands]",
)
@click.option(
    "--simulations",
    type=click.IntRange(1, 10_000_000),
    default=1000,
    show_default=True,
    help="Of a player, or playouts of a policy, for each position.",
)
@click.option("--positions", type=click.IntRange(1), help="Only the first so many.  [default: all]")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other simulations.")
@click.option("--calibration", is_flag=True, help="Also tell what the labels are where the subject gives a value.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each subject.")
def command(
    subjects: tuple[str, ...],
    folder: Path | None,
    simulations: int,
    positions: int | None,
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
    from montego.lab.suite import judge, load_suite, subject_of, summary_of

    suite = load_suite(find_home(folder).experiments)[:positions]
    asked = [(spec, subject_of(spec, simulations, seed)) for spec in subjects]
    progress = Progress(len(suite) * len(asked), what="positions", to="judge")
    rows, done = [], 0
    for spec, subject in asked:
        judged = []
        for position in suite:
            judged.append(judge(position, subject(position.game)))
            done += 1
            progress.show(done, spec)
        summary = summary_of(judged)
        if as_json:
            click.echo(json.dumps({"subject": spec, "simulations": simulations, "seed": seed, **asdict(summary)}))
        rows.append((spec, summary))
    progress.close()
    if as_json:
        return
    columns = ["subject", "squared error", "±", "rank of the best move", "first"]
    cells = [[s, f"{m.mse:.4f}", f"{m.mse_error:.4f}", f"{m.mean_rank:.1f}", f"{m.first:.1%}"] for s, m in rows]
    click.echo(Table(columns, cells).text())
    if calibration:
        for spec, summary in rows:
            bins = [
                [f"{low:.1f} … {high:.1f}", str(n), f"{value:.2f}", f"{label:.2f}"]
                for low, high, n, value, label in summary.calibration
            ]
            click.echo("\n" + Table([spec, "positions", "its mean value", "mean label"], bins).text())
