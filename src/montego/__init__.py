"""Montego: Monte-Carlo Go, in Python, at the speed of C."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.go.errors import MontegoError as MontegoError
    from montego.go.game import Game as Game
    from montego.players import player as player

__version__ = "0.1.0"

# Loaded on first use, so that `montego --help` does not wait for the compiler.
_PUBLIC = {"Game": "montego.go.game", "MontegoError": "montego.go.errors", "player": "montego.players"}

__all__ = ["Game", "MontegoError", "__version__", "player"]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'montego' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)
