"""Write playouts.json anew: `python tests/golden/regenerate.py`, when a playout is meant to change."""

from __future__ import annotations

import json
from pathlib import Path

from montego.go.game import Game
from montego.playout import PlayoutConfig, trace

STARTS = {9: ["E5", "E6", "D6", "F5", "D5"], 13: ["D4", "K10", "D10"], 19: ["Q16", "D4", "Q3", "D16"]}


def entry(size: int, policy: str, seed: int, start: list[str]) -> dict[str, object]:
    game = Game(size)
    for vertex in start:
        game.play(vertex)
    played = trace(game, PlayoutConfig(policy), seed=seed)
    moves = " ".join(f"{move.vertex}:{move.reason.name[0]}" for move in played.moves)
    return {"size": size, "policy": policy, "seed": seed, "start": start, "moves": moves, "lead": played.lead}


def main() -> None:
    entries = [
        entry(size, policy, seed, STARTS.get(size, []) if seed else [])
        for size in (2, 3, 5, 9, 13, 19)
        for policy in ("uniform", "mogo")
        for seed in (0, 1)
    ]
    target = Path(__file__).with_name("playouts.json")
    target.write_text("[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
