from montego.lab.analysis import BLUE, GREY, ORANGE, legend, suite_table
from montego.lab.parts import Figure, Note

POLICIES = {"epsilon": ("ε-greedy", BLUE), "sigma": ("Gaussian noise σ", ORANGE), "tau": ("softmax τ", GREY)}
LINES = {"uniform": ("random", ":"), "mogo": ("MoGo", "--")}


def analyse(results):
    yield suite_table(results, "policy")
    yield judged(results)
    yield Figure("error", "Squared error of playouts over the labelled positions", lambda axes: draw(axes, results))


def judged(results):
    """Which of the learned policies are surely worse judges than MoGo's."""
    learned = [one for one in results if one.point.id not in LINES and one.measured]
    if not learned or not results["mogo"].measured:
        return Note("Not all policies are measured yet.")
    best = results["mogo"].value + error(results["mogo"])
    unsure = [one.point.label for one in learned if one.value - error(one) <= best]
    text = f"MoGo's policy is a better judge than {len(learned) - len(unsure)} of the {len(learned)} learned ones"
    return Note(f"{text}; undecided: {', '.join(unsure)}." if unsure else f"{text}.")


def error(found):
    return 1.96 * found.measured[-1]["error"]


def draw(axes, results):
    for name, (label, colour) in POLICIES.items():
        known = [one for one in results if one.point.id.startswith(name) and one.measured]
        x, y = [one.point.x for one in known], [one.value for one in known]
        ends = [error(one) for one in known]
        axes.errorbar(x, y, ends, color=colour, marker="o", markersize=4, capsize=3, linewidth=1.4, label=label)
    for name, (label, style) in LINES.items():
        if results[name].measured:
            axes.axhline(results[name].value, color="black", linestyle=style, linewidth=1, label=label)
    axes.set_xscale("symlog", linthresh=0.01, linscale=0.4)
    axes.set_xlim(-0.001, 1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("degree of randomness: ε, σ or τ")
    axes.set_ylabel("mean squared error")
    legend(axes)
