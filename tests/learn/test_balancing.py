"""Simulation balancing: the gradient against the exact expectation on a tiny board, training that can be stopped."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

import strength_reference as reference
from montego.cli.train import command
from montego.go.game import Game
from montego.learn.balancing import BalancePoint, BalanceSettings, Balancing, _Bench, without_noise
from montego.learn.labelling import LabelSettings, chosen, label_positions
from montego.learn.sources import Label, Source, labels
from montego.learn.training import TrainingError, curve_of
from montego.patterns.files import Provenance
from montego.patterns.strength_files import load_strengths, save_strengths
from montego.patterns.strengths import PLAYOUT_SET, Strengths, bounded, even_strengths
from montego.playout import PlayoutConfig, simulate, trace
from montego.search.winrate import sharpened

SIZE, PLIES = 3, 4
"""The tiny board, and the moves after which playouts are cut off: then all of them can be gone through."""
START = Game.from_diagram("X . .\n . O .\n . . X", to_play="white", komi=-0.5)


def lead(grid):
    """Black's as `final_lead` counts it."""
    total = 0
    for row, line in enumerate(grid):
        for column, stone in enumerate(line):
            beside = {grid[r][c] for r, c in reference.oracle.around(grid, (row, column))} if stone == 0 else set()
            total += (stone == 1) - (stone == 2) + (stone == 0) * ((2 not in beside) - (1 not in beside))
    return total


def tree(game, depth):
    """All playouts: at each position the teams of its moves and what follows, in the end the outcome for Black."""
    if depth == 0:
        return 0.5 + 0.5 * float(np.sign(lead(game.stones.tolist()) - game.komi))
    branches = []
    for point in reference.sensible(game):
        after = game.copy()
        after.play(f"{'ABC'[point[1]]}{SIZE - point[0]}")
        branches.append((reference.playout_team(game, point, game.to_play), tree(after, depth - 1)))
    assert branches, "nobody has to pass so early"
    return branches


def expectation(node, theta):
    if isinstance(node, float):
        return node
    weights = np.array([math.exp(theta[team].sum()) for team, _ in node])
    return float(weights @ [expectation(below, theta) for _, below in node] / weights.sum())


def test_the_gradient_is_that_of_the_exact_expectation():
    strengths, branches = reference.random_strengths(), tree(START, PLIES)
    theta = strengths.playout
    bench = _Bench(SIZE, strengths)
    bench._work.max_length = PLIES
    label = Label("a game", START, 0.5)
    value = expectation(branches, theta)
    assert 0.1 < value < 0.9 and abs(bench.value(label, 200_000, np.uint64(5)) - value) < 0.005
    bench.differentiate(label, 400_000, value, np.uint64(7))
    exact = np.zeros(len(theta))
    for feature in {f for team, _ in branches for f in team if f} | set(
        range(PLAYOUT_SET.starts["tactic"] + 1, PLAYOUT_SET.count)
    ):
        for sign in (1, -1):
            moved = theta.copy()
            moved[feature] += sign * 1e-4
            exact[feature] += sign * expectation(branches, moved) / 2e-4
    known = np.flatnonzero(exact)
    assert len(known) > 10 and np.abs(exact).max() > 0.05
    assert np.abs(bench.gradient[known] - exact[known]).max() < 0.006
    less = bench.gradient.copy()
    bench.differentiate(label, 400_000, 0.0, np.uint64(9))  # what is taken off the outcome changes nothing but noise
    assert np.abs(bench.gradient[known] - less[known]).max() < 0.01


def test_noise_is_taken_off():
    """The mean over many estimates from few outcomes is the squared error of the exact value."""
    generator, value, oracle = np.random.default_rng(1), 0.7, 0.4
    estimates = generator.binomial(10, value, 100_000) / 10
    found = np.mean([without_noise(oracle - v, v, 10) for v in estimates])
    assert abs(found - 0.09) < 0.003


# --- training ---------------------------------------------------------------------------------------------------


def positions(count=24, size=5):
    """Positions of games, with the values of playouts that capture and extend whatever they can."""
    theta, first = np.zeros(PLAYOUT_SET.count), PLAYOUT_SET.starts["tactic"] + 1
    theta[first : first + 5], theta[first + 5] = 6.0, -6.0
    target = bounded(Strengths(theta, even_strengths().tree))
    bench, made = _Bench(size, target), []
    for seed in range(count):
        game = Game(size, komi=0.5)
        for move in trace(game, PlayoutConfig("uniform"), seed=seed).moves[: 14 + seed % 5]:
            game.play(move.vertex)
        label = Label(f"game {seed}", game, 0.5)
        made.append(Label(f"game {seed}", game, bench.value(label, 3000, np.uint64(seed + 1))))
    return made


def settings(**other):
    fields = {"size": 5, "start": "even", "passes": 4, "playouts": 50, "scored": 50, "block": 4, "test": 0.3,
              "test_playouts": 100}  # fmt: skip
    return BalanceSettings(**{**fields, **other})


def quietly(training, path):
    training.run(path, lambda _: None, lambda _: None)
    return training


def test_playouts_come_to_meet_the_oracle(tmp_path):
    wanted = settings(passes=12, playouts=200, scored=200, alpha=20.0, test_playouts=1000)
    training = quietly(Balancing(wanted, positions(60)), tmp_path / "balanced.npz")
    first, last = training.curve[0], training.curve[-1]
    assert first.passes == 0 and first.learned is None and last.passes == 12
    assert last.tested < 0.6 * first.tested, training.curve
    assert training.theta[0] == 0 and not training.strengths.tree.any()
    assert (training.theta[PLAYOUT_SET.starts["tactic"] + 1 :][:3] > 0).all(), "captures"


def test_a_training_that_was_stopped_comes_to_the_same_strengths(tmp_path):
    """With one stream or two."""
    found = positions()
    whole = quietly(Balancing(settings(), found), tmp_path / "whole.npz")
    quietly(Balancing(settings(passes=2, streams=1), found), tmp_path / "part.npz")
    again = Balancing(settings(streams=1), found)
    again.resume(tmp_path / "part.npz")
    assert again.blocks == 2 * again.per_pass
    quietly(again, tmp_path / "part.npz")
    kept = [load_strengths(tmp_path / f"{name}.npz") for name in ("whole", "part")]
    assert (kept[0][0].playout == kept[1][0].playout).all() and kept[0][0].playout.any()
    assert curve_of(kept[0][1], BalancePoint) == curve_of(kept[1][1], BalancePoint) == whole.curve
    for other, why in ((settings(alpha=1.0), "alpha"), (settings(seed=3), "seed")):
        with pytest.raises(TrainingError, match=why):
            Balancing(other, found).resume(tmp_path / "part.npz")
    with pytest.raises(TrainingError, match="digest"):
        Balancing(settings(), found[:-1]).resume(tmp_path / "part.npz")
    save_strengths(tmp_path / "other.npz", even_strengths(), Provenance("somebody else"))
    with pytest.raises(TrainingError, match="not made by this training"):
        Balancing(settings(), found).resume(tmp_path / "other.npz")


def test_games_are_learned_from_or_tested_with():
    training = Balancing(settings(), positions())
    learned, tested = ({label.name for label in part} for part in (training.learned, training.tested))
    assert learned and tested and not learned & tested
    with pytest.raises(TrainingError, match="accepted"):
        Balancing(settings(size=9), positions())


def test_every_pass_sees_every_position_once():
    training = Balancing(settings(), positions())
    orders = []
    for _ in range(2):
        seen = []
        for _ in range(training.per_pass):
            seen += [label.name for label in training._block()]
            training.blocks += 1
        assert sorted(seen) == sorted(label.name for label in training.learned)
        orders.append(seen)
    assert orders[0] != orders[1]


def test_it_goes_on_from_the_same_start_alone(tmp_path):
    path, start = tmp_path / "balanced.npz", tmp_path / "start.npz"
    even = even_strengths()
    save_strengths(start, even, Provenance("a test", "", 0, 0, {}))
    wanted = settings(start=str(start), passes=1)
    quietly(Balancing(wanted, positions(), {}), path)
    Balancing(wanted, positions(), {}).resume(path)
    save_strengths(start, replace(even, tree=even.tree + 0.5), Provenance("a test", "", 0, 0, {}))
    with pytest.raises(TrainingError, match="start digest"):
        Balancing(wanted, positions(), {}).resume(path)


def test_positions_on_other_boards_are_told():
    with pytest.raises(TrainingError, match="0 positions on 7×7 to learn from, 0 to test with, 24 on other boards"):
        Balancing(settings(size=7), positions(), {})


def test_settings_that_cannot_be():
    for wrong in ({"passes": 0}, {"alpha": -1}, {"alpha": math.nan}, {"test": 1.0}, {"playouts": 1}, {"block": 0.5}):
        with pytest.raises(TrainingError, match="accepted"):
            BalanceSettings(**wrong)


# --- labels -----------------------------------------------------------------------------------------------------


def games(count=8, size=5):
    made = []
    for seed in range(count):
        moves = tuple((m.colour, m.vertex) for m in trace(Game(size), PlayoutConfig("mogo"), seed=seed).moves[:16])
        made.append(Source(" ".join(v for _, v in moves), Game(size), moves))
    return made


LABELS = LabelSettings(size=5, positions=6, player="mogo-2006", simulations=60)


def test_positions_are_labelled_and_more_are_added(tmp_path):
    path, whole = tmp_path / "part.jsonl", tmp_path / "whole.jsonl"
    assert label_positions(whole, games(), LABELS, lambda _: None) == 6
    assert label_positions(path, games(), LabelSettings(**{**vars(LABELS), "positions": 3}), lambda _: None) == 3
    with path.open("a") as file:
        file.write('{"id": "cut off')  # as after a kill
    told = []
    assert label_positions(path, games(), LABELS, told.append) == 6
    assert told == [4, 5, 6] and path.read_text() == whole.read_text()
    found = labels(path)
    assert len({label.name for label in found}) == 6
    for label, (name, game) in zip(found, chosen(games(), LABELS), strict=True):
        assert (label.game.stones == game.stones).all() and label.game.to_play == game.to_play
        assert label.name == f"game {name.partition('m')[0]}" and label.game.is_legal(label.best)
    with pytest.raises(TrainingError, match="other positions"):
        label_positions(path, games(), LabelSettings(**{**vars(LABELS), "seed": 2}), lambda _: None)
    for other in ({"player": "mogo-2007"}, {"simulations": 61}, {"sharpness": 3.0}):
        with pytest.raises(TrainingError, match="labelled by 'mogo-2006, 60 simulations"):
            label_positions(path, games(), LabelSettings(**{**vars(LABELS), **other}), lambda _: None)
    assert label_positions(path, games(), LabelSettings(**{**vars(LABELS), "positions": 2}), lambda _: None) == 6
    assert path.read_text() == whole.read_text(), "enough are there"
    with pytest.raises(TrainingError, match="cannot be written"):
        label_positions(tmp_path / "nowhere" / "labels.jsonl", games(), LABELS, lambda _: None)


def test_values_are_sharpened():
    for k in (1.0, 4.0):
        values = [sharpened(v, k) for v in (0.0, 0.1, 0.4, 0.5, 0.6, 1.0)]
        assert values == sorted(values) and values[0] == 0 and values[-1] == 1 and values[3] == 0.5
    assert sharpened(0.4, 1.0) == pytest.approx(0.4) and sharpened(0.4, 4.0) == pytest.approx(16 / (16 + 81))


def test_labels_are_values_for_black(tmp_path):
    """A position that Black has won, whoever is to move."""
    mine = [f"{column}{row}" for row in (2, 4) for column in "ABCDE"]
    moves = [*[vertex for stone in mine for vertex in (stone, "pass")][:-1], "C3"]
    source = Source("won", Game(5), tuple((1 + i % 2, vertex) for i, vertex in enumerate(moves)))
    wanted = LabelSettings(size=5, positions=4, each=4, player="mogo-2006", simulations=200)
    label_positions(tmp_path / "won.jsonl", [source], wanted, lambda _: None)
    late = [label for label in labels(tmp_path / "won.jsonl") if len(label.game.moves) > 12]
    assert late and all(label.black_win > 0.7 for label in late)


def test_the_commands(tmp_path):
    made, to = tmp_path / "labels.jsonl", tmp_path / "balanced.npz"
    bench = positions(10)
    lines = [
        {"game": i, "size": 5, "komi": 0.5, "rules": "chinese", "black_win": label.black_win,
         "moves": [move.vertex for move in label.game.moves]}
        for i, label in enumerate(bench)
    ]  # fmt: skip
    made.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "none.jsonl").write_text(json.dumps({**lines[0], "game": "another"}) + "\n")
    line = ["balance", "--positions", str(made), "--size", "5", "--start", "even", "--passes", "2", "--playouts", "10"]
    line += ["--scored", "10", "--test", "0.4", "--to", str(to), "--without", str(tmp_path / "none.jsonl")]
    told = CliRunner().invoke(command, line, catch_exceptions=False)
    assert told.exit_code == 0 and "2 passes" in told.output, told.output
    assert "already" in CliRunner().invoke(command, line, catch_exceptions=False).output
    nowhere = CliRunner().invoke(command, [*line, "--to", str(tmp_path / "no" / "where.npz")])
    assert nowhere.exit_code == 2 and "nothing can be written into" in nowhere.output
    drawn = CliRunner().invoke(command, ["curve", str(to)], catch_exceptions=False)
    assert drawn.exit_code == 0 and (tmp_path / "balanced.svg").stat().st_size > 1000
    assert simulate(Game(5), 10, PlayoutConfig("boltzmann", strengths=str(to))).playouts == 10
