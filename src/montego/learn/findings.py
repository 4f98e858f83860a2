"""What a tuning has found: the recommended setting, what matters, and where that comes from."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from montego import __version__
from montego.arena.extras import lab_package, tune_package
from montego.arena.store import Store
from montego.go.errors import shown
from montego.learn.hopeless import Known, Standing, smoothed
from montego.learn.space import Setting, Space, present_setting
from montego.learn.surrogate import TO_ELO, Array, Surrogate, sigmoid
from montego.learn.tuning import counted
from montego.learn.tuning_settings import TuneSettings, TuningError

REPORT = "tune.json"
FORMAT = 1
CANDIDATES = 4096
"""Settings that are looked at for the recommendation; then some more around the best."""
NEAR, ROUNDS = 256, (0.1, 0.03, 0.01)
"""How many around it, and how far, as a part of a range."""
SAMPLES = 2048
"""Pairs of settings from which it is told how much a parameter matters."""


@dataclass(frozen=True)
class Estimate:
    """A setting and its win rate."""

    setting: Setting
    rate: float
    error: float
    """standard error of the rate"""

    def to_dict(self) -> dict[str, Any]:
        return {"setting": self.setting, "rate": _rounded(self.rate), "error": _rounded(self.error)}


@dataclass(frozen=True)
class Findings:
    """What all games of a tuning say."""

    settings: TuneSettings
    known: Known
    """every setting that was played, and how it stands"""
    surrogate: Surrogate
    recommended: Estimate
    present: Estimate | None
    """the preset as it is; None where that lies outside the space"""
    elo: tuple[float, float] | None
    """by how much the one is above the other, against these opponents, and the standard error"""
    importance: dict[str, float]
    """how far the win rate moves, from 0 to 1, when this parameter alone is drawn anew: √(½ E (p(x) − p(x'))²)"""

    def estimates(self, settings: Sequence[Setting]) -> list[Estimate]:
        return estimates(self.settings.space, self.surrogate, settings)


def findings(settings: TuneSettings, store: Store) -> Findings:
    """Everything the games on file say."""
    known = [(setting, standing) for setting, each in counted(settings, store) if (standing := Standing.of(each))]
    if not known:
        raise TuningError("no game has been played against each opponent; accepted: a tuning with games")
    space, surrogate = settings.space, smoothed(settings.space, known)
    best = recommend(space, surrogate, [setting for setting, _ in known], settings.seed)
    setting = present_setting(settings.preset, space)
    recommended = estimates(space, surrogate, [best])[0]
    present, elo = None, None
    if setting is not None:
        present = estimates(space, surrogate, [setting])[0]
        mean, error = surrogate.difference(space.encoded([best, setting]))
        elo = TO_ELO * mean, TO_ELO * error
    return Findings(settings, known, surrogate, recommended, present, elo, importance(space, surrogate, settings.seed))


def estimates(space: Space, surrogate: Surrogate, settings: Sequence[Setting]) -> list[Estimate]:
    rates, errors = surrogate.rates(space.encoded(settings))
    return [Estimate(*found) for found in zip(settings, map(float, rates), map(float, errors), strict=True)]


def recommend(space: Space, surrogate: Surrogate, played: Sequence[Setting], seed: int) -> Setting:
    """The setting whose estimate less one standard error is best: good for sure rather than good perhaps."""
    chance, count = np.random.default_rng([seed & 0xFFFFFFFF, 1]), len(space.parameters)
    best = _best(surrogate, space, [*played, *map(space.setting, chance.random((CANDIDATES, count)))])
    for spread in ROUNDS:
        around = np.clip(space.places(best) + spread * chance.normal(size=(NEAR, count)), 0, 1)
        best = _best(surrogate, space, [best, *map(space.setting, around)])
    return best


def _best(surrogate: Surrogate, space: Space, settings: Sequence[Setting]) -> Setting:
    means, errors = surrogate.logits(space.encoded(settings))
    return settings[int(np.argmax(means - errors))]


def importance(space: Space, surrogate: Surrogate, seed: int) -> dict[str, float]:
    """How far the win rate moves when one parameter alone is drawn anew (Jansen's estimate of the total effect)."""
    count = len(space.parameters)
    first, second = np.random.default_rng([seed & 0xFFFFFFFF, 2]).random((2, SAMPLES, count))

    def rates(places: Array) -> Array:
        return sigmoid(surrogate.logits(space.encoded([space.setting(place) for place in places]))[0])

    before, found = rates(first), {}
    for k, parameter in enumerate(space.parameters):
        changed = first.copy()
        changed[:, k] = second[:, k]
        found[parameter.field] = math.sqrt(float(np.mean((before - rates(changed)) ** 2)) / 2)
    return found


def report(
    found: Findings, trials: dict[str, int], store: Store, confirmation: dict[str, Any] | None = None
) -> dict[str, Any]:
    """What is to be kept of a tuning, as one JSON object: enough to see where values come from."""
    settings, best, space = found.settings, found.recommended, found.settings.space
    played = sorted(found.known, key=lambda one: settings.spec(one[0]))
    elo = None if found.elo is None else {"difference": _rounded(found.elo[0]), "error": _rounded(found.elo[1])}
    return {
        "format": FORMAT,
        **settings.to_dict(),
        "trials": {"asked": settings.trials, **trials},
        "games": sum(tally.games for _, each in counted(settings, store) for tally in each),
        "recommended": {"spec": settings.spec(best.setting), **best.to_dict()},
        "present": None if found.present is None else found.present.to_dict(),
        "elo_over_present": elo,
        "importance": {field: _rounded(value) for field, value in found.importance.items()},
        "surrogate": {
            "amplitude": _rounded(found.surrogate.amplitude),
            "lengths": dict(zip(space.fields, map(_rounded, found.surrogate.lengths), strict=True)),
        },
        "confirmation": confirmation,
        "played": [{"setting": s, "games": _rounded(one.games), "rate": _rounded(one.rate)} for s, one in played],
        "versions": versions(),
    }


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def versions() -> dict[str, str]:
    packages = {"numpy": np, "scipy": lab_package("scipy"), "optuna": tune_package("optuna")}
    return {
        "montego": __version__,
        "python": platform.python_version(),
        **{name: str(package.__version__) for name, package in packages.items()},
    }


def write_report(folder: Path, told: dict[str, Any]) -> Path:
    """Write it as a whole or not at all."""
    path = folder / REPORT
    partial = path.with_name(f"{path.name}.partial")
    partial.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(partial, path)
    return path


def last_confirmation(folder: Path) -> dict[str, Any] | None:
    """What an earlier report tells about a match of the recommended setting; None where there was none."""
    path = folder / REPORT
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8")).get("confirmation")
        if found is not None and not _is_confirmation(found):
            raise ValueError("its confirmation is of another kind")
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise TuningError(f"cannot read {shown(str(path))}: {error}; accepted: a report of montego tune") from None
    return dict(found) if found else None


def _is_confirmation(told: Any) -> bool:
    if not isinstance(told, dict) or not isinstance(told.get("sprt"), dict):
        return False
    test = told["sprt"]
    numbers = [test.get("elo0"), test.get("elo1"), told.get("games")]
    if told.get("games"):
        ends = told.get("interval")
        numbers += [told.get("rate"), *(ends if isinstance(ends, list) and len(ends) == 2 else [None])]
    good = all(isinstance(number, (int, float)) and math.isfinite(number) for number in numbers)
    return good and isinstance(told.get("a"), str) and "b" in told and test.get("verdict", "") in ("H0", "H1", None)
