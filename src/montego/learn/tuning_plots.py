"""A tuning as pictures: its history, the win rate along each parameter, and which parameters matter."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from montego.arena.plots import BLUE, GREEN, GREY, ORANGE, figure, save, tidy
from montego.arena.statistics import wilson
from montego.learn.findings import Findings
from montego.learn.space import Choice, Parameter, Range

GRID = 81
TICKS = 5
"""On an axis of factors."""
ACROSS = 3
"""Parameters beside each other."""
STOPPED, PLAYED = "stopped early", "played to its end"


def plot_tuning(found: Findings, trials: list[Any], folder: Path) -> list[Path]:
    """Draw all pictures. trials: Optuna's, those that are over."""
    return [
        *plot_history(found, trials, folder / "history"),
        *plot_parameters(found, folder / "parameters"),
        *plot_importance(found, folder / "importance"),
    ]


def plot_history(found: Findings, trials: list[Any], stem: Path) -> list[Path]:
    """Every trial's rate with its 95 % interval, in the order in which they were tried."""
    picture = figure(8.0, 4.4)
    axes = picture.subplots()
    tidy(axes)
    kinds = {PLAYED: ("o", BLUE, BLUE), STOPPED: ("o", GREY, "white")}
    for label, (shape, colour, fill) in kinds.items():
        told = [t for t in trials if t.intermediate_values and (t.state.name == "COMPLETE") == (label == PLAYED)]
        ends = [(t.number, max(t.intermediate_values)) for t in told]
        rates = [t.intermediate_values[games] for t, (_, games) in zip(told, ends, strict=True)]
        spans = [wilson(rate * games, games) for rate, (_, games) in zip(rates, ends, strict=True)]
        numbers = [number for number, _ in ends]
        style: dict[str, Any] = {"markersize": 6, "elinewidth": 1.0, "markeredgewidth": 1.4}
        errors = [[rate - low, high - rate] for rate, (low, high) in zip(rates, spans, strict=True)]
        bars = 100 * np.array(errors).reshape(-1, 2).T
        axes.errorbar(
            numbers,
            100 * np.array(rates),
            yerr=bars,
            fmt=shape,
            color=colour,
            mfc=fill,
            label=label,
            alpha=0.9,
            **style,
        )
    best = found.recommended
    axes.axhline(100 * best.rate, color=ORANGE, linewidth=1.4, label="recommended, estimated")
    _band(axes, best.rate, best.error)
    axes.set_xlabel("trial", fontsize=12)
    axes.set_ylabel("win rate, %, with 95 % intervals", fontsize=12)
    axes.set_ylim(-2, 102)
    picture.legend(loc="outside upper center", ncols=3, fontsize=11, frameon=False)
    return save(picture, stem)


def _band(axes: Any, rate: float, error: float) -> None:
    axes.axhspan(100 * (rate - 2 * error), 100 * (rate + 2 * error), color=ORANGE, alpha=0.15, linewidth=0)


def plot_parameters(found: Findings, stem: Path) -> list[Path]:
    """The estimated win rate along each parameter, the others as recommended, over all settings that were played."""
    parameters = found.settings.space.parameters
    across = min(ACROSS, len(parameters))
    down = math.ceil(len(parameters) / across)
    picture = figure(0.8 + 3.9 * across, 0.8 + 3.3 * down)
    places = picture.subplots(down, across, squeeze=False, sharey=True).ravel()
    for axes, parameter in zip(places, parameters, strict=False):
        draw_parameter(axes, found, parameter)
    for axes in places[len(parameters) :]:
        axes.set_visible(False)
    for axes in places[::across]:
        axes.set_ylabel("win rate, %", fontsize=12)
    handles, labels = places[0].get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside upper center", ncols=min(4, 1 + across), fontsize=11, frameon=False)
    return save(picture, stem)


def draw_parameter(axes: Any, found: Findings, parameter: Parameter) -> None:
    tidy(axes)
    field, best = parameter.field, found.recommended.setting
    grid = parameter.grid(GRID)
    line = found.estimates([{**best, field: text} for text in grid])
    rates, errors = (100 * np.array([getattr(one, name) for one in line]) for name in ("rate", "error"))
    x = _axis(axes, parameter)
    along = [x(text) for text in grid]
    _draw_settings(axes, found, [x(setting[field]) for setting, _ in found.known])
    if isinstance(parameter, Choice):
        axes.errorbar(along, rates, yerr=2 * errors, fmt="s", color=BLUE, capsize=4, label="estimate ± 2 errors")
    else:
        axes.plot(along, rates, color=BLUE, linewidth=1.6, label="estimate ± 2 errors")
        axes.fill_between(along, rates - 2 * errors, rates + 2 * errors, color=BLUE, alpha=0.18, linewidth=0)
    axes.axvline(x(best[field]), color=ORANGE, linewidth=1.6, label="recommended")
    if found.present:
        axes.axvline(x(found.present.setting[field]), color=GREEN, linewidth=1.6, linestyle="--", label="present")
    axes.set_xlabel(field, fontsize=12, parse_math=False)


def _axis(axes: Any, parameter: Parameter) -> Any:
    """Prepares the horizontal axis; where a value of the parameter lies on it."""
    if isinstance(parameter, Range):
        if parameter.log:
            axes.set_xscale("log")
            places = [float(f"{float(text):.2g}") for text in parameter.grid(TICKS)]
            axes.set_xticks(places, [f"{place:g}" for place in places])
            axes.minorticks_off()  # their labels would lie on one another
        return float
    axes.set_xticks(range(len(parameter.options)), parameter.options, parse_math=False)
    axes.set_xlim(-0.6, len(parameter.options) - 0.4)
    return parameter.options.index


def _draw_settings(axes: Any, found: Findings, along: list[float]) -> None:
    """Settings that were played: the more games, the larger."""
    games = np.array([standing.games for _, standing in found.known])
    rates = [100 * standing.rate for _, standing in found.known]
    axes.scatter(along, rates, s=6 + 44 * games / games.max(), color=GREY, alpha=0.45, linewidths=0, label="played")


def plot_importance(found: Findings, stem: Path) -> list[Path]:
    """How far each parameter moves the win rate, the most important on top."""
    ranked = sorted(found.importance.items(), key=lambda one: one[1])
    picture = figure(7.0, 1.4 + 0.42 * len(ranked))
    axes = picture.subplots()
    tidy(axes)
    axes.grid(visible=False, axis="y")
    axes.barh(range(len(ranked)), [100 * value for _, value in ranked], color=BLUE, height=0.6)
    axes.set_yticks(range(len(ranked)), [field for field, _ in ranked], fontsize=12, parse_math=False)
    axes.set_xlabel("how far the win rate moves when it alone is drawn anew, points of %", fontsize=11)
    axes.set_xlim(left=0)
    return save(picture, stem)
