"""What the analysis protocol says about a position: moves, values, ownership and policy, as one JSON object."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.go.board import BLACK
from montego.go.game import Game
from montego.go.geometry import PASS, geometry
from montego.gtp.formats import lower_bound, moves_shown, priors
from montego.gtp.queries import Query

if TYPE_CHECKING:
    from montego.search.report import MoveReport, Report

DIGITS = 6


def position_hashes(game: Game) -> tuple[str, str]:
    """A text for the position, the side to move and the ko, and one that is the same for all its symmetries."""
    marks = game.stones
    if game.ko is not None:
        names = geometry(game.size)
        marks[names.row_column(names.parse(game.ko))] = 3
    turned = [np.rot90(side, quarters) for side in (marks, marks.T) for quarters in range(4)]
    texts = [blake2b(bytes([game.to_play]) + side.tobytes(), digest_size=16).hexdigest().upper() for side in turned]
    return texts[0], min(texts)


@dataclass
class Job:
    """A turn of a query that is to be analysed."""

    query: Query
    turn: int
    priority: int
    order: int
    terminated: bool = False

    @property
    def key(self) -> tuple[int, int]:
        """Jobs are done from the least key on."""
        return -self.priority, self.order

    def reply(self, during: bool, **found: Any) -> dict[str, Any]:
        return {"id": self.query.id, "turnNumber": self.turn, "isDuringSearch": during, **found}


class Scribe:
    """Writes down what a search thinks of a job's position."""

    def __init__(self, job: Job, game: Game) -> None:
        self.job, self.game, self.hashes = job, game, position_hashes(game)
        query, mover = job.query, game.to_play
        self.only, self.without = query.only.get(mover, ()), query.without.get(mover, ())
        views = {"BLACK": mover == BLACK, "WHITE": mover != BLACK, "SIDETOMOVE": True}
        self.own_view = views[query.view]
        """whether values are for the side to move, as the search has them"""

    def reply(self, report: Report | None, during: bool) -> dict[str, Any]:
        """The answer. A search that was stopped before it began has no results."""
        least = self._known(report) if report is not None and self.job.query.statistics else 0
        moves = [] if report is None else [move for move in moves_shown(report, least) if self._is_wanted(move.vertex)]
        if report is None or report.lead is None or not moves:
            return self.job.reply(during, noResults=True)
        shares = {move.vertex: share for move, share in zip(report.moves, priors(list(report.moves)), strict=True)}
        found: dict[str, Any] = {
            "moveInfos": [self._move(report, move, shares[move.vertex], order) for order, move in enumerate(moves)],
            "rootInfo": self._root(report),
        }
        if self.job.query.ownership and report.ownership is not None:
            sign = 1 if self.own_view == (self.game.to_play == BLACK) else -1
            found["ownership"] = [rounded(sign * value) for value in report.ownership.ravel()]
        if self.job.query.policy:
            found["policy"] = self._policy(shares)
        return self.job.reply(during, **found)

    def _is_wanted(self, vertex: str) -> bool:
        return vertex in self.only if self.only else vertex not in self.without

    def _values(
        self, report: Report, value: float, bound: float, lead: float | None, spread: float | None
    ) -> dict[str, float]:
        """The numbers of a move or of the position. A move of which no score is known has the position's."""
        if lead is None or spread is None:
            lead, spread = report.lead or 0.0, report.lead_spread or 0.0
        if not self.own_view:
            value, bound, lead = 1.0 - value, 1.0 - bound, -lead
        return {
            "winrate": rounded(value),
            "lcb": rounded(bound),
            "utility": rounded(2 * value - 1),
            "utilityLcb": rounded(2 * bound - 1),
            "scoreLead": rounded(lead),
            "scoreMean": rounded(lead),
            "scoreSelfplay": rounded(lead),
            "scoreStdev": rounded(spread),
        }

    def _move(self, report: Report, move: MoveReport, share: float, order: int) -> dict[str, Any]:
        longest = self.job.query.line
        return {
            "move": move.vertex,
            "order": order,
            "visits": move.visits,
            "edgeVisits": move.visits,
            "weight": float(move.visits),
            **self._values(report, move.winrate, lower_bound(move), move.lead, move.lead_spread),
            "prior": rounded(share),
            "pv": list(move.line if longest is None else move.line[: longest + 1]),
            **({"pvVisits": list(move.line_visits[: longest and longest + 1])} if self.job.query.line_visits else {}),
            **(self._statistics(move) if self.job.query.statistics else {}),
        }

    def _statistics(self, move: MoveReport) -> dict[str, Any]:
        """What the tree policy goes by: Q, AMAF's count and value, β, their mixture, the heuristic."""

        def seen(value: float | None) -> float | None:
            return None if value is None else rounded(value if self.own_view else 1.0 - value)

        return {
            "value": seen(move.value),
            "amafVisits": rounded(move.amaf_count),
            "amafValue": seen(move.amaf_value),
            "beta": rounded(move.beta),
            "mixed": seen(move.mixed),
            "heuristic": seen(move.prior),
        }

    @staticmethod
    def _known(report: Report) -> int:
        """How many moves to tell about: those before the last of which anything is known."""
        known = [move.visits > 0 or move.amaf_value is not None or move.prior is not None for move in report.moves]
        return len(known) - known[::-1].index(True) if any(known) else 0

    def _root(self, report: Report) -> dict[str, Any]:
        values = self._values(report, report.winrate, report.winrate, report.lead, report.lead_spread)
        return {
            "visits": report.simulations,
            "weight": float(report.simulations),
            **values,
            "currentPlayer": "B" if self.game.to_play == BLACK else "W",
            "thisHash": self.hashes[0],
            "symHash": self.hashes[1],
        }

    def _policy(self, shares: dict[str, float]) -> list[float]:
        """The prior by point, −1 where no move is legal; 0 for a legal move that the search leaves out."""
        names, stones = geometry(self.game.size), self.game.stones.ravel()

        def share(point: int, occupied: bool) -> float:
            vertex = names.vertex(point)
            if vertex in shares:
                return rounded(shares[vertex])
            return 0.0 if not occupied and self.game.is_legal(point) else -1.0

        points = zip(names.points, stones, strict=True)
        return [*(share(int(point), bool(stone)) for point, stone in points), share(PASS, False)]


def rounded(value: Any) -> float:
    return round(float(value), DIGITS)
