"""Positions as Go players write them, one test each: see positions/README.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from montego.go.errors import PositionError
from positions_format import VERBS, parse_positions, read_positions

FOLDER = Path(__file__).parent / "positions"
POSITIONS = [(path.stem, position) for path in sorted(FOLDER.glob("*.pos")) for position in read_positions(path)]

LEAST = {
    "captures": 25,
    "ko": 12,
    "superko": 18,
    "snapback": 6,
    "ladders": 35,
    "eyes": 12,
    "seki": 14,
    "nakade": 25,
    "atari": 16,
    "patterns": 33,
    "pattern_misses": 18,
    "saves": 14,
    "priority": 14,
    "scoring": 18,
}
"""How many positions there are at least, by file."""

HEAD = "== A corner\n. . . . .\n. . . . .\n. . . . .\n. X . . .\nO . . . .\nblack to play\n"


@pytest.mark.parametrize(
    "position", [pytest.param(position, id=f"{theme}: {position.name}") for theme, position in POSITIONS]
)
def test_position(position):
    position.check()


def test_there_are_enough_positions_of_every_theme():
    found = Counter(theme for theme, _ in POSITIONS)
    assert {theme: found[theme] for theme, least in LEAST.items() if found[theme] < least} == {}
    assert len(POSITIONS) >= 120


def test_the_readme_explains_every_word():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [verb for verb in VERBS if f"`{verb} " not in readme and f"`{verb}`" not in readme] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("liberties A1 2\n", r"broken.pos:1: liberties A1 2\na file starts with a title"),
        (HEAD + "libertys A1 2\n", r"broken.pos:8: libertys A1 2\nunknown word 'libertys'; accepted: atari, "),
        (HEAD + "liberties A1\n", r"broken.pos:8: liberties A1\naccepted: liberties C3 4: "),
        (HEAD + "liberties A1 2\nrules aga\n", r"broken.pos:9: rules aga\nthis line belongs above"),
        ("== A title alone\n", r"broken.pos:1: == A title alone\na position has a diagram"),
        (HEAD + "atari A1\n" + HEAD + "atari A1\n", r"broken.pos:9: == A corner\nthe title occurs twice"),
        (HEAD + "black plays\n", r"broken.pos:8: black plays\naccepted: rules NAME, "),
    ],
)
def test_a_file_that_cannot_be_read_says_where(text, message):
    with pytest.raises(PositionError, match=message):
        parse_positions("broken.pos", text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "liberties Z9 2\n", r"broken.pos:8: liberties Z9 2\n'Z9' is not a vertex"),
        (HEAD + "liberties A1 two\n", r"broken.pos:8: liberties A1 two\n'two' is not a whole number"),
        (HEAD + "eye black A2 maybe\n", r"broken.pos:8: eye black A2 maybe\n'maybe' is none of: true, "),
        (HEAD + "undo 2\n", r"broken.pos:8: undo 2\ncannot undo 2 moves"),
        (HEAD + "score 0 komi much\n", r"broken.pos:8: .*\n'much' is not a number"),
        (HEAD + "saves white none\n", r"broken.pos:8: saves white none\nit is not white's turn"),
        (HEAD + "score B+1 handicap 2\n", r"broken.pos:8: .*\n'handicap' is none of: komi, "),
        ("== Rules\nrules house\n. .\n. .\nlegal black A1\n", r"broken.pos:3: \. \.\nthere are no rules named"),
        ("== Rows\n. .\n. . .\nlegal black A1\n", r"broken.pos:2: \. \.\na diagram of 2 rows"),
    ],
)
def test_a_line_that_makes_no_sense_says_where(text, message):
    position = parse_positions("broken.pos", text)[0]
    with pytest.raises(PositionError, match=message):
        position.check()


def test_a_wrong_assertion_shows_line_and_board():
    position = parse_positions("wrong.pos", HEAD + "play black A2\nliberties A1 2\n")[0]
    with pytest.raises(AssertionError, match=r"wrong.pos:9: liberties A1 2\nfound 1 instead of 2\n   A B C D E\n"):
        position.check()
