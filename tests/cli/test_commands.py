"""The commands as people type them, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from montego.go.sgf import read_sgf

QUICK = ("--simulations", "50")


def montego(*arguments: str, given: str = "", data: Path | None = None, **environment: str) -> Any:
    variables = {**os.environ, "PYTHONUTF8": "1", **environment}
    if data is not None:
        variables |= {"XDG_DATA_HOME": str(data), "LOCALAPPDATA": str(data)}
    return subprocess.run(
        [sys.executable, "-m", "montego", *arguments],
        input=given,
        env=variables,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


def test_help_names_every_command_and_loads_no_compiler() -> None:
    done = montego("--help")
    assert done.returncode == 0
    assert all(word in done.stdout for word in ("play", "bench", "doctor", "games", "match", "presets", "tournament"))
    code = "import sys, montego.cli; assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_version() -> None:
    import montego as package

    assert package.__version__ in montego("--version").stdout


@pytest.mark.parametrize("command", ["play", "terminal", "bench", "doctor", "games", "match", "presets", "tournament"])
def test_each_command_explains_itself(command: str) -> None:
    done = montego(command, "--help")
    assert done.returncode == 0 and "--" in done.stdout and "Traceback" not in done.stderr


def test_doctor() -> None:
    report = json.loads(montego("doctor", "--json").stdout)
    assert report["kernels"]["works"] is True
    assert {"montego", "python", "numba", "numpy"} <= set(report["versions"])
    text = montego("doctor").stdout
    assert "self-check  passed" in text and "loaded from the cache" in text


def test_doctor_without_compiling() -> None:
    report = json.loads(montego("doctor", "--json", NUMBA_DISABLE_JIT="1").stdout)
    assert report["kernels"]["works"] is True and "plain Python" in report["kernels"]["mode"]


def test_bench_prints_one_object() -> None:
    done = montego("bench", "--json", "--only", "playouts", "--sizes", "5,9", "--seconds", "0.02", "--repetitions", "2")
    report = json.loads(done.stdout)
    for policy in ("uniform", "mogo"):
        assert set(report["playouts_per_second"][policy]) == {"5", "9"}
        for size, speed in report["playouts_per_second"][policy].items():
            low, high = report["playouts_per_second_spread"][policy][size]
            assert 0 < low <= speed <= high
    assert "start_seconds" not in report
    assert "left" in done.stderr


def test_bench_measures_searches() -> None:
    arguments = ["--sizes", "5,9", "--threads", "1,2", "--seconds", "0.05", "--repetitions", "2"]
    done = montego("bench", "--json", "--only", "search", "--preset", "mogo-2007", *arguments)
    report = json.loads(done.stdout)
    speeds = report["simulations_per_second"]["mogo-2007"]
    assert set(speeds) == {"5", "9"} and all(set(by_threads) == {"1", "2"} for by_threads in speeds.values())
    low, high = report["simulations_per_second_spread"]["mogo-2007"]["9"]["2"]
    assert 0 < low <= speeds["9"]["2"] <= high
    assert "playouts_per_second" not in report and "left" in done.stderr


@pytest.mark.parametrize(
    "arguments", [("--preset", "mogo"), ("--threads", "0"), ("--threads", "two"), ("--only", "all")]
)
def test_bench_refuses(arguments: tuple[str, ...]) -> None:
    done = montego("bench", "--only", "search", *arguments)
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_presets_name_their_papers() -> None:
    report = json.loads(montego("presets", "--json").stdout)
    mogo, rlgo = ["mogo-2006", "mogo-rave", "mogo-2007", "mogo-rlgo"], ["rlgo-1.0", "rlgo-alpha-beta", "rlgo-2.4"]
    indigo = ["indigo-2002", "indigo-2003", "indigo-rl"]
    wanted = [
        "mc-flat",
        "mc-amaf",
        *indigo,
        "uct-random",
        *mogo,
        *rlgo,
        "crazystone-2007",
        "mogo-2009",
        "erica",
        "house",
    ]
    assert list(report) == wanted
    assert all(preset["paper"] and preset["summary"] and preset["config"]["policy"] for preset in report.values())
    assert report["uct-random"]["config"]["fpu"] == "inf"
    text = montego("presets").stdout
    assert all(f"{name} " in text for name in wanted) and "Gelly & Silver 2011" in text


def test_bench_measures_training() -> None:
    done = montego("bench", "--json", "--only", "training", "--seconds", "0.1", "--repetitions", "2")
    report = json.loads(done.stdout)
    assert set(report["training_games_per_second"]) == {"1", "2"}
    for streams, speed in report["training_games_per_second"].items():
        low, high = report["training_games_per_second_spread"][streams]
        assert 0 < low <= speed <= high


def test_bench_measures_starts() -> None:
    report = json.loads(montego("bench", "--json", "--only", "start").stdout)
    assert 0 < report["start_seconds"]["warm"] < report["start_seconds"]["cold"]
    assert "playouts_per_second" not in report


@pytest.mark.parametrize("sizes", ["1", "20", "9,x", "", "9,,9", "1e3", "99999999999999999999"])
def test_bench_refuses_sizes(sizes: str) -> None:
    done = montego("bench", "--sizes", sizes)
    assert done.returncode == 2 and "accepted" in done.stderr and "Traceback" not in done.stderr


def test_a_game(tmp_path: Path) -> None:
    given = "D4\nhelp\nZ99\nD4\nscore\nundo\nE5\nsave {}\nquit\n".format(tmp_path / "mine.sgf")
    done = montego("terminal", *QUICK, "--size", "9", "--seed", "1", given=given, data=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "not a vertex" in done.stdout and "occupied" in done.stdout and "As the board stands" in done.stdout
    game = read_sgf(tmp_path / "mine.sgf").to_game()
    assert len(game.moves) == 2 and game.moves[0].vertex == "E5"
    resumed = montego("terminal", "--resume", given="resign\n", data=tmp_path)
    assert "The game is over: W+R" in resumed.stdout, resumed.stderr
    assert "The game is over: W+R" in montego("terminal", "--resume", data=tmp_path).stdout


def test_the_opponent_says_what_it_expects(tmp_path: Path) -> None:
    done = montego("terminal", "--preset", "mogo-2007", *QUICK, "--size", "5", given="C3\nquit\n", data=tmp_path)
    assert "it expects to win" in done.stdout and "after 50 simulations" in done.stdout


def test_the_kept_game_knows_undo_and_colours(tmp_path: Path) -> None:
    montego(
        "terminal", *QUICK, "--size", "5", "--colour", "white", "--seed", "2", given="A1\nundo\nquit\n", data=tmp_path
    )
    resumed = montego("terminal", "--resume", given="quit\n", data=tmp_path)
    assert "You are white" in resumed.stdout
    assert len(read_sgf(tmp_path / "montego" / "last-game.sgf").to_game().moves) == 1


def test_a_file_that_cannot_be_kept_does_not_end_the_game(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = montego(
        "terminal", *QUICK, "--size", "5", "--sgf", str(blocked / "game.sgf"), given="C3\nresign\n", data=tmp_path
    )
    assert done.returncode == 0 and "The game is over: W+R" in done.stdout
    assert "The game is not kept: cannot write" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["/", ".", "~nosuchuser/x.sgf", "a\0b", "no/such\0/x"])
def test_files_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    done = montego("terminal", "--size", "5", given=f"save {name}\nquit\n", data=tmp_path)
    assert done.returncode == 0 and "cannot write" in done.stdout and "Traceback" not in done.stderr


def test_a_whole_game_against_a_person_who_passes(tmp_path: Path) -> None:
    done = montego(
        "terminal", "--policy", "mogo", "--size", "3", "--colour", "white", given="pass\n" * 60, data=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "The game is over: B+" in done.stdout or "The game is over: W+" in done.stdout


def test_the_end_of_input_keeps_the_game(tmp_path: Path) -> None:
    done = montego("terminal", *QUICK, "--size", "5", "--sgf", str(tmp_path / "kept.sgf"), given="C3\n", data=tmp_path)
    assert done.returncode == 0 and "kept" in done.stdout
    assert len(read_sgf(tmp_path / "kept.sgf").to_game().moves) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--size", "25"),
        ("--komi", "nan"),
        ("--komi", "1e300"),
        ("--handicap", "500"),
        ("--handicap", "-1"),
        ("--rules", "checkers"),
        ("--preset", "deep-blue"),
        ("--preset", "house:k=1"),
        ("--seconds", "0"),
        ("--simulations", "0"),
        ("--resume", "--sgf", "no-such-file.sgf"),
    ],
)
def test_play_refuses(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = montego("terminal", *arguments, data=tmp_path)
    assert done.returncode == 2 and done.stderr and "Traceback" not in done.stderr
