"""The memory of a search: the arrays of the tree, a thread's own record, and the parameters as kernels read them.

The statistics of a state's moves are arrays by point, point 0 being the pass: loops over all moves are then plain
loops over arrays, which the compiler turns into vector instructions, and no list of moves is needed. None of these
types depends on the board size, so what works on the tree alone is compiled once for all sizes.

Values are sums of outcomes z from Black's point of view, as in the papers: Q(s,a) = W/N, Q̃(s,a) = AMAF_W/AMAF_N.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from montego._jit import record_dtype
from montego.go.geometry import MAX_SIZE
from montego.playout.loop import longest


class Tree(NamedTuple):
    """The arrays of a tree: of state s and move a, `stats[s, N, a]`; of the state itself, `states[s, TOTAL]`."""

    stats: np.ndarray[Any, np.dtype[np.float64]]
    """(states, 4, points): N, W, AMAF_N, AMAF_W; three more rows where they are needed: PRIOR, RANK, SHARE"""
    links: np.ndarray[Any, np.dtype[np.int32]]
    """(states, 2, points): CHILD, VISITS; one more row where it is needed: PROOF"""
    states: np.ndarray[Any, np.dtype[np.float64]]
    """(states, 3): TOTAL, SIMULATIONS, WON"""


N, W, AMAF_N, AMAF_W = 0, 1, 2, 3
"""N(s,a) and N·Q; Ñ(s,a) and Ñ·Q̃; heuristic counts included."""
PRIOR, RANK, SHARE = 4, 5, 6
"""H(s,a) for the side to move, how many moves have a higher one, and its share of the odds: see widening.py."""
CHILD, VISITS = 0, 1
"""The state a move leads to, or one of the words below; N(s,a) without the heuristic's count."""
PROOF = 2
"""Who is proven to win after a move: 0 nobody, 1 Black, 2 White: see proof.py."""
TOTAL, SIMULATIONS, WON = 0, 1, 2
"""N(s) = Σ N(s,a) (52); how many simulations passed through s (0: it is new), and the sum of their outcomes."""

PRUNED, ILLEGAL, UNEXPANDED = -2, -1, 0
"""What CHILD says of a move that leads to no node; only moves with UNEXPANDED or a node are tried."""


def point_count(size: int) -> int:
    """The length of arrays by point: see go/board.py."""
    return (size + 2) * (size + 1) + 1


MOST_POINTS, LONGEST = point_count(MAX_SIZE), longest(MAX_SIZE)

THREAD_DTYPE = record_dtype(
    [
        ("free_at", "i8"),  # this thread's share of the tree's list of free nodes: the next one,
        ("free_end", "i8"),  # and where the share ends
        ("full", "i8"),  # not 0 if a node was wanted and none was left
        ("simulations", "i8"),  # of this position so far
        ("moves_in_tree", "i8"),  # the depths of all simulations, added up
        ("made_new", "u8"),  # 1 if this simulation made the last node of its path
        ("depth", "u8"),  # moves on `path`
        ("lead", "i8"),  # Black's area less White's at the end of this simulation
        ("path", "i4", (LONGEST,)),  # the states s₀ … s_T of this simulation
        ("moves", "u2", (LONGEST,)),  # and the move a_t made in each
        ("keys", "u8", (LONGEST,)),  # the positions met, as superko compares them
        ("plays", "u1", (MOST_POINTS,)),  # by point: bits of the colours whose later play counts for AMAF
        ("times", "f8", (2, MOST_POINTS)),  # by colour and point: when that play came, as `amaf_weight` needs it
        ("values", "f8", (MOST_POINTS,)),  # of the moves of a state, for the side to move
        ("prior", "f8", (MOST_POINTS,)),  # H(s,a) of a new node, for the side to move,
        ("prior_n", "f8", (MOST_POINTS,)),  # and how much it is trusted
        ("reasons", "u1", (MOST_POINTS,)),  # and the rule behind it
        ("critical", "f8", (MOST_POINTS,)),  # c of every point, as this thread has seen it: see criticality.py
        ("owners", "u1", (MOST_POINTS,)),  # scratch of the area count
        ("stack", "u2", (MOST_POINTS,)),
    ]
)

OWNED, LEAD_N, LEAD_SUM, LEAD_SQUARES, REALLY_WON, ACCOUNT_ROWS = 0, 3, 4, 5, 6, 7
"""Rows of a thread's account of final positions, by point: who owned it in games drawn (OWNED), won by Black
(OWNED + 1) and by White (OWNED + 2), with the number of games in the place of the pass; and for the root's moves how
many simulations began with it, the sums of their leads and squared leads, and twice Black's wins by the rules' komi."""

FEATURES = ("even", "save", "pattern", "capture", "self_atari", "eye", "give_up", "near_1", "near_2", "near_3",
            "line_1", "line_2", "line_3")  # fmt: skip
"""What `heuristic = evidence` looks at, in the order of `parameters.evidence`: see evidence.py."""

PARAMETERS_DTYPE = record_dtype(
    [
        # the position
        ("root", "i8"),
        ("colour", "u8"),  # to move at the root
        ("passes", "u8"),  # in a row before the root
        ("komi", "f8"),  # as the search counts
        ("real_komi", "f8"),  # as the rules have it: see komi.py
        ("superko", "u8"),  # 0 none, 1 positional, 2 situational
        ("stride", "u8"),  # from a point to the one below it
        # the configuration: see SearchConfig
        ("randomness", "f8"),
        ("alpha", "f8"),
        ("plies", "u8"),
        ("decay", "f8"),
        ("greedy_plies", "u8"),
        ("schedule", "i8"),
        ("equivalence", "f8"),
        ("bias", "f8"),
        ("amaf", "i8"),
        ("amaf_weight", "i8"),
        ("amaf_half_life", "f8"),
        ("exploration", "f8"),
        ("exploration_after", "i8"),
        ("bonus", "i8"),
        ("fpu", "f8"),
        ("fpu_grandfather", "i8"),
        ("neighbours", "f8"),
        ("allocation", "i8"),
        ("pruning", "f8"),
        ("pruning_after", "i8"),
        ("heuristic", "i8"),
        ("depth", "i8"),
        ("prior_mc", "f8"),
        ("prior_amaf", "f8"),
        ("confidence", "i8"),
        ("progressive_bias", "f8"),
        ("puct", "f8"),
        ("widening", "f8"),
        ("widening_growth", "f8"),
        ("widening_first", "i8"),
        ("criticality", "f8"),
        ("criticality_after", "i8"),
        ("expand", "i8"),
        ("expand_after", "i8"),
        ("moves", "i8"),
        ("select", "i8"),
        ("max_weight", "f8"),
        ("outcome", "i8"),
        ("solver", "i8"),
        ("final_errors", "f8"),
        ("final_share", "f8"),
        ("virtual_loss", "i8"),
        ("owning", "i8"),  # whether to add up who owns each point in the end, for whoever asks
        ("collecting", "i8"),  # the same, for the search's own purposes
        ("evidence", "f8", (len(FEATURES), 2)),  # value and count of each feature
    ]
)
