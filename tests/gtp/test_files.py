"""Files that a client names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from montego.go.errors import MontegoError
from montego.gtp.files import check_regular


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are Unix's")
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(MontegoError, match="no regular file"):
            check_regular(tmp_path / name)


def test_files_and_what_is_not_there_pass(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;)")
    for name in ("game.sgf", "missing", "x" * 5000):
        check_regular(tmp_path / name)
