"""The whole player: a search in a process of its own, clocks, pondering, and an answer in time whatever happens."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from montego.go import facts
from montego.go.board import BLACK, WHITE
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.players.budget import Budget
from montego.players.choice import Choice
from montego.players.conduct import Conduct
from montego.players.playout import PlayoutPlayer
from montego.players.remote import Message, Remote, RemoteError
from montego.players.spec import expanded, limits_of
from montego.players.timing import OVERHEAD, GameClock, TimeSettings
from montego.players.worker import PlayerSpec, Task
from montego.playout.reasons import Reason
from montego.rng import stream

if TYPE_CHECKING:
    from montego.players.endgame import Outlook
    from montego.search.report import Report

DEFAULT_SECONDS = 2.0
"""For a move, if nobody says anything about simulations or time."""
PONDER_SECONDS = 300.0
"""The most it thinks in the other side's time about one position."""
OUTLOOK_SIMULATIONS = 3000
QUIET_SECONDS = 1.5
"""Loading compiled code takes less; after that people are told that it is being compiled."""
MOST_LATES, HUNG_SECONDS = 3, 1.0
"""A process that was late so often in a row, and has said nothing at all for so long, has hung."""
HEARTBEAT = 0.25
"""Seconds between reports under a clock, if nobody else wants any: they hold the move to play if the search hangs."""
GRACE, MOST_GRACE = 0.03, 0.3
"""What a search may take beyond its time before somebody else moves: this part of what is left, and so many seconds."""
WORTH_WAITING = 1.0
HURRY = 30
"""When the time left is not enough for so many searches, moves come without any, which takes a tenth of the time."""
MOST_OVERHEAD, SMOOTHING = 0.25, 5
"""What a move costs beside the search is a mean over several moves; a single hiccup counts for no more than that."""
DRAWS = 8
"""Points looked at for a move that is not on the edge, if there is nothing better to go by."""
STOP_SECONDS = 2.0
"""How long an interrupted search has to answer with what it found."""


@dataclass(frozen=True)
class EngineSettings:
    """What can be said about the engine from outside."""

    player: PlayerSpec = field(default_factory=PlayerSpec)
    conduct: Conduct = field(default_factory=Conduct)
    simulations: int | None = None
    """the most for a move; none: the player's own number, if it has one"""
    seconds: float | None = None
    """the most for a move; with a clock, the clock may ask for less"""
    lag: float = 0.5
    """seconds of every period or game that are kept for what is lost on the way"""
    ponder: bool = False


def never() -> bool:
    return False


def say(text: str) -> None:
    """A word to the people; stdout belongs to the protocol."""
    with suppress(OSError, ValueError):
        print(f"montego: {text}", file=sys.stderr, flush=True)


class Late(Exception):
    """No answer in time; with the last report, if there was one."""

    def __init__(self, report: Any) -> None:
        super().__init__()
        self.report = report


class Engine:
    """Chooses moves within the time there is. While kernels are compiled, or if the search fails, it still answers."""

    def __init__(self, settings: EngineSettings, remote: Remote) -> None:
        self.settings, self.remote = settings, remote
        self.clocks: dict[int, GameClock] = {}
        self._ready: set[tuple[int, str]] = set()
        """sizes and players for which the process has everything compiled"""
        self._preparing: tuple[int, tuple[int, str]] | None = None
        self._lates = 0
        self._overhead = OVERHEAD
        """seconds that a move lately cost beside the search"""
        self._outlook: tuple[Any, Any] = (None, None)

    def change(self, **changes: Any) -> None:
        """Other settings. Another player among them knows nothing of what the old one had found."""
        self.settings = replace(self.settings, **changes)

    def forget(self) -> None:
        """The next search knows nothing of the last ones."""
        player = self.settings.player
        self.change(player=replace(player, games=player.games + 1))

    # --- time -------------------------------------------------------------------------------------------------

    def set_time(self, settings: TimeSettings | None) -> None:
        """A full clock for both sides, or none."""
        self.clocks = {} if settings is None else {colour: GameClock(settings) for colour in (BLACK, WHITE)}

    def wind_up(self) -> None:
        """Full clocks again, for a new game."""
        self.clocks = {colour: GameClock(clock.settings) for colour, clock in self.clocks.items()}

    def budget(self, game: Game, colour: int) -> Budget:
        """What the next move of `colour` may cost."""
        own = limits_of(expanded(self.settings.player.spec)[1])
        simulations = self.settings.simulations or own.get("simulations")
        seconds = self.settings.seconds or own.get("seconds")
        clock = self.clocks.get(colour)
        if clock is None:
            if simulations is None and seconds is None:
                seconds = DEFAULT_SECONDS
            return Budget(simulations, seconds, early=seconds is not None)
        target, longest = clock.allowance(game.size, len(game.moves), self.settings.lag, self._overhead)
        if seconds is not None:
            target, longest = min(target, seconds), min(longest, seconds)
        return Budget(simulations, target, longest, early=True)

    # --- the process ------------------------------------------------------------------------------------------

    def prepare(self, size: int) -> None:
        """Have everything compiled or loaded for a board size, beside whatever happens here."""
        wanted = (size, self.settings.player.spec)
        if self.is_ready(size):
            return
        if self._preparing is not None:
            if self._preparing[1] == wanted:
                return
            self.remote.restart()  # compiling cannot be interrupted; what is done is in the cache
            self._ready.clear()
        ticket = self.remote.submit(Task("prepare", Game(size), self.settings.player))
        self._preparing = ticket, wanted
        threading.Thread(target=self._announce, args=(ticket, size), daemon=True).start()

    def is_ready(self, size: int) -> bool:
        """Whether the process has everything compiled for a board size."""
        if self._preparing is not None and not self.remote.is_doing(self._preparing[0]):
            ticket, what = self._preparing
            if ticket in self.remote.prepared:
                self._ready.add(what)
            self._preparing = None
        return (size, self.settings.player.spec) in self._ready

    def _announce(self, ticket: int, size: int) -> None:
        """Tell people why they wait, if loading takes longer than it should."""
        start = time.monotonic()
        told = False
        while self.remote.is_doing(ticket):
            if not told and time.monotonic() - start > QUIET_SECONDS:
                say(f"compiling the engine for {size}×{size} on this machine (once, some 20 s) …")
                told = True
            time.sleep(0.1)
        if told and ticket in self.remote.prepared:
            say(f"compiled for {size}×{size} in {time.monotonic() - start:.0f} s")

    def close(self) -> None:
        self.remote.close()

    def run(
        self,
        task: Task,
        until: float | None = None,
        interrupted: Callable[[], bool] = never,
        watch: Callable[[Report], object] | None = None,
    ) -> Any:
        """The answer to a task. Raises Late at the time `until`, and what the task was refused with."""
        self.prepare(task.game.size)
        ticket, latest, stopped = self.remote.submit(task), None, False
        while True:
            message = self.remote.take(ticket, until, never if stopped else interrupted)
            if message is None and not stopped and interrupted():
                if self.remote.withdraw(ticket) or not self.is_ready(task.game.size):
                    raise Late(latest)  # it has not begun, or compiles and cannot be stopped
                self.remote.stop()
                soon = time.monotonic() + STOP_SECONDS
                stopped, until = True, soon if until is None else min(soon, until)
            elif message is None:
                if self.is_ready(task.game.size):
                    self._note_late()
                raise Late(latest)
            elif message.kind == "report":
                latest = message.content
                if watch is not None and not stopped:
                    watch(latest)
            else:
                self._lates = 0
                return self._content(message)

    def _content(self, message: Message) -> Any:
        if message.kind == "done":
            return message.content
        if message.kind == "refused":
            raise message.content
        if message.kind == "died":
            self._ready.clear()
        say(f"the search failed: {message.content}")
        raise RemoteError(f"the search failed: {message.content}")

    def _note_late(self) -> None:
        """A process that is late again and again, and is not compiling, has hung."""
        self._lates += 1
        if self._lates >= MOST_LATES and time.monotonic() - self.remote.heard > HUNG_SECONDS:
            say("the search does not answer; starting it anew")
            self.remote.restart()
            self._ready.clear()
            self._lates = 0

    # --- what it is for ---------------------------------------------------------------------------------------

    def task(self, kind: str, game: Game, **details: Any) -> Task:
        """A task for the player as it is set."""
        conduct = details.pop("conduct", self.settings.conduct)
        return Task(kind, game, self.settings.player, conduct, **details)

    def choose(
        self,
        game: Game,
        colour: int,
        arrived: float | None = None,
        interrupted: Callable[[], bool] = never,
        watch: Callable[[Report], object] | None = None,
        timed: bool = True,
        **details: Any,
    ) -> Choice:
        """A move for `colour`, in time. arrived: when it was asked for (monotonic clock); timed: the clock runs."""
        arrived = time.monotonic() if arrived is None else arrived
        clock, position = self.clocks.get(colour) if timed else None, game.with_turn(colour)
        budget, until = self.budget(game, colour), None
        if clock is not None:
            until = arrived + self.patience(clock, budget, game.size)
            details["every"] = details.get("every") or HEARTBEAT
        planned = budget.longest or 0.0
        try:
            if until is not None and until <= arrived:
                planned = 0.0
                raise Late(None)
            task = self.task("choose", position, budget=budget, **details)
            choice: Choice = self.run(task, until, interrupted, watch)
            planned = min(planned, choice.seconds)
        except Late as late:
            choice = self.improvise(position, late.report)
        except RemoteError:
            choice = self.improvise(position)
        if clock is not None:
            taken = time.monotonic() - arrived
            if planned > 0:
                beside = min(MOST_OVERHEAD, max(OVERHEAD, taken - planned))
                self._overhead += (beside - self._overhead) / SMOOTHING
            clock.spend(taken)
        return choice

    def patience(self, clock: GameClock, budget: Budget, size: int) -> float:
        """Seconds to wait for the search; to wait for the compiler makes sense only if it can be long."""
        if not self.is_ready(size):
            self.prepare(size)
            return budget.seconds if budget.seconds and budget.seconds > WORTH_WAITING else 0.0
        if clock.is_sudden_death and clock.deadline < HURRY * self._overhead:
            return 0.0
        grace = min(MOST_GRACE, GRACE * clock.deadline)
        return min((budget.longest or 0.0) + grace, max(0.0, clock.deadline - min(self.settings.lag, grace)))

    def improvise(self, game: Game, report: Any = None) -> Choice:
        """A move without the search, or with what it had found."""
        if report is not None and report.moves and report.moves[0].visits:
            best = report.moves[0]
            return Choice(best.vertex, Reason.RANDOM, report.winrate, best.visits, report.simulations, report.seconds)
        seed = self.settings.player.seed + len(game.moves)
        choice = PlayoutPlayer("mogo", seed).choose(game)
        if choice.reason == Reason.RANDOM and (vertex := higher_move(game, seed)):
            return replace(choice, vertex=vertex)
        return choice

    def ponder(self, game: Game) -> None:
        """Think about a position until the next task."""
        if self.settings.ponder and not game.is_over and self.is_ready(game.size):
            self.remote.submit(self.task("ponder", game, budget=Budget(None, PONDER_SECONDS)))

    def outlook(self, game: Game) -> Outlook:
        """How a position will be counted; the same answer as long as it is asked about the same position."""
        key = (tuple(game.moves), game.size, game.hash, game.komi, game.rules, game.to_play)
        if self._outlook[0] != key:
            found = self.run(self.task("outlook", game, budget=Budget(OUTLOOK_SIMULATIONS)))
            self._outlook = (key, found)
        answer: Outlook = self._outlook[1]
        return answer


def higher_move(game: Game, seed: int) -> str | None:
    """A legal move on the third line or above, if one is found soon."""
    names, size = geometry(game.size), game.size
    for draw in range(DRAWS):
        point = int(names.points[int(stream(seed, draw)) % size**2])
        lines = names.row_column(point)
        if min(*lines, *(size - 1 - line for line in lines)) >= min(2, (size - 1) // 2) and game.is_legal(point):
            vertex = names.vertex(point)
            if facts.eye(game, vertex, game.to_play) == "none":
                return vertex
    return None
