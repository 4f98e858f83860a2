"""Packages that only ratings, plots, experiments and tuning need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from montego.go.errors import MontegoError


def lab_package(name: str) -> Any:
    """A module of a package that only ratings, plots and experiments need, loaded when it is used."""
    return _package(name, "lab")


def tune_package(name: str) -> Any:
    """The same of a package that only tuning needs."""
    return _package(name, "tune")


def _package(name: str, extra: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MontegoError(f'this needs {package}, which is not installed: pip install "montego[{extra}]"') from error
