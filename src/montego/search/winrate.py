"""How likely a win is, by the mean outcome of simulations.

Both sides of a simulation err, so that its outcome is nearer to ½ than the game's: where `house` has a mean of 60 %, a
much stronger program says 88 %. One number mends most of that, a factor of the log-odds. It changes neither the search
nor a move, only what people and programs are told.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Value = TypeVar("Value", float, Numbers)


def sharpened(mean: Value, sharpness: float) -> Value:
    """The mean outcome with `sharpness` times its log-odds."""
    if sharpness == 1.0:
        return mean
    win, loss = mean**sharpness, (1.0 - mean) ** sharpness
    made: Value = win / (win + loss)
    return made
