"""The analysis protocol under nonsense: nothing crashes, every bad line gets one answer and changes nothing."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from gtp.analysis_fakes import Bench, entry, query
from gtp.test_analysis_command import Session
from montego.gtp.analysis import MOST_KEPT, MOST_TURNS, MOST_WARNINGS

VERTICES = [
    "A1",
    "B2",
    "C3",
    "D4",
    "E5",
    "c4",
    "pass",
    "PASS",
    "E1",
    "A5",
    "F6",
    "J9",
    "K10",
    "I1",
    "",
    "A0",
    "A-1",
    "(0,1)",
]
WORDS = [
    "B",
    "W",
    "b",
    "white",
    "chinese",
    "japanese",
    "BLACK",
    "SIDETOMOVE",
    "N-1",
    "0",
    "",
    "\ud800",
    "é" * 50,
    "x" * 2000,
]
NUMBERS = [0, 1, 2, 3, -1, 5, 9, 20, 400, 7.5, 1e300, -0.0, 1 << 62, 1 << 70, 0.001, True, False, None]
FIELDS = [
    "id", "action", "moves", "initialStones", "initialPlayer", "rules", "komi", "whiteHandicapBonus", "boardXSize",
    "boardYSize", "analyzeTurns", "maxVisits", "maxTime", "analysisPVLen", "includeOwnership", "includePolicy",
    "includeMovesOwnership", "includePVVisits", "avoidMoves", "allowMoves", "overrideSettings", "priorities",
    "priority", "reportDuringSearchEvery", "terminateId", "turnNumbers", "rootPolicyTemperature", "unheard of",
]  # fmt: skip
ACTIONS = ["query_version", "query_models", "clear_cache", "terminate", "terminate_all"]


def value(rng: random.Random, depth: int = 3) -> Any:
    """Anything that JSON can say."""
    kind = rng.randrange(6 if depth else 3)
    if kind < 3:
        return rng.choice((NUMBERS, WORDS, VERTICES)[kind])
    if kind < 5:
        return [value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {str(rng.choice([*FIELDS, *WORDS])): value(rng, depth - 1) for _ in range(rng.randrange(4))}


def sensible(rng: random.Random, number: int) -> dict[str, Any]:
    """A query as a client might send it; some of its moves may be illegal."""
    if rng.random() < 0.15:
        action = {"id": f"t{number}", "action": rng.choice(ACTIONS), "terminateId": f"q{rng.randrange(number + 1)}"}
        return action | ({"turnNumbers": [0, 1]} if rng.random() < 0.3 else {})
    moves = [[rng.choice("BW"), rng.choice(VERTICES[:8])] for _ in range(rng.choice([0, 0, 1, 2, 6]))]
    made = query(f"q{number}", rng.choice([5, 5, 9]), moves=moves, maxVisits=rng.choice([1, 5, 40]))
    extra: dict[str, Any] = {
        "rules": rng.choice(["japanese", "aga", "tromp-taylor", {"ko": "SIMPLE"}]),
        "komi": rng.choice([0, 6.5, -3]),
        "analyzeTurns": sorted({rng.randrange(len(moves) + 1) for _ in range(3)}),
        "priority": rng.randrange(-2, 3),
        "includePolicy": True,
        "includeOwnership": True,
        "initialStones": [["B", "B3"], ["W", "D3"]],
        "avoidMoves": [entry(player=rng.choice("BW"), moves=rng.sample(VERTICES[:8], 3))],
        "overrideSettings": {"reportAnalysisWinratesAs": "WHITE", "wideRootNoise": 0.1},
        "reportDuringSearchEvery": 1.0,
    }
    return made | {field: extra[field] for field in rng.sample(list(extra), rng.randrange(4))}


def nonsense(rng: random.Random, number: int) -> str:
    """A line: a sensible query, or one with something changed in it or in its text."""
    made = sensible(rng, number)
    for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
        field = rng.choice(FIELDS)
        made[field] = value(rng)
        if rng.random() < 0.2:
            del made[field]
    if made.get("boardXSize") == made.get("boardYSize") and made.get("boardXSize") not in (5, 9):
        made["boardYSize"] = 4  # each size that is played on takes its time to compile
    text = json.dumps(made)
    if rng.random() < 0.1:
        at = rng.randrange(len(text))
        text = (
            text[:at] + rng.choice(["", "{", "]", '"', ",", "NaN", "1e999", "\x00", "\\", "[" * 3000]) + text[at + 1 :]
        )
    return text


def state(bench: Bench) -> Any:
    analyst = bench.analyst
    return [job.order for job in analyst.waiting], analyst._orders, analyst._warned.copy(), dict(analyst._kept)


def feed(lines: int, seed: int) -> None:
    rng, bench = random.Random(seed), Bench()
    told = Counter[str]()
    for number in range(lines):
        before, accepted = state(bench), bench.analyst._orders
        bench.written.clear()
        bench.inbox.add(nonsense(rng, number))
        bench.analyst.attend()
        errors = [reply for reply in bench.written if "error" in reply]
        if errors:
            assert len(bench.written) == 1 and len(errors[0]["error"]) < 500
            assert state(bench) == before and errors[0].keys() in ({"error"}, {"error", "field", "id"})
        told["refused" if errors else "accepted" if bench.analyst._orders > accepted else "done"] += 1
        if rng.random() < 0.02:
            answer_all(bench, rng, number)
        bench.engine.tasks.clear()
    answer_all(bench, rng, lines)
    assert min(told.values()) > lines / 20, f"a bad mixture of lines: {told}"
    assert len(bench.analyst._warned) <= MOST_WARNINGS and len(bench.analyst._kept) <= MOST_KEPT


def answer_all(bench: Bench, rng: random.Random, number: int) -> None:
    """All that waits is answered, with more lines coming in meanwhile: every turn has one final answer."""
    bench.written.clear()
    waiting, before = len(bench.analyst.waiting), bench.analyst._orders
    bench.engine.meanwhile.extend((nonsense(rng, number),) for _ in range(5))
    bench.analyst.serve()
    final = sum(reply.get("isDuringSearch") is False for reply in bench.written)
    assert final == waiting + bench.analyst._orders - before and bench.analyst.waiting == []
    bench.engine.meanwhile.clear()


def test_nonsense() -> None:
    feed(5_000, seed=1)


@pytest.mark.slow
def test_much_nonsense() -> None:
    for seed in range(20):
        feed(5_000, seed=100 + seed)


def test_only_so_much_waits() -> None:
    """A client that asks and asks and never lets the engine work."""
    bench, moves = Bench(), [["B", "pass"], ["W", "pass"]] * 50
    for number in range(MOST_TURNS // 100 + 50):
        bench.inbox.add(query(f"q{number}", moves=moves, analyzeTurns=list(range(101)), **{f"wish {number}": 1}))
    bench.analyst.attend()
    assert MOST_TURNS - 101 < len(bench.analyst.waiting) <= MOST_TURNS
    assert len(bench.analyst._warned) <= MOST_WARNINGS
    assert sum("error" in reply for reply in bench.written) == 51
    first = bench.analyst.waiting[0].query.moves
    assert first[0] is first[2] is bench.analyst.waiting[-1].query.moves[0], "equal moves are one object"


def test_nonsense_for_the_command() -> None:
    """The process answers the same nonsense with the same errors, and ends in order."""
    rng = random.Random(5)
    lines = [line for line in (nonsense(rng, number) for number in range(300)) if "terminate" not in line]
    bench = Bench()
    bench.inbox.add(*lines)
    bench.analyst.attend()
    wanted = [reply for reply in bench.written if "error" in reply]
    replies, err = Session("--simulations", "20").finish(*lines)
    assert [reply for reply in replies if "error" in reply] == wanted and len(wanted) > 30
    finals = [reply for reply in replies if reply.get("isDuringSearch") is False]
    assert len(finals) == bench.analyst._orders and sum("rootInfo" in reply for reply in finals) > 20
    assert "Traceback" not in err
