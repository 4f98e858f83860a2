"""TD self-play: the update against plain NumPy, the same result after any interruption, and that it learns."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from montego import Game
from montego.go.board import new_boards
from montego.learn.selfplay import LEARNING_DTYPE, play_game
from montego.learn.td import Checkpoint, TdSettings, Training, merged
from montego.learn.training import TrainingError, curve_of
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.shape import ShapeError, ShapeValue
from montego.shape.learning import learn_from_game
from montego.shape.value import new_state

SMALL = {"size": 5, "komi": 0.5, "block": 20, "every": 80}


def quietly(training, path):
    training.run(path, lambda _: None, lambda _: None)
    return training


def learning_of(**values):
    learning = np.zeros(1, LEARNING_DTYPE)[0]
    for field, value in {"alpha": 0.1, "epsilon": 0.3, "plies": 2, "max_length": 60, "komi": 0.5, **values}.items():
        learning[field] = value
    return learning


def a_game(seed, learning, size=5):
    """A game with random weights: they, the links, the states, the values, the length and the outcome."""
    value = ShapeValue(size)
    value.theta = np.random.default_rng(seed).normal(0, 0.3, value.features.weight_count)
    weights = value.weights.astype(np.float64)
    layout, links = value.features.layout[0], value.features.links
    states = np.zeros((60, len(layout.origin)), np.uint32)
    values, sums = np.zeros(120), np.zeros(size * size + 8)
    board, work = new_boards(size)[0], new_work(size, PlayoutConfig("uniform"), seed)
    length, z = play_game(board, work, tables()[0], new_state(value.features), layout, weights, links, learning,
                          states, values, sums)  # fmt: skip
    return weights, links, states, values, int(length), z, board


def plain_features(row, links, count):
    """φ of a remembered state, by weight, and |φ|."""
    phi, active = np.zeros(count), 0
    for raw in row:
        for link in links[raw]:
            if link > 1:
                phi[link // 2 - 1] += 1 if link % 2 == 0 else -1
                active += 1
    return phi, active


def plain_learning(weights, links, states, length, z, learning):
    """TD(λ) as the papers print it: forward returns by recursion, one state after another."""
    theta = weights[2::2].copy()
    phis = [plain_features(states[t], links, len(theta)) for t in range(length)]
    values = [1 / (1 + np.exp(-phi @ theta)) for phi, _ in phis]
    plies, decay = int(learning.plies), float(learning.decay)

    def target(t):
        if t + plies >= length:
            return z
        return (1 - decay) * values[t + plies] + decay * target(t + plies)

    errors = 0.0
    for t, (phi, active) in enumerate(phis):
        delta = target(t) - 1 / (1 + np.exp(-phi @ theta))
        theta += float(learning.alpha) / max(1, active) * delta * phi
        errors += delta**2
    return theta, errors


@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize("decay", [0.0, 0.4, 1.0])
def test_a_game_is_learned_as_in_plain_numpy(plies, decay):
    learning = learning_of(plies=plies, decay=decay)
    weights, links, states, values, length, z, _ = a_game(seed=plies, learning=learning)
    assert length > 10
    expected, errors = plain_learning(weights, links, states, length, z, learning)
    found = learn_from_game(states, values, np.uint64(length), z, weights, links, learning)
    assert np.abs(weights[2::2] - expected).max() < 1e-9 and np.array_equal(weights[3::2], -weights[2::2])
    assert found == pytest.approx(errors, abs=1e-9) and not weights[:2].any()


def test_the_values_of_a_game_are_those_of_its_positions():
    weights, links, states, values, length, _, _ = a_game(3, learning_of())
    for t in range(length):
        phi, _ = plain_features(states[t], links, len(weights) // 2 - 1)
        assert values[t] == pytest.approx(1 / (1 + np.exp(-phi @ weights[2::2])), abs=1e-9)


def test_the_outcome_counts_komi():
    *_, board = a_game(4, learning_of())
    stones = board.colour
    for komi, expected in ((-100.0, 1.0), (100.0, 0.0)):
        *_, z, again = a_game(4, learning_of(komi=komi))
        assert z == expected and np.array_equal(again.colour, stones)


def test_greedy_games_follow_the_values(tmp_path):
    """Without ε every move of self-play is the best afterstate for its side."""
    value = ShapeValue(5)
    value.theta = np.random.default_rng(8).normal(0, 0.3, value.features.weight_count)
    learning = learning_of(epsilon=0.0, max_length=1)
    layout, links = value.features.layout[0], value.features.links
    states, values, sums = np.zeros((1, len(layout.origin)), np.uint32), np.zeros(2), np.zeros(33)
    board, work = new_boards(5)[0], new_work(5, PlayoutConfig("uniform"), 8)
    play_game(board, work, tables()[0], new_state(value.features), layout, value.weights, links, learning, states,
              values, sums)  # fmt: skip
    after = value.afterstates(Game(5))
    after.pop("pass")
    assert values[0] == pytest.approx(max(after.values()), abs=1e-6)


def test_merging_takes_the_mean_of_those_that_changed():
    before = np.array([0.0, 1.0, 2.0, 3.0], np.float32)
    one, two = before + np.float32([0, 1, 1, 0]), before + np.float32([0, 0, 3, 0])
    assert merged(before, [one, two]).tolist() == [0.0, 2.0, 4.0, 3.0]


def test_stopping_and_going_on_changes_nothing(tmp_path):
    whole = quietly(Training(TdSettings(games=400, **SMALL)), tmp_path / "whole.npz")
    quietly(Training(TdSettings(games=160, **SMALL)), tmp_path / "part.npz")
    resumed = Training.resumed(tmp_path / "part.npz", TdSettings(games=400, **SMALL))
    assert resumed.games == 160
    quietly(resumed, tmp_path / "part.npz")
    assert np.array_equal(whole.value.theta, resumed.value.theta) and whole.value.theta.any()
    assert whole.curve == resumed.curve
    assert [checkpoint.games for checkpoint in whole.curve] == [40, 80, 160, 240, 320, 400]
    assert curve_of(ShapeValue.load(tmp_path / "part.npz").provenance, Checkpoint) == whole.curve
    more = Training.resumed(tmp_path / "part.npz", TdSettings(games=800, **SMALL))
    assert more.games == 400


def test_steps_and_checkpoints():
    settings = TdSettings(alpha=0.2, halving=1000, every=1000)
    assert [settings.step(games) for games in (0, 1000, 3000)] == [0.2, 0.1, 0.05]
    assert TdSettings(alpha=0.2).step(10**6) == 0.2
    due = [games for games in range(100, 3100, 100) if settings.is_due(games - 100, games)]
    assert due == [100, 200, 500, 1000, 2000, 3000]


def test_smaller_steps_learn_other_weights(tmp_path):
    found = [
        quietly(Training(TdSettings(games=160, **SMALL, halving=halving)), tmp_path / "w.npz").value.theta
        for halving in (0, 40)
    ]
    assert not np.array_equal(*found)


def test_seeds_and_streams_make_other_games(tmp_path):
    found = [
        quietly(Training(TdSettings(games=80, **{**SMALL, **other})), tmp_path / "w.npz").value.theta
        for other in ({}, {}, {"seed": 2}, {"streams": 1})
    ]
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2]) and not np.array_equal(found[0], found[3])


def test_it_learns_to_beat_the_default_policies(tmp_path):
    training = Training(TdSettings(games=4000, every=4000))
    assert training.test("mogo", 400) < 0.4
    quietly(training, tmp_path / "w.npz")
    assert training.test("uniform", 400) > 0.97 and training.test("mogo", 400) > 0.75


def test_another_board_starts_from_these_weights(tmp_path):
    path = tmp_path / "5.npz"
    quietly(Training(TdSettings(games=200, **SMALL)), path)
    larger = Training(TdSettings(size=7, sets="li", start=str(path)))
    assert larger.value.theta.any() and larger.games == 0
    same = Training(TdSettings(start=str(path), **SMALL))
    assert np.array_equal(same.value.theta, ShapeValue.load(path).theta)


@pytest.mark.parametrize(
    "wrong",
    [{"size": 1}, {"games": 0}, {"alpha": -1}, {"epsilon": 2}, {"decay": float("nan")}, {"plies": 3}, {"streams": 0},
     {"seed": "x"}, {"komi": True}, {"windows": "wild"}, {"sets": "wild"}, {"start": "nowhere.npz"}],
)  # fmt: skip
def test_impossible_settings_are_refused(wrong):
    with pytest.raises((TrainingError, ShapeError)):
        Training(TdSettings(**wrong))


def test_a_file_of_other_settings_is_refused(tmp_path):
    path = tmp_path / "w.npz"
    quietly(Training(TdSettings(games=80, **SMALL)), path)
    with pytest.raises(TrainingError, match=r"trained with alpha 0\.1; accepted: the same settings"):
        Training.resumed(path, TdSettings(alpha=0.2, **SMALL))
    ShapeValue(5).save(path)
    with pytest.raises(TrainingError, match="not made by training"):
        Training.resumed(path, TdSettings(**SMALL))


COMMAND = [sys.executable, "-m", "montego", "train", "rlgo", "--size", "5", "--block", "50", "--every", "1000"]


def test_a_training_killed_at_any_moment_comes_to_the_same_weights(tmp_path):
    whole, killed = tmp_path / "whole.npz", tmp_path / "killed.npz"
    games = ["--games", "20000"]
    subprocess.run([*COMMAND, *games, "--to", str(whole)], check=True, capture_output=True)
    for _ in range(3):
        process = subprocess.Popen([*COMMAND, *games, "--to", str(killed)], stderr=subprocess.DEVNULL)
        seen, end = killed.stat().st_mtime_ns if killed.exists() else 0, time.monotonic() + 120
        while not (killed.exists() and killed.stat().st_mtime_ns > seen) and time.monotonic() < end:
            assert process.poll() is None
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert 0 < ShapeValue.load(killed).provenance.games < 20000
    done = subprocess.run([*COMMAND, *games, "--to", str(killed)], check=True, capture_output=True, text=True)
    assert "20000 games, TD error" in done.stdout
    assert np.array_equal(ShapeValue.load(killed).theta, ShapeValue.load(whole).theta)
    again = subprocess.run([*COMMAND, *games, "--to", str(killed)], check=True, capture_output=True, text=True)
    assert "has learned from 20000 games already" in again.stderr


def test_the_curve_is_drawn(tmp_path):
    path = tmp_path / "w.npz"
    quietly(Training(TdSettings(games=240, **SMALL)), path)
    command = [sys.executable, "-m", "montego", "train", "curve", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.split() == [str(tmp_path / "w.png"), str(tmp_path / "w.svg")]
    assert "against mogo" in (tmp_path / "w.svg").read_text() and (tmp_path / "w.png").stat().st_size > 5000
    ShapeValue(5).save(path)
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2 and "tells no learning curve" in refused.stderr
