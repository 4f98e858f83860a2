"""The games of all visitors, on disk: a page or a server that comes back finds its game."""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

from montego.go.errors import MontegoError

MOST_GAMES = 20_000
"""Beyond that those that were not touched for longest go."""


class Shelf:
    """One SQLite file with a row for each game."""

    def __init__(self, path: Path | None) -> None:
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                path or ":memory:", timeout=10, isolation_level=None, check_same_thread=False
            )
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, touched REAL NOT NULL, kept TEXT NOT NULL)"
            )
            self._database.execute("CREATE INDEX IF NOT EXISTS by_time ON games (touched)")
        except (OSError, sqlite3.Error) as error:
            raise MontegoError(f"cannot keep games in {path}: {error}; name another file with --games") from None

    def save(self, ident: str, kept: dict[str, Any]) -> None:
        """Where that fails, people are told, and play on."""
        try:
            self._database.execute(
                "INSERT OR REPLACE INTO games VALUES (?, ?, ?)", (ident, time.time(), json.dumps(kept))
            )
        except sqlite3.Error as error:
            print(f"montego: a game is not kept: {error}", file=sys.stderr)

    def load(self, ident: str) -> dict[str, Any] | None:
        row = self._database.execute("SELECT kept FROM games WHERE id = ?", (ident,)).fetchone()
        return None if row is None else json.loads(row[0])

    def __len__(self) -> int:
        return int(self._database.execute("SELECT count(*) FROM games").fetchone()[0])

    def tidy(self) -> None:
        """Let the oldest games go where there are too many."""
        self._database.execute(
            "DELETE FROM games WHERE id IN (SELECT id FROM games ORDER BY touched DESC LIMIT -1 OFFSET ?)",
            (MOST_GAMES,),
        )

    def close(self) -> None:
        self._database.close()
