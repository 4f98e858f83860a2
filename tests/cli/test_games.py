"""`montego games`: what is in a database, as people look at it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import montego.cli.games as cli
from arena.fakes import play_here, series_of
from montego import MontegoError
from montego.arena.match import Series
from montego.arena.settings import Match
from montego.arena.store import Store
from montego.arena.tournament import name_of
from montego.go.sgf import read_sgf


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.db"
    with Store(path) as store:
        play_here(series_of("builder", "random", store))
        play_here(series_of("builder", "raises", store))
        play_here(series_of("random", "passes", store))
    return path


@pytest.fixture
def path(template: Path, tmp_path: Path) -> Path:
    """A database with three matches, the second without a game that counts."""
    return Path(shutil.copy(template, tmp_path))


def games(*arguments: str | Path, given: bytes | None = None) -> Result:
    return CliRunner().invoke(cli.command, [str(word) for word in arguments], input=given)


def hashes(path: Path) -> dict[tuple[str, str], str]:
    with Store(path) as store:
        return {(pairing.match.a, pairing.match.b): pairing.hash for pairing in store.pairings()}


# list


def test_list(path: Path) -> None:
    done = games("list", path)
    assert done.exit_code == 0, done.output
    lines = {line.split("  ")[0]: line for line in done.stdout.splitlines()}
    names = hashes(path)
    assert set(lines) == set(names.values())
    told = lines[names["random", "passes"]]
    assert "random – passes, 5×5: " in told and " won, " in told and " % (" in told
    assert lines[names["builder", "raises"]].endswith(": 0 won, 0 lost, 0 drawn, 4 not counted")


def test_list_as_json(path: Path) -> None:
    told = [json.loads(line) for line in games("list", path, "--json").stdout.splitlines()]
    assert [one["match"] for one in told] == sorted(hashes(path).values())
    one = next(one for one in told if one["b"] == "raises")
    assert (one["games"], one["recorded"], one["rate"], one["size"]) == (0, 4, None, 5)


# export, import


def test_export_and_import_give_the_same_lines(path: Path, tmp_path: Path) -> None:
    text = games("export", path).stdout
    assert text.endswith("\n") and len(text.splitlines()) == 4 + 3 + 12
    source, other = tmp_path / "games.jsonl", tmp_path / "other.db"
    source.write_text(text, encoding="utf-8")
    done = games("import", source, other)
    assert done.exit_code == 0 and done.stderr == "12 games read\n" and not done.stdout
    assert games("export", other).stdout == text
    assert games("import", "-", other, given=text.encode()).exit_code == 0, "also from stdin, and again"
    assert games("export", other).stdout == text and games("list", other).stdout == games("list", path).stdout


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"hello\n", "line 1 of"),
        (b"{}\n", "line 1 of"),
        (b"\xff\xfe\n", "is no text"),
        (b"[" * 200_000, "line 1 of"),
        (b"x" * 3_000_000, "too long"),
        (b'{"player": {"spec": "x"}, "hash": "0"}\n', "not what its hash says"),
    ],
)
def test_hostile_lines_are_refused(content: bytes, words: str, path: Path, tmp_path: Path) -> None:
    before = games("export", path).stdout
    source = tmp_path / "games.jsonl"
    source.write_bytes(before.encode() + content)
    done = games("import", source, path)
    number = len(before.splitlines()) + 1
    assert isinstance(done.exception, MontegoError)
    assert words.replace("line 1 ", f"line {number} ") in str(done.exception) and len(str(done.exception)) < 300
    assert games("export", path).stdout == before


def test_import_refuses_a_database_of_another_kind(path: Path, tmp_path: Path) -> None:
    source, other = tmp_path / "games.jsonl", tmp_path / "diary"
    source.write_text(games("export", path).stdout, encoding="utf-8")
    other.write_bytes(b"dear diary\n" * 100)
    assert isinstance(games("import", source, other).exception, MontegoError)
    assert other.read_bytes() == b"dear diary\n" * 100


@pytest.mark.skipif(os.name != "posix", reason="a pipe of Unix")
def test_nobody_need_read_to_the_end(path: Path) -> None:
    command = f"'{sys.executable}' -m montego games export '{path}' | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert '"player"' in done.stdout and "Traceback" not in done.stderr and "Exception" not in done.stderr


# sgf


def test_one_game_as_sgf(path: Path) -> None:
    name = hashes(path)["builder", "random"]
    done = games("sgf", path, "--match", name[:6], "--game", "1")
    assert done.exit_code == 0, done.output
    record = read_sgf(done.stdout_bytes)
    with Store(path) as store:
        (pairing,) = [pairing for pairing in store.pairings() if pairing.hash == name]
        game = store.games(pairing)[1]
    assert (record.black_player, record.white_player, record.result) == ("random", "builder", game.result)
    assert [move.vertex for move in record.to_game().moves] == game.moves


def test_all_games_as_sgf(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    done = games("sgf", path, "--folder", folder)
    assert done.exit_code == 0 and done.stderr == "12 games written\n"
    names = [f"{name}-{number:05}.sgf" for name in hashes(path).values() for number in range(4)]
    assert sorted(file.name for file in folder.iterdir()) == sorted(names)
    for file in folder.iterdir():
        read_sgf(file).to_game()


def test_a_folder_that_cannot_be_made(path: Path) -> None:
    done = games("sgf", path, "--folder", path / "folder")
    assert isinstance(done.exception, MontegoError) and "cannot write in" in str(done.exception)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "12 games are meant"),
        (("--game", "1"), "3 games are meant"),
        (("--game", "99"), "there is no such game"),
        (("--match", "xyz"), "there is no such game"),
    ],
)
def test_games_that_are_not_there(arguments: tuple[str, ...], words: str, path: Path) -> None:
    done = games("sgf", path, *arguments)
    assert isinstance(done.exception, MontegoError) and words in str(done.exception) and not done.stdout


def test_a_game_whose_moves_cannot_be_played_is_refused(path: Path) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("UPDATE games SET moves = 'A1 A1'")
    db.close()
    done = games("sgf", path, "--match", hashes(path)["random", "passes"], "--game", "0")
    assert isinstance(done.exception, MontegoError) and not done.stdout


# ratings


def test_ratings(path: Path) -> None:
    done = games("ratings", path)
    assert done.exit_code == 0, done.output
    assert done.stdout.split()[:3] == ["#", "player", "Elo"]
    assert all(name in done.stdout for name in ("builder", "random", "passes")) and "raises" not in done.stdout


def test_ratings_as_json_with_an_anchor(path: Path) -> None:
    told = json.loads(games("ratings", path, "--json", "--anchor", "random=1000").stdout)
    assert told["anchor"] == "random" and {p["name"] for p in told["players"]} == {"builder", "random", "passes"}
    assert [p["elo"] for p in told["players"] if p["name"] == "random"] == [1000]


def test_ratings_of_several_databases(path: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "other.db") as store:
        play_here(series_of("builder", "passes", store))
        play_here(series_of("builder", "builder", store))
    together = json.loads(games("ratings", path, tmp_path / "other.db", "--json").stdout)
    counts = {p["name"]: p["games"] for p in together["players"]}
    assert counts == {"builder": 8, "random": 8, "passes": 8}, "against itself a player shows nothing"


def test_ratings_are_drawn(path: Path, tmp_path: Path) -> None:
    done = games("ratings", path, "--plot", tmp_path / "ladder")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "ladder.png").read_bytes().startswith(b"\x89PNG") and (tmp_path / "ladder.svg").exists()


def test_a_picture_that_cannot_be_written(path: Path) -> None:
    done = games("ratings", path, "--plot", path / "ladder")
    assert isinstance(done.exception, MontegoError) and "cannot write the picture" in str(done.exception)


@pytest.mark.parametrize("arguments", [("--anchor", "nobody=3"), ("--anchor", "random"), ("--anchor", "random=nan")])
def test_anchors_that_are_refused(arguments: tuple[str, ...], path: Path) -> None:
    assert isinstance(games("ratings", path, *arguments).exception, MontegoError)


def test_no_game_to_rate(tmp_path: Path) -> None:
    Store(tmp_path / "empty.db").close()
    done = games("ratings", tmp_path / "empty.db")
    assert isinstance(done.exception, MontegoError) and "no game to rate" in str(done.exception)


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("house", ["house:simulations=10", "house:simulations=20"]),
        ("house:bias=0.01", ["house:bias=0.01,simulations=10", "house:bias=0.01,simulations=20"]),
        ("house:simulations=7", ["house:simulations=7"] * 2),
        ("over-gtp:house", ["over-gtp:house:simulations=10", "over-gtp:house:simulations=20"]),
        ("over-gtp:house:simulations=7", ["over-gtp:house:simulations=7"] * 2),
        ("over-gtp:22k", ["over-gtp:22k"] * 2),
        ("gnugo", ["gnugo"] * 2),
        ("gtp:engine", ["gtp:engine"] * 2),
    ],
)
def test_players_are_told_apart_by_their_limits(spec: str, names: list[str]) -> None:
    """The same preset with 10 and with 20 simulations is two players."""
    pairings = [Series(Match(spec, "mogo-2007", simulations=n, size=5)).pairing for n in (10, 20)]
    assert [name_of(pairing, "a") for pairing in pairings] == names


# Any file.

COMMANDS: list[tuple[str, ...]] = [("list",), ("export",), ("sgf",), ("ratings",)]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0" + bytes(4000), bytes(1000)], ids=range(3))
def test_files_of_another_kind_are_refused(command: tuple[str, ...], content: bytes, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(content)
    done = games(*command, other)
    assert isinstance(done.exception, MontegoError) and not done.stdout and other.read_bytes() == content


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_are_not_there_are_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    done = games(*command, tmp_path / "no-such-file")
    assert done.exit_code == 2 and "does not exist" in done.stderr and not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", ["montego games list", "export", "import", "sgf", "ratings", "--plot"])
def test_help_teaches(words: str) -> None:
    assert words in games("--help").stdout


@pytest.mark.parametrize("command", ["list", "export", "import", "sgf", "ratings"])
def test_each_command_explains_itself(command: str) -> None:
    done = games(command, "--help")
    assert done.exit_code == 0 and "Usage" in done.stdout
