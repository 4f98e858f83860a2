"""`montego train mm`: strengths of move features, learned from games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from montego.cli.progress import Progress
from montego.cli.waiting import compiling
from montego.learn.mm import MmSettings, MmTraining, curve_of
from montego.learn.sources import Source, found_files, sources
from montego.patterns.files import KnowledgeError
from montego.patterns.strength_files import load_strengths

_MM = MmSettings()
SHOWN_REFUSALS = 3


Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def to(text: str) -> Option:
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option("--to", "--out", "path", type=kind, required=True, help=text)


def existing(name: str, text: str, **more: Any) -> Option:
    return click.option(name, type=click.Path(path_type=Path, exists=True), help=text, **more)


def read_sources(games: tuple[Path, ...], size: int, by: tuple[str, ...], without: Path | None) -> list[Source]:
    """All games that are named; what cannot be read is told."""
    refused: list[str] = []
    found = list(sources(games, size, by, without, refused.append))
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
@existing("--without", "A file of labelled positions whose games are left out.")
@click.option("--size", type=int, default=_MM.size, show_default=True, help="Board size.")
@click.option("--iterations", type=int, default=_MM.iterations, show_default=True, help="Over all moves.")
@click.option("--test", type=float, default=_MM.test, show_default=True, help="Share of the games to test with.")
@click.option("--every", type=int, default=_MM.every, show_default=True, help="Iterations between two checkpoints.")
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
        told = {"files": sorted(set(names)), "by": list(by)}
        training = MmTraining(wanted, read_sources(games, wanted.size, by, without), told)
    if path.exists():
        training.resume(path)
    if training.iteration >= wanted.iterations:
        click.echo(f"montego: {path} has gone through {training.iteration} iterations already", err=True)
        return
    moves, tested = len(training.played[0]), len(training.others[0])
    click.echo(f"montego: {moves} moves of {training.games} games to learn from, {tested} to test with", err=True)
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


def draw_strengths(path: Path, stem: Path) -> list[Path]:
    """The learning curve of a file of strengths, drawn; nothing if it is no such file."""
    from montego.learn.curves import plot_mm

    try:
        provenance = load_strengths(path)[1]
    except KnowledgeError:
        return []
    return plot_mm(curve_of(provenance), stem)
