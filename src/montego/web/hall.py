"""All tables of a server: games that are open, players of ours that think about their moves, pages that look on."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any, Protocol
from zlib import crc32

from montego.go.board import BLACK
from montego.go.errors import MontegoError
from montego.go.game import Game
from montego.gtp.answers import Job as Asked
from montego.gtp.answers import Scribe
from montego.gtp.queries import Query, Start
from montego.players.budget import Budget
from montego.players.choice import Choice
from montego.players.conduct import Conduct
from montego.players.engine import DEFAULT_SECONDS, OUTLOOK_SIMULATIONS
from montego.players.spec import expanded, limits_of
from montego.players.worker import PlayerSpec, Task
from montego.web.desks import Desks, Job
from montego.web.messages import MOST_SECONDS
from montego.web.store import Shelf
from montego.web.table import PLAY, SCORING, Table, table_of

MOST_OPEN, MOST_IDLE = 500, 20
"""Tables that are looked at, and others that stay in memory; the rest is on the shelf."""
AGAIN_SECONDS = 2.0
"""After that a search that could not be had is asked for again."""
EVERY = 0.2
"""Seconds between reports."""
LAG = 0.5
MANNERS = Conduct(resign_below=0.03, friendly=True)


class Watcher(Protocol):
    """Whoever looks at a table."""

    def send(self, message: dict[str, Any]) -> None: ...


class Hall:
    """The tables, and what goes on at them. Everything here runs in the event loop."""

    def __init__(self, shelf: Shelf, desks: Desks) -> None:
        self.shelf, self.desks = shelf, desks
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.watchers: dict[str, set[Watcher]] = defaultdict(set)
        self._thinking: dict[str, Job] = {}
        self._waiting: dict[str, str] = {}
        self._flags: dict[str, asyncio.TimerHandle] = {}

    # --- tables -----------------------------------------------------------------------------------------------

    def new_table(self, game: Game, **details: Any) -> Table:
        table = Table(secrets.token_urlsafe(16), game, **details)
        self._admit(table)
        return table

    def load_table(self, sgf: str) -> Table:
        table = table_of(secrets.token_urlsafe(16), sgf)
        self._admit(table)
        return table

    def _admit(self, table: Table) -> None:
        self._make_room()
        self.tables[table.id] = table
        self.shelf.save(table.id, table.to_dict())
        self.shelf.tidy()

    def _make_room(self) -> None:
        """Put away tables that nobody looks at, those used last excepted."""
        if len(self.watchers) >= MOST_OPEN:
            raise MontegoError("too many games are being played here; try again later")
        for ident in [ident for ident in self.tables if ident not in self.watchers][:-MOST_IDLE]:
            del self.tables[ident]

    def table(self, ident: str) -> Table:
        table = self.tables.get(ident)
        if table is None:
            kept = self.shelf.load(ident)
            if kept is None:
                raise MontegoError("there is no such game here; accepted: a new one")
            self._make_room()
            table = self.tables[ident] = Table.from_dict(ident, kept)
        self.tables.move_to_end(ident)
        return table

    def watch(self, table: Table, watcher: Watcher) -> None:
        if table.id not in self.watchers:
            table.go()
        self.watchers[table.id].add(watcher)
        self.go_on(table)

    def leave(self, ident: str, watcher: Watcher) -> None:
        """Nobody at the table any more: nobody thinks for it, and the clock stands."""
        watching = self.watchers.get(ident)
        if watching is not None:
            watching.discard(watcher)
            if not watching:
                del self.watchers[ident]
                self._stop(ident)
                self.desks.forget(ident)
                if ident in self.tables:
                    self.tables[ident].pause()
                    self._set_flag(self.tables[ident])
                    self.shelf.save(ident, self.tables[ident].to_dict())

    # --- what happens at them ---------------------------------------------------------------------------------

    def changed(self, table: Table, by: Watcher | None = None) -> dict[str, Any]:
        """Keep it, let whoever is to move think, and tell everybody but the one who did it. Returns the state."""
        self._stop(table.id)
        self.shelf.save(table.id, table.to_dict())
        self.go_on(table)
        state = self.state(table)
        for watcher in self.watchers.get(table.id, set()) - {by}:
            watcher.send(state)
        return state

    def reviewed(self, table: Table, turns: list[dict[str, Any]], skipped: int) -> None:
        """Keep what a review found; the first turns may lie before the moves that the table has."""
        table.review, table.skipped = turns, skipped
        for turn in turns[skipped:]:
            table.note(turn["turn"] - skipped, turn["winrate"], turn["lead"])
        self.shelf.save(table.id, table.to_dict())
        self.tell(table)

    def go_on(self, table: Table) -> None:
        """Whoever is to move thinks; stones are counted; the clock runs."""
        if table.id not in self._thinking and table.id in self.watchers:
            if table.wants_move:
                self._think(table)
            elif table.phase == SCORING and not table.counted:
                self._count(table)
        self._set_flag(table)

    def state(self, table: Table) -> dict[str, Any]:
        thinking = table.id in self._thinking
        waiting = self._waiting.get(table.id, "") if thinking else ""
        return {"type": "game", **table.state(), "thinking": thinking, "waiting": waiting}

    def tell(self, table: Table) -> None:
        if table.id in self.watchers:
            self.send(table, self.state(table))

    def send(self, table: Table, message: dict[str, Any]) -> None:
        for watcher in tuple(self.watchers.get(table.id, ())):
            watcher.send(message)

    def _stop(self, ident: str) -> None:
        job = self._thinking.pop(ident, None)
        self._waiting.pop(ident, None)
        if job is not None:
            job.cancelled = True

    # --- clocks -----------------------------------------------------------------------------------------------

    def _set_flag(self, table: Table) -> None:
        """Look again when the time of the side to move is up."""
        flag = self._flags.pop(table.id, None)
        if flag is not None:
            flag.cancel()
        left = table.time_left()
        if left is not None and table.id in self.watchers:
            self._flags[table.id] = asyncio.get_running_loop().call_later(max(0.0, left) + 0.05, self._look, table)

    def _look(self, table: Table) -> None:
        if table.flag():
            self.changed(table)
        else:
            self._set_flag(table)

    # --- searches ---------------------------------------------------------------------------------------------

    def _submit(self, table: Table, task: Task, end: Callable[[Any], None], **details: Any) -> None:
        """Search for a table. Whatever comes of a search that is no longer the table's is ignored."""

        def ours(function: Callable[..., None]) -> Callable[..., object]:
            return in_loop(lambda *args: function(*args) if self._thinking.get(table.id) is job else None)

        details = {name: ours(function) if name.startswith("on_") else function for name, function in details.items()}
        job = Job(table.id, task, ours(end), on_wait=ours(lambda why: self._wait(table, why)), **details)
        try:
            self.desks.submit(job)
            self._thinking[table.id] = job
        except MontegoError:  # too busy
            asyncio.get_running_loop().call_later(AGAIN_SECONDS, self.go_on, table)

    def _wait(self, table: Table, why: str) -> None:
        self._waiting[table.id] = why
        self.tell(table)

    def _think(self, table: Table, again: bool = False) -> None:
        """A player of ours chooses a move. again: the last search for it has failed."""
        player, budget = PlayerSpec(table.mover, owner=table.id, seed=crc32(table.id.encode())), self._budget(table)
        turn, game = table.turn, table.game.copy()
        task = Task("choose", game, player, MANNERS, budget, every=EVERY, whole=True)
        scribe = scribe_of(game, turn)

        def end(found: Any) -> None:
            self._stop(table.id)
            if found is None or isinstance(found, MontegoError):
                if not again:
                    self._think(table, again=True)
                    return
                self.send(table, {"type": "error", "message": str(found or "the search was lost"), "field": ""})
                self.tell(table)
                return
            if table.phase == PLAY and not table.flag():
                self._play(table, found)
            self.changed(table)

        def report(seen: Any) -> None:
            self._waiting.pop(table.id, None)
            self.note(table, turn, seen)
            self.send(table, analysis(table, turn, "opponent", player.spec, scribe, seen, False))

        def start() -> None:
            """The clock of a player of ours runs from here: others' searches are not its own."""
            table.since = time.monotonic()
            self._set_flag(table)

        self._submit(table, task, end, on_report=report, on_start=start, first=bool(table.persons))

    def _play(self, table: Table, choice: Choice) -> None:
        """The move that a player of ours has chosen, and what it thinks of it."""
        mover, turn = table.game.to_play, table.turn
        if choice.vertex == "resign":
            table.resign(mover)
        else:
            table.play(choice.vertex)
        if choice.simulations:
            winrate = choice.value if mover == BLACK else 1.0 - choice.value
            table.note(turn, round(winrate, 4), table.opinions.get(turn, (0.0, None))[1])

    def note(self, table: Table, turn: int, report: Any) -> None:
        """Remember what a search thinks of a position."""
        black = report.colour == "black"
        lead = None if report.lead is None else round(report.lead if black else -report.lead, 2)
        table.note(turn, round(report.winrate if black else 1.0 - report.winrate, 4), lead)

    def _budget(self, table: Table) -> Budget:
        """What a move may cost: the player's own number, or time, which is shared with whoever waits."""
        own = limits_of(expanded(table.mover)[1])
        simulations, seconds = own.get("simulations"), own.get("seconds")
        clock = table.clocks.get(table.game.to_play)
        if clock is not None:
            target, longest = clock.allowance(table.game.size, table.turn, LAG)
            return Budget(simulations, min(target, seconds or target), min(longest, seconds or longest), early=True)
        timed = simulations is None
        seconds = seconds or (DEFAULT_SECONDS if timed else MOST_SECONDS)
        return Budget(simulations, seconds / (1 + self.desks.desk_of(table.id).waiting()), early=timed)

    def _count(self, table: Table) -> None:
        """A player of ours says which stones are dead."""
        if table.game.rules.all_alive:
            table.set_count(())
            self.changed(table)
            return
        task = Task("outlook", table.game.copy(), PlayerSpec(owner=table.id), budget=Budget(OUTLOOK_SIMULATIONS))
        turn = table.turn

        def end(found: Any) -> None:
            self._stop(table.id)
            if table.phase == SCORING and table.turn == turn:
                table.set_count(() if found is None or isinstance(found, MontegoError) else found.dead)
                self.changed(table)

        self._submit(table, task, end, first=True)

    def close(self) -> None:
        for ident in list(self._thinking):
            self._stop(ident)
        for flag in self._flags.values():
            flag.cancel()
        for table in self.tables.values():
            self.shelf.save(table.id, table.to_dict())
        self.shelf.close()
        self.desks.close()


def in_loop(function: Callable[..., object]) -> Callable[..., object]:
    """The function for other threads: it runs in this event loop."""
    loop = asyncio.get_running_loop()

    def later(*args: Any) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(function, *args)

    return later


def scribe_of(game: Game, turn: int) -> Scribe:
    """Writes down searches of a position as `montego analysis` does, with all statistics."""
    start = Start(game.size, game.komi, game.rules, (), game.to_play, 0)
    query = Query("", start, (), {}, ownership=True, line_visits=True, statistics=True)
    return Scribe(Asked(query, turn, 0, 0), game)


def analysis(
    table: Table, turn: int, slot: Any, player: str, scribe: Scribe, report: Any, done: bool
) -> dict[str, Any]:
    """reply: null as long as nothing has been found."""
    reply = None if report is None else scribe.reply(report, during=not done)
    if reply is not None and "noResults" in reply:
        reply = None
    return {"type": "analysis", "game": table.id, "turn": turn, "slot": slot, "player": player, "done": done,
            "waiting": "", "reply": reply}  # fmt: skip


def new_game(size: int, komi: float, rules: str, handicap: int) -> Game:
    game = Game(size, komi, rules)
    if handicap:
        game.place_fixed_handicap(handicap)
    return game
