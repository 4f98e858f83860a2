"""The engine's commands, one by one, as a client sees them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gtp.in_process import ask, new_session, state
from montego import __version__
from montego.go.board import BLACK, WHITE
from montego.gtp.commands import load
from montego.gtp.protocol import parse_command, reply
from montego.gtp.session import Options, Session
from montego.players.worker import PlayerSpec


@pytest.fixture
def session() -> Session:
    return new_session()


def good(session: Session, line: str) -> str:
    """The text of a reply that is no refusal."""
    answer = ask(session, line)
    assert answer.startswith("=") and answer.endswith("\n\n"), answer
    return answer[1:].strip(" \n")


def bad(session: Session, line: str) -> str:
    """The text of a refusal, which changes nothing."""
    before = state(session)
    answer = ask(session, line)
    assert answer.startswith("?") and answer.endswith("\n\n") and answer.count("\n") == 2, answer
    assert state(session) == before
    return answer[1:].strip()


# --- the protocol -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "number", "name", "words"),
    [
        ("name\n", "", "name", ()),
        ("17 name\r\n", "17", "name", ()),
        ("  lz-genmove_analyze b 10", "", "lz-genmove_analyze", ("b", "10")),
        ("play\tB\tD4 # a comment", "", "play", ("B", "D4")),
        ("\x07na\x01me\x7f", "", "name", ()),
        ("0007 quit", "0007", "quit", ()),
        ("\ufeffname", "", "name", ()),
        ("12", "12", "", ()),
        ("99999999999999999999 name", "", "99999999999999999999", ("name",)),
    ],
)
def test_lines(line: str, number: str, name: str, words: tuple[str, ...]) -> None:
    command = parse_command(line)
    assert command is not None and (command.number, command.name, command.words) == (number, name, words)


@pytest.mark.parametrize("line", ["", "\n", " \t\r\n", "# a comment", "   # interrupt", "\x00\x01"])
def test_lines_with_nothing_on_them(line: str, session: Session) -> None:
    assert parse_command(line) is None and ask(session, line) == ""


def test_replies() -> None:
    assert reply("", "") == "=\n\n"
    assert reply("3", "a") == "=3 a\n\n"
    assert reply("3", "no", refused=True) == "?3 no\n\n"
    assert reply("", "a\n\n\nb\r\n") == "= a\nb\n\n", "an empty line would end the reply"
    assert reply("", "\na\nb") == "= \na\nb\n\n"


def test_who_it_is(session: Session) -> None:
    assert good(session, "name") == "Montego"
    assert good(session, "protocol_version") == "2"
    assert good(session, "version") == __version__
    assert ask(session, "42 name") == "=42 Montego\n\n"
    lizzie = new_session(options=Options(version="0.17"))
    assert int(good(lizzie, "version").split(".")[1]) >= 15


_IDEAL = """
protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove
undo time_settings time_left kgs-time_settings set_free_handicap place_free_handicap fixed_handicap final_score
final_status_list showboard loadsgf reg_genmove kgs-genmove_cleanup
lz-analyze lz-genmove_analyze kata-analyze kata-genmove_analyze cgos-genmove_analyze cgos-gameover cgos-opponent_name
cgos-opponent_rating kata-set-rules kata-get-rules kgs-rules kata-time_settings kata-list_time_settings
gogui-analyze_commands gogui-play_sequence gg-undo gogui-setup gogui-setup_player gogui-interrupt gogui-title printsgf
set_random_seed get_random_seed cputime gomill-cpu_time gomill-describe_engine clear_cache stop get_komi
"""
IDEAL = _IDEAL.split()


def test_all_commands_are_listed_and_known(session: Session) -> None:
    listed = good(session, "list_commands").split("\n")
    assert set(IDEAL) <= set(listed) and len(set(listed)) == len(listed)
    assert not {"analyze", "genmove_analyze", "kata-raw-nn"} & set(listed)
    assert all(good(session, f"known_command {name}") == "true" for name in listed)
    assert good(session, "known_command analyze") == "false" == good(session, "known_command")


def test_unknown_commands_and_missing_words(session: Session) -> None:
    assert bad(session, "no_such_command") == "unknown command"
    assert ask(session, "9") == "?9 unknown command\n\n"
    for name, entry in load().items():
        if entry.least:
            assert bad(session, name).startswith(f"syntax error: {name} needs {entry.least} argument")


# --- the board --------------------------------------------------------------------------------------------------


def test_a_game(session: Session) -> None:
    for line in ("boardsize 5", "komi -3.5", "clear_board", "play b c3", "play WHITE C4", "play b Pass"):
        assert good(session, line) == ""
    assert good(session, "get_komi") == "-3.5"
    assert good(session, "list_stones black") == "C3" and good(session, "list_stones w") == "C4"
    assert good(session, "move_history").split("\n") == ["black pass", "white C4", "black C3"]
    assert "O" in good(session, "showboard")
    assert good(session, "undo") == "" and good(session, "gg-undo 2") == ""
    assert bad(session, "undo").startswith("cannot undo")
    assert good(session, "is_legal b C3") == "1" and len(good(session, "all_legal w").split()) == 25


def test_illegal_moves(session: Session) -> None:
    good(session, "play b e5")
    assert bad(session, "play w e5").startswith("illegal move")
    assert "not a vertex" in bad(session, "play w z9")
    assert "not a colour" in bad(session, "play red e5")
    assert good(session, "play w resign") == ""


@pytest.mark.parametrize("size", ["0", "1", "20", "25", "-9", "nine", "9.5", "9 13", "99999999999999"])
def test_sizes_that_are_refused(session: Session, size: str) -> None:
    bad(session, f"boardsize {size}")


def test_square_boards_in_two_numbers(session: Session) -> None:
    assert good(session, "boardsize 13 13") == "" and session.game.size == 13
    assert good(session, "rectangular_boardsize 9 9") == "" and session.game.size == 9


@pytest.mark.parametrize("komi", ["nan", "inf", "1e9", "six", "--5", "401", ""])
def test_komi_that_is_refused(session: Session, komi: str) -> None:
    bad(session, f"komi {komi}")


def test_handicap(session: Session) -> None:
    assert good(session, "fixed_handicap 2") == "C3 G7"
    assert session.game.handicap == 2 and session.game.to_play == WHITE
    bad(session, "fixed_handicap 2")
    good(session, "clear_board")
    assert len(good(session, "place_free_handicap 5").split()) == 5
    good(session, "clear_board")
    assert good(session, "set_free_handicap C3 G7 E5") == "" and session.game.handicap == 3
    good(session, "clear_board")
    bad(session, "set_free_handicap C3 C3")
    bad(session, "set_free_handicap C3")
    bad(session, "fixed_handicap 99")


def test_a_sequence_is_played_whole_or_not_at_all(session: Session) -> None:
    assert good(session, "gogui-play_sequence B D4 W E5 B pass B F5") == ""
    assert len(session.game.moves) == 4
    bad(session, "gogui-play_sequence B A1 W A1")
    bad(session, "gogui-play_sequence B A1 W")
    long = " ".join(f"{'BW'[i % 2]} pass" for i in range(500))
    assert good(session, f"gogui-play_sequence {long}") == ""


def test_setup(session: Session) -> None:
    assert good(session, "gogui-setup B D4 W E5 B A1") == ""
    assert good(session, "gogui-setup_player w") == "" and session.game.to_play == WHITE
    assert good(session, "list_stones b") == "D4 A1"
    bad(session, "gogui-setup B D4 W D4")


# --- rules, clocks, settings ------------------------------------------------------------------------------------


def test_rules(session: Session) -> None:
    assert good(session, "kata-set-rules tromp-taylor") == "" and session.game.rules.suicide
    assert json.loads(good(session, "kata-get-rules"))["ko"] == "POSITIONAL"
    assert (
        good(session, 'kata-set-rules {"ko": "SIMPLE", "scoring": "TERRITORY", "suicide": false, "tax": "SEKI"}') == ""
    )
    assert session.game.rules.scoring == "TERRITORY" and good(session, "scoring_system") == "territory"
    assert good(session, "kata-set-rule ko SITUATIONAL") == "" and session.game.rules.ko == "SITUATIONAL"
    assert good(session, "kgs-rules chinese") == "" and session.game.rules.name == "chinese-kgs"
    bad(session, "kata-set-rules {no json")
    bad(session, "kata-set-rules chess")
    bad(session, "kgs-rules tromp-taylor")


@pytest.mark.parametrize(
    ("line", "main", "other"),
    [
        ("time_settings 300 0 0", 300, {}),
        ("time_settings 300 60 25", 300, {"period": 60, "stones": 25}),
        ("kgs-time_settings absolute 300", 300, {}),
        ("kgs-time_settings byoyomi 300 30 5", 300, {"period": 30, "periods": 5}),
        ("kgs-time_settings canadian 300 60 25", 300, {"period": 60, "stones": 25}),
        ("kata-time_settings fischer 300 10", 300, {"increment": 10}),
        ("kata-time_settings fischer-capped 300 10 400 -1", 300, {"increment": 10, "cap": 400, "longest": None}),
        ("kata-time_settings fischer-capped 300 10 400 60", 300, {"increment": 10, "cap": 400, "longest": 60}),
    ],
)
def test_time_settings(session: Session, line: str, main: float, other: dict[str, float]) -> None:
    assert good(session, line) == ""
    clock = session.engine.clocks[BLACK]
    assert clock.settings.main == main and all(getattr(clock.settings, k) == v for k, v in other.items())
    assert good(session, "time_left w 12.5 0") == "" and session.engine.clocks[WHITE].left == 12.5
    assert good(session, "kgs-time_settings none") == "" and session.engine.clocks == {}


def test_no_limit_as_gtp_writes_it(session: Session) -> None:
    good(session, "time_settings 0 1 0")
    assert session.engine.clocks == {}


@pytest.mark.parametrize(
    "line",
    ["time_settings 1 2", "time_settings -1 0 0", "time_settings nan 0 0", "time_settings 1 1 1.5",
     "time_settings 1e99 0 0", "kgs-time_settings fischer 1 2", "kgs-time_settings byoyomi 1 2",
     "kata-time_settings fischer 1", "time_left b x 0", "time_left b 1 -2", "time_left x 1 0"],
)  # fmt: skip
def test_times_that_are_refused(session: Session, line: str) -> None:
    bad(session, line)


def test_a_move_counts_on_the_clock(session: Session) -> None:
    good(session, "time_settings 100 0 0")
    good(session, "genmove b")
    assert session.engine.clocks[BLACK].left < 100 == session.engine.clocks[WHITE].left
    good(session, "clear_board")
    assert session.engine.clocks[BLACK].left == 100


def test_settings(session: Session) -> None:
    assert "[bool] ponder 0" in good(session, "montego-param").split("\n")
    for line in ("montego-param ponder 1", "montego-param simulations 7", "montego-param seconds 0.5",
                 "montego-param resign 0", "montego-param lag 1", "montego-param live_graphics 0"):  # fmt: skip
        assert good(session, line) == ""
    settings = session.engine.settings
    assert settings.ponder and settings.simulations == 7 and settings.seconds == 0.5
    assert good(session, "level 30k") == "" and good(session, "level") == "30k"
    good(session, "montego-param simulations 0")
    assert session.engine.budget(session.game, BLACK).simulations == 12, "a level has its own number"
    good(session, "level house")
    assert session.engine.budget(session.game, BLACK).simulations is None
    for line in ("montego-param no_such 1", "montego-param simulations -1", "level 99k", "montego-param ponder maybe",
                 "montego-param seconds -1", "montego-param resign 2"):  # fmt: skip
        bad(session, line)


# --- moves ------------------------------------------------------------------------------------------------------


def test_a_whole_game_of_its_own() -> None:
    session = new_session(5, simulations=30)
    for turn in range(200):
        vertex = good(session, f"genmove {'bw'[turn % 2]}")
        assert vertex == "resign" or len(session.game.moves) == turn + 1
        if vertex == "resign" or session.game.is_over:
            break
    else:
        pytest.fail("the game does not end")
    assert re.fullmatch(r"[BW]\+[0-9.]+|0", good(session, "final_score"))


def test_play_goes_on_after_two_passes(session: Session) -> None:
    good(session, "play b pass")
    good(session, "play w pass")
    assert good(session, "genmove b") != ""


def test_a_move_for_either_side(session: Session) -> None:
    for colour in ("w", "w", "b", "b"):
        good(session, f"genmove {colour}")
    assert [move.colour for move in session.game.moves] == [WHITE, WHITE, BLACK, BLACK]


def test_a_move_that_is_not_played(session: Session) -> None:
    before = state(session)
    assert good(session, "reg_genmove b") and state(session) == before


def test_seeds() -> None:
    def game(lines: tuple[str, ...]) -> list[str]:
        session = new_session(5, simulations=20)
        return [good(session, line) for line in lines][-6:]

    moves = ("genmove b", "genmove w") * 3
    first = game(("set_random_seed 7", *moves))
    assert game(("set_random_seed 7", "clear_board", "boardsize 5", *moves)) == first
    assert game((*moves, "set_random_seed 7", "clear_board", *moves)) == first
    session = new_session(5, simulations=20)
    assert good(session, "set_random_seed 7") == "" and good(session, "get_random_seed") == "7"
    games = [[good(session, line) for line in ("clear_board", *moves)][1:] for _ in range(4)]
    assert games[0] == first and len({tuple(each) for each in games}) > 1, "each game of a seed is another one"


def test_the_game_of_a_seed_is_that_of_the_player() -> None:
    import montego

    session = new_session(9, simulations=60, player=PlayerSpec("house", seed=11))
    session.engine.change(conduct=session.engine.settings.conduct.__class__())
    player, game = montego.player("house", simulations=60, seed=11), montego.Game(9)
    for turn in range(10):
        game.play(player.choose(game))
        assert good(session, f"genmove {'bw'[turn % 2]}") == game.moves[-1].vertex


# --- analysis ---------------------------------------------------------------------------------------------------

LZ_INFO = re.compile(
    r"info move (\S+) visits (\d+) winrate (\d+) prior (\d+) lcb (\d+) order (\d+) pv ((?:\S+ ?)+?)(?= info|$)"
)


@pytest.mark.parametrize(
    "line", ["lz-analyze 1", "lz-analyze b 1", "lz-analyze B interval 1", "lz-analyze interval 1 maxmoves 3",
             "lz-analyze w 1 avoid w D4,E5 3 avoid b A1 1", "lz-analyze"],
)  # fmt: skip
def test_analysis_in_every_shape(session: Session, line: str) -> None:
    session.engine.remote.pipe.patience = 40  # type: ignore[attr-defined]
    answer = ask(session, "5 " + line)
    assert answer.startswith("=5\n") and answer.endswith("\n\n")
    for shown in answer.split("\n")[1:-2]:
        moves = LZ_INFO.findall(shown)
        assert moves and [int(move[5]) for move in moves] == list(range(len(moves)))
        assert all(move[6].split()[0] == move[0] for move in moves)
        assert "maxmoves" not in line or len(moves) <= 3
        assert "avoid" not in line or not {"D4", "E5"} & {move[0] for move in moves}


def test_a_lone_move_may_be_asked_about(session: Session) -> None:
    session.engine.remote.pipe.patience = 40  # type: ignore[attr-defined]
    shown = ask(session, "lz-analyze b 1 allow b C3 5").split("\n")[1:-2]
    assert shown and all({move[0] for move in LZ_INFO.findall(line)} == {"C3"} for line in shown)


def test_kata_analysis_with_everything(session: Session) -> None:
    session.engine.remote.pipe.patience = 40  # type: ignore[attr-defined]
    line = ask(session, "kata-analyze w 1 ownership true rootInfo true pvVisits true").split("\n")[1]
    words = line.split()
    for field in ("scoreMean", "scoreStdev", "scoreLead", "winrate", "prior", "lcb", "utility"):
        float(words[words.index(field) + 1])
    owned = words[words.index("ownership") + 1 :]
    assert len(owned) == 81 and all(-1 <= float(value) <= 1 for value in owned)
    assert "rootInfo" in words


@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_moves_with_analysis(session: Session, command: str) -> None:
    answer = ask(session, f"{command} b 1")
    vertex = re.fullmatch(r"=\n(?:info .*\n)*play (\S+)\n\n", answer)
    assert vertex and session.game.moves[-1].vertex == vertex[1]


def test_the_interval_is_the_clients_also_under_a_clock(session: Session) -> None:
    good(session, "time_settings 60 0 0")
    ask(session, "kata-genmove_analyze b 130")
    assert session.engine.remote.task.every == 1.3  # type: ignore[union-attr, attr-defined]


def test_views_show_all_moves_also_after_an_analysis(session: Session) -> None:
    ask(session, "lz-analyze b 1")
    rows = ask(session, "montego-prior")[2:].split("\n")
    assert sum(float(cell) > 0 for row in rows for cell in row.split()) > 40


def test_moves_for_cgos(session: Session) -> None:
    session.engine.change(simulations=20_000)
    head, data, move, *rest = ask(session, "cgos-genmove_analyze b").split("\n")
    assert head == "=" and move.startswith("play ") and rest == ["", ""]
    told = json.loads(data)
    assert told["visits"] > 0 and told["moves"][0]["pv"].split()[0] == told["moves"][0]["move"]


@pytest.mark.parametrize(
    "line", ["lz-analyze b 10 foo 3", "lz-analyze b interval", "lz-analyze b 10 avoid b Z9 1",
             "lz-analyze b 10 avoid b", "kata-analyze b ownership maybe", "lz-analyze q"],
)  # fmt: skip
def test_analysis_that_is_refused(session: Session, line: str) -> None:
    bad(session, line)


def test_views_of_the_board(session: Session) -> None:
    menu = good(session, "gogui-analyze_commands").split("\n")
    for line in menu:
        kind, _, what = line.split("/")
        text = ask(session, what)
        assert text.startswith("="), text
        if kind in ("sboard", "dboard"):
            rows = text[2:].strip("\n").split("\n")
            assert len(rows) == 9 and all(len(row.split()) == 9 for row in rows)
            if kind == "dboard":
                assert all(-1 <= float(cell) <= 1 for row in rows for cell in row.split())
    assert good(session, "montego-pv").startswith("VAR b ")


# --- the end, and files -----------------------------------------------------------------------------------------

FINISHED = """
    . X X O .
    X X X O O
    . X X O .
    X . X O O
    X O X O O
"""


def test_score_and_dead_stones() -> None:
    from montego.go.game import Game

    session = new_session(5, simulations=50)
    session.game = Game.from_diagram(FINISHED, komi=0.5)
    assert good(session, "final_status_list dead") == "B1"
    assert good(session, "final_score") == "B+4.5"
    assert good(session, "final_status B1") == "dead" and good(session, "final_status D5") == "alive"
    bad(session, "final_status E5")
    bad(session, "final_status_list wounded")
    alive = good(session, "final_status_list alive").split("\n")
    assert "B1" not in " ".join(alive).split() and len(" ".join(alive).split()) == 19


def test_files(tmp_path: Path) -> None:
    session = new_session(9, Options(folder=tmp_path))
    for vertex in ("E5", "C3", "G7"):
        good(session, f"play {'bw'[len(session.game.moves) % 2]} {vertex}")
    assert good(session, "printsgf game.sgf") == "" and (tmp_path / "game.sgf").exists()
    text = good(session, "printsgf")
    assert text.startswith("(;FF[4]") and text.endswith(")")
    good(session, "clear_board")
    assert good(session, "loadsgf game.sgf") == "" and len(session.game.moves) == 3
    assert good(session, "loadsgf game.sgf 2") == "" and len(session.game.moves) == 1
    (tmp_path / "junk.sgf").write_bytes(b"(;SZ[999]")
    (tmp_path / "out").symlink_to("/etc")
    for name in ("no_such.sgf", "junk.sgf", "../x.sgf", "/etc/passwd", "out/passwd", ".", "\x00", "a" * 5000):
        bad(session, f"loadsgf {name}")
    for name in ("../x.sgf", "/x.sgf", "out/x.sgf", ".", "no/such/folder.sgf"):
        bad(session, f"printsgf {name}")
    bad(new_session(9, Options(files=False)), "loadsgf game.sgf")


def test_servers(session: Session) -> None:
    for line in (
        "kgs-game_over",
        "cgos-gameover 2026-11-15 B+R",
        "cgos-opponent_name GNU Go",
        "cgos-opponent_rating 1800?",
    ):
        assert good(session, line) == ""
    assert "program" in good(session, "kgs-chat game someone hello there")
    good(session, "genmove b")
    assert "%" in good(session, "kgs-chat game someone who is winning")
