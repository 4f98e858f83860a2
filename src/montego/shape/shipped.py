"""Which weights are used: those that come with the package, or a file of one's own."""

from __future__ import annotations

import hashlib
from pathlib import Path

from montego.go.geometry import check_size
from montego.patterns.files import checksum, kept
from montego.shape.features import ShapeError
from montego.shape.weights import ShapeValue

SHIPPED = "shipped"
"""What stands for the weights of the package where a path may be given."""
NONE = "none"
"""What stands there for weights that are all 0."""
FOLDER = Path(__file__).with_name("data")
SIZES = (9, 13, 19)
"""Boards whose weights are shipped."""


def shipped_file(size: int) -> Path:
    """The shipped weights for a board, those of the nearest size if it has none."""
    nearest = min(SIZES, key=lambda shipped: (abs(shipped - size), shipped))
    return FOLDER / f"rlgo-{nearest}x{nearest}.npz"


def shipped_weights(size: int) -> ShapeValue:
    """The shipped value function for a board size; where there is none of that size, the nearest one's
    location-independent weights.
    """
    path = shipped_file(check_size(size))
    if not path.exists():
        raise ShapeError(f"there are no learned weights: {path} is missing; `montego train rlgo` makes such a file")
    value = _read(path)
    if value.size == size:
        return value.copy()
    made = ShapeValue(size, value.features.windows, "li")
    made.start_from(value)
    return made


def weights_of(path: str, size: int) -> ShapeValue:
    """The weights in a file that `ShapeValue.save` wrote, of any board size; or the shipped ones, or none."""
    if path == NONE:
        return ShapeValue(size)
    return shipped_weights(size) if path == SHIPPED else _read(Path(path)).copy()


def fingerprint(path: str) -> str:
    """Twelve digits that change with the weights: they go into records of games."""
    if path == NONE:
        return NONE
    paths = [shipped_file(size) for size in SIZES] if path == SHIPPED else [Path(path)]
    return hashlib.sha256("".join(checksum(_read(file).theta) for file in paths).encode()).hexdigest()[:12]


@kept
def _read(path: Path) -> ShapeValue:
    return ShapeValue.load(path)
