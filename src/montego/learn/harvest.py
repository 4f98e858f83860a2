"""Harvest of large patterns (Coulom 2007): those that candidates stand in often enough to learn something of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from montego.learn.competitions import least_hashes
from montego.learn.decisions import Decisions
from montego.patterns.large import MOST, SIGNS, SIZES, keys, salts, turns


def harvest(played: Decisions, least: int) -> tuple[str, ...]:
    """The patterns in which at least so many candidates stand; the most frequent ones if there are too many.

    A pattern is no more frequent than the smaller ones in it, so these are among them.
    """
    found = [pattern for size in _by_size(played.words, least) for pattern in size]
    found.sort(key=lambda pattern: (-pattern[0], len(pattern[1]), pattern[1]))
    return tuple(text for _, text in found[:MOST])


def _by_size(words: Any, least: int) -> Iterator[list[tuple[int, str]]]:
    """By size, how often a pattern was seen, and the pattern."""
    turned = turns().astype(np.uint64)
    for size, salt in zip(SIZES, salts(), strict=True):
        hashes = np.zeros(len(words), np.uint64)
        least_hashes(words, turned, keys(), salt, np.uint64(size), hashes)
        kinds, first, where, counts = np.unique(hashes, return_index=True, return_inverse=True, return_counts=True)
        often = counts >= least
        yield [(int(counts[k]), _text(words[first[k]], size, kinds[k], salt)) for k in np.flatnonzero(often)]
        words = words[often[where]]


def _text(words: Any, size: int, least: Any, salt: Any) -> str:
    """The image of a pattern that has the least hash."""
    cells = np.array([int(words[i // 32]) >> (2 * (i % 32)) & 3 for i in range(size)])
    for turn in turns():
        image = cells[turn[:size]]
        if np.bitwise_xor.reduce(keys()[np.arange(size), image]) ^ salt == least:
            return "".join(SIGNS[sign] for sign in image)
    raise AssertionError("no image has the hash of the pattern")
