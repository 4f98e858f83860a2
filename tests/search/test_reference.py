"""The compiled search against a plain Algorithm 2: every node and every number of the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mc_rave import Line, McRave
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.playout import PlayoutConfig, trace
from montego.search.config import SearchConfig
from montego.search.records import CHILD, ILLEGAL, PRIOR, PROOF, TOTAL, VISITS
from montego.search.search import Search


def agree(game: Game, simulations: int, seed: int, **config: Any) -> McRave:
    """Run both and compare all there is."""
    settings = SearchConfig(**config)
    search, plain = Search(game.size, settings, seed), McRave(game, settings, seed)
    search.set_position(game)
    search.run(simulations)
    for _ in range(simulations):
        plain.simulate()
    nodes = compare(search, plain, search.pool.root, ())
    assert nodes == len(plain.tree) == search.pool.used
    assert int(search.works[0].rng) == int(plain.work.rng)
    return plain


def compare(search: Search, plain: McRave, s: int, line: Line) -> int:
    """Compare a state and all below it; returns how many nodes there are."""
    node, stats, links = plain.tree[line], search.tree.stats[s], search.tree.links[s]
    assert np.flatnonzero(links[CHILD] != ILLEGAL).tolist() == node.legal, line
    assert {int(p): int(links[VISITS, p]) for p in np.flatnonzero(links[VISITS])} == {
        a: count for a, count in node.visits.items() if count
    }, line
    assert search.tree.states[s, TOTAL] == pytest.approx(node.total, abs=1e-9)
    for a in node.legal:
        n, w, amaf_n, amaf_w = stats[:PRIOR, a]
        assert n == node.n[a] and amaf_n == pytest.approx(node.amaf_n[a], rel=1e-9, abs=1e-12), (line, a)
        weighed = plain.config.amaf_weight != "equal" or plain.config.criticality > 0
        assert amaf_n == node.amaf_n[a] or weighed, (line, a)
        assert n == 0 or w / n == pytest.approx(node.q[a], abs=1e-9), (line, a)
        assert amaf_n == 0 or amaf_w / amaf_n == pytest.approx(node.amaf_q[a], abs=1e-9), (line, a)
    if plain.config.solver:
        proven = {int(p): int(links[PROOF, p]) for p in np.flatnonzero(links[PROOF]) if p in node.legal}
        assert proven == {a: plain.proof[*line, a] for a in node.legal if (*line, a) in plain.proof}, line
    children = {int(p): int(links[CHILD, p]) for p in np.flatnonzero(links[CHILD] > 0)}
    return 1 + sum(compare(search, plain, child, (*line, p)) for p, child in children.items())


CONFIGS: dict[str, dict[str, Any]] = {
    "no heuristic": {},
    "first-play urgency": {"fpu": 1.0},
    "hand-selected": {"schedule": "hand-selected", "equivalence": 50.0, "fpu": 1.0},
    "RAVE alone": {"schedule": "rave", "fpu": 1.0},
    "UCT": {"schedule": "none", "exploration": 1.0, "policy": "uniform"},
    "UCT-RAVE": {"exploration": 0.3, "bias": 0.2},
    "exploration after 20": {"exploration": 0.5, "exploration_after": 20, "bias": 0.2},
    "handcrafted": {"heuristic": "handcrafted", "prior_amaf": 20.0, "fpu": 1.0},
    "handcrafted, MC too": {
        "heuristic": "handcrafted",
        "prior_amaf": 7.0,
        "prior_mc": 3.0,
        "schedule": "hand-selected",
    },
    "grandfather": {"heuristic": "grandfather", "prior_amaf": 5.0, "prior_mc": 1.0},
    "even": {"heuristic": "even", "prior_amaf": 10.0, "schedule": "hand-selected"},
    "expand after 3": {"expand_after": 3, "heuristic": "handcrafted", "prior_amaf": 10.0},
    "expand after 3, no heuristic": {"expand_after": 3, "fpu": 1.0, "bias": 0.1},
    "AMAF by colour": {"amaf": "same-colour", "fpu": 1.0},
    "AMAF by simulation": {"amaf": "simulation", "fpu": 1.0},
    "AMAF, linear weights": {"amaf_weight": "linear", "fpu": 1.0},
    "AMAF, exponential weights": {"amaf_weight": "exponential", "amaf_half_life": 20.0, "heuristic": "handcrafted"},
    "criticality": {"criticality": 40.0, "criticality_after": 60, "fpu": 1.0, "bias": 0.1},
    "criticality and a heuristic": {"criticality": 300.0, "criticality_after": 0, "heuristic": "handcrafted"},
    "progressive bias": {"heuristic": "handcrafted", "prior_amaf": 2.0, "progressive_bias": 3.0, "fpu": 1.0},
    "PUCT": {"heuristic": "handcrafted", "prior_amaf": 2.0, "puct": 0.5, "fpu": 1.0},
    "PUCT, UCT": {"heuristic": "even", "schedule": "none", "prior_mc": 2.0, "puct": 2.0, "progressive_bias": 0.5},
    "progressive bias, UCT": {
        "heuristic": "handcrafted",
        "schedule": "none",
        "exploration": 1.0,
        "progressive_bias": 1.0,
        "fpu": 1.0,
    },
    "widening": {"heuristic": "handcrafted", "widening": 4.0, "widening_growth": 1.3, "prior_amaf": 3.0},
    "widening, UCT": {
        "heuristic": "even",
        "schedule": "none",
        "exploration": 1.0,
        "widening": 2.0,
        "widening_growth": 1.0,
        "widening_first": 3,
    },
    "AMAF by colour, linear weights": {"amaf": "same-colour", "amaf_weight": "linear", "bias": 0.1},
    "AMAF by simulation, exponential weights": {"amaf": "simulation", "amaf_weight": "exponential", "fpu": 1.0},
}


@pytest.mark.parametrize("size", [5, 9])
@pytest.mark.parametrize("name", CONFIGS)
def test_from_the_empty_board(name: str, size: int) -> None:
    agree(Game(size, komi=4.5), 200, seed=size, **CONFIGS[name])


@pytest.mark.slow
@pytest.mark.parametrize(("size", "simulations"), [(5, 2000), (9, 800)])
@pytest.mark.parametrize("name", CONFIGS)
def test_longer(name: str, size: int, simulations: int) -> None:
    agree(Game(size, komi=4.5), simulations, seed=11, **CONFIGS[name])


def midgame(size: int, moves: int, seed: int, **settings: Any) -> Game:
    """A game after some moves of MoGo's policy."""
    game = Game(size, **settings)
    for move in trace(game, PlayoutConfig("mogo"), seed=seed).moves[:moves]:
        game.play(move.vertex)
    return game


@pytest.mark.parametrize("name", ["no heuristic", "handcrafted", "handcrafted, MC too", "AMAF by colour"])
@pytest.mark.parametrize(("size", "moves"), [(5, 8), (5, 15), (9, 33), (9, 60)])
def test_in_the_middle_game(name: str, size: int, moves: int) -> None:
    """Black to move after an even number of moves, White after an odd one."""
    agree(midgame(size, moves, seed=moves, komi=0.5), 200, seed=1, **CONFIGS[name])


def test_after_a_pass_the_next_one_ends_the_game() -> None:
    game = midgame(5, 16, 3, komi=0.5)
    game.play("pass")
    for config in (CONFIGS["UCT"], {"exploration": 1.0}, {"exploration": 1.0, "amaf": "simulation"}):
        plain = agree(game, 300, 4, **config)
        assert plain.tree[()].visits[0] > 0 and (0,) not in plain.tree


# Two eyes each and two points between: whoever is ahead now wins whatever happens.
SETTLED = """
    . X . O .
    X X . O O
    . X . O .
    X X X O O
    . X X O .
"""


@pytest.mark.parametrize("komi", [0.5, -3.5, 2.0])
@pytest.mark.parametrize(
    "config",
    [
        {"exploration": 1.0},
        {"schedule": "none", "exploration": 1.0, "fpu": 1.0},
        {"heuristic": "handcrafted", "exploration": 1.0, "widening": 5.0},
    ],
)
@pytest.mark.parametrize("passed", [False, True])
def test_proofs(komi: float, config: dict[str, Any], passed: bool) -> None:
    game = Game.from_diagram(SETTLED, komi=komi, rules="cgos")
    if passed:
        game.play("pass")
    plain = agree(game, 600, 5, solver=True, **config)
    assert len(plain.proof) >= 2 or komi == 2.0  # with which the game may be drawn


def test_draws_are_half_a_win() -> None:
    plain = agree(midgame(5, 12, 5, komi=3.0), 300, 6, fpu=1.0)
    won = [node.q[a] * node.n[a] for node in plain.tree.values() for a in node.legal]
    assert any(w % 1 == pytest.approx(0.5) for w in won)


KO = """
    . X O . .
    X . X O .
    . X O . O
    . . X O .
    . . . . .
"""


@pytest.mark.parametrize("name", ["no heuristic", "handcrafted", "UCT"])
def test_ko(name: str) -> None:
    game = Game.from_diagram(KO, to_play="white", komi=0.5)
    game.play("B4")  # White takes at B4, Black may not retake at C4 at once
    assert game.ko is not None
    plain = agree(game, 400, 8, **CONFIGS[name])
    assert plain.names.parse(game.ko) not in plain.tree[()].legal
    assert any(plain.names.parse(game.ko) in node.legal for line, node in plain.tree.items() if len(line) == 2)


# Black A5 makes two stones in the corner, White C5 takes them, Black B5 takes back one: the position of the start.
SENDING_TWO_RETURNING_ONE = """
    . X . X .
    O O X X X
    . O X . X
    O O X X X
    . O X . X
"""


EXPLORING: list[dict[str, Any]] = [
    {"exploration": 1.0, "fpu": 1.0},
    {"exploration": 1.0, "heuristic": "handcrafted", "prior_amaf": 5.0},
    {"exploration": 1.0, "schedule": "none"},
    {"exploration": 1.0, "heuristic": "handcrafted", "widening": 3.0, "widening_growth": 1.0, "progressive_bias": 0.5},
]


@pytest.mark.parametrize("config", EXPLORING)
def test_superko_forbids_a_move_in_the_tree(config: dict[str, Any]) -> None:
    a5, b5, c5 = (geometry(5).parse(vertex) for vertex in ("A5", "B5", "C5"))
    for rules in ("cgos", "aga", "chinese"):
        plain = agree(Game.from_diagram(SENDING_TWO_RETURNING_ONE, komi=0.5, rules=rules), 600, 2, **config)
        # The position of the start comes back with White to move: that is forbidden under positional superko alone.
        assert (b5 in plain.tree[(a5, c5)].legal) == (rules != "cgos")
        assert plain.struck == 0 or rules != "chinese"


@pytest.mark.parametrize("rules", ["cgos", "aga"])
def test_superko_along_the_line(rules: str) -> None:
    """The position that comes back was first reached in the tree."""
    game = Game.from_diagram(SENDING_TWO_RETURNING_ONE.replace(". X . X .", ". . . X ."), komi=0.5, rules=rules)
    assert agree(game, 1500, 3, **EXPLORING[0]).struck > 0


def test_superko_at_the_root() -> None:
    game = Game.from_diagram(SENDING_TWO_RETURNING_ONE, komi=0.5, rules="cgos")
    game.play("A5")
    game.play("C5")
    assert game.why_illegal("B5") == "superko"
    for config in EXPLORING:
        plain = agree(game, 300, 7, **config)
        assert geometry(5).parse("B5") not in plain.tree[()].legal
