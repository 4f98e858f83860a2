from montego.lab.analysis import draw_published, draw_rates, legend, order, rate_table
from montego.lab.parts import Figure


def analyse(results):
    yield rate_table(results, "against GNU Go level 10")
    yield order(results, "3000", "10000", "70000")
    yield Figure("simulations", "Win rate by simulations a move", lambda axes: draw(axes, list(results)))


def draw(axes, found):
    draw_rates(axes, found, "ours")
    draw_published(axes, found)
    axes.set_xscale("log")
    axes.set_xlabel("simulations a move")
    axes.set_ylabel("wins against GNU Go, %")
    legend(axes)
