"""Moves that were chosen, with the features of all that could have been, as kernels read them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from montego.go.geometry import geometry
from montego.learn.competitions import list_teams, match_all, multiply
from montego.learn.sources import Source, replayed
from montego.patterns.large import SIZES
from montego.patterns.strengths import PLAYOUT_SET, TREE_SET, FeatureSet, even_strengths, pattern_classes
from montego.playout.simulate import tables
from montego.search.reading import new_readings, new_table

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
    words: np.ndarray[Any, np.dtype[np.uint64]] = field(default_factory=lambda: np.zeros((0, 2), np.uint64))
    """what stands around each candidate, for large patterns"""

    def __len__(self) -> int:
        return len(self.winners)

    @property
    def digest(self) -> str:
        made = hashlib.sha256(self.features.tobytes() + self.starts.tobytes() + self.winners.tobytes())
        return made.hexdigest()[:16]


def groups_of(features: FeatureSet) -> int:
    return 1 + len(features.groups)


def strengths_of_teams(played: Decisions, gamma: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """γ of every candidate: the product over its features."""
    made = np.ones(len(played.features))
    for group in range(played.features.shape[1]):
        multiply(played.features, group, gamma, made)
    return made


def with_patterns(played: Decisions, table: np.ndarray[Any, Any]) -> Decisions:
    """Decisions with the large patterns of a table as further groups, one for each size. The signs are forgotten."""
    found = np.zeros((len(played.words), len(SIZES)), np.uint16)
    match_all(table[0], played.words, found)
    found[found > 0] += TREE_SET.count - 1
    return replace(played, features=_by_column([played.features, found], 1), words=np.zeros((0, 2), np.uint64))


def _by_column(parts: list[Any], axis: int) -> np.ndarray[Any, Any]:
    """One array of several, one group after the other in memory, as it is read."""
    return np.asfortranarray(np.concatenate(parts, axis))


class _Scratch:
    """For the teams of one position of a size."""

    def __init__(self, size: int) -> None:
        self.size, self.table = size, new_table(even_strengths())
        self.reading = new_readings(self.table, size)[0]
        self.rows = [np.zeros((size**2, groups_of(s)), np.uint16) for s in SETS]
        self.rows.append(np.zeros((size**2, 2), np.uint64))


def decisions_of(found: Iterable[Source]) -> tuple[Decisions, Decisions]:
    """The decisions of games, in both sets. A move that fills a true eye of one's own is no decision, nor is a pass."""
    classes, scratch = pattern_classes()[0].astype(np.uint16), _Scratch(2)
    teams: tuple[list[Any], ...] = tuple([rows[:0]] for rows in scratch.rows)
    counts, winners = [0], []
    for source in found:
        names, size = geometry(source.game.size), source.game.size
        scratch = scratch if scratch.size == size else _Scratch(size)
        for game, colour, vertex in replayed(source):
            mover, chosen = np.uint64(colour), np.uint64(names.parse(vertex))
            board, reading = game.board[0], scratch.reading
            count, winner = list_teams(board, tables()[0], classes, reading, mover, chosen, *scratch.rows)
            if winner >= 0:
                winners.append(counts[-1] + winner)
                counts.append(counts[-1] + count)
                for made, rows in zip(teams, scratch.rows, strict=True):
                    made.append(rows[:count].copy())
    starts, won = np.array(counts, np.int64), np.array(winners, np.int64)
    small, large = (Decisions(_by_column(made, 0), starts, won) for made in teams[:2])
    return small, replace(large, words=np.concatenate(teams[2]))
