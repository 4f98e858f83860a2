"""What may be tuned: ranges and choices as people write them, also badly."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego import MontegoError
from montego.learn.space import (
    Choice,
    Range,
    Space,
    SpaceError,
    present_setting,
    read_file,
    read_space,
    space_from,
    value_of,
)


def test_ranges_and_choices_are_read() -> None:
    space = read_space("house", ["bias=0.001..0.05:log", " expand_after = 1..16 "], ["final=visits,value"])
    assert space.parameters == (
        Range("bias", 0.001, 0.05, log=True),
        Range("expand_after", 1, 16, whole=True),
        Choice("final", ("visits", "value")),
    )
    assert space_from(space.to_dict()) == space
    assert present_setting("house", space) == {"bias": "0.0085", "expand_after": "8", "final": "visits"}
    assert present_setting("house:bias=0.9", space) is None, "outside the range"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bias",
        "bias=",
        "=1..2",
        "bias=1",
        "bias=1..",
        "bias=..1",
        "bias=0.1..0.01",
        "bias=0.1..0.1",
        "bias=nan..1",
        "bias=0..inf",
        "bias=-1..1",
        "bias=0..1:log",
        "bias=0.1..1:linear",
        "bias=0.1..1:",
        "bias=0..1e9",
        "bias=a..b",
        "no_such_field=0..1",
        "bias.deeper=0..1",
        "final=0..1",
        "reuse=0..1",
        "expand_after=1.5..4",
        "expand_after=0..4",
        "expand_after=1..1e300",
        "__class__=0..1",
        "weights=0..1",
        "bias=0.001..0.002\n..3",
    ],
)
def test_ranges_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(MontegoError, match="accepted"):
        read_space("house", [text], [])


@pytest.mark.parametrize(
    "text",
    [
        "reuse=true,True",
        "memory=512,0512",
        "final",
        "final=visits",
        "final=visits,visits",
        "final=visits,",
        "final=visits,best",
        "x=a,b",
        "final=a=b,c",
    ],
)
def test_choices_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(MontegoError, match="accepted"):
        read_space("house", [], [text])


def test_what_makes_no_difference_is_refused() -> None:
    with pytest.raises(SpaceError, match=r"0\.0 and 1\.0 are the same to 'mogo-2007'; accepted: what makes"):
        read_space("mogo-2007", ["rules.nakade=0..1"], [])
    assert read_space("mogo-2007", ["rules.nakade=0..1"], ["policy=mogo,tactical"]).fields == ["rules.nakade", "policy"]


def test_nothing_and_twice_the_same_are_refused() -> None:
    with pytest.raises(SpaceError, match="nothing is to be tuned"):
        read_space("house", [], [])
    with pytest.raises(SpaceError, match="given twice"):
        read_space("house", ["bias=0..1", "bias=0..2"], [])
    with pytest.raises(MontegoError, match="no preset"):
        read_space("no-such-preset", ["bias=0..1"], [])


@dataclass(frozen=True)
class Inner:
    nakade: float = 0.5


@dataclass(frozen=True)
class Outer:
    bias: float = 1.0
    rules: Inner = field(default_factory=Inner)


def test_a_dot_leads_into_a_record() -> None:
    assert value_of(Outer(), "rules.nakade") == 0.5
    with pytest.raises(SpaceError, match=r"accepted: one of its fields, rules\.NAME"):
        value_of(Outer(), "rules")
    for wrong in ("rules.no_such", "rules.nakade.deeper", "bias.x", ".", "rules."):
        with pytest.raises(SpaceError, match=r"accepted: bias, rules\.nakade"):
            value_of(Outer(), wrong)


def test_specs_lead_there_and_back() -> None:
    space = Space((Range("bias", 0.001, 0.05, log=True), Choice("final", ("visits", "value"))))
    setting = {"bias": "0.01", "final": "value"}
    for preset in ("house", "house:moves=legal"):
        spec = space.spec(preset, setting)
        assert spec == f"{preset}{',' if ':' in preset else ':'}bias=0.01,final=value"
        assert space.setting_of(preset, spec) == setting
    assert space.setting_of("house", "house") is None
    assert space.setting_of("house", "house:bias=0.5,final=value") is None, "outside"
    assert space.setting_of("house", "mogo-2007:bias=0.01,final=value") is None


@given(st.floats(0, 1), st.sampled_from([False, True]), st.sampled_from([False, True]))
def test_places_stay_inside_and_lead_back(place: float, log: bool, whole: bool) -> None:
    parameter = Range("x", 1, 37, log, whole)
    text = parameter.at(place)
    assert parameter.holds(text) and parameter.at(parameter.place(text)) == text
    if not whole:
        assert parameter.place(text) == pytest.approx(place, abs=1e-3)


def test_whole_numbers_have_equal_shares() -> None:
    parameter = Range("x", 1, 4, whole=True)
    drawn = [parameter.at((k + 0.5) / 1000) for k in range(1000)]
    assert [drawn.count(str(n)) for n in range(1, 5)] == [250] * 4
    assert parameter.grid(81) == ["1", "2", "3", "4"]


def test_options_are_equally_far_apart() -> None:
    space = Space((Choice("c", ("a", "b", "d")), Range("x", 0, 2)))
    rows = space.encoded([{"c": c, "x": "1"} for c in "abd"])
    assert space.owners == [0, 0, 0, 1]
    assert [math.dist(rows[i], rows[j]) for i, j in ((0, 1), (0, 2), (1, 2))] == pytest.approx([1, 1, 1])


def test_a_file_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "space.toml"
    path.write_text('[ranges]\nbias = "0.001..0.05:log"\n[choices]\nreuse = [true, false]\n', encoding="utf-8")
    space = read_space("house", ["expand_after=1..16"], [], path)
    assert space.fields == ["bias", "expand_after", "reuse"]
    assert space.parameters[2] == Choice("reuse", ("true", "false"))
    assert present_setting("house", space) == {"bias": "0.0085", "expand_after": "8", "reuse": "true"}
    path.write_text('[ranges]\nrules.nakade = "0..1"\n', encoding="utf-8")
    assert read_file(path) == ([("rules.nakade", "0..1")], [])


@pytest.mark.parametrize(
    "content",
    [
        b"\xff",
        b"[ranges",
        b"bias = 1",
        b"[other]\nbias = 1",
        b"[ranges]\nbias = 1",
        b"[ranges]\nbias = [0, 1]",
        b'[choices]\nfinal = "visits"',
        b"[choices]\nfinal = []",
        b'[ranges]\na.b.c = "0..1"',
        b"",
    ],
)
def test_files_that_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "space.toml"
    path.write_bytes(content)
    with pytest.raises(MontegoError, match="accepted"):
        read_space("house", [], [], path)
    with pytest.raises(MontegoError, match="cannot read"):
        read_space("house", [], [], tmp_path / "no-such-file")
