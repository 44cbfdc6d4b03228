"""What happened at the tables, as columns: a cell for each table and round.

Kernels write cells and counts. The notable cells are kept, and written out as
events later, in the order of rounds and tables whatever order they were played in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled import rule

# Bits of a cell's `notable`: what makes it worth keeping.
TRICK, ODD, CAUGHT, ACCUSED, TOO_LUCKY, BROKE, BIG_WIN, DECIDED, HURT, WEIGHTED, BRIBED_OFF = (
    1 << i for i in range(11)
)
NO_SEAT = -1
CLEARED, CONVICTED = 1, 2
"""Verdicts; 0 is none."""


MAX_SEATS = 12
N_FACTS = 24

CELL = np.dtype(
    [
        ("night", np.int64),
        ("round", np.int64),
        ("tavern", np.int64),  # index
        ("table", np.int64),  # number in the tavern
        ("game", np.int64),  # index into `games.GAMES`
        ("rows", np.int32, (MAX_SEATS,)),  # who sat where as the sitting began
        ("hand", np.int8),  # his seat
        ("ended", np.int8),  # WIN, LOSE, VOID; 0 where no round was played
        ("n_rot", np.int8),
        ("n_not", np.int8),
        ("plain", np.int8),  # a bit for each throw at which he might have cheated
        ("tried", np.int8),  # a bit for each throw at which he did
        ("failed", np.int8),  # a bit for each failed check
        ("odd", np.int8),  # a bit for each throw that looked odd
        ("failed_before", np.int8),  # tonight, before this round
        ("accuser", np.int8),  # seat
        ("verdict", np.int8),
        ("n_judges", np.int8),
        ("n_guilty", np.int8),
        ("is_cheat", np.int8),  # 1: the Hand is of the kind and has tried by now
        ("sentence", np.int8),  # for a trick or on a verdict
        ("ran", np.int8),  # 1: ran from his sentence; a cell of the chase tells the rest
        ("pursuer", np.int8),  # seat of who went after him; NO_SEAT where nobody did
        ("weighted", np.int8),  # 1: threw weighted dice of his own
        ("noticed_by", np.int8),  # seat that noticed them; NO_SEAT if none did
        ("brawl", np.int8),  # 1 after an acquittal that came to blows
        ("winner", np.int8),  # seat of the largest net win
        ("notable", np.int16),
        ("stake", np.int64),  # cp
        ("pool", np.int64),  # cp that changed hands
        ("dice", np.int64),  # all faces in base 7, the first the highest
        ("naturals", np.int64),  # the d20s of his checks in base 32, the last the lowest
        ("modifier", np.float64),  # what moved his chance of a try before a failed check
        ("moves", np.int8),  # 1: such things do move his chance
        ("seated", np.int64),  # a bit for each seat taken as the round began
        ("followed", np.int64),  # a bit for each seat that followed the round
        ("nights", np.int64),  # of the sentence
        ("repaid", np.int64),  # cp
        ("estate", np.int64),  # cp in the purse of a man killed
        ("lucky_nights", np.int64),  # at home, of a too-lucky beating
        ("broke", np.int64),  # a bit for each seat emptied by an empty purse
        ("winner_net", np.int64),  # cp
        ("bribe", np.int64),  # cp slipped to the warden for a milder sentence
        ("beliefs", np.int16, (MAX_SEATS,)),  # of each seat about the accused, in 1/10,000; -1
        ("facts", np.int64, (N_FACTS,)),  # what else a game writes down; its teller knows them
    ]
)
"""A table's round. Seats and throws count from 0, and so do bits."""


class Notes(NamedTuple):
    """Where kernels write rounds down: those worth keeping, one after the other."""

    cells: NDArray[Any]  # of CELL
    n: NDArray[np.int64]  # (1,): how many are kept
    keep_all: int  # 1: keep every round
    blank: NDArray[Any]  # (1,) of CELL: nothing happened, nobody there


def blank_notes(capacity: int, keep_all: int) -> Notes:
    """Room for so many rounds."""
    blank = np.zeros(1, CELL)
    for field in ("accuser", "winner", "pursuer", "noticed_by", "rows", "beliefs"):
        blank[field] = NO_SEAT
    return Notes(np.zeros(capacity, CELL), np.zeros(1, np.int64), keep_all, blank)


@rule
def next_cell(notes: Notes) -> Any:
    """The next free cell, blank, and kept from now on."""
    at = notes.n[0]
    notes.n[0] += 1
    notes.cells[at] = notes.blank[0]
    return notes.cells[at]


@rule
def n_bits(mask: int) -> int:
    """How many bits are set."""
    n = 0
    while mask > 0:
        n += mask & 1
        mask >>= 1
    return n


COUNTS = (
    "guests",
    "games",
    "rounds",
    "staked_cp",
    "changed_hands_cp",
    "rake_cp",
    "mugs",
    "drinks_cp",
    "tricks_tried",
    "tricks_noticed",
    "tricks_convicted",
    "accusations_just",
    "accusations_unjust",
    "convictions_just",
    "convictions_unjust",
    "cleared",
    "warned",
    "thrown_out",
    "banned",
    "beaten_just",
    "beaten_unjust",
    "killed_just",
    "killed_unjust",
    "too_lucky",
    "too_lucky_chances",
    "brawls",
    "contests",
    "bets_cp",
    "hurt",
    "tricked_hands",
    "cheats_hands",
    "cheats_staked_cp",
    "cheats_net_cp",
    "honest_hands",
    "honest_staked_cp",
    "honest_net_cp",
    "dice_noticed",
    "ran",
    "got_away",
    "bribes",
    "bribes_cp",
    "loans",
    "loans_cp",
    "paid_back",
    "dodged",
    "hearsay",
    "rumors",
    "tellings",
    "believed",
    "suspected_right",
    "suspected_wrong",
    "missed",
    "unsuspected",
)
"""What is counted by night and tavern, in the order of the rows of `counts`."""
(
    N_GUESTS,
    N_GAMES,
    N_ROUNDS,
    N_STAKED,
    N_CHANGED,
    N_RAKE,
    N_MUGS,
    N_DRINKS_CP,
    N_TRIED,
    N_NOTICED,
    N_CAUGHT,
    N_ACCUSED_JUST,
    N_ACCUSED_UNJUST,
    N_CONVICTED_JUST,
    N_CONVICTED_UNJUST,
    N_CLEARED,
    N_WARNED,
    N_OUT,
    N_BANNED,
    N_BEATEN_JUST,
    N_BEATEN_UNJUST,
    N_KILLED_JUST,
    N_KILLED_UNJUST,
    N_TOO_LUCKY,
    N_LUCKY_CHANCES,
    N_BRAWLS,
    N_CONTESTS,
    N_BETS,
    N_HURT,
    N_TRICKED_HANDS,
    N_CHEATS_HANDS,
    N_CHEATS_STAKED,
    N_CHEATS_NET,
    N_HONEST_HANDS,
    N_HONEST_STAKED,
    N_HONEST_NET,
    N_DICE_NOTICED,
    N_RAN,
    N_AWAY,
    N_BRIBES,
    N_BRIBES_CP,
    N_LOANS,
    N_LOANS_CP,
    N_PAID_BACK,
    N_DODGED,
    N_HEARSAY,
    N_RUMORS,
    N_TELLINGS,
    N_BELIEVED,
    N_SUSPECTED_RIGHT,
    N_SUSPECTED_WRONG,
    N_MISSED,
    N_UNSUSPECTED,
) = range(len(COUNTS))
GAME_COUNTS = [N_GAMES, N_ROUNDS, N_STAKED, N_CHANGED, N_RAKE, N_BETS]
"""Those of the counts that are also kept by game."""
