"""The page that is shipped is the one that its source makes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "montego" / "web" / "static"
FRONTEND = ROOT / "frontend"


def node_version() -> tuple[int, int]:
    if shutil.which("node") is None or shutil.which("npm") is None:
        return 0, 0
    done = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    major, minor = re.findall(r"\d+", done.stdout)[:2]
    return int(major), int(minor)


@pytest.mark.skipif(
    node_version() < (20, 19) and "CI" not in os.environ, reason="the page is built with Node 20.19 or newer, and npm"
)
def test_the_page_is_built_from_its_source(tmp_path: Path) -> None:
    source = tmp_path / "frontend"
    shutil.copytree(FRONTEND, source, ignore=shutil.ignore_patterns("node_modules"))
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "test"], ["npm", "run", "build"]):
        done = subprocess.run(command, cwd=source, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    built = tmp_path / "src" / "montego" / "web" / "static"
    assert contents(built) == contents(STATIC), "run `npm ci && npm run build` in frontend/"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_page_asks_nobody_else() -> None:
    index = (STATIC / "index.html").read_text("utf-8")
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", index) and "<script>" not in index
    lock = json.loads((FRONTEND / "package-lock.json").read_text("utf-8"))
    assert not any("resolved" in package for package in lock["packages"].values())
