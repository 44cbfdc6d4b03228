"""Whose diary it is: how sentences about somebody are filled in, and what a night holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from ..rumor_words import hearsay_of, in_passing

OBJECT = {"he": "him", "she": "her"}
_BEFORE = "against|to|by|from|with|at|over|after|on"


class Night(NamedTuple):
    """What the record has of one person's night: rows of its tables as dicts."""

    night: int
    evening: dict[str, Any] | None  # where he was; None if the record does not say
    before_cp: int | None  # his purse the night before
    events: list[dict[str, Any]]  # in which he is the doer or the other
    seen: list[dict[str, Any]]  # of which he is only a witness
    judged: list[dict[str, Any]]  # trials in which he was a judge
    trials: list[dict[str, Any]]  # in which he was accuser or accused
    heard: list[dict[str, Any]]  # tellings that were new to him, with their rumour
    told: list[dict[str, Any]]  # his own tellings that were new to somebody
    why_home: str = ""  # a key of HOME

    @property
    def is_out(self) -> bool:
        """Whether he was in a tavern."""
        return self.evening is not None and bool(self.evening["tavern_id"])

    @property
    def mugs(self) -> int:
        """What he drank."""
        return int(self.evening["drinks"]) if self.evening else 0

    @property
    def net_cp(self) -> int | None:
        """What the games brought him, if the record has it."""
        net = self.evening.get("net_cp") if self.evening else None
        return None if net is None else int(net)


class Voice:
    """Whose diary it is, and how sentences about him are filled in.

    Parameters
    ----------
    patron_id : int
        Who.
    name : str
        In full.
    is_female : bool
        For the pronouns.
    who : callable
        The name of anybody by id.
    houses : mapping of int to str
        Signs of the taverns by id.
    pronoun : callable, optional
        "he" or "she" for anybody by id.
    """

    def __init__(
        self,
        patron_id: int,
        name: str,
        is_female: bool,
        who: Callable[[int], str],
        houses: Mapping[int, str],
        pronoun: Callable[[int], str] = lambda _: "he",
    ) -> None:
        self.patron_id, self.name, self._who, self.houses = patron_id, name, who, houses
        self.pronoun = pronoun
        he, him, his = ("she", "her", "her") if is_female else ("he", "him", "his")
        self.words = {"he": he, "him": him, "his": his, "himself": f"{him}self"}
        self.words |= {"He": he.capitalize(), "His": his.capitalize()}

    def who(self, patron_id: int) -> str:
        """The name of another, or "he himself"."""
        if patron_id == self.patron_id:
            return f"{self.words['he']} {self.words['himself']}"
        return self._who(patron_id)

    def say(self, wordings: str | Sequence[str], night: int, salt: int = 0, **more: Any) -> str:
        """One of some wordings, filled in."""
        if not isinstance(wordings, str):
            wordings = wordings[self.key(night, salt) % len(wordings)]
        text = wordings.format(**self.words | more)
        return text[:1].upper() + text[1:]

    def key(self, night: int, salt: int = 0) -> int:
        """A number that hangs on the person, the night and the place in it alone."""
        return crc32(f"{self.patron_id} {night} {salt}".encode())

    def house(self, tavern_id: int) -> str:
        """A tavern's sign in the middle of a sentence."""
        return in_passing(self.houses.get(tavern_id, "")) or "the tavern"

    def claim(self, rumor: Mapping[str, Any], telling: Mapping[str, Any]) -> str:
        """What a rumour claims, after "told him that"; a teller's own story has a pronoun."""
        teller, now, here = (int(telling[key]) for key in ("teller_id", "night", "tavern_id"))

        def who(patron_id: int) -> str:
            return self.pronoun(patron_id) if patron_id == teller else self.who(patron_id)

        def whom(patron_id: int) -> str:
            is_known = patron_id in (teller, self.patron_id)
            return OBJECT[self.pronoun(patron_id)] if is_known else self.who(patron_id)

        return hearsay_of(rumor, who, self.houses, now, here, whom)


def in_his_words(voice: Voice, text: str) -> str:
    """An event's own sentence, with a pronoun where it begins with his name.

    Examples
    --------
    >>> voice = Voice(3, "Ned Flint", False, str, {})
    >>> in_his_words(voice, "Ned Flint tossed a halfling over the cart.")
    'He tossed a halfling over the cart.'
    >>> in_his_words(voice, "Ned Flint's arm held.")
    'His arm held.'
    >>> in_his_words(voice, "Bo Reed's strength gave out against Ned Flint after 10 rounds.")
    "Bo Reed's strength gave out against him after 10 rounds."
    """
    text = re.sub(
        rf"\b({_BEFORE}) {re.escape(voice.name)}(?!'s)\b", rf"\1 {voice.words['him']}", text
    )
    if text.startswith(f"{voice.name}'s "):
        return f"{voice.words['His']}{text[len(voice.name) + 2 :]}"
    if text.startswith(f"{voice.name} ") and not text.startswith(f"{voice.name} and "):
        return f"{voice.words['He']}{text[len(voice.name) :]}"
    return text
