"""The plainest player: it plays the move its default policy would play next, without any search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns.mogo import mogo_flags
from montego.playout.policies import policy_move
from montego.playout.reasons import Reason
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.rng import advance, below, stream


@dataclass(frozen=True)
class Choice:
    """A move and why it was chosen."""

    vertex: str
    reason: Reason


class PlayoutPlayer:
    """Plays a default policy π. The same seed and the same games give the same moves."""

    def __init__(self, policy: str = "mogo", seed: int = 0) -> None:
        self.config = PlayoutConfig(policy)
        self._rng = stream(seed)

    def choose(self, game: Game) -> Choice:
        """A legal move for the side to move; it passes only when nothing but its own eyes is left."""
        work = new_work(game.size, self.config, 0)
        work.rng = self._rng
        point, reason = policy_move(game.board[0], work, tables()[0], np.uint64(game.to_play))
        self._rng = work.rng
        vertex = geometry(game.size).vertex(int(point))
        if game.is_legal(vertex):
            return Choice(vertex, Reason(int(reason)))
        return self._without_superko(game)

    def _without_superko(self, game: Game) -> Choice:
        """The policy knows simple ko only; where superko forbids its move, any other sensible one will do."""
        codes, names, eye = game.board[0].code, geometry(game.size), 1 << game.to_play
        moves = [v for v in game.legal_moves() if not mogo_flags()[codes[names.parse(v)]] & eye]
        if not moves:
            return Choice("pass", Reason.PASS)
        index = int(below(self._rng, np.uint64(len(moves))))
        self._rng = advance(self._rng)
        return Choice(moves[index], Reason.RANDOM)
