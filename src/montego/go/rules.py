"""Rule sets by name, in the vocabulary of KataGo's rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from montego.go.errors import RulesError, shown


@dataclass(frozen=True)
class Rules:
    """What the players agree on before the game."""

    name: str
    scoring: str
    """AREA or TERRITORY"""
    ko: str
    """SIMPLE (no immediate recapture), POSITIONAL (no position twice) or SITUATIONAL (none twice with the same
    player to move)"""
    suicide: bool = False
    """whether a move may take away its own stones"""
    white_handicap_bonus: str = "0"
    """points White gets for N handicap stones: 0, N or N-1"""
    all_alive: bool = False
    """every stone on the board counts as alive: dead ones must be captured"""
    long_cycle_void: bool = False
    """a position that comes back with the same player to move, no pass between, ends the game without result"""

    def __post_init__(self) -> None:
        for field, accepted in (
            ("scoring", ("AREA", "TERRITORY")),
            ("ko", ("SIMPLE", "POSITIONAL", "SITUATIONAL")),
            ("white_handicap_bonus", ("0", "N", "N-1")),
        ):
            if getattr(self, field) not in accepted:
                raise RulesError(f"{field} is {shown(getattr(self, field))}; accepted: {', '.join(accepted)}")
        for field in ("suicide", "all_alive", "long_cycle_void"):
            if not isinstance(getattr(self, field), bool):
                raise RulesError(f"{field} is {shown(getattr(self, field))}; accepted: True or False")

    def handicap_bonus(self, stones: int) -> int:
        """The points White gets for a handicap of `stones`."""
        if stones < 2:
            return 0
        return {"0": 0, "N": stones, "N-1": stones - 1}[self.white_handicap_bonus]


RULES = {
    rules.name: rules
    for rules in (
        Rules("chinese", "AREA", "SIMPLE", white_handicap_bonus="N"),
        Rules("chinese-ogs", "AREA", "POSITIONAL", white_handicap_bonus="N"),
        Rules("chinese-kgs", "AREA", "POSITIONAL", white_handicap_bonus="N"),
        Rules("japanese", "TERRITORY", "SIMPLE", long_cycle_void=True),
        Rules("aga", "AREA", "SITUATIONAL", white_handicap_bonus="N-1"),
        Rules("tromp-taylor", "AREA", "POSITIONAL", suicide=True),
        Rules("new-zealand", "AREA", "SITUATIONAL", suicide=True),
        Rules("cgos", "AREA", "POSITIONAL", all_alive=True),
    )
}


def find_rules(rules: Any) -> Rules:
    """A Rules record as it is, or the rule set of that name (any case). `dataclasses.replace` makes variants."""
    if isinstance(rules, Rules):
        return rules
    found = RULES.get(rules.strip().lower()) if isinstance(rules, str) and rules.isascii() else None
    if found is None:
        raise RulesError(f"there are no rules named {shown(rules)}; accepted: {', '.join(RULES)}")
    return found
