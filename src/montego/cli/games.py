"""`montego games`: what is in a database of games."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from montego.arena.jsonl import LONGEST_LINE, read_lines, write_lines
from montego.arena.match import standing, tally_of
from montego.arena.played import Pairing, Played
from montego.arena.settings import MatchError
from montego.arena.store import Store
from montego.cli.figures import counts, percent, percents

_FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))


@click.group("games")
def command() -> None:
    """Look into recorded games: the databases that `montego match --record` and `montego tournament` write.

    \b
      montego games list games.db
      montego games export games.db > games.jsonl
      montego games import games.jsonl other.db
      montego games sgf games.db --match 6d0c18 --game 3 > game.sgf
      montego games ratings games.db --plot ladder
    """


@command.command("list")
@_FILE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each match.")
def list_(file: Path, as_json: bool) -> None:
    """The matches in a database, and how they stand."""
    with Store(file) as store:
        for pairing in store.pairings():
            games = store.games(pairing)
            click.echo(json.dumps(_summary(pairing, games)) if as_json else _line(pairing, games))


def _summary(pairing: Pairing, games: list[Played]) -> dict[str, Any]:
    return {"match": pairing.hash, **pairing.conditions, **standing(tally_of(games)), "recorded": len(games)}


def _line(pairing: Pairing, games: list[Played]) -> str:
    tally, match = tally_of(games), pairing.match
    text = f"{pairing.hash}  {match.a} – {match.b}, {match.size}×{match.size}: {counts(standing(tally))}"
    if tally.rate is not None:
        text += f", {percent(tally.rate)} ({percents(tally.interval)})"
    return text + (f", {len(games) - tally.games} not counted" if len(games) > tally.games else "")


@command.command("export")
@_FILE
def export(file: Path) -> None:
    """All games as lines of JSON, on stdout."""
    with Store(file) as store:
        for line in write_lines(store):
            click.echo(line)


@command.command("import")
@click.argument("source", type=click.File("r", encoding="utf-8"))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def import_(source: Any, file: Path) -> None:
    """Take lines of JSON into a database; a game that is there already stays as it is."""
    with Store(file) as store:
        try:
            lines = iter(lambda: source.readline(LONGEST_LINE + 1), "")  # whatever is longer is refused, not read
            count = read_lines(lines, store, source.name)
        except UnicodeDecodeError as error:
            raise MatchError(f"{source.name} is no text: {error}; accepted: lines that montego wrote") from None
    click.echo(f"{count} games read", err=True)


@command.command("sgf")
@_FILE
@click.option("--match", "name", default="", help="The beginning of the match's hash; `list` shows them.")
@click.option("--game", "number", type=int, help="The number of the game; without it all games go to --folder.")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="Write MATCH-NUMBER.sgf in here.")
def sgf(file: Path, name: str, number: int | None, folder: Path | None) -> None:
    """Games as SGF files: one on stdout, or all in a folder."""
    from montego.arena.sgf import to_sgf

    with Store(file) as store:
        found = [
            (pairing, game)
            for pairing in store.pairings()
            if pairing.hash.startswith(name)
            for game in store.games(pairing)
            if number in (None, game.number)
        ]
    if not found:
        raise MatchError("there is no such game; accepted: a match and a number of `montego games list`")
    if folder is None:
        if len(found) > 1:
            raise MatchError(f"{len(found)} games are meant; accepted: --match and --game, or --folder")
        sys.stdout.buffer.write(to_sgf(*found[0]))
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for pairing, game in found:
            (folder / f"{pairing.hash}-{game.number:05}.sgf").write_bytes(to_sgf(pairing, game))
    except OSError as error:
        raise MatchError(f"cannot write in {folder}: {error}; accepted: a folder or a new name") from None
    click.echo(f"{len(found)} games written", err=True)


@command.command("ratings")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--anchor", metavar="PLAYER=ELO", help="Who fixes the scale.  [default: gnugo:level=10=1800, if there]")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw them: FILE.png and FILE.svg.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def ratings(files: tuple[Path, ...], anchor: str | None, plot: Path | None, as_json: bool) -> None:
    """Elo ratings of all players in some databases, by maximum likelihood."""
    from montego.arena.ratings import fit
    from montego.arena.tournament import anchor_of, meetings_of, name_of
    from montego.cli.tournament import draw, read_anchor

    played = []
    for file in files:
        with Store(file) as store:
            played += [(name_of(p, "a"), name_of(p, "b"), store.games(p)) for p in store.pairings()]
    met = meetings_of(played)
    fitted = fit(met, anchor_of({n for m in met for n in (m.black, m.white)}, read_anchor(anchor)))
    click.echo(json.dumps(fitted.to_dict()) if as_json else fitted.table())
    if plot:
        draw(fitted, plot)
