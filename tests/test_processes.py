"""Processes of our own: when one leaves, nothing that it started stays, not even what it was just starting."""

from __future__ import annotations

import subprocess
import sys

LEAVING = """
import threading
from montego.processes import at_end, leave, not_at_end, starting

def say(word):
    return lambda: print(word, flush=True)

def fail():
    raise OSError

taken_back = say("taken back")
for act in (say("first"), fail, taken_back):
    at_end(act)
not_at_end(taken_back)
not_at_end(taken_back)
"""


def run(code: str) -> tuple[int, list[str]]:
    done = subprocess.run([sys.executable, "-c", LEAVING + code], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_leaving_does_what_was_asked_for_and_ends_at_once() -> None:
    assert run("leave()\nprint('never')") == (1, ["first"])


def test_what_is_being_started_is_ended_too() -> None:
    """As if a signal came in the middle of a start, or the parent went away."""
    code = "with starting():\n    leave()\n    print('still here')\n    at_end(say('started'))\nprint('never')"
    assert run(code) == (1, ["still here", "first", "started"])
    other = code.replace("    leave()", "    thread = threading.Thread(target=leave); thread.start(); thread.join()")
    assert run(other) == (1, ["still here", "first", "started"])


def test_a_start_that_fails_does_not_keep_a_process_from_leaving() -> None:
    code = "try:\n    with starting():\n        leave()\n        raise OSError\nfinally:\n    print('never')"
    assert run(code) == (1, ["first"])


def test_starts_alone_change_nothing() -> None:
    code = "with starting():\n    pass\nprint('still here')\nleave()"
    assert run(code) == (1, ["still here", "first"])
