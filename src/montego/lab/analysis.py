"""What analyses of experiments share: rates beside published ones, orders that hold or are undecided, curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from montego.arena.plots import BLUE, GREY, ORANGE
from montego.arena.sequential import win_probability
from montego.lab.parts import Note, Table
from montego.lab.results import Found, Results

NOTHING = "–"


def interval(found: Found) -> str:
    """The 95 % interval of a rate."""
    low, high = found.interval
    return NOTHING if found.rate is None else f"{100 * low:.1f} … {100 * high:.1f} %"


def ours(found: Found) -> str:
    """The rate ± half the width of its interval."""
    low, high = found.interval
    return NOTHING if found.rate is None else f"{100 * found.rate:.1f} ± {50 * (high - low):.1f} %"


def elo_text(found: Found) -> str:
    """The Elo difference, and its 95 % interval."""
    if found.rate is None:
        return NOTHING
    low, high = found.elo_interval
    return f"{_signed(found.elo)} ({_signed(low)} … {_signed(high)})"


def _signed(value: float | None) -> str:
    if value is None:
        return NOTHING
    text = "∞" if math.isinf(value) else f"{abs(value):.0f}"
    return ("−" if value < 0 else "+") + text


def published(found: Found) -> str:
    point = found.point
    if point.published_elo is not None:
        return f"{_signed(point.published_elo)} Elo"
    if point.published is None:
        return point.published_text or NOTHING
    error = "" if point.published_error is None else f" ± {100 * point.published_error:.2g}"
    return f"{100 * point.published:.4g}{error} %"


def agreement(found: Found) -> str:
    """Whether the published figure lies in our interval, and if not, how far we are from it."""
    point = found.point
    expected = point.published
    if point.published_elo is not None:
        expected = win_probability(point.published_elo)
    if expected is None or found.rate is None:
        return NOTHING
    low, high = found.interval
    if low <= expected <= high:
        return "agrees"
    return f"{'above' if found.rate > expected else 'below'} by {abs(100 * (found.rate - expected)):.1f} points"


def rate_table(results: Iterable[Found], what: str = "") -> Table:
    """Published and ours, side by side."""
    rows = [
        [one.point.label, published(one), ours(one), interval(one), str(one.tally.games), agreement(one)]
        for one in results
    ]
    return Table([what, "published", "ours", "95 % interval", "games", "published figure"], rows)


def pair_table(results: Iterable[Found], what: str = "") -> Table:
    """Rates of pairs of our own players, with the Elo difference; and whether it agrees with a published one."""
    found = list(results)
    rows = [
        [one.point.label, published(one), ours(one), elo_text(one), str(one.tally.games), decided(one), agreement(one)]
        for one in found
    ]
    columns = [what, "published", "ours", "Elo (95 %)", "games", "stronger", "published figure"]
    shown = None if any(one.point.published_elo is not None for one in found) else -1
    return Table(columns[:shown], [row[:shown] for row in rows])


def sequential_table(results: Iterable[Found], what: str = "") -> Table:
    """Rates of pairs of our own players, and what their sequential tests say."""
    rows = [
        [one.point.label, ours(one), elo_text(one), str(one.tally.games), verdict(one), seconds(one)] for one in results
    ]
    return Table([what, "wins", "Elo (95 %)", "games", "sequential test", "seconds a move"], rows)


def verdict(found: Found) -> str:
    """Which of its two differences in Elo a pair is held to have."""
    if found.point.sprt is None or found.verdict is None:
        return "undecided"
    return f"{_signed(found.point.sprt[found.verdict == 'H1'])} Elo"


def seconds(found: Found) -> str:
    """What a move took both players."""
    return " : ".join(NOTHING if one is None else f"{one:.2f}" for one in found.seconds)


def score_table(results: Iterable[Found], what: str = "") -> Table:
    """Mean leads of the first player over the second, with wins."""
    rows = [
        [one.point.label, _published_score(one), score(one), _score_interval(one), _wins(one), _count(one), ahead(one)]
        for one in results
    ]
    return Table([what, "published", "mean score ± standard error", "95 % interval", "wins", "games", "ahead"], rows)


def _published_score(found: Found) -> str:
    told = found.point.published_score
    text = NOTHING if told is None else f"{_signed(told)}"
    if found.point.published is not None:
        return f"{text}, {100 * found.point.published:.3g} %"
    return found.point.published_text or text


def score(found: Found) -> str:
    mean = found.score
    return NOTHING if mean is None else f"{_decimal(mean.value)} ± {mean.error:.1f}"


def _decimal(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{abs(value):.1f}"


def _score_interval(found: Found) -> str:
    if found.score is None:
        return NOTHING
    low, high = found.score.interval
    return f"{_decimal(low)} … {_decimal(high)}"


def _wins(found: Found) -> str:
    if found.measured:
        return f"{100 * found.measured[-1]['wins']:.1f} %"
    return NOTHING if found.rate is None else f"{100 * found.rate:.1f} %"


def _count(found: Found) -> str:
    return str(found.score.count if found.score else 0)


def ahead(found: Found) -> str:
    """Who has the better mean score, as far as its interval tells."""
    low, high = found.score.interval if found.score else (0.0, 0.0)
    if low <= 0 <= high:
        return "undecided"
    return "first" if low > 0 else "second"


def decided(found: Found) -> str:
    """Who is stronger, as far as a pair's interval tells."""
    low, high = found.interval
    if found.rate is None or low <= 0.5 <= high:
        return "undecided"
    return "first" if low > 0.5 else "second"


def order(results: Results, *names: str) -> Note:
    """Whether points stand in the order of the names, weakest first; with overlapping intervals that is undecided."""
    words = []
    for one, other in pairwise(names):
        low, high = results[one], results[other]
        words.append(f"{low.point.label} < {high.point.label}: {_comparison(low, high)}")
    return Note("; ".join(words) + ".")


def _comparison(low: Found, high: Found) -> str:
    if (
        low.rate is None
        or high.rate is None
        or not (low.interval[1] < high.interval[0] or high.interval[1] < low.interval[0])
    ):
        return "undecided"
    return "holds" if low.rate < high.rate else "does not hold"


def draw_rates(axes: Any, found: Sequence[Found], label: str, colour: str = BLUE) -> None:
    """A curve of rates with their intervals, over the points' places on the axis."""
    known = [one for one in found if one.rate is not None]
    if not known:
        return
    x = [one.point.x for one in known]
    y = [100 * (one.rate or 0) for one in known]
    low = [100 * ((one.rate or 0) - one.interval[0]) for one in known]
    high = [100 * (one.interval[1] - (one.rate or 0)) for one in known]
    axes.errorbar(x, y, [low, high], color=colour, marker="o", markersize=4, capsize=3, linewidth=1.4, label=label)


def draw_published(axes: Any, found: Sequence[Found], label: str = "published") -> None:
    known = [one for one in found if one.point.published is not None]
    x, y = [one.point.x for one in known], [100 * (one.point.published or 0) for one in known]
    axes.plot(x, y, color=GREY, marker="s", markersize=4, linestyle="--", linewidth=1.2, label=label)


def draw_bars(axes: Any, found: Sequence[Found], colour: str = BLUE) -> None:
    """Rates as bars with their intervals, the published ones as marks."""
    for place, one in enumerate(found):
        if one.rate is not None:
            low, high = one.interval
            ends = [[100 * (one.rate - low)], [100 * (high - one.rate)]]
            axes.bar(place, 100 * one.rate, width=0.6, color=colour, alpha=0.85)
            axes.errorbar(place, 100 * one.rate, ends, color="black", capsize=4, linewidth=1.2)
        if one.point.published is not None:
            axes.plot([place - 0.38, place + 0.38], [100 * one.point.published] * 2, color=ORANGE, linewidth=2)
    axes.plot([], [], color=ORANGE, linewidth=2, label="published")
    axes.set_xticks(range(len(found)), [one.point.label for one in found], fontsize=8)
    legend(axes)


def draw_elo_steps(axes: Any, steps: Sequence[Found], label: str, colour: str) -> None:
    """Elo differences of neighbours added up, with the errors of the sums, as far as the chain goes."""
    x, y, error, variance = [(steps[0].point.x or 0) / 2], [0.0], [0.0], 0.0
    for one in steps:
        if one.elo is None or math.isinf(one.elo):
            break
        low, high = one.elo_interval
        variance += ((high - low) / 2) ** 2
        x.append(one.point.x or 0)
        y.append(y[-1] + one.elo)
        error.append(math.sqrt(variance))
    axes.errorbar(x, y, error, color=colour, marker="o", markersize=4, capsize=3, linewidth=1.4, label=label)


def speed_table(results: Results, base: str, machine: str) -> Table:
    """Simulations per second, and each as a ratio to the base, published and ours."""
    first = results[base]
    rows = []
    for one in results:
        point, value = one.point, one.value
        told = point.published_text or NOTHING if point.published is None else f"{point.published:,.0f}"
        ratio = NOTHING
        if point.published is not None and first.point.published is not None:
            ratio = f"{point.published / first.point.published:.2f}"
        mine = NOTHING if value is None else f"{value:,.0f}"
        share = NOTHING if value is None or first.value is None else f"{value / first.value:.2f}"
        rows.append([point.label, told, ratio, mine, share, spread(one), str(len(one.measured))])
    columns = ["simulations per second", f"published ({machine})", "ratio", "ours", "ratio", "spread", "measurements"]
    return Table(columns, rows)


def spread(found: Found) -> str:
    """The least and the greatest measurement."""
    values = [line["value"] for line in found.measured]
    return f"{min(values):,.0f} … {max(values):,.0f}" if values else NOTHING


def suite_table(results: Iterable[Found], what: str) -> Table:
    """Squared errors over the labelled positions, and the place of the best move."""
    rows = [[one.point.label, *_opinion(one)] for one in results]
    return Table([what, "squared error", "calibrated", "slope", "rank of the best move", "first", "positions"], rows)


def _opinion(found: Found) -> list[str]:
    if not found.measured:
        return [NOTHING] * 6
    told = found.measured[-1]
    return [
        _with_error(told, "value", "error"),
        _with_error(told, "calibrated", "calibrated_error"),
        f"{told['slope']:.1f}" if "slope" in told else NOTHING,
        f"{told['rank']:.1f}",
        f"{100 * told['first']:.0f} %",
        str(told["positions"]),
    ]


def _with_error(told: dict[str, Any], mean: str, error: str) -> str:
    """A mean and 1.96 standard errors; nothing if it was not measured at the time."""
    return f"{told[mean]:.4f} ± {1.96 * told[error]:.4f}" if mean in told else NOTHING


def tactics_table(results: Iterable[Found], themes: Sequence[str]) -> Table:
    """Shares of problems solved, a column for each theme."""
    columns = [*themes, "all"]
    rows = [[one.point.label, *(_solved(one, theme) for theme in columns)] for one in results]
    return Table(["player", *columns], rows)


def _solved(found: Found, theme: str) -> str:
    told = found.measured[-1]["themes"].get(theme) if found.measured else None
    if told is None:
        return NOTHING
    share = f"{100 * told['solved'] / told['positions']:.0f}"
    return f"{share} ± {196 * told['error']:.0f} %" if theme == "all" else f"{share} %"


def legend(axes: Any) -> None:
    """A legend, if there is anything to explain."""
    if axes.get_legend_handles_labels()[1]:
        axes.legend(frameon=False)
