"""The labelled suite: the shipped positions, the arithmetic, and the command."""

import json
import subprocess
import sys
from collections import Counter

import pytest

from montego import Game
from montego.lab.experiment import LabError
from montego.lab.home import find_home
from montego.lab.suite import (
    FOLDER,
    POSITIONS,
    TUNING,
    Judged,
    Labelled,
    Opinion,
    judge,
    load_suite,
    subject_of,
    summary_of,
)


@pytest.fixture(scope="module")
def suite():
    return load_suite(find_home().experiments)


def test_the_suite_is_balanced(suite):
    kinds = Counter(0 if p.black_win < 1 / 3 else 2 if p.black_win > 2 / 3 else 1 for p in suite)
    assert kinds == {0: 80, 1: 80, 2: 80} and len({p.id for p in suite}) == 240
    assert all(p.game.size == 9 and p.game.komi == 7.5 for p in suite)


def test_what_is_tuned_on_is_of_other_games(suite):
    tuning = load_suite(find_home().experiments, TUNING)
    assert len({p.id for p in tuning}) == 183 and not {p.source for p in tuning} & {p.source for p in suite}


def test_the_rank_counts_better_moves_and_half_of_the_equal_ones():
    position = Labelled("x", 1, Game(5), 0.75, "C3")
    first = judge(position, Opinion(0.5, {"C3": 2.0, "B2": 1.0}))
    assert (first.rank, first.squared_error) == (1.0, 0.0625)
    assert judge(position, Opinion(0.5, {"C3": 1.0, "B2": 2.0, "D4": 1.0})).rank == 2.5
    nothing = judge(position, Opinion(0.5, {}))  # 25 points and the pass, all equal
    assert nothing.rank == 13.5


def test_mean_squared_error_and_calibration():
    judged = [Judged("a", 1, 1.0, 0.8, 1.0), Judged("b", 1, 0.0, 0.8, 3.0), Judged("c", 1, 1.0, 1.0, 1.0)]
    summary = summary_of(judged)
    assert summary.mse == pytest.approx((0.04 + 0.64) / 3) and summary.first == pytest.approx(2 / 3)
    bins = {low: (n, value, label) for low, _, n, value, label in summary.calibration}
    assert bins[0.7] == (2, pytest.approx(0.8), pytest.approx(0.5)) and bins[0.9] == (1, 1.0, 1.0)
    assert sum(n for n, _, _ in bins.values()) == 3


def test_values_are_for_black_whoever_is_to_play(suite):
    """A position that Black has won is won for Black in every subject's opinion, with either side to move."""
    won = {p.game.to_play: p for p in suite if p.black_win > 0.97 and len(p.game.moves) > 40}
    assert len(won) == 2
    for position in won.values():
        for spec in ("policy:mogo", "mogo-2007"):
            assert subject_of(spec, 200).ask(position.game).black_win > 0.6, (spec, position.id)


def test_mogos_playouts_are_nearer_to_the_labels_than_random_ones(suite):
    """G&S07 Figure 3."""
    some = suite[::4]
    errors = {
        policy: summary_of([judge(p, subject_of(f"policy:{policy}", 300).ask(p.game)) for p in some]).mse
        for policy in ("uniform", "mogo")
    }
    assert errors["mogo"] < errors["uniform"]


def test_heuristics_rank_their_moves(suite):
    opinion = subject_of("heuristic:handcrafted", 1).ask(suite[0].game)
    assert set(opinion.moves.values()) <= {0.0, 0.5, 1.0} and len(opinion.moves) > 10


@pytest.mark.parametrize(
    "spec", ["policy:wild", "policy:mogo:wild=1", "policy:mogo:mercy=x", "heuristic:none", "heuristic:x", "nobody"]
)
def test_unknown_subjects_are_explained(spec):
    with pytest.raises(Exception, match="accepted"):
        subject_of(spec, 10)


@pytest.mark.parametrize("line", ["{", "[]", '{"size": 9}', "1", '{"size": "x", "komi": 1, "rules": "chinese"}'])
def test_a_damaged_suite_is_refused(tmp_path, line):
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / POSITIONS).write_text(line + "\n")
    with pytest.raises(LabError, match="cannot be read"):
        load_suite(tmp_path)
    (tmp_path / FOLDER / POSITIONS).write_text("")
    with pytest.raises(LabError, match="is empty"):
        load_suite(tmp_path)


def test_the_command_tells_the_same_as_the_library(suite):
    words = ["lab", "suite", "policy:uniform", "--positions", "6", "--simulations", "100", "--json"]
    done = subprocess.run([sys.executable, "-m", "montego", *words], capture_output=True, text=True, check=True)
    expected = summary_of([judge(p, subject_of("policy:uniform", 100).ask(p.game)) for p in suite[:6]])
    told = json.loads(done.stdout)
    assert told["positions"] == 6 and told["mse"] == expected.mse and told["mean_rank"] == expected.mean_rank
    assert "6 positions to judge" in done.stderr
    other = subprocess.run([sys.executable, "-m", "montego", *words, "--tuning"], capture_output=True, check=True)
    assert json.loads(other.stdout)["mse"] != told["mse"]
