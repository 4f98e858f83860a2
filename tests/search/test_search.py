"""A search as a whole: the same tree every time, kept between moves, within its memory, with several threads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from montego.go.errors import ConfigError
from montego.go.game import Game
from montego.players.presets import PRESETS
from montego.search import clock
from montego.search.config import SearchConfig
from montego.search.records import CHILD, SIMULATIONS, VISITS
from montego.search.search import Search
from tree_checks import check_tree, dump, lines

CONFIGS: dict[str, SearchConfig] = {
    **{name: preset.config for name, preset in PRESETS.items()},
    "every state a node": SearchConfig(expand="every", fpu=1.0),
    "same colour": SearchConfig(amaf="same-colour", schedule="minimum-mse-46", fpu=1.0),
    "max": SearchConfig(schedule="none", exploration=0.5, max_weight=0.5),
    "UCT-RAVE 2007": SearchConfig(schedule="hand-selected", exploration=0.5, bonus="ucb1-rave"),
    "slides": SearchConfig(schedule="none", exploration=1.4, fpu=1.1, fpu_grandfather=True, neighbours=1.0),
    "score": SearchConfig(outcome="score", fpu=1.0, amaf="simulation"),
    "cut off": SearchConfig(max_length=20, mercy=8, fpu=1.0),
    "virtual loss": SearchConfig(virtual_loss=3, fpu=1.0),
}


def searched(config: SearchConfig, simulations: int, game: Game | None = None, **arguments: Any) -> Search:
    game = Game(5, komi=10.5) if game is None else game
    search = Search(game.size, config, **arguments)
    search.set_position(game)
    done = search.run(simulations)
    alone = config.pruning > 0 and (search.tree.links[search.pool.root, CHILD] >= 0).sum() == 1
    assert done == simulations or alone, "progressive pruning may leave a single move, and then it stops"
    return search


@pytest.mark.parametrize("name", CONFIGS)
def test_invariants(name: str) -> None:
    for rules in ("chinese", "cgos"):
        search = searched(CONFIGS[name], 1000, Game(5, komi=10.5, rules=rules), seed=4)
        check_tree(search)
        left = (search.tree.links[search.pool.root, CHILD] >= 0).sum()
        assert search.simulations == 1000 or (CONFIGS[name].pruning > 0 and left == 1)


# --- the same tree -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONFIGS)
def test_a_seed_gives_the_same_tree_in_any_batches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = CONFIGS[name]
    whole, again, other = (dump(searched(config, 300, seed=seed)) for seed in (1, 1, 2))
    assert whole == again
    assert whole != other
    in_parts = searched(config, 100, seed=1)
    in_parts.run(150)
    in_parts.run(50)
    assert dump(in_parts) == whole
    monkeypatch.setattr(clock, "BATCH_SECONDS", 1e-9)  # one simulation a batch
    assert dump(searched(config, 300, seed=1)) == whole


def test_seeds_may_be_any_whole_numbers() -> None:
    config = SearchConfig(fpu=1.0)
    trees = [dump(searched(config, 50, seed=seed)) for seed in (0, 1, -1, 1 << 63)]
    assert all(trees[i] != trees[j] for i in range(4) for j in range(i))


def test_the_clock_and_stop() -> None:
    search = searched(SearchConfig(fpu=1.0), 10)
    assert search.run(seconds=0.05) > 10
    assert search.run(simulations=7, seconds=60) == 7
    assert search.run(simulations=1000, stop=lambda: True) == 0
    assert search.run(simulations=0) == 0
    before = search.simulations
    rounds = iter(range(1000))
    done = search.run(stop=lambda: next(rounds) > 20)
    assert done > 0 and search.simulations == before + done


# --- between moves -------------------------------------------------------------------------------------------------


def most_visited(search: Search, plies: int) -> list[int]:
    line: list[int] = []
    s = search.pool.root
    for _ in range(plies):
        visits = np.where(search.tree.links[s, CHILD] > 0, search.tree.links[s, VISITS], -1)
        line.append(int(visits.argmax()))
        s = int(search.tree.links[s, CHILD, line[-1]])
        assert s > 0
    return line


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("name", ["house", "every state a node", "same colour"])
def test_the_subtree_of_the_moves_played_is_kept(name: str, plies: int) -> None:
    game = Game(5, komi=10.5)
    search = searched(CONFIGS[name], 300 if CONFIGS[name].expand == "every" else 2000, game)
    line, whole = most_visited(search, plies), dump(search)
    below = {at[plies:]: numbers for at, numbers in whole.items() if list(at[:plies]) == line}
    kept = int(search.tree.states[lines(search)[tuple(line)], SIMULATIONS])
    for p in line:
        game.play(search.names.vertex(p))
    search.set_position(game)
    assert dump(search) == below and search.simulations == kept > 0
    check_tree(search)
    game.undo(plies)
    search.set_position(game)
    assert dump(search) == whole, "moves taken back are no loss"
    for p in line:
        game.play(search.names.vertex(p))
    search.set_position(game)
    search.run(100)
    assert search.simulations == kept + 100
    check_tree(search)


def test_the_same_position_again_goes_on() -> None:
    game = Game(5)
    search = searched(CONFIGS["house"], 300, game)
    before = dump(search)
    search.set_position(game.copy())
    assert dump(search) == before


def undone(game: Game) -> None:
    game.undo()


def other_komi(game: Game) -> None:
    game.komi = 3.5


def other_rules(game: Game) -> None:
    game.rules = "cgos"


def set_up(game: Game) -> None:
    game.setup([("black", ["A1"])])


def out_of_turn(game: Game) -> None:
    game.play("E1", "black" if game.to_play == 2 else "white")


@pytest.mark.parametrize("change", [undone, other_komi, other_rules, out_of_turn])
def test_what_makes_a_tree_useless(change: Any) -> None:
    """The tree starts anew, like that of a search that knew nothing."""
    game = Game(5)
    game.play("C3")
    search = searched(SearchConfig(fpu=1.0), 300, game)
    change(game)
    search.set_position(game)
    fresh = Search(5, SearchConfig(fpu=1.0))
    fresh.set_position(game)
    assert dump(search) == dump(fresh) and search.simulations == 0 and search.pool.used == 1


def test_nothing_is_kept_if_told_so() -> None:
    game = Game(5)
    search = searched(SearchConfig(fpu=1.0, reuse=False), 300, game)
    search.set_position(game)
    assert search.simulations == 0 and search.pool.used == 1


def test_a_move_never_searched_starts_anew() -> None:
    game = Game(5)
    search = searched(CONFIGS["mogo-2007"], 50, game)
    line = lines(search)
    unseen = next(p for p in map(int, search.names.points) if (p,) not in line)
    game.play(search.names.vertex(unseen))
    search.set_position(game)
    assert search.simulations == 0 and len(lines(search)) == 1


def test_a_kept_tree_knows_superko() -> None:
    """At the root every move on offer is legal, whatever the tree thought of it before."""
    game = Game.from_diagram(". X . X .\nO O X X X\n. O X . X\nO O X X X\n. O X . X", komi=0.5, rules="cgos")
    search = searched(SearchConfig(fpu=1.0, exploration=1.0), 2000, game)
    for vertex in ("A5", "C5"):
        game.play(vertex)
        search.set_position(game)
        offered = {search.names.vertex(int(p)) for p in np.flatnonzero(search.tree.links[search.pool.root, CHILD] >= 0)}
        assert offered == {"pass", *game.legal_moves()}
        search.run(200)
        check_tree(search)
    assert "B5" not in offered


# --- memory --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["house", "mogo-rave", "every state a node", "max", "virtual loss"])
def test_a_full_memory_prunes_and_goes_on(name: str) -> None:
    search = searched(changed(CONFIGS[name], memory=1), 8000)
    assert search.pool.capacity * 1000 < 1 << 20
    assert search.pool.pruned > 0
    check_tree(search)
    assert search.simulations == 8000
    for p in lines(search):
        assert len(p) <= 60
    visits = search.tree.links[search.pool.root, VISITS]
    search.run(2000)
    assert (search.tree.links[search.pool.root, VISITS] >= visits).all(), "pruning keeps the statistics of moves"


def changed(config: SearchConfig, **changes: Any) -> SearchConfig:
    return replace(config, **changes)


def test_pruning_forgets_the_least_visited() -> None:
    search = searched(SearchConfig(fpu=1.0, memory=1), 500)
    before = {line: search.tree.states[s, SIMULATIONS] for line, s in lines(search).items()}
    assert len(before) == 500 and search.pool.pruned == 0
    search.pool.prune()
    after = lines(search)
    assert search.pool.pruned == len(before) - len(after) > 0
    assert len(after) <= search.pool.capacity // 2
    gone = max(before[line] for line in before if line not in after)
    assert min(before[line] for line in after) > 1 and gone < max(before.values())
    check_tree(search)


def test_a_full_memory_is_no_source_of_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed, one thread: the same tree, however long the batches between two looks at the clock are."""
    config = SearchConfig(fpu=1.0, memory=1)
    monkeypatch.setattr(clock, "BATCH_SECONDS", 1e-9)
    short = searched(config, 3000, seed=3)
    monkeypatch.setattr(clock, "BATCH_SECONDS", 1.0)
    long = searched(config, 3000, seed=3)
    assert short.pool.pruned > 0
    assert dump(short) == dump(long)


# --- threads -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("virtual_loss", [0, 2])
@pytest.mark.parametrize("name", ["house", "mogo-rave", "uct-random", "every state a node", "max", "score"])
def test_two_threads_share_a_tree(name: str, virtual_loss: int) -> None:
    """No simulation and no outcome is lost between them."""
    config = changed(CONFIGS[name], virtual_loss=virtual_loss)
    count = 500 if config.expand == "every" else 5000
    search = searched(config, count, threads=2)
    check_tree(search, slack=0.1)
    assert search.simulations == sum(int(thread.simulations) for thread in search.threads) == count


def test_both_threads_work() -> None:
    search = searched(CONFIGS["mogo-rave"], 200_000, threads=2)
    assert all(int(thread.simulations) > 0 for thread in search.threads)


def test_two_threads_in_little_memory() -> None:
    search = searched(SearchConfig(fpu=1.0, memory=1, virtual_loss=1), 10_000, threads=2)
    assert search.pool.pruned > 0
    check_tree(search, slack=0.1)


@pytest.mark.parametrize("virtual_loss", [0, 2])
@pytest.mark.parametrize("parallel", ["root", "leaf"])
def test_other_ways_to_use_threads(parallel: str, virtual_loss: int) -> None:
    for name in ("house", "uct-random"):
        config = changed(CONFIGS[name], parallel=parallel, virtual_loss=virtual_loss)
        count = 400 if parallel == "leaf" else 4000
        search = searched(config, count, threads=2)
        check_tree(search)
        assert search.simulations == count, "what the threads did is added up at the root"
        for twin in search.twins:
            check_tree(twin)


@pytest.mark.slow
@pytest.mark.parametrize("virtual_loss", [0, 2])
def test_two_threads_again_and_again(virtual_loss: int) -> None:
    """25 searches of 100,000 simulations, with other configurations and seeds each time."""
    names = ["house", "mogo-rave", "mogo-2007", "uct-random", "mogo-2006"]
    for seed in range(25):
        config = changed(CONFIGS[names[seed % len(names)]], virtual_loss=virtual_loss)
        search = searched(config, 100_000, seed=seed, threads=2)
        check_tree(search, slack=0.01, most_boards=50)
        assert search.simulations == search.tree.links[search.pool.root, VISITS].sum() == 100_000


def test_a_search_needs_a_position() -> None:
    with pytest.raises(ConfigError, match=r"no position.*accepted: set_position first"):
        Search(5, SearchConfig()).run(1)
