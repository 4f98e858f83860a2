"""The learned value function as an object: `ShapeValue`, its values, its weights, and where they came from."""

from __future__ import annotations

from dataclasses import asdict
from os import PathLike
from typing import Any

import numpy as np

from montego.go.board import LEGAL, legality, new_boards
from montego.go.errors import MontegoError, shown
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns import files
from montego.patterns.files import Provenance
from montego.shape.features import Features, ShapeError, features
from montego.shape.value import afterstates, expand, new_state, scan, sigmoid

Weights = np.ndarray[Any, np.dtype[np.float32]]


FORM = files.Form("montego shape weights 1", "weights", ShapeError)


class ShapeValue:
    """V(s) = σ(φ(s)·θ), the probability that Black wins, for one board size (G&S07 §4)."""

    def __init__(self, size: int = 9, windows: Any = "rlgo-1.0", sets: str = "ld+li") -> None:
        """windows and sets: see features.py. All weights are 0 at first."""
        self.features: Features = features(size, windows, sets)
        self.weights: Weights = self.features.new_weights()
        """the doubled weights, as kernels read and change them"""
        self.provenance = Provenance()

    @property
    def size(self) -> int:
        return self.features.size

    @property
    def theta(self) -> Weights:
        """θ, (weights,): a copy."""
        return self.weights[2::2].copy()

    @theta.setter
    def theta(self, theta: Any) -> None:
        count = self.features.weight_count
        try:
            with np.errstate(over="ignore"):
                values = np.asarray(theta).astype(np.float32)
        except (TypeError, ValueError):
            values = np.zeros(0, np.float32)
        if values.shape != (count,) or not np.isfinite(values).all():
            raise ShapeError(f"weights {shown(theta)}; accepted: {count} finite numbers")
        self.weights[2::2], self.weights[3::2] = values, -values

    def table(self) -> Weights:
        """The weights as they are now, expanded for kernels that only read them: see value.py."""
        table = np.zeros(len(self.features.links), np.float32)
        expand(self.weights, self.features.links, table)
        return table

    def value(self, position: Any) -> float:
        """The probability that Black wins a `Game`, or a position of stones (size, size) of 0, BLACK and WHITE."""
        stones = position.stones if isinstance(position, Game) else position
        return float(sigmoid(self._state(self._board(stones)[0]).total))

    def afterstates(self, game: Game) -> dict[str, float]:
        """The probability that Black wins after each legal move of the side to move, by vertex, and after a pass."""
        if not isinstance(game, Game) or game.size != self.size:
            raise ShapeError(f"{shown(game)}; accepted: a Game on {self.size}x{self.size}")
        names, board, colour = geometry(self.size), game.board[0], np.uint64(game.to_play)
        found = {}
        points = []
        for vertex in game.legal_moves():
            point = np.uint64(names.parse(vertex))
            if legality(board, point, colour, False) == LEGAL:
                points.append(point)
            else:  # suicide, where the rules allow it
                after = game.copy()
                after.play(vertex)
                found[vertex] = self.value(after)
        state, sums = self._state(board), np.zeros(len(points))
        moves, count = np.array(points, np.uint16), np.uint64(len(points))
        layout, links = self.features.layout[0], self.features.links
        afterstates(state, layout, self.weights, links, board, colour, moves, count, sums)
        found |= {names.vertex(int(p)): float(sigmoid(x)) for p, x in zip(points, sums, strict=True)}
        return found | {"pass": float(sigmoid(state.total))}

    def start_from(self, other: ShapeValue) -> None:
        """Take over the location-independent weights of another board size. Location-dependent ones become 0."""
        if not isinstance(other, ShapeValue):
            raise ShapeError(f"{shown(other)}; accepted: a ShapeValue")
        theirs = {block.window: block.span for block in other.features.blocks if block.set == "li"}
        pairs = [(b.span, theirs[b.window]) for b in self.features.blocks if b.set == "li" and b.window in theirs]
        if not pairs:
            raise ShapeError("there are no location-independent weights that both value functions have")
        theta, source = np.zeros(self.features.weight_count, np.float32), other.theta
        for mine, span in pairs:
            theta[mine] = source[span]
        self.theta = theta
        self.provenance = other.provenance

    def copy(self) -> ShapeValue:
        twin = ShapeValue(self.size, self.features.windows, self.features.sets)
        twin.weights[:] = self.weights
        twin.provenance = self.provenance
        return twin

    def save(self, path: str | PathLike[str]) -> None:
        """Write θ (float32, as it is in memory) and its provenance. The file is never half written."""
        about = {"size": self.size, "windows": self.features.windows, "sets": self.features.sets}
        files.write(FORM, path, self.theta, {**about, "provenance": asdict(self.provenance)})

    @classmethod
    def load(cls, path: str | PathLike[str]) -> ShapeValue:
        theta, about = files.read(FORM, path)
        try:
            made = cls(about["size"], about["windows"], about["sets"])
            made.theta = theta
            made.provenance = Provenance(**about["provenance"])
        except (KeyError, TypeError, MontegoError) as error:
            raise ShapeError(f"{path} does not describe its weights: {error}") from None
        return made

    def _state(self, board: Any) -> Any:
        state = new_state(self.features)
        scan(state, self.features.layout[0], self.weights, self.features.links, board)
        return state

    def _board(self, stones: Any) -> np.ndarray[Any, Any]:
        """A board that has the stones and nothing else: enough for `scan`."""
        try:
            array = np.asarray(stones)
            right = array.shape == (self.size, self.size) and bool(np.isin(array, (0, 1, 2)).all())
        except (TypeError, ValueError):
            right = False
        if not right:
            raise ShapeError(f"position {shown(stones)}; accepted: a Game or stones 0, 1, 2 on {self.size}x{self.size}")
        boards = new_boards(self.size)
        boards[0].colour[geometry(self.size).points] = array.ravel()
        return boards
