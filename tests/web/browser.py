"""The page in a real browser: the server as a process, and a visitor who clicks."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import montego

try:
    from playwright.sync_api import Browser, Locator, Page, expect
except ImportError:
    if os.environ.get("CI"):
        raise
    pytest.skip("playwright is missing: pip install --group dev", allow_module_level=True)

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SECONDS = 240.0
"""How long anything may take: the engine may have to be compiled for a board first."""
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}

expect.set_options(timeout=SECONDS * 1000)


def find_chromium() -> str:
    """The browser; without it a test is skipped, but not in continuous integration."""
    if not Path(CHROMIUM).exists():
        reason = f"{CHROMIUM} is missing: apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return CHROMIUM


def eventually(is_so: Callable[[], Any], seconds: float = SECONDS) -> bool:
    """Whether something comes true in time."""
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


class Server:
    """`montego play` as a process of its own. Started again, it is at the same address with the same games."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> Server:
        command = [sys.executable, "-m", "montego", "play", "--no-browser", "--port", str(self.port)]
        environment = {**os.environ, "PYTHONPATH": str(Path(montego.__file__).parents[1]), "PYTHONUNBUFFERED": "1"}
        with (self.folder / "errors.txt").open("a") as errors:
            self._process = subprocess.Popen(
                [*command, "--processes", "2", "--games", str(self.folder / "games.db")],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=environment,
            )
        assert self._process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", self._process.stdout.readline())
        assert found, self.errors()
        self.port = int(found[1])
        return self

    def errors(self) -> str:
        return (self.folder / "errors.txt").read_text()

    def children(self) -> list[int]:
        """The processes that it has started (where the system tells)."""
        assert self._process is not None
        with suppress(OSError):
            listed = Path(f"/proc/{self._process.pid}/task").glob("*/children")
            return [int(child) for children in listed for child in children.read_text().split()]
        return []

    def end(self, how: int = signal.SIGTERM) -> int:
        """Send a signal and wait. The exit status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        assert process.stdout is not None
        process.send_signal(how)
        try:
            return process.wait(30)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


class Visitor:
    """Somebody with a page open. `problems` are errors that the browser told of, and calls to other servers."""

    def __init__(self, browser: Browser, server: Server, **details: Any) -> None:
        self.server, self.problems, self.excused = server, list[str](), list[str]()
        self.context = browser.new_context(**{"viewport": DESKTOP, **details})
        self.context.set_default_timeout(SECONDS * 1000)
        self.context.on("request", lambda request: self._look_at(request.url))
        self.context.on("weberror", lambda error: self.problems.append(f"uncaught: {error.error}"))
        self.context.on("console", lambda said: self._hear(said.type, said.text))
        self.page = self.open()

    def open(self, where: str = "") -> Page:
        """A page of this visitor."""
        page = self.context.new_page()
        page.on("websocket", lambda line: self._look_at(line.url))
        page.goto(self.server.address + where)
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "open")
        return page

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(text)

    def _look_at(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.netloc != f"127.0.0.1:{self.server.port}":
            self.problems.append(f"called {url}")

    def leave(self) -> None:
        """Close the page, and fail if anything was wrong with it."""
        self.context.close()
        left = [problem for problem in self.problems if not any(word in problem for word in self.excused)]
        assert not left, left

    # --- what there is to see ---------------------------------------------------------------------------------

    def at(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    def point(self, vertex: str) -> Locator:
        return self.at(f"point-{vertex}")

    @property
    def moves(self) -> int:
        """How many moves the game has."""
        return int(self.at("turn").get_attribute("max") or 0)

    @property
    def status(self) -> str:
        return self.at("status").inner_text()

    @property
    def stones(self) -> dict[str, str]:
        """By vertex, "B" or "W"."""
        found = "points => Object.fromEntries(points.map(p => [p.dataset.vertex, p.dataset.stone]))"
        points = self.page.locator(".point:not([data-stone=''])").evaluate_all(found)
        return dict(sorted(points.items()))

    @property
    def illegal(self) -> list[str]:
        """Empty points on which the page would not let a stone be put."""
        found = "points => points.map(p => p.dataset.vertex)"
        return self.page.locator(".point[data-stone=''][aria-disabled=true]").evaluate_all(found)  # type: ignore[no-any-return]

    def drawn(self, board: int = 0) -> list[str]:
        """All that is drawn on a board: stones, colours, marks and words, by point."""
        points = self.at("board").nth(board).locator(".shudan-vertex")
        return points.evaluate_all(  # type: ignore[no-any-return]
            """all => all.map(p => [...p.classList].filter(name => !/random|shift/.test(name)).sort().join(" ")
                + ": " + p.textContent)"""
        )

    @property
    def dead(self) -> list[str]:
        """Stones that are drawn as dead."""
        points = self.at("board").locator(".shudan-vertex")
        numbers = points.evaluate_all("all => all.flatMap((p, i) => p.classList.contains('shudan-dimmed') ? [i] : [])")
        size = int(self.at("board").get_attribute("data-size") or 0)
        return [f"{'ABCDEFGHJKLMNOPQRST'[i % size]}{size - i // size}" for i in numbers]

    @property
    def sideways(self) -> int:
        """Pixels by which the page is too wide for the window."""
        return self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")  # type: ignore[no-any-return]

    @property
    def nameless(self) -> list[str]:
        """What can be used but has no name that could be read out."""
        return self.page.locator("button, a, input, select, summary").evaluate_all(  # type: ignore[no-any-return]
            """all => all.filter(one => one.checkVisibility() && !(one.textContent.trim() || one.ariaLabel || one.title
                || one.labels?.[0]?.textContent.trim())).map(one => one.outerHTML)"""
        )

    # --- what there is to do ----------------------------------------------------------------------------------

    def new_game(self, *, colour: str = "both", level: str = "", **fields: Any) -> None:
        """Fill in the form: a level as rank or preset, other fields by their names."""
        self.at("new-game").click()
        self.at("colour").select_option(colour)
        if level:
            self.choose_player(level)
        for field in ("size", "komi"):
            if field in fields:
                self.at(field).fill(str(fields.pop(field)))
        for field, value in fields.items():
            chosen = self.at(field.replace("_", "-"))
            if chosen.evaluate("element => element.tagName") == "SELECT":
                chosen.select_option(str(value))
            else:
                chosen.fill(str(value))
        old = self.page.url
        self.at("start-game").click()
        expect(self.at("new-game-dialogue")).to_have_count(0)
        self.page.wait_for_function("old => location.href !== old", arg=old)

    def choose_player(self, name: str, suffix: str = "") -> None:
        kind, slider = self.at(f"opponent{suffix}"), self.at(f"level{suffix}")
        if not re.fullmatch(r"\d+k", name):
            kind.select_option(name)
            return
        kind.select_option("by rank")
        expect(slider).not_to_have_attribute("max", "0")  # the levels come with the server's welcome
        for rung in range(int(slider.get_attribute("max") or 0) + 1):
            slider.fill(str(rung))
            if re.match(rf"{name}\b", self.at(f"level-name{suffix}").inner_text()):
                return
        raise AssertionError(f"there is no level {name}")

    def wait_for_moves(self, count: int) -> None:
        expect(self.at("turn")).to_have_attribute("max", str(count))

    def play(self, *vertices: str) -> None:
        """Stones of a board for two, one after the other."""
        for vertex in vertices:
            count = self.moves
            self.at("pass").click() if vertex == "pass" else self.point(vertex).click()
            self.wait_for_moves(count + 1)

    def poke(self, vertex: str) -> None:
        """Click on a point that says that it cannot be played."""
        self.point(vertex).click(force=True)

    def play_and_wait(self, vertex: str) -> None:
        """A stone, and the other side's answer to it."""
        count = self.moves
        self.point(vertex).click()
        self.wait_for_moves(count + 2)
        expect(self.at("status")).to_contain_text("Your move")

    def drop(self, path: Path) -> None:
        """Drag a file onto the page."""
        data = self.page.evaluate_handle(
            """([text, name]) => {
                const carried = new DataTransfer();
                carried.items.add(new File([text], name));
                return carried;
            }""",
            [path.read_text(), path.name],
        )
        for event in ("dragover", "drop"):
            self.page.dispatch_event("main", event, {"dataTransfer": data})
            if event == "dragover":
                expect(self.at("drop-zone")).to_be_visible()
        expect(self.at("drop-zone")).to_have_count(0)

    def save(self, folder: Path) -> Path:
        """The game as a file."""
        with self.page.expect_download() as downloading:
            self.at("save").click()
        target = folder / downloading.value.suggested_filename
        downloading.value.save_as(target)
        return target

    def analyse(self, visits: int | None = 1000) -> None:
        """Switch the analysis on; with a number of simulations, wait until it is done."""
        self.at("analyse").click()
        self.at("visits").select_option(str(visits or 0))
        if visits:
            expect(self.at("again-0")).to_be_visible()

    def shoot(self, folder: Path, name: str, whole: bool = False) -> None:
        """A picture of the page."""
        self.page.mouse.move(0, 0)
        self.page.screenshot(path=folder / f"{name}.png", full_page=whole)
