"""The value function of RLGO as kernels: V(s) = σ(φ(s)·θ), the probability that Black wins (G&S07 §4).

A `state` record follows a board. It holds the active raw feature of every window and the sum φ·θ; a stone changes the
few windows around it. Its move's *afterstate* is evaluated from the same windows, without playing the move.

The weights come in one of two forms, as the arrays `weights` and `links`:
- to learn: the doubled weights of `Features.new_weights` with `Features.links`, two look-ups for each of two weights;
- fixed: the table that `expand` makes, with `DIRECT`, one look-up a window and about half the time.
Either may be float32 or float64; sums are float64. After a change of the weights, `evaluate` brings a state up to date.

Sums are from Black's point of view throughout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from montego._jit import U0, U1, U3, U, jit, record_dtype
from montego.go.board import in_atari
from montego.go.tactics import is_capture
from montego.shape.features import Features

DIRECT: np.ndarray[Any, np.dtype[np.uint32]] = np.zeros(0, np.uint32)
"""In place of `links` where the weights are an expanded table."""


def state_dtype(features: Features) -> np.dtype[Any]:
    windows = len(features.layout[0].origin)
    return record_dtype(
        [
            ("total", "f8"),  # φ·θ
            ("raw", "u4", (windows,)),  # the active feature of every window: a row of `links`, an entry of the table
            ("part", "f8", (windows,)),  # and what it adds to the sum
        ]
    )


def new_state(features: Features) -> Any:
    """A state record; `scan` fills it."""
    return np.zeros(1, state_dtype(features))[0]


@jit(inline=True)
def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


@jit(inline=True)
def weight_of(raw, weights, links):
    """What an active raw feature adds to φ·θ: its location-dependent and its location-independent weight."""
    if links.ndim == 1:  # a constant: numba drops the branch not taken
        return np.float64(weights[raw])
    return np.float64(weights[links[raw, U0]]) + np.float64(weights[links[raw, U1]])


@jit
def expand(weights, links, table):
    """The weight of every raw feature, (table entries,): what fixed weights are read from."""
    raw = U0
    while raw < U(table.size):
        table[raw] = weight_of(raw, weights, links)
        raw += U1


# --- a state that follows a board -------------------------------------------------------------------------------


@jit
def evaluate(state, weights, links):
    """Add up φ·θ anew: the features stand, the weights have changed."""
    total = 0.0
    i = U0
    while i < U(state.raw.size):
        part = weight_of(U(state.raw[i]), weights, links)
        state.part[i] = part
        total += part
        i += U1
    state.total = total


@jit
def scan(state, layout, weights, links, board):
    """The state of any board, from its stones."""
    i = U0
    while i < U(state.raw.size):
        state.raw[i] = layout.origin[i]
        i += U1
    p = U0
    while p < U(board.colour.size):
        colour = U(board.colour[p])
        if colour != U0:  # the border is in no window
            i, end = U(layout.first[p]), U(layout.first[p + U1])
            while i < end:
                state.raw[layout.window[i]] += colour * U(layout.power[i])
                i += U1
        p += U1
    evaluate(state, weights, links)


@jit(inline=True)
def _add(state, layout, weights, links, p, change):
    """The stone at p changes by `change`: the colour that appears there, or 2⁶⁴ less the colour that goes."""
    total = state.total
    i, end = U(layout.first[p]), U(layout.first[p + U1])
    while i < end:
        w = U(layout.window[i])
        raw = U(state.raw[w]) + change * U(layout.power[i])
        part = weight_of(raw, weights, links)
        total += part - state.part[w]
        state.raw[w] = raw
        state.part[w] = part
        i += U1
    state.total = total


@jit
def place_stone(state, layout, weights, links, p, colour):
    _add(state, layout, weights, links, p, colour)


@jit
def remove_stone(state, layout, weights, links, p, colour):
    _add(state, layout, weights, links, p, U0 - colour)


@jit
def follow(state, layout, weights, links, board, p, colour, first_captured):
    """Bring the state up to date after `play` or `place` of the move p (not a pass, not suicide).

    first_captured: board.empty_count − 1 before the move. Captured points are appended to the empty ones.
    """
    _add(state, layout, weights, links, p, colour)
    i = first_captured
    while i < board.empty_count:
        _add(state, layout, weights, links, U(board.empty[i]), U0 - (U3 - colour))
        i += U1


# --- afterstates ------------------------------------------------------------------------------------------------


@jit
def _add_prey(state, layout, weights, links, board, p, colour, sign):
    """Add `sign` times the stones that the move p takes."""
    stride, other = U(board.pitch.size), U3 - colour
    a, b, c = U0, U0, U0
    for q in (p - stride, p - U1, p + U1, p + stride):
        chain = U(board.chain[q])
        if U(board.colour[q]) == other and in_atari(board.liberties[chain]):
            if chain != a and chain != b and chain != c:
                s = q
                while True:
                    _add(state, layout, weights, links, s, sign * other)
                    s = U(board.next_stone[s])
                    if s == q:
                        break
            a, b, c = b, c, chain


@jit
def _after_capture(state, layout, weights, links, board, p, colour):
    """Do it, look, undo it: captured stones share windows with the move and with each other. Rare enough."""
    before = state.total
    _add(state, layout, weights, links, p, colour)
    _add_prey(state, layout, weights, links, board, p, colour, U0 - U1)
    after = state.total
    _add_prey(state, layout, weights, links, board, p, colour, U1)
    _add(state, layout, weights, links, p, U0 - colour)
    state.total = before  # not what rounding made of it
    return after


@jit(inline=True)
def afterstate(state, layout, weights, links, board, p, colour):
    """φ·θ after the move p of either colour, captures included: legal, not suicide. Nothing is changed."""
    if is_capture(board, p, colour):
        return _after_capture(state, layout, weights, links, board, p, colour)
    total = state.total
    i, end = U(layout.first[p]), U(layout.first[p + U1])
    while i < end:
        w = U(layout.window[i])
        total += weight_of(U(state.raw[w]) + colour * U(layout.power[i]), weights, links) - state.part[w]
        i += U1
    return total


@jit
def afterstates(state, layout, weights, links, board, colour, moves, count, sums):
    """sums[i] = φ·θ after moves[i], for the first `count` moves of a list of points."""
    i = U0
    while i < count:
        sums[i] = afterstate(state, layout, weights, links, board, U(moves[i]), colour)
        i += U1
