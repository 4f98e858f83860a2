"""The lab's results, taken apart for the page."""

from __future__ import annotations

from montego.web.results import block, figures, sections


def test_every_heading_table_and_figure_is_there() -> None:
    found = sections()
    text = (figures().parent / "RESULTS.md").read_text("utf-8")
    titles = [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]
    blocks = [each for section in found for each in section["blocks"]]
    assert [section["title"] for section in found] == titles
    tables = [each for each in blocks if each["kind"] == "table"]
    assert len(tables) == text.count("\n| ---") and len(tables) > 10
    assert all(len(row) == len(table["head"]) == len(table["align"]) for table in tables for row in table["rows"])
    shown = [each for each in blocks if each["kind"] == "figure"]
    assert shown and all((figures() / each["src"].removeprefix("/figures/")).exists() for each in shown)


def test_blocks() -> None:
    assert block(["| a | b |", "| --- | ---: |", "| 1 | 2 |"]) == {
        "kind": "table", "head": ["a", "b"], "align": ["left", "right"], "rows": [["1", "2"]],
    }  # fmt: skip
    assert block(["Some", "text."]) == {"kind": "text", "text": "Some text."}
