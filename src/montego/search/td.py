"""TD search as kernels (Silver, Sutton & Müller 2012; RLGO 2.4 in G&S11 §3.4).

A simulation is a game of self-play from the position: ε-greedy in the learned value at first, then with the default
policy. All its states are learned from when it is over, by the update of training. There is no tree: the root has the
mean outcomes of its moves, and Q̃ is their learned value.
"""

from __future__ import annotations

import numpy as np

from montego._intrinsics import call
from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.regions import area_lead
from montego.playout.greedy import epsilon_move, make_move
from montego.playout.policies import sensible_moves
from montego.search.loop import BACKUP, add_final, default_move, outcome
from montego.search.records import AMAF_N, AMAF_W, CHILD
from montego.shape.learning import learn_from_game, remember
from montego.shape.value import DIRECT, afterstate, follow, scan, sigmoid


@jit
def _moves_of_root(board, tree, root, work):
    """List the moves of the root as candidates, the pass left out. Returns how many."""
    child, count, i = tree.links[root, CHILD], U0, U0
    while i < board.empty_count:
        p = U(board.empty[i])
        work.candidates[count] = p
        count += U(child[p] >= 0)
        i += U1
    return count


@jit
def _greedy_move(board, work, count, parameters, state, layout, weights, sums, colour):
    """An ε-greedy move among the candidates, a pass if there is none, played."""
    p = U0
    if count != U0:
        p, _, work.rng = epsilon_move(
            board, work, state, layout, weights, DIRECT, sums, count, colour, parameters.randomness, work.rng
        )
    make_move(board, state, layout, weights, DIRECT, p, colour)
    return p


@jit
def _default_move(board, work, tables, parts, state, layout, weights, colour, passes):
    """A move of the default policy, played."""
    first_captured = board.empty_count - U1
    p = default_move(board, work, tables, parts, colour, passes)
    if p != U0:
        follow(state, layout, weights, DIRECT, board, p, colour, first_captured)
    return p


@jit
def _simulate(board, tree, work, tables, thread, parameters, parts, state, layout, weights, states, values, sums):
    """A game from the root; states[t] and values[t] are those after move t. Returns how many moves it had."""
    scan(state, layout, weights, DIRECT, board)
    colour, passes, t = parameters.colour, parameters.passes, U0
    while passes < U2 and t < work.max_length:
        if t == U0:
            count = _moves_of_root(board, tree, parameters.root, work)
            p = _greedy_move(board, work, count, parameters, state, layout, weights, sums, colour)
            thread.moves[U0] = p
        elif t < parameters.greedy_plies:
            count = sensible_moves(board, work, tables, colour)
            p = _greedy_move(board, work, count, parameters, state, layout, weights, sums, colour)
        else:
            p = _default_move(board, work, tables, parts, state, layout, weights, colour, passes)
        remember(state, states, t)
        values[t] = sigmoid(state.total)
        passes = passes + U1 if p == U0 else U0
        colour = U3 - colour
        t += U1
    return t


@jit
def _back_up(tree, work, thread, parameters, parts, z):
    """The outcome of a game goes to its first move, as if the root had just been made."""
    thread.path[U0] = parameters.root
    thread.depth, thread.made_new = U1, U1
    call(parts[BACKUP], 0, (tree, work.moves[:U0], thread, parameters, parameters.colour, z))
    thread.simulations += 1
    thread.moves_in_tree += 1


@jit
def td_search(count, boards, tree, work, tables, thread, parameters, parts, account, state, layout, weights, states,
              values, sums):  # fmt: skip
    """Simulate and learn `count` times from boards[0]; boards[1] is scratch. account: see loop.run."""
    board = boards[1]
    area = np.float64(board.rows.size * board.rows.size)
    for _ in range(count):
        boards[1] = boards[0]
        length = _simulate(
            board, tree, work, tables, thread, parameters, parts, state, layout, weights, states, values, sums
        )
        thread.lead = np.int64(area_lead(board, thread.owners[: board.colour.size], thread.stack))
        z = outcome(np.float64(thread.lead), parameters, area)
        learn_from_game(states, values, length, z, weights, DIRECT, parameters)
        _back_up(tree, work, thread, parameters, parts, z)
        if parameters.owning != 0:
            add_final(board, thread, account, parameters)
    return count


@jit
def judge_moves(board, tree, s, state, layout, weights, colour):
    """Q̃(s,a) = V of the position after each move of a state; a pass is the last resort."""
    stats, child, others = tree.stats[s], tree.links[s, CHILD], U0
    scan(state, layout, weights, DIRECT, board)
    i = U0
    while i < board.empty_count:
        p = U(board.empty[i])
        if child[p] >= 0:
            value = sigmoid(afterstate(state, layout, weights, DIRECT, board, p, colour))
            stats[AMAF_W, p] = stats[AMAF_N, p] * value
            others += U1
        i += U1
    worst = 0.0 if colour == U1 else 1.0
    stats[AMAF_W, U0] = stats[AMAF_N, U0] * (worst if others != U0 else sigmoid(state.total))
