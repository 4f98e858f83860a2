"""`montego play`: the board in the browser."""

from __future__ import annotations

import os
import threading
import webbrowser
from importlib.util import find_spec
from pathlib import Path

import click

from montego import _jit
from montego.cli.folders import data_folder
from montego.go.errors import MontegoError

PORT = 8361
"""19 times 19 is 361."""
NEEDED = ("starlette", "uvicorn", "websockets")


def check_packages() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise MontegoError(
            f"the page needs {', '.join(missing)}: pip install 'montego[web]'; `montego terminal` needs nothing more"
        )


@click.command("play")
@click.option("--port", type=click.IntRange(0, 65535), help=f"By default {PORT}, or another if that is taken.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at. Others can then call it.")
@click.option("--name", "names", multiple=True, help="Another name under which pages may call this server.")
@click.option("--games", type=click.Path(path_type=Path, dir_okay=False), help="Keep games in this file.")
@click.option("--memory", type=click.IntRange(64), default=2048, show_default=True, help="MiB of all search trees.")
@click.option("--processes", type=click.IntRange(1, 64), help="That search; by default one for each core, at most 4.")
@click.option("--browser/--no-browser", default=True, help="Open the page in a browser.")
def command(
    port: int | None,
    host: str,
    names: tuple[str, ...],
    games: Path | None,
    memory: int,
    processes: int | None,
    browser: bool,
) -> None:
    """Play in the browser, at your own strength, and watch the search think.

    The page also compares programs, reviews games and shows the lab's results. Games are kept: come back to the same
    address and go on. Ctrl-C stops the server. Without a browser: `montego terminal`.
    """
    check_packages()
    _jit.stay_plain()
    from montego.web.server import ServerSettings, free_port, serve

    settings = ServerSettings(
        host=host,
        port=free_port(host, PORT) if port is None else port,
        games=games or data_folder("--games") / "games.db",
        desks=processes or min(4, os.cpu_count() or 1),
        memory=memory,
        hosts=(*names, host),
    )

    def tell(address: str) -> None:
        click.echo(f"Montego is at {address}  (Ctrl-C stops it)")
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    serve(settings, tell)
    click.echo("\nmontego: stopped; games are kept", err=True)
