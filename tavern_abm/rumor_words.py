"""Rumours in words: what is claimed, said plainly or after "told him that".

One sentence a claim, so that a list of a hundred rumours can be read down the
page. The words a patron would use for it are another matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .coins import CP_PER_GP, CP_PER_SP, show

Who = Callable[[int], str]
"""The name of the person with an id."""

# [as hearsay|said plainly]; {at}, {of} and {from_} are the tavern, if the claim names one.
CLAIMS = {
    "cheats": "{subject} [cheated|cheats] at {game}",
    "thrown_out": "{subject} [had been|was] thrown out{of} {when}",
    "banned": "{subject} [had been|was] banned{from_} {when}",
    "beaten": "{subject} [had been|was] beaten{at} {when}",
    "killed": "{subject} [had been|was] killed{at} {when}",
    "too_lucky": "{subject} [had been|was] beaten{at} {when} for winning too often",
    "won": "{subject} [had won|won] {sum} at {game}{at} {when}",
    "broke": "{subject} could not cover another stake at {game}{at} {when}",
    "brawl": "{subject} and {other} [had come|came] to blows{at} {when}",
    "ran": "{subject} [had run|ran] from a sentence{at} {when} and got away",
    "run_down": "{subject} [had run|ran] from a sentence{at} {when} and [had been|was] caught",
    "owes": "{subject} [owed|owes] {whom} {sum} and [would|will] not pay",
    "bribed": "{subject} [had bought|bought] off the warden{of} {when} with {sum}",
}
"""A claim by its name; the subject stands first."""
PROPER = {"rotting-toes": "Rotting Toes", "magic-wand": "Magic Wand"}
SHORT = {"rotting-toes": "dice", "magic-wand": "the wand"}
CHANGES = {
    "sum": "the sum grew",
    "place": "the place changed",
    "night": "the night changed",
    "person": "it became another's story",
    "invented": "made up",
}
"""What a retelling can do to a story, by the word in the table of rumours."""
_SMALL = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
TEN = 10
"""Gold from which nobody counts the silver."""
_CHOICE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


def claim_of(rumor: Mapping[str, Any], who: Who, houses: Mapping[int, str]) -> str:
    """Say what a rumour claims, plainly and in full.

    Parameters
    ----------
    rumor : mapping
        A row of the table of rumours.
    who : callable
        The name of somebody by id.
    houses : mapping of int to str
        Signs of the taverns by id.

    Examples
    --------
    >>> names, houses = {3: "Ned Flint", 9: "Cora Dunn"}.get, {1: "The Eel Pot"}
    >>> rumor = {"claim": "beaten", "game": "", "subject_id": 3, "other_id": 0}
    >>> rumor |= {"amount_cp": 0, "night": 4, "tavern_id": 1}
    >>> claim_of(rumor, names, houses)
    'Ned Flint was beaten at the Eel Pot on night 4'
    """
    house = in_passing(houses.get(int(rumor["tavern_id"]), ""))
    game = game_title(str(rumor["game"])) or "dice"
    amount = show(int(rumor["amount_cp"]))
    when = f"on night {rumor['night']}"
    said = _filled(rumor, who, 2, house, game, when, amount)
    is_moved = str(rumor.get("changed", "")) in ("night", "place")
    if is_moved and "{when}" not in CLAIMS.get(str(rumor["claim"]), ""):
        said += f", as {when} at {house}" if house else f", as {when}"  # what has changed is said
    return said


def hearsay_of(
    rumor: Mapping[str, Any],
    who: Who,
    houses: Mapping[int, str],
    now: int,
    here: int,
    whom: Who | None = None,
) -> str:
    """Say what a rumour claims as it stands after "told him that".

    Time is counted from tonight (`now`), sums are said as people say them, and the
    place is left out where it is that in which they sit (`here`). `whom` is what `who`
    says where it is no subject ("him" for "he").

    Examples
    --------
    >>> names, houses = {3: "Ned Flint", 9: "Cora Dunn"}.get, {1: "The Eel Pot"}
    >>> rumor = {"claim": "won", "game": "rotting-toes", "subject_id": 3, "other_id": 0}
    >>> rumor |= {"amount_cp": 276, "night": 4, "tavern_id": 1}
    >>> hearsay_of(rumor, names, houses, now=6, here=2)
    'Ned Flint had won two gold and eight silver at dice at the Eel Pot two nights before'
    """
    house = in_passing(houses.get(int(rumor["tavern_id"]), ""))
    if rumor["tavern_id"] == here:
        house = ""
    game = SHORT.get(str(rumor["game"])) or game_title(str(rumor["game"])) or "dice"
    amount = in_coins(int(rumor["amount_cp"]))
    when = _when(int(rumor["night"]), now)
    return _filled(rumor, who, 1, house, game, when, amount, whom)


def _filled(
    rumor: Mapping[str, Any],
    who: Who,
    choice: int,
    house: str,
    game: str,
    when: str,
    amount: str,
    whom: Who | None = None,
) -> str:
    claim = str(rumor["claim"])
    words = CLAIMS.get(claim, "{subject}: " + claim.replace("_", " "))
    of = f" of {house}" if house else ""
    other = int(rumor["other_id"])
    return _CHOICE.sub(rf"\{choice}", words).format(
        subject=who(int(rumor["subject_id"])),
        other=who(other) if other else "somebody",
        whom=(whom or who)(other) if other else "somebody",
        sum=amount,
        game=game,
        when=when,
        at=f" at {house}" if house else "",
        of=of,
        from_=f" from {house}" if house else "",
    )


def changes_of(rumor: Mapping[str, Any]) -> str:
    """Say what a retelling changed: "the sum grew"; empty if nothing.

    Examples
    --------
    >>> changes_of({"changed": "sum night"})
    'the sum grew, the night changed'
    """
    words = re.findall(r"\w+", str(rumor["changed"] or ""))
    return ", ".join(CHANGES.get(word, word) for word in words)


def in_passing(sign: str) -> str:
    """A tavern's sign in the middle of a sentence.

    Examples
    --------
    >>> in_passing("The Eel Pot"), in_passing("Gorm's Yard")
    ('the Eel Pot', "Gorm's Yard")
    """
    return f"the {sign[4:]}" if sign.startswith("The ") else sign


def game_title(game: str) -> str:
    """What a game is called in a sentence.

    Examples
    --------
    >>> game_title("rotting-toes"), game_title("arm-wrestling")
    ('Rotting Toes', 'arm wrestling')
    """
    return PROPER.get(game, game.replace("-", " "))


def in_coins(amount_cp: int) -> str:
    """A sum as people say it: gold and silver, and coppers only where that is all.

    Examples
    --------
    >>> in_coins(276), in_coins(1451), in_coins(46), in_coins(3)
    ('two gold and eight silver', '15 gold', 'four silver and six copper', 'three copper')
    """
    amount = abs(int(amount_cp))
    coin = CP_PER_GP if amount >= TEN * CP_PER_GP else CP_PER_SP
    if amount >= CP_PER_GP:  # to the nearest silver, or gold
        amount = (amount + coin // 2) // coin * coin
    gold, rest = divmod(amount, CP_PER_GP)
    silver, copper = divmod(rest, CP_PER_SP)
    parts = [(gold, "gold"), (silver, "silver"), (0 if gold else copper, "copper")]
    return listed([f"{spelled(n)} {coin}" for n, coin in parts if n]) or "nothing"


def spelled(number: int) -> str:
    """A number in words up to twelve, in figures beyond.

    Examples
    --------
    >>> spelled(3), spelled(1200)
    ('three', '1,200')
    """
    return _SMALL[number] if 0 <= number < len(_SMALL) else f"{number:,}"


def listed(things: Iterable[str]) -> str:
    """Several things as a sentence has them.

    Examples
    --------
    >>> listed(["Ann"]), listed(["Ann", "Bo", "Cy"]), listed([])
    ('Ann', 'Ann, Bo and Cy', '')
    """
    *others, last = [*things] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _when(night: int, now: int) -> str:
    before = now - night
    if before <= 0:
        return "that very night"
    return "the night before" if before == 1 else f"{spelled(before)} nights before"
