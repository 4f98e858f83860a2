"""The player that solves the forced positions (see positions/README.md)."""

from __future__ import annotations

import montego

SIMULATIONS = 20_000


def choose(game: montego.Game) -> str:
    """The vertex that `house` plays, or "pass"; a new player each time, so that no position depends on another."""
    return montego.player("house", simulations=SIMULATIONS, seed=1).choose(game).vertex
