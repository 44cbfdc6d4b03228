"""Situations that talk makes: an invented tale, two versions in one room, one hand behind much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ...rumor_words import claim_of, in_passing, listed, spelled
from ..evening import Evening, Person
from .past import Happening, Past
from .room import ago, all_present, living, often, present, whereabouts
from .situation import Situation, Watch
from .table import JUDGED

BELIEVERS = 3
"""Believers that a lie must have found."""
VICTIMS = 2
"""People who came to harm at the tables of one cheat, and blamed another or themselves."""
FRESH = 10
MOST_LINKS = 2
"""Links of a chain that are told one by one."""
SO = ("true", "partly true")
"""Versions that name the right one."""
DULL = ("won", "broke", "bribed")
"""Claims of which it matters little whom they name."""


def one_hand(past: Past, evening: Evening) -> Iterator[Situation]:
    """A cheat behind the losses and quarrels of several people, who suspect one another."""
    harmed = _harmed(past)
    for patron_id, tries in past.cheats.items():
        cheat = present(evening, patron_id)
        if cheat is None:
            continue
        places = {(each.night, each.tavern_id, each.table_id) for each in tries}
        found: dict[int, Happening] = {}
        for place in sorted(places):
            found |= {who: each for who, each in harmed.get(place, ()) if who != patron_id}
        near = all_present(evening, found, cheat.tavern)
        near = [one for one in near if one.household != cheat.household]
        if len(found) >= VICTIMS and near:
            yield _one_hand(past, evening, cheat, near[0], found)


def _harmed(past: Past) -> dict[tuple[int, int, int], list[tuple[int, Happening]]]:
    """The honest who went broke or were called cheats, by night, house and table."""
    found: defaultdict[tuple[int, int, int], list[tuple[int, Happening]]] = defaultdict(list)
    for each in past.of("broke", "accused"):
        who = each.patron_id if each.kind == "broke" else each.other_id
        if who not in past.cheats:
            found[each.night, each.tavern_id, each.table_id].append((who, each))
    return dict(found)


def _one_hand(
    past: Past, evening: Evening, cheat: Person, victim: Person, found: dict[int, Happening]
) -> Situation:
    others = [evening.people[who] for who in found if who != victim.patron_id]
    others = [one for one in others if one.patron_id in evening.people][:2]
    own, tries = found[victim.patron_id], past.cheats[cheat.patron_id]
    values = {
        "n": spelled(len(found)),
        "when": ago(own.night, evening.night),
        "harm": f"@{own.kind}",
        "others": listed([one.name for one in others]),
        "tries": often(len(tries)),
    }
    return Situation(
        "one_hand",
        "suspected" if past.suspicions.get(cheat.patron_id) else "unsuspected",
        cheat.tavern,
        {"victim": victim, "cheat": cheat},
        values,
        tuple(each.event_id for each in found.values()),
        1.0 + 0.2 * min(4, len(found)),
        (Watch("victim", ("accused",), other="cheat"), Watch("cheat", JUDGED)),
    )


def false_tale(past: Past, evening: Evening) -> Iterator[Situation]:
    """A tale that somebody made up, its believers, and the one it is about."""
    for made in past.inventions:
        liar = living(evening, int(made["made_by"]))
        subject = living(evening, int(made["subject_id"]))
        if liar is None or subject is None or liar is subject:
            continue
        believers = past.believers(int(made["story_id"]))
        if len(believers) >= BELIEVERS:
            yield from _false_tale(past, evening, made, liar, subject, believers)


def _false_tale(
    past: Past,
    evening: Evening,
    made: dict[Any, Any],
    liar: Person,
    subject: Person,
    believers: dict[int, int],
) -> Iterator[Situation]:
    ids = [one for one in believers if one not in (liar.patron_id, subject.patron_id)]
    seat = present(evening, subject.patron_id)
    near = all_present(evening, ids, seat.tavern if seat else 0)
    near = [one for one in near if one.household != subject.household]
    if not near:
        return
    teller = near[0]
    values = {
        "claim": _plain(made, evening),
        "n": spelled(len(believers)),
        "when": ago(int(made["made_night"]), evening.night),
        "chain": _chain(teller.patron_id, liar.patron_id, believers, evening),
        "whereabouts": whereabouts(evening, liar, teller.tavern),
    }
    yield Situation(
        "false_tale",
        "room" if seat else "absent",
        teller.tavern,
        {"teller": teller, "subject": subject, "liar": liar},
        values,
        (),
        1.1 + 0.1 * min(6, len(believers)) + 0.3 * bool(seat),
        (
            Watch("teller", ("accused",), other="subject"),
            *_watched("subject", str(made["claim"])),
        ),
        0,
        (int(made["story_id"]), subject.patron_id),
    )


def _watched(role: str, claim: str) -> tuple[Watch, ...]:
    """What a false claim may do to whom it names: only who is said to cheat is judged for it."""
    if claim == "cheats":
        return Watch(role, JUDGED), Watch(role, ("brawl", "left"))
    return (Watch(role, ("brawl",)),)


def _plain(rumor: dict[Any, Any], evening: Evening) -> str:
    return claim_of(rumor, lambda who: evening.people[who].name, evening.houses)


def _chain(teller: int, liar: int, believers: dict[int, int], evening: Evening) -> str:
    """Through whom a tale came to its teller, back to who made it up."""
    chain = [teller]
    while chain[-1] != liar and believers.get(chain[-1], teller) not in chain:
        chain.append(believers[chain[-1]])
    names = [evening.people[each].name for each in chain[1:] if each in evening.people]
    shown = names if len(names) <= MOST_LINKS else [names[0], names[-1]]
    return (", who has it from " if shown is names else ", and so on back to ").join(shown)


def two_versions(past: Past, evening: Evening) -> Iterator[Situation]:
    """One event, told of two different people by two who sit in one room."""
    for held in _held(past, evening).values():
        one, other = held[0], next((each for each in held if _differs(each, held[0])), None)
        if other is not None:
            found = _two_versions(past, evening, one, other)
            if found is not None:
                yield found


def _held(past: Past, evening: Evening) -> dict[tuple[int, int], list[dict[Any, Any]]]:
    """The versions that people in one house believe, by story and house."""
    found: defaultdict[tuple[int, int], list[dict[Any, Any]]] = defaultdict(list)
    for row in past.held(past.night - FRESH, _seated(evening)):
        found[row["story_id"], evening.people[row["listener_id"]].tavern].append(row)
    return dict(found)


def _where(evening: Evening, event: Happening, here: int) -> str:
    if event.tavern_id == here:
        return "here"
    sign = evening.houses.get(event.tavern_id, "")
    return f"at {in_passing(sign)}" if sign else "by day"


def _seated(evening: Evening) -> list[int]:
    return [one for one in evening.people if present(evening, one)]


def _differs(one: dict[Any, Any], other: dict[Any, Any]) -> bool:
    return bool(one["subject_id"] != other["subject_id"])


def _two_versions(
    past: Past, evening: Evening, one: dict[Any, Any], other: dict[Any, Any]
) -> Situation | None:
    event = next((e for e in past.happenings if e.event_id == one["event_id"]), None)
    right, wrong = (one, other) if one["truth"] in SO else (other, one)
    named = living(evening, int(wrong["subject_id"]))
    is_clear = right["truth"] in SO and wrong["truth"] == "wrong person"
    if event is None or named is None or not is_clear:
        return None
    knows, errs = (evening.people[int(each["listener_id"])] for each in (right, wrong))
    if named in (knows, errs) or right["subject_id"] not in evening.people:
        return None
    saw = all_present(evening, event.witnesses, knows.tavern)
    saw = [each for each in saw if each not in (knows, errs, named)]
    is_here = present(evening, named.patron_id, knows.tavern) is not None
    values = {
        "where": _where(evening, event, knows.tavern),
        "night": str(event.night),
        "deed": f"@{right['claim']}",
        "wrong": evening.people[int(wrong["subject_id"])].name,
        "truly": evening.people[int(right["subject_id"])].name,
        "saw": "@one_saw" if saw else "@none_saw",
        "witness": f"{saw[0].name} ({saw[0].seat})" if saw else "",
        "whereabouts": whereabouts(evening, named, knows.tavern),
    }
    return Situation(
        "two_versions",
        "here" if is_here else "away",
        knows.tavern,
        {"errs": errs, "knows": knows, "named": named},
        values,
        (event.event_id,),
        0.8 + 0.3 * bool(saw) + 0.5 * is_here - 0.5 * (right["claim"] in DULL),
        (
            Watch("errs", ("accused",), other="named"),
            Watch("named", ("accused",), other="errs"),
            *_watched("named", str(wrong["claim"])),
        ),
        0,
        (int(wrong["story_id"]), named.patron_id),
    )
