"""Files of learned numbers: a compressed .npz with an array of float32 and a description as JSON with its checksum.

float32 is what is saved, so a file brings back exactly the numbers that were written. Reading never runs anything from
the file (no pickles), and never takes more memory than learned numbers can need.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from montego.go.errors import MontegoError, is_whole, shown

MAX_BYTES = 1 << 24
"""Of the array and of the description, unpacked: ten times what 19×19 needs."""

Content = TypeVar("Content")
_DAMAGE = (OSError, ValueError, KeyError, EOFError, MemoryError, NotImplementedError, RuntimeError, TypeError)


def is_json(value: Any) -> bool:
    try:
        return bool(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return False


class KnowledgeError(MontegoError):
    """Knowledge that cannot be, or a file that does not hold it."""


@dataclass(frozen=True)
class Provenance:
    """Where learned numbers came from; it goes with them into their file."""

    trainer: str = "nobody: every number is as it was"
    """what trained them"""
    date: str = ""
    """when, in ISO 8601"""
    seed: int = 0
    games: int = 0
    """how many games were learned from"""
    settings: dict[str, Any] = field(default_factory=dict)
    """whatever else it takes to train them again: must be JSON"""

    def __post_init__(self) -> None:
        texts, numbers = (self.trainer, self.date), (self.seed, self.games)
        if not all(isinstance(text, str) for text in texts) or not all(is_whole(number) for number in numbers):
            raise KnowledgeError(
                f"provenance {shown(self)}; accepted: texts for trainer and date, whole seed and games"
            )
        if not isinstance(self.settings, dict) or not is_json(self.settings):
            raise KnowledgeError(f"settings {shown(self.settings)} in a provenance; accepted: what JSON can hold")


@dataclass(frozen=True)
class Form:
    """A kind of file."""

    format: str
    """changes with the order of the numbers"""
    what: str
    """what people call the numbers"""
    error: type[MontegoError]


def checksum(theta: np.ndarray[Any, Any]) -> str:
    return hashlib.sha256(theta.astype("<f4").tobytes()).hexdigest()


def write(form: Form, path: str | PathLike[str], theta: np.ndarray[Any, Any], about: dict[str, Any]) -> None:
    """Write an array and its description into a new file, which then takes the place of an old one."""
    text = json.dumps({"format": form.format, "sha256": checksum(theta), **about}, allow_nan=False)
    target = Path(path)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, theta=theta.astype("<f4"), about=np.array(text))
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise form.error(f"{path} cannot be written: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def read(form: Form, path: str | PathLike[str]) -> tuple[np.ndarray[Any, np.dtype[np.float32]], dict[str, Any]]:
    """The array and its description, both whole; a file that is anything else is refused."""
    try:
        theta, text = _unpack(Path(path))
        about = json.loads(text)
    except FileNotFoundError:
        raise form.error(f"there is no file of {form.what} {path}") from None
    except (*_DAMAGE, RecursionError, zipfile.BadZipFile, zlib.error) as error:
        raise form.error(f"{path} is not a file of {form.what}: {shown(str(error))}") from None
    if not isinstance(about, dict) or about.get("format") != form.format:
        raise form.error(f"{path} is not in the format {form.format!r}")
    if about.get("sha256") != checksum(theta):
        raise form.error(f"{path} is damaged: the {form.what} do not have the checksum in its description")
    return theta, about


def format_of(path: str | PathLike[str]) -> str:
    """The format that a file says it has; "" if it is none of ours."""
    try:
        return str(json.loads(_unpack(Path(path))[1])["format"])
    except (*_DAMAGE, RecursionError, zipfile.BadZipFile, zlib.error):
        return ""


def _unpack(path: Path) -> tuple[np.ndarray[Any, np.dtype[np.float32]], str]:
    with zipfile.ZipFile(path) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    if set(sizes) != {"theta.npy", "about.npy"} or max(sizes.values()) > MAX_BYTES:
        raise ValueError(f"it holds {shown(sizes)}")
    with np.load(path, allow_pickle=False) as arrays:
        theta, about = arrays["theta"], arrays["about"]
    for array, dimensions, kind in ((theta, 1, "f"), (about, 0, "U")):
        if not isinstance(array, np.ndarray) or array.ndim != dimensions or array.dtype.kind != kind:
            raise ValueError(f"it holds {shown(array)}")
    if theta.dtype != np.dtype("<f4"):
        raise ValueError(f"its numbers are {theta.dtype}")
    return theta.astype(np.float32), str(about)


def kept(load: Callable[[Path], Content]) -> Callable[[Path], Content]:
    """A reader of files that reads each of the last eight once, and again when it has changed."""

    @lru_cache(maxsize=8)
    def loaded(path: Path, _modified: int, _bytes: int) -> Content:
        return load(path)

    def read_if_changed(path: Path) -> Content:
        try:
            status = path.stat()
        except (OSError, ValueError):
            return load(path)  # which says what is wrong
        return loaded(path, status.st_mtime_ns, status.st_size)

    return read_if_changed
