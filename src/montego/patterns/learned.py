"""RLPR: urgencies that were learned (B&C06 §V), those that come with the package or a file of one's own."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from montego.go.geometry import check_size
from montego.patterns import files
from montego.patterns.files import KnowledgeError, Provenance, kept
from montego.patterns.indigo import manual_urgencies
from montego.patterns.urgency import Urgencies, symmetric, zero_urgencies

FORM = files.Form("montego urgencies 1", "urgencies", KnowledgeError)
SHIPPED, ZERO, MANUAL = "shipped", "zero", "manual"
"""What stands for the urgencies of the package, of Zero and of Manual where a path may be given."""
FOLDER = Path(__file__).with_name("data")
SIZES = (9, 19)
"""Boards whose urgencies are shipped."""


def save_urgencies(path: str | PathLike[str], urgencies: Urgencies, provenance: Provenance) -> None:
    """Write one number for all images of a pattern; the one-liberty urgency is the last."""
    shared, kinds = symmetric()
    values = np.empty(kinds + 1)
    values[shared] = urgencies.patterns
    values[kinds] = urgencies.one_liberty
    _check(values, path)
    files.write(FORM, path, values, {"provenance": asdict(provenance)})


def _check(values: np.ndarray[Any, Any], path: str | PathLike[str]) -> None:
    count = symmetric()[1] + 1
    if len(values) != count or not np.isfinite(values).all() or (values < 0).any():
        raise KnowledgeError(f"{path} holds {len(values)} urgencies; accepted: {count} finite numbers from 0")


def load_urgencies(path: str | PathLike[str]) -> tuple[Urgencies, Provenance]:
    values, about = files.read(FORM, path)
    shared, kinds = symmetric()
    _check(values, path)
    try:
        provenance = Provenance(**about["provenance"])
    except (KeyError, TypeError, KnowledgeError) as error:
        raise KnowledgeError(f"{path} does not tell where its urgencies came from: {error}") from None
    return Urgencies(values[shared].astype(np.float64), float(values[kinds])), provenance


def shipped_file(size: int) -> Path:
    """The shipped urgencies for a board, those of the nearest size if it has none."""
    nearest = min(SIZES, key=lambda shipped: (abs(shipped - size), shipped))
    return FOLDER / f"rlpr-{nearest}x{nearest}.npz"


def named_file(name: str) -> Path:
    """The file of shipped urgencies of that name, or else a file of one's own."""
    shipped = FOLDER / f"{name}.npz"
    return shipped if Path(name).name == name and shipped.is_file() else Path(name)


def urgencies_of(path: str, size: int) -> Urgencies:
    """The urgencies in a file, those that are shipped for a board or by a name, or those of Zero or Manual."""
    if path == ZERO:
        return zero_urgencies()
    if path == MANUAL:
        return manual_urgencies()
    if path == SHIPPED:
        return _read(shipped_file(check_size(size)))
    return _read(named_file(path))


def fingerprint(path: str) -> str:
    """Twelve digits that change with the urgencies: they go into records of games."""
    digest = hashlib.sha256()
    for size in SIZES if path == SHIPPED else SIZES[:1]:
        found = urgencies_of(path, size)
        digest.update(found.patterns.astype("<f8").tobytes() + np.float64(found.one_liberty).tobytes())
    return digest.hexdigest()[:12]


@kept
def _read(path: Path) -> Urgencies:
    return load_urgencies(path)[0]
