"""The plainest player: it plays the move its default policy would play next, without any search."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from montego.go.errors import ConfigError, PolicyError
from montego.go.game import Game
from montego.go.geometry import MIN_SIZE, PASS, geometry
from montego.players.choice import Choice
from montego.players.spec import changed, known_fields, parse_spec
from montego.playout.parts import PLAYOUTS, told
from montego.playout.policies import sensible_moves
from montego.playout.reasons import Reason
from montego.playout.simulate import PlayoutConfig, fingerprints, lend_memories, new_work, tables
from montego.rng import advance, below


def policy_config(spec: str) -> PlayoutConfig:
    """POLICY, or POLICY:field=value,field=value."""
    name, fields = parse_spec(spec)
    config = PlayoutConfig(name)
    if "policy" in fields:
        accepted = ", ".join(known for known in known_fields(config) if known != "policy")
        raise PolicyError(f"policy {name} has no field 'policy'; accepted: {accepted}")
    try:
        return changed(config, fields, f"policy {name}")
    except ConfigError as error:
        raise PolicyError(str(error)) from None


class PlayoutPlayer:
    """Plays a default policy π. The same seed and the same games give the same moves."""

    def __init__(self, policy: str | PlayoutConfig = "mogo", seed: int = 0) -> None:
        self.config = policy if isinstance(policy, PlayoutConfig) else PlayoutConfig(policy)
        self._rng = new_work(MIN_SIZE, self.config, seed).rng
        self._works: dict[int, Any] = {}
        self._memories: dict[int, Any] = {}
        """by board size: a working record, and what it reads that was learned"""

    def _work_of(self, size: int) -> Any:
        if size not in self._works:
            work = new_work(size, self.config, 0)
            self._memories[size] = lend_memories([work], size, self.config)
            work.max_length = work.tracing = 1
            self._works[size] = work
        return self._works[size]

    def describe(self) -> dict[str, Any]:
        """The whole configuration, as plain data."""
        return {"config": told(asdict(self.config)), **fingerprints(self.config)}

    def choose(self, game: Game) -> Choice:
        """A legal move for the side to move; it passes only when nothing but its own eyes is left."""
        work, names = self._work_of(game.size), geometry(game.size)
        work.rng = self._rng
        mover = np.uint64(game.to_play)
        PLAYOUTS[self.config.policy](game.board[0], work, tables()[0], mover)  # a playout of one move
        point, reason = work.moves[0], work.reasons[0]
        if not game.is_legal(int(point)):
            # The policy knows simple ko only; where superko forbids its move, any other sensible one will do.
            count = int(sensible_moves(game.board[0], work, tables()[0], mover))
            allowed = [p for p in work.candidates[:count] if game.is_legal(int(p))]
            point = allowed[int(below(work.rng, np.uint64(len(allowed))))] if allowed else PASS
            reason = Reason.RANDOM if allowed else Reason.PASS
            work.rng = advance(work.rng)
        self._rng = work.rng
        return Choice(names.vertex(int(point)), Reason(int(reason)))
