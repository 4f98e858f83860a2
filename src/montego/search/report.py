"""What a search thinks of a position: every move with its statistics, the main line, who owns what."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from montego.go.geometry import COLOUR_NAMES
from montego.playout.reasons import Reason
from montego.playout.simulate import tables
from montego.search.heuristics import find_reasons
from montego.search.loop import new_node
from montego.search.policy import beta_of, eval_moves
from montego.search.pool import new_tree
from montego.search.proof import proofs
from montego.search.records import (
    CHILD,
    ILLEGAL,
    PRIOR,
    PROOF,
    PRUNED,
    SIMULATIONS,
    THREAD_DTYPE,
    UNEXPANDED,
    VISITS,
    WON,
    N,
    Tree,
    W,
)

LONGEST_LINE = 40


@dataclass(frozen=True)
class MoveReport:
    """One move of the root. Values are mean outcomes for the side to move (with outcome = score: scaled leads)."""

    vertex: str
    visits: int
    """simulations that began with it"""
    count: float
    """N(s,a): visits and the heuristic's equivalent experience"""
    value: float | None
    """Q(s,a), None if nothing is known; with dynamic komi by the rules' komi, over the simulations of this search"""
    winrate: float
    """how likely a win is: the value with `sharpness`, the position's if nothing is known of the move"""
    amaf_count: float
    """Ñ(s,a)"""
    amaf_value: float | None
    """Q̃(s,a)"""
    beta: float
    """β(s,a): how much the AMAF value is trusted"""
    mixed: float | None
    """Q⋆(s,a), which the tree policy maximises, without exploration"""
    prior: float | None
    """H(s,a), None without a heuristic"""
    lead: float | None
    """mean points ahead at the end, komi counted, over the simulations of this search; None if there were none"""
    lead_spread: float | None
    """standard deviation of that"""
    reason: str
    """the rule behind the move: save, pattern, capture, random, self_atari, eye or pass"""
    line: tuple[str, ...]
    """the principal variation that begins with it"""
    line_visits: tuple[int, ...]
    """visits of each of its moves"""
    proven: bool | None = None
    """True if it is proven to win, False if to lose, with every stone alive in the end: see proof.py"""


@dataclass(frozen=True)
class Report:
    """A search at one moment. Moves come best first."""

    colour: str
    """the side to move, for whom all values are"""
    simulations: int
    """in the tree, those kept from earlier moves included"""
    seconds: float
    value: float
    """of the position: the mean outcome; with dynamic komi by the rules' komi, over the simulations of this search"""
    winrate: float
    """how likely a win is: the value with `sharpness`"""
    lead: float | None
    """of the position: mean points ahead at the end, komi counted; None if ownership was not asked for"""
    lead_spread: float | None
    """standard deviation of that"""
    moves: tuple[MoveReport, ...]
    ownership: np.ndarray[Any, np.dtype[np.float64]] | None
    """by row and column, +1 always Black's … −1 always White's, over the playouts of this search"""
    nodes: int
    depth: float
    """moves in the tree per simulation"""
    memory: int
    """bytes of the nodes in use"""
    pruned: int
    """nodes given up for want of memory"""
    criticality: np.ndarray[Any, np.dtype[np.float64]] | None = None
    """by row and column, how much the game hangs on a point, −½ to ½, over the same playouts: see criticality.py"""
    komi_shift: int = 0
    """points that White got beyond the komi of the rules while it was searched: see komi.py"""

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, texts and lists."""
        made = asdict(self)
        lists = ("line", "line_visits")
        made["moves"] = [move | {field: list(move[field]) for field in lists} for move in made["moves"]]
        for field in ("ownership", "criticality"):
            made[field] = None if made[field] is None else [[float(x) for x in row] for row in made[field]]
        return made


def for_mover(w: float, n: float, colour: int) -> float | None:
    """A mean outcome for the side to move from a sum for Black."""
    if n <= 0:
        return None
    return float(w / n if colour == 1 else 1.0 - w / n)


def best_moves(tree: Tree, s: int, final: str, colour: int, parameters: Any) -> list[int]:
    """The points of a state's legal moves, best first, as `final` has it: see SearchConfig. Proofs come before all."""
    child = tree.links[s, CHILD]
    points = np.flatnonzero(child != ILLEGAL)
    values, visits = final_values(tree, s, colour, parameters)[points], tree.links[s, VISITS, points]
    keys = (-visits, -values) if final == "value" else (-values, -visits)
    if final == "lower-bound":
        keys = (*keys, -lower_bounds(tree, s, colour, parameters)[points])
    order = np.lexsort((*keys, child[points] == PRUNED, -proofs(tree, s, colour)[points]))
    return [int(p) for p in points[order]]


def best_move(tree: Tree, s: int, final: str, colour: int, parameters: Any) -> int:
    """The next move of a main line: the first of those with most visits, or the best by another choice."""
    most = int(tree.links[s, VISITS].argmax())
    if final != "visits" or tree.links.shape[1] > PROOF or tree.links[s, CHILD, most] < UNEXPANDED:
        return best_moves(tree, s, final, colour, parameters)[0]
    return most


def lower_bounds(tree: Tree, s: int, colour: int, parameters: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Q less `final_errors` standard errors, for the side to move; −∞ for moves with too few visits.

    The error is that of a win or loss, √(μ(1 − μ) / N), μ being the mean with half a win and half a loss: never 0.
    """
    visits = tree.links[s, VISITS]
    enough = np.flatnonzero((visits > 0) & (visits >= parameters.final_share * visits.max()))
    n, w = tree.stats[s, N, enough], tree.stats[s, W, enough]
    mean, q = (w + 0.5) / (n + 1.0), w / n
    bounds = np.full(len(visits), -np.inf)
    bounds[enough] = (q if colour == 1 else 1.0 - q) - parameters.final_errors * np.sqrt(mean * (1.0 - mean) / n)
    return bounds


def final_values(tree: Tree, s: int, colour: int, parameters: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Q⋆ of every move without exploration, urgency, neighbours and H beyond it; −∞ where nothing is known.

    1 for a proven win, 0 for a proven loss.
    """
    plain = parameters.copy()
    plain.allocation, plain.exploration, plain.fpu, plain.fpu_grandfather, plain.neighbours = 0, 0.0, -np.inf, 0, 0.0
    plain.progressive_bias = plain.puct = plain.widening = 0.0
    plain.solver = 0
    values = np.zeros(tree.stats.shape[2])
    state = np.int32(s)
    eval_moves(tree, state, state, values, plain, np.uint64(colour))
    proven = proofs(tree, s, colour)
    values[proven != 0] = proven[proven != 0] > 0
    return values


def principal_line(tree: Tree, s: int, first: int, colour: int, parameters: Any, final: str) -> list[tuple[int, int]]:
    """The best moves one after another, as far as the tree goes, each with its visits."""
    line = [(first, int(tree.links[s, VISITS, first]))]
    while len(line) < LONGEST_LINE and tree.links[s, CHILD, line[-1][0]] > 0:
        s, colour = int(tree.links[s, CHILD, line[-1][0]]), 3 - colour
        best = best_move(tree, s, final, colour, parameters)
        if tree.links[s, VISITS, best] == 0:
            break
        line.append((best, int(tree.links[s, VISITS, best])))
    return line


def reasons_at_root(search: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """By point, the rule of MoGo's playouts behind every move."""
    thread, work = np.zeros(1, THREAD_DTYPE)[0], search.works[0].copy()
    find_reasons(search.game.board[0], work, tables()[0], thread, np.uint64(search.game.to_play))
    reasons: np.ndarray[Any, np.dtype[np.uint8]] = thread.reasons
    return reasons


def priors_at_root(search: Any) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    """By point, H(s,a); None without a heuristic."""
    if not search.parameters.heuristic:
        return None
    scratch = new_tree(search.size, 2, search.pool.rows)
    thread, work, root = search.threads[0].copy(), search.works[0].copy(), np.int64(1)
    new_node(search.game.board[0], scratch, root, root, work, tables()[0], thread, search.parameters, search.parts,
             np.uint64(search.game.to_play))  # fmt: skip
    prior: np.ndarray[Any, np.dtype[np.float64]] = thread.prior
    return prior


def whole_lead(n: Any, leads: Any, spreads: Any) -> tuple[float | None, float | None]:
    """Mean and standard deviation of all simulations from those of each move."""
    total = n.sum()
    if total == 0:
        return None, None
    mean = float((n * leads).sum() / total)
    square = float((n * (spreads**2 + leads**2)).sum() / total)
    return mean, max(0.0, square - mean * mean) ** 0.5


def make_report(search: Any, seconds: float, visited: bool = False) -> Report:
    """The state of a search, which must not be running. visited: leave out the moves that have not been tried."""
    tree, root, parameters, names = search.tree, search.pool.root, search.parameters, search.names
    colour, final = search.game.to_play, search.config.final
    prior, reasons = priors_at_root(search), reasons_at_root(search)
    mixed = final_values(tree, root, colour, parameters)
    proven = proofs(tree, root, colour)
    lead_n, leads, spreads = search.leads()

    value = search.real_value() if search.komi_shift else None
    if value is None:
        value = for_mover(tree.states[root, WON], tree.states[root, SIMULATIONS], colour) or 0.0

    def move_report(p: int) -> MoveReport:
        n, w, amaf_n, amaf_w = (float(x) for x in tree.stats[root, :PRIOR, p])
        line = principal_line(tree, root, p, colour, parameters, final)
        mean = search.real_value(p) if search.komi_shift else for_mover(w, n, colour)
        return MoveReport(
            vertex=names.vertex(p),
            visits=int(tree.links[root, VISITS, p]),
            count=n,
            value=mean,
            winrate=search.winrate(value if mean is None else mean),
            amaf_count=amaf_n,
            amaf_value=for_mover(amaf_w, amaf_n, colour),
            beta=float(beta_of(tree, root, np.uint64(p), parameters)),
            mixed=float(mixed[p]) if np.isfinite(mixed[p]) else None,
            prior=None if prior is None else float(prior[p]),
            lead=float(leads[p]) if lead_n[p] else None,
            lead_spread=float(spreads[p]) if lead_n[p] else None,
            reason=Reason(int(reasons[p])).name.lower(),
            line=tuple(names.vertex(q) for q, _ in line),
            line_visits=tuple(visits for _, visits in line),
            proven=bool(proven[p] > 0) if proven[p] else None,
        )

    shown = best_moves(tree, root, final, colour, parameters)
    if visited:
        shown = [p for p in shown if tree.links[root, VISITS, p] > 0]
    done = max(1, search.playouts)
    lead, lead_spread = whole_lead(lead_n, leads, spreads)
    return Report(
        colour=COLOUR_NAMES[colour],
        simulations=search.simulations,
        seconds=seconds,
        value=value,
        winrate=search.winrate(value),
        lead=lead,
        lead_spread=lead_spread,
        moves=tuple(move_report(p) for p in shown),
        ownership=search.ownership_map() if parameters.owning else None,
        criticality=search.criticality_map() if parameters.owning or parameters.criticality else None,
        komi_shift=search.komi_shift,
        nodes=search.pool.used,
        depth=sum(int(thread.moves_in_tree) for thread in search.threads) / done,
        memory=search.pool.used * search.pool.node_bytes,
        pruned=search.pool.pruned,
    )
