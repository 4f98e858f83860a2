"""Pre-selection by knowledge: what the heuristic `indigo` thinks of moves, and the moves that a node is left with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import montego
from montego.go.errors import ConfigError, MontegoError
from montego.go.facts import eye, is_self_atari, ladder
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.playout import PlayoutConfig, trace
from montego.search.config import SearchConfig
from montego.search.records import CHILD, ILLEGAL, PRUNED, VISITS
from montego.search.search import Search
from tree_checks import check_tree

PASSING = 0.01 / 1.01


def opinions(game: Game, **fields: Any) -> dict[str, float]:
    """H of every move of a position, for the side to move."""
    player = montego.player("indigo-2002", simulations=1, memory=1, **fields)
    return {move.vertex: float(move.prior or 0.0) for move in player.analyse(game).moves}


def ranked(game: Game) -> list[str]:
    found = opinions(game)
    return sorted(found, key=lambda vertex: -found[vertex])


def after(size: int, seed: int, moves: int) -> Game:
    """A moment of a random game."""
    game = Game(size)
    for move in trace(game, PlayoutConfig("mogo"), seed=seed).moves[:moves]:
        game.play(move.vertex)
    return game


def selected(search: Search) -> set[str]:
    """The moves of the root but the pass."""
    points = np.flatnonzero(search.tree.links[search.pool.root, CHILD] >= 0)
    return {search.names.vertex(int(p)) for p in points if p != 0}


def prepared(game: Game, preset: str = "indigo-2003", **fields: Any) -> Search:
    search = Search(game.size, montego.player(preset, **{"memory": 1, **fields}).config, seed=1)
    search.set_position(game)
    return search


# --- what the knowledge says ---------------------------------------------------------------------------------------

LADDER = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . X . . . .
. . . X O . . . .
. . . X . . . . .
. . . . . . {} . .
. . . . . . . . .
. . . . . . . . .
"""


def test_a_ladder_that_works_is_begun() -> None:
    game = Game.from_diagram(LADDER.format("."))
    assert ladder(game, "E5") == "captured" and ranked(game)[0] == "F5"
    assert opinions(game)["F5"] > 60 / 61, "the urgency of a stone caught"
    assert opinions(game)["E4"] < 60 / 61, "on the wrong side it gets away"


def test_a_ladder_that_fails_is_not() -> None:
    broken = Game.from_diagram(LADDER.format("O"))
    assert ladder(broken, "E5") == "escapes" and opinions(broken)["F5"] < 60 / 61


def test_nobody_runs_in_a_ladder_that_works() -> None:
    """White to move: the stone is saved where the ladder is broken, and only thrown after where it is not."""
    for breaker, runs in ((".", False), ("O", True)):
        game = Game.from_diagram(LADDER.format(breaker), to_play="black")
        game.play("F5")
        assert (opinions(game)["E4"] > 50 / 51) == runs
        assert (opinions(game)["E4"] < PASSING) == (not runs)


SAVE = """
. . X . . . . . .
. X O X . . . . .
. . . . . . . . .
. . . . . O X O .
. . . . O X X O .
. . . . O X X O .
. . . . . O O . .
. . . . . . . . .
. . . . . . . . .
"""


def test_a_big_string_is_saved_before_a_stone_is_caught() -> None:
    best = ranked(Game.from_diagram(SAVE))
    assert best[:2] == ["G7", "C7"]
    assert ranked(Game.from_diagram(SAVE, to_play="white"))[0] == "G7"


COUNTER = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . X . . . . .
. . X O . . . . .
. . O X . O . . .
. . . O O . . . .
. . . . . . . . .
. . . . . . . . .
"""


def test_capturing_a_neighbour_saves() -> None:
    """E4 would make the string longer, and leave it in atari."""
    found = opinions(Game.from_diagram(COUNTER))
    assert found["E5"] == max(found.values()) > 110 / 111 and found["E4"] < PASSING


SELF_ATARI = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. O O . . . . . .
. . X O . . . . .
. O O . . . . . .
. . . . . . . . .
. . X . . . . . .
. . . . . . . . .
"""


def test_what_can_be_caught_is_worse_than_a_pass() -> None:
    """Self-ataris, and stones in a ladder: along the edge every lonely one is."""
    for game in (Game.from_diagram(SELF_ATARI), after(9, 2, 30), after(9, 3, 55)):
        found = opinions(game)
        lost = {vertex for vertex, value in found.items() if value < PASSING}
        assert lost
        for vertex in lost:
            then = game.copy()
            then.play(vertex)
            assert ladder(then, vertex) == "captured", f"{vertex}\n{game}"
    game = Game.from_diagram(SELF_ATARI)
    assert is_self_atari(game, "B5", "black") and opinions(game)["B5"] < PASSING < opinions(game)["D6"]


CUT = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . X X . . . .
. . X O . . . . .
. . . O O . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""


def test_a_cutting_point_comes_first() -> None:
    for colour in ("black", "white"):
        assert ranked(Game.from_diagram(CUT, to_play=colour))[0] == "C6"


def line_of(vertex: str, size: int) -> int:
    row, column = geometry(size).row_column(geometry(size).parse(vertex))
    return 1 + min(row, column, size - 1 - row, size - 1 - column)


def test_the_opening_is_played_off_the_edge() -> None:
    for size, inside in ((9, 5), (19, 3)):
        found = opinions(Game(size))
        lines = {vertex: line_of(vertex, size) for vertex in found if vertex != "pass"}
        assert lines[max(lines, key=found.__getitem__)] == inside
        worth = [np.mean([found[v] for v in lines if lines[v] == line]) for line in (1, 2, 3)]
        assert worth[0] < worth[1] < worth[2]


def test_own_eyes_and_passes_are_the_last_resort() -> None:
    game = Game.from_diagram(". X . X .\nX X X X X\n. X . X .\nX X X X X\nO O O O .", komi=0.5)
    found = opinions(game, moves="legal")
    assert found["C5"] == 0 and found["pass"] == pytest.approx(PASSING) and found["E1"] > PASSING


@pytest.mark.parametrize(("size", "seed", "moves"), [(9, 0, 12), (9, 2, 30), (9, 3, 55)])
def test_symmetric_positions_have_symmetric_values(size: int, seed: int, moves: int) -> None:
    game, names = after(size, seed, moves), geometry(size)

    def values(stones: Any, colour: int) -> Any:
        text = "\n".join(" ".join(".XO"[stone] for stone in row) for row in stones)
        found = opinions(Game.from_diagram(text, to_play=colour), moves="legal")
        return np.array([found.get(names.vertex(int(p)), -1.0) for p in names.points]).reshape(size, size)

    first = values(game.stones, game.to_play)
    assert first.max() > 0.5
    for turned in range(4):
        stones = np.rot90(game.stones, turned)
        assert np.allclose(values(stones, game.to_play), np.rot90(first, turned))
        assert np.allclose(values(stones[::-1], game.to_play), np.rot90(first, turned)[::-1])
    swapped = np.array([0, 2, 1])[game.stones]
    assert np.allclose(values(swapped, 3 - game.to_play), first)


# --- the moves of a node -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("select", [1, 3, 10, 361])
@pytest.mark.parametrize("moves", [0, 12, 40, 75])
def test_the_best_are_selected(select: int, moves: int) -> None:
    game = after(9, 5, moves)
    found = opinions(game)
    found.pop("pass")
    chosen = selected(prepared(game, select=select))
    assert len(chosen) == min(select, len(found)) and chosen <= set(found)
    others = [value for vertex, value in found.items() if vertex not in chosen]
    assert min(found[vertex] for vertex in chosen) >= max(others, default=0.0) - 1e-9


def test_a_pass_is_tried_when_little_is_left() -> None:
    """It is given up where enough moves are better; a player may pass all the same."""
    for moves, select, tried in ((20, 10, False), (20, 361, True), (100, 10, True)):
        search = prepared(after(9, 5, moves), select=select)
        assert search.tree.links[search.pool.root, CHILD, 0] == (0 if tried else PRUNED)
    search.set_position(after(9, 5, 100), without=["pass"])
    assert search.tree.links[search.pool.root, CHILD, 0] == ILLEGAL
    won = Game.from_diagram(". . . . .\nX X X X X\n. . . . .\n. . . . .\n. . . . .", to_play="white", komi=0.5)
    won.play("pass")
    assert montego.player("indigo-2003", simulations=100, select=2).choose(won).vertex == "pass"


def test_ties_are_broken_by_the_seed() -> None:
    """On the empty board many moves are equal."""
    searches = [Search(9, montego.player("indigo-2003").config, seed) for seed in (1, 1, 2)]
    for search in searches:
        search.set_position(Game(9))
    same, again, other = map(selected, searches)
    assert same == again != other and len(other) == len(same)


def test_moves_left_out_make_room_for_others() -> None:
    game = after(9, 5, 12)
    search = prepared(game, select=4)
    first = selected(search)
    search.set_position(game, without=sorted(first))
    assert len(selected(search)) == 4 and not selected(search) & first
    worst = ranked(game)[-1]
    others = {*game.legal_moves(), "pass"} - {worst}
    search.set_position(game, without=sorted(others))
    assert search.names.vertex(search.best()) == worst


def test_every_node_of_a_tree_has_selected_moves() -> None:
    search = prepared(after(9, 5, 20), "house", heuristic="indigo", moves="selected", select=5, memory=16)
    search.run(2000)
    nodes = check_tree(search)
    assert len(nodes.s) > 50
    counts = (search.tree.links[nodes.s, CHILD] >= 0).sum(axis=1)
    assert counts.max() == 5 and np.median(counts) == 5


def test_any_heuristic_can_select() -> None:
    game = after(9, 5, 20)
    for heuristic in ("evidence", "handcrafted", "even"):
        assert len(selected(prepared(game, heuristic=heuristic))) == SearchConfig().select


def test_simulations_are_divided_among_the_selected_and_pruned() -> None:
    """1,000 simulations and ten moves: enough of each to give some up, never the best."""
    search = prepared(after(9, 5, 20), select=10)
    offered = [search.names.parse(vertex) for vertex in selected(search)]
    search.run(200)
    visits = search.tree.links[search.pool.root, VISITS]
    assert visits[offered].max() - visits[offered].min() <= 1 and visits[offered].min() >= 18
    search.run(800)
    child = search.tree.links[search.pool.root, CHILD]
    given_up = [p for p in offered if child[p] == PRUNED]
    assert given_up and visits[given_up].min() >= 30
    assert search.best() in offered and child[search.best()] >= 0
    assert visits[search.best()] == visits.max() or visits[search.best()] >= visits.max() - 1


def test_all_moves_as_first_among_the_selected() -> None:
    search = prepared(after(9, 5, 20), schedule="rave", allocation="default-policy", select=8)
    chosen = selected(search)
    assert search.run(500) > 0
    assert search.names.vertex(search.best()) in chosen | {"pass"}
    counted = np.flatnonzero(search.tree.stats[search.pool.root, 2])
    assert {search.names.vertex(int(p)) for p in counted} <= chosen | {"pass"} and len(counted) > 4


@pytest.mark.parametrize("parallel", ["tree", "root", "leaf"])
@pytest.mark.parametrize("preset", ["indigo-2003", "house:heuristic=indigo,moves=selected"])
def test_threads(preset: str, parallel: str) -> None:
    player = montego.player(preset, simulations=400, threads=2, seed=2, parallel=parallel, memory=16)
    game = after(9, 5, 20)
    assert player.choose(game).vertex in set(game.legal_moves())


# --- whole games ---------------------------------------------------------------------------------------------------


class Anybody:
    """Plays like the first half of a random game."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, game: Game) -> str:
        return trace(game, PlayoutConfig("uniform"), seed=self.seed + len(game.moves)).moves[0].vertex


def play(black: Any, white: Any, game: Game) -> Game:
    """A game to its end, in which no eye is filled."""
    while not game.is_over:
        mover = (black, white)[game.to_play - 1]
        choice = mover.choose(game)
        vertex = choice if isinstance(choice, str) else choice.vertex
        assert vertex == "pass" or eye(game, vertex, game.to_play) != "true", f"{vertex}\n{game}"
        game.play(vertex)
        assert len(game.moves) < 400
    return game


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
def test_whole_games(rules: str) -> None:
    old, new, anybody = (
        montego.player("indigo-2002", simulations=20, seed=1),
        montego.player("indigo-2003", simulations=100, seed=1),
        Anybody(1),
    )
    for black, white in ((old, anybody), (anybody, new), (new, old)):
        game = play(black, white, Game(9, rules=rules))
        lead = game.score().lead
        assert len(game.moves) > 40 and abs(lead) < 81 + 7.5
        if anybody in (black, white):
            assert (lead > 0) == (white is anybody), f"lost to chance\n{game}"


DEAD = """
. X . X O . O . .
X . X X O O O O O
. X X X X O . . O
X X . . X O O O .
. . . . X X O . O
. . O O . X O O O
. . O . . X X X X
. . . . . . . . .
. . . . . . . . .
"""


def test_dead_stones_are_captured_where_all_count_as_alive() -> None:
    """Three moves at a time, and a win only if the three white stones go."""
    game = Game.from_diagram(DEAD, komi=20.5, rules="tromp-taylor")
    player = montego.player("indigo-2003", simulations=300, seed=1, select=3)
    while not game.is_over:
        game.play(player.choose(game) if game.to_play == 1 else "pass")
        assert len(game.moves) < 120
    assert game.score().lead > 0, str(game)


# --- what is refused -----------------------------------------------------------------------------------------------


def test_selection_needs_a_heuristic() -> None:
    with pytest.raises(ConfigError, match=r"moves 'selected' needs a heuristic .*; accepted with it: any but none"):
        SearchConfig(moves="selected")
    with pytest.raises(ConfigError, match="select is 0; accepted: a whole number from 1 to 361"):
        SearchConfig(select=0)


def test_urgencies_that_are_not_there() -> None:
    with pytest.raises(MontegoError, match=r"there is no file of urgencies /no/such\.npz"):
        montego.player("indigo-rl:urgencies=/no/such.npz", simulations=10).choose(Game(9))


def test_learned_urgencies_play() -> None:
    game = after(9, 5, 20)
    for urgencies in ("manual", "zero"):
        choice = montego.player("indigo-rl", simulations=200, urgencies=urgencies).choose(game)
        assert choice.vertex in selected(prepared(game)) | {"pass"}
