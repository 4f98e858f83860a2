"""What the heuristic `evidence` believes: for each feature of a move a value and how many simulations it is worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from montego.search.records import FEATURES

EVIDENCE = {
    "even": (0.5, 10.0),
    "save": (1.0, 20.0),
    "pattern": (1.0, 10.0),
    "capture": (1.0, 20.0),
    "self_atari": (0.0, 10.0),
    "eye": (0.0, 50.0),
    "give_up": (0.0, 20.0),
    "near_1": (1.0, 12.0),
    "near_2": (1.0, 8.0),
    "near_3": (1.0, 4.0),
    "line_1": (0.0, 10.0),
    "line_2": (0.0, 10.0),
    "line_3": (1.0, 10.0),
}


def evidence_array() -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([EVIDENCE[feature] for feature in FEATURES])
