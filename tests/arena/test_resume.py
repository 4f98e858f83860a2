"""Runs that are killed and gone on with: no game is lost, none is played twice, and all are as if nothing happened."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.fakes import play_here
from montego.arena.match import Series
from montego.arena.tournament import matches

PLAYERS = ("mogo-2007", "mc-amaf:simulations=10", "uct-random:simulations=14")
GAMES, SIMULATIONS, SIZE, SEED = 6, 20, 5, 11
ALL = 3 * GAMES
TOURNAMENT = (
    *("tournament", *PLAYERS, "--games", str(GAMES), "--simulations", str(SIMULATIONS)),
    *("--size", str(SIZE), "--seed", str(SEED)),
)
Rows = dict[tuple[str, int], tuple[Any, ...]]
posix = pytest.mark.skipif(os.name != "posix", reason="a signal kills the run")


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "montego", *arguments],
        env={**os.environ, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )


def montego(*arguments: str) -> tuple[int, str, str]:
    process = start(*arguments)
    output, errors = process.communicate(timeout=300)
    return process.returncode, output, errors


def rows(path: Path) -> Rows:
    """All that is on file, by match and number."""
    if not path.exists():
        return {}
    db = sqlite3.connect(path, timeout=60)
    try:
        return {(row[0], row[1]): row for row in db.execute("SELECT * FROM games")}
    except sqlite3.OperationalError:  # the tables are not there yet
        return {}
    finally:
        db.close()


def moves(path: Path) -> dict[tuple[str, int], str]:
    db = sqlite3.connect(path)
    try:
        return {(match, number): text for match, number, text in db.execute("SELECT match, number, moves FROM games")}
    finally:
        db.close()


@pytest.fixture(scope="module")
def uninterrupted() -> dict[tuple[str, int], str]:
    """The games of the tournament, played here in one go."""
    found = {}
    for match in matches(PLAYERS, "round-robin", GAMES, simulations=SIMULATIONS, size=SIZE, seed=SEED):
        series = play_here(Series(match))
        found.update({(series.pairing.hash, n): " ".join(game.moves) for n, game in series.played.items()})
    return found


def kill_when(process: subprocess.Popen[str], happened: Callable[[], bool]) -> None:
    """Kill a run without a warning, at a moment or at its end."""
    while process.poll() is None and not happened():
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)


def go_on(path: Path, before: Rows) -> tuple[int, str, str]:
    """Resume a run to its end: what was on file stays as it was, and only what was missing is played."""
    code, output, errors = montego("tournament", "--resume", str(path), "--json")
    assert code == 0, errors
    after = rows(path)
    assert len(after) == ALL and {key: after[key] for key in before} == before
    if len(before) < ALL:
        assert f"montego: {ALL - len(before)} games to play" in errors
    return code, output, errors


@posix
def test_a_tournament_that_is_killed_is_gone_on_with(tmp_path: Path, uninterrupted: dict[tuple[str, int], str]) -> None:
    path = tmp_path / "games.db"
    process, few = start(*TOURNAMENT, "--record", str(path)), random.randint(1, 6)
    kill_when(process, lambda: len(rows(path)) >= few)
    before = rows(path)
    assert 1 <= len(before) < ALL
    _, output, _ = go_on(path, before)
    assert moves(path) == uninterrupted
    report = json.loads(output)
    assert [pair["games"] for pair in report["matches"]] == [GAMES] * 3 and report["stopped"] is False
    assert {player["name"] for player in report["ratings"]["players"]} == set(PLAYERS)


@posix
@pytest.mark.slow
@pytest.mark.parametrize("dice", range(6))
def test_a_tournament_that_is_killed_again_and_again(
    dice: int, tmp_path: Path, uninterrupted: dict[tuple[str, int], str]
) -> None:
    """At any moment from its start: also before the file is there, or while a game is written."""
    path, chance = tmp_path / "games.db", random.Random(dice)
    before: Rows = {}
    for _ in range(5):
        resuming = bool(rows(path))
        arguments = ("tournament", "--resume", str(path)) if resuming else (*TOURNAMENT, "--record", str(path))
        process = start(*arguments, "--jobs", str(chance.randint(1, 3)))
        moment = time.monotonic() + chance.uniform(0.5, 7.0)
        kill_when(process, lambda moment=moment: time.monotonic() >= moment)  # type: ignore[misc]
        now = rows(path)
        assert {key: now[key] for key in before} == before
        before = now
    if not before:
        assert montego(*TOURNAMENT, "--record", str(path))[0] == 0
    else:
        go_on(path, before)
    assert moves(path) == uninterrupted


@pytest.mark.slow
def test_an_uninterrupted_tournament_has_the_same_games(
    tmp_path: Path, uninterrupted: dict[tuple[str, int], str]
) -> None:
    assert montego(*TOURNAMENT, "--record", str(tmp_path / "games.db"))[0] == 0
    assert moves(tmp_path / "games.db") == uninterrupted


@posix
def test_a_match_that_is_killed_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    match = ("match", *PLAYERS[:2], "--size", "5", "--simulations", "20", "--games", "12", "--jobs", "1")
    kill_when(start(*match, "--record", str(path)), lambda: len(rows(path)) >= 2)
    before = rows(path)
    assert 2 <= len(before) < 12
    code, output, errors = montego("match", "--resume", str(path), "--json")
    assert code == 0, errors
    report = json.loads(output)
    assert report["games"] == 12 and report["settings"]["a"] == PLAYERS[0]
    after = rows(path)
    assert len(after) == 12 and {key: after[key] for key in before} == before
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]
