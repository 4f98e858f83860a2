from montego.lab.analysis import BLUE, GREY, ORANGE, draw_rates, interval, legend, ours, published
from montego.lab.parts import Figure, Table

POLICIES = {"epsilon": ("ε-greedy", BLUE), "sigma": ("Gaussian noise σ", ORANGE), "tau": ("softmax τ", GREY)}
OPPONENTS = {"uniform": "the random policy", "mogo": "MoGo's policy"}


def analyse(results):
    yield Table(["policy", "against", "published", "ours", "95 % interval", "games"], list(rows(results)))
    for opponent, words in OPPONENTS.items():
        yield Figure(opponent, f"Win rate against {words}", lambda axes, o=opponent: draw(axes, results, o))


def rows(results):
    for one in results:
        against = OPPONENTS[one.point.id.rpartition("-")[2]]
        yield [one.point.label, against, published(one), ours(one), interval(one), str(one.tally.games)]


def curve(results, policy, opponent):
    return [one for one in results if one.point.id.startswith(policy) and one.point.id.endswith(f"-{opponent}")]


def draw(axes, results, opponent):
    for policy, (label, colour) in POLICIES.items():
        draw_rates(axes, curve(results, policy, opponent), label, colour)
    axes.axhline(50, color="black", linewidth=0.8)
    axes.set_xscale("symlog", linthresh=0.01, linscale=0.4)
    axes.set_xlim(-0.001, 1)
    axes.set_xlabel("degree of randomness: ε, σ or τ")
    axes.set_ylabel(f"wins against {OPPONENTS[opponent]}, %")
    legend(axes)
