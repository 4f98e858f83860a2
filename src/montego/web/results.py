"""The lab's results for the page: RESULTS.md taken apart into headings, texts, tables and figures."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

PACKAGED = Path(__file__).parent / "results"
CHECKOUT = Path(__file__).parents[3] / "docs"
FIGURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<src>[^)]*)\)")


def home() -> Path:
    """Where RESULTS.md is: beside this file in an installed package, in docs/ of a checkout."""
    return PACKAGED if (PACKAGED / "RESULTS.md").exists() else CHECKOUT


def figures() -> Path:
    return home() / "figures"


@cache
def sections() -> list[dict[str, Any]]:
    """Each with a title and blocks; none if there are no results."""
    try:
        lines = (home() / "RESULTS.md").read_text("utf-8").splitlines()
    except OSError:
        return []
    found: list[dict[str, Any]] = []
    for paragraph in paragraphs(lines):
        if paragraph[0].startswith("#"):
            found.append({"title": paragraph[0].lstrip("# "), "blocks": []})
            paragraph = paragraph[1:]
        if paragraph and found:
            found[-1]["blocks"].append(block(paragraph))
    return found


def paragraphs(lines: list[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for line in lines:
        if not line.strip():
            found.append([])
        else:
            found[-1].append(line)
    return [paragraph for paragraph in found if paragraph]


def block(lines: list[str]) -> dict[str, Any]:
    figure = FIGURE.fullmatch(lines[0].strip())
    if figure:
        return {"kind": "figure", "src": f"/figures/{Path(figure['src']).name}", "alt": figure["alt"]}
    if lines[0].startswith("|") and len(lines) > 1:
        head, rule, *rows = (cells(line) for line in lines)
        align = ["right" if cell.endswith(":") else "left" for cell in rule]
        return {"kind": "table", "head": head, "align": align, "rows": rows}
    return {"kind": "text", "text": " ".join(line.strip() for line in lines)}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
