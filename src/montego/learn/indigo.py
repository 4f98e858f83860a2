"""Learning urgencies: blocks of games, checkpoints, the learning curve; the same result however often it is stopped.

Two files are written at a checkpoint: the urgencies, for playing, and beside them what the learner knows (Q by kind,
of all players, with numbers of matches), for going on, since Q does not quite follow from rounded urgencies. All that
is learned is kept in float32 between two blocks, which is what the file holds; a block depends on nothing but that,
the settings and the number of games before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from montego.go.errors import shown
from montego.learn.indigo_settings import IndigoSettings
from montego.learn.low_level import Table, entropy
from montego.learn.outcomes import Population, SinglePlayer
from montego.learn.relative import RelativePlayer
from montego.learn.training import TrainingError
from montego.learn.urgent_games import GAMES, MOVES
from montego.patterns import files
from montego.patterns.files import Provenance
from montego.patterns.indigo import manual_urgencies
from montego.patterns.learned import load_urgencies, save_urgencies
from montego.patterns.urgency import Urgencies, zero_urgencies
from montego.playout.contest import contest

TRAINER = "montego train indigo"
STATE = files.Form("montego indigo state 1", "a training of urgencies", TrainingError)
OPPONENTS = {"zero": zero_urgencies, "manual": manual_urgencies}
"""Pseudo-random players that the learner is tested against."""
TEST_GAMES = 400
"""Against each of them, at every checkpoint."""
_CHECK = 3 << 22
"""The number of the stream that they draw from: no learner's."""


class Learner(Protocol):
    state: Table
    """all that it knows"""
    block_games: int

    def learn(self, games: int) -> Any:
        """Learn a block that comes after so many games. Returns the totals of its games."""

    @property
    def urgencies(self) -> Urgencies: ...


LEARNERS: dict[str, Callable[[IndigoSettings], Learner]] = {
    "1a": SinglePlayer,
    "1b": Population,
    "2": RelativePlayer,
}


@dataclass(frozen=True)
class Milestone:
    """How far the learning has come, at the low level."""

    games: int
    length: float
    """moves a game, since the last one"""
    entropy: float
    """of a move: 1 for Zero, 0 for one who is certain of it"""
    score: dict[str, float]
    """mean score against Zero and Manual"""
    error: dict[str, float]
    """its standard error"""
    wins: dict[str, float]
    """share of games won"""


class IndigoTraining:
    """Urgencies that are being learned."""

    def __init__(self, settings: IndigoSettings) -> None:
        self.settings, self.games, self.curve = settings, 0, list[Milestone]()
        self.learner = LEARNERS[settings.experiment](settings)
        self._totals = np.zeros(3)

    def run(
        self, path: Path, news: Callable[[IndigoTraining], object], checked: Callable[[IndigoTraining], object]
    ) -> None:
        """Learn until there are enough games. The files are written at every checkpoint.

        news: called after every block; checked: after every checkpoint.
        """
        while self.games < self.settings.games:
            before = self.games
            self._totals += self.learner.learn(before)
            self.games += self.learner.block_games
            news(self)
            if self.settings.is_due(before, self.games):
                self._check()
                self.save(path)
                checked(self)

    def _check(self) -> None:
        player, settings = self.learner.urgencies, self.settings
        found = {
            name: contest(player, opponent(), settings.size, TEST_GAMES, *settings.seeds(self.games, _CHECK))
            for name, opponent in OPPONENTS.items()
        }
        told = {key: {name: getattr(one, key) for name, one in found.items()} for key in ("score", "error", "wins")}
        length = float(self._totals[MOVES] / self._totals[GAMES])
        self.curve.append(Milestone(self.games, length, entropy(player, settings.size), **told))
        self._totals[:] = 0

    # --- files --------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """First what the learner knows: if nothing else comes to be written, `resumed` makes up for it."""
        curve = [asdict(milestone) for milestone in self.curve]
        about = {"trainer": TRAINER, "settings": asdict(self.settings), "games": self.games, "curve": curve}
        files.write(STATE, state_file(path), self.learner.state.ravel(), about)
        self.save_urgencies(path)

    def save_urgencies(self, path: Path) -> None:
        settings = {**asdict(self.settings), "curve": [asdict(milestone) for milestone in self.curve]}
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        save_urgencies(path, self.learner.urgencies, Provenance(TRAINER, now, self.settings.seed, self.games, settings))

    @classmethod
    def resumed(cls, path: Path, settings: IndigoSettings) -> IndigoTraining:
        """Go on from a checkpoint, with the same settings but perhaps for more games."""
        if path.exists() and load_urgencies(path)[1].trainer != TRAINER:
            raise TrainingError(f"{path} was not made by this training; accepted: a file of `{TRAINER}`")
        state, about = files.read(STATE, state_file(path))
        try:
            earlier, games = IndigoSettings(**about["settings"]), int(about["games"])
            curve = [Milestone(**line) for line in about["curve"]]
        except (KeyError, TypeError, ValueError) as error:
            raise TrainingError(f"{state_file(path)} does not tell how it was trained: {error}") from None
        ours = settings.same_games
        other = [f"{key} {shown(old)}" for key, old in earlier.same_games.items() if old != ours.get(key)]
        if other:
            raise TrainingError(
                f"{path} was trained with {', '.join(other)}; accepted: the same settings, or a new file"
            )
        made = cls(settings)
        if state.size != made.learner.state.size or not np.isfinite(state).all():
            raise TrainingError(f"{state_file(path)} holds {state.size} numbers; accepted: {made.learner.state.size}")
        made.learner.state[:] = state.reshape(made.learner.state.shape)
        made.games, made.curve = games, curve
        made.save_urgencies(path)
        return made


def rehearse(settings: IndigoSettings) -> None:
    """Learn a very small block, which is forgotten: so all kernels are compiled."""
    few = replace(settings, block=1, population=4, rounds=1, trials=2, playouts=1, sample=1)
    training = IndigoTraining(few)
    training.learner.learn(0)
    entropy(training.learner.urgencies, settings.size)


def state_file(path: Path) -> Path:
    """Where a training keeps what the learner knows: NAME.state.npz beside NAME.npz."""
    return path.with_name(f"{path.name.removesuffix('.npz')}.state.npz")
