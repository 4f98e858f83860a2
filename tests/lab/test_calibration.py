"""Values made as sure as they should be, by the labels of other games."""

import numpy as np
import pytest

from montego.lab.calibration import FOLDS, best_slope, calibrated
from montego.lab.suite import Judged, summary_of
from montego.search.winrate import sharpened


def test_the_slope_of_modest_values_is_found():
    values = np.linspace(0.3, 0.7, 41)
    assert best_slope(values, sharpened(values, 4.0)) == pytest.approx(4.0, rel=0.02)
    assert best_slope(values, values) == pytest.approx(1.0, rel=0.02)


def test_no_game_is_judged_by_its_own_labels():
    """What one game's labels say changes nothing in that game, and something in the others."""
    generator = np.random.default_rng(1)
    values, games = generator.uniform(0.2, 0.8, 60), np.repeat(np.arange(20), 3)
    labels = sharpened(values, 3.0)
    turned = np.where(games == 7, 1.0 - labels, labels)
    before, after = calibrated(values, labels, games), calibrated(values, turned, games)
    same_fold = games % FOLDS == 7
    assert (before[same_fold] == after[same_fold]).all()
    assert (before[~same_fold] != after[~same_fold]).any()


def test_values_of_a_single_game_stay_as_they_are():
    values = [0.6, 0.4]
    assert list(calibrated(values, [1.0, 0.0], [3, 3])) == values


def test_a_modest_judge_is_better_calibrated():
    modest = [Judged(str(i), i, float(i % 2), 0.6 if i % 2 else 0.4, 1.0) for i in range(40)]
    summary = summary_of(modest)
    assert summary.mse == pytest.approx(0.16) and summary.calibrated < 0.01 and summary.slope > 10
