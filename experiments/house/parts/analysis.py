from montego.lab.analysis import pair_table


def analyse(results):
    yield pair_table(results, "house with")
