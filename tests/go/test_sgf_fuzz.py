"""Files nobody wrote: whatever comes in, a record or an SgfError comes out, and the record comes back as it was."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from montego.go.errors import SgfError
from montego.go.geometry import MAX_SIZE, MIN_SIZE
from montego.go.record import GameRecord
from montego.go.sgf import read_sgf, write_sgf

FEW = settings(max_examples=170, deadline=None, derandomize=True)
MANY = settings(FEW, max_examples=7_000, database=None, suppress_health_check=[HealthCheck.too_slow])
FEW_SIZES = (2, 5, 9)
"""Each size is compiled when it is first played on."""
ALL_SIZES = range(MIN_SIZE, MAX_SIZE + 1)

FILES = [
    b"(;GM[1]FF[4]CA[UTF-8]RU[Japanese]SZ[9]HA[2]KM[0.50]PW[w]PB[b]C[hi [1k\\]:\nyes]AB[cg][gc];W[ee];B[dc];W[tt];B[])",
    b"(;SZ[5]RU[AGA]KM[5.5];B[cc](;W[cb](;B[bb](;W[]))(;B[db]C[other]))(;W[bc]TR[cc]LB[aa:1][bb:2]))",
    b"(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb]PL[B];B[cb];W[ee];B[bb];AE[aa:cc]AW[ee]PL[W];W[ab])",
    b"(;SZ[2]RU[Tromp-Taylor];B[aa];W[ba];B[bb];W[];B[ba];W[])",
    "(;SZ[5]CA[Shift_JIS]PB[ソ能表]PW[名人];B[aa]C[表]N[ソ])".encode("shift_jis"),
    "(;CA[GBK]SZ[5]PB[柯洁]C[丂乚];B[aa];W[bb])".encode("gbk"),
    "(;SiZe[9]PlayerBlack[é]White[ee]Comment[ü];Black[cc])(;SZ[2])".encode("latin-1"),
]


def check(data: bytes, sizes: Collection[int]) -> None:
    """Read, write, read again; on boards of `sizes` also play every line."""
    try:
        record = read_sgf(data)
    except SgfError as error:
        assert_clear(error)
        return
    assert read_sgf(write_sgf(record)) == record
    if record.size in sizes:
        for node in record.nodes:
            if not node.children:
                play(record, node.number)


def play(record: GameRecord, last: int) -> None:
    try:
        game = record.to_game(last)
    except SgfError as error:
        assert_clear(error)
        assert str(error).startswith("node ")
        return
    again = read_sgf(write_sgf(game)).to_game()
    assert (again.stones == game.stones).all()
    assert (again.to_play, again.moves, again.handicap) == (game.to_play, game.moves, game.handicap)


def assert_clear(error: SgfError) -> None:
    assert type(error) is SgfError
    assert 10 < len(str(error)) < 300
    assert str(error).isprintable()


def edited(data: bytes, changes: list[tuple[str, int, int, bytes]]) -> bytes:
    for kind, first, second, extra in changes:
        start, length = first % (len(data) + 1), second % 20
        piece = data[start : start + length]
        if kind == "delete":
            data = data[:start] + data[start + length :]
        elif kind == "duplicate":
            data = data[:start] + piece + data[start:]
        elif kind == "flip":
            flipped = bytes(byte ^ (1 << second % 8) for byte in piece[:1])
            data = data[:start] + flipped + data[start + len(flipped) :]
        elif kind == "insert":
            data = data[:start] + extra + data[start:]
        elif kind == "move":
            rest = data[:start] + data[start + length :]
            target = second % (len(rest) + 1)
            data = rest[:target] + piece + rest[target:]
        else:
            data = data[:start]
    return data


def closed(text: str) -> bytes:
    """The text, and the closing parentheses that it lacks."""
    return (text + ")" * max(1, text.count("(") - text.count(")"))).encode("utf-8", "replace")


NAMES = [
    "AB",
    "AW",
    "AE",
    "PL",
    "C",
    "SZ",
    "KM",
    "HA",
    "RU",
    "CA",
    "GM",
    "FF",
    "AP",
    "RE",
    "PB",
    "KO",
    "LB",
    "X",
    "abc",
]
VALUES = [
    "",
    "tt",
    "aa:ee",
    "ba:ab",
    "zz",
    "B",
    "w",
    "purple",
    "5",
    "2",
    "5:5",
    "9:13",
    "999",
    "-5",
    "0.5",
    "nan",
    "1e999",
]
TEXTS = ["GBK", "utf-16", "Shift_JIS", "AGA", "Japanese", "\\", "\\]", "\\\n", "\0", "ソ"]

values = st.one_of(
    st.text("abcde", min_size=2, max_size=2),
    st.sampled_from(VALUES + TEXTS),
    st.text(max_size=4).map(lambda text: text.replace("\\", "\\\\").replace("]", "\\]")),
)
moves = st.tuples(st.sampled_from(["B", "W", "Black"]), st.text("abcde", min_size=2, max_size=2)).map(
    lambda move: f";{move[0]}[{move[1]}]"
)
properties = st.tuples(st.sampled_from(NAMES), st.lists(values, min_size=1, max_size=3)).map(
    lambda pair: pair[0] + "".join(f"[{value}]" for value in pair[1])
)
pieces = st.one_of(moves, properties, st.sampled_from([";", "(", ")", ")(", "\n"]))
soups = st.tuples(
    st.sampled_from(["(;SZ[5]", "(;SZ[2]", "(;"]),
    st.lists(pieces, max_size=16).map("".join),
    st.sampled_from(["", ")"]),
).map(lambda parts: closed("".join(parts)))

changes = st.lists(
    st.tuples(
        st.sampled_from(["delete", "duplicate", "flip", "insert", "move", "cut"]),
        st.integers(0, 1_000),
        st.integers(0, 1_000),
        st.one_of(st.binary(max_size=3), st.sampled_from([b"(", b")", b";", b"[", b"]", b"\\", b"(;B[cc])", b"\x83"])),
    ),
    min_size=1,
    max_size=4,
)
files = st.tuples(st.sampled_from(FILES), changes).map(lambda pair: edited(*pair))
junk = st.one_of(st.binary(max_size=200), st.binary(max_size=60).map(lambda data: b"(;SZ[5]" + data + b")"))

KINDS = {"junk": junk, "edited": files, "soup": soups}


@pytest.mark.parametrize("kind", KINDS)
def test_any_input(kind: str) -> None:
    @FEW
    @given(KINDS[kind])
    def run(data: bytes) -> None:
        check(data, FEW_SIZES)

    run()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_much_more_input(kind: str) -> None:
    @MANY
    @given(KINDS[kind])
    def run(data: bytes) -> None:
        check(data, ALL_SIZES)

    run()


def test_the_files_are_good() -> None:
    for data in FILES:
        record = read_sgf(data)
        record.to_game()
        check(data, FEW_SIZES)
