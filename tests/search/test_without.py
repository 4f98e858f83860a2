"""What a search keeps from one position to the next: after undo, beyond known lines, and with moves left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

import montego
from montego import Game
from montego.players.presets import PRESETS
from montego.search.config import SearchConfig
from montego.search.records import CHILD, VISITS
from montego.search.report import make_report
from montego.search.search import LONGEST_GROWTH, Search
from tree_checks import check_tree

HOUSE = PRESETS["house"].config


def new_search(config: SearchConfig = HOUSE, **changes) -> Search:
    return Search(5, replace(config, memory=16, **changes), seed=1)


def searched(search: Search, game: Game, without: tuple[str, ...] = (), simulations: int = 300) -> Search:
    search.set_position(game, without)
    search.run(simulations)
    return search


def tried(search: Search) -> set[str]:
    """The moves that simulations chose at the root. A new tree's first one is the default policy's."""
    visits = search.tree.links[search.pool.root, VISITS]
    return {search.names.vertex(p) for p in range(len(visits)) if visits[p] > 1}


def played(*vertices: str, **kinds) -> Game:
    game = Game(5, komi=2.5, **kinds)
    for vertex in vertices:
        game.play(vertex)
    return game


# --- moves left out -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["house", "mogo-rave", "uct-random"])
def test_moves_left_out_are_not_tried(preset):
    search, without = new_search(PRESETS[preset].config), ("C3", "c2", "PASS", "D4")
    searched(search, played("B2"), without)
    assert tried(search) and not tried(search) & {"C3", "C2", "pass", "D4"}
    assert not {"C3", "C2", "pass", "D4"} & {move.vertex for move in make_report(search, 1.0).moves}
    assert search.names.vertex(search.best()) not in {"C3", "C2", "pass", "D4"}


def test_they_are_left_out_in_this_position_alone():
    """Below it they may be played, by both sides."""
    search = searched(new_search(), played("B2"), ("C3",), 2000)
    root = search.pool.root
    children = [int(s) for s in search.tree.links[root, CHILD] if s > 0]
    point = search.names.parse("C3")
    assert any(search.tree.links[child, VISITS, point] for child in children)


def test_the_next_search_considers_them_again():
    search = new_search()
    game = played("B2")
    searched(search, game, ("C3",))
    searched(search, game)
    assert "C3" in tried(search)
    searched(search, game, ("D3",))
    assert "C3" in tried(search) and "D3" not in tried(search)


def test_the_same_moves_are_left_out_of_the_next_position_too():
    """The tree is known there, and has tried them."""
    search, game = new_search(), played("B2")
    searched(search, game, ("D4",), 1000)
    for vertex in ("C3", "C2"):
        game.play(vertex)
        searched(search, game, ("D4",), 1000)
        assert "D4" not in tried(search), f"after {vertex}"


def test_a_move_left_out_and_then_played_stays_left_out_after_undo():
    search, game = new_search(), played("B2")
    searched(search, game, ("C3",))
    game.play("C3")
    searched(search, game, ("C3",))
    game.undo()
    searched(search, game, ("C3",))
    assert "C3" not in tried(search)
    searched(search, game)
    assert "C3" in tried(search)


def test_the_same_question_goes_on_where_it_was():
    search, game = new_search(), played("B2")
    searched(search, game, ("C3",), 300)
    searched(search, game, ("c3",), 200)
    assert search.simulations == 500


def test_a_single_move_may_be_left():
    game, search = played("B2"), new_search()
    others = tuple(vertex for vertex in [*game.legal_moves(), "pass"] if vertex != "E5")
    searched(search, game, others)
    assert tried(search) == {"E5"}
    assert search.names.vertex(search.best()) == "E5"


def test_leaving_out_every_move_is_refused():
    game = played("B2")
    player = montego.player("house", simulations=50, seed=1)
    everything = (*game.legal_moves(), "pass")
    with pytest.raises(montego.MontegoError, match="accepted"):
        player.choose(game, without=everything)
    with pytest.raises(montego.MontegoError, match="accepted"):
        player.choose(game, without=everything)
    assert player.choose(game).vertex in everything  # and it goes on as if nothing had been asked


def test_a_move_that_the_search_finds_absurd_cannot_be_the_only_one():
    """An own eye: without it, nothing is left. The corner is occupied."""
    game = Game.from_diagram("X X X X X\n. X . X X\nX X X X X\nO O O O O\n. O . O .", "black", 0.5)
    others = tuple(vertex for vertex in [*game.legal_moves(), "pass"] if vertex != "A4")
    with pytest.raises(montego.MontegoError, match="accepted"):
        montego.player("house", simulations=50, seed=1).choose(game, without=others)


def test_no_point_of_the_board_is_refused():
    search = searched(new_search(), played("B2"))
    with pytest.raises(montego.MontegoError, match="accepted"):
        search.set_position(played("B2"), ("Z9",))
    assert search.run(10) == 10


def test_superko_and_moves_left_out_go_together():
    search = new_search()
    game = played("C3", "B3", "B2", rules="cgos")
    searched(search, game, ("C4", "pass"))
    assert tried(search) <= set(game.legal_moves()) - {"C4"}
    searched(search, game)
    assert tried(search) <= {*game.legal_moves(), "pass"}


def test_root_parallel_searches_leave_them_out_too():
    search = Search(5, replace(HOUSE, memory=16, parallel="root"), seed=1, threads=2)
    searched(search, played("B2"), ("C3",))
    assert "C3" not in tried(search)


# --- taken back, played again -------------------------------------------------------------------------------------


def test_undo_finds_the_tree_again():
    search, game = new_search(), played("C3")
    searched(search, game, simulations=1000)
    before = tried(search), search.simulations
    game.play("C2")
    searched(search, game)
    game.undo()
    search.set_position(game)
    assert search.simulations >= before[1]
    assert tried(search) >= before[0]
    assert make_report(search, 1.0).moves[0].visits > 0


def test_the_same_game_from_an_empty_board_finds_the_tree_again():
    search, game = new_search(), Game(5, komi=2.5)
    line = ("C3", "C2", "B2", "D2")
    for vertex in line:
        searched(search, game, simulations=500)
        game.play(vertex)
    searched(search, game, simulations=500)
    known = search.simulations
    again = Game(5, komi=2.5)
    search.set_position(again)
    assert search.simulations >= 500
    for vertex in line:
        again.play(vertex)
    search.set_position(again)
    assert search.simulations == known


def test_a_move_never_searched_is_no_loss():
    """Nor is taking it back."""
    search, game = new_search(), played("C3")
    searched(search, game, simulations=500)
    game.play("A1")
    game.play("A5")
    searched(search, game, simulations=100)
    assert search.simulations == 100
    assert tried(search) <= {*game.legal_moves(), "pass"}
    game.undo(2)
    search.set_position(game)
    assert search.simulations >= 500
    assert "A1" not in tried(search)


def test_far_beyond_the_known_a_new_tree_begins():
    search, game = new_search(), Game(5, komi=2.5)
    searched(search, game, simulations=200)
    vertices = [f"{c}{r}" for r in (1, 3, 5) for c in "ABCDE"]
    for vertex in vertices[: LONGEST_GROWTH + 3]:
        game.play(vertex)
    searched(search, game, simulations=200)
    assert search.simulations == 200
    check_tree(search)
    game.undo(LONGEST_GROWTH + 3)
    searched(search, game, simulations=100)
    assert search.simulations == 100


@pytest.mark.parametrize(
    "change",
    [
        lambda game: setattr(game, "komi", 3.5),
        lambda game: setattr(game, "rules", "cgos"),
        lambda game: game.setup(black=["E5"]),
    ],
    ids=["komi", "rules", "setup"],
)
def test_another_game_is_another_tree(change):
    search, game = new_search(), played("C3", "C2")
    searched(search, game)
    change(game)
    searched(search, game, simulations=50)
    assert search.simulations == 50


def test_the_other_side_to_move_is_another_position():
    search, game = new_search(), played("C3", "C2")
    searched(search, game)
    searched(search, game.with_turn("white"), simulations=50)
    assert search.simulations == 50
    assert int(search.parameters.colour) == 2
    searched(search, game, simulations=70)
    assert search.simulations == 70


def test_two_moves_of_one_side_are_not_mistaken_for_a_known_line():
    search, game = new_search(), Game(5, komi=2.5)
    searched(search, game, simulations=2000)
    for vertex in ("C3", "B3"):
        game.play(vertex, "black")
    searched(search, game, simulations=50)
    assert search.simulations == 50
    assert tried(search) <= {*game.legal_moves(), "pass"}


def test_passes_that_resume_play():
    """After two passes the players may go on; the position is searched, not taken for the end."""
    search, game = new_search(), played("C3")
    searched(search, game, simulations=1000)
    game.play("pass")
    game.play("pass")
    going_on = game.with_turn(game.to_play)
    searched(search, going_on, simulations=200)
    assert len(tried(search)) > 5


def test_positions_here_and_there_in_little_memory():
    """Growth, pruning and undo in any order: the numbers of every tree stay right, and every move offered is legal."""
    search = Search(5, replace(HOUSE, memory=1, expand_after=1), seed=1)
    game = Game(5, komi=2.5, rules="cgos")
    for turn in range(60):
        searched(search, game, simulations=400)
        assert tried(search) <= {*game.legal_moves(), "pass"}
        if turn % 7 == 6 and len(game.moves) > 4:
            game.undo(4)
        elif turn % 11 == 10:
            game = Game(5, komi=2.5, rules="cgos")
        else:
            legal = game.legal_moves()
            game.play(legal[turn * 7 % len(legal)] if turn % 3 == 0 else search.best())
            if game.is_over:
                game.undo(3)
    assert search.pool.pruned > 0


def test_what_is_known_of_leads_and_owners_belongs_to_one_position():
    search, game = new_search(), played("C3")
    search.parameters.owning = 1
    searched(search, game, simulations=400)
    n, _, spread = search.leads()
    assert n.sum() == 400 and (spread >= 0).all()
    assert abs(search.ownership_map()).max() <= 1
    game.play("C2")
    search.set_position(game)
    assert search.playouts == 0 and search.leads()[0].sum() == 0
    assert not search.ownership_map().any()
    search.run(100)
    assert search.leads()[0].sum() == 100


def test_the_lead_is_for_the_side_to_move_with_komi():
    """A board that is all Black's: 25 points less komi, whoever is to move."""
    full = "X X X X X\nX X X X X\nX X . X .\nX X X X X\nX X X X X"
    for colour, sign in (("black", 1), ("white", -1)):
        report = montego.player("house", simulations=200, seed=1).analyse(Game.from_diagram(full, colour, 2.5))
        assert report.lead == pytest.approx(sign * 22.5, abs=1.0)
        assert report.value > 0.95 if sign > 0 else report.value < 0.05


def test_a_report_may_leave_out_what_was_not_tried():
    game = played("C3")
    player = montego.player("house", seed=1)
    short = player.analyse(game, simulations=20, whole=False)
    whole = montego.player("house", seed=1).analyse(game, simulations=20)
    assert {move.vertex for move in short.moves} == {move.vertex for move in whole.moves if move.visits}
    assert len(whole.moves) == len(game.legal_moves()) + 1
