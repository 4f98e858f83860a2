from montego.lab.analysis import draw_rates, legend, order, pair_table
from montego.lab.parts import Figure


def analyse(results):
    yield pair_table(results, "against UCT-RAVE with k = 1,000")
    yield order(results, "none", "k-1000")
    yield order(results, "k-10", "k-1000")
    yield order(results, "k-100", "k-1000")
    yield Figure("k", "Win rate by k, against UCT-RAVE with k = 1,000", lambda axes: draw(axes, results))


def draw(axes, results):
    draw_rates(axes, [one for one in results if one.point.x], "UCT-RAVE(MoGo)")
    none = results["none"]
    if none.rate is not None:
        axes.axhline(100 * none.rate, color="#777777", linestyle="--", linewidth=1.2, label="UCT(MoGo), no RAVE")
    axes.set_xscale("log")
    axes.set_xlabel("k")
    axes.set_ylabel("wins against k = 1,000, %")
    legend(axes)
