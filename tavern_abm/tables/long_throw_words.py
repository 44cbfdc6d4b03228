"""The sentences of a long throw: what is set, thrown, landed and taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..coins import show
from ..games.long_throw_odds import feet
from ..objects import ThrownObject

type Say = Callable[..., str]
"""Takes one of some wordings."""

TASKS = (
    "The highest check wins, however far it flies.",
    "The target stands {1} ft away. Whoever still hits it when all others have missed wins.",
    "It has to turn over and come down on the end that was held. The highest check wins.",
    "It has to reach the hay, {0} ft away; of those who do, the highest check wins.",
)
"""What has to be done, by style; {0} and {1} are the feet to the hay and to the target."""


def turned(say: Say, who: str, roll_text: str, result: int) -> str:
    """Say how a caber was turned."""
    start = say("runs three steps and heaves", "gets under it, runs, stops and heaves")
    if result >= 15:
        how = say("it turns over and falls dead straight", "over it goes, straight as a rule")
    elif result >= 10:
        how = say("it turns over and leans away", "it stands on its end and falls aside")
    else:
        how = say("it comes down flat", "it falls back the way it came, and people run")
    return f"{who} {start}: {roll_text}. {how.capitalize()}."


def thrown(say: Say, who: str, thing: ThrownObject, roll_text: str, tenths: int) -> str:
    """Say how something, or somebody, was thrown, and how far (tenths of a foot)."""
    the, far = thing.the, feet(tenths)
    if thing.person:
        start = say(
            f"swings {the} by belt and collar",
            f"takes {the} under one arm, spins round twice and lets go",
            f"asks {the} whether all is well, hears a hiccup, and throws",
        )
        flew = f"{the} flies {far} ft" if tenths else f"{the} drops where it was held"
    else:
        start = say(
            "leans back and hurls it",
            "takes a run and lets go",
            "heaves, and roars",
            "turns on one heel, once, twice, and throws",
            "spits on both palms, takes aim at the sky and throws",
        )
        flew = say(f"it comes down after {far} ft", f"it flies {far} ft")
        flew = flew if tenths else f"it drops at {who}'s feet"
    return f"{who} {start}: {roll_text}. {flew[0].upper()}{flew[1:]}."


def despite(winner: str, longer: Sequence[str], level: Sequence[str], doubles: bool) -> str:
    """Say why one has won whose throw was not the longest; nothing where it was.

    Parameters
    ----------
    winner : str
    longer, level : sequence of str
        Who threw farther than he, and who as far.
    doubles : bool
        Whether Far Shot doubled his check.

    Examples
    --------
    >>> despite("Ann", ["Bo"], [], doubles=True)
    "Bo threw farther, but the check counts and not the feet, and Far Shot doubles Ann's."
    >>> despite("Ann", [], [], doubles=True)
    ''
    """
    if not (longer or level):
        return ""
    text = f"{listed(longer or level)} threw {'farther' if longer else 'as far'}"
    text += ", but the check counts and not the feet"
    return f"{text}, and Far Shot doubles {winner}'s." if longer and doubles else f"{text}."


def aimed(natural: int, modifier: int, armour: int, is_hit: bool) -> str:
    """Spell out an attack roll; the rule of 20 and 1 only where it decides.

    Examples
    --------
    >>> aimed(20, -16, 5, True)
    '20 - 16 makes 4 against AC 5, but a 20 always hits'
    >>> aimed(20, -7, 5, True), aimed(1, 0, 5, False)
    ('20 - 7 makes 13 against AC 5', '1 against AC 5')
    """
    text = f"{sum_of(natural, modifier)} against AC {armour}"
    if is_hit == (natural + modifier >= armour):
        return text
    return f"{text}, but a {natural} always {'hits' if is_hit else 'misses'}"


def landed(
    say: Say, thing: ThrownObject, is_well: bool, is_solid: bool, damage: int, check: str
) -> str:
    """Say how somebody landed who was thrown; `check` is the Tumble check in figures."""
    the = thing.the.capitalize()
    struck = f" What was struck takes {points(damage)}." if is_solid else ""
    if is_well:
        end = say(
            "comes up with a bow",
            "lands on both feet and asks for the mug",
            "rolls to a stop beside somebody's boots, unhurt",
        )
        return f"{the} tumbles ({check}) and {end}.{struck}"
    if is_solid:
        end = say("meets something solid with a sound like a dropped ham", "stops all at once")
    else:
        end = say(
            "lands sitting",
            "lands on the wrong end",
            "ploughs a furrow with the chin",
            "bounces once",
        )
    return f"{the} {end}: {points(damage)}.{struck}"


def listed(words: Sequence[str]) -> str:
    """Join names as people say them.

    Examples
    --------
    >>> listed(["Ann", "Bo", "Cy"])
    'Ann, Bo and Cy'
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def sum_of(natural: int, modifier: int) -> str:
    """Spell out a roll in figures.

    Examples
    --------
    >>> sum_of(12, -3), sum_of(12, 0)
    ('12 - 3 makes 9', '12')
    """
    if modifier == 0:
        return f"{natural}"
    return f"{natural} {'+' if modifier > 0 else '-'} {abs(modifier)} makes {natural + modifier}"


def points(damage: int) -> str:
    """Name an amount of damage."""
    return "1 point of damage" if damage == 1 else f"{damage} points of damage"


def stands(who: str, net_cp: int) -> str:
    """Say what somebody has won or lost in all.

    Examples
    --------
    >>> stands("Ann", 250), stands("Bo", -20), stands("Cy", 0)
    ('Ann is 2 gp 5 sp up', 'Bo is 2 sp down', 'Cy is even')
    """
    if net_cp == 0:
        return f"{who} is even"
    return f"{who} is {show(abs(net_cp))} {'up' if net_cp > 0 else 'down'}"
