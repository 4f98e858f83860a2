"""The levels are a ladder: each beats the one below it about seven times in ten. The games are those of a seed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from montego.arena.match import Series
from montego.arena.play import play
from montego.arena.settings import Match
from montego.players.levels import LEVELS

QUICK = list(LEVELS)[: list(LEVELS).index("13k") + 1]
"""Levels whose games take seconds; the others were measured in the same way."""


@pytest.mark.slow
@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(QUICK)))
def test_each_level_beats_the_one_below(weaker: str, stronger: str) -> None:
    series = Series(Match(stronger, weaker, games=100, simulations=1000))
    play([series], jobs=1)
    report = series.report()
    assert report["games"] + report["unknown"] == 100 and report["unknown"] <= 3, "a cycle may go on and on"
    assert 0.6 <= report["rate"] <= 0.8
