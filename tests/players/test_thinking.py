"""How long a player thinks, tried with a hand-made search on a hand-made clock."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import montego
from montego.go.errors import ConfigError
from montego.players import thinking
from montego.players.budget import Budget
from montego.players.thinking import think
from montego.search.records import CHILD, ILLEGAL, VISITS

BATCH, SPEED = 0.01, 1000
"""seconds of a batch, and simulations a second"""


class FakeSearch:
    """A search whose visits go where the script says: script(simulations so far) names the move of the next one."""

    def __init__(self, script: Callable[[int], int], moves: int = 3, final: str = "visits", kept: int = 0) -> None:
        self.script, self.now = script, 100.0
        self.pool = SimpleNamespace(root=0)
        self.tree = SimpleNamespace(links=np.zeros((1, 2, moves), np.int64))
        self.config = SimpleNamespace(final=final, final_share=0.25, solver=False)
        self.parameters = SimpleNamespace(colour=1)
        self.by_value = 0
        """the move that has the best value"""
        self.runs = 0
        for _ in range(kept):
            self._simulate()

    @property
    def visits(self) -> np.ndarray:
        return self.tree.links[0, VISITS]

    @property
    def simulations(self) -> int:
        return int(self.visits.sum())

    @property
    def best(self) -> int:
        return int(self.visits.argmax())

    def _simulate(self) -> None:
        self.visits[self.script(self.simulations)] += 1

    def run(self, simulations: int | None, seconds: float | None, stop: Callable[[], bool]) -> int:
        self.runs += 1
        assert self.runs < 10_000, "it goes round and round"
        start, done = self.now, 0
        while True:
            if stop() or (seconds is not None and self.now >= start + seconds) or done == simulations:
                return done
            count = round(BATCH * SPEED) if simulations is None else min(round(BATCH * SPEED), simulations - done)
            for _ in range(count):
                self._simulate()
            self.now += count / SPEED
            done += count


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeSearch]:
    def make(script: Callable[[int], int], **details) -> FakeSearch:
        search = FakeSearch(script, **details)
        monkeypatch.setattr(thinking, "time", SimpleNamespace(perf_counter=lambda: search.now))
        monkeypatch.setattr(
            thinking,
            "best_moves",
            lambda tree, root, final, *rest: [search.by_value if final == "value" else search.best],
        )
        return search

    return make


def clear(i: int) -> int:
    """Nine in ten for move 0."""
    return 0 if i % 10 else 1


def close(i: int) -> int:
    """A race between moves 0 and 1, a little ahead the first."""
    return 0 if i % 25 < 13 else 1


# --- budgets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("simulations", [1, 7, 10, 999, 1000])
def test_simulations_are_exact(fake, simulations):
    search = fake(clear)
    assert think(search, Budget(simulations)) == simulations == search.simulations


def test_simulations_are_new_ones(fake):
    """What is kept from the last move does not count."""
    search = fake(clear, kept=500)
    assert think(search, Budget(200)) == 200
    assert search.simulations == 700


@pytest.mark.parametrize("every", [0.001, 0.01, 0.05, 0.1])
def test_simulations_are_exact_for_watchers_too(fake, every):
    search, seen = fake(clear), []
    assert think(search, Budget(1000), watch=lambda: seen.append(search.simulations), every=every) == 1000
    assert len(seen) > 5 and seen == sorted(seen)


def test_seconds_are_kept(fake):
    search = fake(close)
    think(search, Budget(None, 0.5))
    assert search.now - 100 == pytest.approx(0.5, abs=2 * BATCH)


def test_whichever_comes_first(fake):
    search = fake(close)
    assert think(search, Budget(100, 0.5)) == 100
    search = fake(close)
    think(search, Budget(10_000, 0.5))
    assert search.now - 100 == pytest.approx(0.5, abs=2 * BATCH)


def test_stop_ends_it_at_once(fake):
    search = fake(close)
    think(search, Budget(None, 60.0), stop=lambda: search.simulations >= 300)
    assert 300 <= search.simulations <= 310
    assert think(search, Budget(None, 60.0), stop=lambda: True) == 0


# --- stopping early -----------------------------------------------------------------------------------------------


def test_a_clear_choice_is_made_early(fake):
    """With nine visits in ten, the second move cannot catch up in the second half."""
    search = fake(clear)
    think(search, Budget(None, 1.0, early=True))
    assert 0.4 < search.now - 100 < 0.65


def test_not_unless_asked(fake):
    search = fake(clear)
    think(search, Budget(None, 1.0))
    assert search.now - 100 >= 1.0


def test_simulations_alone_are_never_cut_short(fake):
    assert think(fake(clear), Budget(5000, early=True)) == 5000


def test_a_player_that_goes_by_value_does_not_stop_early(fake):
    search = fake(clear, final="value")
    think(search, Budget(None, 1.0, early=True))
    assert search.now - 100 >= 1.0


def test_by_lower_bounds_it_stops_when_no_other_move_can_have_its_share_of_visits(fake):
    """Nine in ten for move 0: with a quarter needed, 0.9·t·¼ − 0.1·t exceeds what is left only at t = 8/9."""
    search = fake(clear, final="lower-bound")
    think(search, Budget(None, 1.0, early=True))
    assert search.now - 100 == pytest.approx(0.89, abs=0.02)
    search = fake(close, final="lower-bound")
    think(search, Budget(None, 1.0, early=True))
    assert search.now - 100 >= 1.0


def test_it_stops_when_the_game_is_proven(fake):
    search = fake(close, final="value")
    search.config.solver, search.is_proven = True, False
    think(search, Budget(None, 1.0, early=True))
    assert search.now - 100 >= 1.0
    search.is_proven = True
    think(search, Budget(None, 1.0, early=True))
    assert search.now - 101 < 0.1


def test_a_single_move_needs_no_thought(fake):
    search = fake(lambda i: 0, moves=1)
    think(search, Budget(None, 10.0, early=True))
    assert search.now - 100 < 5.5  # visits alone tell: half of the time at most


def test_moves_left_out_do_not_count(fake):
    search = fake(clear)
    search.tree.links[0, CHILD, 2] = ILLEGAL
    search.visits[2] = 10**6
    think(search, Budget(None, 1.0, early=True))
    assert search.now - 100 < 1.0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 400), st.floats(0.1, 3.0))
def test_the_choice_of_an_early_stop_is_the_final_one(seed, kept, seconds):
    """Whatever the rest of the visits: even if all of them went to the second move, it would not overtake."""
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet([1.0, 1.0, 1.0])
    order = rng.choice(3, size=8000, p=weights)
    search = FakeSearch(lambda i: int(order[i]), kept=kept)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thinking, "time", SimpleNamespace(perf_counter=lambda: search.now))
        think(search, Budget(None, seconds, early=True))
    rest = max(0, round(SPEED * (100 + seconds - search.now)))
    first, second = sorted(search.visits)[:-3:-1]
    assert rest == 0 or first - second >= rest - 1


def test_it_needs_a_moment_to_know_its_speed(fake):
    search = fake(clear, kept=100_000)
    think(search, Budget(None, 5.0, early=True))
    assert thinking.WARM_UP <= search.now - 100 < thinking.WARM_UP + 2 * BATCH


# --- thinking longer ----------------------------------------------------------------------------------------------


def test_a_close_race_gets_more_time(fake):
    search = fake(close)
    think(search, Budget(None, 0.5, 1.5, early=True))
    assert search.now - 100 >= 1.0
    search = fake(close)
    think(search, Budget(None, 0.5, 1.5))
    assert search.now - 100 == pytest.approx(1.5, abs=2 * BATCH)


def test_the_second_with_six_tenths_of_the_visits_is_close_as_well(fake):
    """It cannot win the race within the usual time, which is what the longer time is for."""
    search = fake(lambda i: 0 if i % 16 < 10 else 1)
    think(search, Budget(None, 0.5, 1.5, early=True))
    assert search.now - 100 > 0.6


def test_a_value_that_disagrees_gets_more_time(fake):
    search = fake(clear)
    search.by_value = 1
    think(search, Budget(None, 0.5, 1.5, early=True))
    assert search.now - 100 > 0.6


def test_a_clear_choice_gets_no_more(fake):
    search = fake(clear)
    think(search, Budget(None, 0.5, 1.5))
    assert search.now - 100 == pytest.approx(0.5, abs=2 * BATCH)


def test_a_race_that_is_over_ends_the_longer_time(fake):
    """The second move falls behind after 0.6 s."""
    search = fake(lambda i: close(i) if i < 600 else 0)
    think(search, Budget(None, 0.5, 5.0, early=True))
    assert 0.6 < search.now - 100 < 4.0


def test_longer_is_never_shorter(fake):
    search = fake(close)
    think(search, Budget(None, 0.5, 0.1))
    assert search.now - 100 == pytest.approx(0.5, abs=2 * BATCH)


def test_simulations_limit_the_longer_time_too(fake):
    search = fake(close)
    assert think(search, Budget(700, 0.5, 5.0)) == 700


# --- watchers -----------------------------------------------------------------------------------------------------


def test_watchers_are_called_regularly(fake):
    search, seen = fake(close), []
    think(search, Budget(None, 1.0), watch=lambda: seen.append(search.now), every=0.1)
    assert 8 <= len(seen) <= 11
    assert np.diff(seen) == pytest.approx(0.1, abs=0.03)


@pytest.mark.parametrize("slow", [0.009, 0.02, 0.1, 0.9])
def test_a_slow_watcher_does_not_eat_up_the_search(fake, slow):
    """It still ends in time, and searches on the way."""
    search = fake(close)

    def watch() -> None:
        search.now += slow

    think(search, Budget(None, 2.0), watch=watch, every=0.01)
    assert search.now - 100 < 2.0 + slow + 2 * BATCH
    assert search.simulations >= min(500, 5 / slow)


def test_a_slow_watcher_does_not_keep_a_stop_from_being_heard(fake):
    search = fake(close)

    def watch() -> None:
        search.now += 0.05

    think(search, Budget(10**6), stop=lambda: search.now > 105, watch=watch, every=0.001)
    assert search.now < 105.2


def test_a_watcher_that_fails_ends_the_search(fake):
    def watch() -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        think(fake(close), Budget(None, 1.0), watch=watch, every=0.1)


# --- the real search ----------------------------------------------------------------------------------------------


def test_a_forced_move_comes_early():
    atari = montego.Game.from_diagram(". . . . .\n. X X . .\nX O O . .\n. X X . .\n. . . . .", "white", 0.5)
    player = montego.player("house", seed=1)
    player.choose(atari, Budget(10))  # whatever must be compiled or loaded
    quick = min(player.choose(atari, Budget(None, 2.0, early=True)).seconds for _ in range(3))
    assert quick < 1.5


@pytest.mark.parametrize("preset", ["house", "mc-flat", "mogo-2006"])
def test_a_budget_of_simulations_is_exact(preset):
    player = montego.player(preset, simulations=10, seed=1)
    for count in (1, 33):
        done = player.choose(montego.Game(5), Budget(count)).simulations
        assert done == count


@pytest.mark.parametrize(
    "bad",
    [
        {"simulations": 0},
        {"simulations": True},
        {"seconds": 0},
        {"seconds": -1.0},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"seconds": "1"},
        {"longest": 0},
        {"longest": float("nan")},
    ],
    ids=str,
)
def test_budgets_that_make_no_sense_are_refused(bad):
    with pytest.raises(ConfigError, match="accepted"):
        Budget(**bad)
