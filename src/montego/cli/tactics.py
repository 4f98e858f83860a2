"""The work of `montego lab tactics`: players asked about the problems of the collection, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from montego.cli.progress import Progress
from montego.lab.parts import Table
from montego.lab.tactics import Problem, Share, shares_of, solves

Judged = list[tuple[Problem, bool]]


def ask(players: Sequence[tuple[str, Any]], problems: Sequence[Problem]) -> Iterator[tuple[str, Judged]]:
    """Each player with what it solved, one after another; how far it is goes to stderr."""
    progress, done = Progress(len(problems) * len(players), what="problems", to="solve"), 0
    for spec, asked in players:
        judged = []
        for problem in problems:
            judged.append((problem, solves(asked, problem)))
            done += 1
            progress.show(done, spec)
        yield spec, judged
    progress.close()


def show(answers: Sequence[tuple[str, Judged]], failed: bool) -> None:
    """Print one table with a column for each theme, and the titles that were not solved where asked for."""
    shares = [(spec, shares_of(judged)) for spec, judged in answers]
    themes = list(shares[0][1])
    click.echo(
        Table(["player", *themes], [[spec, *(_cell(told[theme]) for theme in themes)] for spec, told in shares]).text()
    )
    for spec, judged in answers if failed else ():
        titles = [f"  {problem.theme}: {problem.title}" for problem, solved in judged if not solved]
        click.echo("\n".join([f"\n{spec} does not solve", *(titles or ["  (nothing left)"])]))


def _cell(share: Share) -> str:
    return f"{share.solved} of {share.positions}"
