"""MoGo's rules with urgencies in the place of its patterns: who plays where, how often, and how it ends."""

from __future__ import annotations

from collections import Counter

import pytest

from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns.indigo import manual_urgencies
from montego.patterns.urgency import UNIT, packed
from montego.players.playout import PlayoutPlayer
from montego.playout.reasons import Reason
from montego.playout.simulate import PlayoutConfig, mogo_candidates, trace
from montego.playout.urgencies import new_urgency_memories
from montego.playout.urgent import pattern_of

CONFIG = PlayoutConfig("mogo-rlpr", urgencies="manual")


def beside(game: Game, vertex: str) -> bool:
    """Whether a point is one of the eight around the last move."""
    names = geometry(game.size)
    (row, column), (r, c) = (names.row_column(names.parse(v)) for v in (game.moves[-1].vertex, vertex))
    return max(abs(row - r), abs(column - c)) == 1


@pytest.mark.parametrize("size", [3, 5, 9])
def test_every_move_follows_the_rule_that_it_names(size: int) -> None:
    seen: Counter[Reason] = Counter()
    for seed in range(8):
        game = Game(size, rules="chinese")
        for move in trace(game, CONFIG, seed=seed).moves:
            rule, vertices = mogo_candidates(game)
            if move.reason in (Reason.SAVE, Reason.CAPTURE):
                assert rule in (move.reason, Reason.PATTERN), "in MoGo's order, patterns come between the two"
                assert rule == Reason.PATTERN or move.vertex in vertices
            if move.reason == Reason.URGENCY:
                assert rule != Reason.SAVE and beside(game, move.vertex)
            if move.reason == Reason.PASS:
                assert rule == Reason.PASS
            game.play(move.vertex)
            seen[move.reason] += 1
        assert game.is_over
    assert {Reason.RANDOM, Reason.URGENCY, Reason.PASS} <= set(seen)


def test_points_beside_the_last_move_are_drawn_by_urgency_against_the_rest() -> None:
    game = Game(9)
    for vertex in ("E5", "F6", "G6"):
        game.play(vertex)
    names, memory = geometry(9), new_urgency_memories(manual_urgencies(), 9)[0]
    table, trials = packed(manual_urgencies()), 6000
    around = {v: int(table[int(pattern_of(game.board[0], memory, names.parse(v)))]) >> 32
              for v in ("F7", "G7", "H7", "H6", "H5", "G5", "F5")}  # fmt: skip
    total = sum(around.values()) + 8 * UNIT
    player = PlayoutPlayer(CONFIG, seed=1)
    counts = Counter(player.choose(game).vertex for _ in range(trials))
    elsewhere = 8 * UNIT / total / 78  # the rest of the board, point by point; a random move may be beside, too
    for vertex, urgency in around.items():
        expected = trials * (urgency / total + elsewhere)
        assert abs(counts[vertex] - expected) < 5 * (expected + 1) ** 0.5, vertex
