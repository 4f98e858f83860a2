"""A contestant in another process, over GTP: its board kept in step with the arena's, its failures kept apart."""

from __future__ import annotations

import json
import math
import shlex
import sys
from dataclasses import dataclass
from typing import Any

from montego.arena.contestants import ANY_PROGRAM, OVER_GTP, OutOfStep
from montego.arena.programs import PROGRAMS, OtherProgram
from montego.go.board import BLACK
from montego.go.errors import ConfigError, shown
from montego.go.game import Game
from montego.go.geometry import COLOUR_NAMES, geometry
from montego.go.rules import find_rules
from montego.gtp.client import GtpClient
from montego.gtp.errors import EngineError, Refused, StartError
from montego.gtp.pipes import SOURCES
from montego.gtp.rules_json import rules_to_json
from montego.players.spec import parse_spec

START_SECONDS = 60.0
"""For a program to say its name: some load a network first."""
LONGEST_VERSION = 100
"""characters of what a program says that it is"""
SEED = "{seed}"
MOST_SEEDS = 1 << 31
"""Other programs read a seed as a number with a sign."""


@dataclass(frozen=True)
class Told:
    """A move as another program tells it."""

    vertex: str
    simulations: int | None = None


class Outside:
    """Another program, started for each game. Its errors are those of gtp/errors.py."""

    def __init__(
        self,
        name: str,
        command: list[str],
        seed: int,
        answer_seconds: float,
        seconds: float | None = None,
        known: OtherProgram | None = None,
        setup: list[str] | None = None,
        shown_as: list[str] | None = None,
    ) -> None:
        self.name, self.version = name, ""
        self.seed, self.answer_seconds, self.seconds = seed, answer_seconds, seconds
        self._command, self._known, self._setup = command, known, setup or []
        self._shown_as = shown_as or command
        self._client: GtpClient | None = None
        self._seen = 0
        """moves of the game that the program knows"""

    def describe(self, size: int | None = None) -> dict[str, Any]:
        return {
            "name": self.name,
            "command": shlex.join(self._shown_as),
            "setup": self._setup,
            "seconds": self.seconds,
        }

    def begin(self, game: Game) -> None:
        if self._known and game.size > self._known.largest:
            raise ConfigError(f"{self.name} plays on boards up to {self._known.largest}; accepted: --size")
        client = self._start()
        self._client, self._seen = client, 0
        self.version = " ".join(f"{client.name} {client.version}".split())[:LONGEST_VERSION]
        for line in self._setup:
            client.send(*line.split())
        client.boardsize(game.size)
        client.clear_board()
        client.komi(game.komi)
        if client.supports("kata-set-rules"):
            client.send("kata-set-rules", json.dumps(rules_to_json(game.rules)))
        if self.seconds is not None and client.supports("time_settings"):
            client.time_settings(0, max(1, math.floor(self.seconds)), 1)
        self._catch_up(game)

    def _start(self) -> GtpClient:
        words = [word.replace(SEED, str(self.seed)) for word in self._command]
        try:
            client = GtpClient(words, START_SECONDS, self.answer_seconds)
        except EngineError as error:
            raise self._explained(error) from None
        if self._known and not client.name.lower().startswith(self._known.answers.lower()):
            client.close()
            raise self._explained(StartError(f"{words[0]} says that it is {shown(client.name)}"))
        return client

    def _explained(self, error: EngineError) -> EngineError:
        """The error, with the way to get the program that is meant."""
        if self._known is None or (isinstance(error, StartError) and "get it" in str(error)):
            return error
        notes = [self._known.lookalike, f"get {self._known.answers}: {SOURCES[self._known.program]}"]
        return type(error)("; ".join([str(error), *filter(None, notes)]))

    def _catch_up(self, game: Game) -> None:
        """Tell the program the moves it has not seen."""
        assert self._client is not None
        for move in game.moves[self._seen :]:
            try:
                self._client.play(move.colour, move.vertex)
            except Refused as error:
                raise OutOfStep(f"it refuses a legal move: {error}") from None
            self._seen += 1

    def choose(self, game: Game) -> Told:
        assert self._client is not None
        self._catch_up(game)
        vertex = self._client.genmove(COLOUR_NAMES[game.to_play])
        self._seen += vertex != "resign"
        return Told(vertex)

    def opinion(self, game: Game) -> str | None:
        assert self._client is not None
        self._catch_up(game)
        self._check_stones(game)
        if not self._client.supports("final_score"):
            return None
        try:
            return self._client.final_score()
        except Refused:
            return None

    def _check_stones(self, game: Game) -> None:
        """See that the program has the arena's board before it is asked who won."""
        assert self._client is not None
        if not self._client.supports("list_stones"):
            return
        names = geometry(game.size)
        for colour in COLOUR_NAMES:
            told = self._client.send("list_stones", COLOUR_NAMES[colour]).split()
            ours = {vertex for vertex in map(names.vertex, names.points) if game.at(vertex) == colour}
            if {word.upper() for word in told} != ours:
                side = "Black" if colour == BLACK else "White"
                raise OutOfStep(f"{self.name} has other stones of {side} on its board than the arena")

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def make(
    spec: str,
    simulations: int | None,
    seconds: float | None,
    threads: int,
    seed: int,
    resign: float,
    answer_seconds: float,
    rules: Any,
) -> Outside:
    """The contestant of a spec that names another process."""
    if spec.startswith(ANY_PROGRAM):
        return _any_program(spec, seed, answer_seconds, seconds)
    if spec.startswith(OVER_GTP):
        arguments = _montego(spec.removeprefix(OVER_GTP), simulations, seconds, threads, resign)
        ours = [sys.executable, "-m", "montego", *arguments]
        return Outside(spec, ours, seed, answer_seconds, shown_as=["montego", *arguments])
    name, changes = parse_spec(spec)
    program = PROGRAMS[name]
    options = program.chosen(changes)
    command = program.command(options, find_rules(rules))
    return Outside(spec, command, seed % MOST_SEEDS, answer_seconds, seconds, program, program.commands(options))


def _any_program(spec: str, seed: int, answer_seconds: float, seconds: float | None) -> Outside:
    try:
        words = shlex.split(spec.removeprefix(ANY_PROGRAM))
    except ValueError as error:
        raise ConfigError(f"{shown(spec)} has no command line: {error}") from None
    if not words:
        raise ConfigError(f"{shown(spec)} names no program; accepted: {ANY_PROGRAM}COMMAND ARGUMENTS")
    return Outside(spec, words, seed % MOST_SEEDS, answer_seconds, seconds)


def _montego(spec: str, simulations: int | None, seconds: float | None, threads: int, resign: float) -> list[str]:
    """Our own engine, told to play as `Inside` would."""
    from montego.players import player
    from montego.players.spec import expanded

    player(spec)  # refuses what makes no sense
    changes = expanded(spec)[1]
    resign = float(changes.get("resign_below", resign))
    limit = ["--simulations", str(simulations)] if simulations else ["--seconds", str(seconds)]
    if {"simulations", "seconds"} & set(changes):
        limit = []
    manners = [] if str(changes.get("friendly", "")).lower() == "true" else ["--as-it-stands"]
    return [
        "gtp",
        "--preset",
        spec,
        *limit,
        "--threads",
        str(threads),
        "--seed",
        SEED,
        "--resign",
        str(resign),
        *manners,
    ]
