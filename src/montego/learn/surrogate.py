"""A smoothed estimate of the win rate over all settings, from all games: a Gaussian process with binomial games.

The logit of the win rate is a constant plus a Gaussian process with a squared-exponential kernel, one length for each
parameter; the games of a setting are coins with that rate. The posterior is Laplace's approximation, amplitude and
lengths are at the maximum of the marginal likelihood times a prior (Rasmussen & Williams 2006, algorithms 3.1, 3.2
and 5.1). A setting with few games counts for as much as it tells, and a lucky one is drawn towards its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from montego.arena.extras import lab_package

Array = np.ndarray[Any, np.dtype[np.float64]]
CONSTANT = 4.0
"""Variance of the mean logit: rates from 2 to 98 % are nothing unusual."""
AMPLITUDE, AMPLITUDE_SPREAD = 0.5, 0.7
"""Of the process, in logits (0.5: 87 Elo): the median before any game, and the deviation of its logarithm."""
LENGTH, LENGTH_SPREAD = 0.5, 0.8
"""Of a parameter, as a part of its range, times √(number of parameters); the same."""
BOUND = 3.5
"""Logarithms stray no further from those medians."""
NEWTON = 60
"""Steps, at most; some five are taken."""
AT_ONCE = 512
"""Settings that are estimated at a time, so that memory does not grow with their number."""
TO_ELO = 400 / math.log(10)
"""Elo of a logit."""


def sigmoid(logit: Array) -> Array:
    return 0.5 * (1 + np.tanh(logit / 2))


@dataclass(frozen=True)
class _Mode:
    """The most likely logits, and what is needed around them."""

    logits: Array
    slope: Array
    """a = ∇ log p(games | logits)"""
    root: Array
    """√W"""
    lower: Array
    """L: the Cholesky factor of I + √W K √W"""
    evidence: float
    """log of the marginal likelihood, but for a constant"""


class Surrogate:
    """The estimate. Rows of numbers stand for settings; `owners` says which parameter a column belongs to."""

    def __init__(
        self,
        rows: Array,
        owners: Sequence[int],
        points: Array,
        games: Array,
        logs: Array | None = None,
        starts: int = 2,
    ) -> None:
        """logs: amplitude and lengths that are known already; else they are fitted, from `starts` starting points."""
        self.rows, self.owners = np.asarray(rows, float), np.asarray(owners)
        self.points, self.games = np.asarray(points, float), np.asarray(games, float)
        self.parameters = int(self.owners.max()) + 1
        self._linalg = lab_package("scipy.linalg")
        self._distances = self._apart(self.rows, self.rows)
        self._centre = np.log([AMPLITUDE] + [LENGTH * math.sqrt(self.parameters)] * self.parameters)
        self._spread = np.array([AMPLITUDE_SPREAD] + [LENGTH_SPREAD] * self.parameters)
        self.logs = self._fit(starts) if logs is None else logs
        """of the amplitude and the lengths"""
        self._mode = self._find_mode(self._kernel(self._distances, self.logs) + CONSTANT)

    @property
    def amplitude(self) -> float:
        return float(np.exp(self.logs[0]))

    @property
    def lengths(self) -> list[float]:
        return [float(length) for length in np.exp(self.logs[1:])]

    def _apart(self, left: Array, right: Array) -> Array:
        """Squared distances, for each parameter."""
        found = np.zeros((self.parameters, len(left), len(right)))
        for column, owner in enumerate(self.owners):
            found[owner] += (left[:, None, column] - right[None, :, column]) ** 2
        return found

    @staticmethod
    def _kernel(distances: Array, logs: Array) -> Array:
        scaled = np.tensordot(np.exp(-2 * logs[1:]), distances, axes=1)
        return np.asarray(np.exp(2 * logs[0] - scaled / 2))

    def _find_mode(self, kernel: Array) -> _Mode:
        """Newton's method, with steps halved while they lead downwards; the posterior is concave."""
        weights = np.zeros(len(self.games))  # logits = kernel @ weights
        best = self._log_posterior(weights, kernel @ weights)
        for _ in range(NEWTON):
            logits = kernel @ weights
            rate = sigmoid(logits)
            curvature = self.games * rate * (1 - rate)
            root, lower = self._factor(kernel, curvature)
            target = curvature * logits + self.points - self.games * rate
            solved = self._linalg.cho_solve((lower, True), root * (kernel @ target))
            step, share = target - root * solved - weights, 1.0
            found = self._log_posterior(weights + step, kernel @ (weights + step))
            while found < best and share > 1e-6:
                share /= 2
                found = self._log_posterior(weights + share * step, kernel @ (weights + share * step))
            gained, weights, best = found - best, weights + share * step, max(found, best)
            if abs(gained) < 1e-10 * (1 + abs(best)):
                break
        logits = kernel @ weights
        rate = sigmoid(logits)
        root, lower = self._factor(kernel, self.games * rate * (1 - rate))
        evidence = best - float(np.log(np.diag(lower)).sum())
        return _Mode(logits, self.points - self.games * rate, root, lower, evidence)

    def _factor(self, kernel: Array, curvature: Array) -> tuple[Array, Array]:
        root = np.sqrt(curvature)
        return root, self._linalg.cholesky(np.eye(len(root)) + root[:, None] * kernel * root, lower=True)

    def _log_posterior(self, weights: Array, logits: Array) -> float:
        likelihood = self.points * logits - self.games * np.logaddexp(0, logits)
        return float(likelihood.sum() - weights @ logits / 2)

    def evidence(self, logs: Array) -> tuple[float, Array]:
        """The log marginal likelihood of amplitude and lengths, and its slope (algorithm 5.1)."""
        process = self._kernel(self._distances, logs)
        kernel = process + CONSTANT
        mode = self._find_mode(kernel)
        rate = sigmoid(mode.logits)
        inverse = mode.root[:, None] * self._linalg.cho_solve((mode.lower, True), np.diag(mode.root))
        inner = self._linalg.solve_triangular(mode.lower, mode.root[:, None] * kernel, lower=True)
        third = -self.games * rate * (1 - rate) * (1 - 2 * rate)
        shift = 0.5 * (np.diag(kernel) - (inner**2).sum(axis=0)) * third
        slopes = []
        for k in range(len(logs)):
            change = 2 * process if k == 0 else process * self._distances[k - 1] * np.exp(-2 * logs[k])
            direct = 0.5 * (mode.slope @ change @ mode.slope - (inverse * change).sum())
            moved = change @ mode.slope
            slopes.append(direct + shift @ (moved - kernel @ (inverse @ moved)))
        return mode.evidence, np.array(slopes)

    def _fit(self, count: int) -> Array:
        def loss(logs: Array) -> tuple[float, Array]:
            off = (logs - self._centre) / self._spread
            value, slope = self.evidence(logs)
            return off @ off / 2 - value, off / self._spread - slope

        bounds = [(centre - BOUND, centre + BOUND) for centre in self._centre]
        starts = [self._centre, self._centre - np.concatenate(([0.0], np.ones(self.parameters)))]
        minimize = lab_package("scipy.optimize").minimize
        found = [minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds) for start in starts[:count]]
        return np.asarray(min(found, key=lambda one: one.fun).x)

    def logits(self, rows: Array) -> tuple[Array, Array]:
        """Means and standard errors of the logits of settings."""
        parts = [self._part(rows[k : k + AT_ONCE]) for k in range(0, len(rows), AT_ONCE)]
        means, errors = (np.concatenate(part) for part in zip(*parts, strict=True))
        return means, errors

    def _part(self, rows: Array) -> tuple[Array, Array]:
        between, solved = self._towards(rows)
        variance = np.exp(2 * self.logs[0]) + CONSTANT - (solved**2).sum(axis=0)
        return between @ self._mode.slope, np.sqrt(np.maximum(variance, 0))

    def difference(self, rows: Array) -> tuple[float, float]:
        """By how much the logit of the first of two settings is above the second's, and the standard error."""
        between, solved = self._towards(rows)
        covariance = self._kernel(self._apart(rows, rows), self.logs) - solved.T @ solved
        sign = np.array([1.0, -1.0])
        mean, variance = sign @ (between @ self._mode.slope), sign @ covariance @ sign
        return float(mean), math.sqrt(max(0.0, float(variance)))

    def _towards(self, rows: Array) -> tuple[Array, Array]:
        between = self._kernel(self._apart(rows, self.rows), self.logs) + CONSTANT
        scaled = self._mode.root[:, None] * between.T
        return between, self._linalg.solve_triangular(self._mode.lower, scaled, lower=True)

    def rates(self, rows: Array) -> tuple[Array, Array]:
        """Means and standard errors of win rates, by Gauss–Hermite quadrature over the logits."""
        mean, error = self.logits(rows)
        nodes, weights = np.polynomial.hermite_e.hermegauss(24)
        values, weights = sigmoid(mean[:, None] + error[:, None] * nodes), weights / weights.sum()
        rate = values @ weights
        return rate, np.sqrt(np.maximum((values**2) @ weights - rate**2, 0))
