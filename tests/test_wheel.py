"""The wheel is pure Python, holds the whole package, and starts from a clean environment."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_wheel_installs_and_starts(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    sources = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py")}
    assert sources | {"montego/py.typed"} <= inside
    experiments = {path.relative_to(ROOT).as_posix() for path in (ROOT / "experiments").rglob("settings.toml")}
    assert {f"montego/{name}" for name in experiments} <= inside and len(experiments) >= 12
    page = {f"montego/web/{name}" for name in ("static/index.html", "static/THIRD_PARTY.txt", "results/RESULTS.md")}
    assert page <= inside and any(name.startswith("montego/web/results/figures/") for name in inside)
    assert not any("games.db" in name for name in inside)
    assert not any(name.endswith((".so", ".pyd", ".dylib", ".dll")) for name in inside)

    home = tmp_path / "clean"
    venv.create(home, with_pip=True)
    bin_folder = home / ("Scripts" if sys.platform == "win32" else "bin")
    install = [str(bin_folder / "python"), "-m", "pip", "install", "--quiet", f"{wheel}[lab]"]
    subprocess.run(install, check=True, capture_output=True, timeout=600)
    done = subprocess.run([str(bin_folder / "montego"), "doctor"], capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0 and "self-check  passed" in done.stdout, done.stderr
    play = subprocess.run([str(bin_folder / "montego"), "play"], capture_output=True, encoding="utf-8", timeout=300)
    assert play.returncode == 2 and "pip install 'montego[web]'" in play.stderr
    _check_the_lab(bin_folder / "montego", tmp_path)


def _check_the_lab(montego: Path, folder: Path) -> None:
    """The experiments come along with their games: the same tables, and a page of one's own."""

    def lab(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(montego), "lab", *arguments]
        variables = {**os.environ, "PYTHONUTF8": "1"}
        return subprocess.run(command, cwd=folder, env=variables, capture_output=True, encoding="utf-8", timeout=300)

    here = [sys.executable, "-X", "utf8", "-m", "montego", "lab", "table"]
    ours = subprocess.run(here, capture_output=True, encoding="utf-8", timeout=300, check=True)
    assert lab("table").stdout == ours.stdout != ""
    written = lab("report")
    assert written.returncode == 0, written.stderr
    page = (folder / "montego-lab" / "RESULTS.md").read_text(encoding="utf-8")
    assert page.replace("](experiments/", "](../experiments/") == (ROOT / "docs/RESULTS.md").read_text(encoding="utf-8")
