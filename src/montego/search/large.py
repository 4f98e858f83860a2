"""The large patterns around a point, found by their hashes, as kernels."""

from __future__ import annotations

from montego._jit import U0, U1, U, jit
from montego.patterns.large import OFFSETS

_HALF = U(32)  # signs of two bits in a word
_POINTS = U(len(OFFSETS))


@jit
def fill_table(table, hashes):
    """Put patterns into the table, by the hashes of their images, with open addressing."""
    for i in range(U(hashes.shape[0])):
        for j in range(U(hashes.shape[1])):
            found = hashes[i, j]
            at = found & table.mask
            while table.places[at] != U0 and table.places[at] != found:
                at = (at + U1) & table.mask
            table.places[at] = found
            table.numbers[at] = i + U1


@jit(inline=True)
def _number_of(table, found):
    """The number of the pattern with this hash, 0 if it is not known."""
    at = found & table.mask
    while table.places[at] != found:
        if table.places[at] == U0:
            return U0
        at = (at + U1) & table.mask
    return U(table.numbers[at])


@jit
def find_large(table, reading, p):
    """Fill in reading.found, by size, with the numbers of the patterns around p. Returns how many are known.

    A pattern counts only if the smaller ones in it do, so the search ends with the first that is not known.
    """
    at, i, made = reading.wide_at[p], U0, U0
    for size in range(U(table.sizes.size)):
        while i < table.sizes[size]:
            made ^= table.keys[i, reading.wide[at + reading.steps[i]]]
            i += U1
        number = _number_of(table, made ^ table.salts[size])
        if number == U0:
            return size
        reading.found[size] = number
    return U(table.sizes.size)


@jit
def copy_signs(reading, p, words):
    """The signs of the largest diamond around p, two bits each, into two words."""
    at = reading.wide_at[p]
    words[U0] = U0
    words[U1] = U0
    for i in range(_POINTS):
        words[i // _HALF] |= U(reading.wide[at + reading.steps[i]]) << ((i % _HALF) << U1)


@jit(inline=True)
def sign_at(words, i):
    return (words[i // _HALF] >> ((i % _HALF) << U1)) & U(3)


@jit
def find_in_words(table, words, found):
    """The same patterns, of signs that were copied: number by size, 0 where none is known."""
    i, made = U0, U0
    found[:] = 0
    for size in range(U(table.sizes.size)):
        while i < table.sizes[size]:
            made ^= table.keys[i, sign_at(words, i)]
            i += U1
        number = _number_of(table, made ^ table.salts[size])
        if number == U0:
            return
        found[size] = number
