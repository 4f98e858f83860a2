from montego.lab.analysis import tactics_table

THEMES = ("nakade", "semeai", "seki", "life-and-death", "ko", "ladders")


def analyse(results):
    yield tactics_table(results, THEMES)
