"""Presets: every program is a frozen record that names its parts and their parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from montego.go.errors import ConfigError, shown
from montego.patterns.strength_files import BALANCED, BY_SIZE
from montego.players.spec import changed
from montego.playout.rules import MOGO_RULES
from montego.search.config import SearchConfig


@dataclass(frozen=True)
class Preset:
    name: str
    paper: str
    summary: str
    config: SearchConfig


_MOGO_2006 = SearchConfig(
    policy="mogo", schedule="none", exploration=1.0, bonus="ucb1-tuned", fpu=1.1, final="visits", reuse=False
)

_RLGO = SearchConfig(
    schedule="heuristic", heuristic="alpha-beta", expand="never", moves="sensible", final="value", reuse=False
)

_FLAT = SearchConfig(
    policy="uniform",
    schedule="none",
    allocation="equal",
    expand="never",
    pruning=2.0,
    outcome="score",
    final="value",
    moves="sensible",
    reuse=False,
)

_INDIGO = replace(_FLAT, heuristic="indigo", moves="selected", prior_amaf=0.0)

_ALL = (
    Preset(
        "mc-flat",
        "Bouzy & Chaslot 2006 §III.B",
        "Monte-Carlo without a tree: mean scores of random games, hopeless moves pruned on the way",
        _FLAT,
    ),
    Preset(
        "mc-amaf",
        "Gelly & Silver 2011 §4.1",
        "Monte-Carlo without a tree: all moves of a random game count as if played first",
        SearchConfig(
            policy="uniform",
            schedule="rave",
            allocation="default-policy",
            expand="never",
            outcome="score",
            final="value",
            moves="sensible",
            reuse=False,
        ),
    ),
    Preset(
        "indigo-2002",
        "Bouzy & Chaslot 2006 §III.C",
        "greedy play by knowledge: urgencies of patterns, strings read to the end of their ladders, good places",
        replace(_RLGO, heuristic="indigo"),
    ),
    Preset(
        "indigo-2003",
        "Bouzy & Chaslot 2006 §III.C, MC(Manual)",
        "Monte-Carlo among the moves that knowledge selects, pseudo-random games with an expert's urgencies",
        replace(_INDIGO, policy="manual"),
    ),
    Preset(
        "indigo-rl",
        "Bouzy & Chaslot 2006 §V, MC(RLPR)",
        "the same with urgencies learned by reinforcement",
        replace(_INDIGO, policy="rlpr"),
    ),
    Preset(
        "uct-random",
        "Gelly & Silver 2011 §2.5",
        "UCT with uniformly random playouts",
        SearchConfig(policy="uniform", schedule="none", exploration=1.0, final="visits", reuse=False),
    ),
    Preset(
        "mogo-2006",
        "Gelly & Wang 2006",
        "UCT with MoGo's playouts and first-play urgency",
        _MOGO_2006,
    ),
    Preset(
        "mogo-rave",
        "Gelly & Silver 2007 §6, 2011 §4.5",
        "UCT–RAVE as of 2007: hand-selected schedule, exploration of both values",
        SearchConfig(
            schedule="hand-selected", equivalence=1000.0, bonus="ucb1-rave", exploration=0.3, fpu=1.0, reuse=False
        ),
    ),
    Preset(
        "mogo-2007",
        "Gelly & Silver 2011 §4.6, §5",
        "heuristic MC–RAVE: minimum-MSE schedule and handcrafted heuristic",
        SearchConfig(schedule="minimum-mse", heuristic="handcrafted", prior_amaf=10.0, fpu=1.0, reuse=False),
    ),
    Preset(
        "mogo-rlgo",
        "Gelly & Silver 2007 §7, 2011 §5.1",
        "heuristic MC–RAVE with RLGO's value function, learned from self-play, in new nodes",
        SearchConfig(schedule="minimum-mse", heuristic="rlgo", prior_amaf=50.0, fpu=1.0, reuse=False),
    ),
    Preset(
        "rlgo-1.0",
        "Gelly & Silver 2007 §4, 2011 §3.4",
        "greedy play by the value function learned from self-play; simulations only tell who owns what",
        _RLGO,
    ),
    Preset(
        "rlgo-alpha-beta",
        "Gelly & Silver 2007 §4",
        "the same value function at the leaves of a full-width search of three plies",
        replace(_RLGO, depth=3),
    ),
    Preset(
        "rlgo-2.4",
        "Gelly & Silver 2011 §3.4; Silver, Sutton & Müller 2012",
        "TD search: the value function goes on learning from simulated games, with permanent and transient memory",
        replace(_RLGO, simulation="td"),
    ),
    Preset(
        "crazystone-2007",
        "Coulom 2007",
        "UCT with playouts drawn by the strengths of move features, learned from games by minorisation–maximisation",
        SearchConfig(
            policy="boltzmann",
            strengths=BY_SIZE,
            schedule="none",
            exploration=1.0,
            bonus="ucb1-tuned",
            fpu=1.1,
            heuristic="strengths",
            prior_amaf=0.0,
            widening=40.0,
            moves="sensible",
            reuse=False,
        ),
    ),
    Preset(
        "mogo-2009",
        "Gelly & Silver 2011 §6; Chaslot et al. 2010",
        "MoGo with nakade and empty regions in its playouts, and several kinds of evidence in new nodes",
        SearchConfig(
            policy="tactical",
            rules=replace(MOGO_RULES, nakade=1.0, empty_region=0.5),
            schedule="minimum-mse",
            heuristic="evidence",
            prior_amaf=1.0,
            fpu=1.0,
            reuse=False,
        ),
    ),
    Preset(
        "erica",
        "Huang, Coulom & Lin 2010",
        "heuristic MC–RAVE with balanced playouts, whose mean outcome meets an oracle's value",
        SearchConfig(
            policy="boltzmann",
            strengths=BALANCED,
            schedule="minimum-mse",
            heuristic="strengths",
            prior_amaf=20.0,
            fpu=1.0,
            moves="sensible",
            reuse=False,
        ),
    ),
    Preset(
        "house",
        "Montego",
        "our best: MC–RAVE, playouts that read ladders and eyes, new nodes by strengths of moves learned from games",
        SearchConfig(
            policy="tactical",
            read_up_to=11,
            schedule="minimum-mse",
            strengths=BY_SIZE,
            heuristic="strengths",
            prior_amaf=40.0,
            puct=0.5,
            fpu=1.0,
            expand_after=8,
            moves="sensible",
            sharpness=4.9,
        ),
    ),
)

PRESETS = {preset.name: preset for preset in _ALL}


def find_preset(name: str) -> Preset:
    if name not in PRESETS:
        raise ConfigError(f"there is no preset {shown(name)}; accepted: {', '.join(PRESETS)}, or a level")
    return PRESETS[name]


def configured(preset: Preset, overrides: dict[str, Any]) -> SearchConfig:
    """The preset's configuration with some fields changed; texts are read as the field's type."""
    return changed(preset.config, overrides, preset.name)
