"""The Boltzmann policy: features of moves against a slow reference, sums, and moves as likely as they are strong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mogo_oracle as oracle
import strength_reference as reference
from montego.go.board import LEGAL, legality, new_boards
from montego.go.errors import MontegoError, PolicyError
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns.files import KnowledgeError, Provenance
from montego.patterns.strength_files import fingerprint, load_strengths, save_strengths, strengths_of
from montego.patterns.strengths import (
    PLAYOUT_SET,
    SELF_ATARI,
    TREE_SET,
    Strengths,
    even_strengths,
    images,
    pattern_classes,
)
from montego.players.playout import PlayoutPlayer
from montego.playout import PlayoutConfig, Reason, simulate, trace
from montego.playout.boltzmann import make_boltzmann_move, scan_strengths
from montego.playout.features import playout_features
from montego.playout.loop import longest
from montego.playout.strengths import new_strength_memories
from montego.search.config import SearchConfig
from montego.search.reading import new_readings, new_table
from montego.search.strengths import tree_features
from montego.search.strings import read_position

CLASSES = pattern_classes()[0].astype(np.uint16)
EVEN = PlayoutConfig("boltzmann", strengths="even")
RANDOM = PlayoutConfig("boltzmann", strengths=reference.strengths_file())


def played(diagram: str, *moves: str, to_play: str = "black") -> Game:
    game = Game.from_diagram(diagram, to_play=to_play)
    for move in moves:
        game.play(move)
    return game


CAPTURES = "O O . X .\n X X O . .\n O . X O .\n O X . X .\n . O X . ."
POSITIONS = {
    "opening": played(". . . . .\n" * 5, "C3"),
    "captures": played(CAPTURES, "E1"),
    "captures of White": played(CAPTURES, "E1", to_play="white"),
    "saved by capture": played("X O . . .\n . O X . .\n O X . . .\n . . X . .\n . . . . .", "B2", to_play="white"),
    "extension": played(". . . . .\n . X O . .\n . O . . .\n . . . . .\n . . . . .", "A4", to_play="white"),
    "ko": played(". X O . .\n X . X O .\n . X O . .\n . . . . .\n . . . . .", "B4", to_play="white"),
    "full": played(". O X . X\n O O X X .\n X X O O O\n X . X O .\n . X X O O", "pass", to_play="white"),
}


# --- features ---------------------------------------------------------------------------------------------------


def test_patterns_share_a_class_with_their_images_alone() -> None:
    """3⁸ neighbourhoods inside, 3⁵ at an edge, 3³ in a corner, counted by Burnside's lemma."""
    classes, count = pattern_classes()
    inside, edge, corner = (3**8 + 2 * 3**2 + 3**4 + 4 * 3**5) // 8, (3**5 + 3**3) // 2, (3**3 + 3**2) // 2
    assert count == inside + edge + corner == classes.max() == len(set(reference.class_names().values()))
    assert len(reference.class_names()) == count
    for image in images():
        assert (classes[0][image] == classes[0]).all()


@pytest.mark.parametrize(("size", "moves"), [(2, 12), (3, 30), (5, 80), (9, 120), (19, 60)])
def test_features_are_those_of_the_reference(size: int, moves: int) -> None:
    """Of every empty point, for both colours, in both sets, along games; all features of the small set are seen."""
    generator, game, seen = np.random.default_rng(size), Game(size, rules="chinese"), set[int]()
    names, table = geometry(size), new_table(even_strengths())
    reading, seen_large = new_readings(table, size)[0], set[int]()
    reading.nodes = 10**6  # the reference reads on
    for number in range(moves):
        if number % max(1, moves // 20) == 0 or size == 5:
            for vertex in game.legal_moves():
                point, spot = names.parse(vertex), reference.place(game, vertex)
                assert spot is not None
                for colour in (1, 2):
                    if colour != game.to_play and not game.is_legal(vertex, colour):
                        continue
                    args = game.board[0], CLASSES, np.uint64(point), np.uint64(colour)
                    team = [int(f) for f in playout_features(*args)]
                    assert team == reference.playout_team(game, spot, colour), f"{vertex} {colour}\n{game}"
                    seen |= set(team)
                    read_position(game.board[0], reading, args[-1])
                    large = [int(f) for f in tree_features(*args[:2], reading, *args[2:])]
                    assert large == reference.tree_team(game, spot, colour), f"{vertex} {colour}\n{game}"
                    seen_large |= set(large)
        game.play(generator.choice(game.legal_moves() or ["pass"]))
        if game.is_over:
            break
    if size == 5:
        missing = set(range(PLAYOUT_SET.starts["tactic"] + 1, PLAYOUT_SET.count)) - seen
        assert not missing, [PLAYOUT_SET.title(feature) for feature in missing]
        starts = TREE_SET.starts
        missing = set(range(starts["rescue"] + 1, starts["liberties"] + 1)) - seen_large
        assert len(missing) <= 2, [TREE_SET.title(feature) for feature in missing]


def test_features_of_positions() -> None:
    """By hand: what moves do, and what they answer."""
    starts = PLAYOUT_SET.starts

    def features(name: str, vertex: str) -> tuple[str, ...]:
        game = POSITIONS[name]
        args = game.board[0], CLASSES, np.uint64(geometry(5).parse(vertex)), np.uint64(game.to_play)
        return tuple(PLAYOUT_SET.title(int(f)) for f in playout_features(*args) if f > starts["tactic"])

    assert "saves from the last move by extending" in features("extension", "B5")
    assert "extends a string in atari" in features("extension", "B5")
    assert features("opening", "C4") == ("beside the last move",)
    assert features("opening", "D4") == ("diagonal to it",)
    assert features("opening", "A1") == ()


# --- sums -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "moves"), [(2, 500), (5, 2500), (9, 6000), (19, 1500)])
def test_sums_kept_up_to_date_are_sums_made_anew(size: int, moves: int) -> None:
    """Any legal moves, into own eyes too, with captures and passes."""
    generator, made = np.random.default_rng(size), new_strength_memories(reference.random_strengths(), size, 2)
    memory, anew = made[0], made[1]
    captured = number = 0
    while number < moves:
        boards = new_boards(size, 2)
        board, colour = boards[0], np.uint64(1)
        scan_strengths(board, memory)
        for _ in range(4 * size * size):
            empty = board.empty[: int(board.empty_count)]
            tried = (np.uint64(p) for p in generator.permutation(empty)[:20])
            move = next((p for p in tried if legality(board, p, colour, False) == LEGAL), np.uint64(0))
            before = int(board.empty_count)
            make_boltzmann_move(board, memory, move, colour)
            captured += int(board.empty_count) - before + (move != 0)
            number, colour = number + 1, np.uint64(3 - colour)
            boards[1] = boards[0]
            scan_strengths(boards[1], anew)
            assert memory.total == anew.total and (memory.row == anew.row).all()
            assert (memory.urgency == anew.urgency).all() and (memory.tactic == anew.tactic).all(), f"move {number}"
    assert captured > moves / 10


def test_the_largest_strengths_fit() -> None:
    """A board of moves at the most that is possible."""
    theta = np.full(PLAYOUT_SET.count, 12.0)
    memory = new_strength_memories(Strengths(theta, even_strengths().tree), 19)[0]
    scan_strengths(new_boards(19)[0], memory)
    half = 361 << 23
    assert half < 1 << 32 and int(memory.total) == half | half << 32


# --- moves ------------------------------------------------------------------------------------------------------


def agree(counts: Counter[str], expected: dict[str, float]) -> bool:
    """A χ² test; what is expected less than five times is put together."""
    if not set(counts) <= set(expected):
        return False
    trials = counts.total()
    rare = {v for v, p in expected.items() if p * trials < 5}
    cells = [(counts[v], p * trials) for v, p in expected.items() if v not in rare]
    cells.append((sum(counts[v] for v in rare), sum(expected[v] for v in rare) * trials))
    chi_squared = sum((seen - wanted) ** 2 / max(wanted, 1.0) for seen, wanted in cells)
    return chi_squared < len(cells) + 5 * (2 * len(cells)) ** 0.5


def first_moves(game: Game, config: PlayoutConfig, trials: int = 6000) -> Counter[str]:
    player = PlayoutPlayer(config, seed=3)
    choices = [player.choose(game) for _ in range(trials)]
    assert {choice.reason for choice in choices} == {Reason.STRENGTH}
    return Counter(choice.vertex for choice in choices)


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_moves_are_as_likely_as_they_are_strong(position: str, seed: int) -> None:
    """Whatever the features: illegal moves and self-atari are found out late and the chances are exact all the same."""
    game, config = POSITIONS[position], replace(RANDOM, strengths=reference.strengths_file(seed))
    counts = first_moves(game, config)
    assert agree(counts, reference.probabilities(game, reference.random_strengths(seed)))
    assert not agree(counts, reference.probabilities(game, reference.random_strengths(seed + 10)))


def test_every_feature_counts() -> None:
    """The test above tells strengths apart in which one feature of some move is half as strong."""
    for position, feature in (("captures", "tactic"), ("extension", "response"), ("opening", "near")):
        game, start = POSITIONS[position], PLAYOUT_SET.starts[feature]
        counts = first_moves(game, RANDOM)
        teams = [reference.playout_team(game, p, game.to_play) for p in reference.sensible(game)]
        wrong = replace(reference.random_strengths(), playout=reference.random_strengths().playout.copy())
        wrong.playout[[f for team in teams for f in team if start < f < start + 7]] -= np.log(2)
        assert agree(counts, reference.probabilities(game, reference.random_strengths()))
        assert not agree(counts, reference.probabilities(game, wrong)), position


def test_with_even_strengths_play_is_uniform() -> None:
    found = [simulate(Game(9, komi=0), 20_000, config, seed=1) for config in (EVEN, PlayoutConfig("uniform"))]
    assert abs(found[0].mean_length - found[1].mean_length) < 0.7, found
    assert abs(found[0].mean_lead - found[1].mean_lead) < 1.5


@pytest.mark.parametrize(("size", "games"), [(3, 8), (5, 8), (9, 3), (13, 1), (19, 1)])
def test_playouts_are_games(size: int, games: int) -> None:
    """Every move is legal, fills no own eye and has its reason; a pass is the last resort; the end is counted right."""
    for seed in range(games):
        game, found = Game(size, komi=0, rules="chinese"), trace(Game(size), RANDOM, seed=seed)
        for move in found.moves:
            assert move.colour == game.to_play
            if move.vertex == "pass":
                assert move.reason is Reason.PASS and not reference.sensible(game), str(game)
            else:
                assert move.reason is Reason.STRENGTH and game.is_legal(move.vertex), f"{move}\n{game}"
                spot = reference.place(game, move.vertex)
                assert spot is not None and not oracle.is_true_eye(game.stones.tolist(), spot, move.colour)
            game.play(move.vertex)
        assert game.is_over and game.score().lead == found.lead


def test_even_a_forced_cycle_ends() -> None:
    lengths = [len(trace(Game(2), RANDOM, seed=seed).moves) for seed in range(200)]
    assert max(lengths) <= longest(2)


PLAIN = """
import json
from montego.go.game import Game
from montego.playout import PlayoutConfig, trace
found = []
for size in (2, 3, 5, 9):
    played = trace(Game(size), PlayoutConfig("boltzmann", strengths={file!r}), seed=size)
    found.append([[move.vertex for move in played.moves], played.lead])
print(json.dumps(found))
"""


def test_the_same_playouts_without_compiling() -> None:
    found = []
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "error", "-c", PLAIN.format(file=reference.strengths_file())]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert found[0] == found[1]
    assert all(len(moves) > 4 for moves, _ in found[0])


# --- files and settings -----------------------------------------------------------------------------------------


def test_strengths_are_read_as_they_were_written(tmp_path: Path) -> None:
    path, wanted = tmp_path / "some.npz", reference.random_strengths()
    save_strengths(path, wanted, Provenance("a test", games=3))
    found, provenance = load_strengths(path)
    assert (found.playout == wanted.playout.astype(np.float32)).all() and provenance.games == 3
    assert (found.tree == wanted.tree.astype(np.float32)).all() and found.playout[SELF_ATARI] <= 0
    assert fingerprint(str(path)) != fingerprint("even")
    assert not strengths_of("even", 9).playout.any()


def test_strengths_by_the_size_of_the_board() -> None:
    sizes = {"mm-9x9": (2, 5, 9, 11), "mm-13x13": (12, 13, 15), "mm-19x19": (16, 19)}
    for name, on in sizes.items():
        assert all(strengths_of("mm", size) is strengths_of(name, 9) for size in on)
    assert len({fingerprint(name) for name in ("mm", *sizes)}) == 4


def test_files_that_hold_no_strengths_are_refused(tmp_path: Path) -> None:
    for name, theta in (("short", np.zeros(7)), ("huge", np.full(PLAYOUT_SET.count, 99.0))):
        save_strengths(tmp_path / f"{name}.npz", Strengths(theta, np.zeros(TREE_SET.count)), Provenance())
        with pytest.raises(KnowledgeError, match="accepted"):
            load_strengths(tmp_path / f"{name}.npz")
    (tmp_path / "text.npz").write_text("hello")
    for path in (tmp_path / "text.npz", tmp_path / "none.npz", tmp_path):
        with pytest.raises(KnowledgeError):
            load_strengths(path)
        with pytest.raises(MontegoError):
            simulate(Game(5), 1, PlayoutConfig("boltzmann", strengths=str(path)))


def test_strengths_are_a_name_or_a_path() -> None:
    for wrong in ("", 3, None):
        with pytest.raises(PolicyError, match="strengths"):
            PlayoutConfig("boltzmann", strengths=wrong)  # type: ignore[arg-type]
        with pytest.raises(MontegoError, match="strengths"):
            SearchConfig(strengths=wrong)  # type: ignore[arg-type]
