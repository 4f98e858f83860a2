"""`montego tune` as people type it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import montego.cli.tune as cli
from learn.tuning_fakes import Table
from montego import MontegoError

TUNING = ("house", "--range", "bias=0.001..0.05:log", "--choice", "final=visits,value")
SMALL = ("--size", "5", "--simulations", "10", "--batch", "4", "--games-per-trial", "8", "--jobs", "1")
GOOD = (*TUNING, "--against", "uct-random", *SMALL)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that take no time, in this process."""
    monkeypatch.setattr(cli, "crew_of", lambda settings, jobs: Table(settings))
    monkeypatch.setattr(cli, "prepare", lambda *_, **__: None)


def tune(*arguments: Any) -> Any:
    return CliRunner().invoke(cli.command, list(map(str, arguments)))


def rows(path: Path) -> dict[Any, Any]:
    if not path.exists():
        return {}
    db = sqlite3.connect(path, timeout=60)
    try:
        return {row[:2]: row for row in db.execute("SELECT * FROM games")}
    except sqlite3.OperationalError:  # the tables are not there yet
        return {}
    finally:
        db.close()


@pytest.mark.usefixtures("fakes")
def test_a_tuning_from_its_beginning_to_more(tmp_path: Path) -> None:
    out = tmp_path / "tuned"
    done = tune(*GOOD, "--trials", "3", "--out", out)
    assert done.exit_code == 0, done.output
    told = (
        "recommended bias=",
        "present     bias=0.0085, final=visits",
        "Elo against these opponents",
        "matters     ",
        "player      house:bias=",
        "3 played to their end, 0 stopped early; 24 games",
    )
    for words in told:
        assert words in done.stdout, done.stdout
    pictures = [f"{name}.{kind}" for name in ("history", "importance", "parameters") for kind in ("png", "svg")]
    assert {file.name for file in out.iterdir()} == {"games.db", "study.db", "lock", "tune.json", *pictures}
    assert (out / "history.png").read_bytes().startswith(b"\x89PNG") and len(rows(out / "games.db")) == 24

    refused = tune(*GOOD, "--out", out)
    assert isinstance(refused.exception, MontegoError) and "--resume to go on" in str(refused.exception)
    again = tune("--resume", "--out", out, "--json")
    assert again.exit_code == 0 and again.stderr == "", "nothing is left to play"
    assert json.loads(again.stdout) == json.loads((out / "tune.json").read_text(encoding="utf-8"))
    more = tune("--resume", "--trials", "4", "--out", out)
    assert more.exit_code == 0 and "8 games to play" in more.stderr and len(rows(out / "games.db")) == 32
    repeated = tune(*GOOD, "--trials", "4", "--resume", "--out", out)
    assert repeated.exit_code == 0 and len(rows(out / "games.db")) == 32
    for other in (("--komi", "0.5"), ("--range", "bias=0..1"), (*GOOD, "--komi", "0.5"), (*GOOD, "--batch", "8")):
        other_one = tune(*other, "--resume", "--out", out)
        assert other_one.exit_code == 2 and "goes on as asked before" in other_one.stderr, other_one.output
    reported = tune("report", out)
    assert reported.exit_code == 0 and "32 games" in reported.stdout


@pytest.mark.usefixtures("fakes")
def test_ctrl_c_tells_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "crew_of", lambda settings, jobs: Table(settings, 10))
    done = tune(*GOOD, "--trials", "3", "--out", tmp_path)
    assert done.exit_code == 130 and "stopped after 1 of 3 trials, 10 games" in done.stderr
    assert f"montego tune --resume --out {tmp_path}" in done.stderr and len(rows(tmp_path / "games.db")) == 10


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "a preset and an opponent are needed"),
        (("house", "--range", "bias=0..1"), "a preset and an opponent are needed"),
        ((*TUNING[:1], "--against", "house"), "nothing is to be tuned"),
        ((*TUNING, "--against", "no-such-player"), "no-such-player"),
        ((*TUNING, "--against", "house", "--against", "house"), "different players"),
        (("no-such-preset", *TUNING[1:], "--against", "house"), "no-such-preset"),
        (("gnugo", *TUNING[1:], "--against", "house"), "gnugo"),
        ((*TUNING, "--against", "house", "--range", "bias=0..1"), "given twice"),
        ((*TUNING, "--against", "house", "--range", "no_such=0..1"), "no_such"),
        ((*TUNING, "--against", "house", "--batch", "7"), "a multiple of 2"),
        ((*TUNING, "--against", "house", "--games-per-trial", "9"), "a multiple of the batch"),
        ((*TUNING, "--against", "house", "--simulations", "5", "--seconds", "1"), "exactly one of the two"),
        ((*TUNING, "--against", "house", "--give-up", "0.7"), "give_up"),
        ((*TUNING, "--against", "house", "--sprt", "3", "1"), "elo0"),
        ((*TUNING, "--against", "house", "--space", "no-such-file"), "no-such-file"),
        (("--resume",), "no tuning to go on with"),
    ],
)
def test_refusals_leave_no_trace(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    out = tmp_path / "folder"
    done = tune(*arguments, "--out", out)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        assert isinstance(done.exception, (MontegoError, click.ClickException)) and words in str(done.exception)
    else:
        assert done.exit_code == 2 and words in done.stderr
    assert not done.stdout and not out.exists()


def test_a_folder_without_a_tuning_is_refused(tmp_path: Path) -> None:
    done = tune("report", tmp_path)
    assert isinstance(done.exception, MontegoError) and "holds no tuning" in str(done.exception)
    assert not any(tmp_path.iterdir())
    (tmp_path / "games.db").write_bytes(b"hello" * 100)
    assert isinstance(tune("report", tmp_path).exception, MontegoError)
    assert isinstance(tune(*GOOD, "--out", tmp_path).exception, MontegoError)
    assert (tmp_path / "games.db").read_bytes() == b"hello" * 100


def test_help_teaches() -> None:
    text = tune("--help").stdout
    for words in ("montego tune house --range", "--against", "--resume", "report", "--confirm", "standard error"):
        assert words in text
    assert "--give-up" in tune("run", "--help").stdout and "--sprt" in tune("report", "--help").stdout


# The command itself.


def start(*arguments: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "montego", "tune", *map(str, arguments)],
        env={**os.environ, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )


@pytest.mark.skipif(os.name != "posix", reason="a signal kills the run")
def test_a_tuning_that_is_killed_is_gone_on_with_and_confirmed(tmp_path: Path) -> None:
    """Real games, tiny: killed without a warning, resumed, and the winner confirmed."""
    out, process = tmp_path / "tuned", start(*GOOD, "--trials", "3", "--out", tmp_path / "tuned")
    end = time.monotonic() + 240
    while process.poll() is None and len(rows(out / "games.db")) < 5 and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    before = rows(out / "games.db")
    assert 5 <= len(before) < 24
    process = start("--resume", "--out", out, "--confirm", "4", "--jobs", "2", "--json")
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    after, told = rows(out / "games.db"), json.loads(output)
    assert {key: after[key] for key in before} == before and f"{24 - len(before)} games to play" in errors
    assert told["trials"]["complete"] == 3 and told["games"] == 24
    if told["recommended"]["setting"] != told["present"]["setting"]:
        assert told["confirmation"]["games"] == 4 and len(after) == 28
        assert told["confirmation"]["a"] == told["recommended"]["spec"] and told["confirmation"]["b"] == "house"
