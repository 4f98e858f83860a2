"""What a user's own policy, heuristic or tree policy may ask: functions on an opaque `position` or `node`.

Points are plain integers: 0 is the pass, `point_at(position, row, column)` the others; a neighbour is one step away:
p − stride(position), p − 1, p + 1, p + stride(position). Row 0 is the top, column 0 the left. Any integer may be asked
about; what is no point of the board is BORDER. Colours are BLACK = 1 and WHITE = 2, and every question about a move
is asked for the side to move. Values are win probabilities for the side to move.
"""

from __future__ import annotations

import numpy as np

from montego._intrinsics import unwrap
from montego._jit import U0, U1, U, jit
from montego.go import tactics
from montego.playout import policies
from montego.rng import advance, below
from montego.search.policy import perspective
from montego.search.records import AMAF_N, AMAF_W, TOTAL, VISITS, N, W

EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3


@jit(inline=True)
def _checked(board, p):
    """A point as kernels index with it; 0, which is off the board, for anything else."""
    return U(p) if 0 <= p < board.colour.size else U0


# --- of a position: for default policies and heuristics -------------------------------------------------------------


@jit(inline=True)
def to_play(position):
    """The side to move: 1 Black, 2 White."""
    _, _, _, colour = unwrap(position)
    return np.int64(colour)


@jit(inline=True)
def board_size(position):
    """9 on a 9×9 board."""
    board, _, _, _ = unwrap(position)
    return np.int64(board.rows.size)


@jit(inline=True)
def stride(position):
    """The distance between a point and the one below it."""
    board, _, _, _ = unwrap(position)
    return np.int64(board.pitch.size)


@jit(inline=True)
def point_at(position, row, column):
    """The point of a row and a column, 0 if they are off the board."""
    board, _, _, _ = unwrap(position)
    size, step = np.int64(board.rows.size), np.int64(board.pitch.size)
    return (row + 1) * step + column + 1 if 0 <= row < size and 0 <= column < size else np.int64(0)


@jit(inline=True)
def row_of(position, p):
    board, _, _, _ = unwrap(position)
    return np.int64(p) // np.int64(board.pitch.size) - 1


@jit(inline=True)
def column_of(position, p):
    board, _, _, _ = unwrap(position)
    return np.int64(p) % np.int64(board.pitch.size) - 1


@jit(inline=True)
def stone_at(position, p):
    """EMPTY, BLACK, WHITE or BORDER."""
    board, _, _, _ = unwrap(position)
    return np.int64(board.colour[_checked(board, p)])


@jit(inline=True)
def last_move(position):
    """The point of the last move, 0 after a pass or at the start."""
    board, _, _, _ = unwrap(position)
    return np.int64(board.last)


@jit(inline=True)
def empty_count(position):
    """How many points are empty."""
    board, _, _, _ = unwrap(position)
    return np.int64(board.empty_count)


@jit(inline=True)
def empty_point(position, i):
    """The i-th empty point, in no particular order; 0 if there is none."""
    board, _, _, _ = unwrap(position)
    return np.int64(board.empty[U(i)]) if 0 <= i < np.int64(board.empty_count) else np.int64(0)


@jit(inline=True)
def is_legal(position, p):
    """Whether the side to move may play there: empty, no suicide, not the ko. Superko is not looked at."""
    board, _, _, colour = unwrap(position)
    q = _checked(board, p)
    return board.colour[q] == 0 and tactics.is_legal(board, q, colour)


@jit(inline=True)
def is_own_eye(position, p):
    """Whether p is a true eye of the side to move."""
    board, _, tables, colour = unwrap(position)
    q = _checked(board, p)
    return board.colour[q] == 0 and (U(tables.facts[board.code[q]]) >> colour) & U1 != U0


@jit(inline=True)
def matches_pattern(position, p):
    """Whether a move there matches one of MoGo's 3×3 patterns."""
    board, _, tables, colour = unwrap(position)
    q = _checked(board, p)
    return board.colour[q] == 0 and (U(tables.facts[board.code[q]]) >> (U(2) + colour)) & U1 != U0


@jit(inline=True)
def is_capture(position, p):
    """Whether a move there takes stones."""
    board, _, _, colour = unwrap(position)
    q = _checked(board, p)
    return board.colour[q] == 0 and tactics.is_capture(board, q, colour)


@jit(inline=True)
def is_self_atari(position, p):
    """Whether the chain made by a move there would have a single liberty, or none."""
    board, _, _, colour = unwrap(position)
    q = _checked(board, p)
    return board.colour[q] == 0 and tactics.is_self_atari(board, q, colour)


@jit(inline=True)
def in_atari(position, p):
    """Whether the chain on p has a single liberty; False if there is no stone."""
    board, _, _, _ = unwrap(position)
    q = _checked(board, p)
    stone = board.colour[q]
    return (stone == 1 or stone == 2) and tactics.atari_liberty(board, q) != U0


@jit(inline=True)
def random_below(position, bound):
    """A random whole number from 0 to bound − 1; 0 if bound is not positive."""
    _, work, _, _ = unwrap(position)
    drawn = below(work.rng, U(max(bound, 1)))
    work.rng = advance(work.rng)
    return np.int64(drawn)


@jit
def uniform_move(position):
    """A move of the uniform policy."""
    board, work, tables, colour = unwrap(position)
    p, _, work.rng = policies.uniform_move(board, colour, work.rng, tables)
    return np.int64(p)


@jit
def mogo_move(position):
    """A move of MoGo's policy."""
    board, work, tables, colour = unwrap(position)
    p, _, work.rng = policies.mogo_move(board, work, colour, work.rng, tables)
    return np.int64(p)


# --- of a node: for tree policies ------------------------------------------------------------------------------------


@jit(inline=True)
def total(node):
    """N(s)."""
    tree, s, _, _ = unwrap(node)
    return tree.states[s, TOTAL]


@jit(inline=True)
def visits(node, p):
    """Simulations of the move p."""
    tree, s, _, _ = unwrap(node)
    return np.float64(tree.links[s, VISITS, p])


@jit(inline=True)
def count(node, p):
    """N(s,a): visits and the heuristic's count."""
    tree, s, _, _ = unwrap(node)
    return tree.stats[s, N, p]


@jit(inline=True)
def value(node, p):
    """Q(s,a) for the side to move; ½ if N(s,a) is 0."""
    tree, s, _, colour = unwrap(node)
    sign, shift = perspective(colour)
    n = tree.stats[s, N, p]
    return (sign * tree.stats[s, W, p] + shift * n) / n if n > 0.0 else 0.5


@jit(inline=True)
def amaf_count(node, p):
    """Ñ(s,a)."""
    tree, s, _, _ = unwrap(node)
    return tree.stats[s, AMAF_N, p]


@jit(inline=True)
def amaf_value(node, p):
    """Q̃(s,a) for the side to move; ½ if Ñ(s,a) is 0."""
    tree, s, _, colour = unwrap(node)
    sign, shift = perspective(colour)
    n = tree.stats[s, AMAF_N, p]
    return (sign * tree.stats[s, AMAF_W, p] + shift * n) / n if n > 0.0 else 0.5
