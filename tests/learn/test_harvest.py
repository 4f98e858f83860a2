"""Large patterns: their table against a plain matcher, their harvest, and files of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import strength_reference as reference
import tactics_reference as tactics
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.learn.decisions import decisions_of, with_patterns
from montego.learn.harvest import harvest
from montego.learn.mm import MmSettings, MmTraining
from montego.learn.sources import Source
from montego.patterns import files, large
from montego.patterns.files import KnowledgeError, Provenance
from montego.patterns.strength_files import FORM, fingerprint, load_strengths, save_strengths
from montego.patterns.strengths import PLAYOUT_SET, TREE_SET, Strengths
from montego.playout import PlayoutConfig, trace
from montego.search.config import SearchConfig
from montego.search.large import find_large
from montego.search.reading import new_readings, new_table
from montego.search.search import Search
from montego.search.strings import read_position


def some_game(seed: int, size: int, length: int) -> Game:
    game = Game(size)
    for move in trace(game, PlayoutConfig("mogo"), seed=seed).moves[:length]:
        game.play(move.vertex)
    return game


def as_source(game: Game) -> Source:
    moves = tuple((move.colour, move.vertex) for move in game.moves)
    return Source(" ".join(vertex for _, vertex in moves), Game(game.size), moves)


def harvested(size: int = 7, games: int = 6, least: int = 3) -> tuple[str, ...]:
    return harvest(decisions_of([as_source(some_game(seed, size, 30)) for seed in range(games)])[1], least)


def strengths_with(patterns: tuple[str, ...], seed: int = 0) -> Strengths:
    theta = np.random.default_rng(seed).normal(0, 1, TREE_SET.count + len(patterns))
    theta[0] = 0
    return Strengths(np.zeros(PLAYOUT_SET.count), theta, patterns)


def test_diamonds_grow_and_are_symmetric() -> None:
    assert large.SIZES == (12, 20, 28, 36, 48) and len(set(large.OFFSETS)) == len(large.OFFSETS) == 48
    assert {tuple(turn[:size]) == tuple(sorted(turn[:size])) for turn in large.turns()[:1] for size in large.SIZES} == {
        True
    }
    for turn in large.turns():
        for size in large.SIZES:
            assert sorted(turn[:size]) == list(range(size))


def test_images_are_those_of_the_picture_turned() -> None:
    generator = np.random.default_rng(3)
    texts = ["".join(generator.choice(list(large.SIGNS), size)) for size in large.SIZES for _ in range(20)]
    for text, found in zip(texts, large.hashes(texts), strict=True):
        assert {int(large.hashes([view])[0, 0]) for view in tactics.views(text)} == set(map(int, found))
        assert found[0] == large.hashes([text])[0, 0]


@pytest.mark.parametrize("size", [5, 9, 13, 19])
def test_patterns_are_found_as_by_a_plain_matcher(size: int) -> None:
    """Harvested on one size of board, found on all."""
    patterns = harvested()
    assert {len(text) for text in patterns} == set(large.SIZES)
    table = new_table(strengths_with(patterns))
    reading, names, deep = new_readings(table, size)[0], geometry(size), Counter[int]()
    for seed in (0, 90):
        game = some_game(seed, size, 20)
        grid = game.stones.tolist()
        for colour in (1, 2):
            read_position(game.board[0], reading, np.uint64(colour))
            for vertex in game.legal_moves():
                point, spot = names.parse(vertex), reference.place(game, vertex)
                assert spot is not None
                count = int(find_large(table[0], reading, np.uint64(point)))
                wanted = tactics.known_patterns(grid, spot, colour, patterns)
                assert [int(number) for number in reading.found[:count]] == wanted, f"{vertex}\n{game}"
                deep[count] += 1
    assert len(deep) > (1 if size == 5 else 2)


def test_the_harvest_is_every_pattern_seen_often_enough() -> None:
    games = [some_game(seed, 5, 20) for seed in range(4)]
    played = decisions_of([as_source(game) for game in games])[1]
    seen = Counter[str]()
    for game in games:
        at = Game(5)
        for move in game.moves:
            points, grid = reference.sensible(at), at.stones.tolist()
            if reference.place(at, move.vertex) in points:
                for point in points:
                    signs = tactics.signs(grid, point, at.to_play)
                    seen.update(min(tactics.views(signs[:size])) for size in large.SIZES)
            at.play(move.vertex)
    found = harvest(played, 4)
    assert sorted(min(tactics.views(text)) for text in found) == sorted(t for t, count in seen.items() if count >= 4)
    assert large.checked(list(found)) == found
    frequent = [seen[min(tactics.views(text))] for text in found]
    assert frequent == sorted(frequent, reverse=True)


def test_decisions_with_patterns_have_a_group_a_size() -> None:
    game = some_game(2, 7, 30)
    played, patterns = decisions_of([as_source(game)])[1], harvested()
    made = with_patterns(played, new_table(strengths_with(patterns)))
    assert (made.features[:, : played.features.shape[1]] == played.features).all() and not len(made.words)
    found = made.features[:, played.features.shape[1] :]
    for group, size in enumerate(large.SIZES):
        numbers = found[:, group][found[:, group] > 0] - TREE_SET.count
        assert all(len(patterns[number]) == size for number in numbers) and (len(numbers) > 0 or size > 20)


def test_a_training_learns_patterns(tmp_path: Path) -> None:
    found = [as_source(some_game(seed, 5, 24)) for seed in range(30)]
    evidence = []
    for least in (0, 5):
        training = MmTraining(MmSettings(sizes=(5,), iterations=6, test=0.3, harvest=least), found)
        training.run(tmp_path / f"{least}.npz", lambda _: None, lambda _: None)
        evidence.append(training.curve[-1].learned["tree"])
        strengths = load_strengths(tmp_path / f"{least}.npz")[0]
        assert strengths.large == training.large and bool(strengths.large) == bool(least)
        assert len(strengths.tree) == TREE_SET.count + len(strengths.large)
    assert evidence[1] > evidence[0] + 0.05
    assert strengths.tree[TREE_SET.count :].any()


@pytest.mark.parametrize("size", [9, 13, 19])
def test_new_nodes_have_the_strengths_of_all_features(size: int, tmp_path: Path) -> None:
    """H = γ / (γ + γ̄) on any size of board, from one file; no ladder is longer than what is read."""
    patterns = harvested()
    path = tmp_path / "some.npz"
    save_strengths(path, strengths_with(patterns), Provenance("a test"))
    theta, game = load_strengths(path)[0].tree, some_game(2, size, 24)
    search = Search(size, SearchConfig(heuristic="strengths", strengths=str(path), memory=1))
    search.set_position(game)
    grid, names, gammas = game.stones.tolist(), geometry(size), {}
    for spot in reference.sensible(game):
        known = tactics.known_patterns(grid, spot, game.to_play, patterns)
        team = reference.tree_team(game, spot, game.to_play) + [TREE_SET.count - 1 + number for number in known]
        gammas[names.vertex(names.point(*spot))] = float(np.exp(theta[team].sum()))
    mean = sum(gammas.values()) / len(gammas)
    prior = search.threads[0].prior
    for vertex, gamma in gammas.items():
        assert prior[names.parse(vertex)] == pytest.approx(gamma / (gamma + mean), rel=1e-6), vertex


def test_files_with_patterns_that_cannot_be_are_refused(tmp_path: Path) -> None:
    path, good = tmp_path / "some.npz", harvested()[:3]
    save_strengths(path, strengths_with(good), Provenance("a test"))
    assert load_strengths(path)[0].large == good
    other = tmp_path / "other.npz"
    save_strengths(other, Strengths(strengths_with(good).playout, strengths_with(good).tree, good[::-1]), Provenance())
    assert fingerprint(str(path)) != fingerprint(str(other))
    theta, about = files.read(FORM, path)
    turned = next(view for view in sorted(tactics.views("." * 8 + "XOX.")) if large.hashes([view])[0].argmin() != 0)
    for wrong in (
        None,
        "text",
        [1, 2, 3],
        [*good[:2], "...."],
        [*good[:2], "?" * 12],
        [*good[:2], "é" * 12],
        [good[0]] * 3,
        [*good[:2], turned],
        list(good[:2]),
        ["." * 12] * (large.MOST + 1),
    ):
        files.write(FORM, path, theta, {**about, "large": wrong})
        with pytest.raises(KnowledgeError, match="accepted"):
            load_strengths(path)
