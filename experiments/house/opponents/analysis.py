from montego.lab.analysis import NOTHING, interval, ours
from montego.lab.parts import Table


def analyse(results):
    goals = results.experiment.data["goals"]
    rows = [[one.point.label, goal(goals, one), ours(one), interval(one), str(one.tally.games)] for one in results]
    yield Table(["against", "goal", "ours", "95 % interval", "games"], rows)


def goal(goals, one):
    return f"{100 * goals[one.point.id]:.0f} %" if one.point.id in goals else NOTHING
