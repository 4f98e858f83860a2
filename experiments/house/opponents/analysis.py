from montego.lab.analysis import NOTHING, interval, ours, seconds
from montego.lab.parts import Table


def analyse(results):
    goals = results.experiment.data["goals"]
    rows = [
        [one.point.label, goal(goals, one), ours(one), interval(one), str(one.tally.games), seconds(one)]
        for one in results
    ]
    yield Table(["against", "goal", "ours", "95 % interval", "games", "seconds a move"], rows)


def goal(goals, one):
    return f"{100 * goals[one.point.id]:.0f} %" if one.point.id in goals else NOTHING
