"""Players for tests, made by name like the engine's: quick, and bad in every way a player can be."""

from __future__ import annotations

import os
import random
import time
from dataclasses import dataclass, field
from typing import Any

from montego import Game, MontegoError


@dataclass
class FakeChoice:
    vertex: Any
    value: float = 0.5
    simulations: int = 10
    visits: int = 0
    seconds: float = 0.0


@dataclass
class Fake:
    """Plays its moves in turn and passes when they are used up; its values likewise, 0.5 when they are."""

    moves: list[Any] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    name: str = "fake"

    def new_game(self) -> None:
        pass

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "seed": 0}

    def choose(self, game: Game) -> FakeChoice:
        turn = len(game.moves) // 2
        vertex = self.moves[turn] if turn < len(self.moves) else "pass"
        value = self.values[turn] if turn < len(self.values) else 0.5
        return FakeChoice(vertex, value)


class Random(Fake):
    """Any legal move; after 20 moves it passes."""

    def __init__(self, seed: int) -> None:
        super().__init__(name="random")
        self.random = random.Random(seed)

    def choose(self, game: Game) -> FakeChoice:
        if len(game.moves) >= 20:
            return FakeChoice("pass")
        return FakeChoice(self.random.choice([*game.legal_moves(), "pass"]))


class Builder(Fake):
    """The first of a few points in the middle that is free, else a pass."""

    def choose(self, game: Game) -> FakeChoice:
        return FakeChoice(next((vertex for vertex in ("C3", "C4", "B3") if game.is_legal(vertex)), "pass"))


class Raises(Fake):
    """Works at first, then does not."""

    def choose(self, game: Game) -> FakeChoice:
        if len(game.moves) >= 2:
            raise RuntimeError("out\nof  ideas")
        return FakeChoice("pass" if game.moves else "A1")


class Broken(Fake):
    def choose(self, game: Game) -> FakeChoice:
        raise RuntimeError("no kernel")


class Dies(Fake):
    def choose(self, game: Game) -> FakeChoice:
        if len(game.moves) >= 2:
            os._exit(3)
        return FakeChoice("pass" if game.moves else "A1")


class Sleeps(Fake):
    """Quick for some moves, then so slow that only a signal ends it."""

    def choose(self, game: Game) -> FakeChoice:
        if len(game.moves) >= 2:
            time.sleep(600)
        return FakeChoice(game.legal_moves()[0])


@dataclass
class SleepsInOddSeeds(Fake):
    """Passes at once in some games, and in others sleeps."""

    seed: int = 0

    def choose(self, game: Game) -> FakeChoice:
        if self.seed % 4 == 1:
            time.sleep(600)
        return FakeChoice("pass")


def build(
    spec: str,
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int = 0,
) -> Fake:
    """The counterpart of `montego.player`."""
    makers: dict[str, Any] = {
        "random": lambda: Random(seed),
        "passes": lambda: Fake(name="passes"),
        "illegal": lambda: Fake(["A1", "B1", "A1"]),
        "builder": lambda: Builder(name="builder"),
        "sad": lambda: Fake(["A1", "A2", "B1"], [0.01] * 9),
        "raises": Raises,
        "broken": Broken,
        "dies": Dies,
        "sleeps": Sleeps,
        "dozes": lambda: SleepsInOddSeeds(seed=seed),
        "unready": lambda: Fake() if simulations != 2 else os._exit(4),
    }
    if spec == "fails-later" and seed:
        raise RuntimeError("no memory")
    if spec == "fails-later":
        return Fake()
    if spec not in makers:
        raise MontegoError(f"there is no preset {spec!r}; accepted: {', '.join(makers)}")
    made: Fake = makers[spec]()
    return made
