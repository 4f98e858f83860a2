"""The same trees without a compiler, and no index out of bounds with one that looks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def run(code: str, timeout: int = 600, **environment: str) -> str:
    """Run code in a new interpreter, with warnings as errors, that finds the tests' modules."""
    paths = os.pathsep.join([str(HERE), str(HERE.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


SMALL_TREES = """
import hashlib
from montego import _jit
from montego.go.game import Game
from test_search import CONFIGS, searched
from tree_checks import check_tree, dump

assert _jit.COMPILED is {compiled}
for name, config in CONFIGS.items():
    search = searched(config, 8, Game(5, komi=2.5), seed=8)
    check_tree(search, most_boards=2)
    tree = sorted(dump(search, digits=9).items())
    print(name, len(tree), hashlib.sha256(repr(tree).encode()).hexdigest())
"""


def test_the_same_trees_without_compiling() -> None:
    compiled = run(SMALL_TREES.format(compiled=True))
    plain = run(SMALL_TREES.format(compiled=False), NUMBA_DISABLE_JIT="1")
    assert plain == compiled
    assert len(plain.splitlines()) >= 14


# The triple ko of positions/superko.pos. White passes; six moves later White could bring back the position after that
# pass, with Black to move again: that is what situational superko forbids.
TRIPLE_KO = """
from montego.go.game import Game
from montego.search.config import SearchConfig
from montego.search.records import CHILD, ILLEGAL
from montego.search.search import Search

diagram = '''
. X X O O . .
. X O . O . .
. X X O O . .
. X O . O . .
. X X O O . .
. X . X O . .
. X X O O . .
'''
line = ["pass", "D6", "C2", "D4", "C6", "D2"]
game = Game.from_diagram(diagram, to_play="white", rules="{rules}")
search = Search(7, SearchConfig(schedule="none", policy="uniform", memory=1))
search.set_position(game)
node, position = search.pool.root, game.copy()
search.run(1)
for vertex in [*line, "C4"]:
    child = search.tree.links[node, CHILD]
    why, point = position.why_illegal(vertex), search.names.parse(vertex)
    child[[p for p in range(len(child)) if p not in (0, point)]] = ILLEGAL  # this move, or a pass where it is forbidden
    if vertex != "C4" and vertex != "pass":
        child[0] = ILLEGAL
    search.run(3)
    if vertex == "C4":
        print(why, child[point] == ILLEGAL)
    else:
        position.play(vertex)
        node = int(child[point])
        assert node > 0, vertex
"""


@pytest.mark.parametrize(
    ("rules", "answer"), [("aga", "superko True"), ("chinese-ogs", "superko True"), ("chinese", "None False")]
)
def test_a_pass_in_the_tree_is_part_of_the_history(rules: str, answer: str) -> None:
    assert run(TRIPLE_KO.format(rules=rules), NUMBA_DISABLE_JIT="1") == answer


# --- bounds --------------------------------------------------------------------------------------------------------

IN_BOUNDS = """
from montego.go.game import Game
from test_search import CONFIGS, searched
from tree_checks import check_tree
for name, config in CONFIGS.items():
    for game in (Game(5, komi=2.5), Game(5, komi=2.5, rules="aga")):
        check_tree(searched(config, 300, game, seed=8), most_boards=5)
check_tree(searched(CONFIGS["house"], 300, threads=2, seed=8), slack=0.1, most_boards=5)
print("clean")
"""

# What is called by its address must tell of its mistakes too, or the check above sees nothing.
OUT_OF_BOUNDS = """
import numpy as np
from montego._intrinsics import call
from montego._jit import address_of, jit

@jit(cached=False)
def wrong(array, i):
    array[i] = 1.0
    return 0

@jit(cached=False)
def caller(address, array, i):
    return call(address, 0, (array, i))

array, i = np.zeros(3), np.uint64(3)
try:
    caller(address_of(wrong, array, i), array, i)
    print("nothing noticed")
except IndexError:
    print("noticed")
"""


@pytest.mark.slow
def test_no_index_is_out_of_bounds() -> None:
    assert run(IN_BOUNDS, NUMBA_BOUNDSCHECK="1") == "clean"


def test_an_index_out_of_bounds_would_be_noticed() -> None:
    assert run(OUT_OF_BOUNDS, NUMBA_BOUNDSCHECK="1") == "noticed"
