"""The layers point one way, every module is on the map, and numba has one door."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import montego

PACKAGE = Path(montego.__file__).parent
ROOT = Path(__file__).parents[1]
GROUND = ["processes", "_jit", "_intrinsics", "rng"]
LAYERS = [
    *GROUND,
    "go",
    "patterns",
    "shape",
    "playout",
    "search",
    "players",
    "gtp",
    "arena",
    "learn",
    "lab",
    "web",
    "cli",
]
ENTRANCES = {"__init__", "__main__"}
"""Doors of the package: they may import from everywhere, and nothing of ours imports them but for the version."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The dotted names of all modules a file imports, wherever in the file it does so."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the layer"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_point_up(path: Path) -> None:
    layer = layer_of(path)
    if layer in ENTRANCES:
        return
    allowed = set(LAYERS[: LAYERS.index(layer) + 1]) | {"__version__"}
    ours = {name.split(".")[1] for name in imported(path) if name.startswith("montego.")}
    assert ours <= allowed, f"{name_of(path)} imports {sorted(ours - allowed)}"


def test_only_jit_imports_numba() -> None:
    guilty = [name_of(p) for p in modules() if any(n.split(".")[0] in ("numba", "llvmlite") for n in imported(p))]
    assert guilty == []
    assert 'import_module("numba")' in (PACKAGE / "_jit.py").read_text(encoding="utf-8")
    others = [name_of(p) for p in modules() if '"numba"' in p.read_text(encoding="utf-8")]
    assert others == ["_intrinsics.py", "_jit.py", "cli/doctor.py"], "doctor names it only to show its version"
    askers = [name_of(p) for p in modules() if "numba_part" in p.read_text(encoding="utf-8")]
    assert askers == ["_intrinsics.py", "_jit.py"]


def test_every_module_is_on_the_map() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    missing = [name_of(p) for p in modules() if p.stem != "__init__" and f"`{name_of(p)}`" not in text]
    assert missing == []


def test_the_map_names_no_module_that_is_gone() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = [line.split("`")[1] for line in text.splitlines() if line.startswith("- `") and ".py`" in line]
    assert [name for name in named if not (PACKAGE / name).exists()] == []


def test_public_names() -> None:
    for name in montego.__all__:
        assert getattr(montego, name) is not None
    with pytest.raises(AttributeError):
        montego.no_such_name  # noqa: B018
