"""Queries of the analysis protocol, read and checked: what is asked about which positions of which game."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Any

from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, is_whole, shown
from montego.go.game import Game, check_komi
from montego.go.geometry import ACCEPTED_SIZES, MAX_SIZE, MIN_SIZE, PASS, geometry, parse_colour
from montego.go.rules import Rules
from montego.gtp.rules_json import rules_from, with_rule

LONGEST_ID = 1000
LONGEST_NAME = 60
"""Of a field, in a warning."""
MOST_VISITS = (1 << 40) - 1
MOST_SECONDS = 1e8
MOST_PRIORITY = 1 << 62
LEAST_EVERY = 0.05
"""Seconds between reports, if fewer are asked for."""

VIEWS = ("BLACK", "WHITE", "SIDETOMOVE")
FIELDS = {
    "id", "action", "moves", "initialStones", "initialPlayer", "rules", "komi", "whiteHandicapBonus", "boardXSize",
    "boardYSize", "analyzeTurns", "maxVisits", "maxTime", "analysisPVLen", "includeOwnership", "includePolicy",
    "includePVVisits", "includeStatistics", "avoidMoves", "allowMoves", "overrideSettings", "reportDuringSearchEvery",
    "priority", "priorities",
}  # fmt: skip
SETTINGS = {"maxVisits", "maxTime", "reportAnalysisWinratesAs", "analysisPVLen"}
"""What may stand in overrideSettings."""
WANTING = {
    "includeMovesOwnership": "ownership is known for the position only, not for every move",
    "includeMovesOwnershipStdev": "ownership is known for the position only, not for every move",
    "includeOwnershipStdev": "the spread of ownership is not known",
    "includeNoResultValue": "games without result are not counted",
}
"""Wishes that cannot be fulfilled, and why."""

Played = tuple[int, int]
"""A move or a stone: colour and point."""


class QueryError(MontegoError):
    """A query that is refused, and the field to blame."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


@dataclass(frozen=True)
class Start:
    """How a game begins."""

    size: int
    komi: float
    rules: Rules
    stones: tuple[Played, ...]
    mover: int
    handicap: int

    def game(self) -> Game:
        made = Game(self.size, self.komi, self.rules)
        black, white = ([point for colour, point in self.stones if colour == side] for side in (BLACK, WHITE))
        made.setup(black, white, to_play=self.mover, handicap=self.handicap or None)
        return made


@dataclass(frozen=True)
class Query:
    """A question about some turns of a game. A turn's number is the number of moves before it."""

    id: str
    start: Start
    moves: tuple[Played, ...]
    turns: dict[int, int]
    """the turns asked about, each with its priority"""
    visits: int | None = None
    seconds: float | None = None
    every: float | None = None
    view: str = "BLACK"
    """whose values are reported"""
    ownership: bool = False
    policy: bool = False
    line_visits: bool = False
    statistics: bool = False
    """what the tree policy goes by, of all moves of which anything is known"""
    line: int | None = None
    """the longest variation"""
    without: dict[int, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    """by colour, moves not to be considered"""
    only: dict[int, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    """by colour, the only moves to be considered"""
    warnings: dict[str, str] = dataclasses.field(default_factory=dict)
    """what is not done as asked, by the name of the wish"""


@dataclass(frozen=True)
class Defaults:
    """What a query does not say."""

    rules: Rules
    visits: int | None
    seconds: float | None


def read_query(raw: dict[str, Any], defaults: Defaults) -> Query:
    """The query in a JSON object. The moves are not played yet: see Replay."""
    settings = _settings(raw)
    moves, start = _game(raw, defaults)
    only, without = _choice(raw, "allowMoves", start.size), _choice(raw, "avoidMoves", start.size)
    if only and without:
        raise QueryError("allowMoves", "allowMoves and avoidMoves are given; accepted: one of them")
    visits, seconds = _whole(settings, "maxVisits", 1, 1 << 50), _number(settings, "maxTime", 1e-6, 1e20)
    every = _number(raw, "reportDuringSearchEvery", 0.001, 1e6)
    return Query(
        id=raw["id"],
        start=start,
        moves=moves,
        turns=_turns(raw, len(moves)),
        visits=defaults.visits if visits is None else min(visits, MOST_VISITS),
        seconds=defaults.seconds if seconds is None else min(seconds, MOST_SECONDS),
        every=None if every is None else max(every, LEAST_EVERY),
        view=_word(settings, "reportAnalysisWinratesAs", VIEWS),
        ownership=_truth(raw, "includeOwnership"),
        policy=_truth(raw, "includePolicy"),
        line_visits=_truth(raw, "includePVVisits"),
        statistics=_truth(raw, "includeStatistics"),
        line=_whole(settings, "analysisPVLen", 1, 1000),
        without=without,
        only=only,
        warnings=_warnings(raw),
    )


def _settings(raw: dict[str, Any]) -> dict[str, Any]:
    """The fields of a query and of its overrideSettings, the former first."""
    inner = raw.get("overrideSettings", {})
    if not isinstance(inner, dict):
        raise QueryError("overrideSettings", f"it is {shown(inner)}; accepted: an object")
    return {key: inner[key] for key in SETTINGS if key in inner} | raw


def _warnings(raw: dict[str, Any]) -> dict[str, str]:
    found = {field: why for field, why in WANTING.items() if _truth(raw, field)}
    for field in raw.keys() - FIELDS - WANTING.keys():
        found[field[:LONGEST_NAME]] = "not a field of a query, or of no use here; ignored"
    for setting in raw.get("overrideSettings", {}).keys() - SETTINGS:
        found[f"overrideSettings.{setting[:LONGEST_NAME]}"] = f"{shown(setting)} is no setting of this engine; ignored"
    if any(entry["untilDepth"] > 1 for field in ("avoidMoves", "allowMoves") for entry in raw.get(field, ())):
        found["untilDepth"] = "moves are avoided or allowed at the first move only"
    return found


# --- the game -------------------------------------------------------------------------------------------------


def _game(raw: dict[str, Any], defaults: Defaults) -> tuple[tuple[Played, ...], Start]:
    size = _size(raw)
    most = Game(size).max_moves - 1
    moves = _played(raw, "moves", size, most)
    stones = _played(raw | {"initialStones": raw.get("initialStones", [])}, "initialStones", size, size**2)
    if any(point == PASS for _, point in stones):
        raise QueryError("initialStones", "a pass is no stone; accepted: points of the board")
    rules = _rules(raw, defaults.rules)
    handicap = _handicap(stones, moves, size**2)
    first = moves[0][0] if moves else WHITE if handicap else BLACK
    mover = _colour(raw["initialPlayer"], "initialPlayer") if "initialPlayer" in raw else first
    return moves, Start(size, _komi(raw, rules), rules, stones, mover, handicap)


def _size(raw: dict[str, Any]) -> int:
    width, height = (_whole(raw, field, MIN_SIZE, MAX_SIZE) for field in ("boardXSize", "boardYSize"))
    for field, side in (("boardXSize", width), ("boardYSize", height)):
        if side is None:
            raise QueryError(field, f"it is missing; accepted: a whole number from {ACCEPTED_SIZES}")
    if width != height:
        raise QueryError("boardYSize", f"the board is {width}×{height}; accepted: square boards")
    assert width is not None
    return width


def _rules(raw: dict[str, Any], default: Rules) -> Rules:
    rules, field = default, "rules"
    try:
        if "rules" in raw:
            rules = rules_from(raw["rules"])
        if "whiteHandicapBonus" in raw:
            field = "whiteHandicapBonus"
            rules = with_rule(rules, field, raw[field])
    except MontegoError as error:
        raise QueryError(field, str(error)) from None
    return rules


def _komi(raw: dict[str, Any], rules: Rules) -> float:
    try:
        return check_komi(raw.get("komi", 7.5 if rules.scoring == "AREA" else 6.5))
    except MontegoError as error:
        raise QueryError("komi", str(error)) from None


def _handicap(stones: tuple[Played, ...], moves: tuple[Played, ...], area: int) -> int:
    """How many stones Black was given: set up before the game, or as several moves at its beginning."""
    colours = [colour for colour, point in stones or moves if point != PASS]
    if not stones:
        colours = list(takewhile(BLACK.__eq__, colours))
    return len(colours) if 1 < len(colours) < area and WHITE not in colours else 0


def _played(raw: dict[str, Any], field: str, size: int, most: int) -> tuple[Played, ...]:
    """A list of [colour, vertex]."""
    wanted = 'accepted: a list of pairs such as ["B", "D4"]'
    pairs = raw.get(field)
    if not isinstance(pairs, list):
        raise QueryError(field, f"it is {shown(pairs) if field in raw else 'missing'}; {wanted}")
    if len(pairs) > most:
        raise QueryError(field, f"there are {len(pairs)}; accepted on this board: at most {most}")
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            raise QueryError(field, f"one of them is {shown(pair)}; {wanted}")
    return tuple(_same((_colour(colour, field), _point(vertex, field, size))) for colour, vertex in pairs)


# --- what to report -------------------------------------------------------------------------------------------


def _turns(raw: dict[str, Any], last: int) -> dict[int, int]:
    if "priority" in raw and "priorities" in raw:
        raise QueryError("priority", "priority and priorities are given; accepted: one of them")
    priority = _whole(raw, "priority", -MOST_PRIORITY, MOST_PRIORITY) or 0
    if "analyzeTurns" not in raw:
        if "priorities" in raw:
            raise QueryError("priorities", "there is no analyzeTurns; accepted: a priority for each of its turns")
        return {last: priority}
    turns = _wholes(raw, "analyzeTurns", 0, last)
    if not turns:
        raise QueryError("analyzeTurns", "it is empty; accepted: the numbers of some turns")
    priorities = [priority] * len(turns)
    if "priorities" in raw:
        priorities = _wholes(raw, "priorities", -MOST_PRIORITY, MOST_PRIORITY)
        if len(priorities) != len(turns):
            raise QueryError("priorities", f"{len(priorities)} for {len(turns)} turns; accepted: one for each")
    return dict(sorted(zip(turns, priorities, strict=True)))


def _choice(raw: dict[str, Any], field: str, size: int) -> dict[int, tuple[str, ...]]:
    """By colour, the moves that avoidMoves or allowMoves names."""
    entries, found = raw.get(field, []), dict[int, tuple[str, ...]]()
    if not isinstance(entries, list):
        raise QueryError(field, f"it is {shown(entries)}; accepted: a list of objects with player, moves, untilDepth")
    for entry in entries:
        if not isinstance(entry, dict) or not entry.keys() >= {"player", "moves", "untilDepth"}:
            raise QueryError(field, f"one is {shown(entry)}; accepted: objects with player, moves, untilDepth")
        _whole(entry, "untilDepth", 1, 10**9, field)
        colour, moves = _colour(entry["player"], field), entry["moves"]
        if not isinstance(moves, list):
            raise QueryError(field, f"moves is {shown(moves)}; accepted: a list of vertices")
        if colour in found and field == "allowMoves":
            raise QueryError(field, "a player is named twice; accepted: one entry for each player")
        points = {geometry(size).vertex(_point(vertex, field, size)) for vertex in moves}
        found[colour] = tuple(_same(vertex) for vertex in sorted(points.union(found.get(colour, ()))))
    return found


# --- values ---------------------------------------------------------------------------------------------------


@cache
def _same(value: Any) -> Any:
    """One object for all equal moves or vertices: thousands of queries may wait."""
    return value


def _colour(value: Any, field: str) -> int:
    try:
        return parse_colour(value if isinstance(value, str) else None)
    except MontegoError:
        raise QueryError(field, f"{shown(value)} is not a colour; accepted: B, W") from None


def _point(vertex: Any, field: str, size: int) -> int:
    try:
        return geometry(size).parse(vertex if isinstance(vertex, str) else [vertex])
    except MontegoError as error:
        raise QueryError(field, str(error)) from None


def _whole(raw: dict[str, Any], key: str, low: int, high: int, field: str = "") -> int | None:
    if key not in raw:
        return None
    value = raw[key]
    if not is_whole(value) or not low <= value <= high:
        raise QueryError(field or key, f"{key} is {shown(value)}; accepted: a whole number from {low} to {high}")
    return int(value)


def _wholes(raw: dict[str, Any], field: str, low: int, high: int) -> list[int]:
    values = raw[field]
    if not isinstance(values, list):
        raise QueryError(field, f"it is {shown(values)}; accepted: a list of whole numbers")
    for value in values:
        _whole({field: value}, field, low, high)
    return values


def _number(raw: dict[str, Any], field: str, low: float, high: float) -> float | None:
    if field not in raw:
        return None
    value = raw[field]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise QueryError(field, f"it is {shown(value)}; accepted: a number from {low:g} to {high:g}")
    return float(value)


def _truth(raw: dict[str, Any], field: str) -> bool:
    value = raw.get(field, False)
    if not isinstance(value, bool):
        raise QueryError(field, f"it is {shown(value)}; accepted: true or false")
    return value


def _word(raw: dict[str, Any], field: str, accepted: Iterable[str]) -> str:
    """One of several words, the first if none is given."""
    words = tuple(accepted)
    value = raw.get(field, words[0])
    word = value.upper() if isinstance(value, str) else ""
    if word not in words:
        raise QueryError(field, f"it is {shown(value)}; accepted: {', '.join(words)}")
    return word
