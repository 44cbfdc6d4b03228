"""A made-up evening for each wording: so that it can be tried where there is no run.

A stage is set from what the wording asks for: who tells it, of whom, how he knows, in what
house, how long ago. What it leaves open is varied from sample to sample. Tags come from the
same `Tagger` as those of a run, so a wording for which no stage can be set fits no event.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..data_tables import Trade, load_tables
from ..trade_words import trade_of
from .evening import Evening, Person
from .identity import luck_of
from .matter import Claim, Hop, Tale
from .speaking import fits
from .speech import pick
from .tagging import DID_IT, LIVED_IT, MADE_IT_UP, SAW_IT, WAS_TOLD, Tagger
from .tags import GAME_TAGS, KINDS, TEMPER
from .templates import slots_of
from .wordings import KEEPER, Condition, Wording

TONIGHT = 30
BIG_SUM_CP = 500
HOUSES = {1: "The Eel Pot", 2: "Gorm's Yard", 3: "The Three Keys"}
WITHOUT_BY = frozenset(("broke", "bribed", "too_lucky", "race", "throw", "arrived", "left"))
"""Kinds of event that befall one alone: nobody stands in {by}."""
WITH_SUM = frozenset(("won", "owes", "bribed", "lent", "bout", "race", "throw"))
"""Kinds in which a sum is told."""
WITHOUT_PLACE = frozenset(("arrived", "left"))
"""Kinds that happen in no house."""
GAMES_OF = {
    "bout": ("arm-wrestling",),
    "race": ("race",),
    "throw": ("long-throw",),
    "run_down": ("chase",),
    "owes": ("",),
    "lent": ("",),
    "arrived": ("",),
    "left": ("",),
    "won": ("magic-wand", "rotting-toes", "arm-wrestling", "heads-or-tails"),
    "broke": ("magic-wand", "rotting-toes", "arm-wrestling", "heads-or-tails"),
    "banned": ("rotting-toes", "chase"),
}
"""The games that an event of a kind can come from; of all others those in which people cheat."""
_CHEATED = ("rotting-toes", "magic-wand")
TRIED = 120
"""So many stages are tried before a wording is said to fit none."""
TELLER, SUBJECT, OTHER, SOURCE, FIRST, KNOWN = range(1, 7)
"""Who is who on the stage."""
_NAMES = {
    "male": ("Tam Harl", "Osbert Crowfoot", "Wymar Tench", "Nigel Slagg", "Hob Merrow"),
    "female": ("Maud Tench", "Sibyl Atwater", "Hawise Crake", "Lettice Vye", "Petronel Irons"),
}
_TRADES = ("carter", "tanner", "baker", "mason", "weaver", "cooper", "butcher", "sailor")
_SUMS = (4, 46, 150, 276, 400, 620, 680, 790, 1800, 2760, 24_500)
_RANK_OF = {"low": "poor", "mid": "common", "high": "well-off"}
_DRINKS = {"sober": 0, "tipsy": 3, "drunk": 6}
_STATES = ("bruised", "owes", "broke", "hiding", "dead", "banned", "gone")
_AWAY = frozenset(("bruised", "hiding", "dead", "gone"))
"""States of those who are in no tavern."""
_TELLS = ("a wet cuff", "a way of coughing before a throw", "one long fingernail")


class Stage(NamedTuple):
    """A made-up evening, and a tale somebody could tell on it."""

    evening: Evening
    tale: Tale


def stages(wording: Wording) -> Iterator[Stage]:
    """Stages on which a wording can be said, each another.

    Parameters
    ----------
    wording : Wording
        A thing to say, or what stands before or after one.
    """
    kinds = wording.kinds or tuple(KINDS)
    for n in range(TRIED):
        stage = _set(wording, kinds[n % len(kinds)], n)
        if fits(stage.tale, wording):
            yield stage


def obstacle_to(wording: Wording) -> str:
    """Why no event ever fits a wording; empty if one does.

    Examples
    --------
    >>> from tavern_abm.pack.wordings import read_condition
    >>> condition, _ = read_condition("self, stranger")
    >>> obstacle_to(Wording("x", "say", ("owes",), condition, "I pay nobody."))
    "'stranger' is never so where the rest is"
    """
    if next(stages(wording), None):
        return ""
    for at, (tag, is_wanted) in enumerate(wording.condition.tags):
        so_far = wording._replace(text="", condition=Condition(wording.condition.tags[: at + 1]))
        if next(stages(so_far), None) is None:
            what = repr(tag) if is_wanted else f"'not {tag}'"
            return f"{what} is never so where the rest is"
    return "nothing to fill in for " + (
        ", ".join(
            f"{{{slot}}}"
            for slot in dict.fromkeys(slots_of(wording.text))
            if next(stages(wording._replace(text=f"{{{slot}}}")), None) is None
        )
        or "all its slots at once"
    )


# ------------------------------------------------------------- setting a stage


class _Wish:
    """What a wording asks for, and for the rest something that changes from sample to sample."""

    def __init__(self, wording: Wording, n: int) -> None:
        self.wanted, self.unwanted = wording.condition.wanted, wording.condition.unwanted
        self.slots = set(slots_of(wording.text))
        self.n = n

    def one_of(self, tags: Sequence[str]) -> str:
        """One of some tags that exclude each other: a wanted one, or any that may be."""
        allowed = [tag for tag in tags if tag not in self.unwanted] or list(tags)
        asked = [tag for tag in allowed if tag in self.wanted]
        return asked[0] if asked else pick(allowed, *tags, self.n)

    def is_so(self, tag: str) -> bool:
        """Whether a tag shall hold that may or may not."""
        if tag in self.wanted or tag in self.unwanted:
            return tag in self.wanted
        return luck_of(tag, self.n) % 2 == 0

    def any_of[T](self, things: Sequence[T], *what: object) -> T:
        """One of several things that are nobody's wish."""
        return pick(things, *what, self.n)

    def after(self, word: str) -> str:
        """What is asked for after a word such as ``trade``; empty for nothing."""
        return next(
            (tag[len(word) + 1 :] for tag in sorted(self.wanted) if tag.startswith(word)), ""
        )


def _set(wording: Wording, kind: str, n: int) -> Stage:
    """The stage number `n` for a wording, whether or not it fits."""
    wish = _Wish(wording, n)
    has_by = kind not in WITHOUT_BY and _has_by(wish)
    part = wish.one_of(("bystander", "self", "doer") if has_by else ("bystander", "self"))
    teller = {"self": SUBJECT, "doer": OTHER}.get(part, TELLER)
    chain = _chain(wish, teller, has_by)
    claim = _claim(wish, kind, has_by)
    evening = _evening(wish, teller)
    tagger = Tagger(evening, BIG_SUM_CP)
    tags = tagger.tags_of(claim, teller, chain, is_grown=wish.is_so("grown"))
    story = 1000 + n
    return Stage(evening, Tale(story, story, story, claim, teller, chain, tags, 3, 40))


def _has_by(wish: _Wish) -> bool:
    """Whether there is another one."""
    asks = wish.wanted & {"doer", "by m", "by f", "same sex", "by kin", "has by"}
    return bool(asks) or _names_by(wish) or wish.is_so("has by")


def _chain(wish: _Wish, teller: int, has_by: bool) -> tuple[Hop, ...]:
    """Through whom it came to the teller."""
    then = TONIGHT - 5
    if teller != TELLER:
        how = LIVED_IT if teller == SUBJECT else DID_IT
        return (Hop(teller, how, then, 1),)
    knowing = wish.one_of(("eye", "heard", "far", "lie"))
    if wish.wanted & {"source saw it", "source did it"}:
        knowing = "heard"
    if wish.slots & {"src", "src.he", "src.him", "src.his", "first"} and knowing in ("eye", "lie"):
        knowing = "heard"
    if knowing in ("eye", "lie"):
        return (Hop(teller, SAW_IT if knowing == "eye" else MADE_IT_UP, then, 1),)
    told = Hop(teller, WAS_TOLD, then + 1, 1)
    if knowing == "heard":
        ways = (f"source {SAW_IT}", f"source {DID_IT}")
        if {*ways} <= wish.unwanted:
            return (Hop(SUBJECT, LIVED_IT, then, 1), told)
        how = wish.one_of(ways).removeprefix("source ")
        doer = OTHER if has_by and not _names_by(wish) else SOURCE
        return (Hop(doer if how == DID_IT else SOURCE, how, then, 1), told)
    first = Hop(FIRST, wish.any_of((SAW_IT, DID_IT, MADE_IT_UP)), then, 1)
    return (first, Hop(SOURCE, WAS_TOLD, then + 1, 1), told)


def _names_by(wish: _Wish) -> bool:
    return any(slot.startswith("by") for slot in wish.slots)


def _claim(wish: _Wish, kind: str, has_by: bool) -> Claim:
    has_sum = kind in WITH_SUM and ("sum" in wish.slots or wish.is_so("has sum"))
    sums = [each for each in _SUMS if (each > BIG_SUM_CP) == ("big sum" in wish.wanted)]
    asked = "big sum" in wish.wanted | wish.unwanted
    amount = wish.any_of(sums if asked else _SUMS)
    games = GAMES_OF.get(kind, _CHEATED)
    short = wish.after("game")
    game = next((each for each in games if GAME_TAGS.get(each) == short), "") if short else ""
    return Claim(
        kind=kind,
        game=game or wish.any_of(games),
        subject=SUBJECT,
        other=OTHER if has_by else 0,
        amount_cp=amount if has_sum or "big sum" in wish.wanted else 0,
        night=TONIGHT - _back(wish),
        tavern=_house(wish, kind),
    )


def _back(wish: _Wish) -> int:
    age = wish.one_of(("fresh", "recent", "old"))
    nights = {"fresh": (0, 1), "recent": (2, 3, 4), "old": (5, 7, 9, 14, 20)}[age]
    return wish.any_of(nights)


def _house(wish: _Wish, kind: str) -> int:
    if kind in WITHOUT_PLACE or "has place" in wish.unwanted or "by day" in wish.wanted:
        return 0
    return 1 if wish.one_of(("here", "elsewhere")) == "here" else wish.any_of((2, 3))


# ------------------------------------------------------------- who is on it


def _evening(wish: _Wish, teller: int) -> Evening:
    """Six people, of whom the teller knows those that he shall."""
    sex_of = {
        SUBJECT: "female" if wish.one_of(("sex m", "sex f")) == "sex f" else "male",
        OTHER: _sex_of_other(wish),
    }
    people = {one: _person(wish, one, teller, sex_of.get(one)) for one in range(1, 7)}
    knows = wish.is_so("knows") or "stranger" in wish.unwanted
    known = {KNOWN} | ({SUBJECT} if knows and "stranger" not in wish.wanted else set())
    known |= {SOURCE} | ({OTHER} if wish.is_so("knows by") else set())
    return Evening(TONIGHT, TONIGHT, HOUSES, people, {teller: frozenset(known)})


def _sex_of_other(wish: _Wish) -> str:
    if not wish.wanted & {"by m", "by f"} and "same sex" in wish.wanted | wish.unwanted:
        sexes = ("female", "male") if "same sex" in wish.wanted else ("male", "female")
        return sexes[0 if wish.one_of(("sex m", "sex f")) == "sex f" else 1]
    return "female" if wish.one_of(("by m", "by f")) == "by f" else "male"


def _person(wish: _Wish, one: int, teller: int, sex: str | None) -> Person:
    is_teller = one == teller
    sex = sex or wish.any_of(("male", "female"), one)
    name = _NAMES[sex][(luck_of("name", wish.n) + one * 2) % len(_NAMES[sex])]
    trade = _trade(wish, one, is_teller)
    word = trade_of(trade, sex, _trades())
    ancestry = wish.any_of(("human", "human", "half-orc", "dwarf"), one)
    state = _state(wish, is_teller) if one == SUBJECT else frozenset[str]()
    tavern = _tavern(wish, one, is_teller, state)
    return Person(
        patron_id=one,
        name=f"{name.split()[0]} {_byname(wish, one, teller, name)}",
        given=name.split()[0],
        ancestry=ancestry,
        sex=sex,
        trade=trade,
        trade_word=word,
        what=f"{ancestry} {word}",
        rank=_RANK_OF[wish.one_of(tuple(_RANK_OF))] if is_teller else "common",
        temper=wish.one_of(TEMPER) if is_teller else wish.any_of(TEMPER, one),
        household=_household(wish, one, teller),
        home_tavern=1 + one % 3,
        is_player=False,
        state=state,
        tavern=tavern,
        seat="the settle by the fire" if tavern else "",
        drinks=_DRINKS[wish.one_of(tuple(_DRINKS))] if is_teller else 0,
        table_id=0,
        stayed=True,
        tell=wish.any_of(_TELLS, one),
    )


@functools.cache
def _trades() -> Mapping[str, Trade]:
    return load_tables().trades


def _household(wish: _Wish, one: int, teller: int) -> int:
    """Kin are of one; the subject's other kin is somebody whom the teller knows."""
    own = teller * 100
    if one == teller:
        return own
    if one == SUBJECT and "kin" in wish.wanted:
        return own
    if one == OTHER and "by kin" in wish.wanted:
        return own
    return SUBJECT * 100 if one == KNOWN and teller != SUBJECT else one * 100


def _byname(wish: _Wish, one: int, teller: int, name: str) -> str:
    return "Harl" if _household(wish, one, teller) == SUBJECT * 100 else name.split()[1]


def _trade(wish: _Wish, one: int, is_teller: bool) -> str:
    asked = wish.after("i am") if is_teller else wish.after("trade") if one == SUBJECT else ""
    if is_teller and one == SUBJECT:
        asked = asked or wish.after("trade")
    if asked:
        return "innkeeper" if asked == KEEPER else asked
    return _TRADES[(luck_of(wish.n) + one) % len(_TRADES)]


def _state(wish: _Wish, is_teller: bool) -> frozenset[str]:
    """The subject's: only what is asked for, lest it exclude something else.

    Who tells is out tonight, and in no state that would keep him at home.
    """
    asked = frozenset(_STATES) & wish.wanted
    return asked - _AWAY if is_teller else asked


def _tavern(wish: _Wish, one: int, is_teller: bool, state: frozenset[str]) -> int:
    if state & _AWAY:
        return 0
    if one == SUBJECT and not is_teller:
        return 1 if wish.is_so("present") and "absent" not in wish.wanted else 2
    return 1


def somebody(name: str, **known: object) -> Person:
    """Somebody of whom nothing matters but the name, and what is said.

    Examples
    --------
    >>> somebody("Tam Harl", trade="carter").trade
    'carter'
    """
    wish = _Wish(Wording("", "say", (), Condition(), ""), 0)
    return replace(_person(wish, TELLER, 0, "male"), name=name, **known)  # type: ignore[arg-type]
