"""Clients' own code, fetched from the package registries when a test needs it, and kept for the next time."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from montego._jit import cache_root

REQUIRED = bool(os.environ.get("CI"))
"""Whether a client that cannot be fetched is a failure. Elsewhere it is a skipped test."""


def missing(what: str) -> None:
    """Skip the test, or fail it where nothing may be missing."""
    if REQUIRED:
        pytest.fail(what)
    pytest.skip(what)


def fetched(name: str, fetch: Callable[[Path], None]) -> Path:
    """The folder that `fetch` fills. It appears complete or not at all, also when two processes fetch at once."""
    folder = cache_root() / "clients" / name
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        new = Path(scratch) / name
        new.mkdir()
        try:
            fetch(new)
        except Exception as error:
            missing(f"{name} cannot be fetched: {error}")
        try:
            new.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(new)
    return folder
