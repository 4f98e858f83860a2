"""The configuration as kernels read it."""

from __future__ import annotations

from typing import Any

import numpy as np

from montego.search.config import (
    ALLOCATIONS,
    AMAF,
    AMAF_WEIGHTS,
    BONUSES,
    CONFIDENCES,
    EXPANSIONS,
    FIELDS,
    HEURISTICS,
    MOVES,
    OUTCOMES,
    SCHEDULES,
    SearchConfig,
)
from montego.search.evidence import evidence_array
from montego.search.pool import Rows
from montego.search.records import PARAMETERS_DTYPE

_WORDS = {
    "schedule": SCHEDULES,
    "amaf": AMAF,
    "amaf_weight": AMAF_WEIGHTS,
    "bonus": BONUSES,
    "heuristic": HEURISTICS,
    "confidence": CONFIDENCES,
    "allocation": ALLOCATIONS,
    "expand": EXPANSIONS,
    "outcome": OUTCOMES,
    "moves": MOVES,
}
"""Fields whose words are numbers to kernels."""


def parameters_of(config: SearchConfig) -> Any:
    """The configuration as kernels read it."""
    made = np.zeros(1, PARAMETERS_DTYPE)[0]
    for field in set(FIELDS) & set(PARAMETERS_DTYPE.names or ()):
        value = getattr(config, field)
        made[field] = _WORDS[field][value] if field in _WORDS else value
    made.evidence[:] = evidence_array()
    return made


def rows_of(config: SearchConfig) -> Rows:
    """What a node has to hold."""
    return Rows(stats=7 if config.keeps_prior else 4, links=3 if config.solver else 2)
