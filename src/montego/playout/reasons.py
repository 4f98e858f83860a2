"""Why a move was proposed. Every policy names the rule behind each of its moves."""

from __future__ import annotations

from enum import IntEnum


class Reason(IntEnum):
    """The rule that chose a move. Values are stored in traces and keep their numbers; 10 was last good reply."""

    PASS = 0
    """nothing else is left to play"""
    RANDOM = 1
    """uniform among legal moves that fill no true eye of one's own"""
    CAPTURE = 2
    """MoGo's rule 3: take a hostile string anywhere"""
    PATTERN = 3
    """MoGo's rule 2: a 3×3 pattern beside the last move"""
    SAVE = 4
    """MoGo's rule 1: save a string that the last move put into atari"""
    EYE = 5
    """fills a true eye of one's own; no policy does"""
    SELF_ATARI = 6
    """leaves its own chain with a single liberty and captures nothing"""
    OWN = 7
    """a user's own policy"""
    VALUE = 8
    """its learned value, with or without noise"""
    URGENCY = 9
    """drawn in proportion to its urgency (Indigo's pseudo-random players)"""
    NAKADE = 11
    """the vital point of an eye space beside the last move"""
    ATTACK = 12
    """catches the string of the last move, which had two liberties, in a ladder"""
    DEFEND = 13
    """saves a string with two liberties that a ladder would catch"""
    FILL = 14
    """a point with nothing around it"""
    STRENGTH = 15
    """drawn in proportion to its strength (the Boltzmann policy)"""
    CAPTURE_LAST = 16
    """takes the string of the last move"""
