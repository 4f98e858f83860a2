"""What goes with the size of the board."""

from __future__ import annotations

import pytest

from montego import Game, player
from montego.playout.rules import PlayoutRules
from montego.search.config import SearchConfig

READ_TO_SEVEN = {"policy": "tactical", "read_up_to": 7}
NONE_READ = {"policy": "tactical", "rules.ladder": 0.0, "rules.attack": 0.0, "rules.defend": 0.0}


def test_settings_are_settled_for_a_size() -> None:
    config = SearchConfig(policy="tactical", strengths="mm", read_up_to=11)
    small, large = config.on(11), config.on(12)
    assert (small.strengths, small.rules) == ("mm-9x9", PlayoutRules())
    assert (large.strengths, large.rules) == ("mm-13x13", PlayoutRules(ladder=0.0, attack=0.0, defend=0.0))
    assert all(settled.on(19) == settled for settled in (small, large))


def test_playouts_read_on_boards_up_to_a_size() -> None:
    for size, read in ((7, {"policy": "tactical"}), (8, NONE_READ)):
        a, b = (player("mogo-2007", simulations=400, seed=3, **given) for given in (READ_TO_SEVEN, read))
        assert a.analyse(Game(size)).moves == b.analyse(Game(size)).moves


def test_reading_changes_playouts() -> None:
    told = [
        player("mogo-2007", simulations=400, seed=3, **given).analyse(Game(7)) for given in (READ_TO_SEVEN, NONE_READ)
    ]
    assert told[0].winrate != told[1].winrate


@pytest.mark.parametrize("size", [9, 13, 19])
def test_house_describes_what_it_does_on_a_size(size: int) -> None:
    rules = player("house").describe(size)["config"]["rules"]
    assert (rules["ladder"] > 0) == (rules["attack"] > 0) == (rules["defend"] > 0) == (size <= 11)
