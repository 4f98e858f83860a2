"""A game of a match as it is kept: who played whom under which conditions, and all that happened."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from montego.arena.game import COUNTED, OUTCOMES, Effort
from montego.arena.results import margin_of
from montego.arena.settings import SIDES, Match, MatchError
from montego.go.board import BLACK
from montego.go.errors import is_whole
from montego.search.config import TOLD_ONLY, SearchConfig, described


@dataclass(frozen=True)
class Played:
    """A game of a match, told by player instead of colour."""

    number: int
    black: str
    """a or b"""
    outcome: str
    """win, draw, forfeit, void or unknown: see game.py"""
    winner: str | None
    """a, b or nobody"""
    result: str
    reason: str
    message: str
    moves: list[str]
    """from the empty board, the opening included"""
    seeds: dict[str, int]
    efforts: dict[str, Effort]
    opening: int = 0
    """how many of the moves were given"""
    versions: dict[str, str] = field(default_factory=dict)
    """which programs they were"""
    montego: str = ""
    """version of the arena"""
    played: str = ""
    """when it was over, in UTC"""

    @property
    def counts(self) -> bool:
        return self.outcome in COUNTED

    @property
    def lead(self) -> float | None:
        """Points by which a is ahead in the end, komi counted; None where the result tells no points."""
        if not self.counts:
            return None
        winner, points = margin_of(self.result)
        return points if points is None or (winner == BLACK) == (self.black == "a") else -points


@dataclass(frozen=True)
class Pairing:
    """A match with its players described in full, as it was when its first game was played. Its hash names it."""

    conditions: dict[str, Any]
    """the fields of the match but for the number of games"""
    players: dict[str, dict[str, Any]]
    """of a and b: spec, name and configuration"""

    @classmethod
    def of(cls, match: Match, players: dict[str, dict[str, Any]]) -> Pairing:
        return cls(plain(match.conditions()), plain(players))

    @cached_property
    def match(self) -> Match:
        return Match(**self.conditions)

    @cached_property
    def hash(self) -> str:
        return hash_of({**self.conditions, "players": {side: self.player_hash(side) for side in SIDES}})

    def player_hash(self, side: str) -> str:
        return hash_of(self.players[side])

    def continues(self, earlier: Pairing) -> bool:
        """Whether games of this match are games of an earlier one: the same but for settings that were not known then,
        which must be as if they were still not known."""
        return self.match == earlier.match and all(plays_alike(earlier.players[s], self.players[s]) for s in SIDES)


def is_same(then: Any, now: Any, name: str = "") -> bool:
    """Whether a configuration is what it was then, but for settings that were not known."""
    if not (isinstance(then, dict) and isinstance(now, dict)):
        return bool(then == now)
    defaults = described(SearchConfig()) if name == "config" else {}
    new = {key: value for key, value in now.items() if key not in then}
    gone = {key: value for key, value in then.items() if key not in now}
    known = all(is_same(then[key], now[key], key) for key in now if key in then)
    if name == "rules":
        return known and not any((*new.values(), *gone.values()))  # a rule that is not known is off
    return not gone and known and all(key in defaults and defaults[key] == value for key, value in new.items())


def plays_alike(then: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether a configuration chooses its moves as it did then, whatever it tells of them."""
    return is_same(_playing(then), _playing(now))


def _playing(value: Any, name: str = "") -> Any:
    """A configuration without what changes no move."""
    if not isinstance(value, dict):
        return value
    return {key: _playing(of, key) for key, of in value.items() if name != "config" or key not in TOLD_ONLY}


def plain(value: Any) -> Any:
    """A value as JSON gives it back."""
    return json.loads(json.dumps(value))


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def hash_of(value: Any) -> str:
    """A short name for a JSON value: the same value, in whatever order of keys, the same name."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def to_dict(game: Played) -> dict[str, Any]:
    efforts = {side: dict(vars(effort)) for side, effort in game.efforts.items()}
    return {**vars(game), "efforts": efforts, "moves": " ".join(game.moves)}


MOST_NUMBERS = 1 << 31
"""Games of a match are numbered below this."""
_TEXTS = ("black", "outcome", "result", "reason", "message", "moves", "montego", "played")


def from_dict(fields: dict[str, Any]) -> Played:
    """A game from its fields; refuses those that no game of a match can have."""
    try:
        good = all(isinstance(fields[name], str) for name in _TEXTS) and fields["black"] in SIDES
        good = good and fields["outcome"] in OUTCOMES and fields["winner"] in (*SIDES, None)
        good = good and (fields["winner"] is not None) == (fields["outcome"] in ("win", "forfeit"))
        good = good and all(set(fields[name]) == set(SIDES) for name in ("seeds", "versions", "efforts"))
        good = good and all(is_whole(fields["seeds"][side]) for side in SIDES)
        good = good and all(isinstance(fields["versions"][side], str) for side in SIDES)
        efforts, moves = {side: _effort(fields["efforts"][side]) for side in SIDES}, fields["moves"].split()
        good = good and is_whole(fields["number"]) and 0 <= fields["number"] < MOST_NUMBERS
        good = good and is_whole(fields["opening"]) and 0 <= fields["opening"] <= len(moves)
        if not good:
            raise ValueError
        return Played(**{**fields, "moves": moves, "efforts": efforts})
    except (KeyError, TypeError, ValueError, AttributeError):
        raise MatchError("a field is missing, unknown or of the wrong kind") from None


def _effort(fields: dict[str, Any]) -> Effort:
    effort = Effort(**fields)
    numbers = (effort.turns, 0 if effort.simulations is None else effort.simulations)
    is_time = is_whole(effort.seconds) or isinstance(effort.seconds, float)
    if not all(is_whole(n) and n >= 0 for n in numbers) or not is_time or not 0 <= effort.seconds < 1e12:
        raise ValueError
    return effort
