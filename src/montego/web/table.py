"""A game at the table: who plays, whose turn it is, clocks, the count at the end. It knows nothing of networks."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from montego.go.board import BLACK, WHITE
from montego.go.errors import IllegalMove, MontegoError
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.go.record import GameRecord
from montego.go.scoring import owners_of
from montego.go.sgf import read_sgf, write_sgf
from montego.players.timing import GameClock, TimeSettings
from montego.web.messages import PERSON

LETTERS = {BLACK: "B", WHITE: "W"}
SIDES = (BLACK, WHITE)
PLAY, SCORING, OVER = "play", "scoring", "over"
MOST_MOVES, MOST_SETUPS = 1000, 20
"""Of a game; longer ones cost more than a page is worth."""
RESULT = re.compile(r"[BW]\+\S{0,10}|0|draw|jigo|void", re.IGNORECASE)


@dataclass
class Table:
    """One game with everything that is said about it. `turn` is the number of moves played."""

    id: str
    game: Game
    players: dict[int, str] = field(default_factory=lambda: dict.fromkeys(SIDES, PERSON))
    time: TimeSettings | None = None
    names: dict[int, str] = field(default_factory=dict)
    """as a file calls the players"""
    result: str = ""
    """set when the game is over"""
    dead: set[str] = field(default_factory=set)
    counted: bool = False
    """whether an engine has had its say about dead stones"""
    opinions: dict[int, tuple[float, float | None]] = field(default_factory=dict)
    """by turn, Black's win rate and lead as a search saw them last"""
    review: list[dict[str, Any]] | None = None
    """the turns of a review, as Turn.to_dict makes them"""
    skipped: int = 0
    """how many of them lie before the last setup"""

    def __post_init__(self) -> None:
        self.clocks = {} if self.time is None else {colour: GameClock(self.time) for colour in SIDES}
        self.since = time.monotonic()
        """when the side to move began to think"""
        self._used = 0.0
        """seconds of this turn when the clock was last stopped"""
        self._past: dict[int, dict[int, tuple[float, int]]] = {}
        """by turn, what was left on the clocks"""
        self._remember_clocks()

    # --- what is the case -------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return len(self.game.moves)

    @property
    def phase(self) -> str:
        if self.result or self.game.result() in ("Void", "B+R", "W+R"):
            return OVER
        return SCORING if self.game.is_over else PLAY

    @property
    def mover(self) -> str:
        """Who is to move: a person, or the spec of a player."""
        return self.players[self.game.to_play]

    @property
    def persons(self) -> list[int]:
        return [colour for colour in SIDES if self.players[colour] == PERSON]

    @property
    def wants_move(self) -> bool:
        """Whether a player of ours is to move."""
        return self.phase == PLAY and self.mover != PERSON

    def at_turn(self, turn: int) -> Game:
        """The position before a turn, in which somebody may move even after two passes."""
        if turn > self.turn:
            raise MontegoError(f"there are {self.turn} moves; accepted: a turn from 0 to that")
        game = self.game.copy()
        if back := self._steps_back(turn):
            game.undo(back)
        return game.with_turn(game.to_play)

    def _steps_back(self, turn: int) -> int:
        """How many changes of the game lie after a turn; a resignation is one."""
        return self.turn - turn + int(self.game.result().endswith("+R"))

    def check_turn(self, turn: int) -> None:
        if turn != self.turn:
            raise MontegoError(f"the game is at turn {self.turn}, not {turn}; look again")

    # --- what happens -----------------------------------------------------------------------------------------

    def play(self, vertex: str) -> None:
        """A move of the side to move."""
        if self.phase == OVER:
            raise IllegalMove("the game is over; accepted: undo, or a new game", "over")
        mover = self.game.to_play
        if self.phase == SCORING:
            raise IllegalMove("the game is being counted; accepted: resume first", "over")
        self.game.play(vertex)
        self._forget_after(self.turn - 1)
        self._spend(mover)
        if self.turn >= MOST_MOVES:
            self.result = "Void"

    def _spend(self, mover: int) -> None:
        now = time.monotonic()
        if self.clocks and self.turn > 0:
            self.clocks[mover].spend(now - self.since)
        self.since = now
        self._remember_clocks()

    def _remember_clocks(self) -> None:
        self._past[self.turn] = {colour: (clock.left, clock.count) for colour, clock in self.clocks.items()}

    def _forget_after(self, turn: int) -> None:
        """What was thought of positions that are gone."""
        self.opinions = {known: opinion for known, opinion in self.opinions.items() if known <= turn}
        self.review, self.dead, self.counted, self.result = None, set(), False, ""

    def resign(self, colour: int) -> None:
        if self.phase == OVER:
            raise IllegalMove("the game is over; accepted: undo, or a new game", "over")
        self.game.resign(colour)
        self.result = self.game.result()

    def time_left(self) -> float | None:
        """Seconds until the side to move loses on time; None without a clock."""
        if not self.clocks or self.phase != PLAY:
            return None
        clock = self.clocks[self.game.to_play]
        rest = clock.left
        if clock.settings.periods:
            later = clock.settings.periods if clock.count == 0 else clock.count - 1
            rest += clock.settings.period * later
        return rest - (time.monotonic() - self.since)

    def flag(self) -> bool:
        """End the game if the side to move has no time left."""
        left = self.time_left()
        if left is None or left > 0:
            return False
        self.result = f"{LETTERS[WHITE + BLACK - self.game.to_play]}+T"
        return True

    def undo(self, to: int | None = None) -> None:
        """Back to a turn, by default to the last at which a person was to move."""
        if to is None:
            to = self._last_turn_of_a_person()
        if not 0 <= to < self.turn + int(self.phase == OVER):
            raise MontegoError("there is nothing to take back" if to >= self.turn else "there is no such turn")
        if back := self._steps_back(to):
            self.game.undo(back)
        self._forget_after(to)
        for colour, (left, count) in self._past.get(to, {}).items():
            self.clocks[colour].set_left(left, count)
        self.since = time.monotonic()

    def _last_turn_of_a_person(self) -> int:
        if self.result and (len(self.persons) != 1 or self.game.to_play == self.persons[0]):
            return self.turn
        if len(self.persons) != 1 or not self.turn:
            return self.turn - 1
        movers = [move.colour for move in self.game.moves]
        own = [turn for turn, mover in enumerate(movers) if mover == self.persons[0]]
        return own[-1] if own else self.turn

    def pause(self) -> None:
        """Nobody is there: the clock stands."""
        self._used = time.monotonic() - self.since

    def go(self) -> None:
        """Somebody is there again."""
        self.since, self._used = time.monotonic() - self._used, 0.0

    # --- the count --------------------------------------------------------------------------------------------

    def set_count(self, dead: Iterable[str]) -> None:
        """What an engine thinks of the stones."""
        self.dead, self.counted = set(dead) if not self.game.rules.all_alive else set(), True
        if not self.persons or self.game.rules.all_alive:
            self.accept()

    def toggle(self, vertex: str) -> None:
        """A chain is dead after all, or alive after all."""
        self._check_scoring()
        stones = set(self.game.chain(vertex))
        if not stones:
            raise MontegoError(f"there is no stone on {vertex[:4]}; accepted: a stone of the chain that is meant")
        if self.game.rules.all_alive:
            raise MontegoError("under these rules every stone counts as alive; accepted: play on and capture")
        self.dead = self.dead - stones if stones <= self.dead else self.dead | stones

    def accept(self) -> None:
        self._check_scoring()
        self.result = str(self.game.score(self.dead))

    def resume(self) -> None:
        """Play on after two passes: both are taken back."""
        self._check_scoring()
        self.game.undo(min(2, self.turn))
        self._forget_after(self.turn)
        self.since = time.monotonic()

    def _check_scoring(self) -> None:
        if self.phase != SCORING:
            raise MontegoError("the game is not being counted; accepted: after two passes")
        if not self.counted:
            raise MontegoError("the engine looks at the stones first; try again in a moment")

    # --- as messages have it ----------------------------------------------------------------------------------

    def note(self, turn: int, winrate: float, lead: float | None) -> None:
        """What a search thinks of a position, for Black."""
        self.opinions[turn] = winrate, lead

    def state(self) -> dict[str, Any]:
        """Everything a page shows."""
        game, phase, turns = self.game, self.phase, range(self.turn + 1)
        counting = phase != PLAY and self.counted and not self.result.endswith(("R", "T"))
        score = game.score(self.dead) if counting else None
        return {
            "game": self.id, "size": game.size, "komi": game.komi, "rules": game.rules.name, "handicap": game.handicap,
            **self._beginning(),
            "moves": [[LETTERS[move.colour], move.vertex] for move in game.moves],
            "toPlay": LETTERS[game.to_play], "ko": game.ko,
            "captures": {LETTERS[colour]: game.captured(WHITE + BLACK - colour) for colour in SIDES},
            "illegal": illegal_points(game) if phase == PLAY else [],
            "phase": phase, "result": self.result or (game.result() if phase == OVER else ""),
            "black": self._side(BLACK), "white": self._side(WHITE),
            "clock": self._clock_state(), "dead": sorted(self.dead),
            "owner": self._owners() if counting else None,
            "score": None if score is None else {"B": score.black, "W": score.white, "text": str(score)},
            "winrates": [self.opinions.get(turn, (None, None))[0] for turn in turns],
            "leads": [self.opinions.get(turn, (None, None))[1] for turn in turns],
            "review": None if self.review is None else self._review_state(),
        }  # fmt: skip

    def _review_state(self) -> dict[str, Any]:
        assert self.review is not None
        return review_message(self.id, self.review, len(self.review) - self.skipped, self.skipped)

    def _beginning(self) -> dict[str, Any]:
        start = self.at_turn(0)
        moves = self.game.moves
        first = moves[0].colour if moves else start.to_play
        return {"stones": {LETTERS[colour]: stones_of(start, colour) for colour in SIDES}, "first": LETTERS[first]}

    def _side(self, colour: int) -> dict[str, str]:
        player = self.players[colour]
        return {"player": player, "name": self.names.get(colour, "") or ("You" if player == PERSON else player)}

    def _clock_state(self) -> dict[str, Any] | None:
        if self.time is None:
            return None
        running = self.game.to_play if self.phase == PLAY else None
        sides = {LETTERS[colour]: self._time_of(colour, colour == running) for colour in SIDES}
        return {**sides, "running": LETTERS[running] if running else None}

    def _time_of(self, colour: int, runs: bool) -> dict[str, Any]:
        clock = self.clocks[colour]
        left, count, settings = clock.left, clock.count, clock.settings
        used = time.monotonic() - self.since if runs else 0.0
        if not count and used > left and settings.periods:
            used, left, count = used - left, settings.period, settings.periods
        while count > 1 and used > left:
            used, left, count = used - left, settings.period, count - 1
        rest = round(max(0.0, left - used), 1)
        return {"main": 0.0 if count else rest, "periods": count or settings.periods,
                "period": rest if count else settings.period}  # fmt: skip

    def _owners(self) -> list[int]:
        marked, names = self.game.stones, geometry(self.game.size)
        for vertex in self.dead:
            marked[names.row_column(names.parse(vertex))] = 0
        owners = owners_of(marked)
        return [int(x) for x in np.where(owners == BLACK, 1, np.where(owners == WHITE, -1, 0)).ravel()]

    # --- as files have it -------------------------------------------------------------------------------------

    def record(self) -> GameRecord:
        record = GameRecord.from_game(self.game)
        record.result = self.result
        record.black_player, record.white_player = (self._side(colour)["name"] for colour in SIDES)
        return record

    def to_dict(self) -> dict[str, Any]:
        """All that has to be kept."""
        settings = self.time
        return {
            "sgf": write_sgf(self.record()).decode(),
            "players": {LETTERS[colour]: player for colour, player in self.players.items()},
            "names": {LETTERS[colour]: name for colour, name in self.names.items()},
            "time": None if settings is None else [settings.main, settings.period, settings.periods],
            "clocks": {LETTERS[colour]: [clock.left, clock.count] for colour, clock in self.clocks.items()},
            "used": self._used, "result": self.result, "dead": sorted(self.dead), "counted": self.counted,
            "opinions": [[turn, *opinion] for turn, opinion in sorted(self.opinions.items())], "review": self.review,
            "skipped": self.skipped,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, ident: str, kept: dict[str, Any]) -> Table:
        colours = {letter: colour for colour, letter in LETTERS.items()}
        table = table_of(ident, kept["sgf"])
        table.players = {colours[letter]: player for letter, player in kept["players"].items()}
        table.names = {colours[letter]: name for letter, name in kept["names"].items()}
        if kept["time"]:
            main, period, periods = kept["time"]
            table.time = TimeSettings(main, period, periods=periods)
            table.__post_init__()
            for letter, (left, count) in kept["clocks"].items():
                table.clocks[colours[letter]].set_left(left, count)
            table._remember_clocks()
        table._used = kept["used"]
        table.dead, table.counted, table.result = set(kept["dead"]), kept["counted"], kept["result"]
        table.opinions = {turn: (winrate, lead) for turn, winrate, lead in kept["opinions"]}
        table.review, table.skipped = kept["review"], kept["skipped"]
        return table


def table_of(ident: str, sgf: str) -> Table:
    """A table with the game of an SGF file, between persons."""
    record = read_sgf(sgf)
    line = record.main_line()
    setups = sum(bool(node.black or node.white or node.empty) for node in line)
    if sum(node.move is not None for node in line) > MOST_MOVES or setups > MOST_SETUPS:
        raise MontegoError(f"the game is too long; accepted here: up to {MOST_MOVES} moves and {MOST_SETUPS} setups")
    game = record.to_game()
    table = Table(ident, game, names={BLACK: record.black_player[:60], WHITE: record.white_player[:60]})
    if record.result.endswith(("+R", "+Resign")) and not game.is_over:
        game.resign(WHITE if record.result.startswith("B") else BLACK)
    table.result = game.result() if game.result() in ("Void", "B+R", "W+R") else result_of(record.result)
    return table


def result_of(text: str) -> str:
    """The result that a file gives, "" if it gives none."""
    if not RESULT.fullmatch(text):
        return ""
    return {"draw": "0", "jigo": "0", "void": "Void"}.get(text.lower(), text[:1].upper() + text[1:])


def review_message(game: str, turns: list[dict[str, Any]], total: int, skipped: int = 0) -> dict[str, Any]:
    """What is known of a review, for a page; `turns` as Turn.to_dict makes them, the first of which are skipped."""
    turns = turns[skipped:]
    seen = [
        {"winrate": turn["winrate"], "lead": turn["lead"], "best": turn["best"], "pv": turn["line"],
         "loss": turn["loss"], "mark": turn["mark"] or ""}
        for turn in turns
    ]  # fmt: skip
    return {"type": "review", "game": game, "done": len(turns), "total": total, "turns": seen}


def stones_of(game: Game, colour: int) -> list[str]:
    names = geometry(game.size)
    return [names.vertex(int(point)) for point in names.points[(game.stones == colour).ravel()]]


def illegal_points(game: Game) -> list[str]:
    """The empty points where the side to move may not play. Beside an empty point anybody may, but for superko."""
    names, stones = geometry(game.size), game.stones
    free = stones == 0
    beside = np.zeros_like(free)
    beside[1:] |= free[:-1]
    beside[:-1] |= free[1:]
    beside[:, 1:] |= free[:, :-1]
    beside[:, :-1] |= free[:, 1:]
    tight = names.points[(free & (~beside | (game.rules.ko != "SIMPLE"))).ravel()]
    return [vertex for vertex in (names.vertex(int(point)) for point in tight) if not game.is_legal(vertex)]
