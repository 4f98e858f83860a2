"""Simulation balancing (Silver & Tesauro 2009; Huang, Coulom & Lin 2010): strengths under which the mean outcome of
playouts meets an oracle's value.

Of each position M playouts give V, and N others g = ∇V; then θ ← θ + α (V* − V) g. Positions come in blocks, whose
changes are averaged. A block depends on nothing but θ, kept in float32, the settings and its number: a training that
was stopped comes to the same strengths. (The papers divide g by the length of a playout; here that is left to α.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from montego._jit import address_of
from montego.go.errors import is_whole, shown
from montego.go.geometry import MAX_SIZE, MIN_SIZE
from montego.learn.gradients import add_gradient
from montego.learn.sources import Label, parts
from montego.learn.training import TrainingError, curve_of
from montego.patterns.files import Provenance
from montego.patterns.strength_files import MM, fingerprint, load_strengths, save_strengths, strengths_of
from montego.patterns.strengths import Strengths, bounded
from montego.playout.boltzmann import boltzmann_playout
from montego.playout.loop import run_playouts
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.playout.strengths import new_strength_memories, set_strengths
from montego.search.clock import in_parallel

TRAINER = "montego train balance"
_TEST = 1 << 40
"""The number of the first stream that tests draw from: no block's."""


@dataclass(frozen=True)
class BalanceSettings:
    """How strengths are balanced."""

    size: int = 9
    start: str = MM
    """strengths to start from: shipped ones or a file"""
    passes: int = 10
    """over all positions"""
    alpha: float = 5.0
    """step α"""
    halving: int = 0
    """blocks after which the step is half of α: it is α / (1 + blocks/halving); 0: it stays"""
    playouts: int = 200
    """M: for V"""
    scored: int = 200
    """N: for g"""
    block: int = 16
    """positions between two changes of θ"""
    test: float = 0.15
    """share of the games whose positions are tested with"""
    test_playouts: int = 500
    """of each of these"""
    streams: int = 2
    """positions at a time, each on a core of its own: the same result whatever their number"""
    seed: int = 1

    def __post_init__(self) -> None:
        wholes = {"size": (MIN_SIZE, MAX_SIZE), "passes": (1, 10**6), "playouts": (2, 10**7), "scored": (1, 10**7),
                  "block": (1, 10**6), "test_playouts": (2, 10**7), "streams": (1, 64), "halving": (0, 10**12),
                  "seed": (-(1 << 63), 1 << 63)}  # fmt: skip
        for field, (low, high) in wholes.items():
            value = getattr(self, field)
            if not is_whole(value) or not low <= value <= high:
                raise TrainingError(f"{field} is {shown(value)}; accepted: a whole number from {low} to {high}")
        for field, most in (("alpha", 1e6), ("test", 1.0)):
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value < most:
                raise TrainingError(f"{field} is {shown(value)}; accepted: a number from 0 and below {most:g}")

    def step(self, blocks: int) -> float:
        """α after so many blocks."""
        return self.alpha / (1 + blocks / self.halving) if self.halving else self.alpha

    @property
    def same_result(self) -> dict[str, Any]:
        """All that decides about the strengths, the number of passes left out."""
        return {key: value for key, value in asdict(self).items() if key not in ("passes", "streams")}


@dataclass(frozen=True)
class BalancePoint:
    """How far the balancing has come."""

    passes: int
    learned: float | None
    """mean squared error of V over the positions learned from, in the last pass; sampling noise taken off"""
    tested: float
    """the same over the others"""
    length: float
    """mean length of playouts in the test"""


class _Bench:
    """One stream of playouts."""

    def __init__(self, size: int, strengths: Strengths) -> None:
        self.memory = new_strength_memories(strengths, size)
        self._work = new_work(size, PlayoutConfig("boltzmann"), 0)
        self._work.strengths = self.memory.ctypes.data
        count = len(strengths.playout)
        self._scratch = np.zeros((size**2 + 1, 5), np.uint16), np.zeros(size**2 + 1), np.zeros(count)
        self.gradient, self.length = np.zeros(count), 0.0

    def value(self, label: Label, count: int, state: Any) -> float:
        """V: Black's share of wins, a draw being half a win."""
        boards, totals, none = np.repeat(label.game.board, 2), np.zeros(5, np.int64), np.zeros(0, np.int64)
        colour, work = self._prepare(label, state)
        part = address_of(boltzmann_playout, boards[0], work, tables()[0], colour)
        run_playouts(part, boards, work, tables()[0], count, colour, totals, none, none)
        self.length = float(totals[0]) / count
        return float(totals[3] + (count - totals[3] - totals[4]) / 2) / count

    def differentiate(self, label: Label, count: int, less: float, state: Any) -> None:
        """Fill in the gradient of V."""
        self.gradient[:] = 0
        boards = np.repeat(label.game.board, 2)
        colour, work = self._prepare(label, state)
        add_gradient(count, boards, work, tables()[0], self.memory[0], colour, less, *self._scratch, self.gradient)
        self.gradient /= count

    def _prepare(self, label: Label, state: Any) -> tuple[Any, Any]:
        game, work = label.game, self._work
        work.rng, work.passes = state, min(1, game.passes)
        work.komi = game.komi + game.rules.handicap_bonus(game.handicap)
        return np.uint64(game.to_play), work


class Balancing:
    """Strengths that are being balanced."""

    def __init__(self, settings: BalanceSettings, found: Sequence[Label], told: dict[str, Any] | None = None) -> None:
        size = settings.size
        alike = [label for label in found if label.game.size == size]
        self.learned, self.tested = parts(alike, settings.test)
        if not self.learned or not self.tested:
            numbers = f"{len(self.learned)} positions on {size}×{size} to learn from, {len(self.tested)} to test with"
            others = f"{len(found) - len(alike)} on other boards"
            accepted = "enough for both, another size, or another share of games to test with"
            raise TrainingError(f"{numbers}, {others}; accepted: {accepted}")
        self.settings, self.told, self.blocks, self.curve = settings, told or {}, 0, list[BalancePoint]()
        self._start = strengths_of(settings.start, settings.size)
        self.theta = self._start.playout.astype(np.float32)
        self._benches = [_Bench(settings.size, self._start) for _ in range(settings.streams)]
        self._errors = list[float]()

    @property
    def digest(self) -> str:
        """What changes with the positions and their labels."""
        told = [(label.name, label.game.moves, label.black_win) for label in (*self.learned, *self.tested)]
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]

    @property
    def _sources(self) -> dict[str, str]:
        """What was learned from, whatever its files are called."""
        return {"digest": self.digest, "start digest": fingerprint(self.settings.start)}

    @property
    def per_pass(self) -> int:
        """Blocks of a pass."""
        return -(-len(self.learned) // self.settings.block)

    @property
    def total(self) -> int:
        """Blocks in all."""
        return self.per_pass * self.settings.passes

    @property
    def strengths(self) -> Strengths:
        return bounded(replace(self._start, playout=self.theta.astype(np.float64)))

    def run(self, path: Path, news: Callable[[Balancing], object], checked: Callable[[Balancing], object]) -> None:
        """Balance until there are enough passes. The file is written after each.

        news: called after every block; checked: after every checkpoint.
        """
        if not self.curve:
            self._check()
        while self.blocks < self.total:
            self.learn_block()
            news(self)
            if self.blocks % self.per_pass == 0:
                self._check()
                self.save(path)
                checked(self)

    def _block(self) -> list[Label]:
        """The positions of the next block: every pass has an order of its own."""
        done, place = divmod(self.blocks, self.per_pass)
        order = np.random.default_rng([abs(self.settings.seed), done]).permutation(len(self.learned))
        return [self.learned[i] for i in order[place * self.settings.block : (place + 1) * self.settings.block]]

    def learn_block(self) -> None:
        wanted, first = self._block(), self.blocks * self.settings.block
        changes, errors = [np.zeros(0)] * len(wanted), [0.0] * len(wanted)
        for bench in self._benches:
            set_strengths(bench.memory, self.strengths)

        def learn(stream: int) -> None:
            for i in range(stream, len(wanted), self.settings.streams):
                changes[i], errors[i] = self._learn(self._benches[stream], wanted[i], 2 * (first + i))

        in_parallel([partial(learn, stream) for stream in range(self.settings.streams)], lambda: None)
        step = self.settings.step(self.blocks) / len(wanted)
        self.theta = (self.theta + step * np.sum(changes, axis=0)).astype(np.float32)
        self.theta = self.strengths.playout.astype(np.float32)  # what a file can hold
        self._errors += errors
        self.blocks += 1

    def _learn(self, bench: _Bench, label: Label, number: int) -> tuple[Any, float]:
        """(V* − V) g of a position, and the squared error."""
        settings = self.settings
        value = bench.value(label, settings.playouts, self._state(number))
        bench.differentiate(label, settings.scored, value, self._state(number + 1))
        error = label.black_win - value
        return error * bench.gradient, without_noise(error, value, settings.playouts)

    def _state(self, number: int) -> Any:
        return new_work(self.settings.size, PlayoutConfig(), self.settings.seed, number).rng

    def _check(self) -> None:
        count, bench = self.settings.test_playouts, self._benches[0]
        set_strengths(bench.memory, self.strengths)
        errors, lengths = [], []
        for i, label in enumerate(self.tested):
            value = bench.value(label, count, self._state(_TEST + self.blocks * len(self.tested) + i))
            errors.append(without_noise(label.black_win - value, value, count))
            lengths.append(bench.length)
        learned = float(np.mean(self._errors)) if self._errors else None
        told = BalancePoint(self.blocks // self.per_pass, learned, float(np.mean(errors)), float(np.mean(lengths)))
        self.curve.append(told)
        self._errors = []

    # --- files --------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        counted: dict[str, Any] = {
            "positions": len(self.learned),
            "tested positions": len(self.tested),
        }
        state = {"blocks": self.blocks, "curve": [asdict(point) for point in self.curve]}
        settings = {**asdict(self.settings), **self.told, **counted, **self._sources, **state}
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        games = len({label.name for label in self.learned})
        save_strengths(path, self.strengths, Provenance(TRAINER, now, self.settings.seed, games, settings))

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint with the same positions and settings, perhaps for more passes."""
        strengths, provenance = load_strengths(path)
        told, ours = provenance.settings, {**self.settings.same_result, **self._sources}
        if provenance.trainer != TRAINER:
            raise TrainingError(f"{path} was not made by this training; accepted: a file of `{TRAINER}`")
        other = [f"{key} {shown(told.get(key))}" for key, value in ours.items() if told.get(key) != value]
        if other:
            raise TrainingError(
                f"{path} was trained with {', '.join(other)}; accepted: the same settings, or a new file"
            )
        try:
            self.blocks, self.curve = int(told["blocks"]), curve_of(provenance, BalancePoint)
        except (KeyError, TypeError, ValueError) as error:
            raise TrainingError(f"{path} does not tell how it was trained: {error}") from None
        self.theta = strengths.playout.astype(np.float32)


def without_noise(error: float, value: float, count: int) -> float:
    """(V* − V)² less what is to be expected of it because V is the mean of but so many outcomes."""
    return error * error - value * (1.0 - value) / (count - 1)


def rehearse(settings: BalanceSettings, label: Label) -> None:
    """Learn a very small block, which is forgotten: so all kernels are compiled."""
    few = replace(settings, playouts=2, scored=1)
    bench = _Bench(few.size, strengths_of(few.start, few.size))
    bench.value(label, 2, np.uint64(1))
    bench.differentiate(label, 1, 0.5, np.uint64(1))
