from montego.lab.analysis import draw_bars, order, pair_table, rate_table
from montego.lab.parts import Figure, Note

OTHERS = ["rave-level-8", "heuristic-level-8", "heuristic-3.7.10", "heuristic-japanese"]
LADDER = ["uct-random", "uct-mogo", "rave", "heuristic", "rlgo"]


def analyse(results):
    ladder = [results[name] for name in LADDER]
    yield rate_table(ladder, "against GNU Go 3.8 level 10")
    yield order(results, *LADDER[:4])
    yield order(results, "rave", "rlgo")
    yield Figure("ladder", "Win rates against GNU Go level 10", lambda axes: draw(axes, ladder))
    yield Note("Does the gap lie with the opponent? The same players against the level and the version of the paper:")
    yield rate_table([results[name] for name in OTHERS], "against other GNU Gos")
    yield Note("Or with the playouts? The paper does not say whether a pattern move may fill one's own eye:")
    yield rate_table([results["heuristic-tidy"]], "against GNU Go 3.8 level 10")
    yield Note("Or with the heuristic? The same search with one that the papers do not have, that of `house`:")
    yield rate_table([results["heuristic-strengths"]], "against GNU Go 3.8 level 10")
    yield Note("What the memory between moves is worth, which the paper does not speak of:")
    yield pair_table([results["memory"]])


def draw(axes, ladder):
    draw_bars(axes, ladder)
    axes.set_ylabel("wins against GNU Go, %")
