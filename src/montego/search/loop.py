"""The one loop of every tree search, as kernels named after Algorithms 1 and 2 of Gelly & Silver 2011.

A simulation: SimTree descends and expands, SimDefault plays out, Backup updates MC and AMAF values along the path.
The tree is a tree, not a graph: a state is the sequence of moves that led to it, so superko is a property of a state.

What can be exchanged, and what does not depend on the board size, is called by its address and compiled on its own:
`parts` holds the addresses of the playout, the heuristic (0: none), SelectMove and Backup.
"""

from __future__ import annotations

import numpy as np

from montego._intrinsics import call, publish
from montego._jit import U0, U1, U2, U3, U, jit
from montego.go.board import hash_after, pass_turn, play, zobrist
from montego.go.regions import area_lead
from montego.go.tactics import is_legal
from montego.playout.loop import add_ownership
from montego.search.backup import pretend_loss, prune_moves
from montego.search.criticality import add_criticality, look_again
from montego.search.heuristics import add_prior
from montego.search.preselection import select_best
from montego.search.proof import back_up_proof
from montego.search.records import (
    CHILD,
    ILLEGAL,
    LEAD_N,
    LEAD_SQUARES,
    LEAD_SUM,
    OWNED,
    REALLY_WON,
    SIMULATIONS,
    TOTAL,
    UNEXPANDED,
    VISITS,
    WON,
)
from montego.search.widening import keep_prior

EVERY, NEVER = 1, 2
DEFAULT_POLICY = 2
LEGAL, SELECTED = 0, 2
SCORE = 1

PLAYOUT, HEURISTIC, SELECT_MOVE, BACKUP = 0, 1, 2, 3

PRUNING_PERIOD = 64
"""Simulations between two looks at which moves can be given up."""


@jit
def clear_node(tree, s):
    """A state without moves, visits or values."""
    tree.stats[s, :, :] = 0.0
    tree.links[s, :, :] = 0
    tree.links[s, CHILD, :] = ILLEGAL
    tree.states[s, TOTAL] = 0.0
    tree.states[s, SIMULATIONS] = 0.0
    tree.states[s, WON] = 0.0


@jit
def list_moves(board, tree, s, tables, parameters, colour):
    """Make a new node of a position: its legal moves, or the sensible ones alone."""
    clear_node(tree, s)
    child = tree.links[s, CHILD]
    i = U0
    while i < board.empty_count:
        p = U(board.empty[i])
        fills_eye = (U(tables.facts[board.code[p]]) >> colour) & U1 != U0
        if not (parameters.moves != LEGAL and fills_eye) and is_legal(board, p, colour):
            child[p] = UNEXPANDED
        i += U1
    child[U0] = UNEXPANDED


@jit
def seed_moves(board, tree, s, older, work, tables, thread, parameters, parts, colour):
    """Give the moves of a new node values and counts from the heuristic (48)–(52), or leave but the best by it."""
    if parts[HEURISTIC] != U0:
        call(parts[HEURISTIC], 0, (board, tree, s, older, work, tables, thread, parameters, colour))
    if parameters.moves == SELECTED:
        work.rng = select_best(tree, s, thread, parameters, work.rng)
    if parameters.heuristic != 0:
        tree.states[s, TOTAL] = add_prior(tree, s, thread, parameters, colour)
    if parameters.progressive_bias > 0.0 or parameters.puct > 0.0 or parameters.widening > 0.0:
        work.rng = keep_prior(tree, s, thread, work.rng)
    if parameters.criticality > 0.0:
        add_criticality(tree, s, thread.critical, parameters.criticality, colour)


@jit
def new_node(board, tree, s, older, work, tables, thread, parameters, parts, colour):
    """NewNode of Algorithm 2."""
    list_moves(board, tree, s, tables, parameters, colour)
    seed_moves(board, tree, s, older, work, tables, thread, parameters, parts, colour)


@jit
def _repeats(key, history, keys):
    """Whether a position has been seen: in the game or on the way down from the root."""
    found = False
    for i in range(U(history.size)):
        found |= history[i] == key
    for i in range(U(keys.size)):
        found |= keys[i] == key
    return found


@jit
def _is_forbidden(board, p, colour, parameters, history, thread, depth):
    """Whether a move of the tree is against the rules after all: superko is looked at only when a move is tried."""
    if board.colour[p] != 0 or not is_legal(board, p, colour):
        return True
    thread.keys[depth] = U0
    if parameters.superko == U0:
        return False
    key = hash_after(board, p, colour)
    if parameters.superko == U2:
        key ^= zobrist(U0, U3 - colour)
    thread.keys[depth] = key
    return _repeats(key, history, thread.keys[:depth])


@jit
def expand(board, tree, free, s, p, work, tables, thread, parameters, parts, depth, colour):
    """The node that the move p of state s leads to, made if it is time and there is memory; 0 if there is none."""
    if parameters.expand == NEVER:
        return np.int64(0)
    if parameters.expand != EVERY and tree.links[s, VISITS, p] + 1 < parameters.expand_after:
        return np.int64(0)
    if thread.free_at >= thread.free_end:
        thread.full = 1
        return np.int64(0)
    made = np.int64(free[thread.free_at])
    thread.free_at += 1
    older = np.int64(thread.path[depth - U2]) if depth >= U2 else made
    new_node(board, tree, made, older, work, tables, thread, parameters, parts, colour)
    publish(tree.links[s, CHILD], p, np.int32(made))  # to other threads only now that it is complete
    return made


@jit
def default_move(board, work, tables, parts, colour, passes):
    """One move of the default policy, played. Returns it."""
    longest = work.max_length
    work.max_length, work.passes = U1, passes
    call(parts[PLAYOUT], 0, (board, work, tables, colour))
    work.max_length = longest
    return U(work.moves[U0])


@jit
def sim_tree(board, tree, free, work, tables, thread, parameters, parts, history):
    """SimTree: descend by the tree policy to a state that is new, or has no node yet, or where the game is over.

    Returns the colour to move there and how many passes have just been made. The path ends with the node made by
    this simulation if there is one: its move is the first of the default policy, filled in by `sim_default`.
    """
    colour, passes, depth = parameters.colour, parameters.passes, U0
    thread.made_new = U0
    s = parameters.root
    while passes < U2 and depth + U1 < U(thread.path.size):
        thread.path[depth] = s
        is_new = tree.states[s, SIMULATIONS] == 0.0 or parameters.allocation == DEFAULT_POLICY
        if is_new and parameters.expand != EVERY:
            thread.made_new = U1
            depth += U1
            break
        if is_new:
            p = default_move(board, work, tables, parts, colour, passes)
            thread.keys[depth] = U0
        else:
            p, work.rng = call(parts[SELECT_MOVE], (U0, U0), (tree, thread, parameters, depth, colour, work.rng))
            if p != U0 and _is_forbidden(board, p, colour, parameters, history, thread, depth):
                tree.links[s, CHILD, p] = ILLEGAL
                continue
            if p != U0:
                play(board, p, colour)
            else:
                situational = parameters.superko == U2
                thread.keys[depth] = board.hash ^ zobrist(U0, U3 - colour) if situational else U0
                pass_turn(board)
        thread.moves[depth] = p
        if parameters.virtual_loss != 0:
            pretend_loss(tree, s, p, colour, np.float64(parameters.virtual_loss))
        passes = passes + U1 if p == U0 else U0
        colour = U3 - colour
        depth += U1
        child = np.int64(tree.links[s, CHILD, p])
        if child <= 0 and passes < U2:
            child = expand(board, tree, free, s, p, work, tables, thread, parameters, parts, depth, colour)
        if child <= 0:
            break
        s = child
    thread.depth = depth
    return colour, passes


@jit
def outcome(lead, parameters, area):
    """z for Black: the result, or the lead on a scale where the whole board is 0 or 1."""
    if parameters.outcome == SCORE:
        return min(1.0, max(0.0, 0.5 + (lead - parameters.komi) / (2.0 * area)))
    return 0.5 + 0.5 * np.sign(lead - parameters.komi)


@jit
def sim_default(board, work, tables, thread, parameters, parts, colour, passes):
    """SimDefault: play the game out with the default policy. Returns z."""
    if passes >= U2:
        work.length = U0
        lead = np.int64(area_lead(board, thread.owners[: board.colour.size], thread.stack))
    else:
        work.passes = passes
        lead = call(parts[PLAYOUT], 0, (board, work, tables, colour))
        if thread.made_new != U0:
            thread.moves[thread.depth - U1] = work.moves[U0]
    thread.lead = lead
    return outcome(np.float64(lead), parameters, np.float64(board.rows.size * board.rows.size))


@jit
def add_final(board, thread, account, parameters):
    """Add the final position of a simulation to a thread's account: see records.py."""
    lead, row = np.float64(thread.lead), U(OWNED)
    row += U1 if lead > parameters.komi else (U2 if lead < parameters.komi else U0)
    add_ownership(board, account[row])
    account[row, U0] += 1
    if parameters.criticality > 0.0:
        look_again(account, thread, parameters)
    p = U(thread.moves[U0])
    account[REALLY_WON, p] += 1 + np.int64(lead > parameters.real_komi) - np.int64(lead < parameters.real_komi)
    account[LEAD_N, p] += 1
    account[LEAD_SUM, p] += thread.lead
    account[LEAD_SQUARES, p] += thread.lead * thread.lead


@jit
def run(count, boards, tree, free, work, tables, thread, parameters, parts, history, account, squares):
    """Simulate `count` times from boards[0]; boards[1] is scratch. All memory but the tree is the thread's own.

    account: sums of final positions, by point; squares: sums of z² of the root's moves, for pruning. Returns how many
    were done: it stops where a node was wanted and none was left, and where pruning has left a single move.
    """
    board = boards[1]
    for done in range(count):
        boards[1] = boards[0]
        colour, passes = sim_tree(board, tree, free, work, tables, thread, parameters, parts, history)
        z = sim_default(board, work, tables, thread, parameters, parts, colour, passes)
        if parameters.solver != 0 and passes >= U2 and thread.depth > U0:
            back_up_proof(tree, thread, parameters)
        call(parts[BACKUP], 0, (tree, work.moves[: work.length], thread, parameters, colour, z))
        thread.simulations += 1
        thread.moves_in_tree += np.int64(thread.depth)
        if parameters.owning != 0 or parameters.collecting != 0:
            add_final(board, thread, account, parameters)
        if parameters.pruning > 0.0 and thread.depth > U0:
            squares[thread.moves[U0]] += z * z
            if thread.simulations % PRUNING_PERIOD == 0 and prune_moves(tree, squares, parameters) <= 1:
                return done + 1
        if thread.full != 0:
            return done + 1
    return count
