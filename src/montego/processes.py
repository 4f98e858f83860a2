"""Processes of our own beside this one: deaf to Ctrl-C, which is the parent's to answer, and gone when it is."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any


def start_process(serve: Callable[..., None], *args: Any) -> tuple[Any, Connection]:
    """Start `serve(pipe, *args)` in a process of its own. Returns the process and our end of the pipe."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs, serve, args), daemon=True)
    with _deaf_to_interrupts():
        process.start()
    theirs.close()
    return process, ours


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """A process started in this block is deaf to Ctrl-C from its first moment: the parent ends it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)


def _run(pipe: Connection, serve: Callable[..., None], args: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    serve(pipe, *args)


def _end_with_parent() -> None:
    """A process whose parent is gone, however it went, has nobody to work for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
