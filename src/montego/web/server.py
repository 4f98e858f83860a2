"""The server: the page's files, the results, and a WebSocket for each page. Strangers are refused."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from montego.web.desks import Desks
from montego.web.hall import Hall
from montego.web.messages import LONGEST
from montego.web.page import Page
from montego.web.results import figures, sections
from montego.web.store import Shelf

STATIC = Path(__file__).parent / "static"
MOST_PAGES = 200
SEND_SECONDS = 20.0
"""How long a page may take for a message."""
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
TOO_MANY, TOO_SLOW, REFUSED = 1013, 1008, 1008
"""Codes with which a WebSocket is closed."""


@dataclass(frozen=True)
class ServerSettings:
    host: str = "127.0.0.1"
    port: int = 0
    """0: any that is free"""
    games: Path | None = None
    """where games are kept; none: in memory"""
    desks: int = 2
    """processes that search"""
    memory: int = 2048
    """MiB of all search trees together"""
    messages: int = 100
    """of a page in a second; beyond that it has to wait"""
    prepared: tuple[str, ...] = ("20k", "30k")
    """players that are compiled for 9×9 before anybody asks"""
    hosts: tuple[str, ...] = ()
    """names under which the server may be called beside its address"""


class Guard:
    """Lets in only who calls the server by its own name, and pages that came from it."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app, self.hosts = app, {"localhost", "127.0.0.1", "::1", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        host, origin = headers.get(b"host", b"").decode("latin-1"), headers.get(b"origin")
        foreign = origin is not None and origin.decode("latin-1").partition("://")[2] != host
        wanting = origin is None and scope["type"] == "websocket"
        if name_of(host) not in self.hosts or foreign or wanting:
            await self._refuse(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self.app(scope, receive, with_headers)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": REFUSED, "reason": ""})
        else:
            text = "this server is called by another name, or by a page of another server\n"
            await PlainTextResponse(text, status_code=403)(scope, receive, send)


def name_of(host: str) -> str:
    """The name in a Host header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def make_app(settings: ServerSettings) -> Starlette:
    """The application. `app.state.hall` is there while it runs."""
    pages: set[Page] = set()
    shelf = Shelf(settings.games)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        hall = Hall(shelf, Desks(settings.desks, settings.memory))
        app.state.hall = hall
        hall.desks.prepare(settings.prepared, 9)
        try:
            yield
        finally:
            for page in tuple(pages):
                page.close()
            hall.close()

    async def talk(line: WebSocket) -> None:
        if len(pages) >= MOST_PAGES:
            await line.close(TOO_MANY, "too many pages are open")
            return
        await line.accept()
        page = Page(line.app.state.hall)
        pages.add(page)
        try:
            await converse(line, page, settings.messages)
        finally:
            pages.discard(page)
            page.close()

    async def index(request: Request) -> Response:
        if not (STATIC / "index.html").exists():
            return PlainTextResponse("the page has not been built; run `npm ci && npm run build` in frontend/\n", 503)
        return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})

    async def licences(request: Request) -> Response:
        return FileResponse(STATIC / "THIRD_PARTY.txt")

    async def results(request: Request) -> Response:
        return JSONResponse({"sections": sections()}, headers={"cache-control": "no-cache"})

    routes = [
        Route("/", index),
        Route("/THIRD_PARTY.txt", licences),
        Route("/results.json", results),
        WebSocketRoute("/ws", talk),
        Mount("/assets", StaticFiles(directory=STATIC / "assets", check_dir=False)),
        Mount("/figures", StaticFiles(directory=figures(), check_dir=False)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, settings.hosts)], lifespan=lifespan)


async def converse(line: WebSocket, page: Page, most: int) -> None:
    """Messages both ways until one side has had enough."""

    async def write() -> None:
        while not page.overrun:
            text = await page.next()
            async with asyncio.timeout(SEND_SECONDS):
                await line.send_text(text)
        async with asyncio.timeout(1.0):
            await line.close(TOO_SLOW, "the page does not take its messages")

    async def read() -> None:
        loop = asyncio.get_running_loop()
        began, count = loop.time(), 0
        while True:
            await page.room()
            message = await line.receive()
            if message["type"] == "websocket.disconnect":
                return
            text: Any = message.get("text")
            count += page.receive(message.get("bytes", b"") if text is None else text)
            if count >= most:
                await asyncio.sleep(max(0.0, began + 1.0 - loop.time()))
                began, count = loop.time(), 0

    tasks = {asyncio.create_task(write()), asyncio.create_task(read())}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
                await task


def free_port(host: str, wanted: int) -> int:
    """The port that is wanted, or 0 for any other if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as test, suppress(OSError):
        if os.name == "posix":
            test.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        test.bind((host, wanted))
        return wanted
    return 0


def configured(app: Starlette, settings: ServerSettings) -> Any:
    """How uvicorn serves the application."""
    import uvicorn

    return uvicorn.Config(
        app, host=settings.host, port=settings.port, log_level="warning", ws="websockets-sansio",
        ws_max_size=4 * LONGEST, timeout_graceful_shutdown=2, server_header=False, date_header=False,
    )  # fmt: skip


def serve(settings: ServerSettings, on_start: Callable[[str], object]) -> None:
    """Serve until SIGINT or SIGTERM. `on_start` is given the address."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                host, port = self.servers[0].sockets[0].getsockname()[:2]
                on_start(f"http://{f'[{host}]' if ':' in host else host}:{port}/")

        async def shutdown(self, sockets: Any = None) -> None:
            await super().shutdown(sockets)
            self._captured_signals.clear()  # the end that was asked for is a clean one, not raised again

    Server(configured(make_app(settings), settings)).run()
