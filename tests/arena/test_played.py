"""Which games belong to the same match: also after a new version has learned new settings."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from montego.arena.contestants import make
from montego.arena.match import Series
from montego.arena.played import Pairing, Played, is_same
from montego.arena.settings import Match
from montego.arena.store import Store
from montego.search.config import SearchConfig, described

MATCH = Match("mogo-2007", "house:bias=0.01", simulations=20, size=5)


def pairing(match: Match = MATCH) -> Pairing:
    return Series(match, making=make).pairing


def earlier(**changes: Any) -> Pairing:
    """The same match, described by a version that did not know some settings or had others."""
    then = copy.deepcopy(pairing())
    config = then.players["a"]["configuration"]["config"]
    for field, value in changes.items():
        if value is None:
            del config[field]
        else:
            config[field] = value
    return then


def test_the_hash_depends_on_everything_but_the_number_of_games() -> None:
    names = {
        pairing(match).hash
        for match in (
            MATCH,
            replace(MATCH, seed=2),
            replace(MATCH, simulations=21),
            replace(MATCH, komi=6.5),
            replace(MATCH, openings=("C3",)),
            replace(MATCH, a="mogo-2007:bias=0.02"),
            replace(MATCH, a=MATCH.b, b=MATCH.a),
        )
    }
    assert len(names) == 7
    assert pairing(replace(MATCH, games=7)).hash == pairing().hash


def test_a_setting_that_was_not_known_then_must_be_as_if_it_were_not_there() -> None:
    assert pairing().continues(pairing())
    assert pairing().continues(earlier(virtual_loss=None)), "it has its default now"
    assert not pairing().continues(earlier(heuristic=None)), "it has another value now"
    assert not pairing().continues(earlier(bias=0.1))
    assert not earlier(virtual_loss=None).continues(pairing()), "a setting that is gone"


def test_what_is_told_makes_no_other_games() -> None:
    surer = pairing(replace(MATCH, a="mogo-2007:sharpness=4"))
    changed = replace(surer, conditions=pairing().conditions)  # the spec is a condition: a preset's own value is not
    assert changed.players["a"]["configuration"]["config"]["sharpness"] == 4.0
    changed.players["a"].update(spec="mogo-2007", name="mogo-2007")
    changed.players["a"]["configuration"]["name"] = "mogo-2007"
    assert changed.continues(pairing()) and changed.continues(earlier(sharpness=None))
    assert not changed.continues(earlier(bias=0.1))


def test_a_rule_that_was_not_known_then_must_be_off() -> None:
    now = {"config": {"rules": {"nakade": 0.5, "guess": 0.0}}}
    assert is_same({"config": {"rules": {"nakade": 0.5}}}, now)
    assert not is_same({"config": {"rules": {"guess": 0.0}}}, now), "nakade was off then"
    assert not is_same({"config": {"rules": {"nakade": 0.4}}}, now)
    assert is_same({"config": {"rules": {"nakade": 0.5, "reply": 0.0}}}, now), "it is gone, and was off"
    assert not is_same({"config": {"rules": {"nakade": 0.5, "reply": 1.0}}}, now)
    assert "rules" not in described(SearchConfig(policy="mogo")) and "rules" in described(SearchConfig("tactical"))


@pytest.mark.parametrize("change", [{"seed": 2}, {"komi": 0.5}, {"a": "mogo-rave"}, {"resign": 0.0}])
def test_other_conditions_are_another_match(change: dict[str, Any]) -> None:
    assert not pairing(replace(MATCH, **change)).continues(pairing())


def test_games_of_an_older_version_are_gone_on_with() -> None:
    store = Store(":memory:")
    old = earlier(virtual_loss=None)
    store.add(old)
    series = Series(MATCH, store)
    assert series.pairing.hash == old.hash != pairing().hash
    assert len(store.pairings()) == 1


@pytest.mark.parametrize(
    ("black", "result", "lead"),
    [("a", "B+3.5", 3.5), ("b", "B+3.5", -3.5), ("a", "W+12", -12.0), ("b", "W+12", 12.0), ("a", "0", 0.0),
     ("a", "B+R", None), ("b", "W+", None)],
)  # fmt: skip
def test_the_lead_of_the_first_player(black: str, result: str, lead: float | None) -> None:
    game = Played(0, black, "win", "a", result, "score", "", [], {}, {})
    assert game.lead == lead
    assert replace(game, outcome="void", winner=None, result="Void").lead is None
