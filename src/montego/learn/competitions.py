"""Moves in competition (Coulom 2007 §2), as kernels: the teams of features, and how likely each of them wins."""

from __future__ import annotations

import math

import numpy as np

from montego._jit import U0, U1, U, jit
from montego.go.tactics import is_legal
from montego.playout.features import playout_features
from montego.search.strengths import tree_features


@jit
def list_teams(board, tables, classes, colour, chosen, small, large):
    """The teams of all sensible moves, in both sets. Returns how many, and the number of the one chosen, or −1."""
    count, found, i = 0, -1, U0
    while i < board.empty_count:
        p = U(board.empty[i])
        if (U(tables.facts[board.code[p]]) >> colour) & U1 == U0 and is_legal(board, p, colour):
            for group, feature in enumerate(playout_features(board, classes, p, colour)):
                small[count, group] = feature
            for group, feature in enumerate(tree_features(board, classes, p, colour)):
                large[count, group] = feature
            if p == chosen:
                found = count
            count += 1
        i += U1
    return count, found


@jit(inline=True)
def strength_of_team(features, gamma, i):
    """γ of the team of candidate i: the product over its features."""
    strength = 1.0
    for g in range(U(features.shape[1])):
        strength *= gamma[features[i, g]]
    return strength


@jit
def masses(features, starts, winners, gamma, group, mass):
    """Add to `mass`, by feature of one group, its share γ of the teams with it in all competitions. Returns the sum of
    the log-evidence of the winners."""
    evidence = 0.0
    for j in range(U(winners.size)):
        total, won = 0.0, 0.0
        for i in range(starts[j], starts[j + 1]):
            strength = strength_of_team(features, gamma, i)
            total += strength
            won = strength if i == winners[j] else won
        evidence += math.log(won / total)
        for i in range(starts[j], starts[j + 1]):
            strength = strength_of_team(features, gamma, i)
            mass[features[i, group]] += strength / total
    return evidence


@jit
def rank_winners(features, starts, winners, gamma, ranks):
    """Fill in the rank from 1 of each winner, among equals the mean of their places. Returns the log-evidence."""
    evidence = 0.0
    for j in range(U(winners.size)):
        total, won, better, equal = 0.0, strength_of_team(features, gamma, winners[j]), 0.0, 0.0
        for i in range(starts[j], starts[j + 1]):
            strength = strength_of_team(features, gamma, i)
            total += strength
            better += np.float64(strength > won)
            equal += np.float64(strength == won)
        ranks[j] = better + (equal + 1.0) / 2.0
        evidence += math.log(won / total)
    return evidence
