"""Users' own policies, heuristics and tree policies: the same as built-in ones where they say the same."""

from __future__ import annotations

import numpy as np
import pytest

import montego
from montego.search import accessors as ask
from montego.search.own import OwnParts
from montego.search.table import HeuristicTable


def mogo(position):
    return ask.mogo_move(position)


def uniform(position):
    return ask.uniform_move(position)


other_name = ask.mogo_move


def by_way_of(position):
    return other_name(position)


def handcrafted(position, p):
    """½ everywhere: the even heuristic."""
    return 0.5


def minimum_mse(node, p):
    n, m = ask.count(node, p), ask.amaf_count(node, p)
    if n + m == 0:
        return 1.0
    beta = m / (n + m + 4 * n * m * 0.0085 * 0.0085)
    return (1 - beta) * ask.value(node, p) + beta * ask.amaf_value(node, p)


def tree(**settings):
    """The whole tree of a seeded search, as nested dictionaries."""
    player = montego.player("mogo-2007", simulations=400, seed=3, **settings)
    player.choose(montego.Game(5))
    return player.tree.to_dict(depth=50, least=1)


def test_a_policy_that_repeats_a_built_in_one_builds_the_same_tree():
    assert tree(policy=mogo) == tree() == tree(policy=by_way_of)
    assert tree(policy=uniform) == tree(policy="uniform")


def test_a_heuristic_is_used_where_the_preset_has_none():
    def sure(position, p):
        return 0.75

    for own in (sure, HeuristicTable(np.full((5, 5), 0.75), pass_value=0.75)):
        player = montego.player("mogo-rave", simulations=20, heuristic=own)
        assert {move.prior for move in player.analyse(montego.Game(size=5)).moves} == {0.75}


def test_a_heuristic_that_repeats_a_built_in_one_builds_the_same_tree():
    assert tree(heuristic=handcrafted) == tree(heuristic="even")
    assert tree(heuristic=HeuristicTable(np.full((5, 5), 0.5), pass_value=0.5)) == tree(heuristic="even")


def test_a_tree_policy_that_repeats_a_built_in_one_builds_the_same_tree():
    assert tree(tree_policy=minimum_mse) == tree()


def test_accessors_answer_as_the_game_does():
    """Every point of a position with a capture, an eye, an atari and a self-atari, asked inside a heuristic."""
    game = montego.Game.from_diagram(
        """
        . O X . X
        O X X X .
        . X . X X
        O O X O .
        . O X . O
        """,
        to_play="black",
    )
    from montego.go import facts

    seen = {}
    for name, question in QUESTIONS.items():
        player = montego.player("mogo-2007", simulations=1, heuristic=question, prior_amaf=1.0)
        report = player.analyse(game, simulations=1)
        seen[name] = {move.vertex: move.prior for move in report.moves if move.vertex != "pass"}
    for vertex in game.legal_moves():
        assert seen["capture"][vertex] == float(facts.captures(game, vertex, "black") > 0)
        assert seen["self_atari"][vertex] == float(facts.is_self_atari(game, vertex, "black"))
        assert seen["eye"][vertex] == float(facts.eye(game, vertex, "black") == "true")
        row, column = 5 - int(vertex[1:]), "ABCDE".index(vertex[0])
        assert seen["place"][vertex] == pytest.approx((row * 5 + column) / 25)
        assert seen["legal"][vertex] == 1.0
        stones = game.stones
        below = 3 if row == 4 else int(stones[row + 1, column])
        assert seen["below"][vertex] == pytest.approx(below / 3)


QUESTIONS = {
    "capture": lambda position, p: 1.0 if ask.is_capture(position, p) else 0.0,
    "self_atari": lambda position, p: 1.0 if ask.is_self_atari(position, p) else 0.0,
    "eye": lambda position, p: 1.0 if ask.is_own_eye(position, p) else 0.0,
    "legal": lambda position, p: 1.0 if ask.is_legal(position, p) or p == 0 else 0.0,
    "place": lambda position, p: (ask.row_of(position, p) * 5 + ask.column_of(position, p)) / 25 if p > 0 else 0.0,
    "below": lambda position, p: ask.stone_at(position, p + ask.stride(position)) / 3.0,
}


def test_points_off_the_board_are_border_whatever_the_number():
    def heuristic(position, p):
        off = ask.stone_at(position, -1) + ask.stone_at(position, 10**12) + ask.stone_at(position, 0)
        legal = ask.is_legal(position, -5) or ask.is_legal(position, 10**9) or ask.in_atari(position, -3)
        return 1.0 if off == 3 * ask.BORDER and not legal and ask.point_at(position, 5, 0) == 0 else 0.0

    player = montego.player("mogo-2007", simulations=1, heuristic=heuristic)
    assert {move.prior for move in player.analyse(montego.Game(5), simulations=1).moves} == {1.0}


def test_answers_that_cannot_be_used_are_reported_and_nothing_breaks():
    def nowhere(position):
        return 7

    def too_sure(position, p):
        return 3.0

    game = montego.Game(5)
    with pytest.raises(montego.MontegoError, match=r"policy: \d+ answers cannot be used; accepted: a point"):
        montego.player("mogo-2007", simulations=20, policy=nowhere).choose(game)
    with pytest.raises(montego.MontegoError, match=r"heuristic: \d+ answers cannot be used; accepted: the value"):
        montego.player("mogo-2007", simulations=20, heuristic=too_sure).choose(game)
    assert game.moves == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"policy": lambda position: position.colour},
            r"policy: <lambda> does not compile \(.*colour.*; accepted",
        ),
        ({"policy": lambda position: "D4"}, r"policy: <lambda> does not compile"),
        ({"policy": lambda: 0}, r"policy is <lambda>\(\); accepted: a function of \(position\) that returns a point"),
        ({"policy": 3}, r"policy is 3; accepted: a function of \(position\)"),
        ({"heuristic": lambda p: 0.5}, r"heuristic is <lambda>\(p\); accepted: a function of \(position, p\)"),
        ({"heuristic": lambda position, p: [p]}, r"heuristic: <lambda> does not compile"),
        ({"tree_policy": "mse"}, r"tree_policy is 'mse'; accepted: a function of \(node, p\)"),
        ({"tree_policy": lambda node, p: undefined_name}, r"tree_policy: <lambda> does not compile"),  # noqa: F821
    ],
)
def test_what_is_no_part_is_refused(settings, message):
    with pytest.raises(montego.MontegoError, match=message):
        montego.player("mogo-2007", **settings)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.5] * 9,), r"heuristic: values have the shape \(9,\); accepted: the shape of a board"),
        (([[0.5] * 5] * 4,), r"heuristic: values have the shape \(4, 5\)"),
        ((np.full((5, 5), 1.5),), r"heuristic: values are not all from 0 to 1"),
        ((np.full((5, 5), np.nan),), r"heuristic: values are not all from 0 to 1"),
        ((np.full((5, 5), 0.5), np.ones((4, 4))), r"heuristic: counts have the shape \(4, 4\); accepted: \(5, 5\)"),
        ((np.full((5, 5), 0.5), -1.0), r"heuristic: counts are not all from 0"),
        ((np.full((5, 5), 0.5), "many"), r"heuristic: counts is 'many'; accepted: an array of numbers"),
        ((np.full((5, 5), 0.5), 1.0, 2.0), r"heuristic: pass_value are not all from 0 to 1"),
        (("central",), r"heuristic: values is 'central'; accepted: an array of numbers"),
    ],
)
def test_a_table_that_is_none_is_refused(arguments, message):
    with pytest.raises(montego.MontegoError, match=message):
        HeuristicTable(*arguments)


def test_a_table_of_another_size_is_refused():
    player = montego.player("mogo-2007", simulations=1, heuristic=HeuristicTable(np.full((9, 9), 0.5)))
    with pytest.raises(montego.MontegoError, match=r"heuristic: a table of the shape \(9, 9\); accepted: .*\(5, 5\)"):
        player.choose(montego.Game(5))


def test_a_table_is_by_row_and_column():
    values, counts = np.zeros((5, 5)), np.ones((5, 5))
    values[1, 3], counts[1, 3] = 1.0, 4.0  # D4
    table = HeuristicTable(values, counts, pass_value=0.25, pass_count=2.0)
    player = montego.player("mogo-2007", simulations=1, heuristic=table, prior_amaf=10, prior_mc=5)
    moves = {move.vertex: move for move in player.analyse(montego.Game(5), simulations=1).moves}
    assert {vertex for vertex, move in moves.items() if move.prior == 1.0} == {"D4"}
    assert moves["pass"].prior == 0.25
    assert moves["D4"].count - moves["D4"].visits == 20 and moves["A1"].count - moves["A1"].visits == 5
    assert moves["pass"].amaf_count - 20 in (0, 1)


def test_own_parts_are_described():
    described = OwnParts(policy=mogo, heuristic=HeuristicTable(np.full((5, 5), 0.5))).describe()
    assert described["policy"].startswith(f"{__name__}.mogo ")
    assert described["heuristic"].startswith("table ")
    assert OwnParts().describe() == {}
