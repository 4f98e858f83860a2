from montego.lab.analysis import speed_table


def analyse(results):
    yield speed_table(results, "uct-random", "Pentium 4, 3.4 GHz")
