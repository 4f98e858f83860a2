"""What a player answers."""

from __future__ import annotations

from dataclasses import dataclass

from montego.playout.reasons import Reason


@dataclass(frozen=True)
class Choice:
    """A move and why it was chosen."""

    vertex: str
    reason: Reason
    value: float = 0.5
    """win probability for the side to move, in the player's opinion"""
    visits: int = 0
    """simulations that began with the move"""
    simulations: int = 0
    """simulations done for this choice"""
    seconds: float = 0.0
