"""The rules of the policy `tactical`: how likely each is to be tried, and the record that its kernels are lent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from typing import Any

import numpy as np

from montego._intrinsics import borrower
from montego._jit import record_dtype
from montego.go.errors import PolicyError, shown
from montego.go.ladder import ladder_dtype

CERTAIN = 1 << 32
"""A probability of 1, as kernels compare it with a random number."""


@dataclass(frozen=True)
class PlayoutRules:
    """Probabilities, in the order in which the rules are tried; 0: the rule is off."""

    nakade: float = 0.8
    """beside the last move, the vital point of the other side's eye space of three to six points"""
    capture_last: float = 1.0
    """take the string of the last move if it stands in atari"""
    save: float = 1.0
    """save strings that the last move put into atari (MoGo's first rule)"""
    ladder: float = 1.0
    """read the ladder before a string is extended with two liberties, and leave it alone if it is caught"""
    attack: float = 0.3
    """catch the string of the last move if it has two liberties and a ladder works"""
    defend: float = 0.3
    """save strings beside the last move that have two liberties and would be caught"""
    pattern: float = 1.0
    """a 3×3 pattern around the last move (MoGo's second rule)"""
    capture: float = 1.0
    """take any string (MoGo's third rule)"""
    empty_region: float = 0.0
    """a random point with nothing around it (MoGo 2009's "fill the board", Chaslot et al. 2010)"""
    self_atari: float = 0.9
    """refuse a random move that puts one's own stones into atari for nothing; such a string in seki stays"""
    pattern_self_atari: float = 1.0
    """refuse a pattern move that does"""

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
                raise PolicyError(f"rules.{name} is {shown(value)}; accepted: a probability from 0 to 1")

    def without_reading(self) -> PlayoutRules:
        """The same without the rules that read ladders."""
        return replace(self, ladder=0.0, attack=0.0, defend=0.0)


DEFAULT_RULES = PlayoutRules()
MOGO_RULES = PlayoutRules(
    nakade=0.0, capture_last=0.0, ladder=0.0, attack=0.0, defend=0.0, self_atari=0.0, pattern_self_atari=0.0
)
"""MoGo's four rules and nothing else (G&S11 §3.6)."""
NAMES = tuple(field.name for field in fields(PlayoutRules))


@cache
def rules_dtype(size: int) -> np.dtype[Any]:
    return record_dtype(
        [
            *((name, "u8") for name in NAMES),  # probabilities, of CERTAIN
            ("reader", ladder_dtype(size), (1,)),  # after words of 8 bytes, as its own are
            ("stack", "u2", (8,)),  # scratch of shapes
        ]
    )


rules_of = borrower(rules_dtype)
"""rules_of(board, address) in a kernel: the record lent."""


def lend_rules(works: Sequence[Any], size: int, rules: PlayoutRules) -> np.ndarray[Any, Any]:
    """Give each working record the rules. It has but an address: what is returned must outlive it."""
    made = np.zeros(len(works), rules_dtype(size))
    for name, value in asdict(rules).items():
        made[name] = round(value * CERTAIN)
    for i, work in enumerate(works):
        work.rules = made[i : i + 1].ctypes.data
    return made
