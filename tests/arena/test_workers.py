"""Worker processes, seen from inside."""

from __future__ import annotations

import multiprocessing

import pytest

from montego.arena.workers import _serve
from montego.go.errors import MontegoError


def fails() -> None:
    raise MontegoError("nothing to work with")


@pytest.mark.parametrize("prepare", [fails, lambda: None])
def test_a_worker_whose_parent_is_gone_ends_quietly(prepare, monkeypatch):
    """Also one that only just got ready, or would have had to say why it cannot work."""
    monkeypatch.setattr("signal.signal", lambda *_: None)  # this process keeps its own
    ours, theirs = multiprocessing.Pipe()
    ours.close()
    _serve(theirs, prepare, lambda job: job)
