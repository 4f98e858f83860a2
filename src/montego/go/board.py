"""The board: one record per position, and the kernels that play on it.

Points. The board is stored row by row with a border of off-board points; row 0 is the top. The point of
(row, column) is (row + 1) · stride + column + 1 with stride = size + 1, so the right border of a row is the left
border of the next. Point 0 is off the board and means *pass* or *none*.

Chains. A chain is named by one of its stones. `liberties[chain]` is the sum, over all pairs of a stone and an empty
neighbour, of 1<<48 | p<<28 | p². Each change is one addition, and with count, sum and sum of squares at hand
captured is "all zero", atari is count · Σp² = (Σp)², and the last liberty is Σp / count. Empty points and the
border have chain 0, whose entry takes the updates nobody reads.

The size is not stored: it is the length of `rows`, part of the record's type, and so a constant to the compiler.
Copying a position is one record assignment. The history that superko needs is not part of it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from montego._jit import U0, U1, U2, U3, U, jit, record_dtype

EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3

_COUNT, _SUM = U(48), U(28)
_ONE_PAIR = U(1 << 48)
_SUM_MASK, _SQUARES_MASK = U((1 << 20) - 1), U((1 << 28) - 1)
_4, _6, _8, _10, _12, _14 = U(4), U(6), U(8), U(10), U(12), U(14)
_27, _30, _31 = U(27), U(30), U(31)
_KEY, _KEY_A, _KEY_B = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)


@cache
def board_dtype(size: int) -> np.dtype[Any]:
    stride = size + 1
    points = (size + 2) * stride + 1
    area = size * size
    return record_dtype(
        [
            ("liberties", "u8", (points,)),  # by chain, packed as above
            ("hash", "u8"),  # Zobrist, of the stones alone
            ("empty_count", "u8"),
            ("ko", "u8"),  # the point that may not be retaken at once, or 0
            ("last", "u8"),  # the last move, 0 after a pass
            ("before", "u8"),  # the one before it
            ("atari_count", "u8"),
            ("threats", "u8"),  # not 0 if the last move put a chain into atari
            ("code", "u2", (points,)),  # 3×3 neighbourhood: see codes.py
            ("chain", "u2", (points,)),  # the chain a stone belongs to
            ("next_stone", "u2", (points,)),  # circular list of a chain's stones
            ("stones", "u2", (points,)),  # by chain: how many
            ("empty", "u2", (area + 1,)),  # the empty points, in no order
            ("empty_at", "u2", (points,)),  # where a point stands in `empty`
            ("atari", "u2", (area + 1,)),  # a superset of the chains in atari; checked when read
            ("joined", "u2", (5,)),  # scratch of `play`
            ("listed", "u1", (points,)),  # whether a chain stands in `atari`
            ("colour", "u1", (points,)),
            ("rows", "u1", (size,)),  # only the lengths of these two are used
            ("pitch", "u1", (stride,)),
        ]
    )


@cache
def _empty_board(size: int) -> np.ndarray[Any, Any]:
    stride = size + 1
    boards = np.zeros(1, board_dtype(size))
    board = boards[0]
    board.colour[:] = BORDER
    grid = (np.arange(1, size + 1)[:, None] * stride + np.arange(1, size + 1)).ravel()
    board.colour[grid] = EMPTY
    board.empty[: size * size] = grid
    board.empty_at[grid] = np.arange(size * size)
    board.empty_count = size * size
    around = (-stride, -1, 1, stride, -stride - 1, -stride + 1, stride - 1, stride + 1)
    for i, step in enumerate(around):
        board.code[grid] |= board.colour[grid + step].astype(np.uint16) << np.uint16(2 * i)
    return boards


def new_boards(size: int, count: int = 1) -> np.ndarray[Any, Any]:
    """`count` empty boards in one array."""
    return np.repeat(_empty_board(size), count)


@jit(inline=True)
def liberty(p):
    """What one (stone, empty neighbour p) pair adds to a chain's liberties."""
    return _ONE_PAIR + (p << _SUM) + p * p


@jit(inline=True)
def in_atari(packed):
    """Whether all pairs name the same point (Cauchy–Schwarz with equality); true for no liberty at all."""
    total = (packed >> _SUM) & _SUM_MASK
    return (packed >> _COUNT) * (packed & _SQUARES_MASK) == total * total


@jit(inline=True)
def last_liberty(packed):
    """The only liberty of a chain in atari. 32-bit division is the cheaper one."""
    return U(np.uint32((packed >> _SUM) & _SUM_MASK) // np.uint32(packed >> _COUNT))


@jit
def zobrist(p, colour):
    """The key of a stone, computed rather than stored (SplitMix64's finaliser)."""
    x = (p + p + colour) * _KEY
    x = (x ^ (x >> _30)) * _KEY_A
    x = (x ^ (x >> _27)) * _KEY_B
    return x ^ (x >> _31)


@jit(inline=True)
def toggle_codes(board, p, colour):
    """A stone of `colour` appears on or leaves p: tell the eight points around it (order as in codes.py)."""
    stride = U(board.pitch.size)
    code = board.code
    code[p + stride] ^= colour
    code[p + U1] ^= colour << U2
    code[p - U1] ^= colour << _4
    code[p - stride] ^= colour << _6
    code[p + stride + U1] ^= colour << _8
    code[p + stride - U1] ^= colour << _10
    code[p - stride + U1] ^= colour << _12
    code[p - stride - U1] ^= colour << _14


@jit
def _remove_chain(board, first, colour):
    """Take the chain of the stone `first` off the board."""
    stride = U(board.pitch.size)
    p = first
    count = board.empty_count
    while True:
        following = U(board.next_stone[p])
        board.colour[p] = 0
        board.chain[p] = 0
        board.empty[count] = p
        board.empty_at[p] = count
        count += U1
        toggle_codes(board, p, colour)
        freed = liberty(p)
        board.liberties[board.chain[p - stride]] += freed
        board.liberties[board.chain[p - U1]] += freed
        board.liberties[board.chain[p + U1]] += freed
        board.liberties[board.chain[p + stride]] += freed
        p = following
        if p == first:
            break
    board.empty_count = count


@jit(inline=True)
def join(board, a, b):
    """Make one chain of two; the smaller is relabelled. Returns the name kept."""
    if board.stones[a] < board.stones[b]:
        a, b = b, a
    p = b
    while True:
        board.chain[p] = a
        p = U(board.next_stone[p])
        if p == b:
            break
    following = board.next_stone[a]
    board.next_stone[a] = board.next_stone[b]
    board.next_stone[b] = following
    board.stones[a] += board.stones[b]
    board.liberties[a] += board.liberties[b]
    return a


@jit(inline=True)
def _join_neighbours(board, p, colour):
    """Join the new stone p to the chains of its colour around it. Returns the chain it ends up in."""
    stride = U(board.pitch.size)
    stones, joined = board.colour, board.joined
    count = U0  # branch-free: always store, advance by the condition
    joined[count] = p - stride
    count += U(U(stones[p - stride]) == colour)
    joined[count] = p + U1
    count += U(U(stones[p + U1]) == colour)
    joined[count] = p + stride
    count += U(U(stones[p + stride]) == colour)
    joined[count] = p - U1
    count += U(U(stones[p - U1]) == colour)
    joined[count] = p  # without friends the stone joins its own, still empty chain: no branch
    mine = U(board.chain[joined[U0]])
    board.chain[p] = mine
    board.next_stone[p] = board.next_stone[mine]
    board.next_stone[mine] = p
    board.stones[mine] += 1
    own = board.liberties[p]
    board.liberties[p] = U0
    board.liberties[mine] += own
    i = U1
    while i < count:
        other = U(board.chain[joined[i]])
        if other != mine:
            mine = join(board, mine, other)
        i += U1
    return mine


@jit(inline=True)
def _note_atari(board, p, colour):
    """Put the chain at p on the atari list if it has `colour` and one liberty. Returns 1 if it has."""
    chain = U(board.chain[p])
    if (U(board.colour[p]) == colour) & in_atari(board.liberties[chain]):
        board.atari[board.atari_count] = chain
        board.atari_count += U1 - U(board.listed[chain])
        board.listed[chain] = 1
        return U1
    return U0


@jit(inline=True)
def place(board, p, colour):
    """Play a legal move, all but `atari`, `threats` and `hash`, which playouts may not need: see `play`."""
    stride = U(board.pitch.size)
    north, east, south, west = p - stride, p + U1, p + stride, p - U1
    stones, libs, chain = board.colour, board.liberties, board.chain
    other = U3 - colour

    left = board.empty_count - U1
    slot = U(board.empty_at[p])
    moved = U(board.empty[left])
    board.empty[slot] = moved
    board.empty_at[moved] = slot
    board.empty_count = left
    stones[p] = colour
    toggle_codes(board, p, colour)

    taken = liberty(p)
    chain_n, chain_e, chain_s, chain_w = chain[north], chain[east], chain[south], chain[west]
    libs[chain_n] -= taken
    libs[chain_e] -= taken
    libs[chain_s] -= taken
    libs[chain_w] -= taken
    own = U0
    if stones[north] == 0:
        own += liberty(north)
    if stones[east] == 0:
        own += liberty(east)
    if stones[south] == 0:
        own += liberty(south)
    if stones[west] == 0:
        own += liberty(west)
    chain[p] = p
    board.next_stone[p] = p
    board.stones[p] = 0
    libs[p] = own
    # One test for the four neighbours, since captures are rare. Chain 0 may answer falsely: colours are checked.
    if (libs[chain_n] == U0) | (libs[chain_e] == U0) | (libs[chain_s] == U0) | (libs[chain_w] == U0):
        if U(stones[north]) == other and libs[chain[north]] == U0:
            _remove_chain(board, north, other)
        if U(stones[east]) == other and libs[chain[east]] == U0:
            _remove_chain(board, east, other)
        if U(stones[south]) == other and libs[chain[south]] == U0:
            _remove_chain(board, south, other)
        if U(stones[west]) == other and libs[chain[west]] == U0:
            _remove_chain(board, west, other)

    mine = _join_neighbours(board, p, colour)
    # Ko: one stone was taken by one stone, whose only liberty is where it stood.
    board.ko = U0
    if board.empty_count == left + U1 and board.stones[mine] == 1:
        hole = U(board.empty[left])
        if libs[mine] == liberty(hole):
            board.ko = hole
    board.before = board.last
    board.last = p


@jit(inline=True)
def note_ataris(board, p, colour):
    """Keep `atari` and `threats` after the move p of `colour`."""
    stride = U(board.pitch.size)
    other = U3 - colour
    threats = _note_atari(board, p - stride, other)
    threats += _note_atari(board, p + U1, other)
    threats += _note_atari(board, p + stride, other)
    board.threats = threats + _note_atari(board, p - U1, other)
    _note_atari(board, p, colour)


@jit
def play(board, p, colour):
    """Play a legal move and keep everything up to date."""
    first_captured = board.empty_count - U1  # captured points are appended to the empty ones
    place(board, p, colour)
    note_ataris(board, p, colour)
    board.hash ^= zobrist(p, colour)
    i = first_captured
    while i < board.empty_count:
        board.hash ^= zobrist(U(board.empty[i]), U3 - colour)
        i += U1


@jit
def hash_after(board, p, colour):
    """The hash after a legal move at p, which is not played."""
    stride, other = U(board.pitch.size), U3 - colour
    result = board.hash ^ zobrist(p, colour)
    a, b, c = U0, U0, U0
    for q in (p - stride, p - U1, p + U1, p + stride):
        chain = U(board.chain[q])
        if U(board.colour[q]) == other and in_atari(board.liberties[chain]):
            if chain != a and chain != b and chain != c:
                s = q
                while True:
                    result ^= zobrist(s, other)
                    s = U(board.next_stone[s])
                    if s == q:
                        break
            a, b, c = b, c, chain
    return result


@jit
def pass_turn(board):
    board.ko = U0
    board.before = board.last
    board.last = U0
    board.threats = U0


@jit(inline=True)
def _gives_breath(board, q, colour):
    """Whether the neighbour q keeps a stone of `colour` alive: a friend with a liberty to spare, or a prey."""
    stone = U(board.colour[q])
    return (stone != U3) & ((stone == colour) != in_atari(board.liberties[board.chain[q]]))


@jit(inline=True)
def _breathes(board, p, colour):
    """Whether a move at p, which has no empty neighbour, is not suicide. All four are looked at: no branches."""
    stride = U(board.pitch.size)
    return (
        _gives_breath(board, p - stride, colour)
        | _gives_breath(board, p - U1, colour)
        | _gives_breath(board, p + U1, colour)
        | _gives_breath(board, p + stride, colour)
    )


@jit(inline=True)
def is_legal_tight(board, p, colour):
    """Legality of an empty point that has no empty neighbour: not the ko, not suicide."""
    return p != board.ko and _breathes(board, p, colour)


@jit(inline=True)
def has_empty_neighbour(board, p):
    stride = U(board.pitch.size)
    stones = board.colour
    return (stones[p - stride] == 0) | (stones[p - U1] == 0) | (stones[p + U1] == 0) | (stones[p + stride] == 0)


LEGAL, OCCUPIED, KO, SUICIDE = 0, 1, 2, 3
"""What `legality` answers."""


@jit
def legality(board, p, colour, suicide):
    """Whether `colour`, in turn or not, may play at the point p; superko is left to the caller, who has the history."""
    if board.colour[p] != 0:
        return OCCUPIED
    if has_empty_neighbour(board, p):
        return LEGAL
    # The ko is closed to the side whose stone was taken, not to the one that took it.
    if p == board.ko and U(board.colour[board.last]) != colour:
        return KO
    return LEGAL if suicide or _breathes(board, p, colour) else SUICIDE


@jit
def play_game_move(board, p, colour):
    """`play`, and where the rules allow suicide, the removal of one's own stones."""
    play(board, p, colour)
    if board.liberties[board.chain[p]] == U0:
        i = board.empty_count
        _remove_chain(board, p, colour)
        while i < board.empty_count:
            board.hash ^= zobrist(U(board.empty[i]), colour)
            i += U1
        board.threats = U0


@jit
def set_up(board, stones):
    """Put stones (row by row: 0, BLACK or WHITE) on an empty board. Those that cannot stand are gone afterwards.

    Stone by stone: while a chain is incomplete one of its own points is a liberty, so where every chain has a
    liberty in the end nothing is captured on the way.
    """
    size, stride = U(board.rows.size), U(board.pitch.size)
    row = U0
    while row < size:
        column = U0
        while column < size:
            colour = U(stones[row * size + column])
            if colour != U0:
                play_game_move(board, (row + U1) * stride + column + U1, colour)
            column += U1
        row += U1
    pass_turn(board)
    board.before = U0


@jit
def hashes_after(boards, colour, suicide, legal, hashes):
    """By point, whether `colour` may play there on boards[0], and the hash after it. boards[1] is scratch."""
    legal[:] = 0
    i = U0
    while i < boards[0].empty_count:
        p = U(boards[0].empty[i])
        if legality(boards[0], p, colour, suicide) == LEGAL:
            boards[1] = boards[0]
            play_game_move(boards[1], p, colour)
            legal[p] = 1
            hashes[p] = boards[1].hash
        i += U1


def board_of(stones: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A board (array of one record) with stones (size, size); chains without a liberty are missing from it."""
    boards = new_boards(len(stones))
    set_up(boards[0], np.ascontiguousarray(stones, np.uint8).ravel())
    return boards
