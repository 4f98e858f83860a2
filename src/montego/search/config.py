"""How a search is done: one frozen record, whose fields choose among the parts of the one loop.

Symbols are those of Gelly & Silver 2011 (G&S11); G&S07 is their paper of 2007, G&W06 Gelly & Wang 2006, B&C06 Bouzy &
Chaslot 2006.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from montego.go.errors import ConfigError, is_whole, shown
from montego.go.geometry import MAX_SIZE
from montego.patterns import learned as rlpr
from montego.patterns import strength_files
from montego.playout.parts import LEARNED, PLAYOUTS, randomness_range, told
from montego.playout.rules import DEFAULT_RULES, PlayoutRules
from montego.playout.simulate import STRENGTHS, PlayoutConfig
from montego.shape.memory import DEEPEST
from montego.shape.shipped import NONE, SHIPPED

SCHEDULES = {"none": 0, "rave": 1, "hand-selected": 2, "minimum-mse": 3, "minimum-mse-46": 4, "heuristic": 5}
BONUSES = {"ucb1": 0, "ucb1-tuned": 1, "ucb1-rave": 2}
AMAF = {"first-play": 0, "same-colour": 1, "simulation": 2}
AMAF_WEIGHTS = {"equal": 0, "linear": 1, "exponential": 2}
HEURISTICS = {"none": 0, "even": 1, "grandfather": 2, "handcrafted": 3, "evidence": 4, "rlgo": 5, "alpha-beta": 6,
              "indigo": 7, "urgency": 8, "strengths": 9}  # fmt: skip
LEARNED_HEURISTICS = ("rlgo", "alpha-beta")
"""Those that need learned weights."""
SIMULATIONS = {"tree": 0, "td": 1}
CONFIDENCES = {"constant": 0, "variance": 1}
OUTCOMES = {"win": 0, "score": 1}
MOVES = {"legal": 0, "sensible": 1, "selected": 2}
ALLOCATIONS = {"tree-policy": 0, "equal": 1, "default-policy": 2}
EXPANSIONS = {"after": 0, "every": 1, "never": 2}
BIASES = {"constant": 0, "phase": 1}
KOMI = {"none": 0, "linear": 1, "value": 2}
_SOLVABLE = (("legal", "win", "tree-policy"), ("sensible", "win", "tree-policy"))
"""moves, outcome and allocation of searches that can prove something."""
CHOICES = {"final": ("value", "visits", "lower-bound"), "parallel": ("tree", "root", "leaf")}


@dataclass(frozen=True)
class SearchConfig:
    """The parts of a search and their parameters. The defaults are greedy MC–RAVE (Algorithm 2) without heuristic."""

    policy: str = "mogo"
    """default policy π beyond the tree: uniform, mogo (G&S11 §3.6), or from the learned value (G&S07 §5): rlgo-epsilon,
    rlgo-sigma, rlgo-tau; or drawn by urgency (B&C06 §III.C): zero, manual, rlpr, mogo-rlpr; or by the strengths of move
    features (Coulom 2007): boltzmann; or MoGo's with rules that are right about life and death: tactical"""
    randomness: float = 0.1
    """ε, σ or τ of a learned policy; σ = 0.15 in G&S07's Table 1"""
    weights: str = SHIPPED
    """θ of the learned value: shipped, none (all 0), or the path of a file that ShapeValue.save wrote"""
    urgencies: str = rlpr.SHIPPED
    """of rlpr, mogo-rlpr and the heuristic urgency: shipped (or the name of shipped ones), zero, manual, or the path of
    a file of `montego train indigo`"""
    strengths: str = strength_files.MM
    """of boltzmann and the heuristic strengths: mm-9x9, mm-13x13, mm-19x19, mm (one of them, by the size of the board),
    balanced-9x9, even, or the path of a file of `montego train mm` or `balance`"""

    rules: PlayoutRules = DEFAULT_RULES
    """of the policy tactical: how likely each rule is, by names such as rules.nakade"""
    read_up_to: int = MAX_SIZE
    """the largest board on which the policy tactical reads ladders (rules.ladder, rules.attack and rules.defend); on
    larger ones twice as many quick playouts may be worth more"""

    simulation: str = "tree"
    """what a simulation is: tree (SimTree and SimDefault, Algorithm 2), or td: TD search (G&S11 §3.4, RLGO 2.4), which
    goes on learning from games that start in the position. They begin ε-greedily in the learned value (ε: randomness)
    and end with the default policy; there is no tree. What is learned is kept from move to move, until the game ends"""
    alpha: float = 0.1
    """α: the step of TD search, divided by the number of active features"""
    plies: int = 2
    """of TD search: from a state to the one it learns from, 1 or 2 for the same side to move"""
    decay: float = 0.0
    """λ of TD search; 0: TD(0)"""
    greedy_plies: int = 6
    """moves of such a game that follow the learned value, before the default policy takes over"""

    schedule: str = "minimum-mse"
    """β, the weight of the AMAF value in Q⋆ = (1 − β)Q + βQ̃ (12): none (β = 0: no RAVE), rave (β = 1: AMAF only),
    hand-selected (19), minimum-mse for even positions (47), minimum-mse-46 with the position's own variance (46);
    or heuristic: simulations count for nothing, Q⋆ = H"""
    equivalence: float = 1000.0
    """k: simulations at which the hand-selected schedule gives both values equal weight; the paper's best is ≥ 1000"""
    bias: float = 0.0085
    """b̃: the constant bias of AMAF values in the minimum-MSE schedules; the paper tuned it and does not print it"""
    bias_by: str = "constant"
    """what b̃ goes with: constant, or phase: the opening, the middle game and the ending have more or less of it, as
    measured (see bias.py)"""
    amaf: str = "first-play"
    """which later moves count: first-play (first on its point by either colour, §4.3), same-colour (Algorithm 2),
    simulation (first since the root, G&S07)"""
    amaf_weight: str = "equal"
    """how much a later move counts in Ñ and W̃, the move made d moves after the state: equal (1, G&S11), linear
    (2(1 − d/D), D the moves to the end of the simulation: 2 for the next one, about 0 for the last; Fuego's weight of
    RAVE updates), exponential (½ every `amaf_half_life` moves)"""
    amaf_half_life: float = 50.0
    """moves after which a later move counts half as much, with exponential weights"""

    exploration: float = 0.0
    """c of the bonus c·√(ln N(s) / N(s,a)) (7) (18); √2 in G&W06; best 0 with RAVE (§5.2)"""
    exploration_after: int = 0
    """N(s) from which on a state has the bonus: few simulations need none (§5.2), very many may; 0: always"""
    bonus: str = "ucb1"
    """form of the bonus: ucb1, ucb1-tuned (Auer et al. 2002), ucb1-rave (with the AMAF count too, G&S07 §6)"""
    fpu: float = math.inf
    """first-play urgency: the value of a move with neither visits nor AMAF; inf tries all moves first; ≈ 1 in G&W06"""
    fpu_grandfather: bool = False
    """take the urgency of a move from its value two moves earlier where there is one (G&W06)"""
    neighbours: float = 0.0
    """weight of the mean value of neighbouring moves that is added to a move's own (G&W06: 1)"""

    allocation: str = "tree-policy"
    """which move of a node a simulation tries: the tree policy's, all in turn (equal), or the default policy's own
    (default-policy: moves are judged by AMAF alone)"""
    pruning: float = 0.0
    """progressive pruning at the root (Bouzy & Chaslot 2006 §III.B): a move is given up when its mean plus so many
    standard errors is below that of the best move less as many; 0: never"""
    pruning_after: int = 30
    """simulations of a move before it may be given up"""

    heuristic: str = "none"
    """H for the moves of new nodes (48)–(51): none, even, grandfather, handcrafted, rlgo (the learned value; §5.1),
    alpha-beta (the same some plies later, a pass being the last resort), evidence (several features, each with a value
    and a count), indigo (patterns, ladders and places, B&C06 §III.C), urgency (the share
    of a move in the urgencies of default policies drawn by them), strengths (its share in the strengths of the large
    set of features); a player also takes a HeuristicTable or a
    function of one's own"""
    depth: int = 1
    """plies that the heuristic alpha-beta looks ahead; with 1 it is greedy in the learned value"""
    prior_mc: float = 0.0
    """C: how many simulations H is worth in N(s,a); a factor where the heuristic has counts of its own"""
    prior_amaf: float = 50.0
    """C̃: the same for Ñ(s,a); the paper's M, best at 50 for its best heuristic"""
    confidence: str = "constant"
    """how C and C̃ go with the learned value of a move (heuristic rlgo): constant, or variance, which trusts values near
    0 and 1 more, as G&S07 §7 suggests; see heuristics.py"""

    progressive_bias: float = 0.0
    """w of the term w·H / (N(s,a) + 1) that is added to the value of a move (Chaslot et al. 2008); 0: none"""
    puct: float = 0.0
    """c of the term c·P(s,a)·√N(s) / (1 + N(s,a)) that is added to the value of a move, P being its share of the odds
    H / (1 − H) of all moves: the probability of the move if H comes from strengths (Rosin 2011, in the form of
    Silver et al. 2016); 0: none"""
    widening: float = 0.0
    """progressive widening (Coulom 2007): only the best moves by H are tried, the second after so many simulations of
    the state; 40 in the paper; 0: all moves are tried"""
    widening_growth: float = 1.4
    """how many times longer it takes from each move to the next; 1.4 in the paper, 1.3 in Chaslot et al. 2008"""
    widening_first: int = 1
    """how many moves are tried from the start; 5 in Chaslot et al. 2008"""
    criticality: float = 0.0
    """AMAF experience, all won, that a point on which the whole game hangs (c(p) = 1) gives a move of a new node, in
    simulations; c(p) is at most ½ (Coulom 2009; see criticality.py); 0: none. Pachi: 1.1 for each simulation at hand"""
    criticality_after: int = 2000
    """simulations of a position before its criticality is known well enough (Pachi)"""

    expand: str = "after"
    """new nodes: after `expand_after` visits; every state visited, playout included (G&S07); or never, which leaves
    the root alone: flat Monte-Carlo"""
    expand_after: int = 1
    """the visit of a state at which it becomes a node; 1 in the papers"""
    moves: str = "legal"
    """the moves of a node: all legal ones; the sensible ones, which fill no true eye of one's own; or those selected
    among them by the heuristic (B&C06 figure 2)"""
    select: int = 5
    """N_select: how many are selected; a pass is one more, where one of them is no better. The paper does not print it;
    on 9×9 with 500 and 2,000 simulations 5 is better than 10, and 10 than 20 and all"""
    max_weight: float = 0.0
    """backup: 0 mean outcome (6), 1 value of the best reply, between them an intermediate statistic (§2.4)"""
    outcome: str = "win"
    """z: win (1, ½, 0), or score, the lead on a scale where 0 and 1 stand for the whole board"""

    dynamic_komi: str = "none"
    """another komi while most of the game is to come (Baudiš 2011; see komi.py): none, linear (for a handicap), value
    (so that the value of the position stays within a band)"""
    komi_until: float = 0.5
    """moves, as a share of the points, from which on the komi is that of the rules; 200 of 361 in Pachi's linear one"""
    komi_per_stone: float = 7.0
    """of linear: points that a handicap stone is worth (Pachi)"""
    komi_low: float = 0.45
    """of value: below it, for the side to move, the next search has an easier komi (Baudiš 2011)"""
    komi_high: float = 0.5
    """of value: above it the next search has a harder one (Baudiš 2011)"""
    komi_step: int = 1
    """of value: points from one search to the next"""

    solver: bool = False
    """back up proven wins and losses (MCTS-Solver, Winands et al. 2008), under area rules: see proof.py"""

    final: str = "visits"
    """the move chosen in the end: highest value with c = 0 (Algorithms 1 and 2), most visits (the robust choice), or
    lower-bound: the highest lower confidence bound of Q (the secure child of Chaslot et al. 2008)"""
    final_errors: float = 2.0
    """of lower-bound: standard errors by which Q is lowered"""
    final_share: float = 0.1
    """of lower-bound: the part of the most visited move's visits without which a move is not chosen"""
    sharpness: float = 1.0
    """factor of a mean outcome's log-odds in what is told of how likely a win is: see winrate.py; 1: as it is"""
    reuse: bool = True
    """keep the subtree of the moves played since the last search; progressive pruning and TD search start anew"""
    parallel: str = "tree"
    """what threads share: one tree without locks, the roots' sums alone (root), or the playouts of a leaf (leaf)"""
    virtual_loss: int = 0
    """losses pretended along a line while a thread is on it, to spread the threads; 0: none"""
    memory: int = 512
    """MiB of nodes; at the cap the least visited nodes are pruned and the search goes on"""

    max_length: int = 0
    """moves after which a playout is cut off; 0: see PlayoutConfig"""
    mercy: int = 0
    """stones ahead at which a playout stops early; 0: never"""

    def __post_init__(self) -> None:
        self._check_words()
        self._check_numbers()
        if self.bonus == "ucb1-rave" and self.schedule in ("none",):
            raise ConfigError("bonus 'ucb1-rave' needs AMAF values; accepted with it: any schedule but none")
        if self.allocation == "default-policy" and self.schedule == "none":
            raise ConfigError("allocation 'default-policy' needs AMAF values; accepted with it: any schedule but none")
        if self.criticality > 0 and self.schedule in ("none", "heuristic"):
            raise ConfigError("criticality needs AMAF values; accepted with it: any schedule but none and heuristic")
        if self.moves == "selected" and self.heuristic == "none":
            raise ConfigError("moves 'selected' needs a heuristic to select by; accepted with it: any but none")
        if self.solver and (self.moves, self.outcome, self.allocation) not in _SOLVABLE:
            accepted = "moves legal or sensible, outcome win, allocation tree-policy"
            raise ConfigError(f"solver needs whole nodes and games won or lost; accepted with it: {accepted}")
        if self.keeps_prior and self.heuristic == "none":
            field = next(f for f in ("widening", "puct", "progressive_bias") if getattr(self, f))
            raise ConfigError(f"{field} needs a heuristic to go by; accepted with it: any but none, or {field}=0")
        if self.learns and (self.schedule, self.heuristic, self.depth) != ("heuristic", "alpha-beta", 1):
            accepted = "schedule heuristic, heuristic alpha-beta and depth 1"
            raise ConfigError(f"simulation 'td' is greedy in the end; accepted with it: {accepted}")

    @property
    def learns(self) -> bool:
        """Whether it is TD search."""
        return self.simulation == "td"

    @property
    def keeps_prior(self) -> bool:
        """Whether H stays with a node after it has been made."""
        return self.progressive_bias > 0 or self.puct > 0 or self.widening > 0

    def on(self, size: int) -> SearchConfig:
        """The same on boards of one size: what goes with the size is settled."""
        rules = self.rules if size <= self.read_up_to else self.rules.without_reading()
        strengths = strength_files.name_on(self.strengths, size)
        return replace(self, strengths=strengths, rules=rules, read_up_to=MAX_SIZE)

    @property
    def playouts(self) -> PlayoutConfig:
        """How a position is played out beyond the tree."""
        learned = (self.weights, self.urgencies, self.strengths)
        return PlayoutConfig(self.policy, self.max_length, self.mercy, self.randomness, *learned, self.rules)

    @property
    def uses_weights(self) -> bool:
        """Whether a part of it needs learned weights."""
        return self.policy in LEARNED or self.heuristic in LEARNED_HEURISTICS or self.learns

    @property
    def uses_urgencies(self) -> bool:
        """Whether a part of it beside the policy needs urgencies."""
        return self.heuristic == "urgency"

    @property
    def uses_strengths(self) -> bool:
        """Whether a part of it beside the policy needs strengths."""
        return self.heuristic == "strengths"

    def _check_words(self) -> None:
        accepted: dict[str, Any] = {
            "policy": PLAYOUTS,
            "simulation": SIMULATIONS,
            "schedule": SCHEDULES,
            "bonus": BONUSES,
            "amaf": AMAF,
            "amaf_weight": AMAF_WEIGHTS,
            "heuristic": HEURISTICS,
            "confidence": CONFIDENCES,
            "outcome": OUTCOMES,
            "moves": MOVES,
            "dynamic_komi": KOMI,
            "bias_by": BIASES,
            "allocation": ALLOCATIONS,
            "expand": EXPANSIONS,
            **CHOICES,
        }
        for field, words in accepted.items():
            value = getattr(self, field)
            if not isinstance(value, str) or value not in words:
                raise ConfigError(f"{field} is {shown(value)}; accepted: {', '.join(words)}")
        for field in ("fpu_grandfather", "reuse", "solver"):
            if not isinstance(getattr(self, field), bool):
                raise ConfigError(f"{field} is {shown(getattr(self, field))}; accepted: true or false")
        if not isinstance(self.rules, PlayoutRules):
            raise ConfigError(f"rules is {shown(self.rules)}; accepted: PlayoutRules, or names such as rules.nakade")
        if not isinstance(self.weights, str) or not self.weights:
            raise ConfigError(f"weights is {shown(self.weights)}; accepted: {SHIPPED}, {NONE}, or the path of a file")
        if not isinstance(self.urgencies, str) or not self.urgencies:
            known = ", ".join((rlpr.SHIPPED, rlpr.ZERO, rlpr.MANUAL))
            raise ConfigError(f"urgencies is {shown(self.urgencies)}; accepted: {known}, or the path of a file")
        if not isinstance(self.strengths, str) or not self.strengths:
            raise ConfigError(f"strengths is {shown(self.strengths)}; accepted: {STRENGTHS}")

    def _check_numbers(self) -> None:
        ranges = {
            "randomness": randomness_range(self.policy) if self.simulation != "td" else (0.0, 1.0),
            "alpha": (0.0, 10.0),
            "decay": (0.0, 1.0),
            "equivalence": (0.0, 1e12),
            "bias": (0.0, 10.0),
            "amaf_half_life": (4.0, 1e6),
            "exploration": (0.0, 1e6),
            "sharpness": (0.1, 20.0),
            "final_errors": (0.0, 1e6),
            "final_share": (0.0, 1.0),
            "fpu": (0.0, math.inf),
            "neighbours": (0.0, 1e6),
            "prior_mc": (0.0, 1e9),
            "prior_amaf": (0.0, 1e9),
            "max_weight": (0.0, 1.0),
            "pruning": (0.0, 1e6),
            "criticality": (0.0, 1e9),
            "progressive_bias": (0.0, 1e6),
            "puct": (0.0, 1e6),
            "komi_until": (0.0, 0.6),
            "komi_per_stone": (0.0, 100.0),
            "komi_low": (0.0, 1.0),
            "komi_high": (0.0, 1.0),
            "widening": (0.0, 1e9),
            "widening_growth": (1.0, 1e6),
        }
        for field, (low, high) in ranges.items():
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
                raise ConfigError(f"{field} is {shown(value)}; accepted: a number from {low:g} to {high:g}")
        if self.equivalence == 0:
            raise ConfigError("equivalence is 0; accepted: a number above 0")
        wholes = {
            "plies": (1, 2),
            "greedy_plies": (1, (1 << 31) - 1),
            "depth": (1, DEEPEST),
            "expand_after": (1, 1 << 30),
            "exploration_after": (0, 1 << 50),
            "criticality_after": (0, 1 << 50),
            "komi_step": (1, 100),
            "widening_first": (1, MAX_SIZE**2 + 1),
            "select": (1, MAX_SIZE**2),
            "read_up_to": (0, MAX_SIZE),
            "virtual_loss": (0, 1000),
            "pruning_after": (2, 1 << 30),
            "memory": (1, 1 << 20),
            "max_length": (0, (1 << 31) - 1),
            "mercy": (0, (1 << 31) - 1),
        }
        for field, (least, most) in wholes.items():
            value = getattr(self, field)
            if not is_whole(value) or not least <= value <= most:
                raise ConfigError(f"{field} is {shown(value)}; accepted: a whole number from {least} to {most}")


TOLD_ONLY = ("sharpness",)
"""Fields that change what is told, not what is played."""
FIELDS = {field.name: field for field in fields(SearchConfig)}


def described(config: SearchConfig) -> dict[str, Any]:
    """The fields, as JSON can hold them."""
    return {field: repr(value) if value == math.inf else value for field, value in told(asdict(config)).items()}
