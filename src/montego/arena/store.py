"""The database of a run: SQLite, one row for each game, written as soon as the game is over.

The write-ahead log with full synchronisation makes a game that was written stay written, whatever kills the process or
cuts the power. Players and matches are named by hashes of all that is known of them; a game is its match and number,
so that none is kept twice. The view `results` shows every game with both configurations in full.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from montego.arena.played import Pairing, Played, compact, from_dict, plain, to_dict
from montego.arena.settings import SIDES, MatchError
from montego.go.errors import MontegoError, shown

FORMAT = 1
"""of the tables; a file of another format is refused"""
_MARK = 0x4D6F6E74  # "Mont": tells our files from other programs'

_TABLES = """
CREATE TABLE players (hash TEXT PRIMARY KEY, description TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE matches (
    hash TEXT PRIMARY KEY,
    a TEXT NOT NULL REFERENCES players, b TEXT NOT NULL REFERENCES players,
    conditions TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE games (
    match TEXT NOT NULL REFERENCES matches, number INTEGER NOT NULL,
    black TEXT NOT NULL, outcome TEXT NOT NULL, winner TEXT, result TEXT NOT NULL, reason TEXT NOT NULL,
    message TEXT NOT NULL, moves TEXT NOT NULL, seeds TEXT NOT NULL, efforts TEXT NOT NULL, opening INTEGER NOT NULL,
    versions TEXT NOT NULL, montego TEXT NOT NULL, played TEXT NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE runs (id INTEGER PRIMARY KEY, settings TEXT NOT NULL);
CREATE VIEW results AS
    SELECT games.*, conditions, a.hash AS a_hash, a.description AS a, b.hash AS b_hash, b.description AS b
    FROM games JOIN matches ON matches.hash = games.match
    JOIN players a ON a.hash = matches.a JOIN players b ON b.hash = matches.b;
"""
_COLUMNS = [
    "number",
    "black",
    "outcome",
    "winner",
    "result",
    "reason",
    "message",
    "moves",
    "seeds",
    "efforts",
    "opening",
    "versions",
    "montego",
    "played",
]
_PAIRINGS = """
SELECT matches.hash, a.description, b.description, conditions
FROM matches LEFT JOIN players a ON a.hash = matches.a LEFT JOIN players b ON b.hash = matches.b ORDER BY matches.hash
"""
_JSON = ("seeds", "efforts", "versions")
_DAMAGE = (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)
"""What reading a file that somebody has changed may raise."""


PATIENCE = 60.0
"""Seconds that others may keep the file to themselves."""


def patiently(act: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Do what SQLite refuses at once, without waiting its turn, while others have the file: to change its journal."""
    end = time.monotonic() + seconds
    while True:
        try:
            act()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= end:
                raise
        time.sleep(0.01)


class Store:
    """The games of any number of matches in one file. `path` may be ":memory:"."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)
        except (sqlite3.Error, ValueError) as error:  # ValueError: a zero byte in the name
            raise MatchError(f"cannot open {shown(str(path))}: {error}; accepted: a file or a new name") from error
        try:
            with self._explained():
                self._open()
        except BaseException:
            self._db.close()
            raise

    def _open(self) -> None:
        """Refuse a file of another kind before anything is written to it."""
        if not self._is_empty():
            self._check()
        patiently(lambda: self._db.execute("PRAGMA journal_mode = WAL"))
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        if self._is_empty():
            with self._change():
                self._make()

    def _is_empty(self) -> bool:
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return self._number("application_id") == 0 and tables == (0,)

    def _check(self) -> None:
        if self._number("application_id") != _MARK:
            raise sqlite3.DatabaseError("it is no file of games")
        if (found := self._number("user_version")) != FORMAT:
            raise sqlite3.DatabaseError(f"it has format {found}, and this version of montego reads format {FORMAT}")

    def _make(self) -> None:
        if self._is_empty():  # no other process was quicker
            for statement in filter(str.strip, _TABLES.split(";")):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {_MARK}")
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def _number(self, pragma: str) -> int:
        return int(self._db.execute(f"PRAGMA {pragma}").fetchone()[0])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except _DAMAGE as error:
            raise MatchError(f"{shown(str(self.path))}: {error}; accepted: a file that montego match wrote") from error

    @contextmanager
    def _change(self) -> Iterator[None]:
        """All that is done in this block is done, or nothing of it."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def add(self, pairing: Pairing, games: Iterable[Played] = ()) -> None:
        """Keep games, and what their match is. Of a game that is there already the first stays."""
        self.add_all([(pairing, games)])

    def add_all(self, matches: Iterable[tuple[Pairing, Iterable[Played]]]) -> None:
        """Keep the games of several matches: all of them, or none if one cannot be kept."""
        with self._explained(), self._change():
            for pairing, games in matches:
                self._add(pairing, games)

    def _add(self, pairing: Pairing, games: Iterable[Played]) -> None:
        for side in SIDES:
            row = (pairing.player_hash(side), compact(pairing.players[side]))
            self._db.execute("INSERT OR IGNORE INTO players VALUES (?, ?)", row)
        ends = (pairing.player_hash("a"), pairing.player_hash("b"))
        found = (pairing.hash, *ends, compact(pairing.conditions))
        self._db.execute("INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?)", found)
        for game in games:
            fields = to_dict(game)
            values = [compact(fields[name]) if name in _JSON else fields[name] for name in _COLUMNS]
            marks = ", ".join("?" * (1 + len(values)))
            self._db.execute(f"INSERT OR IGNORE INTO games VALUES ({marks})", [pairing.hash, *values])

    def games(self, pairing: Pairing) -> list[Played]:
        """The games of a match, in the order of their numbers."""
        with self._explained():
            query = f"SELECT {', '.join(_COLUMNS)} FROM games WHERE match = ? ORDER BY number"
            return [_game(row) for row in self._db.execute(query, [pairing.hash])]

    def known(self, pairing: Pairing) -> Pairing:
        """The match of which this one plays further games, if there is one; else itself."""
        return next((earlier for earlier in self.pairings() if pairing.continues(earlier)), pairing)

    def pairings(self) -> list[Pairing]:
        """All matches, in the order of their hashes."""
        with self._explained():
            rows = self._db.execute(_PAIRINGS).fetchall()  # one query: others write between two
            return [_pairing(*row) for row in rows]

    def remember(self, settings: dict[str, Any]) -> None:
        """Keep what was asked for, so that it can be gone on with."""
        with self._explained(), self._change():
            text = compact(plain(settings))
            last = self._db.execute("SELECT settings FROM runs ORDER BY id DESC LIMIT 1").fetchone()
            if last != (text,):
                self._db.execute("INSERT INTO runs (settings) VALUES (?)", [text])

    def remembered(self) -> dict[str, Any]:
        """What was asked for last."""
        with self._explained():
            last = self._db.execute("SELECT settings FROM runs ORDER BY id DESC LIMIT 1").fetchone()
            if last is None:
                raise MatchError("it holds no run to go on with")
            return dict(json.loads(last[0]))


@lru_cache(maxsize=1024)
def _pairing(name: str, *texts: str) -> Pairing:
    return pairing_of(name, *map(json.loads, texts))


def _game(row: tuple[Any, ...]) -> Played:
    fields = dict(zip(_COLUMNS, row, strict=True))
    return from_dict({name: json.loads(value) if name in _JSON else value for name, value in fields.items()})


def pairing_of(name: str, a: dict[str, Any], b: dict[str, Any], conditions: dict[str, Any]) -> Pairing:
    """A match read back; refused if it is not what its hash says."""
    pairing = Pairing(conditions, {"a": a, "b": b})
    try:
        pairing.match  # noqa: B018  # refuses what is no match
    except (TypeError, MontegoError) as error:
        raise MatchError(f"match {shown(name)} cannot be read: {error}") from None
    if pairing.hash != name:
        raise MatchError(f"match {shown(name)} is not what it was when it was named")
    for side, player in pairing.players.items():
        if player.get("spec") != pairing.match.spec(side) or not isinstance(player.get("configuration"), dict):
            raise MatchError(f"match {shown(name)} has another player {side}")
    return pairing
