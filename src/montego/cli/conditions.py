"""What `montego match` and `montego tournament` share: the conditions of games, and the playing of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from montego.arena.contestants import is_outside
from montego.arena.match import Series
from montego.arena.play import MOST_JOBS, play, prepare
from montego.arena.settings import BALANCED, MOST_THREADS, MatchError
from montego.arena.store import Store
from montego.cli.figures import percent, percents
from montego.cli.progress import Progress
from montego.cli.waiting import compiling
from montego.go.rules import RULES

KINDS = ("match", "tournament")
SIMULATIONS = 1000
"""For each move, if neither simulations nor seconds are given."""

_CONDITIONS = (
    click.option("--simulations", type=int, help=f"Of our players for each move.  [default: {SIMULATIONS}]"),
    click.option("--seconds", type=float, help="For each move, instead of simulations."),
    click.option("--size", type=click.IntRange(2, 19), default=9, show_default=True, help="Board size."),
    click.option("--komi", type=float, default=7.5, show_default=True, help="Points White starts with."),
    click.option("--rules", type=click.Choice(list(RULES)), default="chinese", show_default=True, help="Rule set."),
    click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other games."),
    click.option(
        "--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True, help="Of each player of ours."
    ),
    click.option(
        "--resign",
        type=float,
        default=0.05,
        show_default=True,
        help="A player of ours whose chance to win stays below this resigns; 0: never.",
    ),
    click.option(
        "--openings",
        metavar="balanced|FILE",
        help="Begin each pair of games with an opening: fair ones made for it, or the lines of a file (E5 C3 …).",
    ),
    click.option(
        "--scoring",
        default="agreement",
        show_default=True,
        help="Who says how a game is counted: agreement of both, board (stones as they stand), or a referee: gnugo.",
    ),
    click.option(
        "--answer-seconds", type=float, default=300.0, show_default=True, help="After that another program has failed."
    ),
)
_KEEPING = (
    click.option("--jobs", type=click.IntRange(1, MOST_JOBS), default=2, show_default=True, help="Games at a time."),
    click.option(
        "--record",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Keep the games in this database; the same command again goes on where it stopped.",
    ),
    click.option(
        "--resume",
        type=click.Path(path_type=Path, dir_okay=False, exists=True),
        help="Go on with what was asked for when this database was last written.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
)


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how games are played and where they are kept."""
    for option in reversed(_KEEPING):
        command = option(command)
    return condition_options(command)


def condition_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how games are played."""
    for option in reversed(_CONDITIONS):
        command = option(command)
    return command


def asked_for(kind: str, resume: Path | None, settings: dict[str, Any]) -> dict[str, Any]:
    """What is to be played: what the command line says, or what a database remembers."""
    if resume is None:
        return settings
    context = click.get_current_context()
    given = [
        name for name in ("record", *settings) if context.get_parameter_source(name) == ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"--resume goes on as asked before, and {given[0]} is given; leave it out")
    with Store(resume) as store:
        before = store.remembered()
    found = before.pop("kind", None)
    if found in KINDS and found != kind:
        raise MatchError(f"{resume} holds a {found}; accepted: montego {found} --resume {resume}")
    if found != kind or not set(before) <= set(settings):
        raise MatchError(f"{resume} holds no run to go on with; accepted: a file of --record")
    return {**settings, **before}


def keep(series: Sequence[Series], file: Path | None, run: dict[str, Any]) -> None:
    """Keep games in a database, and what was asked for, until the command ends."""
    if file:
        store = Store(file)
        click.get_current_context().call_on_close(store.close)
        for one in series:
            one.keep_in(store)
        store.remember(run)


def conditions(settings: dict[str, Any]) -> dict[str, Any]:
    """The options as the fields of a `Match`."""
    fields = dict(settings)
    if fields["simulations"] is None and fields["seconds"] is None:
        fields["simulations"] = SIMULATIONS
    fields["openings"] = _openings(fields["openings"])
    return fields


def _openings(source: Any) -> Any:
    if source is None or source == BALANCED or not isinstance(source, str):
        return source or ()
    try:
        lines = Path(source).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise MatchError(f"cannot read the openings in {source!r}: {error}; accepted: {BALANCED}, or a file") from None
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def play_with_progress(series: Sequence[Series], jobs: int) -> bool:
    """Play what is missing. False if it was stopped."""
    waiting = [one.match for one in series if one.missing]
    if not waiting:
        return True
    with compiling("the players' kernels"):
        prepare(waiting, series[0].making, ours=True)
    with series_progress(series) as news:
        return play(series, jobs, news)


@contextmanager
def series_progress(series: Sequence[Series]) -> Iterator[Callable[[Series], None]]:
    """A function that shows how far some matches are, to be called after each game."""
    progress = Progress(_total(series), _done(series))
    try:
        yield lambda one: progress.show(_done(series), _standing(one, len(series) > 1), _total(series))
    finally:
        progress.close()


def _done(series: Sequence[Series]) -> int:
    return sum(len(one.played) for one in series)


def _total(series: Sequence[Series]) -> int:
    return sum(len(one.played) + len(one.missing) for one in series)


def _standing(one: Series, several: bool) -> str:
    tally = one.tally()
    if tally.rate is None:
        return "none counted" if one.played else ""
    who = f"{one.match.a} against {one.match.b}" if several else "A wins"
    return f"{who} {percent(tally.rate)} ({percents(tally.interval)})"


def stop_here(series: Sequence[Series]) -> None:
    """End a command that was interrupted."""
    missing = sum(len(one.missing) for one in series)
    click.echo(f"montego: stopped after {_done(series)} of {_done(series) + missing} games", err=True)
    sys.exit(130)


def told_limit(settings: dict[str, Any], *specs: str) -> str:
    """How long a move may take, if there is a player of ours."""
    if all(is_outside(spec) for spec in specs) and not settings["seconds"]:
        return ""
    limit = f"{settings['simulations']} simulations" if settings["simulations"] else f"{settings['seconds']:g} s"
    return f", {limit} a move"
