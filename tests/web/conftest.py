"""A server and a browser for the tests of the page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from web.browser import Server, Visitor


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    from web.browser import FLAGS, find_chromium

    program = find_chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    from web.browser import Server

    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.end()
    assert "Traceback" not in running.errors(), running.errors()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors of the server, or of another one. At the end nothing may have been wrong with their pages."""
    from web.browser import Visitor

    visitors: list[Visitor] = []

    def arrive(at: Server = server, **details: Any) -> Visitor:
        visitors.append(Visitor(browser, at, **details))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        visitor.leave()


@pytest.fixture
def visitor(visit: Callable[..., Visitor]) -> Visitor:
    return visit()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures of the page go."""
    folder = Path(os.environ.get("MONTEGO_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
