"""Matches on file: resumed, cut off, and mistaken for each other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.fakes import build
from montego import MontegoError, __version__
from montego.arena.match import Series
from montego.arena.settings import Match

MATCH = Match("random", "builder", games=4, simulations=10, size=5)


def play(path: Path, match: Match = MATCH) -> Series:
    series = Series(match, path, build)
    series.play(1)
    return series


@pytest.fixture
def record(tmp_path: Path) -> Path:
    play(tmp_path / "games.jsonl")
    return tmp_path / "games.jsonl"


def test_a_line_tells_everything(record: Path) -> None:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert [line["index"] for line in lines] == [0, 1, 2, 3]
    line = lines[1]
    assert line["montego"] == __version__
    assert line["match"] == {
        "a": "random",
        "b": "builder",
        "simulations": 10,
        "seconds": None,
        "size": 5,
        "komi": 7.5,
        "rules": "chinese",
        "seed": 1,
        "threads": 1,
        "resign": 0.05,
    }
    assert line["players"]["b"] == {"spec": "builder", "name": "builder", "configuration": {"name": "builder"}}
    assert line["black"] == "b" and set(line["seeds"]) == {"a", "b"}
    assert line["efforts"]["a"]["turns"] + line["efforts"]["b"]["turns"] == len(line["moves"])
    assert {"result", "winner", "reason", "message"} <= set(line)


def test_games_on_file_are_not_played_again(record: Path) -> None:
    before = record.read_bytes()
    again = Series(MATCH, record, build)
    assert again.missing == []
    assert again.report() == play(record).report()
    assert record.read_bytes() == before


def test_a_match_goes_on_where_it_stopped(record: Path) -> None:
    whole = record.read_bytes()
    lines = whole.splitlines(keepends=True)
    record.write_bytes(lines[0] + lines[2])
    assert Series(MATCH, record, build).missing == [1, 3]
    assert [game.moves for _, game in sorted(play(record).played.items())] == [
        json.loads(line)["moves"] for line in lines
    ]


def test_more_games_may_be_asked_for(record: Path) -> None:
    assert Series(replace(MATCH, games=6), record, build).missing == [4, 5]
    assert len(Series(replace(MATCH, games=2), record, build).played) == 2


@pytest.mark.parametrize("kept", [1, 5, 100, -1, -20])
def test_a_line_cut_off_is_played_again(kept: int, record: Path) -> None:
    first, *others = record.read_bytes().splitlines(keepends=True)
    for whole in (first, b""):
        record.write_bytes(whole + others[0][:kept])
        series = Series(MATCH, record, build)
        assert series.missing == ([1, 2, 3] if whole else [0, 1, 2, 3])
        assert record.read_bytes() == whole
    record.write_bytes(first + others[0][:kept])
    play(record)
    assert [json.loads(line)["index"] for line in record.read_text().splitlines()] == [0, 1, 2, 3]


def test_what_a_power_cut_leaves(record: Path) -> None:
    first, second, *_ = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(first + second[:50] + b"\0" * 100)
    assert Series(MATCH, record, build).missing == [1, 2, 3]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"a": "passes"}, "a is"),
        ({"b": "passes"}, "b is"),
        ({"simulations": 11}, "simulations is 10 there and 11 here"),
        ({"simulations": None, "seconds": 1.0}, "simulations is"),
        ({"size": 6}, "size is"),
        ({"komi": 6.5}, "komi is"),
        ({"rules": "aga"}, "rules is"),
        ({"seed": 2}, "seed is"),
        ({"threads": 2}, "threads is"),
        ({"resign": 0.0}, "resign is"),
    ],
)
def test_another_match_is_refused(change: dict[str, Any], word: str, record: Path) -> None:
    before = record.read_bytes()
    with pytest.raises(MontegoError, match=f"another match: {word}.*accepted"):
        Series(replace(MATCH, **change), record, build)
    record.write_bytes(before[:-10].split(b"\n", 1)[0][:-10])  # only the beginning of a line
    cut = record.read_bytes()
    with pytest.raises(MontegoError, match="accepted"):
        Series(replace(MATCH, **change), record, build)
    assert record.read_bytes() == cut


def test_another_configuration_of_the_same_name_is_refused(record: Path) -> None:
    text = record.read_text().replace('"configuration": {"name": "builder"}', '"configuration": {"depth": 3}')
    record.write_text(text)
    with pytest.raises(MontegoError, match="another match: name is None there and 'builder' here"):
        Series(MATCH, record, build)


@pytest.mark.parametrize(
    "content",
    [b"hello", b"hello\n", b"{}\n", b"[]\n", b"\n", b"\xff\n", b"(;GM[1])", b"null\n", b"[" * 5000 + b"\n", b"\0\n"],
)
def test_a_file_of_another_kind_is_refused_and_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(MontegoError, match="accepted"):
        Series(MATCH, path, build)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "change",
    [
        {"index": -1},
        {"index": "1"},
        {"index": 1},
        {"winner": "c"},
        {"efforts": {}},
        {"efforts": {"a": {}, "b": 1}},
        {"moves": 3},
        {"x": 1},
    ],
)
def test_a_line_that_was_tampered_with_is_refused(change: dict[str, Any], record: Path) -> None:
    first, *others = record.read_text().splitlines(keepends=True)
    record.write_text(json.dumps({**json.loads(first), **change}) + "\n" + "".join(others))
    with pytest.raises(MontegoError, match="line 1 of"):
        Series(MATCH, record, build)


def test_a_game_twice_on_file_counts_once(record: Path) -> None:
    record.write_text(record.read_text() * 2)
    assert Series(MATCH, record, build).tally().games == 4


@pytest.mark.parametrize("name", ["", "no/such/folder.jsonl", "a\0b"])
def test_files_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(MontegoError, match="cannot"):
        Series(MATCH, tmp_path / name, build)
