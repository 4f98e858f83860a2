"""A user's own default policy, heuristic or tree policy: a plain Python function, compiled into a part of the loop.

A function is compiled inside a small loop of its own, and the search calls that by its address: nothing else is
compiled anew, and the function costs what a built-in part would. See accessors.py for what it may ask.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from montego._intrinsics import wrap
from montego._jit import U0, U1, U2, U3, U, compile_error, jit
from montego.go.board import is_legal_tight, new_boards, note_ataris, pass_turn, place
from montego.go.errors import ConfigError, shown
from montego.playout.loop import final_lead
from montego.playout.reasons import Reason
from montego.playout.simulate import PlayoutConfig, new_work, tables
from montego.search.policy import argmax
from montego.search.pool import new_tree
from montego.search.records import CHILD, PARAMETERS_DTYPE
from montego.search.table import HeuristicTable

Function = Callable[..., Any]

ARGUMENTS = {"policy": ("position",), "heuristic": ("position", "p"), "tree_policy": ("node", "p")}
MEANING = {
    "policy": "a point of the board, or 0 to pass",
    "heuristic": "the value of the move p, from 0 to 1",
    "tree_policy": "the value of the move p, as a number",
}
_OWN = U(Reason.OWN)


@dataclass(frozen=True)
class OwnParts:
    """Functions that replace built-in parts; None leaves the configured one."""

    policy: Function | None = None
    heuristic: Function | HeuristicTable | None = None
    tree_policy: Function | None = None

    def __post_init__(self) -> None:
        for field in ARGUMENTS:
            part = getattr(self, field)
            if part is not None and not (field == "heuristic" and isinstance(part, HeuristicTable)):
                check_function(field, part)

    @property
    def table(self) -> HeuristicTable | None:
        return self.heuristic if isinstance(self.heuristic, HeuristicTable) else None

    def describe(self) -> dict[str, str]:
        """The name of every function and a hash of its code: what can be said of it in a record of games."""
        made = {}
        for field in ARGUMENTS:
            function = getattr(self, field)
            if isinstance(function, HeuristicTable):
                code = hashlib.sha256(b"".join(part.tobytes() for part in function.by_point())).hexdigest()[:12]
                made[field] = f"table {code}"
            elif function is not None:
                code = hashlib.sha256(function.__code__.co_code).hexdigest()[:12]
                made[field] = f"{function.__module__}.{function.__qualname__} {code}"
        return made


def check_function(field: str, function: Any) -> None:
    """Refuse what is no function of the right arguments, or cannot be compiled."""
    wanted = f"a function of ({', '.join(ARGUMENTS[field])}) that returns {MEANING[field]}"
    if not inspect.isfunction(function):
        raise ConfigError(f"{field} is {shown(function)}; accepted: {wanted}, or the name of a built-in one")
    if len(inspect.signature(function).parameters) != len(ARGUMENTS[field]):
        raise ConfigError(f"{field} is {function.__name__}{inspect.signature(function)}; accepted: {wanted}")
    kernel = jit(_probe(field, _compiled(function)), cached=False)
    problem = compile_error(kernel, *_example(field))
    if problem is not None:
        raise ConfigError(f"{field}: {function.__name__} does not compile ({problem}); accepted: {wanted}")


def _probe(field: str, function: Any) -> Function:
    """A function that only calls the user's, to see whether it compiles."""
    if field == "policy":
        return lambda board, work, table, colour: np.int64(function(wrap((board, work, table, colour))))
    if field == "heuristic":
        return lambda board, work, table, colour: np.float64(function(wrap((board, work, table, colour)), 1))
    return lambda tree, s, parameters, colour: np.float64(function(wrap((tree, s, parameters, colour)), 1))


def _example(field: str) -> tuple[Any, ...]:
    """Arguments of the types a part is called with."""
    if field == "tree_policy":
        return new_tree(9, 2), np.int64(1), np.zeros(1, PARAMETERS_DTYPE)[0], U1
    return new_boards(9)[0], new_work(9, PlayoutConfig(), 0), tables()[0], U1


@cache
def _compiled(function: Function) -> Any:
    """The function as a kernel, compiled once for every type of argument."""
    return jit(function, cached=False)


def _names(function: Any, seen: set[Any]) -> set[str]:
    """The names that a function and those it calls look up, those behind aliases included."""
    code = getattr(function, "__code__", None)
    if code is None or function in seen:
        return set()
    seen.add(function)
    found = set(code.co_names) | set(code.co_freevars)
    for name in code.co_names:
        known = function.__globals__.get(name)
        known = getattr(known, "py_func", known)  # a compiled one
        found |= {getattr(known, "__name__", "")} | _names(known, seen)
    for cell in function.__closure__ or ():
        found |= _names(cell.cell_contents, seen)
    return found


@cache
def playout_part(function: Function) -> Any:
    """The playout loop with a user's default policy. A move that is not legal is counted, and a pass is played.

    Which chains are in atari is kept only for `mogo_move`: nothing else asks for the list.
    """
    policy, noting = _compiled(function), "mogo_move" in _names(function, set())

    def own_playout(board, work, tables, colour):
        passes, length = work.passes, U0
        while passes < U2 and length < work.max_length:
            q = np.int64(policy(wrap((board, work, tables, colour))))
            p = U(q) if 0 <= q < board.colour.size else U0
            roomy = tables.facts[board.code[p]] & 1 != 0
            if (board.colour[p] != 0 or not (roomy or is_legal_tight(board, p, colour))) and q != 0:
                work.faults += U1
                p = U0
            work.moves[length] = p
            work.reasons[length] = _OWN
            length += U1
            if p == U0:
                passes += U1
                pass_turn(board)
            else:
                passes = U0
                place(board, p, colour)
                if noting:
                    note_ataris(board, p, colour)
            colour = U3 - colour
        work.length = length
        return final_lead(board)

    return jit(own_playout, cached=False)


@cache
def heuristic_part(function: Function) -> Any:
    """H from a user's function. What is not from 0 to 1 is counted, and ½ is taken."""
    own = _compiled(function)

    def own_heuristic(board, tree, s, older, work, tables, thread, parameters, colour):
        position, child = wrap((board, work, tables, colour)), tree.links[s, CHILD]
        for p in range(U(child.size)):
            if child[p] >= 0:
                value = np.float64(own(position, np.int64(p)))
                if not 0.0 <= value <= 1.0:
                    work.faults += U1
                    value = 0.5
                thread.prior[p] = value
                thread.prior_n[p] = 1.0
        return 0

    return jit(own_heuristic, cached=False)


@cache
def select_part(function: Function) -> Any:
    """SelectMove with the values of a user's function; NaN is never chosen."""
    own = _compiled(function)

    def own_select_move(tree, thread, parameters, depth, colour, rng):
        s, values = np.int64(thread.path[depth]), thread.values[: tree.stats.shape[2]]
        node, child = wrap((tree, s, parameters, colour)), tree.links[s, CHILD]
        for p in range(U(values.size)):
            values[p] = np.float64(own(node, np.int64(p))) if child[p] >= 0 else -np.inf
        return argmax(values, rng)

    return jit(own_select_move, cached=False)
