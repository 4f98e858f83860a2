"""The README's Python runs as printed, and the commands it names exist."""

from __future__ import annotations

import re
from pathlib import Path

from montego.cli import COMMANDS
from montego.go.rules import RULES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_examples_run() -> None:
    first, *others = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(others) == 1
    names: dict[str, object] = {}
    for example in (first, *others):
        exec(compile(example, "README.md", "exec"), names)


def test_commands_and_targets_exist() -> None:
    assert set(re.findall(r"montego (play|bench|doctor|\w+) +#", README)) <= set(COMMANDS)
    targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"make ([a-z-]+) +#", README)) == {"play", "test"} <= set(targets)


def test_every_rule_set_is_in_the_table() -> None:
    assert [name for name in RULES if f"`{name}`" not in README] == []
