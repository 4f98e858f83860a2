"""The tree from Python: walk it, or write it out as a dictionary, as JSON or for Graphviz."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from montego.go.errors import ConfigError, is_whole, shown
from montego.go.geometry import COLOUR_NAMES
from montego.search.policy import beta_of
from montego.search.records import AMAF_N, AMAF_W, CHILD, ILLEGAL, SIMULATIONS, VISITS, WON, N, W
from montego.search.report import best_moves, for_mover

DEFAULT_DEPTH, DEFAULT_VISITS = 3, 10


@dataclass(frozen=True)
class Edge:
    """A move of a node. Values are for the side to move."""

    vertex: str
    visits: int
    count: float
    """N(s,a)"""
    value: float | None
    """Q(s,a)"""
    amaf_count: float
    amaf_value: float | None
    beta: float
    child: Node | None
    """the node it leads to, if there is one"""


class Node:
    """A state of a search's tree, read where it is: valid until the search runs on."""

    def __init__(self, search: Any, index: int, colour: int, line: tuple[str, ...] = ()) -> None:
        self._search, self._index, self._colour = search, index, colour
        self.line = line
        """the moves that lead here from the root"""

    @property
    def colour(self) -> str:
        """The side to move."""
        return COLOUR_NAMES[self._colour]

    @property
    def simulations(self) -> int:
        return int(self._search.tree.states[self._index, SIMULATIONS])

    @property
    def value(self) -> float | None:
        """The mean outcome for the side to move."""
        won, done = self._search.tree.states[self._index, [WON, SIMULATIONS]]
        return for_mover(won, done, self._colour)

    @property
    def moves(self) -> list[Edge]:
        """All legal moves, best first."""
        search = self._search
        points = best_moves(search.tree, self._index, search.config.final, self._colour, search.parameters)
        return [self._edge(p) for p in points]

    def __getitem__(self, vertex: str) -> Edge:
        """The move on a vertex: node["D4"]."""
        point = self._search.names.parse(vertex)
        if self._search.tree.links[self._index, CHILD, point] == ILLEGAL:
            raise ConfigError(f"{shown(vertex)} is no move of this node; accepted: a legal move, or pass")
        return self._edge(point)

    def _edge(self, p: int) -> Edge:
        tree, s, colour = self._search.tree, self._index, self._colour
        n, amaf_n = float(tree.stats[s, N, p]), float(tree.stats[s, AMAF_N, p])
        vertex, child = self._search.names.vertex(p), int(tree.links[s, CHILD, p])
        return Edge(
            vertex=vertex,
            visits=int(tree.links[s, VISITS, p]),
            count=n,
            value=for_mover(tree.stats[s, W, p], n, colour),
            amaf_count=amaf_n,
            amaf_value=for_mover(tree.stats[s, AMAF_W, p], amaf_n, colour),
            beta=float(beta_of(tree, s, np.uint64(p), self._search.parameters)),
            child=Node(self._search, child, 3 - colour, (*self.line, vertex)) if child > 0 else None,
        )

    def walk(self, depth: int = DEFAULT_DEPTH, least: int = DEFAULT_VISITS) -> Iterator[Node]:
        """This node and those below it with at least `least` simulations, down to a depth; parents first."""
        _check(depth, least)
        yield self
        if depth > 0:
            for edge in self.moves:
                if edge.child is not None and edge.child.simulations >= least:
                    yield from edge.child.walk(depth - 1, least)

    def to_dict(self, depth: int = DEFAULT_DEPTH, least: int = DEFAULT_VISITS) -> dict[str, Any]:
        """The tree as nested dictionaries, moves with fewer than `least` visits left out."""
        _check(depth, least)
        moves = []
        for edge in self.moves:
            if edge.visits >= least:
                fields = {name: value for name, value in vars(edge).items() if name != "child"}
                if edge.child is not None and depth > 0:
                    fields["child"] = edge.child.to_dict(depth - 1, least)
                moves.append(fields)
        return {"colour": self.colour, "simulations": self.simulations, "value": self.value, "moves": moves}

    def to_json(self, depth: int = DEFAULT_DEPTH, least: int = DEFAULT_VISITS) -> str:
        return json.dumps(self.to_dict(depth, least))

    def to_graphviz(self, depth: int = DEFAULT_DEPTH, least: int = DEFAULT_VISITS) -> str:
        """A graph in the language of Graphviz: `dot -Tsvg` draws it."""
        names = {node.line: f"n{i}" for i, node in enumerate(self.walk(depth, least))}
        lines = ["digraph tree {", '  node [shape=box, fontname="sans-serif"];']
        for node in self.walk(depth, least):
            value = "?" if node.value is None else f"{node.value:.3f}"
            title = f"{node.colour} to play" if node is self or not node.line else node.line[-1]
            style = ", style=filled, fillcolor=gray85" if node.colour == COLOUR_NAMES[1] else ""
            lines.append(f'  {names[node.line]} [label="{title}\\n{value}, {node.simulations}"{style}];')
            if node.line != self.line:
                lines.append(f"  {names[node.line[:-1]]} -> {names[node.line]};")
        return "\n".join([*lines, "}"]) + "\n"


def _check(depth: Any, least: Any) -> None:
    if not is_whole(depth) or depth < 0:
        raise ConfigError(f"depth is {shown(depth)}; accepted: a whole number from 0")
    if not is_whole(least) or least < 0:
        raise ConfigError(f"least is {shown(least)}; accepted: a whole number from 0")
