"""Running an experiment: only what is missing is played, and nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from montego.lab.analysis import seconds, sequential_table, verdict
from montego.lab.experiment import Experiment, LabError
from montego.lab.home import Home, find_home
from montego.lab.parts import Table
from montego.lab.report import parts_of
from montego.lab.results import GAMES, MEASUREMENTS, open_store, publish, read_measurements, results_of
from montego.lab.run import missing_measurements, playable, run_games, run_measurements, wanted_series
from montego.lab.suite import FOLDER, POSITIONS

SETTINGS = """
title = "t"
source = "s"
claim = "c"
order = 1

[common]
a = "house:policy=uniform,heuristic=none,puct=0"
size = 5
simulations = 12
games = 4

[[points]]
id = "one"
b = "house:policy=uniform,heuristic=none,puct=0,simulations=6"

[[points]]
id = "two"
b = "house:policy=uniform,heuristic=none,puct=0,simulations=5"
games = 2
"""
SPEED = """
[[points]]
id = "fast"
kind = "speed"
"""
ANALYSIS = """
from montego.lab.analysis import pair_table, score_table

def analyse(results):
    yield score_table(results) if any(one.point.kind == "low-level" for one in results) else pair_table(results)
"""
README = "# t\n\n<!-- results: written by `montego lab report` -->\n\n<!-- end of results -->\n"


def make_home(tmp_path: Path, settings: str = SETTINGS, name: str = "paper/table") -> Home:
    folder = tmp_path / "experiments" / name
    folder.mkdir(parents=True)
    for file, text in (("settings.toml", settings), ("analysis.py", ANALYSIS), ("README.md", README)):
        (folder / file).write_text(text, encoding="utf-8")
    return find_home(tmp_path)


def run(home: Home, games: int | None = None, points: tuple[str, ...] = ()) -> int:
    """Play what is missing; how many games were played."""
    played = []
    with open_store(home.all(), home.database) as store:
        series = wanted_series(home.all(), store, games, points)
        if series:
            assert run_games(home.all(), store, series, 2, played.append)
    return len(played)


def counted(home: Home) -> dict[str, int]:
    """Games by point, from the published files alone."""
    (experiment,) = home.all()
    return {found.point.id: found.tally.games for found in results_of(experiment, open_store([experiment]))}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def test_only_what_is_missing_is_played(home: Home) -> None:
    assert run(home, points=("two",)) == 2 and counted(home) == {"one": 0, "two": 2}
    assert run(home) == 4 and counted(home) == {"one": 4, "two": 2}
    assert run(home) == 0
    assert run(home, games=6) == 2 + 4 and counted(home) == {"one": 6, "two": 6}
    assert run(home, games=3) == 0


def test_published_games_are_enough_to_go_on(home: Home) -> None:
    run(home)
    (published,) = home.experiments.rglob(GAMES)
    before = published.read_bytes()
    for path in home.experiments.glob("games.db*"):
        path.unlink()
    assert run(home) == 0
    assert run(home, games=5) == 1 + 3
    assert set(before.splitlines()) <= set(published.read_bytes().splitlines())


def test_publishing_is_the_same_however_often_it_is_done(home: Home) -> None:
    run(home)
    (published,) = home.experiments.rglob(GAMES)
    before = published.read_bytes()
    with open_store(home.all()) as store:
        publish(home.all()[0], store)
    assert published.read_bytes() == before


def test_a_point_of_two_experiments_is_played_once(home: Home, tmp_path: Path) -> None:
    make_home(tmp_path, name="paper/other")
    assert run(home) == 6
    assert len(list(home.experiments.rglob(GAMES))) == 2


def test_changed_players_need_new_games(home: Home) -> None:
    run(home)
    (path,) = home.experiments.rglob("settings.toml")
    path.write_text(SETTINGS.replace("heuristic=none", "heuristic=even"), encoding="utf-8")
    assert counted(home) == {"one": 0, "two": 0}


def test_points_whose_program_is_missing_are_left_out(tmp_path: Path) -> None:
    stranger = SETTINGS.replace(
        'b = "house:policy=uniform,heuristic=none,puct=0,simulations=5"', 'b = "gtp:no-such-go"'
    )
    home, told = make_home(tmp_path, stranger), list[str]()
    with open_store(home.all(), home.database) as store:
        series = wanted_series(home.all(), store, None)
        (one,) = playable(series, told.append)
        assert one.match.b.startswith("house") and len(told) == 1 and "no-such-go" in told[0]
        with pytest.raises(LabError, match="no-such-go"):
            playable(wanted_series(home.all(), store, None, ("two",)), told.append)
        assert playable([], told.append) == [] and len(told) == 1


def test_a_pair_is_compared_with_the_published_difference(tmp_path: Path) -> None:
    settings = SETTINGS.replace("games = 2", "games = 2\npublished_elo = 1500.0")
    home = make_home(tmp_path, settings)
    run(home)
    (experiment,) = home.all()
    (table,) = parts_of(experiment, results_of(experiment, open_store([experiment])))
    assert isinstance(table, Table) and table.columns[-1] == "published figure"
    assert [row[-1].partition(" ")[0] for row in table.rows] in (["–", "below"], ["–", "agrees"])
    assert all(len(row) == len(table.columns) for row in table.rows)


def test_a_sequential_test_ends_when_it_is_decided(tmp_path: Path) -> None:
    settings = SETTINGS.replace("games = 4", "games = 40\nsprt = [0.0, 400.0]").replace("games = 2", "games = 40")
    weak = settings.replace("simulations=6", "simulations=1").replace("simulations = 12", "simulations = 60")
    home = make_home(tmp_path, weak.replace("simulations=5", "simulations=60"))
    run(home)
    (experiment,) = home.all()
    results = results_of(experiment, open_store([experiment]))
    decided, equal = results["one"], results["two"]
    assert decided.verdict == "H1" and verdict(decided) == "+400 Elo" and 4 <= decided.tally.games < 40
    assert equal.verdict == "H0" and verdict(equal) == "+0 Elo"
    assert run(home) == 0
    table = sequential_table(results)
    assert len(table.rows) == 2 and all(len(row) == len(table.columns) for row in table.rows)
    assert seconds(decided).count(" : ") == 1 and min(one or 0 for one in decided.seconds) > 0


def test_a_sequential_test_that_cannot_be_is_refused(tmp_path: Path) -> None:
    for number, wrong in enumerate(("[50.0, 0.0]", "[0.0]", '["a", "b"]', "3")):
        home = make_home(tmp_path / str(number), SETTINGS.replace("games = 4", f"games = 4\nsprt = {wrong}"))
        with pytest.raises(LabError, match="one"):
            home.all()


def test_speeds_are_measured_once(tmp_path: Path) -> None:
    home = make_home(tmp_path, SETTINGS.split("[[points]]")[0].replace("games = 4", "") + SPEED)
    experiment: Experiment = home.all()[0]
    assert [point.id for point in missing_measurements(experiment)] == ["fast"] * 5
    run_measurements(experiment, missing_measurements(experiment)[:2], lambda point: None)
    run_measurements(experiment, missing_measurements(experiment), lambda point: None)
    assert missing_measurements(experiment) == [] and len(read_measurements(experiment)) == 5
    lines = [json.loads(line) for line in (experiment.results / MEASUREMENTS).read_text().splitlines()]
    assert all(line["value"] > 0 and line["machine"] and line["configuration"]["simulations"] == 12 for line in lines)
    assert results_of(experiment, open_store([]))["fast"].value == sorted(line["value"] for line in lines)[2]


def test_a_changed_player_is_measured_again(tmp_path: Path) -> None:
    settings = SETTINGS.split("[[points]]")[0].replace("games = 4", "") + SPEED
    home = make_home(tmp_path, settings)
    (experiment,) = home.all()
    run_measurements(experiment, missing_measurements(experiment), lambda point: None)
    (experiment.folder / "settings.toml").write_text(settings.replace("heuristic=none", "heuristic=even"), "utf-8")
    (changed,) = home.all()
    assert len(missing_measurements(changed)) == 5
    assert results_of(changed, open_store([]))["fast"].value is None


def test_opinions_are_measured_against_the_labelled_positions(tmp_path: Path) -> None:
    top = SETTINGS.split("[common]")[0]
    suite = '[[points]]\nid = "even"\nkind = "suite"\nsubject = "heuristic:even"\n'
    home = make_home(tmp_path, top + suite)
    text = (find_home().experiments / FOLDER / POSITIONS).read_text("utf-8")
    (home.experiments / FOLDER).mkdir()
    (home.experiments / FOLDER / POSITIONS).write_text(text, "utf-8")
    (experiment,) = home.all()
    run_measurements(experiment, missing_measurements(experiment), lambda point: None)
    (line,) = read_measurements(experiment)
    labels = [json.loads(position)["black_win"] for position in text.splitlines()]
    assert line["value"] == pytest.approx(sum((label - 0.5) ** 2 for label in labels) / len(labels), abs=1e-6)
    assert line["positions"] == len(labels) and missing_measurements(experiment) == []


def test_low_level_games_are_measured_and_scored(tmp_path: Path) -> None:
    top = SETTINGS.split("[common]")[0]
    point = '[[points]]\nid = "low"\nkind = "low-level"\na = "{}"\nb = "zero"\ngames = 100\nsize = 7\n'
    home = make_home(tmp_path, top + point.format("manual"))
    (experiment,) = home.all()
    run_measurements(experiment, missing_measurements(experiment), lambda point: None)
    assert missing_measurements(experiment) == []
    found = results_of(experiment, open_store([]))["low"]
    assert found.score is not None and found.score.count == 100 and found.score.value > 10 > found.score.error > 0
    (table,) = parts_of(experiment, results_of(experiment, open_store([])))
    assert isinstance(table, Table) and "first" in table.rows[0]
    (experiment.folder / "settings.toml").write_text(top + point.format("zero"), "utf-8")
    (changed,) = home.all()
    assert len(missing_measurements(changed)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as Unix sends them")
def test_a_run_that_is_killed_goes_on(home: Home) -> None:
    command = [sys.executable, "-m", "montego", "lab", "run", "--games", "60", "--folder", str(home.experiments.parent)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONUTF8": "1"})
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not home.database.exists():
        time.sleep(0.1)
    time.sleep(6)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with open_store(home.all(), home.database) as store:
        kept = sum(len(store.games(pairing)) for pairing in store.pairings())
    rest = run(home, games=60)
    assert kept + rest == 120 and counted(home) == {"one": 60, "two": 60}
