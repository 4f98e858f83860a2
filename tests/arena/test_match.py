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

from arena.fakes import build, play_here, series_of
from montego import MontegoError
from montego.arena.match import Series, play_one, warm_up
from montego.arena.play import play
from montego.arena.played import Played
from montego.arena.sequential import Sprt
from montego.arena.settings import Match

TESTS = Path(__file__).parents[1]


def report(a: str, b: str, **settings: Any) -> dict[str, Any]:
    return play_here(series_of(a, b, **settings)).report()


def told(made: Series) -> list[Any]:
    """What must be the same when a match is played again."""
    games = sorted(made.played.values(), key=lambda game: game.number)
    return [(g.number, g.black, g.outcome, g.winner, g.result, g.reason, g.moves, g.seeds) for g in games]


def test_colours_alternate() -> None:
    made = play_here(series_of("builder", "passes"))
    assert [made.played[i].black for i in range(4)] == ["a", "b", "a", "b"]
    assert [made.played[i].moves[0] for i in range(4)] == ["C3", "pass", "C3", "pass"]
    assert [made.played[i].winner for i in range(4)] == ["a", "a", "a", "a"]
    assert [made.played[i].result for i in range(4)] == ["B+17.5", "W+32.5", "B+17.5", "W+32.5"]


def test_the_report() -> None:
    told = report("builder", "passes", games=3)
    assert (told["games"], told["wins"], told["losses"], told["draws"], told["void"]) == (3, 3, 0, 0, 0)
    assert (told["rate"], told["elo"], told["unknown"]) == (1.0, None, 0)
    assert told["interval"] == [pytest.approx(3 / (3 + 3.841459), abs=1e-6), 1.0]
    assert told["elo_interval"] == [pytest.approx(-43.0, abs=0.1), None]
    assert (told["as_black"]["games"], told["as_white"]["games"]) == (2, 1)
    assert told["moves"] == pytest.approx((7 + 8 + 7) / 3)  # three stones, then two passes in a row
    assert told["players"]["a"]["simulations_per_move"] == 10
    assert told["players"]["a"]["configuration"] == {"name": "builder", "moves": 0}
    assert told["settings"]["komi"] == 7.5 and told["reasons"] == {"score": 3}
    json.dumps(told, allow_nan=False)


def test_draws_count_half() -> None:
    told = report("passes", "passes", komi=0)
    assert (told["draws"], told["rate"], told["elo"]) == (4, 0.5, 0)


def test_forfeits_are_losses_that_show() -> None:
    told = report("illegal", "passes")
    assert (told["losses"], told["forfeits"]) == (4, {"a": 4, "b": 0})
    assert len(told["problems"]) == 4 and "occupied" in told["problems"][0]
    assert told["reasons"] == {"illegal": 4}


@pytest.mark.parametrize("spec", ["raises", "fails-later"])
def test_void_games_count_for_nobody(spec: str) -> None:
    told = report("random", spec)
    assert (told["games"], told["void"], told["rate"], told["elo"]) == (0, 4, None, None)
    assert told["interval"] == [0, 1] and len(told["problems"]) == 4
    assert told["moves"] is None and told["as_black"]["games"] == 0


def test_a_resignation() -> None:
    made = play_here(series_of("resigns", "passes", size=3, games=2))
    assert [made.played[n].result for n in range(2)] == ["W+R", "B+R"]
    assert made.report()["reasons"] == {"resign": 2} and made.report()["losses"] == 2


def test_same_seed_same_games_however_they_are_shared_out() -> None:
    here = play_here(series_of("random", "random", seed=7))
    shared = series_of("random", "random", seed=7)
    assert play([shared], 2) and told(shared) == told(here)
    assert told(here) != told(play_here(series_of("random", "random", seed=8)))
    assert len({tuple(game.moves) for game in here.played.values()}) == 4, "every game has random streams of its own"


def test_every_player_of_every_game_has_its_own_seed() -> None:
    match = Match("a", "b", simulations=1)
    seeds = [match.seed_of(number, side) for number in range(500) for side in "ab"]
    seeds += [replace(match, seed=2).seed_of(number, side) for number in range(500) for side in "ab"]
    assert len(set(seeds)) == 2000 and all(0 <= seed < 1 << 32 for seed in seeds)


@pytest.mark.parametrize(
    "settings",
    [
        {"simulations": None},
        {"seconds": 1.0},
        {"simulations": 0},
        {"simulations": 1.5},
        {"simulations": True},
        {"games": 0},
        {"games": None},
        {"games": 10**30},
        {"threads": 0},
        {"threads": None},
        {"simulations": None, "seconds": 0},
        {"simulations": None, "seconds": float("nan")},
        {"simulations": None, "seconds": -1},
        {"simulations": None, "seconds": "1"},
        {"simulations": None, "seconds": 10**400},
        {"resign": 0.6},
        {"resign": -0.1},
        {"resign": None},
        {"resign": float("inf")},
        {"answer_seconds": 0},
        {"answer_seconds": None},
        {"answer_seconds": 1e9},
        {"seed": "1"},
        {"size": 1},
        {"komi": float("nan")},
        {"rules": "checkers"},
        {"a": ""},
        {"b": None},
        {"scoring": ""},
        {"scoring": 3},
        {"openings": "tengen"},
        {"openings": ("E5", "E5 E5")},
        {"openings": ("K10",)},
        {"openings": ("pass pass",)},
        {"openings": (3,)},
    ],
)
def test_settings_that_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(MontegoError, match=r"accepted|cannot be played"):
        Match(**{"a": "x", "b": "y", "simulations": 10, **settings})


def test_players_are_checked_before_any_game() -> None:
    with pytest.raises(MontegoError, match="no preset"):
        series_of("random", "nobody")
    with pytest.raises(MontegoError, match="no preset"):
        series_of("random", "random", scoring="nobody")
    with pytest.raises(MontegoError, match="broken cannot play: RuntimeError: no kernel"):
        warm_up(Match("random", "broken", simulations=10), build)


@pytest.mark.parametrize("jobs", [0, -1, 10**9, 1.5, None])
def test_jobs_that_are_refused(jobs: Any) -> None:
    with pytest.raises(MontegoError, match="jobs is"):
        play([series_of("random", "random")], jobs)


def test_a_game_that_was_played_is_plain_data() -> None:
    game = play_one(Match("random", "random", simulations=10, size=5), build, 0)
    assert isinstance(game, Played) and all(isinstance(move, str) for move in game.moves)
    assert game.versions == {"a": "Fake 1", "b": "Fake 1"} and game.played.endswith("Z")


# Games in other processes.


def test_a_process_that_dies_costs_its_games_alone() -> None:
    """Two matches share the processes; the games of one kill them, those of the other are all played."""
    bad, good = series_of("random", "dies", games=2), series_of("random", "builder", games=3)
    assert play([bad, good], 2)
    assert bad.report()["void"] == 2 and good.report()["games"] == 3
    assert bad.report()["problems"][0] == "game 0: no game: the process ended with code 3"


@pytest.mark.parametrize(
    ("spec", "message"),
    [("unready", "code 4 before its first game"), ("broken", "broken cannot play: RuntimeError: no kernel")],
)
def test_a_process_that_cannot_start_ends_the_match(spec: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MontegoError, match=message):
        play([series_of("random", spec)], 1)
    assert "Traceback" not in capfd.readouterr().err


def test_games_that_told_nothing_are_played_again_under_further_numbers() -> None:
    series = Series(Match("random", "raises", games=10, simulations=10, size=5), None, build, again=True)
    assert play([series], 1)
    assert sorted(series.played) == list(range(10 + 2 + 5)), "up to a fifth more and five, and then no more"
    once = Series(Match("random", "builder", games=3, simulations=10, size=5), None, build, again=True)
    assert sorted(play_here(once).played) == [0, 1, 2]


def sequential(a: str, b: str, **settings: Any) -> Series:
    match = Match(a, b, simulations=10, **{"size": 5, "games": 200, **settings})
    return Series(match, None, build, Sprt(0, 200))


def test_a_sequential_test_stops_a_match() -> None:
    """The verdict is that of the games in the order of their numbers, however many processes play them."""
    alone = play_in_turn(sequential("lucky", "passes", komi=0.5))
    shared = sequential("lucky", "passes", komi=0.5)
    assert play([shared], 2) and shared.missing == []
    assert shared.verdict == alone.verdict == "H1" and len(alone.played) <= len(shared.played) < 100
    assert [shared.played[number].moves for number in alone.played] == [game.moves for game in alone.played.values()]
    other = play_in_turn(sequential("passes", "lucky", komi=0.5))
    assert other.verdict == "H0" and other.report()["sprt"] == {
        "elo0": 0,
        "elo1": 200,
        "alpha": 0.05,
        "beta": 0.05,
        "verdict": "H0",
    }


def play_in_turn(series: Series) -> Series:
    while series.missing:
        series.take(play_one(series.match, series.making, series.missing[0]))
    return series


def test_a_verdict_waits_for_the_games_before() -> None:
    whole = play_in_turn(sequential("lucky", "passes", komi=0.5))
    last = max(whole.played)
    series = sequential("lucky", "passes", komi=0.5)
    for number in range(last, 0, -1):
        series.take(whole.played[number])
        assert series.verdict is None
    assert series.missing[:2] == [0, last + 1]
    series.take(whole.played[0])
    assert series.verdict == "H1" and series.missing == []


def test_void_games_do_not_move_a_sequential_test() -> None:
    series = sequential("random", "raises", games=3)
    assert play_in_turn(series).verdict is None and len(series.played) == 3


# The end of a run, however it comes.

STOPPED = """
import sys
from arena.fakes import series_of
from montego.arena.play import play
if __name__ == "__main__":
    series = series_of("dozes", "passes", games=40)
    print("start", flush=True)
    done = play([series], 2, lambda series: print(len(series.played), flush=True))
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
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if Path("/proc").exists() else True
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as Unix sends them")
@pytest.mark.parametrize(
    "how", ["ctrl-c", "kill", *(pytest.param(how, marks=pytest.mark.slow) for how in ("ctrl-c to all", "hang-up"))]
)
def test_stopping_leaves_no_process_behind(how: str, tmp_path: Path) -> None:
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED, encoding="utf-8")
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
    if how in ("ctrl-c to all", "hang-up"):
        os.killpg(process.pid, signal.SIGHUP if how == "hang-up" else signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT if how == "ctrl-c" else signal.SIGKILL)
    output, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    if how.startswith("ctrl-c"):
        word, count = output.split()[-2:]
        assert word == "stopped" and 1 <= int(count) < 40
    deadline = time.monotonic() + 20
    while any(alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if alive(pid)]
