"""Experiments 1a and 1b (B&C06 §V.A): a pattern's Q is the mean result of the games in which it was played.

Results are added up as whole numbers, so it makes no difference which stream played a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from montego.learn.indigo_settings import IndigoSettings
from montego.learn.low_level import (
    LIMIT,
    Results,
    Table,
    from_kinds,
    means,
    new_results,
    play_games,
    q_of_urgency,
    urgency_of_q,
)
from montego.patterns.indigo import manual_urgencies
from montego.patterns.urgency import Urgencies, zero_urgencies
from montego.playout.contest import contest
from montego.rng import stream
from montego.search.clock import in_parallel

_TEST, _SHUFFLE = 1 << 22, 1 << 23
"""Where the numbers of the streams begin that these phases draw from; those of learning begin at 0."""


class _Outcomes:
    """What both experiments share. state: Q_play, of one player or by player."""

    def __init__(self, settings: IndigoSettings, players: int) -> None:
        self.settings = settings
        start = q_of_urgency(settings.start_by_kind(), settings.k)
        self.state: Table = np.repeat(start[None], players, axis=0)

    def player(self, q: Table) -> Urgencies:
        return from_kinds(urgency_of_q(q, self.settings.k), self.settings.one_liberty)

    @property
    def urgencies(self) -> Urgencies:
        """Those of the only player, or of the best."""
        return self.player(self.state[0])

    def _add(self, results: Results, block: int) -> None:
        """Q_play += λ^b Q_learn."""
        changed = self.state + self.settings.decay**block * means(results)
        self.state[:] = np.clip(changed, -LIMIT, LIMIT)


class SinglePlayer(_Outcomes):
    """Experiment 1a: one player, its own opponent. It tends to determinisation."""

    def __init__(self, settings: IndigoSettings) -> None:
        super().__init__(settings, 1)
        self.block_games = settings.block * settings.streams

    def learn(self, games: int) -> Any:
        """A block. Returns the totals of its games."""
        player, settings, streams = self.urgencies, self.settings, self.settings.streams
        results, totals = new_results(streams), np.zeros((streams, 3))

        def play(i: int) -> None:
            both, seeds = (results[i], results[i]), settings.seeds(games, i)
            totals[i] = play_games(player, None, settings.size, settings.block, seeds, settings.komi, both)

        in_parallel([partial(play, i) for i in range(streams)], lambda: None)
        self._add(results.sum(axis=0), games // self.block_games)
        return totals.sum(axis=0)


class Population(_Outcomes):
    """Experiment 1b: players learn from games with each other; the best of a generation are copied. The order of the
    players is that of the last ranking, the best first.
    """

    def __init__(self, settings: IndigoSettings) -> None:
        super().__init__(settings, settings.population)
        self.block_games = settings.population // 2 * settings.rounds * settings.block

    def learn(self, games: int) -> Any:
        """A generation: learning, test, selection. Returns the totals of the games of learning."""
        streams = self.settings.streams
        results, totals = [new_results(len(self.state)) for _ in range(streams)], np.zeros((streams, 3))
        pairs = list(enumerate(self._pairs(games)))

        def play(i: int) -> None:
            for number, (black, white) in pairs[i::streams]:
                totals[i] += self._play(games, number, black, white, results[i])

        in_parallel([partial(play, i) for i in range(streams)], lambda: None)
        self._add(sum(results[1:], results[0]), games // self.block_games)
        self.state = selected(self.state[np.argsort(-self._scores(games), kind="stable")])
        return totals.sum(axis=0)

    def _pairs(self, games: int) -> list[tuple[int, int]]:
        """Who has Black and who White, round by round: everybody meets somebody."""
        count, pairs = len(self.state), []
        for i in range(self.settings.rounds):
            drawn = [int(stream(*self.settings.seeds(games, _SHUFFLE + i * count + player))) for player in range(count)]
            order = sorted(range(count), key=drawn.__getitem__)
            pairs += list(zip(order[::2], order[1::2], strict=True))
        return pairs

    def _play(self, games: int, number: int, black: int, white: int, results: Results) -> Any:
        players, settings = (self.player(self.state[black]), self.player(self.state[white])), self.settings
        both, seeds = (results[black], results[white]), settings.seeds(games, number)
        return play_games(*players, settings.size, settings.block, seeds, settings.komi, both)

    def _scores(self, games: int) -> Any:
        """Every player's mean score against Zero and Manual; all draw from the same stream."""
        scores, settings = np.zeros(len(self.state)), self.settings

        def test(players: Sequence[int]) -> None:
            for i in players:
                player = self.player(self.state[i])
                for opponent in (zero_urgencies(), manual_urgencies()):
                    found = contest(player, opponent, settings.size, settings.trials, *settings.seeds(games, _TEST))
                    scores[i] += found.score / 2

        tasks: list[Callable[[], object]] = [
            partial(test, range(i, len(scores), settings.streams)) for i in range(settings.streams)
        ]
        in_parallel(tasks, lambda: None)
        return scores


def selected(ranked: Table) -> Table:
    """The next generation of N players, the best first: "delete the N/2 worst; for (D = N/4; D > 0; D = D/2) copy the
    best D; add Zero".
    """
    kept, copies = [ranked[: len(ranked) // 2]], len(ranked) // 4
    while copies > 0:
        kept.append(ranked[:copies])
        copies //= 2
    return np.concatenate([*kept, np.zeros_like(ranked[:1])])
