"""The work of `montego lab suite`: subjects asked about the labelled positions, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from montego.cli.progress import Progress
from montego.lab.parts import Table
from montego.lab.suite import Labelled, Subject, Summary, judge, summary_of


def measure(subjects: Sequence[tuple[str, Subject]], suite: Sequence[Labelled]) -> Iterator[tuple[str, Summary]]:
    """Each subject with its summary, one after another; how far it is goes to stderr."""
    progress, done = Progress(len(suite) * len(subjects), what="positions", to="judge"), 0
    for spec, subject in subjects:
        judged = []
        for position in suite:
            judged.append(judge(position, subject.ask(position.game)))
            done += 1
            progress.show(done, spec)
        yield spec, summary_of(judged)
    progress.close()


def show(measured: Sequence[tuple[str, Summary]], calibration: bool) -> None:
    """Print one table, and one more for each subject's calibration."""
    columns = ["subject", "squared error", "±", "calibrated", "±", "slope", "rank of the best move", "first"]
    cells = [[spec, *_cells(summary)] for spec, summary in measured]
    click.echo(Table(columns, cells).text())
    for spec, summary in measured if calibration else ():
        bins = [
            [f"{low:.1f} … {high:.1f}", str(n), f"{value:.2f}", f"{label:.2f}"]
            for low, high, n, value, label in summary.calibration
        ]
        click.echo("\n" + Table([spec, "positions", "its mean value", "mean label"], bins).text())


def _cells(summary: Summary) -> list[str]:
    errors = (summary.mse, summary.mse_error, summary.calibrated, summary.calibrated_error)
    best = (f"{summary.mean_rank:.1f}", f"{summary.first:.1%}")
    return [*(f"{error:.4f}" for error in errors), f"{summary.slope:.1f}", *best]
