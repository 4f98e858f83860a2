"""Text files of positions: what is read, and what is refused with its file and line."""

import pytest

from montego.go.errors import PositionError
from montego.go.positions import MAX_FILE, is_board, parse_positions, read_positions

GOOD = """// a comment
== First   // of two
rules japanese
komi -3.5
3 . X .
2 X . O
1 . O .
  A B C
white to play
play white B2
. X .
X O O
. O .
best black pass
== Second
. .
. .
best black A1
"""


def test_titles_headers_boards_and_lines_are_told_apart():
    first, second = parse_positions("good.pos", GOOD)
    assert (first.name, first.rules, first.komi, first.to_play) == ("First", "japanese", -3.5, "white")
    assert [is_board(part) for part in first.below] == [False, True, False]
    assert first.below[0][0].where == "good.pos:10: play white B2"
    game = first.start()
    assert (game.size, game.at("B3"), game.to_play, game.komi) == (3, 1, 2, -3.5)
    assert (second.rules, second.komi, second.to_play, second.start().size) == ("chinese", 7.5, "black", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("komi 3\n", r"bad.pos:1: komi 3\na file starts with a title"),
        ("== T\nkomi much\n. .\n. .\nx\n", r"bad.pos:2: komi much\n'much' is not a number"),
        ("== T\n. .\n. .\n", r"bad.pos:1: == T\na position has a diagram"),
        ("== T\nbest black A1\n", r"bad.pos:1: == T\na position has a diagram"),
        ("== T\n. .\n. .\nx\nkomi 3\n", r"bad.pos:5: komi 3\nthis line belongs above"),
        ("== T\n. .\n. .\nblack plays\n", r"bad.pos:4: black plays\naccepted: rules NAME"),
        ("== T\n. .\n. .\nx\n== T\n. .\n. .\nx\n", r"bad.pos:5: == T\nthe title occurs twice"),
    ],
)
def test_a_text_that_cannot_be_read_names_the_line(text, message):
    with pytest.raises(PositionError, match=message):
        parse_positions("bad.pos", text)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("komi nan\n. .\n. .\n", "komi nan; accepted"),
        ("rules mine\n. .\n. .\n", "there are no rules named"),
        (". .\n. . .\n", "a diagram of 2 rows"),
        ("X X\nX X\n", "bad.pos:2: X X"),
    ],
)
def test_a_start_that_cannot_be_names_the_board(head, message):
    (position,) = parse_positions("bad.pos", f"== T\n{head}x\n")
    with pytest.raises(PositionError, match=message):
        position.start()


def test_a_file_that_is_no_text_or_endless_is_refused(tmp_path):
    path = tmp_path / "bad.pos"
    with pytest.raises(PositionError, match=r"bad\.pos cannot be read: FileNotFoundError"):
        read_positions(path)
    path.write_bytes(b"== \xff\n")
    with pytest.raises(PositionError, match=r"bad\.pos cannot be read: UnicodeDecodeError"):
        read_positions(path)
    path.write_bytes(b" " * (MAX_FILE + 1))
    with pytest.raises(PositionError, match=r"bad\.pos is too long"):
        read_positions(path)
