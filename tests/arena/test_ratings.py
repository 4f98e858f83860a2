"""Ratings: against players of known strength, against closed forms, and where the games tell too little."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from montego import MontegoError
from montego.arena.likelihood import Likelihood
from montego.arena.ratings import SCALE, Crosstable, Meeting, Rated, Ratings, fit
from montego.arena.settings import MatchError
from montego.arena.statistics import Z95, elo

STRENGTHS = {"anna": 0.0, "bert": 90.0, "carl": 250.0, "dora": -120.0}


def simulated(
    rng: np.random.Generator, games: int, strengths: dict[str, float] = STRENGTHS, colour: float = 0, draw: float = 0
) -> list[Meeting]:
    """A tournament of all against all, `games` for each ordered pair, by the formulas of the paper."""
    meetings = []
    for black, white in permutations(strengths, 2):
        b, w = 10 ** ((strengths[black] + colour) / 400), 10 ** (strengths[white] / 400)
        tie = draw * math.sqrt(b * w)
        counts = rng.multinomial(games, np.array([b, w, tie]) / (b + w + tie))
        meetings.append(Meeting(black, white, *map(int, counts)))
    return meetings


def elos(ratings: Ratings) -> dict[str, float]:
    return {player.name: player.elo for player in ratings.players}


def test_known_strengths_are_found() -> None:
    meetings = simulated(np.random.default_rng(1), 2000, colour=35, draw=0.6)
    ratings = fit(meetings, ("anna", 0.0))
    assert [player.name for player in ratings.players] == ["carl", "bert", "anna", "dora"]
    for player in ratings.players:
        assert abs(player.elo - STRENGTHS[player.name]) <= 3.5 * player.error / Z95
        assert player.name == "anna" or 3 < player.error < 15
        assert player.games == 12000 and player.bounded
    advantage, error = ratings.colour_advantage
    assert abs(advantage - 35) <= 3.5 * error / Z95 and 2 < error < 8
    assert ratings.draw == pytest.approx(0.6, abs=0.04)
    assert ratings.prior == 0


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng, covered = np.random.default_rng(2), []
    for _ in range(200):
        ratings = fit(simulated(rng, 30, colour=40, draw=0.4), ("anna", 0.0))
        covered += [abs(p.elo - STRENGTHS[p.name]) <= p.error for p in ratings.players if p.name != "anna"]
        difference, error = ratings.difference("carl", "dora")
        covered += [
            abs(difference - 370) <= error,
            abs(ratings.colour_advantage[0] - 40) <= ratings.colour_advantage[1],
        ]
    assert len(covered) == 1000 and 0.93 <= np.mean(covered) <= 0.97


@pytest.mark.parametrize(("wins", "losses"), [(60, 40), (1, 99), (7, 7), (10**6, 3)])
def test_two_players_as_in_the_closed_form(wins: int, losses: int) -> None:
    ratings = fit([Meeting("a", "b", wins, losses)])
    difference, error = ratings.difference("a", "b")
    assert difference == pytest.approx(elo(wins / (wins + losses)), abs=1e-4)
    assert error == pytest.approx(Z95 * SCALE * math.sqrt(1 / wins + 1 / losses), rel=1e-6)
    assert ratings.player("a").elo == pytest.approx(-ratings.player("b").elo)
    assert (ratings.draw, ratings.colour_advantage) == (0.0, (0.0, 0.0))


def test_two_players_with_draws_and_both_colours() -> None:
    # With all three parameters free the fitted frequencies are those seen: wins : losses = 10^(±d + h)/400.
    ratings = fit([Meeting("a", "b", 32, 8, 16), Meeting("b", "a", 16, 16, 16)])
    assert ratings.difference("a", "b")[0] == pytest.approx(200 * math.log10(4), abs=1e-4)
    assert ratings.colour_advantage[0] == pytest.approx(200 * math.log10(4), abs=1e-4)
    assert ratings.draw == pytest.approx(1.0, abs=1e-9)  # 16 / √(32 · 8) = 16 / √(16 · 16)
    assert ratings.player("a").rate == pytest.approx((32 + 16 + 16) / 104)


@pytest.mark.parametrize("draw", [0.0, 0.5])
def test_derivatives(draw: float) -> None:
    rng = np.random.default_rng(3)
    table = Crosstable.of(simulated(rng, 20, colour=30, draw=draw))
    model = table.likelihood(True, prior=0.3)
    at = rng.normal(size=model.logits.shape[-1])
    assert len(at) == 5 + (draw > 0)
    for step in np.eye(len(at)) * 1e-5:
        slope = (model.value(at + step) - model.value(at - step)) / 2e-5
        assert model.gradient(at) @ step / 1e-5 == pytest.approx(slope, rel=1e-6, abs=1e-5)
        bend = (model.gradient(at + step) - model.gradient(at - step)) / 2e-5
        assert model.hessian(at) @ step / 1e-5 == pytest.approx(bend, rel=1e-5, abs=1e-5)


def test_the_likelihood_is_davidsons() -> None:
    model = Crosstable.of([Meeting("a", "b", 3, 2, 4)]).likelihood(False, prior=0.0)
    b, w, draw = 1.7, 0.6, 0.9
    tie = draw * math.sqrt(b * w)
    expected = 3 * math.log(b) + 2 * math.log(w) + 4 * math.log(tie) - 9 * math.log(b + w + tie)
    assert model.value(np.log([b, w, draw])) == pytest.approx(-expected, rel=1e-12)


def test_the_anchor_moves_all_and_changes_no_difference() -> None:
    meetings = simulated(np.random.default_rng(4), 50, colour=20, draw=0.2)
    free, low, high = (fit(meetings, a) for a in (None, ("anna", 0.0), ("carl", 1800.0)))
    assert high.player("carl").elo == 1800 and high.player("carl").error == 0
    assert sum(elos(free).values()) == pytest.approx(0, abs=1e-9)
    for a, b in permutations(STRENGTHS, 2):
        assert low.difference(a, b) == pytest.approx(free.difference(a, b), rel=1e-7)
        assert high.difference(a, b) == pytest.approx(free.difference(a, b), rel=1e-7)
    assert low.colour_advantage == pytest.approx(high.colour_advantage, rel=1e-7)
    assert free.covariance.sum(axis=0) == pytest.approx(np.zeros(4), abs=1e-7)
    assert free.player("bert").error < low.player("bert").error


def test_twice_the_games_have_errors_smaller_by_the_root_of_two() -> None:
    meetings = simulated(np.random.default_rng(5), 40, colour=20, draw=0.2)
    once, twice = fit(meetings), fit(meetings + meetings)
    assert elos(twice) == pytest.approx(elos(once), abs=1e-4)
    for player in once.players:
        assert twice.player(player.name).error == pytest.approx(player.error / math.sqrt(2), rel=1e-7)
    assert twice.colour_advantage[1] == pytest.approx(once.colour_advantage[1] / math.sqrt(2), rel=1e-7)


def test_the_order_of_meetings_is_irrelevant() -> None:
    meetings = simulated(np.random.default_rng(6), 40, draw=0.2)
    assert fit(meetings[::-1]) == fit(iter(meetings))


def test_a_player_that_won_all_is_held_by_a_virtual_game() -> None:
    ratings = fit([Meeting("a", "b", 10, 0)], ("b", 0.0))
    assert ratings.player("a").elo == pytest.approx(elo(10.5 / 11), abs=1e-4)
    assert (ratings.player("a").bounded, ratings.player("b").bounded, ratings.prior) == (False, True, 1.0)
    assert (ratings.player("a").games, ratings.player("a").rate) == (10, 1.0)
    stronger = fit([Meeting("a", "b", 10, 0)], prior=0.1)
    assert stronger.difference("a", "b")[0] == pytest.approx(elo(10.05 / 10.1), abs=1e-4)


def test_only_those_without_a_bound_are_marked() -> None:
    meetings = [*simulated(np.random.default_rng(7), 50), Meeting("zoe", "anna", 0, 5), Meeting("max", "carl", 4, 0)]
    ratings = fit(meetings)
    assert [player.name for player in ratings.players if not player.bounded] == ["max", "zoe"]
    assert "* " in ratings.table().splitlines()[1] and "no bound" in ratings.table()
    moved = fit(simulated(np.random.default_rng(7), 50)).difference("carl", "dora")[0]
    assert ratings.difference("carl", "dora")[0] == pytest.approx(moved, abs=10), "one virtual game among 300"


def test_two_groups_with_one_way_results() -> None:
    meetings = [Meeting("a", "b", 5, 5), Meeting("c", "d", 4, 6), Meeting("c", "a", 7, 0), Meeting("d", "b", 7, 0)]
    anchored = fit(meetings, ("a", 0.0))
    assert {player.name for player in anchored.players if player.bounded} == {"a", "b"}
    assert not any(player.bounded for player in fit(meetings).players), "no group is more than half"


@pytest.mark.parametrize(
    "meetings",
    [
        [Meeting("a", "b", 0, 0, 9)],  # ν has no bound
        [Meeting("a", "b", 3, 0, 3)],  # a may be any distance ahead, if draws become likelier with it
        [Meeting("a", "b", 3, 0), Meeting("b", "a", 3, 0)],  # nor has the advantage of Black
        [Meeting("a", "b", 1, 0), Meeting("b", "c", 1, 0), Meeting("c", "a", 1, 0)],  # the same in a circle
        [Meeting("a", "b", 0, 0, 1), Meeting("b", "c", 10**9, 0, 0), Meeting("c", "d", 0, 1)],
    ],
)
def test_less_obvious_ways_to_have_no_bound(meetings: list[Meeting]) -> None:
    with pytest.raises(MatchError, match="no finite ratings; accepted: a prior above 0"):
        fit(meetings, prior=0.0)
    ratings = fit(meetings, ("a", 0.0))
    assert ratings.prior == 1.0 and not all(player.bounded for player in ratings.players)
    json.dumps(ratings.to_dict(), allow_nan=False)


def test_a_chain_of_one_way_results_is_bounded_where_it_closes() -> None:
    circle = [Meeting("a", "b", 1, 0), Meeting("c", "b", 0, 1), Meeting("c", "a", 1, 0)]
    ratings = fit(circle, colour=False, prior=0.0)
    assert elos(ratings) == pytest.approx({"a": 0, "b": 0, "c": 0}, abs=1e-4)


def climbed(model: Likelihood) -> Any:
    """A hundred damped Newton steps: to the maximum, or far away."""
    at = np.zeros(model.logits.shape[-1])
    for _ in range(100):
        at = at - np.linalg.solve(model.hessian(at) + 1e-9 * np.eye(len(at)), model.gradient(at)).clip(-0.5, 0.5)
    return at


def test_free_directions_against_a_search() -> None:
    """Of random little tournaments: Newton's steps end at a maximum, or run away to where the Hessian vanishes."""
    rng, kinds = np.random.default_rng(8), set()
    for _ in range(150):
        meetings = [Meeting(a, b, *map(int, rng.poisson(0.7, 3))) for a, b in permutations("abc", 2)]
        if sum(any(m.counts) for m in meetings) < 5:
            continue
        model = Crosstable.of(meetings).likelihood(True, prior=0.0)
        finite = model.free_directions().shape[1] == 1
        kinds.add(finite)
        held = Likelihood(model.logits[..., 1:], model.counts)
        curvature = np.linalg.eigvalsh(held.hessian(climbed(held))).min()
        assert (curvature > 1e-4) == finite, meetings
    assert kinds == {True, False}


def test_players_without_a_chain_of_games_are_named() -> None:
    meetings = [Meeting("a", "b", 5, 5), Meeting("c", "d", 4, 6), Meeting("e", "a", 0, 0), Meeting("b", "f", 1, 1)]
    with pytest.raises(MatchError, match=r"connects c, d, e with the others; accepted: games between"):
        fit(meetings)
    with pytest.raises(MatchError, match=r"connects a, b, e, f with the anchor c; accepted"):
        fit(meetings, ("c", 0.0))


def test_no_draws() -> None:
    ratings = fit(simulated(np.random.default_rng(9), 300, colour=30))
    assert ratings.draw == 0 and "draw" not in ratings.table()
    assert abs(ratings.colour_advantage[0] - 30) <= 3.5 * ratings.colour_advantage[1] / Z95


@pytest.mark.parametrize(
    ("pairs", "shown"),
    [
        (["ab"], False),
        (["ab", "cb"], False),
        (["ab", "bc", "ac"], True),  # a would have to be one and two units above c
        (["ab", "bc", "cd", "ae", "ed"], True),
        (["ab", "cd", "ad", "cb"], False),  # nobody has both colours
        (["ab", "ba"], True),
    ],
)
def test_the_advantage_of_black_is_fitted_where_the_games_can_show_it(pairs: list[str], shown: bool) -> None:
    ratings = fit([Meeting(black, white, 6, 4) for black, white in pairs])
    assert (ratings.colour_advantage[1] > 0) == shown
    assert shown or ratings.colour_advantage == (0.0, 0.0)
    assert ("Black is worth" in ratings.table()) == shown


def test_the_advantage_of_black_can_be_left_out() -> None:
    meetings = [Meeting("a", "b", 9, 1), Meeting("b", "a", 9, 1)]
    assert fit(meetings, colour=False).colour_advantage == (0.0, 0.0)
    assert fit(meetings).colour_advantage[0] == pytest.approx(elo(0.9), abs=1e-4)


def test_superiority() -> None:
    ratings = fit(simulated(np.random.default_rng(10), 20, draw=0.3))
    for a, b in permutations(STRENGTHS, 2):
        assert ratings.superiority(a, b) == pytest.approx(1 - ratings.superiority(b, a), abs=1e-12)
        assert (ratings.superiority(a, b) > 0.5) == (ratings.player(a).elo > ratings.player(b).elo)
    assert ratings.superiority("anna", "anna") == 0.5


def test_superiority_by_hand() -> None:
    """One player 1.96 standard deviations above the other: 95 % are two tails, superiority leaves out one."""
    players = tuple(Rated(name, elo, 0.0, 1, 0.5, True) for name, elo in (("a", Z95 * 5), ("b", 0.0)))
    covariance = np.array([[20.0, 2.0], [2.0, 9.0]])  # of the difference: 20 + 9 − 2 · 2 = 5²
    ratings = Ratings(players, (0.0, 0.0), 0.0, 0.0, None, covariance)
    assert ratings.superiority("a", "b") == pytest.approx(0.975, abs=1e-9)
    assert ratings.difference("a", "b") == pytest.approx((Z95 * 5, Z95 * 5))


def test_the_table() -> None:
    ratings = fit([Meeting("long name", "b", 60, 40, 10), Meeting("b", "long name", 45, 55, 10)], ("b", 1500.0))
    lines = ratings.table().splitlines()
    assert lines[0].split() == ["#", "player", "Elo", "±", "95", "%", "games", "score"]
    assert lines[1].startswith("1  long name  15") and lines[1].endswith("  56.8%")
    assert lines[2].split() == ["2", "b", "1500", "anchor", "220", "43.2%"]
    assert len({len(line) for line in lines[:3]}) == 1


def test_plain_data() -> None:
    ratings = fit([Meeting("a", "b", 6, 4, 2), Meeting("b", "a", 5, 5)], ("a", 100))
    told = json.loads(json.dumps(ratings.to_dict(), allow_nan=False))
    assert told["anchor"] == "a" and told["prior"] == 0 and told["draw"] == ratings.draw
    assert {player["name"]: player["elo"] for player in told["players"]} == elos(ratings)
    assert told["covariance"] == ratings.covariance.tolist()
    assert told["colour_advantage"]["elo"] == ratings.colour_advantage[0]


GAMES = [Meeting("a", "b", 1, 1)]
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: Meeting("a", "a", 1, 1), "met itself; accepted"),
    (lambda: Meeting("a", "b", -1, 1), "black_wins is -1; accepted"),
    (lambda: Meeting("a", "b", 1, 1.5), "white_wins is 1.5; accepted"),  # type: ignore[arg-type]
    (lambda: Meeting("a", "", 1, 1), "accepted: names"),
    (lambda: fit([]), "no game to rate; accepted"),
    (lambda: fit([Meeting("a", "b", 0, 0)]), "no game to rate; accepted"),
    (lambda: fit(GAMES, ("c", 0.0)), "anchor 'c' has no game; accepted: a, b"),
    (lambda: fit(GAMES, ("a", math.nan)), "Elo is nan; accepted"),
    (lambda: fit(GAMES, prior=-1), "prior is -1; accepted"),
    (lambda: fit(GAMES, prior=math.nan), "prior is nan; accepted"),
    (lambda: fit(GAMES, prior=1e-9), "prior is 1e-09; accepted"),
    (lambda: fit(GAMES).difference("a", "x"), "no rating of 'x'; accepted: a, b"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(MatchError, match=message):
        call()


def test_scipy_and_matplotlib_are_not_needed_to_load_the_modules() -> None:
    blocked = "import sys; sys.modules.update({'scipy': None, 'matplotlib': None}); "
    code = blocked + "import montego.arena.ratings, montego.arena.plots, montego.cli.lab, montego.cli.tournament"
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)


def test_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "scipy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(MontegoError, match=r'needs scipy.*pip install "montego\[lab\]"'):
        fit([Meeting("a", "b", 1, 1)])
