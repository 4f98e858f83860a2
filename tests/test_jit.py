"""The compile cache is never stale, never in the way, and hot code counts no references."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import montego
from montego import _jit

PACKAGE = Path(montego.__file__).parent

# In 2×2 with one black stone, a white stone beside it has a single liberty.
SELF_ATARI = """
import numpy as np
from montego import _jit
from montego.go.board import new_boards, play
from montego.go.tactics import is_self_atari
boards = new_boards(2)
play(boards[0], np.uint64(4), np.uint64(1))
print(is_self_atari(boards[0], np.uint64(5), np.uint64(2)), _jit.came_from_cache(is_self_atari))
"""

# A file of weights, as it may be trained.
WEIGHTS = """
import tempfile
from pathlib import Path
from montego.shape import ShapeValue
weights = str(Path(tempfile.mkdtemp()) / "weights.npz")
ShapeValue(5).save(weights)
"""

COUNT_REFERENCES = """
import importlib, pkgutil
import montego
from montego import _jit
_jit._FLAGS["_nrt"] = {counting}
from montego.go.game import Game
from montego.go import facts
from montego.players.playout import PlayoutPlayer
from montego.playout import PlayoutConfig, simulate, trace
from montego.playout.parts import PLAYOUTS
from montego.playout.simulate import mogo_candidates
from montego.search.config import SearchConfig
from montego.search.search import Search
import numpy as np

game = Game.from_diagram(". X . . .\\n X O . . .\\n . . . . .\\n . . . . .\\n . . . . .", to_play="white")
for policy in PLAYOUTS:
    config = PlayoutConfig(policy, weights=weights, urgencies="manual")
    simulate(game, 2, config, reasons=True, ownership=True)
    trace(game, config)
    PlayoutPlayer(config).choose(game)
Search(5, SearchConfig(heuristic="rlgo", weights=weights, memory=1)).set_position(game)
Search(5, SearchConfig(heuristic="indigo", moves="selected", memory=1)).set_position(game)
for fields in ({{"depth": 2}}, {{"simulation": "td"}}):
    greedy = SearchConfig(schedule="heuristic", heuristic="alpha-beta", weights=weights, memory=1, **fields)
    Search(5, greedy).set_position(game)
game.legal_moves(), mogo_candidates(game), facts.ladder(game, "B4"), facts.in_seki(game, "B4"), facts.nakade(game, "C3")
facts.is_self_atari(game, "A3", "white"), facts.escapes(game, "B4"), game.liberties("B4"), game.play("C3")
game.score()

kernels = {{}}
for info in pkgutil.walk_packages(montego.__path__, "montego."):
    if info.name != "montego.__main__":
        for value in vars(importlib.import_module(info.name)).values():
            if hasattr(value, "inspect_llvm") and value.signatures:
                kernels[value.py_func.__module__ + "." + value.__name__] = value
assert len(kernels) >= 15, sorted(kernels)
hot = ("playout.loop.run_playouts", "playout.loop.mogo_playout", "playout.learned.sigma_playout",
       "search.heuristics.rlgo", "search.alpha_beta.alpha_beta", "search.td.td_search", "go.board.play_game_move",
       "go.ladder.read_ladder", "playout.urgent.urgent_playout", "search.preselection.indigo")
for name in hot:
    assert "montego." + name in kernels, sorted(kernels)
guilty = [name for name, kernel in kernels.items() if any("NRT_incref" in t for t in kernel.inspect_llvm().values())]

import numba

@numba.njit
def counts(arrays, i):
    chosen = arrays[0] if i else arrays[1]
    return chosen

counts((np.zeros(1), np.zeros(1)), 1)
assert any("NRT_incref" in text for text in counts.inspect_llvm().values()), "the check itself must be able to fail"
print("guilty:", guilty)
"""


def run(code: str, cache: Path, package: Path = PACKAGE, **environment: str) -> str:
    """Run code in a new interpreter that sees this copy of the package and this cache folder."""
    variables = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(cache), **environment}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=variables, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_editing_a_helper_changes_its_callers(tmp_path: Path) -> None:
    copy = tmp_path / "montego"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    cache = tmp_path / "cache"
    assert run(SELF_ATARI, cache, copy) == "True False"
    assert run(SELF_ATARI, cache, copy) == "True True"
    board = copy / "go" / "board.py"
    source = board.read_text(encoding="utf-8")
    answer = "return (packed >> _COUNT) * (packed & _SQUARES_MASK) == total * total"
    assert answer in source
    board.write_text(source.replace(answer, "return total != total"), encoding="utf-8")
    assert run(SELF_ATARI, cache, copy) == "False False"
    assert len(list(cache.glob("kernels-*"))) == 2


PLAY_ON = """
from montego.go.game import Game
for size in {sizes}:
    game = Game(size)
    game.play("A1")
    game.play("A2")
    assert (game.at("A1"), game.at("A2"), game.liberties("A1")) == (1, 2, 1), size
print("right")
"""


def test_sizes_cached_by_different_processes_do_not_mix(tmp_path: Path) -> None:
    for size in (2, 3, 5):
        assert run(PLAY_ON.format(sizes=[size]), tmp_path) == "right"
    assert run(PLAY_ON.format(sizes=[2, 3, 5]), tmp_path) == "right"
    assert run(PLAY_ON.format(sizes=[5, 3, 2]), tmp_path) == "right"


# Two processes save the kernels of two sizes at the same time: each has read the index before the other writes it.
SAVE_AT_ONCE = """
import numpy as np
from montego.go.board import new_boards, pass_turn, board_dtype

file_class = type(pass_turn._cache._cache_file)
read = file_class._load_index
stale = {}

def load_index(self):
    return dict(stale.setdefault(id(self), read(self)))  # what the index was at the first look

file_class._load_index = load_index
for size in (9, 19):
    pass_turn(new_boards(size)[0])
print("saved")
"""
LOAD_BOTH = """
import numpy as np
from montego.go.board import new_boards, pass_turn
for size in (19, 9):
    board = new_boards(size)[0]
    board.ko = board.last = board.threats = 7
    pass_turn(board)
    assert (int(board.ko), int(board.last), int(board.threats)) == (0, 0, 0), size
    assert int(board.empty_count) == size * size, size
print("right")
"""


def test_processes_that_save_at_once_do_not_mix(tmp_path: Path) -> None:
    assert run(SAVE_AT_ONCE, tmp_path) == "saved"
    assert run(LOAD_BOTH, tmp_path) == "right"


def test_a_damaged_cache_is_compiled_anew(tmp_path: Path) -> None:
    assert run(LOAD_BOTH, tmp_path) == "right"
    for damage in (b"", b"junk"):
        files = [path for kind in ("*.nbi", "*.nbc") for path in tmp_path.rglob(kind)]
        assert files
        for path in files:
            path.write_bytes(damage)
        assert run(LOAD_BOTH, tmp_path) == "right"


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX owners and modes")
def test_a_shared_temporary_folder_is_not_trusted(tmp_path: Path) -> None:
    open_to_all = tmp_path / f"montego-{os.getuid()}"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert run(SELF_ATARI, blocked / "cache", TMPDIR=str(tmp_path)) == "True False"
    assert list(open_to_all.iterdir()) == []


def test_without_a_home_directory(tmp_path: Path) -> None:
    code = f"""
import pathlib
def nowhere():
    raise RuntimeError("Could not determine home directory.")
pathlib.Path.home = nowhere
import os
for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
    os.environ.pop(name, None)
{SELF_ATARI}"""
    assert run(code, tmp_path, TMPDIR=str(tmp_path)).startswith("True")


def test_without_a_folder_to_write_kernels_still_run(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file, so no folder can be made below it")
    elsewhere = tmp_path / "temporary"
    elsewhere.mkdir()
    assert run(SELF_ATARI, blocked / "cache", TMPDIR=str(elsewhere)).startswith("True")
    assert list(elsewhere.glob("montego-*/kernels-*"))


def test_old_folders_are_pruned(tmp_path: Path) -> None:
    for age in range(_jit.KEPT_CACHES + 5):
        folder = tmp_path / f"kernels-{age:016x}"
        folder.mkdir()
        (folder / "code").write_text("x")
        os.utime(folder, (time.time() - age * 3600,) * 2)
    (tmp_path / "kernels-of-another-program").mkdir()
    oldest = f"kernels-{_jit.KEPT_CACHES + 4:016x}"
    _jit.prune(tmp_path, keep=oldest)
    left = sorted(folder.name for folder in tmp_path.iterdir())
    assert left == [
        *(f"kernels-{age:016x}" for age in range(_jit.KEPT_CACHES)),
        oldest,
        "kernels-of-another-program",
    ]


def test_the_hash_sees_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    first = _jit.source_hash(tmp_path)
    assert _jit.source_hash(tmp_path) == first
    (tmp_path / "a.py").write_text("x = 2")
    second = _jit.source_hash(tmp_path)
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert len({first, second, _jit.source_hash(tmp_path)}) == 3


def test_other_code_keeps_its_own_cache_folder() -> None:
    import numba

    assert os.environ.get("NUMBA_CACHE_DIR", "") == numba.config.CACHE_DIR


def test_no_kernel_counts_references(tmp_path: Path) -> None:
    assert run(WEIGHTS + COUNT_REFERENCES.format(counting=False), tmp_path) == "guilty: []"


WARM = """
from montego import _jit
from montego.go.game import Game
from montego.playout import PlayoutConfig, learned, simulate
from montego.search import heuristics
from montego.search.config import SearchConfig
from montego.search.search import Search
simulate(Game(5), 2, PlayoutConfig("rlgo-sigma", weights=weights))
Search(5, SearchConfig(heuristic="rlgo", weights=weights, memory=1)).set_position(Game(5))
print([_jit.came_from_cache(kernel) for kernel in (learned.sigma_playout, heuristics.rlgo)])
"""


def test_kernels_that_read_lent_memory_are_cached(tmp_path: Path) -> None:
    assert run(WEIGHTS + WARM, tmp_path) == "[False, False]"
    assert run(WEIGHTS + WARM, tmp_path) == "[True, True]"


@pytest.mark.slow
def test_hot_records_need_no_counting(tmp_path: Path) -> None:
    """The layout alone keeps hot code free of it: with numba's counting on, only kernels given arrays count."""
    guilty = run(WEIGHTS + COUNT_REFERENCES.format(counting=True), tmp_path)
    for name in (
        "loop.uniform_playout",
        "loop.mogo_playout",
        "policies.",
        "board.play",
        "board.legality",
        "tactics.",
        "loop.final_lead",
    ):
        assert name not in guilty, guilty


CHECKED = """
import numpy as np
from montego.go.board import new_boards, place
from montego.go.game import Game
from montego.go import facts
from montego.players.playout import PlayoutPlayer
from montego.playout import PlayoutConfig, simulate
from montego.playout.parts import PLAYOUTS
from montego.search.config import SearchConfig
from montego.search.search import Search

for size in (2, 3, 5, 9, 19):
    for policy in PLAYOUTS if size in (2, 9) else ("uniform", "mogo", "tactical"):
        count = (6000 if policy in ("uniform", "mogo") else 300) // size**2 + 50
        config = PlayoutConfig(policy, weights=weights, urgencies="manual")
        simulate(Game(size), count, config, reasons=True, ownership=True)
    search = Search(size, SearchConfig(heuristic="rlgo", weights=weights, fpu=1.0, memory=4))
    search.set_position(Game(size))
    search.run(300)
    game, player = Game(size, rules="tromp-taylor"), PlayoutPlayer("mogo", seed=size)
    for _ in range(2 * size * size):
        if not game.is_over:
            game.play(player.choose(game).vertex)
        for vertex in {move.vertex for move in game.moves[-3:]} - {"pass"}:
            if game.at(vertex):
                facts.ladder(game, vertex), facts.in_seki(game, vertex)
    if game.size > 2:
        game.score()
try:
    place(new_boards(5)[0], np.uint64(5000), np.uint64(1))
except IndexError:
    print("checked")
"""


@pytest.mark.slow
def test_no_index_leaves_its_array(tmp_path: Path) -> None:
    """Everything with numba's bounds checks on: playouts, whole games and their tactics."""
    assert run(WEIGHTS + CHECKED, tmp_path, NUMBA_BOUNDSCHECK="1") == "checked"
