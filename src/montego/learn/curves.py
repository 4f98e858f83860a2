"""Learning curves as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from montego.arena.plots import BLUE, GREY, ORANGE, figure, save, tidy
from montego.learn.td import OPPONENTS, Checkpoint

_COLOURS = dict(zip(OPPONENTS, (GREY, BLUE), strict=True))


def plot_curve(curve: Sequence[Checkpoint], path_stem: str | Path) -> list[Path]:
    """Wins of the greedy learner against default policies, and the TD error below, over games of self-play."""
    picture = figure(7.0, 5.6)
    above, below = picture.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    draw_wins(above, curve)
    tidy(below)
    below.plot([c.games for c in curve], [c.error for c in curve], color=ORANGE, linewidth=1.4)
    below.set_ylabel("squared TD error")
    below.set_yscale("log")
    below.set_xscale("log")
    below.set_xlabel("games of self-play")
    return save(picture, path_stem)


def draw_wins(axes: Any, curve: Sequence[Checkpoint]) -> None:
    tidy(axes)
    for policy in OPPONENTS:
        rates = [100 * c.wins[policy] for c in curve]
        axes.plot([c.games for c in curve], rates, color=_COLOURS[policy], linewidth=1.4, label=f"against {policy}")
    axes.set_ylabel("wins of greedy play, %")
    axes.set_ylim(0, 102)
    axes.legend(frameon=False, loc="lower right")
