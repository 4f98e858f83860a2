"""How learned urgencies came about, as pictures: B&C06's determinisation made visible."""

from __future__ import annotations

from typing import Any

from montego.arena.plots import ORANGE
from montego.learn.curves import draw_scores
from montego.learn.indigo import Milestone
from montego.learn.training import curve_of
from montego.patterns.learned import load_urgencies, named_file


def draw_determinisation(axes: Any, name: str) -> None:
    """The scores of a learner without search over the games learned from, and the entropy of its moves."""
    curve = curve_of(load_urgencies(named_file(name))[1], Milestone)
    draw_scores(axes, curve)
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    axes.set_xlabel("games learned from")
    axes.set_xlim(left=0)
    axes.ticklabel_format(axis="x", style="plain")
    axes.locator_params(axis="x", nbins=5)
    right = axes.twinx()
    right.plot([m.games for m in curve], [m.entropy for m in curve], color=ORANGE, linewidth=1.6)
    right.set_ylabel("entropy of a move", color=ORANGE)
    right.set_ylim(0, 1.02)
    right.spines["top"].set_visible(False)
