"""What the escapee tries beside running: he hides, or puts a hazard in the chaser's way."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import NamedTuple

from ..asking import RefusedError
from ..games import chase as rules
from ..games import race_sheet
from ..patrons.decisions import chase as decide
from . import chase_words as words
from .chase_going import Chase, Tactic, check_modifier, mean_pace
from .chase_ways import Way, is_mounted
from .telling import Told

TACTICS = ("run", "hide", "hazard")


class Stopped(NamedTuple):
    """Who gains nothing this increment because of a tactic."""

    escapee: bool
    chaser: bool


def use_tactic(chase: Chase, way: Way) -> Generator[Told, None, Stopped]:
    """The escapee's tactic for this increment, if he uses one."""
    tactic = _planned(chase, way) if chase.plan else _decided(chase, way)
    if tactic.name == "hide":
        yield _hide(chase)
        return Stopped(True, False)
    if tactic.name == "hazard":
        is_stopped = yield from _hazard(chase, way, tactic)
        return Stopped(False, is_stopped)
    return Stopped(False, False)


# ---------------------------------------------------------------- which


def _allowed(chase: Chase, way: Way) -> list[str]:
    lead, base_cost = chase.state.lead, chase.table.options["hazard_base_cost"]
    allowed = ["run"]
    if rules.can_hide(lead, way.is_open):
        allowed.append("hide")
    if rules.can_make_hazard(lead, 0, base_cost):
        allowed.append("hazard")
    return allowed


def _planned(chase: Chase, way: Way) -> Tactic:
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


def _decided(chase: Chase, way: Way) -> Tactic:
    allowed = _allowed(chase, way)
    if len(allowed) == 1:
        return Tactic("run")
    worth, penalty = _worth(chase, way, allowed)
    question = f"{chase.escapee.name}, a tactic? The lead is {chase.state.lead}"
    name = chase.table.deciders.choose(
        chase.escapee.name,
        words.spoken(question),
        allowed,
        lambda u: _allowed_one(chase.decide["chooses_tactic"](*worth, u), allowed),
    )
    return _designed(chase, way, penalty) if name == "hazard" else Tactic(name)


def _allowed_one(tactic: int, allowed: Sequence[str]) -> str:
    """The tactic of a number; to run, where a user's own function names one not allowed."""
    return TACTICS[tactic] if 0 <= tactic < len(TACTICS) and TACTICS[tactic] in allowed else "run"


def _designed(chase: Chase, way: Way, penalty: int) -> Tactic:
    """The hazard: its penalty, what it is, and the check that gets the chaser past it."""
    who, deciders = chase.escapee.name, chase.table.deciders
    base_cost = chase.table.options["hazard_base_cost"]
    most = rules.most_penalty(chase.state.lead, base_cost)
    question = f"{who}, with what penalty? It costs {base_cost} more than that, off the lead"
    penalty = deciders.number(who, words.spoken(question), 0, most, lambda u: penalty)
    if not deciders.is_asked(who):
        return Tactic("hazard", penalty)
    question = f"{who}, what is it? Nothing typed: whatever stands there"
    thing = deciders.describe(who, words.spoken(question))
    first = hazard_check(chase, way.kind)
    fitting = race_sheet.MOUNTED_SKILLS if is_mounted(way.kind) else race_sheet.SKILLS
    checks = [first, *(check for check in fitting if check != first)]
    question = f"{who}, what check gets {chase.chaser.name} past it?"
    check = deciders.choose(who, words.spoken(question), checks, lambda u: first)
    return Tactic("hazard", penalty, check, thing)


def hazard_check(chase: Chase, kind: str, wanted: str = "") -> str:
    """The check that clears a hazard: the one wanted or the table's; in the saddle Ride."""
    check = str(wanted or chase.table.options["hazard_check"])
    return "ride" if is_mounted(kind) and check not in race_sheet.MOUNTED_SKILLS else check


def _worth(
    chase: Chase, way: Way, allowed: Sequence[str]
) -> tuple[tuple[float, float, float], int]:
    """What each tactic is about worth, negative where not allowed; and the best penalty."""
    lead, base_cost = chase.state.lead, chase.table.options["hazard_base_cost"]
    own, theirs = (round(mean_pace(who, way.kind)) for who in (chase.escapee, chase.chaser))
    edge = float(own - theirs)
    hiding = hampering = -1.0
    penalty = 0
    if "hide" in allowed:
        hiding = decide.hide_worth(lead, edge, theirs, hide_over_spot(chase))
    if "hazard" in allowed:
        dexterity = chase.escapee.modifier("dexterity")
        balance = check_modifier(chase.chaser, way.kind, hazard_check(chase, way.kind))
        most = rules.most_penalty(lead, base_cost)
        take = chase.decide["hazard_penalty"]
        penalty = take(lead, edge, own, most, base_cost, dexterity, balance, 0.0)
        penalty = min(most, max(0, penalty))
        cost = rules.hazard_cost(penalty, base_cost)
        hampering = decide.hazard_worth(lead, edge, own, penalty, cost, dexterity, balance)
    return (decide.escape_prob(lead, edge), hiding, hampering), penalty


def hide_over_spot(chase: Chase) -> int:
    """By how much the escapee's Hide is above the chaser's Spot."""
    return chase.escapee.skill("hide") - chase.chaser.skill("spot")


# ---------------------------------------------------------------- how it goes


def _hide(chase: Chase) -> Told:
    escapee, chaser = chase.escapee, chase.chaser
    hide = (chase.d20(escapee, "a Hide check"), escapee.skill("hide"))
    spot = (chase.d20(chaser, "a Spot check"), chaser.skill("spot"))
    gone = rules.hides(*hide, *spot)
    text = words.hiding(escapee.name, chaser.name, hide, spot, gone, chase.pick)
    told = chase.say("hide", text, hide=list(hide), spot=list(spot), hidden=gone)
    if gone:
        chase.state, chase.how = rules.after_hiding(chase.state), "hidden"
    return told


def _hazard(chase: Chase, way: Way, tactic: Tactic) -> Generator[Told, None, bool]:
    """Make a hazard.

    Returns
    -------
    bool
        Whether it stops the chaser for this increment.
    """
    escapee, penalty = chase.escapee, tactic.penalty
    base_cost = chase.table.options["hazard_base_cost"]
    chase.state = rules.after_hazard(chase.state, penalty, base_cost)
    check = (
        chase.d20(escapee, "a Dexterity check"),
        escapee.modifier("dexterity") - penalty,
    )
    made = rules.makes_hazard(check[0], escapee.modifier("dexterity"), penalty)
    cost, lead = rules.hazard_cost(penalty, base_cost), chase.state.lead
    found = chase.pick(words.loose_things(way))
    thing = words.of_own(tactic.thing) if tactic.thing else found
    text = words.hazard(escapee.name, thing, penalty, cost, lead, check, made)
    facts = {"natural": check[0], "modifier": check[1], "made": made}
    facts |= {"penalty": penalty, "cost": cost, "lead": lead}
    yield chase.say("hazard", text, thing=tactic.thing or None, **facts)
    if not made:
        return False
    return (yield from _hamper(chase, way, tactic))


def _hamper(chase: Chase, way: Way, tactic: Tactic) -> Generator[Told, None, bool]:
    """The chaser at a hazard; whether it stops him."""
    chaser, skill = chase.chaser, hazard_check(chase, way.kind, tactic.check)
    modifier = check_modifier(chaser, way.kind, skill)
    check = (chase.d20(chaser, f"a {skill.title()} check"), modifier)
    cleared = rules.clears_hazard(*check, tactic.penalty)
    name, penalty = chaser.name, tactic.penalty
    text = words.hampered(name, way.kind, skill, penalty, check, cleared, chase.pick)
    facts = {"natural": check[0], "modifier": check[1], "cleared": cleared}
    yield chase.say("hampered", text, check=skill, **facts)
    return not cleared
