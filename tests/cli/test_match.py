"""`montego match` as people type it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import montego.cli.match as cli
from arena.fakes import build
from montego import MontegoError
from montego.arena.match import Series
from montego.arena.settings import Match

PRESET = "mogo-2007"


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command with the players of tests/arena/fakes.py in place of the engine's."""
    monkeypatch.setattr(cli, "engine", build)


def match(*arguments: str) -> Result:
    defaults = ("--size", "5", "--games", "4", "--jobs", "1")
    return CliRunner().invoke(cli.command, [*arguments[:2], *defaults, *arguments[2:]])


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
    wanted = ["draws", "forfeits", "void", "interval", "as_black", "as_white", "moves", "players", "settings"]
    assert all(name in report for name in wanted)


@pytest.mark.usefixtures("fakes")
def test_progress_every_ten_games() -> None:
    lines = match("builder", "passes", "--games", "25").stderr.splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ["montego: 10 of 25 games", "montego: 20 of 25 games"]
    assert "A wins 100.0 % (72.2 … 100.0 %), 0 s left" in lines[1]


@pytest.mark.usefixtures("fakes")
def test_trouble_shows() -> None:
    done = match("illegal", "passes")
    assert done.exit_code == 0 and "FORFEITS    4 by A, 0 by B" in done.stdout and "occupied" in done.stdout
    done = match("random", "raises")
    assert done.exit_code == 1 and "VOID        4 games" in done.stdout and "out of ideas" in done.stdout


@pytest.mark.usefixtures("fakes")
def test_a_record_is_resumed(tmp_path: Path) -> None:
    name = str(tmp_path / "games.jsonl")
    first = match("random", "builder", "--record", name, "--json")
    again = match("random", "builder", "--record", name, "--json")
    assert first.stdout == again.stdout and again.stderr == ""
    other = match("random", "passes", "--record", name)
    assert isinstance(other.exception, MontegoError) and "another match" in str(other.exception)


@pytest.mark.usefixtures("fakes")
def test_ctrl_c_tells_what_was_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupt(progress: cli.Progress, series: Series) -> None:
        if len(series.played) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(cli.Progress, "__call__", interrupt)
    arguments = ("builder", "passes", "--record", str(tmp_path / "games.jsonl"), "--json")
    done = match(*arguments)
    report = json.loads(done.stdout)
    assert done.exit_code == 130 and report["games"] == 3 and report["stopped"] is True
    assert "stopped after 3 of 4 games" in done.stderr
    assert json.loads(match(*arguments).stdout)["games"] == 4


@pytest.mark.usefixtures("fakes")
def test_on_a_terminal_one_line_is_rewritten(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    series = Series(Match("builder", "passes", games=3, simulations=1, size=5), build=build)
    progress = cli.Progress(series)
    series.play(1, progress)
    progress.close()
    error = capsys.readouterr().err
    assert "\n" not in error and error.startswith("\r0 of 3 games") and error.count("\r") == 6


@pytest.mark.parametrize("seconds", [0.4, 119, 120, 7199, 7200, 90_000])
def test_durations(seconds: float) -> None:
    expected = {0.4: "0 s", 119: "119 s", 120: "2 min", 7199: "119 min", 7200: "2 h 0 min", 90_000: "25 h 0 min"}
    assert cli._duration(seconds) == expected[seconds]


def montego(*arguments: str) -> Any:
    command = [sys.executable, "-m", "montego", "match", *arguments]
    variables = {**os.environ, "PYTHONUTF8": "1"}
    return subprocess.run(command, env=variables, capture_output=True, encoding="utf-8", timeout=300)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (PRESET,),
        (PRESET, "no-such-preset"),
        (PRESET, f"{PRESET}:no_such_field=1"),
        (PRESET, PRESET, "--simulations", "10", "--seconds", "1"),
        (PRESET, PRESET, "--simulations", "0"),
        (PRESET, PRESET, "--seconds", "nan"),
        (PRESET, PRESET, "--seconds", "-1"),
        (PRESET, PRESET, "--games", "0"),
        (PRESET, PRESET, "--size", "25"),
        (PRESET, PRESET, "--komi", "nan"),
        (PRESET, PRESET, "--rules", "checkers"),
        (PRESET, PRESET, "--jobs", "0"),
        (PRESET, PRESET, "--resign", "2"),
        (PRESET, PRESET, "--record", "no/such/folder.jsonl"),
    ],
)
def test_refusals(arguments: tuple[str, ...]) -> None:
    done = montego(*arguments)
    assert done.returncode == 2 and done.stderr and not done.stdout and "Traceback" not in done.stderr


def test_help_teaches() -> None:
    done = montego("--help")
    assert done.returncode == 0 and "--record" in done.stdout and "montego match house" in done.stdout


def test_the_engine_against_itself(tmp_path: Path) -> None:
    """A small match in two processes, repeated in one and from its file."""
    arguments = (PRESET, PRESET, "--size", "5", "--games", "4", "--simulations", "20", "--json")
    record = tmp_path / "games.jsonl"
    done = montego(*arguments, "--record", str(record))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["games"] == 4 and report["void"] == 0 and report["problems"] == []
    assert report["players"]["a"]["simulations_per_move"] > 0
    assert json.loads(montego(*arguments, "--record", str(record)).stdout) == report
    alone = json.loads(montego(*arguments, "--jobs", "1").stdout)
    same = ("wins", "losses", "draws", "moves", "reasons", "as_black", "as_white")
    assert [alone[name] for name in same] == [report[name] for name in same]
