from montego.arena.plots import draw_ratings
from montego.lab.analysis import NOTHING, rate_table
from montego.lab.ladder import ladder
from montego.lab.parts import Figure, Note, Table


def analyse(results):
    yield rate_table(results, "games of its own")
    ratings = ladder(results.store)
    if ratings is None:
        yield Note("No ratings yet: nobody has met GNU Go level 10.")
        return
    yield Note("All players of all experiments on 9×9, by maximum likelihood, GNU Go level 10 at 1800.")
    yield Table(["player", "published", "ours", "games", "score"], rows(ratings, results.experiment.data["published"]))
    advantage, error = ratings.colour_advantage
    yield Note(f"Black is worth {advantage:.0f} ± {error:.0f} Elo with komi 7.5.")
    height = 1.2 + 0.22 * len(ratings.players)
    yield Figure("ladder", "Ratings on 9×9", lambda axes: draw_ratings(axes, ratings), 7.0, height)


def rows(ratings, published):
    for one in ratings.players:
        told = f"{published[one.name]}" if one.name in published else NOTHING
        error = "anchor" if one.name == ratings.anchor else f"{one.elo:.0f} ± {one.error:.0f}"
        star = "" if one.bounded else " *"
        yield [f"`{one.name}`", told, error + star, str(one.games), f"{100 * one.rate:.1f} %"]
