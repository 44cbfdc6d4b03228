"""A chase at the table, increment by increment.

One increment, in this order:

1. Ways are put on offer, and the escapee picks one for both.
2. The escapee may use one tactic.
3. The escapee goes, then the chaser: the check of the ground, and what is in the way.
4. The lead is reckoned. Who forfeits at an obstacle ends the chase there and then.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from ..asking import RefusedError
from ..chance import CHOICE, PLAY, roll, run_key, subkey
from ..checks import passes
from ..games import chase as rules
from ..patrons.competitor import SKILL_ABILITY, Competitor
from ..patrons.decisions import chase as decide
from . import chase_words as words
from .chase_ways import HURT, Way, load_ways, on_offer, shipped_ways
from .telling import HOUSE, AtTable, Told, closing

TACTICS = ("run", "hide", "hazard")
ENDS = {rules.CAUGHT: "caught", rules.AWAY: "away", rules.CALLED_OFF: "called off"}
OPENING = ("start", "way", "hide", "hazard")
RUNNING = ("pace", "obstacle", "stopped", "hurt", "forfeit")
"""Kinds of record that open a line, and those of which the first does."""
RUN_FEAT = 2
HIDING_PULL = 10.0
HOPELESS = -2.0 * rules.AWAY_LEAD


class Tactic(NamedTuple):
    """What the escapee does beside running."""

    name: str  # of TACTICS
    penalty: int = 0  # that of a hazard


class Ran(NamedTuple):
    """What an increment brought somebody."""

    gained: int
    is_out: bool  # he could not get on


class _Stopped(NamedTuple):
    """Who gains nothing this increment because of a tactic."""

    escapee: bool
    chaser: bool


@dataclass
class _Chase:
    """One chase as it goes on."""

    table: AtTable
    number: int
    ways: Sequence[Way]
    escapee: Competitor
    chaser: Competitor
    state: rules.Chase
    how: str = ""  # it ended: "hidden", "forfeit" or nothing
    n_told: int = 0
    last_kind: str = ""
    plan: list[Tactic] = field(default_factory=list)

    def say(self, kind: str, text: str, **facts: Any) -> Told:
        """A record of this chase; on a line of its own if it opens a part of the increment."""
        joins = kind not in OPENING
        if kind in RUNNING and self.last_kind not in RUNNING:
            joins = False
        self.last_kind = kind
        at = {"increment": self.state.increments + 1}
        lifts = {"escapee": self.escapee.name, "chaser": self.chaser.name}
        return Told(kind, words.spoken(text), at | facts, self.number, joins, lifts)

    def pick(self, texts: Sequence[str]) -> str:
        """One of several wordings, each by a draw of its own."""
        self.n_told += 1
        return texts[roll(self.key, CHOICE, self.n_told, len(texts)) - 1]

    @property
    def key(self) -> int:
        """The key of what neither dice nor people decide."""
        return subkey(subkey(run_key(self.table.seed), PLAY, 2), PLAY, self.number)

    def d20(self, who: Competitor, what: str) -> int:
        """A d20 thrown by somebody."""
        return self.table.dice.roll(who.name, 20, what)

    def other(self, who: Competitor) -> Competitor:
        """The one who is not `who`."""
        return self.chaser if who is self.escapee else self.escapee


def tell(table: AtTable) -> Iterator[Told]:
    """Tell so many chases, each from a start of its own.

    Raises
    ------
    RefusedError
        If more than one start is given, the ways cannot be read, or a tactic of the
        plan is not allowed when its turn comes.
    """
    rules.verify_one_start(table.options)
    path = table.options["ways"]
    ways = shipped_ways() if path is None else load_ways(path)
    escapee, chaser = (table.sheets[name] for name in table.players)
    results = []
    for number in range(1, table.rounds + 1):
        plan = list(table.options["tactics"])
        chase = _Chase(table, number, ways, escapee, chaser, rules.set_out(0), plan=plan)
        yield from _chase(chase)
        results.append(ENDS[chase.state.ended])
    text = _score(escapee.name, results) if len(results) > 1 else ""
    yield closing(dict.fromkeys(table.players, 0), 0, text, results=results)


def _score(escapee: str, results: Sequence[str]) -> str:
    caught = results.count("caught")
    how_often = {0: "never caught", 1: "caught once"}.get(caught, f"caught {caught} times")
    return f"In {len(results)} chases {escapee} was {how_often}."


def _chase(chase: _Chase) -> Iterator[Told]:
    yield _start(chase)
    while chase.state.ended == rules.RUNNING:
        way = yield from _choose_way(chase)
        stopped = yield from _use_tactic(chase, way)
        if chase.state.ended != rules.RUNNING:
            break
        yield from _both_run(chase, way, stopped)
    yield _end(chase)


def _both_run(chase: _Chase, way: Way, stopped: _Stopped) -> Iterator[Told]:
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


def _start(chase: _Chase) -> Told:
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


def _from_distance(chase: _Chase, distance_ft: int) -> tuple[int, str]:
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


def _choose_way(chase: _Chase) -> Generator[Told, None, Way]:
    offered = on_offer(
        chase.ways, chase.table.options["choices"], chase.key, chase.state.increments
    )
    edges = [_edge(chase, way) for way in offered]
    by_name = {way.name.lower(): way for way in offered}
    name = chase.table.deciders.choose(
        chase.escapee.name,
        f"{chase.escapee.name}, which way? {words.listed([way.path for way in offered])}",
        list(by_name),
        lambda u: list(by_name)[decide.chooses_way(edges, u)],
    )
    way = by_name[name]
    text = words.way(chase.escapee.name, way, offered, chase.pick)
    facts = {"way": way.name, "kind_of_way": way.kind, "open": way.is_open}
    facts["offered"] = [each.name for each in offered]
    yield chase.say("way", text, **facts)
    return way


def _edge(chase: _Chase, way: Way) -> float:
    """By how much the escapee expects to gain on a way, a chance to hide there included."""
    edge = _expected(chase.escapee, way) - _expected(chase.chaser, way)
    if rules.can_hide(chase.state.lead, way.is_open):
        edge += HIDING_PULL * decide.hide_chance(_hide_over_spot(chase))
    return edge


def _expected(who: Competitor, way: Way) -> float:
    """What an increment brings on average; roughly, where a climb may fail."""
    alone = decide.MEAN_ROLL + pace_modifier(who, way)
    if way.dc == 0 or way.failing == HURT:
        return alone
    passed = decide.pass_prob(check_modifier(who, str(way.check)), way.dc)
    if way.failing == "slowed":
        return passed * alone
    if way.failing == "retry" and passed > 0:
        return passed * alone - rules.RETRY_COST * (1 - passed) / passed
    return passed * alone + (1 - passed) * HOPELESS


def _hide_over_spot(chase: _Chase) -> int:
    return chase.escapee.skill("hide") - chase.chaser.skill("spot")


def pace_modifier(who: Competitor, way: Way) -> int:
    """What somebody adds to the check that an increment is run with."""
    if way.kind == "foot":
        run = RUN_FEAT if who.has("Run") else 0
        return who.modifier("strength") + rules.speed_bonus(who.speed_ft) + run
    return check_modifier(who, way.kind)


def check_modifier(who: Competitor, check: str) -> int:
    """What somebody adds to a check on the way: a skill or ability, and his speed."""
    rates = {"climb": who.climb_ft, "swim": who.swim_ft}
    speed = rates.get(check) or who.speed_ft
    base = who.skill(check) if check in SKILL_ABILITY else who.modifier(check)
    return base + rules.speed_bonus(speed)


# ---------------------------------------------------------------- 2. the tactic


def _use_tactic(chase: _Chase, way: Way) -> Generator[Told, None, _Stopped]:
    tactic = _planned(chase, way) if chase.plan else _decided(chase, way)
    if tactic.name == "hide":
        yield _hide(chase)
        return _Stopped(True, False)
    if tactic.name == "hazard":
        is_stopped = yield from _hazard(chase, way, tactic.penalty)
        return _Stopped(False, is_stopped)
    return _Stopped(False, False)


def _allowed(chase: _Chase, way: Way) -> list[str]:
    lead, base_cost = chase.state.lead, chase.table.options["hazard_base_cost"]
    allowed = ["run"]
    if rules.can_hide(lead, way.is_open):
        allowed.append("hide")
    if rules.can_make_hazard(lead, 0, base_cost):
        allowed.append("hazard")
    return allowed


def _planned(chase: _Chase, way: Way) -> Tactic:
    """The next tactic of the plan.

    Raises
    ------
    RefusedError
        If it is not allowed now; it names the rule.
    """
    tactic, lead = chase.plan.pop(0), chase.state.lead
    where = f"{chase.escapee.name} cannot {{}} in increment {chase.state.increments + 1}"
    if tactic.name == "hide" and not rules.can_hide(lead, way.is_open):
        why = "open ground" if way.is_open else f"a lead of {lead}, below {rules.HIDE_LEAD}"
        raise RefusedError(f"{where.format('hide')}: {why} (chase)", "tactics")
    base_cost = chase.table.options["hazard_base_cost"]
    if tactic.name == "hazard" and not rules.can_make_hazard(lead, tactic.penalty, base_cost):
        cost = rules.hazard_cost(tactic.penalty, base_cost)
        why = f"its cost of {cost} would use up the lead of {lead}"
        raise RefusedError(f"{where.format('make a hazard')}: {why} (chase)", "tactics")
    return tactic


def _decided(chase: _Chase, way: Way) -> Tactic:
    allowed = _allowed(chase, way)
    if len(allowed) == 1:
        return Tactic("run", 0)
    worth, penalty = _worth(chase, way, allowed)
    who, deciders = chase.escapee.name, chase.table.deciders
    question = f"{who}, a tactic? The lead is {chase.state.lead}"
    name = deciders.choose(
        who, question, allowed, lambda u: TACTICS[decide.chooses_tactic(*worth, u)]
    )
    if name == "hazard":
        most = rules.most_penalty(chase.state.lead, chase.table.options["hazard_base_cost"])
        question = f"{who}, with what penalty?"
        penalty = deciders.number(who, question, 0, most, lambda u: penalty)
    return Tactic(name, penalty)


def _worth(
    chase: _Chase, way: Way, allowed: Sequence[str]
) -> tuple[tuple[float, float, float], int]:
    """What each tactic is about worth, negative where not allowed; and the best penalty."""
    lead, base_cost = chase.state.lead, chase.table.options["hazard_base_cost"]
    own, theirs = pace_modifier(chase.escapee, way), pace_modifier(chase.chaser, way)
    edge = float(own - theirs)
    hiding = hampering = -1.0
    penalty = 0
    if "hide" in allowed:
        hiding = decide.hide_worth(lead, edge, theirs, _hide_over_spot(chase))
    if "hazard" in allowed:
        dexterity = chase.escapee.modifier("dexterity")
        balance = check_modifier(chase.chaser, chase.table.options["hazard_check"])
        most = rules.most_penalty(lead, base_cost)
        penalty = decide.hazard_penalty(lead, edge, own, most, base_cost, dexterity, balance, 0.0)
        cost = rules.hazard_cost(penalty, base_cost)
        hampering = decide.hazard_worth(lead, edge, own, penalty, cost, dexterity, balance)
    return (decide.escape_prob(lead, edge), hiding, hampering), penalty


def _hide(chase: _Chase) -> Told:
    escapee, chaser = chase.escapee, chase.chaser
    hide = (chase.d20(escapee, "a Hide check"), escapee.skill("hide"))
    spot = (chase.d20(chaser, "a Spot check"), chaser.skill("spot"))
    gone = rules.hides(*hide, *spot)
    text = words.hiding(escapee.name, chaser.name, hide, spot, gone, chase.pick)
    told = chase.say("hide", text, hide=list(hide), spot=list(spot), hidden=gone)
    if gone:
        chase.state, chase.how = rules.after_hiding(chase.state), "hidden"
    return told


def _hazard(chase: _Chase, way: Way, penalty: int) -> Generator[Told, None, bool]:
    """Make a hazard.

    Returns
    -------
    bool
        Whether it stops the chaser for this increment.
    """
    escapee, base_cost = chase.escapee, chase.table.options["hazard_base_cost"]
    chase.state = rules.after_hazard(chase.state, penalty, base_cost)
    dexterity = escapee.modifier("dexterity")
    natural = chase.d20(escapee, "a Dexterity check")
    made = rules.makes_hazard(natural, dexterity, penalty)
    cost, lead = rules.hazard_cost(penalty, base_cost), chase.state.lead
    thing = chase.pick(words.LOOSE_THINGS[way.kind])
    check = (natural, dexterity - penalty)
    text = words.hazard(escapee.name, thing, penalty, cost, lead, check, made)
    facts = {"natural": natural, "modifier": dexterity - penalty, "made": made}
    yield chase.say("hazard", text, penalty=penalty, cost=cost, lead=lead, **facts)
    if not made:
        return False
    skill = chase.table.options["hazard_check"]
    check = (
        chase.d20(chase.chaser, f"a {skill.title()} check"),
        check_modifier(chase.chaser, skill),
    )
    cleared = rules.clears_hazard(*check, penalty)
    text = words.hampered(chase.chaser.name, skill, penalty, check, cleared, chase.pick)
    facts = {"natural": check[0], "modifier": check[1], "cleared": cleared}
    yield chase.say("hampered", text, check=skill, **facts)
    return not cleared


# ---------------------------------------------------------------- 3. both go


def _run(chase: _Chase, who: Competitor, way: Way) -> Generator[Told, None, Ran]:
    """An increment of somebody's: what is in the way, and the check of the ground."""
    if way.dc == 0:
        return (yield from _pace(chase, who, way))
    if _is_hopeless(who, way):
        yield _out(chase, who, f"{str(way.check).title()} DC {way.dc} is beyond {who.name}. ")
        return Ran(0, True)
    got = yield from _try(chase, who, way, is_retry=False)
    is_past = got >= way.dc
    if not is_past and way.failing == HURT:
        dice = chase.table.dice.throw(HOUSE, *way.damage, "damage")
        yield chase.say("hurt", words.hurt(who.name, dice), who=who.name, dice=list(dice))
        is_past = True
    if is_past:
        # The check of a climb is the check of the increment.
        return Ran(got, False) if way.kind == "climb" else (yield from _pace(chase, who, way))
    if way.failing == "slowed":
        yield _stopped(chase, who, 0)
        return Ran(0, False)
    if way.failing == "retry":
        return (yield from _retry(chase, who, way))
    yield _out(chase, who)
    return Ran(0, True)


def _pace(chase: _Chase, who: Competitor, way: Way) -> Generator[Told, None, Ran]:
    modifier = pace_modifier(who, way)
    natural = chase.d20(who, f"a {words.CHECKS[way.kind]} check")
    text = words.pace(who.name, way.kind, (natural, modifier))
    facts = {"natural": natural, "modifier": modifier, "gained": natural + modifier}
    yield chase.say("pace", text, who=who.name, **facts)
    return Ran(natural + modifier, False)


def _is_hopeless(who: Competitor, way: Way) -> bool:
    """Say whether not even a 20 would do, where one has to get past."""
    must = way.failing in ("forfeit", "retry")
    return must and not passes(20, check_modifier(who, str(way.check)), way.dc)


def _try(chase: _Chase, who: Competitor, way: Way, is_retry: bool) -> Generator[Told, None, int]:
    """A try at what is in the way.

    Returns
    -------
    int
        What the check came to.
    """
    skill = str(way.check)
    modifier = check_modifier(who, skill)
    natural = chase.d20(who, f"a {skill.title()} check")
    passed = passes(natural, modifier, way.dc)
    text = words.obstacle(who.name, skill, way.dc, (natural, modifier), passed, is_retry)
    facts = {"check": skill, "dc": way.dc, "natural": natural, "modifier": modifier}
    yield chase.say("obstacle", text, who=who.name, passed=passed, **facts)
    return natural + modifier


def _retry(chase: _Chase, who: Competitor, way: Way) -> Generator[Told, None, Ran]:
    """Try again and again, each time for 10 of the lead, or give up."""
    is_escapee = who is chase.escapee
    cost = 0
    while True:
        lead = chase.state.lead + (-cost if is_escapee else cost)
        answer = chase.table.deciders.choose(
            who.name,
            f"{who.name}, try again for {rules.RETRY_COST}",
            ("again", "forfeit"),
            partial(_again, lead, is_escapee),
        )
        if answer == "forfeit":
            yield _out(chase, who, f"{who.name} gives up. ")
            return Ran(-cost, True)
        cost += rules.RETRY_COST
        if (yield from _try(chase, who, way, is_retry=True)) >= way.dc:
            yield _stopped(chase, who, cost)
            return Ran(-cost, False)


def _again(lead: int, is_escapee: bool, u: float) -> str:
    return "again" if decide.presses_on(lead, is_escapee, u) else "forfeit"


def _stopped(chase: _Chase, who: Competitor, cost: int) -> Told:
    text = words.stopped(who.name, cost, chase.pick)
    return chase.say("stopped", text, who=who.name, gained=-cost)


def _out(chase: _Chase, who: Competitor, why: str = "") -> Told:
    other = chase.other(who).name
    text = words.out(who.name, who is chase.escapee, other, why)
    return chase.say("forfeit", text, who=who.name)


def _end(chase: _Chase) -> Told:
    state = chase.state
    names = chase.escapee.name, chase.chaser.name
    text = words.end(*names, state.ended, state.increments, chase.how, chase.pick)
    facts = {"lead": state.lead, "increments": state.increments, "ended": ENDS[state.ended]}
    return Told("end", words.spoken(text), facts | {"how": chase.how}, chase.number)
