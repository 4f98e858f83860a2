"""Players: whatever chooses a move in a game."""

from __future__ import annotations

from typing import Any

from montego.players.presets import configured, find_preset, parse_spec
from montego.players.search import SearchPlayer
from montego.search.own import ARGUMENTS, OwnParts


def player(
    preset: str = "house",
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int = 0,
    **overrides: Any,
) -> SearchPlayer:
    """A player by the name of its preset, thinking for a number of simulations or seconds a move.

    Any field of the preset's SearchConfig may be overridden, here or in the name: player("house:bias=0.01"). `policy`,
    `heuristic` and `tree_policy` may also be functions of one's own (see search/accessors.py), `heuristic` a
    HeuristicTable.
    """
    name, changes = parse_spec(preset)
    overrides = {**changes, **overrides}
    own = {field: overrides.pop(field) for field in ARGUMENTS if is_own(field, overrides.get(field))}
    config = configured(find_preset(name), overrides)
    return SearchPlayer(preset, config, simulations, seconds, threads, seed, OwnParts(**own))


def is_own(field: str, part: Any) -> bool:
    """Whether a part is a user's own rather than the name of a built-in one; there are no names of tree policies."""
    return part is not None and (field == "tree_policy" or not isinstance(part, str))
