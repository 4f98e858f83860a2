"""The weights that come with the package: whole, with their provenance, and as strong as the paper says."""

import numpy as np

from montego import player
from montego.learn.td import TRAINER, Checkpoint, TdSettings, Training
from montego.learn.training import curve_of
from montego.shape import shipped_weights
from montego.shape.shipped import fingerprint, shipped_file


def test_they_tell_where_they_come_from():
    value = shipped_weights(9)
    assert value.provenance.trainer == TRAINER and value.provenance.games == 1_000_000
    told = dict(value.provenance.settings)
    assert len(told.pop("curve")) == len(curve_of(value.provenance, Checkpoint)) >= 20
    assert TdSettings(**told) == TdSettings(every=told["every"]), "made with the defaults"
    assert np.isfinite(value.theta).all() and np.count_nonzero(value.theta) > 50_000


def test_greedy_play_beats_random_play_and_mogos_policy():
    """G&S07 §5: by more than 90 %."""
    learned = Training(TdSettings(start=str(shipped_file(9))))
    assert learned.test("uniform", 2000) >= 0.99
    assert learned.test("mogo", 2000) >= 0.9


def test_records_of_games_name_the_weights():
    assert player("mogo-rlgo").describe()["weights"] == fingerprint("shipped")
    assert "weights" not in player("mogo-2007").describe()
