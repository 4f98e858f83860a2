"""Processes of our own beside this one: deaf to Ctrl-C, which is the parent's to answer, and gone when it is."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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
        leave()


_last_acts: list[Callable[[], None]] = []


def at_end(act: Callable[[], None]) -> None:
    """Have something done when this process ends, also when it ends because its parent has."""
    atexit.register(act)
    _last_acts.append(act)


def not_at_end(act: Callable[[], None]) -> None:
    """Take that back."""
    atexit.unregister(act)
    with suppress(ValueError):
        _last_acts.remove(act)


_starts: list[None] = []
_leaving = False


@contextmanager
def starting() -> Iterator[None]:
    """For a block that starts something and says with `at_end` how it ends: `leave` waits until that is said."""
    _starts.append(None)
    try:
        yield
    finally:
        _starts.pop()
        if _leaving:
            leave()


def leave() -> None:
    """End this process now, whatever it is doing, and what it has started."""
    global _leaving
    _leaving = True
    if _starts:  # maybe in the very thread that a signal interrupts
        return
    for act in list(_last_acts):
        with suppress(Exception):
            act()
    os._exit(1)
