"""Tuning: settings proposed by Optuna, played in batches, stopped early where there is no hope.

A folder holds it all. `games.db` is the arena's database: what was asked for, and every game, written as soon as it is
over. `study.db` is Optuna's: which settings were tried, and what batches told. A trial's value comes from the games in
the order of their numbers, and the sampler of a trial is seeded by its number; so the trials depend on nothing but the
seed and the games, whatever was interrupted or came late, and a lost study.db is found again from the games.

A setting that is proposed again is played on: its trial has as many further games, and its value is that of all.
"""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from montego.arena.contestants import make
from montego.arena.extras import tune_package
from montego.arena.match import SPARE, Make, Series, no_game, play_one, tally_of
from montego.arena.play import prepare
from montego.arena.played import Played
from montego.arena.settings import MatchError
from montego.arena.statistics import Tally
from montego.arena.store import Store
from montego.arena.workers import Died, share_out
from montego.go.errors import ConfigError, shown
from montego.learn.hopeless import Standing, Yardstick
from montego.learn.space import Choice, Parameter, Setting, present_setting
from montego.learn.tuning_settings import TuneSettings, TuningError, settings_from
from montego.rng import stream

GAMES, STUDY, LOCK = "games.db", "study.db", "lock"
SPEC = "spec"
"""Under this name a trial of Optuna's keeps its player."""
Job = tuple[str, str, int]
"""A player, its opponent, the number of their game."""
Crew = Callable[[Callable[[], Job | None]], Generator[tuple[Job, Any], None, None]]
"""Whoever plays: asked with a function that gives the next job, it yields jobs with their games, or `Died`."""


def crew_of(settings: TuneSettings, jobs: int, making: Make = make) -> Crew:
    """Processes that play."""
    warming = partial(prepare, [settings.meeting(settings.preset, one) for one in settings.opponents], making)
    return partial(share_out, processes=jobs, prepare=warming, work=partial(work, settings, making))


def work(settings: TuneSettings, making: Make, job: Job) -> Played:
    spec, opponent, number = job
    return play_one(settings.meeting(spec, opponent), making, number)


def settings_in(folder: Path) -> TuneSettings | None:
    """What was asked for when a folder was last tuned in; None where nothing was."""
    if not (folder / GAMES).exists():
        return None
    with Store(folder / GAMES) as store:
        try:
            fields = store.remembered()
        except MatchError:  # killed before it was written
            if store.pairings():
                raise
            return None
    try:
        return settings_from(fields)
    except TuningError as error:
        raise TuningError(f"{shown(str(folder / GAMES))} cannot be gone on with: {error}") from None


@dataclass
class Running:
    """A trial that is being played."""

    trial: Any
    """Optuna's"""
    setting: Setting
    spec: str
    series: list[Series]
    told: int
    """games against each opponent that the study knows of"""
    goal: int

    @property
    def tallies(self) -> list[Tally]:
        return [one.tally() for one in self.series]

    def standing(self, games: int) -> Standing | None:
        """After so many games against each opponent; None while they are not all there."""
        firsts = [in_order(one, games) for one in self.series]
        if any(first is None for first in firsts):
            return None
        return Standing.of([tally_of(first or []) for first in firsts])


def in_order(series: Series, games: int) -> list[Played] | None:
    """The first games that count, by their numbers; None while some are missing. Fewer if too many were void."""
    found: list[Played] = []
    for number in range(len(series.played)):
        if number not in series.played or len(found) == games:
            break
        if series.played[number].counts:
            found.append(series.played[number])
    return found if len(found) == games or not series.missing else None


class Tuning:
    """A tuning in a folder, begun or gone on with. To be closed."""

    def __init__(self, settings: TuneSettings, folder: Path, making: Make = make) -> None:
        self.settings, self.folder, self.making = settings, folder, making
        optuna = tune_package("optuna")
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._states = optuna.trial.TrialState
        self.running: Running | None = None
        self.yardstick: Yardstick | None = None
        """the best of the other settings when the running trial began"""
        self._series: dict[tuple[str, str], Series] = {}
        self._flying: set[Job] = set()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TuningError(f"cannot make the folder {shown(str(folder))}: {error}; accepted: another") from None
        self._lock = _locked(folder)
        try:
            self.store = Store(folder / GAMES)
            self.store.remember(settings.to_dict())
            self.study = _open_study(optuna, folder / STUDY)
            self._present()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with suppress(AttributeError):  # it failed before it was open
            self.store.close()
        with suppress(AttributeError):
            self.study._storage.remove_session()
            self.study._storage._backend.engine.dispose()
        self._lock.close()

    def _present(self) -> None:
        """Have the preset's own setting tried first, where it lies in the space."""
        if self.study.get_trials(deepcopy=False):
            return
        setting = present_setting(self.settings.preset, self.settings.space)
        if setting is not None:
            self.study.enqueue_trial({p.field: _value(p, setting[p.field]) for p in self.settings.space.parameters})

    # What is known.

    @property
    def finished(self) -> list[Any]:
        """Optuna's trials that are over."""
        over = (self._states.COMPLETE, self._states.PRUNED, self._states.FAIL)
        return list(self.study.get_trials(deepcopy=False, states=over))

    def standings(self) -> dict[str, Standing]:
        """What the last trial of each setting told."""
        found = {}
        for trial in self.finished:
            if trial.intermediate_values:
                step = max(trial.intermediate_values)
                found[trial.user_attrs[SPEC]] = Standing(trial.intermediate_values[step], step)
        return found

    @property
    def games(self) -> int:
        """Told of in the trials that are over, and played in the one that is not."""
        now = self.running
        over = sum(s.games for spec, s in self.standings().items() if now is None or spec != now.spec)
        return int(over) + (sum(len(one.played) for one in now.series) if now else 0)

    @property
    def games_left(self) -> int:
        """As many as there will be if further trials are as long as those so far."""
        over = [trial for trial in self.finished if trial.intermediate_values]
        each = sum(self._length(trial) for trial in over) / len(over) if over else self.settings.match.games
        waiting = max(0, self.settings.trials - len(self.finished) - (self.running is not None))
        now = sum(len(one.missing) for one in self.running.series) if self.running else 0
        return round(waiting * each) + now

    def _length(self, trial: Any) -> int:
        return len(trial.intermediate_values) * self.settings.batch

    # Playing.

    def run(self, crew: Crew, news: Callable[[Tuning], object] = lambda tuning: None) -> bool:
        """Play what is missing. False if Ctrl-C ended it early; what was played stands."""
        try:
            self.go_on()
            if self.running is None:
                return True
            with closing(crew(self._next_job)) as answers:
                for job, answer in answers:
                    self._take(job, answer)
                    self.go_on()
                    news(self)
                    if self.running is None:
                        break
        except KeyboardInterrupt:
            return False
        return True

    def _next_job(self) -> Job | None:
        """A game of the trial that is being played: of the opponent that is behind, the lowest number."""
        if self.running is None:
            return None
        waiting: list[tuple[int, int, Job]] = []
        for place, one in enumerate(self.running.series):
            jobs = ((one.match.a, one.match.b, number) for number in one.missing)
            job = next((job for job in jobs if job not in self._flying), None)
            if job is not None:
                waiting.append((job[2], place, job))
        if not waiting:
            return None
        job = min(waiting)[2]
        self._flying.add(job)
        return job

    def _take(self, job: Job, answer: Any) -> None:
        """Keep a game, be it of a trial that was given up meanwhile."""
        self._flying.discard(job)
        series = self._series[job[:2]]
        series.take(no_game(series.match, job[2], str(answer)) if isinstance(answer, Died) else answer)
        if len(series.played) > SPARE and not any(game.counts for game in series.played.values()):
            why = next(iter(series.played.values())).message
            raise TuningError(f"no game of {series.match.a} against {series.match.b} has counted: {why}")

    def go_on(self) -> None:
        """Tell the study what is known now, and open the next trial where one is over."""
        while True:
            if self.running is None:
                trial = self._next_trial()
                if trial is None:
                    return
                self._begin(trial)
            elif not self._look():
                return

    def _look(self) -> bool:
        """Tell of the next batch, and stop the trial if it is over. False while the batch is not there."""
        running = self.running
        assert running is not None
        reached = running.told + self.settings.looks
        standing = running.standing(reached)
        if standing is None:
            if any(one.missing for one in running.series):
                return False
            raise TuningError(f"no game of {running.spec} has counted")
        running.told = reached
        step = reached * len(self.settings.opponents)
        if step not in self.study.get_trials(deepcopy=False)[running.trial.number].intermediate_values:
            running.trial.report(standing.rate, step)
        if reached >= running.goal:
            self._end(standing.rate, self._states.COMPLETE)
        elif self.yardstick and self.yardstick.chance(running.setting, standing) < self.settings.give_up:
            self._end(None, self._states.PRUNED)
        return True

    def _end(self, value: float | None, state: Any) -> None:
        assert self.running is not None
        self.study.tell(self.running.trial, value, state=state)
        self.running = None

    def _next_trial(self) -> Any:
        """One that was left behind, or a new one; None when there are enough."""
        left = self.study.get_trials(deepcopy=False, states=(self._states.RUNNING,))
        over = len(self.finished)
        if not left and over >= self.settings.trials:
            return None
        self.study.sampler = _sampler(self.settings.seed, left[0].number if left else over)
        return tune_package("optuna").trial.Trial(self.study, left[0]._trial_id) if left else self.study.ask()

    def _begin(self, trial: Any) -> None:
        setting: Setting = {p.field: _suggested(trial, p) for p in self.settings.space.parameters}
        spec = self.settings.spec(setting)
        trial.set_user_attr(SPEC, spec)
        standings = self.standings()
        before = standings.pop(spec, None)
        told = int(before.games) // len(self.settings.opponents) if before else 0
        goal = told + self.settings.goal
        self._series = {key: one for key, one in self._series.items() if any(job[:2] == key for job in self._flying)}
        try:
            series = [self._open(spec, opponent, goal) for opponent in self.settings.opponents]
        except ConfigError as error:  # values that do not go together
            trial.set_user_attr("refused", str(error))
            self.study.tell(trial, state=self._states.FAIL)
            return
        self.running = Running(trial, setting, spec, series, told, goal)
        known = [(self.settings.space.setting_of(self.settings.preset, name), one) for name, one in standings.items()]
        found = [(setting, one) for setting, one in known if setting is not None]
        self.yardstick = Yardstick(self.settings.space, found) if found else None

    def _open(self, spec: str, opponent: str, games: int) -> Series:
        series = Series(self.settings.meeting(spec, opponent, games), self.store, self.making, again=True)
        self._series[spec, opponent] = series
        return series


def _locked(folder: Path) -> sqlite3.Connection:
    """A lock that no other process gets before this one ends, however it ends."""
    lock = sqlite3.connect(folder / LOCK, isolation_level=None, timeout=0)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        raise TuningError(f"another process is tuning in {shown(str(folder))} ({error}); accepted: one") from None
    return lock


def _open_study(optuna: Any, path: Path) -> Any:
    """The study in a file. The file is opened by its path: not every path can be written as an address."""
    engine = {"creator": partial(sqlite3.connect, path, timeout=60.0, check_same_thread=False)}
    try:
        storage = optuna.storages.RDBStorage(f"sqlite:///{STUDY}", engine_kwargs=engine)
        return optuna.create_study(storage=storage, study_name="montego", direction="maximize", load_if_exists=True)
    except (optuna.exceptions.OptunaError, RuntimeError, sqlite3.Error) as error:
        text = " ".join(str(error).split())[:200]
        raise TuningError(f"cannot open {shown(str(path))}: {text}; accepted: a study of Optuna's") from None
    except tune_package("sqlalchemy").exc.SQLAlchemyError as error:
        text = " ".join(str(error).split())[:200]
        raise TuningError(f"cannot open {shown(str(path))}: {text}; accepted: a study of Optuna's") from None


def _sampler(seed: int, number: int) -> Any:
    """The sampler of one trial: tree-structured Parzen estimators that see all parameters together."""
    optuna = tune_package("optuna")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        return optuna.samplers.TPESampler(multivariate=True, seed=int(stream(seed, number)) >> 33)


def _suggested(trial: Any, parameter: Parameter) -> str:
    if isinstance(parameter, Choice):
        return str(trial.suggest_categorical(parameter.field, list(parameter.options)))
    if parameter.whole:
        ends = int(parameter.low), int(parameter.high)
        return parameter.text(trial.suggest_int(parameter.field, *ends, log=parameter.log))
    return parameter.text(trial.suggest_float(parameter.field, parameter.low, parameter.high, log=parameter.log))


def _value(parameter: Parameter, text: str) -> Any:
    """A text of a setting as Optuna has it."""
    if isinstance(parameter, Choice):
        return text
    return int(text) if parameter.whole else float(text)


def counted(settings: TuneSettings, store: Store) -> list[tuple[Setting, list[Tally]]]:
    """Every setting with its games against each opponent, as they are on file; settings without any are left out."""
    found: dict[str, dict[str, Tally]] = {}
    for pairing in store.pairings():
        match = pairing.match
        if match.b in settings.opponents and match == settings.meeting(match.a, match.b, match.games):
            found.setdefault(match.a, {})[match.b] = tally_of(store.games(pairing))
    told = []
    for spec, tallies in found.items():
        setting = settings.space.setting_of(settings.preset, spec)
        each = [tallies.get(opponent, Tally()) for opponent in settings.opponents]
        if setting is not None and all(tally.games for tally in each):
            told.append((setting, each))
    return told
