"""Pictures: that they are written, say what they should, and do not change by themselves."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from montego import MontegoError
from montego.arena import plots
from montego.arena.ratings import Meeting, Ratings, fit


def ratings(anchor: tuple[str, float] | None = ("bert", 1500.0)) -> Ratings:
    met = [Meeting("anna", "bert", 14, 6), Meeting("bert", "carl $x_1$", 12, 8), Meeting("dora" * 30, "anna", 9, 0)]
    return fit(met, anchor)


def drawn(monkeypatch: pytest.MonkeyPatch, data: Ratings) -> Any:
    """The figure that would be written."""
    kept: list[Any] = []
    monkeypatch.setattr(plots, "save", lambda figure, stem: kept.append(figure) or [])
    plots.plot_ratings(data, "unused")
    kept[0].draw_without_rendering()
    return kept[0]


def test_files(tmp_path: Path) -> None:
    paths = plots.plot_ratings(ratings(), tmp_path / "new" / "mogo-1.5")
    assert [path.name for path in paths] == ["mogo-1.5.png", "mogo-1.5.svg"]
    png = paths[0].read_bytes()
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert png.startswith(b"\x89PNG") and (width, height) == (1280, int(160 * (1.5 + 4 * 0.36)))
    assert ElementTree.parse(paths[1]).getroot().tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("name", ["x", "x.png", "x.svg"])
def test_either_ending_may_be_given(name: str, tmp_path: Path) -> None:
    assert plots.save(plots.figure(2, 1), tmp_path / name) == [tmp_path / "x.png", tmp_path / "x.svg"]


def test_the_same_files_again(tmp_path: Path) -> None:
    first, second = (plots.plot_ratings(ratings(), tmp_path / name) for name in "ab")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    other = plots.plot_ratings(ratings(("bert", 1400.0)), tmp_path / "c")
    assert all(one.read_bytes() != two.read_bytes() for one, two in zip(first, other, strict=True))


def test_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    data = ratings()
    axes = drawn(monkeypatch, data).axes[0]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == [("dora" * 30)[:39] + "…", "anna", "bert", "carl $x_1$"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1], "the best on top"
    anna = next(bar for bar in axes.containers if bar.lines[0].get_ydata()[0] == 1)
    assert anna.lines[0].get_xdata()[0] == data.player("anna").elo
    ends = [cap.get_xdata()[0] for cap in anna.lines[1]]
    assert ends == pytest.approx(
        [data.players[1].elo - data.players[1].error, data.players[1].elo + data.players[1].error]
    )
    low, high = axes.get_xlim()
    assert all(low < p.elo - p.error and p.elo + p.error < high for p in data.players)


def test_marks_are_explained_where_they_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = drawn(monkeypatch, ratings())
    assert [text.get_text() for text in picture.legends[0].get_texts()] == list(plots.MARKS)
    diamond = next(line for line in picture.axes[0].lines if line.get_marker() == "D")
    assert (diamond.get_xdata()[0], diamond.get_ydata()[0]) == (1500.0, 2)
    plain = drawn(monkeypatch, fit([Meeting("a", "b", 5, 5)]))
    assert plain.legends == []


def test_no_state_is_left_behind(tmp_path: Path) -> None:
    import matplotlib

    before = matplotlib.rcParams.copy()
    plots.save(plots.figure(2, 1), tmp_path / "empty")
    assert matplotlib.rcParams.copy() == before
    assert "matplotlib.pyplot" not in sys.modules


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MontegoError, match=r'needs matplotlib.*pip install "montego\[lab\]"'):
        plots.figure(2, 1)
