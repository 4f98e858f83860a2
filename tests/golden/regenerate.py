"""Write playouts.json and trees.json anew: `python tests/golden/regenerate.py`, when they are meant to change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from montego.go.game import Game
from montego.players.presets import PRESETS
from montego.playout import PlayoutConfig, trace
from montego.search.records import AMAF_N, AMAF_W, CHILD, SIMULATIONS, VISITS, WON
from montego.search.search import Search

STARTS = {9: ["E5", "E6", "D6", "F5", "D5"], 13: ["D4", "K10", "D10"], 19: ["Q16", "D4", "Q3", "D16"]}


def entry(size: int, policy: str, seed: int, start: list[str]) -> dict[str, Any]:
    game = Game(size)
    for vertex in start:
        game.play(vertex)
    played = trace(game, PlayoutConfig(policy), seed=seed)
    moves = " ".join(f"{move.vertex}:{move.reason.name[0]}" for move in played.moves)
    return {"size": size, "policy": policy, "seed": seed, "start": start, "moves": moves, "lead": played.lead}


def tree_entry(preset: str, seed: int, start: list[str], simulations: int) -> dict[str, Any]:
    """A small tree: of every node its simulations, Black's wins, the visits of its moves, and the sums of AMAF."""
    game = Game(5, komi=2.5)
    for vertex in start:
        game.play(vertex)
    search = Search(5, PRESETS[preset].config, seed)
    search.set_position(game)
    search.run(simulations)
    nodes = {}
    waiting = [("", search.pool.root)]
    while waiting:
        line, s = waiting.pop()
        stats, links, state = search.tree.stats[s], search.tree.links[s], search.tree.states[s]
        visits = {search.names.vertex(p): int(n) for p, n in enumerate(links[VISITS]) if n}
        sums = [round(float(x), 6) for x in (state[WON], stats[AMAF_N].sum(), stats[AMAF_W].sum())]
        nodes[line] = [int(state[SIMULATIONS]), *sums, visits]
        waiting += [(f"{line} {search.names.vertex(p)}".strip(), int(c)) for p, c in enumerate(links[CHILD]) if c > 0]
    best = search.names.vertex(search.best())
    return {"preset": preset, "seed": seed, "start": start, "simulations": simulations, "best": best, "nodes": nodes}


def trees() -> list[dict[str, Any]]:
    starts = ([], ["C3", "C2", "D2"])
    return [tree_entry(preset, seed, start, 50) for preset in PRESETS for seed, start in enumerate(starts)]


def write(name: str, entries: list[dict[str, Any]]) -> None:
    target = Path(__file__).with_name(name)
    target.write_text("[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n", encoding="utf-8")


def main() -> None:
    entries = [
        entry(size, policy, seed, STARTS.get(size, []) if seed else [])
        for size in (2, 3, 5, 9, 13, 19)
        for policy in ("uniform", "mogo", "manual")
        for seed in (0, 1)
    ]
    write("playouts.json", entries)
    write("trees.json", trees())


if __name__ == "__main__":
    main()
