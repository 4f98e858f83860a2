"""Drives `montego analysis` with KaTrain's own engine class and game nodes, without a screen.

`python drive.py SCENARIO COMMAND`, with KaTrain's modules on the path. Prints what it saw as JSON.
"""

from __future__ import annotations

import json
import sys
import time
import types
from collections.abc import Callable
from typing import Any

PATIENCE = 300.0


def stand_in_for_kivy() -> None:
    """KaTrain's engine asks its windowing library for two things that have nothing to do with windows."""
    kivy, utils, event = (types.ModuleType(name) for name in ("kivy", "kivy.utils", "kivy._event"))
    utils.platform = "linux"
    event.Observable = type("Observable", (), {})
    sys.modules |= {"kivy": kivy, "kivy.utils": utils, "kivy._event": event}


stand_in_for_kivy()

from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game_node import GameNode  # noqa: E402
from pysgf import Move  # noqa: E402

SETTINGS = {
    "backend": "custom",
    "max_visits": 100,
    "fast_visits": 25,
    "max_time": 8.0,
    "wide_root_noise": 0.04,
    "_enable_ownership": True,
    "allow_recovery": False,
}


class Application:
    """What the engine wants of KaTrain: a place to complain."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def log(self, message: object, level: float = 0) -> None:
        if level == -1:
            self.errors.append(str(message))

    def __call__(self, *message: object) -> None:
        self.errors.append(str(message))


def root(rules: str = "chinese") -> Any:
    return GameNode(properties={"SZ": ["9"], "KM": ["7.5"], "RU": [rules]})


def line(node: Any, *moves: str) -> list[Any]:
    """The nodes of a game, the root first."""
    nodes = [node]
    for move in moves:
        nodes.append(nodes[-1].play(Move.from_gtp(move, player=nodes[-1].next_player)))
    return nodes


def wait(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline, "nothing came"
        time.sleep(0.02)


def told(node: Any) -> dict[str, Any]:
    """A node's analysis after KaTrain has taken it in."""
    return {
        "root": node.analysis["root"],
        "ownership": node.ownership,
        "policy": node.policy,
        "complete": node.analysis_complete,
        "moves": node.candidate_moves,
        "winrate": node.winrate,
        "score": node.score,
        "points_lost": node.points_lost,
        "visits": node.root_visits,
    }


def review(engine: Any) -> object:
    """A whole game, as when a file is loaded: every position one query."""
    nodes = line(root(), "E5", "C3", "G7", "pass", "C7")
    for node in nodes:
        node.analyze(engine, priority=-100, analyze_fast=True)
    wait(engine.is_idle)
    return [told(node) for node in nodes]


def deepen(engine: Any) -> object:
    """More visits for a position, the cost of one move, other moves than those found, and a part of the board."""
    node = line(root(rules="japanese"), "E5", "C3")[-1]
    node.analyze(engine)
    wait(engine.is_idle)
    before = told(node)
    node.analyze(engine, refine_move=Move.from_gtp("G7", player=node.next_player))
    wait(engine.is_idle)
    refined = told(node)
    node.analyze(engine, find_alternatives=True)
    node.analyze(engine, region_of_interest=[0, 4, 0, 4])
    wait(engine.is_idle)
    return {"before": before, "refined": refined, "after": told(node)}


def ponder(engine: Any) -> object:
    """Endless analysis that follows the player to the next position, and stops when told to."""
    first, second = line(root(), "E5")
    first.analyze(engine, ponder=True, time_limit=False)
    wait(lambda: first.root_visits > 0)
    seen = first.root_visits
    wait(lambda: first.root_visits > seen)
    second.analyze(engine, ponder=True, time_limit=False)
    wait(lambda: second.root_visits > 0)
    engine.stop_pondering()
    wait(engine.is_idle)
    return {"first": told(first), "second": told(second)}


def rules(engine: Any) -> object:
    """An empty board under every rule set of KaTrain's list but stone scoring, and one with handicap stones."""
    nodes = {name: root(rules=name) for name in ("jp", "cn", "ko", "aga", "tt", "nz")}
    nodes["handicap"] = root()
    nodes["handicap"].set_property("AB", ["cg", "gc"])
    for node in nodes.values():
        node.analyze(engine, analyze_fast=True)
    wait(engine.is_idle)
    return {name: told(node) for name, node in nodes.items()}


def new_game(engine: Any) -> object:
    """A new game while queries are under way: they are forgotten, and the next one is answered."""
    nodes = line(root(), "E5", "C3", "G7")
    for node in nodes:
        node.analyze(engine, visits=1_000_000, time_limit=False)
    wait(lambda: any(node.analysis_exists for node in nodes))
    engine.on_new_game()
    node = root()
    node.analyze(engine)
    wait(lambda: node.analysis_complete)
    return told(node)


def refused(engine: Any) -> object:
    """A position that cannot be: an error for that query, and the next one is answered."""
    errors: list[Any] = []
    node = line(root(), "E5", "C3")[-1]
    occupied = Move.from_gtp("E5", player="B")
    engine.request_analysis(node, lambda *answer: None, errors.append, next_move=occupied)
    wait(engine.is_idle)
    node.analyze(engine)
    wait(engine.is_idle)
    return {"errors": errors, "then": told(node)}


def main(scenario: str, command: str) -> None:
    application = Application()
    engine = KataGoEngine(application, {**SETTINGS, "altcommand": command})
    process = engine.katago_process
    try:
        seen = globals()[scenario](engine)
        assert engine.check_alive()
        begun = time.monotonic()
        engine.shutdown(finish=False)
        status = process.wait(PATIENCE)
        seen = {"seen": seen, "errors": application.errors, "shutdown": time.monotonic() - begun, "status": status}
    finally:
        process.kill()
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
