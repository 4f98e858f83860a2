"""A tuning with games that take no time: batches, stopping early, interruptions, what is on file."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from learn.tuning_fakes import OPPONENTS, SPACE, Table, settings
from montego import MontegoError
from montego.arena.match import no_game
from montego.arena.settings import Match
from montego.arena.statistics import Tally
from montego.arena.store import Store
from montego.learn.findings import findings, last_confirmation, report, write_report
from montego.learn.hopeless import WARM_UP, Standing, Yardstick
from montego.learn.space import Choice, Space
from montego.learn.tuning import GAMES, STUDY, Tuning, counted, settings_in
from montego.learn.tuning_settings import TuneSettings, TuningError, settings_from


def told(tuning: Tuning) -> list[Any]:
    """All that the study knows of its trials."""
    return [(t.number, t.state.name, t.params, t.user_attrs, t.intermediate_values) for t in tuning.finished]


def done(asked: TuneSettings, folder: Path, table: Table | None = None) -> list[Any]:
    with Tuning(asked, folder) as tuning:
        assert tuning.run(table or Table(asked))
        assert tuning.games_left == 0
        return told(tuning)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """A tuning in one go."""
    folder = tmp_path_factory.mktemp("tuning")
    return folder, done(settings(), folder)


def test_trials_are_played_in_fair_batches(whole: tuple[Path, list[Any]]) -> None:
    folder, trials = whole
    assert len(trials) == 10 and trials[0][2] == {"bias": 0.0085, "final": "visits"}, "the present setting comes first"
    for _, state, _, attributes, values in trials:
        assert list(values) == list(range(8, 8 * len(values) + 1, 8)) and (len(values) == 3 or state == "PRUNED")
        assert attributes["spec"].startswith("house:bias=")
    with Store(folder / GAMES) as store:
        for setting, each in counted(settings(), store):
            values = next(t[4] for t in trials if t[3]["spec"] == SPACE.spec("house", setting))
            assert [tally.games for tally in each] == [max(values) // 2] * 2
            assert Standing.of(each) == Standing(pytest.approx(values[max(values)]), pytest.approx(max(values)))


def test_the_same_seed_gives_the_same_trials_and_another_does_not(
    whole: tuple[Path, list[Any]], tmp_path: Path
) -> None:
    assert done(settings(), tmp_path / "same", Table(settings(), ahead=3)) == whole[1], "whatever comes back first"
    assert done(settings(seed=2), tmp_path / "other") != whole[1]


def test_interruptions_change_nothing_and_nothing_is_played_twice(
    whole: tuple[Path, list[Any]], tmp_path: Path
) -> None:
    asked, played = settings(), []
    for most in (0, 1, 7, 8, 30, 3, 50, 1 << 30):
        table = Table(asked, most)
        with Tuning(asked, tmp_path) as tuning:
            finished = tuning.run(table)
        played += table.played
        assert finished == (most == 1 << 30)
    assert len(set(played)) == len(played)
    with Tuning(asked, tmp_path) as tuning:
        assert told(tuning) == whole[1] and tuning.games == len(played)
        again = Table(asked)
        assert tuning.run(again) and not again.played


def test_a_lost_study_comes_back_from_the_games(whole: tuple[Path, list[Any]], tmp_path: Path) -> None:
    shutil.copy(whole[0] / GAMES, tmp_path / GAMES)
    table = Table(settings())
    assert done(settings(), tmp_path, table) == whole[1] and not table.played


def test_more_trials_go_on(whole: tuple[Path, list[Any]], tmp_path: Path) -> None:
    shutil.copytree(whole[0], tmp_path / "copy")
    assert done(settings(12), tmp_path / "copy")[:10] == whole[1]
    assert settings_in(tmp_path / "copy") == settings(12)


def test_a_setting_that_comes_again_is_played_on(tmp_path: Path) -> None:
    asked = settings(5, Space((Choice("final", ("visits", "value")),)), OPPONENTS[:1], games=8)
    table = Table(asked)
    table.game = (
        lambda job: replace(  # type: ignore[method-assign]
            no_game(asked.meeting(*job[:2]), job[2], ""), outcome="win", winner="ab"[job[2] % 2], result="B+R"
        )
    )
    trials = done(asked, tmp_path, table)
    assert len(set(table.played)) == len(table.played) == 40
    reached: dict[str, int] = {}
    for *_, attributes, values in trials:
        spec = attributes["spec"]
        assert list(values) == [reached.get(spec, 0) + 8], "games after those of earlier trials"
        reached[spec] = max(values)
    assert len(reached) <= 2 and sum(reached.values()) == 40


def test_values_that_do_not_go_together_cost_no_game(tmp_path: Path) -> None:
    space = Space((Choice("moves", ("legal", "selected")), Choice("solver", ("false", "true"))))
    asked = settings(12, space, OPPONENTS[:1], games=8)
    table = Table(asked)
    table.game = lambda job: no_game_won(asked, job)  # type: ignore[method-assign]
    trials = done(asked, tmp_path, table)
    refused = [t for t in trials if t[1] == "FAIL"]
    assert refused and all("moves=selected,solver=true" in t[3]["spec"] for t in refused)
    assert not any("moves=selected,solver=true" in job[0] for job in table.played)


def no_game_won(asked: TuneSettings, job: Any) -> Any:
    void = no_game(asked.meeting(*job[:2]), job[2], "")
    return replace(void, outcome="win", winner="a", result="B+R", reason="resign", message="")


def test_void_games_are_made_up_for_and_too_many_end_it(tmp_path: Path) -> None:
    asked = settings(2)
    table = Table(asked)
    plain = table.game
    table.game = lambda job: no_game(asked.match, job[2], "tired") if job[2] == 1 else plain(job)  # type: ignore[method-assign]
    trials = done(asked, tmp_path / "some", table)
    assert all(list(values)[-1] == 24 for *_, values in trials)
    with Store(tmp_path / "some" / GAMES) as store:
        assert all(tally.games == 12 for _, each in counted(asked, store) for tally in each)
    table.game = lambda job: no_game(asked.match, job[2], "no program")  # type: ignore[method-assign]
    with Tuning(asked, tmp_path / "all") as tuning, pytest.raises(TuningError, match="no program"):
        tuning.run(table)


def test_two_do_not_tune_in_one_folder(tmp_path: Path) -> None:
    with Tuning(settings(), tmp_path), pytest.raises(TuningError, match="another process"):
        Tuning(settings(), tmp_path)
    Tuning(settings(), tmp_path).close()


def test_a_study_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / STUDY).write_bytes(b"hello" * 1000)
    with pytest.raises(TuningError, match="cannot open"):
        Tuning(settings(), tmp_path)
    assert (tmp_path / STUDY).read_bytes() == b"hello" * 1000
    (tmp_path / "file").touch()
    with pytest.raises(TuningError, match="cannot make the folder"):
        Tuning(settings(), tmp_path / "file" / "folder")


# Stopping early.


def known(rates: dict[float, float], games: int = 40) -> list[tuple[dict[str, str], Standing]]:
    return [({"bias": str(bias), "final": "visits"}, Standing(rate, games)) for bias, rate in rates.items()]


def test_a_hopeless_trial_is_stopped_and_a_lucky_best_does_not_stop_its_equals() -> None:
    apart = Yardstick(SPACE, known({0.002: 0.2, 0.004: 0.4, 0.01: 0.7, 0.015: 0.75, 0.02: 0.7, 0.04: 0.4}))
    assert 0.65 < apart.rate < 0.76
    assert apart.chance({"bias": "0.0015", "final": "visits"}, Standing(0.125, 8)) < 0.01
    assert apart.chance({"bias": "0.014", "final": "visits"}, Standing(0.5, 8)) > 0.1, "8 games prove little"
    equal = Yardstick(SPACE, known({0.002: 0.5, 0.004: 0.55, 0.01: 0.5, 0.015: 0.7, 0.02: 0.45, 0.04: 0.5}))
    assert equal.rate < 0.62, "the best rate is the luckiest"
    assert equal.chance({"bias": "0.03", "final": "visits"}, Standing(0.375, 8)) > 0.1


def test_nothing_is_stopped_while_little_is_known() -> None:
    few = Yardstick(SPACE, known({0.002: 1.0, 0.004: 1.0, 0.01: 1.0}))
    assert len(few.known) < WARM_UP and few.chance({"bias": "0.03", "final": "visits"}, Standing(0.0, 8)) == 1.0


def test_hopeless_trials_have_few_games(tmp_path: Path) -> None:
    asked = settings(24, games=40)
    trials = done(asked, tmp_path)
    stopped = [t for t in trials if t[1] == "PRUNED"]
    assert len(stopped) >= 3 and min(max(t[4]) for t in stopped) == 8
    places = {t[0]: SPACE.parameters[0].place(str(t[2]["bias"])) for t in trials}
    far = [t for t in trials[10:] if abs(places[t[0]] - 0.5) > 0.35]
    near = [t for t in trials if abs(places[t[0]] - 0.5) < 0.1]
    assert all(t[1] == "PRUNED" for t in far) and sum(t[1] == "COMPLETE" for t in near) >= len(near) / 2
    never = replace(asked, give_up=0.0, trials=9)
    assert all(t[1] == "COMPLETE" for t in done(never, tmp_path / "never"))
    with Store(tmp_path / GAMES) as store:
        found = findings(asked, store)
    best = SPACE.parameters[0].place(found.recommended.setting["bias"])
    assert abs(best - 0.5) < 0.15 and found.importance["bias"] > 2 * found.importance["final"]


# What is kept.


def test_the_report_is_complete_and_plain(whole: tuple[Path, list[Any]], tmp_path: Path) -> None:
    asked = settings()
    with Store(whole[0] / GAMES) as store:
        found = findings(asked, store)
        text = report(found, {"complete": 10}, store)
    path = write_report(tmp_path, text)
    read = json.loads(path.read_text(encoding="utf-8"))
    assert read == text and settings_from({**read, "trials": read["trials"]["asked"]}) == asked
    assert (
        read["games"]
        == sum(one["games"] for one in read["played"])
        == pytest.approx(sum(max(values) for *_, values in whole[1]))
    )
    assert read["recommended"]["spec"] == SPACE.spec("house", read["recommended"]["setting"])
    assert 0 < read["recommended"]["error"] < 0.2 and set(read["importance"]) == {"bias", "final"}
    assert read["present"]["setting"]["bias"] == "0.0085" and read["elo_over_present"]["error"] > 0
    assert {"montego", "optuna", "scipy"} <= set(read["versions"]) and [p.name for p in tmp_path.iterdir()] == [
        "tune.json"
    ]
    assert last_confirmation(tmp_path) is None and last_confirmation(tmp_path / "nowhere") is None
    foreign: list[Any] = [{"a": "x", "b": "house", "games": 0, "sprt": sprt} for sprt in (4, {"elo0": 0})]
    foreign += [{"a": "x", "b": "house", "games": 9, "sprt": {"elo0": 0, "elo1": 30, "verdict": None}}]
    told = [json.dumps({"confirmation": one}) for one in foreign]
    for broken in ("", "[]", '{"confirmation": 7}', '{"confirmation": {"a": 1}}', *told):
        path.write_text(broken, encoding="utf-8")
        with pytest.raises(TuningError, match="accepted: a report"):
            last_confirmation(tmp_path)


def test_a_standing_is_the_mean_over_opponents() -> None:
    assert Standing.of([Tally(8, 2), Tally(2, 8)]) == Standing(0.5, 20)
    uneven = Standing.of([Tally(10, 0), Tally(0, 2)])
    assert uneven == Standing(0.5, pytest.approx(4 / (1 / 10 + 1 / 2)))
    assert Standing.of([Tally(1, 0), Tally()]) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"opponents": ()}, "opponents"),
        ({"opponents": ("a", "a")}, "opponents"),
        ({"batch": 6}, "a multiple of 4"),
        ({"batch": 0}, "a multiple of 4"),
        ({"batch": 16}, "a multiple of the batch"),
        ({"trials": 0}, "trials"),
        ({"give_up": 0.5}, "give_up"),
        ({"give_up": float("nan")}, "give_up"),
        ({"give_up": True}, "give_up"),
    ],
)
def test_settings_that_are_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(MontegoError, match=words):
        replace(settings(), **change)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "match"},
        {"space": {}},
        {"space": {"bias": {}}},
        {"space": 7},
        {"opponents": []},
        {"conditions": {"x": 1}},
        {"batch": "8"},
        {"games_per_trial": None},
    ],
)
def test_settings_on_file_that_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(MontegoError):
        settings_from({**settings().to_dict(), **change})


def test_settings_lead_through_json() -> None:
    asked = settings(openings=("C3 D4",), komi=0.5)
    assert settings_from(json.loads(json.dumps(asked.to_dict()))) == asked
    match = asked.confirming("house:bias=0.01,final=value", 100)
    assert match.seed != asked.seed and (match.b, match.games, match.openings) == ("house", 100, ("C3 D4",))
    assert isinstance(match, Match)


def test_without_optuna_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MontegoError, match=r'needs optuna, which is not installed: pip install "montego\[tune\]"'):
        Tuning(settings(), tmp_path / "folder")
    assert not (tmp_path / "folder").exists()
