"""How urgencies are learned: the three experiments of Bouzy & Chaslot 2006 §V, as a record."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from montego.go.errors import is_whole, shown
from montego.learn.low_level import by_kind
from montego.learn.training import TrainingError
from montego.patterns.indigo import ONE_LIBERTY, manual_urgencies
from montego.patterns.urgency import zero_urgencies

EXPERIMENTS = {
    "1a": "games of one pseudo-random player with itself",
    "1b": "a population of such players, with selection",
    "2": "games of MC(RLPR) with itself, relative differences",
}
STARTS = {"zero": zero_urgencies, "manual": manual_urgencies}
VALUES = ("score", "outcome")
_ONLY = {
    **dict.fromkeys(("k", "decay"), ("1a", "1b")),
    **dict.fromkeys(("population", "rounds", "trials"), ("1b",)),
    **dict.fromkeys(("playouts", "sample", "opening", "epsilon", "value", "c", "step"), ("2",)),
}
"""Settings that some experiments have no use for."""


@dataclass(frozen=True)
class IndigoSettings:
    """How urgencies are learned. What the paper leaves open is said."""

    experiment: str = "1a"
    """1a, 1b or 2: see EXPERIMENTS"""
    size: int = 9
    games: int = 4_000_000
    """learned from, all streams together"""
    block: int = 50_000
    """games between two changes of the urgencies that are played with: of a stream, in 1b of a pair of players"""
    every: int = 100_000
    """games between two checkpoints"""
    start: str = "zero"
    """the urgencies to start from: zero or manual"""
    one_liberty: float = ONE_LIBERTY
    """for the last liberty of a string, per stone. It belongs to no pattern and is not learned: Manual's, so that only
    the patterns differ from his. 0: the first games are uniform, as in the paper's 1a"""
    k: float = 1.0
    """1a, 1b: U = ((1 + Q) / (1 − Q))^k; the paper gives none"""
    decay: float = 1.0
    """1a, 1b: λ of Q_play += λ^b Q_learn; the paper came to set 1"""
    komi: float = 2.5
    """what decides about win and loss; about what the first move is worth to these players, so that R is fair"""
    population: int = 64
    """1b: N, a power of two"""
    rounds: int = 8
    """1b: how many opponents a player learns from in a generation"""
    trials: int = 200
    """1b: games against each of Zero and Manual in the test of a generation"""
    playouts: int = 20
    """2: for the value of a move"""
    sample: int = 16
    """2: moves that are evaluated in a position, drawn at random; 0: all. Indigo had some pre-selected"""
    opening: int = 4
    """2: first moves of a game, played at random and not learned from"""
    epsilon: float = 0.1
    """2: share of random moves later on; the others have the best value"""
    value: str = "score"
    """2: what a value is: the mean lead in points (score) or the mean of ±1 (outcome); the paper does not say"""
    c: float = 1.0
    """2: C in exp(C (V_a − V_b)) = u_a / u_b; good values in the paper: 0.7 … 1.0"""
    step: float = 0.1
    """2: α is step / √N_i"""
    streams: int = 2
    """games at a time, each on a core of its own"""
    seed: int = 1

    def __post_init__(self) -> None:
        words: dict[str, Any] = {"experiment": EXPERIMENTS, "start": STARTS, "value": VALUES}
        for field, known in words.items():
            if getattr(self, field) not in tuple(known):
                raise TrainingError(f"{field} is {shown(getattr(self, field))}; accepted: {', '.join(known)}")
        wholes = {"size": (2, 19), "games": (1, 10**12), "block": (1, 10**7), "every": (1, 10**12), "rounds": (1, 1000),
                  "population": (4, 128), "trials": (2, 10**6), "playouts": (1, 10**6), "sample": (0, 361),
                  "opening": (0, 10**4), "streams": (1, 64), "seed": (-(1 << 63), 1 << 63)}  # fmt: skip
        for field, (low, high) in wholes.items():
            value = getattr(self, field)
            if not is_whole(value) or not low <= value <= high:
                raise TrainingError(f"{field} is {shown(value)}; accepted: a whole number from {low} to {high}")
        ranges = {"one_liberty": (0.0, 4096.0), "k": (0.0, 100.0), "decay": (0.0, 1.0), "komi": (-400.0, 400.0),
                  "epsilon": (0.0, 1.0), "c": (0.0, 1000.0), "step": (0.0, 10.0)}  # fmt: skip
        for field, (least, most) in ranges.items():
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
                raise TrainingError(f"{field} is {shown(value)}; accepted: a number from {least:g} to {most:g}")
        if self.population & (self.population - 1):
            raise TrainingError(f"population is {self.population}; accepted: 4, 8, 16, 32, 64, 128")

    def is_due(self, before: int, games: int) -> bool:
        """Whether there is a checkpoint between two numbers of games."""
        return games // self.every > before // self.every or games >= self.games

    def seeds(self, games: int, part: int) -> tuple[int, int]:
        """The seed, and the number of a stream of it: for a part of what comes after so many games."""
        return self.seed, games << 24 | part

    def start_by_kind(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        return by_kind(STARTS[self.start]())

    @property
    def same_games(self) -> dict[str, Any]:
        """All that decides about the games, the number of them left out."""
        without = {"games", "every", *(key for key, users in _ONLY.items() if self.experiment not in users)}
        return {key: value for key, value in asdict(self).items() if key not in without}


OWN: dict[str, dict[str, Any]] = {
    "1a": {},
    "1b": {"games": 2_048_000, "block": 100, "every": 51_200},
    "2": {"games": 1_200, "block": 4, "every": 40},
}
"""Where the defaults of an experiment differ."""


def settings_of(experiment: str, **given: Any) -> IndigoSettings:
    """The settings of an experiment, some given and its defaults for those that are None."""
    known = {key: value for key, value in given.items() if value is not None}
    return IndigoSettings(**{"experiment": experiment, **OWN.get(experiment, {}), **known})
