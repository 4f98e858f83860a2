"""What Game does and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import montego
from agreement import snapshot, undos_left
from montego import Game
from montego.go.errors import (
    ColourError,
    DiagramError,
    HandicapError,
    IllegalMove,
    KomiError,
    MontegoError,
    RulesError,
    SetupError,
    SizeError,
    UndoError,
    VertexError,
)
from montego.go.game import Move
from montego.go.geometry import geometry
from montego.go.rules import RULES, Rules

BLACK, WHITE = 1, 2
SUPERKO_RULES = ["chinese-ogs", "chinese-kgs", "aga", "tromp-taylor", "new-zealand", "cgos"]
TOO_LONG_TO_PRINT = 10**5000
"""Python refuses to write integers of more than 4,300 digits."""

# Black takes at C3, White takes back at B3.
KO = """
    . . . . .
    . X O . .
    X O . O .
    . X O . .
    . . . . .
"""

# Three kos: Black takes C8, White B5, Black C2, then each is taken back in turn: B8, C5, and B2 repeats.
TRIPLE_KO = """
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
"""

# Black A1 sends two stones, White C1 takes them, Black B1 takes one back: the same stones, but White to move.
SEND_TWO_RETURN_ONE = """
    . . . . .
    . . . . .
    . . . . .
    O O X . .
    . X . X .
"""

# Black's on the left, White's on the right; the stone at B4 is dead.
DIVIDED = """
    . . X O .
    . O X O .
    . . X O .
    . . X X O
    . . . X O
"""


def play(game: Game, moves: str) -> Game:
    for vertex in moves.split():
        game.play(vertex)
    return game


def refusal(kind: type[MontegoError], change: Callable[[], object]) -> str:
    """The message of a refusal: of this type, short and on one line."""
    with pytest.raises(kind) as caught:
        change()
    message = str(caught.value)
    assert message.isprintable()
    assert 10 < len(message) < 300
    return message


def refused(game: Game, kind: type[MontegoError], change: Callable[[Game], object]) -> str:
    """The message of a refusal that leaves the game exactly as it was."""
    before = snapshot(game)
    message = refusal(kind, lambda: change(game))
    assert snapshot(game) == before
    return message


def illegal(game: Game, vertex: str, why: str, colour: str | None = None) -> str:
    """The message of an illegal move, on which all ways to ask agree."""
    assert game.why_illegal(vertex, colour) == why
    assert not game.is_legal(vertex, colour)
    assert vertex not in game.legal_moves(colour)
    message = refused(game, IllegalMove, lambda game: game.play(vertex, colour))
    with pytest.raises(IllegalMove) as caught:
        game.play(vertex, colour)
    assert caught.value.why == why
    return message


def crowded_game() -> Game:
    """A game with some of everything: a setup, a capture, a pass."""
    return play(Game.from_diagram(KO, komi=6.5, rules="japanese"), "C3 pass E5")


# --- the start ------------------------------------------------------------------------------------------------


def test_a_new_game() -> None:
    game = Game()
    assert (game.size, game.komi, game.rules.name) == (9, 7.5, "chinese")
    assert (game.to_play, game.handicap, game.moves, game.ko, game.hash) == (BLACK, 0, [], None, 0)
    assert not game.stones.any()
    assert game.history.tolist() == [0]
    assert not game.is_over
    assert game.result() == "?"
    assert len(game.legal_moves()) == 81
    assert repr(game) == "<Game 9x9, chinese, komi 7.5, 0 moves, black to play>"


def test_the_package_gives_the_game_by_name() -> None:
    assert montego.Game is Game
    assert montego.MontegoError is MontegoError
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = montego.no_such_name


@pytest.mark.parametrize("size", range(2, 20))
def test_every_size(size: int) -> None:
    game = Game(size)
    game.play("A1")
    assert game.stones.shape == (size, size)
    assert game.stones[size - 1, 0] == game.at("a1") == BLACK
    assert len(game.legal_moves()) == size * size - 1


def test_integers_of_numpy_are_integers() -> None:
    game = Game(np.int64(5))
    game.play(np.int32(geometry(5).parse("C3")), np.uint8(WHITE))
    assert game.at("C3") == WHITE


def test_every_refusal_is_a_montego_error() -> None:
    kinds = [ColourError, DiagramError, HandicapError, IllegalMove, KomiError]
    kinds += [RulesError, SetupError, SizeError, UndoError, VertexError]
    assert all(issubclass(kind, MontegoError) for kind in kinds)
    assert issubclass(MontegoError, ValueError)


@pytest.mark.parametrize(
    "size",
    [1, 20, 0, -3, 9.5, 9.0, "9", "", True, False, None, 10**30, -(10**30), 10**1000, math.nan, [9], b"9", "9" * 5000],
    ids=lambda size: ascii(size)[:12],
)
def test_bad_sizes(size: Any) -> None:
    assert "accepted: 2 to 19" in refusal(SizeError, lambda: Game(size))


LONG_INTEGERS: dict[str, tuple[type[MontegoError], Callable[[Game], object]]] = {
    "size": (SizeError, lambda game: Game(TOO_LONG_TO_PRINT)),
    "move": (VertexError, lambda game: game.play(TOO_LONG_TO_PRINT)),
    "point": (VertexError, lambda game: game.at(-TOO_LONG_TO_PRINT)),
    "colour": (ColourError, lambda game: game.play("A1", TOO_LONG_TO_PRINT)),
    "komi": (KomiError, lambda game: setattr(game, "komi", TOO_LONG_TO_PRINT)),
    "rules": (RulesError, lambda game: setattr(game, "rules", TOO_LONG_TO_PRINT)),
    "undo": (UndoError, lambda game: game.undo(TOO_LONG_TO_PRINT)),
    "printable undo": (UndoError, lambda game: game.undo(10**1000)),
    "fixed handicap": (HandicapError, lambda game: game.place_fixed_handicap(TOO_LONG_TO_PRINT)),
    "free handicap": (HandicapError, lambda game: game.place_free_handicap(-TOO_LONG_TO_PRINT)),
    "dead": (VertexError, lambda game: game.score(dead=[TOO_LONG_TO_PRINT])),
}


@pytest.mark.parametrize("argument", LONG_INTEGERS)
def test_long_integers(argument: str) -> None:
    refused(crowded_game(), *LONG_INTEGERS[argument])


# --- vertices, colours, komi, rules ---------------------------------------------------------------------------

BAD_TEXTS = ["", " ", "I5", "i5", "Z3", "A0", "A00", "A20", "A10", "K1", "J10", "A-1", "A+1", "A 1", "AA", "A", "5"]
BAD_TEXTS += ["1A", "A1B", "A1.0", "A001", "pas", "passs", "A1 pass", "resign", "A\0", "A1\0", "A1,B2", "aa"]
NOT_ASCII = ["ＡＡ", "Ａ1", "A１", "A²", "A①", "ñ1", "💥", "\ud800", "paß", "paſs", "ＰＡＳＳ"]
VERY_LONG = ["A" * 100_000, "A" + "1" * 100_000, "A1" + " " * 100_000 + "x"]
OUT_OF_RANGE = [-1, 1, 10, 20, 100, 111, 10**30, -(10**30)]
NO_VERTICES = [None, 3.5, 11.0, math.nan, math.inf, True, False, b"A1", [], ["A1"], ("A", 1), {"A1": 1}, 1j]


@pytest.mark.parametrize(
    "vertex", BAD_TEXTS + NOT_ASCII + VERY_LONG + OUT_OF_RANGE + NO_VERTICES, ids=lambda vertex: ascii(vertex)[:12]
)
def test_bad_vertices(vertex: Any) -> None:
    game = play(Game(9), "E5 pass")
    for ask in (Game.play, Game.at, Game.liberties, Game.why_illegal, Game.is_legal, Game.chain):
        assert "accepted: A1 to J9" in refused(game, VertexError, lambda game, ask=ask: ask(game, vertex))
    for dead in ([vertex], ["E5", vertex]):
        refused(game, VertexError, lambda game, dead=dead: game.score(dead))
        refused(game, VertexError, lambda game, dead=dead: game.setup(black=dead))
        refused(Game(9), VertexError, lambda game, dead=dead: game.set_free_handicap(dead))


@pytest.mark.parametrize("vertex", ["U1", "A20", "T20", "I19", "ſ3", "ſ19", 0.0, 20, 40, 420])
def test_bad_vertices_of_19x19(vertex: Any) -> None:
    assert "accepted: A1 to T19 (no I), or pass" in refused(Game(19), VertexError, lambda game: game.play(vertex))


@pytest.mark.parametrize("vertex", ["A1", "a1", " a1 ", "A01", "\ta1\n", 91])
def test_ways_to_name_a_point(vertex: str | int) -> None:
    game = Game(9)
    game.play(vertex)
    assert game.moves == [Move(BLACK, "A1")]


@pytest.mark.parametrize("vertex", ["pass", "PASS", " Pass ", 0])
def test_ways_to_pass(vertex: str | int) -> None:
    game = Game(9)
    game.play(vertex)
    assert game.moves == [Move(BLACK, "pass")]


@pytest.mark.parametrize("ask", [Game.at, Game.liberties, Game.chain])
def test_pass_is_no_point(ask: Callable[[Game, str], object]) -> None:
    assert "accepted" in refused(Game(9), VertexError, lambda game: ask(game, "pass"))


@pytest.mark.parametrize(("colour", "expected"), [("b", 1), ("W", 2), ("Black", 1), (" white ", 2), (1, 1), (2, 2)])
def test_colours(colour: str | int, expected: int) -> None:
    game = Game(9)
    game.play("E5", colour)
    assert game.at("E5") == expected
    assert game.to_play == 3 - expected


@pytest.mark.parametrize(
    "colour", ["", "x", "blac", "bw", "1", "blac\u212a", 0, 3, -1, True, False, 1.0, math.nan, b"b", [], {}, 10**30]
)
def test_bad_colours(colour: Any) -> None:
    game = crowded_game()
    for ask in (game.captured, game.legal_moves, game.resign):
        assert "accepted: b, w, black, white" in refused(game, ColourError, lambda game, ask=ask: ask(colour))
    for ask in (game.play, game.why_illegal, game.is_legal):
        refused(game, ColourError, lambda game, ask=ask: ask("A1", colour))
    refused(game, ColourError, lambda game: game.setup(black=["A1"], to_play=colour))
    refusal(ColourError, lambda: Game.from_diagram(KO, to_play=colour))


@pytest.mark.parametrize("komi", [0, 7.5, -3.5, 400, -400, np.float32(6.5)])
def test_komi(komi: float) -> None:
    game = Game(9, komi)
    assert game.komi == komi
    game.komi = 0.5
    assert game.score().white == 0.5


BAD_KOMI = [math.nan, math.inf, -math.inf, "nan", "-inf", 400.5, -401, 1e300, 10**400, -(10**400)]
BAD_KOMI += ["seven", "", "7.5.", "1e999", None, [], [7.5], {}, 1j, b"", b"x", "7" * 5000]


@pytest.mark.parametrize("komi", BAD_KOMI, ids=lambda komi: ascii(komi)[:12])
def test_bad_komi(komi: Any) -> None:
    message = refused(crowded_game(), KomiError, lambda game: setattr(game, "komi", komi))
    assert "accepted: a number from -400 to 400" in message
    refusal(KomiError, lambda: Game(9, komi))
    refusal(KomiError, lambda: Game.from_diagram(KO, komi=komi))


def test_rules_by_name_and_by_record() -> None:
    assert Game(9, rules="Tromp-Taylor").rules is RULES["tromp-taylor"]
    assert Game(9, rules=" AGA ").rules is RULES["aga"]
    variant = replace(RULES["chinese"], name="house", suicide=True)
    assert Game(9, rules=variant).rules == variant


@pytest.mark.parametrize(
    "rules", ["", "chess", "chinese ogs", "日本", "x" * 10_000, None, 3, math.nan, True, b"aga", [], {}]
)
def test_bad_rules(rules: Any) -> None:
    message = refused(crowded_game(), RulesError, lambda game: setattr(game, "rules", rules))
    assert f"accepted: {', '.join(RULES)}" in message
    refusal(RulesError, lambda: Game(9, rules=rules))


@pytest.mark.parametrize("field", ["scoring", "ko", "white_handicap_bonus"])
def test_bad_rule_records(field: str) -> None:
    assert "accepted: " in refusal(RulesError, lambda: replace(RULES["aga"], **{field: "NONE"}))


def test_rules_may_change_during_a_game() -> None:
    game = Game.from_diagram("XX.\nX..\n...", rules="tromp-taylor")
    game.play("B2", "white")
    game.rules = "japanese"
    assert game.score().black == 0
    game.rules = "aga"
    assert game.score().black == 3


# --- moves ----------------------------------------------------------------------------------------------------


def test_turns_alternate_but_either_side_may_play() -> None:
    game = play(Game(9), "A1 B1")
    game.play("C1", "white")
    game.play("D1", "b")
    game.play("E1", "b")
    assert [move.colour for move in game.moves] == [BLACK, WHITE, WHITE, BLACK, BLACK]
    assert game.to_play == WHITE


def test_a_capture() -> None:
    game = play(Game(9), "A2 A1 B1")
    assert game.at("A1") == 0
    assert (game.captured("white"), game.captured("black")) == (1, 0)
    assert game.ko is None
    assert game.chain("A1") == []
    assert game.liberties("A1") == 0


def test_chains_and_liberties() -> None:
    game = play(Game(9), "E5 pass E6 pass F6")
    assert game.chain("e5") == ["E6", "F6", "E5"]
    assert game.liberties("F6") == 7


def test_occupied() -> None:
    game = play(Game(9), "E5")
    message = illegal(game, "E5", "occupied")
    assert "white E5" in message
    assert "accepted: an empty point" in message
    illegal(game, "E5", "occupied", "black")


@pytest.mark.parametrize("rules", RULES)
def test_ko(rules: str) -> None:
    game = play(Game.from_diagram(KO, rules=rules), "C3")
    assert game.ko == "B3"
    assert "white B3" in illegal(game, "B3", "ko")
    assert game.is_legal("B3", "black")
    play(game, "E5 E1")
    assert game.ko is None
    game.play("B3")
    assert game.ko == "C3"
    illegal(game, "C3", "ko", "black")


def test_a_pass_lifts_the_ko() -> None:
    game = play(Game.from_diagram(KO), "C3 pass")
    assert game.ko is None
    assert game.is_legal("B3", "white")


def test_no_ko_when_two_stones_were_taken() -> None:
    game = play(Game.from_diagram(SEND_TWO_RETURN_ONE), "A1 C1")
    assert game.captured("black") == 2
    assert game.ko is None
    assert game.is_legal("B1")


@pytest.mark.parametrize("rules", RULES)
def test_suicide(rules: str) -> None:
    """White would lose three stones in the corner."""
    game = Game.from_diagram("OOX..\n.X...\nX....\n.....\n.....", "white", rules=rules)
    if game.rules.suicide:
        game.play("A4")
        assert game.captured("white") == 3
        assert not game.stones[0, :2].any()
    else:
        message = illegal(game, "A4", "suicide")
        assert f"{rules} rules do not allow suicide" in message


def test_a_lone_stones_suicide_repeats_the_position() -> None:
    corner = ".X.\nX..\n..."
    illegal(Game.from_diagram(corner, "white", rules="tromp-taylor"), "A3", "superko")
    game = Game.from_diagram(corner, "white", rules="new-zealand")
    game.play("A3")
    assert game.captured("white") == 1
    game = Game.from_diagram(corner, "black", rules="new-zealand")
    illegal(game, "A3", "superko", "white")


@pytest.mark.parametrize("rules", ["tromp-taylor", "new-zealand"])
def test_a_suicide_may_empty_the_board(rules: str) -> None:
    game = Game.from_diagram("XX\nX.", rules=rules)
    assert game.why_illegal("B1") is None
    assert game.legal_moves() == ["B1"]
    game.play("B1")
    assert not game.stones.any()
    assert game.captured("black") == 4


def test_a_capture_may_leave_nothing_of_the_other_side() -> None:
    game = play(Game.from_diagram("XX\nX.", "white"), "B1")
    assert game.stones.tolist() == [[0, 0], [0, 2]]
    assert game.captured("black") == 3


@pytest.mark.parametrize("rules", SUPERKO_RULES)
def test_superko_stops_a_triple_ko(rules: str) -> None:
    game = play(Game.from_diagram(TRIPLE_KO, rules=rules), "C8 B5 C2 B8 C5")
    message = illegal(game, "B2", "superko")
    assert f"superko of the {rules} rules" in message
    play(game, "pass pass")
    assert not game.is_legal("B2")


def test_a_triple_ko_goes_on_under_simple_ko() -> None:
    game = Game.from_diagram(TRIPLE_KO, rules="chinese")
    before = game.hash
    for _ in range(10):
        play(game, "C8 B5 C2 B8 C5 B2")
        assert game.hash == before
    assert not game.is_over


def test_positional_superko_looks_at_the_stones_alone() -> None:
    game = play(Game.from_diagram(SEND_TWO_RETURN_ONE, rules="chinese-ogs"), "A1 C1")
    illegal(game, "B1", "superko")


def test_situational_superko_looks_at_the_player_to_move_too() -> None:
    game = play(Game.from_diagram(SEND_TWO_RETURN_ONE, rules="aga"), "A1 C1 B1")
    illegal(game, "A1", "superko", "black")


def test_a_pass_makes_a_situation() -> None:
    """White passes first: then the stones have stood with White to move and with Black."""
    game = Game.from_diagram(SEND_TWO_RETURN_ONE, "white", rules="aga")
    play(game, "pass A1 C1")
    illegal(game, "B1", "superko")


def test_a_setup_starts_the_history_anew() -> None:
    game = play(Game.from_diagram(TRIPLE_KO, rules="aga"), "C8 B5 C2 B8 C5")
    game.setup()
    assert game.history.tolist() == [game.hash]
    assert game.is_legal("B2", "white")
    game.undo()
    illegal(game, "B2", "superko")


def test_the_most_moves() -> None:
    game = Game(2)
    for _ in range(game.max_moves):
        game.play("pass")
    message = refused(game, IllegalMove, lambda game: game.play("pass"))
    assert f"{game.max_moves} moves" in message
    game.undo()
    game.play("pass")


# --- taking back ----------------------------------------------------------------------------------------------


def test_undo_brings_back_everything() -> None:
    game = Game.from_diagram(KO)
    seen = [snapshot(game)]
    for vertex in ["C3", "E5", "E1", "B3", "pass", "pass"]:
        game.play(vertex)
        seen.append(snapshot(game))
    while len(seen) > 1:
        seen.pop()
        game.undo()
        assert snapshot(game) == seen[-1]


def test_undo_of_several_changes() -> None:
    game = Game(9)
    game.place_fixed_handicap(2)
    play(game, "E5 E6")
    game.undo(2)
    assert game.moves == []
    assert game.handicap == 2
    game.undo()
    assert (game.handicap, game.to_play) == (0, BLACK)


def test_undo_beyond_the_start() -> None:
    assert "there are 0" in refused(Game(9), UndoError, lambda game: game.undo())
    assert "there are 2" in refused(play(Game(9), "A1 B1"), UndoError, lambda game: game.undo(3))


@pytest.mark.parametrize("count", [0, -1, 1.5, 1.0, math.nan, "1", None, True, [], 10**30, -(10**30)])
def test_bad_undo_counts(count: Any) -> None:
    refused(crowded_game(), UndoError, lambda game: game.undo(count))


# --- the end --------------------------------------------------------------------------------------------------


def test_two_passes_end_the_game_and_it_may_be_resumed() -> None:
    game = play(Game(5, komi=0.5), "C3 pass")
    assert not game.is_over
    play(game, "pass")
    assert game.is_over
    assert game.result() == "B+24.5"
    play(game, "D4")
    assert not game.is_over
    assert game.result() == "?"
    play(game, "pass pass pass")
    assert game.is_over


def test_resignation() -> None:
    game = play(Game(9), "E5")
    game.resign()
    assert game.is_over
    assert game.result() == "B+R"
    assert game.legal_moves() == []
    assert "undo to play on" in illegal(game, "A1", "over")
    illegal(game, "pass", "over")
    assert "has ended" in refused(game, IllegalMove, lambda game: game.resign())
    game.undo()
    assert (game.result(), len(game.moves)) == ("?", 1)
    game.resign("black")
    assert game.result() == "W+R"
    game.undo(2)
    assert game.moves == []
    game.resign()
    assert "there are 1" in refused(game, UndoError, lambda game: game.undo(2))


def test_a_long_cycle_is_void_under_japanese_rules() -> None:
    game = play(Game.from_diagram(TRIPLE_KO, rules="japanese"), "C8 B5 C2 B8 C5")
    assert game.result() == "?"
    play(game, "B2")
    assert game.is_over
    assert game.result() == "Void"
    illegal(game, "A9", "over")
    refused(game, IllegalMove, lambda game: game.resign())
    game.undo()
    assert game.result() == "?"
    assert game.is_legal("B2")


def test_a_cycle_with_passes_in_it_is_not_void() -> None:
    game = Game.from_diagram(TRIPLE_KO, rules="japanese")
    before = game.hash
    play(game, "C8 B5 pass pass C2 B8 C5 B2")
    assert game.hash == before
    assert game.result() == "?"


def test_a_cycle_with_the_other_player_to_move_is_not_void() -> None:
    game = Game.from_diagram(SEND_TWO_RETURN_ONE, rules="japanese")
    before = game.hash
    play(game, "A1 C1 B1")
    assert game.hash == before
    assert game.result() == "?"


# --- counting -------------------------------------------------------------------------------------------------


def points(game: Game, **named: list[str]) -> tuple[float, float]:
    score = game.score(**named)
    return score.black, score.white


def test_area() -> None:
    game = Game.from_diagram(DIVIDED, komi=0.5)
    assert points(game) == (6, 9.5)
    assert points(game, dead=["B4"]) == (17, 8.5)


def test_territory() -> None:
    game = Game.from_diagram(DIVIDED, komi=0.5, rules="japanese")
    assert points(game) == (0, 3.5)
    assert points(game, dead=["B4"]) == (12, 3.5)
    assert points(game, dead=["B4", "b4"]) == (12, 3.5)


def test_a_dead_stone_means_its_chain() -> None:
    game = Game.from_diagram(DIVIDED, komi=0, rules="japanese")
    # Without Black's six stones White's six surround the rest of the board.
    assert points(game, dead=["D1"]) == (0, 19 + 6)


def test_prisoners_count_as_territory() -> None:
    game = play(Game.from_diagram(DIVIDED, komi=0, rules="japanese"), "B5 pass A4 pass B3")
    assert game.captured("white") == 1
    assert points(game) == (8 + 1, 3)
    game.rules = "chinese"
    assert points(game) == (17, 8)


def test_points_beside_a_seki_do_not_count() -> None:
    game = Game.from_diagram("\n".join([".X.O."] * 5), komi=0, rules="japanese")
    assert points(game) == (5, 5)
    assert points(game, seki=["B3"]) == (0, 5)
    assert points(game, seki=["B1", "D1"]) == (0, 0)
    game.rules = "chinese"
    assert points(game, seki=["B1", "D1"]) == (10, 10)


def test_seki_and_dead_stones_together() -> None:
    game = Game.from_diagram(DIVIDED, komi=0, rules="japanese")
    assert points(game, dead=["B4"], seki=["E1"]) == (12, 0)
    assert points(game, dead=["B4"], seki=["C5"]) == (1, 3)


@pytest.mark.parametrize("vertex", ["A1", "pass"])
def test_only_stones_are_dead_or_in_seki(vertex: str) -> None:
    for name in ("dead", "seki"):
        message = refused(Game(9), VertexError, lambda game, name=name: game.score(**{name: [vertex]}))
        assert "accepted: a vertex with a stone" in message or vertex == "pass"


def test_all_stones_are_alive_under_cgos_rules() -> None:
    game = Game.from_diagram(DIVIDED, komi=7, rules="cgos")
    play(game, "pass pass")
    assert points(game) == (6, 16)
    assert game.result() == "W+10"
    assert "cgos" in refused(game, RulesError, lambda game: game.score(dead=["B4"]))
    refused(game, RulesError, lambda game: game.result(dead=["B4"]))


def test_results_as_text() -> None:
    game = play(Game.from_diagram(DIVIDED, komi=9), "pass pass")
    assert game.result(dead=["B4"]) == "0"
    assert str(game.score()) == "W+12"
    game.komi = -0.25
    assert game.result(["B4"]) == "B+9.25"
    assert game.score(["B4"]).lead == 9.25


@pytest.mark.parametrize("junk", [5, None, 1.5, True], ids=ascii)
def test_lists_of_vertices_that_are_no_lists(junk: Any) -> None:
    game = play(crowded_game(), "pass pass")
    for change in (game.score, game.result, game.setup, game.set_free_handicap):
        refused(game, MontegoError, lambda game, change=change: change(junk))
    refused(Game(9), MontegoError, lambda game: game.set_free_handicap(junk))


# --- handicap -------------------------------------------------------------------------------------------------

# The table of the Go Text Protocol, version 2, section 4.1.1.
FIXED_HANDICAP = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}
# The same points on other boards.
ON_9X9 = {"D4": "C3", "Q16": "G7", "D16": "C7", "Q4": "G3", "K10": "E5"}
ON_9X9 |= {"D10": "C5", "Q10": "G5", "K4": "E3", "K16": "E7"}
ON_13X13 = {"D4": "D4", "Q16": "K10", "D16": "D10", "Q4": "K4", "K10": "G7"}
ON_13X13 |= {"D10": "D7", "Q10": "K7", "K4": "G4", "K16": "G10"}


@pytest.mark.parametrize("count", FIXED_HANDICAP)
def test_fixed_handicap(count: int) -> None:
    on_19x19 = FIXED_HANDICAP[count].split()
    assert Game(19).place_fixed_handicap(count) == on_19x19
    assert Game(9).place_fixed_handicap(count) == [ON_9X9[vertex] for vertex in on_19x19]
    assert Game(13).place_fixed_handicap(count) == [ON_13X13[vertex] for vertex in on_19x19]


def test_fixed_handicap_without_a_centre() -> None:
    assert Game(7).place_fixed_handicap(4) == ["C3", "E5", "C5", "E3"]
    assert Game(8).place_fixed_handicap(4) == ["C3", "F6", "C6", "F3"]
    assert Game(18).place_fixed_handicap(4) == ["D4", "P15", "D15", "P4"]


def test_white_begins_after_a_handicap() -> None:
    game = Game(9)
    vertices = game.place_fixed_handicap(3)
    assert (game.handicap, game.to_play, game.moves) == (3, WHITE, [])
    assert all(game.at(vertex) == BLACK for vertex in vertices)
    assert int(game.stones.sum()) == 3
    assert undos_left(game) == 1


@pytest.mark.parametrize("count", [1, 0, -1, 10, 400, 2.5, 2.0, "2", "", None, True, math.nan, [], 10**30])
def test_bad_fixed_handicaps(count: Any) -> None:
    assert "accepted: 2 to 9" in refused(Game(19), HandicapError, lambda game: game.place_fixed_handicap(count))


@pytest.mark.parametrize(("size", "count"), [(7, 5), (8, 5), (18, 5), (7, 9)])
def test_fixed_handicaps_too_large_for_the_board(size: int, count: int) -> None:
    assert "accepted: 2 to 4" in refused(Game(size), HandicapError, lambda game: game.place_fixed_handicap(count))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_no_fixed_handicap_on_small_boards(size: int) -> None:
    assert "below 7x7" in refused(Game(size), HandicapError, lambda game: game.place_fixed_handicap(2))


@pytest.mark.parametrize(("size", "count"), [(2, 2), (2, 3), (5, 7), (7, 5), (9, 13), (9, 80), (19, 4), (19, 25)])
def test_free_handicap(size: int, count: int) -> None:
    game = Game(size)
    vertices = game.place_free_handicap(count)
    assert len(set(vertices)) == count == game.handicap == int(game.stones.sum())
    assert game.to_play == WHITE


def test_a_small_free_handicap_stands_on_the_star_points() -> None:
    assert Game(19).place_free_handicap(5) == FIXED_HANDICAP[5].split()


@pytest.mark.parametrize("count", [1, 0, -1, 81, 400, 10**30, 2.5, "2", None, True, math.nan, []])
def test_bad_free_handicaps(count: Any) -> None:
    assert "accepted: 2 to 80" in refused(Game(9), HandicapError, lambda game: game.place_free_handicap(count))


def test_a_handicap_where_the_players_want_it() -> None:
    game = Game(9)
    assert game.set_free_handicap(["a1", "J9", "e5"]) == ["A1", "J9", "E5"]
    assert (game.handicap, game.to_play) == (3, WHITE)


def test_bad_handicaps_of_the_players() -> None:
    game = Game(9)
    every_vertex = game.legal_moves()
    assert "twice" in refused(game, HandicapError, lambda game: game.set_free_handicap(["A1", "B2", "a1"]))
    for vertices in ([], ["A1"], every_vertex):
        message = refused(game, HandicapError, lambda game, vertices=vertices: game.set_free_handicap(vertices))
        assert "accepted: 2 to 80" in message
    assert len(game.set_free_handicap(every_vertex[1:])) == 80


@pytest.mark.parametrize(
    "begin", [lambda game: game.play("E5"), lambda game: game.play("pass"), lambda game: game.setup(black=["E5"])]
)
def test_a_handicap_comes_before_the_first_move(begin: Callable[[Game], object]) -> None:
    game = Game(9)
    begin(game)
    for place in (
        lambda game: game.place_fixed_handicap(2),
        lambda game: game.place_free_handicap(2),
        lambda game: game.set_free_handicap(["A1", "B1"]),
    ):
        assert "accepted: an empty board" in refused(game, HandicapError, place)
    game.undo()
    game.place_fixed_handicap(2)
    assert "accepted: an empty board" in refused(game, HandicapError, lambda game: game.place_fixed_handicap(2))


@pytest.mark.parametrize(
    ("rules", "bonus"),
    [("chinese", 4), ("chinese-ogs", 4), ("aga", 3), ("japanese", 0), ("tromp-taylor", 0), ("cgos", 0)],
)
def test_the_bonus_for_a_handicap(rules: str, bonus: int) -> None:
    game = Game(19, komi=0.5, rules=rules)
    game.place_fixed_handicap(4)
    assert points(game) == (361 if game.rules.scoring == "AREA" else 357, 0.5 + bonus)
    game.undo()
    game.place_free_handicap(4)
    assert game.score().white == 0.5 + bonus
    game.undo()
    assert game.score().white == 0.5


# --- setting up -----------------------------------------------------------------------------------------------


def test_setup() -> None:
    game = play(Game(9), "A2 A1 B1")
    game.setup(black=["E5", "e6"], white=["G7"], empty=["A2"], to_play="black")
    assert (game.at("E5"), game.at("E6"), game.at("G7"), game.at("A2"), game.at("B1")) == (1, 1, 2, 0, 1)
    assert (game.to_play, game.captured("white"), game.moves) == (BLACK, 1, [])
    game.undo()
    assert game.at("A2") == BLACK
    assert len(game.moves) == 3


def test_setup_keeps_the_turn_and_the_handicap() -> None:
    game = Game(9)
    game.place_fixed_handicap(2)
    game.setup(white=["E5"])
    assert (game.to_play, game.handicap) == (WHITE, 2)


def test_setup_replaces_stones() -> None:
    game = play(Game(9), "E5")
    game.setup(white=["E5"])
    assert game.at("E5") == WHITE


def test_setup_lifts_the_ko() -> None:
    game = play(Game.from_diagram(KO), "C3")
    game.setup()
    assert game.ko is None
    assert game.is_legal("B3")


@pytest.mark.parametrize(
    "diagram",
    ["XX\nXX", "OO\nOO", "XO\nOX", "XX\nXO", "...\n..O\n.OX", "XO.\nO..\n...", "XXO\nOXO\nXX.", "XXX\nXXX\nXXX"],
    ids=lambda diagram: diagram.replace("\n", "/"),
)
def test_stones_without_a_liberty_cannot_be_set_up(diagram: str) -> None:
    message = refusal(SetupError, lambda: Game.from_diagram(diagram))
    assert "accepted: stones that can stand" in message
    rows = diagram.split()
    size = len(rows)
    black, white = (
        [f"{'ABC'[column]}{size - row}" for row in range(size) for column in range(size) if rows[row][column] == sign]
        for sign in "XO"
    )
    refused(play(Game(size), "A1"), SetupError, lambda game: game.setup(black, white, to_play="white"))


def test_setup_does_not_capture() -> None:
    refused(play(Game(9), "A1"), SetupError, lambda game: game.setup(white=["A2", "B1"]))


# --- diagrams, copies -----------------------------------------------------------------------------------------


def test_diagram() -> None:
    game = play(Game(3), "A1 B2")
    assert str(game) == game.diagram()
    assert game.diagram().splitlines() == ["   A B C", " 3 . . . 3", " 2 .(O). 2", " 1 X . . 1", "   A B C"]


def test_diagrams_are_read_as_they_are_written() -> None:
    game = Game.from_diagram(TRIPLE_KO)
    assert Game.from_diagram(game.diagram()).hash == game.hash
    play(game, "C8 B5")
    assert Game.from_diagram(game.diagram()).hash == game.hash


@pytest.mark.parametrize("text", ["#O.\n+,*\n...", " 3 X O . 3\n 2 . . . 2\n 1 . . . 1\n   A B C", "XO.\n\n...\n...\n"])
def test_ways_to_draw_a_diagram(text: str) -> None:
    assert Game.from_diagram(text).stones.tolist() == [[1, 2, 0], [0, 0, 0], [0, 0, 0]]


BAD_DIAGRAMS: list[Any] = [
    "",
    "\n",
    "X",
    "..\n.",
    "...\n...",
    "x.\n..",
    "0.\n..",
    "Ｘ.\n..",
    "..\n..\0",
    "\n".join(["." * 20] * 20),
]


@pytest.mark.parametrize(
    "text", [*BAD_DIAGRAMS, "." * 100_000, None, 5, b"..\n..", [".."]], ids=lambda t: ascii(t)[:12]
)
def test_bad_diagrams(text: Any) -> None:
    refusal(DiagramError, lambda: Game.from_diagram(text))


def test_a_copy_goes_its_own_way() -> None:
    game = crowded_game()
    before = snapshot(game)
    twin = game.copy()
    assert snapshot(twin) == before
    twin.undo(2)
    play(twin, "A1 A2")
    twin.komi, twin.rules = 0, "aga"
    twin.resign()
    assert snapshot(game) == before


def test_what_the_game_hands_out_is_the_callers() -> None:
    game = crowded_game()
    before = snapshot(game)
    game.stones[:] = 2
    game.board[0].colour[:] = 2
    game.history[:] = 1
    game.moves.clear()
    assert snapshot(game) == before


def test_rules_cannot_be_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        Game(9).rules.ko = "SIMPLE"  # type: ignore[misc]
    assert isinstance(Game(9).rules, Rules)
