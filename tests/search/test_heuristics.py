"""Heuristics for new nodes, against the stones: what is written into a node, and for which side."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import mogo_oracle as oracle
import strength_reference
import urgency_reference
from mc_rave import is_bad_self_atari
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns.indigo import manual_urgencies
from montego.playout import PlayoutConfig, trace
from montego.search.config import SearchConfig
from montego.search.evidence import EVIDENCE
from montego.search.records import AMAF_N, AMAF_W, CHILD, TOTAL, N, W
from montego.search.report import priors_at_root
from montego.search.search import Search


@cache
def new_search(size: int, **config: Any) -> Search:
    return Search(size, SearchConfig(memory=1, reuse=False, **config))


def planted(game: Game, **config: Any) -> Search:
    """A search that has done nothing yet: its root holds the heuristic's values alone."""
    search = new_search(game.size, **config)
    search.set_position(game)
    return search


def positions(size: int) -> list[Game]:
    """Games at many moments, both sides to move."""
    found = []
    for seed in range(4):
        game = Game(size)
        for move in trace(game, PlayoutConfig("mogo"), seed=seed).moves[: size * size]:
            found.append(game.copy())
            game.play(move.vertex)
    return found


def place(game: Game, vertex: str | None) -> oracle.Point | None:
    names = geometry(game.size)
    return None if vertex in (None, "pass") else names.row_column(names.parse(vertex))


def last_move(game: Game) -> oracle.Point | None:
    return place(game, game.moves[-1].vertex) if game.moves else None


def rule_of(game: Game) -> tuple[str, set[oracle.Point]]:
    return oracle.rule_and_moves(game.stones.tolist(), last_move(game), game.to_play, place(game, game.ko))


@pytest.mark.parametrize("heuristic", ["even", "grandfather"])
@pytest.mark.parametrize("colour", ["black", "white"])
def test_what_stands_in_a_new_node(heuristic: str, colour: str) -> None:
    """(48)–(52): Q = Q̃ = H, N = C, Ñ = C̃, N(s) = Σ N(s,a), for the 24 moves and the pass."""
    game = Game.from_diagram(". . . . .\n" * 2 + ". . X . .\n" + ". . . . .\n" * 2, to_play=colour)
    search = planted(game, heuristic=heuristic, prior_mc=2.0, prior_amaf=8.0)
    root = search.pool.root
    legal = search.tree.links[root, CHILD] >= 0
    assert legal.sum() == 25
    expected = {N: 2.0, W: 1.0, AMAF_N: 8.0, AMAF_W: 4.0}
    for row, value in expected.items():
        assert np.array_equal(search.tree.stats[root, row], value * legal)
    assert search.tree.states[root, TOTAL] == 50


def test_greedy_play_of_the_handcrafted_heuristic_is_mogo() -> None:
    """The best moves are those of MoGo's policy; where it would play anywhere, bad self-ataris are left out."""
    seen = set()
    for game in positions(9)[::3] + positions(5):
        rule, moves = rule_of(game)
        seen.add(rule)
        search = planted(game, heuristic="handcrafted", prior_amaf=3.0)
        root = search.pool.root
        n, w, amaf_n, amaf_w = search.tree.stats[root]
        legal = np.flatnonzero(search.tree.links[root, CHILD] >= 0)
        assert not n.any() and not w.any() and (amaf_n[legal] == 3).all()
        black = amaf_w[legal] / 3
        values = dict(zip(legal.tolist(), black if game.to_play == 1 else 1 - black, strict=True))
        assert set(values.values()) <= {0.0, 0.5, 1.0}
        best = {place(game, search.names.vertex(p)) for p, value in values.items() if value == max(values.values())}
        if rule == "PASS":
            assert best == {None}
        elif rule == "RANDOM":
            grid = game.stones.tolist()
            wise = {p for p in moves if not is_bad_self_atari(grid, p, game.to_play)}
            assert best == wise or not wise
        else:
            assert best == moves and max(values.values()) == 1
    assert seen >= {"SAVE", "PATTERN", "CAPTURE", "RANDOM"}


def evidence_of(game: Game, p: oracle.Point, rule: str, moves: set[oracle.Point]) -> tuple[float, float]:
    """Value and count of a move: the mean of its features' values, weighted with their counts, and their sum."""
    grid, colour, size = game.stones.tolist(), game.to_play, game.size
    features = ["even"]
    if rule in ("SAVE", "PATTERN", "CAPTURE") and p in moves:
        features.append(rule.lower())
    elif oracle.is_true_eye(grid, p, colour):
        features.append("eye")
    elif is_bad_self_atari(grid, p, colour):
        features.append("self_atari")
    last = last_move(game)
    if last is not None:
        dy, dx = abs(p[0] - last[0]), abs(p[1] - last[1])
        distance = dx + dy + max(dx, dy)
        if distance <= 6:
            features.append("near_1" if distance <= 3 else "near_2" if distance == 4 else "near_3")
    line = 1 + min(p[0], p[1], size - 1 - p[0], size - 1 - p[1])
    around = [(r, c) for r in range(size) for c in range(size) if abs(r - p[0]) + abs(c - p[1]) <= 3]
    if line <= 3 and not any(grid[r][c] for r, c in around):
        features.append(f"line_{line}")
    count = sum(EVIDENCE[feature][1] for feature in features)
    return sum(EVIDENCE[f][0] * EVIDENCE[f][1] for f in features) / count, count


def test_evidence_adds_up() -> None:
    for game in [Game(9), *positions(9)[::25], *positions(5)[::6]]:
        search = planted(game, heuristic="evidence", prior_amaf=1.0, prior_mc=0.5)
        root, prior, fires = search.pool.root, priors_at_root(search), rule_of(game)
        assert prior is not None
        for p in np.flatnonzero(search.tree.links[root, CHILD] >= 0)[1:]:
            value, count = evidence_of(game, search.names.row_column(int(p)), *fires)
            assert prior[p] == pytest.approx(value), game
            n, w, amaf_n, amaf_w = search.tree.stats[root, :, p]
            assert (n, amaf_n) == pytest.approx((count / 2, count))
            black = value if game.to_play == 1 else 1 - value
            assert (w, amaf_w) == pytest.approx((black * count / 2, black * count))


def test_a_pass_is_given_up_while_there_is_something_to_play() -> None:
    for heuristic in ("handcrafted", "evidence"):
        early = priors_at_root(planted(Game(5), heuristic=heuristic))
        eyes = Game.from_diagram(". X . X .\nX X X X X\n. X . X .\nX X X X X\n. X . X .", komi=0.5)
        late = priors_at_root(planted(eyes, heuristic=heuristic))
        assert early is not None and late is not None
        assert early[0] < 0.25 and late[0] >= 0.5


def test_urgencies_are_seen_as_shares_of_their_mean() -> None:
    """H = u / (u + ū), ū being the mean over the empty points; own eyes and the pass have 0."""
    for game in [Game(9), *positions(9)[::20], *positions(5)[::6]]:
        prior = priors_at_root(planted(game, heuristic="urgency", urgencies="manual"))
        assert prior is not None and prior[0] == 0
        told = urgency_reference.urgencies_at(game.stones.tolist(), game.to_play, manual_urgencies())
        mean = sum(told.values()) / len(told)
        for point, urgency in told.items():
            p = (point[0] + 1) * (game.size + 1) + point[1] + 1
            assert prior[p] == pytest.approx(urgency / (urgency + mean) if urgency else 0.0), game


def test_strengths_are_shares_of_the_tree_set() -> None:
    """γ / (γ + γ̄) over sensible moves; nothing for own eyes and the pass."""
    strengths = strength_reference.random_strengths()
    for game in positions(5)[::4]:
        search = planted(game, heuristic="strengths", strengths=strength_reference.strengths_file())
        found = priors_at_root(search)
        names = geometry(5)
        teams = {p: strength_reference.tree_team(game, p, game.to_play) for p in strength_reference.sensible(game)}
        gammas = {names.point(*p): np.exp(strengths.tree[team].sum()) for p, team in teams.items()}
        mean = sum(gammas.values()) / max(len(gammas), 1)
        assert found is not None and not found[0]
        for point in names.points:
            gamma = gammas.get(int(point), 0.0)
            assert found[point] == pytest.approx(gamma / (gamma + mean) if gamma else 0.0, rel=1e-4), str(game)
