"""`montego tune`: better settings of a preset, found by games."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from montego.arena.contestants import make
from montego.arena.match import Series, standing
from montego.arena.play import MOST_JOBS, prepare
from montego.arena.sequential import Sprt
from montego.arena.settings import MOST_GAMES, Match
from montego.cli.conditions import condition_options, conditions, play_with_progress, told_limit
from montego.cli.figures import elo_text, percent, percents
from montego.cli.progress import Progress
from montego.cli.waiting import compiling
from montego.go.errors import shown
from montego.learn import findings as found_in
from montego.learn.findings import Findings
from montego.learn.hopeless import Standing
from montego.learn.space import Setting, read_space
from montego.learn.tuning import Tuning, crew_of, settings_in
from montego.learn.tuning_settings import BATCH, BATCHES, MOST_TRIALS, TuneSettings, TuningError

TRIALS = 100
_FREE = ("out", "resume", "trials", "jobs", "confirm", "sprt", "as_json")
"""Options that may be given anew when a tuning is gone on with."""

_CONFIRM = (
    click.option(
        "--confirm",
        type=click.IntRange(1, MOST_GAMES),
        metavar="GAMES",
        help="Then let the recommended setting play the preset as it is, in new games, at most so many.",
    ),
    click.option(
        "--sprt",
        type=(float, float),
        metavar="ELO0 ELO1",
        default=(0.0, 30.0),
        show_default=True,
        help="Such a match stops when it is decided whether the new setting is stronger by ELO0 or by ELO1.",
    ),
    click.option("--jobs", type=click.IntRange(1, MOST_JOBS), default=2, show_default=True, help="Games at a time."),
    click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object."),
)


def _confirming(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_CONFIRM):
        command = option(command)
    return command


class _Tune(click.Group):
    """A group in which a preset in the place of a command means `run`."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in context.help_option_names:
            args = ["run", *args]
        return super().parse_args(context, args)

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        run.format_options(context, formatter)
        self.format_commands(context, formatter)


@click.group(
    "tune",
    cls=_Tune,
    subcommand_metavar="PRESET | report FOLDER",
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Find better settings of a preset by games against chosen opponents.

    \b
      montego tune house --range bias=0.001..0.05:log --range expand_after=1..16 --choice final=visits,value \\
                   --against gnugo:level=10 --against mogo-2007 --simulations 1000 --trials 100 --out tuned
      montego tune --resume --out tuned                # after Ctrl-C or anything else; --trials 200: more of them
      montego tune report tuned --confirm 2000         # what was found; and does it beat the preset as it is?

    A field is one of `montego presets`, or with a dot one of a record in it. Optuna proposes settings; each trial plays
    batches of games against every opponent, and is stopped early where there is no hope. The recommended setting is
    not the luckiest trial, but the best of a smooth estimate over all games, told with its standard error. FOLDER
    holds all games (games.db), the study (study.db), pictures, and tune.json, which tells where the values come from.
    """


@command.command("run")
@click.argument("preset", required=False)
@click.option("--range", "ranges", multiple=True, metavar="FIELD=LOW..HIGH[:log]", help="A number to tune.")
@click.option("--choice", "choices", multiple=True, metavar="FIELD=WORD,WORD", help="A word to tune.")
@click.option(
    "--space",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The same from a file of TOML: tables [ranges] and [choices].",
)
@click.option(
    "--against", "opponents", multiple=True, metavar="PLAYER", help="An opponent; the mean rate over all counts."
)
@condition_options
@click.option(
    "--games-per-trial",
    type=click.IntRange(1, MOST_GAMES),
    help=f"Against all opponents together.  [default: {BATCHES} batches]",
)
@click.option(
    "--batch",
    type=click.IntRange(1, MOST_GAMES),
    help=f"Games between two looks at a trial.  [default: {BATCH}, or the next multiple of 2 × opponents]",
)
@click.option("--trials", type=click.IntRange(1, MOST_TRIALS), help=f"Settings to try in all.  [default: {TRIALS}]")
@click.option(
    "--give-up",
    type=float,
    default=0.05,
    show_default=True,
    help="Stop a trial when the chance that it comes close to the best falls below this; 0: never.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, metavar="FOLDER", help="Where it is kept."
)
@click.option("--resume", is_flag=True, help="Go on with the tuning in the folder.")
@_confirming
def run(
    out: Path,
    resume: bool,
    confirm: int | None,
    sprt: tuple[float, float],
    jobs: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Tune a preset, or go on with it."""
    settings, test = _asked_for(out, resume, options), Sprt(*sprt)
    with Tuning(settings, out, make) as tuning:
        if not _play(tuning, jobs):
            over = len(tuning.finished)
            click.echo(f"montego: stopped after {over} of {settings.trials} trials, {tuning.games} games", err=True)
            click.echo(f"montego: montego tune --resume --out {out} goes on", err=True)
            sys.exit(130)
        _report(tuning, confirm, test, jobs, as_json)


@command.command("report")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@_confirming
def report(folder: Path, confirm: int | None, sprt: tuple[float, float], jobs: int, as_json: bool) -> None:
    """Tell what a tuning has found so far, and draw its pictures."""
    settings, test = settings_in(folder), Sprt(*sprt)
    if settings is None:
        raise TuningError(f"{shown(str(folder))} holds no tuning; accepted: a folder of montego tune --out")
    with Tuning(settings, folder, make) as tuning:
        _report(tuning, confirm, test, jobs, as_json)


def _asked_for(out: Path, resume: bool, options: dict[str, Any]) -> TuneSettings:
    """What is to be tuned: what the command line says, or what the folder remembers."""
    before = settings_in(out)
    if resume and before is None:
        raise TuningError(f"{shown(str(out))} holds no tuning to go on with; leave out --resume to begin one")
    if before is None:
        return _settings(options)
    if not resume:
        raise TuningError(f"{shown(str(out))} holds a tuning; accepted: --resume to go on with it, or another folder")
    wanted = replace(before, trials=options["trials"] or before.trials)
    context = click.get_current_context()
    given = [name for name in options if context.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    others = [name for name in given if name not in _FREE]
    if others and (not options["preset"] or _settings({**options, "trials": wanted.trials}) != wanted):
        raise click.UsageError(
            f"--resume goes on as asked before, and {others[0]} is given; leave it out, or repeat the whole command"
        )
    return wanted


def _settings(options: dict[str, Any]) -> TuneSettings:
    fields = conditions(options)
    preset, opponents = fields.pop("preset"), fields.pop("opponents")
    if not preset or not opponents:
        raise click.UsageError("a preset and an opponent are needed, as in: montego tune house --against mogo-2007 …")
    space = read_space(preset, fields.pop("ranges"), fields.pop("choices"), fields.pop("space"))
    fair = 2 * len(opponents)
    batch = fields.pop("batch") or -(-BATCH // fair) * fair
    games, trials = fields.pop("games_per_trial") or BATCHES * batch, fields.pop("trials") or TRIALS
    give_up = fields.pop("give_up")
    match = Match(a=preset, b=opponents[0], games=games, **fields)
    settings = TuneSettings(space, opponents, match, batch, trials, give_up)
    for opponent in opponents:  # refuses players that cannot be made
        Series(settings.meeting(preset, opponent), None, make)
    return settings


def _play(tuning: Tuning, jobs: int) -> bool:
    """Play what is missing, and show how far it is. False if it was stopped."""
    settings = tuning.settings
    tuning.go_on()
    if tuning.running is None:
        return True
    with compiling("the players' kernels"):
        prepare([settings.meeting(settings.preset, one) for one in settings.opponents], make, ours=True)
    progress = Progress(tuning.games + tuning.games_left, tuning.games)
    try:
        return tuning.run(crew_of(settings, jobs), lambda now: _news(now, progress))
    finally:
        progress.close()


def _news(tuning: Tuning, progress: Progress) -> None:
    parts, running = [], tuning.running
    if running:
        parts.append(f"trial {running.trial.number + 1} of {tuning.settings.trials}")
        found = Standing.of(running.tallies)
        parts += [f"{percent(found.rate)} of {found.games:.0f}"] if found else []
    if tuning.yardstick:
        parts.append(f"best {percent(tuning.yardstick.rate)}")
    progress.show(tuning.games, ", ".join(parts), tuning.games + tuning.games_left)


def _report(tuning: Tuning, confirm: int | None, sprt: Sprt, jobs: int, as_json: bool) -> None:
    from montego.learn.tuning_plots import plot_tuning

    found, finished = found_in.findings(tuning.settings, tuning.store), True
    told = found_in.last_confirmation(tuning.folder)
    if confirm and found.present and found.present.setting == found.recommended.setting:
        click.echo("montego: the present setting is the recommended one; there is nothing to confirm", err=True)
    elif confirm:
        told, finished = _confirm(tuning, found.recommended.setting, confirm, sprt, jobs)
    text = found_in.report(found, _trials(tuning), tuning.store, told)
    try:
        files = [found_in.write_report(tuning.folder, text), *plot_tuning(found, tuning.finished, tuning.folder)]
    except OSError as error:
        raise TuningError(f"cannot write into {shown(str(tuning.folder))}: {error}; accepted: another folder") from None
    click.echo(json.dumps(text) if as_json else as_text(found, text, files))
    if not finished:
        click.echo("montego: stopped; the same command goes on with the match", err=True)
        sys.exit(130)


def _trials(tuning: Tuning) -> dict[str, int]:
    names = {"COMPLETE": "complete", "PRUNED": "stopped_early", "FAIL": "impossible"}
    states = [trial.state.name for trial in tuning.finished]
    return {name: states.count(state) for state, name in names.items()}


def _confirm(tuning: Tuning, setting: Setting, games: int, sprt: Sprt, jobs: int) -> tuple[dict[str, Any], bool]:
    """Let a setting play the preset as it is; what came out, and whether it was played to its end."""
    match = tuning.settings.confirming(tuning.settings.spec(setting), games)
    series = Series(match, tuning.store, make, sprt, again=True)
    finished = play_with_progress([series], jobs)
    told = {"a": match.a, "b": match.b, "seed": match.seed, "match": series.pairing.hash}
    return {**told, "sprt": {**asdict(sprt), "verdict": series.verdict}, **standing(series.tally())}, finished


def as_text(found: Findings, told: dict[str, Any], files: list[Path]) -> str:
    settings, trials, best = found.settings, told["trials"], found.recommended
    size, limit = settings.match.size, told_limit(asdict(settings.match), settings.preset)
    rules = f"{size}×{size}, {settings.match.rules}, komi {settings.match.komi:g}{limit}"
    ended = f"{trials['complete']} played to their end, {trials['stopped_early']} stopped early"
    impossible = f", {trials['impossible']} impossible" if trials["impossible"] else ""
    lines = [
        f"preset      {settings.preset}",
        f"against     {', '.join(settings.opponents)}",
        f"conditions  {rules}",
        f"trials      {ended}{impossible}; {told['games']} games",
        f"recommended {_values(best.setting)}",
        f"            {_rate(best)}",
    ]
    if found.present and found.elo:
        lines += [f"present     {_values(found.present.setting)}", f"            {_rate(found.present)}"]
        elo, error = found.elo
        lines.append(f"difference  {elo_text(elo, 0.5)} ± {error:.0f} Elo against these opponents (one standard error)")
    ranked = sorted(found.importance.items(), key=lambda one: -one[1])
    lines.append("matters     " + ", ".join(f"{field} {100 * value:.1f}" for field, value in ranked) + " (points of %)")
    lines += _confirmed(told["confirmation"], told["recommended"]["spec"])
    return "\n".join([*lines, f"player      {told['recommended']['spec']}", *(f"written     {file}" for file in files)])


def _values(setting: Setting) -> str:
    return ", ".join(f"{field}={text}" for field, text in setting.items())


def _rate(one: found_in.Estimate) -> str:
    return f"wins {percent(one.rate)} ± {100 * one.error:.1f} (one standard error)"


def _confirmed(told: dict[str, Any] | None, spec: str) -> list[str]:
    if told is None:
        return []
    test, games = told["sprt"], told["games"]
    words = {
        "H0": f"not stronger than the present setting by {test['elo1']:g} Elo",
        "H1": f"stronger than the present setting (H1: {test['elo1']:g} Elo)",
        None: f"undecided between {test['elo0']:g} and {test['elo1']:g} Elo",
    }
    whose = "" if told["a"] == spec else f" ({told['a']}, recommended before)"
    rate = f": {percent(told['rate'])}, {percents(told['interval'])}" if games else ""
    return [f"confirmed   {words[test['verdict']]}, {games} games{rate}{whose}"]
