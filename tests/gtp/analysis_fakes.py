"""For tests of the analysis protocol: a search that finds what it is told to, and an analyst that uses it."""

from __future__ import annotations

import json
import threading
from collections import deque
from types import SimpleNamespace
from typing import Any

from montego import Game
from montego.go.rules import RULES
from montego.gtp.analysis import Analyst
from montego.gtp.inbox import Line
from montego.gtp.queries import Defaults
from montego.players.engine import Late
from montego.search.report import MoveReport, Report

DEFAULTS = Defaults(RULES["chinese"], 100, None)


def move_report(vertex: str, visits: int, value: float = 0.6, **other: Any) -> MoveReport:
    known = {"lead": 3.0, "lead_spread": 9.0, "prior": 0.5, "line": (vertex, "pass"), "line_visits": (visits,), **other}
    return MoveReport(vertex, visits, visits, value, value, 0.0, None, 0.0, value, reason="random", **known)


def report_on(game: Game, visits: int = 10, **other: Any) -> Report:
    """Most visits for the first legal move, some for the second."""
    vertices = [*game.legal_moves(), "pass"]
    moves = [move_report(vertex, max(0, visits - 4 * i) if i < 2 else 0) for i, vertex in enumerate(vertices)]
    ownership = game.stones.astype(float)
    ownership[ownership == 2] = -1.0
    known = {
        "value": 0.6,
        "winrate": 0.6,
        "lead": 2.5,
        "lead_spread": 8.0,
        "moves": tuple(moves),
        "ownership": ownership,
        **other,
    }
    colour = "black" if game.to_play == 1 else "white"
    return Report(colour, visits, 0.1, nodes=1, depth=1.0, memory=1, pruned=0, **known)


class FakeInbox:
    """Lines that are there at once, and an end."""

    def __init__(self) -> None:
        self.lines: deque[Line] = deque()
        self.ended: float | None = 0.0
        self.changed = threading.Condition()
        self.waits = True

    def add(self, *queries: Any) -> None:
        self.lines.extend(Line(q if isinstance(q, str) else json.dumps(q), 0.0) for q in queries)

    def take(self) -> Line | None:
        return self.lines.popleft() if self.lines else None


class FakeEngine:
    """Searches take no time. `meanwhile` holds, for each search, the lines that come in during it."""

    def __init__(self, inbox: FakeInbox, *meanwhile: tuple[Any, ...]) -> None:
        self.inbox, self.meanwhile = inbox, deque(meanwhile)
        self.tasks: list[Any] = []
        self.forgotten = 0
        self.hangs = False
        self.fails: Exception | None = None

    def task(self, kind: str, game: Game, **details: Any) -> Any:
        return SimpleNamespace(kind=kind, game=game, **details)

    def run(self, task: Any, until: float | None, interrupted: Any, watch: Any) -> Report:
        self.tasks.append(task)
        if self.fails is not None:
            raise self.fails
        if task.every is not None:
            watch(report_on(task.game, 5))
        self.inbox.add(*(self.meanwhile.popleft() if self.meanwhile else ()))
        if not interrupted():
            return report_on(task.game, task.budget.simulations)
        assert interrupted(), "once stopped, always stopped"
        if self.hangs:
            raise Late(None)
        return report_on(task.game, 6)

    def forget(self) -> None:
        self.forgotten += 1


def query(name: str = "q", size: int = 5, **fields: Any) -> dict[str, Any]:
    return {"id": name, "moves": [], "rules": "chinese", "boardXSize": size, "boardYSize": size, **fields}


class Bench:
    """An analyst with such an engine, and what it has written."""

    def __init__(self, *meanwhile: tuple[Any, ...]) -> None:
        self.inbox = FakeInbox()
        self.engine = FakeEngine(self.inbox, *meanwhile)
        self.written: list[dict[str, Any]] = []
        made: Any = self.engine
        source: Any = self.inbox
        self.analyst = Analyst(made, source, lambda text: self.written.append(json.loads(text)), DEFAULTS)

    def ask(self, *queries: Any) -> list[dict[str, Any]]:
        """Everything that is written until the input has ended and all is done."""
        self.written.clear()
        self.inbox.add(*queries)
        self.analyst.serve()
        return list(self.written)

    @property
    def turns(self) -> list[int]:
        return [len(task.game.moves) for task in self.engine.tasks]


def finals(replies: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(r["id"], r["turnNumber"]) for r in replies if r.get("isDuringSearch") is False]


def entry(**changes: Any) -> dict[str, Any]:
    """Of avoidMoves or allowMoves."""
    return {"player": "B", "moves": ["C3"], "untilDepth": 1, **changes}
