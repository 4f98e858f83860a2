from montego.lab.analysis import score_table


def analyse(results):
    yield score_table(results, "MC(Manual) against MC(Zero)")
