"""What a player's own process does: one task after another, each given up as soon as something else is asked."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from montego.go.errors import ConfigError, MontegoError, shown
from montego.go.game import Game
from montego.players.budget import Budget
from montego.players.conduct import Conduct

WARM_UP = 64
"""Simulations of a first search, after which everything is compiled or loaded."""


@dataclass(frozen=True)
class PlayerSpec:
    """The player that a process is to be. Another spec makes another player, which knows nothing yet."""

    spec: str = "house"
    """as `montego.player` takes it"""
    threads: int = 1
    seed: int = 0
    memory: int | None = None
    """MiB of its tree, if not the preset's own"""
    games: int = 0
    """a counter: the next number makes the same player forget everything"""
    owner: str = ""
    """for whom: each has a player, and a tree, of their own"""
    lasting: bool = False
    """continue an interrupted search of a position, whatever the preset does between moves"""


@dataclass(frozen=True)
class Task:
    """Something to do for one position. A later task ends it early."""

    kind: str
    """prepare (compile), choose, analyse, outlook, tree, or ponder, which thinks until it is stopped"""
    game: Game
    player: PlayerSpec = field(default_factory=PlayerSpec)
    conduct: Conduct = field(default_factory=Conduct)
    budget: Budget = field(default_factory=Budget)
    every: float | None = None
    """seconds between reports; none: no reports"""
    whole: bool = False
    """reports on all moves, also on those not tried"""
    without: tuple[str, ...] = ()
    cleanup: bool = False
    only: tuple[str, ...] = ()
    """consider these moves alone"""
    path: tuple[str, ...] = ()
    """tree: the moves that lead to the node that is asked about"""
    keep: int = 1
    """players that the process may remember, those used last"""


class Worker:
    """The one end of a pipe, in its own process."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.players: dict[PlayerSpec, tuple[Any, float]] = {}
        """with the softness of their own, which a level has; the one used last at the end"""

    def serve(self) -> None:
        """Do tasks until the other end hangs up."""
        with suppress(EOFError, OSError):
            while True:
                ticket, task = self.pipe.recv()
                if task is not None:
                    self.pipe.send((ticket, *self.answer(ticket, task), time.process_time()))

    def answer(self, ticket: int, task: Task) -> tuple[str, Any]:
        try:
            return "done", self.work(ticket, task)
        except (EOFError, OSError):
            raise
        except MontegoError as error:
            return "refused", error
        except Exception as error:  # whatever it was, the process stays of use
            return "failed", f"{type(error).__name__}: {error}"

    def is_wanted_elsewhere(self) -> bool:
        """Whether a message waits: whatever it is, the task at hand has to end."""
        return self.pipe.poll()

    def work(self, ticket: int, task: Task) -> Any:
        player, softness = self.player_of(task.player, task.keep)
        player.conduct = replace(task.conduct, softness=task.conduct.softness or softness)
        if task.kind == "prepare":
            return self.prepare(task)
        if task.kind == "tree":
            return opened(node_at(player.tree, task.path))
        stop = self.is_wanted_elsewhere
        if task.kind == "outlook":
            return player.outlook(task.game, task.budget.simulations, stop)
        watch = None if task.every is None else self.reporter(ticket)
        limits = {"every": task.every or 1.0, "watch": watch, "stop": stop, "whole": task.whole}
        without = unwanted(task)
        if task.kind == "choose":
            return player.choose(task.game, task.budget, without=without, cleanup=task.cleanup, **limits)
        budget = task.budget
        report = player.analyse(task.game, budget.simulations, budget.seconds, without=without, **limits)
        return None if task.kind == "ponder" else report

    def reporter(self, ticket: int) -> Any:
        return lambda report: self.pipe.send((ticket, "report", report, 0.0))

    def player_of(self, spec: PlayerSpec, keep: int = 1) -> tuple[Any, float]:
        """The player and its own softness."""
        known = self.players.pop(spec, None)
        if known is None:
            from montego.players import player

            changes: dict[str, Any] = {} if spec.memory is None else {"memory": spec.memory}
            if spec.lasting:
                changes["reuse"] = True
            made = player(spec.spec, threads=spec.threads, seed=spec.seed, **changes)
            known = made, made.conduct.softness
        others = list(self.players)
        many = max(0, len(others) + 1 - keep)
        roomy = [other for other in others if spec.memory and other.memory and other.memory > spec.memory]
        for other in {*others[:many], *roomy}:  # those unused for longest, and those made when there was more room
            del self.players[other]
        self.players[spec] = known
        return known

    def prepare(self, task: Task) -> None:
        """Compile or load all that a game on this board will need, with a player that is then forgotten."""
        game = task.game.copy()
        player, _ = self.players.pop(task.player)
        player.conduct = Conduct(softness=0.1, friendly=True)
        player.analyse(game, WARM_UP)
        player.choose(game, Budget(WARM_UP), cleanup=True)
        player.outlook(game, WARM_UP)
        rehearse_the_end(game)


def rehearse_the_end(game: Game) -> None:
    """Use once what the end of a game needs."""
    from montego.players.endgame import capturing_moves, find_outlook, vertices

    for vertex in game.legal_moves()[: 2 * game.size : 2]:
        if game.is_legal(vertex):
            game.play(vertex)
    nobody = np.zeros((game.size, game.size))
    capturing_moves(game, vertices(game, game.stones > 0))
    find_outlook(game, nobody)
    game.score()


def node_at(node: Any, path: tuple[str, ...]) -> Any:
    """The node of a tree to which some moves lead."""
    for vertex in path:
        node = node[vertex].child
        if node is None:
            raise ConfigError(f"the tree ends at {shown(vertex)}; accepted: moves that have been searched")
    return node


def opened(node: Any) -> dict[str, Any]:
    """A node with its moves, and which of them lead on to other nodes."""
    leading = {edge.vertex for edge in node.moves if edge.child is not None}
    made: dict[str, Any] = node.to_dict(0, 1)
    return made | {"moves": [move | {"leads_on": move["vertex"] in leading} for move in made["moves"]]}


def unwanted(task: Task) -> tuple[str, ...]:
    """The moves a search shall leave out."""
    if not task.only:
        return task.without
    wanted = {vertex.upper() for vertex in task.only}
    rest = [vertex for vertex in [*task.game.legal_moves(), "pass"] if vertex.upper() not in wanted]
    if len(rest) > len(task.game.legal_moves()):
        raise ConfigError("none of the moves to consider is legal; accepted: at least one legal move")
    return (*task.without, *rest)


def serve(pipe: Connection) -> None:
    """The target of the process. The player is loaded before it is asked for: that takes half a second."""
    with suppress(OSError):
        os.dup2(2, 1)  # stdout belongs to the protocol: whatever a library prints goes to stderr
    import montego.players.search  # noqa: F401

    Worker(pipe).serve()
