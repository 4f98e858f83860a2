"""Games on file: all that is known of them is kept, nothing is kept twice, and no other file is touched."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.fakes import build, play_here, series_of
from montego import MontegoError, __version__
from montego.arena.jsonl import LONGEST_LINE, read_lines, write_lines
from montego.arena.match import Series, play_one
from montego.arena.played import Played, compact, hash_of
from montego.arena.settings import Match
from montego.arena.sgf import to_sgf
from montego.arena.store import FORMAT, Store, patiently
from montego.go.sgf import read_sgf

TESTS = Path(__file__).parents[1]
MATCH = Match("random", "builder", games=4, simulations=10, size=5)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "games.db"
    with Store(path) as store:
        play_here(Series(MATCH, store, build))
        play_here(series_of("illegal", "raises", store))
        play_here(series_of("random", "resigns", store, komi=0.5))
        store.remember({"kind": "match"})
    return path


@pytest.fixture
def path(template: Path, tmp_path: Path) -> Path:
    """A database with the games of three matches."""
    return Path(shutil.copy(template, tmp_path))


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


def lines_of(path: Path) -> list[str]:
    with Store(path) as store:
        return list(write_lines(store))


def rows(path: Path, query: str) -> list[Any]:
    db = sqlite3.connect(path)
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


def change(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    try:
        for statement in statements:
            db.execute(statement)
    finally:
        db.close()


# What is kept.


def test_a_row_tells_everything(path: Path) -> None:
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    query = "SELECT * FROM results WHERE json_extract(conditions, '$.b') = 'builder' ORDER BY number"
    found = [dict(row) for row in db.execute(query)]
    db.close()
    assert [row["number"] for row in found] == [0, 1, 2, 3]
    row = found[1]
    assert row["montego"] == __version__ and row["played"].startswith("20") and row["played"].endswith("Z")
    assert json.loads(row["versions"]) == {"a": "Fake 1", "b": "Fake 1"}
    assert json.loads(row["conditions"]) == {
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
        "openings": [],
        "scoring": "agreement",
        "answer_seconds": 300.0,
    }
    described = {"spec": "builder", "name": "builder", "configuration": {"name": "builder", "moves": 0}}
    assert json.loads(row["b"]) == described and row["b_hash"] == hash_of(described)
    assert json.loads(row["a"])["spec"] == "random" and row["a_hash"] == hash_of(json.loads(row["a"]))
    assert row["match"] == hash_of(
        {**json.loads(row["conditions"]), "players": {"a": row["a_hash"], "b": row["b_hash"]}}
    )
    assert json.loads(row["seeds"]) == {side: MATCH.seed_of(1, side) for side in "ab"}
    game = play_one(MATCH, build, 1)
    assert (row["black"], row["outcome"], row["winner"], row["result"], row["reason"], row["message"]) == (
        *("b", game.outcome, game.winner, game.result, game.reason, ""),
    )
    assert row["moves"].split() == game.moves and row["opening"] == 0
    efforts = json.loads(row["efforts"])
    assert efforts["a"]["turns"] + efforts["b"]["turns"] == len(game.moves)
    assert efforts["a"]["simulations"] == 10 * efforts["a"]["turns"] and efforts["b"]["seconds"] > 0


def test_a_real_players_whole_configuration_is_kept(tmp_path: Path) -> None:
    match = Match("mogo-2007:bias=0.25", "30k", games=1, simulations=10, size=5)
    with Store(tmp_path / "games.db") as store:
        Series(match, store)
        (pairing,) = store.pairings()
    a, b = (pairing.players[side]["configuration"] for side in "ab")
    assert a["config"]["bias"] == 0.25 and a["simulations"] == 10 and a["config"]["policy"] == "mogo"
    assert b["simulations"] != 10 and b["conduct"]["softness"] > 0, "a level has limits and manners of its own"
    assert "seed" not in a and "seed" not in b, "seeds are the games'"


def test_games_on_file_are_not_played_again(path: Path, store: Store) -> None:
    before = lines_of(path)
    again = Series(MATCH, store, build)
    assert again.missing == [] and sorted(again.played) == [0, 1, 2, 3]
    assert again.report()["moves"] == play_here(Series(MATCH, None, build)).report()["moves"]
    assert lines_of(path) == before


def test_a_match_goes_on_where_it_stopped(path: Path) -> None:
    whole = lines_of(path)
    change(path, "DELETE FROM games WHERE number IN (1, 3)")
    with Store(path) as store:
        series = Series(MATCH, store, build)
        assert series.missing == [1, 3]
        play_here(series)
        assert [series.played[number].moves for number in range(4)] == [
            play_one(MATCH, build, number).moves for number in range(4)
        ]
    assert len(lines_of(path)) == len(whole) - 4, "those of the other matches"


def test_more_games_may_be_asked_for(store: Store) -> None:
    assert Series(replace(MATCH, games=6), store, build).missing == [4, 5]
    assert len(Series(replace(MATCH, games=2), store, build).played) == 2


def test_of_a_game_that_comes_twice_the_first_stays(path: Path, store: Store) -> None:
    before = lines_of(path)
    pairing = Series(MATCH, store, build).pairing
    (game,) = [game for game in store.games(pairing) if game.number == 2]
    store.add(pairing, [game, replace(game, moves=["A1"]), game])
    assert lines_of(path) == before


@pytest.mark.parametrize(
    "change",
    [
        {"a": "passes"},
        {"b": "passes"},
        {"simulations": 11},
        {"simulations": None, "seconds": 1.0},
        {"size": 6},
        {"komi": 6.5},
        {"rules": "aga"},
        {"seed": 2},
        {"threads": 2},
        {"resign": 0.0},
        {"openings": ("C3",)},
        {"scoring": "board"},
    ],
)
def test_another_match_stands_beside_it(change: dict[str, Any], store: Store) -> None:
    before = len(store.pairings())
    other = Series(replace(MATCH, **change), store, build)
    assert other.played == {} and len(store.pairings()) == before + 1


def test_a_run_is_remembered(path: Path, store: Store) -> None:
    store.remember({"kind": "match", "openings": ("C3",)})
    assert store.remembered() == {"kind": "match", "openings": ["C3"]}
    store.remember({"kind": "match", "openings": ("C3",)})
    assert len(rows(path, "SELECT * FROM runs")) == 2, "the same again is no other run"


def test_a_file_without_a_run_has_none_to_go_on_with(tmp_path: Path) -> None:
    with Store(tmp_path / "new.db") as store, pytest.raises(MontegoError, match="no run to go on with"):
        store.remembered()


def test_closing_leaves_one_file(path: Path) -> None:
    assert [file.name for file in path.parent.iterdir()] == ["games.db"]


def test_a_game_is_kept_whatever_kills_the_process_then(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    script = (
        "import os, sys; from arena.fakes import *; "
        f"series = series_of('random', 'builder', Store({str(path)!r})); "
        "series.take(play_one(series.match, build, 2)); os.kill(os.getpid(), 9)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])}
    assert subprocess.run([sys.executable, "-c", script], env=environment).returncode != 0
    with Store(path) as store:
        assert list(series_of("random", "builder", store).played) == [2]


def test_a_file_that_others_have_is_waited_for() -> None:
    """SQLite refuses to change the journal at once while another process is about to; everything else waits."""
    tries = iter(["database is locked", "database is locked", None])

    def act() -> None:
        if (problem := next(tries)) is not None:
            raise sqlite3.OperationalError(problem)

    patiently(act)
    assert list(tries) == []


@pytest.mark.parametrize(("problem", "seconds"), [("database is locked", 0.03), ("disk I/O error", 60.0)])
def test_patience_has_an_end(problem: str, seconds: float) -> None:
    def act() -> None:
        raise sqlite3.OperationalError(problem)

    with pytest.raises(sqlite3.OperationalError, match=problem):
        patiently(act, seconds)


WRITER = """
import sys
from arena.fakes import build, series_of
from montego.arena.match import play_one
from montego.arena.store import Store
path, first = sys.argv[1], int(sys.argv[2])
played = [play_one(series_of("random", "random", games=30).match, build, n) for n in range(first, 30, 3)]
print("ready", flush=True)
sys.stdin.readline()
with Store(path) as store:
    series = series_of("random", "random", store, games=30)
    for game in played:
        series.take(game)
    series.store.remember({"kind": "match", "first": first})
"""


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    """Three that open a new file at the same moment and then write one game after another."""
    path = tmp_path / "games.db"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(first)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for first in range(3)
    ]
    for writer in writers:
        assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    ended = [(*writer.communicate(timeout=120), writer.returncode) for writer in writers]
    assert [code for _, _, code in ended] == [0, 0, 0], ended
    with Store(path) as store:
        assert series_of("random", "random", store, games=30).missing == []
    assert len(rows(path, "SELECT * FROM runs")) == 3


def test_matches_are_read_while_another_writes(path: Path, store: Store) -> None:
    """Whatever is written between two queries of one reading, what is read belongs together."""
    with Store(path) as other:
        new = iter(["passes", "illegal", "builder", "resigns", "slow", "lucky"])
        store._db.set_trace_callback(lambda query: other.add(series_of("random", next(new)).pairing))
        found = [len(store.pairings()) for _ in range(3)]
    assert found == sorted(found) and found[-1] > found[0] >= 1


# Files that are none of ours.


def foreign(path: Path) -> None:
    change(path, "CREATE TABLE mail (body TEXT)", "INSERT INTO mail VALUES ('hello')")


def foreign_in_wal_mode(path: Path) -> None:
    change(path, "PRAGMA journal_mode = WAL", "CREATE TABLE mail (body TEXT)", "INSERT INTO mail VALUES ('hello')")


def empty_with_mark(path: Path) -> None:
    change(path, "PRAGMA application_id = 1234567")


def other_format(path: Path) -> None:
    Store(path).close()
    change(path, f"PRAGMA user_version = {FORMAT + 1}")


def cut_off(path: Path) -> None:
    with Store(path) as store:
        play_here(series_of("random", "builder", store, games=30))
    path.write_bytes(path.read_bytes()[:-3000])


def scribbled_over(path: Path) -> None:
    Store(path).close()
    content = bytearray(path.read_bytes())
    content[100:2000] = os.urandom(1900)
    path.write_bytes(content)


OTHERS: dict[str, Any] = {
    "text": b"hello, this is my diary\n" * 100,
    "short text": b"hi",
    "json": b'{"index": 0}\n',
    "sgf": b"(;GM[1]SZ[9];B[ee])",
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
    "zeros": bytes(5000),
    "almost a database": b"SQLite format 3\0" + bytes(84),
    "other program's": foreign,
    "other program's, in use": foreign_in_wal_mode,
    "other program's, empty": empty_with_mark,
    "another version's": other_format,
    "cut off": cut_off,
    "scribbled over": scribbled_over,
}


@pytest.mark.parametrize("kind", OTHERS)
def test_a_file_of_another_kind_is_refused_and_left_alone(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "other"
    if callable(OTHERS[kind]):
        OTHERS[kind](path)
    else:
        path.write_bytes(OTHERS[kind])
    content = path.read_bytes()
    with pytest.raises(MontegoError, match="accepted"), Store(path) as store:
        for pairing in store.pairings():
            store.games(pairing)
    assert path.read_bytes() == content and [file.name for file in tmp_path.iterdir()] == ["other"]


def test_the_format_of_another_version_is_named(tmp_path: Path) -> None:
    other_format(tmp_path / "games.db")
    with pytest.raises(MontegoError, match=f"it has format {FORMAT + 1}, and this version of montego reads"):
        Store(tmp_path / "games.db")


@pytest.mark.parametrize("name", ["", "no/such/folder.db", "a\0b"])
def test_files_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(MontegoError, match="cannot open"):
        Store(tmp_path / name)


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "games.db").touch()
    with Store(tmp_path / "games.db") as store:
        assert store.pairings() == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET seeds = 'x'",
        "UPDATE games SET seeds = '{}'",
        "UPDATE games SET seeds = 7",
        "UPDATE games SET efforts = '" + "[" * 5000 + "'",
        "UPDATE games SET outcome = 'won'",
        "UPDATE games SET winner = 'c'",
        "UPDATE games SET winner = NULL, outcome = 'win'",
        "UPDATE games SET moves = x'00ff'",
        "UPDATE games SET opening = -1",
        "UPDATE games SET number = number + 3000000000",
        "UPDATE matches SET conditions = '[]'",
        "UPDATE matches SET conditions = json_set(conditions, '$.komi', 0.5)",
        "UPDATE matches SET conditions = json_set(conditions, '$.size', 99)",
        "UPDATE matches SET a = 'nobody'",
        "UPDATE matches SET hash = hash || '0'",
        "UPDATE players SET description = 'x'",
        "UPDATE players SET description = '3'",
        "UPDATE players SET description = json_set(description, '$.name', 'cheat')",
        "DELETE FROM players",
        "DROP TABLE games",
        "DROP TABLE players",
        "ALTER TABLE games RENAME COLUMN moves TO turns",
    ],
)
def test_rows_that_were_tampered_with_are_refused(statement: str, path: Path) -> None:
    change(path, "PRAGMA foreign_keys = OFF", statement)
    with Store(path) as store, pytest.raises(MontegoError, match="accepted"):
        for pairing in store.pairings():
            store.games(pairing)


@pytest.mark.parametrize("text", ["x", "3", "[1, 2]", "null"])
def test_a_run_that_was_tampered_with_is_refused(text: str, path: Path) -> None:
    change(path, f"UPDATE runs SET settings = '{text}'")
    with Store(path) as store, pytest.raises(MontegoError, match="accepted"):
        store.remembered()


# Lines of JSON.


def test_export_and_import_lose_nothing(path: Path, tmp_path: Path) -> None:
    lines = lines_of(path)
    assert [set(json.loads(line)) & {"player", "match", "of"} for line in lines].count({"of"}) == 12
    with Store(tmp_path / "second.db") as second:
        assert read_lines((line + "\n" for line in lines), second) == 12
    assert lines_of(tmp_path / "second.db") == lines
    query = "SELECT * FROM results ORDER BY match, number"
    assert rows(path, query) == rows(tmp_path / "second.db", query)
    with Store(tmp_path / "second.db") as second:
        read_lines(lines, second)
        read_lines([lines[0], "", "  \n", *lines[1:]], second)
        assert list(write_lines(second)) == lines, "the same again changes nothing"


def test_imported_games_are_gone_on_with(path: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "second.db") as second:
        read_lines(lines_of(path), second)
        assert Series(replace(MATCH, games=5), second, build).missing == [4]


def test_two_databases_become_one(path: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "other.db") as other:
        play_here(Series(replace(MATCH, games=6), other, build))
        play_here(series_of("passes", "passes", other))
        read_lines(lines_of(path), other)
        counts = sorted(len(other.games(pairing)) for pairing in other.pairings())
    assert counts == [4, 4, 4, 6]


def test_some_matches_may_be_written(store: Store) -> None:
    pairing = Series(MATCH, store, build).pairing
    lines = [json.loads(line) for line in write_lines(store, [pairing])]
    assert [next(iter(line)) for line in lines] == ["player", "player", "match", "of", "of", "of", "of"]


def altered(line: str, **fields: Any) -> str:
    return compact({**json.loads(line), **fields})


def without(line: str, name: str) -> str:
    return compact({key: value for key, value in json.loads(line).items() if key != name})


def player(description: Any) -> str:
    return compact({"player": description, "hash": hash_of(description)})


EFFORT = {"turns": 1, "simulations": 1, "seconds": 1.0}
GAME_CHANGES: list[dict[str, Any]] = [
    {"number": -1},
    {"number": "1"},
    {"number": 1.0},
    {"number": True},
    {"number": 10**30},
    {"number": None},
    {"black": "c"},
    {"black": "b"},
    {"winner": "c"},
    {"winner": ["a"]},
    {"outcome": "won"},
    {"outcome": "void"},
    {"outcome": {}},
    {"result": 3},
    {"moves": 3},
    {"moves": ["A1"]},
    {"moves": "A1 Z9"},
    {"moves": "A1 resign"},
    {"opening": -1},
    {"opening": 10**6},
    {"opening": None},
    {"seeds": {}},
    {"seeds": [1, 2]},
    {"seeds": {"a": 1, "b": "2"}},
    {"seeds": {"a": 1, "b": 2, "c": 3}},
    {"versions": {"a": 1, "b": ""}},
    {"versions": None},
    {"efforts": {}},
    {"efforts": {"a": {}, "b": 1}},
    {"efforts": {"a": EFFORT, "b": {**EFFORT, "turns": -1}}},
    {"efforts": {"a": EFFORT, "b": {**EFFORT, "simulations": 1.5}}},
    {"efforts": {"a": EFFORT, "b": {**EFFORT, "seconds": "1"}}},
    {"efforts": {"a": EFFORT, "b": {**EFFORT, "seconds": 10**400}}},
    {"efforts": {"a": EFFORT, "b": {**EFFORT, "seconds": float("nan")}}},
    {"efforts": {"a": EFFORT, "b": {**EFFORT, "x": 1}}},
    {"efforts": {"a": EFFORT, "b": EFFORT, "c": EFFORT}},
    {"montego": None},
    {"played": 5},
    {"of": "0" * 16},
    {"of": None},
    {"of": {}},
    {"x": 1},
]


def refused(lines: list[str], number: int, path: Path) -> None:
    """The line is refused by its number, and the database is as before."""
    before = lines_of(path)
    with Store(path) as store, pytest.raises(MontegoError, match=rf"^line {number} of the file: .*accepted") as caught:
        read_lines(lines, store)
    assert len(str(caught.value)) < 500 and "\n" not in str(caught.value)
    assert lines_of(path) == before


@pytest.fixture(scope="module")
def others() -> list[str]:
    with Store(":memory:") as other:
        play_here(series_of("random", "passes", other, seed=5, komi=0.5))
        return list(write_lines(other))


@pytest.fixture
def lines(others: list[str]) -> list[str]:
    """Lines of other games than those in the database."""
    return list(others)


@pytest.mark.parametrize("fields", GAME_CHANGES)
def test_a_game_that_is_none_is_refused(fields: dict[str, Any], lines: list[str], path: Path) -> None:
    lines[3] = altered(lines[3], **fields)
    refused(lines, 4, path)


@pytest.mark.parametrize("name", sorted(Played.__dataclass_fields__))
def test_a_game_without_one_of_its_fields_is_refused(name: str, lines: list[str], path: Path) -> None:
    lines[4] = without(lines[4], name)
    refused(lines, 5, path)


@pytest.mark.parametrize(
    "fields",
    [
        {"match": None},
        {"match": []},
        {"match": {}},
        {"match": {"a": "random", "b": "passes"}},
        {"a": "0" * 16},
        {"a": None},
        {"a": []},
        {"hash": "0" * 16},
        {"hash": None},
    ],
)
def test_a_match_that_is_none_is_refused(fields: dict[str, Any], lines: list[str], path: Path) -> None:
    lines[2] = altered(lines[2], **fields)
    refused(lines, 3, path)


@pytest.mark.parametrize(
    "conditions",
    [
        {"komi": 6.5},
        {"size": 10**30},
        {"seconds": 10**400, "simulations": None},
        {"threads": None},
        {"openings": ["A1 A1"]},
        {"openings": 7},
        {"x": 1},
        {"a": "builder"},
    ],
)
@pytest.mark.parametrize("named_again", [False, True])
def test_conditions_that_are_none_are_refused(
    conditions: dict[str, Any], named_again: bool, lines: list[str], path: Path
) -> None:
    fields = json.loads(lines[2])
    match = {**fields["match"], **conditions}
    name = hash_of({**match, "players": {"a": fields["a"], "b": fields["b"]}}) if named_again else fields["hash"]
    lines[2] = compact({**fields, "match": match, "hash": name})
    if named_again and conditions == {"komi": 6.5}:
        refused(lines, 4, path)  # another match, whose games are not these
    else:
        refused(lines, 3, path)


def test_a_player_that_is_not_what_its_hash_says_is_refused(lines: list[str], path: Path) -> None:
    lines[1] = altered(lines[1], player={"spec": "passes", "name": "passes", "configuration": {"cheats": True}})
    refused(lines, 2, path)


@pytest.mark.parametrize("description", [None, 3, [], {}, {"spec": "random"}, {"spec": "x", "configuration": {}}])
def test_a_player_that_is_none_is_refused(description: Any, lines: list[str], path: Path) -> None:
    fields = json.loads(lines[2])
    fields["a"] = hash_of(description)
    fields["hash"] = hash_of({**fields["match"], "players": {"a": fields["a"], "b": fields["b"]}})
    lines[0], lines[2] = player(description), compact(fields)
    refused(lines, 3, path)


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "{}",
        "[]",
        "null",
        "7",
        '"of"',
        "NaN",
        "{" * 100,
        "[" * 100_000,
        '{"of":' * 5000,
        '{"of": ' + "9" * 5000 + "}",
        '{"player": "\\ud800", "hash": ""}',
        "\x00",
        "(;GM[1])",
    ],
    ids=range(14),
)
def test_a_line_of_another_kind_is_refused(line: str, lines: list[str], path: Path) -> None:
    refused([*lines, line], len(lines) + 1, path)


def test_half_a_character_is_refused(lines: list[str], path: Path) -> None:
    lines[3] = lines[3].replace('"message":""', '"message":"\\ud800"')
    refused(lines, 4, path)


def test_a_huge_line_is_refused(lines: list[str], path: Path) -> None:
    refused([*lines, altered(lines[3], message="x" * LONGEST_LINE)], len(lines) + 1, path)


def test_lines_in_another_order_are_refused(lines: list[str], path: Path) -> None:
    refused(lines[::-1], 1, path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["a", "b", "A1"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "turns"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def good() -> list[str]:
    with Store(":memory:") as store:
        play_here(series_of("random", "builder", store, games=2))
        return list(write_lines(store))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_stands_in_a_line_it_is_taken_or_refused(good: list[str], data: Any) -> None:
    """Any field of any line with any value: either the lines are read, and can be written, or none of them is."""
    number = data.draw(st.integers(0, len(good) - 1))
    fields = json.loads(good[number])
    name = data.draw(st.sampled_from([*fields, "x"]))
    lines = [*good[:number], json.dumps({**fields, name: data.draw(JSON)}), *good[number + 1 :]]
    with Store(":memory:") as store:
        try:
            read_lines(lines, store)
        except MontegoError as error:
            assert str(error).startswith("line ") and store.pairings() == []
            return
        again = list(write_lines(store))
        with Store(":memory:") as other:
            read_lines(again, other)
            assert list(write_lines(other)) == again


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=30) | JSON.map(json.dumps), max_size=4))
def test_any_text_is_refused_or_empty(lines: list[str]) -> None:
    with Store(":memory:") as store:
        try:
            assert read_lines(lines, store) == 0 and not any(line.strip() for line in lines)
        except MontegoError as error:
            assert "accepted" in str(error)
        assert store.pairings() == []


# SGF.


@pytest.mark.parametrize(
    ("a", "b", "conditions", "result"),
    [
        ("random", "builder", {}, None),
        ("resigns", "passes", {}, "W+R"),
        ("illegal", "passes", {}, "W+F"),
        ("random", "raises", {}, "Void"),
        ("passes", "passes", {"komi": 0}, "0"),
        ("random", "random", {"rules": "japanese", "size": 9, "openings": ("E5 C3",)}, None),
    ],
)
def test_a_game_as_sgf_reads_back(a: str, b: str, conditions: dict[str, Any], result: str | None) -> None:
    series = play_here(series_of(a, b, games=2, **conditions))
    for game in series.played.values():
        record = read_sgf(to_sgf(series.pairing, game))
        position = record.to_game()
        assert [move.vertex for move in position.moves] == game.moves
        players = (record.black_player, record.white_player)
        assert players == ((a, b) if game.black == "a" else (b, a))
        assert (record.result, position.size, position.komi) == (game.result, series.match.size, series.match.komi)
        assert position.rules.name == series.match.rules and record.date == game.played[:10]
        assert f"{game.outcome}: {game.reason}" in record.root.comment and game.message in record.root.comment
    assert result in (None, series.played[0].result)
