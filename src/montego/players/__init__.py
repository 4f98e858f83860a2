"""Players: whatever chooses a move in a game."""

from __future__ import annotations

from typing import Any

from montego.players.presets import configured, find_preset, parse_spec
from montego.players.search import SearchPlayer


def player(
    preset: str = "house",
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int = 0,
    **overrides: Any,
) -> SearchPlayer:
    """A player by the name of its preset, thinking for a number of simulations or seconds a move.

    Any field of the preset's SearchConfig may be overridden, here or in the name: player("house:bias=0.01").
    """
    name, changes = parse_spec(preset)
    config = configured(find_preset(name), {**changes, **overrides})
    return SearchPlayer(preset, config, simulations, seconds, threads, seed)
