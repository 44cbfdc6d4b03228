"""A chase of the condemned as events: told increment by increment, and what came of it.

The record holds the seed of a chase and how both runners were that night; it is run
again by the rules of a game master's table (`chase_told`), as plain Python, and comes
to the same end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..games import chase as rules
from ..patrons.columns import FEATS, NOBODY
from ..patrons.competitor import Competitor
from ..society.judgement import NONE
from .chase_going import Chase
from .chase_told import tell_chase
from .chase_ways import ON_OFFER
from .fitness import HURT_HAND
from .happenings import Event, Teller, nights_of
from .record import NO_SEAT
from .telling import AtTable, Deciders, Dice, Told

# Where a cell's `facts` hold what; what has two places is the escapee's and the chaser's.
SENTENCED = 0  # the sentence that he ran from
START = 1  # the lead at the start
INCREMENTS = 2
LEAD = 3  # at the end
HOW = 4  # 1 he hid, 2 somebody could not get on
SEED = 5  # of the chase, as at a game master's table
LOW_NIGHTS = 6  # nights for which he lies low
OFF = 7  # two: what is added to their checks tonight
HURT_HANDS = 9  # two: 1 for an injured hand
HARM = 11  # two: points of damage on the way

KINDS = {
    "got_away": "ran from a sentence and was not caught; other_id was after him",
    "run_down": "ran from a sentence and was caught by other_id; the sentence follows",
}
"""Kinds of event of a chase."""
OPTIONS = {
    "lead": None,
    "distance_ft": None,
    "choices": ON_OFFER,
    "tactics": (),
    "hazard_check": "balance",
    "hazard_base_cost": rules.HAZARD_BASE_COST,
    "max_increments": rules.MAX_INCREMENTS,
}
"""As a chase is played in the town."""
UNTOLD = ("start", "offer", "end")
"""Kinds of record that an event has no room for, or says in words of its own."""
OPENINGS = (
    "{escapee} was out of the door with a lead of {lead} on {pursuer}.",
    "{escapee} had a lead of {lead} before {pursuer} was past the benches.",
    "By the time {pursuer} was in the street, {escapee} led by {lead}.",
)
CAUGHT_AT_ONCE = (
    "{pursuer} had {escapee} by the collar before the door was open.",
    "{escapee} got as far as the threshold, and {pursuer} no further.",
)
CAUGHT = (
    "{pursuer} ran {escapee} down {after}.",
    "{after}, {pursuer} had {escapee} by the arm.",
    "It was over {after}: {pursuer} brought {escapee} back.",
)
AWAY = (
    "{escapee} got away from {pursuer} {after}{low}.",
    "{after}, {pursuer} had lost {escapee}{low}.",
    "{pursuer} came back alone {after}{low}.",
)
HIDDEN = (
    "{escapee} went to ground {after}, and {pursuer} came back alone{low}.",
    "{after}, {pursuer} had run straight past {escapee}{low}.",
)
UNFOLLOWED = (
    "Nobody went after {escapee}{low}.",
    "{escapee} need not have run: nobody followed{low}.",
)


def tell_round(teller: Teller) -> Iterator[Event]:
    """The events of one chase: how it went, and the sentence if he was caught."""
    cell = teller.cell
    pursuer = teller.seats[1] if cell["pursuer"] != NO_SEAT else NOBODY
    kind = "run_down" if cell["ended"] == rules.CAUGHT else "got_away"
    text = _text(teller, pursuer)
    yield teller.event(kind, text, teller.hand_row, pursuer)
    if cell["sentence"] != NONE:
        accuser = teller.seats[cell["accuser"]] if cell["accuser"] != NO_SEAT else NOBODY
        yield teller.sentence(accuser, "in the street")


# ---------------------------------------------------------------- in words


def _text(teller: Teller, pursuer: int) -> str:
    if pursuer == NOBODY:
        return teller.pick(UNFOLLOWED).format(escapee=teller.hand.name, low=_low(teller))
    names = {"escapee": teller.hand.name, "pursuer": teller.who(pursuer).name}
    facts = teller.cell["facts"]
    if facts[INCREMENTS] == 0 and teller.cell["ended"] == rules.CAUGHT:
        return teller.pick(CAUGHT_AT_ONCE).format(**names)
    opening = teller.pick(OPENINGS).format(lead=facts[START], **names)
    told = [record.text for record in replay(teller, pursuer) if record.kind not in UNTOLD]
    return " ".join([opening, *told, _ending(teller, names)])


def _ending(teller: Teller, names: dict[str, str]) -> str:
    cell, n = teller.cell, teller.cell["facts"][INCREMENTS]
    how: tuple[str, ...] = CAUGHT
    if cell["ended"] != rules.CAUGHT:
        how = HIDDEN if cell["facts"][HOW] == 1 else AWAY
    after = f"after {n} increment{'' if n == 1 else 's'}"
    text = teller.pick(how, 1).format(**names, after=after, low=_low(teller))
    return text[0].upper() + text[1:]


def _low(teller: Teller) -> str:
    nights = teller.cell["facts"][LOW_NIGHTS]
    if nights == 0:
        return ""
    return f"; {teller.hand.he} lies low for {nights_of(nights)}"


# ---------------------------------------------------------------- run again


def replay(teller: Teller, pursuer: int) -> list[Told]:
    """The chase again, record by record; empty if it does not come to the recorded end.

    That can only be where a user's own decision is no function of what it is told.
    """
    escapee, decide = teller.hand_row, teller.options.get("decide")
    sheets = [teller.who(row).sheet for row in (escapee, pursuer)]
    if decide is None or None in sheets:
        return []
    facts = teller.cell["facts"]
    names = short_names(teller.hand.name, teller.who(pursuer).name)
    runners = [
        competitor(name, sheet, facts[OFF + i], facts[HURT_HANDS + i])
        for i, (name, sheet) in enumerate(zip(names, sheets, strict=True))
    ]
    chase = set_up(runners[0], runners[1], facts[SEED], teller.options["ways"], decide)
    records = list(tell_chase(chase))
    ended = (chase.state.ended, chase.state.increments, chase.state.lead)
    recorded = (teller.cell["ended"], facts[INCREMENTS], facts[LEAD])
    return records if ended == recorded else []


def set_up(escapee: Competitor, chaser: Competitor, seed: int, ways: Any, decide: Any) -> Chase:
    """A chase as a game master's table has it, before it begins."""
    players = [escapee.name, chaser.name]
    table = AtTable(
        players,
        seed,
        1,
        0,
        {},
        0,
        Dice(seed, players),
        Deciders(seed, players),
        OPTIONS,
        {escapee.name: escapee, chaser.name: chaser},
    )
    return Chase(table, 1, ways, escapee, chaser, rules.set_out(0), decide=decide)


def competitor(name: str, sheet: Any, off: int, hurt_hand: int) -> Competitor:
    """Somebody as he was that night.

    Parameters
    ----------
    sheet : SheetRow
    off : int
        What drink and weariness add to his checks: 0 or less.
    hurt_hand : int
        1 for an injured hand.
    """
    skills = ("climb", "swim", "jump", "balance", "tumble", "hide", "spot", "ride")
    values: dict[str, Any] = {name: int(getattr(sheet, name)) + off for name in skills}
    values["climb"] -= HURT_HAND * hurt_hand
    return Competitor(
        name,
        # Two points of a score are one of its modifier.
        strength=int(sheet.strength) + 2 * off,
        dexterity=int(sheet.dexterity) + 2 * off,
        constitution=int(sheet.constitution) + 2 * off,
        wisdom=int(sheet.wisdom) + 2 * off,
        speed_ft=int(sheet.speed_ft),
        feats=tuple(feat for i, feat in enumerate(FEATS) if int(sheet.feats) >> i & 1),
        **values,
    )


def short_names(escapee: str, pursuer: str) -> tuple[str, str]:
    """What the two are called in the thick of it: their first names, where these differ.

    Examples
    --------
    >>> short_names("Ann Fisk", "Bo Rand"), short_names("Ann Fisk", "Ann Rand")
    (('Ann', 'Bo'), ('Ann Fisk', 'Ann Rand'))
    >>> short_names("The Captain", "Bo Rand")
    ('The Captain', 'Bo')
    """
    first, second = (_first(name) for name in (escapee, pursuer))
    return (first, second) if first != second else (escapee, pursuer)


def _first(name: str) -> str:
    return name if name.lower().startswith(("the ", "old ", "young ")) else name.split()[0]
