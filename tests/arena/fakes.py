"""Contestants for tests, made by name like the engine's: quick, and bad in every way a player can be."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from montego import Game, MontegoError
from montego.arena import contestants, outside
from montego.arena.contestants import Contestant, is_outside
from montego.arena.match import Series, play_one
from montego.arena.settings import Match
from montego.arena.store import Store


@dataclass
class FakeChoice:
    vertex: Any
    simulations: Any = 10


@dataclass
class Fake:
    """Plays its moves in turn and passes when they are used up."""

    moves: list[Any] = field(default_factory=list)
    name: str = "fake"
    version: str = "Fake 1"
    says: str | None = ""
    """what it thinks of a finished game; empty: as the stones stand"""
    closed: int = 0

    def describe(self, size: int | None = None) -> dict[str, Any]:
        return {"name": self.name, "moves": len(self.moves)}

    def begin(self, game: Game) -> None:
        pass

    def choose(self, game: Game) -> FakeChoice:
        turn = len(game.moves) // 2
        return FakeChoice(self.moves[turn] if turn < len(self.moves) else "pass")

    def opinion(self, game: Game) -> str | None:
        return str(game.score()) if self.says == "" else self.says

    def close(self) -> None:
        self.closed += 1


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


@dataclass
class SleepsInOddSeeds(Fake):
    """Passes at once in some games, and in others sleeps."""

    seed: int = 0

    def choose(self, game: Game) -> FakeChoice:
        if self.seed % 4 == 1:
            time.sleep(600)
        return FakeChoice("pass")


class Slow(Random):
    """Takes its time, so that a run can be stopped in the middle."""

    def choose(self, game: Game) -> FakeChoice:
        time.sleep(0.005)
        return super().choose(game)


@dataclass
class Lucky(Fake):
    """Wins most of its games: the other one resigns, or it does itself."""

    seed: int = 0

    def choose(self, game: Game) -> FakeChoice:
        if self.seed % 8 == 1:
            return FakeChoice("resign")
        return FakeChoice("pass" if game.moves else "C3")


def build(
    spec: str,
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int = 0,
    **others: Any,
) -> Contestant:
    """The counterpart of `contestants.make`; other programs are those."""
    if is_outside(spec):
        return contestants.make(spec, simulations, seconds, threads, seed, **others)
    makers: dict[str, Any] = {
        "random": lambda: Random(seed),
        "slow": lambda: Slow(seed),
        "passes": lambda: Fake(name="passes"),
        "illegal": lambda: Fake(["A1", "B1", "A1"]),
        "builder": lambda: Builder(name="builder"),
        "resigns": lambda: Fake(["A1", "resign"]),
        "lucky": lambda: Lucky(seed=seed),
        "raises": Raises,
        "broken": Broken,
        "dies": Dies,
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


def impatient(spec: str, *arguments: Any, **others: Any) -> Contestant:
    """`build`, with little time for other programs to start."""
    outside.START_SECONDS = 1.5
    return build(spec, *arguments, **others)


def series_of(a: str, b: str, store: Store | None = None, **settings: Any) -> Series:
    """A small match, not yet played."""
    return Series(Match(a, b, simulations=10, **{"size": 5, "games": 4, **settings}), store, build)


def play_here(series: Series) -> Series:
    """Play what is missing in this process, which is quicker than to start others."""
    for number in series.missing:
        series.take(play_one(series.match, series.making, number))
    return series


def play_all_here(
    all_series: Sequence[Series], jobs: int = 1, progress: Callable[[Series], None] = lambda series: None
) -> bool:
    """`montego.arena.play.play` in this process."""
    try:
        for series in all_series:
            while series.missing:
                series.take(play_one(series.match, series.making, series.missing[0]))
                progress(series)
    except KeyboardInterrupt:
        return False
    return True
