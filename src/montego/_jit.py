"""The one place that imports numba: the decorator of every kernel, its flags and its cache.

Compiled code is cached in a folder named by a hash of all the package's sources. Numba alone checks only the file
of the cached function, so an edited helper or constant in another file would leave stale callers behind.

With NUMBA_DISABLE_JIT=1 the kernels stay plain Python: the same games, thousands of times slower, for debugging.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
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

_OUR_FOLDER = re.compile(r"kernels-[0-9a-f]{16}(-checked)?")


def source_hash(package: Path) -> str:
    """A hash of every Python source below `package`: names and contents."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("[!.]*.py")):  # editors leave hidden files about
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


def _private_root() -> Path:
    """A folder for temporary files that is this user's alone: cached code is code that will be run."""
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    root = Path(tempfile.gettempdir()) / f"montego-{user}"
    root.mkdir(mode=0o700, exist_ok=True)
    status = root.stat()
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
        raise OSError(f"{root} belongs to somebody else")
    return root


def _prepared(folder: Path) -> Path:
    """The folder, made and tried out."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass
    os.utime(folder)  # the newest folders are the ones in use: see prune
    return folder


@functools.cache
def cache_folder() -> Path | None:
    """The folder for this version of the sources, or None where nothing can be written."""
    if not COMPILED:
        return None
    name = f"kernels-{source_hash(Path(__file__).parent)}"
    if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"):
        name += "-checked"  # numba's own cache would serve unchecked code
    for root in (cache_root, _private_root):
        try:
            folder = _prepared(root() / name)
        except (OSError, RuntimeError):  # nothing can be written there, or there is no home directory
            continue
        prune(folder.parent, keep=name)
        return folder
    return None


def prune(root: Path, keep: str) -> None:
    """Delete the cache folders least recently used, all but `keep` and the newest KEPT_CACHES."""

    def last_used(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:  # pruned by another process meanwhile
            return 0.0

    ours = [folder for folder in root.glob("kernels-*") if _OUR_FOLDER.fullmatch(folder.name)]
    others = sorted((folder for folder in ours if folder.name != keep), key=last_used, reverse=True)
    for folder in others[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


def stay_plain() -> None:
    """Let this process run kernels as plain Python and never load numba: it starts at once, and leaves searching to
    another process. To be called before any module with kernels is loaded; later it changes nothing.
    """
    global COMPILED
    if f"{__package__}.rng" not in sys.modules:
        COMPILED = False


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


def numba_part(name: str) -> Any:
    """A module of numba's or llvmlite's, for _intrinsics: nothing else may ask."""
    _numba()
    return import_module(name)


@functools.cache
def _cache_file_class() -> Any:
    """Numba's cache file, made safe for several processes and for disks that fail."""
    caching: Any = import_module("numba.core.caching")

    class CacheFile(caching.IndexDataCacheFile):  # type: ignore[misc]
        def save(self, key: Any, data: Any) -> None:
            """Write the data, then the index. What cannot be written is compiled again next time.

            Numba numbers the data files as they come: two processes could give one number to two board sizes.
            A file named by its key has one content, whoever writes it.
            """
            name = self._data_name(int(hashlib.sha256(repr(key).encode()).hexdigest()[:15], 16))
            with contextlib.suppress(Exception):
                self._save_data(name, data)
                self._save_index({**self._load_index(), key: name})

        def load(self, key: Any) -> Any:
            """The cached data; None if there is none, or what there is cannot be read."""
            try:
                return super().load(key)
            except Exception:  # whatever unpickling a damaged file may raise
                return None

        def _load_index(self) -> Any:
            try:
                return super()._load_index()
            except Exception:
                return {}

    return CacheFile


def _compiled(function: Kernel, inline: bool, cached: bool) -> Kernel:
    numba = _numba()
    folder = cache_folder() if cached else None
    if folder is None:
        return numba.njit(forceinline=inline, **_FLAGS)(function)  # type: ignore[no-any-return]
    saved = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)  # read while decorating; restored so that other code is not affected
    try:
        kernel: Any = numba.njit(cache=True, forceinline=inline, **_FLAGS)(function)
    finally:
        numba.config.CACHE_DIR = saved
    kernel._cache._cache_file.__class__ = _cache_file_class()
    return kernel  # type: ignore[no-any-return]


def _plain(function: Kernel) -> Kernel:
    @functools.wraps(function)
    def quiet(*args: Any) -> Any:
        with np.errstate(all="ignore"):  # as compiled: unsigned numbers wrap around, 0/0 is NaN
            return function(*args)

    return quiet


def jit(function: Kernel | None = None, *, inline: bool = False, cached: bool = True) -> Any:
    """Compile a kernel on first use, once per board size, and cache it on disk: `@jit` or `@jit(inline=True)`.

    inline: a part of a hot loop, whose code goes into every caller (left alone, LLVM calls the larger ones).
    cached: False for functions that users bring along, and for kernels made around them.
    """
    if function is None:
        return functools.partial(jit, inline=inline, cached=cached)
    return _compiled(function, inline, cached) if COMPILED else _plain(function)


@functools.cache
def _type_of_record(dtype: np.dtype[Any]) -> Any:
    """Numba's type, which takes a millisecond to make."""
    return _numba().from_dtype(dtype)


def address_of(kernel: Kernel, *args: Any) -> Any:
    """What `call` needs to call a kernel, compiled for arguments of these types. The kernel must stay alive.

    A part of a loop that is called by its address is compiled, cached and linked on its own: nobody compiles what
    is not asked for, and the loop need not be compiled again for another part.
    """
    if not COMPILED:
        return kernel
    dispatcher: Any = kernel
    types = tuple(_type_of_record(arg.dtype) if isinstance(arg, np.void) else _numba().typeof(arg) for arg in args)
    if types not in dispatcher.overloads:
        dispatcher.compile(types)
    compiled = dispatcher.overloads[types]
    return U(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def compile_error(kernel: Kernel, *args: Any) -> str | None:
    """Why a kernel cannot be compiled for such arguments, in one line; None if it can."""
    if not COMPILED:
        return None
    try:
        address_of(kernel, *args)
    except _numba().core.errors.NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        noise = ("Failed in", "During:", "File", "-", "<", "[", "def ")
        return " ".join(line for line in lines if not line.startswith(noise))[:200]
    return None


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
