"""The one place that imports numba: the decorator of every kernel, its flags and its cache.

Compiled code is cached in a folder named by a hash of all the package's sources. Numba alone checks only the file
of the cached function, so an edited helper or constant in another file would leave stale callers behind.

With NUMBA_DISABLE_JIT=1 the kernels stay plain Python: the same games, some hundred times slower, for debugging.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

Kernel = Callable[..., Any]

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")

# nogil: searches run in plain threads. error_model: no ZeroDivisionError branches. _nrt=False: kernels allocate
# nothing and count no references (a private option of numba's, which is why its version is capped).
_FLAGS = {"nogil": True, "error_model": "numpy", "_nrt": False}

KEPT_CACHES = 8
"""Cache folders of other versions kept beside the one in use."""


def source_hash(package: Path) -> str:
    """A hash of every Python source below `package`: names and contents."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where all cache folders live: NUMBA_CACHE_DIR if set, else the platform's cache directory."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "montego"


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)  # the newest folders are the ones in use: see prune
    except OSError:
        return False
    return True


def _cache_folder() -> Path | None:
    """The folder for this version of the sources, or None where nothing can be written."""
    name = f"kernels-{source_hash(Path(__file__).parent)}"
    if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"):
        name += "-checked"  # numba's own cache would serve unchecked code
    fallback = Path(tempfile.gettempdir()) / f"montego-{os.environ.get('USER', 'cache')}"
    for root in (cache_root(), fallback):
        if _usable(root / name):
            prune(root, keep=name)
            return root / name
    return None


def prune(root: Path, keep: str) -> None:
    """Delete the cache folders least recently used, all but `keep` and the newest KEPT_CACHES."""

    def age(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:  # pruned by another process meanwhile
            return 0.0

    others = sorted((f for f in root.glob("kernels-*") if f.name != keep), key=age, reverse=True)
    for folder in others[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


CACHE = _cache_folder() if COMPILED else None


@functools.cache
def _numba() -> Any:
    """Numba, with the code of a record type named by the type's content.

    Numba names it by a counter of the process. Kernels of two board sizes, cached by two processes, could then bear
    the same symbol, and in a third process one size would run the other's code.
    """
    numba: Any = import_module("numba")  # Any: its stubs know neither CACHE_DIR nor _nrt

    def content(record: Any) -> tuple[str, tuple[str]]:
        return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)

    numba.core.types.Record.mangling_args = property(content)
    return numba


def _compiled(function: Kernel, inline: bool) -> Kernel:
    numba = _numba()
    saved = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE or "")  # read while decorating; restored so that other code is not affected
    try:
        compiled: Kernel = numba.njit(cache=CACHE is not None, forceinline=inline, **_FLAGS)(function)
        return compiled
    finally:
        numba.config.CACHE_DIR = saved


def _plain(function: Kernel) -> Kernel:
    @functools.wraps(function)
    def quiet(*args: Any) -> Any:
        with np.errstate(over="ignore"):  # unsigned arithmetic wraps around on purpose
            return function(*args)

    return quiet


def jit(function: Kernel | None = None, *, inline: bool = False) -> Any:
    """Compile a kernel on first use, once per board size, and cache it on disk: `@jit` or `@jit(inline=True)`.

    inline: a part of a hot loop, whose code goes into every caller (left alone, LLVM calls the larger ones).
    """
    if function is None:
        return functools.partial(jit, inline=inline)
    return _compiled(function, inline) if COMPILED else _plain(function)


def came_from_cache(kernel: Kernel) -> bool:
    """Whether a kernel that has been called was loaded from disk rather than compiled."""
    return COMPILED and bool(kernel.stats.cache_hits)  # type: ignore[attr-defined]


def record_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """A record type whose fields are attributes both in kernels and in plain Python."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


# Kernels index with unsigned 64-bit integers (no negative wrap-around). Every constant must be typed:
# uint64 combined with a bare int literal silently becomes float64.
U = np.uint64
U0, U1, U2, U3 = U(0), U(1), U(2), U(3)
