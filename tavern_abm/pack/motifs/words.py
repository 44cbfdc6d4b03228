"""Situations in words: the lines of a hook, filled in from ``data/cards/hooks.toml``."""

from __future__ import annotations

import functools
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from ...coins import show
from ...rumor_words import in_passing, spelled
from ...shipped import shipped
from ..evening import Evening, Person
from ..identity import luck_of
from .past import Happening
from .situation import Situation

FILE = "hooks.toml"
MOST_WORDS = 90
"""Of a whole hook: what a game master reads between two bites."""
FIELDS = ("title", "now", "wants", "clock", "lever", "stakes")
WAYS = ((9, False), (9, True), (1, False), (1, True), (0, False), (0, True))
"""How many of a hook's people are told with their seats, and whether each line is the shortest
there is: the first way that does with `MOST_WORDS`."""
_A_STOP = re.compile(r"(?:^|[.!?]”? +|“)([a-z])")
"""A letter with which a sentence begins."""


class Lines(NamedTuple):
    """A situation in words."""

    title: str
    now: str
    wants: tuple[str, ...]
    clock: str
    nobody: str
    lever: str
    stakes: str

    @property
    def n_words(self) -> int:
        """Of all lines together."""
        texts = (self.title, self.now, *self.wants, self.clock, self.nobody, self.lever)
        return len(" ".join((*texts, self.stakes)).split())


class Outcome(NamedTuple):
    """What came of a situation as the run was played on.

    Attributes
    ----------
    until : int
        The last night that has to do with it; 0 if none was played.
    happened : list of Happening
        In order of time.
    more : int
        How many have come to believe the story it is about.
    played : int
        The last night that was played, up to which they are counted.
    """

    until: int
    happened: list[Happening]
    more: int = 0
    played: int = 0


class Named(SimpleNamespace):
    """Somebody as the words of a hook name him; by itself, his name in full."""

    def __format__(self, spec: str) -> str:
        """His name."""
        return str(self.name)


@functools.cache
def tables() -> dict[str, Any]:
    """The words of all motifs, as plain data."""
    file = shipped("data") / "cards" / FILE
    return tomllib.loads(file.read_text(encoding="utf-8"))


def scene_of(motif: str, scene: str) -> dict[str, Any]:
    """The words of a scene, with what it takes from its motif."""
    own: dict[str, Any] = tables()[motif]
    plain = {name: words for name, words in own.items() if isinstance(words, list)}
    words = {**plain, **own.get(scene, {}), "parts": own.get("parts", {})}
    return words | {"short": own.get("short", {}) | words.get("short", {})}


def lines_of(situation: Situation, evening: Evening, outcome: Outcome) -> Lines | None:
    """Put a situation into words, at most `MOST_WORDS` of them; None if it takes more."""
    for n_seated, is_brief in WAYS:
        lines = _lines(situation, evening, outcome, n_seated, is_brief)
        if lines.n_words <= MOST_WORDS:
            return lines
    return None


def _lines(
    situation: Situation, evening: Evening, outcome: Outcome, n_seated: int, is_brief: bool
) -> Lines:
    words = scene_of(situation.motif, situation.scene)
    slots = _slots(situation, evening, outcome, n_seated, words["parts"])

    def said(field: str) -> Any:
        if is_brief:
            choices = [*words[field], *words["short"].get(field, ())]
            return min((_filled(choice, slots) for choice in choices), key=_length)
        choices = [_filled(choice, slots) for choice in words[field]]
        return choices[luck_of("hook", field, situation.motif, *situation.people) % len(choices)]

    title, now, wants, clock, lever, stakes = map(said, FIELDS)
    now = " ".join((now, *_so_far(situation, slots, now)))
    if "nobody" in words:
        nobody = said("nobody")
    elif not outcome.until:
        nobody = tables()["after"]["words"]["unplayed"]
    else:
        quiet = "spreads" if outcome.more and "spreads" in words else "quiet"
        happened = outcome.happened[:1] if is_brief else outcome.happened
        nobody = after(happened, situation, evening, is_brief) or said(quiet)
    return Lines(title.rstrip("."), now, wants, clock, nobody, lever, stakes.rstrip("."))


def _so_far(situation: Situation, slots: Mapping[str, Any], now: str) -> Iterator[str]:
    """What somebody of it has been through tonight, in a sentence to stand behind another."""
    if situation.tonight:
        told = situation.tonight
        people = {part: slots.get(told[part]) for part in ("who", "other")}
        for part, one in people.items():
            if one is not None and one.given not in now:
                people[part] = Named(**(vars(one) | {"given": one.name}))
        text = tables()["tonight"][told["key"]].format(n=told["n"], **people)
        yield spoken(" ".join(text.split()))


def _filled(choice: Any, slots: Mapping[str, Any]) -> Any:
    """A line with its slots filled, or several."""
    if isinstance(choice, str):
        return spoken(choice.format_map(slots))
    return tuple(spoken(each.format_map(slots)) for each in choice)


def _length(said: Any) -> int:
    return len((said if isinstance(said, str) else " ".join(said)).split())


def _slots(
    situation: Situation,
    evening: Evening,
    outcome: Outcome,
    n_seated: int,
    parts: Mapping[str, str],
) -> dict[str, Any]:
    shared = _shared_names(situation.cast.values())
    slots: dict[str, Any] = {
        role: named(person, has_seat=at < n_seated, in_full=person.given in shared)
        for at, (role, person) in enumerate(situation.cast.items())
    }
    slots |= {"house": in_passing(evening.houses[situation.tavern]), "played": outcome.until}
    slots["counted"] = outcome.played or outcome.until
    slots["more"] = f"{spelled(outcome.more)} more believe{'s' if outcome.more == 1 else ''}"
    signs = {in_passing(sign): sign for sign in evening.houses.values()}
    values = {name: value for name, value in situation.values.items() if value[:1] != "@"}
    slots |= {name: _passing(value, signs.values()) for name, value in values.items()}
    slots |= {name.capitalize(): _capital(value) for name, value in values.items()}
    chosen = {name: value[1:] for name, value in situation.values.items() if name not in values}
    return slots | {name: parts[part].format_map(slots) for name, part in chosen.items()}


def _passing(value: str, signs: Iterable[str]) -> str:
    return in_passing(value) if value in signs else value


def _shared_names(people: Iterable[Person]) -> set[str]:
    """Given names that more than one of them bears: they are told apart by the whole."""
    counts = Counter(person.given for person in people)
    return {name for name, n in counts.items() if n > 1}


def named(person: Person, *, has_seat: bool = True, in_full: bool = False) -> Named:
    """Somebody, with all that the words of a hook may ask of him."""
    he, him, his = ("she", "her", "her") if person.sex == "female" else ("he", "him", "his")
    seat = f", {person.seat}" if has_seat and person.seat else ""
    what = person.trade_word if person.ancestry == "human" else person.what
    given = person.name if in_full else person.given
    forms = {
        "name": person.name,
        "given": given,
        "is": f"{person.name} ({what})",
        "full": f"{person.name} ({what}{seat})",
        "short": f"{given} ({what}{seat})",
    }
    hers = "hers" if person.sex == "female" else his
    pronouns = {"he": he, "him": him, "his": his, "hers": hers, "himself": f"{him}self"}
    return Named(**forms, **pronouns, He=he.capitalize(), His=his.capitalize())


def spoken(text: str) -> str:
    """The text with a capital wherever a sentence begins.

    Examples
    --------
    >>> spoken("the dice stop. she looks up: he is gone.")
    'The dice stop. She looks up: he is gone.'
    """
    return _A_STOP.sub(lambda found: found[0][:-1] + found[1].upper(), text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def after(
    happened: Iterable[Happening], situation: Situation, evening: Evening, is_brief: bool = False
) -> str:
    """What came of a situation, night by night; empty if nothing did."""
    shared = _shared_names(situation.cast.values())
    return " ".join(_told(each, situation, evening, shared, is_brief) for each in happened)


def _told(
    each: Happening, situation: Situation, evening: Evening, shared: set[str], is_brief: bool
) -> str:
    templates = tables()["after"]
    key = "killed_by_day" if each.kind == "killed" and not each.tavern_id else each.kind
    words, person = templates["words"], evening.people.get(each.patron_id)
    who, other = (
        _called(one, situation, evening, shared) for one in (each.patron_id, each.other_id)
    )
    sign = evening.houses.get(each.tavern_id, "")
    just = words["just"] if each.is_just else words["unjust"]
    text = templates[key].format(
        who=who,
        other=other,
        killer=other if each.other_id else words["strangers"],
        him="her" if person and person.sex == "female" else "him",
        place=in_passing(sign) or "home",
        by=words["by"].format(other=other) if each.other_id and not is_brief else "",
        just="" if each.is_just is None else just,
        sum=show(each.amount_cp),
    )
    return f"{words['night'].format(night=each.night)}{_capital(text)}."


def _called(patron_id: int, situation: Situation, evening: Evening, shared: set[str]) -> str:
    """By the short name who is of the situation; others in full; nobody and newcomers in words."""
    person = evening.people.get(patron_id)
    if person is None:
        return "somebody new in town" if patron_id else "nobody"
    is_cast = any(patron_id == one for one in situation.people)
    return person.given if is_cast and person.given not in shared else person.name
