"""What the commands that serve a program share: the player they are asked for, a log, and a clean end."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def player_spec(settings: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The player, known to exist, and its limits: its own, and those of the command line in their place."""
    from montego.players.levels import find_level
    from montego.players.spec import expanded, limits_of

    spec = find_level(settings["level"]).name if settings["level"] else settings["preset"]
    if spec != "house":
        from montego.players import player

        player(spec)  # refuses what makes no sense
    given = {name: settings[name] for name in ("simulations", "seconds") if settings[name] is not None}
    return spec, {**limits_of(expanded(spec)[1]), **given}


def end_cleanly(serve: Callable[[], None], close: Callable[[], None]) -> None:
    """Run a server until it returns, is told to end, or nobody listens any more; then leave at once.

    The thread that reads stdin may be in the middle of it, where the interpreter could not shut down in order.
    """
    code = 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        serve()
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else 0
    except KeyboardInterrupt:
        code = 130
    except OSError:  # a broken pipe
        code = 0
    except BaseException as error:
        from montego.go.errors import MontegoError

        if not isinstance(error, MontegoError):
            close()
            raise
        click.echo(f"montego: {error}", err=True)
        code = 2
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    close()
    os._exit(code)


def logger(path: Path | None) -> Callable[[str], object]:
    """A function that writes lines with the time to a file; a disk that fails is no reason to stop."""
    if path is None:
        return lambda text: None
    try:
        file = path.open("a", encoding="utf-8", errors="replace")
    except OSError as error:
        raise click.UsageError(f"cannot write {path}: {error.strerror}") from None

    def write(text: str) -> None:
        stamp = f"{time.strftime('%Y-%m-%d %H:%M:%S')}.{int(time.time() * 1000) % 1000:03}"
        try:
            file.write("".join(f"{stamp} {line}\n" for line in text.splitlines()))
            file.flush()
        except OSError:
            pass

    return write
