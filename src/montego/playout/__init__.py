"""Default policies and the loop that plays a game out with one."""

from montego.playout.reasons import Reason
from montego.playout.simulate import (
    PlayoutConfig,
    PlayoutSummary,
    PlayoutTrace,
    TracedMove,
    mogo_candidates,
    simulate,
    trace,
)

__all__ = [
    "PlayoutConfig",
    "PlayoutSummary",
    "PlayoutTrace",
    "Reason",
    "TracedMove",
    "mogo_candidates",
    "simulate",
    "trace",
]
