"""The tactics collection: the shipped problems, the reader, the measurement, and the command."""

import json
import math
import shutil
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest

from montego import Game
from montego.lab.experiment import LabError, Point
from montego.lab.home import find_home
from montego.lab.measure import configuration_of, measure
from montego.lab.tactics import (
    FOLDER,
    Problem,
    Share,
    collection_hash,
    load_problems,
    of_themes,
    read_problems,
    shares_of,
    solves,
)
from montego.players.presets import PRESETS

HOME = find_home()
THEMES = ("nakade", "semeai", "seki", "life-and-death", "ko", "ladders")

TAKE = """== Take the stones
komi 0.5
5 . . . . .
4 . X X X .
3 X O O . .
2 X O O X .
1 . X X . .
  A B C D E
black to play
best black d3
"""
WRONG = TAKE.replace("Take the stones", "Not the corner").replace("best black d3", "best black E1")


@pytest.fixture(scope="module")
def problems():
    return load_problems(HOME.experiments)


@pytest.fixture
def tiny(tmp_path):
    """Experiments with a collection of two problems: one that is easy, and one whose solution nobody finds."""
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    (folder / "easy.pos").write_text(TAKE)
    (folder / "odd.pos").write_text(WRONG)
    return tmp_path


def test_the_collection_is_large_and_covers_every_theme(problems):
    themes = Counter(problem.theme for problem in problems)
    assert set(themes) == set(THEMES) and len(problems) >= 150
    assert {theme: n for theme, n in themes.items() if n < 20} == {}
    sizes = Counter(problem.game.size for problem in problems)
    assert sizes[19] >= 50 and sizes[9] >= 40


def test_titles_and_boards_are_unique_and_best_moves_legal(problems):
    assert [title for title, n in Counter(problem.title for problem in problems).items() if n > 1] == []
    boards = Counter((problem.game.size, problem.game.hash, problem.game.to_play) for problem in problems)
    assert max(boards.values()) == 1
    for problem in problems:
        assert problem.best and len(set(problem.best)) == len(problem.best), problem.title
        assert {move: problem.game.why_illegal(move) for move in problem.best} == dict.fromkeys(problem.best)
        assert problem.game.komi % 1 == 0.5, problem.title  # no draws


def test_every_problem_says_how_it_was_verified():
    for path in sorted((HOME.experiments / FOLDER).glob("*.pos")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for above, line in pairwise(lines):
            if line.startswith("== "):
                assert above.startswith("// ") and "solved exactly" in above.lower(), (path.name, line)


def test_every_preset_has_a_point():
    points = HOME.load("house/tactics").points
    assert {point.settings["a"] for point in points} == set(PRESETS) and {p.kind for p in points} == {"tactics"}
    assert {point.settings["simulations"] for point in points} == {3000}


class Always:
    """A player that always gives the same answer."""

    def __init__(self, vertex):
        self.vertex, self.games = vertex, 0

    def new_game(self):
        self.games += 1

    def choose(self, game):
        return self


def test_a_problem_is_solved_by_any_of_its_moves_and_by_no_other():
    problem = Problem("theme", "title", Game(5), ("C3", "D4"))
    found = {move: solves(Always(move), problem) for move in ("C3", "D4", "A1", "pass")}
    assert found == {"C3": True, "D4": True, "A1": False, "pass": False}
    player = Always("C3")
    assert [solves(player, problem) for _ in range(3)] == [True] * 3 and player.games == 3


def test_shares_by_theme_and_their_errors():
    def of(theme):
        return Problem(theme, "", Game(5), ("C3",))

    shares = shares_of([(of("a"), True), (of("b"), False), (of("a"), False), (of("b"), False)])
    assert shares == {"a": Share(1, 2), "b": Share(0, 2), "all": Share(1, 4)}
    assert shares["all"].value == 0.25 and shares["all"].error == pytest.approx(math.sqrt(0.25 * 0.75 / 4))
    assert shares["b"].error == 0.0
    with pytest.raises(Exception, match="at least one"):
        shares_of([])


def test_two_tiny_problems_are_measured(tiny):
    point = Point("p", "p", "tactics", {"a": "mogo-2006", "simulations": 200})
    found = measure(point, tiny)
    assert found["value"] == 0.5 and found["error"] == pytest.approx(math.sqrt(0.125), abs=1e-6)
    assert {theme: told["solved"] for theme, told in found["themes"].items()} == {"easy": 1, "odd": 0, "all": 1}
    assert found["configuration"] == configuration_of(point, tiny)


def test_a_measurement_is_of_the_collection_as_it_was(tiny):
    before = collection_hash(tiny)
    path = tiny / FOLDER / "easy.pos"
    path.write_text("// a comment\n" + TAKE.replace("Take the stones", "Another title"))
    assert collection_hash(tiny) == before
    path.write_text(TAKE.replace("komi 0.5", "komi 1.5"))
    assert collection_hash(tiny) != before


def test_a_move_may_come_first(tmp_path):
    (tmp_path / "ko.pos").write_text(TAKE.replace("best black d3", "play black E5\nbest white D3"))
    (problem,) = read_problems(tmp_path)
    assert problem.game.at("E5") == 1 and problem.game.to_play == 2 and problem.best == ("D3",)


@pytest.mark.parametrize(
    ("last", "message"),
    [
        ("best white D3", r"bad\.pos:10: best white D3\nit is not white's turn"),
        ("best black", r"bad\.pos:10: best black\naccepted as the last line"),
        ("best black A3", r"bad\.pos:10: best black A3\nA3 is illegal: occupied"),
        ("best black Z9", r"bad\.pos:10: best black Z9\n'Z9' is not a vertex"),
        ("liberties A3 2", r"bad\.pos:10: liberties A3 2\naccepted as the last line"),
        ("atari A3\nbest black D3", r"bad\.pos:10: atari A3\naccepted above the last line"),
        ("play black A3\nbest black D3", r"bad\.pos:10: play black A3\n"),
        (". .\n. .", r"bad\.pos:10: \. \.\naccepted as the last line"),
        ("best black D3\nkomi 3", r"bad\.pos:11: komi 3\nthis line belongs above"),
    ],
)
def test_a_hostile_file_is_refused_with_file_and_line(tmp_path, last, message):
    (tmp_path / "bad.pos").write_text(TAKE.replace("best black d3", last))
    with pytest.raises(LabError, match=message):
        read_problems(tmp_path)


def test_folders_without_problems_and_titles_twice_are_refused(tmp_path):
    with pytest.raises(LabError, match="holds no problems"):
        read_problems(tmp_path)
    (tmp_path / "a.pos").write_text(TAKE)
    shutil.copy(tmp_path / "a.pos", tmp_path / "b.pos")
    with pytest.raises(LabError, match="Take the stones"):
        read_problems(tmp_path)
    (tmp_path / "b.pos").write_bytes(b"\xff\xfe")
    with pytest.raises(LabError, match=r"b\.pos cannot be read"):
        read_problems(tmp_path)


def test_themes_are_chosen_by_name(problems):
    assert {problem.theme for problem in of_themes(problems, ["ko", "seki"])} == {"ko", "seki"}
    assert of_themes(problems, []) == problems
    with pytest.raises(LabError, match="there is no theme 'chess'; accepted: "):
        of_themes(problems, ["chess"])


def test_the_command_tells_shares_by_theme(tiny):
    shutil.copytree(tiny / "house", tiny / "home" / "experiments" / "house")
    words = ["lab", "tactics", "mogo-2006:simulations=200", "--folder", str(tiny / "home"), "--simulations", "9"]
    call = [sys.executable, "-m", "montego", *words]
    done = subprocess.run([*call, "--json"], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert told["themes"]["all"] == {"solved": 1, "positions": 2} and told["player"] == "mogo-2006:simulations=200"
    assert told["simulations"] == 200, "its own limit, not that of the others"
    assert "2 problems to solve" in done.stderr
    shown = subprocess.run([*call, "--failed"], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines()[0].split() == ["player", "easy", "odd", "all"] and "odd: Not the corner" in shown
