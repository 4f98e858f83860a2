from montego.lab.analysis import score_table
from montego.lab.parts import Figure
from montego.lab.urgencies import draw_determinisation


def analyse(results):
    yield score_table(results, "19×19")
    for start in ("zero", "manual"):
        yield Figure(
            start,
            f"From {start.title()}: score of the best player without search, and the entropy of its moves",
            lambda axes, start=start: draw_determinisation(axes, f"experiment-1b-{start}"),
        )
