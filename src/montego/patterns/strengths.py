"""Move features and their strengths (Coulom 2007, C07), as data: which features there are, and what is known of them.

A move is a team of features, at most one of each group, and γ of the team is the product of theirs: the generalised
Bradley–Terry model gives each legal move the probability γ / Σγ. C07 has two sets, a small one that playouts can
afford and a large one for the tree; each has strengths of its own, learned apart. Feature 0 is "none of the group":
γ = 1. What is kept is θ = log γ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from montego.go.codes import CELLS, neighbours

Floats = np.ndarray[Any, np.dtype[np.float64]]
Wholes = np.ndarray[Any, np.dtype[np.int64]]

TACTICS = ("captures to save a string", "captures several stones", "captures a stone", "extends a string in atari",
           "extends it in vain", "self-atari")  # fmt: skip
NEAR = ("beside the last move", "diagonal to it")
RESPONSES = ("recaptures", "saves from the last move by capturing", "saves from the last move by extending")
ATARIS = ("gives atari",)
FARTHEST = 17
"""Distances from here on are one feature; they are dx + dy + max(dx, dy), so that 0 and 2, 3, … occur."""
DISTANCES = tuple(f"distance {d}{' or more' if d == FARTHEST else ''}" for d in range(FARTHEST + 1))
LINES = ("line 1", "line 2", "line 3", "line 4", "line 5 or more")
STAGES = ("early", "later", "late")
"""Up to a sixth of the board holds stones, up to a half, or more."""
FULL = (6, 2)
"""The parts of the board at which the stages change."""
PLACES = tuple(f"{line}, {stage}" for stage in STAGES for line in LINES)

RESCUES = ("saves 4 or more stones in atari", "saves 2 or 3 in atari", "saves 4 or more with two liberties",
           "saves 2 or 3 with two liberties", "saves one in atari", "saves one with two liberties",
           "tries in vain to save 4 or more in atari", "tries in vain to save 2 or 3",
           "tries in vain to save one")  # fmt: skip
"""Ladders are read to the end; where a move does several of these, the first counts. So with PREYS and SHAPES."""
PREYS = ("takes 4 or more stones that would get away", "takes 2 or 3 that would",
         "catches 4 or more with two liberties", "catches 2 or 3 with two liberties",
         "takes one that would get away", "catches one with two liberties",
         "takes 4 or more that are caught anyway", "takes 2 or 3 that are caught",
         "takes one that is caught")  # fmt: skip
SHAPES = ("vital point of a hostile eye space", "vital point of one's own", "self-atari that kills or is thrown in",
          "bad self-atari of one stone", "of 2 or 3", "of 4 or more",
          "stone that is caught in a ladder", "2 or 3 caught", "4 or more caught")  # fmt: skip
MOST_LIBERTIES = 4
"""So many liberties or more are one feature."""
_COUNTS = ("none", *map(str, range(1, MOST_LIBERTIES)), f"{MOST_LIBERTIES} or more")
LIBERTIES = tuple(f"beside own strings of least liberties {a}, hostile {b}" for a in _COUNTS for b in _COUNTS)[1:]
CONTACTS = tuple(f"beside the last string (liberties: {a}), and own ones that it touches ({b})"
                 for a in _COUNTS for b in _COUNTS)[1:]  # fmt: skip

MOST = 12.0
"""Of θ, up and down: e¹² is 163,000 times as likely."""


@cache
def images() -> Wholes:
    """By symmetry of the square, the image of every code: (8, 65536)."""
    turned = [CELLS.index((2 - c, r)) for r, c in CELLS]  # what comes to a cell when the picture turns clockwise
    mirrored = [CELLS.index((r, 2 - c)) for r, c in CELLS]
    digits, made = neighbours().astype(np.int64), []
    for _ in range(4):
        digits = digits[turned]
        for picture in (digits, digits[mirrored]):
            made.append(sum(picture[i] << (2 * i) for i in range(8)))
    return np.array(made)


def _on_a_board() -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Codes whose points off the board are those of a side, of a corner, or none."""
    outside = neighbours() == 3
    north, west, east, south = outside[:4]
    sides = {(0, 1): north, (1, 0): west, (1, 2): east, (2, 1): south}
    good = ~(north & south) & ~(west & east)
    for i, (r, c) in enumerate(CELLS[4:], 4):
        good &= outside[i] == (sides[(r, 1)] | sides[(1, c)])
    return np.asarray(good)


@cache
def pattern_classes() -> tuple[Wholes, int]:
    """By mover (Black, White) and code, the number from 1 that a pattern shares with its images under the symmetries
    and, colours swapped, with what the other side sees; and how many there are. 0 is no pattern of any board.
    """
    good = _on_a_board()
    least = images().min(axis=0)
    kinds = np.unique(least[good])
    black = np.where(good, np.searchsorted(kinds, least) + 1, 0)
    digits = np.array([0, 2, 1, 3])[neighbours()]
    swapped = sum(digits[i].astype(np.int64) << (2 * i) for i in range(8))
    return np.array([black, black[swapped]]), len(kinds)


@dataclass(frozen=True)
class FeatureSet:
    """Groups of features and where each begins among the numbers of the set."""

    name: str
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    """beside the 3×3 patterns, which are the first"""

    @property
    def starts(self) -> dict[str, int]:
        """By group, the number before its first feature."""
        made, at = {"pattern": 0}, pattern_classes()[1]
        for group, features in self.groups:
            made[group] = at
            at += len(features)
        return made

    @property
    def count(self) -> int:
        """How many numbers: "none" and all features."""
        return 1 + pattern_classes()[1] + sum(len(features) for _, features in self.groups)

    def title(self, feature: int) -> str:
        """A feature in words."""
        if feature <= pattern_classes()[1]:
            return f"pattern {feature}" if feature else "none"
        return [text for _, features in self.groups for text in features][feature - 1 - pattern_classes()[1]]


PLAYOUT_SET = FeatureSet("playout", (("tactic", TACTICS), ("near", NEAR), ("response", RESPONSES)))
TREE_SET = FeatureSet(
    "tree",
    (
        ("tactic", TACTICS),
        ("response", RESPONSES),
        ("atari", ATARIS),
        ("distance", DISTANCES),
        ("before", tuple(f"{text} from the move before" for text in DISTANCES)),
        ("line", PLACES),
        ("rescue", RESCUES),
        ("prey", PREYS),
        ("shape", SHAPES),
        ("liberties", LIBERTIES),
        ("contact", CONTACTS),
    ),
)
SELF_ATARI = PLAYOUT_SET.starts["tactic"] + len(TACTICS)
"""Its strength is at most 1 in playouts: see playout/boltzmann.py."""


@dataclass(frozen=True, eq=False)
class Strengths:
    """θ = log γ of all features of both sets, by number. Never changed once made; told apart as objects."""

    playout: Floats
    tree: Floats
    """after those of TREE_SET, one for each large pattern"""
    large: tuple[str, ...] = ()
    """the large patterns, as large.py writes them"""


@cache
def even_strengths() -> Strengths:
    """Every move is as strong as any other."""
    return Strengths(np.zeros(PLAYOUT_SET.count), np.zeros(TREE_SET.count))


def bounded(strengths: Strengths) -> Strengths:
    """Within what playouts can draw by."""
    playout, tree = (np.clip(theta, -MOST, MOST) for theta in (strengths.playout, strengths.tree))
    playout[0] = tree[0] = 0.0
    playout[SELF_ATARI] = min(0.0, playout[SELF_ATARI])
    return Strengths(playout, tree, strengths.large)
