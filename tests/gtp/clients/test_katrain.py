"""KaTrain's own engine class and game nodes drive `montego analysis`. `katrain/drive.py` says how."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from gtp.clients.fetched import fetched

HERE = Path(__file__).parent / "katrain"
WANTED = ("katrain/__init__.py", "katrain/core/", "katrain/gui/__init__.py", "katrain/gui/theme.py", "katrain/i18n/")
"""What the engine class needs. The rest of the package, a KataGo and its network above all, is a hundred megabytes."""

POINTS = 9 * 9
PACKAGES = ("katrain==1.20.0", "pysgf==1.0.0", "chardet==5.2.0")


def install(folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--ignore-requires-python"]
    command += ["--only-binary", ":all:", "--dest", str(folder), *PACKAGES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError(done.stderr)
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            archive.extractall(folder, [n for n in names if not n.startswith("katrain/") or n.startswith(WANTED)])
        wheel.unlink()


@pytest.fixture(scope="module")
def packages() -> Path:
    return fetched("katrain-1.20.0", install)


def drive(packages: Path, scenario: str) -> Any:
    # KaTrain starts its engine in a shell, and ends the shell: with exec they are one process.
    engine = shlex.join([sys.executable, "-m", "montego", "analysis", "--seed", "1"])
    done = subprocess.run(
        [sys.executable, str(HERE / "drive.py"), scenario, f"exec {engine}"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(packages), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["errors"] == []
    assert told["shutdown"] < 5.0
    return told["seen"]


def check(told: dict[str, Any]) -> None:
    """What KaTrain shows of a position it has asked for with ownership and policy."""
    assert told["complete"] and told["visits"] > 0
    assert 0.0 <= told["winrate"] <= 1.0 and abs(told["score"]) <= POINTS + 7.5
    assert len(told["ownership"]) == POINTS and all(-1.0 <= value <= 1.0 for value in told["ownership"])
    policy = told["policy"]
    assert len(policy) == POINTS + 1 and all(value == -1.0 or 0.0 <= value <= 1.0 for value in policy)
    assert sum(value for value in policy if value > 0) == pytest.approx(1.0, abs=0.02)
    for move in told["moves"]:
        assert move["visits"] >= 0 and 0.0 <= move["winrate"] <= 1.0 and move["pv"][0] == move["move"]
        assert isinstance(move["scoreLead"], float) and isinstance(move["pointsLost"], float)


def test_a_game_is_reviewed(packages: Path) -> None:
    told = drive(packages, "review")
    assert len(told) == 6
    for position in told:
        check(position)
    stones = [sum(value == -1.0 for value in position["policy"][:-1]) for position in told]
    assert stones == [0, 1, 2, 3, 3, 4], "occupied points, and only they, are impossible"
    assert told[1]["points_lost"] is not None
    # KaTrain asks for Black's view whoever is to play: it must not turn over from move to move.
    rates = [position["winrate"] for position in told[1:4]]
    assert max(rates) - min(rates) < 0.5
    centre = [position["ownership"][40] for position in told[1:]]
    assert all(value > 0 for value in centre), f"Black's stone in the centre: {centre}"


def test_a_position_is_examined(packages: Path) -> None:
    told = drive(packages, "deepen")
    for position in told.values():
        check(position)
    before, refined, after = ({move["move"] for move in told[key]["moves"]} for key in ("before", "refined", "after"))
    assert before <= refined and "G7" in refined
    assert refined <= after


def test_pondering_follows_and_stops(packages: Path) -> None:
    told = drive(packages, "ponder")
    assert told["first"]["visits"] > 0
    check(told["second"])


def test_every_rule_set_is_understood(packages: Path) -> None:
    told = drive(packages, "rules")
    for position in told.values():
        check(position)
    assert len(told) == 7
    assert sum(value == -1.0 for value in told["handicap"]["policy"]) == 2


def test_a_new_game_drops_the_old_queries(packages: Path) -> None:
    check(drive(packages, "new_game"))


def test_an_impossible_position_is_refused(packages: Path) -> None:
    told = drive(packages, "refused")
    assert len(told["errors"]) == 1 and told["errors"][0]["error"]
    check(told["then"])
