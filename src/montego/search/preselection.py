"""Pre-selection of moves by knowledge (B&C06 §III.C, figure 2), as kernels: the heuristic `indigo`, the N_select best.

The urgency of a move is the sum of what its 3×3 pattern and the strings around it bring, as in Indigo's playouts; but
here every string of one or two liberties is read to the end of its ladders, and the pattern counts the more or less by
the place it is in. H = u / (1 + u): an ordinary move has ½. The numbers are in knowledge.py.
"""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U3, U, jit
from montego.go.board import in_atari, last_liberty
from montego.go.ladder import CAPTURED, is_caught_after, read_ladder
from montego.go.tactics import chain_liberties, is_capture, is_legal, open_sides
from montego.go.trial import take_back, try_move
from montego.search.knowledge import knowledge_of
from montego.search.places import distance, is_alone, line_of
from montego.search.policy import argmax
from montego.search.records import CHILD, ILLEGAL, PRUNED, UNEXPANDED

_MOST_NODES = U(300)
"""Moves of a ladder that are read; what takes more has escaped."""


@jit
def _is_caught(board, memory, string):
    """Whether ataris catch a string if the other side is to move."""
    return read_ladder(board, memory.ladder[U0], string, False, _MOST_NODES) == CAPTURED


@jit
def _is_caught_after(board, memory, p, mover, string):
    """The same after a move, the other side to answer."""
    return is_caught_after(board, memory.ladder[U0], p, mover, string, _MOST_NODES)


@jit
def _defend(board, memory, string, urgency):
    """Add an urgency to the moves of its owner that save a string of one or two liberties. Returns how many there are.

    They are on its own liberties, or on the last one of a hostile neighbour.
    """
    stride, owner, found = U(board.pitch.size), U(board.colour[string]), U0
    s = string
    while True:
        for q in (s - stride, s - U1, s + U1, s + stride):
            stone, p = U(board.colour[q]), U0
            if stone == U0:
                p = q
            elif stone == U3 - owner and in_atari(board.liberties[board.chain[q]]):
                p = last_liberty(board.liberties[board.chain[q]])
            if p != U0 and U(memory.looked_at[p]) != string:
                memory.looked_at[p] = string
                if is_legal(board, p, owner) and not _is_caught_after(board, memory, p, owner, string):
                    memory.gain[p] += urgency
                    found += U1
        s = U(board.next_stone[s])
        if s == string:
            return found


@jit
def _attack(board, memory, string, a, b, colour):
    """Add the urgency of catching a hostile string to those of its liberties a and b (0: none) where that works."""
    stones = np.float64(board.stones[string])
    at_a = is_legal(board, a, colour) and _is_caught_after(board, memory, a, colour, string)
    at_b = b != U0 and is_legal(board, b, colour) and _is_caught_after(board, memory, b, colour, string)
    if at_a or at_b:
        can_be_saved = _defend(board, memory, string, 0.0) != U0
        urgency = stones * (memory.capture if can_be_saved else memory.remove)
        memory.gain[a] += urgency if at_a else 0.0
        memory.gain[b] += urgency if at_b else 0.0


@jit
def _read_strings(board, memory, colour):
    """What the strings of one and two liberties bring to each point."""
    memory.gain[:] = 0.0
    memory.looked_at[:] = 0
    for string in range(U1, U(board.colour.size)):
        if U(board.chain[string]) == string:
            found, a, b = chain_liberties(board, string)
            if found >= U3:
                continue
            if U(board.colour[string]) != colour:
                _attack(board, memory, string, a, b, colour)
            elif _is_caught(board, memory, string):
                _defend(board, memory, string, memory.save * np.float64(board.stones[string]))


@jit
def _is_lost(board, memory, p, colour):
    """Whether the string that a move makes is in atari, or in a ladder that works; a capture is not looked at."""
    if open_sides(U(board.code[p])) >= U3 or is_capture(board, p, colour):
        return False
    try_move(board, memory.ladder[U0], p, colour)
    lost = chain_liberties(board, p)[0] < U3 and _is_caught(board, memory, p)
    take_back(board, memory.ladder[U0])
    return lost


@jit
def _place(board, memory, p):
    """How much the place of a move speaks for it: a factor."""
    factor = memory.line[line_of(board, p)] if is_alone(board, p) else 1.0
    if board.last != U0:
        apart = distance(board, p, board.last)
        if apart <= 3:
            factor *= memory.beside
        elif apart == 4:
            factor *= memory.near
        elif apart <= 6:
            factor *= memory.around
    return factor


@jit
def _urgency(board, memory, p, colour):
    if _is_lost(board, memory, p, colour):
        return memory.gain[p] + memory.lost
    pattern = np.float64(memory.pattern[colour - U1, board.code[p]])
    return memory.gain[p] + max(memory.least, pattern * _place(board, memory, p))


@jit
def indigo(board, tree, s, older, work, tables, thread, parameters, colour):
    """H of every move by knowledge alone; 0 for what is no move, and for eyes of one's own."""
    memory, child = knowledge_of(board, work.knowledge), tree.links[s, CHILD]
    _read_strings(board, memory, colour)
    thread.prior[:] = 0.0
    thread.prior_n[:] = 1.0
    i = U0
    while i < board.empty_count:
        p = U(board.empty[i])
        fills_eye = (U(tables.facts[board.code[p]]) >> colour) & U1 != U0
        if child[p] >= 0 and not fills_eye:
            u = _urgency(board, memory, p, colour)
            thread.prior[p] = u / (1.0 + u)
        i += U1
    thread.prior[U0] = memory.passing / (1.0 + memory.passing)
    return 0


@jit
def select_best(tree, s, thread, parameters, rng):
    """Leave a state the `select` moves of the highest H, ties broken by the generator. Returns its state.

    A pass is tried beside them, unless all of them are better.
    """
    child = tree.links[s, CHILD]
    values, passing = thread.values[: child.size], child[U0]
    for p in range(U(child.size)):
        values[p] = thread.prior[p] if child[p] >= 0 and p != U0 else -np.inf
        child[p] = ILLEGAL
    worst = -np.inf
    for _ in range(parameters.select):
        p, rng = argmax(values, rng)
        worst = values[p]
        if worst == -np.inf:
            break
        child[p] = UNEXPANDED
        values[p] = -np.inf
    if passing >= 0:
        child[U0] = PRUNED if worst > thread.prior[U0] else UNEXPANDED
    return rng
