"""Positions labelled by deep searches of our own: what an oracle is, where there is no other.

Which positions are taken follows from the games and the seed alone, and a line is written as soon as it is known: the
same command goes on where it was stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, is_whole, shown
from montego.go.game import Game
from montego.go.geometry import COLOUR_NAMES
from montego.learn.sources import Source
from montego.learn.training import TrainingError
from montego.players import player
from montego.search.winrate import sharpened

EARLIEST = 4
"""Moves that have been played in a position at least."""


@dataclass(frozen=True)
class LabelSettings:
    """Whose opinion about how many positions."""

    size: int = 9
    positions: int = 800
    each: int = 1
    """of a game"""
    player: str = "house"
    simulations: int = 3000
    """of a search"""
    sharpness: float = 4.0
    """k in σ(k · logit V): the mean outcome V of a search lags behind what its best line says. Of house with 3,000
    simulations the squared error against KataGo's values, in 183 positions of 9×9, is 0.087 for k = 1, 0.059 for 2,
    0.045 for 4 and 0.043 for 6"""
    seed: int = 1

    @property
    def by(self) -> str:
        """The oracle, as each line tells it."""
        return f"{self.player}, {self.simulations} simulations, sharpness {self.sharpness:g}"

    def __post_init__(self) -> None:
        value = self.sharpness
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 < value <= 100.0:
            raise TrainingError(f"sharpness is {shown(value)}; accepted: a number above 0, at most 100")
        wholes = {"positions": (1, 10**7), "each": (1, 1000), "simulations": (1, 10**9), "seed": (0, 1 << 63)}
        for field, (low, high) in wholes.items():
            value = getattr(self, field)
            if not is_whole(value) or not low <= value <= high:
                raise TrainingError(f"{field} is {shown(value)}; accepted: a whole number from {low} to {high}")


def chosen(found: Sequence[Source], settings: LabelSettings) -> list[tuple[str, Game]]:
    """Positions at random moves of games in random order, each with an id."""
    generator, made, seen = np.random.default_rng(settings.seed), list[tuple[str, Game]](), set[str]()
    for index in generator.permutation(len(found)):
        source, plies = found[index], range(EARLIEST, len(found[index].moves))
        if source.name in seen or not plies or not _is_plain(source):
            continue
        seen.add(source.name)
        name = hashlib.sha256(source.name.encode()).hexdigest()[:12]
        for ply in sorted(generator.choice(plies, min(settings.each, len(plies)), replace=False)):
            game = _position(source, int(ply))
            if game is not None and not game.is_over:
                made.append((f"{name}m{ply}", game))
        if len(made) >= settings.positions:
            break
    return made[: settings.positions]


def _is_plain(source: Source) -> bool:
    """Whether a game begins on the empty board, moves alternate, and it is more than a position with its best move."""
    in_turn = all(colour == (BLACK, WHITE)[i % 2] for i, (colour, _) in enumerate(source.moves))
    return in_turn and source.first < len(source.moves) - 1 and not source.game.stones.any()


def label_positions(path: Path, found: Sequence[Source], settings: LabelSettings, news: Callable[[int], object]) -> int:
    """Write a line for each position that has none yet. news: told how many there are. Returns how many there are."""
    wanted = chosen(found, settings)
    if not wanted:
        raise TrainingError("there is no position to label; accepted: games from the empty board")
    done = _whole_lines(path)
    if any(line.get("id") != name for line, (name, _) in zip(done, wanted, strict=False)):
        raise TrainingError(f"{path} holds other positions; accepted: the same games and seed, or a new file")
    other = next((line.get("by") for line in done if line.get("by") != settings.by), None)
    if other is not None:
        raise TrainingError(f"{path} was labelled by {shown(other)}; accepted: the same oracle, or a new file")
    oracle = player(settings.player, simulations=settings.simulations, seed=settings.seed)
    try:
        with path.open("a", encoding="utf-8") as file:
            for number, (name, game) in enumerate(wanted[len(done) :], len(done) + 1):
                line = {"id": name, "game": name.partition("m")[0], **_label(game, oracle, settings)}
                file.write(json.dumps(line) + "\n")
                file.flush()
                news(number)
    except OSError as error:
        raise TrainingError(f"{path} cannot be written: {error.strerror}; accepted: another file") from None
    return max(len(done), len(wanted))


def _whole_lines(path: Path) -> list[dict[str, Any]]:
    """The lines there are; one that was cut off in the middle is taken away."""
    if not path.exists():
        return []
    try:
        text = path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        lines = [json.loads(line) for line in whole.decode().splitlines()]
        if not all(isinstance(line, dict) for line in lines):
            raise ValueError("a line is no object")
    except (OSError, ValueError, RecursionError) as error:
        raise TrainingError(f"{path} holds no labelled positions: {shown(str(error))}") from None
    if len(whole) < len(text):
        os.truncate(path, len(whole))
    return lines


def _position(source: Source, ply: int) -> Game | None:
    game = source.game.copy()
    try:
        for colour, vertex in source.moves[:ply]:
            game.play(vertex, colour)
    except MontegoError:
        return None
    return game


def _label(game: Game, oracle: Any, settings: LabelSettings) -> dict[str, Any]:
    oracle.new_game()
    report = oracle.analyse(game)
    black_win = report.value if game.to_play == BLACK else 1.0 - report.value
    return {
        "size": game.size,
        "komi": game.komi,
        "rules": game.rules.name,
        "moves": [move.vertex for move in game.moves],
        "to_play": COLOUR_NAMES[game.to_play][0].upper(),
        "black_win": round(sharpened(black_win, settings.sharpness), 4),
        "best": [[report.moves[0].vertex]],
        "by": settings.by,
    }
