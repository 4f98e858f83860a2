"""`montego tournament` as people type it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import montego.cli.tournament as cli
from arena.fakes import build, play_all_here
from montego import MontegoError
from montego.arena.ratings import Meeting, fit
from montego.cli import conditions, match
from montego.cli.progress import Progress
from montego.cli.tournament import read_anchor

PLAYERS = ("builder", "random", "passes")


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command with the players of tests/arena/fakes.py in place of the engine's, all in this process."""
    monkeypatch.setattr(cli, "make", build)
    monkeypatch.setattr(conditions, "play", play_all_here)


def tournament(*arguments: str) -> Result:
    return CliRunner().invoke(cli.command, [*arguments, "--size", "5", "--games", "4", "--jobs", "1"])


def resume(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli.command, ["--resume", str(path), *arguments])


def count(path: Path) -> int:
    db = sqlite3.connect(path)
    try:
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
    finally:
        db.close()


def test_text() -> None:
    done = tournament(*PLAYERS)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == ["builder – random", "builder – passes", "random – passes"]
    assert lines[1] == "builder – passes: 4 won, 0 lost, 0 drawn, 100.0 % (51.0 … 100.0 %)"
    assert lines[4].split()[:3] == ["#", "player", "Elo"] and len(lines) > 7
    assert all(name in done.stdout for name in PLAYERS) and "12 games to play" in done.stderr


def test_json() -> None:
    report = json.loads(tournament(*PLAYERS, "--json").stdout)
    assert [(pair["a"], pair["b"], pair["games"]) for pair in report["matches"]] == [
        ("builder", "random", 4),
        ("builder", "passes", 4),
        ("random", "passes", 4),
    ]
    assert {player["name"] for player in report["ratings"]["players"]} == set(PLAYERS)
    assert report["stopped"] is False and report["matches"][1]["rate"] == 1.0


def test_a_gauntlet() -> None:
    report = json.loads(tournament(*PLAYERS, "--shape", "gauntlet", "--json").stdout)
    assert [(pair["a"], pair["b"]) for pair in report["matches"]] == [("builder", "random"), ("builder", "passes")]


def test_an_anchor_fixes_the_scale() -> None:
    report = json.loads(tournament(*PLAYERS, "--anchor", "random=1234.5", "--json").stdout)
    assert report["ratings"]["anchor"] == "random"
    assert next(p for p in report["ratings"]["players"] if p["name"] == "random")["elo"] == 1234.5


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        (None, None),
        ("gnugo:level=10=1800", ("gnugo:level=10", 1800.0)),
        ("house=-50.5", ("house", -50.5)),
    ],
)
def test_anchors_are_read(text: str | None, anchor: tuple[str, float] | None) -> None:
    assert read_anchor(text) == anchor


@pytest.mark.parametrize("text", ["", "house", "house=", "=1800", "house=strong", "house=nan", "house=inf"])
def test_anchors_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(MontegoError, match="accepted: PLAYER=ELO"):
        read_anchor(text)


def test_an_anchor_that_does_not_play_is_refused_before_any_game() -> None:
    done = tournament(*PLAYERS, "--anchor", "gnugo=1800")
    assert isinstance(done.exception, MontegoError) and "accepted: builder, passes, random" in str(done.exception)
    assert "games to play" not in done.stderr


@pytest.mark.parametrize("players", [(), ("random",), ("random", "builder", "random"), ("random", "nobody")])
def test_players_that_are_refused(players: tuple[str, ...], tmp_path: Path) -> None:
    done = tournament(*players, "--record", str(tmp_path / "games.db"))
    assert isinstance(done.exception, MontegoError) and not (tmp_path / "games.db").exists() and not done.stdout


def test_pictures_are_written(tmp_path: Path) -> None:
    done = tournament(*PLAYERS, "--plot", str(tmp_path / "figures" / "ladder"))
    assert done.exit_code == 0, done.output
    assert (tmp_path / "figures" / "ladder.png").read_bytes().startswith(b"\x89PNG")
    assert "</svg>" in (tmp_path / "figures" / "ladder.svg").read_text(encoding="utf-8")


def test_a_picture_that_cannot_be_written_costs_no_result(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = tournament(*PLAYERS, "--plot", str(tmp_path / "file" / "ladder"))
    assert isinstance(done.exception, MontegoError) and "builder – random" in done.stdout


def test_trouble_shows() -> None:
    done = tournament("random", "raises", "builder")
    assert done.exit_code == 0 and "random – raises: 0 won, 0 lost, 0 drawn, 4 void" in done.stdout
    done = tournament("random", "raises")
    assert done.exit_code == 1 and "no game has counted" in done.stdout
    report = json.loads(tournament("random", "raises", "--json").stdout)
    assert report["ratings"] is None and "out of ideas" in report["matches"][0]["problems"][0]


def test_results_are_told_also_where_there_can_be_no_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise MontegoError("no chain of games connects them")

    monkeypatch.setattr(cli, "fit", refuse)
    done = tournament(*PLAYERS)
    assert done.exit_code == 1 and "builder – passes: 4 won" in done.stdout
    assert "no ratings: no chain of games connects them" in done.stdout


def test_a_run_is_recorded_and_resumed(tmp_path: Path) -> None:
    name = tmp_path / "games.db"
    first = tournament(*PLAYERS, "--record", str(name), "--json", "--komi", "0.5")
    assert count(name) == 12
    db = sqlite3.connect(name, isolation_level=None)
    db.execute("DELETE FROM games WHERE number > 1")
    db.close()
    again = resume(name, "--json")
    assert again.stdout == first.stdout and count(name) == 12 and "6 games to play" in again.stderr
    third = resume(name, "--json")
    assert third.stdout == first.stdout and third.stderr == ""
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


def test_a_match_is_no_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = tmp_path / "games.db"
    monkeypatch.setattr(match, "make", build)
    done = CliRunner().invoke(
        match.command, ["builder", "random", "--size", "5", "--games", "2", "--record", str(name)]
    )
    assert done.exit_code == 0, done.output
    refused = resume(name)
    assert isinstance(refused.exception, MontegoError)
    assert "holds a match; accepted: montego match --resume" in str(refused.exception) and count(name) == 2


@pytest.mark.parametrize("arguments", [("builder", "random"), ("--games", "3"), ("--shape", "gauntlet")])
def test_with_resume_nothing_else_is_said_about_the_games(arguments: tuple[str, ...], tmp_path: Path) -> None:
    tournament(*PLAYERS, "--record", str(tmp_path / "games.db"))
    done = resume(tmp_path / "games.db", *arguments)
    assert done.exit_code == 2 and "leave it out" in done.stderr


def test_a_tournament_is_no_match(tmp_path: Path) -> None:
    tournament(*PLAYERS, "--record", str(tmp_path / "games.db"))
    done = CliRunner().invoke(match.command, ["--resume", str(tmp_path / "games.db")])
    assert isinstance(done.exception, MontegoError) and "holds a tournament; accepted: montego tournament" in str(
        done.exception
    )


def test_ctrl_c_tells_what_was_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupt(progress: Progress, done: int, *_: Any) -> None:
        if done == 7:
            raise KeyboardInterrupt

    name = tmp_path / "games.db"
    with monkeypatch.context() as patched:
        patched.setattr(Progress, "show", interrupt)
        done = tournament(*PLAYERS, "--record", str(name), "--json")
    assert done.exit_code == 130 and "stopped after 7 of 12 games" in done.stderr and count(name) == 7
    report = json.loads(done.stdout)
    assert report["stopped"] is True and [pair["games"] for pair in report["matches"]] == [4, 3, 0]
    assert json.loads(resume(name, "--json").stdout)["stopped"] is False and count(name) == 12


def test_the_ratings_are_those_of_the_games() -> None:
    report = json.loads(tournament("builder", "passes", "--json").stdout)
    expected = fit([Meeting("builder", "passes", 2, 0), Meeting("passes", "builder", 0, 2)])
    assert [p["elo"] for p in report["ratings"]["players"]] == pytest.approx([p.elo for p in expected.players])


def test_help_teaches() -> None:
    text = CliRunner().invoke(cli.command, ["--help"]).stdout
    for words in ("montego tournament house", "--resume", "gauntlet", "--anchor", "maximum likelihood", "--plot"):
        assert words in text
