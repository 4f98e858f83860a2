"""From a finished search to a move: the best one or a softer one, a pass that is safe, a resignation that is sure."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from montego.go.board import BLACK
from montego.go.game import Game
from montego.go.geometry import PASS
from montego.players.conduct import Conduct
from montego.players.endgame import SETTLED, Outlook, capturing_moves, find_outlook
from montego.rng import stream
from montego.search.records import CHILD, ILLEGAL
from montego.search.report import best_moves, final_values
from montego.search.search import Search

REACH = 3.0
"""A soft choice never gives away more than so many times its softness."""
GIVEN_AWAY = 0.1
"""What a move may cost, in the search's opinion, that captures dead stones or is played because a pass is not safe."""
SURE_AFTER = 100
"""Simulations without which nobody resigns."""
RESIGN_TURNS = 3
SECOND_OPINION = 4
"""A pass is looked at again, with the other side to move, for this part of the simulations of the first search …"""
LEAST_OPINION, MOST_OPINION = 200, 2000
"""… within these bounds."""


def soft_choice(search: Search, best: int, softness: float, draw: float) -> int:
    """A move with a chance that falls with what it gives away: exp(−loss / softness). draw: from 0 to 1.

    It is a pass only if no move is good enough.
    """
    root, mover = search.pool.root, int(search.parameters.colour)
    values = final_values(search.tree, root, mover, search.parameters)
    top = values[best]
    good = [
        int(p)
        for p in np.flatnonzero(search.tree.links[root, CHILD] >= 0)
        if p != PASS and np.isfinite(values[p]) and top - values[p] <= REACH * softness
    ]
    weights = np.cumsum([exp(-max(0.0, top - values[p]) / softness) for p in good])
    return good[int(np.searchsorted(weights, draw * weights[-1]))] if good else best


def draw_of(seed: int, turn: int) -> float:
    """A number from 0 to 1 for one turn of a game."""
    return int(stream(seed, turn)) / 2.0**64


def wins_as_it_stands(game: Game) -> bool:
    """Whether the side to move is ahead if every stone counts as alive."""
    lead = game.score().lead
    return lead > 0 if game.to_play == BLACK else lead < 0


def ends_by_passing(game: Game) -> bool:
    """Whether a pass would end the game now."""
    return game.passes == 1


@dataclass
class Judge:
    """Decides about passing. `second` is a search of its own, for the position after a pass."""

    search: Search
    second: Any
    """a function that gives the second search, made when it is needed"""
    conduct: Conduct
    cleanup: bool = False
    """capture the other side's dead stones before passing, whatever the rules"""
    deadline: float | None = None
    """when a second opinion has to be there, by the performance counter"""

    def move(self, game: Game, best: int) -> int:
        """The move to play, if `best` is what the search proposes."""
        if self.search.tree.links[self.search.pool.root, CHILD, PASS] == ILLEGAL:
            return best  # it was told not to pass
        if not self.cares(game):
            return self._literal(game, best)
        if not self.is_open(game, best):
            return best
        outlook = self._outlook(game)
        if game.rules.all_alive or self.cleanup:
            return self._unfriendly(game, best, outlook)
        return self._friendly(game, best, outlook)

    def cares(self, game: Game) -> bool:
        """Whether more than the board as it stands counts: people, or rules in which dead stones must be captured."""
        return self.conduct.friendly or game.rules.all_alive or self.cleanup

    def is_open(self, game: Game, best: int) -> bool:
        """Whether to think about passing: the best move is a pass or changes nothing, or the other side has passed."""
        return best == PASS or ends_by_passing(game) or self._is_settled(best)

    def _is_settled(self, point: int) -> bool:
        row, column = self.search.names.row_column(point)
        return bool(abs(self.search.ownership_map()[row, column]) >= SETTLED)

    def _outlook(self, game: Game) -> Outlook:
        """From the playouts of the search, or of another one if they are too few to tell."""
        second = None if self.search.playouts >= LEAST_OPINION else self._second_outlook(game, LEAST_OPINION)
        return second or find_outlook(game, self.search.ownership_map())

    def _second_outlook(self, game: Game, simulations: int) -> Outlook | None:
        """From another search; None if there was no time for it."""
        second: Search = self.second()
        second.set_position(game)
        seconds = None if self.deadline is None else max(0.0, self.deadline - time.perf_counter())
        if second.run(simulations, seconds) < LEAST_OPINION:
            return None
        return find_outlook(game, second.ownership_map())

    def _literal(self, game: Game, best: int) -> int:
        """The board counts as it stands when both have passed, which RAVE alone is slow to see: the other side's pass
        has the mean of all its games as AMAF value, and so is hardly ever tried in the tree."""
        if wins_as_it_stands(game):
            return PASS if ends_by_passing(game) else best
        return self._best_move(best) if best == PASS and self._hopes(best) else best

    def _hopes(self, best: int) -> bool:
        """Whether the search thinks that the side to move wins."""
        search = self.search
        values = final_values(search.tree, search.pool.root, int(search.parameters.colour), search.parameters)
        return bool(values[best] > 0.5)

    def _unfriendly(self, game: Game, best: int, outlook: Outlook) -> int:
        """Every stone counts as alive: pass only if that wins, and capture what is dead."""
        prey = any(game.at(vertex) != game.to_play for vertex in outlook.dead)
        if ends_by_passing(game) and wins_as_it_stands(game) and not (self.cleanup and prey):
            return PASS
        if outlook.settled and prey:
            return self._capture(game, best, outlook)
        if outlook.settled and (self.cleanup or wins_as_it_stands(game)) and self._is_safe(game, outlook):
            return PASS
        return self._best_move(best) if best == PASS else best

    def _friendly(self, game: Game, best: int, outlook: Outlook) -> int:
        """Dead stones will be taken off by agreement: pass as soon as all is settled."""
        if outlook.settled and self._is_safe(game, outlook):
            return PASS
        return self._best_move(best) if best == PASS else best

    def _is_safe(self, game: Game, outlook: Outlook) -> bool:
        """Whether the other side, moving first, cannot change the outlook either."""
        after = game.copy()
        after.play(PASS)
        going_on = after.with_turn(after.to_play)  # what is disputed after two passes is played out
        wanted = self.search.simulations // SECOND_OPINION
        again = self._second_outlook(going_on, min(max(wanted, LEAST_OPINION), MOST_OPINION))
        if again is None:
            return False
        return (again.settled or after.is_over) and (again.dead, again.score) == (outlook.dead, outlook.score)

    def _capture(self, game: Game, best: int, outlook: Outlook) -> int:
        """A move that brings the capture of dead stones nearer and costs nothing."""
        search, mover = self.search, int(self.search.parameters.colour)
        values = final_values(search.tree, search.pool.root, mover, search.parameters)
        for _, vertex in capturing_moves(game, outlook.dead):
            point = search.names.parse(vertex)
            if search.tree.links[search.pool.root, CHILD, point] >= 0 and values[point] >= values[best] - GIVEN_AWAY:
                return point
        return self._best_move(best)

    def _best_move(self, best: int) -> int:
        """The best move that is no pass, unless it does harm."""
        search = self.search
        root, mover = search.pool.root, int(search.parameters.colour)
        moves = best_moves(search.tree, root, search.config.final, mover, search.parameters)
        values = final_values(search.tree, root, mover, search.parameters)
        return next((p for p in moves if p != PASS and values[p] >= values[best] - GIVEN_AWAY), best)


class Gloom:
    """How long a player has thought its game lost: to resign takes several turns in a row."""

    def __init__(self) -> None:
        self._gloomy: dict[int, tuple[int, int]] = {}
        """by colour: the turn last asked about, and how many gloomy ones had come in a row"""

    def gives_up(self, game: Game, value: float, simulations: int, below: float) -> bool:
        """Whether to resign, after a search that gave the side to move this probability to win."""
        turn = len(game.moves)
        before, count = self._gloomy.get(game.to_play, (-1, 0))
        if value >= below or simulations < SURE_AFTER:
            count = 0
        elif turn != before:  # asked again about the same turn, it is still one turn
            count = count + 1 if turn == before + 2 else 1
        self._gloomy[game.to_play] = turn, count
        return count >= RESIGN_TURNS and turn >= earliest_resignation(game)


def earliest_resignation(game: Game) -> int:
    """The move before which nobody resigns: much later with a handicap, where White starts far behind."""
    area = game.size**2
    return area // 2 if is_handicap_game(game) else area // 4


def is_handicap_game(game: Game) -> bool:
    """Whether Black began with several stones; some programs send them as moves, one after another."""
    first = [move.colour for move in game.moves[:2]]
    return game.handicap > 0 or first == [BLACK, BLACK]
