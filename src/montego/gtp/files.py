"""Files that a client names: which of them it may have, and writing them whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from montego.go.errors import MontegoError, shown
from montego.gtp.protocol import CommandError


def allowed_file(name: str, folder: Path | None, off: bool) -> Path:
    """The path of a file that a client names, if it may: anywhere, or strictly inside a folder."""
    if off:
        raise CommandError("files are switched off")
    try:
        if folder is None:
            return Path(name).expanduser()
        path, inside = (folder / name).resolve(), folder.resolve()
    except (OSError, ValueError, RuntimeError):
        raise CommandError(f"{shown(name)} cannot be a file name") from None
    if path == inside or not path.is_relative_to(inside):
        raise CommandError(f"{shown(name)} is not inside the folder for files")
    return path


def check_regular(path: Path) -> None:
    """A pipe or a device would never come to its end."""
    irregular = False
    with suppress(OSError, ValueError):
        irregular = path.exists() and not path.is_file()
    if irregular:
        raise MontegoError(f"{shown(path.name)} is no regular file")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: a reader finds the old one or the new one, and a failure leaves nothing behind."""
    partial = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".montego-", delete=False) as file:
            partial = file.name
            file.write(data)
        os.replace(partial, path)
    except (OSError, ValueError) as error:
        if partial is not None:
            with suppress(OSError):
                os.unlink(partial)
        raise MontegoError(f"cannot write {shown(path.name)}: {getattr(error, 'strerror', None) or error}") from None
