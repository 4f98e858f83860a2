"""The urgencies that come with the package: whole, with their provenance, and stronger than chance."""

import pytest

from montego.learn.indigo import TRAINER, Milestone
from montego.learn.training import curve_of
from montego.patterns.indigo import manual_urgencies
from montego.patterns.learned import FOLDER, load_urgencies, named_file, shipped_file, urgencies_of
from montego.patterns.strength_files import BALANCED, LARGE_MM, MEDIUM_MM, MM
from montego.patterns.urgency import zero_urgencies
from montego.playout.contest import contest

SIZES = {
    "rlpr-9x9": 9,
    "rlpr-19x19": 19,
    "experiment-1a": 9,
    "experiment-1b-zero": 19,
    "experiment-1b-manual": 19,
}


def test_all_files_are_known():
    assert {path.stem for path in FOLDER.iterdir()} == {*SIZES, MM, MEDIUM_MM, LARGE_MM, BALANCED}
    assert shipped_file(9) == named_file("rlpr-9x9") and shipped_file(17) == named_file("rlpr-19x19")


@pytest.mark.parametrize("name", SIZES)
def test_they_tell_where_they_come_from(name):
    urgencies, provenance = load_urgencies(named_file(name))
    assert provenance.trainer == TRAINER and provenance.games > 0 and provenance.settings["size"] == SIZES[name]
    curve = curve_of(provenance, Milestone)
    assert len(curve) >= 10 and all(0 < milestone.entropy < 1 for milestone in curve)
    assert urgencies.one_liberty == manual_urgencies().one_liberty


@pytest.mark.parametrize("name", SIZES)
def test_they_beat_chance(name):
    found = contest(urgencies_of(name, SIZES[name]), zero_urgencies(), SIZES[name], 100)
    assert found.score > 5 * found.error and found.wins > 0.8


def test_relative_differences_beat_the_expert_without_search():
    found = contest(urgencies_of("shipped", 9), manual_urgencies(), 9, 400)
    assert found.score > 3 * found.error
