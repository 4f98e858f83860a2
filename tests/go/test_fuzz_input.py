"""Junk for the public methods and functions: it is taken, or refused with a MontegoError and nothing changed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agreement import check_record, snapshot
from montego import Game
from montego.go import facts
from montego.go.errors import MontegoError, is_whole
from montego.go.geometry import geometry
from montego.go.rules import Rules
from montego.go.sgf import GameRecord, write_sgf
from montego.patterns.mogo import matches
from montego.players.playout import PlayoutPlayer
from montego.playout import PlayoutConfig, simulate, trace
from reference import Position, all_points

ORDINARY, MANY = 2_000, 20_000
CALLS_IN_A_GAME = 10

HUGE = st.sampled_from([10**30, -(10**30), 2**63, -(2**63) - 1, 2**64, 10**400, 10**5000, -(10**5000)])
NUMBERS = st.integers(-3, 30) | st.integers() | HUGE | st.floats() | st.sampled_from([math.nan, math.inf, -math.inf])
NEARLY_RIGHT = st.sampled_from(
    ["A1", "b2", "E5", "T19", "I5", "pass", "PASS", "A0", "A-1", "black", "W", "resign", "chinese", "aga", "7.5", "nan"]
)
DIAGRAMS = st.lists(st.text("XO.#+1A x(\n", max_size=5), max_size=5).map("\n".join)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=8) | NEARLY_RIGHT | DIAGRAMS | st.binary(max_size=8)
JUNK = SCALARS | st.lists(SCALARS, max_size=5) | st.lists(st.lists(SCALARS, max_size=2), max_size=2)
VERTICES = st.lists(NEARLY_RIGHT | st.integers(7, 42), max_size=4)
ARGUMENT = JUNK | VERTICES

# Every public method, with the fewest and the most arguments it takes.
CALLS: dict[str, tuple[Callable[..., object], int, int]] = {
    "Game": (lambda game, *arguments: Game(*arguments), 0, 3),
    "from_diagram": (lambda game, *arguments: Game.from_diagram(*arguments), 1, 4),
    "komi": (lambda game, value: setattr(game, "komi", value), 1, 1),
    "rules": (lambda game, value: setattr(game, "rules", value), 1, 1),
    "captured": (Game.captured, 1, 1),
    "at": (Game.at, 1, 1),
    "liberties": (Game.liberties, 1, 1),
    "chain": (Game.chain, 1, 1),
    "why_illegal": (Game.why_illegal, 1, 2),
    "is_legal": (Game.is_legal, 1, 2),
    "legal_moves": (Game.legal_moves, 0, 1),
    "play": (Game.play, 1, 2),
    "undo": (Game.undo, 0, 1),
    "with_turn": (Game.with_turn, 1, 1),
    "resign": (Game.resign, 0, 1),
    "setup": (Game.setup, 0, 4),
    "place_fixed_handicap": (Game.place_fixed_handicap, 1, 1),
    "place_free_handicap": (Game.place_free_handicap, 1, 1),
    "set_free_handicap": (Game.set_free_handicap, 1, 1),
    "score": (Game.score, 0, 2),
    "result": (Game.result, 0, 1),
    "copy": (Game.copy, 0, 0),
    "diagram": (Game.diagram, 0, 0),
}

# What else takes a caller's arguments.
CALLS |= {name: (getattr(facts, name), 1, 1) for name in ("in_atari", "escapes", "nakade", "in_seki")}
CALLS |= {
    "ladder": (facts.ladder, 1, 2),
    "captures": (facts.captures, 2, 2),
    "is_self_atari": (facts.is_self_atari, 2, 2),
    "eye": (facts.eye, 2, 2),
    "matches": (matches, 2, 2),
    "Rules": (lambda game, *arguments: Rules(*arguments), 3, 7),
    "PlayoutConfig": (lambda game, *arguments: PlayoutConfig(*arguments), 1, 3),
    "simulate": (lambda game, config, seed: simulate(game, 2, config, seed), 2, 2),
    "simulate count": (lambda game, count: simulate(game, count if not is_whole(count) else -abs(count)), 1, 1),
    "trace": (lambda game, config, seed: trace(game, config, seed), 2, 2),
    "PlayoutPlayer": (lambda game, *arguments: PlayoutPlayer(*arguments).choose(game), 1, 2),
    "parse": (lambda game, value: geometry(game.size).parse(value), 1, 1),
    "vertex": (lambda game, value: geometry(game.size).vertex(value), 1, 1),
    "index": (lambda game, value: geometry(game.size).index(value), 1, 1),
    "point": (lambda game, row, column: geometry(game.size).point(row, column), 2, 2),
    "parse_sgf": (lambda game, value: geometry(game.size).parse_sgf(value), 1, 1),
    "sgf": (lambda game, value: geometry(game.size).sgf(value), 1, 1),
    "handicap_points": (lambda game, value: geometry(game.size).handicap_points(value), 1, 1),
    "free_handicap_points": (lambda game, value: geometry(game.size).free_handicap_points(value), 1, 1),
    "GameRecord": (lambda game, value: GameRecord(value), 1, 1),
    "GameRecord.add": (lambda game, *arguments: GameRecord.from_game(game).add(*arguments), 1, 2),
    "GameRecord.to_game": (lambda game, node: GameRecord.from_game(game).to_game(node), 1, 1),
    "write_sgf": (lambda game, value: write_sgf(value), 1, 1),
}

BEGINNINGS = ["", "C3", "C3 C4 pass", "C3 pass pass", "A1 A2 E5 B1 resign"]


def test_no_method_is_left_out() -> None:
    methods = {name for name, value in vars(Game).items() if callable(value) or isinstance(value, classmethod)}
    assert {name for name in methods if not name.startswith("_")} <= set(CALLS)


def test_junk() -> None:
    assert fuzz(ORDINARY) >= ORDINARY


@pytest.mark.slow
def test_much_junk() -> None:
    assert fuzz(MANY) >= MANY


def fuzz(inputs: int) -> int:
    """Try at least so many inputs. Returns how many there were."""
    tried = 0

    @settings(
        max_examples=inputs // CALLS_IN_A_GAME,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(st.data(), st.sampled_from(BEGINNINGS))
    def throw_junk(data: st.DataObject, beginning: str) -> None:
        nonlocal tried
        game = begun(beginning)
        for _ in range(CALLS_IN_A_GAME):
            call, fewest, most = CALLS[data.draw(st.sampled_from(list(CALLS)))]
            attempt(game, call, data.draw(st.lists(ARGUMENT, min_size=fewest, max_size=most)))
            tried += 1
        check_record(game, Position(5, dict(zip(all_points(5), game.stones.ravel().tolist(), strict=True))))

    throw_junk()
    return tried


def begun(moves: str) -> Game:
    game = Game(5, rules="japanese")
    for vertex in moves.split():
        if vertex == "resign":
            game.resign()
        else:
            game.play(vertex)
    return game


def attempt(game: Game, call: Callable[..., object], arguments: list[Any]) -> None:
    before = snapshot(game)
    try:
        call(game, *arguments)
    except MontegoError as error:
        assert snapshot(game) == before
        assert 0 < len(str(error)) < 500
