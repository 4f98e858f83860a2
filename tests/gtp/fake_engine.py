"""An engine for tests of the client: it can misbehave in every way an engine can. Usage: fake_engine.py [MODE].

Run on its own, by any Python, without the package. The mode says how it starts and ends; the rest are commands.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

FOREVER = 600
MODE = sys.argv[1] if len(sys.argv) > 1 else "plain"
END = "\r\n" if MODE == "crlf" else "\n"


def out(text: str) -> None:
    os.write(1, text.encode())


def answer(number: str, text: str = "", sign: str = "=") -> None:
    out(f"{sign}{number} {text}{END}{END}")


def pour(text: str, pipe: int = 1) -> None:
    """Write without end, or until nobody reads."""
    with contextlib.suppress(OSError):
        while True:
            os.write(pipe, text.encode())
    time.sleep(FOREVER)


def child(number: str, **options: bool) -> None:
    """Start a process that holds our pipes, and tell its number."""
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", f"import time; time.sleep({FOREVER})"], **options)
    answer(number, str(process.pid))


# Every command gets the id and the arguments, and answers, or does not.


def speak(number: str, arguments: list[str]) -> None:
    """Answer with the given words; | begins a new line."""
    answer(number, " ".join(arguments).replace("|", END))


def crash(number: str, arguments: list[str]) -> None:
    sys.stderr.write("reading the weights\nout of memory\x1b[0m\n")
    sys.stderr.flush()
    os._exit(int(arguments[0]) if arguments else 3)


def complain(number: str, arguments: list[str]) -> None:
    """Write more on stderr than any pipe holds, then answer."""
    for _ in range(2000):
        sys.stderr.write("nothing to complain about really, but at great length" * 20 + "\n")
    sys.stderr.write("the last line\n")
    sys.stderr.flush()
    answer(number, "done")


def wait_forever(number: str, arguments: list[str]) -> None:
    time.sleep(FOREVER)


def half(number: str, arguments: list[str]) -> None:
    out(f"={number} begun{END}")
    time.sleep(FOREVER)


def drip(number: str, arguments: list[str]) -> None:
    """Be busy all the time, and never come to an answer."""
    while True:
        out("# thinking\n")
        time.sleep(0.02)


def dribble(number: str, arguments: list[str]) -> None:
    """An answer that comes byte by byte."""
    for byte in f"={number} slow but sure{END}{END}":
        out(byte)


def close_output(number: str, arguments: list[str]) -> None:
    os.close(1)
    time.sleep(FOREVER)


def close_input(number: str, arguments: list[str]) -> None:
    os.close(0)
    answer(number)
    time.sleep(FOREVER)


def read_no_more(number: str, arguments: list[str]) -> None:
    answer(number)
    time.sleep(FOREVER)


def die_of_signal(number: str, arguments: list[str]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_before_child(number: str, arguments: list[str]) -> None:
    child(number)
    time.sleep(0.2)
    os._exit(7)


def interrupt_client(number: str, arguments: list[str]) -> None:
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(FOREVER)


def analyse(number: str, arguments: list[str]) -> None:
    """Write lines until there is input; with a count, so many lines."""
    out(f"={number}{END}")
    count = int(arguments[0]) if arguments else 0
    interrupted = threading.Event()
    if not count:
        reader = threading.Thread(target=lambda: (INPUT.append(sys.stdin.readline()), interrupted.set()))
        reader.start()
    lines = 0
    while not interrupted.wait(0.005) and (not count or lines < count):
        lines += 1
        out(f"info move D4 visits {lines}{END}")
    if interrupted.is_set():
        os.write(2, b"interrupted\n")
    out(END)


def refuse(number: str, arguments: list[str]) -> None:
    answer(number, " ".join(arguments), sign="?")


def where(number: str, arguments: list[str]) -> None:
    group = os.getpgrp() if hasattr(os, "getpgrp") else 0
    answer(number, f"{os.getcwd()}|{os.environ.get('FAKE')}|{os.getpid()}|{group}".replace("|", END))


INPUT: list[str] = []
"""Lines that were read on the way."""

COMMANDS = {
    "speak": speak,
    "refuse": refuse,
    "where": where,
    "crash": crash,
    "die-of-signal": die_of_signal,
    "hang": wait_forever,
    "half": half,
    "drip": drip,
    "dribble": dribble,
    "complain": complain,
    "junk": lambda number, arguments: out("Segmentation fault\n"),
    "wrong-id": lambda number, arguments: answer("99", "E5"),
    "no-id": lambda number, arguments: answer("", "E5"),
    "glued": lambda number, arguments: answer(number + "E5"),
    "twice": lambda number, arguments: (answer(number), answer(number)),
    "binary": lambda number, arguments: os.write(1, b"\xff\x00\x80\n"),
    "latin": lambda number, arguments: os.write(1, f"={number} ".encode() + b"caf\xe9\a\n\n"),
    "comment": lambda number, arguments: (out(f"# a comment{END}{END}  {END}"), answer(number, "E5  ")),
    "blank-row": lambda number, arguments: answer(number, f"a{END}  {END}b"),
    "flood": lambda number, arguments: pour(f"={number} and on and on\n"),
    "flood-junk": lambda number, arguments: pour("junk\n"),
    "flood-comments": lambda number, arguments: pour("# thinking\n\n"),
    "flood-line": lambda number, arguments: pour("x" * 5000),
    "flood-answer": lambda number, arguments: (out(f"={number}\n"), pour("x" * 80 + "\n")),
    "flood-after": lambda number, arguments: (answer(number), pour("x" * 80 + "\n")),
    "flood-stderr": lambda number, arguments: (answer(number), pour("x" * 5000, 2)),
    "close-output": close_output,
    "close-input": close_input,
    "read-no-more": read_no_more,
    "child": lambda number, arguments: child(number),
    "fleeing-child": lambda number, arguments: child(number, start_new_session=True),
    "die-before-child": die_before_child,
    "interrupt-client": interrupt_client,
    "analyse": analyse,
    "flood-analyse": lambda number, arguments: (
        out(f"={number}\n"),
        pour("info move D4 visits 1 pv" + " D4" * 300 + "\n"),
    ),
    "name": lambda number, arguments: answer(number, "Fake"),
    "version": lambda number, arguments: answer(number, "1.2  "),
    "protocol_version": lambda number, arguments: answer(number, "2"),
    "boardsize": lambda number, arguments: answer(number),
    "play": lambda number, arguments: speak(number, ["play", *arguments]),
    "genmove": lambda number, arguments: answer(number, os.environ.get("FAKE_MOVE", "pass")),
    "final_status_list": lambda number, arguments: answer(number, os.environ.get("FAKE_DEAD", "")),
    "time_left": lambda number, arguments: refuse(number, ["time_left", *arguments]),
    "komi": lambda number, arguments: refuse(number, ["komi", *arguments]),
}


def serve_list(number: str, arguments: list[str]) -> None:
    answer(number, END.join(COMMANDS))


def serve_known(number: str, arguments: list[str]) -> None:
    answer(number, "true" if arguments[0] in COMMANDS else "false")


def next_line() -> str:
    return INPUT.pop(0) if INPUT else sys.stdin.readline()


def serve() -> None:
    while line := next_line():
        number, _, rest = line.strip().partition(" ")
        command, *arguments = rest.split(" ")
        if command == "quit" and MODE != "stubborn":
            answer(number)
            return
        COMMANDS.get(command, lambda number, _: answer(number, "unknown command", "?"))(number, arguments)


def main() -> None:
    if MODE != "bare":
        COMMANDS["known_command"] = serve_known
    if MODE not in ("bare", "unlisted"):
        COMMANDS["list_commands"] = serve_list
    if MODE == "crash":
        crash("", ["5"])
    if MODE == "hang":
        time.sleep(FOREVER)
    if MODE == "banner":
        out("Welcome to Fake 1.2\n")
    if MODE == "nameless":
        del COMMANDS["name"], COMMANDS["version"]
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve()
    if MODE in ("stubborn", "lingering"):
        time.sleep(FOREVER)
    if MODE == "chatty-end":
        out("x" * 20_000_000)


if __name__ == "__main__":
    main()
