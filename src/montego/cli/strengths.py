"""`montego train mm`, `balance` and `label`: strengths of move features, from games and from an oracle."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from montego.cli.progress import Progress
from montego.cli.waiting import compiling
from montego.learn.balancing import BalanceSettings, Balancing, rehearse
from montego.learn.labelling import LabelSettings, label_positions
from montego.learn.mm import MmSettings, MmTraining
from montego.learn.sources import Source, found_files, labels, sources

_MM = MmSettings()
SHOWN_REFUSALS = 3


Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def to(text: str) -> Option:
    kind = click.Path(path_type=Path, dir_okay=False, writable=True)
    return click.option("--to", "--out", "path", type=kind, required=True, callback=_in_a_folder, help=text)


def _in_a_folder(_context: click.Context, _parameter: click.Parameter, path: Path) -> Path:
    """Refuse a file that could not be written, before any work."""
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise click.BadParameter(f"nothing can be written into {path.parent}; accepted: a file in a folder of yours")
    return path


def existing(name: str, text: str, **more: Any) -> Option:
    return click.option(name, type=click.Path(path_type=Path, exists=True), help=text, **more)


_without = existing(
    "--without", "A file of labelled positions whose games are left out.  [default: those of `lab suite`]"
)


def left_out(without: Path | None) -> Path | None:
    """Labelled positions whose games are not learned from: if none are named, those that policies are measured with."""
    from montego.lab.home import find_home
    from montego.lab.suite import FOLDER, POSITIONS

    if without:
        return without
    path = find_home().experiments / FOLDER / POSITIONS
    return path if path.is_file() else None


def read_sources(
    games: tuple[Path, ...], sizes: Sequence[int], by: tuple[str, ...], without: Path | None
) -> list[Source]:
    """All games that are named; what cannot be read is told."""
    refused: list[str] = []
    found = list(sources(games, sizes, by, without, refused.append))
    for why in refused[:SHOWN_REFUSALS]:
        click.echo(f"montego: left out: {why}", err=True)
    if len(refused) > SHOWN_REFUSALS:
        click.echo(f"montego: {len(refused)} files are left out in all", err=True)
    return found


@click.command("mm")
@to("The file of strengths. If it is there, the training goes on from it.")
@existing("--games", "SGF files, lines of JSON of a match, labelled positions, or folders of them.", multiple=True,
          required=True)  # fmt: skip
@click.option("--by", multiple=True, help="Learn only from players with this text in their name.")
@_without
@click.option("--size", "sizes", type=int, multiple=True, default=_MM.sizes, show_default=True,
              help="Board size; may be given several times.")  # fmt: skip
@click.option("--iterations", type=int, default=_MM.iterations, show_default=True, help="Over all moves.")
@click.option("--test", type=float, default=_MM.test, show_default=True, help="Share of the games to test with.")
@click.option("--every", type=int, default=_MM.every, show_default=True, help="Iterations between two checkpoints.")
@click.option("--harvest", type=int, default=_MM.harvest, show_default=True,
              help="Learn large patterns that were seen so often; 0: none.")  # fmt: skip
@click.option("--prior", type=float, default=_MM.prior, show_default=True,
              help="Wins and losses that a large pattern begins with.")  # fmt: skip
def mm(path: Path, games: tuple[Path, ...], by: tuple[str, ...], without: Path | None, **settings: Any) -> None:
    """Learn strengths of move features by minorisation–maximisation (Coulom 2007).

    \b
      montego train mm --games experiments --by gnugo --to strengths.npz
      montego lab suite policy:boltzmann:strengths=strengths.npz

    Told is how likely the moves of games are that were not learned from, and how many of them come first. Nothing is
    lost when the training is stopped but what came after the last checkpoint, and the same command goes on to the same
    strengths.
    """
    wanted = MmSettings(**settings)
    with compiling("the features' kernels"):
        names = [file.name for file in found_files(games)]
        without = left_out(without)
        told = {"files": sorted(set(names)), "by": list(by), "without": without.name if without else None}
        training = MmTraining(wanted, read_sources(games, wanted.sizes, by, without), told)
    if path.exists():
        training.resume(path)
    if training.iteration >= wanted.iterations:
        click.echo(f"montego: {path} has gone through {training.iteration} iterations already", err=True)
        return
    moves, tested = len(training.played[0]), len(training.others[0])
    click.echo(f"montego: {moves} moves of {training.games} games to learn from, {tested} to test with", err=True)
    click.echo(f"montego: {len(training.large)} large patterns", err=True)
    progress = Progress(wanted.iterations, training.iteration, "iterations", "go through")

    def news(training: MmTraining) -> None:
        progress.show(training.iteration, f"{training.curve[-1].tested['tree']:.4f}" if training.curve else "")

    try:
        training.run(path, news, lambda _: None)
    finally:
        progress.close()
    click.echo(f"{path}: {training.iteration} iterations")
    for name, evidence in training.curve[-1].tested.items():
        ranks = training.curve[-1].ranks[name]
        first, fifth, last = ranks[0], ranks[4], ranks[-1]
        told_ranks = f"{first:.1%} first, {fifth:.1%} among five, {last:.1%} among {len(ranks)}"
        click.echo(f"  {name} set: log-evidence {evidence:.4f} a move; predicted {told_ranks}")


def _balance_option(field: str, kind: Any, text: str) -> Option:
    default = getattr(BalanceSettings(), field)
    return click.option(f"--{field.replace('_', '-')}", field, type=kind, default=default, show_default=True, help=text)


@click.command("balance")
@to("The file of strengths. If it is there, the training goes on from it.")
@existing("--positions", "Labelled positions: files that `montego train label` wrote.", multiple=True, required=True)
@_without
@_balance_option("size", int, "Board size.")
@_balance_option("start", str, "Strengths to start from: shipped ones or a file.")
@_balance_option("passes", int, "Over all positions.")
@_balance_option("alpha", float, "Step α.")
@_balance_option("halving", int, "Blocks after which the step is half of α: α / (1 + blocks/halving); 0: it stays.")
@_balance_option("playouts", int, "M: playouts of a position for its value.")
@_balance_option("scored", int, "N: playouts for the gradient.")
@_balance_option("block", int, "Positions between two changes of the strengths.")
@_balance_option("test", float, "Share of the games whose positions are tested with.")
@_balance_option("test_playouts", int, "Playouts of each of these.")
@_balance_option("streams", int, "Positions at a time, one a core; the result is the same.")
@_balance_option("seed", int, "Another seed, other playouts.")
def balance(path: Path, positions: tuple[Path, ...], without: Path | None, **settings: Any) -> None:
    """Adjust strengths so that playouts come out as an oracle says (Silver & Tesauro 2009; Huang et al. 2010).

    \b
      montego train label --games games --to positions.jsonl
      montego train balance --positions positions.jsonl --to balanced.npz

    Told is the squared error of the playouts' mean over positions of games that were not learned from. Nothing is lost
    when the training is stopped but what came after the last checkpoint, and the same command goes on to the same
    strengths.
    """
    wanted = BalanceSettings(**settings)
    without = left_out(without)
    skipped = {label.name for label in labels(without)} if without else set()
    read = [label for file in positions for label in labels(file)]
    found = [label for label in read if label.name not in skipped]
    if without and len(found) < len(read):
        click.echo(f"montego: left out: {len(read) - len(found)} positions of games in {without.name}", err=True)
    told = {"files": sorted(file.name for file in positions), "without": without.name if without else None}
    training = Balancing(wanted, found, told)
    if path.exists():
        training.resume(path)
    if training.blocks >= training.total:
        click.echo(f"montego: {path} has gone through {training.curve[-1].passes} passes already", err=True)
        return
    with compiling("the learner's kernels"):
        rehearse(wanted, training.learned[0])
    count, tested = len(training.learned), len(training.tested)
    click.echo(f"montego: {count} positions to learn from, {tested} to test with", err=True)
    progress = Progress(training.total, training.blocks, "blocks", "learn")

    def last() -> str:
        if not training.curve:
            return ""
        point = training.curve[-1]
        learned = "" if point.learned is None else f"squared error {point.learned:.4f}, "
        return f"{learned}tested {point.tested:.4f}, {point.length:.1f} moves a playout"

    try:
        training.run(path, lambda _: progress.show(training.blocks, last()), lambda _: None)
    finally:
        progress.close()
    click.echo(f"{path}: {wanted.passes} passes, {last()}")


_LABELS = LabelSettings()


@click.command("label")
@to("The file of labelled positions. If it is there, what is missing is added.")
@existing("--games", "SGF files, lines of JSON of a match, or folders of them.", multiple=True, required=True)
@click.option("--size", type=int, default=_LABELS.size, show_default=True, help="Board size.")
@click.option("--positions", type=int, default=_LABELS.positions, show_default=True, help="How many.")
@click.option("--each", type=int, default=_LABELS.each, show_default=True, help="Of a game.")
@click.option("--player", default=_LABELS.player, show_default=True, help="The oracle: a player that searches.")
@click.option("--simulations", type=int, default=_LABELS.simulations, show_default=True, help="Of a search.")
@click.option("--sharpness", type=float, default=_LABELS.sharpness, show_default=True, help="k in σ(k · logit V).")
@click.option("--seed", type=int, default=_LABELS.seed, show_default=True, help="Another seed, other positions.")
def label(path: Path, games: tuple[Path, ...], **settings: Any) -> None:
    """Label positions of games with the values of deep searches, for `montego train balance`."""
    wanted = LabelSettings(**settings)
    found = read_sources(games, [wanted.size], (), None)
    progress = Progress(wanted.positions, 0, "positions", "label")
    try:
        count = label_positions(path, found, wanted, progress.show)
    finally:
        progress.close()
    click.echo(f"{path}: {count} positions")
