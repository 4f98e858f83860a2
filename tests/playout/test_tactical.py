"""The policy `tactical`: with MoGo's rules alone it is MoGo's; each rule of its own does what it says, when it should.

Positions for each rule are in tests/positions/tactical.pos.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pytest

from montego.go import facts
from montego.go.errors import PolicyError
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.go.shapes import is_bad_self_atari
from montego.players.playout import PlayoutPlayer, policy_config
from montego.players.presets import PRESETS
from montego.playout import PlayoutConfig, Reason, mogo_candidates, simulate, trace
from montego.playout.rules import MOGO_RULES, PlayoutRules
from montego.search.search import Search


@pytest.mark.parametrize("size", [3, 5, 9])
def test_with_mogos_rules_alone_it_is_mogos_policy(size: int) -> None:
    seen: Counter[Reason] = Counter()
    for seed in range(6):
        game = Game(size, rules="chinese")
        for move in trace(game, PlayoutConfig("tactical", rules=MOGO_RULES), seed=seed).moves:
            rule, vertices = mogo_candidates(game)
            if rule != Reason.PATTERN or not any(facts.eye(game, v, game.to_play) == "true" for v in vertices):
                assert move.reason == rule, str(game)
                assert move.vertex in vertices or move.reason == Reason.PASS, str(game)
            game.play(move.vertex)
            seen[move.reason] += 1
        assert game.is_over
    assert size < 5 or set(seen) == {Reason.PASS, Reason.RANDOM, Reason.CAPTURE, Reason.PATTERN, Reason.SAVE}


@pytest.mark.parametrize("size", [5, 9, 13])
def test_every_move_is_legal_and_fills_no_eye(size: int) -> None:
    rules = PlayoutRules(empty_region=0.3)
    seen: Counter[Reason] = Counter()
    for seed in range(12):
        game = Game(size, rules="chinese")
        for move in trace(game, PlayoutConfig("tactical", rules=rules), seed=seed).moves:
            if move.vertex != "pass":
                assert facts.eye(game, move.vertex, move.colour) != "true"
            game.play(move.vertex)
            seen[move.reason] += 1
    never = {Reason.EYE, Reason.SELF_ATARI, Reason.OWN, Reason.VALUE, Reason.URGENCY, Reason.STRENGTH}
    assert size < 9 or set(seen) == set(Reason) - never


def test_every_reason_is_counted() -> None:
    summary = simulate(Game(9), 200, PlayoutConfig("tactical"), seed=1, reasons=True)
    assert summary.reasons is not None and set(summary.reasons) == set(Reason)
    assert summary.reasons[Reason.CAPTURE_LAST] > 0
    assert sum(summary.reasons.values()) == round(summary.mean_length * summary.playouts)


def test_a_rule_is_followed_as_often_as_its_probability_says() -> None:
    game = Game(7)
    for colour, vertices in (("b", "A5 B5 C5 D5 E5 A4 E4 E3 E2 E1"), ("w", "A3 A2 A1 B4 C4 D4 B3 D3 D2 D1 B1")):
        for vertex in vertices.split():
            game.play(vertex, colour)
    game.play("C1", "w")
    assert facts.nakade(game, "C2") == "C2" and game.to_play == 1
    for probability in (0.25, 0.75):
        rules = replace(MOGO_RULES, nakade=probability)
        player = PlayoutPlayer(PlayoutConfig("tactical", rules=rules), seed=3)
        count = sum(player.choose(game).reason == Reason.NAKADE for _ in range(1000))
        assert abs(count - 1000 * probability) < 5 * (1000 * probability * (1 - probability)) ** 0.5


def plain_bad_self_atari(game: Game, vertex: str) -> bool | None:
    """Whether a move leaves one liberty for nothing, by playing it; None where a shape would have to be judged."""
    before = game.stones.copy()
    after = game.copy()
    after.play(vertex)
    if (before != 0).sum() + 1 != (after.stones != 0).sum():
        return False  # a capture
    if not facts.in_atari(after, vertex):
        return False
    names = geometry(game.size)
    board = after.board[0]
    stones = int(board.stones[board.chain[names.parse(vertex)]])
    if stones > 6:
        return True
    return None


def test_self_atari_is_bad_unless_it_captures_or_has_a_shape() -> None:
    stack, judged = np.zeros(8, np.uint16), Counter[bool]()
    for seed in range(20):
        game = Game(7, rules="chinese")
        for move in trace(game, PlayoutConfig("uniform"), seed=seed).moves:
            for vertex in game.legal_moves():
                wanted = plain_bad_self_atari(game, vertex)
                if wanted is None:
                    continue
                point = np.uint64(geometry(7).parse(vertex))
                found = bool(is_bad_self_atari(game.board[0], point, np.uint64(game.to_play), stack))
                assert found == wanted, f"{vertex}\n{game}"
                judged[found] += 1
            if len(game.moves) > 60:
                break
            game.play(move.vertex)
    assert judged[True] > 50 and judged[False] > 1000


def test_all_its_settings_are_probabilities() -> None:
    for field in fields(PlayoutRules):
        for wrong in (-0.1, 1.1, float("nan"), "often", True):
            with pytest.raises(PolicyError, match=rf"rules\.{field.name}"):
                PlayoutRules(**{field.name: wrong})
    assert policy_config("tactical:rules.nakade=0.25").rules == PlayoutRules(nakade=0.25)
    with pytest.raises(PolicyError, match=r"rules\.nakade"):
        policy_config("tactical:rules.nakade=2")
    with pytest.raises(PolicyError, match=r"no field 'rules\.guess'; accepted: .*rules\.nakade"):
        policy_config("tactical:rules.guess=1")


def test_the_same_seed_gives_the_same_playouts() -> None:
    config = PlayoutConfig("tactical")
    once, again = (simulate(Game(9), 50, config, seed=4) for _ in range(2))
    assert once == again and simulate(Game(9), 50, config, seed=5) != once


def test_a_move_that_is_refused_leaves_the_others_equally_likely() -> None:
    game = Game(5)
    for colour, vertices in (("b", "B1 B2 A4 D5 D4 E2"), ("w", "A1 E5")):
        for vertex in vertices.split():
            game.play(vertex, colour)
    game.play("pass", "b")
    rules = replace(MOGO_RULES, self_atari=0.5)
    player, seen = PlayoutPlayer(PlayoutConfig("tactical", rules=rules), seed=9), Counter[str]()
    for _ in range(8000):
        seen[player.choose(game).vertex] += 1
    bad = {v for v in game.legal_moves() if is_bad_self_atari(
        game.board[0], np.uint64(geometry(5).parse(v)), np.uint64(2), np.zeros(8, np.uint16))}  # fmt: skip
    assert bad == {"A2", "E4"}
    counts = np.array([seen[v] for v in seen if v not in bad])
    chi2 = float(((counts - counts.mean()) ** 2 / counts.mean()).sum())
    assert len(counts) > 8 and chi2 < len(counts) - 1 + 5 * (2 * (len(counts) - 1)) ** 0.5


def test_in_a_search_a_playout_is_won_by_the_komi_of_the_game() -> None:
    search = Search(5, PRESETS["house"].config, seed=1)
    for komi in (7.5, -3.5):
        search.set_position(Game(5, komi=komi))
        assert [float(work.komi) for work in search.works] == [komi]
