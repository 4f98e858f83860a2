"""Queries of the analysis protocol: what is refused and how, what is understood."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gtp.analysis_fakes import DEFAULTS, Bench, entry, query
from montego import Game
from montego.gtp.inbox import Line
from montego.gtp.queries import QueryError, read_query

PAIR = [["B", "C3"], ["W", "C3"]]
EVERYTHING = [*Game(5).legal_moves(), "pass"]
VALUES: dict[str, list[Any]] = {
    "boardXSize": [1, 20, 9.0, None, "5"],
    "boardYSize": [7, True],
    "rules": ["chess", {"tax": "ALL"}, None],
    "whiteHandicapBonus": ["2", None],
    "komi": [401, "7", None],
    "moves": [None, "B C3", [["B"]], [["X", "C3"]], [["B", "C9"]], [["B", "I3"]], [["B", 8]], [[1, "C3"]], PAIR],
    "initialStones": [{}, [["B", "pass"]], [["B", "A1"], ["W", "A1"]], [["W", "A1"], ["B", "A2"], ["B", "B1"]]],
    "initialPlayer": ["E", 1],
    "analyzeTurns": [0, [1], [-1], [], [0.0], ["0"]],
    "priority": [1.5, 1 << 63],
    "priorities": [[1]],
    "maxVisits": [0, "5", None],
    "maxTime": [0, "1"],
    "overrideSettings": [[], None],
    "analysisPVLen": [0],
    "includeOwnership": [1],
    "includePolicy": ["yes"],
    "includeMovesOwnership": [None],
    "reportDuringSearchEvery": [0],
    "avoidMoves": [
        entry(), [{"player": "B", "moves": []}], [entry(untilDepth=0)], [entry(player="Z")], [entry(moves="C3")],
        [entry(moves=["Z9"])], [entry(moves=EVERYTHING)],
    ],
    "allowMoves": [[entry(), entry()], [entry(moves=[])], [7]],
    "action": ["dance", None, []],
}  # fmt: skip
BAD: list[tuple[str, dict[str, Any]]] = [
    *((field, {field: value}) for field, values in VALUES.items() for value in values),
    ("moves", {"moves": [["B", "pass"]] * 5000}),
    ("moves", {"moves": PAIR, "analyzeTurns": [0]}),
    ("priorities", {"analyzeTurns": [0], "priorities": [1, 2]}),
    ("priorities", {"analyzeTurns": [0], "priorities": 3}),
    ("priority", {"analyzeTurns": [0], "priorities": [1], "priority": 1}),
    ("maxTime", {"overrideSettings": {"maxTime": -1}}),
    ("reportAnalysisWinratesAs", {"overrideSettings": {"reportAnalysisWinratesAs": "GREEN"}}),
    ("allowMoves", {"allowMoves": [entry()], "avoidMoves": [entry()]}),
    ("allowMoves", {"allowMoves": [entry()], "initialStones": [["W", "C3"]], "initialPlayer": "B"}),
    ("terminateId", {"action": "terminate"}),
    ("turnNumbers", {"action": "terminate_all", "turnNumbers": [1.5]}),
    ("turnNumbers", {"action": "terminate_all", "turnNumbers": 2}),
]
NO_QUERIES = [
    "nonsense", "{", '{"id":"a"', "[1]", "7", "null", '"a"', "{}", '{"id":7}', '{"id":null}', "\x00", "{'id':'a'}",
    '{"id":"' + "x" * 1001 + '"}', "[" * 100_000, '{"id":"a","komi":NaN}', '{"id":"a","komi":1e999}',
    '{"id":"a","komi":' + "9" * 5000 + "}",
]  # fmt: skip


@pytest.mark.parametrize(("field", "fields"), BAD, ids=lambda value: json.dumps(value)[:60])
def test_a_bad_query_gets_one_line_and_changes_nothing(field: str, fields: dict[str, Any]) -> None:
    bench = Bench()
    (told,) = bench.ask(query("bad") | fields)
    assert told.keys() == {"error", "field", "id"} and (told["id"], told["field"]) == ("bad", field)
    assert "accepted" in told["error"] or "Illegal move" in told["error"]
    assert len(told["error"]) < 400
    assert bench.analyst.waiting == [] and bench.engine.tasks == [] and bench.analyst._orders == 0


@pytest.mark.parametrize("missing", ["boardXSize", "boardYSize", "moves"])
def test_fields_that_must_be_there(missing: str) -> None:
    raw = query()
    del raw[missing]
    (told,) = Bench().ask(raw)
    assert told["field"] == missing and "missing" in told["error"]


@pytest.mark.parametrize("text", NO_QUERIES, ids=lambda text: text[:20])
def test_what_is_no_query_at_all(text: str) -> None:
    (told,) = Bench().ask(text)
    assert told.keys() == {"error"} and "accepted" in told["error"] and len(told["error"]) < 400


@pytest.mark.parametrize("field", ["x", "action", "moves", "terminateId", "overrideSettings"])
def test_nested_as_deeply_as_can_be(field: str) -> None:
    """What can just be read may be too deep to be written again."""
    for depth in range(20, 1500, 20):
        bench, inner = Bench(), "[" * depth + "]" * depth
        bench.inbox.add('{"id":"a","action":"query_version","' + field + '":' + inner + "}")
        bench.analyst.attend()
        assert len(bench.written) == 1 and bench.analyst.waiting == []


def test_empty_lines_are_no_queries_and_long_ones_are_refused() -> None:
    bench = Bench()
    assert bench.ask("", "  \r\n", "\t") == []
    bench.inbox.lines.append(Line(json.dumps(query()), 0.0, cut=True))
    assert "too long" in bench.ask()[0]["error"]


def test_a_move_too_many_names_the_turn() -> None:
    (told,) = Bench().ask(query(moves=[["B", "C3"], ["W", "D3"], ["B", "C3"]]))
    assert "Illegal move black C3" in told["error"] and "at turn 2" in told["error"]


def test_defaults() -> None:
    read = read_query({"id": "a", "moves": [], "boardXSize": 9, "boardYSize": 9}, DEFAULTS)
    assert (read.visits, read.seconds, read.every, read.view, read.turns) == (100, None, None, "BLACK", {0: 0})
    assert (read.start.rules.name, read.start.komi, read.start.mover, read.start.handicap) == ("chinese", 7.5, 1, 0)
    assert read_query(query(rules="japanese"), DEFAULTS).start.komi == 6.5
    assert read_query(query(maxVisits=1 << 50, maxTime=1e20), DEFAULTS).visits == (1 << 40) - 1
    assert read_query(query(reportDuringSearchEvery=0.001), DEFAULTS).every == 0.05
    inner = {"maxVisits": 5, "maxTime": 2, "reportAnalysisWinratesAs": "white"}
    read = read_query(query(overrideSettings=inner), DEFAULTS)
    assert (read.visits, read.seconds, read.view) == (5, 2.0, "WHITE")
    assert read_query(query(overrideSettings=inner, maxVisits=7), DEFAULTS).visits == 7


@pytest.mark.parametrize(
    ("fields", "handicap", "mover"),
    [
        ({"initialStones": [["B", "B2"], ["B", "D4"]]}, 2, 2),
        ({"initialStones": [["B", "B2"], ["W", "D4"]]}, 0, 1),
        ({"initialStones": [["B", "B2"]]}, 0, 1),
        ({"initialStones": [["B", "B2"], ["B", "D4"]], "initialPlayer": "B"}, 2, 1),
        ({"moves": [["B", "B2"], ["B", "D4"], ["B", "D2"], ["W", "C3"]]}, 3, 1),
        ({"moves": [["W", "B2"], ["B", "D4"], ["B", "D2"]]}, 0, 2),
    ],
)
def test_handicaps(fields: dict[str, Any], handicap: int, mover: int) -> None:
    start = read_query(query(**fields), DEFAULTS).start
    assert (start.handicap, start.mover) == (handicap, mover)
    assert start.game().rules.handicap_bonus(start.game().handicap) == handicap


def test_refusals_name_their_field() -> None:
    with pytest.raises(QueryError) as caught:
        read_query(query(komi="x"), DEFAULTS)
    assert caught.value.field == "komi"
