"""What somebody hides, by the record: the line SECRET of a half-card.

Each function looks for one sort of secret and gives how weighty it is with the words for
it; the weightiest is printed, and a second one where there is room.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..coins import show
from ..rumor_words import claim_of, in_passing, listed, spelled
from ..stories import often
from .card_words import PRONOUNS, n_words
from .dossiers import SUSPICION, Dossier, Records
from .evening import Evening
from .referring import kin_word
from .situations import is_about, is_killing_by_day, kin_of

ROOM = 24
"""Words that the line may have."""
PUNISHED = {
    "killed": "killed",
    "beaten": "beaten",
    "banned": "banned",
    "thrown_out": "thrown out",
    "convicted": "found guilty",
}
"""Sentences, the harshest first, as they stand after "had somebody"."""
OBJECTS = {"he": "him", "she": "her"}
HIT = {"true": ", and hit on the truth", "partly true": ", and came near the truth"}
"""What stands behind a tale that somebody made up, by the record."""
MUCH = 200
"""Copper pieces won or lost that even an honest player does not mention at home."""


BENT = 1
"""Weight of a tale that somebody bent as he passed it on: most do, and few remember it."""
WORTH_ADDING = 4
"""Weight from which a secret is printed behind another one."""


class Secret(NamedTuple):
    """Something hidden."""

    weight: int
    sort: str
    text: str


def secret_of(dossier: Dossier, records: Records, *, is_brief: bool = False) -> str:
    """The line SECRET: one thing or two, or "none" and why.

    Parameters
    ----------
    dossier : Dossier
        What the record has of him.
    records : Records
        That of the others.
    is_brief : bool, default False
        One thing; of a second one only that he cheats.
    """
    found = sorted(_all(dossier, records), key=lambda each: -each.weight)
    if not found:
        return _none(dossier, records.evening)
    first, *others = found
    room = 0 if is_brief else ROOM
    chosen = [first, *itertools.islice(_beside(first, others, room), 1)]
    line = "; ".join(each.text for each in chosen)
    if "cheat" in {each.sort for each in others} - {each.sort for each in chosen}:
        himself = PRONOUNS[records.evening.people[dossier.patron_id].sex]["himself"]
        line = f"{line}; cheats {himself}"  # which must not be left out, come what may
    return line


def _beside(first: Secret, others: Iterable[Secret], room: int) -> Iterator[Secret]:
    """What could be printed behind the weightiest secret."""
    for each in others:
        is_other = each.sort != first.sort and each.weight >= WORTH_ADDING
        if is_other and n_words(first.text, each.text) <= room:
            yield each


def worst_of(dossier: Dossier, records: Records) -> tuple[int, str]:
    """How much somebody has to hide, 0 (nothing) to 9 (a life), and of what sort it is."""
    return max(((each.weight, each.sort) for each in _all(dossier, records)), default=(0, "none"))


def _all(dossier: Dossier, records: Records) -> Iterator[Secret]:
    yield from _murders(dossier, records.evening)
    yield from _false_charges(dossier, records)
    yield from _tricks(dossier)
    yield from _tales(dossier, records.evening)
    yield from _bribes(dossier, records.evening)
    yield from _flights(dossier, records.evening)
    yield from _debts(dossier, records.evening)
    yield from _cheating_kin(dossier, records)


def _murders(dossier: Dossier, evening: Evening) -> Iterator[Secret]:
    """Whom he killed with his own hands, cheat or not."""
    for each in dossier.events:
        victim = evening.people.get(int(each["patron_id"]))
        if is_killing_by_day(each) and each["other_id"] == dossier.patron_id and victim:
            yield Secret(9, "murder", f"killed {victim.name}, night {each['night']}")


def _false_charges(dossier: Dossier, records: Records) -> Iterator[Secret]:
    """Whom his word has had punished though he was honest."""
    evening = records.evening
    hurt: dict[int, str] = {}
    for each in dossier.events:
        victim = int(each["patron_id"])
        if each["kind"] not in PUNISHED or each["other_id"] != dossier.patron_id:
            continue
        if is_killing_by_day(each):
            continue
        if victim in evening.people and not records.is_cheat(victim):
            hurt.setdefault(victim, "")
            hurt[victim] = min(hurt[victim] or each["kind"], each["kind"], key=_harshness)
    for victim, kind in hurt.items():
        name = evening.people[victim].name
        weight = 9 if kind == "killed" else 6
        yield Secret(
            weight, "false charge", f"had {name} {PUNISHED[kind]} for cheating, who was honest"
        )


def _harshness(kind: str) -> int:
    return list(PUNISHED).index(kind)


def _tricks(dossier: Dossier) -> Iterator[Secret]:
    has_dice = bool(dossier.row["has_weighted_dice"])
    if dossier.is_cheat:
        yield Secret(7, "cheat", _cheats(dossier, has_dice))
    elif has_dice:
        yield Secret(5, "dice", "carries weighted dice, and has not dared to throw them")
    elif dossier.row["is_cheat_kind"]:
        yield Secret(4, "dice", "can turn a die unseen, and has not dared yet")


def _cheats(dossier: Dossier, has_dice: bool) -> str:
    """How often he tried, and how near anybody has come to it."""
    tries = max(1, dossier.tries)
    failed = len(dossier.of_kind("failed_trick"))
    accused = sum(
        each["kind"] == "accused" and each["other_id"] == dossier.patron_id
        for each in dossier.events
    )
    guilty = len(dossier.of_kind("caught", "convicted"))
    parts = ["one try" if tries == 1 else f"{spelled(tries)} tries"]
    if failed:
        parts.append(f"{spelled(failed)} bungled in plain sight" if tries > 1 else "bungled")
    if guilty:
        parts.append(f"found out {often(guilty)}")
    elif accused:
        parts.append(f"accused {often(accused)}, never convicted")
    else:
        parts.append("never accused")
    return f"cheats{', with weighted dice' * has_dice}: {', '.join(parts)}"


def _tales(dossier: Dossier, evening: Evening) -> Iterator[Secret]:
    """What he made up, and what he put down to another."""
    own = PRONOUNS[evening.people[dossier.patron_id].sex]

    def name(patron_id: int, himself: str) -> str:
        if patron_id == dossier.patron_id:
            return himself
        person = evening.people.get(patron_id)
        return person.name if person else "somebody"

    def who(patron_id: int) -> str:
        return name(patron_id, own["he"])

    for each in reversed(dossier.made):
        changed = str(each["changed"]).replace(",", " ").split()
        if "invented" in changed:
            claim = claim_of(each, who, evening.houses)
            for he, him in OBJECTS.items():
                claim = claim.replace(f" owes {he} ", f" owes {him} ")
            hit = HIT.get(each["truth"], "")
            yield Secret(8, "tale", f"made up that {claim}{hit}")
        elif "person" in changed and each["parent"]:
            before = name(each["parent"]["subject_id"], own["himself"])
            after = name(each["subject_id"], own["himself"])
            if before != after:
                whose = f"{own['his']} own" if after == own["himself"] else f"{after}'s"
                text = f"passed on a tale of {before} with {whose} name in it"
                yield Secret(BENT, "bent tale", text)
        elif "sum" in changed and each["parent"] and each["claim"] == "won":
            is_own = each["subject_id"] == dossier.patron_id
            whose = f"{own['his']} own" if is_own else f"{who(each['subject_id'])}'s"
            yield Secret(BENT, "bent tale", _grown(each, whose))


def _grown(rumor: Mapping[str, Any], whose: str) -> str:
    before, after = (show(int(row["amount_cp"])) for row in (rumor["parent"], rumor))
    return f"told {whose} win of {before} as {after}"


def _bribes(dossier: Dossier, evening: Evening) -> Iterator[Secret]:
    for each in dossier.of_kind("bribed")[:1]:
        house = in_passing(evening.houses.get(each["tavern_id"], "")) or "the house"
        paid = show(int(each["amount_cp"]))
        yield Secret(
            7, "bribe", f"paid the warden of {house} {paid} to think again, night {each['night']}"
        )


def _flights(dossier: Dossier, evening: Evening) -> Iterator[Secret]:
    for each in dossier.of_kind("got_away")[:1]:
        house = in_passing(evening.houses.get(each["tavern_id"], "")) or "a house"
        yield Secret(
            6, "flight", f"ran from a sentence at {house}, night {each['night']}, and got away"
        )


def _debts(dossier: Dossier, evening: Evening) -> Iterator[Secret]:
    debt = dossier.owes
    if debt is None or not is_about(evening, debt.other):
        return
    creditor, owed = evening.people[debt.other].name, show(debt.amount_cp)
    purse = show(dossier.purse_cp) if dossier.purse_cp > 0 else "nothing"
    if debt.is_late and dossier.purse_cp >= debt.amount_cp:
        yield Secret(6, "debt", f"has the {owed} {creditor} waits for, and keeps it")
    else:
        yield Secret(4, "debt", f"owes {creditor} {owed} and has {purse}")


def _cheating_kin(dossier: Dossier, records: Records) -> Iterator[Secret]:
    evening = records.evening
    for other in kin_of(evening, dossier.patron_id):
        if not records.is_cheat(other) or "dead" in evening.people[other].state:
            continue
        kin = f"{kin_word(evening, dossier.patron_id, other)} {evening.people[other].given}"
        own = PRONOUNS[evening.people[dossier.patron_id].sex]
        belief = next((b.belief for b in dossier.suspects if b.patron_id == other), 0.0)
        knows = "suspects it" if belief > SUSPICION else "has no idea"
        yield Secret(4, "kin", f"{own['his']} {kin} cheats, and {own['he']} {knows}")


def _none(dossier: Dossier, evening: Evening) -> str:
    """Of somebody who has nothing to hide: what the record says instead."""
    he = PRONOUNS[evening.people[dossier.patron_id].sex]
    suspected = [each for each in dossier.suspected_by if each.belief > SUSPICION]
    if suspected:
        return f"none: {he['he']} is honest, and it will not help {he['him']}"
    if dossier.of_kind("convicted", "thrown_out", "banned", "beaten"):
        return "none: honest, and was sentenced all the same"
    if abs(dossier.net_cp) >= MUCH:
        luck = "down" if dossier.net_cp < 0 else "up"
        return f"none, unless it is being {show(abs(dossier.net_cp))} {luck}, honestly"
    return _small(dossier, evening)


def _small(dossier: Dossier, evening: Evening) -> str:
    """Of somebody of whom there is next to nothing to say."""
    seen = [each for each in dossier.events if each["kind"] in ("accused", "cleared")]
    if seen:
        names = {evening.people[i].name for each in seen for i in _others(each, dossier)}
        return f"none; has had words with {listed(sorted(names)[:2])} over a game"
    if dossier.net_cp:
        luck = "down" if dossier.net_cp < 0 else "up"
        return f"none: plays straight, {show(abs(dossier.net_cp))} {luck} so far"
    return "none that the record knows of"


def _others(event: Mapping[str, Any], dossier: Dossier) -> list[int]:
    both = {int(event["patron_id"]), int(event["other_id"])}
    return sorted(both - {0, dossier.patron_id})
