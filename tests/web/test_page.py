"""The page as a visitor uses it, in a real Chromium. After every test: no error in the browser, no call elsewhere."""

from __future__ import annotations

import random
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from montego.go.board import BLACK
from montego.go.game import Game
from montego.go.sgf import read_sgf
from web.browser import DESKTOP, PHONE, Server, Visitor, eventually, expect

BEGINNER = "22k"
HEATS = ("none", "visits", "q", "amaf", "beta", "mixed", "prior", "ownership")
VIEWS = ("play", "compare", "review", "results")
BAD = "(;FF[4]GM[1]SZ[9]KM[7.5]RU[Chinese];B[ee];W[aa];B[ge];W[ii];B[ce];W[ai];B[eg];W[ia])"
BAD_MOVES = (2, 4, 6, 8)
CORNER = "(;FF[4]GM[1]SZ[9]KM[5.5]RU[Chinese]PB[Ana]PW[Bo];B[ee];W[gc];B[cg];W[gg];B[cc];W[ec];B[gf];W[hf])"


def sensible(game: Game, rng: random.Random) -> str:
    """A move at random that fills no eye, or a pass."""
    vertices = [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)]
    rng.shuffle(vertices)
    return next((v for v in vertices if game.is_legal(v) and not fills_eye(game, v)), "pass")


def fills_eye(game: Game, vertex: str) -> bool:
    column, row = "ABCDEFGHJ".index(vertex[0]), int(vertex[1:]) - 1
    near = [(column + x, row + y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return all(
        game.at(f"{'ABCDEFGHJ'[x]}{y + 1}") == game.to_play for x, y in near if min(x, y) >= 0 and max(x, y) < game.size
    )


def correction(game: Game, dead: set[str]) -> tuple[str, str]:
    """A stone whose chain makes another score when it is taken for alive instead of dead, or dead instead of alive."""
    for row in range(1, game.size + 1):
        for column in "ABCDEFGHJ":
            chain = set(game.chain(f"{column}{row}"))
            score = str(game.score(dead - chain if chain <= dead else dead | chain)) if chain else ""
            if chain and score != str(game.score(dead)):
                return f"{column}{row}", score
    raise AssertionError("no stone matters")


def test_what_goes_wrong_is_noticed(visitor: Visitor) -> None:
    """The check that is made after every test sees errors and calls; and the page itself may call nobody."""
    elsewhere = visitor.server.address.replace("127.0.0.1", "localhost")
    visitor.excused += [
        "uncaught: oh",
        "it is written",
        "Content Security Policy",
        f"called {elsewhere}",
        "called ws://l",
    ]
    visitor.page.evaluate("setTimeout(() => { throw new Error('oh'); })")
    visitor.page.evaluate("console.error('it is written')")
    visitor.page.evaluate("url => fetch(url).catch(() => 0)", elsewhere)
    visitor.page.goto(elsewhere)
    expect(visitor.at("connection")).to_have_attribute("data-state", "open")
    for words in visitor.excused:
        assert any(words in problem for problem in visitor.problems), (words, visitor.problems)


# --- playing -------------------------------------------------------------------------------------------------


def test_a_whole_game(visitor: Visitor, tmp_path: Path, pictures: Path) -> None:
    """By clicks until both pass; a stone of the count corrected; the result accepted and saved."""
    visitor.new_game(colour="black", level=BEGINNER, size=9, komi=7.5)
    rng, game = random.Random(1), Game(9, 7.5)
    last = re.compile(r"White (?:played (\w+)|passed)")
    while not game.is_over:
        assert len(game.moves) < 250 and visitor.at("result").inner_text() == ""
        mine = "pass" if game.moves and game.moves[-1].vertex == "pass" else sensible(game, rng)
        count = len(game.moves)
        visitor.at("pass").click() if mine == "pass" else visitor.point(mine).click()
        game.play(mine)
        if game.is_over:
            break
        visitor.wait_for_moves(count + 2)
        answer = last.search(visitor.status)
        assert answer or mine == "pass", visitor.status  # no word of an answer that ends the game
        game.play((answer and answer[1]) or "pass")
    expect(visitor.at("accept")).to_be_visible()
    expect(visitor.at("status")).to_contain_text(re.compile(r"Scoring: [BW]\+[\d.]+"))
    assert visitor.moves == len(game.moves) > 30
    assert {vertex: "B" if game.at(vertex) == BLACK else "W" for vertex in visitor.stones} == visitor.stones
    visitor.shoot(pictures, "scoring")

    chain, corrected = correction(game, set(visitor.dead))
    counted, dead = visitor.status, visitor.dead
    for expected in (corrected, counted, corrected):
        visitor.point(chain).click()
        expect(visitor.at("status")).to_contain_text(expected)
    assert (chain in visitor.dead) != (chain in dead)
    visitor.at("accept").click()
    expect(visitor.at("result")).to_have_text(corrected)
    expect(visitor.at("status")).to_contain_text("wins by")

    record = read_sgf(visitor.save(tmp_path))
    saved = record.to_game()
    assert (saved.size, saved.komi, record.result) == (9, 7.5, corrected)
    assert [(m.colour, m.vertex) for m in saved.moves] == [(m.colour, m.vertex) for m in game.moves]


def test_an_answer_comes_within_a_second(visitor: Visitor) -> None:
    """At a beginner's level, once the engine is there. Not always: others may be using this machine."""
    visitor.new_game(colour="black", level="30k", size=9)
    visitor.play_and_wait("E5")
    free = next(vertex for vertex in ("C3", "G3") if vertex not in visitor.stones)
    took: list[float] = []
    while sum(seconds < 1.0 for seconds in took) < 3:
        assert len(took) < 30, took
        start = time.perf_counter()
        visitor.play_and_wait(free)
        took.append(time.perf_counter() - start)
        visitor.at("undo").click()
        visitor.wait_for_moves(2)


def test_undo(visitor: Visitor) -> None:
    visitor.new_game(colour="black", level=BEGINNER, size=9)
    expect(visitor.at("undo")).to_be_disabled()
    visitor.play_and_wait("E5")
    before = visitor.stones
    free = next(v for v in ("C3", "G3") if v not in before)
    visitor.play_and_wait(free)
    visitor.at("undo").click()
    visitor.wait_for_moves(2)
    assert visitor.stones == before
    visitor.at("undo").click()
    visitor.wait_for_moves(0)
    assert visitor.stones == {}
    visitor.play_and_wait("D4")
    assert visitor.stones["D4"] == "B"


def test_back_to_an_earlier_turn(visitor: Visitor) -> None:
    """Looking at it changes nothing; taking back to it does."""
    visitor.new_game(size=9)
    visitor.play("E5", "C3", "G7", "C7")
    visitor.at("go-first").click()
    assert visitor.stones == {} and "Move 0 of 4" in visitor.status
    visitor.at("go-forward").click()
    assert visitor.stones == {"E5": "B"}
    visitor.poke("A1")
    expect(visitor.at("status")).to_contain_text("earlier turn")
    visitor.page.keyboard.press("PageDown")
    assert visitor.stones == {"E5": "B", "C3": "W"} and visitor.moves == 4
    visitor.at("undo-to").click()
    visitor.wait_for_moves(2)
    expect(visitor.at("status")).to_contain_text("Black to play")


def test_stones_that_may_not_be_played(visitor: Visitor) -> None:
    """Captures, ko and suicide are shown, and said when tried."""
    visitor.new_game(size=5)
    visitor.play("B3", "C3", "C4", "D4", "A4", "E3", "C2", "D2", "D3")
    assert "C3" not in visitor.stones
    expect(visitor.at("captures-B")).to_have_text("1 taken")
    assert visitor.illegal == ["C3"]
    visitor.poke("C3")
    expect(visitor.at("status")).to_contain_text("ko")
    assert visitor.moves == 9
    visitor.play("A1", "E1", "C3")
    expect(visitor.at("captures-W")).to_have_text("1 taken")
    assert "D3" in visitor.illegal
    visitor.poke("C3")
    assert visitor.moves == 12


def test_a_double_click_is_one_move(visitor: Visitor) -> None:
    visitor.new_game(size=9)
    visitor.point("E5").dblclick()
    visitor.wait_for_moves(1)
    visitor.play("C3")
    assert visitor.stones == {"E5": "B", "C3": "W"}


def test_pass_and_play_on(visitor: Visitor) -> None:
    """Two passes lead to the count; whoever disagrees plays on."""
    visitor.new_game(size=9)
    visitor.play("E5", "pass", "pass")
    expect(visitor.at("status")).to_contain_text("Scoring: B+")
    visitor.at("resume").click()
    visitor.wait_for_moves(1)
    expect(visitor.at("status")).to_contain_text("White to play")
    visitor.play("C3")


def test_resign(visitor: Visitor, tmp_path: Path) -> None:
    visitor.new_game(colour="black", level=BEGINNER, size=9)
    visitor.play_and_wait("E5")
    visitor.at("resign").click()
    expect(visitor.at("resign")).to_have_text("Really?")
    assert visitor.at("result").inner_text() == ""
    visitor.at("resign").click()
    expect(visitor.at("result")).to_have_text("W+R")
    assert read_sgf(visitor.save(tmp_path)).result == "W+R"
    visitor.at("undo").click()
    expect(visitor.at("status")).to_contain_text("Your move, Black")
    expect(visitor.at("result")).to_have_text("")


def test_handicap_and_sizes(visitor: Visitor) -> None:
    visitor.new_game(size=13, handicap=4)
    assert visitor.stones == dict.fromkeys(("D10", "D4", "K10", "K4"), "B")
    expect(visitor.at("facts")).to_have_text("13×13 · chinese · komi 0.5 · handicap 4")
    visitor.play("G7")
    assert visitor.stones["G7"] == "W"
    visitor.at("new-game").click()
    visitor.at("size-19").click()
    visitor.at("handicap").select_option("0")
    visitor.at("rules").select_option("japanese")
    visitor.at("start-game").click()
    expect(visitor.at("board")).to_have_attribute("data-size", "19")
    expect(visitor.at("facts")).to_have_text("19×19 · japanese · komi 6.5")
    visitor.play("Q16", "T1", "A19")
    assert visitor.stones == {"A19": "B", "Q16": "B", "T1": "W"}
    visitor.new_game(size=6, rules="chinese", komi=4)
    expect(visitor.at("board")).to_have_attribute("data-size", "6")
    visitor.at("new-game").click()
    visitor.at("size").fill("25")
    visitor.at("start-game").click()
    expect(visitor.at("new-game-dialogue")).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(visitor.at("board")).to_have_attribute("data-size", "6")


def test_the_engine_begins_when_the_person_plays_white(visitor: Visitor) -> None:
    visitor.new_game(colour="white", level=BEGINNER, size=9)
    visitor.wait_for_moves(1)
    expect(visitor.at("status")).to_contain_text("Your move, White · Black played")
    assert list(visitor.stones.values()) == ["B"]


def test_clock(visitor: Visitor) -> None:
    """It runs for the side to move, and whose time is up has lost."""
    visitor.new_game(size=9, clock="normal")
    expect(visitor.at("clock-B")).to_have_text(re.compile(r"^(10:00|9:5\d) \+ 5"))
    visitor.play("E5")
    white = visitor.at("clock-W")
    expect(white).to_have_text(re.compile(r"^9:5\d"))
    black = visitor.at("clock-B").inner_text()
    seen = white.inner_text()
    expect(white).not_to_have_text(seen)
    assert visitor.at("clock-B").inner_text() == black

    visitor.new_game(size=9, clock="own", clock_main=0, clock_periods=1, clock_period=2)
    expect(visitor.at("clock-B")).to_contain_text("0:0")
    expect(visitor.at("result")).to_have_text("W+T")
    expect(visitor.at("status")).to_have_text("White wins on time")


def test_keyboard(visitor: Visitor) -> None:
    """A game without a pointer."""
    keys = visitor.page.keyboard
    visitor.new_game(size=9)
    for key in ("b", "ArrowLeft", "ArrowLeft", "ArrowDown"):
        keys.press(key)
    expect(visitor.point("C4")).to_be_focused()
    keys.press("Enter")
    visitor.wait_for_moves(1)
    keys.press("ArrowRight")
    keys.press("Space")
    visitor.wait_for_moves(2)
    assert visitor.stones == {"C4": "B", "D4": "W"}
    keys.press("p")
    visitor.wait_for_moves(3)
    expect(visitor.at("status")).to_contain_text("Black passed")
    keys.press("u")
    visitor.wait_for_moves(2)
    keys.press("Home")
    assert visitor.stones == {}
    keys.press("End")
    assert len(visitor.stones) == 2
    keys.press("?")
    expect(visitor.at("help-dialogue")).to_be_visible()
    keys.press("Escape")
    expect(visitor.at("help-dialogue")).to_have_count(0)
    keys.press("n")
    expect(visitor.at("new-game-dialogue")).to_be_visible()
    keys.press("p")
    keys.press("Escape")
    assert visitor.moves == 2


# --- files ---------------------------------------------------------------------------------------------------


@pytest.fixture
def corner(tmp_path: Path) -> Path:
    path = tmp_path / "corner.sgf"
    path.write_text(CORNER)
    return path


@pytest.mark.parametrize("how", ["button", "drop"])
def test_load_and_save(visitor: Visitor, corner: Path, tmp_path: Path, how: str) -> None:
    if how == "button":
        with visitor.page.expect_file_chooser() as choosing:
            visitor.at("load").click()
        choosing.value.set_files(corner)
    else:
        visitor.drop(corner)
    visitor.wait_for_moves(8)
    expect(visitor.at("player-B")).to_contain_text("Ana")
    expect(visitor.at("player-W")).to_contain_text("Bo")
    expect(visitor.at("facts")).to_contain_text("komi 5.5")
    assert visitor.stones["E5"] == "B" and visitor.stones["H4"] == "W" and len(visitor.stones) == 8
    visitor.at("go-back").click()
    assert "H4" not in visitor.stones
    saved = read_sgf(visitor.save(tmp_path))
    assert saved.to_game().moves == read_sgf(corner).to_game().moves
    assert (saved.black_player, saved.white_player, saved.komi) == ("Ana", "Bo", 5.5)


def test_a_file_that_is_none(visitor: Visitor, tmp_path: Path) -> None:
    """What is wrong is said, and the game stays."""
    visitor.new_game(size=9)
    visitor.play("E5")
    path = tmp_path / "bad.sgf"
    path.write_text("(;SZ[9];B[zz])")
    visitor.drop(path)
    expect(visitor.at("status")).to_contain_text(re.compile("node 1|SGF|vertex", re.I))
    assert visitor.stones == {"E5": "B"}
    visitor.play("C3")


# --- the search ----------------------------------------------------------------------------------------------


def test_every_heat_map(visitor: Visitor, pictures: Path) -> None:
    """Each shows something else on the board, with words and a scale for it."""
    visitor.new_game(size=9)
    visitor.play("E5", "C3", "G6")
    plain = visitor.drawn()
    visitor.analyse()
    boards, words = {"plain": plain}, set()
    for name in HEATS:
        visitor.at(f"heat-{name}").click()
        expect(visitor.at(f"heat-{name}")).to_have_attribute("aria-pressed", "true")
        boards[name] = visitor.drawn()
        words.add(visitor.at("explanation").inner_text())
        expect(visitor.at("legend")).to_be_visible()
        visitor.shoot(pictures, f"heat-{name}")
    assert len({tuple(board) for board in boards.values()}) == len(boards)
    assert len(words) == len(HEATS)
    for key, name in enumerate(HEATS):
        visitor.page.keyboard.press(str(key))
        expect(visitor.at(f"heat-{name}")).to_have_attribute("aria-pressed", "true")
        assert visitor.drawn() == boards[name], name
    visitor.at("analyse").click()
    assert visitor.drawn() == plain


def test_variations_are_shown(visitor: Visitor, pictures: Path) -> None:
    """Of a candidate in the table and on the board; they go when the pointer goes."""
    visitor.new_game(size=9)
    visitor.play("E5", "C3")
    visitor.analyse()
    visitor.page.mouse.move(0, 0)
    before = visitor.drawn()
    best = visitor.at("candidate-0")
    move = best.inner_text()
    best.hover()
    line = visitor.page.locator(".shudan-marker_label .shudan-marker, .shudan-marker_label")
    expect(line.first).to_be_visible()
    numbers = {text for text in line.all_inner_texts() if text}
    assert {"1", "2"} <= numbers
    assert visitor.drawn() != before
    visitor.page.screenshot(path=pictures / "variation.png")
    visitor.page.mouse.move(0, 0)
    expect(line).to_have_count(0)
    assert visitor.drawn() == before
    visitor.point(move).hover()
    expect(line.first).to_be_visible()
    visitor.page.mouse.move(0, 0)
    expect(line).to_have_count(0)
    assert visitor.moves == 2


def test_search_goes_on_while_looking(visitor: Visitor) -> None:
    """Numbers stream in, nothing on the page is pushed around by them, and the search stops when it is told to."""
    visitor.new_game(size=9)
    visitor.play("E5")
    visitor.analyse(visits=None)

    def simulations() -> int:
        return int(re.sub(r"\D", "", visitor.at("visits-0").inner_text()))

    assert eventually(lambda: simulations() > 0)
    visitor.page.evaluate(
        """() => {
            window.shift = 0;
            new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.shift += entry.value; }))
                .observe({ type: "layout-shift" });
        }"""
    )
    first = simulations()
    assert eventually(lambda: simulations() > 2 * first)
    expect(visitor.at("candidate-2")).to_be_visible()
    assert visitor.page.evaluate("window.shift") < 0.01
    expect(visitor.at("convergence").locator("canvas")).to_be_visible()
    visitor.at("convergence-share").click()
    expect(visitor.at("convergence-share")).to_have_attribute("aria-pressed", "true")
    visitor.play("C3")
    assert eventually(lambda: simulations() > 0)
    visitor.at("analyse").click()
    expect(visitor.at("candidates")).to_have_count(0)


def test_the_opponents_thoughts(visitor: Visitor) -> None:
    """While a strong opponent thinks about its move, its own search is on the board."""
    visitor.new_game(colour="black", level="house", size=9)
    visitor.analyse(visits=None)
    expect(visitor.at("visits-0")).not_to_have_text("0")
    visitor.point("E5").click()
    expect(visitor.at("summary-0")).to_contain_text("opponent thinks")
    expect(visitor.at("candidate-2")).to_be_visible()
    visitor.wait_for_moves(2)
    expect(visitor.at("summary-0")).to_contain_text("searching")
    expect(visitor.at("visits-0")).not_to_have_text("0")


def test_search_tree(visitor: Visitor, pictures: Path) -> None:
    """Opened move by move; a way into it is shown on the board."""
    visitor.new_game(size=9)
    visitor.play("E5", "C3")
    visitor.analyse()
    before = visitor.drawn()
    tree = visitor.at("tree")
    tree.locator("summary").click()
    items = tree.get_by_role("treeitem")
    expect(items.first).to_be_visible()
    children = items.count()
    assert 5 <= children <= 30
    best = visitor.at("candidate-0").inner_text()
    visitor.at(f"tree-{best}").click()
    below = tree.locator(f'[data-testid^="tree-{best}-"]')
    expect(below.first).to_be_visible()
    assert items.count() > children
    below.first.hover()
    assert visitor.drawn() != before
    visitor.page.screenshot(path=pictures / "tree.png")
    visitor.at(f"tree-{best}").click()
    expect(below).to_have_count(0)
    visitor.at("tree-refresh").click()
    expect(items).to_have_count(children)


def test_win_rates_of_the_game(visitor: Visitor) -> None:
    """The opponent's opinions make a graph; a click on it goes to a turn."""
    visitor.new_game(colour="black", level=BEGINNER, size=9)
    for vertex in ("E5", "C3", "G3", "C7"):
        if vertex not in visitor.stones:
            visitor.play_and_wait(vertex)
    total = visitor.moves
    graph = visitor.at("winrate-graph")
    box = graph.locator(".u-over").bounding_box()
    assert box
    visitor.page.mouse.move(box["x"] + box["width"] * 0.15, box["y"] + 20)
    visitor.page.mouse.click(box["x"] + box["width"] * 0.15, box["y"] + 20)
    shown = int(visitor.at("turn").input_value())
    assert shown < total and len(visitor.stones) <= shown
    visitor.page.keyboard.press("ArrowRight")
    assert int(visitor.at("turn").input_value()) == shown + 1
    visitor.at("go-last").click()
    expect(visitor.at("status")).to_contain_text("Your move")


# --- two players ---------------------------------------------------------------------------------------------


def test_compare(visitor: Visitor, pictures: Path) -> None:
    """Two presets look at the same position."""
    visitor.new_game(size=9)
    visitor.play("E5", "C3", "G6")
    visitor.at("tab-compare").click()
    visitor.at("compare-0").select_option("mogo-2006")
    visitor.at("compare-1").select_option("mogo-2007")
    before = visitor.drawn(0)
    assert visitor.drawn(1) == before
    visitor.at("compare").click()
    for slot in (0, 1):
        expect(visitor.at(f"visits-{slot}")).not_to_have_text("0")
        expect(visitor.at(f"candidates-{slot}").get_by_test_id("candidate-0")).to_be_visible()
        assert visitor.drawn(slot) != before
    visitor.at("heat-visits").click()
    assert eventually(lambda: visitor.drawn(0) != visitor.drawn(1))
    visitor.shoot(pictures, "compare")
    visitor.at("compare").click()
    expect(visitor.at("summary-0")).to_have_count(0)
    visitor.page.go_back()
    expect(visitor.at("view-play")).to_be_visible()


def test_watch_a_game(visitor: Visitor) -> None:
    """Two players of ours play each other until one resigns or both pass."""
    visitor.at("new-game").click()
    visitor.at("colour").select_option("watch")
    visitor.choose_player("30k")
    visitor.choose_player(BEGINNER, "-2")
    visitor.at("size").fill("9")
    visitor.at("start-game").click()
    expect(visitor.at("player-B")).to_contain_text("30k")
    expect(visitor.at("result")).to_have_text(re.compile(r"[BW]\+[\d.R]+"))
    assert visitor.moves > 5
    expect(visitor.at("pass")).to_be_disabled()
    visitor.at("go-first").click()
    assert visitor.stones == {}


def test_watch_those_compared(visitor: Visitor) -> None:
    visitor.new_game(size=9)
    visitor.at("tab-compare").click()
    visitor.at("watch").click()
    expect(visitor.at("view-play")).to_be_visible()
    expect(visitor.at("player-B")).to_contain_text("mogo-2006")
    expect(visitor.at("player-W")).to_contain_text("mogo-2007")
    assert eventually(lambda: visitor.moves >= 2)


# --- reviews -------------------------------------------------------------------------------------------------


def test_review(visitor: Visitor, tmp_path: Path, pictures: Path) -> None:
    """A game with bad moves is loaded and gone over: they are found, shown and written into the file."""
    path = tmp_path / "bad.sgf"
    path.write_text(BAD)
    visitor.at("tab-review").click()
    visitor.drop(path)
    visitor.wait_for_moves(8)
    visitor.at("review").click()
    expect(visitor.at("review-done")).to_have_text("9 turns analysed")
    worst = visitor.at("worst-moves").get_by_role("button").first
    number = re.match(r"worst-(\d+)", worst.get_attribute("data-testid") or "")
    assert number and int(number[1]) in BAD_MOVES, worst.inner_text()
    assert re.search(r"inaccuracy|mistake|blunder", worst.inner_text())
    plain = visitor.drawn()
    worst.click()
    expect(visitor.at("turn")).to_have_js_property("value", str(int(number[1]) - 1))
    visitor.page.mouse.move(0, 0)
    assert visitor.drawn() != plain
    expect(visitor.page.locator(".shudan-selected")).to_have_count(1)
    expect(visitor.page.locator(".shudan-ghost")).to_have_count(1)
    visitor.shoot(pictures, "review")
    before = visitor.drawn()
    worst.hover()
    assert eventually(lambda: visitor.drawn() != before, 10)

    record = read_sgf(visitor.save(tmp_path))
    assert record.to_game().moves == read_sgf(path).to_game().moves
    assert all("SBKV" in node.properties for node in record.main_line())
    assert "better" in record.main_line()[int(number[1])].comment
    visitor.page.reload()
    expect(visitor.at("review-done")).to_be_visible()
    expect(visitor.at("review")).to_have_text("Review again")


# --- coming back ---------------------------------------------------------------------------------------------


def test_reload(visitor: Visitor) -> None:
    """The game is there again: in the same page, in another of the visitor's, and for whoever has the address."""
    visitor.new_game(colour="black", level=BEGINNER, size=9)
    visitor.play_and_wait("E5")
    before = visitor.stones
    visitor.page.reload()
    visitor.wait_for_moves(2)
    assert visitor.stones == before
    visitor.play_and_wait(next(v for v in ("C3", "G3", "G7") if v not in before))
    before = visitor.stones
    visitor.page.close()
    visitor.page = visitor.open()
    visitor.wait_for_moves(4)
    assert visitor.stones == before


def test_two_pages_on_one_game(visit: Callable[..., Visitor]) -> None:
    """Both see what happens, whoever plays."""
    one, other = visit(), visit()
    one.new_game(size=9)
    other.page.goto(one.page.url)
    other.page.reload()
    other.wait_for_moves(0)
    one.play("E5")
    other.wait_for_moves(1)
    other.play("C3")
    one.wait_for_moves(2)
    assert one.stones == other.stones == {"E5": "B", "C3": "W"}


def test_a_game_that_is_not_there(visitor: Visitor) -> None:
    visitor.page.goto(visitor.server.address + "#play/nothing")
    visitor.page.reload()
    expect(visitor.at("status")).to_contain_text("no such game")
    visitor.new_game(size=9)
    visitor.play("E5")


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path).start()
    yield running
    running.end()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_server_restart(own_server: Server, visit: Callable[..., Visitor], how: signal.Signals) -> None:
    """The page waits for the server and goes on by itself, the analysis, too. No process is left behind."""
    visitor = visit(own_server)
    visitor.excused.append("WebSocket connection to")
    visitor.new_game(colour="black", level=BEGINNER, size=9)
    visitor.play_and_wait("E5")
    visitor.analyse(visits=None)
    expect(visitor.at("visits-0")).not_to_have_text("0")
    before, children = visitor.stones, own_server.children()
    assert children or sys.platform != "linux"
    status = own_server.end(how)
    if how == signal.SIGTERM:
        assert (status, own_server.errors().strip()) == (0, "montego: stopped; games are kept")
    assert eventually(lambda: not any(Path(f"/proc/{child}").exists() for child in children), 20)
    expect(visitor.at("connection")).to_have_attribute("data-state", "reconnecting")
    assert visitor.stones == before
    visitor.at("pass").click()
    expect(visitor.at("status")).to_contain_text("no connection")

    own_server.start()
    expect(visitor.at("connection")).to_have_attribute("data-state", "open")
    visitor.wait_for_moves(2)
    assert visitor.stones == before
    expect(visitor.at("visits-0")).not_to_have_text("0")
    visitor.play_and_wait(next(v for v in ("C3", "G3", "G7") if v not in before))


# --- looks ---------------------------------------------------------------------------------------------------


def prepare(visitor: Visitor) -> None:
    """A position with an analysis."""
    visitor.new_game(size=9)
    visitor.play("E5", "C3", "G6", "G3", "C6", "D6")
    visitor.analyse(5000)


@pytest.mark.parametrize("window", ["desktop", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_looks(visit: Callable[..., Visitor], pictures: Path, window: str, theme: str) -> None:
    """Pictures of all views. Nothing is wider than the window, and everything has a name."""
    phone = window == "phone"
    details = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2} if phone else {}
    visitor = visit(viewport=PHONE if phone else DESKTOP, color_scheme=theme, **details)
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", theme)
    visitor.shoot(pictures, f"welcome-{window}-{theme}")
    assert visitor.sideways <= 0 and visitor.nameless == []
    prepare(visitor)
    for view in VIEWS:
        visitor.at(f"tab-{view}").click()
        expect(visitor.at(f"view-{view}")).to_be_visible()
        if view == "compare":
            visitor.at("compare").click()
            for slot in (0, 1):
                expect(visitor.at(f"candidates-{slot}").get_by_test_id("candidate-2")).to_be_visible()
        if view == "results":
            expect(visitor.at("results").locator("table").first).to_be_visible()
        visitor.shoot(pictures, f"{view}-{window}-{theme}", whole=view != "results")
        assert visitor.sideways <= 0, view
        assert visitor.nameless == [], view
    visitor.at("tab-play").click()
    visitor.at("new-game").click()
    visitor.shoot(pictures, f"new-game-{window}-{theme}")
    assert visitor.sideways <= 0 and visitor.nameless == []


def test_phone_on_the_large_board(visit: Callable[..., Visitor], pictures: Path) -> None:
    """Where a finger covers several points, the first tap shows the stone and the second plays it."""
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    visitor.new_game(size=19)
    visitor.point("Q16").tap()
    expect(visitor.at("status")).to_contain_text("Tap again to play Q16")
    assert visitor.moves == 0
    visitor.point("Q16").tap()
    visitor.wait_for_moves(1)
    assert visitor.stones == {"Q16": "B"}
    assert visitor.sideways <= 0
    visitor.shoot(pictures, "phone-19")


def test_theme_and_sound_are_remembered(visit: Callable[..., Visitor]) -> None:
    visitor = visit(color_scheme="light")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = visitor.page.evaluate(colour)
    expect(visitor.at("sound")).to_have_attribute("aria-pressed", "false")
    visitor.at("theme").click()
    visitor.at("sound").click()
    assert visitor.page.evaluate(colour) != light
    visitor.page.reload()
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(visitor.at("sound")).to_have_attribute("aria-pressed", "true")
    visitor.new_game(size=9)
    visitor.play("E5")
    visitor.at("theme").click()
    assert visitor.page.evaluate(colour) == light


def test_results(visitor: Visitor) -> None:
    """The lab's tables and figures."""
    visitor.at("tab-results").click()
    results = visitor.at("results")
    expect(results.locator("table").first).to_be_visible()
    figures = results.locator("img")
    assert figures.count() >= 3 and results.locator("table").count() >= 3
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        assert figure.get_attribute("alt")
        assert eventually(lambda figure=figure: figure.evaluate("image => image.complete && image.naturalWidth > 0"))
    assert visitor.sideways <= 0
