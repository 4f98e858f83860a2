"""The score of a position once dead stones are agreed on: area or territory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from montego.go.board import BLACK, WHITE, board_of
from montego.go.geometry import geometry
from montego.go.regions import find_owners

Owners = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Score:
    """Points of both sides, komi and handicap bonus included in White's."""

    black: float
    white: float

    @property
    def lead(self) -> float:
        """Black's points less White's."""
        return self.black - self.white

    def __str__(self) -> str:
        """As GTP and SGF write a result: B+3.5, W+12, 0 for a draw."""
        if self.lead == 0:
            return "0"
        return f"{'B' if self.lead > 0 else 'W'}+{abs(self.lead):g}"


def owners_of(stones: np.ndarray[Any, Any]) -> Owners:
    """Who owns each point (0 nobody, BLACK, WHITE), stones their own, as an array (size, size)."""
    board = board_of(stones)[0]
    owners = np.zeros(len(board.colour), np.uint8)
    find_owners(board, owners, np.zeros(len(board.colour), np.uint16))
    on_board: Owners = owners[geometry(len(stones)).points].reshape(stones.shape)
    return on_board


def area(stones: np.ndarray[Any, Any], dead: np.ndarray[Any, Any]) -> tuple[int, int]:
    """Black's and White's area: stones and the empty regions that only they touch, dead stones taken off."""
    owners = owners_of(np.where(dead, 0, stones))
    return int((owners == BLACK).sum()), int((owners == WHITE).sum())


def territory(stones: np.ndarray[Any, Any], dead: np.ndarray[Any, Any], seki: np.ndarray[Any, Any]) -> tuple[int, int]:
    """Black's and White's territory and dead prisoners. Regions that touch a stone in `seki` are nobody's."""
    alive = np.where(dead, 0, stones)
    owners = owners_of(alive)
    empty = alive == 0
    if seki.any():
        empty &= ~_regions_touching(alive, seki)
    black = (owners == BLACK) & empty
    white = (owners == WHITE) & empty
    return (
        int(black.sum() + (dead & (stones == WHITE)).sum()),
        int(white.sum() + (dead & (stones == BLACK)).sum()),
    )


def _regions_touching(stones: np.ndarray[Any, Any], marked: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The empty regions with a marked stone beside them: spread from those stones over empty points."""
    reached = marked.copy()
    while True:
        spread = reached.copy()
        spread[1:] |= reached[:-1]
        spread[:-1] |= reached[1:]
        spread[:, 1:] |= reached[:, :-1]
        spread[:, :-1] |= reached[:, 1:]
        spread &= (stones == 0) | marked
        if (spread == reached).all():
            return np.asarray(reached & (stones == 0))
        reached = spread
