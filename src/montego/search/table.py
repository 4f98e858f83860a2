"""A heuristic as arrays: any values and counts, from wherever they come."""

from __future__ import annotations

from typing import Any

import numpy as np

from montego.go.errors import ConfigError, shown
from montego.go.geometry import MAX_SIZE, MIN_SIZE, geometry
from montego.search.records import MOST_POINTS

Array = np.ndarray[Any, np.dtype[np.float64]]


class HeuristicTable:
    """H and its count for every point, the same in all positions: arrays by row (row 0 at the top) and column.

    values: H(s,a) from 0 to 1, for the side to move. counts: how many simulations each is worth, multiplied by the
    configuration's prior_mc and prior_amaf (so 1 leaves those as they are).
    """

    def __init__(self, values: Any, counts: Any = 1.0, pass_value: float = 0.0, pass_count: float = 1.0) -> None:
        self.values = _square("values", values)
        self.size = len(self.values)
        self.counts = _square("counts", np.broadcast_to(_numbers("counts", counts), self._shape(counts)))
        if self.counts.shape != self.values.shape:
            raise ConfigError(f"heuristic: counts have the shape {self.counts.shape}; accepted: {self.values.shape}")
        self.pass_value, self.pass_count = _number("pass_value", pass_value), _number("pass_count", pass_count)
        _check_range("values", self.values, 1.0)
        _check_range("pass_value", self.pass_value, 1.0)
        _check_range("counts", self.counts, 1e9)
        _check_range("pass_count", self.pass_count, 1e9)

    def _shape(self, counts: Any) -> tuple[int, ...]:
        return self.values.shape if np.ndim(counts) == 0 else np.shape(counts)

    def by_point(self) -> tuple[Array, Array]:
        """Values and counts as a thread's record holds them."""
        prior, prior_n = np.full(MOST_POINTS, 0.5), np.zeros(MOST_POINTS)
        points = geometry(self.size).points
        prior[points], prior_n[points] = self.values.ravel(), self.counts.ravel()
        prior[0], prior_n[0] = self.pass_value, self.pass_count
        return prior, prior_n


def _numbers(field: str, values: Any) -> Array:
    try:
        made: Array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ConfigError(f"heuristic: {field} is {shown(values)}; accepted: an array of numbers") from None
    return made


def _number(field: str, value: Any) -> float:
    made = _numbers(field, value)
    if made.ndim != 0:
        raise ConfigError(f"heuristic: {field} is {shown(value)}; accepted: a number")
    return float(made)


def _square(field: str, values: Any) -> Array:
    made = _numbers(field, values)
    if made.ndim != 2 or made.shape[0] != made.shape[1] or not MIN_SIZE <= len(made) <= MAX_SIZE:
        accepted = f"the shape of a board, ({MIN_SIZE}, {MIN_SIZE}) to ({MAX_SIZE}, {MAX_SIZE})"
        raise ConfigError(f"heuristic: {field} have the shape {made.shape}; accepted: {accepted}")
    return made


def _check_range(field: str, values: Any, most: float) -> None:
    if not np.all((np.asarray(values) >= 0) & (np.asarray(values) <= most)):  # NaN fails too
        raise ConfigError(f"heuristic: {field} are not all from 0 to {most:g}; accepted: numbers in that range")
