"""SGF files as servers and editors write them, files that are wrong, and what comes back out."""

from __future__ import annotations

import contextlib
import copy
import gc
import pickle
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sgfmill import sgf as sgfmill_sgf

import montego
from montego import Game
from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, SetupError, SgfError
from montego.go.game import Move
from montego.go.geometry import geometry
from montego.go.record import MAX_SETUPS, GameRecord, rules_name
from montego.go.rules import RULES
from montego.go.sgf import read_sgf, write_sgf
from montego.go.sgf_tree import MAX_BYTES, MAX_ESCAPES, MAX_NODES, MAX_TOKENS

KGS = """(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]
RU[Japanese]SZ[19]HA[2]KM[0.50]TM[1800]OT[5x30 byo-yomi]
PW[white]PB[black]WR[2d]BR[1k]DT[2009-01-17]PC[The KGS Go Server at http://www.gokgs.com/]C[black [1k\\]: hi
white [2d\\]: hi]RE[W+Resign]
AB[dp][pd]
;W[dd]WL[1799.2]
;B[pq]BL[1795.1]
;W[oc]WL[1780]C[a joseki])"""

OGS = """(;FF[4]
CA[UTF-8]
GM[1]
DT[2020-04-01]
PC[OGS: https://online-go.com/game/1]
PB[anna]
PW[ben]
SZ[9]
KM[5.5]
RU[AGA]
RE[B+3.5]
;B[ee]
(;W[ec]
(;B[gc]
(;W[]
))))"""

SUPERKO = ";B[bb];W[bc];B[ac];W[cb];B[aa];W[ba];B[cc];W[ab];B[ca];W[bc];B[aa];W[cb];B[ac];W[ba]"
"""On 3×3: the last move brings back the position after move 8."""


def failure(source: bytes | str | Path, play: bool = True) -> str:
    """The message with which a file is refused, in reading or else in playing its main line."""
    with pytest.raises(SgfError) as caught:
        record = read_sgf(source)
        if play:
            record.to_game()
    message = str(caught.value)
    assert type(caught.value) is SgfError
    assert "\n" not in message and len(message) < 300
    return message


def moves(record: GameRecord) -> list[str]:
    return ["-bw"[node.move.colour] + " " + node.move.vertex for node in record.main_line() if node.move]


def round_trip(record: GameRecord) -> None:
    again = read_sgf(write_sgf(record))
    assert again == record
    assert write_sgf(again) == write_sgf(record)


# --- files as they are ----------------------------------------------------------------------------------------


def test_kgs() -> None:
    record = read_sgf(KGS)
    assert (record.size, record.komi, record.rules, record.handicap) == (19, 0.5, "japanese", 2)
    assert (record.black_player, record.white_player, record.result) == ("black", "white", "W+Resign")
    assert (record.date, record.event) == ("2009-01-17", "")
    assert record.root.comment == "black [1k]: hi\nwhite [2d]: hi"
    assert record.root.properties["WR"] == ["2d"]
    assert moves(record) == ["w D16", "b Q3", "w P17"]
    game = record.to_game()
    assert (game.size, game.komi, game.rules, game.handicap) == (19, 0.5, RULES["japanese"], 2)
    assert game.at("D4") == game.at("Q16") == BLACK and game.at("D16") == WHITE
    assert [move.vertex for move in game.moves] == ["D16", "Q3", "P17"]
    assert record.to_game(record.root).to_play == WHITE
    round_trip(record)


def test_ogs_nests_every_move() -> None:
    record = read_sgf(OGS)
    assert moves(record) == ["b E5", "w E7", "b G7", "w pass"]
    assert (record.rules, record.rules_text, record.komi) == ("aga", "AGA", 5.5)
    round_trip(record)


def test_a_path_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(KGS.encode())
    assert read_sgf(path) == read_sgf(KGS) == read_sgf(KGS.encode()) == read_sgf(bytearray(KGS.encode()))


def test_bare_file() -> None:
    record = read_sgf("(;)")
    assert (record.size, record.komi, record.rules, record.handicap) == (19, None, None, 0)
    assert (record.black_player, record.result, record.root.comment) == ("", "", "")
    assert record.main_line() == [record.root]
    game = record.to_game()
    assert (game.size, game.komi, game.rules.name, game.to_play) == (19, 0, "chinese", BLACK)
    round_trip(record)


def test_passes() -> None:
    record = read_sgf("(;SZ[19];B[tt];W[])")
    assert moves(record) == ["b pass", "w pass"]
    assert moves(read_sgf("(;SZ[5];B[tt])")) == ["b pass"]
    assert record.to_game().is_over


def test_play_goes_on_after_two_passes() -> None:
    assert read_sgf("(;SZ[9];B[aa];W[];B[];W[bb])").to_game().at("B8") == WHITE


@pytest.mark.parametrize(
    ("text", "komi"),
    {
        "6.5": 6.5,
        "0": 0,
        "3.75": 3.75,
        "-7": -7,
        " 6.5 ": 6.5,
        "6,5": 6.5,
        "+0.5": 0.5,
        ".5": 0.5,
        "7.": 7,
        "": None,
    }.items(),
)
def test_komi(text: str, komi: float | None) -> None:
    record = read_sgf(f"(;KM[{text}])")
    assert record.komi == komi
    assert record.to_game().komi == (komi or 0)
    round_trip(record)


@pytest.mark.parametrize(
    "text", ["junk", "nan", "inf", "1e999", "1e3", "0x10", "6.5.5", "6_5", "401", "9" * 5000, "六"]
)
def test_komi_that_is_none(text: str) -> None:
    message = failure(f"(;KM[{text}])", play=False)
    assert message.startswith("node 0 (root): komi") and "accepted" in message


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *(("Chinese", "chinese"), ("CHINESE", "chinese"), ("Chinese rules", "chinese"), (" chinese ", "chinese")),
        *(("Japanese", "japanese"), ("japanese Rules", "japanese"), ("Korean", "japanese"), ("AGA", "aga")),
        *(("aga rules", "aga"), ("NZ", "new-zealand"), ("New Zealand", "new-zealand"), ("CGOS", "cgos")),
        *(("Tromp-Taylor", "tromp-taylor"), ("Tromp Taylor rules", "tromp-taylor"), ("tromp_taylor", "tromp-taylor")),
        *(("Chinese-OGS", "chinese-ogs"), ("", None), ("GOE", None), ("rules", None), ("日本", None)),
    ],
)
def test_rules(text: str, name: str | None) -> None:
    assert rules_name(text) == name
    record = read_sgf(f"(;RU[{text}])")
    assert record.rules == name
    assert record.rules_text == text.strip()
    assert record.to_game().rules.name == (name or "chinese")
    round_trip(record)


def test_every_rule_set_comes_back() -> None:
    for name in RULES:
        assert read_sgf(write_sgf(Game(9, 7.5, name))).to_game().rules == RULES[name]


def test_old_long_names() -> None:
    record = read_sgf("(;GaMe[1]SiZe[9]KoMi[6.5]PlayerBlack[x]AddBlack[aa]junk[y];White[ee]Comment[c];Black[cc])")
    assert (record.size, record.komi, record.black_player, record.root.black) == (9, 6.5, "x", ("A9",))
    assert moves(record) == ["w E5", "b C7"]
    assert record.nodes[1].comment == "c"
    round_trip(record)


def test_junk_around_the_game() -> None:
    text = "From: someone ;-) [x] (a friend)\n\n(\n;SZ[9]\n;B[aa])\n-- \nsignature (;"
    assert moves(read_sgf(text)) == ["b A9"]


def test_the_first_game_of_a_collection() -> None:
    assert moves(read_sgf("(;SZ[9];B[aa])\n(;SZ[13];B[bb])")) == ["b A9"]
    assert moves(read_sgf("(;SZ[9];B[aa])\n(;SZ[13];B[bb")) == ["b A9"], "nobody looks at the second"


def test_a_collection_may_have_more_nodes_than_a_game() -> None:
    many = b"(;SZ[9];B[aa])" * (MAX_NODES + 1)
    assert moves(read_sgf(many)) == ["b A9"]


def test_several_values_where_one_belongs() -> None:
    record = read_sgf("(;SZ[9][19]KM[1][2]PB[a]PB[b]C[one]C[two])")
    assert (record.size, record.komi, record.black_player, record.root.comment) == (9, 1, "a", "one\ntwo")
    round_trip(record)


def test_text_and_escapes() -> None:
    record = read_sgf(r"(;PB[a\]b\\c: d\:]C[x\\\]\:y" + "\\\n" + "z\r\nnext\ttab\n\rlast])")
    assert record.black_player == r"a]b\c: d:"
    assert record.root.comment == "x\\]:yz\nnext tab\nlast"
    assert read_sgf("(;PB[two\nlines])").black_player == "two lines"
    round_trip(record)


def test_other_properties_are_kept() -> None:
    record = read_sgf(r"(;SZ[9]ST[2]XX[a\]b][](;B[aa]LB[aa:1][bb:2]TR[cc]BL[1.5])(;B[bb]N[名]))")
    assert record.root.properties == {"ST": ["2"], "XX": [r"a\]b", ""]}
    assert record.nodes[1].properties == {"LB": ["aa:1", "bb:2"], "TR": ["cc"], "BL": ["1.5"]}
    assert record.nodes[2].properties == {"N": ["名"]}
    round_trip(record)


# --- boards, setups, handicaps --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(2, 20))
def test_sizes(size: int) -> None:
    record = read_sgf(f"(;SZ[{size}];B[aa])")
    assert moves(record) == [f"b A{size}"]
    assert read_sgf(f"(;SZ[{size}:{size}])").size == size
    round_trip(record)


@pytest.mark.parametrize("text", ["0", "1", "20", "999", "9:13", "-9", "abc", "9x9", "9:", "1" * 6000, "９", "9.0"])
def test_sizes_that_are_none(text: str) -> None:
    message = failure(f"(;SZ[{text}];B[aa])", play=False)
    assert message.startswith("node 0 (root): board size") and "accepted" in message


def test_setup() -> None:
    record = read_sgf("(;SZ[5]AB[aa][bb][bb]AW[ee]PL[W];W[cc];AE[aa]AW[bb]AB[dd]PL[white];W[ab])")
    assert record.root.black == ("A5", "B4")
    assert record.to_game(0).to_play == WHITE
    game = record.to_game()
    assert {v: game.at(v) for v in ("A5", "B4", "E1", "C3", "D2", "A4")} == {
        **{"A5": 0, "B4": WHITE, "E1": WHITE, "C3": WHITE, "D2": BLACK, "A4": WHITE}
    }
    assert [move.vertex for move in game.moves] == ["A4"]
    round_trip(record)


def test_compressed_point_lists() -> None:
    record = read_sgf("(;SZ[9]AB[aa:cc]AW[ea:ea][ia:hb][dd])")
    assert record.root.black == tuple(f"{c}{r}" for r in (9, 8, 7) for c in "ABC")
    assert record.root.white == ("E9", "H9", "J9", "H8", "J8", "D6")
    assert record.to_game().stones.sum() == 9 * BLACK + 6 * WHITE
    round_trip(record)


def test_setup_on_an_occupied_point_replaces_the_stone() -> None:
    assert read_sgf("(;SZ[5];B[aa];AW[aa])").to_game().at("A5") == WHITE


def test_setup_and_move_in_one_node() -> None:
    game = read_sgf("(;SZ[5]AB[ab]AW[aa]B[ba];W[ee])").to_game()
    assert game.at("A5") == 0 and game.captured("white") == 1
    assert game.at("B5") == BLACK and game.at("E1") == WHITE


def test_move_in_the_root() -> None:
    record = read_sgf("(;SZ[5]B[aa];W[bb])")
    assert moves(record) == ["b A5", "w B4"]
    assert record.to_game(0).at("A5") == BLACK
    round_trip(record)


def test_to_play_follows_the_file() -> None:
    assert read_sgf("(;SZ[5]AB[aa]AW[bb];W[cc])").to_game(0).to_play == WHITE, "as White plays next"
    assert read_sgf("(;SZ[5]AB[aa]AW[bb]PL[B];W[cc])").to_game(0).to_play == BLACK
    assert read_sgf("(;SZ[5]PL[w])").to_game().to_play == WHITE
    assert read_sgf("(;SZ[5]PL[])").to_game().to_play == BLACK
    assert read_sgf("(;SZ[5];B[aa];B[bb];B[cc])").to_game().to_play == WHITE


def test_naming_the_side_to_play_keeps_the_past() -> None:
    assert len(read_sgf("(;SZ[5];B[aa];PL[W];W[bb])").to_game().moves) == 2


def test_handicap() -> None:
    game = read_sgf("(;SZ[9]HA[3]AB[cc][gg][gc];W[ee])").to_game()
    assert (game.handicap, game.to_play, game.at("E5")) == (3, BLACK, WHITE)
    later = read_sgf("(;SZ[9]HA[2];AB[cc][gg];W[ee])").to_game()
    assert (later.handicap, later.to_play) == (2, BLACK)
    assert read_sgf("(;SZ[9]HA[2]AB[cc][gg]PL[B])").to_game().to_play == BLACK
    with_white = read_sgf("(;SZ[9]HA[2]AB[cc][gg]AW[ee])").to_game()
    assert (with_white.handicap, with_white.at("E5"), with_white.to_play) == (2, WHITE, WHITE)


def test_handicap_that_is_not_set_up_as_such() -> None:
    played = read_sgf("(;SZ[9]HA[2];B[cc];B[gg];W[ee])")
    assert played.handicap == 2
    assert played.to_game().handicap == 2
    assert read_sgf("(;SZ[9]HA[3]AB[cc][gg])").to_game().handicap == 3
    assert read_sgf("(;SZ[9]HA[0]AB[cc][gg])").to_game().handicap == 0
    assert read_sgf("(;SZ[9]HA[1]AB[cc])").handicap == 1


@pytest.mark.parametrize("text", ["-5", "abc", "81", "2.5", "1" * 6000, "²"])
def test_handicaps_that_are_none(text: str) -> None:
    message = failure(f"(;SZ[9]HA[{text}])", play=False)
    assert message.startswith("node 0 (root): a handicap of") and "accepted: 0 to 80" in message


# --- the tree -------------------------------------------------------------------------------------------------

TREE = "(;SZ[9];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff](;B[gg])(;B[hh]C[last])))"


def test_variations() -> None:
    record = read_sgf(TREE)
    assert [node.number for node in record.walk()] == list(range(9))
    assert [node.number for node in record.main_line()] == [0, 1, 2, 3, 4]
    assert [node.number for node in record.children(1)] == [2, 6]
    last = record.nodes[8]
    assert last.comment == "last"
    assert [node.number for node in record.path(last)] == [0, 1, 6, 8]
    before = record.parent(last)
    assert before is not None and before.number == 6
    assert record.parent(record.root) is None
    game = record.to_game(last)
    assert [move.vertex for move in game.moves] == ["A9", "F4", "H2"]
    assert [len(game.moves) for _, game in record.replay(8)] == [0, 1, 2, 3]
    assert read_sgf(write_sgf(record)).nodes == record.nodes
    round_trip(record)


def test_before_move() -> None:
    record = read_sgf("(;SZ[9];C[x];B[aa];C[y];W[bb](;B[cc])(;B[dd]))")
    assert [record.before_move(n).number for n in (1, 2, 3, 4, 9)] == [1, 3, 4, 5, 5]
    assert read_sgf("(;SZ[9]B[aa];W[bb])").before_move(2).number == 0


def test_where() -> None:
    record = read_sgf(TREE)
    assert record.where(0) == "node 0 (root)"
    assert record.where(4) == "node 4 (main line, move 4: white D6)"
    assert record.where(5) == "node 5 (variation, move 4: white E5)"
    assert read_sgf("(;SZ[9]B[aa])").where(0) == "node 0 (root, move 1: black A9)"


def test_no_such_node() -> None:
    record = read_sgf(TREE)
    for number in (9, -1, True, "1", None):
        with pytest.raises(SgfError):
            record.path(number)  # type: ignore[arg-type]


def test_building_a_record() -> None:
    record = GameRecord(9, 6.5, "Chinese", black_player="x]\\", event="E")
    first = record.add(record.root, Move(BLACK, "e5"), comment="tab\t\r\nend\\ ] \ud800")
    second = record.add(first, Move(WHITE, "pass"))
    record.add(record.root, black=["A1", "a1", "B2"], white=["C3"], empty=["D4"], to_play="w")
    record.add(second, Move(BLACK, "D4"))
    assert first.comment == "tab \nend\\ ] ?"
    assert record.nodes[3].black == ("A1", "B2")
    assert [node.number for node in record.walk()] == [0, 1, 2, 4, 3]
    round_trip(record)
    with pytest.raises(MontegoError):
        record.add(0, Move(BLACK, "Z1"))
    with pytest.raises(MontegoError):
        record.add(0, black=["pass"])
    with pytest.raises(MontegoError):
        record.add(17)
    assert len(record.nodes) == 5 and len(record.root.children) == 2


def test_records_differ() -> None:
    record = read_sgf(TREE)
    others = [TREE.replace("9", "8", 1), TREE.replace("gg", "gf"), TREE.replace("last", "first")]
    others += [TREE.replace("(;W[dd])(;W[ee])", "(;W[dd];W[ee])"), TREE.replace("(;W[ee])", ""), "(;SZ[9]KM[1])"]
    assert all(read_sgf(other) != record for other in others)
    assert record != "record"
    assert copy.deepcopy(record) == record == pickle.loads(pickle.dumps(record))
    assert repr(record).startswith("GameRecord(size=9, komi=None") and len(repr(record)) < 300


# --- charsets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("charset", "name"),
    [
        *(("GBK", "柯洁"), ("GB18030", "范廷钰𠮷"), ("GB2312", "柯洁"), ("Big5", "許功蓋"), ("EUC-KR", "이세돌")),
        *(
            ("Shift_JIS", "ソ井山能表"),
            ("EUC-JP", "井山裕太"),
            ("ISO-2022-JP", "井山裕太"),
            ("UTF-8", "柯洁 Lee 이세돌 é"),
        ),
        *(("windows-1251", "Шикшин"), ("koi8-r", "Шикшин"), ("ISO-8859-1", "Müller é"), ("iso8859-15", "Œuvre €")),
    ],
)
def test_declared_charsets(charset: str, name: str) -> None:
    data = f"(;CA[{charset}]SZ[9]PB[{name}]PW[x];B[aa]C[{name}];W[bb])".encode(charset)
    record = read_sgf(data)
    assert (record.black_player, record.white_player) == (name, "x")
    assert record.nodes[1].comment == name
    assert moves(record) == ["b A9", "w B8"]
    round_trip(record)
    assert name.encode() in write_sgf(record)


def test_charset_declared_after_the_text() -> None:
    data = "(;SZ[9]C[表ソ能]PB[ソ]CA[Shift_JIS];B[aa])".encode("shift_jis")
    assert read_sgf(data).black_player == "ソ"


def test_larger_charset_than_declared() -> None:
    assert read_sgf("(;CA[gb2312]PB[朴廷桓喆])".encode("gbk")).black_player == "朴廷桓喆"
    assert read_sgf("(;CA[Shift_JIS]PB[①髙])".encode("cp932")).black_player == "①髙"
    assert read_sgf("(;CA[EUC-KR]PB[똠방각하])".encode("cp949")).black_player == "똠방각하"


def test_no_charset() -> None:
    assert read_sgf("(;PB[柯洁])".encode()).black_player == "柯洁"
    assert read_sgf("(;PB[Müller])".encode("latin-1")).black_player == "Müller"


def test_byte_order_marks() -> None:
    assert read_sgf(b"\xef\xbb\xbf" + "(;CA[GBK]PB[é柯洁])".encode()).black_player == "é柯洁"
    assert read_sgf("(;PB[柯洁];B[aa])".encode("utf-16")).black_player == "柯洁"
    assert read_sgf("\ufeff(;PB[柯洁])").black_player == "柯洁"
    failure(b"\xff\xfe")


def test_text_has_no_charset_any_more() -> None:
    assert read_sgf("(;CA[GBK]PB[柯洁é])").black_player == "柯洁é"


@pytest.mark.parametrize("charset", ["no-such", "", "utf-16", "utf-7", "rot13", "idna", "punycode", "unicode_escape"])
def test_charsets_that_are_none(charset: str) -> None:
    record = read_sgf(f"(;CA[{charset}]PB[柯洁]C[xn--a.b \\u0041 +AGE-];B[aa])".encode())
    assert record.black_player == "柯洁"
    assert record.root.comment == "xn--a.b u0041 +AGE-"
    assert moves(record) == ["b A19"]


@pytest.mark.parametrize(
    "charset", [b"\x00", b"\xff", b"a\x00b", b"x" * 5000, b"aliases", b"..", b"mbcs", b"hex", b" "]
)
def test_hostile_charset_names(charset: bytes) -> None:
    assert moves(read_sgf(b"(;CA[" + charset + b"];B[aa])")) == ["b A19"]


@pytest.mark.parametrize("declared", ["GBK", "Shift_JIS", "Big5", "EUC-KR", "ascii", "UTF-8", "iso-2022-jp", "cp1252"])
@pytest.mark.parametrize("actual", ["utf-8", "gb18030", "shift_jis", "big5", "euc-kr", "latin-1"])
def test_the_game_survives_a_wrong_charset(declared: str, actual: str) -> None:
    name = {"gb18030": "柯洁", "shift_jis": "井山", "big5": "許家", "euc-kr": "이세돌", "latin-1": "Müller"}
    text = f"(;CA[{declared}]SZ[9]PB[{name.get(actual, '名人戦')}]C[x];B[aa];W[bb]N[ok])"
    record = read_sgf(text.encode(actual))
    assert record.size == 9
    assert moves(record) == ["b A9", "w B8"]
    assert record.nodes[2].properties == {"N": ["ok"]}


def test_undecodable_bytes() -> None:
    record = read_sgf(b"(;CA[UTF-8]SZ[9]PB[\xff\xfe\x80];B[aa]C[caf\xe9])")
    assert record.nodes[1].comment == "café"
    assert moves(record) == ["b A9"]
    broken = "(;CA[Shift_JIS]SZ[9]PB[ソ]C[ソ".encode("shift_jis") + b"\xff" + "ソ];B[aa])".encode("shift_jis")
    assert moves(read_sgf(broken)) == ["b A9"]


# --- playing: what is refused ---------------------------------------------------------------------------------


def test_illegal_moves_name_the_node() -> None:
    assert failure("(;SZ[9];B[aa];W[bb];B[cc];W[dd];C[x];B[bb])") == (
        "node 6 (main line, move 5: black B8): the point is occupied; accepted: an empty point"
    )
    message = failure("(;SZ[9];B[ab];W[ee];B[ba];W[aa])")
    assert message.startswith("node 4 (main line, move 4: white A9): it would have no liberty")
    record = read_sgf("(;SZ[9];B[aa](;W[bb])(;W[aa]))")
    assert len(record.to_game().moves) == 2
    with pytest.raises(SgfError, match=r"node 3 \(variation, move 2: white A9\)"):
        record.to_game(3)


def test_ko() -> None:
    ko = "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb])"
    assert "move 2: white B4): the ko may not be taken back at once" in failure(ko)


@pytest.mark.parametrize("rules", ["", "Chinese", "GOE", "unheard of"])
def test_repetition_is_accepted_under_unknown_rules(rules: str) -> None:
    assert len(read_sgf(f"(;SZ[3]RU[{rules}]{SUPERKO})").to_game().moves) == 14


@pytest.mark.parametrize("rules", ["AGA", "NZ", "Tromp-Taylor", "chinese-ogs"])
def test_superko_is_kept_where_the_file_says_so(rules: str) -> None:
    text = f"(;SZ[3]RU[{rules}]{SUPERKO})"
    assert failure(text).startswith("node 14 (main line, move 14: white B3): it would repeat a position")
    assert len(read_sgf(text).to_game(rules="chinese").moves) == 14


def test_a_cycle_ends_a_japanese_game() -> None:
    record = read_sgf(f"(;SZ[3]RU[Japanese]{SUPERKO};B[])")
    assert record.to_game(14).result() == "Void"
    with pytest.raises(SgfError, match=r"node 15 .*: the game had ended: a position came back"):
        record.to_game()
    assert len(record.to_game(rules="chinese").moves) == 15


def test_suicide_follows_the_rules() -> None:
    text = "(;SZ[5]RU[{}]AB[ba][ab];W[aa])"
    assert read_sgf(text.format("NZ")).to_game().at("A5") == 0
    assert "suicide" in failure(text.format("Chinese"))


def test_other_rules_and_komi_on_demand() -> None:
    game = read_sgf(KGS).to_game(rules="aga", komi=7)
    assert (game.rules.name, game.komi) == ("aga", 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;SZ[9];B[aa];W[zz])", "node 2 (main line): in W: 'zz' is not an SGF point"),
        ("(;SZ[9];B[jj])", "node 1 (main line): in B: 'jj'"),
        ("(;SZ[9];B[AA])", "node 1 (main line): in B: 'AA'"),
        ("(;SZ[9];B[aaa])", "node 1 (main line): in B: 'aaa'"),
        ("(;SZ[9];B[a])", "node 1 (main line): in B: 'a'"),
        ("(;SZ[9];B[" + "x" * 100000 + "])", "node 1 (main line): in B: 'xxx"),
        ("(;SZ[9];B[aa](;W[bb])(;W[é]))", "node 3 (variation): in W: '\\xe9'"),
        ("(;SZ[9];B[aa]W[bb])", "node 1 (main line): two moves in one node"),
        ("(;SZ[9];B[aa][bb])", "node 1 (main line): two moves in one node"),
        ("(;SZ[9]AB[zz])", "node 0 (root): in AB: 'zz'"),
        ("(;SZ[9]AW[tt])", "node 0 (root): in AW: 'tt'"),
        ("(;SZ[9];AE[aa:zz])", "node 1 (main line): in AE: 'zz'"),
        ("(;SZ[9];AE[aa:])", "node 1 (main line): in AE: 'aa:'"),
        ("(;SZ[9];AE[aa:bb:cc])", "node 1 (main line): in AE: 'bb:cc'"),
        ("(;SZ[9];AB[aa:cc]AW[bb])", "node 1 (main line): the setup names B8 in more than one"),
        ("(;SZ[9];PL[purple])", "node 1 (main line): 'purple' is not a colour"),
        ("(;GM[2])", "node 0 (root): GM[2] is another game"),
        ("(;SZ[5]AB[ab][ba];AW[aa])", "node 1 (main line): the chain at"),
        ("(;SZ[5]AB[aa:ee])", "node 0 (root): the chain at A5 would have no liberty"),
    ],
)
def test_what_is_wrong_names_the_node(text: str, message: str) -> None:
    assert failure(text).startswith(message)


# --- writing --------------------------------------------------------------------------------------------------


def test_written_header() -> None:
    game = Game(9, 6.5, "japanese")
    game.place_fixed_handicap(2)
    game.play("E5")
    game.resign()
    written = write_sgf(game)
    assert written.startswith(b"(;FF[4]")
    for part in ("GM[1]", "CA[UTF-8]", "SZ[9]", "KM[6.5]", "RU[Japanese]", "HA[2]", "RE[W+R]", "PL[W]"):
        assert part.encode() in written
    assert f"AP[Montego:{montego.__version__}]".encode() in written
    assert b"AB[gc][cg]" in written and b";W[ee]" in written


def test_written_moves_are_what_sgfmill_reads() -> None:
    game = Game(13)
    for vertex in ("A1", "N13", "pass", "C4"):
        game.play(vertex)
    theirs = sgfmill_sgf.Sgf_game.from_bytes(write_sgf(game))
    assert (theirs.get_size(), theirs.get_komi()) == (13, 7.5)
    assert [node.get_move() for node in theirs.get_main_sequence()][1:] == [
        ("b", (0, 0)),
        ("w", (12, 12)),
        ("b", None),
        ("w", (3, 2)),
    ]


def same_game(one: Game, other: Game) -> None:
    assert (one.size, one.komi, one.rules, one.handicap) == (other.size, other.komi, other.rules, other.handicap)
    assert (one.to_play, one.moves, one.ko) == (other.to_play, other.moves, other.ko)
    assert np.array_equal(one.stones, other.stones) and np.array_equal(one.history, other.history)
    assert one.captured("b") == other.captured("b") and one.captured("w") == other.captured("w")


@pytest.mark.parametrize("seed", range(12))
def test_games_come_back(seed: int) -> None:
    chance = random.Random(seed)
    game = Game(chance.choice([2, 5, 9]), chance.choice([0, 0.5, -3, 7.5, 3.75]), chance.choice(list(RULES)))
    if chance.random() < 0.5:
        game.place_free_handicap(chance.randint(2, 3))
    for _ in range(60):
        kind = chance.random()
        colour = chance.choice([BLACK, WHITE]) if kind < 0.1 else None
        legal = game.legal_moves(colour)
        if game.result() == "Void":
            break
        if kind > 0.95:
            with contextlib.suppress(SetupError):
                game.setup(white=legal[:1], to_play=BLACK + WHITE - game.to_play)
        else:
            game.play(chance.choice([*legal, "pass"]), colour)
    record = read_sgf(write_sgf(game))
    same_game(record.to_game(), game)
    assert record == GameRecord.from_game(game)
    round_trip(record)


def test_a_diagram_comes_back() -> None:
    game = Game.from_diagram("X O .\n. X .\nO . .", to_play="w")
    same_game(read_sgf(write_sgf(game)).to_game(), game)


def test_setups_before_the_first_move_come_back() -> None:
    game = Game(9)
    game.place_fixed_handicap(2)
    game.setup(white=["E5"], to_play="b")
    game.setup(empty=["E5"], black=["A1"])
    record = read_sgf(write_sgf(game))
    assert len(record.nodes) == 3
    same_game(record.to_game(), game)


def test_setups_of_nothing_new_come_back() -> None:
    game = Game(5)
    game.play("C3")
    game.setup()
    game.play("pass")
    game.setup(to_play="w")
    record = read_sgf(write_sgf(game))
    same_game(record.to_game(), game)
    assert record == GameRecord.from_game(record.to_game())


def test_results() -> None:
    game = Game(5, 0.5)
    assert read_sgf(write_sgf(game)).result == ""
    game.play("C3")
    game.resign("b")
    assert read_sgf(write_sgf(game)).result == "W+R"
    assert moves(GameRecord.from_game(game)) == ["b C3"]
    assert game.result() == "W+R", "the game itself is as it was"
    game.undo()
    game.play("pass")
    game.play("pass")
    assert read_sgf(write_sgf(game)).result == "B+24.5"


def test_what_cannot_be_written() -> None:
    for thing in (None, "(;)", b"(;)", 3):
        with pytest.raises(SgfError):
            write_sgf(thing)  # type: ignore[arg-type]
    record = read_sgf("(;SZ[9];B[aa])")
    for name, values in (("x", ["1"]), ("", ["1"]), ("N", []), ("N", ["a]"]), ("N", ["a\\"]), ("N[", ["a"])):
        record.nodes[1].properties = {name: values}
        with pytest.raises(SgfError, match=r"node 1 \(main line, move 1: black A9\)"):
            write_sgf(record)


# --- hostile files --------------------------------------------------------------------------------------------

BIG = MAX_BYTES - 16
BROKEN: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "too long": lambda: b"(;C[" + b"a" * MAX_BYTES + b"])",
    "blank": lambda: b" " * BIG,
    "blank after a bracket": lambda: b"(" + b" " * BIG,
    "blank after a semicolon": lambda: b"(;" + b" " * BIG,
    "binary": lambda: bytes(range(256)) * 1000,
    "NUL": lambda: b"\0" * BIG,
    "NUL in a game": lambda: b"(;SZ[9]\0;B[aa])",
    "truncated": lambda: KGS.encode()[:-1],
    "truncated value": lambda: KGS.encode()[:-20],
    "open parentheses": lambda: b"(;" + b"(" * 1_000_000,
    "open parentheses, all": lambda: b"(;" + b"(" * BIG,
    "open nodes": lambda: b"(;" * 1_000_000,
    "few open nodes": lambda: b"(;" * MAX_NODES,
    "closing parentheses": lambda: b")" * BIG,
    "open brackets": lambda: b"(;" + b"[" * BIG,
    "open values": lambda: b"(;C[" * (BIG // 4),
    "escapes": lambda: b"(;C[" + b"\\" * BIG,
    "open escapes": lambda: b"(;C[" + b"\\a" * MAX_ESCAPES,
    "nodes": lambda: b"(;" + b";" * BIG,
    "too many nodes": lambda: b"(;" + b";B[]" * MAX_NODES + b")",
    "values": lambda: b"(;A" + b"[]" * (BIG // 2) + b")",
    "properties": lambda: b"(;" + b"A[]" * (BIG // 3) + b")",
    "names": lambda: b"(;" + b"A " * (BIG // 2),
    "a name": lambda: b"(;" + b"A" * BIG,
    "charsets": lambda: b"]CA[" * (BIG // 4),
    "halves of characters": lambda: b"(;CA[GBK]C[" + b"\x81]" * (BIG // 2),
    "setup points": lambda: b"(;" + b";AB[aa:rs]" * 10_000 + b")",
    "setup rectangles": lambda: b"(;AB" + b"[aa:ss]" * 800_000 + b")",
    "value first": lambda: b"(;[a])",
    "name alone": lambda: b"(;SZ)",
    "no node": lambda: b"()",
    "no node within": lambda: b"(;())",
    "property outside": lambda: b"(;(SZ[9]))",
    "a file name": lambda: b"game.sgf",
    "komi": lambda: b"(;KM[" + b"9" * BIG + b"])",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files(name: str) -> None:
    data = BROKEN[name]()
    start = time.process_time()
    failure(data, play=False)
    assert time.process_time() - start < 5, "2 s where nothing else runs"


LARGE: dict[str, Callable[[], bytes]] = {
    "value": lambda: b"(;C[" + b"a" * BIG + b"])",
    "line breaks": lambda: b"(;C[" + b"\n" * BIG + b"])",
    "escapes": lambda: b"(;C[" + b"\\a" * MAX_ESCAPES + b"])",
    "many values": lambda: b"(;A" + b"[]" * (MAX_TOKENS - 100) + b")",
    "long line": lambda: b"(;" + b";B[];W[]" * 25_000 + b")",
    "nested variations": lambda: b"(;" + b"(;B[aa](;W[bb])" * 33_000 + b")" * 33_001,
    "nested, all": lambda: b"(;B[aa]" * MAX_NODES + b")" * MAX_NODES,
    "wide": lambda: b"(;" + b"(;B[aa])" * (MAX_NODES - 1) + b")",
}


@pytest.mark.parametrize("name", LARGE)
def test_large_files_come_back_and_go_away(name: str) -> None:
    data = LARGE[name]()
    start = time.process_time()
    record = read_sgf(data)
    assert time.process_time() - start < 5, "2 s where nothing else runs"
    written = write_sgf(record)
    assert len(written) > MAX_BYTES or read_sgf(written) == record
    record.main_line()
    copy.deepcopy(record.nodes[-1])
    del record
    gc.collect()


def test_a_line_too_long_to_play() -> None:
    record = read_sgf(b"(;SZ[2]" + b";B[];W[]" * 1000 + b")")
    with pytest.raises(SgfError, match=r"node 141 \(main line, move 141: black pass\): the game has 140 moves"):
        record.to_game()
    assert len(record.to_game(140).moves) == 140


def test_too_many_setups_to_play() -> None:
    record = read_sgf(b"(;SZ[2]" + b";AB[aa];AW[aa]" * MAX_SETUPS + b")")
    with pytest.raises(SgfError, match=f"node {MAX_SETUPS + 1} .*more than {MAX_SETUPS} setups"):
        record.to_game()
    assert record.to_game(MAX_SETUPS).at("A2") == WHITE


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "No such file" in failure(tmp_path / "missing.sgf")
    assert "cannot read the file" in failure(tmp_path)
    assert "cannot read the file" in failure(Path("a\0b"))
    (tmp_path / "large.sgf").write_bytes(b"(;)" + b" " * MAX_BYTES)
    assert "at most 8 MiB" in failure(tmp_path / "large.sgf")
    assert "path object" in failure("game.sgf")
    for source in (None, 3, ["(;)"]):
        with pytest.raises(SgfError):
            read_sgf(source)  # type: ignore[arg-type]


def test_points_are_the_boards_own() -> None:
    names = geometry(19)
    for point in map(int, names.points):
        record = read_sgf(f"(;;B[{names.sgf(point)}])")
        assert moves(record) == [f"b {names.vertex(point)}"]
