"""The multinomial logit that ratings are fitted with: likelihood, derivatives, maximum, and whether there is one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from montego.arena.extras import lab_package
from montego.arena.settings import MatchError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Likelihood:
    """A multinomial logit: its negative log-likelihood as a function of the parameters, and two derivatives."""

    logits: Array
    """the logit of each outcome of each meeting, as coefficients of the parameters: meeting × outcome × parameter"""
    counts: Array
    """how often each outcome was seen: meeting × outcome"""

    def value(self, at: Array) -> float:
        return -float(np.sum(self.counts * self._log_probabilities(at)))

    def gradient(self, at: Array) -> Array:
        missed = self._games() * np.exp(self._log_probabilities(at)) - self.counts
        return np.asarray(np.einsum("mo,mop->p", missed, self.logits))

    def hessian(self, at: Array) -> Array:
        probabilities = np.exp(self._log_probabilities(at))
        mean = np.einsum("mo,mop->mp", probabilities, self.logits)
        spread = (self.logits - mean[:, None, :]).reshape(-1, self.logits.shape[-1])
        return np.asarray((spread.T * (self._games() * probabilities).ravel()) @ spread)

    def _games(self) -> Array:
        return np.asarray(self.counts.sum(axis=1, keepdims=True))

    def _log_probabilities(self, at: Array) -> Array:
        logits = self.logits @ at
        return np.asarray(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))

    def free_directions(self) -> Array:
        """A basis of the directions, as columns, along which nothing holds the maximum at one point.

        A direction is free when no outcome that was seen becomes less likely along it: a cone of linear inequalities,
        equations where both of two outcomes were seen. A linear program is asked for directions in which some of the
        inequalities are strict, until all that can be strict were. The others hold as equations, too, and the solutions
        of all equations are the span of the cone.
        """
        equations, inequalities = self._recession()
        basis = _null_space(equations)
        held = inequalities @ basis
        held = held[np.abs(held).max(axis=1) > 1e-9]
        limits, most = np.concatenate([held, -held]), np.repeat([1.0, 0.0], len(held))
        while len(held):
            program = lab_package("scipy.optimize").linprog(-held.sum(axis=0), limits, most, bounds=(None, None))
            if program.status != 0 or -program.fun < 0.5:  # a strict direction can be scaled until some row reaches 1
                break
            held = held[held @ program.x < 1e-6]
        return basis @ _null_space(held)

    def _recession(self) -> tuple[Array, Array]:
        """What a free direction must fulfil: rows whose product with it is 0, and rows where it is at least 0."""
        seen, outcomes = self.counts > 0, range(self.counts.shape[1])
        equations, inequalities = [], []
        for i, j in permutations(outcomes, 2):
            advantage = self.logits[:, i] - self.logits[:, j]
            equations.append(advantage[seen[:, i] & seen[:, j]])
            inequalities.append(advantage[seen[:, i] & ~seen[:, j]])
        return np.concatenate(equations), np.unique(np.concatenate(inequalities), axis=0)

    def maximise(self) -> tuple[Array, Array]:
        """The parameters of greatest likelihood, and their covariance: the inverse Hessian there."""
        optimize, start = lab_package("scipy.optimize"), np.zeros(self.logits.shape[-1])
        options = {"gtol": 1e-7, "maxiter": 1000}
        found: Array = optimize.minimize(
            self.value, start, method="trust-exact", jac=self.gradient, hess=self.hessian, options=options
        ).x
        gradient, covariance = self.gradient(found), np.asarray(np.linalg.inv(self.hessian(found)), dtype=np.float64)
        if not gradient @ covariance @ gradient < 1e-4:  # squared distance to the maximum, in standard deviations
            raise MatchError("the ratings did not converge; accepted: a larger prior")
        return found, covariance


def _null_space(rows: Array) -> Array:
    """An orthonormal basis, as columns, of the vectors whose product with every row is 0."""
    values, vectors = np.linalg.eigh(rows.T @ rows)
    return np.asarray(vectors[:, values < 1e-9])
