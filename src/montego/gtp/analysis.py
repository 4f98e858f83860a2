"""KataGo's analysis protocol: queries about positions come in, a line of JSON each, and answers go out the same way."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isfinite
from typing import Any

from montego import __version__
from montego.go.errors import MontegoError, is_whole, shown
from montego.go.game import Game
from montego.gtp.answers import Job, Scribe
from montego.gtp.inbox import LOOK_SECONDS, Inbox, Line
from montego.gtp.queries import LONGEST_ID, Defaults, Played, Query, QueryError, Start, read_query
from montego.players.budget import Budget
from montego.players.engine import Engine, Late

MOST_TURNS = 10_000
"""Turns that may wait to be analysed."""
MOST_KEPT = 64
"""Turns put aside for others of which the last answer is remembered."""
MOST_WARNINGS = 100


# --- positions ------------------------------------------------------------------------------------------------


class Replay:
    """Positions of queries. The last game stays set up: mostly the next query is about the same one."""

    def __init__(self) -> None:
        self._start: Start | None = None
        self._game = Game()
        self._played: list[Played] = []

    def position(self, query: Query, turn: int) -> Game:
        """The position before a turn. Two passes do not end it: somebody wants to know."""
        if self._start != query.start:
            try:
                self._game = query.start.game()
            except MontegoError as error:
                raise QueryError("initialStones", str(error)) from None
            self._start, self._played = query.start, []
        self._go_back(query.moves[:turn])
        for number in range(len(self._played), turn):
            colour, point = query.moves[number]
            try:
                self._game.play(point, colour)
            except MontegoError as error:
                text = str(error)
                raise QueryError("moves", f"{text[0].upper()}{text[1:]} (moves[{number}], at turn {number})") from None
            self._played.append((colour, point))
        return self._game.with_turn(self._game.to_play)

    def _go_back(self, moves: tuple[Played, ...]) -> None:
        """Take back what is not the beginning of these moves."""
        pairs = enumerate(zip(self._played, moves, strict=False))
        same = next((i for i, (old, new) in pairs if old != new), min(len(self._played), len(moves)))
        if same < len(self._played):
            self._game.undo(len(self._played) - same)
            del self._played[same:]


def check_turns(replay: Replay, query: Query) -> None:
    """Refuse what cannot be searched: illegal moves, the end of a game without result, no move left to consider."""
    for turn in query.turns:
        game = replay.position(query, turn)
        if game.is_over:
            raise QueryError("analyzeTurns", f"the game has no result at turn {turn}; accepted: a turn before that")
        only, without = query.only.get(game.to_play), query.without.get(game.to_play, ())
        if only is not None and not any(game.is_legal(vertex) for vertex in only):
            raise QueryError("allowMoves", f"none is legal at turn {turn}; accepted: at least one legal move")
        if "pass" in without and not set(game.legal_moves()) - set(without):
            raise QueryError("avoidMoves", f"no other move is legal at turn {turn}; accepted: fewer moves")
    replay.position(query, len(query.moves))


# --- the server -----------------------------------------------------------------------------------------------


class Analyst:
    """Answers queries, the most urgent turn first. What is refused changes nothing and gets one line."""

    def __init__(self, engine: Engine, inbox: Inbox, write: Callable[[str], object], defaults: Defaults,
                 log: Callable[[str], object] = lambda text: None) -> None:  # fmt: skip
        self.engine, self.inbox, self.write, self.defaults, self.log = engine, inbox, write, defaults, log
        self.waiting: list[Job] = []
        self.running: Job | None = None
        self._stopped = False
        """the running job has to end before its time"""
        self._kept: dict[int, dict[str, Any]] = {}
        """by their order, the last answers of jobs that wait for more urgent ones"""
        self._orders = 0
        self._checking, self._doing = Replay(), Replay()
        self._warned: set[str] = set()
        self._actions: dict[str, Callable[[dict[str, Any]], None]] = {
            "query_version": self._version,
            "query_models": lambda raw: self._say(raw | {"models": []}),
            "clear_cache": self._clear,
            "terminate": self._terminate,
            "terminate_all": self._terminate,
        }

    def serve(self) -> None:
        """Answer until the input has ended and nothing waits."""
        while True:
            self.attend()
            if self.waiting:
                self._analyse(self._take_next())
            elif self.inbox.ended is None:
                with self.inbox.changed:
                    while not self.inbox.waits:
                        self.inbox.changed.wait(LOOK_SECONDS)
            elif not self.inbox.lines:
                return

    def attend(self) -> None:
        """Answer or accept every line that has come in."""
        while self.inbox.lines:
            line = self.inbox.take()
            if line is not None:
                self.answer(line)

    def answer(self, line: Line) -> None:
        """One line: an action is done, a query is accepted, anything else refused."""
        if not line.text.strip():
            return
        self.log(f"> {line.text.strip()}")
        raw: Any = None
        try:
            raw = parsed(line)
            if "action" in raw:
                self._act(raw)
            else:
                self._accept(read_query(raw, self.defaults))
        except QueryError as error:
            told = {"error": f"{error.field}: {error}" if error.field else str(error)}
            self._say(told if raw is None else told | {"field": error.field, "id": raw["id"]})
        except RecursionError:
            self._say({"error": "nested too deeply; accepted: a query as documented"})

    def _say(self, message: dict[str, Any]) -> None:
        text = json.dumps(message, allow_nan=False)
        self.log(f"< {text}")
        self.write(text)

    # --- actions ----------------------------------------------------------------------------------------------

    def _act(self, raw: dict[str, Any]) -> None:
        action = raw["action"]
        if not isinstance(action, str) or action not in self._actions:
            raise QueryError("action", f"it is {shown(action)}; accepted: {', '.join(self._actions)}")
        self._actions[action](raw)

    def _version(self, raw: dict[str, Any]) -> None:
        self._say(raw | {"version": __version__, "git_hash": "<omitted>"})

    def _clear(self, raw: dict[str, Any]) -> None:
        self._say(raw)
        self.engine.forget()

    def _terminate(self, raw: dict[str, Any]) -> None:
        """End the turns of a query, or of all, with what is known. The action is confirmed first."""
        everything, wanted, turns = raw["action"] == "terminate_all", raw.get("terminateId"), raw.get("turnNumbers")
        if not everything and not isinstance(wanted, str):
            raise QueryError("terminateId", f"it is {shown(wanted)}; accepted: the id of a query")
        if "turnNumbers" in raw and not (isinstance(turns, list) and all(map(is_whole, turns))):
            raise QueryError("turnNumbers", f"it is {shown(turns)}; accepted: a list of whole numbers")
        chosen = None if turns is None else frozenset(turns)

        def is_meant(job: Job) -> bool:
            return (everything or job.query.id == wanted) and (chosen is None or job.turn in chosen)

        self._say(raw)
        ended = [job for job in self.waiting if is_meant(job)]
        self.waiting = [job for job in self.waiting if not is_meant(job)]
        for job in ended:
            self._say(self._kept.pop(job.order, {}) or job.reply(False, noResults=True))
        if self.running is not None and is_meant(self.running):
            self.running.terminated = True

    # --- jobs -------------------------------------------------------------------------------------------------

    def _accept(self, query: Query) -> None:
        room = MOST_TURNS - len(self.waiting)
        if len(query.turns) > room:
            raise QueryError("analyzeTurns", f"{len(self.waiting)} turns are waiting; accepted: {room} more")
        check_turns(self._checking, query)
        for subject, text in query.warnings.items():
            self._warn(query, subject, text)
        for turn, priority in query.turns.items():
            self._orders += 1
            self.waiting.append(Job(query, turn, priority, self._orders))

    def _warn(self, query: Query, subject: str, text: str) -> None:
        """Every warning is given once, with the first query that deserves it."""
        if subject not in self._warned and len(self._warned) < MOST_WARNINGS:
            self._warned.add(subject)
            self._say({"warning": text, "field": subject.partition(".")[0], "id": query.id})

    def _take_next(self) -> Job:
        job = min(self.waiting, key=lambda job: job.key)
        self.waiting.remove(job)
        return job

    def _must_stop(self) -> bool:
        """Look at what has come in meanwhile: has the running job to end, or to wait for a more urgent one?"""
        self.attend()
        job = self.running
        if job is not None:
            urgent = any(other.priority > job.priority for other in self.waiting)
            self._stopped = self._stopped or job.terminated or urgent
        return self._stopped

    def _analyse(self, job: Job) -> None:
        query, game = job.query, self._doing.position(job.query, job.turn)
        scribe = Scribe(job, game)
        budget = Budget(query.visits, query.seconds)
        task = self.engine.task(
            "analyse", game, budget=budget, every=query.every, whole=True, without=scribe.without, only=scribe.only
        )
        self.running, self._stopped = job, False
        try:
            report = self.engine.run(
                task, None, self._must_stop, lambda report: self._report(scribe.reply(report, during=True))
            )
        except Late as late:
            report = late.report
        except MontegoError as error:
            self._kept.pop(job.order, None)
            self._say({"error": str(error), "id": query.id, "turnNumber": job.turn})
            return
        finally:
            self.running = None
        self._conclude(job, scribe.reply(report, during=False))

    def _report(self, reply: dict[str, Any]) -> None:
        if "noResults" not in reply:
            self._say(reply)

    def _conclude(self, job: Job, reply: dict[str, Any]) -> None:
        """Give the final answer, or put the job back if it was stopped for another."""
        if job.terminated or not self._stopped:
            kept = self._kept.pop(job.order, {})
            self._say(kept if kept and "noResults" in reply else reply)
            return
        self.waiting.append(job)
        if "noResults" not in reply:
            self._kept[job.order] = reply
        for order in list(self._kept)[:-MOST_KEPT]:
            del self._kept[order]


def parsed(line: Line) -> dict[str, Any]:
    """The JSON object in a line, with an id. Numbers that JSON cannot write are refused."""
    if line.cut:
        raise QueryError("", "the line is too long; accepted: at most 1 MiB")
    try:
        raw = json.loads(line.text, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]
        raise QueryError("", f"no JSON: {why}; accepted: a JSON object in one line") from None
    if not isinstance(raw, dict):
        raise QueryError("", f"{shown(raw)} is no query; accepted: a JSON object in one line")
    if not isinstance(raw.get("id"), str) or len(raw["id"]) > LONGEST_ID:
        raise QueryError("id", f"it is {shown(raw.get('id'))}; accepted: a text of up to {LONGEST_ID} characters")
    return raw


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"the number {text[:40]}")
    return number
