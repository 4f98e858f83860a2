"""The engine for clients: a game, the engine, and the loop that answers one command after another."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from montego.go.errors import IllegalMove, MontegoError
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.gtp.commands import load
from montego.gtp.formats import live_graphics
from montego.gtp.inbox import Inbox, Line
from montego.gtp.protocol import is_interrupt, parse_command, reply
from montego.players.budget import Budget
from montego.players.engine import Engine, Late, say
from montego.players.remote import RemoteError
from montego.rng import stream

if TYPE_CHECKING:
    from montego.players.choice import Choice
    from montego.players.endgame import Outlook
    from montego.search.report import Report

AFTER_THE_END = 10.0
"""Seconds that a search may go on when the input has ended: whoever pipes commands in wants their answers …"""
LONGEST_COMPILE = 120.0
"""… also if everything has to be compiled first."""
RAW_COUNT = ("tromp-taylor",)
"""Rules under which programs count the board as it stands, though people may agree on dead stones."""
VIEW_SIMULATIONS = 1000
"""For a view of the board when nothing is known of the position."""


@dataclass(frozen=True)
class Options:
    """What a session is told at the start, beside the engine's settings."""

    version: str = ""
    """another answer to `version`, for clients that look at it"""
    hidden: tuple[str, ...] = ()
    """commands that are not there, for clients that cannot bear them"""
    folder: Path | None = None
    """the only folder for files"""
    files: bool = True
    fixed_seed: bool = False
    """every game can be repeated: nothing is remembered from one to the next"""
    as_it_stands: bool = False
    """every stone counts as alive: whoever passes accepts the board as it is, and captures only what decides"""


class ClientGone(OSError):
    """Nobody reads the answers any more."""


class Session:
    """One client. Commands never see each other's failures: what is refused changes nothing."""

    def __init__(self, game: Game, engine: Engine, options: Options, source: BinaryIO, sink: BinaryIO,
                 log: Callable[[str], object] = lambda text: None) -> None:  # fmt: skip
        self.game, self.engine, self.options = game, engine, options
        self.sink, self.log = sink, log
        self.inbox = Inbox(source, engine.remote.changed)
        self.commands = {name: entry for name, entry in load().items() if name not in options.hidden}
        self.over = self.live_graphics = False
        self.seed, self._games, self._searched = engine.settings.player.seed, 0, False
        self.last_choice: Choice | None = None
        self._last_report: tuple[Any, Report] | None = None
        self._number, self._begun, self._arrived = "", False, 0.0

    # --- the loop ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Answer until quit or the end of the input."""
        while not self.over and (line := self.inbox.take()) is not None:
            self.answer(line)

    def answer(self, line: Line) -> None:
        """One line: nothing for an empty one, else exactly one reply."""
        command = parse_command(line.text)
        if command is None and not line.cut:
            return
        self._number, self._begun, self._arrived = command.number if command else "", False, line.arrived
        self.log(f"> {line.text.strip()[:2000]}")
        try:
            if command is None or line.cut:
                raise MontegoError("the line is too long")
            text, refused = self._obey(command.name, command.words), False
        except MontegoError as error:
            text, refused = str(error), True
        except (ClientGone, SystemExit):
            raise
        except Exception as error:  # a client never sees a crash
            say(traceback.format_exc())
            text, refused = f"internal error: {type(error).__name__}: {error}", True
        self._finish(text, refused)

    def _obey(self, name: str, words: tuple[str, ...]) -> str:
        entry = self.commands.get(name)
        if entry is None:
            raise MontegoError("unknown command")
        if len(words) < entry.least:
            raise MontegoError(f"syntax error: {name} needs {entry.least} argument{'s'[: entry.least > 1]}")
        return entry.handler(self, words[: entry.most])

    def begin(self) -> None:
        """Start a reply whose lines will follow one by one."""
        self._begun = True
        self._write(f"={self._number}\n")

    def emit(self, line: str) -> None:
        """A line of such a reply; an empty one would end it, and is none."""
        if line:
            self._write(line + "\n")

    def _finish(self, text: str, refused: bool) -> None:
        if self._begun:
            if refused:
                say(text)
            self._write("\n")
        else:
            self._write(reply(self._number, text, refused))

    def _write(self, text: str) -> None:
        try:
            self.sink.write(text.encode("utf-8"))
            self.sink.flush()
        except (OSError, ValueError) as error:
            raise ClientGone(str(error)) from error
        self.log(f"< {text.rstrip()[:2000]}")

    # --- interruptions ----------------------------------------------------------------------------------------

    def _is_told_to_move(self) -> bool:
        """Whether a search for a move has to end: GoGui's comment, or an input that ended a while ago."""
        if self.inbox.ended is not None and not self.inbox.lines:
            if not self.engine.is_ready(self.game.size):
                self.inbox.ended = max(self.inbox.ended, min(time.monotonic(), self._arrived + LONGEST_COMPILE))
            if time.monotonic() - self.inbox.ended > AFTER_THE_END:
                return True
        return any(is_interrupt(line.text) for line in tuple(self.inbox.lines))

    def _is_wanted(self) -> bool:
        """Whether anything has come in, an empty line included: analysis ends at once."""
        return self.inbox.waits

    # --- the engine -------------------------------------------------------------------------------------------

    def think(self, colour: int, watch: Callable[[Report], object] | None = None, **details: Any) -> Choice:
        """The engine's choice; the board stays as it is."""
        if self.live_graphics and watch is None:
            watch, details["every"] = self._draw, 0.5
        friendly = self.engine.settings.conduct.friendly and self.game.rules.name not in RAW_COUNT
        details.setdefault("cleanup", not friendly and not self.options.as_it_stands)
        self._searched = True
        choice = self.engine.choose(self.game, colour, self._arrived, self._is_told_to_move, watch, **details)
        if choice.vertex != "resign" and not self.game.is_legal(choice.vertex, colour):
            choice = self.engine.improvise(self.game.with_turn(colour))  # never seen; an illegal move loses the game
        self.last_choice = choice
        return choice

    def genmove(self, colour: int, watch: Callable[[Report], object] | None = None, **details: Any) -> str:
        """The engine's move, played."""
        self.check_going_on(colour)
        choice = self.think(colour, watch, **details)
        if choice.vertex != "resign":
            self.game.play(choice.vertex, colour)
            self.engine.ponder(self.game)
        return choice.vertex

    def check_going_on(self, colour: int) -> None:
        if self.game.why_illegal("pass", colour):
            raise IllegalMove("the game is over; undo or clear the board first", "over")

    def _draw(self, report: Report) -> None:
        with suppress(OSError, ValueError):
            print(live_graphics(report), end="", file=sys.stderr, flush=True)

    def analyse(self, colour: int, watch: Callable[[Report], object], every: float, **details: Any) -> None:
        """Think about the position until something comes in."""
        position = self.game.with_turn(colour)
        task = self.engine.task("analyse", position, every=every, budget=Budget(None, 1e8), **details)
        self._searched = True
        with suppress(Late, RemoteError):
            self.engine.run(task, None, self._is_wanted, watch)

    def report(self) -> Report:
        """What the engine thinks of all moves of the position, after a short search on top of what it knows."""
        key = self._key()
        if self._last_report is None or self._last_report[0] != key:
            budget = Budget(VIEW_SIMULATIONS)
            position = self.game.with_turn(self.game.to_play)
            task = self.engine.task("analyse", position, budget=budget, whole=True)
            self._searched = True
            self._last_report = key, self.engine.run(task)
        return self._last_report[1]

    def outlook(self) -> Outlook:
        self._searched = True
        return self.engine.outlook(self.game)

    def _key(self) -> tuple[Any, ...]:
        game, player = self.game, self.engine.settings.player
        return game.size, game.hash, tuple(game.moves), game.komi, game.rules, game.handicap, game.to_play, player

    # --- the game ---------------------------------------------------------------------------------------------

    def new_game(self, game: Game) -> None:
        """Another game on the board. With a fixed seed the player starts anew, each game with the next seed."""
        self.game = game
        self.engine.remote.stop()
        self.engine.wind_up()
        if self.options.fixed_seed and self._searched:
            self._games += 1
            self._plant_seed(int(stream(self.seed, self._games)) >> 32)
        self.engine.prepare(game.size)

    def set_seed(self, seed: int) -> None:
        """From now on the games are those of this seed."""
        self.options = replace(self.options, fixed_seed=True)
        self.seed, self._games = seed, 0
        self._plant_seed(seed)

    def _plant_seed(self, seed: int) -> None:
        player = self.engine.settings.player
        self.engine.change(player=replace(player, seed=seed, games=player.games + 1))
        self._searched = False

    def set_player(self, spec: str) -> None:
        """Play as another preset or level; a level brings its own number of simulations."""
        from montego.players import player

        player(spec)  # refuses what makes no sense
        self.engine.change(player=replace(self.engine.settings.player, spec=spec))
        self.engine.prepare(self.game.size)

    def stones_of(self, colour: int) -> list[str]:
        names = geometry(self.game.size)
        return [names.vertex(int(p)) for p in names.points[np.flatnonzero(self.game.stones.ravel() == colour)]]
