"""Playouts for people: many at once with their statistics, or one with its trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from montego._jit import address_of
from montego.go.errors import PolicyError, is_whole, shown
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.patterns import learned as rlpr
from montego.patterns import strength_files
from montego.patterns.mogo import mogo_flags
from montego.playout.loop import TABLES_DTYPE, first_plays, longest, run_playouts, work_dtype
from montego.playout.parts import LEARNED, PLAYOUTS, RULED, STRONG, URGENT, randomness_range
from montego.playout.policies import RULES, UNIFORM, mogo_rule
from montego.playout.reasons import Reason
from montego.playout.rules import DEFAULT_RULES, PlayoutRules, lend_rules
from montego.playout.strengths import new_strength_memories
from montego.playout.urgencies import new_urgency_memories
from montego.rng import stream
from montego.shape.memory import new_memories
from montego.shape.shipped import NONE, SHIPPED, fingerprint, weights_of

BATCH = 1_000_000
"""Points' worth of playouts (12,000 of 9×9) between two chances to interrupt with Ctrl-C."""
STRENGTHS = f"{', '.join(strength_files.NAMES)}, or the path of a file"
"""What `strengths` may be."""
LEARNED_COST = 40
"""How much longer a playout with a learned policy takes, about."""


@dataclass(frozen=True)
class PlayoutConfig:
    """How a position is played out. The defaults are the reference mode: games are played to the very end."""

    policy: str = "mogo"
    """default policy π: uniform, mogo (MoGo's rules, G&S11 §3.6), or from the learned value Q (G&S07 §5): rlgo-epsilon
    (greedy but for a share ε of random moves), rlgo-sigma (argmax of Q + N(0, σ²)), rlgo-tau (softmax of Q/τ); or
    drawn by urgency, as in Indigo (B&C06 §III.C): zero (all equal), manual (an expert's), rlpr (learned);
    or mogo-rlpr, MoGo's rules with learned urgencies in the place of its patterns; or boltzmann, drawn by the strengths
    of move features (Coulom 2007)"""
    max_length: int = 0
    """moves after which a playout is cut off; 0: only where a cycle would never end (see loop.longest)"""
    mercy: int = 0
    """stones on the board that one colour must be ahead to stop early; 0: never"""
    randomness: float = 0.1
    """ε, σ or τ of a learned policy; σ = 0.15 in G&S07's Table 1"""
    weights: str = SHIPPED
    """θ behind a learned policy: shipped, none (all 0), or the path of a file that ShapeValue.save wrote"""
    urgencies: str = rlpr.SHIPPED
    """what rlpr has learned: shipped, or the path of a file of `montego train indigo`; also zero, manual"""
    strengths: str = strength_files.MM
    """γ of boltzmann's features: mm-9x9, mm-13x13, mm-19x19, mm (by the size of the board), balanced-9x9, even (all 1),
    or the path of a file of `montego train mm` or `balance`"""
    rules: PlayoutRules = DEFAULT_RULES
    """of the policy tactical: how likely each rule is"""

    def __post_init__(self) -> None:
        if not isinstance(self.policy, str) or self.policy not in PLAYOUTS:
            raise PolicyError(f"there is no policy {shown(self.policy)}; accepted: {', '.join(PLAYOUTS)}")
        for field in ("max_length", "mercy"):
            value = getattr(self, field)
            if not is_whole(value) or not 0 <= value < 1 << 31:
                raise PolicyError(f"{field} is {shown(value)}; accepted: a whole number from 0 (off)")
        value, (least, most) = self.randomness, randomness_range(self.policy)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            accepted = f"a number from {least:g} to {most:g} for the policy {self.policy}"
            raise PolicyError(f"randomness is {shown(value)}; accepted: {accepted}")
        if not isinstance(self.weights, str) or not self.weights:
            raise PolicyError(f"weights is {shown(self.weights)}; accepted: {SHIPPED}, {NONE}, or the path of a file")
        if not isinstance(self.urgencies, str) or not self.urgencies:
            known = ", ".join((rlpr.SHIPPED, rlpr.ZERO, rlpr.MANUAL))
            raise PolicyError(f"urgencies is {shown(self.urgencies)}; accepted: {known}, or the path of a file")
        if not isinstance(self.strengths, str) or not self.strengths:
            raise PolicyError(f"strengths is {shown(self.strengths)}; accepted: {STRENGTHS}")


@dataclass(frozen=True)
class PlayoutSummary:
    """What many playouts of one position came to. Leads are Black's area less White's, komi left out."""

    playouts: int
    mean_length: float
    """moves a playout, the two final passes included"""
    mean_lead: float
    lead_deviation: float
    """standard deviation of the lead"""
    black_wins: float
    """share won by Black, komi and handicap bonus counted; a draw is half a win"""
    reasons: dict[Reason, int] | None
    """moves by the rule that chose them, if asked for"""
    ownership: np.ndarray[Any, np.dtype[np.float64]] | None
    """by row and column, +1 always Black's … −1 always White's, if asked for"""


@dataclass(frozen=True)
class TracedMove:
    colour: int
    vertex: str
    reason: Reason


@dataclass(frozen=True)
class PlayoutTrace:
    """One playout, move by move."""

    moves: list[TracedMove]
    lead: int
    """Black's area less White's at the end"""
    first_plays: dict[str, int]
    """which colour first played on each vertex"""


@cache
def tables() -> np.ndarray[Any, Any]:
    """The tables every policy reads, as an array of one record."""
    made = np.zeros(1, TABLES_DTYPE)
    made[0].facts[:] = mogo_flags()
    return made


def new_work(size: int, config: PlayoutConfig, seed: int, index: int = 0) -> Any:
    """The working record of one stream of playouts. A learned policy needs a memory too: see `lend_memories`."""
    if not isinstance(config, PlayoutConfig):
        raise PolicyError(f"{shown(config)} is not a playout configuration; accepted: a PlayoutConfig")
    if not is_whole(seed):
        raise PolicyError(f"seed {shown(seed)}; accepted: a whole number")
    work = np.zeros(1, work_dtype(size))[0]
    work.rng = stream(seed, index)
    work.policy = RULES.get(config.policy, UNIFORM)
    work.max_length = min(config.max_length or longest(size), longest(size))
    work.mercy = config.mercy
    return work


def lend_memories(
    works: Sequence[Any],
    size: int,
    config: PlayoutConfig,
    weights: bool = False,
    urgencies: bool = False,
    strengths: bool = False,
) -> list[Any]:
    """Give each working record what its policy has learned; weights, urgencies or strengths also if somebody else needs
    them.
    It has but their addresses: what is returned must outlive it.
    """
    kept = []
    if weights or config.policy in LEARNED:
        kept.append(new_memories(weights_of(config.weights, size), size, len(works), config.randomness))
        for i, work in enumerate(works):
            work.memory = kept[-1][i : i + 1].ctypes.data
    if urgencies or config.policy in URGENT:
        kept.append(new_urgency_memories(rlpr.urgencies_of(_table(config), size), size, len(works)))
        for i, work in enumerate(works):
            work.urgencies = kept[-1][i : i + 1].ctypes.data
    if config.policy in RULED:
        kept.append(lend_rules(works, size, config.rules))
    if strengths or config.policy in STRONG:
        kept.append(new_strength_memories(strength_files.strengths_of(config.strengths, size), size, len(works)))
        for i, work in enumerate(works):
            work.strengths = kept[-1][i : i + 1].ctypes.data
    return kept


def _table(config: PlayoutConfig) -> str:
    return rlpr.MANUAL if config.policy == "manual" else config.urgencies


def fingerprints(
    config: PlayoutConfig, weights: bool = False, urgencies: bool = False, strengths: bool = False
) -> dict[str, str]:
    """What names the learned numbers that `lend_memories` lends: it goes into records of games."""
    made = {"weights": fingerprint(config.weights)} if weights or config.policy in LEARNED else {}
    if urgencies or config.policy in URGENT:
        made["urgencies"] = rlpr.fingerprint(_table(config))
    if strengths or config.policy in STRONG:
        made["strengths"] = strength_files.fingerprint(config.strengths)
    return made


def _prepared(game: Game, config: PlayoutConfig | None, seed: int) -> tuple[Any, Any, Any]:
    """The kernel of a policy, a working record for it, and the memories it reads."""
    config = PlayoutConfig() if config is None else config
    work = new_work(game.size, config, seed)
    return PLAYOUTS[config.policy], work, lend_memories([work], game.size, config)


def simulate(
    game: Game,
    count: int = 1000,
    config: PlayoutConfig | None = None,
    seed: int = 0,
    reasons: bool = False,
    ownership: bool = False,
) -> PlayoutSummary:
    """Play the game's position out `count` times; the same seed gives the same playouts."""
    if not is_whole(count) or not 1 <= count < 1 << 40:
        raise PolicyError(f"{shown(count)} playouts; accepted: a whole number from 1")
    playout, work, _memory = _prepared(game, config, seed)
    work.komi = game.komi + game.rules.handicap_bonus(game.handicap)
    work.tracing = int(reasons)
    boards = np.repeat(game.board, 2)
    totals = np.zeros(5, np.int64)
    owned = np.zeros(len(boards[0].colour) if ownership else 0, np.int64)
    by_reason = np.zeros(max(Reason) + 1 if reasons else 0, np.int64)
    start, batch = np.uint64(game.to_play), max(1, BATCH // game.size**2 // (LEARNED_COST if work.memory else 1))
    part = address_of(playout, boards[0], work, tables()[0], start)
    for done in range(0, int(count), batch):
        run_playouts(part, boards, work, tables()[0], min(batch, int(count) - done), start, totals, owned, by_reason)
    length, lead, squares, wins, losses = (float(total) for total in totals)
    return PlayoutSummary(
        playouts=int(count),
        mean_length=length / count,
        mean_lead=lead / count,
        lead_deviation=max(0.0, squares / count - (lead / count) ** 2) ** 0.5,
        black_wins=(wins + (count - wins - losses) / 2) / count,
        reasons={reason: int(by_reason[reason]) for reason in Reason} if reasons else None,
        ownership=(owned[geometry(game.size).points] / count).reshape(game.size, game.size) if ownership else None,
    )


def trace(game: Game, config: PlayoutConfig | None = None, seed: int = 0) -> PlayoutTrace:
    """Play the game's position out once and keep every move with its reason."""
    playout, work, _memory = _prepared(game, config, seed)
    work.tracing = 1
    board, start, names = game.board[0], np.uint64(game.to_play), geometry(game.size)
    lead = int(playout(board, work, tables()[0], start))
    first = np.zeros(len(board.colour), np.uint8)
    first_plays(work, start, first)
    moves = []
    for i in range(int(work.length)):
        colour = game.to_play if i % 2 == 0 else 3 - game.to_play
        moves.append(TracedMove(colour, names.vertex(int(work.moves[i])), Reason(int(work.reasons[i]))))
    return PlayoutTrace(moves, lead, {names.vertex(int(p)): int(first[p]) for p in names.points if first[p]})


def mogo_candidates(game: Game) -> tuple[Reason, list[str]]:
    """The rule of MoGo's that fires for the side to move, and the moves it chooses among.

    As in a playout: with simple ko and without suicide, whatever the game's own rules.
    """
    board, work, names = game.board[0], new_work(game.size, PlayoutConfig(), 0), geometry(game.size)
    reason, count = mogo_rule(board, work, tables()[0], np.uint64(game.to_play))
    return Reason(int(reason)), sorted(names.vertex(int(p)) for p in work.candidates[: int(count)])
