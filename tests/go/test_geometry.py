"""The names of points."""

from __future__ import annotations

from typing import Any

import pytest

from montego.go.errors import HandicapError, SizeError, VertexError
from montego.go.geometry import PASS, geometry, parse_colour, shown
from reference import all_points, fixed_handicap, most_fixed_handicap, vertex

SIZES = range(2, 20)


def test_the_table_of_names() -> None:
    nine = geometry(9)
    assert (nine.parse("A9"), nine.index(11), nine.vertex(11), nine.sgf(11)) == (11, 0, "A9", "aa")
    assert (nine.parse("B9"), nine.index(12), nine.vertex(12), nine.sgf(12)) == (12, 1, "B9", "ba")
    assert (nine.parse("pass"), nine.vertex(PASS), nine.sgf(PASS), nine.parse_sgf("")) == (PASS, "pass", "", PASS)


@pytest.mark.parametrize("size", SIZES)
def test_names_lead_back_to_the_point(size: int) -> None:
    here = geometry(size)
    for index, (row, column) in enumerate(all_points(size)):
        point = here.point(row, column)
        assert point == here.points[index]
        assert here.index(point) == index
        assert here.row_column(point) == (row, column)
        assert here.vertex(point) == vertex(size, (row, column))
        assert here.parse(here.vertex(point)) == here.parse(here.vertex(point).lower()) == here.parse(point) == point
        assert here.parse_sgf(here.sgf(point)) == point


@pytest.mark.parametrize("size", SIZES)
def test_points_are_different_and_not_a_pass(size: int) -> None:
    points = geometry(size).points.tolist()
    assert len(set(points)) == size * size
    assert PASS not in points


def test_there_is_one_geometry_of_a_size() -> None:
    assert geometry(9) is geometry(9)
    with pytest.raises(ValueError, match="read-only"):
        geometry(9).points[0] = 0


def test_letters_leave_out_i() -> None:
    assert geometry(19).vertex(geometry(19).parse_sgf("ia")) == "J19"
    assert geometry(19).vertex(geometry(19).parse_sgf("ss")) == "T1"


def test_the_old_sgf_pass() -> None:
    assert geometry(19).parse_sgf("tt") == PASS


@pytest.mark.parametrize("text", ["a", "aaa", "aj", "ja", "AA", "a1", "éa", " a", "]a"])
def test_bad_sgf_points(text: str) -> None:
    with pytest.raises(VertexError, match="accepted: aa to ii, or empty"):
        geometry(9).parse_sgf(text)


@pytest.mark.parametrize("point", [-1, 0, 1, 10, 20, 100, 10**30, "A1", None, [], 1.5])
def test_points_off_the_board(point: Any) -> None:
    with pytest.raises(VertexError, match="9x9"):
        geometry(9).index(point)


@pytest.mark.parametrize(("row", "column"), [(-1, 0), (0, -1), (9, 0), (0, 9), (10**30, 0)])
def test_places_off_the_board(row: int, column: int) -> None:
    with pytest.raises(VertexError, match="9x9"):
        geometry(9).point(row, column)


@pytest.mark.parametrize("size", [1, 20, None, "9", True, 9.0])
def test_bad_sizes(size: Any) -> None:
    with pytest.raises(SizeError, match="accepted: 2 to 19"):
        geometry(size)


@pytest.mark.parametrize("size", SIZES)
def test_fixed_handicaps(size: int) -> None:
    here = geometry(size)
    most = most_fixed_handicap(size)
    assert here.max_handicap() == most
    for count in range(2, most + 1):
        places = [here.row_column(point) for point in here.handicap_points(count)]
        assert places == fixed_handicap(size, count)
    for count in (-1, 0, 1, most + 1, 10):
        with pytest.raises(HandicapError, match="accepted"):
            here.handicap_points(count)


@pytest.mark.parametrize("size", [2, 3, 6, 7, 8, 9, 19])
def test_free_handicaps(size: int) -> None:
    here = geometry(size)
    for count in range(2, min(size * size, 30)):
        points = here.free_handicap_points(count)
        assert len(set(points)) == count
        assert set(points) <= set(here.points.tolist())


def test_colours() -> None:
    assert [parse_colour(name) for name in ("b", "B", "black", "BLACK", 1)] == [1] * 5
    assert [parse_colour(name) for name in ("w", "W", "white", "White", 2)] == [2] * 5


LONG_OR_ODD = ["x" * 10_000, "\n\t\0", "\ud800é", 10**5000, [10**5000], b"\xff", None]


@pytest.mark.parametrize("value", LONG_OR_ODD, ids=lambda value: type(value).__name__)
def test_values_in_messages_are_short_and_printable(value: Any) -> None:
    text = shown(value)
    assert len(text) <= 40
    assert text.isascii()
    assert text.isprintable()
