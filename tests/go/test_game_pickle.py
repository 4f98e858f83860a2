"""Games that travel between processes arrive as they left."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montego import Game, MontegoError
from montego.go import errors
from montego.go.rules import RULES, Rules

SEEDS = st.integers(0, 2**31 - 1)
KINDS = st.sampled_from(["play"] * 12 + ["other", "pass", "setup", "undo", "turn", "komi", "rules", "resign", "back"])
STEPS = st.lists(st.tuples(KINDS, SEEDS), max_size=60)

TRIPLE_KO = """
. X O . . . . . .
X O . O . . . . .
. X O . . . . . .
. X O . . . . . .
X . X O . . . . .
. X O . . . . . .
. X O . . . . . .
X O . O . . . . .
. X O . . . . . .
"""


def facts(game: Game) -> dict[str, Any]:
    """All that can be asked of a game."""
    return {
        "stones": game.stones.tolist(),
        "moves": game.moves,
        "history": game.history.tolist(),
        "movers": game.movers,
        "to_play": game.to_play,
        "passes": game.passes,
        "ko": game.ko,
        "captured": (game.captured("black"), game.captured("white")),
        "handicap": game.handicap,
        "komi": game.komi,
        "rules": game.rules,
        "over": game.is_over,
        "result": game.result(),
        "score": game.score(),
        "legal": (game.legal_moves("black"), game.legal_moves("white")),
        "why": [game.why_illegal(vertex) for vertex in ("A1", "B2", "pass")],
        "board": [game.board[0][field].tolist() for field in game.board.dtype.names],
    }


def sent(game: Game) -> Game:
    arrived = pickle.loads(pickle.dumps(game))
    assert isinstance(arrived, Game)
    return arrived


def same(left: Game, right: Game) -> None:
    """They agree now, and about every moment of their past."""
    left, right = left.copy(), right.copy()
    while True:
        assert facts(left) == facts(right)
        try:
            left.undo()
        except MontegoError:
            with pytest.raises(MontegoError):
                right.undo()
            return
        right.undo()


def change(game: Game, kind: str, number: int) -> Game:
    """One change of any kind, if it is allowed."""
    try:
        if kind in ("play", "other"):
            mover = game.to_play if kind == "play" else 3 - game.to_play
            legal = game.legal_moves(mover)
            if legal:
                game.play(legal[number % len(legal)], mover)
        elif kind == "pass":
            game.play("pass")
        elif kind == "setup":
            points = [
                f"{'ABCDE'[n % game.size]}{1 + n // 7 % game.size}" for n in (number, number // 11, number // 101)
            ]
            game.setup(black=points[:1], white=points[1:2], empty=points[2:], to_play=1 + number % 2)
        elif kind == "undo":
            game.undo(1 + number % 3)
        elif kind == "turn":
            game = game.with_turn(1 + number % 2)
        elif kind == "komi":
            game.komi = number % 50 / 2
        elif kind == "rules":
            game.rules = list(RULES)[number % len(RULES)]
        elif kind == "resign":
            game.resign()
    except MontegoError:
        pass
    return game


@settings(max_examples=120, deadline=None)
@given(st.sampled_from([2, 3, 3, 4, 5]), st.sampled_from(list(RULES)), st.integers(0, 3), STEPS)
def test_any_game_arrives_as_it_left(size, rules, handicap, steps):
    game = Game(size, 6.5, rules)
    if handicap > 1 and size > 2:
        game.place_free_handicap(handicap)
    for kind, number in steps:
        game = change(game, kind, number)
    arrived = sent(game)
    same(game, arrived)
    before = facts(game)
    for kind, number in steps[:10]:  # and it goes on alike, without touching the one it came from
        arrived = change(arrived, kind, number)
    assert facts(game) == before


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([2, 3]), st.sampled_from(["cgos", "aga", "new-zealand", "tromp-taylor", "japanese"]), STEPS)
def test_both_go_on_alike(size, rules, steps):
    game = Game(size, 0.5, rules)
    for kind, number in steps[: len(steps) // 2]:
        game = change(game, kind, number)
    arrived = sent(game)
    for kind, number in steps[len(steps) // 2 :]:
        game, arrived = change(game, kind, number), change(arrived, kind, number)
        assert facts(game) == facts(arrived)


def test_superko_remembers_the_past():
    game = Game.from_diagram(". X O . . \n X O . O . \n . X O . . \n . . . . . \n . . . . .", "black", 0.5, "cgos")
    game.play("C4")  # takes the ko
    assert game.why_illegal("B4") == "ko"
    game.play("E1")
    game.play("A1")
    assert sent(game).why_illegal("B4") is None
    game.play("B4")
    back = sent(game)
    game.play("E2")
    game.play("D1")
    same(game, sent(game))
    assert back.why_illegal("C4") == "ko"


def test_handicap_and_rules_of_ones_own_travel():
    own = replace(RULES["aga"], name="house rules", white_handicap_bonus="N")
    game = Game(9, -3.5, own)
    game.place_fixed_handicap(4)
    arrived = sent(game)
    assert isinstance(arrived.rules, Rules) and arrived.rules == own
    assert arrived.handicap == 4 and arrived.to_play == 2
    assert arrived.score() == game.score()


def test_a_turn_out_of_order_travels():
    game = Game(5)
    for vertex in ("C3", "pass", "D3"):
        game.play(vertex)
    assert game.to_play == 2
    turned = game.with_turn("black")
    assert game.to_play == 2 and turned.to_play == 1 and turned.movers[-1] == 1
    same(turned, sent(turned))
    turned.play("B3")
    assert [move.colour for move in sent(turned).moves] == [1, 2, 1, 1]


def test_a_turn_after_two_passes_goes_on():
    game = Game(5)
    for vertex in ("C3", "pass", "pass"):
        game.play(vertex)
    assert game.is_over
    for colour in (1, 2):
        going_on = sent(game.with_turn(colour))
        assert not going_on.is_over and going_on.to_play == colour and going_on.passes == 0
    one_pass = Game(5)
    one_pass.play("pass")
    assert one_pass.with_turn("white").passes == 1  # the answer would end the game


def test_a_turn_leaves_the_ko_as_the_rules_have_it():
    """Black has taken a ko. Given another turn, Black may fill it, and White still must not take back."""
    game = Game.from_diagram(". X O . . \n X O . O . \n . X O . . \n . . . . . \n . . . . .", "black", 0.5)
    game.play("C4")
    turned = sent(game.with_turn("black"))
    assert turned.is_legal("B4", "black") == game.is_legal("B4", "black")
    assert game.why_illegal("B4", "white") == turned.why_illegal("B4", "white") == "ko"


@pytest.mark.parametrize("moves", [5, 6])
def test_a_void_game_stays_void(moves):
    """Three kos, taken in turn: after six moves the position is back."""
    game = Game.from_diagram(TRIPLE_KO, "black", 0.5, "japanese")
    for vertex in ("C8", "B5", "C2", "B8", "C5", "B2")[:moves]:
        game.play(vertex)
    arrived = sent(game)
    same(game, arrived)
    assert arrived.is_over == (moves == 6) and arrived.result() == ("Void" if moves == 6 else "?")


def test_it_is_small_and_quick():
    """A long game is a few kilobytes, not its hundreds of boards."""
    rng, game = np.random.default_rng(1), Game(19)
    while len(game.moves) < 300:
        legal = game.legal_moves()
        game.play(legal[int(rng.integers(len(legal)))])
    assert len(pickle.dumps(game)) < 20_000
    assert facts(sent(game)) == facts(game)


@pytest.mark.parametrize(
    "error",
    [errors.IllegalMove("no", "ko"), errors.SetupError("no"), errors.ConfigError("no"), errors.RulesError("no")],
    ids=lambda error: type(error).__name__,
)
def test_refusals_travel_too(error):
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error) and str(arrived) == "no" and vars(arrived) == vars(error)
