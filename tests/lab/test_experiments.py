"""The experiments as they are in the repository: readable, whole, and their pages what the games say."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from montego.arena.contestants import is_outside, make
from montego.lab.experiment import Experiment, LabError, load_experiment
from montego.lab.home import Home, find_home
from montego.lab.parts import Figure, Note, Table
from montego.lab.report import BEGIN, check_report, parts_of, write_report
from montego.lab.results import GAMES, open_store, results_of

HOME = find_home()
EXPERIMENTS = HOME.all()


def copied(tmp_path: Path) -> Home:
    """A home of its own, with all experiments."""
    shutil.copytree(HOME.experiments, tmp_path / "experiments", ignore=shutil.ignore_patterns("games.db*"))
    return find_home(tmp_path)


def names(experiments: list[Experiment]) -> list[str]:
    return [experiment.name for experiment in experiments]


def test_every_table_and_figure_that_the_search_can_run_is_there() -> None:
    assert set(names(EXPERIMENTS)) >= {
        *(
            f"gelly-silver-2007/{name}"
            for name in ("table-1", "table-2", "table-3", "table-4", *(f"figure-{k}" for k in (2, 3, 4, 5)))
        ),
        *(f"gelly-silver-2011/{name}" for name in ("minimum-mse", "exploration", "figure-7", "ratings")),
        *(f"gelly-wang-2006/{name}" for name in ("first-play-urgency", "shared-information", "threads")),
    }


def test_the_pages_are_byte_for_byte_what_the_games_say() -> None:
    check_report(HOME)


def test_a_report_somewhere_else_draws_every_table_and_figure(tmp_path: Path) -> None:
    home = copied(tmp_path)
    written = write_report(home)
    assert home.page in written and all(path.stat().st_size > 0 for path in written)
    pictures = {path.name for path in written if path.suffix == ".svg"}
    figures = re.findall(r"\]\(figures/([^)]+)\)", home.page.read_text(encoding="utf-8"))
    assert set(figures) == pictures and len(pictures) >= 5
    assert all((home.figures / name).with_suffix(".png").is_file() for name in pictures)
    check_report(home)
    ours, theirs = home.page.read_text(encoding="utf-8"), HOME.page.read_text(encoding="utf-8")
    assert ours.replace("](experiments/", "](../experiments/") == theirs


def test_a_page_that_was_changed_by_hand_is_refused(tmp_path: Path) -> None:
    home = copied(tmp_path)
    write_report(home)
    page = home.page.read_text(encoding="utf-8")
    home.page.write_text(page.replace("undecided", "decided", 1), encoding="utf-8")
    with pytest.raises(LabError, match=r"RESULTS\.md is not what the games say"):
        check_report(home)


def test_a_game_more_or_less_shows_on_the_page(tmp_path: Path) -> None:
    home = copied(tmp_path)
    write_report(home)
    files = {path: path.read_text(encoding="utf-8") for path in home.experiments.rglob(GAMES)}
    game = max(files.values(), key=len).splitlines(keepends=True)[-1]
    assert '"winner"' in game
    for path, text in files.items():  # a match may belong to several experiments
        path.write_text(text.replace(game, ""), encoding="utf-8")
    with pytest.raises(LabError, match="not what the games say"):
        check_report(home)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=names(EXPERIMENTS))
def test_an_experiment_is_whole(experiment: Experiment) -> None:
    assert experiment.claim and experiment.source and experiment.points
    readme = (experiment.folder / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(f"# {experiment.title}\n") and f"montego lab run {experiment.name}" in readme
    assert "## Deviations" in readme and "\n1. " in readme and BEGIN in readme
    for point in experiment.points:
        if point.kind == "match":
            for spec in (point.match.a, point.match.b):
                assert is_outside(spec) or make(spec, simulations=10).describe()


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=names(EXPERIMENTS))
def test_an_analysis_gives_tables_figures_and_sentences_with_or_without_games(experiment: Experiment) -> None:
    for store in (open_store([experiment]), open_store([])):
        parts = parts_of(experiment, results_of(experiment, store))
        assert any(isinstance(part, Table) for part in parts)
        assert all(isinstance(part, (Table, Figure, Note)) for part in parts)
        first = Counter(row[0] for part in parts if isinstance(part, Table) for row in part.rows)
        assert Counter(point.label for point in experiment.points) <= first


def test_the_games_of_a_match_are_different_games() -> None:
    """Two players without chance that always meet in the same position tell no more than one game does."""
    for experiment in EXPERIMENTS:
        store = open_store([experiment])
        for pairing in store.pairings():
            games = [tuple(game.moves) for game in store.games(pairing) if game.counts]
            assert len(set(games)) >= 0.9 * len(games), (experiment.name, pairing.match)


def test_every_published_game_belongs_to_a_point() -> None:
    for experiment in EXPERIMENTS:
        store = open_store([experiment])
        known = {point.match for point in experiment.points if point.kind == "match"}
        same = {(m.a, m.b, m.size, m.simulations) for m in known}
        for pairing in store.pairings():
            match = pairing.match
            assert (match.a, match.b, match.size, match.simulations) in same, experiment.name


def test_settings_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    head = 'title = "t"\nsource = "s"\nclaim = "c"\norder = 1\n'
    point = '[[points]]\nid = "p"\na = "house"\nb = "mogo-2007"\nsimulations = 5\n'
    bad = [
        head,
        "title = ",
        head + point + "colour = 3\n",
        head + point + 'kind = "smell"\n',
        head + point + point,
        head + point.replace("simulations = 5", "simulations = -5"),
        head + "surprise = 1\n" + point,
        "\0",
    ]
    for text in bad:
        (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
        with pytest.raises(LabError, match=r"settings\.toml"):
            load_experiment(tmp_path, "x")


def test_unknown_experiments_are_refused_with_the_known_ones() -> None:
    with pytest.raises(LabError, match=r"accepted: .*gelly-silver-2007/table-1"):
        HOME.chosen(("gelly-silver-1907",))
    assert len(HOME.chosen(("gelly-silver-2007",))) >= 6


def test_the_commands_print_tables_and_draw(tmp_path: Path) -> None:
    def lab(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-m", "montego", "lab", *arguments],
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "gelly-silver-2007/table-2" in lab("list")
    assert "published" in lab("table", "gelly-silver-2007/table-2")
    drawn = lab("plot", "gelly-silver-2007/figure-4", "--to", str(tmp_path)).split()
    assert len(drawn) == 2 and all(Path(name).is_file() for name in drawn)
    assert lab("report", "--check") == ""
