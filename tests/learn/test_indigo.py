"""Learned urgencies: the rules against plain Python, selection, determinisation, the same result after any stop."""

import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from montego import Game
from montego.go.board import new_boards
from montego.go.codes import CELLS
from montego.go.geometry import geometry
from montego.learn.indigo import IndigoTraining, Milestone, state_file
from montego.learn.indigo_settings import IndigoSettings, settings_of
from montego.learn.low_level import (
    LIMIT,
    by_kind,
    entropy,
    from_kinds,
    kind_count,
    kinds,
    means,
    new_results,
    play_games,
    q_of_urgency,
    urgency_of_q,
)
from montego.learn.outcomes import Population, SinglePlayer, selected
from montego.learn.relative import HIGH, LOW, RelativePlayer
from montego.learn.training import TrainingError, curve_of
from montego.learn.urgent_games import GAMES, LEADS, RELATIVE_DTYPE, compare, relative_games, urgent_game
from montego.patterns.files import KnowledgeError, Provenance
from montego.patterns.indigo import manual_urgencies
from montego.patterns.learned import load_urgencies, save_urgencies, urgencies_of
from montego.patterns.urgency import NEIGHBOURHOODS, PATTERNS, Urgencies, class_of, symmetric, zero_urgencies
from montego.playout.loop import longest
from montego.playout.simulate import PlayoutConfig, new_work, simulate, tables
from montego.playout.urgencies import new_urgency_memories
from montego.playout.urgent import urgent_playout
from montego.shape import ShapeValue

SMALL = {
    "1a": {"size": 5, "block": 50, "every": 100},
    "1b": {"size": 5, "block": 10, "population": 8, "rounds": 2, "trials": 10, "every": 80},
    "2": {"size": 5, "block": 1, "playouts": 2, "sample": 6, "every": 2},
}
BLOCK = {"1a": 100, "1b": 80, "2": 2}
"""Games of a block, all streams together."""


def small(experiment, blocks, **other):
    return settings_of(experiment, games=blocks * BLOCK[experiment], **{**SMALL[experiment], **other})


def quietly(training, path):
    training.run(path, lambda _: None, lambda _: None)
    return training


def random_player(seed):
    return from_kinds(np.random.default_rng(seed).uniform(0.1, 30, kind_count()), 5.0)


# --- experiments 1a and 1b ---------------------------------------------------------------------------------------


def recorded(seed, player, size=5):
    """A game: the kinds of its moves by the kernel, and its moves and lead by the playout with the same seed."""
    memory = new_urgency_memories(player, size)
    work = new_work(size, PlayoutConfig("uniform"), seed)
    work.urgencies, work.tracing = memory.ctypes.data, 1
    lead = int(urgent_playout(new_boards(size)[0], work, tables()[0], np.uint64(1)))
    moves = [int(p) for p in work.moves[: int(work.length)]]
    again = new_work(size, PlayoutConfig("uniform"), seed)
    again.urgencies = memory.ctypes.data
    found = np.zeros(longest(size), np.uint16)
    same_lead, length = urgent_game(new_boards(size)[0], again, tables()[0], kinds(), found)
    assert same_lead == lead and length == len(moves)
    return [int(kind) for kind in found[: int(length)]], moves, lead


def plain_kind(stones, row, column, colour):
    """The kind of the pattern around a point, from a picture of the board."""
    size, number = len(stones), 0
    for i, (r, c) in enumerate(CELLS):
        y, x = row + r - 1, column + c - 1
        stone = stones[y, x] if 0 <= y < size and 0 <= x < size else 0
        number += 3**i * (0 if stone == 0 else 1 if stone == colour else 2)
    disposition = class_of(row, size) * 5 + class_of(column, size)
    return int(symmetric()[0][disposition * NEIGHBOURHOODS + number])


def test_the_kinds_of_a_game_are_those_of_its_positions():
    for seed in range(3):
        found, moves, _ = recorded(seed, random_player(1))
        game, names = Game(5), geometry(5)
        points = {int(p): divmod(i, 5) for i, p in enumerate(names.points)}
        for move, kind in zip(moves, found, strict=True):
            if move:
                assert kind == plain_kind(game.stones, *points[move], game.to_play)
            else:
                assert kind == 0xFFFF
            game.play(names.vertex(move) if move else "pass")


def plain_learning(games, komi):
    """Q by kind as the paper prints it: Q_n = Q_{n−1} + α (R − Q_{n−1}), α = 1/(1 + n), from 0."""
    q, n = {}, {}
    for found, lead in games:
        result = (lead > komi) - (lead < komi)
        for colour in (0, 1):
            for kind in sorted(set(found[colour::2]) - {0xFFFF}):
                n[kind] = n.get(kind, 0) + 1
                old = q.get(kind, 0.0)
                q[kind] = old + 1 / (1 + n[kind]) * ((result if colour == 0 else -result) - old)
    return q


def test_results_are_learned_as_in_plain_python():
    player, games = random_player(2), []
    memory, work = new_urgency_memories(player, 5), new_work(5, PlayoutConfig("uniform"), 7, 3)
    work.urgencies = memory.ctypes.data
    for _ in range(40):
        found = np.zeros(longest(5), np.uint16)
        lead, length = urgent_game(new_boards(5)[0], work, tables()[0], kinds(), found)
        games.append(([int(kind) for kind in found[: int(length)]], int(lead)))
    expected = plain_learning(games, komi=1.0)
    results = new_results()[0]
    totals = play_games(player, None, 5, 40, (7, 3), 1.0, (results, results))
    assert totals[GAMES] == 40 and totals[LEADS] == sum(lead for _, lead in games)
    q = means(results)
    assert {int(kind) for kind in np.flatnonzero(results[:, 1])} == set(expected) and len(expected) > 100
    assert all(q[kind] == pytest.approx(value, abs=1e-12) for kind, value in expected.items())


def test_two_players_learn_apart():
    black, white = new_results(2)
    play_games(zero_urgencies(), random_player(3), 5, 30, (1, 0), 100.0, (black, white))
    assert (black[:, 0] == -black[:, 1]).all() and (white[:, 0] == white[:, 1]).all()  # Black lost every game
    assert 5 < black[:, 1].max() <= 30 and 5 < white[:, 1].max() <= 30 and not np.array_equal(black, white)


def test_urgency_and_q():
    q = np.array([-0.5, 0.0, 0.5, 0.9], np.float32)
    assert urgency_of_q(q, 1.0) == pytest.approx([1 / 3, 1, 3, 19], rel=1e-5)
    assert urgency_of_q(q, 2.0) == pytest.approx([1 / 9, 1, 9, 361], rel=1e-5)
    assert urgency_of_q(q, 0.0).tolist() == [1, 1, 1, 1]
    for k in (0.7, 1.0, 2.5):
        assert q_of_urgency(urgency_of_q(q, k), k) == pytest.approx(q, abs=1e-6)
    manual = by_kind(manual_urgencies())
    assert urgency_of_q(q_of_urgency(manual, 1.0), 1.0) == pytest.approx(manual, rel=1e-4)
    assert q_of_urgency(np.array([1e-9, 1e9]), 1.0).tolist() == pytest.approx([-LIMIT, LIMIT])


def test_a_block_adds_what_was_learned():
    """Q_play += λ^b Q_learn, from 0 in the first block (b = 0)."""
    learner = SinglePlayer(small("1a", 1, decay=0.5, streams=1))
    for block in range(2):
        before, results = learner.state[0].astype(np.float64), new_results()[0]
        play_games(learner.urgencies, None, 5, 50, learner.settings.seeds(50 * block, 0), 2.5, (results, results))
        learner.learn(50 * block)
        expected = np.clip(before + 0.5**block * means(results), -LIMIT, LIMIT)
        assert np.array_equal(learner.state[0], expected.astype(np.float32)) and learner.state.any()


def test_streams_share_the_games_of_a_block():
    learner, results = SinglePlayer(small("1a", 1)), new_results()[0]
    for i in range(2):
        play_games(learner.urgencies, None, 5, 50, learner.settings.seeds(0, i), 2.5, (results, results))
    totals = learner.learn(0)
    assert totals[GAMES] == 100
    assert np.array_equal(learner.state[0], np.clip(means(results), -LIMIT, LIMIT).astype(np.float32))


@pytest.mark.parametrize("count", [4, 8, 64])
def test_selection_as_printed(count):
    ranked = np.arange(1, count + 1, dtype=np.float32)[:, None]  # the best is 1
    after = selected(ranked)[:, 0].tolist()
    assert len(after) == count and after[0] == 1 and after.count(0) == 1  # Zero
    assert set(after) == {0, *range(1, count // 2 + 1)}
    assert after.count(1) == 1 + int(math.log2(count)) - 1  # for N = 64 it "is copied five times"
    assert after.count(count // 2) == 1


def test_everybody_meets_somebody_in_every_round():
    learner = Population(small("1b", 1))
    pairs = learner._pairs(0)
    assert len(pairs) == 2 * 4 and pairs != learner._pairs(80)
    for i in (0, 4):
        assert sorted(player for pair in pairs[i : i + 4] for player in pair) == list(range(8))


def test_a_population_may_start_from_manual():
    learner = Population(small("1b", 1, start="manual"))
    assert learner.urgencies.patterns == pytest.approx(manual_urgencies().patterns, rel=1e-4)
    assert learner.urgencies.one_liberty == manual_urgencies().one_liberty
    learner.learn(0)
    assert learner.state.shape == (8, kind_count()) and not learner.state[-1].any()  # Zero
    assert len({table.tobytes() for table in learner.state}) == 5  # the best four, and Zero


def test_the_best_of_a_generation_comes_first():
    learner = Population(small("1b", 1, trials=200))
    learner.state[:] = q_of_urgency(1 / by_kind(manual_urgencies()), 1.0)  # all play against Manual's advice
    learner.state[5] = q_of_urgency(by_kind(manual_urgencies()), 1.0)
    assert int(np.argmax(learner._scores(0))) == 5


# --- experiment 2 ------------------------------------------------------------------------------------------------


def relative_of(**values):
    made = np.zeros(1, RELATIVE_DTYPE)[0]
    defaults = {"playouts": 1, "c": 0.7, "step": 0.1, "least": LOW, "most": HIGH}
    for field, value in {**defaults, **values}.items():
        made[field] = value
    return made


def test_a_comparison_by_hand():
    q, matches = np.array([1.0, 0.5, 0.0]), np.array([3.0, 15.0, 0.0])
    compare(np.uint64(0), np.uint64(1), 2.0, q, matches, relative_of(c=1.0, step=0.4))
    delta = 1.0 - 0.5 - 1.0 * 2.0
    assert matches.tolist() == [4, 16, 0]
    assert q == pytest.approx([1.0 - 0.4 / 2 * delta, 0.5 + 0.4 / 4 * delta, 0.0])
    compare(np.uint64(2), np.uint64(2), 5.0, q, matches, relative_of())
    assert q[2] == 0 and matches[2] == 0  # a pattern is not compared with itself
    compare(np.uint64(0), np.uint64(1), 1e9, q, matches, relative_of())
    assert q[:2].tolist() == [HIGH, LOW]


def test_comparisons_end_where_urgencies_have_the_ratio_of_the_formula():
    values, q, matches, draws = [1.5, 0.0, -1.0], np.zeros(3), np.zeros(3), np.random.default_rng(1)
    for _ in range(20_000):
        a, b = draws.choice(3, 2, replace=False)
        difference = values[a] - values[b] + draws.normal()
        compare(np.uint64(a), np.uint64(b), difference, q, matches, relative_of(c=0.8))
    for a, b in ((0, 1), (1, 2), (0, 2)):
        assert math.exp(q[a]) / math.exp(q[b]) == pytest.approx(math.exp(0.8 * (values[a] - values[b])), rel=0.1)


def test_a_game_of_the_best_moves_learns_from_pairs():
    """One move a game: six moves are evaluated in three pairs, and everything stays within bounds."""
    memory, start, boards = new_urgency_memories(zero_urgencies(), 5), new_boards(5), new_boards(5, 3)
    work = new_work(5, PlayoutConfig("uniform", max_length=1), 1)
    work.urgencies, work.komi = memory.ctypes.data, 2.5
    q, matches, totals = np.zeros(kind_count()), np.zeros(kind_count()), np.zeros(5)
    relative_games(1, start, boards, work, tables()[0], kinds(), relative_of(sample=6), q, matches, totals)
    assert totals[:2].tolist() == [1, 1]
    assert matches.sum() % 2 == 0 and 0 < matches.sum() <= 6 and (q != 0).sum() >= 2
    assert {int(k) for k in np.flatnonzero(matches)} <= {
        plain_kind(np.zeros((5, 5)), *divmod(i, 5), 1) for i in range(25)
    }


def test_points_make_larger_ratios_than_outcomes():
    scores, outcomes = (RelativePlayer(small("2", 1, value=value, playouts=10, sample=0, c=0.7)) for value in
                        ("score", "outcome"))  # fmt: skip
    for learner in (scores, outcomes):
        for games in range(0, 20, 2):
            learner.learn(games)
    spread = [float(np.average(np.abs(learner.state[0]), weights=learner.state[1])) for learner in (scores, outcomes)]
    assert spread[0] > 2 * spread[1] > 0


def test_q_is_centred_and_patterns_never_met_are_ordinary():
    learner = RelativePlayer(small("2", 1))
    for games in range(0, 8, 2):
        learner.learn(games)
    q, matches = learner.state
    assert abs(np.average(q, weights=matches)) < 1e-3 and q.any()
    assert not q[matches == 0].any() and q.min() >= LOW and q.max() <= HIGH
    assert np.array_equal(
        learner.urgencies.patterns[:10], np.exp(q.astype(float)).astype(np.float32)[symmetric()[0]][:10]
    )


# --- determinisation ---------------------------------------------------------------------------------------------


def test_entropy_tells_how_random_a_player_is():
    assert entropy(zero_urgencies(), 5) == pytest.approx(1.0, abs=1e-9)
    assert 0.3 < entropy(manual_urgencies(), 5) < 0.95
    one = np.ones(PATTERNS)
    one[symmetric()[0] == symmetric()[0][12 * NEIGHBOURHOODS]] = 4000  # an empty neighbourhood off the edge
    assert entropy(Urgencies(one), 5) < 0.99
    ladder = from_kinds(np.exp(np.random.default_rng(1).uniform(LOW, HIGH, kind_count())), 0.0)
    assert entropy(ladder, 5) < entropy(Urgencies(one), 5)


# --- trainings and their files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("experiment", ["1a", "1b", "2"])
def test_stopping_and_going_on_changes_nothing(experiment, tmp_path):
    whole_path, path = tmp_path / "whole.npz", tmp_path / "part.npz"
    whole = quietly(IndigoTraining(small(experiment, 5, every=10**6)), whole_path)
    quietly(IndigoTraining(small(experiment, 1)), path)
    for blocks in (2, 4):
        quietly(IndigoTraining.resumed(path, small(experiment, blocks, every=10**6)), path)
    state_bytes = state_file(path).read_bytes()
    path.unlink()  # killed before it was written again
    resumed = IndigoTraining.resumed(path, small(experiment, 5, every=10**6))
    assert resumed.games == 4 * BLOCK[experiment] and path.exists() and state_file(path).read_bytes() == state_bytes
    quietly(resumed, path)
    assert np.array_equal(whole.learner.state, resumed.learner.state) and whole.learner.state.any()
    found, provenance = load_urgencies(path)
    assert np.array_equal(found.patterns, load_urgencies(whole_path)[0].patterns)
    assert np.array_equal(found.patterns, whole.learner.urgencies.patterns) and (found.patterns != 1).any()
    assert whole.curve[-1].score == resumed.curve[-1].score and whole.curve[-1].entropy == resumed.curve[-1].entropy
    assert [m.games // BLOCK[experiment] for m in curve_of(provenance, Milestone)] == [1, 2, 4, 5]
    assert provenance.trainer == "montego train indigo" and provenance.games == 5 * BLOCK[experiment]
    assert provenance.settings["experiment"] == experiment and provenance.settings["k"] == 1.0


def test_learned_urgencies_can_be_played(tmp_path):
    path = tmp_path / "u.npz"
    training = quietly(IndigoTraining(small("1a", 4)), path)
    assert np.array_equal(urgencies_of(str(path), 5).patterns, training.learner.urgencies.patterns)
    played = simulate(Game(5), 50, PlayoutConfig("rlpr", urgencies=str(path)))
    assert played.mean_length > 10


def test_seeds_and_streams_make_other_games(tmp_path):
    found = [
        quietly(IndigoTraining(small("1a", 2, **other)), tmp_path / f"{i}.npz").learner.state
        for i, other in enumerate(({}, {}, {"seed": 2}, {"streams": 1}))
    ]
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2]) and not np.array_equal(found[0], found[3])


def test_one_player_learns_to_beat_zero_and_loses_randomness(tmp_path):
    training = quietly(
        IndigoTraining(settings_of("1a", games=40_000, block=5_000, one_liberty=0.0)), tmp_path / "u.npz"
    )
    last = training.curve[-1]
    assert last.score["zero"] > 5 and last.wins["zero"] > 0.7 and last.entropy < 0.95
    assert last.score["manual"] < 0


@pytest.mark.parametrize(
    ("wrong", "accepted"),
    [({"experiment": "3"}, "1a, 1b, 2"), ({"size": 1}, "from 2 to 19"), ({"games": 0}, "from 1"),
     ({"population": 12}, "4, 8, 16"), ({"population": 2}, "from 4"), ({"k": -1}, "from 0 to 100"),
     ({"decay": 1.5}, "from 0 to 1"), ({"komi": True}, "a number"), ({"start": "mogo"}, "zero, manual"),
     ({"value": "points"}, "score, outcome"), ({"c": float("nan")}, "a number"), ({"epsilon": 2}, "from 0 to 1"),
     ({"playouts": 0}, "from 1"), ({"streams": 0}, "from 1"), ({"seed": "x"}, "a whole number")],
)  # fmt: skip
def test_impossible_settings_are_refused(wrong, accepted):
    with pytest.raises(TrainingError, match=f"{next(iter(wrong))} is .*; accepted: .*{accepted}"):
        IndigoSettings(**wrong)


def test_files_that_do_not_go_with_a_training_are_refused(tmp_path):
    path = tmp_path / "u.npz"
    quietly(IndigoTraining(small("1a", 1)), path)
    with pytest.raises(TrainingError, match=r"trained with k 1\.0, seed 1; accepted: the same settings"):
        IndigoTraining.resumed(path, small("1a", 2, k=0.5, seed=2))
    assert IndigoTraining.resumed(path, small("1a", 2, c=0.5)).games == 100  # which 1a has no use for
    with pytest.raises(TrainingError, match="trained with experiment '1a'"):
        IndigoTraining.resumed(path, small("2", 2))
    kept = state_file(path).read_bytes()
    state_file(path).write_bytes(kept[:-100])
    with pytest.raises(TrainingError, match="is not a file of a training of urgencies"):
        IndigoTraining.resumed(path, small("1a", 2))
    state_file(path).unlink()
    with pytest.raises(TrainingError, match=r"there is no file of a training of urgencies .*u\.state\.npz"):
        IndigoTraining.resumed(path, small("1a", 2))
    save_urgencies(path, zero_urgencies(), Provenance("somebody"))
    with pytest.raises(TrainingError, match="not made by this training; accepted: a file of `montego train indigo`"):
        IndigoTraining.resumed(path, small("1a", 2))
    ShapeValue(5).save(path)
    with pytest.raises(KnowledgeError, match="is not in the format 'montego urgencies 1'"):
        IndigoTraining.resumed(path, small("1a", 2))


# --- the command -------------------------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "montego", "train", "indigo", "--experiment", "1b", "--size", "5", "--block", "10",
           "--population", "8", "--rounds", "2", "--trials", "10", "--every", "80"]  # fmt: skip


def test_a_training_killed_at_any_moment_comes_to_the_same_urgencies(tmp_path):
    whole, killed = tmp_path / "whole.npz", tmp_path / "killed.npz"
    games = ["--games", "1600"]
    subprocess.run([*COMMAND, *games, "--to", str(whole)], check=True, capture_output=True)
    state = state_file(killed)
    for _ in range(3):
        process = subprocess.Popen([*COMMAND, *games, "--to", str(killed)], stderr=subprocess.DEVNULL)
        seen, end = state.stat().st_mtime_ns if state.exists() else 0, time.monotonic() + 120
        while not (state.exists() and state.stat().st_mtime_ns > seen) and time.monotonic() < end:
            assert process.poll() is None
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)  # at times between the two files
        process.wait()
    done = subprocess.run([*COMMAND, *games, "--to", str(killed)], check=True, capture_output=True, text=True)
    assert "1600 games, entropy 0." in done.stdout and "against manual" in done.stdout
    assert int(done.stderr.split(" games to learn from")[0].split()[-1]) < 1600  # it did go on
    assert np.array_equal(load_urgencies(killed)[0].patterns, load_urgencies(whole)[0].patterns)
    again = subprocess.run([*COMMAND, *games, "--to", str(killed)], check=True, capture_output=True, text=True)
    assert "has learned from 1600 games already" in again.stderr
    refused = subprocess.run([*COMMAND, *games, "--k", "2", "--to", str(killed)], capture_output=True, text=True)
    assert refused.returncode == 2 and "was trained with k 1.0; accepted: the same settings" in refused.stderr


def test_the_curve_is_drawn(tmp_path):
    path = tmp_path / "u.npz"
    quietly(IndigoTraining(small("1a", 3)), path)
    command = [sys.executable, "-m", "montego", "train", "curve", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.split() == [str(tmp_path / "u.png"), str(tmp_path / "u.svg")]
    picture = (tmp_path / "u.svg").read_text()
    assert "against manual" in picture and "entropy" in picture and (tmp_path / "u.png").stat().st_size > 5000
    save_urgencies(path, zero_urgencies(), Provenance())
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2 and "tells no learning curve" in refused.stderr
    whole = np.load(path)
    np.savez(path, theta=whole["theta"] + np.float32(1), about=whole["about"])
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2 and "is damaged: the urgencies do not have the checksum" in refused.stderr


def test_urgencies_that_no_file_can_hold_are_refused(tmp_path):
    wrong = replace(zero_urgencies(), one_liberty=-1.0)
    with pytest.raises(KnowledgeError, match=r"accepted: \d+ finite numbers from 0"):
        save_urgencies(tmp_path / "u.npz", wrong, Provenance())
    assert not list(tmp_path.iterdir())
