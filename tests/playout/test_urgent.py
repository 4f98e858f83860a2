"""Pseudo-random players: urgencies of all points against a slow reference, and moves as likely as they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mogo_oracle as oracle
from montego.arena.contestants import make
from montego.arena.match import play_one
from montego.arena.settings import Match
from montego.go.board import LEGAL, legality, new_boards
from montego.go.errors import ConfigError, MontegoError, PolicyError
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns.indigo import manual_urgencies
from montego.patterns.learned import fingerprint
from montego.patterns.urgency import Urgencies, zero_urgencies
from montego.players.playout import PlayoutPlayer
from montego.players.search import SearchPlayer
from montego.playout import PlayoutConfig, Reason, simulate, trace
from montego.playout.loop import longest
from montego.playout.simulate import new_work, tables
from montego.playout.urgencies import new_urgency_memories
from montego.playout.urgent import make_urgent_move, scan_urgencies, urgent_playout
from montego.search.config import SearchConfig
from montego.search.records import VISITS
from montego.search.search import Search
from urgency_reference import atari_stones, random_urgencies, urgencies_at, urgencies_file

TABLES = {"zero": zero_urgencies(), "manual": manual_urgencies(), "random": random_urgencies()}
RANDOM = PlayoutConfig("rlpr", urgencies=urgencies_file())
CONFIGS = {"zero": PlayoutConfig("rlpr", urgencies="zero"), "manual": PlayoutConfig("manual"), "random": RANDOM}


def point(game: Game, vertex: str) -> oracle.Point:
    names = geometry(game.size)
    return names.row_column(names.parse(vertex))


def sensible(game: Game) -> list[str]:
    """Legal moves but for own true eyes."""
    grid = game.stones.tolist()
    return [v for v in game.legal_moves() if not oracle.is_true_eye(grid, point(game, v), game.to_play)]


CAPTURES = "O O . X .\n X X O . .\n O . X O .\n O X . X .\n . O X . ."
FULL = ". O X . X\n O O X X .\n X X O O O\n X . X O .\n . X X O O"
POSITIONS = {
    "opening": Game(5),
    "corner": Game.from_diagram(". X . . .\n X O O . .\n . X O . .\n . . X O .\n . . . . ."),
    "captures": Game.from_diagram(CAPTURES),
    "captures of White": Game.from_diagram(CAPTURES, to_play="white"),
    "strings": Game.from_diagram("X X X O .\n O O . O .\n X X . . .\n . . . . X\n . . . . O"),
    "ko": Game.from_diagram(". X O . .\n X . X O .\n . X O . .\n . . . . .\n . . . . .", to_play="white"),
    "full": Game.from_diagram(FULL),
    "full for White": Game.from_diagram(FULL.translate(str.maketrans("XO", "OX")), to_play="white"),
}
POSITIONS["ko"].play("B4")


def test_the_positions_show_what_they_should() -> None:
    """Strings of several sizes in atari, a ko, own eyes, and points that may not be played."""
    sizes = [sorted(atari_stones(POSITIONS[name].stones.tolist()).values()) for name in ("captures", "strings")]
    assert sizes == [[1, 2, 2], [1, 5]]
    assert POSITIONS["ko"].ko == "C4"
    for name in ("full", "full for White"):
        game = POSITIONS[name]
        empty = sum(row.count(0) for row in game.stones.tolist())
        assert 1 < len(sensible(game)) < len(game.legal_moves()) < empty, name


# --- sums -------------------------------------------------------------------------------------------------------


def sums(memory: Any, size: int, colour: int) -> dict[oracle.Point, int]:
    """The urgencies of one colour in a memory, by point; its rows and total are checked to be their sums."""
    words = memory.urgency.astype(object) >> (32 * (colour - 1)) & 0xFFFFFFFF
    grid = words[geometry(size).points].reshape(size, size)
    assert sum(words) == grid.sum() == int(memory.total) >> (32 * (colour - 1)) & 0xFFFFFFFF
    rows = [int(row) >> (32 * (colour - 1)) & 0xFFFFFFFF for row in memory.row]
    assert rows == [0, *grid.sum(axis=1), 0]
    return {(row, column): int(grid[row, column]) for row, column in product(range(size), repeat=2)}


def check_memory(game: Game, memory: Any, black: Urgencies, white: Urgencies) -> None:
    scan_urgencies(game.board[0], memory)
    for colour, table in ((1, black), (2, white)):
        found, grid = sums(memory, game.size, colour), game.stones.tolist()
        expected = dict.fromkeys(found, 0) | urgencies_at(grid, colour, table)
        assert found == expected, f"{colour}\n{game}"


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("size", "moves"), [(2, 12), (3, 30), (5, 90), (9, 180), (19, 500)])
def test_urgencies_are_those_of_the_reference(name: str, size: int, moves: int) -> None:
    """In games, for both colours: by pattern, and for the last liberties of strings in atari."""
    generator, game = np.random.default_rng(size), Game(size, rules="chinese")
    memory = new_urgency_memories(TABLES[name], size)[0]
    for number in range(moves):
        if number % (moves // 12) == 0:
            check_memory(game, memory, TABLES[name], TABLES[name])
        game.play(generator.choice(game.legal_moves() or ["pass"]))
        if game.is_over:
            break
    check_memory(game, memory, TABLES[name], TABLES[name])


@pytest.mark.parametrize("name", POSITIONS)
def test_urgencies_of_positions_set_up(name: str) -> None:
    """All strings in atari are known, though nobody has played there."""
    check_memory(POSITIONS[name], new_urgency_memories(TABLES["manual"], 5)[0], TABLES["manual"], TABLES["manual"])


def test_the_largest_urgencies_fit() -> None:
    """A hundred stones in atari at once, at the most that is possible, next to a player who wants nothing."""
    rows = ["X" * 19] * 18 + ["X" * 18 + "."]
    game = Game.from_diagram("\n".join(" ".join(row) for row in rows), to_play="white")
    much = Urgencies(np.full(len(zero_urgencies().patterns), 1e9), 1e9)
    for black, white in ((much, zero_urgencies()), (zero_urgencies(), much)):
        check_memory(game, new_urgency_memories(black, 19, white=white)[0], black, white)


@pytest.mark.parametrize(("size", "moves"), [(2, 500), (5, 2500), (9, 10_000), (19, 2500)])
@pytest.mark.parametrize("name", TABLES)
def test_sums_kept_up_to_date_are_sums_made_anew(name: str, size: int, moves: int) -> None:
    """Any legal moves, into own eyes too, with captures and passes."""
    generator, made = np.random.default_rng(size), new_urgency_memories(TABLES[name], size, 2)
    memory, anew = made[0], made[1]
    captured = played = 0
    while played < moves:
        boards = new_boards(size, 2)
        board, colour = boards[0], np.uint64(1)
        scan_urgencies(board, memory)
        for _ in range(4 * size * size):
            empty = board.empty[: int(board.empty_count)]
            tried = (np.uint64(p) for p in generator.permutation(empty)[:20])
            move = next((p for p in tried if legality(board, p, colour, False) == LEGAL), np.uint64(0))
            before = int(board.empty_count)
            make_urgent_move(board, memory, move, colour)
            captured += int(board.empty_count) - before + (move != 0)
            played, colour = played + 1, np.uint64(3 - colour)
            boards[1] = boards[0]
            scan_urgencies(boards[1], anew)
            assert memory.total == anew.total
            assert (memory.row == anew.row).all() and (memory.urgency == anew.urgency).all(), f"move {played}"
    assert captured > moves / 10


# --- moves ------------------------------------------------------------------------------------------------------


def probabilities(game: Game, table: Urgencies) -> dict[str, float]:
    """In proportion to urgency, over the legal moves but own eyes."""
    urgencies = urgencies_at(game.stones.tolist(), game.to_play, table)
    weights = {v: urgencies[point(game, v)] for v in sensible(game)}
    return {v: w / sum(weights.values()) for v, w in weights.items()}


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
    assert {choice.reason for choice in choices} == {Reason.URGENCY}
    return Counter(choice.vertex for choice in choices)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("position", POSITIONS)
def test_moves_are_as_likely_as_they_are_urgent(position: str, name: str) -> None:
    """And the same test tells them from moves of any other table here."""
    game = POSITIONS[position]
    counts = first_moves(game, CONFIGS[name])
    assert agree(counts, probabilities(game, TABLES[name])), (counts, probabilities(game, TABLES[name]))
    others = [TABLES[other] for other in TABLES if other != name]
    assert not any(agree(counts, probabilities(game, other)) for other in others)


def test_the_size_of_a_string_in_atari_counts() -> None:
    """The test above can tell one-liberty urgencies apart that differ by a third."""
    game, table = POSITIONS["captures"], TABLES["random"]
    counts = first_moves(game, RANDOM)
    assert agree(counts, probabilities(game, table))
    for wrong in (0.0, table.one_liberty * 2 / 3, table.one_liberty * 4 / 3):
        assert not agree(counts, probabilities(game, replace(table, one_liberty=wrong)))


def test_with_equal_urgencies_play_is_uniform() -> None:
    """Zero's own policy is the uniform one; drawn by urgency it has the same distribution."""
    game, (zero, uniform) = POSITIONS["full"], (CONFIGS["zero"], PlayoutConfig("zero"))
    moves = sensible(game)
    assert agree(first_moves(game, zero), dict.fromkeys(moves, 1 / len(moves)))
    found = [simulate(Game(9, komi=0), 20_000, config, seed=1) for config in (zero, uniform)]
    assert abs(found[0].mean_length - found[1].mean_length) < 0.7, found
    assert abs(found[0].mean_lead - found[1].mean_lead) < 1.5 and abs(found[0].mean_length - 111) < 1
    assert trace(Game(9), uniform, seed=2) == trace(Game(9), PlayoutConfig("uniform"), seed=2)


@pytest.mark.parametrize("name", ["manual", "random"])
@pytest.mark.parametrize(("size", "games"), [(2, 8), (3, 8), (5, 8), (9, 3), (13, 1), (19, 1)])
def test_playouts_are_games(name: str, size: int, games: int) -> None:
    """Every move is legal, fills no own eye and has its reason; a pass is the last resort; the end is counted right."""
    for seed in range(games):
        game, played = Game(size, komi=0, rules="chinese"), trace(Game(size), CONFIGS[name], seed=seed)
        for move in played.moves:
            assert move.colour == game.to_play
            if move.vertex == "pass":
                assert move.reason is Reason.PASS and not sensible(game), str(game)
            else:
                assert move.reason is Reason.URGENCY and game.is_legal(move.vertex), f"{move}\n{game}"
                assert not oracle.is_true_eye(game.stones.tolist(), point(game, move.vertex), move.colour)
            game.play(move.vertex)
        assert game.is_over and game.score().lead == played.lead
        assert len(played.moves) <= longest(size)


def test_even_a_forced_cycle_ends() -> None:
    for size in (2, 3):
        lengths = [len(trace(Game(size), CONFIGS["manual"], seed=seed).moves) for seed in range(200)]
        assert max(lengths) <= longest(size)


def first_line() -> Urgencies:
    """Wants the edge, all of it and nothing else."""
    rows = np.arange(25) // 5 % 4 == 0
    columns = np.arange(25) % 5 % 4 == 0
    return Urgencies(np.repeat(np.where(rows | columns, 4000.0, 0.0), 3**8))


def test_two_players_each_follow_their_own() -> None:
    """Black wants the edge, White anything else; and with two tables of any numbers each half is its player's."""
    edge = first_line()
    inside = Urgencies(4000.0 - edge.patterns)
    for black, white in ((edge, inside), (inside, edge)):
        memory, work = new_urgency_memories(black, 9, white=white), new_work(9, PlayoutConfig("manual"), 4)
        work.urgencies, work.tracing, work.max_length = memory.ctypes.data, 1, 24
        urgent_playout(new_boards(9)[0], work, tables()[0], np.uint64(1))
        places = [geometry(9).row_column(int(p)) for p in work.moves[:24]]
        at_edge = [not {0, 8}.isdisjoint(place) for place in places]
        assert set(at_edge[::2]) == {black is edge} and set(at_edge[1::2]) == {white is edge}
    black, white = random_urgencies(1), random_urgencies(2)
    for game in POSITIONS.values():
        check_memory(game, new_urgency_memories(black, 5, white=white)[0], black, white)


def test_seeds_decide() -> None:
    game = POSITIONS["captures"]
    for config in CONFIGS.values():
        assert trace(game, config, seed=3) == trace(game, config, seed=3) != trace(game, config, seed=4)
        results = [simulate(game, 40, config, seed=seed) for seed in (1, 1, 2)]
        assert results[0] == results[1] != results[2]
        single = simulate(game, 1, config, seed=4, reasons=True)
        assert single.mean_length == len(trace(game, config, seed=4).moves)
        assert single.reasons is not None and single.reasons[Reason.URGENCY] + single.reasons[Reason.PASS] > 0


def test_length_cap_and_mercy() -> None:
    config = CONFIGS["manual"]
    assert simulate(Game(9), 20, replace(config, max_length=30)).mean_length == 30
    full, merciful = simulate(Game(9), 500, config), simulate(Game(9), 500, replace(config, mercy=20))
    assert merciful.mean_length < full.mean_length - 3
    assert simulate(Game(9), 500, replace(config, mercy=81)).mean_length == full.mean_length


def test_the_player_never_breaks_superko() -> None:
    for seed in range(10):
        game, player = Game(2, rules="tromp-taylor"), PlayoutPlayer("manual", seed)
        while not game.is_over:
            game.play(player.choose(game).vertex)


PLAIN = """
import json
from montego.go.game import Game
from montego.playout import PlayoutConfig, trace
found = []
for size in (2, 3, 5, 9):
    for urgencies in ({file!r}, "zero"):
        played = trace(Game(size), PlayoutConfig("rlpr", urgencies=urgencies), seed=size)
        found.append([[move.vertex for move in played.moves], played.lead])
print(json.dumps(found))
"""


def test_the_same_playouts_without_compiling() -> None:
    found = []
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "error", "-c", PLAIN.format(file=urgencies_file())]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert found[0] == found[1]
    assert all(len(moves) > 4 for moves, _ in found[0])


# --- in searches and matches ------------------------------------------------------------------------------------


def searching(**fields: Any) -> SearchConfig:
    return SearchConfig(**{"fpu": 1.0, "memory": 4, "policy": "manual", **fields})


def root_visits(config: SearchConfig, seed: int = 1, threads: int = 1, simulations: int = 400) -> dict[str, int]:
    search = Search(5, config, seed, threads)
    search.set_position(POSITIONS["captures"])
    search.run(simulations)
    visits = search.tree.links[search.pool.root][VISITS]
    assert search.simulations >= simulations
    return {search.names.vertex(p): int(n) for p, n in enumerate(visits) if n}


def test_a_search_follows_its_seed() -> None:
    config = searching()
    assert root_visits(config) == root_visits(config) != root_visits(config, seed=2)
    other = searching(policy="rlpr", urgencies=urgencies_file())
    assert root_visits(config) != root_visits(other)


@pytest.mark.parametrize("parallel", ["tree", "leaf", "root"])
def test_threads_have_memories_of_their_own(parallel: str) -> None:
    search = Search(5, searching(parallel=parallel), 1, 2)
    works = [work for each in (search, *search.twins) for work in each.works]
    assert len({int(work.urgencies) for work in works}) == 2 and all(int(work.urgencies) for work in works)
    for game in (Game(5), POSITIONS["captures"]) if parallel != "leaf" else ():  # whose threads take long to compile
        search.set_position(game)
        search.run(2000)
        assert game.is_legal(search.names.vertex(search.best()))


def test_records_name_the_urgencies() -> None:
    for config in CONFIGS.values():
        path = "manual" if config.policy == "manual" else config.urgencies
        assert PlayoutPlayer(config).describe()["urgencies"] == fingerprint(path)
        made = SearchPlayer("p", searching(policy=config.policy, urgencies=config.urgencies), simulations=10)
        told = made.describe()
        assert told["urgencies"] == fingerprint(path) and "weights" not in told
        json.dumps(told)
    assert "urgencies" not in PlayoutPlayer("zero").describe()
    assert "urgencies" not in SearchPlayer("p", searching(policy="uniform"), simulations=10).describe()


def test_contestants_of_the_arena() -> None:
    rlpr = f"policy:rlpr:urgencies={urgencies_file()}"
    for a, b in (("policy:manual", "policy:zero"), (rlpr, "policy:rlpr:urgencies=zero")):
        played = play_one(Match(a, b, simulations=1, size=5, games=2), make, 0)
        assert played.reason == "score" and len(played.moves) > 10, played
    assert make(rlpr).describe()["urgencies"] == fingerprint(urgencies_file())


# --- what is refused --------------------------------------------------------------------------------------------


def test_urgencies_that_are_not_there(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.npz")
    for wrong in (None, "", 3, b"zero", True):
        for made, error in ((PlayoutConfig, PolicyError), (SearchConfig, ConfigError)):
            with pytest.raises(error, match=r"urgencies is .*; accepted: shipped, zero, manual, or the path of a file"):
                made(urgencies=wrong)
    config = PlayoutConfig("rlpr", urgencies=missing)
    for use in (simulate, trace):
        with pytest.raises(MontegoError, match=r"there is no file of urgencies .*none.npz"):
            use(Game(5), config=config)
    with pytest.raises(MontegoError, match="there is no file of urgencies"):
        PlayoutPlayer(config).choose(Game(5))
    with pytest.raises(MontegoError, match="there is no file of urgencies"):
        Search(5, searching(policy="rlpr", urgencies=missing))
    for policy in ("manual", "mogo"):
        assert simulate(Game(5), 5, replace(config, policy=policy)).playouts == 5, "others never ask for it"
