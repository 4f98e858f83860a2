"""Elo ratings of many players at once, by maximum likelihood, with draws and an advantage of Black.

The model is Davidson's (1970). Between strengths B and W, Black's times 10^(h/400), Black wins with probability
B / (B + W + ν√(BW)), and the game is drawn with ν√(BW) over the same sum. In logarithms that is a multinomial logit:
with u = ln B − ln W, a win, a loss and a draw have the logits u/2, −u/2 and ln ν. Its likelihood is concave.

The maximum is not always finite. A player that won everything has no upper bound; there are less obvious ways, such as
a pair with wins of one side and draws only, or games that Black always won. Then every player is given one virtual
game, half won and half lost, spread over the opponents it met: two players that stand at 10:0 are rated as if at
10½:½. What the games alone leave without a bound is marked as such; its error describes the virtual game, too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.arena.extras import lab_package
from montego.arena.likelihood import Array, Likelihood
from montego.arena.settings import MatchError
from montego.arena.statistics import Z95
from montego.go.errors import is_whole, shown

SCALE = 400 / math.log(10)
"""Elo in one unit of the natural logarithm of strength."""
VIRTUAL_GAMES = 1.0
"""for each player, where the games alone have no finite maximum"""
LEAST_PRIOR, MOST_PRIOR = 0.001, 1000.0
"""Fewer virtual games would hold next to nothing."""


@dataclass(frozen=True)
class Meeting:
    """The games of two players in which the same one had Black, counted."""

    black: str
    white: str
    black_wins: int
    white_wins: int
    draws: int = 0

    def __post_init__(self) -> None:
        if not all(isinstance(name, str) and name for name in (self.black, self.white)):
            raise MatchError(f"{shown(self.black)} met {shown(self.white)}; accepted: names of players")
        if self.black == self.white:
            raise MatchError(f"{shown(self.black)} met itself; accepted: two different players")
        for name in ("black_wins", "white_wins", "draws"):
            count = getattr(self, name)
            if not is_whole(count) or count < 0:
                raise MatchError(f"{name} is {shown(count)}; accepted: a whole number from 0")

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.black_wins, self.white_wins, self.draws


@dataclass(frozen=True)
class Rated:
    """One player's rating."""

    name: str
    elo: float
    error: float
    """half the 95 % interval; 0 for the anchor"""
    games: int
    rate: float
    """wins and half the draws, as a share of the games"""
    bounded: bool
    """whether the games alone, without virtual ones, hold it at a finite distance from the anchor; without an anchor,
    from more than half of the players"""


@dataclass(frozen=True)
class Ratings:
    """Everybody's rating, the best first, and what is needed to compare any two."""

    players: tuple[Rated, ...]
    colour_advantage: tuple[float, float]
    """what Black is worth in Elo, and its 95 % error; both 0 where it was not fitted"""
    draw: float
    """Davidson's ν: equals draw with probability ν / (2 + ν); 0 where no game was drawn"""
    prior: float
    """virtual games of each player"""
    anchor: str | None
    """whose rating was given; None: the mean of all is 0"""
    covariance: Array = field(repr=False, compare=False)
    """of the ratings, in Elo², in the order of `players`"""

    def player(self, name: str) -> Rated:
        return self.players[self._index(name)]

    def difference(self, a: str, b: str) -> tuple[float, float]:
        """How many Elo a is above b, and the 95 % error of that, which is not the sum of their errors."""
        elo, deviation = self._gap(a, b)
        return elo, Z95 * deviation

    def superiority(self, a: str, b: str) -> float:
        """The likelihood that a is stronger than b: Φ of their difference in standard deviations."""
        elo, deviation = self._gap(a, b)
        return 0.5 * (1 + math.erf(elo / deviation / math.sqrt(2))) if deviation else 0.5

    def _index(self, name: str) -> int:
        names = [player.name for player in self.players]
        if name not in names:
            raise MatchError(f"there is no rating of {shown(name)}; accepted: {', '.join(names)}")
        return names.index(name)

    def _gap(self, a: str, b: str) -> tuple[float, float]:
        i, j = self._index(a), self._index(b)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        return self.players[i].elo - self.players[j].elo, math.sqrt(max(0.0, variance))

    def table(self) -> str:
        """The ratings as plain text."""
        longest = max(len("player"), *(len(player.name) for player in self.players))
        rows = [("#", "player".ljust(longest), "Elo", "± 95 %", "games", "score")]
        for place, player in enumerate(self.players, 1):
            error = "anchor" if player.name == self.anchor else str(round(player.error))
            elo = ("" if player.bounded else "* ") + str(round(player.elo))
            score = f"{player.rate:.1%}"
            rows.append((str(place), player.name.ljust(longest), elo, error, str(player.games), score))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(["  ".join(map(str.rjust, row, widths)) for row in rows] + ["", *self._notes()])

    def _notes(self) -> list[str]:
        elo, error = self.colour_advantage
        notes = [f"Black is worth {elo:.0f} ± {error:.0f} Elo." if error else "No advantage of a colour was fitted."]
        if self.draw:
            notes.append(f"Equals draw {self.draw / (2 + self.draw):.1%} of their games (ν = {self.draw:.3g}).")
        if self.prior:
            notes.append(f"Virtual games of each player: {self.prior:g}, half won and half lost.")
        if not all(player.bounded for player in self.players):
            notes.append("* The games alone set no bound to this rating; virtual games hold it.")
        return notes

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        elo, error = self.colour_advantage
        return {
            "players": [asdict(player) for player in self.players],
            "colour_advantage": {"elo": elo, "error": error},
            "draw": self.draw,
            "prior": self.prior,
            "anchor": self.anchor,
            "covariance": self.covariance.tolist(),
        }


@dataclass(frozen=True)
class Crosstable:
    """Meetings as arrays. The parameters are the players' strengths as logarithms, Black's advantage, ln ν."""

    names: tuple[str, ...]
    black: NDArray[np.intp]
    white: NDArray[np.intp]
    counts: Array
    """Black's wins, White's wins, draws: one row for each ordered pair that met"""

    @classmethod
    def of(cls, meetings: Iterable[Meeting]) -> Crosstable:
        totals: Counter[tuple[str, str, int]] = Counter()
        names: set[str] = set()
        for meeting in meetings:
            names |= {meeting.black, meeting.white}
            totals.update({(meeting.black, meeting.white, at): n for at, n in enumerate(meeting.counts) if n})
        pairs = sorted({key[:2] for key in totals})
        order = sorted(names)
        if not pairs:
            raise MatchError("there is no game to rate; accepted: meetings with at least one game")
        black, white = (np.array([order.index(pair[side]) for pair in pairs]) for side in (0, 1))
        counts = np.array([[totals[*pair, at] for at in range(3)] for pair in pairs], dtype=float)
        return cls(tuple(order), black, white, counts)

    def check_connected(self, anchor: str | None) -> None:
        """Refuse players that no chain of games connects with the anchor; without one, with most of the others."""
        links = np.zeros((len(self.names), len(self.names)))
        links[self.black, self.white] = 1
        labels = lab_package("scipy.sparse.csgraph").connected_components(links, directed=False)[1]
        main = labels[self.names.index(anchor)] if anchor is not None else np.bincount(labels).argmax()
        apart = [name for name, label in zip(self.names, labels, strict=True) if label != main]
        if apart:
            what = "the others" if anchor is None else f"the anchor {anchor}"
            raise MatchError(
                f"no chain of games connects {', '.join(apart)} with {what}; "
                "accepted: games between them, or a rating list for each group"
            )

    def differences(self) -> Array:
        """u of each meeting as coefficients of the players' strengths."""
        each = np.arange(len(self.black))
        table = np.zeros((len(each), len(self.names)))
        table[each, self.black], table[each, self.white] = 1, -1
        return table

    def shows_colour(self) -> bool:
        """Whether an advantage of Black can be told from strength: no ratings put every Black one unit above White."""
        table = self.differences()
        unit = np.ones((len(table), 1))
        return bool(np.linalg.matrix_rank(np.hstack([table, unit])) > np.linalg.matrix_rank(table))

    def likelihood(self, colour: bool, prior: float) -> Likelihood:
        drawn, count = bool(self.counts[:, 2].any()), len(self.names)
        u = np.zeros((len(self.black), count + colour + drawn))
        u[:, :count] = self.differences()
        u[:, count : count + colour] = 1
        draw = np.zeros_like(u)
        draw[:, count + colour :] = 1
        counts = self.counts[:, : 2 + drawn].copy()
        counts[:, :2] += prior * self.virtual_shares()[:, None] / 2
        return Likelihood(np.stack([u / 2, -u / 2, draw][: 2 + drawn], axis=1), counts)

    def virtual_shares(self) -> Array:
        """The share of each meeting in its two players' virtual games: as in their games, half from either side."""
        games, played = self.counts.sum(axis=1), self.games()
        return np.asarray(games * (1 / played[self.black] + 1 / played[self.white]) / 2)

    def games(self) -> Array:
        """How many games each player had."""
        return self._sums(self.counts.sum(axis=1), self.counts.sum(axis=1))

    def points(self) -> Array:
        """Each player's wins and half its draws."""
        return self._sums(self.counts @ [1, 0, 0.5], self.counts @ [0, 1, 0.5])

    def _sums(self, black: Array, white: Array) -> Array:
        count = len(self.names)
        return np.asarray(np.bincount(self.black, black, count) + np.bincount(self.white, white, count))


def fit(
    meetings: Iterable[Meeting],
    anchor: tuple[str, float] | None = None,
    colour: bool = True,
    prior: float | None = None,
) -> Ratings:
    """Rate the players of some games.

    anchor: a player and its Elo; without one the mean of all is 0.
    colour: fit an advantage of Black, where the games can show one.
    prior: virtual games of each player. None: none, or VIRTUAL_GAMES where the games alone have no finite maximum.
    """
    table = Crosstable.of(meetings)
    _check_anchor(anchor, table.names)
    _check_prior(prior)
    table.check_connected(anchor[0] if anchor else None)
    colour = colour and table.shows_colour()
    directions = table.likelihood(colour, prior=0.0).free_directions()
    finite = directions.shape[1] == 1  # always free: all players together
    if prior == 0 and not finite:
        raise MatchError("these games alone have no finite ratings; accepted: a prior above 0")
    if prior is None:
        prior = 0.0 if finite else VIRTUAL_GAMES
    bounded = _bounded(directions[: len(table.names)], table.names.index(anchor[0]) if anchor else None)
    return _ratings(table, anchor, colour, prior, bounded)


def _maximum(likelihood: Likelihood, zero: int) -> tuple[Array, Array]:
    """All parameters and their covariance, where the one at index `zero` is 0."""
    count = likelihood.logits.shape[-1]
    free = np.delete(np.arange(count), zero)
    parameters, covariance = np.zeros(count), np.zeros((count, count))
    reduced = replace(likelihood, logits=likelihood.logits[..., free])
    parameters[free], covariance[np.ix_(free, free)] = reduced.maximise()
    return parameters, covariance


def _centred(parameters: Array, covariance: Array, count: int) -> tuple[Array, Array]:
    """The same with the mean of the first `count` parameters at 0."""
    centre = np.eye(len(parameters))
    centre[:count, :count] -= 1 / count
    return centre @ parameters, centre @ covariance @ centre


def _bounded(directions: Array, anchor: int | None) -> NDArray[np.bool_]:
    """Which players no free direction moves against the anchor; without one, against more than half of the players."""
    together = np.abs(directions[:, None] - directions[None]).max(axis=2) < 1e-7
    return np.asarray(together.mean(axis=1) > 0.5 if anchor is None else together[anchor])


def _ratings(
    table: Crosstable, anchor: tuple[str, float] | None, colour: bool, prior: float, bounded: NDArray[np.bool_]
) -> Ratings:
    count, games = len(table.names), table.games()
    rates = table.points() / games
    name, level = anchor or (None, 0.0)
    parameters, covariance = _maximum(table.likelihood(colour, prior), table.names.index(name) if name else 0)
    if name is None:
        parameters, covariance = _centred(parameters, covariance, count)
    elo, errors = SCALE * parameters, SCALE * Z95 * np.sqrt(covariance.diagonal().clip(0))
    elo[:count] += level
    order = np.argsort(-elo[:count], kind="stable")
    players = tuple(
        Rated(table.names[i], float(elo[i]), float(errors[i]), int(games[i]), float(rates[i]), bool(bounded[i]))
        for i in order
    )
    advantage = (float(elo[count]), float(errors[count])) if colour else (0.0, 0.0)
    draw = math.exp(parameters[-1]) if table.counts[:, 2].any() else 0.0
    matrix = SCALE**2 * covariance[np.ix_(order, order)]
    return Ratings(players, advantage, draw, prior, name, matrix)


def _check_anchor(anchor: tuple[str, float] | None, names: tuple[str, ...]) -> None:
    if anchor is None:
        return
    if anchor[0] not in names:
        raise MatchError(f"the anchor {shown(anchor[0])} has no game; accepted: {', '.join(names)}")
    if not math.isfinite(anchor[1]):
        raise MatchError(f"the anchor's Elo is {shown(anchor[1])}; accepted: a finite number")


def _check_prior(prior: float | None) -> None:
    if prior and not LEAST_PRIOR <= prior <= MOST_PRIOR:
        raise MatchError(f"prior is {shown(prior)}; accepted: 0, or a number from {LEAST_PRIOR:g} to {MOST_PRIOR:g}")
