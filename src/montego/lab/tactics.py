"""The tactics collection: problems by theme, and the share of them that a player solves.

A problem is a whole board on which everything but one fight is settled, with komi such that the moves listed behind
`best` win the game and all others lose it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from montego.go.errors import MontegoError, PositionError, shown
from montego.go.game import Game
from montego.go.geometry import COLOUR_NAMES
from montego.go.positions import Line, Position, is_board, read_positions
from montego.lab.experiment import LabError

FOLDER = "house/tactics/positions"
"""Where the collection is, below the experiments; each file is a theme."""
SIMULATIONS, SEED = 3000, 1
"""Of a player that is asked, unless told otherwise."""


@dataclass(frozen=True)
class Problem:
    """A position and the moves that solve it."""

    theme: str
    title: str
    game: Game
    best: tuple[str, ...]
    """all of them, as vertices"""


@dataclass(frozen=True)
class Share:
    """How many problems were solved."""

    solved: int
    positions: int

    @property
    def value(self) -> float:
        return self.solved / self.positions

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return math.sqrt(self.value * (1.0 - self.value) / self.positions)


class Solver(Protocol):
    """Whoever is asked for a move: a player."""

    def new_game(self) -> None: ...

    def choose(self, game: Game) -> Any: ...


def load_problems(experiments: Path) -> list[Problem]:
    """The collection beside the experiments, theme by theme."""
    return read_problems(experiments / FOLDER)


def read_problems(folder: Path) -> list[Problem]:
    """All problems of a folder; no title occurs twice."""
    files = sorted(folder.glob("*.pos"))
    if not files:
        raise LabError(f"{folder.name} holds no problems; accepted: a folder with files *.pos")
    try:
        problems = [_problem(path.stem, position) for path in files for position in read_positions(path)]
    except PositionError as error:
        raise LabError(str(error)) from None
    titles = [problem.title for problem in problems]
    twice = next((title for title in titles if titles.count(title) > 1), None)
    if twice is not None:
        raise LabError(f"two problems have the title {twice}; accepted: a title for each")
    return problems


def _problem(theme: str, position: Position) -> Problem:
    game = position.start()
    *before, last = position.below
    for part in before:
        _play(game, part)
    return Problem(theme, position.name, game, _best(game, last))


def _play(game: Game, part: Sequence[Line]) -> None:
    """A move before the problem, which may close a ko."""
    line = part[0]
    if is_board(list(part)) or line.words[0] != "play" or len(line.words) != 3:
        raise line.wrong("accepted above the last line of a problem: play COLOUR MOVE")
    line.call(partial(game.play, line.words[2], line.words[1]))


def _best(game: Game, part: Sequence[Line]) -> tuple[str, ...]:
    line = part[0]
    word, *rest = line.words
    if is_board(list(part)) or word != "best" or len(rest) < 2:
        raise line.wrong("accepted as the last line of a problem: best COLOUR MOVE …")
    if rest[0] != COLOUR_NAMES[game.to_play]:
        raise line.wrong(f"it is not {rest[0]}'s turn here")
    for move in rest[1:]:
        why = line.call(partial(game.why_illegal, move))
        if why is not None:
            raise line.wrong(f"{move} is illegal: {why}")
    return tuple(move if move == "pass" else move.upper() for move in rest[1:])


def of_themes(problems: Sequence[Problem], themes: Sequence[str]) -> list[Problem]:
    """Those of some themes; all, if none is named."""
    known = list(dict.fromkeys(problem.theme for problem in problems))
    for theme in themes:
        if theme not in known:
            raise LabError(f"there is no theme {shown(theme)}; accepted: {', '.join(known)}")
    return [problem for problem in problems if not themes or problem.theme in themes]


def solves(player: Solver, problem: Problem) -> bool:
    """Whether a player without any memory of other problems chooses one of the best moves."""
    player.new_game()
    return player.choose(problem.game).vertex in problem.best


def shares_of(judged: Iterable[tuple[Problem, bool]]) -> dict[str, Share]:
    """The share solved of each theme, and of all."""
    answers: dict[str, list[bool]] = {}
    for problem, solved in judged:
        answers.setdefault(problem.theme, []).append(solved)
    if not answers:
        raise MontegoError("no problem was judged; accepted: at least one")
    every = [solved for theme in answers.values() for solved in theme]
    return {theme: Share(sum(told), len(told)) for theme, told in {**answers, "all": every}.items()}


def collection_hash(experiments: Path) -> str:
    """What a measurement was made with: all of the collection but its titles and comments."""
    told = []
    for path in sorted((experiments / FOLDER).glob("*.pos")):
        for position in read_positions(path):
            lines = [line for part in (position.diagram, *position.below) for line in part]
            told += [f"{path.stem} {position.rules} {position.komi} {position.to_play}", *(line.text for line in lines)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]
