"""Urgencies of 3×3 patterns: their numbers, their symmetries, Manual's pictures, and files that come back whole."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mogo_oracle as oracle
from montego.go.codes import CELLS, base_flags
from montego.go.errors import MontegoError
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns import indigo
from montego.patterns.ascii import Rows, matching_codes, symmetries
from montego.patterns.files import KnowledgeError, Provenance, checksum
from montego.patterns.indigo import MANUAL, manual_urgencies
from montego.patterns.learned import (
    FORM,
    fingerprint,
    load_urgencies,
    save_urgencies,
    shipped_file,
    urgencies_of,
)
from montego.patterns.urgency import (
    LEAST,
    MOST,
    PATTERNS,
    UNIT,
    Urgencies,
    class_of,
    codes,
    colours_swapped,
    dispositions,
    neighbourhoods,
    packed,
    symmetric,
    zero_urgencies,
)
from montego.playout.urgencies import new_urgency_memories
from urgency_reference import AROUND, random_urgencies
from urgency_reference import pattern as reference_pattern

# --- numbers of patterns ----------------------------------------------------------------------------------------


def test_there_are_as_many_as_the_paper_counts() -> None:
    """3⁸ neighbourhoods in 25 dispositions to the edge."""
    assert PATTERNS == 25 * 3**8 == 164_025


@pytest.mark.parametrize(
    ("size", "classes"),
    [
        (2, [0, 4]),
        (3, [0, 2, 4]),
        (4, [0, 1, 3, 4]),
        (5, [0, 1, 2, 3, 4]),
        (6, [0, 1, 2, 2, 3, 4]),
        (9, [0, 1, 2, 2, 2, 2, 2, 3, 4]),
        (19, [0, 1, *[2] * 15, 3, 4]),
    ],
)
def test_classes_of_lines(size: int, classes: list[int]) -> None:
    found = [class_of(i, size) for i in range(size)]
    assert found == classes
    assert [4 - found[size - 1 - i] for i in range(size)] == found, "a mirrored board has mirrored classes"


def check_numbers(grid: oracle.Grid, code_at: np.ndarray[Any, Any]) -> int:
    """From the code of every empty point to its pattern and back, and to the number that the stones around it have."""
    size, empty = len(grid), 0
    for row, column in product(range(size), repeat=2):
        if grid[row][column] == 0:
            code = code_at[row, column]
            number = dispositions(size)[row, column] + neighbourhoods()[code]
            assert codes()[number] == code, f"row {row}, column {column}: {grid}"
            assert number == reference_pattern(grid, (row, column), 1)
            assert colours_swapped()[number] == reference_pattern(grid, (row, column), 2)
            empty += 1
    return empty


@pytest.mark.parametrize("size", [2, 3, 5, 9, 19])
def test_numbers_and_codes_agree_on_every_empty_point(size: int) -> None:
    """In positions of random games."""
    generator, checked = np.random.default_rng(size), 0
    for _ in range(4):
        game = Game(size, rules="chinese")
        for _ in range(generator.integers(size, 2 * size * size)):
            if not game.is_over:
                game.play(generator.choice(game.legal_moves() or ["pass"]))
        checked += check_numbers(game.stones.tolist(), game.board[0].code[geometry(size).points].reshape(size, size))
    assert checked > size


@pytest.mark.parametrize("size", range(2, 20))
def test_numbers_and_codes_agree_on_any_stones(size: int) -> None:
    """On every size, whether or not the stones could stand there."""
    generator = np.random.default_rng(size)
    stones = generator.choice(3, size=(size, size), p=[0.5, 0.25, 0.25])
    walled = np.pad(stones, 1, constant_values=3)
    code_at = np.zeros((size, size), np.int64)
    for i, (row, column) in enumerate(CELLS):
        code_at |= walled[row : row + size, column : column + size] << (2 * i)
    check_numbers(stones.tolist(), code_at)


# --- symmetries -------------------------------------------------------------------------------------------------


def test_how_many_kinds_of_patterns_there_are() -> None:
    """Burnside: a symmetry leaves 3^(cycles of the eight neighbours) neighbourhoods as they are, in those dispositions
    that it maps to themselves: all 25 for the identity (8 cycles), one for the turns by 90° and 270° (2) and by 180°
    (4), five for each of the four reflections (5). (25 · 3⁸ + 2 · 3² + 3⁴ + 4 · 5 · 3⁵) / 8 = 21,123.
    """
    shared, kinds = symmetric()
    assert kinds == (25 * 3**8 + 2 * 3**2 + 3**4 + 4 * 5 * 3**5) // 8 == 21_123
    assert len(shared) == PATTERNS and set(shared) == set(range(kinds))


def images(grid: oracle.Grid, point: oracle.Point) -> list[tuple[oracle.Grid, oracle.Point]]:
    """A position and a point of it, in all eight symmetries of the board."""
    last, found = len(grid) - 1, []
    for _ in range(4):
        grid = [list(row) for row in zip(*grid[::-1], strict=True)]
        point = (point[1], last - point[0])
        found += [(grid, point), ([row[::-1] for row in grid], (point[0], last - point[1]))]
    return found


@st.composite
def stones_around(draw: st.DrawFn) -> tuple[oracle.Grid, oracle.Point]:
    """Any stones on a small board, legal or not, and a point of it."""
    size = draw(st.integers(2, 7))
    grid = [[draw(st.integers(0, 2)) for _ in range(size)] for _ in range(size)]
    return grid, (draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1)))


@settings(max_examples=300, deadline=None)
@given(stones_around())
def test_images_of_a_pattern_share_a_number(position: tuple[oracle.Grid, oracle.Point]) -> None:
    shared, _ = symmetric()
    numbers = [reference_pattern(grid, point, 1) for grid, point in images(*position)]
    assert len({shared[number] for number in numbers}) == 1
    swapped = [colours_swapped()[number] for number in numbers]
    assert len({shared[number] for number in swapped}) == 1, "swapped images are images of each other"


def test_what_shares_a_number_is_an_image() -> None:
    """Each kind on its own: as many different patterns as the eight images of one of them are."""
    shared, kinds = symmetric()
    sizes = np.bincount(shared, minlength=kinds)
    generator = np.random.default_rng(2)
    for _ in range(300):
        grid = generator.integers(0, 3, (7, 7)).tolist()
        row, column = (int(i) for i in generator.integers(0, 7, 2))
        # Stones off the board are none: only patterns that do not reach over the edge have all their images here.
        row, column = min(max(row, 1), 5), min(max(column, 1), 5)
        numbers = {reference_pattern(*image, 1) for image in images(grid, (row, column))}
        assert sizes[shared[min(numbers)]] == len(numbers)


def test_swapping_colours_twice_changes_nothing() -> None:
    swapped, (shared, kinds) = colours_swapped(), symmetric()
    everything = np.arange(PATTERNS)
    assert (swapped[swapped] == everything).all() and (swapped == everything).sum() == 25
    kind_of_swapped = np.full(kinds, -1)
    kind_of_swapped[shared] = shared[swapped]
    assert (kind_of_swapped[shared] == shared[swapped]).all(), "images of a pattern swap into images of one"


# --- as kernels read them ---------------------------------------------------------------------------------------


def halves(table: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return (table & np.uint64(0xFFFFFFFF)).astype(np.int64), (table >> np.uint64(32)).astype(np.int64)


def eyes(colour: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.asarray(base_flags()[codes()] & (1 << colour) != 0)


@pytest.mark.parametrize("urgencies", [zero_urgencies(), manual_urgencies(), random_urgencies()])
def test_one_player_is_the_same_with_either_colour(urgencies: Urgencies) -> None:
    black, white = halves(packed(urgencies))
    assert (black[colours_swapped()] == white).all()
    assert (black[eyes(1)] == 0).all() and (white[eyes(2)] == 0).all() and eyes(1).sum() > 1000
    assert black[~eyes(1)].min() >= LEAST and white[~eyes(2)].min() >= LEAST
    assert np.abs(black - urgencies.patterns * UNIT)[~eyes(1)].max() <= 0.5 + LEAST


def test_own_eyes_are_those_of_the_oracle() -> None:
    """True eyes of the mover have 0, false ones and hostile ones do not, in corners and at edges too."""
    table = packed(zero_urgencies())
    for row, column in ((0, 0), (0, 2), (2, 2)):
        for stones in product((0, 1, 2), repeat=8):
            grid = [[0] * 5 for _ in range(5)]
            for stone, (dr, dc) in zip(stones, AROUND, strict=True):
                if row + dr >= 0 and column + dc >= 0:
                    grid[row + dr][column + dc] = stone
            entry = int(table[reference_pattern(grid, (row, column), 1)])
            assert (entry & 0xFFFFFFFF == 0) == oracle.is_true_eye(grid, (row, column), 1)
            assert (entry >> 32 == 0) == oracle.is_true_eye(grid, (row, column), 2)


def test_two_players_keep_to_their_halves() -> None:
    ours, theirs = random_urgencies(1), random_urgencies(2)
    black, white = halves(packed(ours, theirs))
    assert (black == halves(packed(ours))[0]).all() and (white == halves(packed(theirs))[1]).all()


def test_urgencies_without_measure_stay_in_their_half() -> None:
    """Of a file of huge numbers: a whole board of them, and all its stones in atari, fits into 32 bits."""
    much = Urgencies(np.full(PATTERNS, 1e38), 1e38)
    memory = new_urgency_memories(much, 19, white=zero_urgencies())[0]
    assert int(memory.table.max()) == MOST | UNIT << 32 and int(memory.one_liberty) == MOST
    assert int(new_urgency_memories(zero_urgencies(), 19, white=much)[0].one_liberty) == MOST << 32
    assert 2 * 361 * MOST < 1 << 32


# --- Manual -----------------------------------------------------------------------------------------------------


def found_by(value_and_picture: tuple[float, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The patterns that a picture matches, for the side to move."""
    return np.asarray(matching_codes((value_and_picture[1],), 1)[codes()])


def test_every_picture_matches_somewhere() -> None:
    """On a real board, and at a point that may be played."""
    for entry in MANUAL:
        assert (found_by(entry) & ~eyes(1)).any(), entry


def test_no_two_pictures_are_the_same() -> None:
    """Neither as they are drawn, turned, mirrored or with colours swapped, nor in what they match."""
    swap = str.maketrans("XOxo", "OXox")
    mirrored = {"X": "O", "O": "X", "any": "any"}
    drawn: set[tuple[Rows, str]] = set()
    for _, picture in MANUAL:
        here = {(rows, picture.to_play) for rows in symmetries(picture.rows)}
        here |= {(tuple(row.translate(swap) for row in rows), mirrored[who]) for rows, who in here}  # type: ignore[misc]
        assert not here & drawn, picture
        drawn |= here
    matched = [found_by(entry).tobytes() for entry in MANUAL]
    assert len(set(matched)) == len(MANUAL)


def test_urgencies_of_matching_pictures_add_up() -> None:
    """Every pattern has 1 and what its pictures say; some have several."""
    found = np.array([found_by(entry) for entry in MANUAL])
    values = np.array([value for value, _ in MANUAL])
    assert manual_urgencies().patterns == pytest.approx(1 + values @ found)
    assert (found.sum(axis=0) >= 2).sum() > 1000 and (found.sum(axis=0) == 0).sum() > 1000
    assert manual_urgencies().patterns.min() > 0 and manual_urgencies().one_liberty == indigo.ONE_LIBERTY > 0


def test_a_picture_is_seen_where_it_is_drawn() -> None:
    """The cross-cut, which both sides want, and its exception."""
    grid = [[0] * 5 for _ in range(5)]
    grid[1][1], grid[1][2], grid[2][1] = 1, 2, 2
    value = MANUAL[0][0]
    urgency = manual_urgencies().patterns
    for colour in (1, 2):
        assert urgency[reference_pattern(grid, (2, 2), colour)] >= 1 + value
    grid[2][3] = 2
    assert urgency[reference_pattern(grid, (2, 2), 1)] < 1 + value
    assert urgency[reference_pattern([[0] * 5 for _ in range(5)], (2, 2), 1)] == 1


def test_manual_is_symmetric() -> None:
    shared, kinds = symmetric()
    by_kind = np.zeros(kinds)
    by_kind[shared] = manual_urgencies().patterns
    assert (by_kind[shared] == manual_urgencies().patterns).all()


# --- files ------------------------------------------------------------------------------------------------------

PROVENANCE = Provenance("self-play", "2026-11-16", seed=3, games=10, settings={"k": 2.0})


@pytest.mark.parametrize("urgencies", [zero_urgencies(), manual_urgencies(), random_urgencies()])
def test_a_file_comes_back_as_it_was(tmp_path: Path, urgencies: Urgencies) -> None:
    """Exact in float32, with where it came from, in the place of an older one, and nothing left beside it."""
    path = tmp_path / "urgencies.npz"
    path.write_text("older")
    save_urgencies(path, urgencies, PROVENANCE)
    found, provenance = load_urgencies(path)
    assert (found.patterns == urgencies.patterns.astype(np.float32)).all() and provenance == PROVENANCE
    assert found.one_liberty == np.float32(urgencies.one_liberty)
    assert [file.name for file in tmp_path.iterdir()] == ["urgencies.npz"]
    assert (packed(found) == packed(urgencies)).all()


def values() -> np.ndarray[Any, np.dtype[np.float32]]:
    shared, kinds = symmetric()
    made = np.empty(kinds + 1, np.float32)
    made[shared] = random_urgencies().patterns
    made[kinds] = random_urgencies().one_liberty
    return made


def written(path: Path, theta: Any = None, about: dict[str, Any] | str | None = None, **more: Any) -> None:
    """A file by the recipe of the package, but for what is given; a text takes the place of the description."""
    theta = values() if theta is None else theta
    whole = {"format": FORM.format, "provenance": asdict(PROVENANCE)}
    if theta.dtype == np.float32:
        whole["sha256"] = checksum(theta)
    text = about if isinstance(about, str) else json.dumps(whole | (about or {}))
    with path.open("wb") as file:
        np.savez_compressed(file, theta=theta, about=np.array(text), **more)


def zipped(path: Path, **entries: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(f"{name}.npy", content)


def huge_header() -> bytes:
    header = io.BytesIO()
    shape: Any = {"descr": "<f4", "fortran_order": False, "shape": (1 << 60,)}
    np.lib.format.write_array_header_1_0(header, shape)
    return header.getvalue()


def changed(at: int, value: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    made = values()
    made[at] = value
    return made


HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "is not a file of urgencies"),
    "text": (lambda path: path.write_text("urgencies"), "is not a file of urgencies"),
    "one array": (lambda path: path.write_bytes(huge_header()), "is not a file of urgencies"),
    "pickle": (lambda path: written(path, theta=np.array([{}], object)), "is not a file of urgencies"),
    "one too many": (lambda path: written(path, more=np.zeros(1)), "is not a file of urgencies"),
    "float64": (
        lambda path: written(path, theta=values().astype(float)),
        "is not a file of urgencies: .its numbers are float64",
    ),
    "two dimensions": (lambda path: written(path, theta=values()[None]), "is not a file of urgencies"),
    "huge header": (lambda path: zipped(path, theta=huge_header(), about=b""), "is not a file of urgencies"),
    "bomb": (lambda path: zipped(path, theta=b"0" * (1 << 25), about=b""), "is not a file of urgencies"),
    "no json": (lambda path: written(path, about="{"), "is not a file of urgencies"),
    "a list": (lambda path: written(path, about="[]"), "is not in the format 'montego urgencies 1'"),
    "weights": (lambda path: written(path, about={"format": "montego weights 1"}), "is not in the format"),
    "other numbers": (lambda path: written(path, about={"sha256": checksum(values() * 2)}), "is damaged"),
    "too few": (lambda path: written(path, theta=values()[1:]), "holds 21123 urgencies; accepted: 21124 finite"),
    "none": (lambda path: written(path, theta=values()[:0]), "holds 0 urgencies; accepted: 21124 finite"),
    "negative": (lambda path: written(path, theta=changed(5, -0.5)), "accepted: 21124 finite numbers from 0"),
    "infinite": (lambda path: written(path, theta=changed(-1, np.inf)), "accepted: 21124 finite numbers from 0"),
    "nan": (lambda path: written(path, theta=changed(7, np.nan)), "accepted: 21124 finite numbers from 0"),
    "provenance": (lambda path: written(path, about={"provenance": {"author": 1}}), "does not tell where"),
    "no provenance": (lambda path: written(path, about={"provenance": None}), "does not tell where"),
    "wrong provenance": (lambda path: written(path, about={"provenance": {"seed": "x"}}), "does not tell where"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "urgencies.npz"
    written(path)
    assert (load_urgencies(path)[0].patterns == random_urgencies().patterns).all(), "the recipe itself is right"
    make, message = HOSTILE[kind]
    make(path)
    for use in (load_urgencies, lambda path: urgencies_of(str(path), 9), lambda path: fingerprint(str(path))):
        with pytest.raises(KnowledgeError, match=rf"urgencies\.npz.* {message}"):
            use(path)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"there is no file of urgencies .*none\.npz"):
        urgencies_of(str(tmp_path / "none.npz"), 9)
    for path in (str(tmp_path), "a\0b"):
        with pytest.raises(KnowledgeError, match="is not a file of urgencies"):
            urgencies_of(path, 9)
    with pytest.raises(KnowledgeError, match="cannot be written"):
        save_urgencies(tmp_path / "none" / "urgencies.npz", zero_urgencies(), PROVENANCE)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files_are_refused_or_whole(tmp_path: Path, data: st.DataObject) -> None:
    """Bytes changed, cut off or put in anywhere: never other urgencies than those saved, never another error."""
    path = tmp_path / "urgencies.npz"
    save_urgencies(path, manual_urgencies(), PROVENANCE)
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    end = at + data.draw(st.sampled_from([0, 1, 4, len(content)]))
    content[at:end] = data.draw(st.binary(max_size=4))
    path.write_bytes(content)
    try:
        found, _ = load_urgencies(path)
    except MontegoError:
        return
    assert (found.patterns == manual_urgencies().patterns.astype(np.float32)).all()


def test_the_fingerprint_changes_with_the_numbers(tmp_path: Path) -> None:
    path, found = tmp_path / "urgencies.npz", [fingerprint("zero"), fingerprint("manual")]
    shared, _ = symmetric()
    other = random_urgencies().patterns.copy()
    other[shared == shared[1234]] *= 1.01
    table = random_urgencies()
    for urgencies in (table, replace(table, patterns=other), replace(table, one_liberty=3.0)):
        save_urgencies(path, urgencies, PROVENANCE)
        found.append(fingerprint(str(path)))
    assert len(set(found)) == 5 and all(len(text) == 12 for text in found)
    save_urgencies(tmp_path / "same.npz", table, Provenance("somebody else"))
    assert fingerprint(str(tmp_path / "same.npz")) == found[2], "the numbers alone"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "urgencies.npz"
    for urgencies in (manual_urgencies(), random_urgencies()):
        save_urgencies(path, urgencies, PROVENANCE)
        first = urgencies_of(str(path), 9)
        assert first is urgencies_of(str(path), 19)
        assert (first.patterns == urgencies.patterns.astype(np.float32)).all()


def test_the_nearest_size_is_shipped() -> None:
    assert {shipped_file(size).name for size in range(2, 15)} == {"rlpr-9x9.npz"}
    assert {shipped_file(size).name for size in range(15, 20)} == {"rlpr-19x19.npz"}
    assert urgencies_of("zero", 9) is zero_urgencies() and urgencies_of("manual", 5) is manual_urgencies()
