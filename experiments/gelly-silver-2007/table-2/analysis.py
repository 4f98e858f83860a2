from montego.lab.analysis import draw_bars, order, rate_table
from montego.lab.parts import Figure


def analyse(results):
    yield rate_table(results, "against GNU Go level 10")
    yield order(results, "uct-random", "uct-mogo", "rave", "heuristic")
    yield Figure("ladder", "Win rates against GNU Go level 10", lambda axes: draw(axes, results))


def draw(axes, results):
    draw_bars(axes, list(results))
    axes.set_ylabel("wins against GNU Go, %")
