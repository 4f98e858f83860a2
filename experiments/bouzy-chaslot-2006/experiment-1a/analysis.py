from montego.lab.analysis import score_table
from montego.lab.parts import Figure
from montego.lab.urgencies import draw_determinisation


def analyse(results):
    yield score_table(results, "9×9")
    yield Figure(
        "determinisation",
        "Score of the learner without search, and the entropy of its moves, as it learns",
        lambda axes: draw_determinisation(axes, "experiment-1a"),
    )
