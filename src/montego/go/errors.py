"""What can be wrong with input, as types. Each message says what is wrong and what is accepted."""

from __future__ import annotations

from typing import Any

import numpy as np


def shown(value: Any) -> str:
    """A value as it may stand in a message: short, printable, on one line."""
    try:
        text = ascii(value)
    except ValueError:  # Python refuses to write numbers of thousands of digits
        text = f"a huge {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, Python's or NumPy's; True and False are not."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


class MontegoError(ValueError):
    """Any input that Montego refuses. Whatever raised it is unchanged."""


class SizeError(MontegoError):
    """A board size out of range."""


class VertexError(MontegoError):
    """Not a point of this board."""


class ColourError(MontegoError):
    """Not a colour."""


class KomiError(MontegoError):
    """Not a usable komi."""


class RulesError(MontegoError):
    """An unknown rule set, or a request the rule set does not allow."""


class HandicapError(MontegoError):
    """A handicap that this board, or this moment of the game, does not allow."""


class IllegalMove(MontegoError):
    """A move against the rules. `why` is one of occupied, ko, superko, suicide, over, long."""

    def __init__(self, message: str, why: str) -> None:
        super().__init__(message)
        self.why = why

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.why)  # errors travel between processes


class UndoError(MontegoError):
    """There is nothing to take back."""


class SetupError(MontegoError):
    """Stones that cannot stand as asked."""


class DiagramError(MontegoError):
    """A text diagram that cannot be read."""


class PositionError(MontegoError):
    """A text file of positions that cannot be read; the message names its file and line."""


class SgfError(MontegoError):
    """An SGF file that cannot be read or played; the message names the node."""


class PolicyError(MontegoError):
    """An unknown default policy or an impossible playout setting."""


class ConfigError(MontegoError):
    """An impossible search configuration; the message names the field and what it accepts."""
