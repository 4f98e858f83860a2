"""What a search thinks, as clients read it: the lines of lz-analyze and kata-analyze, CGOS's JSON, GoGui's graphics."""

from __future__ import annotations

import json
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.search.report import MoveReport, Report

CONFIDENCE = 1.96
"""Standard errors below the mean at which the lower bound of a win rate lies."""


def moves_shown(report: Report, least: int = 0, most: int | None = None) -> list[MoveReport]:
    """The moves a client is told about: those that were tried, at least so many and at most."""
    tried = [move for move in report.moves if move.visits > 0]
    return (tried if len(tried) >= least else list(report.moves[:least]))[:most]


def lower_bound(move: MoveReport) -> float:
    """The lower end of the win rate's confidence interval."""
    rate = move.winrate
    return max(0.0, rate - CONFIDENCE * sqrt((rate * (1.0 - rate) + 0.25 / (move.visits + 1)) / (move.visits + 1)))


def priors(moves: list[MoveReport]) -> list[float]:
    """The heuristic's opinion of the moves, as shares of one."""
    values = [max(0.0, move.prior or 0.0) for move in moves]
    total = sum(values)
    return [value / total if total > 0 else 1.0 / len(values) for value in values]


def line_of(move: MoveReport) -> str:
    return " ".join(move.line)


def lz_line(report: Report, moves: list[MoveReport]) -> str:
    """As Leela Zero writes it: win rates in ten-thousandths."""
    parts = []
    for order, (move, prior) in enumerate(zip(moves, priors(moves), strict=True)):
        rate, bound = round(10000 * move.winrate), round(10000 * lower_bound(move))
        parts.append(
            f"info move {move.vertex} visits {move.visits} winrate {rate} prior {round(10000 * prior)} "
            f"lcb {bound} order {order} pv {line_of(move)}"
        )
    return " ".join(parts)


def kata_line(
    report: Report,
    moves: list[MoveReport],
    root_info: bool = False,
    ownership: bool = False,
    line_visits: bool = False,
) -> str:
    """As KataGo writes it. The score is the mean result of the simulations, komi counted."""
    parts = []
    for order, (move, prior) in enumerate(zip(moves, priors(moves), strict=True)):
        rate, bound = move.winrate, lower_bound(move)
        lead, spread = _score(move.lead, move.lead_spread, report)
        parts.append(
            f"info move {move.vertex} visits {move.visits} edgeVisits {move.visits} utility {2 * rate - 1:.6f} "
            f"winrate {rate:.6f} scoreMean {lead:.4f} scoreStdev {spread:.4f} scoreLead {lead:.4f} "
            f"scoreSelfplay {lead:.4f} prior {prior:.6f} lcb {bound:.6f} utilityLcb {2 * bound - 1:.6f} "
            f"weight {move.visits} order {order} pv {line_of(move)}"
        )
        if line_visits:
            parts.append("pvVisits " + " ".join(map(str, move.line_visits)))
    if root_info:
        lead, spread = _score(report.lead, report.lead_spread, report)
        parts.append(
            f"rootInfo visits {report.simulations} utility {2 * report.winrate - 1:.6f} winrate {report.winrate:.6f} "
            f"scoreMean {lead:.4f} scoreStdev {spread:.4f} scoreLead {lead:.4f} scoreSelfplay {lead:.4f}"
        )
    if ownership and report.ownership is not None:
        parts.append("ownership " + " ".join(f"{value:.4f}" for value in owned_by_mover(report)))
    return " ".join(parts)


def _score(lead: float | None, spread: float | None, report: Report) -> tuple[float, float]:
    if lead is None:
        lead, spread = report.lead, report.lead_spread
    return lead or 0.0, spread or 0.0


def owned_by_mover(report: Report) -> list[float]:
    """Ownership row by row from the top left, for the side to move."""
    if report.ownership is None:
        return []
    sign = 1.0 if report.colour == "black" else -1.0
    return [float(sign * value) for value in report.ownership.ravel()]


def cgos_json(report: Report | None) -> str:
    """One line of JSON, as the CGOS client passes it on to the server."""
    if report is None:
        return "{}"
    moves = moves_shown(report, most=10)
    made: dict[str, Any] = {
        "winrate": round(report.winrate, 6),
        "score": round(report.lead or 0.0, 3),
        "visits": report.simulations,
        "moves": [
            {
                "move": move.vertex,
                "winrate": round(move.winrate, 6),
                "score": round(_score(move.lead, None, report)[0], 3),
                "prior": round(prior, 6),
                "visits": move.visits,
                "pv": line_of(move),
            }
            for move, prior in zip(moves, priors(moves), strict=True)
        ],
    }
    return json.dumps(made)


def variation(report: Report) -> str:
    """The main line as GoGui draws it."""
    colours = ("b", "w") if report.colour == "black" else ("w", "b")
    line = report.moves[0].line if report.moves else ()
    return "VAR " + " ".join(f"{colours[i % 2]} {vertex}" for i, vertex in enumerate(line))


def live_graphics(report: Report) -> str:
    """What GoGui draws while the engine thinks; it reads this from stderr."""
    text = f"TEXT {report.simulations} simulations, {100 * report.winrate:.0f} % for {report.colour}"
    return f"gogui-gfx:\n{variation(report)}\n{text}\n\n"
