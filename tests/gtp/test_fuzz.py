"""Whatever a client sends, it gets one reply to each command, and what is refused changes nothing."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

import montego.gtp.session
import montego.players.engine
from gtp.in_process import ask, new_session, state
from montego.go.game import Game
from montego.gtp.commands import load
from montego.gtp.protocol import parse_command
from montego.gtp.session import Options

SIZES = (5, 9)
"""Boards on which searches run; other sizes would be compiled for minutes."""
_WORDS = r"""
b w black white B W red 0 1 2 3 5 7 9 13 19 25 -1 1e9 nan inf 7.5 0.5 -3.5 1e-3 99999999999999999999 pass resign PASS
A1 a1 E5 e5 C3 D4 J9 T19 I5 Z9 A0 A99 C4 D5 B2 B3 E4 E6 C5 true false alive dead seki none absolute byoyomi canadian
fischer fischer-capped chinese japanese aga tromp-taylor cgos {"ko":"SIMPLE"} {} [] interval avoid allow maxmoves
minmoves ownership rootInfo A1,B2,C3 game.sgf ../x.sgf /etc/passwd level ponder simulations seconds # '' "" \ ; * é 碁
"""
WORDS = [*_WORDS.split(), "\x00", "\x1b[0m"]
COMMON = ("play b", "play w", "genmove b", "undo", "clear_board", "komi", "play")
REPLY = re.compile(r"[=?][0-9]*( [^\n]*)?\n(?:[^\n]+\n)*\n")


def random_line(rng: random.Random, names: list[str]) -> str:
    kind = rng.random()
    if kind < 0.05:
        return "".join(chr(rng.choice((rng.randrange(256), rng.randrange(0x3000)))) for _ in range(rng.randrange(60)))
    name = rng.choice(COMMON) if kind < 0.4 else rng.choice(names)
    words = [rng.choice(WORDS) for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 4, 9)))]
    line = " ".join([name, *words])
    if rng.random() < 0.2:
        line = f"{rng.randrange(1000)} {line}"
    if rng.random() < 0.1:
        i = rng.randrange(len(line) + 1)
        line = line[:i] + rng.choice(("\t", "  ", "\r", "\x00", "#", "🀄", "\n")) + line[i:]
    return line


def fuzz(count: int, seed: int, folder: Path) -> None:
    rng, names = random.Random(seed), [name for name in load() if name != "level"]
    session = new_session(9, Options(folder=folder), simulations=1)
    refused = answered = 0
    for _ in range(count):
        line = random_line(rng, names)
        before = state(session)
        answer = ask(session, line)
        command = parse_command(line)
        if command is None:
            assert answer == "" and state(session) == before
            continue
        assert REPLY.fullmatch(answer), (line, answer)
        assert answer[1:].startswith(command.number) and "internal error" not in answer, (line, answer)
        if answer[0] == "?":
            refused += 1
            assert state(session) == before, line
        answered += 1
        session.over = False
        if session.game.size not in SIZES:
            session.game = Game(rng.choice(SIZES))
        session.engine.change(simulations=1, seconds=None, ponder=False)
        if session.engine.settings.player.spec != "house":
            session.set_player("house")
    assert answered > count // 2 and count // 20 < refused < answered


@pytest.fixture(autouse=True)
def _small_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(montego.players.engine, "OUTLOOK_SIMULATIONS", 2)
    monkeypatch.setattr(montego.gtp.session, "VIEW_SIMULATIONS", 2)


def test_fifty_thousand_lines(tmp_path: Path) -> None:
    fuzz(50_000, 1, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_million_lines(seed: int, tmp_path: Path) -> None:
    fuzz(100_000, seed, tmp_path)


def test_memory_stays_bounded(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    fuzz(2_000, 98, tmp_path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fuzz(8_000, 99, tmp_path)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < (150 << 20 if sys.platform == "darwin" else 150 << 10)
