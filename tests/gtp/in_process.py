"""A session without processes: the engine's worker answers in this one, and lines come from a list."""

from __future__ import annotations

import io
import threading
from typing import Any

from montego.go.game import Game
from montego.gtp.inbox import Line
from montego.gtp.session import Options, Session
from montego.players.conduct import Conduct
from montego.players.engine import Engine, EngineSettings
from montego.players.remote import Message
from montego.players.worker import PlayerSpec, Task, Worker

SIMULATIONS = 4


class Pipe:
    """The worker's end: it collects what is sent, and interrupts a search without end after a few looks."""

    def __init__(self) -> None:
        self.sent: list[tuple[Any, ...]] = []
        self.looks, self.patience, self.endless = 0, 1, False

    def poll(self) -> bool:
        self.looks += 1
        return self.endless and self.looks > self.patience

    def send(self, message: tuple[Any, ...]) -> None:
        self.sent.append(message)


class InProcess:
    """Stands in for a Remote: a task is done when its answer is asked for."""

    def __init__(self) -> None:
        self.changed, self.cpu, self.heard, self.works = threading.Condition(), 0.0, 0.0, True
        self.prepared: Any = range(1 << 62)
        self.pipe = Pipe()
        self.worker = Worker(self.pipe)  # type: ignore[arg-type]
        self._tickets, self._waiting = 0, list[Message]()
        self.task: Task | None = None

    def submit(self, task: Task) -> int:
        self._tickets += 1
        self.task = task
        self._waiting = []
        if task.kind not in ("prepare", "ponder"):
            self.pipe.sent, self.pipe.looks, self.pipe.endless = [], 0, task.budget.simulations is None
            answer = self.worker.answer(self._tickets, task)
            reports = [Message(*sent) for sent in self.pipe.sent]
            self._waiting = [*reports, Message(self._tickets, *answer)]
        return self._tickets

    def take(self, ticket: int, until: float | None, interrupted: Any) -> Message | None:
        return self._waiting.pop(0)

    def is_doing(self, ticket: int) -> bool:
        return False

    def withdraw(self, ticket: int) -> bool:
        return False

    def stop(self) -> None:
        pass

    def restart(self) -> None:
        pass

    def close(self) -> None:
        pass


def new_session(size: int = 9, options: Options | None = None, **settings: Any) -> Session:
    """A session with an engine of hardly any search. Its inbox is empty and has not ended."""
    settings = {"simulations": SIMULATIONS, "player": PlayerSpec("house", seed=1), **settings}
    remote: Any = InProcess()
    engine = Engine(EngineSettings(**{"conduct": Conduct(0.0, 0.05, True), **settings}), remote)
    return Session(Game(size), engine, options or Options(), io.BytesIO(), io.BytesIO())


def ask(session: Session, line: str) -> str:
    """What a session writes in answer to a line."""
    sink = io.BytesIO()
    session.sink = sink
    session.answer(Line(line, 0.0))
    return sink.getvalue().decode()


def state(session: Session) -> Any:
    """Everything that a refused command must not change."""
    game, engine = session.game, session.engine
    clocks = {colour: (clock.settings, clock.left, clock.count) for colour, clock in engine.clocks.items()}
    return (game.size, game.komi, game.rules, game.stones.tolist(), game.moves, game.to_play, game.handicap, clocks,
            engine.settings, session.seed, session.live_graphics, session.over)  # fmt: skip
