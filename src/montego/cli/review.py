"""`montego review`: a game gone over by a search, with the moves that lost most."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import click

from montego.arena.extras import lab_package
from montego.cli.figures import percent
from montego.cli.progress import Progress
from montego.cli.waiting import compiling
from montego.go.errors import MontegoError, shown
from montego.go.game import Game
from montego.go.geometry import COLOUR_NAMES
from montego.go.record import GameRecord
from montego.go.rules import RULES
from montego.go.sgf import read_sgf, write_sgf
from montego.gtp.files import write_whole
from montego.players import player as new_player
from montego.players.annotation import annotate
from montego.players.review import WORST, Review, Searching, Turn, count_turns, review_turns, steps

SECONDS = 1.0
"""For each position, if neither simulations nor seconds are given."""
SHOWN_LINE = 6
TITLES = f"{' move':<24}{'win rate':<11}{'lost':>8}     {'better':<8}line"


@click.command("review")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--player", "spec", default="house", show_default=True, help="Who reviews: see `montego presets`.")
@click.option("--simulations", type=click.IntRange(1), help="For each position; the same ones give the same review.")
@click.option("--seconds", type=click.FloatRange(0.001, 3600), help=f"For each position.  [default: {SECONDS:g}]")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Of the search.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other searches.")
@click.option("--rules", type=click.Choice(list(RULES)), help="Instead of the file's, or of Chinese if it has none.")
@click.option("--komi", type=float, help="Instead of the file's, or of 0 if it has none.")
@click.option(
    "--to",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the game with the review here.  [default: FILE-reviewed.sgf, beside FILE]",
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"Draw the win rate and the {WORST} worst moves in this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    file: Path,
    spec: str,
    simulations: int | None,
    seconds: float | None,
    threads: int,
    seed: int,
    rules: str | None,
    komi: float | None,
    to: Path | None,
    pictures: Path | None,
    as_json: bool,
) -> None:
    """Go over a game: what each move of its main line lost, and what would have been better.

    \b
      montego review game.sgf
      montego review game.sgf --simulations 20000 --pictures review
      montego review game.sgf --player mogo-2007 --seconds 5 --to mogo.sgf

    Every position is searched. A move has lost what the win rate with the best move, before it, is higher than the win
    rate after it. The game is written with comments, marks, values and better lines for any SGF editor; the file itself
    is never changed. Ctrl-C stops, and keeps what has been reviewed.
    """
    if not file.is_file():  # a pipe would never come to its end
        raise MontegoError(f"{shown(str(file))} is no regular file; accepted: an SGF file")
    record = read_sgf(file)
    conditions: dict[str, Any] = {"rules": rules, "komi": komi}
    total = count_turns(record, **conditions)
    target = output_of(file, to)
    if pictures is not None:
        lab_package("matplotlib")
        _make_folder(pictures)
    if simulations is None and seconds is None:
        seconds = SECONDS
    player = new_player(spec, simulations, seconds, threads, seed)
    with compiling("the engine"):
        player.analyse(Game(record.size), 1)
    player.new_game()
    review, stopped = _review(record, player.analyse, total, conditions)
    report = {
        "file": str(file),
        "player": spec,
        "simulations": player.simulations,
        "seconds": player.seconds,
        "size": record.size,
        "stopped": stopped,
        "positions": total,
        **review.to_dict(),
    }
    if review.turns:
        written, trouble = _write(record, review, file, target, pictures, conditions)
        report |= {"written": [str(path) for path in written]}
        click.echo(json.dumps(report) if as_json else as_text(review))
        for path in written:
            click.echo(f"montego: wrote {path}", err=True)
        if trouble:
            raise trouble
    if stopped:
        click.echo(f"montego: stopped after {len(review.turns)} of {total} positions", err=True)
        sys.exit(130)


def output_of(file: Path, to: Path | None) -> Path:
    """Where the reviewed game goes: never into the file it came from, nor into one that nobody named."""
    if to is None:
        stem = re.sub(r"-reviewed(-[0-9]+)?$", "", file.stem) or file.stem
        names = (f"{stem}-reviewed{'' if number == 1 else f'-{number}'}.sgf" for number in count(1))
        to = next(path for path in map(file.with_name, names) if not os.path.lexists(path))
    elif to.exists() and to.samefile(file):
        raise MontegoError(f"--to is {shown(str(to))}, the game itself; accepted: another file")
    if not to.parent.is_dir() or not os.access(to.parent, os.W_OK):
        raise MontegoError(f"cannot write {shown(str(to))}; accepted, after --to: a file in a folder one can write to")
    return to


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MontegoError(f"cannot make the folder {shown(str(folder))}: {error.strerror}") from None


def _review(
    record: GameRecord, search: Searching, total: int, conditions: dict[str, Any]
) -> tuple[Review, bool]:  # fmt: skip
    """The review as far as it came, and whether it was stopped."""
    turns: list[Turn] = []
    progress = Progress(total, what="positions", to="review")
    try:
        for turn in review_turns(record, search, **conditions):
            turns.append(turn)
            progress.show(len(turns), f"move {turn.turn + 1}: {turn.mark}" if turn.mark else "")
    except KeyboardInterrupt:
        return Review(tuple(turns)), True
    finally:
        progress.close()
    return Review(tuple(turns)), False


def _write(
    record: GameRecord, review: Review, file: Path, target: Path, pictures: Path | None, conditions: dict[str, Any]
) -> tuple[list[Path], MontegoError | None]:
    """Write the files. What cannot be written does not keep the review from being told."""
    written: list[Path] = []
    try:
        write_whole(target, write_sgf(annotate(record, review)))
        with suppress(OSError):
            shutil.copymode(file, target)
        written.append(target)
        if pictures is not None:
            _draw(record, review, pictures, conditions, written)
    except MontegoError as error:
        return written, error
    except OSError as error:
        return written, MontegoError(f"cannot write the pictures: {error.strerror or error}")
    return written, None


def _draw(
    record: GameRecord, review: Review, folder: Path, conditions: dict[str, Any], written: list[Path]
) -> None:  # fmt: skip
    from montego.cli.review_pictures import draw_turn, plot_winrate

    written += plot_winrate(review, folder / "winrate")
    worst = {turn.turn: turn for turn in review.worst[:WORST]}
    for number, step in enumerate(steps(record, **conditions)):
        if number in worst:
            written.append(draw_turn(worst[number], step.before, folder / f"move-{number + 1:03}.png"))


# --- as text ----------------------------------------------------------------------------------------------------


def as_text(review: Review) -> str:
    """The moves that lost most, and how the sides did."""
    lines = [f"{colour.capitalize():<6} {_side(review.side(colour))}" for colour in COLOUR_NAMES.values()]
    if review.worst:
        lines += ["", TITLES, *map(_row, review.worst[:WORST])]
        if len(review.worst) > WORST:
            lines.append(f"  … and {len(review.worst) - WORST} more")
    return "\n".join(lines)


def _side(side: dict[str, Any]) -> str:
    if not side["moves"]:
        return "no moves"
    marks = [_counted(number, mark) for mark, number in side["marks"].items()]
    return f"{_counted(side['moves'], 'move')}, mean loss {percent(side['mean_loss'])}, {', '.join(marks)}"


def _counted(number: int, word: str) -> str:
    plural = word if number == 1 else f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{number} {plural}"


def _row(turn: Turn) -> str:
    before, after = (100 * turn.rate(rate) for rate in (turn.winrate, turn.after or 0.0))
    move = f"{turn.turn + 1:>5}  {turn.colour} {turn.move:<6}"
    return f"{move}{before:6.1f} → {after:5.1f} %{100 * turn.loss:8.1f} %   {turn.best:<8}{_shortened(turn.line)}"


def _shortened(line: Sequence[str]) -> str:
    return " ".join(line[:SHOWN_LINE]) + (" …" if len(line) > SHOWN_LINE else "")
