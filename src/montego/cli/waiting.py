"""Telling people why they wait while kernels are compiled."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

PATIENCE = 1.5
"""Seconds before a word is said: loading from the cache takes less."""


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Say on stderr what is being compiled, if the block takes longer than loading from the cache would."""
    note = f"montego: compiling {what} for this machine (once, some 20 s) …"
    timer = threading.Timer(PATIENCE, lambda: click.echo(note, err=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
