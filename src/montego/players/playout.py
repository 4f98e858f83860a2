"""The plainest player: it plays the move its default policy would play next, without any search."""

from __future__ import annotations

import numpy as np

from montego.go.game import Game
from montego.go.geometry import MIN_SIZE, PASS, geometry
from montego.players.choice import Choice
from montego.playout.policies import policy_move, sensible_moves
from montego.playout.reasons import Reason
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.rng import advance, below


class PlayoutPlayer:
    """Plays a default policy π. The same seed and the same games give the same moves."""

    def __init__(self, policy: str | PlayoutConfig = "mogo", seed: int = 0) -> None:
        self.config = policy if isinstance(policy, PlayoutConfig) else PlayoutConfig(policy)
        self._rng = new_work(MIN_SIZE, self.config, seed).rng

    def choose(self, game: Game) -> Choice:
        """A legal move for the side to move; it passes only when nothing but its own eyes is left."""
        work, names = new_work(game.size, self.config, 0), geometry(game.size)
        work.rng = self._rng
        mover = np.uint64(game.to_play)
        point, reason = policy_move(game.board[0], work, tables()[0], mover)
        if not game.is_legal(int(point)):
            # The policy knows simple ko only; where superko forbids its move, any other sensible one will do.
            count = int(sensible_moves(game.board[0], work, tables()[0], mover))
            allowed = [p for p in work.candidates[:count] if game.is_legal(int(p))]
            point = allowed[int(below(work.rng, np.uint64(len(allowed))))] if allowed else PASS
            reason = Reason.RANDOM if allowed else Reason.PASS
            work.rng = advance(work.rng)
        self._rng = work.rng
        return Choice(names.vertex(int(point)), Reason(int(reason)))
