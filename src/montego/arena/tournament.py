"""Who meets whom in a tournament, and the meetings that ratings are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from montego.arena.contestants import OVER_GTP
from montego.arena.match import Series
from montego.arena.played import Pairing, Played
from montego.arena.ratings import Meeting
from montego.arena.settings import Match, MatchError
from montego.players.spec import expanded, limits_of

ANCHOR, ANCHOR_ELO = "gnugo:level=10", 1800.0
"""The program that fixes the scale, as in Gelly & Silver 2011, Table 2."""
SHAPES = ("round-robin", "gauntlet")


def matches(specs: Sequence[str], shape: str, games: int, **conditions: Any) -> list[Match]:
    """All pairs, or the first player with each of the others."""
    if shape not in SHAPES:
        raise MatchError(f"there is no shape {shape!r}; accepted: {', '.join(SHAPES)}")
    if len(set(specs)) != len(specs) or len(specs) < 2:
        raise MatchError("a tournament needs two or more players, each once")
    pairs = combinations(specs, 2) if shape == "round-robin" else ((specs[0], other) for other in specs[1:])
    return [Match(a, b, games=games, **conditions) for a, b in pairs]


def meetings(series: Iterable[Series]) -> list[Meeting]:
    """The games of matches, summed up for each pair of colours."""
    return meetings_of((one.match.a, one.match.b, one.played.values()) for one in series)


def meetings_of(matches: Iterable[tuple[str, str, Iterable[Played]]]) -> list[Meeting]:
    sums: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for a, b, games in matches:
        names = {"a": a, "b": b}
        for game in games:
            if game.counts and a != b:  # against itself a player shows nothing
                white = "b" if game.black == "a" else "a"
                which = 2 if game.winner is None else 0 if game.winner == game.black else 1
                sums[names[game.black], names[white]][which] += 1
    return [Meeting(black, white, *counts) for (black, white), counts in sums.items()]


def name_of(pairing: Pairing, side: str) -> str:
    """A player's spec, with the limit of the match where it has none of its own."""
    spec, told = pairing.match.spec(side), pairing.players[side]["configuration"]
    if spec.startswith(OVER_GTP) and not limits_of(expanded(spec.removeprefix(OVER_GTP))[1]):
        told = pairing.conditions
    limits = {k: v for k, v in told.items() if k in ("simulations", "seconds") and v}
    if not limits or any(f"{name}=" in spec for name in limits):
        return spec
    words = ",".join(f"{name}={value}" for name, value in limits.items())
    return f"{spec}{',' if ':' in spec.removeprefix(OVER_GTP) else ':'}{words}"


def anchor_of(names: Iterable[str], wanted: tuple[str, float] | None = None) -> tuple[str, float] | None:
    """Who fixes the scale: whoever is wanted, else GNU Go at level 10 if it is there."""
    known = set(names)
    if wanted:
        if wanted[0] not in known:
            raise MatchError(
                f"there is no player {wanted[0]!r} to anchor the ratings; accepted: {', '.join(sorted(known))}"
            )
        return wanted
    return next(((name, ANCHOR_ELO) for name in (ANCHOR, "gnugo") if name in known), None)
