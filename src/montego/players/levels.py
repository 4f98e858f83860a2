"""Levels: ranks from a first-day beginner to full strength, each a preset with few simulations and a soft choice.

A weak level does not throw games away at random: it looks at fewer games (simulations), and among the moves that look
good to it takes not always the best (softness).
"""

from __future__ import annotations

from dataclasses import dataclass

from montego.go.errors import ConfigError, shown


@dataclass(frozen=True)
class Level:
    name: str
    """a rank; a label for a place on the ladder, right about 9×9"""
    spec: str
    """the player, as `montego.player` takes it"""
    summary: str = ""


STEADY = "mogo-2007:heuristic=evidence,prior_amaf=1,expand_after=4,moves=sensible,reuse=true"
"""What the ranks were measured with, and openings are made with: both stay what they are when `house` gets stronger."""

_WEAK = "mogo-2007:policy=uniform,heuristic=none,expand_after=4,moves=sensible,reuse=true"
"""Random games and what they have in common (AMAF), no knowledge of shapes or captures."""

_ALL = (
    Level("30k", f"{_WEAK},simulations=12,softness=1", "has learned the rules today"),
    Level("29k", f"{_WEAK},simulations=8,softness=0.22"),
    Level("28k", f"{_WEAK},simulations=8,softness=0.12"),
    Level("27k", f"{_WEAK},simulations=10,softness=0.03"),
    Level("26k", f"{_WEAK},simulations=15"),
    Level("25k", f"{_WEAK},simulations=23"),
    Level("24k", f"{_WEAK},simulations=32"),
    Level("23k", f"{_WEAK},simulations=45"),
    Level("22k", f"{STEADY},simulations=12", "sees captures and simple shapes"),
    Level("20k", f"{STEADY},simulations=22"),
    Level("18k", f"{STEADY},simulations=36"),
    Level("16k", f"{STEADY},simulations=56"),
    Level("15k", f"{STEADY},simulations=85"),
    Level("14k", f"{STEADY},simulations=125"),
    Level("13k", f"{STEADY},simulations=190"),
    Level("12k", f"{STEADY},simulations=300"),
    Level("11k", f"{STEADY},simulations=500"),
    Level("10k", f"{STEADY},simulations=900"),
    Level("8k", f"{STEADY},simulations=1700"),
    Level("6k", f"{STEADY},simulations=3400"),
    Level("4k", f"{STEADY},simulations=7000"),
    Level("2k", f"{STEADY},simulations=14000"),
)

LEVELS = {level.name: level for level in _ALL}


def find_level(name: str) -> Level:
    if name not in LEVELS:
        raise ConfigError(f"there is no level {shown(name)}; accepted: {', '.join(LEVELS)}")
    return LEVELS[name]
