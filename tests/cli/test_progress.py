"""How far long work is: a line rewritten on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys

import pytest

from montego.cli import progress
from montego.cli.progress import Progress, duration


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: str = "100") -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", columns)


def test_on_a_terminal_one_line_is_rewritten(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_terminal(monkeypatch)
    bar = Progress(40, 10)
    clock.now += 60
    bar.show(20, "A wins 55.0 % (40.0 … 69.0 %)")
    bar.close()
    told = capsys.readouterr().err
    assert "\n" not in told and told.count("\r") == 4
    first, second = (line.rstrip() for line in told.split("\r")[1:3])
    assert first == "[#####...............] 10 of 40 games"
    assert second == "[##########..........] 20 of 40 games, 2 min left, A wins 55.0 % (40.0 … 69.0 %)"


@pytest.mark.parametrize("columns", ["20", "80", "200"])
def test_a_line_never_wraps(columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    on_a_terminal(monkeypatch, columns)
    bar = Progress(10)
    bar.show(5, "a very long name against another very long name " * 10)
    bar.close()
    assert all(len(line) < int(columns) for line in capsys.readouterr().err.split("\r"))


def test_elsewhere_a_line_now_and_then(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    told = Progress(100)
    for done in range(1, 100):
        clock.now += 1
        told.show(done, "A wins 55.0 %")
    told.close()
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "montego: 100 games to play",
        "montego: 30 of 100 games, 70 s left, A wins 55.0 %",
        "montego: 60 of 100 games, 40 s left, A wins 55.0 %",
        "montego: 90 of 100 games, 10 s left, A wins 55.0 %",
    ]


def test_the_time_left_is_by_the_speed_of_this_run(clock: Clock) -> None:
    told = Progress(100, 90)
    assert told.left is None
    clock.now += 10
    told.show(95)
    assert told.left == pytest.approx(10)
    told.show(95, total=105)
    assert told.left == pytest.approx(20), "void games are played again"


def test_no_work_at_all(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    on_a_terminal(monkeypatch)
    Progress(0).close()
    assert "0 of 0 games" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (119, "119 s"),
        (120, "2 min"),
        (7199, "119 min"),
        (7200, "2 h 0 min"),
        (90_000, "25 h 0 min"),
        (None, "0 s"),
    ],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text
