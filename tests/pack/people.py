"""A small evening made by hand, and tales told on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tavern_abm.pack.colors import Colors, load_colors
from tavern_abm.pack.evening import Evening, Person
from tavern_abm.pack.matter import Claim, Hop, Tale
from tavern_abm.pack.samples import somebody
from tavern_abm.pack.tagging import SAW_IT, WAS_TOLD, Tagger
from tavern_abm.pack.wordings import Wording, read_condition

NAN, TAM, HOB, MAUD, JOAN, OTTO = range(1, 7)
"""Nan tells; she knows Tam and Maud. Hob is a stranger, Otto her kin; Joan is Hob's sister."""
COLORS = Colors(("an evening",), load_colors())
HOUSES = {1: "The Eel Pot", 2: "Gorm's Yard"}


def person(patron_id: int, name: str, sex: str, household: int, **known: Any) -> Person:
    known = {"trade": "carter", "trade_word": "carter", "what": "human carter"} | known
    given = name.split()[0]
    return somebody(
        name,
        patron_id=patron_id,
        given=given,
        sex=sex,
        household=household,
        **{"ancestry": "human", "tavern": 1, "home_tavern": 1, "state": frozenset()} | known,
    )


def evening(**changes: Any) -> Evening:
    """Tonight is night 30; `changes` are of people, by name: ``hob={"trade": "thief"}``."""
    cast = [
        person(NAN, "Nan Tolliver", "female", 1),
        person(TAM, "Tam Harl", "male", 2, trade_word="baker", trade="baker"),
        person(HOB, "Hob Merrow", "male", 3, trade_word="ferryman"),
        person(MAUD, "Maud Tench", "female", 4),
        person(JOAN, "Joan Merrow", "female", 3),
        person(OTTO, "Otto Tolliver", "male", 1),
    ]
    people = {
        each.patron_id: replace(each, **changes.get(each.given.casefold(), {})) for each in cast
    }
    ties = changes.get("ties", {NAN: frozenset({TAM, MAUD})})
    return Evening(30, 30, HOUSES, people, ties)


def tale(of: Evening, *, teller: int = NAN, chain: tuple[Hop, ...] = (), **claim: Any) -> Tale:
    """That Tam owes Maud 62 silver since night 25, at the Eel Pot; and what is said of it."""
    what = {"kind": "owes", "game": "", "subject": TAM, "other": MAUD, "amount_cp": 620}
    claimed = Claim(**{**what, "night": 25, "tavern": 1, **claim})
    chain = chain or (Hop(teller, SAW_IT, 25, 1),)
    tags = Tagger(of, 500).tags_of(claimed, teller, chain)
    return Tale(7, 7, 7, claimed, teller, chain, tags, 3, 40)


def told_by(*people: int) -> tuple[Hop, ...]:
    """A chain from who saw it to who tells it."""
    first, *others = people
    return (Hop(first, SAW_IT, 25, 1), *(Hop(one, WAS_TOLD, 26, 1) for one in others))


def wording(text: str, condition: str = "", place: str = "say", **known: Any) -> Wording:
    """A line of the kind "owes", or of any if it is beside one."""
    asked, problems = read_condition(condition)
    assert not problems, problems
    kinds = ("owes",) if place == "say" else ()
    return Wording(f"owes-{abs(len(text)):08}", place, kinds, asked, text, **known)
