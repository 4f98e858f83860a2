"""The generator: explicit state, streams apart, numbers uniform."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.rng import advance, below, normal_pair, stream, unit


def numbers(state: np.uint64, bound: int, count: int) -> list[int]:
    drawn = []
    for _ in range(count):
        drawn.append(int(below(state, np.uint64(bound))))
        state = np.uint64(advance(state))
    return drawn


def xorshift64star(state: int) -> tuple[int, int]:
    """Vigna's definition in plain integers: the output of a state, and the next state."""
    after = state ^ (state >> 12)
    after ^= (after << 25) & (2**64 - 1)
    after ^= after >> 27
    return (state * 0x2545F4914F6CDD1D) % 2**64, after


def test_it_is_xorshift64star() -> None:
    state = int(stream(7))
    for _ in range(200):
        output, after = xorshift64star(state)
        assert int(below(np.uint64(state), np.uint64(1000))) == ((output >> 32) * 1000) >> 32
        assert int(advance(np.uint64(state))) == after
        state = after


@given(st.integers(), st.integers(0, 10**6))
def test_states_are_never_zero_and_repeat_for_a_seed(seed: int, index: int) -> None:
    state = stream(seed, index)
    assert isinstance(state, np.uint64) and state != 0
    assert stream(seed, index) == state


def test_streams_differ() -> None:
    states = {int(stream(seed, index)) for seed in range(100) for index in range(100)}
    assert len(states) == 10_000


@pytest.mark.parametrize("bound", [1, 2, 3, 10, 81, 361])
def test_uniform(bound: int) -> None:
    count = 200 * bound
    frequencies = np.bincount(numbers(stream(1, bound), bound, count), minlength=bound)
    assert len(frequencies) == bound
    chi_squared = float(((frequencies - 200) ** 2 / 200).sum())
    # Five standard deviations above the mean of a chi-squared variable with bound − 1 degrees of freedom.
    assert chi_squared <= bound - 1 + 5 * (2 * bound) ** 0.5


def test_neighbouring_streams_are_not_alike() -> None:
    a, b = numbers(stream(1, 0), 2, 4000), numbers(stream(1, 1), 2, 4000)
    equal = sum(x == y for x, y in zip(a, b, strict=True))
    assert abs(equal - 2000) < 160


def test_unit_numbers() -> None:
    state, drawn = stream(3), []
    for _ in range(20_000):
        drawn.append(float(unit(state)))
        state = np.uint64(advance(state))
    assert min(drawn) > 0.0 and max(drawn) <= 1.0
    frequencies, _ = np.histogram(drawn, bins=100, range=(0, 1))
    assert float(((frequencies - 200) ** 2 / 200).sum()) <= 99 + 5 * 200**0.5


def test_normal_numbers() -> None:
    """Mean, deviation, quantiles and independence of standard normal pairs; the state goes on."""
    state, pairs = stream(4), []
    for _ in range(20_000):
        a, b, after = normal_pair(state)
        assert after == advance(np.uint64(advance(state)))
        pairs.append((float(a), float(b)))
        state = np.uint64(after)
    drawn = np.array(pairs)
    assert np.abs(drawn.mean(axis=0)).max() < 5 / 20_000**0.5
    assert np.abs(drawn.var(axis=0) - 1).max() < 5 * (2 / 20_000) ** 0.5
    assert abs((drawn[:, 0] * drawn[:, 1]).mean()) < 5 / 20_000**0.5
    for limit in (0.0, 0.5, 1.0, 2.0, 3.0):
        below_it = (1 + math.erf(limit / 2**0.5)) / 2
        spread = (below_it * (1 - below_it) / drawn.size) ** 0.5
        assert abs((drawn < limit).mean() - below_it) < 5 * spread
