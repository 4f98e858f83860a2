"""From a search to a move: safe passes, captures that are needed, soft choices, resignations that are sure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import exp

import numpy as np
import pytest

import montego
from montego import Game
from montego.go.errors import ConfigError
from montego.go.geometry import PASS
from montego.players.budget import Budget
from montego.players.conduct import Conduct
from montego.players.decision import (
    REACH,
    RESIGN_TURNS,
    SURE_AFTER,
    Gloom,
    draw_of,
    earliest_resignation,
    is_handicap_game,
    soft_choice,
)
from montego.search.report import final_values

DEAD_IN_THE_CORNER = """
. . X O . O .
. O X O O O O
. . X O . O .
X X X O O O O
X . X X O . O
X X . X O O O
. X X X O . O
"""
"""White's stone B6 is dead. Taken off, Black has 24 points and White 25; as the board stands, 18 and 26."""

FIGHT = """
. . . O X . X
O O O O X X .
X X X X X X X
X . X O O O O
X X X O . O .
. X . O O O O
X X X X O . O
"""
"""Whoever plays B7 decides about White's group, and with a komi of 10 about the game."""

DEAD_STONES_DECIDE = (
    "E5 F6 F5 G7 G5 C5 C7 D7 C8 D6 B6 B5 A8 D2 F9 E3 G3 H6 H5 G6 D4 C3 A5 F2 G2 H8 A3 B2 F1 D8 B9 D9 E1 E6 E2 D3 J6 J7"
    " J5 E4 F3 D5 A2 H7 B4 C4 B3 F4 G4 C2 D1 A6 A7 C6 C9 B7 A6 F8 C1 B1 A4 G9 A1 H4 B8 J9 H3 G1 H1 F7 H2 J3 J2 pass J4"
)
"""A game against GNU Go, White to move."""

FINISHED_JAPANESE = """
. . . . . . . . .
. . . . . X X X X
. . . . X O O O X
. . X . X O X O O
X . X O X X X O .
O X X X X O O O .
O O O O O . . . .
O . O . . . . . .
. . . . . . . . .
"""
FINISHED_CHINESE = """
. . . . . O . . .
. . O X X . . . .
. . O X . . X X .
. X X O X . . . X
. X O O X . X X O
. X O X X X O O O
. X O O X O O . .
. X X O O O . O .
. X O O . . . . .
"""


def friend(seed: int = 1, simulations: int = 600, **details) -> montego.players.search.SearchPlayer:
    return montego.player("house", simulations=simulations, seed=seed, friendly=True, **details)


def against_passes(player, game: Game, most: int = 60, **details) -> list[str]:
    """The moves of a player whose opponent passes every time, until the game ends."""
    made = []
    while not game.is_over and len(made) < most:
        made.append(player.choose(game, **details).vertex)
        game.play(made[-1])
        if not game.is_over:
            game.play("pass")
    return made


# --- passing by agreement -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga"])
@pytest.mark.parametrize("colour", ["black", "white"])
def test_a_friend_passes_when_all_is_settled(rules, colour):
    """With dead stones on the board, whether that wins or loses."""
    for komi in (0.5, 12.5):
        game = Game.from_diagram(DEAD_IN_THE_CORNER, colour, komi, rules)
        assert friend().choose(game).vertex == "pass"


def test_a_stranger_does_not_trust_agreements():
    """Without a word about conduct, stones count as they stand: it goes for the capture if that is needed to win."""
    game = Game.from_diagram(DEAD_IN_THE_CORNER, "white", -2.5)
    game.play("pass")
    player = montego.player("house", simulations=600, seed=1)
    assert not any(vertex == "pass" for vertex in against_passes(player, game)[:-1])
    assert game.score().lead > 0  # it has won as the board stands


@pytest.mark.parametrize("preset", ["mogo-rlgo", "mogo-2007", "house"])
def test_a_stranger_does_not_pass_first_while_the_dead_decide(preset):
    """Black's F9 is dead, but as the board stands White has lost. mogo-rlgo used to pass here, and lost."""
    game = Game(9, komi=7.5)
    for vertex in DEAD_STONES_DECIDE.split():
        game.play(vertex)
    assert game.score().lead > 0 and montego.player("house", simulations=1000).outlook(game).score.lead < 0
    for seed in (1, 2, 864696002):
        assert montego.player(preset, simulations=1000, seed=seed).choose(game).vertex != "pass"


def test_a_stranger_that_has_lost_may_pass_first():
    """It does not spoil its own eyes instead."""
    game = Game.from_diagram("X X . X X\n. X X X .\nX X X X X\nO O O O O\n. O . O .", "white", 0.5)
    moves = [montego.player("mogo-2007", simulations=500, seed=seed).choose(game).vertex for seed in range(3)]
    assert moves == ["pass"] * 3


@pytest.mark.parametrize("colour", ["black", "white"])
@pytest.mark.parametrize("seed", range(3))
def test_a_pass_that_would_cost_a_group_is_not_made(colour, seed):
    """Also not as the answer to a pass."""
    game = Game.from_diagram(FIGHT, colour, 10)
    assert friend(seed).choose(game).vertex == "B7"
    other = Game.from_diagram(FIGHT, "black" if colour == "white" else "white", 10)
    other.play("pass")
    assert friend(seed).choose(other).vertex == "B7"


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("diagram", [FINISHED_JAPANESE, FINISHED_CHINESE], ids=["one", "two"])
@pytest.mark.parametrize("colour", ["black", "white"])
def test_a_finished_game_ends(rules, diagram, colour):
    """Nobody fills territory to the bitter end, and under territory scoring no point is lost on the way."""
    game = Game.from_diagram(diagram, colour, 6.5, rules)
    player = friend(simulations=1000)
    before = player.outlook(game, 2000)
    moves = against_passes(player, game)
    assert moves[-1] == "pass" and len(moves) <= 4, moves
    after = player.outlook(game, 2000).score
    sign = 1 if colour == "black" else -1
    assert sign * after.lead >= sign * before.score.lead


def test_neutral_points_are_filled_under_area_scoring_only():
    """Who passes first under Chinese rules gives the last neutral point away."""
    dame = "X X . O O\n. X X O .\nX X X O O\n. X X O .\nX X X O O"
    for colour, komi in (("black", 2.5), ("black", 4.5), ("white", 4.5), ("white", 6.5)):
        for passed in (False, True):
            game = Game.from_diagram(dame, colour, komi, "chinese")
            if passed:
                game = game.with_turn(3 - game.to_play)
                game.play("pass")
            assert against_passes(friend(), game) == ["C5", "pass"], (colour, komi, passed)
        game = Game.from_diagram(dame, colour, komi, "japanese")
        assert against_passes(friend(), game)[-1] == "pass" and len(game.moves) <= 4


def test_the_game_between_two_friends_ends():
    """From an empty board, with dead stones left where they are."""
    for rules in ("chinese", "japanese"):
        game, players = Game(5, komi=0.5, rules=rules), [friend(seed, 200) for seed in (1, 2)]
        while not game.is_over:
            game.play(players[game.to_play - 1].choose(game))
            assert len(game.moves) < 100


# --- every stone counts -------------------------------------------------------------------------------------------


def test_dead_stones_are_captured_where_they_count():
    """As the board stands Black loses by half a point; with the dead stone taken off Black wins."""
    game = Game.from_diagram(DEAD_IN_THE_CORNER, "white", 0.5, "cgos")
    game.komi = game.score().lead + 1.0  # of the board as it stands, so that it loses
    assert game.score().lead < 0
    game.play("pass")
    moves = against_passes(friend(), game)
    assert moves[-1] == "pass" and game.is_over
    assert set(moves[:-1]) <= {"A5", "A6", "A7", "B5", "B7"} and len(moves) <= 5
    assert game.score().lead > 0


def test_a_win_as_it_stands_is_taken_at_once():
    game = Game.from_diagram(DEAD_IN_THE_CORNER, "white", -30, "cgos")
    game.play("pass")
    assert friend().choose(game).vertex == "pass"


def test_it_does_not_pass_first_while_the_dead_decide():
    game = Game.from_diagram(DEAD_IN_THE_CORNER, "black", 0.5, "cgos")
    game.komi = game.score().lead + 1.0
    assert friend().choose(game).vertex in {"A5", "A6", "A7", "B5", "B7"}


@pytest.mark.parametrize("rules", ["chinese", "japanese", "chinese-kgs"])
@pytest.mark.parametrize("komi", [-20, 0.5, 30])
def test_cleaning_up_captures_all_that_is_dead_and_then_passes(rules, komi):
    """On KGS players who disagree play on; an engine is asked for moves until no dead stone is left."""
    game = Game.from_diagram(DEAD_IN_THE_CORNER, "white", komi, rules)
    game.play("pass")
    moves = against_passes(friend(), game, most=20, cleanup=True)
    assert game.at("B6") != 2, "the dead stone stands"
    assert moves[-1] == "pass" and game.is_over, moves
    assert len(moves) <= 6, moves


def test_an_engine_that_cleans_up_does_not_capture_its_own():
    game = Game.from_diagram(DEAD_IN_THE_CORNER, "white", 0.5, "chinese-kgs")
    assert friend().choose(game, cleanup=True).vertex in (
        "pass",
        "A5",
        "A6",
        "A7",
        "B5",
        "B7",
    )  # White's own stone is dead; it may struggle, but not in its own territory


# --- a softer choice ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def searched():
    player = montego.player("house", simulations=2000, seed=1)
    game = Game(5, komi=2.5)
    game.play("B2")
    player.choose(game)
    return player.search_of(game)


def test_a_soft_choice_stays_within_reach(searched):
    best = searched.best()
    values = final_values(searched.tree, searched.pool.root, 2, searched.parameters)
    for softness in (0.01, 0.05, 0.2, 1.0):
        for draw in np.linspace(0, 1, 101):
            point = soft_choice(searched, best, softness, float(draw))
            assert point != PASS
            assert values[best] - values[point] <= REACH * softness + 1e-12
            assert searched.game.is_legal(point)


def test_a_soft_choice_follows_its_distribution(searched):
    best, softness = searched.best(), 0.1
    values = final_values(searched.tree, searched.pool.root, 2, searched.parameters)
    draws = (np.arange(5000) + 0.5) / 5000
    counts = Counter(soft_choice(searched, best, softness, float(draw)) for draw in draws)
    assert len(counts) > 2
    weights = {p: exp(-max(0.0, values[best] - values[p]) / softness) for p in counts}
    total = sum(weights.values())
    for point, count in counts.items():
        assert count / len(draws) == pytest.approx(weights[point] / total, abs=2e-3)


def test_hardly_soft_is_the_best(searched):
    best = searched.best()
    values = final_values(searched.tree, searched.pool.root, 2, searched.parameters)
    for draw in (0.0, 0.5, 1.0):
        assert values[soft_choice(searched, best, 1e-9, draw)] >= values[best] - 1e-6


def test_draws_are_even_and_repeatable():
    draws = [draw_of(seed, turn) for seed in range(50) for turn in range(60)]
    assert all(0 <= draw <= 1 for draw in draws) and len(set(draws)) == len(draws)
    assert np.mean(draws) == pytest.approx(0.5, abs=0.03)
    counts = np.histogram(draws, bins=10, range=(0, 1))[0]
    assert counts.min() > 200
    assert draw_of(7, 3) == draw_of(7, 3)


def test_the_same_seed_makes_the_same_soft_choices():
    def moves(seed: int) -> list[str]:
        game, player = Game(5), montego.player("house", simulations=60, seed=seed, softness=0.2)
        while len(game.moves) < 8:
            game.play(player.choose(game))
        return [move.vertex for move in game.moves]

    assert moves(3) == moves(3)
    assert len({tuple(moves(seed)) for seed in range(6)}) > 2


def test_a_soft_player_still_ends_its_games():
    for softness in (0.05, 1.0):
        game = Game(5, komi=0.5)
        player = montego.player("house", simulations=40, seed=1, softness=softness, friendly=True)
        while not game.is_over:
            game.play(player.choose(game))
            assert len(game.moves) < 300


# --- resigning ----------------------------------------------------------------------------------------------------


def long_game(moves: int, size: int = 9, handicap: int = 0) -> Game:
    """A game with so many moves: passes, with a stone now and then so that it goes on."""
    game = Game(size)
    if handicap:
        game.place_fixed_handicap(handicap)
    free = iter(game.legal_moves())
    while len(game.moves) < moves:
        game.play(next(free) if len(game.moves) % 2 else "pass")
    return game


def turns(game: Game, values: list[float], below: float = 0.1, simulations: int = 1000) -> list[bool]:
    """What a player says on its turns, one after another, from this position on."""
    gloom, said = Gloom(), []
    free = iter(game.legal_moves())
    for value in values:
        said.append(gloom.gives_up(game, value, simulations, below))
        game.play("pass")
        game.play(next(v for v in free if game.is_legal(v)))
    return said


def test_it_takes_three_gloomy_turns_in_a_row():
    assert turns(long_game(50), [0.05] * 5) == [False, False, True, True, True]
    assert turns(long_game(50), [0.05, 0.05, 0.5, 0.05, 0.05, 0.05]) == [False] * 5 + [True]
    assert turns(long_game(50), [0.1] * 5) == [False] * 5  # below means below
    assert turns(long_game(50), [0.0] * 5, below=0.0) == [False] * 5  # never
    assert RESIGN_TURNS == 3


def test_nobody_resigns_early():
    said = turns(long_game(0), [0.01] * 12)
    assert said == [turn >= earliest_resignation(Game(9)) for turn in range(0, 24, 2)]
    assert earliest_resignation(Game(9)) == 20


def test_handicap_games_are_resigned_later():
    given = long_game(30, handicap=4)
    assert is_handicap_game(given) and earliest_resignation(given) == 40
    assert turns(given, [0.01] * 4) == [False] * 4
    sent = Game(9)
    for vertex, colour in (("C3", "black"), ("G7", "black"), ("E5", "white")):
        sent.play(vertex, colour)
    assert is_handicap_game(sent)
    usual = Game(9)
    for vertex in ("C3", "G7", "E5"):
        usual.play(vertex)
    assert not is_handicap_game(usual) and not is_handicap_game(Game(9))


def test_few_simulations_tell_nothing():
    assert turns(long_game(50), [0.01] * 5, simulations=SURE_AFTER - 1) == [False] * 5
    assert turns(long_game(50), [0.01] * 3, simulations=SURE_AFTER) == [False, False, True]


def test_asking_again_about_the_same_turn_is_still_one_turn():
    game, gloom = long_game(50), Gloom()
    assert not any(gloom.gives_up(game, 0.01, 1000, 0.1) for _ in range(10))


def test_taking_moves_back_is_no_gloom():
    game, gloom = long_game(50), Gloom()
    for _ in range(6):
        assert not gloom.gives_up(game, 0.01, 1000, 0.1)
        game.undo(2)


def test_each_side_has_its_own_gloom():
    game, gloom = long_game(50), Gloom()
    free = iter(game.legal_moves())
    for turn in range(8):
        mine = turn % 2 == 0
        said = gloom.gives_up(game, 0.01 if mine else 0.99, 1000, 0.1)
        assert said == (mine and turn >= 4)
        game.play(next(free))


HOPELESS = "\n".join([". O . O . O . O .", "O O O O O O O O O"] * 4 + ["X . X . X . . . ."])


def test_a_hopeless_game_is_given_up_and_a_good_one_is_not():
    for to_play, gives_up in (("black", True), ("white", False)):
        game = Game.from_diagram(HOPELESS, to_play, 7.5)
        for _ in range(11):
            game.play("pass")
            game.play("pass")
        player, said = montego.player("house", simulations=200, seed=1, resign_below=0.1), []
        for _ in range(4):
            position = game.with_turn(game.to_play)
            said.append(player.choose(position).vertex == "resign")
            game.play("pass")
            game.play("pass")
        assert said[:2] == [False, False] and said[-1] == gives_up, to_play


def test_nobody_resigns_unasked():
    game = Game.from_diagram(HOPELESS, "black", 7.5)
    player = montego.player("house", simulations=150, seed=1)
    for _ in range(6):
        assert player.choose(game).vertex != "resign"
        game.play("pass")
        game.play("pass")
        game = game.with_turn("black")


def test_a_soft_move_is_no_reason_to_resign():
    """A player ahead who now and then picks a bad move does not take that for a lost game."""
    player = montego.player("house", simulations=200, seed=1, resign_below=0.3, softness=1.0)
    game = Game.from_diagram("\n".join(["X . X . X"] * 2 + [". X . X ."] + ["O . . O ."] * 2), "black", -8)
    for _ in range(4):
        for _ in range(5):
            game.play("pass")
            game.play("pass")
        position = game.with_turn("black")
        if player.analyse(position, simulations=300).value > 0.6:
            assert player.choose(position).vertex != "resign"


def test_a_new_game_forgets_its_gloom():
    player = montego.player("house", simulations=SURE_AFTER, seed=1, resign_below=0.5)
    player._gloom.gives_up(long_game(30), 0.0, 1000, 0.5)
    player.new_game()
    assert player._gloom._gloomy == {}


# --- conduct ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        {"softness": -0.1},
        {"softness": 1.1},
        {"softness": float("nan")},
        {"softness": "0.1"},
        {"softness": True},
        {"resign_below": 0.6},
        {"resign_below": -1},
        {"friendly": 1},
        {"friendly": "yes"},
    ],
    ids=str,
)
def test_bad_manners_are_refused(bad):
    with pytest.raises(ConfigError, match="accepted"):
        Conduct(**bad)


def test_conduct_is_said_in_a_spec_or_beside_it():
    spoken = montego.player("house:softness=0.1,resign_below=0.2,friendly=true").conduct
    assert spoken == montego.player("house", softness=0.1, resign_below=0.2, friendly=True).conduct
    assert spoken == Conduct(0.1, 0.2, True) == replace(Conduct(), softness=0.1, resign_below=0.2, friendly=True)
    with pytest.raises(ConfigError, match="friendly is 'perhaps'; accepted: true or false"):
        montego.player("house:friendly=perhaps")


def test_a_choice_under_a_clock_has_its_second_opinion_too():
    """Few simulations in the first search: another one is asked before a pass."""
    game = Game.from_diagram(FIGHT, "white", 10)
    for seed in range(3):
        assert friend(seed).choose(game, Budget(30)).vertex != "pass"
