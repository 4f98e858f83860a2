"""Moves that were chosen, with the features of all that could have been, as kernels read them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from montego.go.geometry import geometry
from montego.learn.competitions import list_teams
from montego.learn.sources import Source, replayed
from montego.patterns.strengths import PLAYOUT_SET, TREE_SET, FeatureSet, pattern_classes
from montego.playout.simulate import tables

SETS: tuple[FeatureSet, ...] = (PLAYOUT_SET, TREE_SET)


@dataclass(frozen=True)
class Decisions:
    """Competitions of teams (Coulom 2007 §2): in each one move won and all other candidates lost."""

    features: np.ndarray[Any, np.dtype[np.uint16]]
    """(candidates, groups): the team of each"""
    starts: np.ndarray[Any, np.dtype[np.int64]]
    """of each competition, its first candidate; and the end"""
    winners: np.ndarray[Any, np.dtype[np.int64]]
    """the candidate that was chosen"""

    def __len__(self) -> int:
        return len(self.winners)

    @property
    def digest(self) -> str:
        made = hashlib.sha256(self.features.tobytes() + self.starts.tobytes() + self.winners.tobytes())
        return made.hexdigest()[:16]


def groups_of(features: FeatureSet) -> int:
    return 1 + len(features.groups)


def decisions_of(found: Iterable[Source]) -> tuple[Decisions, Decisions]:
    """The decisions of games, in both sets. A move that fills a true eye of one's own is no decision, nor is a pass."""
    classes, scratch = pattern_classes()[0].astype(np.uint16), list[Any]()
    teams: tuple[list[Any], list[Any]] = ([], [])
    counts, winners = [0], []
    for source in found:
        names, size = geometry(source.game.size), source.game.size
        scratch = (
            scratch
            if len(scratch) and len(scratch[0]) >= size**2
            else [np.zeros((size**2, groups_of(s)), np.uint16) for s in SETS]
        )
        for game, colour, vertex in replayed(source):
            chosen = np.uint64(names.parse(vertex))
            count, winner = list_teams(game.board[0], tables()[0], classes, np.uint64(colour), chosen, *scratch)
            if winner >= 0:
                winners.append(counts[-1] + winner)
                counts.append(counts[-1] + count)
                for made, rows in zip(teams, scratch, strict=True):
                    made.append(rows[:count].copy())
    starts, won = np.array(counts, np.int64), np.array(winners, np.int64)
    small, large = (
        np.concatenate(made) if made else np.zeros((0, groups_of(s)), np.uint16)
        for made, s in zip(teams, SETS, strict=True)
    )
    return Decisions(small, starts, won), Decisions(large, starts, won)
