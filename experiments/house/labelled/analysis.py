from montego.lab.analysis import suite_table


def analyse(results):
    yield suite_table(results, "program")
