"""Where games in progress are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from montego.go.errors import MontegoError


def data_folder(option: str) -> Path:
    """This program's folder for data of its own; `option` names a file where there is no such folder."""
    name = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_DATA_HOME"
    try:
        return Path(os.environ.get(name) or Path.home() / ".local" / "share") / "montego"
    except RuntimeError:
        raise MontegoError(f"there is no home directory to keep games in; name a file with {option}") from None
