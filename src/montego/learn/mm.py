"""Minorisation–maximisation (Hunter 2004; Coulom 2007 §3): strengths under which the moves played are most likely.

In each iteration the strengths of a group of features that exclude each other are renewed together,
γ_i ← (W_i + a) / (Σ_j C_ij / E_j + 2a / (γ_i + 1)): W_i is how often a team with i won, E_j the strength of all teams
of competition j, C_ij what those with i are worth beside i; a wins and losses against γ = 1 are the prior, one of each
but for large patterns. That never makes the moves and the prior less likely. θ = log γ is kept in float32 between two
iterations, which is what a file holds, so that a training that was stopped comes to the same strengths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from montego.go.errors import is_whole, shown
from montego.go.geometry import check_size
from montego.learn.competitions import masses, multiply, rank_winners
from montego.learn.decisions import SETS, Decisions, decisions_of, groups_of, strengths_of_teams, with_patterns
from montego.learn.harvest import harvest
from montego.learn.sources import Source, parts
from montego.learn.training import TrainingError, curve_of
from montego.patterns.files import Provenance
from montego.patterns.large import SIZES
from montego.patterns.strength_files import load_strengths, save_strengths
from montego.patterns.strengths import PLAYOUT_SET, TREE_SET, FeatureSet, Strengths, bounded
from montego.search.reading import new_table

TRAINER = "montego train mm"
RANKS = 10
"""So many ranks of the move played are told."""


@dataclass(frozen=True)
class MmSettings:
    """How strengths are learned from games."""

    sizes: tuple[int, ...] = (9,)
    """of the boards"""
    iterations: int = 60
    test: float = 0.1
    """share of the games that are tested with"""
    every: int = 5
    """iterations between two checkpoints"""
    harvest: int = 20
    """candidates that a large pattern must have been seen around to be learned; 0: no large patterns"""
    prior: float = 4.0
    """wins and losses against γ = 1 that a large pattern begins with: what is known of smaller ones holds until then"""

    def __post_init__(self) -> None:
        for size in self.sizes:
            check_size(size)
        wholes = {"iterations": (1, 10**6), "every": (1, 10**6), "harvest": (0, 10**9)}
        for name, (low, high) in wholes.items():
            value = getattr(self, name)
            if not is_whole(value) or not low <= value <= high:
                raise TrainingError(f"{name} is {shown(value)}; accepted: a whole number from {low} to {high}")
        if isinstance(self.test, bool) or not isinstance(self.test, (int, float)) or not 0.0 < self.test < 1.0:
            raise TrainingError(f"test is {shown(self.test)}; accepted: a number between 0 and 1")
        if isinstance(self.prior, bool) or not isinstance(self.prior, (int, float)) or not 0.0 < self.prior <= 1e6:
            raise TrainingError(f"prior is {shown(self.prior)}; accepted: a number above 0, up to 1000000")


@dataclass(frozen=True)
class MmPoint:
    """How far the learning has come; by set of features."""

    iteration: int
    learned: dict[str, float]
    """mean log-evidence of a move that was learned from"""
    tested: dict[str, float]
    """and of the others"""
    ranks: dict[str, list[float]] = field(default_factory=dict)
    """share of the others that come first, among the first two, …"""


def improved(
    theta: Any, played: Decisions, members: Sequence[Any], wins: Any, priors: Sequence[float] = ()
) -> tuple[Any, float]:
    """θ after one iteration over all groups, and the log-evidence before it.

    members: the features of each group; priors: the wins and losses that each begins with, one if they are not given.
    """
    gamma, evidence = np.exp(theta.astype(np.float64)), 0.0
    strengths = strengths_of_teams(played, gamma)
    for group, features in enumerate(members):
        mass, factor = np.zeros(len(gamma)), np.ones(len(gamma))
        found = masses(played.features, played.starts, played.winners, strengths, group, mass)
        evidence = evidence if group else float(found)
        old = gamma[features]
        prior = priors[group] if priors else 1.0
        gamma[features] = (wins[features] + prior) / (mass[features] / old + 2.0 * prior / (old + 1.0))
        factor[features] = gamma[features] / old
        multiply(played.features, group, factor, strengths)
    return np.log(gamma).astype(np.float32), evidence


def members_of(features: FeatureSet, large: Sequence[str] = ()) -> list[Any]:
    """The numbers of the features of each group; large patterns are a group by size."""
    starts = [*features.starts.values(), features.count - 1]
    made = [np.arange(low + 1, high + 1) for low, high in pairwise(starts)]
    if features is TREE_SET:
        lengths = np.array([len(text) for text in large], np.int64)
        made += [features.count + np.flatnonzero(lengths == size) for size in SIZES]
    return made


def wins_of(played: Decisions, count: int) -> Any:
    return np.bincount(played.features[played.winners].ravel(), minlength=count).astype(np.float64)


class MmTraining:
    """Strengths that are being learned."""

    def __init__(self, settings: MmSettings, found: Sequence[Source], told: dict[str, Any] | None = None) -> None:
        learned, tested = parts(found, settings.test)
        self.settings, self.told = settings, told or {}
        self.games = len({source.name for source in learned if source.colours})
        self.iteration, self.curve = 0, list[MmPoint]()
        self.played, self.others = decisions_of(learned), decisions_of(tested)
        if not len(self.played[0]) or not len(self.others[0]):
            numbers = f"{len(self.played[0])} moves of {len(learned)} games to learn from"
            others = f"{len(self.others[0])} of {len(tested)} to test with"
            accepted = "games enough for both, players who are in them, or another share of games to test with"
            raise TrainingError(f"{numbers}, {others}; accepted: {accepted}")
        self.large = harvest(self.played[1], settings.harvest) if settings.harvest else ()
        self.thetas = [np.zeros(PLAYOUT_SET.count, np.float32), np.zeros(TREE_SET.count + len(self.large), np.float32)]
        table = new_table(self.strengths)
        self.played = self.played[0], with_patterns(self.played[1], table)
        self.others = self.others[0], with_patterns(self.others[1], table)
        self._members = [members_of(s, self.large) for s in SETS]
        self._wins = [wins_of(played, len(theta)) for played, theta in zip(self.played, self.thetas, strict=True)]

    @property
    def digest(self) -> str:
        """What changes with the games."""
        return " ".join(part.digest for part in (*self.played, *self.others))

    def run(self, path: Path, news: Callable[[MmTraining], object], checked: Callable[[MmTraining], object]) -> None:
        """Learn until there are enough iterations. news: called after each; checked: after every checkpoint."""
        while self.iteration < self.settings.iterations:
            evidence = {}
            for i, features in enumerate(SETS):
                self.thetas[i], before = improved(
                    self.thetas[i], self.played[i], self._members[i], self._wins[i], self._priors(i)
                )
                evidence[features.name] = before / len(self.played[i])
            within = self.strengths  # what a file can hold
            self.thetas = [within.playout.astype(np.float32), within.tree.astype(np.float32)]
            self.iteration += 1
            news(self)
            if self.iteration % self.settings.every == 0 or self.iteration in (1, 2, self.settings.iterations):
                self._check(evidence)
                self.save(path)
                checked(self)

    def _priors(self, which: int) -> list[float]:
        count = groups_of(SETS[which])
        return [1.0] * count + [self.settings.prior] * (len(self._members[which]) - count)

    def _check(self, evidence: dict[str, float]) -> None:
        tested, ranks = {}, {}
        for features, theta, others in zip(SETS, self.thetas, self.others, strict=True):
            found, gamma = np.zeros(len(others)), np.exp(theta.astype(np.float64))
            total = rank_winners(others.starts, others.winners, strengths_of_teams(others, gamma), found)
            tested[features.name] = float(total) / len(others)
            ranks[features.name] = [float((found < rank + 1).mean()) for rank in range(1, RANKS + 1)]
        self.curve.append(MmPoint(self.iteration, evidence, tested, ranks))

    @property
    def strengths(self) -> Strengths:
        playout, tree = (theta.astype(np.float64) for theta in self.thetas)
        return bounded(Strengths(playout, tree, self.large))

    # --- files --------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        counted = {"moves": len(self.played[0]), "tested moves": len(self.others[0]), "digest": self.digest}
        settings = {**asdict(self.settings), **self.told, **counted, "curve": [asdict(point) for point in self.curve]}
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        provenance = Provenance(TRAINER, now, 0, self.games, {**settings, "iteration": self.iteration})
        save_strengths(path, self.strengths, provenance)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint with the same games, perhaps for more iterations."""
        strengths, provenance = load_strengths(path)
        told = provenance.settings
        if provenance.trainer != TRAINER:
            raise TrainingError(f"{path} was not made by this training; accepted: a file of `{TRAINER}`")
        if told.get("digest") != self.digest or strengths.large != self.large:
            raise TrainingError(f"{path} was trained with other games; accepted: the same games, or a new file")
        if told.get("prior") != self.settings.prior:
            was = f"was trained with prior {shown(told.get('prior'))}"
            raise TrainingError(f"{path} {was}; accepted: the same prior, or a new file")
        try:
            self.iteration, self.curve = int(told["iteration"]), curve_of(provenance, MmPoint)
        except (KeyError, TypeError, ValueError) as error:
            raise TrainingError(f"{path} does not tell how it was trained: {error}") from None
        self.thetas = [strengths.playout.astype(np.float32), strengths.tree.astype(np.float32)]
