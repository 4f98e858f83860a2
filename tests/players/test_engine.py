"""The whole player: clocks, a process that may die, hang or compile, and an answer in time whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

import montego
from montego import Game
from montego.go.errors import MontegoError
from montego.players.budget import Budget
from montego.players.conduct import Conduct
from montego.players.engine import DEFAULT_SECONDS, MOST_LATES, Engine, EngineSettings
from montego.players.remote import Remote
from montego.players.timing import TimeSettings
from montego.players.worker import PlayerSpec, Task

BLACK, WHITE = 1, 2


@contextmanager
def running(**settings) -> Iterator[Engine]:
    engine = Engine(EngineSettings(**settings), Remote())
    try:
        yield engine
    finally:
        engine.close()


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with running(simulations=100) as made:
        made.choose(Game(5), BLACK)
        yield made


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montego.players.engine.say", lambda text: None)


def pid(engine: Engine) -> int:
    return engine.remote._process.pid


def ready(engine: Engine, size: int = 5) -> Engine:
    """The engine, with everything compiled or loaded."""
    engine.prepare(size)
    until = time.monotonic() + 120
    while not engine.is_ready(size) and time.monotonic() < until:
        time.sleep(0.05)
    assert engine.is_ready(size)
    return engine


def later(seconds: float, action: Callable[[], object]) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
    return timer


# --- the same as at home ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "house",
        *(pytest.param(s, marks=pytest.mark.slow) for s in ("mogo-2007", "house:policy=uniform,heuristic=none,puct=0")),
    ],
)
def test_the_process_plays_what_the_player_plays(spec):
    """The same seed and simulations: the same game, move for move, on both sides of the pipe."""
    with running(player=PlayerSpec(spec, seed=5), simulations=60) as engine:
        game, player = Game(5, komi=2.5), montego.player(spec, simulations=60, seed=5)
        while not game.is_over and len(game.moves) < 40:
            far, near = engine.choose(game, game.to_play), player.choose(game)
            assert (far.vertex, far.visits, far.value) == (near.vertex, near.visits, near.value), game.moves
            game.play(far)


def test_forgetting_starts_anew(engine):
    def chosen() -> tuple[str, int, float]:
        choice = engine.choose(Game(5), BLACK)
        return choice.vertex, choice.visits, choice.value

    engine.forget()
    first = chosen()
    assert chosen()[1] > first[1]  # it goes on where it was
    engine.forget()
    assert chosen() == first


def test_a_level_keeps_its_softness_over_the_pipe():
    """The engine's conduct says nothing about it; the player's own counts."""
    spec = "house:softness=0.5"
    with running(player=PlayerSpec(spec, seed=3), simulations=60) as engine:
        player, game = montego.player(spec, simulations=60, seed=3), Game(5)
        for _ in range(8):
            choice = engine.choose(game, game.to_play)
            assert choice.vertex == player.choose(game).vertex
            game.play(choice)
    hard, player = Game(5), montego.player("house", simulations=60, seed=3)
    for _ in range(8):
        hard.play(player.choose(hard))
    assert hard.moves != game.moves


def test_either_side_may_be_asked_for_a_move(engine):
    game = Game(5)
    game.play("C3")
    for colour in (WHITE, BLACK):
        assert game.is_legal(engine.choose(game, colour).vertex, colour)
    assert game.to_play == WHITE and len(game.moves) == 1


def test_the_outlook_is_found_once(engine):
    game = Game.from_diagram("X X . O O\n. X X O .\nX X X O O\n. X X O .\nX X X O O", "black", 0.5)
    assert engine.outlook(game) is engine.outlook(game.copy())
    game.play("C5")
    assert engine.outlook(game).dead == ()


def test_refusals_are_refusals(engine):
    game = Game(5)
    game.play("pass")
    game.play("pass")
    with pytest.raises(MontegoError, match="the game is over; accepted"):
        engine.run(Task("analyse", game, budget=Budget(10)), time.monotonic() + 60)
    with pytest.raises(MontegoError, match="accepted"):
        engine.choose(Game(5), BLACK, only=("Z9",))
    assert engine.choose(game, BLACK).vertex  # a move may be asked for after two passes


# --- budgets ------------------------------------------------------------------------------------------------------


def test_what_a_move_may_cost():
    game = Game(9)
    with running() as engine:
        assert engine.budget(game, BLACK) == Budget(None, DEFAULT_SECONDS, early=True)
        engine.change(simulations=500)
        assert engine.budget(game, BLACK) == Budget(500)
        engine.change(seconds=3.0)
        assert engine.budget(game, BLACK) == Budget(500, 3.0, early=True)
        engine.set_time(TimeSettings(300))
        budget = engine.budget(game, BLACK)
        assert budget.simulations == 500 and budget.seconds <= budget.longest <= 3.0
        engine.change(simulations=None, seconds=None)
        budget = engine.budget(game, BLACK)
        assert 3.0 < budget.seconds < 10.0 and budget.longest > budget.seconds and budget.early
        engine.clocks[BLACK].spend(299.9)
        assert engine.budget(game, BLACK).longest < 0.05
        assert engine.budget(game, WHITE) == budget
        engine.wind_up()
        assert engine.budget(game, BLACK) == budget
        engine.set_time(None)
        assert engine.budget(game, BLACK).longest is None


def test_a_clock_is_kept_move_after_move():
    """Two seconds for a whole game on 5×5, counted here."""
    with running() as engine:
        ready(engine)
        engine.set_time(TimeSettings(2.0))
        game, taken = Game(5, komi=2.5), {BLACK: 0.0, WHITE: 0.0}
        while not game.is_over and len(game.moves) < 60:
            colour, start = game.to_play, time.monotonic()
            game.play(engine.choose(game, colour))
            taken[colour] += time.monotonic() - start
        assert max(taken.values()) < 2.0
        assert taken[BLACK] == pytest.approx(2.0 - engine.clocks[BLACK].left, abs=0.2)


def test_time_that_passed_before_counts(engine):
    engine.set_time(TimeSettings(100.0))
    engine.choose(Game(5), BLACK, arrived=time.monotonic() - 5.0)
    assert engine.clocks[BLACK].left < 95.1
    engine.choose(Game(5), BLACK, timed=False)
    assert engine.clocks[BLACK].left > 90.0
    engine.set_time(None)


# --- interruptions ------------------------------------------------------------------------------------------------


def test_an_interrupted_search_plays_what_it_has_found():
    with running(seconds=60.0) as engine:
        ready(engine)
        start = time.monotonic()
        choice = engine.choose(Game(5), BLACK, interrupted=lambda: time.monotonic() > start + 0.5)
        assert choice.simulations > 100 and time.monotonic() - start < 5.0


def test_watchers_see_reports(engine):
    seen = []
    engine.change(simulations=None, seconds=0.5)
    engine.choose(Game(5), BLACK, watch=seen.append, every=0.1)
    engine.change(simulations=100, seconds=None)
    assert seen and all(report.moves for report in seen)


def test_pondering_gives_way_and_is_not_lost():
    """What it thought about meanwhile is known when the move is asked for."""
    with running(simulations=100, ponder=True) as engine:
        ready(engine)
        game = Game(5)
        game.play("C3")
        engine.ponder(game)
        time.sleep(0.5)
        start = time.monotonic()
        choice = engine.choose(game, WHITE)
        assert choice.visits > 100 and time.monotonic() - start < 5.0


def test_what_is_to_be_prepared_is_not_forgotten(monkeypatch):
    """A move is asked for while pondering has not ended yet: first everything is compiled, then it searches."""
    with running(simulations=50, ponder=True) as engine:
        ready(engine, 5)
        sent, send = [], engine.remote._send
        monkeypatch.setattr(engine.remote, "_send", lambda message: (sent.append(message), send(message)))
        engine.ponder(Game(5))
        time.sleep(0.2)
        assert engine.choose(Game(4), BLACK).simulations == 50
        kinds = [(task.kind, task.game.size) for _, task in sent if task is not None]
        assert kinds == [("ponder", 5), ("prepare", 4), ("choose", 4)]


def test_another_size_while_one_is_being_prepared():
    with running(simulations=50) as engine:
        engine.prepare(5)
        engine.prepare(4)
        engine.prepare(5)
        assert engine.choose(Game(5), BLACK).simulations == 50
        assert engine.choose(Game(4), BLACK).simulations == 50


# --- what goes wrong ----------------------------------------------------------------------------------------------


def test_a_process_that_dies_in_mid_search_costs_a_move_at_most():
    with running(seconds=20.0) as engine:
        ready(engine)
        game = Game(5)
        later(0.5, lambda: os.kill(pid(engine), signal.SIGKILL))
        start = time.monotonic()
        choice = engine.choose(game, BLACK)
        assert time.monotonic() - start < 10.0
        game.play(choice)
        engine.change(seconds=None, simulations=100)
        assert engine.choose(game, WHITE).simulations == 100


def kill(engine: Engine) -> None:
    with suppress(ProcessLookupError):
        if engine.remote.works:
            os.kill(pid(engine), signal.SIGKILL)


@pytest.mark.slow
def test_processes_that_keep_dying_still_answer():
    with running(seconds=5.0) as engine:
        game = Game(5)
        timers = [later(0.1 * i, lambda: kill(engine)) for i in range(1, 100)]
        for _ in range(4):
            start = time.monotonic()
            game.play(engine.choose(game, game.to_play))
            assert time.monotonic() - start < 15.0
        assert len(game.moves) == 4 and not engine.remote.works
        for timer in timers:
            timer.join()


def test_a_process_that_hangs_under_a_clock():
    """Every move comes in time; after a few the process is replaced, and searches again."""
    with running() as engine:
        ready(engine)
        engine.set_time(TimeSettings(0, period=1.0, periods=1))
        game = Game(5)
        assert engine.choose(game, BLACK).simulations > 0
        os.kill(pid(engine), signal.SIGSTOP)
        frozen = pid(engine)
        for _ in range(MOST_LATES):
            start = time.monotonic()
            game.play(engine.choose(game, game.to_play))
            limit = 1.0 if pid(engine) == frozen else 2.5
            assert time.monotonic() - start < limit
        assert pid(engine) != frozen
        ready(engine)
        assert engine.choose(game, game.to_play).simulations > 0


@pytest.mark.slow
def test_a_process_that_hangs_in_mid_search_leaves_its_last_report():
    with running() as engine:
        ready(engine)
        engine.set_time(TimeSettings(0, period=3.0, periods=1))
        later(1.0, lambda: os.kill(pid(engine), signal.SIGSTOP))
        start = time.monotonic()
        choice = engine.choose(Game(5, komi=2.5), BLACK)
        assert time.monotonic() - start < 3.0
        assert choice.simulations > 100 and choice.vertex in Game(5).legal_moves()
        os.kill(pid(engine), signal.SIGCONT)


def test_improvised_moves_are_legal_and_end_the_game():
    """Without any search, under superko."""
    with running() as engine:
        game = Game(5, komi=0.5, rules="cgos")
        while not game.is_over:
            game.play(engine.improvise(game))
            assert len(game.moves) < 300


UNCOMPILED = """
import time, sys
from montego import _jit

if __name__ == "__main__":
    _jit.stay_plain()
    from montego.players.remote import Remote
    remote = Remote()
    from montego.go.game import Game
    from montego.players.engine import Engine, EngineSettings
    from montego.players.timing import TimeSettings

    engine = Engine(EngineSettings(), remote)
    engine.prepare(9)
    engine.set_time(TimeSettings(1.0))
    game, taken = Game(9), {1: 0.0, 2: 0.0}
    for _ in range(20):
        colour, start = game.to_play, time.monotonic()
        game.play(engine.choose(game, colour))
        taken[colour] += time.monotonic() - start
    assert not engine.is_ready(9), "it was compiled: nothing has been tried"
    engine.close()
    assert "numba" not in sys.modules
    print(len(game.moves), max(taken.values()))
"""


def test_a_second_is_enough_while_everything_is_being_compiled(tmp_path):
    """The cache is empty, the clock runs: legal moves come at once from a player that needs no compiler."""
    script = tmp_path / "uncompiled.py"
    script.write_text(UNCOMPILED)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    moves, taken = done.stdout.split()
    assert int(moves) == 20 and float(taken) < 1.0


def test_conduct_reaches_the_process():
    game = Game.from_diagram("X X . O O\n. X X O .\nX X X O O\n. X X O .\nX X X O O", "black", 0.5, "japanese")
    with running(simulations=300, conduct=Conduct(friendly=True)) as engine:
        assert engine.choose(game, BLACK).vertex in ("pass", "C5")
        game.play("C5")
        assert engine.choose(game, WHITE).vertex == "pass"
        assert engine.choose(game, WHITE, conduct=Conduct()).vertex
