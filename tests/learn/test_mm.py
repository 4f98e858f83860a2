"""Minorisation–maximisation against a plain maximiser, and the reading of games to learn from."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.optimize import minimize

import strength_reference as reference
from montego.cli.strengths import left_out, read_sources
from montego.cli.train import command
from montego.go.errors import MontegoError
from montego.go.game import Game
from montego.go.sgf import write_sgf
from montego.learn.decisions import SETS, Decisions, decisions_of
from montego.learn.mm import MmPoint, MmSettings, MmTraining, improved, members_of, wins_of
from montego.learn.sources import Source, labels, replayed, sources
from montego.learn.training import TrainingError, curve_of
from montego.patterns.strength_files import load_strengths
from montego.playout import PlayoutConfig, trace


def competitions(seed, count=40):
    """Teams of one feature of 1–3 and one of 4–5, or none, and a winner each."""
    generator = np.random.default_rng(seed)
    teams, starts, winners = [], [0], []
    for _ in range(count):
        rows = generator.integers(2, 6)
        teams.append(np.stack([generator.integers(0, 4, rows), generator.choice([0, 4, 5], rows)], axis=1))
        winners.append(starts[-1] + generator.integers(rows))
        starts.append(starts[-1] + rows)
    return Decisions(np.concatenate(teams).astype(np.uint16), np.array(starts, np.int64), np.array(winners, np.int64))


def log_likelihood(theta, played):
    """Of the winners, and of one win and one loss of every feature against γ = 1."""
    found = 0.0
    for start, end, winner in zip(played.starts[:-1], played.starts[1:], played.winners, strict=True):
        scores = theta[played.features[start:end]].sum(axis=1)
        found += scores[winner - start] - np.log(np.exp(scores).sum())
    return found + (theta[1:] - 2 * np.logaddexp(theta[1:], 0)).sum()


MEMBERS = [np.array([1, 2, 3]), np.array([4, 5])]


@pytest.mark.parametrize("seed", range(4))
def test_strengths_are_those_of_a_plain_maximiser(seed):
    played, theta = competitions(seed), np.zeros(6, np.float32)
    wins = wins_of(played, 6)
    best = minimize(lambda x: -log_likelihood(np.array([0.0, *x]), played), np.zeros(5), method="BFGS")
    before = log_likelihood(theta, played)
    for _ in range(200):
        theta, evidence = improved(theta, played, MEMBERS, wins)
        after = log_likelihood(theta.astype(np.float64), played)
        assert after >= before - 1e-4
        before = after
    assert np.abs(theta[1:] - best.x).max() < 2e-3 and theta[0] == 0
    assert evidence < 0


def test_strengths_that_made_the_choices_are_found():
    """Many competitions won by chance in proportion to known strengths."""
    generator, theta = np.random.default_rng(5), np.array([0.0, 1.0, -1.0, 2.0, 0.5, -2.0])
    played = competitions(9, 20_000)
    for j, (start, end) in enumerate(zip(played.starts[:-1], played.starts[1:], strict=True)):
        chances = np.exp(theta[played.features[start:end]].sum(axis=1))
        played.winners[j] = start + generator.choice(end - start, p=chances / chances.sum())
    found, wins = np.zeros(6, np.float32), wins_of(played, 6)
    for _ in range(60):
        found, _ = improved(found, played, MEMBERS, wins)
    assert np.abs(found - theta).max() < 0.1


def test_every_feature_is_in_one_group():
    for features in SETS:
        assert sorted(np.concatenate(members_of(features))) == list(range(1, features.count))


# --- games ------------------------------------------------------------------------------------------------------


def some_game(seed, size=5, length=24):
    game = Game(size)
    for move in trace(game, PlayoutConfig("mogo"), seed=seed).moves[:length]:
        game.play(move.vertex)
    return game


def as_source(game):
    moves = tuple((move.colour, move.vertex) for move in game.moves)
    return Source(" ".join(vertex for _, vertex in moves), Game(game.size), moves)


def test_decisions_are_all_sensible_moves_with_their_features():
    game = some_game(1)
    small, large = decisions_of([as_source(game)])
    at, decision = Game(5), 0
    for move in game.moves:
        points = reference.sensible(at)
        place = reference.place(at, move.vertex)
        if place in points:
            rows = slice(small.starts[decision], small.starts[decision + 1])
            assert sorted(map(list, small.features[rows])) == sorted(
                reference.playout_team(at, point, at.to_play) for point in points
            )
            winner = small.winners[decision]
            assert list(small.features[winner]) == reference.playout_team(at, place, at.to_play)
            assert list(large.features[winner]) == reference.tree_team(at, place, at.to_play)
            decision += 1
        at.play(move.vertex)
    assert decision == len(small) == len(large) > 15


def folder_of_games(folder, count=30):
    folder.mkdir()
    for seed in range(count):
        (folder / f"{seed:02}.sgf").write_bytes(write_sgf(some_game(seed)))
    return folder


def test_games_on_boards_of_several_sizes(tmp_path):
    folder = folder_of_games(tmp_path / "games", 3)
    (folder / "large.sgf").write_bytes(write_sgf(some_game(1, 7)))
    assert [source.game.size for source in sources([folder], [5, 7])] == [5, 5, 5, 7]
    assert [source.game.size for source in sources([folder], [7])] == [7]
    small, large = decisions_of(sources([folder], [5, 7]))
    assert len(small) == len(large) > 60


def quietly(training, path):
    training.run(path, lambda _: None, lambda _: None)
    return training


def test_a_training_that_was_stopped_comes_to_the_same_strengths(tmp_path):
    found = list(sources([folder_of_games(tmp_path / "games")], [5]))
    settings = MmSettings(sizes=(5,), iterations=7, every=2, test=0.3)
    whole = quietly(MmTraining(settings, found), tmp_path / "whole.npz")
    quietly(MmTraining(MmSettings(sizes=(5,), iterations=4, every=2, test=0.3), found), tmp_path / "part.npz")
    again = MmTraining(settings, found)
    again.resume(tmp_path / "part.npz")
    assert again.iteration == 4
    quietly(again, tmp_path / "part.npz")
    kept = [load_strengths(tmp_path / f"{name}.npz") for name in ("whole", "part")]
    assert (kept[0][0].playout == kept[1][0].playout).all() and (kept[0][0].tree == kept[1][0].tree).all()
    assert curve_of(kept[0][1], MmPoint)[-1] == curve_of(kept[1][1], MmPoint)[-1] == whole.curve[-1]
    assert [point.iteration for point in whole.curve] == [1, 2, 4, 6, 7]
    learned = [point.learned["tree"] for point in whole.curve]
    assert learned == sorted(learned) and learned[-1] > learned[0] + 0.1
    ranks = whole.curve[-1].ranks["playout"]
    assert ranks == sorted(ranks) and 0 < ranks[0] < ranks[-1] <= 1
    with pytest.raises(TrainingError, match="other games"):
        MmTraining(settings, found[:-3]).resume(tmp_path / "part.npz")
    with pytest.raises(TrainingError, match=r"prior 4\.0; accepted: the same prior"):
        MmTraining(replace(settings, prior=2.0), found).resume(tmp_path / "part.npz")


def test_games_are_learned_from_or_tested_with(tmp_path):
    found = list(sources([folder_of_games(tmp_path / "games", 12)], [5]))
    training = MmTraining(MmSettings(sizes=(5,), test=0.4), found)
    tested = [source for source in found if source.share < 0.4]
    assert training.games == len(found) - len(tested) and 0 < len(tested) < len(found)
    assert len(training.others[0]) == len(decisions_of(tested)[0])
    with pytest.raises(TrainingError, match="accepted"):
        MmTraining(MmSettings(sizes=(5,), test=1e-9), found)


def test_only_moves_of_some_players(tmp_path):
    record = b"(;GM[1]SZ[5]PB[gnugo 3.8]PW[somebody];B[cc];W[bb];B[dd];W[aa];B[];W[ee])"
    (tmp_path / "one.sgf").write_bytes(record)
    everything, gnugo, nobody = (next(sources([tmp_path], [5], by)) for by in ((), ("gnugo",), ("pachi",)))
    assert [move for _, _, move in replayed(everything)] == ["C3", "B4", "D2", "A5", "E1"]
    assert [(colour, move) for _, colour, move in replayed(gnugo)] == [(1, "C3"), (1, "D2")]
    assert not list(replayed(nobody))


def test_setups_and_other_sizes(tmp_path):
    (tmp_path / "a.sgf").write_bytes(b"(;GM[1]SZ[5]AB[aa][bb]AW[cc]PL[W];W[dd];B[ee])")
    (tmp_path / "b.sgf").write_bytes(b"(;GM[1]SZ[9];B[dd])")
    (found,) = sources([tmp_path], [5])
    games = [(game.stones.sum(), move) for game, _, move in replayed(found)]
    assert games == [(4, "D2"), (6, "E1")]


def test_what_cannot_be_read_is_told(tmp_path):
    (tmp_path / "bad.sgf").write_bytes(b"nothing")
    (tmp_path / "illegal.sgf").write_bytes(b"(;GM[1]SZ[5];B[cc];W[cc])")
    refused = []
    assert not list(sources([tmp_path], [5], refused=refused.append))
    assert len(refused) == 2 and "bad.sgf" in refused[0]
    for content in ("", "hello", '{"player": 3}\n', '{"black_win": 2, "moves": []}\n'):
        (tmp_path / "lines.jsonl").write_text(content)
        if content:
            with pytest.raises(Exception, match="line 1"):
                list(sources([tmp_path / "lines.jsonl"], [5]))
    with pytest.raises(TrainingError, match="holds no games"):
        list(sources([tmp_path / "none"], [5]))


def line_of(game, number, black_win, best=None):
    line = {"game": number, "size": game.size, "komi": 7.5, "rules": "chinese", "black_win": black_win}
    line["moves"] = [move.vertex for move in game.moves]
    return json.dumps(line | ({"best": [[best]]} if best else {})) + "\n"


def test_of_labelled_positions_best_moves_are_learned_from(tmp_path):
    """And nothing of how they came about; without the games of another file."""
    first, second = some_game(1, length=6), some_game(2, length=8)
    shorter = some_game(2, length=3)
    best = shorter.legal_moves()[0]
    path, other = tmp_path / "labels.jsonl", tmp_path / "other.jsonl"
    path.write_text(line_of(first, 1, 0.5) + line_of(shorter, 2, 0.25, best) + line_of(second, 2, 0.75))
    other.write_text(line_of(some_game(3), 1, 0.5))
    assert [label.black_win for label in labels(path)] == [0.5, 0.25, 0.75]
    assert sum(len(list(replayed(source))) for source in sources([path], [5])) == 1
    found = list(sources([path], [5], without=other))
    assert {source.name for source in found} == {"game 2"} and len({source.share for source in found}) == 1
    assert [move for _, _, move in replayed(found[0])] == [best]
    ours = json.dumps({**json.loads(line_of(shorter, 4, 0.25, best)), "by": "house, 9 simulations"}) + "\n"
    path.write_text(line_of(shorter, 2, 0.25, best) + ours)
    assert len(list(sources([path], [5]))) == 2 == len(list(sources([path], [5], ["gnugo", "house"])))
    assert [source.name for source in sources([path], [5], ["gnugo"])] == ["game 2"], "an oracle without a name stays"


def test_the_command(tmp_path):
    games, to = folder_of_games(tmp_path / "games"), tmp_path / "strengths.npz"
    (games / "measurements.jsonl").write_text('{"point": "what an experiment measured", "value": 1.0}\n')
    line = ["mm", "--games", str(games), "--size", "5", "--iterations", "3", "--test", "0.3", "--to", str(to)]
    told = CliRunner().invoke(command, line, catch_exceptions=False)
    assert told.exit_code == 0 and "playout set: log-evidence" in told.output, told.output
    settings = load_strengths(to)[1].settings
    assert settings["iteration"] == 3 and settings["without"] == "positions.jsonl"
    again = CliRunner().invoke(command, line, catch_exceptions=False)
    assert "already" in again.output
    drawn = CliRunner().invoke(command, ["curve", str(to)], catch_exceptions=False)
    assert drawn.exit_code == 0 and (tmp_path / "strengths.png").stat().st_size > 1000


def test_what_policies_are_judged_by_is_not_learned_from():
    """Labelled positions of the suite's games are left out, though they are in a folder that is named."""
    suite = Path(__file__).parent.parent.parent / "experiments" / "labelled-9x9"
    found, judging = (read_sources((suite,), [9], (), without) for without in (left_out(None), None))
    judges = {label.name for label in labels(suite / "positions.jsonl")}
    assert judges <= {source.name for source in judging}
    assert len(found) == 183 and not judges & {source.name for source in found}


def test_settings_that_cannot_be():
    for wrong in ({"iterations": 0}, {"sizes": (1,)}, {"test": 0.0}, {"test": math.nan}, {"every": 1.5}):
        with pytest.raises(MontegoError, match="accepted"):
            MmSettings(**wrong)
