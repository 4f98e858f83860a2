"""Games that take no time: coins with the rate that a landscape gives a setting."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

from montego.arena.match import no_game
from montego.arena.played import Played
from montego.arena.settings import Match
from montego.learn.space import Choice, Range, Space
from montego.learn.tuning import Job
from montego.learn.tuning_settings import TuneSettings

SPACE = Space((Range("bias", 0.001, 0.05, log=True), Choice("final", ("visits", "value"))))
OPPONENTS = ("mogo-2007", "uct-random")


def settings(
    trials: int = 10, space: Space = SPACE, opponents: tuple[str, ...] = OPPONENTS, **more: Any
) -> TuneSettings:
    games, batch = more.pop("games", 24), more.pop("batch", 8)
    match = Match("house", opponents[0], games=games, simulations=10, size=5, **more)
    return TuneSettings(space, opponents, match, batch, trials)


def rate(asked: TuneSettings, spec: str, opponent: str) -> float:
    """Best in the middle of the range of bias; the second opponent is weaker."""
    setting = asked.space.setting_of("house", spec)
    assert setting is not None
    place = asked.space.encoded([setting])[0][0]
    return 1 / (1 + math.exp(-(0.5 + (opponent == OPPONENTS[1]) - 16 * (place - 0.5) ** 2)))


class Table:
    """Plays every job at once, in this process, until it has played `most`; remembers all."""

    def __init__(self, asked: TuneSettings, most: int = 1 << 30, ahead: int = 1) -> None:
        self.asked, self.most, self.ahead = asked, most, ahead
        self.played: list[Job] = []

    def __call__(self, next_job: Callable[[], Job | None]) -> Generator[tuple[Job, Any], None, None]:
        """As `share_out` does: some jobs are out at a time, and the last comes back first."""
        out: list[Job] = []
        while True:
            while len(out) < self.ahead and (job := next_job()) is not None:
                out.append(job)
            if not out:
                return
            if len(self.played) >= self.most:
                raise KeyboardInterrupt
            job = out.pop()
            self.played.append(job)
            yield job, self.game(job)

    def game(self, job: Job) -> Played:
        spec, opponent, number = job
        won = random.Random(str(job)).random() < rate(self.asked, spec, opponent)
        void = no_game(self.asked.meeting(spec, opponent), number, "")
        return replace(void, outcome="win", winner="a" if won else "b", result="B+R", reason="resign", message="")
