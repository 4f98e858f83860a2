from montego.lab.analysis import BLUE, GREY, ORANGE, legend, suite_table
from montego.lab.parts import Figure

POLICIES = {"epsilon": ("ε-greedy", BLUE), "sigma": ("Gaussian noise σ", ORANGE), "tau": ("softmax τ", GREY)}
LINES = {"uniform": ("random", ":"), "mogo": ("MoGo", "--")}


def analyse(results):
    yield suite_table(results, "policy")
    yield Figure("error", "Squared error of playouts over the labelled positions", lambda axes: draw(axes, results))


def draw(axes, results):
    for name, (label, colour) in POLICIES.items():
        known = [one for one in results if one.point.id.startswith(name) and one.measured]
        x, y = [one.point.x for one in known], [one.value for one in known]
        error = [1.96 * one.measured[-1]["error"] for one in known]
        axes.errorbar(x, y, error, color=colour, marker="o", markersize=4, capsize=3, linewidth=1.4, label=label)
    for name, (label, style) in LINES.items():
        if results[name].measured:
            axes.axhline(results[name].value, color="black", linestyle=style, linewidth=1, label=label)
    axes.set_xscale("symlog", linthresh=0.01, linscale=0.4)
    axes.set_xlim(-0.001, 1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("degree of randomness: ε, σ or τ")
    axes.set_ylabel("mean squared error")
    legend(axes)
