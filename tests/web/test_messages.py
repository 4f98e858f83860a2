"""Messages of a page are checked against the table: what is refused says why, and never breaks anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montego.go.errors import MontegoError
from montego.web.messages import LONGEST, PRICES, SCHEMA, MessageError, checked, parsed
from montego.web.page import Page

NEW = {"type": "new", "size": 9, "komi": 7.5, "rules": "chinese", "black": "person", "white": "20k"}
FIELDS = sorted({"x", *(field for fields in SCHEMA.values() for field in fields)})
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def test_a_whole_message() -> None:
    kind, fields = checked(NEW | {"ref": 3, "clock": {"main": 60, "periods": 3, "period": 10}})
    assert kind == "new" and fields["size"] == 9 and fields["handicap"] == 0
    assert (fields["clock"].main, fields["clock"].periods, fields["clock"].period) == (60, 3, 10)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"type": "destroy"}, "type"),
        ({"size": 20}, "size"),
        ({"size": True}, "size"),
        ({"komi": "nothing"}, "komi"),
        ({"rules": "mine"}, "rules"),
        ({"handicap": 1}, "handicap"),
        ({"white": "nobody"}, "white"),
        ({"white": "house:weights=/etc/passwd"}, "white"),
        ({"white": "rlgo-1.0:weights=/etc/passwd"}, "white"),
        ({"white": "house:memory=100000"}, "white"),
        ({"white": "house:simulations=1000000000"}, "white"),
        ({"white": "house:seconds=nan"}, "white"),
        ({"white": "house:seconds=x"}, "white"),
        ({"white": "house:softness=nan"}, "white"),
        ({"white": "rlgo-alpha-beta:depth=8"}, "white"),
        ({"white": "house:max_length=1000000"}, "white"),
        ({"white": ["house"]}, "white"),
        ({"clock": {"main": 0}}, "clock"),
        ({"clock": {"main": 10, "more": 1}}, "clock"),
        ({"clock": {"main": 1e9}}, "clock"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_refused(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(MessageError) as caught:
        checked(NEW | changes)
    assert caught.value.field == field and str(caught.value)


@pytest.mark.parametrize(
    "player",
    [
        "person",
        "house",
        "30k",
        "mogo-2007:simulations=100",
        "house:bias=0.01,seconds=2",
        "20k:softness=0.5",
        "rlgo-alpha-beta:depth=2",
    ],
)
def test_players(player: str) -> None:
    assert checked(NEW | {"black": player})[1]["black"] == player


@pytest.mark.parametrize(
    "line", ["", "[]", "3", "{", '{"a":1e999}', '{"a":NaN}', "[" * 100_000, b"{}", " " * (LONGEST + 1)]
)
def test_no_message(line: str | bytes) -> None:
    with pytest.raises(MessageError):
        parsed(line)


@settings(deadline=None)
@given(st.sampled_from([*SCHEMA, "x"]), st.dictionaries(st.sampled_from(FIELDS), VALUES))
def test_anything_is_read_or_refused(kind: str, fields: dict[str, Any]) -> None:
    try:
        raw = parsed(json.dumps(fields | {"type": kind}))
        assert checked(raw)[0] == kind
    except MontegoError as error:
        assert str(error)


def test_dear_messages_count_for_more_wherever_their_type_stands() -> None:
    class Full:
        def load_table(self, sgf: str) -> None:
            raise MontegoError("full")

    page = Page(Full())  # type: ignore[arg-type]
    assert set(PRICES) < set(SCHEMA)
    assert page.receive(json.dumps({"sgf": "x" * 1000, "type": "load"})) == PRICES["load"] > 1
    assert page.receive("{}") == page.receive("junk") == 1
