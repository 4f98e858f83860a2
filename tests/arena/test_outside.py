"""Other programs in matches: whatever one does wrong, its games end as what they are, and nothing stays behind."""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.fakes import Fake, Random, build, impatient
from montego import Game, MontegoError
from montego.arena import outside
from montego.arena.adjudication import by_agreement
from montego.arena.contestants import make
from montego.arena.game import GameResult, play_game
from montego.arena.match import Series, play_one
from montego.arena.outside import Outside
from montego.arena.play import play, prepare
from montego.arena.played import Played
from montego.arena.settings import Match, MatchError
from montego.go.board import BLACK, WHITE
from montego.go.errors import ConfigError
from montego.go.rules import RULES
from montego.gtp.errors import StartError
from montego.gtp.rules_json import rules_to_json

TESTS = Path(__file__).parents[1]
ENGINE = Path(__file__).with_name("scripted_engine.py")
PATIENCE = 60.0
ANSWER_SECONDS = 2.0
"""For a program to answer; those that hang cost it."""

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc")


def new_mark() -> str:
    return f"mark-{uuid.uuid4().hex}"


def words(mode: str, mark: str, seed: str = "{seed}", score: str = "W+6.5") -> list[str]:
    return [sys.executable, "-I", "-S", str(ENGINE), mode, seed, mark, score]


def spec(mode: str, mark: str, score: str = "W+6.5", seed: str = "{seed}") -> str:
    return "gtp:" + shlex.join(words(mode, mark, seed, score))


def running(mark: str) -> list[int]:
    """The processes that have a mark on their command line, zombies not counted."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if mark.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
    return found


def wait_until(happened: Callable[[], Any], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


@dataclass(frozen=True)
class Case:
    """A way to behave, and how games against it end: our builder has Black in the first, White in the second."""

    outcome: str
    reason: str
    result: str = "Void"
    words: str = ""
    """in the message"""
    other: str | None = None
    """the result of the second game, if it is another"""
    score: str = "W+6.5"


CASES = {
    "plain": Case("win", "score", "W+6.5", other="W+8.5", score="{right}"),
    "exit-at-start": Case("void", "crash", words="ended with code 5"),
    "hang-at-start": Case("void", "timeout", words="no answer within"),
    "banner": Case("void", "protocol", words="Welcome"),
    "refuse-komi": Case("void", "start", words="komi"),
    "crash": Case("void", "crash", words="out of memory"),
    "exit": Case("void", "crash", words="ended with code 0"),
    "die": Case("void", "crash", words="SIGKILL"),
    "hang": Case("void", "timeout", words="no answer within 2 s"),
    "half": Case("void", "timeout", words="no answer within 2 s"),
    "hang-play": Case("void", "timeout", words="asked 'play"),
    "garbage": Case("void", "protocol", words="Segmentation fault"),
    "wrong-id": Case("void", "protocol", words="not the answer to command"),
    "no-move": Case("void", "protocol"),
    "off-board": Case("void", "protocol", words="K10"),
    "refuse-genmove": Case("void", "error", words="I do not feel like it"),
    "occupied": Case("forfeit", "illegal", "B+F", words="occupied", other="W+F"),
    "resign": Case("win", "resign", "B+R", other="W+R"),
    "refuse-play": Case("void", "step", words="refuses a legal move"),
    "out-of-step": Case("void", "step", words="other stones"),
    "hang-score": Case("void", "timeout", words="final_score"),
    "no-score": Case("win", "score", "W+6.5", other="W+8.5"),
    "refuse-score": Case("win", "score", "W+6.5", other="W+8.5"),
    "stubborn": Case("win", "score", "W+6.5", other="W+8.5", score="{right}"),
    "says-margin": Case("win", "score", "W+", score="W+99.5"),
    "says-other": Case("unknown", "dispute", "?", words="the players disagree", score="B+3.5"),
    "says-draw": Case("unknown", "dispute", "?", words="the players disagree", score="0"),
    "says-nonsense": Case("win", "score", "W+6.5", other="W+8.5", score="who knows"),
}
"""`says-…` are well-behaved engines that only say something about the score."""
BAD = [name for name, case in CASES.items() if case.outcome == "void"]
SLOW = [name for name in CASES if name.startswith(("hang", "half", "stubborn"))]
"""A game with them takes seconds; one must do."""


@dataclass
class Run:
    mark: str
    games: dict[str, list[Played]]
    seconds: float


@pytest.fixture(scope="module")
def run() -> Run:
    """All of them in one run of two processes."""
    mark, start = new_mark(), time.monotonic()
    every = {}
    for mode, case in CASES.items():
        score = "W+6.5" if case.score == "{right}" else case.score
        program = spec(mode, f"{mark}-{mode}", score)
        limits = {"games": 1 if mode in SLOW else 2, "answer_seconds": ANSWER_SECONDS}
        every[mode] = Series(Match("builder", program, simulations=10, size=5, **limits), None, impatient)
    assert play(list(every.values()), 2)
    games = {mode: [game for _, game in sorted(series.played.items())] for mode, series in every.items()}
    return Run(mark, games, time.monotonic() - start)


@pytest.mark.parametrize("mode", CASES)
def test_how_games_end(mode: str, run: Run) -> None:
    case, (first, *others) = CASES[mode], run.games[mode]
    assert (first.outcome, first.reason, first.result) == (case.outcome, case.reason, case.result), first.message
    assert case.words in first.message
    if case.score != "{right}":  # right, that is, when it has White
        ends = (case.outcome, case.reason, case.result if case.other is None else case.other)
        assert all((game.outcome, game.reason, game.result) == ends for game in others), others
    if case.outcome == "void":
        assert all(game.winner is None for game in run.games[mode])


def test_no_program_hangs_the_run_or_stays_behind(run: Run) -> None:
    wait_until(lambda: not running(run.mark))
    assert run.seconds < 120


def test_who_won_what_is_known_of_them(run: Run) -> None:
    plain, _ = run.games["plain"]
    assert (plain.black, plain.winner, plain.versions["b"]) == ("a", "b", "Scripted 7")
    assert plain.moves == ["C3", "A1", "C4", "A2", "B3", "pass", "pass"]
    assert plain.efforts["b"].simulations is None and plain.efforts["b"].turns == 3 and plain.efforts["b"].seconds > 0
    assert [game.winner for game in run.games["occupied"]] == ["a", "a"]
    assert [game.winner for game in run.games["resign"]] == ["a", "a"]


def test_what_programs_say_may_differ_in_the_points(run: Run) -> None:
    assert run.games["says-margin"][0].winner == "b" and run.games["says-margin"][1].winner == "a"


# Before any game.


def test_a_program_that_is_not_there_is_refused_before_any_game() -> None:
    series = Series(Match("builder", "gtp:no-such-program-at-all", games=2, simulations=1, size=5), None, build)
    with pytest.raises(MatchError, match=r"cannot play: StartError: there is no program 'no-such-program-at-all'"):
        play([series], 2)
    assert series.played == {}


@pytest.mark.parametrize("mode", ["exit-at-start", "hang-at-start", "banner"])
def test_a_program_that_never_starts_is_refused_before_any_game(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "START_SECONDS", 0.5)
    mark = new_mark()
    match = Match("builder", spec(f"always-{mode}", mark), games=2, simulations=1, size=5)
    with pytest.raises(MatchError, match="cannot play"):
        prepare([match], build)
    wait_until(lambda: not running(mark))


def test_a_program_that_goes_away_later_makes_its_games_void(tmp_path: Path) -> None:
    gone = tmp_path / "engine"
    game = play_one(Match("builder", f"gtp:{gone} {{seed}}", games=2, simulations=1, size=5), build, 0)
    assert (game.outcome, game.reason, game.winner) == ("void", "start", None) and "cannot be started" in game.message


def test_a_referee_that_is_not_there_is_refused_before_any_game() -> None:
    match = Match("builder", "passes", games=1, simulations=1, size=5, scoring="gtp:no-such-program-at-all")
    with pytest.raises(MatchError, match=r"the referee gtp:no-such-program-at-all cannot count: StartError"):
        prepare([match], build)


@pytest.mark.parametrize("line", ["gtp:", "gtp:   ", "gtp:'unclosed"])
def test_a_spec_without_a_program_is_refused(line: str) -> None:
    with pytest.raises(ConfigError, match=r"no program|no command line"):
        make(line)


def test_players_of_ours_are_warmed_up_first_and_other_programs_where_they_play() -> None:
    match = Match("builder", "gtp:no-such-program-at-all", games=2, simulations=1, size=5, scoring="gtp:nor-this")
    prepare([match], build, ours=True)


# What a program is told.


class Told:
    """The commands that a program was told, in place of a client."""

    name, version = "Scripted", "7"

    def __init__(self, known: tuple[str, ...]) -> None:
        self.known = known
        self.lines: list[str] = []

    def supports(self, command: str) -> bool:
        return command in self.known

    def send(self, *line: object) -> str:
        self.lines.append(" ".join(map(str, line)))
        return ""

    def __getattr__(self, name: str) -> Callable[..., str]:
        return lambda *line: self.send(name, *line)


@pytest.mark.parametrize(
    ("seconds", "known", "wanted"),
    [
        (None, ("time_settings",), []),
        (2.5, ("time_settings",), ["time_settings 0 2 1"]),
        (0.1, ("time_settings",), ["time_settings 0 1 1"]),
        (2.5, (), []),
        (None, ("kata-set-rules",), [f"kata-set-rules {json.dumps(rules_to_json(RULES['chinese']))}"]),
    ],
)
def test_what_a_program_is_told_before_a_game(
    seconds: float | None, known: tuple[str, ...], wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told(known)
    player = Outside("x", ["x"], 1, 1.0, seconds, setup=["set level 3"])
    monkeypatch.setattr(player, "_start", lambda: told)
    game = Game(5, komi=6.5)
    game.play("C3")
    player.begin(game)
    assert told.lines == ["set level 3", "boardsize 5", "clear_board", "komi 6.5", *wanted, "play 1 C3"]


def test_a_program_that_has_much_to_say_about_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(())
    told.name, told.version = "Scripted\n", "7\nwith a long story " * 1000
    player = Outside("x", ["x"], 1, 1.0)
    monkeypatch.setattr(player, "_start", lambda: told)
    player.begin(Game(5))
    assert player.version.startswith("Scripted 7 with a long story") and len(player.version) <= 100


def test_the_seed_stands_on_the_command_line_and_not_in_the_description() -> None:
    first, second = (make(spec("plain", "m"), seed=seed) for seed in (5, 1 << 33 | 6))
    assert isinstance(first, Outside) and isinstance(second, Outside)
    assert first.describe() == second.describe() and "{seed}" in first.describe()["command"]
    assert (first.seed, second.seed) == (5, 6), "other programs read a number with a sign"


# The end.


def game_with(mode: str, mark: str, score: str = "W+6.5", seed: str = "1", **limits: float) -> GameResult:
    white = Outside("scripted", words(mode, mark, seed, score), 1, **{"answer_seconds": 30.0, **limits})
    return play_game(Fake(["C3", "C4", "B3"]), white, Game(5), by_agreement)


@pytest.mark.parametrize("mode", ["plain", "crash", "garbage", "occupied", "refuse-play"])
def test_no_program_outlives_its_game(mode: str) -> None:
    mark = new_mark()
    game_with(mode, mark)
    assert running(mark) == []


@settings(max_examples=25, deadline=None)
@given(
    mode=st.sampled_from([mode for mode in CASES if mode not in SLOW]),
    black=st.booleans(),
    score=st.sampled_from(["B+3.5", "W+0.5", "W+6.5", "0", "B+R", "who knows", "", "B+nan", "W+1e999"]),
    moves=st.integers(0, 4),
)
def test_that_a_program_failed_is_never_a_win_for_anybody(mode: str, black: bool, score: str, moves: int) -> None:
    mark = new_mark()
    bad = Outside("scripted", words(mode, mark, "1", score), 1, 30.0)
    opening = Game(5)
    for vertex in ("C3", "D3", "D4", "B4")[:moves]:
        opening.play(vertex)
    good = Random(moves)
    result = play_game(bad, good, opening, by_agreement) if black else play_game(good, bad, opening, by_agreement)
    ending = result.ending
    if mode in BAD:
        assert ending.outcome in ("void", "forfeit")
    if ending.outcome == "forfeit":
        assert ending.winner == (WHITE if black else BLACK) and ending.reason == "illegal"
    assert (ending.winner is not None) == (ending.outcome in ("win", "forfeit"))
    assert running(mark) == []


STOPPED = """
import sys
from arena.fakes import build
from montego.arena.match import Series
from montego.arena.play import play
from montego.arena.settings import Match
if __name__ == "__main__":
    specs = sys.argv[1:]
    all_series = [Series(Match("builder", s, games=4, simulations=10, size=5), None, build) for s in specs]
    print("start", flush=True)
    done = play(all_series, 2, lambda series: print("game", flush=True))
    print("done" if done else "stopped", flush=True)
"""


@pytest.mark.parametrize(
    "how",
    ["ctrl-c to all", "kill", *(pytest.param(how, marks=pytest.mark.slow) for how in ("ctrl-c", "hang-up", "end"))],
)
def test_stopping_a_run_ends_programs_that_hear_nothing(how: str, tmp_path: Path) -> None:
    """One that hangs when it should move, and one that does not start, both deaf to the end of input and to SIGTERM."""
    mark = new_mark()
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED, encoding="utf-8")
    process = start([sys.executable, str(script), spec("hang", mark), spec("hang-at-start", mark)])
    assert process.stdout is not None and process.stdout.readline() == "start\n"
    wait_until(lambda: len(engines(mark, process.pid)) == 2 and all(map(is_deaf, engines(mark, process.pid))))
    output, errors = stop(process, how)
    assert "Traceback" not in errors
    if how.startswith("ctrl-c"):
        assert output.split()[-1] == "stopped"
    wait_until(lambda: not running(mark), 20)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["ctrl-c to all", "ctrl-c", "kill", "hang-up", "end"])
@pytest.mark.parametrize("mode", ["hang", "always-hang-at-start", "always-hang-play", "stubborn"])
def test_stopping_the_command_ends_programs_that_hear_nothing(how: str, mode: str, tmp_path: Path) -> None:
    """In a game as well as in the warm-up, where nothing has been played."""
    mark = new_mark()
    match = ["match", "mogo-2007", spec(mode, mark), "--size", "5", "--simulations", "10", "--games", "4"]
    process = start([sys.executable, "-m", "montego", *match, "--record", str(tmp_path / "games.db")])
    wait_until(lambda: len(list(filter(is_deaf, engines(mark, process.pid)))) == 2)
    output, errors = stop(process, how)
    assert "Traceback" not in errors
    if how.startswith("ctrl-c"):
        assert process.returncode == 130 and "montego: stopped after" in errors and "VOID" not in output
    wait_until(lambda: not running(mark), 20)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["ctrl-c", "kill", "hang-up", "end"])
def test_stopping_at_any_moment_ends_programs_that_hear_nothing(how: str, tmp_path: Path) -> None:
    """Also while one is being started: games are so short here that this is often the case."""
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED.replace('"builder"', '"passes"').replace("games=4", "games=4000"), encoding="utf-8")
    for _ in range(10):
        mark = new_mark()
        process = start([sys.executable, str(script), spec("always-deaf", mark)])
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["start\n", "game\n"]
        time.sleep(random.uniform(0, 0.5))
        stop(process, how)
        wait_until(lambda mark=mark: not running(mark), 20)  # type: ignore[misc]


def start(command: list[str]) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def stop(process: subprocess.Popen[str], how: str) -> tuple[str, str]:
    if how in ("ctrl-c to all", "hang-up"):
        os.killpg(process.pid, signal.SIGHUP if how == "hang-up" else signal.SIGINT)
    else:
        process.send_signal({"ctrl-c": signal.SIGINT, "kill": signal.SIGKILL, "end": signal.SIGTERM}[how])
    return process.communicate(timeout=PATIENCE)


def engines(mark: str, other: int) -> list[int]:
    return [pid for pid in running(mark) if pid != other]


def is_deaf(pid: int) -> bool:
    """Whether a process ignores SIGTERM."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    ignored = next(line for line in lines if line.startswith("SigIgn")).split()[1]
    return bool(int(ignored, 16) >> (signal.SIGTERM - 1) & 1)


def test_the_helpers_find_what_they_look_for() -> None:
    mark = new_mark()
    process = subprocess.Popen(words("always-hang-at-start", mark, "1"), stdin=subprocess.PIPE)
    try:
        wait_until(lambda: engines(mark, -1) == [process.pid] and is_deaf(process.pid))
    finally:
        process.kill()
        process.communicate()
    assert running(mark) == []


def test_errors_that_name_what_is_wrong() -> None:
    with pytest.raises(StartError):
        Outside("x", ["no-such-program-at-all"], 1, 1.0).begin(Game(5))
    assert issubclass(StartError, MontegoError)
