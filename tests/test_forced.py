"""Forced positions, which the search must solve: see positions/README.md.

The problems of the tactics collection on small boards are among them: 20,000 simulations are quick there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from montego.lab.home import find_home
from montego.lab.tactics import FOLDER
from positions_format import Position, read_positions

COLLECTION = sorted((find_home().experiments / FOLDER).glob("*.pos"))
FILES = [*sorted((Path(__file__).parent / "positions" / "forced").glob("*.pos")), *COLLECTION]
LARGEST = 7
LEAST, SHARE = 40, 0.9


def forced(path: Path) -> list[Position]:
    """The positions of a file that are searched here."""
    found = read_positions(path)
    return [one for one in found if one.start().size <= LARGEST] if path in COLLECTION else found


def problem_of(position: Position) -> str | None:
    """What goes wrong in a position, in one line; None if it is solved."""
    try:
        position.check()
    except AssertionError as error:
        return str(error).splitlines()[1]
    return None


def test_the_search_solves_nine_in_ten():
    positions = [(path.stem, position) for path in FILES for position in forced(path)]
    problems = [(f"{theme}: {position.name}", problem_of(position)) for theme, position in positions]
    failed = [f"{title}: {problem}" for title, problem in problems if problem]
    report = "\n".join([f"{len(positions) - len(failed)} of {len(positions)} forced positions solved", *failed])
    print(report)
    assert len(positions) >= LEAST
    assert len(positions) - len(failed) >= SHARE * len(positions), report


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_best_move_is_legal(path):
    for position in read_positions(path):
        game = position.start()
        for line, step in position.steps[:-1]:
            assert line.text.startswith("play "), line.where
            step(game)
        word, colour, *moves = position.steps[-1][0].text.split()
        assert (word, {"black": 1, "white": 2}[colour]) == ("best", game.to_play), position.title.where
        assert {move: game.why_illegal(move) for move in moves} == dict.fromkeys(moves), position.title.where
