"""Every move of a playout is one its policy allows, for the reason it gives, and all such moves are equally likely."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import mogo_oracle as oracle
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns.mogo import matches
from montego.players.playout import PlayoutPlayer
from montego.playout import PlayoutConfig, Reason, mogo_candidates, simulate, trace


def point(game: Game, vertex: str | None) -> oracle.Point | None:
    names = geometry(game.size)
    return None if vertex in (None, "pass") else names.row_column(names.parse(vertex))


def allowed(game: Game, policy: str) -> tuple[str, set[oracle.Point]]:
    """What the oracle says the policy may play now."""
    grid, ko = game.stones.tolist(), point(game, game.ko)
    if policy == "mogo":
        last = point(game, game.moves[-1].vertex) if game.moves else None
        return oracle.rule_and_moves(grid, last, game.to_play, ko)
    moves = oracle.sensible_moves(grid, game.to_play, ko)
    return ("RANDOM", moves) if moves else ("PASS", set())


@pytest.mark.parametrize("policy", ["uniform", "mogo"])
@pytest.mark.parametrize(("size", "games"), [(2, 6), (3, 6), (5, 6), (7, 4), (9, 3), (19, 1)])
def test_every_move_is_allowed_for_its_reason(policy: str, size: int, games: int) -> None:
    seen: Counter[Reason] = Counter()
    for seed in range(games):
        game = Game(size, rules="chinese")
        for move in trace(game, PlayoutConfig(policy), seed=seed).moves:
            reason, moves = allowed(game, policy)
            assert move.reason.name == reason, f"seed {seed}, {move}\n{game}"
            assert move.vertex == "pass" or point(game, move.vertex) in moves, f"seed {seed}, {move}\n{game}"
            if policy == "mogo":
                rule, vertices = mogo_candidates(game)
                assert rule.name == reason
                assert {point(game, v) for v in vertices if v != "pass"} == moves, str(game)
            game.play(move.vertex)
            seen[move.reason] += 1
        assert game.is_over
    if policy == "mogo" and size >= 5:
        assert set(seen) == {Reason.PASS, Reason.RANDOM, Reason.CAPTURE, Reason.PATTERN, Reason.SAVE}


def test_patterns_agree_with_the_oracle_on_every_neighbourhood() -> None:
    """Centres, edges and corners of random boards, both colours."""
    generator = np.random.default_rng(1)
    checked = 0
    for _ in range(2000):
        game = Game(5)
        stones = generator.choice(3, size=(5, 5), p=[0.4, 0.3, 0.3])
        board = game.board[0]
        points = geometry(5).points
        # The codes alone are compared, so arrangements need not be legal positions.
        board.colour[points] = stones.ravel()
        grid = stones.tolist()
        for index, p in enumerate(points):
            around = [int(board.colour[p + step]) for step in (-6, -1, 1, 6, -7, -5, 5, 7)]
            code = sum(stone << (2 * i) for i, stone in enumerate(around))
            for colour in (1, 2):
                where = divmod(index, 5)
                if grid[where[0]][where[1]] == 0:
                    checked += 1
                    assert pattern_flag(code, colour) == oracle.matches_pattern(grid, where, colour)
    assert checked > 30_000


def pattern_flag(code: int, colour: int) -> bool:
    from montego.patterns.mogo import mogo_flags

    return bool(mogo_flags()[code] & (4 << colour))


def test_matches_looks_at_the_board() -> None:
    game = Game.from_diagram("""
        . . . . .
        . X O X .
        . . . . .
        . . . . .
        . . . . .
    """)
    assert matches(game, "C3", "black") and matches(game, "c3", "white")
    assert not matches(game, "C4", "black") and not matches(game, "pass", "black")


def evenly(counts: Counter[str], moves: set[str], trials: int) -> bool:
    expected = trials / len(moves)
    chi_squared = sum((counts[move] - expected) ** 2 / expected for move in moves)
    return set(counts) == moves and chi_squared < len(moves) - 1 + 5 * (2 * len(moves)) ** 0.5


def first_moves(game: Game, policy: str, trials: int = 3000) -> Counter[str]:
    player = PlayoutPlayer(policy, seed=5)
    return Counter(player.choose(game).vertex for _ in range(trials))


def test_uniform_moves_are_equally_likely() -> None:
    game = Game.from_diagram("""
        . X . O
        X . X O
        . X . O
        X . X O
    """)
    moves = {"A4", "A2", "B1", "B3", "C2", "C4"} & set(game.legal_moves())
    eyes = {v for v in moves if oracle.is_true_eye(game.stones.tolist(), point(game, v), 1)}  # type: ignore[arg-type]
    assert eyes and evenly(first_moves(game, "uniform"), moves - eyes, 3000)


def test_capturing_moves_are_equally_likely_however_many_chains_they_take() -> None:
    game = Game.from_diagram("""
        O X . . . . X O .
        . . . . . . . X .
        X . . . . . . . .
        . . . . X . . . .
        . . . X O X . . .
        . . . O . O X . .
        . . . X O X . . .
        . . . . X . . . .
        . . . . . . . . .
    """)
    reason, vertices = mogo_candidates(game)
    assert reason is Reason.CAPTURE
    assert evenly(first_moves(game, "mogo"), set(vertices), 3000)


def test_saving_moves_are_equally_likely() -> None:
    game = Game.from_diagram("""
        . . . . . . .
        . . . . . . .
        . . O X . . .
        . O X O . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """)
    game.play("D3")
    assert mogo_candidates(game) == (Reason.SAVE, ["C3", "E4"])
    assert evenly(first_moves(game, "mogo"), {"C3", "E4"}, 3000)


def test_the_player_never_breaks_superko() -> None:
    """Small boards under positional superko: the policy knows simple ko only, the player must not."""
    for seed in range(20):
        game = Game(2, rules="tromp-taylor")
        player = PlayoutPlayer("uniform", seed)
        while not game.is_over:
            game.play(player.choose(game).vertex)


def test_known_facts_of_uniform_playouts() -> None:
    summary = simulate(Game(9, komi=0), 100_000, PlayoutConfig("uniform"), seed=1)
    assert abs(summary.mean_length - 111) <= 1
    assert abs(summary.mean_lead - 2.1) <= 0.3
