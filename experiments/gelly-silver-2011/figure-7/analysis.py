from montego.lab.analysis import BLUE, ORANGE, draw_elo_steps, legend, pair_table
from montego.lab.parts import Figure

SIZES = {"9x9": BLUE, "13x13": ORANGE}


def analyse(results):
    yield pair_table(results, "doublings")
    yield Figure("doublings", "Elo by simulations a move, from 125 on", lambda axes: draw(axes, results))


def draw(axes, results):
    for size, colour in SIZES.items():
        draw_elo_steps(axes, [one for one in results if one.point.id.startswith(f"{size}-")], size, colour)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("simulations a move")
    axes.set_ylabel("Elo above 125 simulations")
    legend(axes)
