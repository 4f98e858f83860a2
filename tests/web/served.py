"""The server in a thread of this process, and a page without a browser."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from websockets.sync.client import ClientConnection, connect

from montego.web.hall import Hall
from montego.web.server import ServerSettings, configured, make_app

PATIENCE = 240.0
"""Seconds for an answer: kernels may have to be compiled first, beside other tests."""


class Server:
    """A server that runs."""

    def __init__(self, settings: ServerSettings) -> None:
        self.app = make_app(settings)
        self._uvicorn = uvicorn.Server(configured(self.app, settings))
        self._thread = threading.Thread(target=self._uvicorn.run, daemon=True)
        self._thread.start()
        while not self._uvicorn.started:
            assert self._thread.is_alive()
            time.sleep(0.01)
        self.port: int = self._uvicorn.servers[0].sockets[0].getsockname()[1]

    @property
    def hall(self) -> Hall:
        hall: Hall = self.app.state.hall
        return hall

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive()

    @contextmanager
    def page(self, origin: str | None = None) -> Iterator[FakePage]:
        host = f"127.0.0.1:{self.port}"
        with connect(f"ws://{host}/ws", origin=origin or f"http://{host}", max_size=None) as socket:  # type: ignore[arg-type]
            yield FakePage(socket)


class FakePage:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.game: dict[str, Any] = {}

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self, wanted: Callable[[dict[str, Any]], bool] = lambda message: True) -> dict[str, Any]:
        """The next message that is wanted; games on the way are noted."""
        until = time.monotonic() + PATIENCE
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=max(0.01, until - time.monotonic())))
            if message["type"] == "game":
                self.game = message
            if wanted(message):
                return message

    def ask(self, **message: Any) -> dict[str, Any]:
        """The answer to a message."""
        self.send(**message, ref=7)
        return self.next(lambda answer: answer.get("ref") == 7)

    def new(self, size: int = 5, black: str = "person", white: str = "30k", **changes: Any) -> dict[str, Any]:
        details = {"size": size, "komi": 7.5, "rules": "chinese", "black": black, "white": white, **changes}
        return self.ask(type="new", **details)

    def about(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Something about the game as it is known."""
        return self.ask(type=kind, game=self.game["game"], turn=len(self.game["moves"]), **fields)

    def play(self, vertex: str) -> dict[str, Any]:
        """A move, and the state of the game after the answer to it."""
        turn = len(self.game["moves"])
        answer = self.about("play", vertex=vertex)
        if answer["type"] == "error":
            return answer
        return self.next(lambda m: m["type"] == "game" and (len(m["moves"]) > turn + 1 or m["phase"] != "play"))
