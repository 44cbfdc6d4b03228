"""Games of Magic Wand as events: dice set unseen, odd throws, large pots and their spells."""

from __future__ import annotations

from collections.abc import Iterator

from ..coins import show
from ..games import magic_wand as mw
from ..games.rotting_toes import DC_RISE
from ..patrons.columns import NOBODY
from .happenings import Event, Teller
from .record import BIG_WIN, BROKE, MAX_SEATS, NO_SEAT, ODD

# Where a cell's `facts` hold what; bit 3 * seat + die stands for a throw.
HANDS = 0  # by seat: (number of the hand as thrown * 16 + the spell it cast) * 4 + its status
TRIED, FAILED, ODD_ONES = range(MAX_SEATS, MAX_SEATS + 3)
BUTTON, FAILED_BEFORE = MAX_SEATS + 3, MAX_SEATS + 4
NATURALS = MAX_SEATS + 5  # by die: the d20s of tries in base 32, seat 0 the lowest

KINDS = {"spell": "a spell cast at Magic Wand in a game with a large win"}
"""Kinds of event that this game brings; tricks have those of Rotting Toes."""
DICE = ("d4", "d6", "d8")
WORDINGS: dict[str, tuple[str, ...]] = {
    "trick": (
        "Under a cupped hand {who} set the {die} as it was wanted ({sum}).",
        "{who} looked under {his} hand, and the {die} lay better than it had fallen ({sum}).",
        "One finger was enough: {who} tipped the {die} over unseen ({sum}).",
    ),
    "failed_trick": (
        "{who}'s {die} clicked twice, and some looked up ({sum}).",
        "{who} tipped the {die} too hard; it rolled out from under {his} hand ({sum}).",
        "{who}'s hand stayed on the {die} too long, and the table saw it ({sum}).",
    ),
    "odd": (
        "There was something odd about {who}'s {die}, though nobody had touched it.",
        "{who}'s {die} spun on a knot in the wood, and somebody frowned.",
        "Somebody did not like the way {who} covered the {die}; it was nothing.",
    ),
    "big_win": (
        "{who} raked in {sum} at Magic Wand.",
        "A game of Magic Wand made {who} richer by {sum}.",
        "{who} swept the table at Magic Wand: {sum}.",
    ),
}
"""Sentences to choose from, by the round, so that a long story does not drone."""


def tell_round(teller: Teller) -> Iterator[Event]:
    """The events of one game, in the order they happened."""
    yield from _throws(teller)
    if teller.cell["notable"] & BIG_WIN:
        yield from _spells(teller)
    yield from teller.justice()
    yield from _luck(teller)


def _throws(teller: Teller) -> Iterator[Event]:
    """Tries to set a die, and innocent throws that looked odd, die by die from the button on."""
    facts, n_seats = teller.cell["facts"], len(teller.seats)
    failed = {seat: facts[FAILED_BEFORE] >> seat & 1 for seat in range(n_seats)}
    for die in range(mw.N_DICE):
        for step in range(n_seats):
            seat = (facts[BUTTON] + step) % n_seats
            bit = 1 << (mw.N_DICE * seat + die)
            if facts[TRIED] & bit:
                yield _try(teller, seat, die, failed[seat])
                failed[seat] += bool(facts[FAILED] & bit)
            if teller.cell["notable"] & ODD and facts[ODD_ONES] & ~facts[FAILED] & bit:
                who = teller.who(teller.seats[seat])
                text = teller.pick(WORDINGS["odd"], seat + die)
                text = text.format(who=who.name, die=DICE[die])
                row = teller.seats[seat]
                yield teller.event("odd_throw", text, row, witnesses=teller.watching)


def _try(teller: Teller, seat: int, die: int, failed: int) -> Event:
    facts, row = teller.cell["facts"], teller.seats[seat]
    who = teller.who(row)
    natural = facts[NATURALS + die] >> 5 * seat & 31
    dc = teller.dc + DC_RISE * failed
    is_seen = bool(facts[FAILED] >> (mw.N_DICE * seat + die) & 1)
    kind = "failed_trick" if is_seen else "trick"
    sum_ = f"{natural} {'-' if who.thievery < 0 else '+'} {abs(who.thievery)} against {dc}"
    text = teller.pick(WORDINGS[kind], seat + die)
    return teller.event(
        kind,
        text.format(who=who.name, his=who.his, die=DICE[die], sum=sum_),
        row,
        amount=teller.cell["stake"],
        natural=natural,
        dc=dc,
        witnesses=teller.watching if is_seen else (),
    )


def _spells(teller: Teller) -> Iterator[Event]:
    """The spells of a game, clockwise from the button."""
    facts, n_seats = teller.cell["facts"], len(teller.seats)
    for step in range(n_seats):
        seat = (facts[BUTTON] + step) % n_seats
        spell = facts[HANDS + seat] >> 2 & 15
        if spell != mw.NO_SPELL:
            row = teller.seats[seat]
            text = f"{teller.who(row).name} cast {mw.SPELLS[spell]}."
            yield teller.event("spell", text, row)


def _luck(teller: Teller) -> Iterator[Event]:
    """A large win, and empty purses."""
    cell = teller.cell
    if cell["notable"] & BIG_WIN and cell["winner"] != NO_SEAT:
        row, amount = teller.seats[cell["winner"]], cell["winner_net"]
        text = teller.pick(WORDINGS["big_win"])
        text = text.format(who=teller.who(row).name, sum=show(amount))
        yield teller.event("big_win", text, row, NOBODY, amount=amount)
    if cell["notable"] & BROKE:
        for row in teller.rows(cell["broke"]):
            text = f"{teller.who(row).name} could not cover another ante and got up."
            yield teller.event("broke", text, row, amount=cell["stake"])
