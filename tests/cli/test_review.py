"""`montego review` as people type it: files, tables, pictures, and what happens when it is stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from montego.cli.review import as_text, command, output_of
from montego.go.errors import MontegoError, SgfError
from montego.go.game import Game
from montego.go.sgf import read_sgf
from montego.players.review import Review, Turn
from montego.players.search import SearchPlayer

GAME = b"(;SZ[5]KM[7.5]PB[\x1b[31mred];B[aa]C[opening];W[cc];B[dc](;W[bc];B[db])(;W[dd]))"
QUICK = ("--simulations", "60")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_bytes(GAME)
    return path


def review(*arguments: Any) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments], standalone_mode=False)


def test_a_review(game: Path) -> None:
    done = review(game, *QUICK)
    assert done.exception is None, done.output
    assert game.read_bytes() == GAME
    written = read_sgf(game.with_name("game-reviewed.sgf"))
    assert all("SBKV" in node.properties for node in written.main_line())
    assert written.main_line()[1].comment.startswith("opening\nMontego review: ")
    assert written.main_line()[1].properties["BM"] == ["2"]
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Black  3 moves, mean loss") and "blunder" in lines[0]
    assert lines[1].startswith("White  2 moves, mean loss")
    assert any(line.startswith("    1  black A5") and " → " in line and "C3" in line for line in lines)
    assert "6 positions to review" in done.stderr and "wrote" in done.stderr
    assert "\x1b" not in done.output


def test_json_and_pictures(game: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "pictures"
    done = review(game, *QUICK, "--json", "--to", tmp_path / "out.sgf", "--pictures", folder)
    assert done.exception is None, done.output
    report = json.loads(done.stdout)
    assert (report["size"], report["positions"], report["stopped"], report["simulations"]) == (5, 6, False, 60)
    assert [turn["move"] for turn in report["turns"]] == ["A5", "C3", "D3", "B3", "D4", None]
    assert report["worst"][0] == 0 and report["sides"]["black"]["marks"]["blunder"] >= 1
    names = {path.name for path in folder.iterdir()}
    assert {"winrate.png", "winrate.svg", "move-001.png"} <= names
    assert {Path(path).name for path in report["written"]} == names | {"out.sgf"}
    assert (folder / "move-001.png").read_bytes().startswith(b"\x89PNG")
    assert not game.with_name("game-reviewed.sgf").exists()


def test_the_same_simulations_give_the_same_files(game: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert review(game, *QUICK, "--to", tmp_path / f"{name}.sgf", "--pictures", tmp_path / name).exception is None
    assert (tmp_path / "a.sgf").read_bytes() == (tmp_path / "b.sgf").read_bytes()
    for picture in (tmp_path / "a").iterdir():
        assert picture.read_bytes() == (tmp_path / "b" / picture.name).read_bytes()


def test_a_reviewed_game_can_be_reviewed_again(game: Path) -> None:
    assert review(game, *QUICK).exception is None
    first = game.with_name("game-reviewed.sgf")
    assert review(first, *QUICK).exception is None
    assert game.with_name("game-reviewed-2.sgf").read_bytes() == first.read_bytes()


# --- where it is written ----------------------------------------------------------------------------------------


def test_nothing_is_overwritten_unasked(game: Path, tmp_path: Path) -> None:
    assert output_of(game, None).name == "game-reviewed.sgf"
    (tmp_path / "game-reviewed.sgf").touch()
    assert output_of(game, None).name == "game-reviewed-2.sgf"
    assert output_of(tmp_path / "game-reviewed.sgf", None).name == "game-reviewed-2.sgf"
    assert output_of(tmp_path / "-reviewed.sgf", None).name == "-reviewed-reviewed.sgf"
    other = tmp_path / "other.sgf"
    other.touch()
    assert output_of(game, other) == other
    with pytest.raises(MontegoError, match="accepted: another file"):
        output_of(game, tmp_path / "." / "game.sgf")
    (tmp_path / "link.sgf").hardlink_to(game)
    with pytest.raises(MontegoError, match="accepted: another file"):
        output_of(game, tmp_path / "link.sgf")
    with pytest.raises(MontegoError, match="accepted, after --to"):
        output_of(game, tmp_path / "nowhere" / "out.sgf")


def test_a_file_that_cannot_be_written_does_not_lose_the_table(game: Path, tmp_path: Path, monkeypatch: Any) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise MontegoError("cannot write: the disk is full")

    monkeypatch.setattr("montego.cli.review.write_whole", refuse)
    done = review(game, *QUICK)
    assert isinstance(done.exception, MontegoError) and "mean loss" in done.stdout


def test_a_folder_that_cannot_be_made(game: Path, tmp_path: Path) -> None:
    done = review(game, *QUICK, "--pictures", game / "below")
    assert isinstance(done.exception, MontegoError) and "cannot make the folder" in str(done.exception)


def test_without_matplotlib_it_says_so_before_it_searches(game: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = review(game, *QUICK, "--pictures", tmp_path / "pictures")
    assert isinstance(done.exception, MontegoError) and 'pip install "montego[lab]"' in str(done.exception)
    assert not done.stdout


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no game",
        b"(;SZ[25];B[aa])",
        b"(;SZ[5:9];B[aa])",
        b"(;GM[2];B[aa])",
        b"(;SZ[5];B[aa];W[aa])",
        b"(;SZ[5];B[zz])",
        b"(;SZ[5];B[aa]W[bb])",
        b"(;SZ[5]AB[aa:ee];W[aa])",
        b"(;SZ[5]KM[1e999];B[aa])",
        b"(;SZ[5];B[aa]",
        bytes(range(256)),
        b"(;SZ[5]" + b";AE[aa]AB[bb]" * 600 + b")",
        b"(" * 100_000,
    ],
)
def test_hostile_files(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.sgf"
    path.write_bytes(data)
    done = review(path, *QUICK)
    assert isinstance(done.exception, SgfError), done.output
    assert list(tmp_path.iterdir()) == [path]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, len(GAME) - 1), st.integers(32, 126)), max_size=6))
def test_damaged_files_are_counted_or_refused(damage: list[tuple[int, int]]) -> None:
    from montego.players.review import count_turns

    data = bytearray(GAME)
    for place, byte in damage:
        data[place] = byte
    try:
        record = read_sgf(bytes(data))
        if record.size == 5:  # other sizes have to be compiled
            assert count_turns(record) >= 1
    except SgfError as error:
        assert "\x1b" not in str(error)


@pytest.mark.parametrize(
    "arguments", [("--player", "nobody"), ("--simulations", "0"), ("--seconds", "0"), ("--rules", "chess")]
)
def test_options_that_are_refused(game: Path, arguments: tuple[str, ...]) -> None:
    done = review(game, *arguments)
    assert done.exception is not None and not isinstance(done.exception, (AssertionError, TypeError))
    assert not game.with_name("game-reviewed.sgf").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders")
def test_a_pipe_is_no_game(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.sgf")
    done = review(tmp_path / "pipe.sgf")
    assert isinstance(done.exception, MontegoError) and "no regular file" in str(done.exception)


# --- stopping ---------------------------------------------------------------------------------------------------


def stop_after(searches: int, monkeypatch: Any) -> None:
    """Ctrl-C in the search after so many; the first warms up."""
    analyse, made = SearchPlayer.analyse, [0]

    def until(self: SearchPlayer, game: Game, *limits: Any) -> Any:
        made[0] += 1
        if made[0] == searches + 2:
            raise KeyboardInterrupt
        return analyse(self, game, *limits)

    monkeypatch.setattr(SearchPlayer, "analyse", until)


def test_ctrl_c_keeps_what_is_done(game: Path, monkeypatch: Any, tmp_path: Path) -> None:
    stop_after(3, monkeypatch)
    done = review(game, *QUICK, "--json", "--pictures", tmp_path / "pictures")
    assert done.exit_code == 130 and "stopped after 2 of 6 positions" in done.stderr
    report = json.loads(done.stdout)
    assert report["stopped"] is True and len(report["turns"]) == 2
    line = read_sgf(game.with_name("game-reviewed.sgf")).main_line()
    assert ["SBKV" in node.properties for node in line] == [True, True, True, False, False, False]
    assert (tmp_path / "pictures" / "winrate.png").exists()


def test_ctrl_c_before_anything_is_done_writes_nothing(game: Path, monkeypatch: Any, tmp_path: Path) -> None:
    stop_after(1, monkeypatch)
    done = review(game, *QUICK)
    assert done.exit_code == 130 and "stopped after 0 of 6" in done.stderr and not done.stdout
    assert list(tmp_path.iterdir()) == [game]


@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C is for a whole console")
def test_a_real_ctrl_c(game: Path) -> None:
    code = "from montego.cli import main; main()"
    started = subprocess.Popen(
        [sys.executable, "-c", code, "review", str(game), "--seconds", "0.4", "--threads", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    try:
        assert started.stderr is not None
        while "to review" not in started.stderr.readline():
            assert started.poll() is None
        time.sleep(1.4)
        started.send_signal(signal.SIGINT)
        out, err = started.communicate(timeout=60)
    finally:
        started.kill()
    assert started.returncode == 130 and "Traceback" not in err, err
    assert "mean loss" in out and "stopped after" in err
    assert read_sgf(game.with_name("game-reviewed.sgf")).to_game().size == 5


# --- as text ----------------------------------------------------------------------------------------------------


def test_text_of_nothing_much() -> None:
    turn = Turn(0, "black", 0.5, 0.0, "C3", ("C3",))
    assert as_text(Review((turn,))) == "Black  no moves\nWhite  no moves"


def test_text_of_many_marks() -> None:
    line = ("C3", "D3", "C4", "D4", "C5", "D5", "B2")
    turns = [Turn(k, "white", 0.1, None, "C3", line, "A1", 0.1 + k / 20, k / 20, "blunder") for k in range(1, 13)]
    lines = as_text(Review(tuple(turns))).splitlines()
    assert lines[1] == "White  12 moves, mean loss 32.5 %, 12 blunders, 0 mistakes, 0 inaccuracies"
    assert lines[4] == "   13  white A1      90.0 →  30.0 %    60.0 %   C3      C3 D3 C4 D4 C5 D5 …"
    assert len(lines) == 15 and lines[-1] == "  … and 2 more"
