"""Learning the value function as kernels: TD(λ) after a game, of training or of a simulation (G&S07 §4, G&S11 §3.4).

What is learned are the weights in either of the forms of value.py: the doubled weights with `links`, or, with `DIRECT`,
a table in which every raw feature has a weight of its own.
"""

from __future__ import annotations

import numpy as np

from montego._jit import U0, U1, U, jit
from montego.shape.value import sigmoid, weight_of


@jit
def remember(state, states, t):
    """Keep a state's active features: states[t], of an array uint32 (states, windows)."""
    i = U0
    while i < U(state.raw.size):
        states[t, i] = state.raw[i]
        i += U1


@jit
def remembered_sum(states, t, weights, links):
    """φ·θ of a remembered state, with the weights as they are now."""
    total = 0.0
    i = U0
    while i < U(states.shape[1]):
        total += weight_of(U(states[t, i]), weights, links)
        i += U1
    return total


@jit(inline=True)
def _active(raw, links):
    """How many weights a raw feature has."""
    if links.ndim == 1:
        return U1
    return U(links[raw, U0] > U1) + U(links[raw, U1] > U1)


@jit(inline=True)
def _change(weights, at, step):
    if at > U1:  # the first pair is nobody's, and stays 0
        weights[at] += step
        weights[at ^ U1] -= step


@jit(inline=True)
def _learn(raw, weights, links, step):
    """Change the weights of an active raw feature."""
    if links.ndim == 1:
        weights[raw] += step
    else:
        _change(weights, U(links[raw, U0]), step)
        _change(weights, U(links[raw, U1]), step)


@jit
def td_update(states, t, weights, links, target, alpha):
    """Δθᵢ = (α / |φ|) · δ · φᵢ with δ = target − σ(φ·θ), for the remembered state t (G&S07 §4). Returns δ.

    With the cross-entropy loss there is no factor σ′. |φ| is the number of active features that have a weight, each
    counted in both sets. φᵢ adds up all the features that share the weight i, with their signs.
    """
    total, active = 0.0, U0
    i = U0
    while i < U(states.shape[1]):
        raw = U(states[t, i])
        total += weight_of(raw, weights, links)
        active += _active(raw, links)
        i += U1
    delta = target - sigmoid(total)
    step = alpha * delta / np.float64(max(active, U1))
    i = U0
    while i < U(states.shape[1]):
        _learn(U(states[t, i]), weights, links, step)
        i += U1
    return delta


@jit
def learn_from_game(states, values, length, z, weights, links, learning):
    """TD(λ): state t moves towards G_t = (1 − λ) V(s_{t+k}) + λ G_{t+k}, and towards z at the end; k is `plies`.

    Values are those the game was played with; they are overwritten. With λ = 0 this is TD(0). Returns Σδ².
    """
    plies, decay = learning.plies, learning.decay
    t = length
    while t > U0:
        t -= U1
        # values[t] is needed as it is until t − k has looked at it, so the return of t goes behind the game
        if t + plies >= length:
            values[length + t] = z
        else:
            values[length + t] = (1.0 - decay) * values[t + plies] + decay * values[length + t + plies]
    squares = 0.0
    while t < length:
        delta = td_update(states, t, weights, links, values[length + t], learning.alpha)
        squares += delta * delta
        t += U1
    return squares
