"""`montego train`: learn the knowledge that players use."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import click

from montego.cli.progress import Progress
from montego.cli.strengths import balance, label, mm
from montego.cli.waiting import compiling
from montego.learn.indigo import IndigoTraining, rehearse, state_file
from montego.learn.indigo_settings import EXPERIMENTS, STARTS, VALUES, settings_of
from montego.learn.td import TdSettings, Training
from montego.shape import SETS, WINDOWS


@click.group("train")
def command() -> None:
    """Learn from self-play what players use as knowledge.

    \b
      montego train rlgo --to weights.npz                   # a million games: some seven minutes on two cores
      montego train rlgo --to weights.npz --games 2000000   # goes on where it stopped
      montego train indigo --to urgencies.npz               # urgencies of patterns: some ten minutes on two cores
      montego train mm --games games --to strengths.npz     # strengths of move features, from games
      montego train balance --positions positions.jsonl --to balanced.npz    # playouts that meet an oracle's values
      montego train curve weights.npz                       # the learning curve, PNG and SVG
    """


for part in (mm, balance, label):
    command.add_command(part)


_DEFAULTS = TdSettings()


def _option(field: str, kind: Any, text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(f"--{field}", type=kind, default=getattr(_DEFAULTS, field), show_default=True, help=text)


def _file(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option("--to", "path", type=click.Path(path_type=Path, dir_okay=False), required=True, help=text)


class _Learning(Protocol):
    """A training, as far as its progress is concerned."""

    games: int

    def run(self, path: Path, news: Callable[[Any], object], checked: Callable[[Any], object]) -> None: ...


def _learn(training: _Learning, path: Path, games: int, last: Callable[[], str]) -> None:
    """Run a training to its end. last: what the last checkpoint found."""
    progress = Progress(games, training.games, to="learn from")
    start, before, said = time.monotonic(), training.games, ""

    def news(training: _Learning) -> None:
        speed = (training.games - before) / (time.monotonic() - start)
        progress.show(training.games, f"{speed:,.{0 if speed >= 10 else 1}f} games/s{said}")

    def checked(_training: _Learning) -> None:
        nonlocal said
        said = f", {last()}"

    try:
        training.run(path, news, checked)
    finally:
        progress.close()
    click.echo(f"{path}: {training.games} games{said}")


@command.command("rlgo")
@_file("The file of weights. If it is there, the training goes on from it.")
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

    def last() -> str:
        found = training.curve[-1]
        wins = ", ".join(f"{rate:.1%} against {policy}" for policy, rate in found.wins.items())
        return f"TD error {found.error:.4f}, wins {wins}"

    _learn(training, path, wanted.games, last)


def _indigo_option(field: str, kind: Any, text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option whose default may depend on the experiment."""
    defaults = {name: getattr(settings_of(name), field) for name in EXPERIMENTS}
    if len(set(defaults.values())) == 1:
        told = f"{defaults['1a']}"
    else:
        told = ", ".join(f"{name}: {value}" for name, value in defaults.items())
    return click.option(f"--{field.replace('_', '-')}", field, type=kind, help=f"{text}  [default: {told}]")


@command.command("indigo")
@_file("The file of urgencies. If it is there, the training goes on from it.")
@click.option(
    "--experiment",
    type=click.Choice(list(EXPERIMENTS)),
    default="2",
    show_default=True,
    help="; ".join(f"{name}: {text}" for name, text in EXPERIMENTS.items()) + ".",
)
@_indigo_option("size", int, "Board size.")
@_indigo_option("games", int, "To learn from.")
@_indigo_option("block", int, "Games of a stream (1b: of a pair) between two changes of what is played with.")
@_indigo_option("every", int, "Games between two checkpoints.")
@_indigo_option("start", click.Choice(list(STARTS)), "The urgencies to start from.")
@_indigo_option("one_liberty", float, "Urgency of the last liberty of a string, per stone; not learned.")
@_indigo_option("k", float, "1a, 1b: U = ((1 + Q) / (1 − Q))^k.")
@_indigo_option("decay", float, "1a, 1b: λ of Q_play += λ^b Q_learn.")
@_indigo_option("komi", float, "Points White starts with.")
@_indigo_option("population", int, "1b: number of players, a power of two.")
@_indigo_option("rounds", int, "1b: opponents of a player in a generation.")
@_indigo_option("trials", int, "1b: games against each of Zero and Manual in the test of a generation.")
@_indigo_option("playouts", int, "2: for the value of a move.")
@_indigo_option("sample", int, "2: moves evaluated in a position, drawn at random; 0: all.")
@_indigo_option("opening", int, "2: first moves of a game, played at random.")
@_indigo_option("epsilon", float, "2: share of random moves later on.")
@_indigo_option("value", click.Choice(VALUES), "2: a value is the mean lead in points, or the mean of ±1.")
@_indigo_option("c", float, "2: C in exp(C (V_a − V_b)) = u_a / u_b.")
@_indigo_option("step", float, "2: α is step / √N.")
@_indigo_option("streams", int, "Games at a time, one a core. Another number, other games.")
@_indigo_option("seed", int, "Another seed, other games.")
def indigo(path: Path, experiment: str, **settings: Any) -> None:
    """Learn urgencies of 3×3 patterns for Indigo's pseudo-random players (Bouzy & Chaslot 2006 §V).

    The learner is tested against Zero and Manual at every checkpoint, and the entropy of its moves is measured: 1 for
    Zero, 0 for a player who is certain of every move. What the learner knows is kept in a second file, NAME.state.npz
    beside NAME.npz. Nothing is lost when the training is stopped but what came after the last checkpoint, and the same
    command goes on to the same urgencies.
    """
    wanted = settings_of(experiment, **settings)
    there = path.exists() or state_file(path).exists()
    training = IndigoTraining.resumed(path, wanted) if there else IndigoTraining(wanted)
    if training.games >= wanted.games:
        click.echo(f"montego: {path} has learned from {training.games} games already", err=True)
        return
    with compiling("the learner's kernels"):
        rehearse(wanted)

    def last() -> str:
        found = training.curve[-1]
        scores = ", ".join(f"{score:+.1f} against {name}" for name, score in found.score.items())
        return f"entropy {found.entropy:.2f}, score {scores}"

    _learn(training, path, wanted.games, last)


@command.command("curve")
@click.argument("path", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--to", "stem", type=click.Path(path_type=Path), help="The pictures.  [default: beside the file]")
def curve(path: Path, stem: Path | None) -> None:
    """Draw the learning curve of a file of weights, of urgencies or of strengths."""
    from montego.learn.curves import plot_file

    for written in plot_file(path, stem or path.with_suffix("")):
        click.echo(written)
