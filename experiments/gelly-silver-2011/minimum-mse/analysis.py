from montego.lab.analysis import draw_rates, pair_table
from montego.lab.parts import Figure


def analyse(results):
    yield pair_table([results["9x9"], results["19x19"]], "schedules")
    swept = [one for one in results if one.point.x]
    yield pair_table(swept, "against b̃ of the preset")
    yield Figure("bias", "Win rate by b̃, against the preset's own", lambda axes: draw(axes, swept))


def draw(axes, swept):
    draw_rates(axes, swept, "minimum-MSE")
    axes.axhline(50, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlabel("b̃, bias of AMAF values")
    axes.set_ylabel("wins against the preset's b̃, %")
