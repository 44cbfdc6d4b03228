"""What is said in a chase, so that it can be read aloud."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..games.chase import AWAY, CAUGHT, HAZARD_BASE_DC, HAZARD_DC, RETRY_COST
from .chase_ways import HURT, Way, is_mounted

_BEGINNING = re.compile(r"""(?:^|[.!?]"?\s)"?[a-z]""")
type Pick = Callable[[Sequence[str]], str]
"""Chooses one of several wordings."""

CHECKS = {
    "foot": "Strength",
    "climb": "Climb",
    "swim": "Swim",
    "mounted": "Strength",
    "driven": "Strength",
}
VERBS = {
    "foot": "runs",
    "climb": "climbs",
    "swim": "swims",
    "mounted": "rides",
    "driven": "drives",
}
MOUNTS = {"mounted": "horse", "driven": "cart"}
SETS_OUT = {
    "foot": ("runs", "makes off"),
    "climb": ("goes", "makes off"),
    "swim": ("goes", "makes off"),
    "mounted": ("rides", "gallops off"),
    "driven": ("drives", "rattles off"),
}
AHEAD = ("On offer:", "Ahead:", "Where now?")


class Loose(NamedTuple):
    """Something that can be thrown in the chaser's way."""

    grab: str  # what the escapee does about it
    falls: str  # what is said if it comes off
    stays: str  # and if it does not


_ROAD = (
    Loose("snatches at the awning of a stall", "poles and all come down", "the poles hold"),
    Loose("shouts at a flock of sheep", "it scatters across the road", "the sheep only stare"),
    Loose("kicks at a drover's gate", "it swings shut behind", "the hinges stick"),
)
LOOSE_THINGS = {
    "foot": (
        Loose("grabs at a barrel of apples", "over it goes", "it rocks, and stands"),
        Loose("leans on a stack of empty crates", "down it comes", "it sways, and stands"),
        Loose("tugs at a rack of drying eels", "eels everywhere", "not an eel falls"),
        Loose("tears at a washing line", "down it comes, washing and all", "the knots hold"),
        Loose("pulls at a handcart of turnips", "it rolls across the way", "a wheel sticks"),
        Loose("kicks at a trestle table", "it folds up in the way", "it is nailed down"),
        Loose("snatches at a coop of geese", "the door flies open", "the latch holds"),
    ),
    "climb": (
        Loose("kicks at a loose plank", "down it goes", "it is not that loose"),
        Loose("swats at a pail of mortar", "it tips", "it swings, and stays full"),
        Loose("pulls at a length of gutter", "it comes away", "the nails hold"),
    ),
    "swim": (
        Loose("pushes off a raft of timber", "it swings across", "the current takes it on"),
        Loose("tugs at a fisherman's net", "it spreads behind", "it will not come loose"),
        Loose("pulls at a string of moored punts", "it swings out", "the mooring holds"),
    ),
    "mounted": _ROAD,
    "driven": _ROAD,
}
IN_THE_OPEN = (
    Loose("drops a cloak in the way", "the wind spreads it out", "the wind takes it"),
    Loose("jostles a porter with eggs", "down go the eggs", "the porter keeps hold of them"),
    Loose("flings a handful of gravel", "it goes home", "it goes wide"),
    Loose("tips up a hawker's tray", "buttons everywhere", "the hawker is quicker"),
)
CLEARED = {
    "foot": ("past it without a glance.", "over it in one leap."),
    "climb": ("a duck of the head, and on.", "one arm up, and on."),
    "swim": ("under it, and on.", "round it in two strokes."),
    "mounted": ("the horse takes it in its stride.", "round it at a gallop."),
    "driven": ("round it by a hair.", "two wheels over it, and on."),
}
STOPPED = {
    "foot": ("flat on the ground, and gains nothing.", "tangled up, and gains nothing."),
    "climb": ("hangs by one hand, and gains nothing.", "slips a yard, and gains nothing."),
    "swim": ("held fast, and gains nothing.", "a mouthful of water, and nothing gained."),
    "mounted": ("the horse shies, and nothing is gained.", "the horse stops dead: nothing gained."),
    "driven": ("stuck fast, and gains nothing.", "a wheel catches, and nothing is gained."),
}


def total(natural: int, modifier: int) -> str:
    """A throw as it is reckoned: ``9 + 8 = 17``, or ``9`` where nothing is added."""
    if modifier == 0:
        return str(natural)
    return f"{natural} {'-' if modifier < 0 else '+'} {abs(modifier)} = {natural + modifier}"


def spoken(text: str) -> str:
    """The text with a capital wherever a sentence begins.

    Examples
    --------
    >>> spoken('"there!" the guard runs: 9. the lead is 3.')
    '"There!" The guard runs: 9. The lead is 3.'
    """
    return _BEGINNING.sub(lambda found: found[0].upper(), text)


def listed(phrases: Sequence[str]) -> str:
    """Phrases to choose from.

    Examples
    --------
    >>> listed(["up the ivy", "into the river"])
    'up the ivy or into the river'
    >>> listed(["down the road, on horses", "into the river"])
    'down the road, on horses; or into the river'
    """
    *others, last = phrases
    if not others:
        return last
    is_long = len(others) > 1 or "," in others[0]
    return f"{'; '.join(others)}{';' if is_long else ''} or {last}"


# ---------------------------------------------------------------- start and end


def start(escapee: str, chaser: str, lead: int, how: str, pick: Pick) -> str:
    """How it begins."""
    bolt = pick(
        (
            f"{escapee} bolts, and {chaser} is up and after.",
            f"{escapee} is out of the door with {chaser} behind.",
            f"A chair goes over: {escapee} runs, {chaser} gives chase.",
        )
    )
    return " ".join(part for part in (bolt, how, f"The lead is {lead}.") if part)


def lead(value: int, pick: Pick) -> str:
    """The lead after an increment."""
    if value <= 0:
        return "The lead is gone."
    if value < 6:
        return f"The lead is {value}: an arm's length."
    return pick((f"The lead is {value}.", f"That makes the lead {value}."))


def end(escapee: str, chaser: str, ended: int, run: int, how: str, pick: Pick) -> str:
    """How it ends."""
    if not run and ended == CAUGHT:
        return f"That is no lead to run with: {escapee} is caught on the spot."
    if not run:
        return f"That is all it takes: {escapee} has got away before it has begun."
    after = f"After {run} increment{'' if run == 1 else 's'}"
    if ended == CAUGHT:
        grip = (f"{chaser} has {escapee} by the collar.", f"{escapee} is caught.")
        return f"{after}: {pick(grip)}"
    if ended == AWAY:
        gone = "has hidden and is gone" if how == "hidden" else "has got away"
        return f"{after}: {escapee} {gone}."
    return f"{after}: {chaser} has had enough and gives up."


# ---------------------------------------------------------------- the way


def offer(number: int, offered: Sequence[Way], pick: Pick) -> str:
    """What the escapee may choose from in increment `number`, and what stands there.

    Examples
    --------
    >>> street = Way("street", "down a street")
    >>> ivy = Way("ivy", "up the ivy", "climb", check="climb", dc=13, failing="retry")
    >>> offer(2, [street, ivy], lambda said: said[0])
    'Increment 2. On offer: down a street or up the ivy (Climb DC 13, or try again for 10).'
    """
    ways = listed([described(way) for way in offered])
    ahead = pick(AHEAD) if len(offered) > 1 else "One way only:"
    return f"Increment {number}. {ahead} {ways}."


def described(way: Way) -> str:
    """A way with what stands in it."""
    parts = ["open ground"] if way.is_open else []
    if way.dc:
        thing = f"{way.obstacle}: " if way.obstacle else ""
        parts.append(f"{thing}{str(way.check).title()} DC {way.dc}, {_failing(way)}")
    return f"{way.path} ({'; '.join(parts)})" if parts else way.path


def _failing(way: Way) -> str:
    """What it brings to fail at what stands in the way."""
    damage = f"or {dice(way.damage)} damage"
    if way.failing == HURT:
        return damage
    other = {
        "forfeit": "or no further",
        "retry": f"or try again for {RETRY_COST}",
        "slowed": "or nothing gained",
    }[way.failing]
    return f"{other} {damage}, as one likes" if way.can_choose else other


def dice(damage: tuple[int, int]) -> str:
    """Dice of damage: ``2d6``."""
    return "{}d{}".format(*damage)


def in_short(way: Way) -> str:
    """A way as the question repeats it: ``roofs (Jump 13)``."""
    parts = [f"{str(way.check).title()} {way.dc}"] if way.dc else []
    parts += ["open"] if way.is_open else []
    return f"{way.name} ({', '.join(parts)})" if parts else way.name


def way(escapee: str, chosen: Way, n_offered: int, pick: Pick) -> str:
    """Where it goes."""
    if n_offered == 1:
        return f"{escapee} takes it."
    verb = pick(SETS_OUT[chosen.kind])
    return f"{escapee} {verb} {chosen.path}."


# ---------------------------------------------------------------- tactics


def hiding(
    escapee: str, chaser: str, hide: tuple[int, int], spot: tuple[int, int], gone: bool, pick: Pick
) -> str:
    """An attempt to hide: natural rolls and modifiers."""
    said = f"{escapee} hides: Hide {total(*hide)} against {chaser}'s Spot {total(*spot)}. "
    if gone:
        return said + pick(
            (f"{chaser} goes straight past.", f"{chaser} looks left, right, and at nobody at all.")
        )
    return said + pick(
        (
            f'"There!" {escapee} is up again, and gains nothing.',
            f"{chaser} has seen a heel, and {escapee} gains nothing.",
        )
    )


def hazard(
    escapee: str,
    thing: Loose,
    penalty: int,
    cost: int,
    lead: int,
    check: tuple[int, int],
    made: bool,
) -> str:
    """A hazard in the making; `lead` is what is left once it is paid for."""
    took = f", taking -{penalty}" if penalty else ""
    said = f"{escapee} {thing.grab}{took}; it costs {cost}, and the lead is {lead}. "
    said += f"Dexterity {total(*check)} against DC {HAZARD_DC}: "
    return f"{said}{thing.falls if made else thing.stays}."


def loose_things(way: Way) -> Sequence[Loose]:
    """What may stand about on a way."""
    return IN_THE_OPEN if way.is_open and way.kind == "foot" else LOOSE_THINGS[way.kind]


def of_own(thing: str) -> Loose:
    """A hazard that somebody at the table has described."""
    return Loose(f"tries it with {thing}", "it comes off", "it comes to nothing")


def hampered(
    chaser: str,
    kind: str,
    skill: str,
    penalty: int,
    check: tuple[int, int],
    cleared: bool,
    pick: Pick,
) -> str:
    """The chaser at the hazard."""
    dc = HAZARD_BASE_DC + penalty
    who = mover(chaser, kind, skill)
    said = f"{who}, {skill.title()} {total(*check)} against DC {dc}: "
    return said + pick(CLEARED[kind] if cleared else STOPPED[kind])


# ---------------------------------------------------------------- both go


def mover(who: str, kind: str, skill: str) -> str:
    """Who makes a check: somebody, or what carries him.

    Examples
    --------
    >>> mover("Ralf", "mounted", "jump"), mover("Ralf", "mounted", "ride")
    ("Ralf's horse", 'Ralf')
    """
    return f"{who}'s {MOUNTS[kind]}" if is_mounted(kind) and skill != "ride" else who


def ride(who: str, kind: str, check: tuple[int, int], bonus: int) -> str:
    """A Ride check and what it gives the mount.

    Examples
    --------
    >>> ride("Ralf", "mounted", (14, 2), 2)
    'Ralf, Ride 14 + 2 = 16: +2 for the horse.'
    """
    gives = f"+{bonus}" if bonus else "nothing"
    return f"{who}, Ride {total(*check)}: {gives} for the {MOUNTS[kind]}."


def pace(who: str, kind: str, check: tuple[int, int]) -> str:
    """An increment's check."""
    return f"{who} {VERBS[kind]}: {total(*check)}."


def obstacle(
    who: str, way: Way, check: tuple[int, int], passed: bool, is_retry: bool, pick: Pick
) -> str:
    """A try at an obstacle."""
    again = " again" if is_retry else ""
    is_plain = is_retry or way.kind == "climb"
    outcome = "passed" if is_plain else pick(("passed", "past it"))
    skill = str(way.check)
    said = f"{mover(who, way.kind, skill)}{again}, {skill.title()} {total(*check)}"
    return f"{said} against DC {way.dc}: {outcome if passed else 'failed'}."


def again(who: str, way: Way, is_escapee: bool, lead: int) -> str:
    """What somebody is asked who has failed where one may try again."""
    after = lead - RETRY_COST if is_escapee else lead + RETRY_COST
    skill = str(way.check).title()
    return f"{who}, {skill} DC {way.dc} once more? It makes the lead {after}"


def or_hurt(who: str, way: Way) -> str:
    """What somebody is asked who may take damage instead."""
    whose = f" to the {MOUNTS[way.kind]}" if way.is_mounted else ""
    return f"{who}, {dice(way.damage)} damage{whose}, and no time lost"


def stopped(who: str, kind: str, is_escapee: bool, cost: int, pick: Pick) -> str:
    """Somebody stopped for the increment; `cost` is what retries took."""
    if cost:
        through = "up" if kind == "climb" else "past it"
        change = "shorter" if is_escapee else "longer"
        return f"{who} is {through} at last: nothing gained, and the lead {cost} {change}."
    return pick((f"{who} is held up and gains nothing.", f"{who} loses the increment to it."))


def hurt(who: str, kind: str, faces: Sequence[int], pick: Pick) -> str:
    """Damage taken so as not to be stopped."""
    points = sum(faces)
    if is_mounted(kind):
        return f"{who} goes on regardless: {points} damage to the {MOUNTS[kind]}."
    return pick(
        (
            f"{who} takes {points} damage, and goes on.",
            f"That hurts: {points} damage. {who} goes on.",
        )
    )


def out(who: str, is_escapee: bool, other: str, why: str) -> str:
    """Somebody who gets no further."""
    if is_escapee:
        return f"{why}{who} gets no further, and {other} has only to walk up."
    return f"{why}{who} gets no further, and {other} is out of sight."
