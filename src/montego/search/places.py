"""Where a move is: on which line, how far from another, and whether anything is near, as kernels."""

from __future__ import annotations

import numpy as np

from montego._jit import U, jit


@jit
def line_of(board, p):
    """1 at the edge."""
    size, stride = np.int64(board.rows.size), np.int64(board.pitch.size)
    row, column = np.int64(p) // stride, np.int64(p) % stride
    return min(min(column, size + 1 - column), min(row, size + 1 - row))


@jit
def distance(board, p, q):
    """2 beside, 3 diagonal, 4 a jump, 5 a knight's move, 6 two diagonals."""
    stride = np.int64(board.pitch.size)
    dy = abs(np.int64(p) // stride - np.int64(q) // stride)
    dx = abs(np.int64(p) % stride - np.int64(q) % stride)
    return dx + dy + max(dx, dy)


@jit
def is_alone(board, p):
    """Whether no stone stands within a distance of three along rows and columns."""
    size, stride = np.int64(board.rows.size), np.int64(board.pitch.size)
    row, column = np.int64(p) // stride, np.int64(p) % stride
    for dy in range(-3, 4):
        for dx in range(abs(dy) - 3, 4 - abs(dy)):
            y, x = row + dy, column + dx
            if 1 <= y <= size and 1 <= x <= size and board.colour[U(y * stride + x)] != 0:
                return False
    return True
