"""TD learning of the value function from games against itself, as kernels (G&S07 §4).

A game is played with the weights as they are, ε-greedy in the values of afterstates, and learned from when it is over.
Black maximises V, White minimises it. A state of the game is the position after a move.
"""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U2, U3, jit, record_dtype
from montego.playout.greedy import choose, make_move
from montego.playout.loop import final_lead
from montego.playout.policies import policy_move
from montego.shape.learning import learn_from_game, remember
from montego.shape.value import scan, sigmoid

LEARNING_DTYPE = record_dtype(
    [
        ("alpha", "f8"),  # the step α
        ("epsilon", "f8"),  # share of moves played at random
        ("decay", "f8"),  # λ of TD(λ)
        ("plies", "u8"),  # between a state and the one it learns from: 1, or 2 for the same side to move
        ("max_length", "u8"),  # a game is cut off here, and counted as it stands
        ("komi", "f8"),
    ]
)

GAMES, MOVES, ERRORS, WINS = 0, 1, 2, 3
"""Of `totals`: games, moves, the sum of squared TD errors, games won by Black (or by the learner)."""


@jit
def play_game(board, work, tables, state, layout, weights, links, learning, states, values, sums):
    """A game from the empty board; states[t] and values[t] are those after move t. Returns its length and outcome."""
    scan(state, layout, weights, links, board)
    colour, passes, t = U1, U0, U0
    while passes < U2 and t < learning.max_length:
        p = choose(board, work, tables, state, layout, weights, links, sums, colour, learning.epsilon)
        make_move(board, state, layout, weights, links, p, colour)
        passes = passes + U1 if p == U0 else U0
        remember(state, states, t)
        values[t] = sigmoid(state.total)
        colour = U3 - colour
        t += U1
    lead = np.float64(final_lead(board)) - learning.komi
    return t, 1.0 if lead > 0.0 else (0.5 if lead == 0.0 else 0.0)


@jit
def learn_games(count, boards, work, tables, state, layout, weights, links, learning, states, values, sums, totals):
    """Play boards[0] `count` times on boards[1], and learn from each game. values: twice as long as a game."""
    for _ in range(count):
        boards[1] = boards[0]
        length, z = play_game(boards[1], work, tables, state, layout, weights, links, learning, states, values, sums)
        totals[ERRORS] += learn_from_game(states, values, length, z, weights, links, learning)
        totals[GAMES] += 1.0
        totals[MOVES] += np.float64(length)
        totals[WINS] += z


@jit
def test_games(count, boards, work, tables, state, layout, weights, links, learning, sums, totals):
    """Games of the greedy learner against the default policy in `work`, with Black in turn. WINS are the learner's."""
    board = boards[1]
    for game in range(count):
        boards[1] = boards[0]
        scan(state, layout, weights, links, board)
        learner = U1 if game & 1 == 0 else U2
        colour, passes, t = U1, U0, U0
        while passes < U2 and t < learning.max_length:
            if colour == learner:
                p = choose(board, work, tables, state, layout, weights, links, sums, colour, 0.0)
            else:
                p, _ = policy_move(board, work, tables, colour)
            make_move(board, state, layout, weights, links, p, colour)
            passes = passes + U1 if p == U0 else U0
            colour = U3 - colour
            t += U1
        lead = np.float64(final_lead(board)) - learning.komi
        totals[GAMES] += 1.0
        totals[MOVES] += np.float64(t)
        totals[WINS] += np.float64((lead > 0.0) == (learner == U1))
