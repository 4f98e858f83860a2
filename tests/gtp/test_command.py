"""`montego gtp` as programs start it: a process that answers at once, never hangs, and ends when it should."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gtp.referee import MONTEGO
from montego.gtp.client import GtpClient

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups of POSIX")


@contextmanager
def started(*options: str, **kwargs: Any) -> Iterator[subprocess.Popen[bytes]]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([*MONTEGO, *options], bufsize=0, **{**pipes, **kwargs})
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe:
                pipe.close()


def say(process: subprocess.Popen[bytes], line: str) -> None:
    assert process.stdin
    process.stdin.write(line.encode() + b"\n")


def hear(process: subprocess.Popen[bytes], lines: int = 1) -> list[str]:
    """Lines that are not empty."""
    assert process.stdout
    heard: list[str] = []
    while len(heard) < lines:
        line = process.stdout.readline()
        assert line, "the engine has ended"
        if line.strip():
            heard.append(line.decode().strip())
    return heard


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until_gone(pids: list[int], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < end, "a process is left behind"
        time.sleep(0.05)


def test_the_first_answer_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    """With an empty cache: the first answer comes long before anything is compiled, a move under a clock in time."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with started("--size", "9", env=env) as process:
        say(process, "name")
        assert hear(process) == ["= Montego"]
        assert not list(tmp_path.rglob("*.nbc")), "nothing is compiled yet"
        for line in ("boardsize 9", "clear_board", "time_settings 2 0 0"):
            say(process, line)
        hear(process, 3)
        used, colours = {"b": 0.0, "w": 0.0}, "bw"
        for turn in range(20):
            start = time.monotonic()
            say(process, f"genmove {colours[turn % 2]}")
            assert re.fullmatch(r"= [A-HJ][1-9]", hear(process)[0])
            used[colours[turn % 2]] += time.monotonic() - start
        assert max(used.values()) < 2


def test_compiling_is_announced_and_the_search_then_takes_over(tmp_path: Path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with started("--size", "5", "--simulations", "50", env=env) as process:
        say(process, "boardsize 5")
        say(process, "genmove b")
        assert hear(process, 2)[1].startswith("= ")
        say(process, "quit")
        assert process.wait(30) == 0 and process.stderr
        assert b"compiling the engine for 5" in process.stderr.read()


BUSY = ("genmove b", "lz-analyze b 10", "kata-genmove_analyze b 10", "name")


@pytest.mark.parametrize("command", BUSY)
@pytest.mark.parametrize("how", ["SIGTERM", "SIGINT", "stdin", "stdout"])
def test_it_ends_cleanly_at_any_moment(command: str, how: str) -> None:
    with started("--size", "9", "--seconds", "100") as process:
        say(process, "play w e5")
        say(process, "final_score")  # after which everything is compiled
        hear(process, 2)
        helpers = children(process.pid)
        say(process, command)
        time.sleep(0.3)
        if how == "stdin":
            assert process.stdin and process.stdout
            threading.Thread(target=process.stdout.read, daemon=True).start()
            process.stdin.close()
            limit, codes = 30.0, (0,)
        elif how == "stdout":
            assert process.stdout
            process.stdout.close()
            for line in ("name", "name", "quit"):
                try:
                    say(process, line)
                except OSError:
                    break
            if "genmove" in command:
                process.send_signal(signal.SIGTERM)  # it would move first
            limit, codes = 30.0, (0,)
        else:
            process.send_signal(getattr(signal, how))
            limit, codes = 10.0, (0, 130)
        assert process.wait(limit) in codes
        assert process.stderr and b"Traceback" not in process.stderr.read()
        wait_until_gone(helpers)


def test_nothing_survives_the_front() -> None:
    with started("--size", "9", "--seconds", "100") as process:
        say(process, "name")
        hear(process)
        helpers = children(process.pid)
        assert helpers
        say(process, "genmove b")
        time.sleep(0.5)
        process.kill()
        process.wait()
        wait_until_gone(helpers)


def test_commands_from_a_pipe() -> None:
    script = b"1 boardsize 9\n2 genmove b\n3 undo\n4 showboard\n"
    run = subprocess.run([*MONTEGO, "--simulations", "200"], input=script, capture_output=True, timeout=120, check=True)
    heads = re.findall(r"^([=?])(\d+)", run.stdout.decode(), re.M)
    assert heads == [("=", "1"), ("=", "2"), ("=", "3"), ("=", "4")]


def test_gogui_interrupts_a_search() -> None:
    with started("--size", "9", "--seconds", "1000") as process:
        say(process, "clear_board")
        hear(process)
        say(process, "reg_genmove b")
        time.sleep(3)
        say(process, "# interrupt")
        assert re.fullmatch(r"= [A-HJ][1-9]", hear(process)[0])
        say(process, "lz-analyze b 10")
        hear(process, 2)
        say(process, "")
        say(process, "7 name")
        while (heard := hear(process)[0]).startswith("info"):
            pass
        assert heard == "=7 Montego"


def test_lines_too_long_and_binary_junk() -> None:
    with started("--size", "9") as process:
        assert process.stdin
        process.stdin.write(b"play b " + b"A1 " * 700_000 + b"\nname\n" + bytes(range(256)) * 3 + b"\n\xff\xfe\nname\n")
        heard = hear(process, 3)
        assert heard[0] == "? the line is too long" and heard[1] == "= Montego"
        while heard[-1] != "= Montego" or len(heard) < 4:
            assert heard[-1][0] in "=?"
            heard += hear(process)


def test_the_log_tells_all_that_was_said(tmp_path: Path) -> None:
    log = tmp_path / "gtp.log"
    with GtpClient([*MONTEGO, "--log", str(log)], start_seconds=60) as engine:
        engine.send("known_command", "name")
    text = log.read_text(encoding="utf-8")
    assert "> 4 known_command name" in text and "< =4 true" in text


@pytest.mark.parametrize(
    "options",
    [["--level", "99k"], ["--preset", "no-such"], ["--rules", "chess"], ["--komi", "nan"], ["--threads", "0"],
     ["--log", "/no/such/folder/x"], ["--preset", "house:bias=x"]],
)  # fmt: skip
def test_options_that_are_refused(options: list[str]) -> None:
    run = subprocess.run([*MONTEGO, *options], input=b"name\n", capture_output=True, timeout=60, check=False)
    assert run.returncode == 2 and run.stdout == b"" and b"Traceback" not in run.stderr and run.stderr


def test_pondering_keeps_the_tree() -> None:
    with GtpClient([*MONTEGO, "--size", "9", "--simulations", "2000", "--ponder", "--seed", "1"], 60, 60) as engine:
        engine.boardsize(9)
        first = engine.genmove("b")
        time.sleep(1.0)
        engine.play("w", "E5" if first != "E5" else "C3")
        lines = engine.send("kata-genmove_analyze", "b", 5)
        visits = [int(n) for n in re.findall(r"visits (\d+)", lines)]
        assert lines.split()[-2] == "play" and visits
