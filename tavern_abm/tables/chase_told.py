"""A chase at the table, increment by increment.

One increment, in this order:

1. Ways are put on offer, and the escapee picks one for both.
2. The escapee may use one tactic (`chase_tactics`).
3. The escapee goes, then the chaser: what is in the way, and the check of the ground.
4. The lead is reckoned. Who forfeits at an obstacle ends the chase there and then.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..asking import RefusedError
from ..checks import passes
from ..games import chase as rules
from ..games import race_sheet
from ..patrons.competitor import Competitor
from ..patrons.decisions import chase as decide
from . import chase_words as words
from .chase_going import Chase, check_modifier, mean_pace, pace_modifier
from .chase_tactics import Stopped, hide_over_spot, use_tactic
from .chase_ways import HURT, Way, load_ways, on_offer, shipped_ways
from .telling import HOUSE, AtTable, Told, closing

ENDS = {rules.CAUGHT: "caught", rules.AWAY: "away", rules.CALLED_OFF: "called off"}
HIDING_PULL = 10.0
HOPELESS = -2.0 * rules.AWAY_LEAD


class Ran(NamedTuple):
    """What an increment brought somebody."""

    gained: int
    is_out: bool  # he could not get on


def tell(table: AtTable) -> Iterator[Told]:
    """Tell so many chases, each from a start of its own.

    Raises
    ------
    RefusedError
        If more than one start is given, there is no such file of ways, or a tactic of
        the plan is not allowed when its turn comes.
    DataError
        If a file of ways says something that is not allowed.
    """
    rules.verify_one_start(table.options)
    path = table.options["ways"]
    ways = shipped_ways() if path is None else load_ways(path)
    escapee, chaser = (table.sheets[name] for name in table.players)
    results = []
    for number in range(1, table.rounds + 1):
        plan = list(table.options["tactics"])
        chase = Chase(table, number, ways, escapee, chaser, rules.set_out(0), plan=plan)
        yield from tell_chase(chase)
        results.append(ENDS[chase.state.ended])
    text = _score(escapee.name, results) if len(results) > 1 else ""
    yield closing(dict.fromkeys(table.players, 0), 0, text, results=results)


def _score(escapee: str, results: Sequence[str]) -> str:
    caught = results.count("caught")
    few = {0: "never caught", 1: "caught once", 2: "caught twice"}
    how_often = few.get(caught, f"caught {caught} times")
    return f"In {len(results)} chases {escapee} was {how_often}."


def tell_chase(chase: Chase) -> Iterator[Told]:
    """Tell one chase to its end."""
    yield _start(chase)
    while chase.state.ended == rules.RUNNING:
        way = yield from _choose_way(chase)
        stopped = yield from use_tactic(chase, way)
        if chase.state.ended != rules.RUNNING:
            break
        yield from _both_run(chase, way, stopped)
    yield _end(chase)


def _both_run(chase: Chase, way: Way, stopped: Stopped) -> Iterator[Told]:
    """The escapee goes, then the chaser; then the lead is reckoned."""
    gained = []
    for who, is_stopped in ((chase.escapee, stopped.escapee), (chase.chaser, stopped.chaser)):
        ran = Ran(0, False) if is_stopped else (yield from _run(chase, who, way))
        if ran.is_out:
            chase.state = rules.after_forfeit(chase.state, who is chase.escapee)
            chase.how = "forfeit"
            return
        gained.append(ran.gained)
    limit = chase.table.options["max_increments"]
    after = rules.after_increment(chase.state, gained[0], gained[1], limit)
    yield chase.say("lead", words.lead(after.lead, chase.pick), lead=after.lead)
    chase.state = after


def _start(chase: Chase) -> Told:
    options, escapee, chaser = chase.table.options, chase.escapee, chase.chaser
    facts: dict[str, Any] = {}
    if options["lead"] is not None:
        lead, how = options["lead"], ""
    elif options["distance_ft"] is not None:
        lead, how = _from_distance(chase, options["distance_ft"])
    else:
        natural = chase.d20(escapee, "initiative")
        modifier = escapee.modifier("dexterity")
        lead, how = natural + modifier, f"Initiative {words.total(natural, modifier)}."
        facts = {"natural": natural, "modifier": modifier}
    chase.state = rules.set_out(lead)
    text = words.start(escapee.name, chaser.name, lead, how, chase.pick)
    return chase.say("start", text, lead=lead, **facts)


def _from_distance(chase: Chase, distance_ft: int) -> tuple[int, str]:
    speed = chase.chaser.speed_ft
    if speed == 0:
        raise RefusedError(
            f"{chase.chaser.name} cannot give chase: a speed of 0 ft (chase)", "distance_ft"
        )
    lead = rules.lead_over_distance(distance_ft, speed)
    n = distance_ft // speed
    stretches = f"{n} full stretch{'' if n == 1 else 'es'} of {speed} ft"
    return lead, f"{distance_ft} ft are between them: {stretches}."


# ---------------------------------------------------------------- 1. the way


def _choose_way(chase: Chase) -> Generator[Told, None, Way]:
    """The ways on offer are told, and then the escapee picks one."""
    number, n = chase.state.increments, chase.table.options["choices"]
    offered = on_offer(chase.ways, n, chase.key, number, chase.offers, chase.taken)
    text = words.offer(number + 1, offered, chase.pick)
    yield chase.say("offer", text, offered=[_facts(way) for way in offered])
    way = _pick_way(chase, offered)
    chase.offers.append(offered)
    chase.taken.append(way)
    text = words.way(chase.escapee.name, way, len(offered), chase.pick)
    facts = {"way": way.name, "kind_of_way": way.kind, "open": way.is_open}
    yield chase.say("way", text, **facts, offered=[each.name for each in offered])
    return way


def _facts(way: Way) -> dict[str, Any]:
    """A way as JSON has it."""
    facts = {"way": way.name, "kind_of_way": way.kind, "open": way.is_open}
    if not way.dc:
        return facts
    facts |= {"obstacle": way.obstacle, "check": way.check, "dc": way.dc}
    damage = words.dice(way.damage) if way.damage[0] else None
    return facts | {"failing": way.failing, "damage": damage}


def _pick_way(chase: Chase, offered: Sequence[Way]) -> Way:
    edges = [_edge(chase, way) for way in offered]
    by_name = {way.name.lower(): way for way in offered}
    short = "; ".join(words.in_short(way) for way in offered)
    name = chase.table.deciders.choose(
        chase.escapee.name,
        words.spoken(f"{chase.escapee.name}, which way: {short}"),
        list(by_name),
        lambda u: list(by_name)[_clipped(chase.decide["chooses_way"](edges, u), len(edges))],
    )
    return by_name[name]


def _clipped(way: int, n: int) -> int:
    """The number of a way on offer, whatever a user's own function says."""
    return min(n - 1, max(0, way))


def _edge(chase: Chase, way: Way) -> float:
    """By how much the escapee expects to gain on a way, a chance to hide there included."""
    edge = _expected(chase.escapee, way) - _expected(chase.chaser, way)
    if rules.can_hide(chase.state.lead, way.is_open):
        edge += HIDING_PULL * decide.hide_chance(hide_over_spot(chase))
    return edge


def _expected(who: Competitor, way: Way) -> float:
    """What an increment brings on average; roughly, where a climb may fail."""
    alone = decide.MEAN_ROLL + mean_pace(who, way.kind)
    if way.dc == 0 or way.damage[0]:
        return alone
    passed = decide.pass_prob(check_modifier(who, way.kind, str(way.check)), way.dc)
    if way.failing == "slowed":
        return passed * alone
    if way.failing == "retry" and passed > 0:
        return passed * alone - rules.RETRY_COST * (1 - passed) / passed
    return passed * alone + (1 - passed) * HOPELESS


# ---------------------------------------------------------------- 2. both go


def _run(chase: Chase, who: Competitor, way: Way) -> Generator[Told, None, Ran]:
    """An increment of somebody's: what is in the way, and the check of the ground."""
    if way.dc == 0:
        return (yield from _pace(chase, who, way))
    if _is_hopeless(who, way):
        yield _out(chase, who, f"{str(way.check).title()} DC {way.dc} is beyond {who.name}. ")
        return Ran(0, True)
    got = yield from _try(chase, who, way, is_retry=False)
    if got >= way.dc:
        return (yield from _past(chase, who, way, got))
    return (yield from _fail(chase, who, way, got))


def _past(chase: Chase, who: Competitor, way: Way, got: int) -> Generator[Told, None, Ran]:
    """What is in the way is behind him; the check of a climb is that of the increment."""
    return Ran(got, False) if way.kind == "climb" else (yield from _pace(chase, who, way))


def _pace(chase: Chase, who: Competitor, way: Way) -> Generator[Told, None, Ran]:
    modifier = pace_modifier(who, way.kind)
    if way.is_mounted:
        modifier += yield from _ride(chase, who, way)
    natural = chase.d20(who, f"a {words.CHECKS[way.kind]} check")
    text = words.pace(who.name, way.kind, (natural, modifier))
    facts = {"natural": natural, "modifier": modifier, "gained": natural + modifier}
    yield chase.say("pace", text, who=who.name, **facts)
    return Ran(natural + modifier, False)


def _ride(chase: Chase, who: Competitor, way: Way) -> Generator[Told, None, int]:
    """The Ride check before a mount's own; what it gives the mount."""
    check = (chase.d20(who, "a Ride check"), who.skill("ride"))
    bonus = race_sheet.ride_bonus(sum(check))
    text = words.ride(who.name, way.kind, check, bonus)
    facts = {"natural": check[0], "modifier": check[1], "bonus": bonus}
    yield chase.say("ride", text, who=who.name, **facts)
    return bonus


def _is_hopeless(who: Competitor, way: Way) -> bool:
    """Say whether not even a 20 would do, where one has to get past."""
    must = way.failing in ("forfeit", "retry") and not way.can_choose
    return must and _is_beyond(who, way)


def _try(chase: Chase, who: Competitor, way: Way, is_retry: bool) -> Generator[Told, None, int]:
    """A try at what is in the way.

    Returns
    -------
    int
        What the check came to.
    """
    skill = str(way.check)
    modifier = check_modifier(who, way.kind, skill)
    natural = chase.d20(who, f"a {skill.title()} check")
    passed = passes(natural, modifier, way.dc)
    text = words.obstacle(who.name, way, (natural, modifier), passed, is_retry, chase.pick)
    facts = {"check": skill, "dc": way.dc, "natural": natural, "modifier": modifier}
    yield chase.say("obstacle", text, who=who.name, passed=passed, **facts)
    return natural + modifier


def _fail(chase: Chase, who: Competitor, way: Way, got: int) -> Generator[Told, None, Ran]:
    """He has failed: he takes the damage, is slowed, tries again or is out."""
    if way.failing == HURT or (way.can_choose and _rather_hurt(chase, who, way)):
        yield _hurt(chase, who, way)
        return (yield from _past(chase, who, way, got))
    if way.failing == "slowed":
        yield _stopped(chase, who, way, 0)
        return Ran(0, False)
    if way.failing == "retry":
        return (yield from _retry(chase, who, way))
    yield _out(chase, who)
    return Ran(0, True)


def _rather_hurt(chase: Chase, who: Competitor, way: Way) -> bool:
    """Whether somebody takes the damage where he may choose."""
    n, faces = way.damage
    saved, harm = _saved(who, way), n * (faces + 1) / 2
    answer = chase.table.deciders.choose(
        who.name,
        words.spoken(words.or_hurt(who.name, way)),
        ("yes", "no"),
        lambda u: "yes" if chase.decide["rather_hurt"](saved, harm, u) else "no",
    )
    return answer == "yes"


def _saved(who: Competitor, way: Way) -> float:
    """What damage saves somebody who has failed, in points of the lead."""
    alone = decide.MEAN_ROLL + mean_pace(who, way.kind)
    if way.failing == "slowed":
        return alone
    passed = decide.pass_prob(check_modifier(who, way.kind, str(way.check)), way.dc)
    if way.failing == "forfeit" or passed == 0:
        return alone - HOPELESS
    return alone + rules.RETRY_COST / passed


def _hurt(chase: Chase, who: Competitor, way: Way) -> Told:
    dice = chase.table.dice.throw(HOUSE, *way.damage, "damage")
    text = words.hurt(who.name, way.kind, dice, chase.pick)
    return chase.say("hurt", text, who=who.name, dice=list(dice), to_mount=way.is_mounted)


def _retry(chase: Chase, who: Competitor, way: Way) -> Generator[Told, None, Ran]:
    """Try again and again, each time for 10 of the lead, or give up."""
    is_escapee = who is chase.escapee
    cost = 0
    while True:
        lead = chase.state.lead + (-cost if is_escapee else cost)
        answer = chase.table.deciders.choose(
            who.name,
            words.spoken(words.again(who.name, way, is_escapee, lead)),
            ("again", "forfeit"),
            partial(_again, chase, lead, is_escapee),
        )
        if answer == "forfeit" or _is_beyond(who, way):
            yield _out(chase, who, f"{who.name} gives up. ")
            return Ran(-cost, True)
        cost += rules.RETRY_COST
        if (yield from _try(chase, who, way, is_retry=True)) >= way.dc:
            yield _stopped(chase, who, way, cost)
            return Ran(-cost, False)


def _again(chase: Chase, lead: int, is_escapee: bool, u: float) -> str:
    return "again" if chase.decide["presses_on"](lead, is_escapee, u) else "forfeit"


def _is_beyond(who: Competitor, way: Way) -> bool:
    """Say whether not even a 20 would pass."""
    return not passes(20, check_modifier(who, way.kind, str(way.check)), way.dc)


def _stopped(chase: Chase, who: Competitor, way: Way, cost: int) -> Told:
    text = words.stopped(who.name, way.kind, who is chase.escapee, cost, chase.pick)
    return chase.say("stopped", text, who=who.name, gained=-cost)


def _out(chase: Chase, who: Competitor, why: str = "") -> Told:
    other = chase.other(who).name
    text = words.out(who.name, who is chase.escapee, other, why)
    return chase.say("forfeit", text, who=who.name)


def _end(chase: Chase) -> Told:
    state = chase.state
    names = chase.escapee.name, chase.chaser.name
    text = words.end(*names, state.ended, state.increments, chase.how, chase.pick)
    facts = {"lead": state.lead, "increments": state.increments, "ended": ENDS[state.ended]}
    return Told("end", words.spoken(text), facts | {"how": chase.how}, chase.number)
