from montego.lab.analysis import BLUE, draw_elo_steps, legend, pair_table
from montego.lab.parts import Figure


def analyse(results):
    yield pair_table(results, "doublings")
    yield Figure("house-doublings", "Elo of house by simulations a move", lambda axes: draw(axes, results))


def draw(axes, results):
    draw_elo_steps(axes, list(results), "9×9", BLUE)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("simulations a move")
    axes.set_ylabel("Elo above 4,000 simulations")
    legend(axes)
