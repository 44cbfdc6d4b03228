"""Situations that old wrongs leave: wronged kin, old blows, half-right accusers, bought wardens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ...coins import show
from ...rumor_words import spelled
from ..evening import Evening, Person
from .past import Happening, Past, Trial
from .room import (
    ago,
    all_present,
    anybody,
    kin_of,
    living,
    nights_of,
    number_in,
    often,
    present,
    through,
)
from .situation import Situation, Watch
from .table import JUDGED

SENTENCES = ("killed", "too_lucky", "beaten", "banned", "thrown_out", "warned")
"""Kinds of sentence, the worst first."""
HURT = {"killed": "killed", "too_lucky": "lucky", "beaten": "beaten"}
FRESH = 10
"""Nights for which an old wrong is still on people's minds."""
SOON = 4
"""Nights within which the end of a ban is near."""
OFTEN = 3
"""Accusations that make a habit."""


def wronged(past: Past, evening: Evening) -> Iterator[Situation]:
    """One punished for what he had not done: he or his kin, and who did it to him, in one room."""
    for each in past.of(*SENTENCES, since=evening.night - FRESH):
        victim = anybody(evening, each.patron_id)
        is_wrong = each.is_just is False and each.patron_id not in past.cheats
        if not is_wrong or victim is None or not each.tavern_id:
            continue
        doers = _doers(past, each)
        seat = present(evening, each.patron_id)
        avengers = [seat] if seat else all_present(evening, _ids(kin_of(evening, victim)))
        for avenger in avengers:
            near = [one for one in all_present(evening, doers, avenger.tavern) if one != avenger]
            near = [one for one in near if one.household != victim.household]
            if near:
                yield _wronged(evening, each, victim, avenger, near[0], len(near))
                break


def _doers(past: Past, each: Happening) -> list[int]:
    """Who accused him, then who judged him; where nobody accuses, who saw it done."""
    for trial in past.trials:
        is_his = (trial.night, trial.accused_id) == (each.night, each.patron_id)
        if is_his and trial.accuser_id and trial.round == each.round:
            return [trial.accuser_id, *trial.guilty]
    return [each.other_id] if each.other_id else list(each.witnesses)


def _ids(people: list[Person]) -> list[int]:
    return [each.patron_id for each in people]


def _wronged(
    evening: Evening, each: Happening, victim: Person, avenger: Person, doer: Person, n_near: int
) -> Situation:
    hurt = HURT.get(each.kind, "shamed")
    is_self = avenger is victim
    scene = f"self_{hurt}" if is_self else f"kin_{hurt}"
    cast = {"victim": victim, "doer": doer}
    cast |= {} if is_self else {"avenger": avenger}
    values = {
        "when": ago(each.night, evening.night),
        "house": evening.houses.get(each.tavern_id, ""),
        "what": f"@{each.kind}",
        "n": spelled(n_near),
        "part": "@accused" if doer.patron_id == each.other_id or not n_near else "@judged",
    }
    weight = (len(SENTENCES) - SENTENCES.index(each.kind)) / len(SENTENCES)
    hurt_one = "victim" if is_self else "avenger"
    return Situation(
        "wronged",
        scene,
        avenger.tavern,
        cast,
        values,
        (each.event_id,),
        0.8 + 0.8 * weight + 0.3 * (not is_self),
        (
            Watch(hurt_one, ("brawl", "accused"), other="doer"),
            Watch("doer", ("brawl", "accused"), other=hurt_one),
            Watch(hurt_one, ("left",)),
        ),
    )


def half_right(past: Past, evening: Evening) -> Iterator[Situation]:
    """An accuser whom the table laughed down, and who had the right man all the same."""
    for each in past.trials:
        is_recent = evening.night - each.night <= FRESH
        if each.verdict != "cleared" or not each.is_cheat or not is_recent:
            continue
        cheat = present(evening, each.accused_id)
        accuser = present(evening, each.accuser_id, cheat.tavern) if cheat else None
        if cheat is not None and accuser is not None:
            yield _half_right(past, evening, each, cheat, accuser)


def _half_right(
    past: Past, evening: Evening, each: Trial, cheat: Person, accuser: Person
) -> Situation:
    tries = past.cheats[cheat.patron_id]
    since = sum((one.night, one.round) > (each.night, each.round) for one in tries)
    values = {
        "when": ago(each.night, evening.night),
        "since": f"has tried {often(since)} since" if since else "has not tried since",
        "last": ago(tries[-1].night, evening.night),
        "round": "@right" if each.tricked else "@wrong",
    }
    return Situation(
        "half_right",
        "just" if each.night == evening.night else "before",
        cheat.tavern,
        {"accuser": accuser, "cheat": cheat},
        values,
        _of_trial(past, each),
        0.9 + 0.1 * min(5, since) - 0.03 * (evening.night - each.night),
        (Watch("cheat", JUDGED, other="accuser"), Watch("cheat", JUDGED)),
    )


def _of_trial(past: Past, trial: Trial) -> tuple[int, ...]:
    return tuple(
        each.event_id
        for each in past.by_kind["cleared"]
        if (each.night, each.round, each.patron_id) == (trial.night, trial.round, trial.accused_id)
    )


def old_blows(past: Past, evening: Evening) -> Iterator[Situation]:
    """Two who came to blows some nights ago, under one roof again."""
    fights: dict[tuple[int, int], Happening] = {}
    for each in past.of("brawl", since=evening.night - FRESH):
        fights[each.patron_id, each.other_id] = each
    for each in fights.values():
        accused = present(evening, each.patron_id)
        accuser = present(evening, each.other_id, accused.tavern) if accused else None
        if accused and accuser and each.night < evening.night:
            yield _old_blows(past, evening, each, accused, accuser)


def _old_blows(
    past: Past, evening: Evening, each: Happening, accused: Person, accuser: Person
) -> Situation:
    tries = past.cheats.get(accused.patron_id, ())
    values = {
        "when": ago(each.night, evening.night),
        "where": evening.houses.get(each.tavern_id, ""),
        "truth": "@cheat" if tries else "@honest",
        "mugs": spelled(accused.drinks + accuser.drinks),
    }
    return Situation(
        "old_blows",
        "table" if accused.table_id and accused.table_id == accuser.table_id else "room",
        accused.tavern,
        {"accused": accused, "accuser": accuser},
        values,
        (each.event_id,),
        0.9 + 0.4 * (accused.table_id == accuser.table_id) + 0.2 * bool(tries),
        (
            Watch("accused", ("brawl", "accused"), other="accuser"),
            Watch("accuser", ("brawl", "accused"), other="accused"),
            Watch("accused", JUDGED, other="accuser"),
        ),
    )


def bought(past: Past, evening: Evening) -> Iterator[Situation]:
    """A warden who was paid to look away, and who does not know it yet."""
    for each in past.of("bribed", since=evening.night - FRESH):
        briber = present(evening, each.patron_id)
        accusers = [
            one.accuser_id
            for one in past.trials
            if (one.night, one.round, one.accused_id) == (each.night, each.round, each.patron_id)
        ]
        accuser = living(evening, accusers[0]) if accusers else None
        if briber is None or accuser is None or accuser is briber:
            continue
        yield _bought(past, evening, each, briber, accuser)


def _bought(
    past: Past, evening: Evening, each: Happening, briber: Person, accuser: Person
) -> Situation:
    is_near = present(evening, accuser.patron_id, briber.tavern) is not None
    values = {
        "sum": show(each.amount_cp),
        "when": ago(each.night, evening.night),
        "where": evening.houses.get(each.tavern_id, ""),
        "truth": "@cheat" if each.patron_id in past.cheats else "@honest",
    }
    return Situation(
        "bought",
        "near" if is_near else "far",
        briber.tavern,
        {"briber": briber, "accuser": accuser},
        values,
        (each.event_id,),
        1.2 + 0.3 * is_near,
        (Watch("briber", JUDGED, other="accuser"), Watch("briber", JUDGED)),
    )


def term(past: Past, evening: Evening) -> Iterator[Situation]:
    """A ban that is about to run out, and who would rather it did not."""
    for each in past.of("banned"):
        exile = living(evening, each.patron_id)
        nights = number_in(each.text, r"for (\d+) nights?")
        until = each.night + nights
        if exile is None or not 0 <= until - evening.night <= SOON:
            continue
        foes = [one for one in _doers(past, each) if one != each.patron_id]
        near = all_present(evening, [*foes, *each.witnesses], each.tavern_id)
        near = [one for one in near if one.household != exile.household]
        if near:
            yield _term(past, evening, each, exile, near[0], until)


def _term(
    past: Past, evening: Evening, each: Happening, exile: Person, foe: Person, until: int
) -> Situation:
    seat = present(evening, each.patron_id)
    values = {
        "until": through(until, evening.night),
        "when": ago(each.night, evening.night),
        "elsewhere": evening.houses.get(seat.tavern, "") if seat else "",
        "length": nights_of(until - each.night),
        "truth": "@cheat" if each.patron_id in past.cheats else "@honest",
    }
    return Situation(
        "term",
        "elsewhere" if seat and seat.tavern != each.tavern_id else "home",
        foe.tavern,
        {"exile": exile, "foe": foe},
        values,
        (each.event_id,),
        1.2 - 0.1 * (until - evening.night),
        (
            Watch("exile", (*JUDGED, "accused"), other="foe"),
            Watch("exile", JUDGED, house=True),
            Watch("exile", ("left",)),
        ),
        until,
    )


def old_accuser(past: Past, evening: Evening) -> Iterator[Situation]:
    """One who has called several people cheats, with some of them in the room."""
    calls: defaultdict[int, list[Happening]] = defaultdict(list)
    for each in past.of("accused"):
        calls[each.patron_id].append(each)
    for patron_id, made in calls.items():
        accuser = present(evening, patron_id)
        if accuser is None or len({each.other_id for each in made}) < OFTEN:
            continue
        near = all_present(evening, [each.other_id for each in reversed(made)], accuser.tavern)
        near = [one for one in near if one.household != accuser.household]
        if near:
            yield _old_accuser(past, evening, made, accuser, near[0])


def _old_accuser(
    past: Past, evening: Evening, made: list[Happening], accuser: Person, target: Person
) -> Situation:
    right = sum(each.other_id in past.cheats for each in made)
    last = next(each for each in reversed(made) if each.other_id == target.patron_id)
    believed = [each for each in past.of("convicted") if each.other_id == accuser.patron_id]
    values = {
        "n": spelled(len(made)),
        "people": spelled(len({each.other_id for each in made})),
        "right": f"Right in {spelled(right)} of {spelled(len(made))}" if right else "Never right",
        "believed": often(len(believed)) if believed else "never",
        "when": ago(last.night, evening.night),
        "truth": "@cheat" if target.patron_id in past.cheats else "@honest",
    }
    return Situation(
        "old_accuser",
        "mostly_right" if 2 * right > len(made) else "mostly_wrong",
        accuser.tavern,
        {"accuser": accuser, "target": target},
        values,
        tuple(each.event_id for each in made),
        0.8 + 0.15 * len(made),
        (
            Watch("target", JUDGED, other="accuser"),
            Watch("accuser", ("brawl", "accused")),
        ),
    )
