"""Players: whatever chooses a move in a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.players.search import SearchPlayer

# What searches is loaded when a player is made: a process that leaves the search to another one does without.
_CONDUCT = {"softness": 0.0, "resign_below": 0.0, "friendly": False}


def player(
    preset: str = "house",
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int = 0,
    **overrides: Any,
) -> SearchPlayer:
    """A player by the name of its preset or level, thinking for a number of simulations or seconds a move.

    Any field of the preset's SearchConfig or of Conduct may be overridden, here or in the name:
    player("house:bias=0.01"). The name may also hold the limit, which then is the player's own, whatever is given here:
    "house:simulations=3000"; a level such as "8k" has one. `policy`, `heuristic` and `tree_policy` may be functions of
    one's own (see search/accessors.py), `heuristic` a HeuristicTable.
    """
    from montego.players.conduct import Conduct
    from montego.players.presets import configured, find_preset
    from montego.players.search import SearchPlayer
    from montego.players.spec import expanded, limits_of, read_as
    from montego.search.own import ARGUMENTS, OwnParts

    name, changes = expanded(preset)
    limits = limits_of(changes)
    if limits:
        simulations, seconds = limits.get("simulations"), limits.get("seconds")
    overrides = {**changes, **overrides}
    own = {field: overrides.pop(field) for field in ARGUMENTS if is_own(field, overrides.get(field))}
    manners = {field: overrides.pop(field) for field in _CONDUCT if field in overrides}
    conduct = Conduct(**{f: read_as(f, v, _CONDUCT[f]) if isinstance(v, str) else v for f, v in manners.items()})
    config = configured(find_preset(name), overrides)
    return SearchPlayer(preset, config, simulations, seconds, threads, seed, OwnParts(**own), conduct)


def is_own(field: str, part: Any) -> bool:
    """Whether a part is a user's own rather than the name of a built-in one; there are no names of tree policies."""
    return part is not None and (field == "tree_policy" or not isinstance(part, str))
