"""Where the experiments are: in the checkout, in a folder of one's own, or inside the installed package."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import montego
from montego.go.errors import shown
from montego.lab.experiment import Experiment, LabError, load_experiment

_PACKAGE = Path(montego.__file__).parent
SHIPPED = _PACKAGE / "experiments"
"""The experiments with their results inside an installed package."""
OWN_FOLDER = Path("montego-lab")
"""Where an installed package puts what it plays, unless told otherwise."""


@dataclass(frozen=True)
class Home:
    experiments: Path
    page: Path
    """the page of all results"""
    figures: Path
    database: Path

    def names(self) -> list[str]:
        """All experiments, by paper and name."""
        return sorted(
            f.parent.relative_to(self.experiments).as_posix() for f in self.experiments.rglob("settings.toml")
        )

    def load(self, name: str) -> Experiment:
        if name not in self.names():
            raise LabError(f"there is no experiment {shown(name)}; accepted: {', '.join(self.names())}")
        return load_experiment(self.experiments / name, name)

    def all(self) -> list[Experiment]:
        """All experiments, in the order of the page."""
        return sorted(
            (self.load(name) for name in self.names()), key=lambda experiment: (experiment.order, experiment.name)
        )

    def chosen(self, names: tuple[str, ...]) -> list[Experiment]:
        """Those that are named, or whose paper is; all, if none is named."""
        if not names:
            return self.all()
        wanted = [e for e in self.all() if any(e.name == name or e.name.startswith(f"{name}/") for name in names)]
        for name in names:
            if not any(e.name == name or e.name.startswith(f"{name}/") for e in wanted):
                raise LabError(f"there is no experiment {shown(name)}; accepted: {', '.join(self.names())}")
        return wanted


def find_home(folder: Path | None = None, writing: bool = False) -> Home:
    """The home in a folder, or the one there is. To write, an installed package makes a folder here from its own."""
    checkout = _PACKAGE.parents[1]
    if folder is None and (checkout / "experiments").is_dir() and (checkout / "pyproject.toml").is_file():
        return _home(checkout / "experiments", checkout / "docs")
    if folder is None and not writing and not OWN_FOLDER.is_dir():
        return _home(SHIPPED, SHIPPED)
    folder = OWN_FOLDER if folder is None else folder
    if not (folder / "experiments").is_dir():
        if not writing:
            raise LabError(f"{folder} holds no experiments; accepted: a folder that `montego lab run` has made")
        shutil.copytree(
            SHIPPED if SHIPPED.is_dir() else checkout / "experiments", folder / "experiments", ignore=_working
        )
    return _home(folder / "experiments", folder)


_working = shutil.ignore_patterns("*.db", "*.db-wal", "*.db-shm", "__pycache__")


def _home(experiments: Path, docs: Path) -> Home:
    return Home(experiments, docs / "RESULTS.md", docs / "figures", experiments / "games.db")
