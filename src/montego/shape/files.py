"""Files of weights: a compressed .npz with θ as float32 and a description as JSON, its checksum included.

float32 is what training works with, so a file brings back exactly the weights that were saved. Reading never runs
anything from the file (no pickles), and never takes more memory than weights can need.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zipfile
import zlib
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from montego.go.errors import shown
from montego.shape.features import ShapeError

FORMAT = "montego shape weights 1"
"""Changes with the order of the weights."""

MAX_BYTES = 1 << 24
"""Of θ and of the description, unpacked: ten times what 19×19 needs."""

_DAMAGE = (OSError, ValueError, KeyError, EOFError, MemoryError, NotImplementedError, RuntimeError, TypeError)


def is_json(value: Any) -> bool:
    try:
        return bool(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return False


def checksum(theta: np.ndarray[Any, Any]) -> str:
    return hashlib.sha256(theta.astype("<f4").tobytes()).hexdigest()


def write(path: str | PathLike[str], theta: np.ndarray[Any, Any], about: dict[str, Any]) -> None:
    """Write θ and its description into a new file, which then takes the place of an old one."""
    text = json.dumps({"format": FORMAT, "sha256": checksum(theta), **about}, allow_nan=False)
    target = Path(path)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, theta=theta.astype("<f4"), about=np.array(text))
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise ShapeError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def read(path: str | PathLike[str]) -> tuple[np.ndarray[Any, np.dtype[np.float32]], dict[str, Any]]:
    """θ and its description, both whole; a file that is anything else is refused."""
    try:
        theta, text = _unpack(Path(path))
        about = json.loads(text)
    except FileNotFoundError:
        raise ShapeError(f"there is no file of weights {path}") from None
    except (*_DAMAGE, RecursionError, zipfile.BadZipFile, zlib.error) as error:
        raise ShapeError(f"{path} is not a file of weights: {shown(str(error))}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ShapeError(f"{path} is not in the format {FORMAT!r}")
    if about.get("sha256") != checksum(theta):
        raise ShapeError(f"{path} is damaged: the weights do not have the checksum in its description")
    return theta, about


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
        raise ValueError(f"its weights are {theta.dtype}")
    return theta.astype(np.float32), str(about)
