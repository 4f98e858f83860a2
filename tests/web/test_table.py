"""A game at the table: turns, taking back, clocks, the count, and what is kept of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError
from montego.go.game import Game
from montego.players.timing import TimeSettings
from montego.web import table as tables
from montego.web.table import OVER, PLAY, SCORING, Table, illegal_points, table_of


def table(*moves: str, size: int = 5, white: str = "20k", **details: object) -> Table:
    made = Table("t", Game(size, 2.5), {BLACK: "person", WHITE: white}, **details)  # type: ignore[arg-type]
    for vertex in moves:
        made.play(vertex)
    return made


def again(old: Table) -> Table:
    """The table after a restart of the server."""
    return Table.from_dict(old.id, json.loads(json.dumps(old.to_dict())))


def test_whose_turn() -> None:
    made = table()
    assert made.mover == "person" and not made.wants_move
    made.play("C3")
    assert made.wants_move and made.turn == 1
    with pytest.raises(MontegoError, match="at turn 1, not 0"):
        made.check_turn(0)


def test_undo_goes_back_to_the_persons_turn() -> None:
    made = table("C3", "C2", "D3", "D2")
    made.undo()
    assert [move.vertex for move in made.game.moves] == ["C3", "C2"]
    made.play("E3")
    made.undo()  # before the answer: only the own move
    assert made.turn == 2
    made.undo(0)
    assert made.turn == 0
    with pytest.raises(MontegoError):
        made.undo()


def test_undo_of_a_resignation_and_of_passes() -> None:
    made = table("C3", "C2")
    made.resign(BLACK)
    assert made.phase == OVER and made.state()["result"] == "W+R"
    made.undo()
    assert made.phase == PLAY and made.turn == 2
    passed = table("C3", "pass", "pass")
    assert passed.phase == SCORING
    passed.undo()
    assert passed.phase == PLAY and passed.turn == 2


@pytest.mark.parametrize(("moves", "kept"), [(0, 0), (1, 0), (2, 2), (3, 2), (4, 4)])
def test_taking_back_a_resignation_takes_back_no_more_than_needed(moves: int, kept: int) -> None:
    made = table(*["C3", "C2", "D3", "D2"][:moves])
    made.resign(BLACK)
    made.undo()
    assert made.phase == PLAY and made.turn == kept
    white = Table("t", Game(5), {BLACK: "20k", WHITE: "person"})
    white.play("C3")
    white.resign(WHITE)
    white.undo()
    assert white.phase == PLAY and white.turn == 1


def test_the_count_is_corrected_and_accepted() -> None:
    made = table("C1", "A1", "C2", "A2", "C3", "A3", "C4", "A4", "C5", "pass", "pass", white="person")
    assert made.phase == SCORING and made.state()["score"] is None
    made.set_count(["A1", "A2", "A3", "A4"])
    assert made.state()["score"]["text"] == "B+22.5" and made.state()["owner"] == [1] * 25
    made.toggle("A2")
    assert made.dead == set()
    made.toggle("A2")
    made.accept()
    assert made.phase == OVER and made.result == "B+22.5"
    with pytest.raises(MontegoError):
        made.play("B1")
    kept = again(made)
    assert kept.state() == made.state() and kept.result == "B+22.5"


def test_play_goes_on_after_two_passes() -> None:
    made = table("C3", "pass", "pass", white="person")
    made.set_count([])
    made.resume()
    assert made.phase == PLAY and made.turn == 1 and not made.counted


def test_two_engines_accept_their_own_count() -> None:
    made = Table("t", Game(5), {BLACK: "house", WHITE: "house"})
    made.play("pass")
    made.play("pass")
    made.set_count([])
    assert made.phase == OVER and made.result == "W+7.5"


def test_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(tables.time, "monotonic", lambda: now[0])
    made = table(time=TimeSettings(10, 5, periods=2))
    now[0] += 4
    assert made.time_left() == pytest.approx(16)
    made.play("C3")
    now[0] += 1
    made.play("C2")
    assert made.state()["clock"] == {"B": {"main": 6.0, "periods": 2, "period": 5}, "W": {"main": 9.0, "periods": 2,
                                     "period": 5}, "running": "B"}  # fmt: skip
    now[0] += 8
    assert made.state()["clock"]["B"] == {"main": 0.0, "periods": 2, "period": 3.0}
    made.play("D3")
    assert (made.clocks[BLACK].left, made.clocks[BLACK].count) == (5, 2)
    made.play("D2")
    kept = again(made)
    assert kept.state()["clock"]["B"]["periods"] == 2
    now[0] += 100
    assert made.flag() and made.result == "W+T" and made.phase == OVER
    made.undo()
    assert made.phase == PLAY and made.turn == 4 and made.time_left() == pytest.approx(10)


def test_the_clock_stands_while_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(tables.time, "monotonic", lambda: now[0])
    made = table(time=TimeSettings(10))
    now[0] += 4
    made.pause()
    kept = again(made)
    now[0] += 1000
    for each in (made, kept):
        each.go()
        assert each.time_left() == pytest.approx(6) and not each.flag()


def test_opinions_of_what_was_taken_back_are_forgotten() -> None:
    made = table("C3", "C2", "D3", "D2")
    for turn in range(5):
        made.note(turn, turn / 10, 1.0)
    assert made.state()["winrates"] == [0.0, 0.1, 0.2, 0.3, 0.4]
    made.undo()
    assert made.state()["winrates"] == [0.0, 0.1, 0.2]
    assert again(made).state() == made.state()


def test_files() -> None:
    loaded = table_of("x", "(;SZ[9]KM[6.5]RU[Japanese]HA[2]AB[cc][gg]PB[Ann]PW[Bob]RE[B+R];W[ee];B[dd])")
    state = loaded.state()
    assert state["stones"] == {"B": ["C7", "G3"], "W": []} and state["first"] == "W" and state["handicap"] == 2
    assert state["moves"] == [["W", "E5"], ["B", "D6"]] and state["result"] == "B+R" and state["black"]["name"] == "Ann"
    assert again(loaded).state() == state
    with pytest.raises(MontegoError):
        table_of("x", "no file")


@pytest.mark.parametrize(("text", "result"), [("?", ""), ("", ""), ("Draw", "0"), ("b+3.5", "B+3.5"), ("W+T", "W+T"),
                                              ("Void", "Void"), ("B+" + "x" * 50, "")])  # fmt: skip
def test_results_in_files(text: str, result: str) -> None:
    assert table_of("x", f"(;SZ[5]RE[{text}];B[cc])").state()["result"] == result


def test_games_that_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    setups = "".join(f";AB[{'abcdefghi'[i % 9]}{'abcdefghi'[i // 9]}]" for i in range(30))
    for sgf in ("(;SZ[19]" + ";B[];W[]" * 501 + ")", f"(;SZ[9]{setups})"):
        with pytest.raises(MontegoError, match="too long"):
            table_of("x", sgf)
    monkeypatch.setattr(tables, "MOST_MOVES", 3)
    made = table("C3", "C2", "D3")
    assert made.phase == OVER and made.result == "Void"


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 7), st.lists(st.integers(0, 60), max_size=60), st.sampled_from(["chinese", "tromp-taylor"]))
def test_illegal_points(size: int, draws: list[int], rules: str) -> None:
    game = Game(size, rules=rules)
    for draw in draws:
        legal = game.legal_moves()
        if legal and not game.is_over:
            game.play(legal[draw % len(legal)])
    stones = game.stones
    empty = {
        f"{'ABCDEFGHJ'[column]}{size - row}" for row in range(size) for column in range(size) if not stones[row, column]
    }
    assert set(illegal_points(game)) == empty - set(game.legal_moves())
