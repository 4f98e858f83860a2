"""Monte-Carlo without a tree: equal allocation, UCB at the root, all moves as first, progressive pruning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from montego import player
from montego.go.game import Game
from montego.playout.parts import PLAYOUTS
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.search import clock
from montego.search.config import SearchConfig
from montego.search.records import AMAF_N, AMAF_W, CHILD, ILLEGAL, PRUNED, VISITS, N, W
from montego.search.search import Search
from tree_checks import check_tree, dump

# Whoever plays C2 first has the middle: Black takes three stones there.
CAPTURE = """
    . X O X .
    . X O X .
    . X O X .
    . X . X .
    . . . . .
"""

FLAT: dict[str, Any] = {"policy": "uniform", "schedule": "none", "expand": "never", "final": "value"}


def searched(game: Game, simulations: int, seed: int = 1, **config: Any) -> Search:
    search = Search(game.size, SearchConfig(**config), seed)
    search.set_position(game)
    search.run(simulations)
    return search


def root(search: Search) -> tuple[Any, Any]:
    return search.tree.stats[search.pool.root], search.tree.links[search.pool.root]


def test_there_is_no_tree() -> None:
    search = searched(Game(5), 1000, allocation="equal", **FLAT)
    assert search.pool.used == 1 and len(check_tree(search).s) == 1


@pytest.mark.parametrize("simulations", [26, 260, 1000])
def test_equal_allocation_spreads_evenly(simulations: int) -> None:
    stats, links = root(searched(Game(5), simulations, allocation="equal", **FLAT))
    visits = links[VISITS][links[CHILD] != ILLEGAL]
    assert len(visits) == 26 and visits.sum() == simulations
    assert visits.max() - visits.min() <= 1
    assert np.array_equal(stats[N], links[VISITS])


def test_equal_allocation_leaves_out_what_is_not_sensible() -> None:
    game = Game.from_diagram(". X . X .\nX X X X X\n. X . X .\nX X X X X\n. X . X .", komi=0.5)
    _, links = root(searched(game, 30, allocation="equal", moves="sensible", **FLAT))
    offered = np.flatnonzero(links[CHILD] >= 0)
    assert len(offered) == 1 and offered[0] == 0  # eyes everywhere
    assert links[VISITS].tolist().count(0) == len(links[VISITS]) - 1


def test_means_are_those_of_the_moves() -> None:
    """The winning move of a decided position is worth 1, its alternative less."""
    game = Game.from_diagram(CAPTURE, komi=0.5)
    search = searched(game, 3000, allocation="equal", outcome="score", moves="sensible", **FLAT)
    assert search.names.vertex(search.best()) == "C2"
    stats, _ = root(search)
    values = stats[W] / np.maximum(stats[N], 1)
    assert values.argmax() == search.best()


@pytest.mark.parametrize("bonus", ["ucb1", "ucb1-tuned"])
@pytest.mark.parametrize("to_play", ["black", "white"])
def test_ucb_at_the_root(bonus: str, to_play: str) -> None:
    """All moves are tried, the best most often."""
    game = Game.from_diagram(CAPTURE, to_play=to_play, komi=5.5)
    search = searched(game, 3000, exploration=0.5, bonus=bonus, outcome="score", **FLAT)
    _, links = root(search)
    tried = links[VISITS][links[CHILD] >= 0]
    assert search.names.vertex(int(links[VISITS].argmax())) == "C2" == search.names.vertex(search.best())
    assert tried.min() >= 1 and tried.max() > 2 * tried.mean()
    assert search.pool.used == 1


@pytest.mark.parametrize("to_play", ["black", "white"])
def test_all_moves_as_first(to_play: str) -> None:
    """Ñ and Q̃ against the same playouts, played here: one each simulation, all from the root."""
    game = Game.from_diagram(CAPTURE, to_play=to_play, komi=5.5)
    config = {**FLAT, "schedule": "rave", "allocation": "default-policy", "outcome": "score"}
    search = searched(game, 400, seed=6, **config)
    work = new_work(5, PlayoutConfig("uniform"), 6)
    work.tracing = 1
    size = len(game.board[0].colour)
    count, total, first_moves = np.zeros(size), np.zeros(size), np.zeros(size)
    for _ in range(400):
        lead = PLAYOUTS["uniform"](game.board[0], work, tables()[0], np.uint64(game.to_play))
        moves = work.moves[: int(work.length)].tolist()
        z = min(1, max(0, 0.5 + (lead - 5.5) / 50))
        first_moves[moves[0]] += 1
        for u, p in enumerate(moves):
            own_pass = p == 0 and 0 not in moves[0:u:2]
            if u % 2 == 0 and (own_pass or (p != 0 and p not in moves[:u])):
                count[p] += 1
                total[p] += z
    stats, links = root(search)
    legal = links[CHILD] >= 0
    assert np.array_equal(links[VISITS], first_moves)
    assert np.array_equal(stats[AMAF_N][legal], count[legal])
    assert stats[AMAF_W][legal] == pytest.approx(total[legal])
    assert stats[AMAF_N].sum() > 5 * 400
    sign = 1 if to_play == "black" else -1
    best = max(np.flatnonzero(legal), key=lambda p: sign * total[p] / count[p])
    assert search.best() == best


PRUNING: dict[str, Any] = {**FLAT, "allocation": "equal", "outcome": "score", "moves": "sensible", "pruning": 2.0}


@pytest.mark.parametrize("to_play", ["black", "white"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_progressive_pruning(to_play: str, seed: int) -> None:
    """Bouzy & Chaslot's figure 1: moves only disappear, until few or one are left, and the best is among them."""
    game = Game.from_diagram(CAPTURE, to_play=to_play, komi=5.5)
    search = Search(5, SearchConfig(**PRUNING), seed)
    search.set_position(game)
    best = search.names.parse("C2")
    stages = [offered(search)]
    assert stages[0] == {0, *map(search.names.parse, game.legal_moves())}
    search.run(29 * len(stages[0]))
    assert offered(search) == stages[0], "30 simulations of a move before it may be given up"
    for _ in range(125):
        search.run(64)
        stages.append(offered(search))
        assert stages[-1] <= stages[-2] and best in stages[-1]
    check_tree(search)
    assert len(stages[-1]) <= 3
    assert len(set(map(len, stages))) >= 4, "they go one after the other"
    assert search.best() == best
    _, links = root(search)
    for p in stages[0] - stages[-1]:
        assert links[CHILD, p] == PRUNED and links[VISITS, p] >= 30
    assert links[VISITS, list(stages[-1])].min() > links[VISITS, list(stages[0] - stages[-1])].max() * 0.9


def offered(search: Search) -> set[int]:
    _, links = root(search)
    return {int(p) for p in np.flatnonzero(links[CHILD] >= 0)}


def test_pruning_starts_anew_with_every_position() -> None:
    game = Game.from_diagram(CAPTURE, komi=5.5)
    search = searched(game, 4000, **PRUNING)
    assert len(offered(search)) < 10
    game.play("C2")
    search.set_position(game)
    assert offered(search) == {0, *map(search.names.parse, game.legal_moves())}


def test_a_decision_does_not_depend_on_the_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a single move left the search ends; when it does is no matter of time."""
    trees = []
    for seconds in (1e-9, 1.0):
        monkeypatch.setattr(clock, "BATCH_SECONDS", seconds)
        search = searched(Game.from_diagram(CAPTURE, komi=5.5), 60_000, **{**PRUNING, "pruning": 1.0})
        assert len(offered(search)) == 1
        trees.append(dump(search))
    assert trees[0] == trees[1]


@pytest.mark.parametrize("preset", ["mc-flat", "mc-amaf"])
@pytest.mark.parametrize("to_play", ["black", "white"])
def test_presets_find_the_capture(preset: str, to_play: str) -> None:
    game = Game.from_diagram(CAPTURE, to_play=to_play, komi=5.5)
    choice = player(preset, simulations=5000, seed=3).choose(game)
    assert choice.vertex == "C2"
