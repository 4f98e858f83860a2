"""Matches: colours, seeds, counting, and what happens when a player or a process fails."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.fakes import build
from montego import MontegoError
from montego.arena.match import Series, play_match, warm_up
from montego.arena.settings import Match
from montego.arena.store import Played

TESTS = Path(__file__).parents[1]


def series(a: str, b: str, jobs: int = 1, **settings: Any) -> Series:
    made = Series(Match(a, b, simulations=10, **{"size": 5, "games": 4, **settings}), build=build)
    assert made.play(jobs)
    return made


def told(made: Series) -> list[Any]:
    """What must be the same when a match is played again."""
    games = sorted(made.played.values(), key=lambda game: game.index)
    return [(g.index, g.black, g.winner, g.result, g.reason, g.moves, g.seeds) for g in games]


def test_colours_alternate() -> None:
    made = series("builder", "passes")
    assert [made.played[i].black for i in range(4)] == ["a", "b", "a", "b"]
    assert [made.played[i].moves[0] for i in range(4)] == ["C3", "pass", "C3", "pass"]
    assert [made.played[i].winner for i in range(4)] == ["a", "a", "a", "a"]
    assert [made.played[i].result for i in range(4)] == ["B+17.5", "W+32.5", "B+17.5", "W+32.5"]


def test_the_report() -> None:
    report = series("builder", "passes", games=3).report()
    assert (report["games"], report["wins"], report["losses"], report["draws"], report["void"]) == (3, 3, 0, 0, 0)
    assert (report["rate"], report["elo"]) == (1.0, None)
    assert report["interval"] == [pytest.approx(3 / (3 + 3.841459), abs=1e-6), 1.0]
    assert report["elo_interval"] == [pytest.approx(-43.0, abs=0.1), None]
    assert (report["as_black"]["games"], report["as_white"]["games"]) == (2, 1)
    assert report["moves"] == pytest.approx((7 + 8 + 7) / 3)  # three stones, then two passes in a row
    assert report["players"]["a"]["simulations_per_move"] == 10
    assert report["players"]["a"]["configuration"] == {"name": "builder"}
    assert report["settings"]["komi"] == 7.5 and report["reasons"] == {"score": 3}
    json.dumps(report, allow_nan=False)


def test_draws_count_half() -> None:
    report = series("passes", "passes", komi=0).report()
    assert (report["draws"], report["rate"], report["elo"]) == (4, 0.5, 0)


def test_forfeits_are_losses_that_show() -> None:
    report = series("illegal", "passes").report()
    assert (report["losses"], report["forfeits"]) == (4, {"a": 4, "b": 0})
    assert len(report["problems"]) == 4 and "occupied" in report["problems"][0]
    assert report["reasons"] == {"forfeit": 4}


@pytest.mark.parametrize("spec", ["raises", "fails-later"])
def test_void_games_count_for_nobody(spec: str) -> None:
    report = series("random", spec).report()
    assert (report["games"], report["void"], report["rate"], report["elo"]) == (0, 4, None, None)
    assert report["interval"] == [0, 1] and len(report["problems"]) == 4
    assert report["moves"] is None and report["players"]["a"]["seconds_per_move"] is None


def test_a_process_that_dies_costs_its_games_alone() -> None:
    report = series("random", "dies", jobs=2, games=3).report()
    assert report["void"] == 3 and "code 3" in report["problems"][0]


def test_a_process_that_cannot_start_ends_the_match() -> None:
    with pytest.raises(MontegoError, match="code 4 before its first game"):
        series("random", "unready", jobs=2)


def test_resignation_is_the_arenas() -> None:
    made = series("sad", "passes", size=3)
    assert made.played[0].result == "W+R" and made.played[0].reason == "resign"
    assert all(game.reason != "resign" for game in series("sad", "passes", size=3, resign=0).played.values())


def test_same_seed_same_games_however_they_are_shared_out() -> None:
    first = series("random", "random", seed=7)
    assert told(first) == told(series("random", "random", seed=7)) == told(series("random", "random", 2, seed=7))
    assert told(first) != told(series("random", "random", seed=8))
    moves = [tuple(game.moves) for game in first.played.values()]
    assert len(set(moves)) == 4, "every game has random streams of its own"


def test_every_player_of_every_game_has_its_own_seed() -> None:
    match = Match("a", "b", simulations=1)
    seeds = [match.seed_of(index, side) for index in range(500) for side in "ab"]
    seeds += [replace(match, seed=2).seed_of(index, side) for index in range(500) for side in "ab"]
    assert len(set(seeds)) == 2000


def test_play_match_returns_the_report(tmp_path: Path) -> None:
    match = Match("builder", "passes", games=2, simulations=1, size=5)
    report = play_match(match, 1, tmp_path / "games.jsonl", build)
    assert report["wins"] == 2 and (tmp_path / "games.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"simulations": None},
        {"seconds": 1.0},
        {"simulations": 0},
        {"simulations": 1.5},
        {"simulations": True},
        {"games": 0},
        {"games": 10**30},
        {"threads": 0},
        {"simulations": None, "seconds": 0},
        {"simulations": None, "seconds": float("nan")},
        {"simulations": None, "seconds": -1},
        {"simulations": None, "seconds": "1"},
        {"resign": 0.6},
        {"resign": -0.1},
        {"resign": float("inf")},
        {"seed": "1"},
        {"size": 1},
        {"komi": float("nan")},
        {"rules": "checkers"},
    ],
)
def test_settings_that_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(MontegoError, match="accepted"):
        Match(**{"a": "x", "b": "y", "simulations": 10, **settings})


def test_players_are_checked_before_any_game(tmp_path: Path) -> None:
    with pytest.raises(MontegoError, match="no preset"):
        Series(Match("random", "nobody", simulations=10), tmp_path / "games.jsonl", build)
    assert not (tmp_path / "games.jsonl").exists()
    with pytest.raises(MontegoError, match="broken cannot play: RuntimeError: no kernel"):
        warm_up(Match("random", "broken", simulations=10), build)


@pytest.mark.parametrize("jobs", [0, -1, 10**9, 1.5])
def test_jobs_that_are_refused(jobs: Any) -> None:
    with pytest.raises(MontegoError, match="jobs is"):
        Series(Match("random", "random", simulations=10), build=build).play(jobs)


STOPPED = """
import sys
from arena.fakes import build
from montego.arena.match import Series
from montego.arena.settings import Match
if __name__ == "__main__":
    series = Series(Match("dozes", "passes", games=40, simulations=10, size=5), build=build)
    print("start", flush=True)
    done = series.play({jobs}, lambda series: print(len(series.played), flush=True))
    print("done" if done else "stopped", len(series.played), flush=True)
"""


def hear_ctrl_c() -> None:
    """Where these tests run in the background, the shell has told them to ignore it, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def children(pid: int) -> list[str]:
    return subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()


def alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if Path("/proc").exists() else True


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as Unix sends them")
@pytest.mark.parametrize("how", ["ctrl-c", "ctrl-c to all", "kill"])
def test_stopping_leaves_no_process_behind(how: str, tmp_path: Path) -> None:
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED.format(jobs=2), encoding="utf-8")
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,
    )
    assert process.stdout is not None
    assert [process.stdout.readline().strip() for _ in range(2)] == ["start", "1"]
    workers = children(process.pid)
    assert len(workers) >= 2
    if how == "ctrl-c to all":
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT if how == "ctrl-c" else signal.SIGKILL)
    output, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    if how != "kill":
        word, count = output.split()[-2:]
        assert word == "stopped" and 1 <= int(count) < 40
    deadline = time.monotonic() + 20
    while any(alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if alive(pid)]


def test_a_played_game_is_plain_data() -> None:
    (game,) = series("random", "random", games=1).played.values()
    assert isinstance(game, Played) and all(isinstance(move, str) for move in game.moves)
