"""A GTP engine for tests of the arena: it plays a little, and at a chosen moment misbehaves.

Usage: scripted_engine.py MODE SEED MARK [SCORE]. With the seed 0, that of a warm-up, it is well-behaved, unless the
mode begins with `always-`. MARK only stands on the command line, where a test looks for processes left behind. Run on
its own, by any Python, without the package.
"""

from __future__ import annotations

import os
import signal
import sys
import time

FOREVER = 600
MODE, SEED, MARK, SCORE = (*sys.argv[1:], "", "", "", "")[:4]
MODE = MODE.removeprefix("always-") if SEED != "0" or MODE.startswith("always-") else "plain"
MOVES = ["A1", "A2", "pass"]
COMMANDS = [
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove", "final_score", "list_stones"),
]
stones: dict[str, list[str]] = {"b": [], "w": []}
asked = {"genmove": 0, "play": 0}


def answer(number: str, text: str = "", sign: str = "=") -> None:
    os.write(1, f"{sign}{number} {text}\n\n".encode())


def hang() -> None:
    """Do nothing more, whatever is said: neither the end of input nor a request to end is heard."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    end = time.monotonic() + FOREVER
    while time.monotonic() < end:
        time.sleep(1)


def misbehave(number: str) -> bool:
    """What the mode says is done in the middle of a game. False if it is nothing."""
    if MODE == "crash":
        os.write(2, b"reading the weights\nout of memory\n")
        os._exit(3)
    elif MODE == "exit":
        os._exit(0)
    elif MODE == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif MODE == "hang":
        hang()
    elif MODE == "garbage":
        os.write(1, b"Segmentation fault (core dumped)\n")
    elif MODE == "wrong-id":
        answer("99", "B1")
    elif MODE == "half":
        os.write(1, f"={number} B".encode())
        hang()
    elif MODE == "refuse-genmove":
        answer(number, "I do not feel like it", "?")
    elif MODE in ("off-board", "occupied", "resign", "no-move", "pass-only"):
        answer(number, {"off-board": "K10", "occupied": "C3", "no-move": "", "pass-only": "pass"}.get(MODE, MODE))
    else:
        return False
    return True


def genmove(number: str, side: str) -> None:
    asked["genmove"] += 1
    if asked["genmove"] == 2 and misbehave(number):
        return
    move = MOVES[min(asked["genmove"], len(MOVES)) - 1]
    if move != "pass":
        stones[side].append(move)
    answer(number, move)


def play(number: str, side: str, vertex: str) -> None:
    asked["play"] += 1
    if MODE == "refuse-play" and asked["play"] == 2:
        answer(number, "illegal move", "?")
        return
    if MODE == "hang-play" and asked["play"] == 2:
        hang()
    if vertex != "pass":
        stones[side].append(vertex)
    answer(number)


def serve(number: str, command: str, words: list[str]) -> None:
    if command == "genmove":
        genmove(number, words[0][0].lower())
    elif command == "play":
        play(number, words[0][0].lower(), words[1])
    elif command == "list_stones":
        extra = ["E5"] if MODE == "out-of-step" else []
        answer(number, " ".join(stones[words[0][0].lower()] + extra))
    elif command == "final_score":
        if MODE == "hang-score":
            hang()
        answer(number, "cannot score", "?") if MODE == "refuse-score" else answer(number, SCORE)
    elif command == "list_commands":
        known = [name for name in COMMANDS if name != {"no-score": "final_score"}.get(MODE)]
        answer(number, "\n".join(known))
    elif command in COMMANDS:
        refused = MODE == "refuse-komi" and command == "komi"
        answer(number, {"name": "Scripted", "version": "7"}.get(command, ""), "?" if refused else "=")
    else:
        answer(number, "unknown command", "?")


def main() -> None:
    if MODE == "exit-at-start":
        os._exit(5)
    if MODE == "hang-at-start":
        hang()
    if MODE == "banner":
        os.write(1, b"Welcome to Scripted 7\n")
    if MODE in ("stubborn", "deaf"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while line := sys.stdin.readline():
        number, _, rest = line.strip().partition(" ")
        command, *words = rest.split(" ")
        if command == "quit" and MODE != "stubborn":
            answer(number)
            return
        serve(number, command, words)
    if MODE in ("stubborn", "deaf"):  # a deaf one obeys `quit`, and nothing else
        hang()


if __name__ == "__main__":
    main()
