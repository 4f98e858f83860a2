"""`montego train`: learn the knowledge that players use."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from montego.cli.progress import Progress
from montego.cli.waiting import compiling
from montego.learn.td import TdSettings, Training, TrainingError, curve_of
from montego.shape import SETS, WINDOWS, ShapeValue


@click.group("train")
def command() -> None:
    """Learn from self-play what players use as knowledge.

    \b
      montego train rlgo --to weights.npz                   # a million games: some seven minutes on two cores
      montego train rlgo --to weights.npz --games 2000000   # goes on where it stopped
      montego train curve weights.npz                       # the learning curve, PNG and SVG
    """


_DEFAULTS = TdSettings()


def _option(field: str, kind: Any, text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(f"--{field}", type=kind, default=getattr(_DEFAULTS, field), show_default=True, help=text)


@command.command("rlgo")
@click.option(
    "--to",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file of weights. If it is there, the training goes on from it.",
)
@_option("size", int, "Board size.")
@_option("games", int, "Of self-play.")
@_option("alpha", float, "Step of learning, divided by the number of active features.")
@_option("halving", int, "Games after which the step is half of α: α / (1 + games/halving); 0: it stays.")
@_option("epsilon", float, "Share of moves played at random.")
@_option("decay", float, "λ of TD(λ); 0: TD(0).")
@_option("plies", int, "From a state to the one it learns from: 1, or 2 for the same side to move.")
@_option("komi", float, "Points White starts with.")
@_option("windows", click.Choice(list(WINDOWS)), "Rectangles: 1×1, 2×2, 3×3, or all up to 3×3.")
@_option("sets", click.Choice(SETS), "Weights that depend on the location, that do not, or both.")
@_option("streams", int, "Games at a time, one a core. Another number, other games.")
@_option("block", int, "Games of a stream between two mergings of the weights.")
@_option("every", int, "Games between two checkpoints.")
@_option("seed", int, "Another seed, other games.")
@_option("start", str, "A file of weights to start from, also of another board size.")
def rlgo(path: Path, **settings: Any) -> None:
    """Learn RLGO's value function by temporal differences (Gelly & Silver 2007 §4).

    The greedy learner is tested against the default policies at every checkpoint. Nothing is lost when the training is
    stopped but what came after the last checkpoint, and the same command goes on to the same weights.
    """
    wanted = TdSettings(**settings)
    training = Training.resumed(path, wanted) if path.exists() else Training(wanted)
    if training.games >= wanted.games:
        click.echo(f"montego: {path} has learned from {training.games} games already", err=True)
        return
    with compiling("the learner's kernels"):
        training.test("uniform", 2)
    progress = Progress(wanted.games, training.games, to="learn from")
    start, before, said = time.monotonic(), training.games, ""

    def news(training: Training) -> None:
        speed = (training.games - before) / (time.monotonic() - start)
        progress.show(training.games, f"{speed:,.0f} games/s{said}")

    def checked(training: Training) -> None:
        nonlocal said
        last = training.curve[-1]
        wins = ", ".join(f"{rate:.1%} against {policy}" for policy, rate in last.wins.items())
        said = f", TD error {last.error:.4f}, wins {wins}"

    try:
        training.run(path, news, checked)
    finally:
        progress.close()
    click.echo(f"{path}: {training.games} games{said}")


@command.command("curve")
@click.argument("path", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--to", "stem", type=click.Path(path_type=Path), help="The pictures.  [default: beside the file]")
def curve(path: Path, stem: Path | None) -> None:
    """Draw the learning curve of a file of weights."""
    from montego.learn.curves import plot_curve

    points = curve_of(ShapeValue.load(path))
    if not points:
        raise TrainingError(f"{path} tells no learning curve; accepted: a file of `montego train rlgo`")
    for written in plot_curve(points, stem or path.with_suffix("")):
        click.echo(written)
