"""`montego tournament`: many players meet, and are rated."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from montego.arena.contestants import make
from montego.arena.match import Series
from montego.arena.ratings import Ratings, fit
from montego.arena.settings import MOST_GAMES, MatchError
from montego.arena.tournament import SHAPES, anchor_of, matches, meetings
from montego.cli.conditions import asked_for, conditions, game_options, keep, play_with_progress, stop_here
from montego.cli.figures import counts, percent, percents
from montego.go.errors import MontegoError, shown


@click.command("tournament")
@click.argument("players", nargs=-1)
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=20, show_default=True, help="Of each pair.")
@click.option("--shape", type=click.Choice(SHAPES), default="round-robin", show_default=True, help="Who meets whom.")
@click.option("--anchor", metavar="PLAYER=ELO", help="Who fixes the scale.  [default: gnugo:level=10=1800, if there]")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the ratings: FILE.png and FILE.svg.")
@game_options
def command(
    as_json: bool,
    jobs: int,
    record: Path | None,
    resume: Path | None,
    anchor: str | None,
    plot: Path | None,
    **settings: Any,
) -> None:
    """Let many players meet, and rate them.

    PLAYERS are specs as `montego match` takes them, each with limits of its own if you like. In a round robin all
    meet; in a gauntlet the first meets each of the others. Ratings are by maximum likelihood (Davidson's model: draws
    and the advantage of a colour are estimated too), with 95 % errors.

    \b
      montego tournament house mogo-2007 gnugo:level=10 --games 50 --simulations 3000 --record t.db
      montego tournament house gnugo:level=0 gnugo:level=5 --shape gauntlet --plot ladder
      montego tournament --resume t.db
    """
    wanted = read_anchor(anchor)
    all_series = _all_series(record, resume, settings)
    anchor_of(_names(all_series), wanted)  # refuses an anchor that does not play
    stopped = not play_with_progress(all_series, jobs)
    pairs = [_pair(series) for series in all_series]
    ratings, why = _rate([series for series in all_series if series.tally().games], wanted)
    if as_json:
        click.echo(json.dumps({"matches": pairs, "ratings": ratings and ratings.to_dict(), "stopped": stopped}))
    else:
        click.echo("\n".join([*map(_line, pairs), "", ratings.table() if ratings else why]))
    if plot and ratings:
        draw(ratings, plot)
    if stopped:
        stop_here(all_series)
    if ratings is None:
        sys.exit(1)


def _names(all_series: Iterable[Series]) -> set[str]:
    return {name for series in all_series for name in (series.match.a, series.match.b)}


def _rate(played: list[Series], wanted: tuple[str, float] | None) -> tuple[Ratings | None, str]:
    """The ratings, or why there are none: the games stand all the same."""
    if not played:
        return None, "no game has counted"
    try:
        return fit(meetings(played), anchor_of(_names(played), wanted)), ""
    except MontegoError as error:
        return None, f"no ratings: {error}"


def draw(ratings: Ratings, stem: Path) -> None:
    """Write the pictures of ratings."""
    from montego.arena.plots import plot_ratings

    try:
        plot_ratings(ratings, stem)
    except OSError as error:
        raise MatchError(
            f"cannot write the picture {shown(str(stem))}: {error}; accepted: a name in a folder"
        ) from None


def read_anchor(text: str | None) -> tuple[str, float] | None:
    if text is None:
        return None
    name, _, elo = text.rpartition("=")
    try:
        if name and math.isfinite(float(elo)):
            return name, float(elo)
    except ValueError:
        pass
    raise MatchError(f"the anchor is {shown(text)}; accepted: PLAYER=ELO, as in gnugo:level=10=1800")


def _all_series(record: Path | None, resume: Path | None, settings: dict[str, Any]) -> list[Series]:
    settings = conditions(asked_for("tournament", resume, settings))
    run = {"kind": "tournament", **settings}
    specs = settings.pop("players")
    games = matches(specs, settings.pop("shape"), settings.pop("games"), **settings)
    all_series = [Series(match, None, make) for match in games]
    keep(all_series, resume or record, run)
    return all_series


def _pair(series: Series) -> dict[str, Any]:
    report = series.report()
    kept = ("games", "wins", "losses", "draws", "forfeits", "void", "unknown", "rate", "interval", "elo", "problems")
    return {"a": series.match.a, "b": series.match.b, **{name: report[name] for name in kept}}


def _line(pair: dict[str, Any]) -> str:
    text = f"{pair['a']} – {pair['b']}: {counts(pair)}"
    if pair["games"]:
        text += f", {percent(pair['rate'])} ({percents(pair['interval'])})"
    lost = [f"{pair[name]} {name}" for name in ("void", "unknown") if pair[name]]
    return ", ".join([text, *lost])
