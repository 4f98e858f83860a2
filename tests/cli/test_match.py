"""`montego match` as people type it."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import montego.cli.match as cli
from arena.fakes import build, play_all_here
from montego import MontegoError
from montego.cli import conditions
from montego.cli.progress import Progress

PRESET = "mogo-2007"


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command with the players of tests/arena/fakes.py in place of the engine's, all in this process."""
    monkeypatch.setattr(cli, "make", build)
    monkeypatch.setattr(conditions, "play", play_all_here)


def match(*arguments: str) -> Result:
    defaults = ("--size", "5", "--games", "4", "--jobs", "1")
    return CliRunner().invoke(cli.command, [*arguments[:2], *defaults, *arguments[2:]])


def resume(path: Path | str, *arguments: str) -> Result:
    return CliRunner().invoke(cli.command, ["--resume", str(path), *arguments])


def played(path: Path) -> list[tuple[str, int, str]]:
    db = sqlite3.connect(path)
    try:
        return db.execute("SELECT match, number, played FROM games ORDER BY match, number").fetchall()
    finally:
        db.close()


@pytest.mark.usefixtures("fakes")
def test_text() -> None:
    done = match("builder", "passes")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["A", "builder"] and lines[1].split() == ["B", "passes"]
    assert "5×5, chinese, komi 7.5, 1000 simulations a move" in done.stdout
    assert "4: A 4 won, 0 lost, 0 drawn" in done.stdout
    assert "100.0 % for A, 95 % interval 51.0 … 100.0 %" in done.stdout
    assert "+∞ for A, 95 % interval +7 … +∞" in done.stdout
    assert "A as Black  2 won" in done.stdout and "FORFEITS" not in done.stdout and "VOID" not in done.stdout
    assert "montego: 4 games to play" in done.stderr


@pytest.mark.usefixtures("fakes")
def test_json() -> None:
    report = json.loads(match("passes", "builder", "--json", "--seconds", "0.5", "--komi", "0.5").stdout)
    assert (report["games"], report["wins"], report["losses"], report["rate"]) == (4, 0, 4, 0.0)
    assert report["elo"] is None and report["elo_interval"][0] is None and report["stopped"] is False
    assert report["settings"]["seconds"] == 0.5 and report["settings"]["simulations"] is None
    wanted = ["draws", "forfeits", "void", "unknown", "interval", "as_black", "as_white", "moves", "players", "match"]
    assert all(name in report for name in wanted) and "sprt" not in report


@pytest.mark.usefixtures("fakes")
def test_trouble_shows() -> None:
    done = match("illegal", "passes")
    assert done.exit_code == 0 and "FORFEITS    4 by A, 0 by B" in done.stdout and "occupied" in done.stdout
    done = match("random", "raises")
    assert done.exit_code == 1 and "VOID        4 games" in done.stdout and "out of ideas" in done.stdout


@pytest.mark.usefixtures("fakes")
def test_a_sequential_test_stops_early_and_says_so() -> None:
    done = match("builder", "passes", "--sprt", "0", "200", "--games", "100")
    assert done.exit_code == 0 and "SPRT        decided: A is stronger than by 0 Elo (H1: 200)" in done.stdout
    assert "8: A 8 won" in done.stdout, "ln(0.95 / 0.05) / ln(p1 / p0) = 7.04"
    done = match("passes", "builder", "--sprt", "0", "200", "--games", "100")
    assert "decided: A is not stronger by 200 Elo (H0: 0)" in done.stdout
    report = json.loads(match("passes", "passes", "--komi", "0", "--sprt", "-5", "5", "--json").stdout)
    assert report["sprt"]["verdict"] is None and report["games"] == 4
    undecided = match("passes", "passes", "--komi", "0", "--sprt", "-5", "5").stdout
    assert "SPRT        undecided between -5 and 5 Elo" in undecided


@pytest.mark.usefixtures("fakes")
def test_openings_from_a_file(tmp_path: Path) -> None:
    file, record = tmp_path / "openings.txt", tmp_path / "games.db"
    file.write_text("# two openings\nC3 D4\n\n  A1\n", encoding="utf-8")
    done = match("random", "passes", "--openings", str(file), "--record", str(record))
    assert done.exit_code == 0, done.output
    file.unlink()
    assert resume(record).exit_code == 0, "they are remembered themselves, not the file"
    db = sqlite3.connect(record)
    begun = [text.split() for (text,) in db.execute("SELECT moves FROM games ORDER BY number")]
    db.close()
    assert [moves[:2] for moves in begun[:2]] == [["C3", "D4"]] * 2 and [moves[0] for moves in begun[2:]] == ["A1"] * 2


@pytest.mark.usefixtures("fakes")
@pytest.mark.parametrize("content", [b"C3 C3\n", b"K10\n", b"\xff\xfe", b"pass pass\n", None])
def test_openings_that_are_refused(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    if content is not None:
        file.write_bytes(content)
    done = match("random", "passes", "--openings", str(file), "--record", str(tmp_path / "games.db"))
    assert isinstance(done.exception, MontegoError) and not (tmp_path / "games.db").exists()


# Databases.


@pytest.mark.usefixtures("fakes")
def test_the_same_command_again_plays_nothing(tmp_path: Path) -> None:
    name = tmp_path / "games.db"
    first = match("random", "builder", "--record", str(name), "--json")
    kept = played(name)
    again = match("random", "builder", "--record", str(name), "--json")
    assert first.stdout == again.stdout and again.stderr == "" and played(name) == kept
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


@pytest.mark.usefixtures("fakes")
def test_more_games_are_added(tmp_path: Path) -> None:
    name = tmp_path / "games.db"
    match("random", "builder", "--record", str(name))
    kept = played(name)
    more = match("random", "builder", "--record", str(name), "--games", "6")
    assert "montego: 2 games to play" in more.stderr and played(name)[:4] == kept and len(played(name)) == 6


@pytest.mark.usefixtures("fakes")
def test_another_match_goes_into_the_same_file(tmp_path: Path) -> None:
    name = tmp_path / "games.db"
    match("random", "builder", "--record", str(name))
    other = match("random", "passes", "--record", str(name), "--json")
    assert json.loads(other.stdout)["games"] == 4 and len(played(name)) == 8
    assert json.loads(resume(name, "--json").stdout)["settings"]["b"] == "passes", "the last is gone on with"


@pytest.mark.usefixtures("fakes")
def test_a_run_is_resumed(tmp_path: Path) -> None:
    name = tmp_path / "games.db"
    first = match("random", "builder", "--record", str(name), "--json", "--komi", "0.5", "--sprt", "0", "500")
    db = sqlite3.connect(name, isolation_level=None)
    db.execute("DELETE FROM games WHERE number = 1")
    db.close()
    again = resume(name, "--json")
    assert again.exit_code == 0, again.output
    told, then = json.loads(again.stdout), json.loads(first.stdout)
    same = ("match", "games", "wins", "moves", "settings", "reasons", "sprt")
    assert [told[key] for key in same] == [then[key] for key in same]
    assert told["settings"]["komi"] == 0.5 and told["sprt"]["elo1"] == 500


@pytest.mark.usefixtures("fakes")
@pytest.mark.parametrize(
    "arguments", [("a", "b"), ("--games", "9"), ("--record", "x.db"), ("--seed", "1"), ("--sprt", "0", "9")]
)
def test_with_resume_nothing_else_is_said_about_the_games(arguments: tuple[str, ...], tmp_path: Path) -> None:
    name = tmp_path / "games.db"
    match("random", "builder", "--record", str(name))
    done = CliRunner().invoke(cli.command, [*arguments, "--resume", str(name)])
    assert done.exit_code == 2 and "leave it out" in done.stderr


@pytest.mark.usefixtures("fakes")
def test_a_refused_command_leaves_no_trace(tmp_path: Path) -> None:
    name = tmp_path / "games.db"
    refused = match("random", "nobody", "--record", str(name))
    assert isinstance(refused.exception, MontegoError) and not name.exists()
    match("random", "builder", "--record", str(name))
    content = name.read_bytes()
    assert isinstance(match("random", "nobody", "--record", str(name)).exception, MontegoError)
    assert isinstance(match("random", "builder", "--scoring", "nobody", "--record", str(name)).exception, MontegoError)
    assert name.read_bytes() == content and resume(name).exit_code == 0


@pytest.mark.usefixtures("fakes")
@pytest.mark.parametrize(
    "settings",
    [
        "{}",
        "[]",
        '{"kind":"party"}',
        '{"kind":"match"}',
        '{"kind":"match","a":"random","b":"builder","games":-1}',
        '{"kind":"match","a":"random","b":"builder","x":1}',
        '{"kind":"match","a":"random","b":7}',
        '{"kind":"tournament"}',
    ],
)
def test_a_file_that_was_tampered_with_is_refused(settings: str, tmp_path: Path) -> None:
    name = tmp_path / "games.db"
    match("random", "builder", "--record", str(name))
    db = sqlite3.connect(name, isolation_level=None)
    db.execute("UPDATE runs SET settings = ?", [settings])
    db.close()
    done = resume(name)
    assert isinstance(done.exception, MontegoError) or (done.exit_code == 2 and "two players" in done.stderr)


@pytest.mark.usefixtures("fakes")
@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\0" + bytes(90)])
def test_a_file_of_another_kind_is_not_resumed(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(content)
    assert isinstance(resume(tmp_path / "other").exception, MontegoError)
    assert resume(tmp_path / "no-such-file").exit_code == 2


@pytest.mark.usefixtures("fakes")
def test_ctrl_c_tells_what_was_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupt(progress: Progress, done: int, *_: Any) -> None:
        if done == 3:
            raise KeyboardInterrupt

    arguments = ("builder", "passes", "--record", str(tmp_path / "games.db"), "--json")
    with monkeypatch.context() as patched:
        patched.setattr(Progress, "show", interrupt)
        done = match(*arguments)
    report = json.loads(done.stdout)
    assert done.exit_code == 130 and report["games"] == 3 and report["stopped"] is True
    assert "stopped after 3 of 4 games" in done.stderr
    again = match(*arguments)
    assert json.loads(again.stdout)["games"] == 4 and "1 games to play" in again.stderr


# The command itself.


def montego(*arguments: str, **options: Any) -> Any:
    command = [sys.executable, "-m", "montego", "match", *arguments]
    variables = {**os.environ, "PYTHONUTF8": "1", "COLUMNS": "110"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(command, env=variables, encoding="utf-8", timeout=300, **pipes)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "two players are needed"),
        ((PRESET,), "two players are needed"),
        ((PRESET, "no-such-preset"), "no-such-preset"),
        ((PRESET, f"{PRESET}:no_such_field=1"), "no_such_field"),
        ((PRESET, "gnugo:no_such_option=1"), "no_such_option"),
        ((PRESET, "gtp:"), "names no program"),
        ((PRESET, PRESET, "--simulations", "10", "--seconds", "1"), "exactly one of the two"),
        ((PRESET, PRESET, "--simulations", "0"), "simulations is 0"),
        ((PRESET, PRESET, "--seconds", "nan"), "seconds is nan"),
        ((PRESET, PRESET, "--seconds", "-1"), "seconds is -1"),
        ((PRESET, PRESET, "--games", "0"), "--games"),
        ((PRESET, PRESET, "--size", "25"), "--size"),
        ((PRESET, PRESET, "--komi", "nan"), "komi nan"),
        ((PRESET, PRESET, "--rules", "checkers"), "checkers"),
        ((PRESET, PRESET, "--jobs", "0"), "--jobs"),
        ((PRESET, PRESET, "--resign", "2"), "resign is 2"),
        ((PRESET, PRESET, "--answer-seconds", "0"), "0 seconds"),
        ((PRESET, PRESET, "--sprt", "30", "0"), "elo0"),
        ((PRESET, PRESET, "--scoring", "nobody"), "nobody"),
        ((PRESET, PRESET, "--openings", "no-such-file"), "no-such-file"),
        ((PRESET, PRESET, "--record", "no/such/folder.db"), "cannot open"),
        ((PRESET, PRESET, "--resume", "no-such-file.db"), "no-such-file.db"),
    ],
)
def test_refusals(arguments: tuple[str, ...], words: str) -> None:
    """As `montego.cli.main` has them: a message, no traceback, nothing on stdout."""
    done = CliRunner().invoke(cli.command, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        assert isinstance(done.exception, (MontegoError, click.ClickException)) and words in str(done.exception)
    else:
        assert done.exit_code == 2 and words in done.stderr
    assert not done.stdout


@pytest.mark.parametrize("spec", ["no-such-preset", pytest.param("gtp:no-such-program-at-all", marks=pytest.mark.slow)])
def test_a_refusal_is_one_line(spec: str) -> None:
    done = montego(PRESET, spec, "--size", "5", "--simulations", "10")
    assert done.returncode == 2 and not done.stdout and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("montego: ") and spec.removeprefix("gtp:") in done.stderr


def test_help_teaches() -> None:
    text = CliRunner().invoke(cli.command, ["--help"]).stdout
    for words in ("--record", "--resume", "--sprt", "montego match house", "gnugo", "gtp:", "Wilson", "Ctrl-C"):
        assert words in text


@pytest.mark.skipif(os.name != "posix", reason="a terminal of Unix")
def test_the_engine_against_itself(tmp_path: Path) -> None:
    """A small match in two processes, watched on a terminal; and from its file."""
    import pty

    arguments = (PRESET, PRESET, "--size", "5", "--games", "4", "--simulations", "20", "--json")
    record, (ours, theirs) = tmp_path / "games.db", pty.openpty()
    done = montego(*arguments, "--record", str(record), stderr=theirs)
    os.close(theirs)
    shown = os.read(ours, 1 << 20).decode()
    os.close(ours)
    assert done.returncode == 0, shown
    report = json.loads(done.stdout)
    assert report["games"] == 4 and report["void"] == 0 and report["problems"] == []
    assert report["players"]["a"]["simulations_per_move"] > 0
    lines = [line.strip() for line in shown.split("\r") if line.strip()]
    assert lines[-4].startswith("[#####...............] 1 of 4 games, ") and " s left, A wins " in lines[-4]
    assert lines[-1].startswith("[####################] 4 of 4 games, A wins ") and " … " in lines[-1]
    assert "\n" not in shown.replace("once, some 20 s) …\r\n", "") and max(map(len, lines)) < 110
    assert shown.endswith("\r"), "the line is cleared"
    again = montego(*arguments, "--record", str(record), "--jobs", "1")
    assert again.returncode == 0 and again.stderr == "", again.stderr
    assert json.loads(again.stdout) == report
