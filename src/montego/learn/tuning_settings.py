"""What a tuning is: a preset, the space of its parameters, opponents, conditions, and how many games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from montego.arena.played import plain
from montego.arena.settings import MOST_GAMES, Match
from montego.go.errors import MontegoError, is_whole, shown
from montego.learn.space import Setting, Space, space_from
from montego.rng import stream

KIND = "tune"
BATCH, BATCHES = 8, 5
"""Games of a batch, at least, and batches of a trial, unless one says otherwise."""
MOST_TRIALS = 100_000
_CONFIRMING = 1 << 20
"""The stream of seeds for games that confirm: none of the tuning's own, on which the choice was made."""


class TuningError(MontegoError):
    """A tuning that cannot be done as asked."""


@dataclass(frozen=True)
class TuneSettings:
    """Everything that decides how a tuning goes. Plain data: it travels to other processes."""

    space: Space
    opponents: tuple[str, ...]
    match: Match
    """a: the preset; b: the first opponent; games: of a trial, against all opponents together. Its seed is that of the
    tuning, too: in every trial the game of a number has the same opening, the same colours and the same seeds"""
    batch: int = BATCH
    """games of a trial between two looks at it"""
    trials: int = 100
    give_up: float = 0.05
    """a trial is stopped when the chance that its setting comes close to the best falls below this; 0: never"""

    def __post_init__(self) -> None:
        if not self.opponents or len(set(self.opponents)) != len(self.opponents):
            raise TuningError(f"the opponents are {shown(self.opponents)}; accepted: one or more different players")
        fair = 2 * len(self.opponents)
        if not is_whole(self.batch) or not 1 <= self.batch <= MOST_GAMES or self.batch % fair:
            why = "each opponent is met as often with each colour"
            raise TuningError(f"batch is {shown(self.batch)}; accepted: a multiple of {fair}, since {why}")
        if self.match.games % self.batch:
            accepted = f"a multiple of the batch, {self.batch}"
            raise TuningError(f"games per trial are {self.match.games}; accepted: {accepted}")
        if not is_whole(self.trials) or not 1 <= self.trials <= MOST_TRIALS:
            raise TuningError(f"trials is {shown(self.trials)}; accepted: a whole number from 1 to {MOST_TRIALS}")
        if isinstance(self.give_up, bool) or not isinstance(self.give_up, (int, float)) or not 0 <= self.give_up < 0.5:
            raise TuningError(f"give_up is {shown(self.give_up)}; accepted: a number from 0 to below 0.5")

    @property
    def preset(self) -> str:
        return self.match.a

    @property
    def seed(self) -> int:
        return self.match.seed

    @property
    def looks(self) -> int:
        """Games against each opponent between two looks at a trial."""
        return self.batch // len(self.opponents)

    @property
    def goal(self) -> int:
        """Games of a trial against each opponent."""
        return self.match.games // len(self.opponents)

    def meeting(self, spec: str, opponent: str, games: int | None = None) -> Match:
        """The match of a setting against an opponent."""
        return replace(self.match, a=spec, b=opponent, games=games or self.goal)

    def confirming(self, spec: str, games: int) -> Match:
        """The match of a setting against the preset as it is."""
        seed = int(stream(self.seed, _CONFIRMING)) >> 32
        return replace(self.match, a=spec, b=self.preset, games=games, seed=seed)

    def spec(self, setting: Setting) -> str:
        return self.space.spec(self.preset, setting)

    def to_dict(self) -> dict[str, Any]:
        conditions = self.match.conditions()
        for side in ("a", "b"):
            del conditions[side]
        fields: dict[str, Any] = plain(
            {
                "kind": KIND,
                "preset": self.preset,
                "space": self.space.to_dict(),
                "opponents": self.opponents,
                "games_per_trial": self.match.games,
                "batch": self.batch,
                "trials": self.trials,
                "give_up": self.give_up,
                "conditions": conditions,
            }
        )
        return fields


def settings_from(fields: dict[str, Any]) -> TuneSettings:
    """Settings from what `to_dict` made of them."""
    try:
        if fields.get("kind") != KIND:
            raise TuningError(f"it holds a {shown(fields.get('kind'))}; accepted: a tuning")
        opponents, games = tuple(fields["opponents"]), fields["games_per_trial"]
        match = Match(a=fields["preset"], b=opponents[0], games=games, **fields["conditions"])
        named = {name: fields[name] for name in ("batch", "trials", "give_up")}
        return TuneSettings(space_from(fields["space"]), opponents, match, **named)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        if isinstance(error, MontegoError):
            raise
        raise TuningError(f"a field is missing, unknown or of the wrong kind: {shown(str(error))}") from None
