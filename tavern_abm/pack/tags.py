"""The closed vocabulary of wordings: what may be asked of a teller and his tale, and the slots."""

from __future__ import annotations

KINDS = {
    "cheats": "somebody is said to cheat",
    "thrown_out": "somebody was thrown out for the night",
    "banned": "somebody was banned from a house",
    "beaten": "somebody was beaten by sentence of a table",
    "killed": "somebody was killed, by sentence of a table or by day",
    "too_lucky": "somebody was beaten for winning too often",
    "won": "somebody won a large sum",
    "broke": "somebody could not cover another stake",
    "brawl": "two came to blows",
    "ran": "somebody ran from a sentence and got away",
    "run_down": "somebody ran from a sentence and was caught",
    "owes": "somebody owes a sum and did not pay when it was due",
    "bribed": "somebody bought off the warden",
    "bout": "somebody won at arm wrestling against another",
    "race": "somebody won a race",
    "throw": "somebody won a long throw",
    "lent": "somebody borrowed a sum of another",
    "accused": "somebody (by) called another a cheat, and the table cleared him",
    "arrived": "a newcomer",
    "left": "somebody left town for good",
}
"""What is told of: a file of ``data/wordings`` each, the word and what it means.

In each, {who} is whom it befell or who did it: the subject. {by} is the other one: who threw
him out or accused him, or killed him by day, whom he fought, owes or outran, who lent him the
money.
"""
OF_RUMORS = tuple(KINDS)[:13]
"""Kinds that the run's own rumours claim; of the others only who saw it tells."""

KNOWING = ("eye", "heard", "far", "lie", "source saw it", "source did it", "knows", "stranger")
"""Saw it himself, or says so; has it from one who did; has it at third hand or more; made it up
(and says that he saw it); whoever he has it from saw it, or did it; knows the subject; does not
know him."""
NEARNESS = ("kin", "by kin", "here", "elsewhere")
"""The teller is kin of the subject, or of the other one; told as having happened in this house,
or in another."""
PART = ("self", "doer", "bystander")
"""The teller is the subject; the other one; neither."""
DRINK = ("sober", "tipsy", "drunk")
TEMPER = ("sour", "merry", "fearful", "boastful", "careful", "pious")
STANDING = ("low", "mid", "high")
"""Poor; common; well-off or noble."""
OF_SUBJECT = (
    *("sex m", "sex f", "by m", "by f", "same sex"),
    *("bruised", "owes", "broke", "hiding", "dead", "banned", "gone", "present", "absent"),
)
"""Sex of the subject, of the other one, and whether they are of one; the subject's state tonight:
lies up bruised, has a debt, cannot pay his way in, lies low, is dead, banned from a house, has
left town for good; is in this very house, or is not."""
OF_VERSION = (
    *("fresh", "recent", "old", "big sum", "grown", "has by", "has place", "has sum", "by day"),
)
"""As it is told: last night or tonight; two to four nights back; five or more; a sum above a
labourer's month; the sum grew in the telling; there is another one, a house, a sum to be named;
it happened in no house, at no table: by day."""
GAMES = ("toes", "wand", "wrestling", "throw", "race", "coin", "chase")
"""After ``game``: Rotting Toes, Magic Wand, arm wrestling, a long throw, a race, heads or tails."""
GAME_TAGS = {
    "rotting-toes": "toes",
    "magic-wand": "wand",
    "arm-wrestling": "wrestling",
    "long-throw": "throw",
    "race": "race",
    "heads-or-tails": "coin",
    "chase": "chase",
}
TAGS = frozenset((*KNOWING, *NEARNESS, *PART, *DRINK, *TEMPER, *STANDING, *OF_SUBJECT, *OF_VERSION))
"""Tags of one word or a fixed few; beside them ``trade X`` (the subject's), ``i am X`` (the
teller's trade, or ``keeper``), ``game X``, and ``not`` before any."""

PEOPLE_SLOTS = ("who", "by", "src", "first")
"""The subject; the other one; whom the teller has it from; who saw, did or made it up first."""
PRONOUN_SLOTS = (
    *("he", "him", "his", "himself"),
    *("by.he", "by.him", "by.his", "by.himself"),
    *("src.he", "src.him", "src.his"),
)
THING_SLOTS = ("sum", "when", "since", "at", "place", "house", "game", "trade", "a.trade")
"""A sum; "five nights back"; "these five nights"; "at the Eel Pot" or "here"; "the Eel Pot" or
"this house"; the house in which it is told, by its sign; "dice"; "carter"; "a carter"."""
COLOR_SLOTS = ("thing", "pledge", "spot", "tell")
"""Drawn once for each event and kept: a thing left behind ("one boot"), what a debtor has to
pledge ("his mother's kettle"), where in a tavern ("the table by the stair"), and for each person
a habit that one could take for a cheat's ("a wet cuff")."""
SLOTS = frozenset((*PEOPLE_SLOTS, *PRONOUN_SLOTS, *THING_SLOTS, *COLOR_SLOTS))
