"""Weights nobody has trained, for tests of what is done with learned ones."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from montego.shape import ShapeValue


def random_value(size: int, sets: str = "ld+li", windows: str = "rlgo-1.0", spread: float = 0.2) -> ShapeValue:
    value = ShapeValue(size, windows, sets)
    value.theta = np.random.default_rng(size).normal(0, spread, value.features.weight_count)
    return value


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="montego-weights-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def weights_file(size: int) -> str:
    """The path of `random_value(size)`, there as long as this process."""
    path = _folder() / f"{size}.npz"
    random_value(size).save(path)
    return str(path)
