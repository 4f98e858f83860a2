"""What all trainings share: their errors, and the learning curves that go with their files."""

from __future__ import annotations

from typing import TypeVar

from montego.go.errors import MontegoError
from montego.patterns.files import Provenance

Point = TypeVar("Point")


class TrainingError(MontegoError):
    """Settings that cannot be, or a file that does not go with them."""


def curve_of(provenance: Provenance, kind: type[Point]) -> list[Point]:
    """The learning curve that came with learned numbers, in points of its kind; empty if none did."""
    try:
        return [kind(**line) for line in provenance.settings.get("curve", [])]
    except TypeError:
        raise TrainingError("the learning curve in the file cannot be read") from None
