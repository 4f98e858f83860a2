"""Dynamic komi (Baudiš 2011, "Balancing MCTS by Dynamically Adjusting the Komi Value"): a search with another komi.

Where one side is far ahead nearly all simulations end alike, and the search cannot tell good moves from bad ones. So
White gets some points more, or fewer, than the rules say while most of the game is still to come:

- linear: for a handicap, `komi_per_stone` points a stone, falling to 0 as the board fills;
- value: step by step from move to move, so that the value of the position stays within a band. It never gives away more
  than the lead that the simulations show, so that whoever leads still does.

The shift is whole points, changes between two positions only, and a tree is kept only as long as it stays the same.
From `komi_until` on it is 0: endings are played for what they are. What a search says of its moves' values is said for
the komi of the rules: see `Search.value_of`.
"""

from __future__ import annotations

from typing import NamedTuple

from montego.go.board import BLACK
from montego.go.game import Game
from montego.search.config import SearchConfig

ENOUGH = 100
"""Simulations without which a search says nothing about the komi."""


class Past(NamedTuple):
    """What the last search of the same game has found."""

    shift: int
    simulations: int
    value: float
    """of the position for the side that was to move, with the shift"""
    colour: int
    """who that was"""
    lead: float
    """Black's mean lead, with the komi of the rules"""


def played(game: Game) -> float:
    """How far a game has come: moves made, or stones on the board if they are more, as a share of the points."""
    area = game.size**2
    stones = area - int(game.board[0].empty_count)
    return max(stones, len(game.moves)) / area


def handicap_of(game: Game) -> int:
    """Black's handicap stones; some programs send them as moves, one after another."""
    first = 0
    while first < len(game.moves) and game.moves[first].colour == BLACK:
        first += 1
    return game.handicap or (first if first > 1 else 0)


def komi_shift(game: Game, config: SearchConfig, past: Past | None) -> int:
    """The points that White gets beyond the komi of the rules while this position is searched."""
    left = 1.0 - played(game) / config.komi_until if config.komi_until > 0 else 0.0
    if left <= 0.0 or config.dynamic_komi == "none":
        return 0
    if config.dynamic_komi == "linear":
        return round(handicap_of(game) * config.komi_per_stone * left)
    return 0 if past is None else _by_value(config, past)


def _by_value(config: SearchConfig, past: Past) -> int:
    """One step towards the band, never beyond the lead."""
    shift, harder = past.shift, 1 if past.colour == BLACK else -1
    if past.simulations >= ENOUGH and past.value > config.komi_high:
        shift += harder * config.komi_step
    elif past.simulations >= ENOUGH and past.value < config.komi_low:
        shift -= harder * config.komi_step
    return max(min(0, int(past.lead)), min(shift, max(0, int(past.lead))))
