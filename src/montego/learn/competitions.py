"""Moves in competition (Coulom 2007 §2), as kernels: the teams of features, and how likely each of them wins."""

from __future__ import annotations

import math

import numpy as np

from montego._jit import U0, U1, U, jit
from montego.go.tactics import is_legal
from montego.playout.features import playout_features
from montego.search.large import copy_signs, find_in_words, sign_at
from montego.search.strengths import tree_features
from montego.search.strings import read_position


@jit
def list_teams(board, tables, classes, reading, colour, chosen, small, large, words):
    """The teams of all sensible moves, in both sets, and the signs around them, for large patterns.

    Returns how many, and the number of the one chosen, or −1.
    """
    read_position(board, reading, colour)
    count, found, i = 0, -1, U0
    while i < board.empty_count:
        p = U(board.empty[i])
        if (U(tables.facts[board.code[p]]) >> colour) & U1 == U0 and is_legal(board, p, colour):
            for group, feature in enumerate(playout_features(board, classes, p, colour)):
                small[count, group] = feature
            for group, feature in enumerate(tree_features(board, classes, reading, p, colour)):
                large[count, group] = feature
            copy_signs(reading, p, words[count])
            if p == chosen:
                found = count
            count += 1
        i += U1
    return count, found


@jit
def least_hashes(words, turned, keys, salt, size, found):
    """Of the pattern of a size around each candidate, the least hash of its eight images."""
    for j in range(U(words.shape[0])):
        least = U(0xFFFFFFFFFFFFFFFF)
        for symmetry in range(U(turned.shape[0])):
            made = salt
            for i in range(size):
                made ^= keys[i, sign_at(words[j], turned[symmetry, i])]
            least = min(least, made)
        found[j] = least


@jit
def match_all(table, words, found):
    """The numbers of the large patterns of all candidates, by size."""
    for i in range(U(words.shape[0])):
        find_in_words(table, words[i], found[i])


@jit
def multiply(features, group, factor, strengths):
    """Multiply the strength of every team by the factor of its feature of a group."""
    for i in range(U(strengths.size)):
        strengths[i] *= factor[features[i, group]]


@jit
def masses(features, starts, winners, strengths, group, mass):
    """Add to `mass`, by feature of one group, its share γ of the teams with it in all competitions. Returns the sum of
    the log-evidence of the winners."""
    evidence = 0.0
    for j in range(U(winners.size)):
        total = 0.0
        for i in range(starts[j], starts[j + 1]):
            total += strengths[i]
        evidence += math.log(strengths[winners[j]] / total)
        for i in range(starts[j], starts[j + 1]):
            mass[features[i, group]] += strengths[i] / total
    return evidence


@jit
def rank_winners(starts, winners, strengths, ranks):
    """Fill in the rank from 1 of each winner, among equals the mean of their places. Returns the log-evidence."""
    evidence = 0.0
    for j in range(U(winners.size)):
        total, won, better, equal = 0.0, strengths[winners[j]], 0.0, 0.0
        for i in range(starts[j], starts[j + 1]):
            total += strengths[i]
            better += np.float64(strengths[i] > won)
            equal += np.float64(strengths[i] == won)
        ranks[j] = better + (equal + 1.0) / 2.0
        evidence += math.log(won / total)
    return evidence
