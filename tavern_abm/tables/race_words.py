"""What is said at a race: sentences to be read aloud.

Several wordings stand for what recurs; whoever tells the race picks one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..coins import show
from ..courses import Course, Way
from ..games import race_sheet

DOING = {
    "foot": "on foot",
    "swim": "swimming",
    "climb": "climbing",
    "mounted": "mounted",
    "driven": "driving",
}
SKILL_OF = {
    "foot": "Strength",
    "swim": "Swim",
    "climb": "Climb",
    "mounted": "the mount's Strength",
    "driven": "the team's Strength",
}
"""The check by which each kind of leg is raced."""
CHECKS = {skill: skill.capitalize() for skill in race_sheet.SKILLS}

RESTS = (
    "{who} is spent and has to rest",
    "{who}'s legs will not go on: a rest",
    "{who} stops, hands on knees, and rests",
)
HOLDS = (
    "{who} is tired, and goes on",
    "{who} gasps for breath, but holds the pace",
    "Out of breath, {who} goes on",
)
FAILS_WAY = (
    "{who} comes to grief at {way}",
    "{who} fails at {way}",
    "{who} misjudges {way}",
)
FAILS_CLIMB = (
    "{who} finds no hold on {leg}",
    "{who} slips back down {leg}",
    "{who} reaches up, and comes no higher on {leg}",
)
FAILS_SWIM = (
    "{who} makes no headway in {leg}",
    "{who} swallows water in {leg}",
    "{who} is thrown back in {leg}",
)
DROWNS = (
    "{who} goes under in {leg}",
    "{who} throws up an arm in {leg} and is gone",
)
PULLED_OUT = "{who} is pulled out, and is out of the race."
AGAIN = (
    "{who} tries again, {cost} DS the poorer.",
    "Once more, for {cost} DS.",
    "{who} has another go; that costs {cost} DS.",
)
TAKES_DAMAGE = (
    "{who} would rather be hurt than lose time.",
    "{who} takes the knocks and goes on.",
)
GOES_ON = (
    "{who} gets up and goes on as if nothing had happened.",
    "{who} is hurt enough, and loses no time over it.",
)
DAMAGE_IS_TOLD = "Who is hurt runs on, unless the table rules otherwise."
LOSES_GROUND = "{who} takes it slowly."
GIVES_UP = ("{who} gives up.", "{who} has had enough, and gives up.")
FORFEITS = ("That is the end of the race for {who}.", "With that {who} is out of the race.")
BARRED = "{who} could throw a 20 and not get past {way} (d20{modifier} against DC {dc}): out."
CLEARS = {
    "obstacle": ("{who} {get} past {way}.", "{who} {clear} {way}."),
    "hazard": ("{who} {come} safely through {way}.", "{who} {get} by {way}."),
}
LEADS = ("{who} leads with {total}", "{who} in front with {total}", "{who} ahead with {total}")
TAKES_LEAD = ("{who} takes the lead with {total}", "{who} is in front now with {total}")


def in_a_row(names: Sequence[str]) -> str:
    """Names as they are said.

    Examples
    --------
    >>> in_a_row(["Ann"]), in_a_row(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann, Bo and Cy')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def upper(text: str) -> str:
    """The text with a capital."""
    return text[:1].upper() + text[1:]


def increments(first: int, n: int) -> str:
    """Which increments a leg is.

    Examples
    --------
    >>> increments(3, 1), increments(7, 2), increments(4, 3)
    ('Increment 3', 'Increments 7 and 8', 'Increments 4 to 6')
    """
    if n == 1:
        return f"Increment {first}"
    return f"Increments {first} {'and' if n == 2 else 'to'} {first + n - 1}"


def leg(course: Course, number: int) -> str:
    """A leg as it begins."""
    each, first = course.legs[number], course.starts[number]
    dc = "" if each.dc is None else f", DC {each.dc}"
    named = f": {each.name}" if each.name else ""
    return f"{increments(first, each.increments)}, {DOING[each.kind]}{dc}{named}."


def way(each: Way, at: int, can_retry: bool) -> str:
    """What stands in an increment, as it comes up."""
    again = "; it may be tried again" if each.can_retry and can_retry else ""
    return f"Increment {at}: {each.name}, {CHECKS[each.skill]} DC {each.dc}{again}."


def retries(most: int) -> str:
    """What a table says of trying again.

    Examples
    --------
    >>> retries(0), retries(1)
    ('Nothing may be tried again.', 'In an increment one may try again once at the most.')
    """
    if most == 0:
        return "Nothing may be tried again."
    times = {1: "once", 2: "twice"}.get(most, f"{most} times")
    return f"In an increment one may try again {times} at the most."


def modifiers(kind: str, parts: Mapping[str, Sequence[int]], has_pace: bool) -> str:
    """What everybody adds to the checks of a kind of leg.

    Parameters
    ----------
    parts : mapping of name to three int
        The skill's modifier, what the speed adds, and the pace.

    Examples
    --------
    >>> modifiers("foot", {"Ann": (3, 6, 0), "Bo": (-1, 4, 0)}, False)
    'On foot (Strength and speed): Ann 3 + 6 = 9, Bo -1 + 4 = 3.'
    >>> modifiers("mounted", {"Ann": (3, 12, -2), "Bo": (3, 12, -2)}, True)
    "Mounted (the mount's Strength, speed and pace): both 3 + 12 - 2 = 13."
    """
    of = f"{SKILL_OF[kind]}, speed and pace" if has_pace else f"{SKILL_OF[kind]} and speed"
    sums = {name: addition(*each) for name, each in parts.items()}
    return f"{upper(DOING[kind])} ({of}): {each_or_all(sums)}."


def rides(bonuses: Mapping[str, int]) -> str:
    """What everybody adds to Ride checks.

    Examples
    --------
    >>> rides({"Ann": 2, "Bo": 0})
    'Ride: Ann +2, Bo +0.'
    """
    return f"Ride: {each_or_all({name: f'{each:+}' for name, each in bonuses.items()})}."


def tiring(whose: str, lasts: Mapping[str, tuple[int, int]]) -> str:
    """After how many increments who tires, with the modifier of the checks.

    Examples
    --------
    >>> tiring("racer", {"Ann": (13, 1), "Bo": (9, -1)})
    'Constitution checks come after so many increments: Ann 13 (+1), Bo 9 (-1).'
    """
    sums = {name: f"{after} ({modifier:+})" for name, (after, modifier) in lasts.items()}
    mounts = " of the mounts" if whose == "mount" else ""
    return f"Constitution checks{mounts} come after so many increments: {each_or_all(sums)}."


def each_or_all(said: Mapping[str, str]) -> str:
    """What is said of each, or once of all where it is the same."""
    if len(set(said.values())) == 1 and len(said) > 1:
        return f"{'both' if len(said) == 2 else 'all'} {next(iter(said.values()))}"
    return ", ".join(f"{name} {each}" for name, each in said.items())


def addition(first: int, *more: int) -> str:
    """A sum as it is reckoned at a table; nothing is said of what adds nothing.

    Examples
    --------
    >>> addition(14, 9), addition(10, 6, -1, 0), addition(12, 0)
    ('14 + 9 = 23', '10 + 6 - 1 = 15', '12')
    """
    added = [f" {'+' if each > 0 else '-'} {abs(each)}" for each in more if each]
    return f"{first}{''.join(added)} = {sum(more, first)}" if added else f"{first}"


def figures(name: str, said: str) -> str:
    """A throw of somebody who is named, or of the same one as before.

    Examples
    --------
    >>> figures("Ann", "14 + 9 = 23"), figures("Ann", "Jump 9 + 9 = 18")
    ('Ann 14 + 9 = 23.', 'Ann, Jump 9 + 9 = 18.')
    >>> figures("", "14 + 9 = 23"), figures("", "Jump 9 + 9 = 18")
    ('Then 14 + 9 = 23.', 'Jump 9 + 9 = 18.')
    """
    is_sum = not said[:1].isalpha()
    if not name:
        return f"Then {said}." if is_sum else f"{said}."
    return f"{name} {said}." if is_sum else f"{name}, {said}."


def pace(chosen: str, names: Sequence[str], n_racers: int) -> str:
    """Who goes at which pace, as a race of so many begins.

    Examples
    --------
    >>> pace("sprint", ["Ann", "Bo"], 3)
    'Ann and Bo mean to sprint all the way: +2 on checks, -2 Constitution.'
    """
    s = "s" if len(names) == 1 else ""
    who = "All" if len(names) == n_racers > 2 else in_a_row(names)
    if chosen == "pace":
        return f"{who} set{s} off at an easy pace: -2 on checks, +2 Constitution."
    return f"{who} mean{s} to sprint all the way: +2 on checks, -2 Constitution."


def hurt(dice: Sequence[int], n_dice: int, faces: int, whom: str) -> str:
    """What damage dice have done.

    Examples
    --------
    >>> hurt([3, 6], 2, 6, "Ann")
    '2d6 damage to Ann: 9.'
    """
    return f"{n_dice}d{faces} damage to {whom}: {sum(dice)}."


def gains(net_cp: Mapping[str, int]) -> str:
    """Who wins and who loses how much.

    Examples
    --------
    >>> gains({"Ann": 200, "Bo": -100, "Cy": -100, "Di": 0})
    'Ann wins 2 gp. Bo and Cy lose 1 gp each.'
    """
    sums: dict[int, list[str]] = {}
    for name, net in net_cp.items():
        if net:
            sums.setdefault(net, []).append(name)
    return " ".join(_gain(names, net) for net, names in sorted(sums.items(), reverse=True))


def _gain(names: Sequence[str], net: int) -> str:
    verb = "win" if net > 0 else "lose"
    if len(names) == 1:
        return f"{names[0]} {verb}s {show(abs(net))}."
    return f"{in_a_row(names)} {verb} {show(abs(net))} each."
