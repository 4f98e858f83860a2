"""A player in a process of its own: tasks one after another, stopped, refused, and processes that die or hang."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from montego import Game
from montego.go.errors import ConfigError, IllegalMove
from montego.players.budget import Budget
from montego.players.choice import Choice
from montego.players.endgame import Outlook
from montego.players.remote import MOST_RESTARTS, Message, Remote
from montego.players.worker import PlayerSpec, Task, unwanted
from montego.search.report import Report

PATIENCE = 60.0
"""Seconds in which anything at all must have been answered, compilation included."""
NEVER = Budget(None, 1e8)


@contextmanager
def running() -> Iterator[Remote]:
    remote = Remote()
    try:
        yield remote
    finally:
        remote.close()


@pytest.fixture(scope="module")
def remote() -> Iterator[Remote]:
    with running() as made:
        yield made


def game() -> Game:
    made = Game(5, komi=2.5)
    made.play("C3")
    return made


def answer(remote: Remote, ticket: int, seconds: float = PATIENCE) -> Message:
    """The last message of a ticket."""
    until = time.monotonic() + seconds
    while True:
        message = remote.take(ticket, until, lambda: False)
        assert message is not None, "no answer"
        if message.kind != "report":
            return message


def ask(remote: Remote, kind: str = "choose", **details: Any) -> Message:
    details = {"budget": Budget(50), **details}
    return answer(remote, remote.submit(Task(kind, details.pop("game", None) or game(), **details)))


def busy(remote: Remote) -> int:
    """The ticket of a search without end, which has begun."""
    ticket = remote.submit(Task("analyse", game(), budget=NEVER, every=0.05))
    message = remote.take(ticket, time.monotonic() + PATIENCE, lambda: False)
    assert message is not None and message.kind == "report"
    return ticket


def gone(pid: int, seconds: float = 10.0) -> bool:
    """Whether a process ends in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def process(remote: Remote) -> Any:
    return remote._process


# --- tasks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "made"), [("choose", Choice), ("analyse", Report), ("outlook", Outlook)])
def test_each_kind_of_task_is_answered(remote, kind, made):
    message = ask(remote, kind)
    assert message.kind == "done" and isinstance(message.content, made)
    assert message.cpu > 0 and remote.cpu == message.cpu


def test_to_prepare_and_to_ponder_bring_no_news(remote):
    assert ask(remote, "prepare").content is None
    assert ask(remote, "ponder").content is None


def test_reports_come_on_the_way(remote):
    ticket = remote.submit(Task("analyse", game(), budget=Budget(None, 0.5), every=0.1, whole=True))
    seen = []
    while not seen or seen[-1].kind == "report":
        message = remote.take(ticket, time.monotonic() + PATIENCE, lambda: False)
        assert message is not None and message.ticket == ticket
        seen.append(message)
    assert 3 <= len(seen) <= 7 and seen[-1].kind == "done"
    assert len(seen[0].content.moves) == len(game().legal_moves()) + 1


def test_a_later_task_ends_the_one_before(remote):
    first = busy(remote)
    start = time.monotonic()
    second = remote.submit(Task("choose", game(), budget=Budget(50)))
    message = answer(remote, second)
    assert message.ticket == second and isinstance(message.content, Choice)
    assert time.monotonic() - start < 5.0
    assert not remote.is_doing(first) and not remote.is_doing(second)
    assert all(message.ticket != first for message in remote.messages)


def test_of_many_tasks_at_once_the_last_is_answered(remote):
    tickets = [remote.submit(Task("choose", game(), budget=Budget(20_000))) for _ in range(20)]
    assert answer(remote, tickets[-1]).ticket == tickets[-1]
    assert remote.take(tickets[0], time.monotonic() + 0.2, lambda: False) is None


def test_a_stopped_search_answers_with_what_it_found(remote):
    ticket = busy(remote)
    start = time.monotonic()
    remote.stop()
    message = answer(remote, ticket)
    assert message.kind == "done" and message.content.simulations > 0
    assert time.monotonic() - start < 5.0
    remote.stop()  # nothing to stop
    assert ask(remote).kind == "done"


def test_a_wait_can_be_given_up(remote):
    ticket = busy(remote)
    start = time.monotonic()
    while (message := remote.take(ticket, None, lambda: time.monotonic() > start + 0.3)) is not None:
        assert message.kind == "report"
    assert remote.is_doing(ticket)
    assert remote.take(ticket, time.monotonic() - 1.0, lambda: True) is None
    remote.stop()
    assert answer(remote, ticket).kind == "done"


def test_the_same_player_goes_on_and_another_starts_anew(remote):
    def simulations(spec: PlayerSpec) -> int:
        return ask(remote, "analyse", budget=Budget(100), player=spec).content.simulations

    first = PlayerSpec(seed=11)
    assert simulations(first) == 100
    assert simulations(first) == 200
    assert simulations(PlayerSpec(seed=11, games=1)) == 100
    assert simulations(PlayerSpec(seed=12)) == 100
    assert simulations(PlayerSpec(seed=11, memory=8)) == 100


# --- refusals and failures ----------------------------------------------------------------------------------------


def test_a_game_that_is_over_is_refused(remote):
    over = game()
    over.play("pass")
    over.play("pass")
    message = ask(remote, game=over)
    assert message.kind == "refused" and isinstance(message.content, IllegalMove) and message.content.why == "over"
    assert ask(remote).kind == "done"


@pytest.mark.parametrize(
    "task",
    [
        Task("choose", game(), PlayerSpec("no-such-player")),
        Task("choose", game(), PlayerSpec("house:bias=many")),
        Task("choose", game(), PlayerSpec(threads=0)),
        Task("choose", game(), without=("Q99",)),
        Task("choose", game(), only=("C3",)),
        Task("choose", game(), only=("E5",), without=("E5",), budget=Budget(10)),
    ],
    ids=["player", "field", "threads", "vertex", "only an illegal move", "nothing left"],
)
def test_what_makes_no_sense_is_refused(remote, task):
    message = answer(remote, remote.submit(task))
    assert message.kind == "refused", message
    assert "accepted" in str(message.content)
    assert ask(remote).kind == "done"


def test_what_fails_leaves_the_process_alive(remote):
    before = process(remote).pid
    message = answer(remote, remote.submit(Task("choose", None)))  # type: ignore[arg-type]
    assert message.kind == "failed" and "Error" in message.content
    assert ask(remote).kind == "done" and process(remote).pid == before


def test_moves_to_consider_and_to_leave_out(remote):
    for _ in range(2):
        assert ask(remote, only=("e5",)).content.vertex == "E5"
    others = tuple(vertex for vertex in game().legal_moves() if vertex != "A1")
    assert ask(remote, without=(*others, "pass")).content.vertex == "A1"
    assert ask(remote).content.vertex not in ("A1", "E5")
    assert set(unwanted(Task("choose", game(), only=("A1", "pass")))) == {*game().legal_moves()} - {"A1"}
    with pytest.raises(ConfigError, match="accepted"):
        unwanted(Task("choose", game(), only=("C3",)))


# --- processes that die or hang -----------------------------------------------------------------------------------


def test_a_process_that_dies_says_so_and_has_a_successor():
    with running() as remote:
        ticket, pid = busy(remote), process(remote).pid
        os.kill(pid, signal.SIGKILL)
        message = answer(remote, ticket)
        assert message.kind == "died" and "-9" in message.content
        assert ask(remote).kind == "done" and process(remote).pid != pid


@pytest.mark.slow
def test_a_process_that_dies_idle_has_a_successor_too():
    with running() as remote:
        assert ask(remote).kind == "done"
        pid = process(remote).pid
        os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + PATIENCE
        while process(remote).pid == pid and time.monotonic() < until:
            time.sleep(0.05)
        assert ask(remote).kind == "done"


@pytest.mark.slow
def test_a_process_killed_as_it_starts_is_replaced():
    with running() as remote:
        os.kill(process(remote).pid, signal.SIGKILL)
        assert answer(remote, remote.submit(Task("choose", game(), budget=Budget(50)))).kind in ("done", "died")
        assert ask(remote).kind == "done"


def test_processes_that_keep_dying_are_not_started_for_ever():
    with running() as remote:
        for _ in range(MOST_RESTARTS + 1):
            assert remote.works
            before = process(remote)
            os.kill(before.pid, signal.SIGKILL)
            before.join(PATIENCE)
            until = time.monotonic() + PATIENCE
            while process(remote) is before and remote.works and time.monotonic() < until:
                time.sleep(0.01)
        assert not remote.works
        start = time.monotonic()
        for _ in range(3):
            assert ask(remote).kind == "died"
        assert time.monotonic() - start < 1.0


@pytest.mark.slow
def test_a_process_that_hangs_can_be_replaced():
    with running() as remote:
        busy(remote)
        pid = process(remote).pid
        os.kill(pid, signal.SIGSTOP)
        assert remote.take(remote.submit(Task("choose", game())), time.monotonic() + 0.3, lambda: False) is None
        remote.restart()
        assert gone(pid)
        assert ask(remote).kind == "done"


def test_nothing_is_left_after_close():
    with running() as remote:
        busy(remote)
        pid = process(remote).pid
    assert gone(pid)
    idle = Remote()
    pid = process(idle).pid
    idle.close()
    idle.close()
    assert gone(pid)


ORPHAN = """
import sys, time
from montego import Game
from montego.players.budget import Budget
from montego.players.remote import Remote
from montego.players.worker import Task

if __name__ == "__main__":
    remote = Remote()
    ticket = remote.submit(Task("analyse", Game(5), budget=Budget(None, 1e8), every=0.05))
    assert remote.take(ticket, time.monotonic() + 120, lambda: False) is not None
    print(remote._process.pid, flush=True)
    time.sleep(600)
"""


def test_nothing_is_left_when_the_parent_is_killed(tmp_path):
    """In the middle of a search."""
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
    assert gone(pid)
