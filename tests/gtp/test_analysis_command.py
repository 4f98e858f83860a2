"""`montego analysis` as clients run it: a process, its answers and its end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gtp.analysis_fakes import finals, query

PATIENCE = 400
"""Seconds: the engine may have to be compiled first."""


class Session:
    """`python -m montego analysis`, as a client runs it."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "montego", "analysis", "--seed", "1", *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def send(self, *queries: Any) -> None:
        assert self.process.stdin is not None
        for asked in queries:
            self.process.stdin.write((asked if isinstance(asked, str) else json.dumps(asked)).encode() + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        reply: dict[str, Any] = json.loads(self.process.stdout.readline())
        return reply

    def until_searching(self) -> None:
        """A long search is under way, and has shown it."""
        self.send(query("long", maxVisits=10_000_000, reportDuringSearchEvery=0.05))
        while not self.read().get("isDuringSearch"):
            pass

    def children(self) -> list[int]:
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def finish(self, *queries: Any) -> tuple[list[dict[str, Any]], str]:
        """Send the last queries, end the input, and wait for the end."""
        lines = "".join((asked if isinstance(asked, str) else json.dumps(asked)) + "\n" for asked in queries)
        try:
            out, err = self.process.communicate(lines.encode(), PATIENCE)
        finally:
            self.process.kill()
        return [json.loads(line) for line in out.splitlines()], err.decode()


@pytest.fixture
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    made = Session(*getattr(request, "param", ()))
    watchdog = threading.Timer(PATIENCE, made.process.kill)
    watchdog.start()
    yield made
    watchdog.cancel()
    made.process.kill()
    made.process.communicate()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"
    except OSError:
        return False


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 5.0
    while any(map(is_alive, pids)):
        assert time.monotonic() < deadline, "a process is left behind"
        time.sleep(0.02)


def test_queries_are_answered_to_the_end_of_the_input(session: Session) -> None:
    capture = {"initialStones": [["W", "C3"], ["B", "B3"], ["B", "D3"], ["B", "C4"], ["W", "A5"]], "initialPlayer": "B"}
    won = {"initialStones": [["B", vertex] for vertex in ("B3", "C3", "D3", "C2", "C4")], "rules": "japanese"}
    passes = [["B", "C3"], ["W", "pass"], ["B", "pass"]]
    replies, err = session.finish(
        {"id": "v", "action": "query_version"},
        query("a", maxVisits=4000, includeOwnership=True, includePolicy=True, **capture),
        query("b", moves=[["B", "C3"], ["W", "C3"]]),
        query("c", moves=passes, analyzeTurns=[0, 3], maxVisits=60),
        query("d", maxTime=0.2, overrideSettings={"reportAnalysisWinratesAs": "SIDETOMOVE"}, **won),
        query("e", maxVisits=100, **won),
        "nonsense",
    )
    assert session.process.returncode == 0 and "Traceback" not in err
    assert [reply.get("id") for reply in replies] == ["v", "b", None, "a", "c", "c", "d", "e"]
    a, c0, c3, d, e = replies[3:]
    assert a["rootInfo"]["visits"] == 4000 == sum(move["visits"] for move in a["moveInfos"])
    assert a["moveInfos"][0]["move"] == "C2" and a["moveInfos"][0]["pv"][0] == "C2", "the capture"
    assert a["rootInfo"]["winrate"] > 0.9 and a["rootInfo"]["scoreLead"] > 5
    assert len(a["ownership"]) == 25 and a["ownership"][12] > 0.5 and len(a["policy"]) == 26
    assert [share == -1.0 for share in a["policy"]].count(True) == 5
    assert sum(share for share in a["policy"] if share > 0) == pytest.approx(1.0, abs=0.01)
    assert (c0["turnNumber"], c3["turnNumber"], c3["rootInfo"]["currentPlayer"]) == (0, 3, "W")
    assert d["rootInfo"]["currentPlayer"] == e["rootInfo"]["currentPlayer"] == "W"
    assert d["rootInfo"]["winrate"] < 0.2 and d["rootInfo"]["scoreLead"] < -5, "White's own view"
    assert e["rootInfo"]["winrate"] > 0.8 and e["rootInfo"]["scoreLead"] > 5, "Black's view"


def test_a_long_query_is_terminated_and_others_answered_meanwhile(session: Session) -> None:
    session.until_searching()
    session.send({"id": "v", "action": "query_version"}, query("urgent", priority=3, maxVisits=50))
    seen = []
    while not seen or seen[-1]["id"] != "urgent":
        seen.append(session.read())
    assert any(reply["id"] == "v" for reply in seen)
    start = time.monotonic()
    session.send({"id": "t", "action": "terminate", "terminateId": "long"})
    while not finals(seen)[1:]:
        seen.append(session.read())
    assert time.monotonic() - start < 3.0
    assert finals(seen) == [("urgent", 0), ("long", 0)]
    assert session.finish()[0] == [] and session.process.returncode == 0


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_signals_end_it_at_once(session: Session, sent: signal.Signals, code: int) -> None:
    session.until_searching()
    children = session.children()
    assert children
    session.process.send_signal(sent)
    _, err = session.process.communicate(timeout=10)
    assert session.process.returncode == code and b"Traceback" not in err
    wait_until_gone(children)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")
def test_it_ends_when_nobody_listens_any_more(session: Session) -> None:
    session.until_searching()
    children = session.children()
    assert session.process.stdout is not None and session.process.stderr is not None
    session.process.stdout.close()
    assert session.process.wait(10) == 0
    assert b"Traceback" not in session.process.stderr.read()
    wait_until_gone(children)
    session.process.stdout = None


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")
def test_its_engine_does_not_outlive_it(session: Session) -> None:
    session.until_searching()
    children = session.children()
    session.process.kill()
    session.process.communicate()
    wait_until_gone(children)


@pytest.mark.parametrize(
    "session", [("-model", "m", "-config", "c", "-override-config", "a=b", "--level", "30k")], indirect=True
)
def test_options_of_katago_are_taken_and_ignored(session: Session, tmp_path: Path) -> None:
    replies, err = session.finish(query("a"))
    assert replies[0]["rootInfo"]["visits"] == 12, "the level's own number"
    assert "-model, -config, -override-config: meant for KataGo" in err


@pytest.mark.parametrize(
    "options", [("--level", "99k"), ("--preset", "nobody"), ("--rules", "chess"), ("--threads", "0")]
)
def test_options_that_make_no_sense(options: tuple[str, ...]) -> None:
    made = Session(*options)
    out, err = made.process.communicate(timeout=PATIENCE)
    assert made.process.returncode == 2 and out == b"" and b"Traceback" not in err


def test_all_is_written_to_the_log(tmp_path: Path) -> None:
    made = Session("--log", str(tmp_path / "log.txt"))
    made.finish({"id": "v", "action": "query_version"})
    lines = (tmp_path / "log.txt").read_text().splitlines()
    assert len(lines) == 2 and '> {"id": "v"' in lines[0] and '< {"id": "v"' in lines[1]
