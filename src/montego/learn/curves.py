"""Learning curves as pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from montego.arena.plots import BLUE, GREY, ORANGE, figure, save, tidy
from montego.learn import balancing
from montego.learn.balancing import BalancePoint
from montego.learn.indigo import Milestone
from montego.learn.mm import MmPoint
from montego.learn.td import OPPONENTS, Checkpoint
from montego.learn.training import TrainingError, curve_of
from montego.patterns import files, learned, strength_files
from montego.shape import ShapeValue

_COLOURS = dict(zip(OPPONENTS, (GREY, BLUE), strict=True))
_PLAYERS = {"zero": GREY, "manual": BLUE}
_SETS = {"playout": GREY, "tree": BLUE}


def plot_file(path: Path, path_stem: str | Path) -> list[Path]:
    """The learning curve that came with a file of strengths, urgencies or weights."""
    kind: Any
    draw: Callable[..., list[Path]]
    if (form := files.format_of(path)) == strength_files.FORM.format:
        provenance = strength_files.load_strengths(path)[1]
        balanced = provenance.trainer == balancing.TRAINER
        kind, draw = (BalancePoint, plot_balance) if balanced else (MmPoint, plot_mm)
    elif form == learned.FORM.format:
        provenance, kind, draw = learned.load_urgencies(path)[1], Milestone, plot_milestones
    else:
        provenance, kind, draw = ShapeValue.load(path).provenance, Checkpoint, plot_curve
    if not (points := curve_of(provenance, kind)):
        trainers = "`montego train rlgo`, `indigo`, `mm` or `balance`"
        raise TrainingError(f"{path} tells no learning curve; accepted: a file of {trainers}")
    return draw(points, path_stem)


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


def plot_milestones(curve: Sequence[Milestone], path_stem: str | Path) -> list[Path]:
    """Scores of a pseudo-random player that learns against Zero and Manual, and its entropy below, over games."""
    picture = figure(7.0, 5.6)
    above, below = picture.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    draw_scores(above, curve)
    tidy(below)
    below.plot([m.games for m in curve], [m.entropy for m in curve], color=ORANGE, linewidth=1.4)
    below.set_ylabel("entropy of a move")
    below.set_ylim(0, 1.02)
    below.set_xscale("log")
    below.set_xlabel("games learned from")
    return save(picture, path_stem)


def draw_scores(axes: Any, curve: Sequence[Milestone]) -> None:
    tidy(axes)
    games = [m.games for m in curve]
    for name, colour in _PLAYERS.items():
        scores, errors = [m.score[name] for m in curve], [m.error[name] for m in curve]
        axes.plot(games, scores, color=colour, linewidth=1.4, label=f"against {name}")
        low, high = ([s + sign * 2 * e for s, e in zip(scores, errors, strict=True)] for sign in (-1, 1))
        axes.fill_between(games, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.set_ylabel("mean score, points (± 2 standard errors)")
    axes.legend(frameon=False, loc="best")


def plot_mm(curve: Sequence[MmPoint], path_stem: str | Path) -> list[Path]:
    """How likely the moves played are, learned from (dashed) and not, and how many come first, over iterations."""
    picture = figure(7.0, 5.6)
    above, below = picture.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    iterations = [point.iteration for point in curve]
    for axes in (above, below):
        tidy(axes)
    for name, colour in _SETS.items():
        above.plot(iterations, [p.tested[name] for p in curve], color=colour, linewidth=1.4, label=f"{name} set")
        above.plot(iterations, [p.learned[name] for p in curve], color=colour, linewidth=1.0, linestyle="--")
        below.plot(iterations, [100 * p.ranks[name][0] for p in curve], color=colour, linewidth=1.4)
    above.set_ylabel("mean log-evidence of a move")
    above.legend(frameon=False, loc="lower right")
    below.set_ylabel("predicted, %")
    below.set_xlabel("iterations")
    return save(picture, path_stem)


def plot_balance(curve: Sequence[BalancePoint], path_stem: str | Path) -> list[Path]:
    """The squared error of playouts against an oracle, and their length below, over passes."""
    picture = figure(7.0, 5.6)
    above, below = picture.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    passes = [point.passes for point in curve]
    for axes in (above, below):
        tidy(axes)
    learned = [(p.passes, p.learned) for p in curve if p.learned is not None]
    above.plot(*zip(*learned, strict=True), color=GREY, linewidth=1.4, label="learned from")
    above.plot(passes, [p.tested for p in curve], color=BLUE, linewidth=1.4, label="tested with")
    above.set_ylabel("squared error of the value")
    above.legend(frameon=False, loc="upper right")
    below.plot(passes, [p.length for p in curve], color=ORANGE, linewidth=1.4)
    below.set_ylabel("moves a playout")
    below.set_xlabel("passes over the positions")
    return save(picture, path_stem)
