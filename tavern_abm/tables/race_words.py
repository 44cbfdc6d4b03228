"""What is said at a race: sentences to be read aloud.

Several wordings stand for what recurs; whoever tells the race picks one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..coins import show
from ..courses import Course
from ..games import race_sheet

DOING = {
    "foot": "on foot",
    "swim": "swimming",
    "climb": "climbing",
    "mounted": "mounted",
    "driven": "driving",
}
CHECKS = {skill: skill.capitalize() for skill in race_sheet.SKILLS}

RESTS = (
    "{who} is spent and has to rest.",
    "{who}'s legs will not go on: a rest.",
    "{who} stops, hands on knees, and rests.",
)
HOLDS = (
    "{who} is tired, and goes on.",
    "{who} gasps for breath, but holds the pace.",
    "Out of breath, {who} goes on.",
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
PULLED_OUT = "A boat pulls {who} out, and out of the race."
AGAIN = (
    "{who} tries again, {cost} DS the poorer.",
    "Once more, for {cost} DS.",
    "{who} has another go; that costs {cost} DS.",
)
TAKES_DAMAGE = (
    "{who} would rather be hurt than lose time.",
    "{who} goes straight through.",
)
LOSES_GROUND = "{who} takes it slowly."
GIVES_UP = ("{who} gives up.", "{who} has had enough, and gives up.")
FORFEITS = ("That is the end of the race for {who}.", "With that {who} is out of the race.")
BARRED = "{who} could throw a 20 and not get past {way} (d20{modifier} against DC {dc}): out."
CLEARS = {
    "obstacle": ("{who} {get} past {way}.", "{who} {clear} {way}."),
    "hazard": ("{who} {come} safely through {way}.", "{who} {get} by {way}."),
}
LEADS = ("{who} leads with {total}", "{who} in front with {total}", "{who} ahead, {total}")
TAKES_LEAD = ("{who} takes the lead with {total}", "Now it is {who}, with {total}")


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
    """``Increment 3`` or ``Increments 4 to 6``."""
    return f"Increment {first}" if n == 1 else f"Increments {first} to {first + n - 1}"


def leg(course: Course, number: int) -> str:
    """A leg as it begins."""
    each, first = course.legs[number], course.starts[number]
    dc = "" if each.dc is None else f", DC {each.dc}"
    named = f": {each.name}" if each.name else ""
    return f"{increments(first, each.increments)}, {DOING[each.kind]}{dc}{named}."


def pace(chosen: str, names: Sequence[str]) -> str:
    """Who goes at which pace, as the race begins.

    Examples
    --------
    >>> pace("sprint", ["Ann", "Bo"])
    'Ann and Bo mean to sprint all the way: +2 on checks, -2 Constitution.'
    """
    s = "s" if len(names) == 1 else ""
    if chosen == "pace":
        return f"{in_a_row(names)} set{s} off at an easy pace: -2 on checks, +2 Constitution."
    return f"{in_a_row(names)} mean{s} to sprint all the way: +2 on checks, -2 Constitution."


def against(check: str, natural: int, modifier: int, dc: int) -> str:
    """A check that has a DC, with how it came about.

    Examples
    --------
    >>> against("Jump", 4, 6, 15)
    'Jump 4 + 6 = 10 against DC 15'
    """
    sign = "+" if modifier >= 0 else "-"
    added = f" {sign} {abs(modifier)} = {natural + modifier}" if modifier else ""
    return f"{check} {natural}{added} against DC {dc}"


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
