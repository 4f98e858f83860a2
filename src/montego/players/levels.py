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


_WEAK = "house:policy=uniform,heuristic=none"
"""Random games and what they have in common (AMAF), no knowledge of shapes or captures."""

_ALL = (
    Level("30k", f"{_WEAK},simulations=12,softness=1", "has learned the rules today"),
    Level("28k", f"{_WEAK},simulations=8,softness=0.3"),
    Level("26k", f"{_WEAK},simulations=12"),
    Level("25k", f"{_WEAK},simulations=18"),
    Level("24k", f"{_WEAK},simulations=30"),
    Level("23k", f"{_WEAK},simulations=60"),
    Level("22k", "house:simulations=12", "sees captures and simple shapes"),
    Level("20k", "house:simulations=22"),
    Level("18k", "house:simulations=36"),
    Level("16k", "house:simulations=56"),
    Level("15k", "house:simulations=85"),
    Level("14k", "house:simulations=125"),
    Level("13k", "house:simulations=190"),
    Level("12k", "house:simulations=300"),
    Level("11k", "house:simulations=500"),
    Level("10k", "house:simulations=900"),
    Level("8k", "house:simulations=1700"),
    Level("6k", "house:simulations=3400"),
    Level("4k", "house:simulations=7000"),
    Level("2k", "house:simulations=14000"),
)

LEVELS = {level.name: level for level in _ALL}


def find_level(name: str) -> Level:
    if name not in LEVELS:
        raise ConfigError(f"there is no level {shown(name)}; accepted: {', '.join(LEVELS)}")
    return LEVELS[name]
