from montego.arena.plots import GREEN
from montego.lab.analysis import BLUE, GREY, ORANGE, draw_rates, legend, order, pair_table
from montego.lab.parts import Figure, Note

HEURISTICS = {
    "even": ("even game", GREY),
    "grandfather": ("grandfather", ORANGE),
    "handcrafted": ("handcrafted", BLUE),
    "rlgo": ("learned (Q_rlgo)", GREEN),
}


def analyse(results):
    home = [results["home"], results["variance"]]
    yield pair_table([one for one in results if one not in home], "against UCT-RAVE without heuristic")
    yield order(results, "even-50", "rlgo-50")
    yield order(results, "handcrafted-50", "rlgo-50")
    yield Figure("heuristics", "Win rate by heuristic and M", lambda axes: draw(axes, results))
    yield Note("Head to head, with the schedule and the constants of our presets:")
    yield pair_table(home)


def draw(axes, results):
    for name, (label, colour) in HEURISTICS.items():
        draw_rates(axes, [one for one in results if one.point.id.startswith(name)], label, colour)
    axes.axhline(50, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlabel("M, equivalent experience")
    axes.set_ylabel("wins against no heuristic, %")
    legend(axes)
