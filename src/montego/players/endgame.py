"""The end of a game from playout ownership: which stones are dead, what is settled, what the count will be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from montego.go import facts
from montego.go.board import BLACK
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.go.scoring import Score, owners_of

Ownership = np.ndarray[Any, np.dtype[np.float64]]

SETTLED = 0.65
"""Ownership, from 0 to 1, from which on the owner of a point or a chain is beyond doubt."""


@dataclass(frozen=True)
class Outlook:
    """How a position will be counted."""

    dead: tuple[str, ...]
    """the stones that will be taken off, row by row"""
    seki: tuple[str, ...]
    """stones that live without two eyes"""
    open: tuple[str, ...]
    """points whose owner is not settled yet"""
    score: Score
    """with the dead stones off, where the rules allow that"""

    @property
    def settled(self) -> bool:
        return not self.open


def find_outlook(game: Game, ownership: Ownership) -> Outlook:
    """ownership: by row and column, +1 always Black's … −1 always White's."""
    stones = game.stones
    names = geometry(game.size)
    dead, seki, undecided = np.zeros(stones.shape, bool), np.zeros(stones.shape, bool), np.abs(ownership) < SETTLED
    for chain in chains_of(game):
        where = tuple(np.array([names.row_column(names.parse(vertex)) for vertex in chain]).T)
        own = float(ownership[where].mean()) * (1 if stones[where[0][0], where[1][0]] == BLACK else -1)
        if own < SETTLED and facts.in_seki(game, chain[0]):  # also where playouts break the seki
            seki[where] = True
        elif own < 0:
            dead[where] = True
        undecided[where] = abs(own) < SETTLED and not seki[where[0][0], where[1][0]]
    undecided &= ~neutral(game, stones, dead, seki)
    if game.rules.scoring == "AREA":  # whoever fills a neutral point gains by it
        undecided |= (owners_of(np.where(dead, 0, stones)) == 0) & ~beside(seki)
    taken = np.zeros_like(dead) if game.rules.all_alive else dead
    return Outlook(
        vertices(game, dead),
        vertices(game, seki),
        vertices(game, undecided),
        game.score(vertices(game, taken), vertices(game, seki)),
    )


def neutral(game: Game, stones: Any, dead: Any, seki: Any) -> Any:
    """Open points that need no move: beside a seki, and under territory scoring those that no single side surrounds."""
    found = (stones == 0) & beside(seki)
    if game.rules.scoring == "TERRITORY":
        black, white = (beside((stones == colour) & ~dead) for colour in (1, 2))
        found |= (stones == 0) & black & white
    return found


def beside(marked: Any) -> Any:
    """The points with a marked neighbour."""
    found = np.zeros_like(marked)
    found[1:] |= marked[:-1]
    found[:-1] |= marked[1:]
    found[:, 1:] |= marked[:, :-1]
    found[:, :-1] |= marked[:, 1:]
    return found


def chains_of(game: Game) -> list[list[str]]:
    """Every chain on the board as its vertices."""
    names, seen, chains = geometry(game.size), set[str](), []
    for index in np.flatnonzero(game.stones):
        vertex = names.vertex(int(names.points[index]))
        if vertex not in seen:
            chains.append(game.chain(vertex))
            seen.update(chains[-1])
    return chains


def vertices(game: Game, marked: Any) -> tuple[str, ...]:
    names = geometry(game.size)
    return tuple(names.vertex(int(p)) for p in names.points[marked.ravel()])


def capturing_moves(game: Game, dead: tuple[str, ...]) -> list[tuple[int, str]]:
    """Moves on the liberties of the other side's dead chains that give nothing away, weakest chain first.

    Each with the number of the chain's liberties.
    """
    mover, found = game.to_play, []
    taken = {v for v in dead if game.at(v) != mover}
    for chain in chains_of(game):
        if chain[0] in taken:
            liberties = game.liberties(chain[0])
            for vertex in liberties_of(game, chain):
                if not game.is_legal(vertex):
                    continue
                if facts.captures(game, vertex, mover) or not facts.is_self_atari(game, vertex, mover):
                    found.append((liberties, vertex))
    return sorted(set(found))


def liberties_of(game: Game, chain: list[str]) -> list[str]:
    """The empty points beside a chain."""
    names, stones = geometry(game.size), game.stones
    marked = np.zeros(stones.shape, bool)
    for vertex in chain:
        marked[names.row_column(names.parse(vertex))] = True
    return list(vertices(game, beside(marked) & (stones == 0)))
