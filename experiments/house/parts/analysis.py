from montego.lab.analysis import sequential_table


def analyse(results):
    yield sequential_table(results, "house with")
