"""The client against an engine that misbehaves in every way an engine can (fake_engine.py)."""

from __future__ import annotations

import os
import pickle
import shlex
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from montego import MontegoError
from montego.go.errors import ColourError, SizeError, VertexError
from montego.gtp.client import REQUIRED, GtpClient
from montego.gtp.errors import EngineDied, EngineError, EngineTimeout, ProtocolError, Refused, RequestError, StartError
from montego.gtp.pipes import MAX_REPLY, find_program

FAKE = [sys.executable, "-I", "-S", str(Path(__file__).with_name("fake_engine.py"))]
PATIENCE = 60.0
"""Seconds in which all that should happen does happen, however busy the machine is."""
SHORT = 0.3
"""Seconds for what should not happen."""

posix = pytest.mark.skipif(os.name != "posix", reason="signals and sessions")


def start(mode: str = "plain", **options: Any) -> GtpClient:
    limits = {"start_seconds": PATIENCE, "answer_seconds": PATIENCE, "exit_seconds": PATIENCE}
    return GtpClient([*FAKE, mode], **{**limits, **options})


def is_running(pid: int) -> bool:
    """Whether a process lives; one that is dead but has not been asked for its exit code does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except OSError:  # no /proc here
        return True


def wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def peak_memory(work: Callable[[], object]) -> int:
    """The most bytes that Python held while it worked."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@contextmanager
def at_once() -> Iterator[None]:
    """Without waiting for a time limit of PATIENCE."""
    start = time.monotonic()
    yield
    assert time.monotonic() - start < PATIENCE / 2


def pid_of(engine: GtpClient) -> int:
    return int(engine.send("where").splitlines()[2])


# An engine that does as it should.


def test_introduction() -> None:
    with start() as engine:
        assert (engine.name, engine.version) == ("Fake", "1.2")
        assert {"speak", "list_commands", "genmove"} <= engine.commands
        assert engine.supports("speak") and not engine.supports("final_score")
        assert engine.returncode is None
    assert engine.returncode == 0


@pytest.mark.parametrize(("mode", "asks"), [("unlisted", True), ("bare", False)])
def test_without_a_list_of_commands(mode: str, asks: bool) -> None:
    with start(mode) as engine:
        assert engine.commands == REQUIRED and engine.supports("komi") and engine.supports("quit")
        assert engine.supports("speak") is asks and not engine.supports("no-such-command")


def test_nameless() -> None:
    with start("nameless") as engine:
        assert (engine.name, engine.version) == ("", "") and engine.send("speak", "on") == "on"
        with pytest.raises(Refused, match=r"python.*, asked 'refuse it': refused: it"):
            engine.send("refuse", "it")


@pytest.mark.parametrize("mode", ["plain", "crlf"])
def test_answers(mode: str) -> None:
    with start(mode) as engine:
        assert engine.send("speak") == ""
        assert engine.send("speak", "E5") == "E5"
        assert engine.send("speak", "a|  b|c ") == "a\n  b\nc", "lines keep their indentation"
        assert engine.send("speak", "|", "a", 7, 0.5) == " a 7 0.5"
        assert engine.send("blank-row") == "a\n\nb", "a row of blanks does not end an answer"
        assert engine.send("comment") == "E5"
        assert engine.send("dribble") == "slow but sure"
        assert engine.send("latin") == "caf\ufffd"
        assert engine.send("speak", "gr\u00fc\u00dfe \u56f2\u7881") == "gr\u00fc\u00dfe \u56f2\u7881"
        assert engine.send("speak", "x" * 1_000_000) == "x" * 1_000_000


def test_refusal_leaves_the_engine_as_it_is() -> None:
    with start() as engine:
        with pytest.raises(Refused, match="Fake, asked 'refuse illegal move': refused: illegal move") as caught:
            engine.send("refuse", "illegal move")
        assert caught.value.message == "illegal move"
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.message) == (str(caught.value), "illegal move"), "it may cross processes"
        with pytest.raises(Refused, match="without a reason"):
            engine.send("refuse")
        with pytest.raises(Refused, match="unknown command"):
            engine.stream("no-such-command")
        assert engine.send("speak", "still here") == "still here"


def test_directory_and_environment(tmp_path: Path) -> None:
    env = {**os.environ, "FAKE": "yes"}
    with start(cwd=tmp_path, env=env) as engine:
        assert engine.send("where").splitlines()[:2] == [str(tmp_path.resolve()), "yes"]


def test_command_line_as_a_string() -> None:
    line = subprocess.list2cmdline(FAKE) if os.name == "nt" else shlex.join(FAKE)
    with GtpClient(line + " unlisted", start_seconds=PATIENCE) as engine:
        assert engine.name == "Fake" and engine.commands == REQUIRED


# The helpers of a match.


def test_moves() -> None:
    with start(env={**os.environ, "FAKE_MOVE": "d4"}) as engine:
        engine.boardsize(9)
        assert engine.genmove("b") == "D4" == engine.genmove("white")
        engine.play("black", "d4")
        engine.play("W", "PASS")
        for colour, vertex in [("green", "D4"), ("b", "K10"), ("b", "I5"), ("b", "resign")]:
            with pytest.raises((ColourError, VertexError)):
                engine.play(colour, vertex)
        with pytest.raises(SizeError):
            engine.boardsize(1)
        with pytest.raises(Refused, match="komi 6"):
            engine.komi(6.5)
        with pytest.raises(Refused, match="time_left B 7 2"):
            engine.time_left("black", 7.9, 2)
        with pytest.raises(Refused, match="time_left W 0 0"):
            engine.time_left("w", -0.3)


@pytest.mark.parametrize(("move", "read"), [("PASS", "pass"), ("Resign", "resign"), ("t19", "T19")])
def test_other_moves(move: str, read: str) -> None:
    with start(env={**os.environ, "FAKE_MOVE": move}) as engine:
        assert engine.genmove("b") == read, "before a board size is set, any point of 19×19 may be meant"


@pytest.mark.parametrize("move", ["K10", "I5", "", "D4 D5", "0", "22", "null", "E5\nE6", "Ⅾ4"])
def test_a_move_that_is_none(move: str) -> None:
    with start(env={**os.environ, "FAKE_MOVE": move}) as engine:
        engine.boardsize(9)
        with pytest.raises(
            ProtocolError, match=r"asked 'genmove': .* is not a vertex of this board; accepted: A1 to J9"
        ):
            engine.genmove("b")
        assert engine.returncode is not None


@pytest.mark.parametrize(
    ("text", "stones"), [("", []), ("a1 B2\nc3\n  J9", ["A1", "B2", "C3", "J9"]), ("A1 pass", None), ("K10", None)]
)
def test_status_list(text: str, stones: list[str] | None) -> None:
    with start(env={**os.environ, "FAKE_DEAD": text}) as engine:
        engine.boardsize(9)
        if stones is None:
            with pytest.raises(ProtocolError, match=r"asked 'final_status_list': .* accepted: A1 to J9"):
                engine.final_status_list("dead")
        else:
            assert engine.final_status_list("dead") == stones


# Commands that are not sent.


@pytest.mark.parametrize(
    "words",
    [("",), ("play B",), ("a\nb",), ("speak", "1\nquit"), ("speak", "\r"), ("speak", "\t"), ("speak", "\x00"),
     ("speak", "\x7f"), ("speak", "\u2028"), ("speak", "\ud800"), ("speak", "#"), ("#", "x")],
)  # fmt: skip
def test_what_cannot_be_sent(words: tuple[str, ...]) -> None:
    with start() as engine:
        for send in (engine.send, engine.stream):
            with pytest.raises(RequestError, match="accepted: "):
                send(*words)
        assert engine.send("speak", "as before") == "as before"


@pytest.mark.parametrize("seconds", [-1, float("inf"), float("nan"), "5", True])
def test_what_is_no_time_limit(seconds: Any) -> None:
    with pytest.raises(RequestError, match="time limit"):
        start(exit_seconds=seconds)
    with start() as engine:
        with pytest.raises(RequestError, match="time limit"):
            engine.send("speak", seconds=seconds)
        assert engine.send("speak", "as before") == "as before"


# An engine that does not start.


def test_no_such_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StartError, match="there is no program 'no-such-engine' on the PATH"):
        GtpClient(["no-such-engine", "--gtp"])
    with pytest.raises(StartError, match=r"cannot be started: .*No such file"):
        GtpClient([str(tmp_path / "engine")])
    with pytest.raises(StartError, match="cannot be started"):
        start(cwd=tmp_path / "nowhere")
    monkeypatch.setattr("montego.gtp.pipes.GAMES_FOLDER", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StartError, match="apt-get install gnugo"):
        find_program("gnugo")


@posix
def test_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "engine"
    script.write_text("name\n")
    with pytest.raises(StartError, match="Permission denied"):
        GtpClient([str(script)])
    script.chmod(0o755)
    with pytest.raises(StartError, match="cannot be started"):
        GtpClient([str(script)])
    monkeypatch.setattr("montego.gtp.pipes.GAMES_FOLDER", str(tmp_path))
    assert find_program("engine") == str(script), "also beside the PATH"
    assert find_program("engine", str(tmp_path)) == str(script)


@pytest.mark.parametrize("command", ["", "  ", [], [""], "a 'b", ["a\0b", "c"], 7, [7]])
def test_no_command_line(command: Any) -> None:
    with pytest.raises(StartError):
        GtpClient(command)


def test_crash_at_the_start() -> None:
    with pytest.raises(EngineDied, match=r"asked 'name': it ended with code 5; on stderr: .* / out of memory \[0m$"):
        start("crash")


def test_hang_at_the_start() -> None:
    with pytest.raises(EngineTimeout, match=r"asked 'name': no answer within 0\.3 s"):
        start("hang", start_seconds=SHORT)


def test_banner_on_stdout() -> None:
    with pytest.raises(ProtocolError, match=r"'Welcome to Fake 1\.2' is no answer"):
        start("banner")


# An engine that fails in the middle of a game.

FAILURES = [
    ("crash", EngineDied, r"it ended with code 3; on stderr: reading the weights / out of memory"),
    ("die-of-signal", EngineDied, "it was ended by SIGKILL"),
    ("close-output", EngineDied, "it closed its output"),
    ("junk", ProtocolError, "'Segmentation fault' is no answer; accepted: =4 or [?]4"),
    ("binary", ProtocolError, "is no answer"),
    ("glued", ProtocolError, "is no answer"),
    ("wrong-id", ProtocolError, "'=99 E5' is not the answer to command 4"),
    ("no-id", ProtocolError, "'= E5' is not the answer to command 4"),
    ("flood", ProtocolError, "the answer is too long"),
    ("flood-junk", ProtocolError, "'junk' is no answer"),
    ("flood-comments", ProtocolError, "the answer is too long"),
    ("flood-line", ProtocolError, "the answer is too long"),
    ("flood-answer", ProtocolError, "the answer is too long"),
]
HANGS = ["hang", "half", "drip"]


@pytest.mark.parametrize(("command", "error", "text"), FAILURES, ids=[failure[0] for failure in FAILURES])
def test_failures(command: str, error: type[EngineError], text: str) -> None:
    if os.name != "posix" and command == "die-of-signal":
        pytest.skip("signals")
    with start() as engine:
        with at_once(), pytest.raises(error, match=f"Fake, asked '{command}': .*{text}") as caught:
            engine.send(command)
        assert type(caught.value) is error and isinstance(caught.value, MontegoError)
        assert "\n" not in str(caught.value)
        assert engine.returncode is not None, "it has been ended"
        with pytest.raises(EngineDied, match="it has been ended before"):
            engine.send("name")


@pytest.mark.parametrize("command", HANGS)
def test_hangs(command: str) -> None:
    with start() as engine:
        with pytest.raises(EngineTimeout, match=rf"Fake, asked '{command}': no answer within 0\.3 s"):
            engine.send(command, seconds=SHORT)
        assert engine.returncode is not None


def test_one_answer_too_many() -> None:
    with start() as engine:
        assert engine.send("twice") == ""
        with pytest.raises(ProtocolError, match="'=4' is not the answer to command 5"):
            engine.send("name")


def test_closed_input() -> None:
    with start() as engine:
        engine.send("close-input")
        with at_once(), pytest.raises(EngineDied, match="it closed its input"):
            engine.send("name")


def test_input_that_is_not_read() -> None:
    with start() as engine:
        engine.send("read-no-more")
        with pytest.raises(EngineTimeout, match=r"asked 'speak x+\.\.\.': no answer within"):
            engine.send("speak", "x" * 1_000_000, seconds=SHORT)


def test_an_answer_just_before_the_end() -> None:
    with start() as engine:
        assert engine.send("quit") == ""
        with pytest.raises(EngineDied, match="it ended with code 0"):
            engine.send("name")


def test_stderr_never_blocks_the_engine() -> None:
    with start() as engine:
        assert engine.send("complain") == "done"
        wait_until(lambda: engine.stderr.endswith("the last line\n"))
        assert len(engine.stderr) < 20_000


@pytest.mark.parametrize("command", ["flood-after", "flood-stderr"])
def test_memory_is_bounded(command: str) -> None:
    with start() as engine:
        assert peak_memory(lambda: (engine.send(command), time.sleep(1.0))) < 4 * MAX_REPLY
        with pytest.raises((ProtocolError, EngineTimeout)):
            engine.send("name", seconds=SHORT)


# Streams.


def test_stream_to_its_end() -> None:
    with start("crlf") as engine:
        assert list(engine.stream("analyse", 3)) == [f"info move D4 visits {n}" for n in (1, 2, 3)]
        assert list(engine.stream("speak", "one|two")) == ["one", "two"]
        assert list(engine.stream("speak")) == []
        assert engine.send("speak", "on") == "on"


def test_stream_stopped() -> None:
    with start() as engine:
        lines = engine.stream("analyse")
        assert [next(lines), next(lines)] == ["info move D4 visits 1", "info move D4 visits 2"]
        engine.stop()
        assert list(lines) == []
        engine.stop()
        for line in engine.stream("analyse"):
            assert line == "info move D4 visits 1"
            break
        lines = engine.stream("analyse")
        assert engine.send("speak", "next") == "next", "a command ends a stream"
        other = engine.stream("analyse")
        assert list(lines) == [] and next(other).startswith("info")
        stopped = engine.stderr.count("interrupted")
        other.close()  # type: ignore[attr-defined]
        wait_until(lambda: engine.stderr.count("interrupted") == stopped + 1)
        assert engine.supports("speak") and engine.send("speak", "on") == "on"
        next(engine.stream("analyse"))
    assert engine.returncode == 0


def test_closed_in_a_stream() -> None:
    with start() as engine:
        lines = engine.stream("analyse")
        next(lines)
    assert engine.returncode is not None and list(lines) == []


@pytest.mark.parametrize(
    ("command", "error"), [("half", EngineTimeout), ("crash", EngineDied), ("flood-line", ProtocolError)]
)
def test_stream_that_fails(command: str, error: type[EngineError]) -> None:
    with start() as engine:
        with pytest.raises(error):
            list(engine.stream(command, seconds=None if error is not EngineTimeout else SHORT))
        assert engine.returncode is not None


def test_stream_that_cannot_be_stopped() -> None:
    with start(answer_seconds=10.0) as engine:
        lines = engine.stream("flood-analyse")
        read = sum(len(next(lines)) for _ in range(2 * MAX_REPLY // 900))
        assert read > MAX_REPLY, "a stream may be as long as it likes"
        with pytest.raises((ProtocolError, EngineTimeout), match="asked 'protocol_version'"):
            engine.stop()
        assert engine.returncode is not None


# The end.


def test_close_twice() -> None:
    engine = start()
    engine.close()
    engine.close()
    assert engine.returncode == 0
    with pytest.raises(EngineDied, match="it has been ended before"):
        engine.genmove("b")


def test_close_lets_the_engine_write_to_its_end() -> None:
    engine = start("chatty-end")
    assert peak_memory(engine.close) < 2 * MAX_REPLY
    assert engine.returncode == 0


@posix
@pytest.mark.parametrize(("mode", "sign"), [("lingering", signal.SIGTERM), ("stubborn", signal.SIGKILL)])
def test_an_engine_that_will_not_go(mode: str, sign: int) -> None:
    engine = start(mode, exit_seconds=SHORT if mode == "stubborn" else 2.0)
    pid = pid_of(engine)
    engine.close()
    assert engine.returncode == -sign and not is_running(pid)


@posix
@pytest.mark.parametrize("command", ["crash", "hang", "junk", "close-output"])
def test_no_process_is_left_after_a_failure(command: str) -> None:
    with start() as engine:
        pids = [pid_of(engine), int(engine.send("child"))]
        with pytest.raises(EngineError):
            engine.send(command, seconds=2.0)
        wait_until(lambda: not any(map(is_running, pids)))


@posix
def test_children_end_with_the_engine() -> None:
    with start() as engine:
        child = int(engine.send("child"))
        assert is_running(child)
    assert engine.returncode == 0
    wait_until(lambda: not is_running(child))


@posix
def test_a_child_that_outlives_the_engine() -> None:
    with start() as engine:
        child = int(engine.send("die-before-child"))
        with at_once(), pytest.raises(EngineDied, match="it ended with code 7"):
            engine.send("name")
        wait_until(lambda: not is_running(child))


@posix
def test_a_child_that_fled_cannot_hold_us_up() -> None:
    with start() as engine:
        child = int(engine.send("fleeing-child"))
    assert engine.returncode == 0
    os.kill(child, signal.SIGKILL)


@posix
def test_out_of_reach_of_the_terminal() -> None:
    with start() as engine:
        pid, group = engine.send("where").splitlines()[2:]
        assert pid == group != str(os.getpgrp())


INTERRUPTED = """
import signal, sys
from montego.gtp.client import GtpClient
signal.signal(signal.SIGINT, signal.default_int_handler)
with GtpClient(sys.argv[2:], start_seconds=60, answer_seconds=60, exit_seconds=60) as engine:
    print(engine.send("where").splitlines()[2], engine.send("child"), flush=True)
    engine.send(sys.argv[1])
"""
ABANDONED = """
import sys
from montego.gtp.client import GtpClient
engine = GtpClient(sys.argv[1:], start_seconds=60)
print(engine.send("where").splitlines()[2], engine.send("child"), flush=True)
"""


@posix
def test_ctrl_c_ends_the_engine() -> None:
    script = [sys.executable, "-c", INTERRUPTED, "interrupt-client", *FAKE]
    with at_once():
        done = subprocess.run(script, capture_output=True, text=True, timeout=2 * PATIENCE)
    assert "KeyboardInterrupt" in done.stderr and done.returncode != 0
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 2
    wait_until(lambda: not any(map(is_running, pids)))


@posix
@pytest.mark.parametrize("mode", ["plain", "stubborn"])
def test_an_engine_nobody_closed_ends_with_us(mode: str) -> None:
    script = [sys.executable, "-c", ABANDONED, *FAKE, mode]
    done = subprocess.run(script, capture_output=True, text=True, timeout=2 * PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 2
    wait_until(lambda: not any(map(is_running, pids)))
