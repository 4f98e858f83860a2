from montego.lab.analysis import draw_bars, order, rate_table
from montego.lab.parts import Figure, Note

LADDER = ["uct-random", "uct-mogo", "rave", "heuristic"]


def analyse(results):
    ladder = [results[name] for name in LADDER]
    yield rate_table(ladder, "against GNU Go 3.8 level 10")
    yield order(results, *LADDER)
    yield Figure("ladder", "Win rates against GNU Go level 10", lambda axes: draw(axes, ladder))
    yield Note("Does the gap lie with the opponent? The same players against the level and the version of the paper:")
    yield rate_table([one for one in results if one not in ladder], "against other GNU Gos")


def draw(axes, ladder):
    draw_bars(axes, ladder)
    axes.set_ylabel("wins against GNU Go, %")
