"""Proven wins and losses in the tree, as kernels (MCTS-Solver: Winands, Björnsson & Saito 2008). They know no board.

Two passes in the tree end the game, and its score is exact. A move that leads to a state won for its player is a proven
win; a state all of whose moves are proven losses is lost, and the move that led there won. A state is the sequence of
moves that led to it, so superko and ko are part of what is proven.

A proof is about the game as it is searched: area counts, with every stone on the board alive, and only the moves of a
node are moves (no suicide; with `moves = sensible` no own eye filled). A drawn game proves nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from montego._jit import U0, U1, U2, U3, U, jit
from montego.search.records import CHILD, ILLEGAL, PROOF, Tree


@jit
def is_lost(tree, s, colour):
    """Whether every move of a state is a proven loss for `colour`, to move; what has been given up is not."""
    child, proof, lost = tree.links[s, CHILD], tree.links[s, PROOF], True
    other = np.int32(U3 - colour)
    for p in range(U(child.size)):
        lost &= (child[p] == ILLEGAL) | (proof[p] == other)
    return lost


@jit
def back_up_proof(tree, thread, parameters):
    """The game has ended on the path of a simulation: what that proves, from its last move to the root."""
    lead = np.float64(thread.lead)
    if lead == parameters.komi:
        return
    winner = U1 if lead > parameters.komi else U2
    t = thread.depth
    mover = parameters.colour if (t & U1) == U1 else U3 - parameters.colour  # of the last move
    while t > U0:
        t -= U1
        s = thread.path[t]
        tree.links[s, PROOF, thread.moves[t]] = np.int32(winner)
        if mover != winner and not is_lost(tree, s, mover):
            return
        mover = U3 - mover


@jit
def heed_proofs(tree, s, values, colour):
    """A proven win is chosen at once, a proven loss only where there is nothing else."""
    child, proof = tree.links[s, CHILD], tree.links[s, PROOF]
    own, other, is_open = np.int32(colour), np.int32(U3 - colour), False
    for p in range(U(values.size)):
        is_open |= (child[p] >= 0) & (proof[p] != other)
    for p in range(U(values.size)):
        value = np.inf if proof[p] == own else values[p]
        out = (child[p] < 0) | (is_open & (proof[p] == other))
        values[p] = -np.inf if out else value


@jit
def proven_outcome(tree, thread, z):
    """z of a simulation, or what has been proven of the last move on its path of which something has."""
    t = thread.depth
    while t > U0:
        t -= U1
        winner = tree.links[thread.path[t], PROOF, thread.moves[t]]
        if winner != 0:
            return 1.0 if winner == 1 else 0.0
    return z


def proofs(tree: Tree, s: int, colour: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    """By point, what is proven of a state's moves: +1 won for `colour`, to move, −1 lost, 0 nothing."""
    if tree.links.shape[1] <= PROOF:
        return np.zeros(tree.links.shape[2], np.int8)
    winner = tree.links[s, PROOF]
    made = np.where(winner == 0, 0, np.where(winner == colour, 1, -1)).astype(np.int8)
    made[tree.links[s, CHILD] == ILLEGAL] = 0
    return made


def winner_of(tree: Tree, s: int, colour: int) -> int:
    """Who is proven to win a state with `colour` to move; 0 if nothing is."""
    found = proofs(tree, s, colour)[tree.links[s, CHILD] != ILLEGAL]
    if (found == 1).any():
        return colour
    return 3 - colour if len(found) and (found == -1).all() else 0
