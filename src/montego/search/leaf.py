"""Leaf parallelism as kernels: one thread builds the tree, and every leaf is played out by all threads at once.

The threads wait for each other by looking at a shared array, without pause: a playout takes some microseconds. It is
here for comparison (Cazenave & Jouandeau 2007): the thread that leads waits for the longest playout each time.
"""

from __future__ import annotations

import numpy as np

from montego._intrinsics import call, observe, publish
from montego._jit import U0, U1, U2, U, jit
from montego.search.loop import BACKUP, PLAYOUT, add_final, outcome, sim_default, sim_tree
from montego.search.proof import back_up_proof

SLOT = 8
"""Numbers of a thread in `mail`, a cache line: [task done, colour, lead]. The leader's slot: [task given or STOP]."""
STOP = -1


@jit
def serve(t, boards, works, tables, parts, mail):
    """Thread t ≥ 1: play out what the leader puts on boards[t + 1], until told to stop."""
    slot, task = U(t * SLOT), 0
    while True:
        given = observe(mail, U0)
        if given == STOP:
            return
        if given > task:
            task = given
            colour = U(mail[slot + U1])
            mail[slot + U2] = call(parts[PLAYOUT], 0, (boards[t + 1], works[t], tables, colour))
            publish(mail, slot, task)


@jit
def lead(count, boards, tree, free, works, tables, thread, parameters, parts, history, account, mail):
    """Thread 0: `count` descents, each followed by a playout of every thread; all of them are backed up."""
    board, work, threads = boards[1], works[0], works.size
    area = np.float64(board.rows.size * board.rows.size)
    for task in range(1, count + 1):
        boards[1] = boards[0]
        colour, passes = sim_tree(board, tree, free, work, tables, thread, parameters, parts, history)
        for t in range(1, threads):
            boards[t + 1] = board
            works[t].passes = passes
            works[t].length = U0
            mail[t * SLOT + 1] = np.int64(colour)
        if passes < U2:
            publish(mail, U0, task)
        z = sim_default(board, work, tables, thread, parameters, parts, colour, passes)
        if parameters.solver != 0 and passes >= U2 and thread.depth > U0:
            back_up_proof(tree, thread, parameters)
        call(parts[BACKUP], 0, (tree, work.moves[: work.length], thread, parameters, colour, z))
        for t in range(1, threads):
            if passes < U2:
                while observe(mail, U(t * SLOT)) != task:
                    pass
                z = outcome(np.float64(mail[t * SLOT + 2]), parameters, area)
                if thread.made_new != U0:
                    thread.moves[thread.depth - U1] = works[t].moves[U0]
            call(parts[BACKUP], 0, (tree, works[t].moves[: works[t].length], thread, parameters, colour, z))
        thread.simulations += threads
        thread.moves_in_tree += threads * np.int64(thread.depth)
        if parameters.owning != 0 or parameters.collecting != 0:
            for t in range(threads):
                if t > 0 and passes < U2:
                    thread.lead = mail[t * SLOT + 2]
                add_final(boards[t + 1], thread, account, parameters)
    publish(mail, U0, STOP)
