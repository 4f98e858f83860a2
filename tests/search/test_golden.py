"""Small trees of every preset as they were when written down: `golden/regenerate.py` writes them anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from golden.regenerate import tree_entry
from montego.players.presets import PRESETS

GOLDEN = Path(__file__).parents[1] / "golden" / "trees.json"


def golden() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("entry", golden(), ids=lambda e: f"{e['preset']}-{e['seed']}")
def test_golden_trees(entry: dict[str, Any]) -> None:
    assert tree_entry(entry["preset"], entry["seed"], entry["start"], entry["simulations"]) == entry


def test_every_preset_has_its_trees() -> None:
    assert {entry["preset"] for entry in golden()} == set(PRESETS)
    assert all(len(entry["nodes"]) > 1 for entry in golden() if PRESETS[entry["preset"]].config.expand != "never")
