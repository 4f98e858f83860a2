from montego.lab.analysis import speed_table


def analyse(results):
    yield speed_table(results, "1", "four processors")
