"""The labelled suite: positions with a strong opinion about each, and how near another opinion comes to it.

G&S07 §5 measures default policies by the squared error of their playouts' mean over positions labelled by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from montego.go.board import BLACK
from montego.go.errors import MontegoError, shown
from montego.go.game import Game
from montego.lab.calibration import best_slope, calibrated
from montego.lab.experiment import LabError
from montego.players import player
from montego.players.playout import PlayoutPlayer, policy_config
from montego.playout.simulate import simulate
from montego.search.config import HEURISTICS

FOLDER, POSITIONS = "labelled-9x9", "positions.jsonl"
TUNING = "tuning.jsonl"
"""Labelled positions of other games, to tune on."""
DRAWS = 200
"""Moves drawn from a default policy to rank them by how often it plays them."""
BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
"""Of the values given, for calibration."""


@dataclass(frozen=True)
class Labelled:
    """A position and what is thought of it."""

    id: str
    source: int
    """the game it comes from"""
    game: Game
    black_win: float
    best: str
    """the best move"""


@dataclass(frozen=True)
class Opinion:
    """What a subject thinks of a position."""

    black_win: float
    moves: dict[str, float]
    """a score for each move it knows, more for a better one; moves left out are its last choice"""


@dataclass(frozen=True)
class Subject:
    """Whoever is asked."""

    ask: Callable[[Game], Opinion]
    configuration: dict[str, Any]
    """all that its opinions depend on"""


@dataclass(frozen=True)
class Judged:
    """One position of the suite, the label beside the opinion."""

    id: str
    source: int
    label: float
    value: float
    rank: float
    """of the best move, from 1; among equals the mean of their places"""

    @property
    def squared_error(self) -> float:
        return (self.value - self.label) ** 2


@dataclass(frozen=True)
class Summary:
    """A whole suite."""

    positions: int
    mse: float
    mse_error: float
    """standard error of the mean"""
    calibrated: float
    """mean squared error once the values are as sure as over the other games they should have been"""
    calibrated_error: float
    slope: float
    """by which the log-odds of all values are best multiplied"""
    mean_rank: float
    first: float
    """share of positions whose best move comes first"""
    calibration: tuple[tuple[float, float, int, float, float], ...]
    """by bin of the values: from, to, positions, mean value, mean label"""


def load_suite(experiments: Path, name: str = POSITIONS) -> list[Labelled]:
    """Read the positions beside the experiments."""
    path = experiments / FOLDER / name
    try:
        found = [_labelled(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, KeyError, TypeError, IndexError, MontegoError) as error:
        raise LabError(f"{FOLDER}/{name} cannot be read: {type(error).__name__}: {error}") from None
    if not found:
        raise LabError(f"{FOLDER}/{name} is empty; accepted: a labelled position a line")
    return found


def _labelled(line: dict[str, Any]) -> Labelled:
    game = Game(line["size"], line["komi"], line["rules"])
    for vertex in line["moves"]:
        game.play(vertex)
    black_win = float(line["black_win"])
    if not 0.0 <= black_win <= 1.0 or not game.is_legal(line["best"][0][0]):
        raise LabError(f"position {shown(line['id'])}: its label cannot be")
    return Labelled(str(line["id"]), int(line["game"]), game, black_win, line["best"][0][0])


def subject_of(spec: str, simulations: int, seed: int = 1) -> Subject:
    """policy:NAME and heuristic:NAME, with other values for some fields, or a player as everywhere else."""
    kind, colon, rest = spec.partition(":")
    if colon and kind == "policy":
        return _policy(rest, simulations, seed)
    if colon and kind == "heuristic":
        return _heuristic(rest, seed)
    asked = player(spec, simulations=simulations, seed=seed)

    def ask(game: Game) -> Opinion:
        asked.new_game()
        report = asked.analyse(game)
        scores = {move.vertex: -float(place) for place, move in enumerate(report.moves)}
        return Opinion(_for_black(game, report.winrate), scores)

    return Subject(ask, asked.describe())


def _for_black(game: Game, value: float) -> float:
    return value if game.to_play == BLACK else 1.0 - value


def _policy(spec: str, playouts: int, seed: int) -> Subject:
    """The mean outcome of a policy's playouts, and how often it plays each move."""
    config = policy_config(spec)

    def ask(game: Game) -> Opinion:
        moves: dict[str, float] = {}
        chooser = PlayoutPlayer(config, seed)
        for _ in range(DRAWS):
            vertex = chooser.choose(game).vertex
            moves[vertex] = moves.get(vertex, 0.0) + 1.0
        return Opinion(simulate(game, playouts, config, seed).black_wins, moves)

    return Subject(ask, {**PlayoutPlayer(config).describe(), "simulations": playouts, "seed": seed})


def _heuristic(spec: str, seed: int) -> Subject:
    """H(s,a) of every move; the position is worth what its best move is."""
    name, _, fields = spec.partition(":")
    known = [heuristic for heuristic in HEURISTICS if heuristic != "none"]
    if name not in known:
        raise LabError(f"there is no heuristic {shown(name)}; accepted: {', '.join(known)}")
    asked = player(f"mogo-rave:heuristic={name}" + (f",{fields}" if fields else ""), simulations=1, seed=seed)

    def ask(game: Game) -> Opinion:
        asked.new_game()
        moves = {move.vertex: move.prior or 0.0 for move in asked.analyse(game).moves}
        return Opinion(_for_black(game, max(moves.values())), moves)

    return Subject(ask, asked.describe())


def judge(position: Labelled, opinion: Opinion) -> Judged:
    legal = [*position.game.legal_moves(), "pass"]
    scores = [opinion.moves.get(vertex, float("-inf")) for vertex in legal]
    of_best = opinion.moves.get(position.best, float("-inf"))
    better, equal = sum(s > of_best for s in scores), sum(s == of_best for s in scores)
    return Judged(position.id, position.source, position.black_win, opinion.black_win, better + (equal + 1) / 2)


def summary_of(judged: Sequence[Judged]) -> Summary:
    values, labels = [one.value for one in judged], [one.label for one in judged]
    mse, mse_error = _mean([one.squared_error for one in judged])
    better = calibrated(values, labels, [one.source for one in judged])
    mended, mended_error = _mean([float(error) for error in (better - np.array(labels)) ** 2])
    return Summary(
        positions=len(judged),
        mse=mse,
        mse_error=mse_error,
        calibrated=mended,
        calibrated_error=mended_error,
        slope=best_slope(np.array(values), np.array(labels)),
        mean_rank=fmean(one.rank for one in judged),
        first=fmean(float(one.rank == 1.0) for one in judged),
        calibration=tuple(_bin(judged, low, high) for low, high in pairwise(BINS)),
    )


def _mean(errors: Sequence[float]) -> tuple[float, float]:
    """Mean, and its standard error."""
    mean, n = fmean(errors), len(errors)
    return mean, (sum((e - mean) ** 2 for e in errors) / max(1, n - 1)) ** 0.5 / n**0.5


def _bin(judged: Sequence[Judged], low: float, high: float) -> tuple[float, float, int, float, float]:
    inside = [one for one in judged if low <= one.value < high or (one.value == high == 1.0)]
    if not inside:
        return low, high, 0, 0.0, 0.0
    return low, high, len(inside), fmean(one.value for one in inside), fmean(one.label for one in inside)
