"""One page: what it asks for is checked and done, what it is told waits in line until it can take it."""

from __future__ import annotations

import asyncio
import json
import secrets
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from montego import __version__
from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, is_whole
from montego.go.rules import RULES
from montego.go.sgf import write_sgf
from montego.players.annotation import annotate
from montego.players.levels import LEVELS
from montego.players.review import Review, Turn, searchable
from montego.players.worker import PlayerSpec, Task
from montego.web.desks import Job
from montego.web.hall import EVERY, Hall, analysis, in_loop, new_game, scribe_of
from montego.web.messages import PERSON, PRICES, SCHEMA, MessageError, checked, parsed
from montego.web.reviews import Reviewing
from montego.web.table import Table, review_message

MOST_WAITING = 64
"""Messages for a page that does not take them; beyond that it is given up."""
MOST_GAMES = 8
"""Games that a page may look at at once."""
ANALYSIS_SECONDS = 120.0
"""After that an analysis rests until it is asked for again."""
SHOWN_CHILDREN = 30


@dataclass
class Slot:
    """An analysis of a page."""

    job: Job
    game: str


class Page:
    """Somebody's page. Everything here runs in the event loop."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.id = hall, secrets.token_hex(8)
        self.games: set[str] = set()
        self.slots: dict[int, Slot] = {}
        self.overrun = False
        self._reviewing: Reviewing | None = None
        self._reviewed = ""
        """the game that is reviewed"""
        self._looking: Job | None = None
        """the last look into a tree"""
        self._ref: int | None = None
        """of the message that is being answered"""
        self._out: deque[dict[str, Any]] = deque()
        self._filled, self._taken = asyncio.Event(), asyncio.Event()
        self._does: dict[str, Callable[..., dict[str, Any] | None]] = {
            kind: getattr(self, f"_{kind}") for kind in SCHEMA
        }

    # --- messages ---------------------------------------------------------------------------------------------

    def receive(self, line: str | bytes) -> int:
        """A message from the page. Whatever it is, the answer is a message. Returns for how many it counts."""
        self._ref, kind = None, ""
        try:
            raw = parsed(line)
            self._ref = raw["ref"] if is_whole(raw.get("ref")) else None
            kind, fields = checked(raw)
            answer = self._does[kind](**fields)
        except MontegoError as error:
            text = str(error)
            field = error.field if isinstance(error, MessageError) else ""
            answer = {"type": "error", "message": f"{field}: {text}" if field else text, "field": field}
        except Exception as error:  # whatever it was, the page and the others stay
            traceback.print_exc()
            text = f"this should not have happened ({type(error).__name__})"
            answer = {"type": "error", "message": text, "field": ""}
        if answer is not None:
            self.send(answered(answer, self._ref))
        return PRICES.get(kind, 1)

    def send(self, message: dict[str, Any]) -> None:
        """Put a message in line. Of what is out of date only the newest stays."""
        if self.overrun:
            return
        if message["type"] in ("analysis", "game", "review"):
            key = message["type"], message["game"], message.get("slot"), message.get("ref")
            for old in [held for held in self._out if held["type"] == key[0]]:
                if (old["type"], old["game"], old.get("slot"), old.get("ref")) == key:
                    self._out.remove(old)
        self._out.append(message)
        self.overrun = len(self._out) > MOST_WAITING
        self._filled.set()

    async def next(self) -> str:
        """The next message to the page, as text."""
        while not self._out:
            self._filled.clear()
            await self._filled.wait()
        self._taken.set()
        return json.dumps(self._out.popleft(), allow_nan=False)

    async def room(self) -> None:
        """Wait until the page has taken most of its messages: whoever does not listen is not listened to."""
        while len(self._out) > MOST_WAITING // 2:
            self._taken.clear()
            await self._taken.wait()

    def close(self) -> None:
        """The page is gone: so are its searches."""
        self._end_review()
        for number in list(self.slots):
            self._stop(number)
        for ident in tuple(self.games):
            self._leave(ident)
        self.hall.desks.forget(self.id)

    # --- games ------------------------------------------------------------------------------------------------

    def _hello(self) -> dict[str, Any]:
        from montego.players.presets import PRESETS

        return {
            "type": "welcome",
            "version": __version__,
            "levels": [{"name": level.name, "summary": level.summary} for level in LEVELS.values()],
            "presets": [{"name": p.name, "summary": p.summary, "source": p.paper} for p in PRESETS.values()],
            "rules": list(RULES),
            "games": len(self.hall.tables),
        }

    def _new(self, size: int, komi: float, rules: str, handicap: int, black: str, white: str,
             clock: Any) -> dict[str, Any]:  # fmt: skip
        self._check_room()
        game = new_game(size, komi, rules, handicap)
        return self._sit_down(self.hall.new_table(game, players={BLACK: black, WHITE: white}, time=clock))

    def _load(self, sgf: str) -> dict[str, Any]:
        self._check_room()
        return self._sit_down(self.hall.load_table(sgf))

    def _open(self, game: str) -> dict[str, Any]:
        return self._sit_down(self.hall.table(game))

    def _sit_down(self, table: Table) -> dict[str, Any]:
        if table.id not in self.games:
            self._check_room()
        self.games.add(table.id)
        self.hall.watch(table, self)
        return self.hall.state(table)

    def _check_room(self) -> None:
        if len(self.games) >= MOST_GAMES:
            raise MontegoError(f"this page looks at {MOST_GAMES} games; accepted: leave one first")

    def _leave(self, game: str) -> None:
        self.games.discard(game)
        if self._reviewed == game:
            self._end_review()
        for number, slot in list(self.slots.items()):
            if slot.game == game:
                self._stop(number)
        self.hall.leave(game, self)

    def _at(self, game: str, turn: int | None = None) -> Table:
        if game not in self.games:
            raise MessageError("game", "this page does not look at that game; accepted: open it first")
        table = self.hall.table(game)
        if turn is not None:
            table.check_turn(turn)
        return table

    def _done(self, table: Table) -> dict[str, Any]:
        """Something has changed."""
        return self.hall.changed(table, self)

    def _play(self, game: str, turn: int, vertex: str) -> dict[str, Any]:
        table = self._at(game, turn)
        if table.mover != PERSON:
            raise MontegoError("it is not your turn; accepted: wait for the answer, or take back")
        if not table.flag():
            table.play(vertex)
        return self._done(table)

    def _undo(self, game: str, turn: int, to: int | None) -> dict[str, Any]:
        table = self._at(game, turn)
        table.undo(to)
        return self._done(table)

    def _resign(self, game: str, turn: int) -> dict[str, Any]:
        table = self._at(game, turn)
        if not table.persons:
            raise MontegoError("two engines play; accepted: only they may resign")
        both = len(table.persons) == 2
        table.resign(table.game.to_play if both else table.persons[0])
        return self._done(table)

    def _dead(self, game: str, turn: int, vertex: str) -> dict[str, Any]:
        table = self._at(game, turn)
        table.toggle(vertex)
        return self._done(table)

    def _accept(self, game: str, turn: int) -> dict[str, Any]:
        table = self._at(game, turn)
        table.accept()
        return self._done(table)

    def _resume(self, game: str, turn: int) -> dict[str, Any]:
        table = self._at(game, turn)
        table.resume()
        return self._done(table)

    def _save(self, game: str) -> dict[str, Any]:
        table = self._at(game)
        record = table.record()
        if table.review:
            record = annotate(record, Review(tuple(map(Turn.from_dict, table.review))))
        return {"type": "sgf", "text": write_sgf(record).decode(), "name": f"montego-{table.id[:6]}.sgf"}

    # --- searches ---------------------------------------------------------------------------------------------

    def _analyse(self, game: str, turn: int, slot: int, player: str, visits: int | None) -> None:
        table, ref = self._at(game), self._ref
        before = table.at_turn(turn)
        position, moves = searchable(before, before.to_play), before.moves
        if position.is_over:
            raise MontegoError("the game has no result there; accepted: an earlier turn")
        self._stop(slot)
        spec = PlayerSpec(player, owner=f"{self.id}/{slot}", lasting=True)
        task = Task("analyse", position, spec, every=EVERY, whole=True)
        scribe = scribe_of(position, turn)

        def told(report: Any, done: bool) -> None:
            if slot not in self.slots or self.slots[slot].job is not job:
                return
            if isinstance(report, MontegoError):
                del self.slots[slot]
                self.send(answered({"type": "error", "message": str(report), "field": "player"}, ref))
            elif report is not None:
                if table.game.moves[:turn] == moves:
                    self.hall.note(table, turn, report)
                self.send(analysis(table, turn, slot, player, scribe, report, done))

        def waits(why: str) -> None:
            if slot in self.slots and self.slots[slot].job is job and job.latest is None:
                message = analysis(table, turn, slot, player, scribe, None, False)
                self.send(message | {"waiting": why})

        job = Job(
            self.id,
            task,
            on_end=in_loop(lambda report: told(report, True)),
            on_report=in_loop(lambda report: told(report, False)),
            on_wait=in_loop(waits),
            sliced=True,
            visits=visits,
            seconds=ANALYSIS_SECONDS,
        )
        self.slots[slot] = Slot(job, game)
        self.hall.desks.submit(job)

    def _stop(self, slot: int) -> None:
        held = self.slots.pop(slot, None)
        if held is not None:
            held.job.cancelled = True

    def _tree(self, slot: int, path: tuple[str, ...]) -> None:
        held = self.slots.get(slot)
        if held is None:
            raise MessageError("slot", "nothing has been analysed there; accepted: after analyse")
        task, ref = replace(held.job.task, kind="tree", path=path), self._ref

        def end(found: Any) -> None:
            if isinstance(found, MontegoError) or found is None:
                text = str(found or "the tree was lost")
                self.send(answered({"type": "error", "message": text, "field": "path"}, ref))
            else:
                self.send(answered(tree_message(slot, path, found), ref))

        if self._looking is not None:
            self._looking.cancelled = True
        self._looking = job = Job(self.id, task, in_loop(lambda found: end(found) if self._looking is job else None))
        self.hall.desks.submit(job)

    def _review(self, game: str, visits: int | None) -> dict[str, Any]:
        table, ref, record = self._at(game), self._ref, self._at(game).record()
        moves = table.game.moves
        skipped = sum(node.move is not None for node in record.main_line()) - len(moves)
        """moves before the last setup, which the page does not show"""
        self._end_review()
        turns: list[dict[str, Any]] = []

        def judged(found: Turn) -> None:
            if self._reviewing is mine:
                turns.append(found.to_dict())
                self.send(review_message(game, turns, len(moves) + 1, skipped))

        def ended(wrong: str) -> None:
            if self._reviewing is mine:
                self._reviewing = None
                if wrong:
                    self.send(answered({"type": "error", "message": wrong, "field": "review"}, ref))
                elif table.game.moves == moves:
                    self.hall.reviewed(table, turns, skipped)

        mine = Reviewing(self.id, record, visits, self.hall.desks.submit, in_loop(judged), in_loop(ended))
        self._reviewing, self._reviewed = mine, game
        return review_message(game, turns, len(moves) + 1)

    def _end_review(self) -> None:
        if self._reviewing is not None:
            self._reviewing.stop()
            self._reviewing = None


def answered(message: dict[str, Any], ref: int | None) -> dict[str, Any]:
    """A message, as the answer to another."""
    return message if ref is None else {**message, "ref": ref}


def tree_message(slot: int, path: tuple[str, ...], node: dict[str, Any]) -> dict[str, Any]:
    """A node of a search tree; all values Black's."""
    black = node["colour"] == "black"

    def seen(value: float | None) -> float | None:
        return None if value is None else round(value if black else 1.0 - value, 4)

    children = [
        {"move": move["vertex"], "visits": move["visits"], "winrate": seen(move["value"]),
         "amafValue": seen(move["amaf_value"]), "beta": round(move["beta"], 4), "children": int(move["leads_on"])}
        for move in node["moves"][:SHOWN_CHILDREN]
    ]  # fmt: skip
    return {"type": "tree", "slot": slot, "path": list(path), "visits": node["simulations"],
            "winrate": seen(node["value"]), "children": children}  # fmt: skip
