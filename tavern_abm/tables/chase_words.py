"""What is said in a chase, so that it can be read aloud."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..games.chase import AWAY, CAUGHT, HAZARD_BASE_DC, HAZARD_DC
from .chase_ways import Way

_BEGINNING = re.compile(r"""(?:^|[.!?]"?\s)"?[a-z]""")
type Pick = Callable[[Sequence[str]], str]
"""Chooses one of several wordings."""

CHECKS = {"foot": "Strength", "climb": "Climb", "swim": "Swim"}
VERBS = {"foot": "run", "climb": "climb", "swim": "swim"}
THINGS = (
    "a barrel of apples",
    "a stack of empty crates",
    "a rack of drying eels",
    "somebody's washing line, washing and all",
    "a handcart of turnips",
    "two trestles and a bolt of cloth",
    "a coop of indignant geese",
)
LOOSE_THINGS = {
    "foot": THINGS,
    "climb": ("a loose plank", "a pail of mortar", "a shower of tiles"),
    "swim": ("a raft of floating timber", "a fisherman's net", "a string of moored punts"),
}


def total(natural: int, modifier: int) -> str:
    """A throw as it is reckoned: ``9 + 8 = 17``."""
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
    """
    *others, last = phrases
    return f"{'; '.join(others)}{';' if len(others) > 1 else ''} or {last}" if others else last


def start(escapee: str, chaser: str, lead: int, how: str, pick: Pick) -> str:
    """How it begins."""
    bolt = pick(
        (
            f"{escapee} bolts, and {chaser} is up and after.",
            f"{escapee} is out of the door with {chaser} behind.",
            f"A chair goes over: {escapee} runs, {chaser} gives chase.",
        )
    )
    known = f"The lead is {lead}." if lead > 0 else ""
    return " ".join(part for part in (bolt, how, known) if part)


def way(escapee: str, chosen: Way, offered: Sequence[Way], pick: Pick) -> str:
    """Where it goes next."""
    said = ""
    if len(offered) > 1:
        said = f"Where now? {listed([each.path for each in offered])}. "
    verb = {"foot": "runs", "climb": "goes", "swim": "goes"}[chosen.kind]
    said += pick((f"{escapee} {verb} {chosen.path}.", f"{escapee} makes off {chosen.path}."))
    if chosen.is_open:
        said += " Open ground."
    if chosen.kind == "climb":
        said += f" (Climb DC {chosen.dc}.)"
    if chosen.obstacle is not None:
        said += f" In the way: {chosen.obstacle} ({str(chosen.check).title()} DC {chosen.dc})."
    return said


def hiding(
    escapee: str, chaser: str, hide: tuple[int, int], spot: tuple[int, int], gone: bool, pick: Pick
) -> str:
    """An attempt to hide: natural rolls and modifiers."""
    said = f"{escapee} hides: Hide {total(*hide)} against {chaser}'s Spot {total(*spot)}. "
    if gone:
        return said + pick(
            (f"{chaser} runs straight past.", f"{chaser} looks left, right, and at nobody at all.")
        )
    return said + pick(
        (
            f'"There!" {escapee} has to run again and gains nothing.',
            f"{chaser} has seen a heel, and {escapee} gains nothing.",
        )
    )


def hazard(
    escapee: str, thing: str, penalty: int, cost: int, lead: int, check: tuple[int, int], made: bool
) -> str:
    """A hazard in the making; `lead` is what is left once it is paid for."""
    took = f", taking -{penalty}" if penalty else ""
    said = f"{escapee} grabs at {thing}{took}; it costs {cost}, and the lead is {lead}. "
    said += f"Dexterity {total(*check)} against DC {HAZARD_DC}: "
    return said + ("over it goes." if made else "it stays where it is.")


def hampered(
    chaser: str, skill: str, penalty: int, check: tuple[int, int], cleared: bool, pick: Pick
) -> str:
    """The chaser at the hazard."""
    said = f"{chaser}, {skill.title()} {total(*check)} against DC {HAZARD_BASE_DC + penalty}: "
    if cleared:
        return said + pick(("past it without a glance.", "over it in one leap."))
    return said + pick(("flat on the ground, and gains nothing.", "tangled up, and gains nothing."))


def pace(who: str, kind: str, check: tuple[int, int]) -> str:
    """An increment's check."""
    return f"{who} {VERBS[kind]}s: {total(*check)}."


def obstacle(
    who: str, skill: str, dc: int, check: tuple[int, int], passed: bool, is_retry: bool
) -> str:
    """A try at an obstacle."""
    again = " again" if is_retry else ""
    outcome = "passed" if passed else "failed"
    return f"{who}{again}, {skill.title()} {total(*check)} against DC {dc}: {outcome}."


def stopped(who: str, cost: int, pick: Pick) -> str:
    """Somebody stopped for the increment."""
    if cost:
        return f"{who} is through at last, but gains nothing and is {cost} the worse for it."
    return pick((f"{who} is held up and gains nothing.", f"{who} loses the increment to it."))


def hurt(who: str, dice: Sequence[int]) -> str:
    """Damage taken so as not to be stopped."""
    return f"{who} goes through it all the same and takes {sum(dice)} damage."


def out(who: str, is_escapee: bool, other: str, why: str) -> str:
    """Somebody who gets no further."""
    if is_escapee:
        return f"{why}{who} gets no further, and {other} has only to walk up."
    return f"{why}{who} gets no further, and {other} is out of sight."


def lead(value: int, pick: Pick) -> str:
    """The lead after an increment."""
    if value <= 0:
        return "The lead is gone."
    if value < 6:
        return f"The lead is {value}: an arm's length."
    return pick((f"The lead is {value}.", f"That makes the lead {value}."))


def end(escapee: str, chaser: str, ended: int, run: int, how: str, pick: Pick) -> str:
    """How it ends."""
    after = f"After {run} increment{'' if run == 1 else 's'}" if run else "Before it has begun"
    if ended == CAUGHT:
        grip = (f"{chaser} has {escapee} by the collar.", f"{escapee} is caught.")
        return f"{after}: {pick(grip)}"
    if ended == AWAY:
        gone = " into hiding" if how == "hidden" else ""
        return f"{after}: {escapee} has got away{gone}."
    return f"{after}: {chaser} has had enough and gives up."
