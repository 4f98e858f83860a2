from montego.lab.analysis import order, rate_table


def analyse(results):
    yield rate_table(results, "against GNU Go level 0")
    yield order(results, "uct-random", "uct-mogo")
    yield order(results, "uct-sigma", "uct-mogo")
