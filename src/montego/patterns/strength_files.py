"""Strengths that were learned: those that come with the package, by name, or a file of one's own."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from os import PathLike
from pathlib import Path

import numpy as np

from montego.go.errors import MontegoError
from montego.go.geometry import MAX_SIZE
from montego.patterns import files
from montego.patterns.files import KnowledgeError, Provenance, kept
from montego.patterns.large import checked
from montego.patterns.strengths import MOST, PLAYOUT_SET, TREE_SET, Strengths, bounded, even_strengths

FORM = files.Form("montego strengths 2", "strengths", KnowledgeError)
EVEN, MM, BALANCED = "even", "mm-9x9", "balanced-9x9"
"""Every γ is 1; learned by minorisation–maximisation on small boards; and balanced after that."""
MEDIUM_MM, LARGE_MM = "mm-13x13", "mm-19x19"
"""Learned on larger boards."""
BY_SIZE = "mm"
"""What stands for those learned on boards like the one at hand."""
NAMES = (BY_SIZE, MM, MEDIUM_MM, LARGE_MM, BALANCED, EVEN)
UP_TO = {11: MM, 15: MEDIUM_MM, MAX_SIZE: LARGE_MM}
"""The largest boards for which strengths of 9×9, 13×13 and 19×19 are held to be the best."""
FOLDER = Path(__file__).with_name("data")


def save_strengths(path: str | PathLike[str], strengths: Strengths, provenance: Provenance) -> None:
    theta = np.concatenate([strengths.playout, strengths.tree])
    files.write(FORM, path, theta, {"provenance": asdict(provenance), "large": strengths.large})


def load_strengths(path: str | PathLike[str]) -> tuple[Strengths, Provenance]:
    theta, about = files.read(FORM, path)
    try:
        large = checked(about.get("large"))
    except MontegoError as error:
        raise KnowledgeError(f"{path} holds {error}") from None
    wanted, split = PLAYOUT_SET.count + TREE_SET.count + len(large), PLAYOUT_SET.count
    if len(theta) != wanted or not np.isfinite(theta).all() or (np.abs(theta) > MOST).any():
        accepted = f"{wanted} logarithms of γ from −{MOST:g} to {MOST:g}"
        raise KnowledgeError(f"{path} holds {len(theta)} strengths; accepted: {accepted}")
    try:
        provenance = Provenance(**about["provenance"])
    except (KeyError, TypeError, KnowledgeError) as error:
        raise KnowledgeError(f"{path} does not tell where its strengths came from: {error}") from None
    playout, tree = theta[:split].astype(np.float64), theta[split:].astype(np.float64)
    return bounded(Strengths(playout, tree, large)), provenance


def named_file(name: str) -> Path:
    """The file of shipped strengths of that name, or else a file of one's own."""
    shipped = FOLDER / f"{name}.npz"
    return shipped if Path(name).name == name and shipped.is_file() else Path(name)


def name_on(name: str, size: int) -> str:
    """The name of strengths, whatever the board, of those that a name stands for on a board of that size."""
    return next(learned for most, learned in UP_TO.items() if size <= most) if name == BY_SIZE else name


def strengths_of(name: str, size: int) -> Strengths:
    """Strengths for a board: even ones, shipped ones, by their name or by the size of the board, or those in a file."""
    name = name_on(name, size)
    return even_strengths() if name == EVEN else _read(named_file(name))


def fingerprint(name: str) -> str:
    """Twelve digits that change with the strengths: they go into records of games."""
    made = hashlib.sha256()
    for found in dict.fromkeys(strengths_of(name, size) for size in UP_TO):
        made.update(np.concatenate([found.playout, found.tree]).astype("<f8").tobytes())
        made.update("".join(found.large).encode())
    return made.hexdigest()[:12]


@kept
def _read(path: Path) -> Strengths:
    return load_strengths(path)[0]
