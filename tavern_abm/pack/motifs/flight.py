"""Situations that flight leaves: a chase, a thing left behind, somebody who lies low."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..colors import Colors, fitted
from ..evening import Evening, Person
from .past import Happening, Past
from .room import (
    ago,
    all_present,
    anybody,
    keeper_of,
    kin_of,
    living,
    number_in,
    present,
    through,
    whereabouts,
)
from .situation import Situation, Watch
from .table import JUDGED

FRESH = 10
LIES_LOW = 7
"""Nights for which one who got away lies low, where the record does not say."""
_ROUTE = re.compile(
    r"\. (\w+ (?:makes off|runs|rides|goes|gallops off|rattles off|drives) [^.:]+)\."
)


def chase(past: Past, evening: Evening) -> Iterator[Situation]:
    """A chase of tonight: it goes out of the door as the players come to it."""
    for each in past.of("run_down", "got_away", since=evening.night):
        runner = anybody(evening, each.patron_id)
        pursuer = anybody(evening, each.other_id)
        if runner is None or pursuer is None:
            continue
        yield _chase(past, evening, each, runner, pursuer, each.tavern_id)
        for tavern in _on_the_way(past, evening, each.tavern_id):
            yield _chase(past, evening, each, runner, pursuer, tavern)


def _on_the_way(past: Past, evening: Evening, start: int) -> list[int]:
    """Other houses of the same part of town, with guests in them."""
    near = past.districts.get(start, "")
    houses = [each for each, where in past.districts.items() if where == near and each != start]
    return [each for each in houses if evening.guests(each)]


def _chase(
    past: Past, evening: Evening, each: Happening, runner: Person, pursuer: Person, tavern: int
) -> Situation:
    route = _ROUTE.search(each.text)
    ran = [one for one in past.of("ran", since=evening.night) if one.patron_id == each.patron_id]
    values = {
        "route": route[1] if route else f"{runner.given} makes for the nearest corner",
        "dread": _dread(ran[-1].text) if ran else "the sentence",
        "start": evening.houses.get(each.tavern_id, ""),
        "lead": str(number_in(each.text, r"(?:lead of|led by) (\d+)", 1)),
        "truth": "@cheat" if each.patron_id in past.cheats else "@honest",
        "until": through(
            evening.night + number_in(each.text, r"lies low for (\d+)", LIES_LOW), evening.night
        ),
    }
    passing = "" if tavern == each.tavern_id else "_passing"
    return Situation(
        "chase",
        f"{each.kind}{passing}",
        tavern,
        {"runner": runner, "pursuer": pursuer},
        values,
        tuple(one.event_id for one in (*ran[-1:], each)),
        1.7 if passing else 2.0,
        (Watch("runner", JUDGED),),
    )


def _dread(text: str) -> str:
    found = re.search(r"the (?:door|ban|beating|knife)\b", text)
    return found[0] if found else "the sentence"


def left_behind(past: Past, evening: Evening) -> Iterator[Situation]:
    """Something left behind, whoever sits by it, and its owner who cannot come for it."""
    last: dict[int, Happening] = {}
    for each in past.of("killed", "banned", "got_away", "thrown_out", since=evening.night - FRESH):
        if each.kind != "thrown_out" or each.night == evening.night:
            last[each.patron_id] = each
    # Who was killed by day, and in no house, left nothing on a table.
    for each in (each for each in last.values() if each.tavern_id):
        owner = anybody(evening, each.patron_id)
        if owner is None or _is_back(evening, each, owner):
            continue
        holder = _holder(evening, each, owner)
        if holder is not None:
            yield _left_behind(past, evening, each, owner, holder)


def _is_back(evening: Evening, each: Happening, owner: Person) -> bool:
    return present(evening, owner.patron_id, each.tavern_id) is not None or "gone" in owner.state


def _holder(evening: Evening, each: Happening, owner: Person) -> Person | None:
    near = all_present(evening, [each.other_id, *each.witnesses], each.tavern_id)
    near = [one for one in near if one.household != owner.household]
    keeper = keeper_of(evening, each.tavern_id)
    return near[0] if near else keeper if keeper is not owner else None


def _left_behind(
    past: Past, evening: Evening, each: Happening, owner: Person, holder: Person
) -> Situation:
    heirs = [one for one in kin_of(evening, owner) if living(evening, one.patron_id)]
    nights = {"got_away": r"lies low for (\d+)", "banned": r"for (\d+) nights?"}.get(each.kind, "")
    until = each.night + (number_in(each.text, nights, LIES_LOW) if nights else 0)
    values = {
        "thing": fitted(Colors.of(past.run).of_event("thing", each.event_id), owner.sex),
        "when": ago(each.night, evening.night),
        "until": through(until, evening.night) if until >= evening.night else "tonight",
        "heir": heirs[0].name if heirs else "",
        "where": whereabouts(evening, owner, each.tavern_id),
        "claim": "@heir" if heirs else "@nobody",
        "truth": "@cheat" if each.patron_id in past.cheats else "@honest",
    }
    base = {"killed": 1.7, "got_away": 1.6, "banned": 1.1, "thrown_out": 0.9}[each.kind]
    scene = _scene(evening, each, owner, until)
    return Situation(
        "left_behind",
        scene,
        each.tavern_id,
        {"holder": holder, "owner": owner},
        values,
        (each.event_id,),
        base - 0.04 * (evening.night - each.night),
        (Watch("owner", JUDGED, house=True), Watch("owner", ("left",))),
        until if scene != "banned_long" else 0,
    )


def _scene(evening: Evening, each: Happening, owner: Person, until: int) -> str:
    if each.kind == "got_away":
        return "got_away" if "hiding" in owner.state else "about"
    if each.kind == "banned" and each.night == evening.night:
        return "thrown_out"
    return "banned_long" if until - evening.night > LIES_LOW else each.kind


def hiding(past: Past, evening: Evening) -> Iterator[Situation]:
    """One who lies low or lies up, whoever brings him bread, and who would like to know where."""
    for each in past.of("got_away", "beaten", "too_lucky", since=evening.night - FRESH):
        hidden = living(evening, each.patron_id)
        if hidden is None or hidden.tavern or not hidden.state & {"hiding", "bruised"}:
            continue
        kin = all_present(evening, [one.patron_id for one in kin_of(evening, hidden)])
        if kin:
            yield _hiding(past, evening, each, hidden, kin[0])


def _hiding(
    past: Past, evening: Evening, each: Happening, hidden: Person, kin: Person
) -> Situation:
    until = each.night + number_in(each.text, r"(\d+) nights?", LIES_LOW)
    foes = all_present(evening, [each.other_id, *each.witnesses], kin.tavern)
    foes = [one for one in foes if one.household != kin.household]
    cast = {"kin": kin, "hidden": hidden} | ({"foe": foes[0]} if foes else {})
    is_cheat = each.patron_id in past.cheats
    values = {
        "when": ago(each.night, evening.night),
        "where": evening.houses.get(each.tavern_id, ""),
        "until": through(max(until, evening.night), evening.night),
        "truth": "@cheat" if is_cheat else "@honest",
        "what": f"@{each.kind}",
    }
    low = "low" if each.kind == "got_away" else "up"
    return Situation(
        "hiding",
        f"{low}_{'foe' if foes else 'alone'}",
        kin.tavern,
        cast,
        values,
        (each.event_id,),
        1.2 + 0.3 * bool(foes) + 0.2 * (low == "low"),
        (
            *((Watch("hidden", (*JUDGED, "accused"), other="foe"),) if foes else ()),
            Watch("hidden", ("left",)),
        ),
        until,
    )
