"""The pages of experiments: on the terminal, in each experiment's README, and all in one. Nothing is typed by hand."""

from __future__ import annotations

import os.path
from pathlib import Path

from montego.go.errors import shown
from montego.lab.experiment import Experiment, LabError
from montego.lab.home import Home
from montego.lab.parts import Figure, Note, Part, Table
from montego.lab.results import Results, open_store, results_of, write_file

BEGIN, END = "<!-- results: written by `montego lab report` -->", "<!-- end of results -->"
_TOP = """# Results

The tables and figures of the papers, from games that Montego really played. `montego lab report` writes this page from
the games in `experiments/`; `montego lab run` plays more. A rate is ± half its 95 % interval (Wilson), a draw counts
half, void games do not count. Where intervals overlap the question is undecided.
"""


def parts_of(experiment: Experiment, results: Results) -> list[Part]:
    return list(experiment.analysis.analyse(results))


def as_terminal(experiment: Experiment, results: Results) -> str:
    lines = [f"{experiment.title} ({experiment.source})", ""]
    for part in parts_of(experiment, results):
        if isinstance(part, Table):
            lines += [part.text(), ""]
        elif isinstance(part, Note):
            lines += [part.text, ""]
        else:
            lines += [f"(figure: montego lab plot {experiment.name})", ""]
    return "\n".join(lines)


def draw_figures(experiment: Experiment, results: Results, folder: Path) -> list[Path]:
    """Draw all figures of an experiment, each as PNG and SVG."""
    figures = [part for part in parts_of(experiment, results) if isinstance(part, Figure)]
    return [path for figure in figures for path in _draw(figure, folder / stem(experiment, figure))]


def stem(experiment: Experiment, figure: Figure) -> str:
    return f"{experiment.name.replace('/', '-')}-{figure.name}"


def _draw(part: Figure, target: Path) -> list[Path]:
    from montego.arena.plots import figure, save, tidy

    target.parent.mkdir(parents=True, exist_ok=True)
    drawing = figure(part.width, part.height)
    axes = drawing.add_subplot()
    tidy(axes)
    part.draw(axes)
    return save(drawing, target)


def markdown(experiment: Experiment, results: Results, figures: str) -> str:
    """The parts of an experiment as Markdown; `figures` is the way to the folder of figures."""
    blocks = []
    for part in parts_of(experiment, results):
        if isinstance(part, Table):
            blocks.append(part.markdown())
        elif isinstance(part, Note):
            blocks.append(part.text)
        else:
            blocks.append(f"![{part.caption}]({figures}/{stem(experiment, part)}.svg)")
    lost = sum(found.not_counted for found in results)
    if lost:
        blocks.append(f"{lost} further games are void or unknown and do not count.")
    return "\n\n".join(blocks)


def page(home: Home, found: list[tuple[Experiment, Results]]) -> str:
    """The page of all results."""
    blocks = [_TOP.rstrip()]
    for experiment, results in found:
        way = _way(home.page.parent, experiment.folder)
        heading = f"## {experiment.title}\n\n*{experiment.source}.* {experiment.claim} ([{experiment.name}]({way}))"
        blocks += [heading, markdown(experiment, results, _way(home.page.parent, home.figures))]
    return "\n\n".join(blocks) + "\n"


def readme(home: Home, experiment: Experiment, results: Results) -> str:
    """The experiment's own page, with its results as they are now."""
    path = experiment.folder / "README.md"
    text = path.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(END) < text.index(BEGIN):
        raise LabError(f"{shown(str(path))} has no place for the results; accepted: the lines {BEGIN} and {END}")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    found = markdown(experiment, results, _way(experiment.folder, home.figures))
    return f"{before}{BEGIN}\n\n{found}\n\n{END}{after}"


def _way(start: Path, target: Path) -> str:
    """The relative path from one folder to another."""
    return os.path.relpath(target, start).replace("\\", "/")


def _texts(home: Home) -> tuple[list[tuple[Experiment, Results]], dict[Path, str]]:
    """All that was found, and all pages as they should be."""
    experiments = home.all()
    store = open_store(experiments)
    found = [(experiment, results_of(experiment, store)) for experiment in experiments]
    texts = {experiment.folder / "README.md": readme(home, experiment, results) for experiment, results in found}
    return found, {home.page: page(home, found), **texts}


def write_report(home: Home) -> list[Path]:
    """Write all pages and figures."""
    found, texts = _texts(home)
    drawn = [path for experiment, results in found for path in draw_figures(experiment, results, home.figures)]
    for path, text in texts.items():
        write_file(path, text)
    return [*texts, *drawn]


def check_report(home: Home) -> None:
    """Refuse pages that are not what the games say."""
    _, texts = _texts(home)
    for path, text in texts.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            raise LabError(f"{path.name} is not what the games say; accepted: what `montego lab report` writes")
