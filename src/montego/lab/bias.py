"""How biased AMAF values are, by the kind of position: long searches of a game's positions, one phase after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from montego.go.game import Game
from montego.players.presets import find_preset
from montego.search.bias import MEASURED, PHASES, Bias, amaf_bias
from montego.search.config import SearchConfig
from montego.search.search import Search

LEAST = 200
"""Simulations of a move, and of its later plays, without which it is not looked at."""
EVERY = 5
"""Moves from one position looked at to the next."""

Found = dict[tuple[str, str], Bias]


def measured_config(preset: str) -> SearchConfig:
    """A preset's search with plain AMAF values: no prior counts in them, every play with the same weight."""
    config = replace(find_preset(preset).config, puct=0.0, widening=0.0, progressive_bias=0.0)  # they need a heuristic
    return replace(config, heuristic="none", reuse=False, amaf_weight="equal", criticality=0.0)


def measure(
    size: int, games: int, simulations: int, preset: str = "house", seed: int = 0, say: Callable[[str], object] = print
) -> Found:
    """Play games of a preset against itself, search every fifth position long, and add up the squared biases.

    By phase (see BiasByPhase) and depth: "root" or "below".
    """
    found: Found = {(phase, depth): Bias(0, 0.0) for phase in PHASES for depth in ("root", "below")}
    long, short = (Search(size, config, seed) for config in (measured_config(preset), find_preset(preset).config))
    for number in range(games):
        game = Game(size)
        while not game.is_over and len(game.moves) < size * size:
            if (len(game.moves) + number) % EVERY == 0:
                long.set_position(game)
                long.run(simulations)
                phase = MEASURED.phase(game)
                for depth, bias in zip(("root", "below"), amaf_bias(long.tree, long.pool.root, LEAST), strict=True):
                    found[phase, depth] = found[phase, depth].plus(bias)
            short.set_position(game)
            short.run(max(1, simulations // 20))
            game.play(short.names.vertex(short.best()))
        say(f"{number + 1} of {games} games")
    for line in table(found):
        say(line)
    return found


def factors(found: Found) -> dict[str, float]:
    """b̂ of each phase over that of all positions, roots and all below them taken together; 1 where nothing is known."""
    whole = _sum(list(found.values())).bias
    made = {phase: _sum([found[phase, depth] for depth in ("root", "below")]).bias for phase in PHASES}
    return {phase: bias / whole if bias is not None and whole else 1.0 for phase, bias in made.items()}


def table(found: Found) -> list[str]:
    """b̂ by phase and depth as lines of text."""
    shown = {key: "–" if bias.bias is None else f"{bias.bias:.4f} ({bias.moves})" for key, bias in found.items()}
    lines = [f"{'phase':10}{'root (moves)':>20}{'below (moves)':>20}{'factor':>8}"]
    scale = factors(found)
    for phase in PHASES:
        lines.append(f"{phase:10}{shown[phase, 'root']:>20}{shown[phase, 'below']:>20}{scale[phase]:8.2f}")
    return lines


def _sum(parts: list[Bias]) -> Bias:
    whole = Bias(0, 0.0)
    for part in parts:
        whole = whole.plus(part)
    return whole
