from montego.lab.analysis import pair_table


def analyse(results):
    yield pair_table(results, "9×9, 1,000 simulations")
