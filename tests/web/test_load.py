"""Fifty pages that analyse at once: every board stays quick, and memory stays within its cap."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from web.served import PATIENCE

PAGES, CLICKS = 50, 3
ANSWER = 2.0
"""Seconds in which a click has to be answered."""
MEMORY = 512
"""MiB of all trees; beside them each process needs some for itself."""
OWN = 450


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """The number of the server's process, and its port."""
    command = [sys.executable, "-m", "montego", "play", "--no-browser", "--port", "0", "--processes", "2"]
    options = ["--memory", str(MEMORY), "--games", str(tmp_path / "games.db")]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        assert found, line
        yield process.pid, int(found[1])
        process.terminate()
        assert process.wait(20) == 0


class Visitor:
    """Plays a beginner while an analysis runs in the same page."""

    def __init__(self, port: int) -> None:
        self.address, self.origin = f"ws://127.0.0.1:{port}/ws", f"http://127.0.0.1:{port}"
        self.waits: list[float] = []
        self.reports = 0

    async def visit(self, warm: asyncio.Event, done: asyncio.Event) -> None:
        async with connect(self.address, origin=self.origin, max_size=None) as self.socket:  # type: ignore[arg-type]
            await self.say(type="new", size=9, komi=7.5, rules="chinese", black="person", white="30k")
            self.game = await self.next("game")
            await self.say(type="analyse", game=self.game["game"], turn=0, slot=0, player="house")
            await warm.wait()
            for _ in range(CLICKS):
                await self.look(2 * random.random())
                await self.click()
            while not done.is_set():
                await self.next("analysis")

    async def look(self, seconds: float) -> None:
        """Watch the analysis for a while."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await self.next("analysis")

    async def click(self) -> None:
        taken = {vertex for _, vertex in self.game["moves"]} | set(self.game["illegal"])
        vertex = next(f"{c}{r}" for c in "EDFCGBHAJ" for r in (5, 4, 6, 3, 7, 2, 8, 1, 9) if f"{c}{r}" not in taken)
        turn, start = len(self.game["moves"]), time.monotonic()
        await self.say(type="play", game=self.game["game"], turn=turn, vertex=vertex)
        while len(self.game["moves"]) < turn + 2 and self.game["phase"] == "play":
            self.game = await self.next("game")
        self.waits.append(time.monotonic() - start)

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def next(self, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
            assert message["type"] != "error", message
            self.reports += message["type"] == "analysis" and not message["waiting"]
            if message["type"] == kind:
                return message


async def visit_all(visitors: list[Visitor]) -> None:
    warm, done = asyncio.Event(), asyncio.Event()
    visits = [asyncio.create_task(visitor.visit(warm, done)) for visitor in visitors]
    while not all(hasattr(visitor, "game") for visitor in visitors):
        await asyncio.sleep(0.1)
    warm.set()
    while any(len(visitor.waits) < CLICKS or visitor.reports < 2 for visitor in visitors):
        await asyncio.sleep(0.1)
        for visit in visits:
            if visit.done():
                visit.result()
    done.set()
    await asyncio.wait_for(asyncio.gather(*visits), PATIENCE)


def family(pid: int) -> list[int]:
    """A process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def resident(pid: int) -> int:
    """MiB of a process in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_fifty_pages(server: tuple[int, int]) -> None:
    pid, port = server
    asyncio.run(asyncio.wait_for(visit_all([Visitor(port) for _ in range(8)]), 2 * PATIENCE))  # compiles
    visitors = [Visitor(port) for _ in range(PAGES)]
    asyncio.run(asyncio.wait_for(visit_all(visitors), PATIENCE))
    waits = sorted(wait for visitor in visitors for wait in visitor.waits)
    used = sum(map(resident, family(pid)))
    print(f"\nclicks: median {waits[len(waits) // 2]:.2f} s, worst {waits[-1]:.2f} s; {used} MiB in all")
    assert waits[-1] < ANSWER
    assert used < MEMORY + OWN * 3
