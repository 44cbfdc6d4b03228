"""Which of tonight's rounds make a story, what it claims, and who can tell it.

One round may make several: an accusation, and the beating that came of it. All
who sat at the table as the round began know them, those in it included; the
dead and those who left town tell nothing. That somebody ran is told by the table
he ran from, once it is known that he got away; that he was caught, by who caught
him.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..compiled import kernel, rule
from ..games import chase, game_number
from ..patrons.columns import HERE, NOBODY, Ints, People
from ..society.grapevine import N_TALLIED, Grapevine
from ..society.judgement import KILLED, OUT
from ..society.rumors import KINDS, N_VERSIONS, TELLING, Vine, learn, spring
from .record import (
    ACCUSED,
    BIG_WIN,
    BRIBED_OFF,
    BROKE,
    CAUGHT,
    CONVICTED,
    MAX_SEATS,
    NO_SEAT,
    TOO_LUCKY,
)

_KINDS = list(KINDS)
(
    IS_CAUGHT,
    IS_CONVICTED,
    IS_CLEARED,
    IS_OUT,
    IS_TOO_LUCKY,
    IS_BIG_WIN,
    IS_BROKE,
    IS_BRAWL,
    IS_RAN,
    IS_RUN_DOWN,
    IS_BRIBED,
) = map(
    _KINDS.index,
    (
        "caught",
        "convicted",
        "cleared",
        "thrown_out",
        "too_lucky",
        "big_win",
        "broke",
        "brawl",
        "ran",
        "run_down",
        "bribed",
    ),
)
CHASE = game_number("chase")
HALF = 5_000
"""A belief of 1/2, as a cell's `beliefs` have it."""
MOST_STORIES = 6 + MAX_SEATS
"""A round makes no more: a trial, a sentence, a brawl, a bribe, luck, a win; each seat broke."""


@rule
def tell_some(
    vine: Vine, people: People, cell: Any, knowing: int, kind: int, subject: int, other: int,
    amount: int, tally: Any,
) -> None:  # fmt: skip
    """Let a story spring from a round, which the seats whose bits are set in `knowing` know."""
    night = cell["night"]
    at = spring(
        vine, kind, cell["game"], subject, other, amount, night, cell["round"],
        cell["tavern"], cell["table"],
    )  # fmt: skip
    tally[cell["tavern"], N_VERSIONS] += 1
    for seat in range(MAX_SEATS):
        row = cell["rows"][seat]
        is_there = knowing >> seat & 1 == 1
        if is_there and row != NOBODY and people[row].whereabouts == HERE:
            learn(vine, row, at, TELLING, NOBODY, night)


@rule
def tell_all(
    vine: Vine, people: People, cell: Any, kind: int, subject: int, other: int, amount: int,
    tally: Any,
) -> None:  # fmt: skip
    """Let a story spring from a round, which all who were at the table know."""
    tell_some(vine, people, cell, cell["seated"], kind, subject, other, amount, tally)


@rule
def who_thinks_so(cell: Any) -> int:
    """A bit for the accuser, and for each seat that holds one for a cheat who was cleared."""
    mask = 1 << int(cell["accuser"])
    for seat in range(MAX_SEATS):
        if cell["beliefs"][seat] > HALF:
            mask |= 1 << seat
    return mask & int(cell["seated"])


@rule
def tell_justice(vine: Vine, people: People, cell: Any, tally: Any) -> None:
    """The stories of a trial, of what the condemned did to get off, and of a sentence."""
    notable, hand = cell["notable"], cell["rows"][cell["hand"]]
    accuser = NOBODY
    if notable & CAUGHT:
        tell_all(vine, people, cell, IS_CAUGHT, hand, NOBODY, 0, tally)
    if notable & ACCUSED and cell["accuser"] != NO_SEAT:
        accuser = cell["rows"][cell["accuser"]]
        if cell["verdict"] == CONVICTED:
            tell_all(vine, people, cell, IS_CONVICTED, hand, accuser, 0, tally)
        else:
            minds = who_thinks_so(cell)
            tell_some(vine, people, cell, minds, IS_CLEARED, hand, accuser, 0, tally)
    if notable & BRIBED_OFF:
        # Nobody else saw it.
        alone = 1 << int(cell["hand"])
        tell_some(vine, people, cell, alone, IS_BRIBED, hand, NOBODY, cell["bribe"], tally)
    what = cell["sentence"]
    if cell["ran"] == 0 and what >= OUT and what <= KILLED:
        tell_all(vine, people, cell, IS_OUT + what - OUT, hand, accuser, 0, tally)
    if cell["brawl"] == 1:
        tell_all(vine, people, cell, IS_BRAWL, hand, accuser, 0, tally)


@rule
def tell_luck(vine: Vine, people: People, cell: Any, tally: Any) -> None:
    """The stories of one too lucky, of a large win, and of empty purses."""
    notable, hand = cell["notable"], cell["rows"][cell["hand"]]
    if notable & TOO_LUCKY:
        tell_all(vine, people, cell, IS_TOO_LUCKY, hand, NOBODY, 0, tally)
    if notable & BIG_WIN and cell["winner"] != NO_SEAT:
        winner = cell["rows"][cell["winner"]]
        other = hand if hand != winner else NOBODY
        if cell["winner_net"] >= people[winner].wage:  # less than a day's wage is no news
            tell_all(vine, people, cell, IS_BIG_WIN, winner, other, cell["winner_net"], tally)
    if notable & BROKE:
        for seat in range(MAX_SEATS):
            if cell["broke"] >> seat & 1 == 1:
                tell_all(vine, people, cell, IS_BROKE, cell["rows"][seat], NOBODY, 0, tally)


@rule
def tell_chase(vine: Vine, people: People, cells: Any, at: int, tally: Any) -> None:
    """The stories of a chase: who got away, or was run down and sentenced.

    The round that he ran from stands before it, since both have the same place.
    """
    cell = cells[at]
    escapee, pursuer = cell["rows"][0], cell["rows"][1]
    if cell["ended"] == chase.CAUGHT:
        tell_all(vine, people, cell, IS_RUN_DOWN, escapee, pursuer, 0, tally)
        what = cell["sentence"]
        if what >= OUT and what <= KILLED:
            tell_all(vine, people, cell, IS_OUT + what - OUT, escapee, pursuer, 0, tally)
    elif at > 0 and cells[at - 1]["ran"] == 1:
        tell_all(vine, people, cells[at - 1], IS_RAN, escapee, pursuer, 0, tally)


@cache
def make_spring() -> Callable[..., None]:
    """The kernel that makes stories of a night's rounds, in their order."""

    @kernel
    def spring_from(cells: Any, people: People, vine: Vine, tally: Any) -> None:
        for at in range(len(cells)):
            if cells[at]["game"] == CHASE:
                tell_chase(vine, people, cells, at, tally)
            else:
                tell_justice(vine, people, cells[at], tally)
                tell_luck(vine, people, cells[at], tally)

    return spring_from


def spring_all(grapevine: Grapevine, cells: Any, people: People) -> Ints:
    """Let tonight's notable rounds make their stories; how many, by tavern.

    Parameters
    ----------
    cells : ndarray of CELL
        Tonight's kept rounds in the order in which they were played, or any.

    Returns
    -------
    ndarray of int, shape (n_taverns, 4)
        As `Grapevine.gossip` gives it; all but the versions made are 0.
    """
    tally = np.zeros((grapevine.n_taverns, N_TALLIED), np.int64)
    if grapevine.has_rumors and len(cells):
        keep = cells[cells["notable"] > 0]
        places = (keep["table"], keep["tavern"], keep["round"])
        keep = keep[np.lexsort((keep["game"] == CHASE, *places))]
        vine = grapevine.room_for(MOST_STORIES * len(keep))
        make_spring()(keep, people, vine, tally)
    return tally
