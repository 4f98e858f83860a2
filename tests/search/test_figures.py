"""The figures of Gelly & Silver 2011 that can be checked by hand. Their texts are at hand, their drawings are not."""

from __future__ import annotations

from typing import Any

import pytest

from montego.go.game import Game
from montego.search.config import SearchConfig
from montego.search.search import Search
from toy_tree import PASS, A, B, C, D, E, F, G, Toy

# Figure 1: "Five simulations of a simple Monte-Carlo tree search. Each simulation has an outcome of 1 for a black win
# or 0 for a white win (square). At each simulation a new node (star) is added into the search tree. The value of each
# node in the search tree (circles and star) is then updated to count the number of black wins, and the total number of
# visits (wins/visits)."
#
# It is read like this: the tree policy is greedy MCTS (§2.4), here with ½ and a bit for unknown moves; the node of a
# state counts the simulations through it, the root included; the first simulation makes the root. Outcomes are ours.


def test_figure_1_wins_and_visits() -> None:
    outcomes = iter([0, 1, 0, 1, 0])

    def game(*choices: tuple[int, int]) -> Any:
        """All lines of two moves each; the outcome is that of the simulation, not of the line."""
        return {p: game(*choices[1:]) for p in choices[0]} if choices else lambda: next(outcomes)

    search = Toy(game((A, B), (E, F), (C, D), (G, PASS), (A, B), (E, F)), schedule="none", fpu=0.6)
    lines = [(), (B,), (B, F), (B, F, D), (B, F, D, PASS)]

    search.simulate()  # A by the default policy: a white win
    assert [search.wins_of(*line) for line in lines[:1]] == [(0, 1)]

    search.simulate()  # Black: A = 0, B is unknown. B is new: a black win
    assert [search.wins_of(*line) for line in lines[:2]] == [(1, 2), (1, 1)]

    search.simulate()  # Black: B = 1. White: E has lost, F is unknown. F is new: a white win
    assert [search.wins_of(*line) for line in lines[:3]] == [(1, 3), (1, 2), (0, 1)]

    search.simulate()  # Black: B = ½. White: F has won. Black: C has lost, D is unknown. D is new: a black win
    assert [search.wins_of(*line) for line in lines[:4]] == [(2, 4), (2, 3), (1, 2), (1, 1)]

    search.simulate()  # Black: B = ⅔. White: F = ½. Black: D = 1. White: G has lost, the pass is new: a white win
    assert [search.wins_of(*line) for line in lines] == [(2, 5), (2, 4), (1, 3), (1, 2), (0, 1)]
    assert search.used == 5


@pytest.mark.parametrize("policy", ["uniform", "mogo"])
def test_figure_1_on_a_board(policy: str) -> None:
    """Each of five simulations adds one node, and every node on its line counts one visit more."""
    search = Search(5, SearchConfig(policy=policy, schedule="none"), seed=3)
    search.set_position(Game(5, komi=2.5))
    for visits in range(1, 6):
        search.run(1)
        used = [s for s in range(1, search.pool.capacity) if search.tree.states[s, 1] > 0]
        assert len(used) == search.pool.used == visits
        assert search.tree.states[used[0], 1] == visits
        assert search.tree.states[used[-1], 1] == 1  # the star
        assert all(0 <= search.tree.states[s, 2] <= search.tree.states[s, 1] for s in used)


# Figure 4: "An example of using the RAVE algorithm to estimate the value of Black moves a and b from state s. Six
# simulations have been executed from state s, with outcomes shown in the bottom squares. Playing move a immediately led
# to two losses, and so Monte-Carlo estimation favours move b. However, playing move a at any subsequent time led to
# three wins out of five, and so the RAVE algorithm favours move a. Note that the simulation starting with move a from
# the root node does not belong to the subtree τ(s) and does not contribute to the AMAF estimate Q̃(s, a)."
#
# It is read like this: a is played at any time in five of the six simulations, two of them the immediate losses, so
# Q̃(s, a) = 3/5. The rest is filled in such that b looks better at once (2 of 3) and worse on the whole (2 of 5).


def test_figure_4_rave_favours_what_monte_carlo_does_not() -> None:
    a, b, c = A, B, C
    search = Toy(dict.fromkeys((a, b, c, D, E, F, G), 0.0), schedule="rave")
    s = [D, E]  # Black D, White E lead from the root to s
    search.script(s, [a, F, b], 0)
    search.script(s, [a, G, b], 0)
    search.script(s, [b, F, a], 1)
    search.script(s, [b, G, a], 1)
    search.script(s, [b, F, c], 0)
    search.script(s, [c, G, a], 1)
    search.script([], [a, E, D, F, b], 1)  # from the root: a, and even D and E later on
    assert search.mc(*s) == {a: (2, 0), b: (3, pytest.approx(2 / 3)), c: (1, 1)}
    assert search.amaf(*s) == {a: (5, 3 / 5), b: (5, 2 / 5), c: (2, 1 / 2)}
    state = search.node(*s)
    values = search.values(1, state)
    assert (values[a], values[b], values[c]) == pytest.approx((3 / 5, 2 / 5, 1 / 2))
    search.parameters.schedule = 0  # Monte-Carlo alone
    values = search.values(1, state)
    assert values[b] > values[a]
    assert search.amaf()[a] == (6, pytest.approx(4 / 6))  # at the root the seventh simulation counts
