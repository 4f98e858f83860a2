"""Criticality: the account of final positions against its definition, what new nodes get, what a report shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import montego
from montego.go.game import Game
from montego.search.config import SearchConfig
from montego.search.criticality import add_criticality, find_criticality
from montego.search.records import ACCOUNT_ROWS, CHILD, OWNED, point_count
from montego.search.search import Search
from toy_tree import BLACK, ROOT, WHITE, A, B, C, Toy, near

POINTS = point_count(5)


def account_of(owners: np.ndarray[Any, Any], winners: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """owners: games × points, +1, −1, 0; winners: 0 draw, 1 Black, 2 White."""
    account = np.zeros((ACCOUNT_ROWS, POINTS), np.int64)
    for game, winner in zip(owners, winners, strict=True):
        account[OWNED + winner, 1:] += game[1:]
        account[OWNED + winner, 0] += 1
    return account


@pytest.mark.parametrize("seed", range(5))
def test_against_the_definition(seed: int) -> None:
    generator = np.random.default_rng(seed)
    games = 300
    owners, winners = generator.integers(-1, 2, (games, POINTS)), generator.integers(0, 3, games)
    owners[winners == 1, A] = np.abs(owners[winners == 1, A])  # whoever wins rather has it
    owners[winners == 2, B] = np.abs(owners[winners == 2, B])  # whoever loses does
    found = np.zeros(POINTS)
    find_criticality(account_of(owners, winners), found)
    black, white = (np.mean(np.where(winners == 0, 0.5, winners == colour)) for colour in (1, 2))
    for p in range(1, POINTS):
        o = owners[:, p]
        wins = np.where(winners == 0, 0.5, np.where(o == 1, winners == 1, winners == 2))
        chance = np.mean(o == 1) * black + np.mean(o == -1) * white
        assert found[p] == pytest.approx(np.mean(np.where(o == 0, 0, wins)) - chance, abs=1e-12)
    assert found[0] == 0 and found[A] > 0.05 and found[B] < -0.05


def test_a_point_that_decides_every_game() -> None:
    winners = np.array([1, 2] * 50)
    owners = np.zeros((100, POINTS), np.int64)
    owners[:, A] = np.where(winners == 1, 1, -1)  # the winner's
    owners[:, B] = 1  # Black's whoever wins
    found = np.zeros(POINTS)
    find_criticality(account_of(owners, winners), found)
    assert (found[A], found[B], found[C]) == (0.5, 0, 0)
    find_criticality(np.zeros((ACCOUNT_ROWS, POINTS), np.int64), found)
    assert (found == 0).all()  # no games, no criticality


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_what_a_new_node_gets(colour: int) -> None:
    """All won for the side to move; points on which nothing hangs and illegal moves get nothing."""
    toy = Toy(dict.fromkeys((A, B), 0.0), colour)
    toy.tree.stats[ROOT, 2:, A] = 4, 2
    critical = np.zeros(POINTS)
    critical[[A, B, C]] = 0.25, -0.25, 0.5
    add_criticality(toy.tree, np.int64(ROOT), critical, 16.0, np.uint64(colour))
    assert toy.amaf() == near({A: (8, 6 / 8 if colour == BLACK else 2 / 8)})
    assert toy.tree.links[ROOT, CHILD, C] < 0


# White's two stones live or die with whoever plays first in the corner; the rest is settled.
SEMEAI = """
    . O X . X
    O O X X .
    X X X O O
    . X O O .
    X X O . O
"""


def test_the_report_shows_what_is_critical() -> None:
    game = Game.from_diagram(SEMEAI, to_play="white", komi=0.5)
    report = montego.player("mogo-2007", seed=1).analyse(game, simulations=2000)
    assert report.criticality is not None and report.ownership is not None
    assert report.criticality.shape == (5, 5) and (np.abs(report.criticality) <= 0.5).all()
    assert report.to_dict()["criticality"] == report.criticality.tolist()
    settled = np.abs(report.ownership) == 1
    assert settled.any() and (report.criticality[settled] == 0).all()


def test_ownership_is_the_sum_over_all_outcomes() -> None:
    """As without criticality: the same search, collected with it and without."""
    maps = []
    for criticality in (0.0, 1e-300):
        search = Search(5, SearchConfig(fpu=1.0, criticality=criticality, criticality_after=0), seed=4)
        search.parameters.owning = 1
        search.set_position(Game(5, komi=3.0))
        search.run(500)
        maps.append((search.ownership_map(), search.criticality_map(), *search.leads()))
        assert 0 < np.abs(search.criticality_map()).max() <= 0.5
    for plain, critical in zip(*maps, strict=True):
        assert np.array_equal(plain, critical)


def test_it_starts_anew_with_every_position() -> None:
    search = Search(5, SearchConfig(fpu=1.0, criticality=10.0, criticality_after=100))
    game = Game(5, komi=0.5)
    search.set_position(game)
    search.run(63)
    assert (search.threads[0].critical == 0).all()
    search.run(200)
    assert (search.threads[0].critical != 0).any()
    game.play("C3")
    search.set_position(game)
    assert (search.threads[0].critical == 0).all() and (search.criticality_map() == 0).all()
