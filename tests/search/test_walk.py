"""The tree from Python: what is walked and written out is what the search holds."""

from __future__ import annotations

import json
import re

import pytest

import montego


@pytest.fixture(scope="module")
def player():
    made = montego.player("mogo-2007", simulations=600, seed=2)
    made.choose(montego.Game(5))
    return made


def test_the_root_is_the_sum_of_its_moves(player):
    root = player.tree
    assert root.simulations == 600 == sum(edge.visits for edge in root.moves)
    assert root.colour == "black" and root.line == ()
    assert root.value == pytest.approx(sum(edge.visits * (edge.value or 0) for edge in root.moves) / 600)


def test_children_follow_their_moves(player):
    best = player.tree.moves[0]
    assert best.child is not None and best.child.colour == "white" and best.child.line == (best.vertex,)
    assert best.child.simulations == best.visits
    assert best.child.value == pytest.approx(1 - best.value)
    assert player.tree[best.vertex.lower()].visits == best.visits


def test_walking_is_bounded(player):
    nodes = list(player.tree.walk(depth=2, least=5))
    assert nodes[0].line == () and max(len(node.line) for node in nodes) == 2
    assert min(node.simulations for node in nodes) >= 5
    assert len({node.line for node in nodes}) == len(nodes)
    assert len(list(player.tree.walk(depth=60, least=0))) == player._search.pool.used


def test_the_dictionary_is_json_and_leaves_little_visited_moves_out(player):
    made = json.loads(player.tree.to_json(depth=1, least=20))
    assert made["simulations"] == 600
    assert made["moves"] and all(move["visits"] >= 20 for move in made["moves"])
    best = made["moves"][0]
    assert best["child"]["simulations"] == best["visits"]
    assert all("child" not in move for move in best["child"]["moves"])


def test_graphviz_names_every_node_once(player):
    text = player.tree.to_graphviz(depth=2, least=20)
    nodes = list(player.tree.walk(depth=2, least=20))
    assert text.startswith("digraph tree {") and text.rstrip().endswith("}")
    assert len(re.findall(r"^  n\d+ \[label=", text, re.MULTILINE)) == len(nodes)
    assert len(re.findall(r"^  n\d+ -> n\d+;", text, re.MULTILINE)) == len(nodes) - 1


def test_what_is_not_there_is_refused(player):
    with pytest.raises(montego.MontegoError, match="depth is -1; accepted: a whole number from 0"):
        player.tree.to_dict(depth=-1)
    with pytest.raises(montego.MontegoError, match="least is 'few'; accepted"):
        list(player.tree.walk(least="few"))
    with pytest.raises(montego.MontegoError, match="there is no tree yet; accepted: after choose or analyse"):
        _ = montego.player("mogo-2007").tree
    game = montego.Game(5)
    game.play("C3")
    player.choose(game)
    with pytest.raises(montego.MontegoError, match="'C3' is no move of this node"):
        player.tree["C3"]
