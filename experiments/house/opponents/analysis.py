from montego.lab.analysis import NOTHING, interval, ours
from montego.lab.parts import Table


def analyse(results):
    rows = [[one.point.label, goal(one.point), ours(one), interval(one), str(one.tally.games)] for one in results]
    yield Table(["against", "goal", "ours", "95 % interval", "games"], rows)


def goal(point):
    return NOTHING if point.published is None else f"{100 * point.published:.0f} %"
