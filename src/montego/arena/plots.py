"""Pictures of results: PNG to look at, SVG to print. The same data give the same files, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from montego.arena.extras import lab_package
from montego.arena.ratings import Rated, Ratings

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#6B6B6B"
"""Of Okabe and Ito's palette (2008), which colour-blind readers can tell apart; shapes differ as well."""
DOTS_PER_INCH = 160
LONGEST_NAME = 40
MARKS = ("rating", "held by virtual games only", "anchor: its rating was given")


def figure(width: float, height: float) -> Any:
    """An empty matplotlib figure, sizes in inches. It knows nothing of pyplot, windows or other figures."""
    made = lab_package("matplotlib.figure").Figure(figsize=(width, height), dpi=DOTS_PER_INCH, layout="constrained")
    lab_package("matplotlib.backends.backend_agg").FigureCanvasAgg(made)
    made.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    return made


def tidy(axes: Any) -> None:
    """Leave of a pair of axes what helps reading: no box, a light grid behind the data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=11)


def save(figure: Any, stem: str | Path) -> list[Path]:
    """Write a figure as `stem`.png and `stem`.svg, in a folder made if need be. `stem` may have either ending."""
    stem = Path(stem)
    stem.parent.mkdir(parents=True, exist_ok=True)
    name = stem.name.removesuffix(".png").removesuffix(".svg")
    png, svg = (stem.with_name(f"{name}.{ending}") for ending in ("png", "svg"))
    with lab_package("matplotlib").rc_context({"svg.hashsalt": "montego"}):
        figure.savefig(png, metadata={"Software": None})
        figure.savefig(svg, metadata={"Date": None})
    return [png, svg]


def plot_ratings(ratings: Ratings, path_stem: str | Path) -> list[Path]:
    """Draw every player's rating with its 95 % interval, the best on top."""
    picture = figure(8.0, 1.5 + 0.36 * len(ratings.players))
    axes = picture.subplots()
    tidy(axes)
    draw_ratings(axes, ratings)
    return save(picture, path_stem)


def draw_ratings(axes: Any, ratings: Ratings) -> None:
    """The same on axes that somebody else has made."""
    axes.grid(visible=False, axis="y")
    for place, player in enumerate(ratings.players):
        _draw(axes, place, player, player.name == ratings.anchor)
    names = [_short(player.name) for player in ratings.players]
    axes.set_yticks(range(len(names)), names, fontsize=12, parse_math=False)
    axes.set_ylim(len(ratings.players) - 0.4, -0.6)
    axes.margins(x=0.08)
    axes.set_xlabel("Elo, with 95 % intervals", fontsize=12)
    _explain(axes.figure, axes)


def _draw(axes: Any, place: int, player: Rated, is_anchor: bool) -> None:
    if is_anchor:
        axes.plot(player.elo, place, "D", color=ORANGE, markersize=9, label=MARKS[2])
        return
    colour, fill = (BLUE, BLUE) if player.bounded else (GREY, "white")
    label = MARKS[0] if player.bounded else MARKS[1]
    style = {"elinewidth": 2, "capsize": 4, "markersize": 8, "markeredgewidth": 1.6}
    axes.errorbar(player.elo, place, xerr=player.error, fmt="o", color=colour, mfc=fill, label=label, **style)


def _explain(picture: Any, axes: Any) -> None:
    """A legend above the axes, each entry once, where there is more than one kind of mark."""
    handles, labels = axes.get_legend_handles_labels()
    once = dict(zip(labels, handles, strict=True))
    shown = [mark for mark in MARKS if mark in once]
    if len(shown) > 1:
        marks = [once[mark] for mark in shown]
        picture.legend(marks, shown, loc="outside upper center", ncols=3, fontsize=11, frameon=False)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
