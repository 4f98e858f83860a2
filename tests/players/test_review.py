"""Reviews of games: the numbers from made-up searches, the rest from real ones on small boards."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, SgfError
from montego.go.game import Game, Move
from montego.go.record import GameRecord
from montego.go.sgf import read_sgf, write_sgf
from montego.players import player
from montego.players.annotation import ANNOTATIONS, BETTER, OWN, PREFIX, annotate
from montego.players.review import (
    LONGEST_LINE,
    MARKS,
    NOISE,
    Review,
    Searching,
    Turn,
    count_turns,
    mark_of,
    review_turns,
    steps,
)
from montego.search.report import MoveReport, Report

FEW = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
SIZE = 5


def report(
    game: Game, black: float, best: str = "pass", line: tuple[str, ...] = (), lead: float | None = 1.0
) -> Report:
    """What a search says that gives Black's win rate and lead as told."""
    mine = game.to_play == BLACK
    value, ahead = (black if mine else 1.0 - black), None if lead is None else lead if mine else -lead
    counts = (9, 9.0, value, value, 0.0, None, 0.0, value, None, ahead, 1.0)
    move = MoveReport(best, *counts, "random", line or (best,), (9,))
    return Report("black" if mine else "white", 10, 0.1, 0.5, 0.5, ahead, 1.0, (move,), None, 1, 1.0, 1, 0)


def oracle(rates: list[float], best: str = "pass") -> Searching:
    """Searches that give Black these win rates, one after another."""
    waiting = iter(rates)
    return lambda game: report(game, next(waiting), best)


def hashing(seen: list[Game] | None = None) -> Searching:
    """A search whose opinion depends on the position alone, with a line of legal moves."""

    def search(game: Game) -> Report:
        assert not game.is_over
        if seen is not None:
            seen.append(game)
        legal = [*game.legal_moves(), "pass"]
        key = game.hash ^ (game.to_play * 0x9E3779B97F4A7C15)
        line, board = [], game.copy()
        for k in range(3):
            if not board.is_over:
                moves = [*board.legal_moves(), "pass"]
                line.append(moves[(key >> (7 * k)) % len(moves)])
                board.play(line[-1])
        assert line[0] in legal
        return report(game, (key % 1000) / 999, line[0], tuple(line), (key % 77) - 38.0)

    return search


def reviewed(text: str | GameRecord, search: Searching, **conditions: Any) -> Review:
    record = read_sgf(text) if isinstance(text, str) else text
    return Review(tuple(review_turns(record, search, **conditions)))


# --- the numbers ------------------------------------------------------------------------------------------------

GAME = "(;SZ[5]KM[0.5];B[cc];W[cb];B[aa];W[])"


def test_losses_are_of_the_side_that_played() -> None:
    review = reviewed(GAME, oracle([0.6, 0.55, 0.8, 0.4, 0.41]))
    assert [turn.turn for turn in review.turns] == [0, 1, 2, 3, 4]
    assert [turn.colour for turn in review.turns] == ["black", "white", "black", "white", "black"]
    assert [turn.move for turn in review.turns] == ["C3", "C4", "A5", "pass", None]
    assert [turn.winrate for turn in review.turns] == pytest.approx([0.6, 0.55, 0.8, 0.4, 0.41])
    assert [turn.after for turn in review.turns[:4]] == pytest.approx([0.55, 0.8, 0.4, 0.41])
    assert [turn.loss for turn in review.turns] == pytest.approx([0.05, 0.25, 0.4, 0.0, 0.0])
    assert [turn.mark for turn in review.turns] == ["inaccuracy", "blunder", "blunder", None, None]
    assert [turn.turn for turn in review.worst] == [2, 1, 0]
    assert review.side("black") == {
        "moves": 2,
        "mean_loss": pytest.approx(0.225),
        "marks": {"blunder": 1, "mistake": 0, "inaccuracy": 1},
    }
    assert review.side("white")["marks"]["blunder"] == 1


def test_gains_noise_and_the_best_move_lose_nothing() -> None:
    assert [turn.loss for turn in reviewed(GAME, oracle([0.5, 0.49, 0.3, 0.9, 0.9])).turns] == [0.0, 0.0, 0.0, 0.0, 0.0]
    assert reviewed(GAME, oracle([0.5, 0.1, 0.1, 0.1, 0.1], best="C3")).turns[0].loss == 0.0


def test_marks_begin_at_their_thresholds() -> None:
    assert min(MARKS.values()) > NOISE
    assert [mark_of(loss) for loss in (0, 0.049, 0.05, 0.1, 0.2, 1)] == [
        None, None, "inaccuracy", "mistake", "blunder", "blunder"
    ]  # fmt: skip
    assert set(ANNOTATIONS) == set(MARKS)


def test_leads_are_blacks_and_may_be_unknown() -> None:
    record = read_sgf(GAME)
    assert [t.lead for t in review_turns(record, lambda game: report(game, 0.5, lead=3.5))] == [3.5] * 5
    assert [t.lead for t in review_turns(record, lambda game: report(game, 0.5, lead=None))] == [None] * 5


def test_turns_and_reviews_are_plain_data() -> None:
    review = reviewed(GAME, oracle([0.6, 0.55, 0.8, 0.4, 0.41]))
    made = json.loads(json.dumps(review.to_dict()))
    assert made["worst"] == [2, 1, 0] and set(made["sides"]) == {"black", "white"}
    assert set(made["turns"][0]) >= {"turn", "winrate", "lead", "best", "line", "loss", "mark"}
    assert [Turn.from_dict(turn).to_dict() for turn in made["turns"]] == [turn.to_dict() for turn in review.turns]


def test_lines_are_cut_where_they_are_illegal_or_too_long() -> None:
    record = read_sgf("(;SZ[5])")
    assert next(review_turns(record, lambda g: report(g, 0.5, "C3", ("C3", "C3", "D3")))).line == ("C3",)
    assert next(review_turns(record, lambda g: report(g, 0.5, "pass", ("pass", "pass", "D3")))).line == ("pass", "pass")
    long = tuple(f"{column}{row}" for row in range(1, 6) for column in "ABCDE")
    assert len(next(review_turns(record, lambda g: report(g, 0.5, "A1", long))).line) == LONGEST_LINE


def test_a_search_without_a_simulation_is_refused() -> None:
    with pytest.raises(MontegoError, match="turn 0 has found nothing"):
        list(review_turns(read_sgf(GAME), lambda game: replace(report(game, 0.5), simulations=0)))


# --- kinds of games ---------------------------------------------------------------------------------------------


def searched(text: str, **conditions: Any) -> tuple[list[Turn], list[Game]]:
    seen: list[Game] = []
    return list(review_turns(read_sgf(text), hashing(seen), **conditions)), seen


def test_a_position_is_searched_once() -> None:
    turns, seen = searched(GAME)
    assert len(turns) == len(seen) == 5


def test_a_record_without_moves_has_one_turn() -> None:
    turns, seen = searched("(;SZ[5]AB[cc]AW[dd]PL[W])")
    assert [(turn.colour, turn.move) for turn in turns] == [("white", None)] and len(seen) == 1


def test_a_setup_in_the_game_is_no_move() -> None:
    turns, seen = searched("(;SZ[5];B[cc];AW[cb][bc]AE[cc]PL[W];W[dc];B[dd])")
    assert [turn.move for turn in turns] == ["C3", "D3", "D2", None]
    assert len(seen) == 5, "before the setup and after it"
    assert turns[0].after != turns[1].winrate and turns[1].after == turns[2].winrate
    assert [len(game.moves) for game in seen] == [0, 1, 0, 1, 2]


def test_a_side_may_move_twice() -> None:
    turns, seen = searched("(;SZ[5];B[cc];B[cb];W[bb])")
    assert [(turn.colour, turn.move) for turn in turns[:3]] == [("black", "C3"), ("black", "C4"), ("white", "B4")]
    assert [game.to_play for game in seen] == [BLACK, WHITE, BLACK, WHITE, BLACK]


def test_a_move_in_the_root_or_beside_a_setup() -> None:
    turns, seen = searched("(;SZ[5]B[cc];W[cb];AB[aa]W[dd])")
    assert [turn.move for turn in turns] == ["C3", "C4", "D2", None]
    assert seen[3].at("A5") == BLACK and seen[3].at("D2") == 0


def test_handicap() -> None:
    turns, seen = searched("(;SZ[9]HA[2]AB[cg][gc]KM[0.5];W[ee];B[ec])")
    assert turns[0].colour == "white" and seen[0].handicap == 2 and seen[0].komi == 0.5


def test_passes_do_not_end_what_is_searched() -> None:
    turns, seen = searched("(;SZ[5]RU[Chinese];B[cc];W[];B[];W[dd];B[];W[])")
    assert len(turns) == 7 and all(game.passes == 0 for game in seen)
    assert [game.to_play for game in seen] == [BLACK, WHITE] * 3 + [BLACK]
    _, strict = searched("(;SZ[5]RU[CGOS];B[cc];W[];B[])")
    assert [game.passes for game in strict] == [0, 0, 1, 0], "there the next pass does end it"


def test_a_ko_may_be_taken_after_a_pass() -> None:
    _, seen = searched("(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb]PL[B];B[cb];W[];B[ee])")
    assert seen[2].is_legal("B4") and seen[2].ko is None


def test_a_game_without_result_ends_the_review() -> None:
    text = "(;SZ[2]RU[Japanese];B[aa];W[ba];B[ab];W[bb];B[aa];W[ab];B[aa])"
    assert read_sgf(text).to_game().result() == "Void"
    turns, _ = searched(text)
    assert len(turns) == 7 == count_turns(read_sgf(text))
    assert (turns[-1].move, turns[-1].after, turns[-1].loss) == ("A2", None, 0.0)
    done = annotate(read_sgf(text), Review(tuple(turns)))
    assert "SBKV" not in done.main_line()[-1].properties


def test_other_rules_and_komi_than_the_file_has() -> None:
    _, seen = searched("(;SZ[5]RU[Japanese]KM[6.5];B[cc])", rules="tromp-taylor", komi=2.5)
    assert {(game.rules.name, game.komi) for game in seen} == {("tromp-taylor", 2.5)}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;SZ[5];B[cc];W[cc])", "node 2 .*occupied"),
        ("(;SZ[5]AB[ab][ba];W[aa])", "suicide"),
        ("(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb]PL[B];B[cb];W[bb])", "ko"),
        ("(;SZ[5];B[cc];AB[aa]AW[ab][ba])", "no liberty"),
        ("(;SZ[2]" + ";B[];W[]" * 100 + ")", "the most accepted"),
    ],
)
def test_what_cannot_be_played_is_refused_before_any_search(text: str, reason: str) -> None:
    record = read_sgf(text)

    def search(game: Game) -> Report:
        raise AssertionError("nothing is to be searched")

    with pytest.raises(SgfError, match=reason):
        review_turns(record, search)
    with pytest.raises(SgfError, match=reason):
        count_turns(record)


# --- going on ---------------------------------------------------------------------------------------------------


def test_a_review_goes_on_where_it_was_stopped() -> None:
    record = read_sgf("(;SZ[5];B[cc];B[cb];W[bb];AE[cc]AB[dd]PL[B];B[];W[])")
    whole = list(review_turns(record, hashing()))
    for number in range(len(whole) + 1):
        assert whole[:number] + list(review_turns(record, hashing(), whole[:number])) == whole


def test_the_turns_done_must_be_of_this_game() -> None:
    done = list(review_turns(read_sgf(GAME), hashing()))
    other = read_sgf("(;SZ[5]KM[0.5];B[cc];W[dd])")
    for turns in (done, done[:2], done[1:2], done[:1] + done):
        with pytest.raises(MontegoError, match="accepted: a review of the same game"):
            review_turns(other, hashing(), turns)
    review_turns(other, hashing(), done[:1])
    for turns in (done, done[:2], done[1:2]):
        with pytest.raises(MontegoError, match="accepted: a review of the same game"):
            annotate(other, Review(tuple(turns)))


def test_stopping_leaves_what_was_finished() -> None:
    turns, searches = [], 0

    def search(game: Game) -> Report:
        nonlocal searches
        searches += 1
        if searches == 4:
            raise KeyboardInterrupt
        return report(game, 0.5)

    with pytest.raises(KeyboardInterrupt):
        for turn in review_turns(read_sgf(GAME), search):
            turns.append(turn)
    assert [turn.move for turn in turns] == ["C3", "C4"]


# --- written into the record ------------------------------------------------------------------------------------


def test_annotations() -> None:
    record = read_sgf("(;SZ[5]KM[0.5]C[a game];B[cc]C[well\nplayed]TR[aa];W[cb](;B[aa];W[])(;B[dd]C[or here];W[dc]))")
    before = write_sgf(record)

    def search(game: Game) -> Report:
        rates = [0.6, 0.54, 0.8, 0.6, 0.61]
        return report(game, rates[len(game.moves)], "B2", ("B2", "D3", "B3"))

    done = annotate(record, reviewed(record, search))
    assert write_sgf(record) == before
    line = done.main_line()
    assert [node.move for node in line[1:]] == [node.move for node in record.main_line()[1:]]
    assert [node.properties["SBKV"] for node in line] == [["60.00"], ["54.00"], ["80.00"], ["60.00"], ["60.00"]]
    assert [node.properties.get("V") for node in line[:4]] == [["1.0"]] * 4
    assert line[0].comment == f"a game\n{PREFIX}Black wins 60.0 %, B+1.0; next B2 (B2 D3 B3)"
    assert line[1].comment.startswith(
        f"well\nplayed\n{PREFIX}inaccuracy lost 6.0 % of win rate; better B2 (B2 D3 B3)\n"
    )
    assert line[1].properties["DO"] == [""] and line[1].properties["TR"] == ["aa"]
    assert line[2].properties["BM"] == ["2"] and line[3].properties["BM"] == ["2"]
    assert not {"BM", "DO"} & set(line[4].properties)
    third = done.children(line[2])
    assert [child.move for child in third] == [Move(BLACK, "A5"), Move(BLACK, "D2"), Move(BLACK, "B2")]
    assert third[1].comment == "or here" and done.children(third[1])[0].move == Move(WHITE, "D3")
    assert third[2].comment == f"{BETTER}A5"
    done.to_game()
    assert read_sgf(write_sgf(done)) == done


def test_the_marks_and_variations_of_people_are_kept() -> None:
    record = read_sgf("(;SZ[5](;B[cc]TE[2])(;B[bb]C[mine]))")
    done = annotate(record, reviewed(record, lambda game: report(game, 0.9 if not game.moves else 0.2, "B4", ("B4",))))
    first, *others = done.children(0)
    assert first.properties["TE"] == ["2"] and "BM" not in first.properties
    assert [other.comment for other in others] == ["mine"], "that variation is there already"


def test_another_review_replaces_the_last() -> None:
    record = read_sgf("(;SZ[5];B[cc]C[x];W[dd];B[aa])")
    bad = annotate(record, reviewed(record, oracle([0.9, 0.1, 0.9, 0.1], "B2")))
    assert len(bad.children(0)) == 2 and OWN in bad.children(0)[0].properties
    again = annotate(bad, reviewed(bad, oracle([0.9, 0.1, 0.9, 0.1], "B3")))
    assert [child.move.vertex for child in again.children(0) if child.move] == ["C3", "B3"]
    good = annotate(bad, reviewed(bad, oracle([0.5, 0.5, 0.5, 0.5], "B2")))
    assert len(good.nodes) == len(record.nodes)
    assert set(good.children(0)[0].properties) == {"SBKV", "V"}
    assert good.children(0)[0].comment == f"x\n{PREFIX}Black wins 50.0 %, B+1.0; next B2"


def test_a_line_that_somebody_went_on_with_is_kept() -> None:
    record = read_sgf("(;SZ[5];B[cc];W[dd])")
    done = annotate(record, reviewed(record, oracle([0.9, 0.1, 0.1], "B2")))
    ours = done.children(0)[1]
    done.add(ours, Move(WHITE, "D4"), comment="and now?")
    again = annotate(done, reviewed(done, oracle([0.9, 0.1, 0.1], "B3")))
    assert [child.move.vertex for child in again.children(0) if child.move] == ["C3", "B2", "B3"]
    assert any(node.comment == "and now?" for node in again.nodes)


def test_a_part_of_a_review_leaves_the_rest_alone() -> None:
    record = read_sgf(GAME)
    whole = reviewed(record, oracle([0.6, 0.55, 0.8, 0.4, 0.41], "B2"))
    part = annotate(record, Review(whole.turns[:2]))
    assert ["SBKV" in node.properties for node in part.main_line()] == [True, True, True, False, False]
    assert annotate(part, whole) == annotate(record, whole)
    assert annotate(record, Review()) == record
    later = annotate(annotate(record, whole), Review(whole.turns[:1]))
    assert all("SBKV" in node.properties for node in later.main_line())


def test_a_hostile_private_property_takes_nothing_else_away() -> None:
    record = read_sgf("(;SZ[5];B[cc]MONTEGO[TR][C][B][KM]TR[aa])")
    done = annotate(record, reviewed(record, hashing()))
    assert done.children(0)[0].properties["TR"] == ["aa"]


# --- any game ---------------------------------------------------------------------------------------------------


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Games with passes, captures, setups, missed turns, comments, variations."""
    record = GameRecord(SIZE, 0.5, draw(st.sampled_from(["Chinese", "Japanese", "AGA", "Tromp-Taylor", ""])))
    record.root.comment = draw(st.sampled_from(["", "a\n\nb", f"{PREFIX}old", "\n", "x\n"]))
    game, node = Game(SIZE, 0.5, record.rules or "chinese"), record.root
    for kind in draw(st.lists(st.integers(0, 9), max_size=14)):
        legal = game.legal_moves()
        if kind == 0:
            node = record.add(node, comment=draw(st.sampled_from(["", "only words"])))
        elif kind == 1 and legal:
            point = draw(st.sampled_from(legal))
            try:
                game.setup(black=[point], to_play=WHITE)
            except MontegoError:
                continue
            node = record.add(node, black=[point], to_play=WHITE)
        else:
            colour = draw(st.sampled_from([BLACK, WHITE])) if kind == 2 else game.to_play
            vertices = [vertex for vertex in (*legal, "pass") if game.is_legal(vertex, colour)]
            move = Move(colour, "pass" if kind == 3 or not vertices else draw(st.sampled_from(vertices)))
            if not game.is_legal(move.vertex, colour):
                break
            before = node
            node = record.add(before, move, comment=draw(st.sampled_from(["", "hm", "x\n"])))
            if kind == 4:
                node.properties[draw(st.sampled_from(["BM", "TE", "DO", "LB", OWN]))] = ["1"]
            if kind == 5:
                record.add(record.add(before, move), Move(BLACK, "A1"), comment="variation")
            game.play(move.vertex, colour)
    return record


@FEW
@given(records(), st.data())
def test_any_game(record: GameRecord, data: st.DataObject) -> None:
    record.to_game()
    whole = list(review_turns(record, hashing()))
    moves = [node.move for node in record.main_line() if node.move]
    assert [turn.move for turn in whole if turn.move] == [move.vertex for move in moves]
    assert len(whole) == count_turns(record) and [turn.turn for turn in whole] == list(range(len(whole)))
    assert all(turn.loss == 0 or NOISE <= turn.loss <= 1 for turn in whole)
    assert all(
        step.before.to_play == (step.move.colour if step.move else step.before.to_play) for step in steps(record)
    )
    number = data.draw(st.integers(0, len(whole)))
    assert whole[:number] + list(review_turns(record, hashing(), whole[:number])) == whole

    review = Review(tuple(whole))
    done = annotate(record, review)
    assert annotate(done, review) == done
    assert annotate(annotate(record, Review(tuple(whole[:number]))), review) == done
    assert read_sgf(write_sgf(done)) == done
    assert [node.move for node in done.main_line()] == [node.move for node in record.main_line()]
    assert (done.to_game().stones == record.to_game().stones).all()
    for node in done.nodes:
        assert sum(name in node.properties for name in ("BM", "TE", "DO", "IT")) <= 1
        if not node.children:
            play_out(done, node.number)
    for old, new in zip(record.main_line(), done.main_line(), strict=True):
        kept = "\n".join(line for line in new.comment.split("\n") if not line.startswith(PREFIX))
        assert kept == "\n".join(line for line in old.comment.split("\n") if not line.startswith(PREFIX))


def play_out(record: GameRecord, number: int) -> None:
    """Every line can be played but those that were illegal before."""
    ours = any(node.comment.startswith(BETTER) for node in record.path(number))
    try:
        record.to_game(number)
    except SgfError:
        assert not ours


# --- real searches ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house() -> Callable[[Game], Report]:
    return player("house", simulations=400, seed=1).analyse


def test_a_wasted_first_move_is_found(house: Searching) -> None:
    review = reviewed("(;SZ[5]KM[7.5];B[aa];W[cc];B[])", house)
    first = review.turns[0]
    assert (first.best, first.mark) == ("C3", "blunder") and first.line[0] == "C3"
    assert first.winrate > 0.5 > (first.after or 0)


def test_a_game_of_two_passes(house: Searching) -> None:
    # White's dead stone does not come back to life when Black passes.
    text = "(;SZ[5]KM[0.5]AB[ac][bc][cc][dc][ec][bb][db]AW[ca]PL[B];B[];W[])"
    review = reviewed(text, house)
    assert len(review.turns) == 3 and all(turn.winrate > 0.9 for turn in review.turns)
    assert review.turns[0].mark is None


def test_another_size() -> None:
    size = 9
    record = GameRecord(size, 0.5)
    record.add(record.add(0, Move(BLACK, "A1")), Move(WHITE, "B2"))
    review = reviewed(record, player("house", simulations=30, seed=1).analyse)
    assert len(review.turns) == 3
    assert read_sgf(write_sgf(annotate(record, review))).to_game().size == size


@pytest.mark.parametrize("spec", ["20k", "mc-flat"])
def test_other_players(spec: str) -> None:
    review = reviewed(GAME, player(spec, simulations=60, seed=1).analyse)
    assert len(review.turns) == 5 and all(0 <= turn.winrate <= 1 for turn in review.turns)


def test_the_same_seed_gives_the_same_review() -> None:
    first, second = (reviewed(GAME, player("house", simulations=60, seed=4).analyse) for _ in range(2))
    assert first == second
