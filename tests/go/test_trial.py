"""Moves on trial: the board of a played move while they last, and afterwards the board as it was."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from montego._jit import record_dtype
from montego.go.board import new_boards, play
from montego.go.tactics import is_legal
from montego.go.trial import take_back, trial_fields, try_move

DEPTH = 12
AGREED = ("ko", "code", "colour", "chain")
"""What a move on trial makes of a board, point by point. Chains have the names that they have after `play`."""


def legal_points(board: Any, colour: int) -> list[int]:
    empty = [int(p) for p in board.empty[: int(board.empty_count)]]
    return [p for p in empty if is_legal(board, np.uint64(p), np.uint64(colour))]


def stones_and_chains(board: Any) -> list[Any]:
    """What is said of the stones and chains that there are: other entries mean nothing."""
    stones = np.flatnonzero((board.colour == 1) | (board.colour == 2))
    names = np.unique(board.chain[stones])
    return [
        *(np.asarray(board[field]).tolist() for field in AGREED),
        board.next_stone[stones].tolist(),
        board.stones[names].tolist(),
        board.liberties[names].tolist(),
    ]


@pytest.mark.parametrize("size", [3, 5, 9, 13])
def test_trials_are_played_and_taken_back(size: int) -> None:
    draw = random.Random(size)
    work = np.zeros(1, record_dtype(trial_fields(DEPTH)))[0]
    boards, colour = new_boards(size, 2), 1
    captures = joins = kos = 0
    for _ in range(400):
        board, played = boards[0], boards[1]
        before = board.copy()
        history: list[Any] = []
        mover = draw.choice((1, 2))
        boards[1] = boards[0]
        for _ in range(draw.randint(1, DEPTH)):
            choice = legal_points(board, mover)
            if not choice:
                break
            history.append(stones_and_chains(board))
            p = np.uint64(draw.choice(choice))
            # The list of empty points is none of a trial's business, but this test draws from it.
            try_move(board, work, p, np.uint64(mover))
            play(played, p, np.uint64(mover))
            board.empty, board.empty_count = played.empty, played.empty_count
            assert stones_and_chains(board) == stones_and_chains(played)
            trial = work.trials[int(work.made) - 1]
            captures, joins, kos = captures + int(trial.captures), joins + int(trial.joins), kos + int(board.ko != 0)
            mover = 3 - mover
        while history:
            take_back(board, work)
            assert stones_and_chains(board) == history.pop()
        assert work.made == 0
        board.empty, board.empty_count = before.empty, before.empty_count
        choice = legal_points(board, colour)
        if choice:
            play(board, np.uint64(draw.choice(choice)), np.uint64(colour))
        else:
            boards = new_boards(size, 2)
        colour = 3 - colour
    assert captures > 50 and joins > 50 and kos > 0
