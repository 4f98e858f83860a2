"""MC–RAVE in plain Python, slow and obvious: Algorithm 2 of Gelly & Silver 2011 line by line, with dictionaries.

A state is the sequence of moves since the root; 0 is the pass. Values are Black's: Black maximises, White minimises.
The moves of the game and the default policy are the package's own, tested elsewhere; of its tree nothing is used.
What the paper leaves open is settled as in EQUATIONS.md: the first play on a point, ties, empty counts, passes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from math import inf, log, sqrt
from typing import Any

import numpy as np

import mogo_oracle as oracle
import reference
from montego.go.board import pass_turn, play
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.go.tactics import is_legal
from montego.playout.parts import PLAYOUTS
from montego.playout.policies import mogo_rule
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.rng import advance, below
from montego.search.config import SearchConfig

PASS, BLACK, WHITE = 0, 1, 2
TIE = 1e-9

Line = tuple[int, ...]


@dataclass
class Node:
    """What is known of the moves of a state."""

    legal: list[int]
    visits: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    n: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    q: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    amaf_n: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    amaf_q: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    total: float = 0.0
    prior: dict[int, float] = field(default_factory=dict)
    ranking: list[int] = field(default_factory=list)
    """moves by H, best first, if they are tried in that order"""


class McRave:
    def __init__(self, game: Game, config: SearchConfig, seed: int) -> None:
        self.game, self.config = game, config
        self.komi = game.komi + game.rules.handicap_bonus(game.handicap)
        self.names = geometry(game.size)
        self.work = new_work(game.size, PlayoutConfig(config.policy), seed)
        self.work.tracing = 1
        self.seen = positions(game)
        self.struck = 0
        """moves taken out of nodes because of superko"""
        self.proof: dict[Line, int] = {}
        """who is proven to win a state"""
        self.finals: list[tuple[dict[int, int], int]] = []
        """of every simulation: who owned what, and who won (+1, −1, 0)"""
        self.critical: dict[int, float] = {}
        self.tree: dict[Line, Node] = {}
        self.new_node((), game.board[0], game.to_play)
        self.tree[()].legal = [a for a in self.tree[()].legal if a == PASS or game.is_legal(self.names.vertex(a))]
        self.is_new = True

    # --- procedures of Algorithm 2, in its order -----------------------------------------------------------------

    def simulate(self) -> None:
        boards = self.game.board
        states, actions, passes = self.sim_tree(boards)
        later, z = self.sim_default(boards[0], len(actions), passes)
        if self.config.solver and passes == 2 and z != 0.5:
            self.prove(actions, BLACK if z == 1 else WHITE)
        self.backup(states, actions + later, z)
        if self.config.criticality > 0:
            self.finals.append((self.owners(boards[0]), int(np.sign(2 * z - 1))))
            if len(self.finals) >= self.config.criticality_after and len(self.finals) % 64 == 0:
                self.critical = self.criticality()

    def prove(self, actions: list[int], winner: int) -> None:
        """The game is over after these moves: look at every state before, the last one first."""
        self.proof[tuple(actions)] = winner
        for t in range(len(actions) - 1, -1, -1):
            s, mover = tuple(actions[:t]), self.to_play(t)
            replies = {self.proof.get((*s, a)) for a in self.tree[s].legal}
            if mover in replies:
                self.proof[s] = mover
            elif replies == {3 - mover}:
                self.proof[s] = 3 - mover

    def criticality(self) -> dict[int, float]:
        """By point: P(owner wins) − [P(B owns)·P(B wins) + P(W owns)·P(W wins)]; a draw is half a win for both."""
        wins = {colour: np.mean([(1 + colour * winner) / 2 for _, winner in self.finals]) for colour in (1, -1)}
        found = {}
        for p in self.finals[0][0]:
            owned = [(owners[p], winner) for owners, winner in self.finals]
            owner_wins = np.mean([(1 + owner * winner) / 2 if owner else 0 for owner, winner in owned])
            chance = sum(np.mean([owner == colour for owner, _ in owned]) * wins[colour] for colour in (1, -1))
            found[p] = float(owner_wins - chance)
        return found

    def sim_default(self, board: Any, t: int, passes: int) -> tuple[list[int], float]:
        if passes == 2:
            return [], self.black_wins(self.area_lead(board))
        self.work.passes = passes
        lead = PLAYOUTS[self.config.policy](board, self.work, tables()[0], np.uint64(self.to_play(t)))
        return [int(a) for a in self.work.moves[: int(self.work.length)]], self.black_wins(int(lead))

    def sim_tree(self, boards: Any) -> tuple[list[Line], list[int], int]:
        """The states that are in the tree now, and the moves made in them but for a new one's, which are to come."""
        states, actions, passes = [], [], min(1, self.game.passes)
        board, met = boards[0], {self.situation(boards[0], self.game.to_play)}
        while passes < 2:
            s, colour = tuple(actions), self.to_play(len(actions))
            if s not in self.tree:
                if self.tree[s[:-1]].visits[s[-1]] + 1 < self.config.expand_after:
                    break
                self.new_node(s, board, colour)
                states.append(s)
                break
            if sum(self.tree[s].visits.values()) == 0:  # the root, in the first simulation
                states.append(s)
                break
            a = self.select_move(s, colour)
            if a == PASS:
                pass_turn(board)
            else:
                tried = boards.copy()
                play(tried[0], np.uint64(a), np.uint64(colour))
                if self.is_repeated(self.situation(tried[0], 3 - colour), met):
                    self.tree[s].legal.remove(a)
                    self.struck += 1
                    continue
                boards[:] = tried
            met.add(self.situation(board, 3 - colour))
            states.append(s)
            actions.append(a)
            passes = passes + 1 if a == PASS else 0
        return states, actions, passes

    def select_move(self, s: Line, colour: int) -> int:
        legal, sign = self.tree[s].legal, 1 if colour == BLACK else -1
        won = [a for a in legal if self.proof.get((*s, a)) == colour]
        legal = won or [a for a in legal if self.proof.get((*s, a)) != 3 - colour] or legal
        if self.config.widening > 0:
            node = self.tree[s]
            count = self.tried(sum(node.visits.values()))
            allowed = [a for a in node.ranking[:count] if a in legal] or [a for a in node.ranking if a in legal][:1]
            legal = [a for a in legal if a in allowed]
        values = [inf if won else sign * self.eval(s, a, sign) for a in legal]
        ties = [a for a, value in zip(legal, values, strict=True) if value >= max(values) - TIE]
        if len(ties) == 1:
            return ties[0]
        chosen = ties[int(below(self.work.rng, np.uint64(len(ties))))]
        self.work.rng = advance(self.work.rng)
        return chosen

    def tried(self, simulations: int) -> int:
        """The number of moves n with t_n ≤ simulations; t_1 = … = t_first = 0, then t_{n+1} = t_n + base·growthⁿ."""
        config = self.config
        due = [0.0] * config.widening_first
        for n in range(400):
            due.append(due[-1] + config.widening * config.widening_growth**n)
        return sum(t <= simulations for t in due)

    def eval(self, s: Line, a: int, sign: int) -> float:
        """Black's value of a move: Q⋆, with the bonus of the side to move."""
        node, config = self.tree[s], self.config
        if config.progressive_bias > 0:
            plain = replace(config, progressive_bias=0.0)
            self.config = plain
            value = self.eval(s, a, sign)
            self.config = config
            return value + sign * config.progressive_bias * node.prior[a] / (node.n[a] + 1)
        if config.puct > 0:
            self.config = replace(config, puct=0.0)
            value = self.eval(s, a, sign)
            self.config = config
            odds = {b: h / max(1 - h, 1e-3) for b, h in node.prior.items()}
            share = odds[a] / max(sum(odds.values()), 1e-3)
            return value + sign * config.puct * share * sqrt(node.total) / (node.n[a] + 1)
        n, amaf_n = node.n[a], node.amaf_n[a] if config.schedule != "none" else 0.0
        if n == 0 and amaf_n == 0:
            return config.fpu if sign == 1 else 1 - config.fpu
        beta = self.beta(n, amaf_n, node.total)
        value = (1 - beta) * node.q[a] + beta * node.amaf_q[a]
        if config.exploration > 0 and node.total >= config.exploration_after:
            value += sign * config.exploration * sqrt(log(max(node.total, 1)) / max(n, 1))
        return value

    def beta(self, n: float, amaf_n: float, total: float) -> float:
        config = self.config
        if amaf_n == 0:
            return 0.0
        if n == 0 or config.schedule == "rave":
            return 1.0
        if config.schedule == "hand-selected":
            return sqrt(config.equivalence / (3 * total + config.equivalence))
        assert config.schedule == "minimum-mse"
        return amaf_n / (n + amaf_n + 4 * n * amaf_n * config.bias**2)

    def backup(self, states: list[Line], actions: list[int], z: float) -> None:
        for t, s in enumerate(states):
            node, a = self.tree[s], actions[t]
            node.visits[a] += 1
            node.total += 1
            node.n[a] += 1
            node.q[a] += (z - node.q[a]) / node.n[a]
            if self.config.schedule == "none":
                continue
            for u in range(t, len(actions), 2):
                if actions[u] in node.legal and self.is_first(actions, t, u):
                    weight = self.weight(u - t, len(actions) - t)
                    node.amaf_n[actions[u]] += weight
                    node.amaf_q[actions[u]] += (z - node.amaf_q[actions[u]]) * weight / node.amaf_n[actions[u]]

    def weight(self, distance: int, length: int) -> float:
        """How much a later move counts: `length` moves are made from the state to the end."""
        if self.config.amaf_weight == "linear":
            return 2 * (1 - distance / length)
        return 0.5 ** (distance / self.config.amaf_half_life) if self.config.amaf_weight == "exponential" else 1.0

    def is_first(self, actions: list[int], t: int, u: int) -> bool:
        if actions[u] == PASS:  # no play on a point: the first of its own side
            return PASS not in actions[t:u:2]
        before = {"first-play": actions[t:u], "same-colour": actions[t:u:2], "simulation": actions[:u]}
        return actions[u] not in before[self.config.amaf]

    def new_node(self, s: Line, board: Any, colour: int) -> None:
        points = sorted(int(p) for p in board.empty[: int(board.empty_count)])
        node = Node([PASS] + [p for p in points if is_legal(board, np.uint64(p), np.uint64(colour))])
        self.tree[s] = node
        if self.config.heuristic != "none":
            node.prior = self.heuristic(s, board, colour, node.legal)
            for a, h in node.prior.items():
                node.q[a] = node.amaf_q[a] = h if colour == BLACK else 1 - h
                node.n[a], node.amaf_n[a] = self.config.prior_mc, self.config.prior_amaf
            node.total = sum(node.n.values())
        if self.config.keeps_prior:
            keys = {}
            for a in node.legal:  # ties are broken by a number drawn for each move
                keys[a] = node.prior[a] + 1e-9 * int(self.work.rng) / 2**64
                self.work.rng = advance(self.work.rng)
            node.ranking = sorted(node.legal, key=lambda a: -keys[a])
        if self.config.criticality > 0:
            for a in node.legal:
                count = self.config.criticality * max(self.critical.get(a, 0.0), 0.0)
                if count > 0:
                    node.amaf_n[a] += count
                    node.amaf_q[a] += ((1 if colour == BLACK else 0) - node.amaf_q[a]) * count / node.amaf_n[a]

    # --- heuristics: H(s,a) for the side to move ------------------------------------------------------------------

    def heuristic(self, s: Line, board: Any, colour: int, legal: list[int]) -> dict[int, float]:
        if self.config.heuristic == "even":
            return dict.fromkeys(legal, 0.5)
        if self.config.heuristic == "grandfather":
            older = self.tree[s[:-2]] if len(s) >= 2 else Node([])
            values = {a: older.q[a] if older.n[a] > 0 else 0.5 for a in legal}
            return {a: q if colour == BLACK or older.n[a] == 0 else 1 - q for a, q in values.items()}
        assert self.config.heuristic == "handcrafted"
        return self.handcrafted(board, colour, legal)

    def handcrafted(self, board: Any, colour: int, legal: list[int]) -> dict[int, float]:
        grid, last, ko = self.grid(board), self.place(int(board.last)), self.place(int(board.ko))
        rule, moves = oracle.rule_and_moves(grid, last, colour, ko)
        values = {}
        for a in legal:
            point = self.place(a)
            if point is None:
                values[a] = 1.0 if rule == "PASS" else 0.0
            elif rule != "RANDOM" and point in moves:
                values[a] = 1.0
            else:
                bad = oracle.is_true_eye(grid, point, colour) or is_bad_self_atari(grid, point, colour)
                values[a] = 0.0 if bad else 0.5
        # To look for captures tidies up the board's list of chains in atari, whose order the playout's draws depend on.
        mogo_rule(board, self.work.copy(), tables()[0], np.uint64(colour))
        return values

    # --- the board -----------------------------------------------------------------------------------------------

    def to_play(self, t: int) -> int:
        return self.game.to_play if t % 2 == 0 else 3 - self.game.to_play

    def grid(self, board: Any) -> oracle.Grid:
        found: oracle.Grid = board.colour[self.names.points].reshape(self.game.size, -1).tolist()
        return found

    def place(self, point: int) -> oracle.Point | None:
        return self.names.row_column(point) if point else None

    def situation(self, board: Any, to_play: int) -> tuple[bytes, int]:
        return board.colour.tobytes(), to_play

    def is_repeated(self, situation: tuple[bytes, int], line: set[tuple[bytes, int]]) -> bool:
        seen = self.seen | line
        if self.game.rules.ko == "POSITIONAL":
            return situation[0] in {stones for stones, _ in seen}
        return self.game.rules.ko == "SITUATIONAL" and situation in seen

    def owners(self, board: Any) -> dict[int, int]:
        """By point +1 for Black, −1 for White: a stone, or an empty point that stones of one colour alone touch."""
        grid, size, found = self.grid(board), self.game.size, {}
        for p in self.names.points:
            r, c = self.names.row_column(int(p))
            beside = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            seen = {grid[y][x] for y, x in beside if 0 <= y < size and 0 <= x < size} - {0}
            owner = grid[r][c] or (seen.pop() if len(seen) == 1 else 0)
            found[int(p)] = {0: 0, BLACK: 1, WHITE: -1}[owner]
        return found

    def area_lead(self, board: Any) -> int:
        size = self.game.size
        stones = {(r, c): stone for r, row in enumerate(self.grid(board)) for c, stone in enumerate(row)}
        position = reference.Position(size, stones)
        black, white = (position.count(colour) + position.surrounded(colour) for colour in (BLACK, WHITE))
        return black - white

    def black_wins(self, lead: float) -> float:
        return 0.5 if lead == self.komi else float(lead > self.komi)


def is_bad_self_atari(grid: oracle.Grid, point: oracle.Point, colour: int) -> bool:
    """A single liberty left, or none, and nothing taken."""
    played = oracle.after(grid, point, colour)
    taken = sum(row.count(3 - colour) for row in grid) - sum(row.count(3 - colour) for row in played)
    return taken == 0 and len(oracle.liberties_of(played, oracle.chain_of(played, point))) <= 1


def positions(game: Game) -> set[tuple[bytes, int]]:
    """Every position of a game since the last setup and who was to move, found by taking moves back."""
    past, found = game.copy(), set()
    while True:
        found.add((past.board[0].colour.tobytes(), past.to_play))
        if not past.moves:
            return found
        past.undo()


assert inf - TIE == inf
