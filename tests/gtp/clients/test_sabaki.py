"""Sabaki's own controller and state tracker (`@sabaki/gtp`) drive the engine. `sabaki/drive.js` says how."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gtp.clients.fetched import fetched, missing

HERE = Path(__file__).parent / "sabaki"
ENGINE = [sys.executable, "-m", "montego", "gtp", "--size", "9", "--simulations", "50", "--seed", "1"]
SCENARIOS = ("handshake", "sync", "analysis", "genmove", "stop")


def install(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise FileNotFoundError("npm is not installed")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    done = subprocess.run([npm, "ci", "--ignore-scripts"], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(done.stderr)


@pytest.fixture(scope="module")
def packages() -> Path:
    if shutil.which("node") is None:
        missing("node is not installed")
    return fetched("sabaki-gtp-3.0.0", install) / "node_modules"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_sabaki(packages: Path, scenario: str) -> None:
    done = subprocess.run(
        ["node", str(HERE / "drive.js"), scenario, *ENGINE],
        env={**os.environ, "NODE_PATH": str(packages)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr + done.stdout
