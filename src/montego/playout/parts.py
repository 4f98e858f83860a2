"""The default policies by name: the kernel that plays a game out with each, and what a policy's randomness may be."""

from __future__ import annotations

from typing import Any

from montego.playout.boltzmann import boltzmann_playout
from montego.playout.learned import epsilon_playout, sigma_playout, tau_playout
from montego.playout.local import local_playout
from montego.playout.loop import mogo_playout, uniform_playout
from montego.playout.tactical import tactical_playout
from montego.playout.urgent import urgent_playout

PLAYOUTS = {
    "uniform": uniform_playout,
    "mogo": mogo_playout,
    "tactical": tactical_playout,
    "rlgo-epsilon": epsilon_playout,
    "rlgo-sigma": sigma_playout,
    "rlgo-tau": tau_playout,
    "zero": uniform_playout,
    "manual": urgent_playout,
    "rlpr": urgent_playout,
    "mogo-rlpr": local_playout,
    "boltzmann": boltzmann_playout,
}
"""All have the same arguments, and are called by address: only what is asked for is compiled."""

LEARNED = {"rlgo-epsilon": (0.0, 1.0), "rlgo-sigma": (0.0, 1e6), "rlgo-tau": (1e-6, 1e6)}
"""Policies that need learned weights, with the least and the most ε, σ or τ."""

RULED = ("tactical",)
"""Policies that need PlayoutRules."""


def told(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a configuration that a record of it names: rules only where the policy follows them."""
    return {name: value for name, value in fields.items() if name != "rules" or fields["policy"] in RULED}


URGENT = ("manual", "rlpr", "mogo-rlpr")
"""Pseudo-random players: policies that need urgencies. Zero has them all equal, which is the uniform policy."""


STRONG = ("boltzmann",)
"""Policies that need strengths of move features."""


def randomness_range(policy: str) -> tuple[float, float]:
    """What `randomness` may be; a policy that has no use for it takes anything."""
    return LEARNED.get(policy, (0.0, 1e6))
