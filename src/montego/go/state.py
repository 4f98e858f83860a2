"""A game at one moment: the board and what a move changes beside it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from montego.go.board import BLACK, WHITE, pass_turn, play_game_move
from montego.go.geometry import PASS


@dataclass(frozen=True)
class State:
    """The game after one more change. The board in it is never written to again."""

    boards: np.ndarray[Any, Any]
    """an array of one board"""
    to_play: int
    move: tuple[int, int] | None = None
    """colour and point of the move that led here, None after a setup"""
    captured: tuple[int, int] = (0, 0)
    """stones lost by Black and by White"""
    passes: int = 0
    """passes in a row"""
    handicap: int = 0
    void: bool = False
    """a long cycle has ended the game without result"""
    hash: int = field(init=False)
    """of the stones; a plain number, for superko looks at it often"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", int(self.boards[0].hash))

    def after(self, point: int, mover: int) -> State:
        """The state after a legal move or pass of `mover`."""
        boards, other = self.boards.copy(), BLACK + WHITE - mover
        if point == PASS:
            pass_turn(boards[0])
            return replace(self, boards=boards, to_play=other, move=(mover, PASS), passes=self.passes + 1)
        play_game_move(boards[0], np.uint64(point), np.uint64(mover))
        before, now = self.boards[0].colour, boards[0].colour
        lost = [int((before == c).sum() + (c == mover) - (now == c).sum()) for c in (BLACK, WHITE)]
        captured = (self.captured[0] + lost[0], self.captured[1] + lost[1])
        return replace(self, boards=boards, to_play=other, move=(mover, point), captured=captured, passes=0)
