"""Games and labelled positions to learn from: SGF files, lines of JSON that a match or `montego train label` wrote.

A source is one game, or one position with the move that is held to be the best, with the name of the game it belongs
to: whatever has one name is either learned from or tested with, never both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from montego.arena.jsonl import LONGEST_LINE, read_lines
from montego.arena.played import Pairing, Played
from montego.arena.store import Store
from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, shown
from montego.go.game import Game
from montego.go.geometry import check_size
from montego.go.sgf import read_sgf
from montego.learn.training import TrainingError

SUFFIXES = (".sgf", ".jsonl")
Kind = TypeVar("Kind", bound="_Named")


@dataclass(frozen=True)
class _Named:
    name: str
    """of the game"""

    @property
    def share(self) -> float:
        """A number from 0 to 1 that goes with the name: it says whether the game is learned from or tested with."""
        return int(hashlib.sha256(self.name.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF


@dataclass(frozen=True)
class Source(_Named):
    """Moves, and which of them are to be learned from."""

    game: Game
    """before the first move"""
    moves: tuple[tuple[int, str], ...]
    """colour and vertex"""
    first: int = 0
    """moves before this one were given"""
    colours: tuple[int, ...] = (BLACK, WHITE)
    """whose moves are learned from"""


@dataclass(frozen=True)
class Label(_Named):
    """A position and an oracle's opinion about it."""

    game: Game
    black_win: float
    best: str = ""
    """the best move, if it is told"""
    by: str = ""
    """the oracle, if it is told"""


def _is_of_use(path: Path) -> bool:
    """Whether a file in a folder is to be read: SGF, and lines of JSON but for measurements."""
    return path.suffix in SUFFIXES and path.is_file() and "point" not in _first_line(path)


def found_files(paths: Iterable[Path]) -> list[Path]:
    """The files that are named, and all of a kind that can be read in folders, in one order on every machine."""
    made = []
    for path in paths:
        inside = sorted(filter(_is_of_use, path.rglob("*"))) if path.is_dir() else [path]
        if not inside or not all(p.is_file() for p in inside):
            raise TrainingError(f"{path} holds no games; accepted: files of SGF or lines of JSON, and folders of them")
        made += inside
    return made


def sources(
    paths: Iterable[Path],
    sizes: Sequence[int],
    by: Sequence[str] = (),
    without: Path | None = None,
    refused: Callable[[str], object] = lambda why: None,
) -> Iterator[Source]:
    """All games on boards of these sizes.

    by: only moves of players in whose name one of these stands, and of oracles, but for those without a name; without:
    a file of labelled positions whose games are left out; refused: told of every SGF file that cannot be read, which is
    left out.
    """
    for size in sizes:
        check_size(size)
    skipped = {label.name for label in labels(without)} if without else set()
    for path in found_files(paths):
        if path.suffix == ".sgf":
            found = _readable(path, by, refused)
        elif _is_labelled(path):
            wanted = [label for label in labels(path) if label.name not in skipped]
            found = _from_labels([label for label in wanted if not label.by or _is_one_of(label.by, by)])
        else:
            found = _from_matches(path, sizes, by)
        yield from (source for source in found if source.game.size in sizes)


def _wanted(names: dict[int, str], by: Sequence[str]) -> tuple[int, ...]:
    return tuple(colour for colour, name in names.items() if _is_one_of(name, by))


def _is_one_of(name: str, by: Sequence[str]) -> bool:
    return not by or any(text in name for text in by)


def _readable(path: Path, by: Sequence[str], refused: Callable[[str], object]) -> Iterator[Source]:
    try:
        yield from _from_sgf(path, by)
    except MontegoError as error:
        refused(f"{path}: {error}")


def _from_sgf(path: Path, by: Sequence[str]) -> Iterator[Source]:
    """The main line, from its last setup on."""
    record = read_sgf(path)
    start, moves = Game(record.size, record.komi or 0.0), list[tuple[int, str]]()
    for node, game in record.replay():
        if node.black or node.white or node.empty:
            start, moves = game.copy(), []
            if node.move is not None:
                start.undo()
        if node.move is not None:
            moves.append((node.move.colour, node.move.vertex))
    names = {BLACK: record.black_player, WHITE: record.white_player}
    yield Source(" ".join(vertex for _, vertex in moves), start, tuple(moves), colours=_wanted(names, by))


def _from_matches(path: Path, sizes: Sequence[int], by: Sequence[str]) -> Iterator[Source]:
    with Store(":memory:") as store:
        with path.open(encoding="utf-8", errors="replace") as lines:
            read_lines(lines, store, str(path))
        for pairing in store.pairings():
            if pairing.match.size in sizes:
                for played in store.games(pairing):
                    if played.counts:
                        yield _from_match(pairing, played, by)


def _from_match(pairing: Pairing, played: Played, by: Sequence[str]) -> Source:
    match, first = pairing.match, played.black
    names = {BLACK: pairing.players[first]["name"], WHITE: pairing.players["b" if first == "a" else "a"]["name"]}
    game = Game(match.size, match.komi, match.rules)
    moves = tuple((BLACK if i % 2 == 0 else WHITE, vertex) for i, vertex in enumerate(played.moves))
    return Source(" ".join(played.moves), game, moves, played.opening, _wanted(names, by))


def _from_labels(found: Sequence[Label]) -> Iterator[Source]:
    """Each best move after its position. How the position came about tells nothing: those moves are of any strength."""
    for label in found:
        if label.best:
            moves = (*_moves(label.game), (label.game.to_play, label.best))
            yield Source(label.name, Game(label.game.size, label.game.komi, label.game.rules), moves, len(moves) - 1)


def _moves(game: Game) -> tuple[tuple[int, str], ...]:
    return tuple((move.colour, move.vertex) for move in game.moves)


# --- labelled positions -----------------------------------------------------------------------------------------


def _first_line(path: Path) -> dict[str, Any]:
    """The fields of the first line of JSON; none if it is anything else."""
    try:
        with path.open(encoding="utf-8") as lines:
            return dict(json.loads(lines.readline(LONGEST_LINE)))
    except (OSError, ValueError, TypeError, RecursionError):
        return {}


def _is_labelled(path: Path) -> bool:
    return "black_win" in _first_line(path)


def labels(path: Path) -> list[Label]:
    """The positions of a file: lines of JSON with moves, komi, rules, size, game and black_win."""
    made = []
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                made.append(_label(json.loads(line), number))
    except OSError as error:
        raise TrainingError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        why = f"{type(error).__name__}: {shown(str(error))}"
        raise TrainingError(
            f"line {len(made) + 1} of {path} is no labelled position: {why}; accepted: lines of `montego train label`"
        ) from None
    if not made:
        raise TrainingError(f"{path} holds no labelled positions; accepted: one line or more")
    return made


def _label(line: dict[str, Any], number: int) -> Label:
    game = Game(line["size"], line["komi"], line["rules"])
    for vertex in line["moves"]:
        game.play(vertex)
    black_win, best = float(line["black_win"]), str(line["best"][0][0]) if line.get("best") else ""
    if not 0.0 <= black_win <= 1.0 or (best and not game.is_legal(best)):
        raise TrainingError("its label cannot be")
    return Label(f"game {line.get('game', f'of line {number}')}", game, black_win, best, str(line.get("by", "")))


def parts(found: Sequence[Kind], test: float) -> tuple[list[Kind], list[Kind]]:
    """What to learn from and what to test with, divided by the games."""
    return [s for s in found if s.share >= test], [s for s in found if s.share < test]


def replayed(source: Source) -> Iterator[tuple[Game, int, str]]:
    """The position before each move that is learned from, its colour and the move. An illegal move ends the game."""
    game = source.game.copy()
    for i, (colour, vertex) in enumerate(source.moves):
        if i >= source.first and colour in source.colours and vertex != "pass":
            yield game, colour, vertex
        try:
            game.play(vertex, colour)
        except MontegoError:
            return
