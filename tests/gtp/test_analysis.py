"""The analysis protocol: positions, answers, and the order in which queries are answered."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import montego
from gtp.analysis_fakes import DEFAULTS, Bench, entry, finals, move_report, query, report_on
from montego import Game
from montego.gtp import analysis
from montego.gtp.analysis import Replay
from montego.gtp.answers import Job, Scribe, position_hashes
from montego.gtp.queries import read_query
from montego.players.remote import RemoteError

# --- positions ------------------------------------------------------------------------------------------------


def test_replaying_part_of_a_game_again_is_the_same_as_all_of_it() -> None:
    rng, replay = random.Random(7), Replay()
    games: list[list[list[str]]] = [[] for _ in range(4)]
    for _ in range(60):
        moves = rng.choice(games)
        del moves[rng.randrange(len(moves) + 1) :]
        game = Game(5, rules="tromp-taylor")
        for colour, vertex in moves:
            game.play(vertex, colour)
        for _ in range(rng.randrange(12)):
            colour, vertex = rng.choice("BBWW"), rng.choice([*game.legal_moves(), "pass"])
            if game.is_legal(vertex, colour):
                game.play(vertex, colour)
                moves.append([colour, vertex])
        read = read_query(query(moves=moves, rules="tromp-taylor"), DEFAULTS)
        found = replay.position(read, len(moves))
        assert (found.stones == game.stones).all() and found.ko == game.ko
        assert found.history.tolist() == game.history.tolist()
        if moves:
            assert found.to_play == game.to_play


def test_a_refused_move_leaves_the_replay_whole() -> None:
    bench = Bench()
    good = [["B", "C3"], ["W", "D3"]]
    replies = bench.ask(
        query("a", moves=good), query("b", moves=[*good, ["B", "D3"]]), query("c", moves=[*good, ["B", "B3"]])
    )
    assert "error" in replies[0] and finals(replies) == [("a", 2), ("c", 3)]
    assert [task.game.stones.sum() for task in bench.engine.tasks] == [3, 4]


def test_passes_do_not_end_what_is_asked_about() -> None:
    bench = Bench()
    moves = [["B", "C3"], ["W", "pass"], ["B", "pass"], ["W", "pass"], ["B", "B2"], ["B", "D2"]]
    replies = bench.ask(query(moves=moves, analyzeTurns=[3, 4, 5, 6]))
    assert finals(replies) == [("q", turn) for turn in (3, 4, 5, 6)]
    assert not any(task.game.is_over for task in bench.engine.tasks)
    assert [reply["rootInfo"]["currentPlayer"] for reply in replies] == ["W", "B", "W", "W"]


def test_a_game_without_result_is_refused_where_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    monkeypatch.setattr(Game, "is_over", property(lambda game: len(game.moves) == 1))
    (told,) = bench.ask(query(rules="japanese", moves=[["B", "C3"], ["W", "D3"]], analyzeTurns=[0, 1, 2]))
    assert told["field"] == "analyzeTurns" and "at turn 1" in told["error"] and bench.engine.tasks == []


def test_hashes() -> None:
    one, turned, mirrored = Game(5), Game(5), Game(5)
    one.play("B2")
    turned.play("D2")
    mirrored.play("B4")
    hashes = [position_hashes(game) for game in (one, turned, mirrored)]
    assert len({this for this, _ in hashes}) == 3 and len({sym for _, sym in hashes}) == 1
    assert all(len(text) == 32 for pair in hashes for text in pair)
    assert position_hashes(one.with_turn("B")) != position_hashes(one)
    ko = Game.from_diagram(". X O . .\nX O . O .\n. X O . .\n. . . . .\n. . . . .", "B")
    ko.play("C4")
    assert ko.ko == "B4"
    free = ko.copy()
    free.setup(to_play="W")
    assert (free.stones == ko.stones).all() and position_hashes(free)[0] != position_hashes(ko)[0]


# --- answers --------------------------------------------------------------------------------------------------


def scribe(game: Game, **fields: Any) -> Scribe:
    return Scribe(Job(read_query(query(**fields), DEFAULTS), 0, 0, 1), game)


@pytest.mark.parametrize("colour", ["B", "W"])
@pytest.mark.parametrize("view", ["BLACK", "WHITE", "SIDETOMOVE"])
def test_whose_values(view: str, colour: str) -> None:
    game = Game(5)
    game.setup(["A1"], ["E5"], to_play=colour)
    fields = {"includeOwnership": True, "overrideSettings": {"reportAnalysisWinratesAs": view}}
    told = scribe(game, **fields).reply(report_on(game), during=False)
    own = view == "SIDETOMOVE" or view[0] == colour
    root, move = told["rootInfo"], told["moveInfos"][0]
    assert root["winrate"] == move["winrate"] == (0.6 if own else 0.4)
    assert (root["scoreLead"], move["scoreLead"]) == ((2.5, 3.0) if own else (-2.5, -3.0))
    assert move["scoreMean"] == move["scoreSelfplay"] == move["scoreLead"] and move["scoreStdev"] == 9.0
    assert move["utility"] == pytest.approx(0.2 if own else -0.2)
    assert (move["lcb"] < move["winrate"]) == own, "a lower bound for the side to move is an upper one for the other"
    sign = 1.0 if own == (colour == "B") else -1.0
    assert len(told["ownership"]) == 25 and told["ownership"][20] == sign and told["ownership"][4] == -sign
    assert root["currentPlayer"] == colour


def test_moves_come_in_order_with_all_that_clients_read() -> None:
    told = scribe(Game(5)).reply(report_on(Game(5)), during=True)
    assert told.keys() == {"id", "turnNumber", "isDuringSearch", "moveInfos", "rootInfo"} and told["isDuringSearch"]
    assert [(move["order"], move["visits"], move["edgeVisits"]) for move in told["moveInfos"]] == [
        (0, 10, 10),
        (1, 6, 6),
    ]
    wanted = {
        "move", "visits", "edgeVisits", "winrate", "scoreMean", "scoreLead", "scoreStdev", "scoreSelfplay", "prior",
        "utility", "lcb", "utilityLcb", "order", "pv", "weight",
    }  # fmt: skip
    assert told["moveInfos"][0].keys() == wanted
    assert told["moveInfos"][0]["pv"] == ["A5", "pass"]
    wanted = {
        "visits",
        "winrate",
        "scoreLead",
        "scoreSelfplay",
        "scoreStdev",
        "utility",
        "currentPlayer",
        "thisHash",
        "symHash",
    }
    assert wanted < told["rootInfo"].keys()
    short = scribe(Game(5), analysisPVLen=1).reply(report_on(Game(5)), during=True)
    assert short["moveInfos"][0]["pv"] == ["A5", "pass"]


def test_nothing_found_is_said_so() -> None:
    game = Game(5)
    for report in (None, report_on(game, lead=None), report_on(game, moves=())):
        told = scribe(game).reply(report, during=False)
        assert told == {"id": "q", "turnNumber": 0, "isDuringSearch": False, "noResults": True}


def test_a_move_without_scores_has_the_position_s() -> None:
    game = Game(5)
    told = scribe(game).reply(report_on(game, moves=(move_report("C3", 3, lead=None, lead_spread=None),)), False)
    assert (told["moveInfos"][0]["scoreLead"], told["moveInfos"][0]["scoreStdev"]) == (2.5, 8.0)


@pytest.mark.parametrize("colour", ["B", "W"])
def test_statistics_of_the_tree_policy(colour: str) -> None:
    game = Game(5)
    game.setup(["A1"], ["E5"], to_play=colour)
    moves = (
        replace(move_report("C3", 3, 0.7, prior=0.55), amaf_value=0.6, amaf_count=8.0, beta=0.25, mixed=0.675),
        replace(move_report("B2", 0, prior=None), value=None, amaf_value=0.4, amaf_count=2.0, beta=1.0, mixed=0.4),
        replace(move_report("pass", 0, prior=None), value=None, mixed=None),
    )
    fields = {"includeStatistics": True, "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"}}
    best, untried = scribe(game, **fields).reply(report_on(game, moves=moves), during=False)["moveInfos"]
    black = colour == "B"
    assert [best[name] for name in ("value", "amafValue", "mixed", "heuristic")] == pytest.approx(
        [0.7, 0.6, 0.675, 0.55] if black else [0.3, 0.4, 0.325, 0.45]
    )
    assert (best["beta"], best["amafVisits"]) == (0.25, 8.0)
    assert (untried["move"], untried["visits"], untried["value"], untried["heuristic"]) == ("B2", 0, None, None)
    assert "beta" not in scribe(game).reply(report_on(game, moves=moves), during=False)["moveInfos"][0]


def test_policy() -> None:
    game = Game.from_diagram(". X . . .\nX X . . .\n. . . O O\n. . . O .\n. . . O O", "B")
    assert game.is_legal("A5") and not game.is_legal("E2")
    moves = [move_report(v, 1, prior=0.9 if v == "C3" else 0.3) for v in game.legal_moves() if v != "A5"]
    found = report_on(game, moves=(*moves, move_report("pass", 0, prior=0.0)))
    told = scribe(game, includePolicy=True).reply(found, during=False)
    policy = told["policy"]
    assert len(policy) == 26 and sum(share for share in policy if share > 0) == pytest.approx(1.0, abs=1e-4)
    assert policy[0] == 0.0, "legal, but an eye of one's own, which the search leaves out"
    assert policy[-1] == 0.0, "the heuristic thinks nothing of passing"
    stones = [i for i, stone in enumerate(game.stones.ravel()) if stone]
    assert [i for i, share in enumerate(policy) if share == -1.0] == sorted([*stones, 19])
    assert policy[12] == pytest.approx(3 * policy[7], abs=1e-5)
    assert told["moveInfos"][0]["prior"] in policy
    known = report_on(game, moves=tuple(replace(move, prior=None) for move in moves))
    shares = {share for share in scribe(game, includePolicy=True).reply(known, False)["policy"] if share > 0}
    assert shares == {round(1 / len(moves), 6)}, "without a heuristic all moves are the same"


def test_avoided_and_allowed_moves() -> None:
    bench = Bench()
    two = [["B", "A1"], ["W", "B2"]]
    avoid = [entry(moves=["c3", "D4"]), entry(player="W", moves=["E5"]), entry(moves=["pass"])]
    replies = bench.ask(query(moves=two, analyzeTurns=[0, 1], avoidMoves=avoid))
    assert [task.without for task in bench.engine.tasks] == [("C3", "D4", "pass"), ("E5",)]
    assert {move["move"] for reply in replies for move in reply["moveInfos"]}.isdisjoint({"C3", "D4"})
    replies = bench.ask(query(moves=two, analyzeTurns=[1, 2], allowMoves=[entry(moves=["A5", "pass"])]))
    assert [(task.only, task.without) for task in bench.engine.tasks[2:]] == [((), ()), (("A5", "pass"), ())]
    assert [move["move"] for move in replies[1]["moveInfos"]] == ["A5"]


# --- the order of things --------------------------------------------------------------------------------------


def test_turns_and_priorities() -> None:
    bench = Bench()
    moves = [["B", "C3"], ["W", "D3"], ["B", "C4"]]
    queries = [
        query("a", moves=moves, analyzeTurns=[3, 0, 0, 2]),
        query("b", priority=5),
        query("c", moves=moves, analyzeTurns=[1, 2], priorities=[-1, 7]),
        query("d", priority=5),
    ]
    assert finals(bench.ask(*queries)) == [("c", 2), ("b", 0), ("d", 0), ("a", 0), ("a", 2), ("a", 3), ("c", 1)]


def test_what_a_query_may_cost() -> None:
    bench = Bench()
    bench.ask(query(maxVisits=33, maxTime=1.5, reportDuringSearchEvery=2.5, komi=3.5))
    (task,) = bench.engine.tasks
    assert (task.budget.simulations, task.budget.seconds, task.every, task.game.komi) == (33, 1.5, 2.5, 3.5)
    assert task.kind == "analyse" and task.whole


def test_reports_during_the_search() -> None:
    replies = Bench().ask(query(reportDuringSearchEvery=1.0))
    assert [(reply["isDuringSearch"], reply["rootInfo"]["visits"]) for reply in replies] == [(True, 5), (False, 100)]


def test_a_more_urgent_query_comes_first_and_the_other_is_resumed() -> None:
    bench = Bench((query("later"), query("urgent", priority=1)))
    replies = bench.ask(query("long", maxVisits=10_000_000))
    assert finals(replies) == [("urgent", 0), ("long", 0), ("later", 0)]
    assert replies[1]["rootInfo"]["visits"] == 10_000_000, "resumed, it has what it asked for"
    assert len(bench.engine.tasks) == 4 and bench.analyst._kept == {}


def test_a_running_query_is_terminated_with_what_it_has() -> None:
    end = {"id": "t", "action": "terminate", "terminateId": "long", "extra": [1]}
    bench = Bench((query("next"), end))
    replies = bench.ask(query("long", maxVisits=10_000_000))
    assert replies[0] == end
    assert finals(replies) == [("long", 0), ("next", 0)]
    assert replies[1]["rootInfo"]["visits"] == 6 and len(bench.engine.tasks) == 2


def test_a_search_that_does_not_stop_in_time_has_no_results() -> None:
    bench = Bench(({"id": "t", "action": "terminate_all"},))
    bench.engine.hangs = True
    assert bench.ask(query("long"))[-1] == {"id": "long", "turnNumber": 0, "isDuringSearch": False, "noResults": True}


def test_waiting_turns_are_terminated_at_once() -> None:
    end = {"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1, 3, 99]}
    moves = [["B", "C3"], ["W", "D3"], ["B", "C4"]]
    replies = Bench().ask(
        query("a", moves=moves, analyzeTurns=[0, 1, 2, 3]), query("b", moves=moves, analyzeTurns=[1]), end
    )
    assert replies[0] == end
    assert [(r["id"], r["turnNumber"]) for r in replies if r.get("noResults")] == [("a", 1), ("a", 3)]
    assert finals(replies) == [("a", 1), ("a", 3), ("a", 0), ("a", 2), ("b", 1)]
    everything = {"id": "t", "action": "terminate_all"}
    replies = Bench().ask(query("a", moves=moves, analyzeTurns=[0, 1]), query("b"), everything)
    assert len(finals(replies)) == 3 and all("noResults" in reply for reply in replies[1:])


def test_a_query_put_aside_and_then_terminated_has_what_was_found() -> None:
    end = {"id": "t", "action": "terminate", "terminateId": "long"}
    bench = Bench((query("urgent", priority=1),), (end,))
    replies = bench.ask(query("long"))
    assert finals(replies) == [("long", 0), ("urgent", 0)]
    assert next(r for r in replies if r["id"] == "long")["rootInfo"]["visits"] == 6
    assert bench.analyst._kept == {}


def test_what_was_found_before_is_better_than_nothing() -> None:
    end = {"id": "t", "action": "terminate", "terminateId": "long"}
    bench = Bench((query("urgent", priority=1),), (), (end,))
    run = bench.engine.run

    def hang_in_the_third(*arguments: Any) -> Any:
        bench.engine.hangs = len(bench.engine.tasks) == 2
        return run(*arguments)

    bench.engine.run = hang_in_the_third  # type: ignore[method-assign]
    replies = bench.ask(query("long"))
    assert finals(replies) == [("urgent", 0), ("long", 0)] and replies[-1]["rootInfo"]["visits"] == 6
    assert bench.analyst._kept == {}


def test_a_more_urgent_query_that_is_withdrawn_at_once() -> None:
    end = {"id": "t", "action": "terminate", "terminateId": "urgent"}
    bench = Bench((query("urgent", priority=1), end))
    assert finals(bench.ask(query("long"))) == [("urgent", 0), ("long", 0)]


def test_only_so_many_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "MOST_KEPT", 2)
    bench = Bench(*((query(f"q{i}", priority=i),) for i in range(1, 6)), ({"id": "t", "action": "terminate_all"},))
    replies = bench.ask(query("q0"))
    assert sorted(finals(replies)) == [(f"q{i}", 0) for i in range(6)]
    assert sorted(r["id"] for r in replies if "noResults" in r) == ["q0", "q1", "q2"]


def test_actions() -> None:
    bench = Bench()
    replies = bench.ask(
        {"id": "v", "action": "query_version", "mine": 1},
        {"id": "m", "action": "query_models"},
        {"id": "c", "action": "clear_cache"},
    )
    assert replies[0] == {
        "id": "v",
        "action": "query_version",
        "mine": 1,
        "version": montego.__version__,
        "git_hash": "<omitted>",
    }
    assert replies[1] == {"id": "m", "action": "query_models", "models": []}
    assert replies[2] == {"id": "c", "action": "clear_cache"} and bench.engine.forgotten == 1


def test_warnings_are_given_once() -> None:
    fields = {
        "includeMovesOwnership": True, "includeOwnershipStdev": False, "colour": "red",
        "overrideSettings": {"wideRootNoise": 0.04, "maxTime": 3}, "avoidMoves": [entry(untilDepth=3)],
    }  # fmt: skip
    bench = Bench()
    replies = bench.ask(query("a", **fields), query("b", **fields))
    warnings = [reply for reply in replies if "warning" in reply]
    assert all(reply.keys() == {"warning", "field", "id"} and reply["id"] == "a" for reply in warnings)
    wanted = ["colour", "includeMovesOwnership", "overrideSettings", "untilDepth"]
    assert sorted(reply["field"] for reply in warnings) == wanted
    assert finals(replies) == [("a", 0), ("b", 0)]


def test_a_refused_query_warns_of_nothing() -> None:
    bench = Bench()
    assert len(bench.ask(query("a", colour="red", moves=[["B", "C3"], ["W", "C3"]]))) == 1
    assert bench.analyst._warned == set()


def test_too_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "MOST_TURNS", 3)
    moves = [["B", "C3"], ["W", "D3"]]
    replies = Bench().ask(
        query("a", moves=moves, analyzeTurns=[0, 1]), query("b", moves=moves, analyzeTurns=[0, 1]), query("c")
    )
    assert replies[0]["id"] == "b" and "2 turns are waiting; accepted: 1 more" in replies[0]["error"]
    assert finals(replies) == [("a", 0), ("a", 1), ("c", 0)]


def test_a_search_that_fails_is_told_and_the_next_query_answered() -> None:
    bench = Bench()
    bench.engine.fails = RemoteError("the search failed: out of luck")
    (told,) = bench.ask(query("a"))
    assert told == {"error": "the search failed: out of luck", "id": "a", "turnNumber": 0}
    bench.engine.fails = None
    assert finals(bench.ask(query("b"))) == [("b", 0)]
