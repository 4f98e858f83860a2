"""TD self-play: many games on several cores, with the same result however often it is stopped and taken up again.

Games come in blocks. In a block every stream plays and learns on its own copy of the weights; then the copies are
merged: a weight moves by the mean change among the streams that changed it. A block depends on nothing but the weights
before it, the settings and its number, so that a checkpoint between two blocks is all there is to keep.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from montego.go.board import new_boards
from montego.go.errors import is_whole, shown
from montego.learn.selfplay import ERRORS, GAMES, LEARNING_DTYPE, MOVES, WINS, learn_games, test_games
from montego.learn.training import TrainingError, curve_of
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.search.clock import in_parallel
from montego.shape import Provenance, ShapeValue
from montego.shape.value import new_state

TRAINER = "montego train rlgo"
OPPONENTS = ("uniform", "mogo")
"""Default policies that the learner is tested against."""
TEST_GAMES = 400
"""Against each of them, at every checkpoint."""
_EARLY = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Of the games between two checkpoints: where the first ones are, for most is learned early."""


@dataclass(frozen=True)
class TdSettings:
    """How the value function is learned. The defaults are RLGO's for 9×9."""

    size: int = 9
    games: int = 1_000_000
    """of self-play, all streams together"""
    alpha: float = 0.1
    """the step α, divided by the number of active features"""
    halving: int = 0
    """games after which the step is half of α: it is α / (1 + games/halving); 0: it stays"""
    epsilon: float = 0.1
    """share of moves played at random"""
    decay: float = 0.0
    """λ of TD(λ); 0: TD(0)"""
    plies: int = 2
    """from a state to the one it learns from: 1, or 2 for the same side to move"""
    komi: float = 7.5
    windows: str = "rlgo-1.0"
    """rectangles of the local shapes: see shape/features.py"""
    sets: str = "ld+li"
    """weights that depend on the location, that do not, or both"""
    streams: int = 2
    """games at a time, each on a core of its own"""
    block: int = 50
    """games of a stream between two mergings of the weights"""
    every: int = 10_000
    """games between two checkpoints, with tests against the default policies; the first ones come sooner"""
    seed: int = 1
    start: str = ""
    """a file of weights to start from; of another board size the location-independent ones are taken"""

    def __post_init__(self) -> None:
        wholes = {"size": (2, 19), "games": (1, 10**12), "plies": (1, 2), "streams": (1, 64), "block": (1, 10**6),
                  "every": (1, 10**9), "halving": (0, 10**12), "seed": (-(1 << 63), 1 << 63)}  # fmt: skip
        for field, (low, high) in wholes.items():
            value = getattr(self, field)
            if not is_whole(value) or not low <= value <= high:
                raise TrainingError(f"{field} is {shown(value)}; accepted: a whole number from {low} to {high}")
        ranges = {"alpha": (0.0, 10.0), "epsilon": (0.0, 1.0), "decay": (0.0, 1.0), "komi": (-400.0, 400.0)}
        for field, (least, most) in ranges.items():
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
                raise TrainingError(f"{field} is {shown(value)}; accepted: a number from {least:g} to {most:g}")

    @property
    def max_length(self) -> int:
        """Moves after which a game is cut off: 200 on 9×9, as in RLGO, and in proportion to the area elsewhere."""
        return max(20, round(200 * self.size**2 / 81))

    def step(self, games: int) -> float:
        """α after so many games."""
        return self.alpha / (1 + games / self.halving) if self.halving else self.alpha

    def is_due(self, before: int, games: int) -> bool:
        """Whether there is a checkpoint between two numbers of games."""
        early = any(before < share * self.every <= games for share in _EARLY)
        return early or games // self.every > before // self.every or games >= self.games

    @property
    def same_games(self) -> dict[str, Any]:
        """All that decides about the games, the number of them left out."""
        return {key: value for key, value in asdict(self).items() if key not in ("games", "every")}


@dataclass(frozen=True)
class Checkpoint:
    """How far the learning has come."""

    games: int
    error: float
    """mean squared TD error since the last checkpoint"""
    length: float
    """moves a game, since then"""
    black: float
    """share of self-play won by Black, since then"""
    wins: dict[str, float]
    """of the greedy learner against default policies"""


class Training:
    """A value function that is being learned."""

    def __init__(self, settings: TdSettings) -> None:
        self.settings, self.games, self.curve = settings, 0, list[Checkpoint]()
        self.value = ShapeValue(settings.size, settings.windows, settings.sets)
        if settings.start:
            self._take_over(ShapeValue.load(settings.start))
        self._players = [_Player(self.value, settings) for _ in range(settings.streams)]
        self._totals = np.zeros(4)

    def _take_over(self, other: ShapeValue) -> None:
        mine, theirs = self.value.features, other.features
        if (mine.size, mine.windows, mine.sets) == (theirs.size, theirs.windows, theirs.sets):
            self.value.theta = other.theta
        else:
            self.value.start_from(other)

    def run(self, path: Path, news: Callable[[Training], object], checked: Callable[[Training], object]) -> None:
        """Learn until there are enough games. The file is written at every checkpoint.

        news: called after every block; checked: after every checkpoint.
        """
        while self.games < self.settings.games:
            before = self.games
            self.learn_block()
            news(self)
            if self.settings.is_due(before, self.games):
                self._check()
                self.save(path)
                checked(self)

    def learn_block(self) -> None:
        """One block; the number of a block is what has been played before it, whatever came in between."""
        each = self.settings.block
        tasks: list[Callable[[], object]] = [
            partial(player.learn, self.value.weights, each, self.games + i) for i, player in enumerate(self._players)
        ]
        in_parallel(tasks, lambda: None)
        self.value.weights[:] = merged(self.value.weights, [player.weights for player in self._players])
        for player in self._players:
            self._totals += player.totals
        self.games += each * len(self._players)

    def _check(self) -> None:
        games, moves, errors, wins = (float(self._totals[i]) for i in (GAMES, MOVES, ERRORS, WINS))
        against = {policy: self.test(policy) for policy in OPPONENTS}
        self.curve.append(Checkpoint(self.games, errors / moves, moves / games, wins / games, against))
        self._totals[:] = 0

    def test(self, policy: str, games: int = TEST_GAMES) -> float:
        """The greedy learner's share of wins against a default policy."""
        return self._players[0].test(self.value.weights, policy, games, self.games)

    # --- files --------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        settings = {**asdict(self.settings), "curve": [asdict(checkpoint) for checkpoint in self.curve]}
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.value.provenance = Provenance(TRAINER, now, self.settings.seed, self.games, settings)
        self.value.save(path)

    @classmethod
    def resumed(cls, path: Path, settings: TdSettings) -> Training:
        """Go on from a checkpoint, with the same settings but perhaps for more games."""
        value = ShapeValue.load(path)
        if value.provenance.trainer != TRAINER:
            raise TrainingError(f"{path} was not made by training; accepted: a file of `{TRAINER}`")
        told = {key: setting for key, setting in value.provenance.settings.items() if key != "curve"}
        try:
            curve, earlier = curve_of(value.provenance, Checkpoint), TdSettings(**told)
        except (TypeError, TrainingError) as error:
            raise TrainingError(f"{path} does not tell how it was trained: {error}") from None
        if earlier.same_games != settings.same_games:
            ours = settings.same_games
            other = [f"{key} {shown(old)}" for key, old in earlier.same_games.items() if old != ours[key]]
            raise TrainingError(
                f"{path} was trained with {', '.join(other)}; accepted: the same settings, or a new file"
            )
        made = cls(replace(settings, start=""))
        made.settings, made.games, made.curve = settings, value.provenance.games, curve
        made.value.theta = value.theta
        return made


def merged(before: Any, after: list[Any]) -> Any:
    """The weights that copies of the same weights come to: see above."""
    changes = np.stack(after).astype(np.float64) - before
    streams = np.maximum(1, np.count_nonzero(changes, axis=0))
    return (before + changes.sum(axis=0) / streams).astype(np.float32)


class _Player:
    """One stream of games, with its own copy of the weights."""

    def __init__(self, value: ShapeValue, settings: TdSettings) -> None:
        self._settings = settings
        self.weights, self.totals = value.weights.copy(), np.zeros(4)
        features, length = value.features, settings.max_length
        self._layout, self._links = features.layout[0], features.links
        self._state = new_state(features)
        self._states = np.zeros((length, len(self._layout.origin)), np.uint32)
        self._values, self._sums = np.zeros(2 * length), np.zeros(settings.size**2 + 8)
        self._boards = np.repeat(new_boards(settings.size), 2)
        self._learning = np.zeros(1, LEARNING_DTYPE)[0]
        for field in ("epsilon", "decay", "plies", "max_length", "komi"):
            self._learning[field] = getattr(settings, field)

    def _work(self, policy: str, number: int) -> Any:
        return new_work(self._settings.size, PlayoutConfig(policy), self._settings.seed, number)

    def learn(self, weights: Any, games: int, number: int) -> None:
        self.weights[:] = weights
        self.totals[:] = 0
        self._learning.alpha = self._settings.step(number)
        learn_games(games, self._boards, self._work("uniform", number), tables()[0], self._state, self._layout,
                    self.weights, self._links, self._learning, self._states, self._values, self._sums,
                    self.totals)  # fmt: skip

    def test(self, weights: Any, policy: str, games: int, number: int) -> float:
        totals = np.zeros(4)
        test_games(games, self._boards, self._work(policy, -1 - number), tables()[0], self._state, self._layout,
                   weights, self._links, self._learning, self._sums, totals)  # fmt: skip
        return float(totals[WINS] / totals[GAMES])
