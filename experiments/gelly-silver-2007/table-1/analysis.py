from montego.lab.analysis import order, pair_table, rate_table
from montego.lab.parts import Note

HEAD_TO_HEAD = ("surprise-sigma", "surprise-epsilon")


def analyse(results):
    yield rate_table((one for one in results if one.point.id not in HEAD_TO_HEAD), "against GNU Go level 0")
    yield order(results, "uct-random", "uct-mogo")
    yield order(results, "uct-sigma", "uct-mogo")
    yield Note(
        "The surprise of §5 head to head, 1,000 simulations: policies that beat MoGo's without search in nine games of"
        " ten (Figure 2), against it in search:"
    )
    yield pair_table((results[name] for name in HEAD_TO_HEAD), "playouts from the learned value")
