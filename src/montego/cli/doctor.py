"""`montego doctor`: what is installed, what is compiled, and whether the core gives the games it should."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from contextlib import suppress
from typing import Any

import click

from montego import __version__
from montego.cli.waiting import compiling

SEEDED_PLAYOUTS = 20
EXPECTED = (106.65, 7.3)
"""Mean length and lead of those playouts on 9×9 with seed 1: the same on every machine, compiled or not."""


def versions() -> dict[str, str]:
    from importlib.metadata import version

    packages = ("numpy", "numba", "llvmlite", "sgfmill", "click")
    return {"montego": __version__, "python": platform.python_version(), **{name: version(name) for name in packages}}


def kernels() -> dict[str, Any]:
    """Load or compile the playout kernels for 9×9, time that, and see that they play."""
    from montego import _jit
    from montego.go.game import Game
    from montego.playout.loop import run_playouts
    from montego.playout.simulate import simulate

    start = time.perf_counter()
    with compiling("the playout kernels"):
        summary = simulate(Game(9), SEEDED_PLAYOUTS, seed=1)
    return {
        "mode": "compiled" if _jit.COMPILED else "plain Python (NUMBA_DISABLE_JIT is set: slow)",
        "cache": str(_jit.cache_folder()) if _jit.cache_folder() else None,
        "seconds": round(time.perf_counter() - start, 3),
        "origin": "loaded from the cache" if _jit.came_from_cache(run_playouts) else "prepared",
        "works": (summary.mean_length, summary.mean_lead) == EXPECTED,
    }


def opponents() -> dict[str, str]:
    """Go programs found on this machine; what they are is asked when a match with them begins."""
    from montego.arena.programs import PROGRAMS
    from montego.gtp.errors import StartError
    from montego.gtp.pipes import find_program

    found = {}
    for name in sorted({other.program for other in PROGRAMS.values()}):
        with suppress(StartError):
            found[name] = find_program(name)
    return found


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    """What is installed, what is compiled, and whether it works.

    Exits with 1 if the core does not work. The first run compiles the kernels; later ones load them in a moment.
    """
    core = kernels()
    report = {
        "versions": versions(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "kernels": core,
        "opponents": opponents(),
    }
    click.echo(json.dumps(report, indent=2) if as_json else _as_text(report))
    if not core["works"]:
        sys.exit(1)


def _as_text(report: dict[str, Any]) -> str:
    core = report["kernels"]
    lines = [
        "installed   " + ", ".join(f"{name} {version}" for name, version in report["versions"].items()),
        f"machine     {report['machine']}",
        f"kernels     {core['mode']}, {core['origin']} in {core['seconds']:.2f} s",
        f"self-check  {'passed' if core['works'] else 'FAILED: seeded playouts are not what they should be'}",
        f"cache       {core['cache'] or 'none: no folder can be written, every start compiles anew'}",
        "opponents   " + (", ".join(f"{k} ({v})" for k, v in report["opponents"].items()) or "none found"),
    ]
    return "\n".join(lines)
