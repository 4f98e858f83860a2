from montego.lab.analysis import score_table
from montego.lab.parts import Figure
from montego.lab.urgencies import draw_determinisation


def analyse(results):
    yield score_table(results)
    for name in ("rlpr-9x9", "rlpr-19x19"):
        size = name.removeprefix("rlpr-").replace("x", "×")
        yield Figure(
            name,
            f"{size}: score of the learner without search, and the entropy of its moves, as it learns",
            lambda axes, name=name: draw_determinisation(axes, name),
        )
