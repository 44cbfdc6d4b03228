"""What the record says somebody is in tonight, most pressing first: debt, hiding, wronged, luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..rumor_words import in_coins, in_passing
from .card_words import Situation, is_keeper
from .dossiers import SUSPICION, Dossier, Records
from .evening import Evening, Person

RECENT = 6
"""Nights for which a wrong is felt."""
DOWN_DAYS, UP_DAYS = 4, 8
"""Days of wages that somebody has to have lost, or won, at the tables for it to matter."""
SENTENCES = ("convicted", "thrown_out", "banned", "beaten")
"""Kinds of event that mean that a table found him guilty."""


def situations_of(person: Person, dossier: Dossier, records: Records) -> list[Situation]:
    """Every situation that somebody is in, the most pressing first.

    Parameters
    ----------
    person : Person
        As he is tonight.
    dossier : Dossier
        What the record has of him.
    records : Records
        That of the others.
    """
    evening = records.evening
    return [
        *_on_the_run(person, dossier, evening),
        *_owing(dossier, evening),
        *_of_the_body(person),
        *_wronged(dossier, evening),
        *_owed(dossier, evening),
        *_barred(person, dossier, evening),
        *_kin(person, records),
        *_minded(dossier, evening),
        *_fortune(dossier),
    ]


def _on_the_run(person: Person, dossier: Dossier, evening: Evening) -> Iterator[Situation]:
    if "hiding" in person.state:
        ran = dossier.of_kind("got_away", "ran")
        house = in_passing(evening.houses.get(ran[0]["tavern_id"], "")) if ran else ""
        yield Situation("gone_into_hiding", {"house": house or "the watch"})


def _owing(dossier: Dossier, evening: Evening) -> Iterator[Situation]:
    debt = dossier.owes
    if debt and is_about(evening, debt.other):
        slots = {"other": evening.people[debt.other].name, "sum": in_coins(debt.amount_cp)}
        is_dated = debt.due >= evening.night
        name = "owes" if is_dated and not debt.is_late else "owes_late"
        yield Situation(name, slots | {"night": str(debt.due)})


def _of_the_body(person: Person) -> Iterator[Situation]:
    for state in ("broke", "bruised"):
        if state in person.state:
            yield Situation(state, {})
    if is_keeper(person):
        yield Situation("keeper", {})


def _wronged(dossier: Dossier, evening: Evening) -> Iterator[Situation]:
    since = evening.night - RECENT
    for each in dossier.of_kind("cleared", "convicted"):
        if each["night"] < since:
            return
        if not is_about(evening, each["other_id"]):
            continue
        slots = {"other": evening.people[each["other_id"]].name, "night": str(each["night"])}
        if each["kind"] == "cleared":
            yield Situation("wronged", slots)
        elif not dossier.is_cheat:
            yield Situation("sentenced", slots)


def _owed(dossier: Dossier, evening: Evening) -> Iterator[Situation]:
    for debt in dossier.lent:
        if is_about(evening, debt.other):
            slots = {"other": evening.people[debt.other].name, "sum": in_coins(debt.amount_cp)}
            yield Situation("lent", slots)


def _barred(person: Person, dossier: Dossier, evening: Evening) -> Iterator[Situation]:
    bans = dossier.of_kind("banned")
    if "banned" in person.state and bans:
        house = in_passing(evening.houses.get(bans[0]["tavern_id"], ""))
        if house and bans[0]["tavern_id"] != person.tavern:
            yield Situation("banned", {"house": house})


def _kin(person: Person, records: Records) -> Iterator[Situation]:
    evening = records.evening
    for other in kin_of(evening, person.patron_id):
        hurt = records.dossier(other).of_kind(*SENTENCES, "killed")
        if hurt and is_killing_by_day(hurt[0]):
            yield from _bereaved(hurt[0], person, evening)
            continue
        is_fresh = bool(hurt) and hurt[0]["night"] >= evening.night - RECENT
        if is_fresh and not records.is_cheat(other):
            yield Situation("kin_wronged", {"other": evening.people[other].name})


def _bereaved(killed: Mapping[str, Any], person: Person, evening: Evening) -> Iterator[Situation]:
    """Kin of one who was killed by somebody of the town, or by strangers, and not by a table."""
    killer = evening.people.get(killed["other_id"])
    if killer is not person:
        by = killer.name if killer else "strangers"
        how = f"killed by {by}, night {killed['night']}"
        slots = {"other": evening.people[killed["patron_id"]].name, "how": how}
        yield Situation("kin_killed", slots)


def is_killing_by_day(event: Mapping[str, Any]) -> bool:
    """Whether somebody was killed outside every house, by no table's sentence."""
    return event["kind"] == "killed" and not event["tavern_id"]


def _minded(dossier: Dossier, evening: Evening) -> Iterator[Situation]:
    for each in dossier.suspects:
        if each.belief <= SUSPICION:
            break
        if is_about(evening, each.patron_id):
            yield Situation("suspicious", {"other": evening.people[each.patron_id].name})
            break
    tricks = dossier.of_kind("trick", "failed_trick", "weighted_dice")
    if tricks and tricks[0]["night"] >= evening.night - RECENT:
        yield Situation("cheat", {})


def _fortune(dossier: Dossier) -> Iterator[Situation]:
    wage = max(1, int(dossier.row["wage_cp"]))
    if dossier.net_cp <= -DOWN_DAYS * wage:
        yield Situation("down", {"sum": in_coins(dossier.net_cp)})
    elif dossier.net_cp >= UP_DAYS * wage:
        yield Situation("up", {"sum": in_coins(dossier.net_cp)})


def is_about(evening: Evening, patron_id: Any) -> bool:
    """Whether somebody is alive, in town and none of the players'."""
    person = evening.people.get(int(patron_id))
    return person is not None and not person.is_player and not person.state & {"dead", "gone"}


def kin_of(evening: Evening, patron_id: int) -> list[int]:
    """Who lives in one household with somebody, the dead included, by id."""
    household = evening.people[patron_id].household
    return [
        each.patron_id
        for each in evening.people.values()
        if each.household == household and each.patron_id != patron_id
    ]
