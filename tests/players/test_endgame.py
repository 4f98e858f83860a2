"""The end of a game: which stones are dead, what is settled, and what the count will be."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import montego
from montego import Game
from montego.go.rules import RULES
from montego.players.endgame import beside, capturing_moves, chains_of, find_outlook

SIMULATIONS = 2000


@dataclass
class Finished:
    """A position of a file, and what is known of it."""

    title: str
    rules: str = "chinese"
    komi: float = 7.5
    rows: list[str] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)
    seki: list[str] = field(default_factory=list)

    def game(self, colour: str, rules: str | None = None) -> Game:
        return Game.from_diagram("\n".join(self.rows), colour, self.komi, rules or self.rules)

    def chains(self, names: list[str]) -> set[str]:
        game = self.game("black")
        return {vertex for name in names for vertex in game.chain(name)}


def read_finished(path: Path) -> list[Finished]:
    found: list[Finished] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "==":
            found.append(Finished(rest))
        elif word in ("rules", "komi"):
            setattr(found[-1], word, rest if word == "rules" else float(rest))
        elif word in ("dead", "seki"):
            setattr(found[-1], word, [] if rest == "none" else rest.split())
        elif word and word != "//":
            found[-1].rows.append(line)
    return found


FILES = sorted((Path(__file__).parent.parent / "positions" / "endgame").glob("*.pos"))
POSITIONS = [position for path in FILES for position in read_finished(path)]


@pytest.fixture(scope="module")
def player():
    return montego.player("house", seed=1)


@pytest.mark.parametrize("colour", ["black", "white"])
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.title)
def test_finished_positions_are_counted_right(player, position, colour):
    game = position.game(colour)
    outlook = player.outlook(game, SIMULATIONS)
    assert set(outlook.dead) == position.chains(position.dead)
    assert set(outlook.seki) == position.chains(position.seki)
    assert str(outlook.score) == str(game.score(position.dead, position.seki))
    assert outlook.settled, outlook.open


@pytest.mark.parametrize("preset", ["uct-random", "mogo-rlgo", "rlgo-1.0", "indigo-2003"])
def test_all_programs_count_alike(player, preset):
    other = montego.player(preset, seed=1)
    for position in POSITIONS[:4]:
        game = position.game("white")
        assert other.outlook(game, 500) == player.outlook(game, 500)


@pytest.mark.parametrize("position", [p for p in POSITIONS if p.dead], ids=lambda position: position.title)
def test_where_every_stone_counts_as_alive_the_dead_do_too(player, position):
    game = position.game("black", "cgos")
    outlook = player.outlook(game, SIMULATIONS)
    assert set(outlook.dead) == position.chains(position.dead)
    assert outlook.score == game.score()


def test_a_game_that_is_over_is_counted_too(player):
    """By two passes, by resignation, by three passes: the outlook is that of the board."""
    position = next(p for p in POSITIONS if p.title == "A dead stone in the corner")
    for end in (["pass", "pass"], ["pass", "pass", "pass"], []):
        game = position.game("black")
        for vertex in end:
            game.play(vertex)
        if not end:
            game.resign()
        assert game.is_over
        outlook = player.outlook(game, 1000)
        assert set(outlook.dead) == {"B6"} and game.is_over
        assert str(outlook.score) == str(game.score(["B6"]))


def test_the_position_that_was_counted_is_left_as_it_was(player):
    game = POSITIONS[0].game("white")
    before = game.diagram(), game.to_play, game.passes, game.moves
    player.outlook(game, 100)
    assert (game.diagram(), game.to_play, game.passes, game.moves) == before


# --- what is not settled ------------------------------------------------------------------------------------------

DAME = "X X . O O\n. X X O .\nX X X O O\n. X X O .\nX X X O O"

FIGHT = """
. . . O X . X
O O O O X X .
X X X X X X X
X . X O O O O
X X X O . O .
. X . O O O O
X X X X O . O
"""
"""White's group at the top lives with B7, and dies without; with a komi of 10 it decides the game."""


def test_a_neutral_point_is_worth_a_move_on_area_rules(player):
    assert player.outlook(Game.from_diagram(DAME, "black", 0.5), SIMULATIONS).dead == ()
    by_hand = np.where(Game.from_diagram(DAME).stones == 2, -1.0, 1.0)
    by_hand[0, 2], by_hand[1::2, 4] = 0.0, -1.0
    assert find_outlook(Game.from_diagram(DAME), by_hand).open == ("C5",)
    assert find_outlook(Game.from_diagram(DAME, rules="japanese"), by_hand).open == ()


def test_a_fight_depends_on_who_moves(player):
    """The same stones, dead or alive."""
    black = player.outlook(Game.from_diagram(FIGHT, "black", 10), SIMULATIONS)
    white = player.outlook(Game.from_diagram(FIGHT, "white", 10), SIMULATIONS)
    group = {"A6", "B6", "C6", "D6", "D7"}
    assert group <= set(black.dead) and not group & set(white.dead)


def test_an_empty_board_is_not_settled(player):
    for size in (5, 9):
        game = Game(size)
        outlook = player.outlook(game, 500)
        assert not outlook.settled and outlook.dead == () and outlook.seki == ()
        assert str(outlook.score) == str(game.score())


def test_a_full_scale_fight_is_not_settled(player):
    """Two groups that have just begun to cut each other."""
    game = Game(9)
    for vertex in ("E5", "E6", "D6", "D5", "F6", "E7", "E4", "C5", "F7", "C6"):
        game.play(vertex)
    assert len(player.outlook(game, 1000).open) > 20


# --- by hand ------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(list(RULES)), st.sampled_from([3, 5]))
def test_any_ownership_of_any_position_makes_an_outlook(seed, rules, size):
    """Nothing raises; dead stones are stones; whole chains share a fate; none is dead and in seki."""
    rng = np.random.default_rng(seed)
    game = Game(size, 0.5, rules)
    for _ in range(int(rng.integers(0, 3 * size * size))):
        legal = game.legal_moves()
        if not legal or game.is_over:
            break
        game.play(legal[int(rng.integers(len(legal)))])
    outlook = find_outlook(game, rng.uniform(-1, 1, (size, size)))
    assert all(game.at(vertex) for vertex in (*outlook.dead, *outlook.seki))
    assert not set(outlook.dead) & set(outlook.seki)
    for chain in chains_of(game):
        assert len({vertex in outlook.dead for vertex in chain}) == 1
    assert outlook.score.black + outlook.score.white <= size * size * 3 + 0.5
    for liberties, vertex in capturing_moves(game, outlook.dead):
        assert game.is_legal(vertex) and liberties >= 1
    covered = [vertex for chain in chains_of(game) for vertex in chain]
    assert len(covered) == len(set(covered)) == int((game.stones > 0).sum())


def test_what_captures_dead_stones():
    """Only the other side's, the weakest chain first, and no move into atari."""
    game = Game.from_diagram(". O X . .\nO X X . .\nX X . . .\n. . X X X\n. . X O .", "black", 0.5)
    assert capturing_moves(game, ("B5", "A4", "D1")) == [(1, "A5"), (1, "E1")]
    assert capturing_moves(game, ("D1",)) == [(1, "E1")]
    assert capturing_moves(game, ()) == []
    assert capturing_moves(game.with_turn("white"), ("B5", "A4", "D1")) == []


def test_beside():
    marked = np.zeros((3, 3), bool)
    marked[0, 0] = True
    assert beside(marked).tolist() == [[False, True, False], [True, False, False], [False, False, False]]
    marked[:] = True
    assert beside(marked).all()
