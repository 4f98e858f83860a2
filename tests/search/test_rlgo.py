"""The learned value in a search: as heuristic for new nodes, and in the playouts of every kind of threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import montego
from learned_weights import random_value, weights_file
from montego.arena.played import Pairing
from montego.arena.settings import Match
from montego.go.errors import MontegoError
from montego.go.game import Game
from montego.playout import PlayoutConfig, trace
from montego.playout.parts import LEARNED
from montego.search.config import SearchConfig, described
from montego.search.heuristics import confidence
from montego.search.records import AMAF_N, AMAF_W, CHILD, N
from montego.search.report import priors_at_root
from montego.search.search import Search
from tree_checks import check_tree, dump


def configured(**fields: Any) -> SearchConfig:
    return SearchConfig(**{"fpu": 1.0, "memory": 4, "weights": weights_file(5), **fields})


def searched(config: SearchConfig, simulations: int = 300, seed: int = 1, threads: int = 1) -> Search:
    search = Search(5, config, seed, threads)
    search.set_position(Game(5, komi=2.5))
    assert search.run(simulations) == simulations
    return search


def positions() -> list[Game]:
    """Moments of a game with captures, both sides to move."""
    found, game = [], Game(5)
    for move in trace(game, PlayoutConfig("uniform"), seed=2).moves[:40]:
        found.append(game.copy())
        game.play(move.vertex)
    assert game.captured("black") and game.captured("white")
    return found


def test_priors_are_the_learned_values() -> None:
    player = montego.player("mogo-2007", simulations=1, heuristic="rlgo", weights=weights_file(5), memory=4)
    for game in positions()[::3]:
        values = random_value(5).afterstates(game)
        for move in player.analyse(game).moves:
            value = values[move.vertex] if game.to_play == 1 else 1 - values[move.vertex]
            assert move.prior == pytest.approx(value, abs=1e-6), f"{move.vertex}\n{game}"


def test_what_stands_in_a_new_node() -> None:
    """(48)–(52) with C̃ = M for every move, and values for Black."""
    search = Search(5, configured(heuristic="rlgo", prior_amaf=50.0))
    for game in positions()[10:12]:
        search.set_position(game)
        root, prior = search.pool.root, priors_at_root(search)
        legal = np.flatnonzero(search.tree.links[root, CHILD] >= 0)
        assert prior is not None and len(legal) > 5
        black = prior[legal] if game.to_play == 1 else 1 - prior[legal]
        assert not search.tree.stats[root, N].any() and (search.tree.stats[root, AMAF_N, legal] == 50).all()
        assert search.tree.stats[root, AMAF_W, legal] == pytest.approx(50 * black)


def test_confidence_follows_the_variance_of_the_learned_value() -> None:
    search = Search(5, configured(heuristic="rlgo", prior_amaf=20.0, confidence="variance"))
    search.set_position(positions()[10])
    stats, moves = search.tree.stats[search.pool.root], search.tree.links[search.pool.root, CHILD] >= 0
    n, v = stats[AMAF_N][moves], stats[AMAF_W][moves] / stats[AMAF_N][moves]
    assert moves[0] and n.min() >= 20.0 and np.ptp(n) > 0.1  # the pass too
    assert n == pytest.approx(np.minimum(200.0, 20.0 / (4 * v * (1 - v))))


@pytest.mark.parametrize("value", [0.0, 1e-12, 0.02, 0.5, 0.98, 1.0])
def test_confidence_is_bounded_and_even(value: float) -> None:
    assert 1.0 <= confidence(value) <= 10.0
    assert confidence(value) == pytest.approx(confidence(1.0 - value))


@pytest.mark.parametrize("fields", [{"policy": policy} for policy in LEARNED] + [{"heuristic": "rlgo"}])
@pytest.mark.parametrize("expand", ["after", "every"])
def test_searches(fields: dict[str, str], expand: str) -> None:
    """Trees as they must be, and the same for the same seed."""
    config = configured(expand=expand, **fields)
    search = searched(config)
    check_tree(search)
    assert dump(search) == dump(searched(config)) != dump(searched(config, seed=2))


@pytest.mark.parametrize("parallel", ["tree", "root", "leaf"])
def test_threads_have_memories_of_their_own(parallel: str) -> None:
    config = configured(policy="rlgo-sigma", heuristic="rlgo", parallel=parallel)
    search = searched(config, 2000, threads=4)
    works = [work for member in (search, *search.twins) for work in member.works]
    addresses = {int(work.memory) for work in works}
    assert len(addresses) == len(works) == 4 and 0 not in addresses
    if parallel == "tree":
        check_tree(search, slack=0.1)


def test_threads_change_no_value() -> None:
    """Memories that threads shared would give wrong priors: every node's are those of its position."""
    search = searched(configured(heuristic="rlgo", prior_mc=1e6), 2000, threads=4)
    value, game = random_value(5), Game(5, komi=2.5)
    for p in np.flatnonzero(search.tree.links[search.pool.root, CHILD] > 0):
        after, node = game.copy(), int(search.tree.links[search.pool.root, CHILD, p])
        after.play(search.names.vertex(int(p)))
        for vertex, expected in value.afterstates(after).items():
            n, w = search.tree.stats[node, :2, search.names.parse(vertex)]
            assert w / n == pytest.approx(expected, abs=0.01), vertex


def test_weights_of_another_board_serve() -> None:
    search = Search(7, configured(heuristic="rlgo"))
    search.set_position(Game(7))
    prior = priors_at_root(search)
    assert prior is not None and search.run(50) == 50
    assert len({round(float(q), 6) for q in prior[search.names.points]}) > 5


def test_weights_that_are_not_there(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.npz")
    for fields in ({"policy": "rlgo-tau"}, {"heuristic": "rlgo"}):
        with pytest.raises(MontegoError, match=r"there is no file of weights .*none.npz"):
            Search(5, configured(**fields, weights=missing))
    assert Search(5, configured(weights=missing)).config.weights == missing  # nobody reads it


def test_stored_configurations_go_on() -> None:
    """Games of the time before there were learned parts are games of the same players."""

    def pairing(config: dict[str, Any]) -> Pairing:
        return Pairing.of(
            Match("house", "mogo-2007", simulations=100), {side: {"name": "x", "config": config} for side in "ab"}
        )

    now = described(SearchConfig())
    then = {field: value for field, value in now.items() if field not in ("randomness", "weights")}
    assert pairing(now).continues(pairing(then))
    assert not pairing({**now, "randomness": 0.2}).continues(pairing(then))
