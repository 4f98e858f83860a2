"""Games shared out to processes: those that several matches still miss, in turn, until all are played or decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import Any

from montego.arena.contestants import is_outside
from montego.arena.match import Make, Series, no_game, play_one, warm_up, warm_up_referee
from montego.arena.played import Played
from montego.arena.settings import SCORINGS, SIDES, Match, check_count
from montego.arena.workers import Died, share_out

MOST_JOBS = 256
Job = tuple[int, int]
"""Which of the matches, and which of its games."""


def prepare(matches: Sequence[Match], making: Make, ours: bool = False) -> None:
    """Warm up whoever is to play or to count, each once. ours: leave other programs to the processes that play."""
    known: set[tuple[Any, ...]] = set()

    def is_new(match: Match, spec: str) -> bool:
        key = (spec, match.size, match.rules, match.threads)
        found = key not in known and not (ours and is_outside(spec))
        known.add(key)
        return found

    for match in matches:
        warm_up(match, making, [side for side in SIDES if is_new(match, match.spec(side))])
        if match.scoring not in SCORINGS and is_new(match, match.scoring):
            warm_up_referee(match)


def work(matches: Sequence[Match], making: Make, job: Job) -> Played:
    return play_one(matches[job[0]], making, job[1])


def play(series: Sequence[Series], jobs: int = 2, progress: Callable[[Series], None] = lambda series: None) -> bool:
    """Play the missing games of matches, `jobs` at a time. False if Ctrl-C ended it early; what was played stands.

    All are played in processes of their own, which take other programs along when they end, however that comes.
    """
    check_count("jobs", jobs, MOST_JOBS)
    missing = sum(len(one.missing) for one in series)
    if not missing:
        return True
    making, matches = series[0].making, [one.match for one in series]
    preparing = partial(prepare, [one.match for one in series if one.missing], making)
    working = partial(work, matches, making)
    try:
        with closing(share_out(_Jobs(series).next, min(jobs, missing), preparing, working)) as answers:
            for (which, number), answer in answers:
                one = series[which]
                one.take(no_game(one.match, number, str(answer)) if isinstance(answer, Died) else answer)
                progress(one)
                if not any(each.missing for each in series):
                    break  # decided: the games that are still going on do not matter
    except KeyboardInterrupt:
        return False
    return True


class _Jobs:
    """The games to play: one of each match after another, so that all grow alike."""

    def __init__(self, series: Sequence[Series]) -> None:
        self.series, self.handed = series, [set[int]() for _ in series]

    def next(self) -> Job | None:
        """The next game of the match with the fewest games handed out, among those that miss any."""
        for which in sorted(range(len(self.series)), key=lambda which: len(self.handed[which])):
            number = next((n for n in self.series[which].missing if n not in self.handed[which]), None)
            if number is not None:
                self.handed[which].add(number)
                return which, number
        return None
