"""The known numbers of legal positions (OEIS A094777), counted by setting up every arrangement of stones."""

from __future__ import annotations

import itertools

import pytest

from montego import Game
from montego.go.errors import SetupError
from reference import BLACK, COLOURS, EMPTY, WHITE, Point, Position, all_points, vertex


@pytest.mark.parametrize(("size", "legal"), [(2, 57), (3, 12_675)])
def test_number_of_legal_positions(size: int, legal: int) -> None:
    game = Game(size)
    points = all_points(size)
    found = 0
    for colours in itertools.product((EMPTY, BLACK, WHITE), repeat=size * size):
        stones = dict(zip(points, colours, strict=True))
        stands = sets_up(game, stones)
        assert stands == Position(size, stones).can_stand(), Position(size, stones).diagram()
        found += stands
    assert found == legal


@pytest.mark.parametrize(("size", "legal"), [(2, 57)])
def test_number_of_legal_diagrams(size: int, legal: int) -> None:
    arrangements = itertools.product((EMPTY, BLACK, WHITE), repeat=size * size)
    positions = [Position(size, dict(zip(all_points(size), colours, strict=True))) for colours in arrangements]
    assert sum(reads(position.diagram()) for position in positions) == legal


def sets_up(game: Game, stones: dict[Point, int]) -> bool:
    """Whether Game takes an arrangement; the game is empty before and after."""
    black, white = ([vertex(game.size, p) for p, colour in stones.items() if colour == side] for side in COLOURS)
    try:
        game.setup(black, white)
    except SetupError:
        assert not game.stones.any()
        return False
    assert game.stones.ravel().tolist() == list(stones.values())
    game.undo()
    return True


def reads(diagram: str) -> bool:
    try:
        Game.from_diagram(diagram)
    except SetupError:
        return False
    return True
