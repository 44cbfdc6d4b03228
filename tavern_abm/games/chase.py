"""Chases.

Players   the escapee, who runs, and the chaser, who is after him
Stakes    none; it is what happens when somebody runs
Start     the escapee's lead: his initiative check, or 5 for each full increment
          of the chaser's base speed between them
Order     increment by increment: the escapee picks one of the ways on offer and may
          use one tactic; then both make the check the ground asks for. What the
          escapee's comes to is added to the lead, what the chaser's comes to is
          taken off. The checks are those of a race (`race_sheet`): on foot, climbing,
          swimming, mounted or driving
Tactics   hide, with a lead of 20 or more and not on open ground: Hide must beat Spot;
          hazard, for 5 and a penalty p of the lead: Dexterity - p against DC 14,
          then the chaser must reach 10 + p or gain nothing this increment
End       a lead of 0 or less: caught; 30 or more: away; who forfeits at an obstacle
          is caught or has lost him; after 100 increments the chaser gives up
Source    Degree of Success, games of skill for the third edition of d20;
          our rulings stand in docs/games/chase.md

Everything here is a rule: state in, thrown dice in, state out. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from ..asking import (
    Answer,
    Flag,
    Option,
    Question,
    RefusedError,
    Whole,
    chance_lines,
    verify_of_use,
)
from ..checks import opposed, passes
from ..compiled import rule
from . import odds

ABOUT = "One runs, one is after him, increment by increment."
PLACE = "street"
MIN_SEATS = MAX_SEATS = 2

RUNNING, CAUGHT, AWAY, CALLED_OFF = 0, 1, 2, 3
"""Where a chase stands."""
RUN, HIDE, HAZARD = 0, 1, 2
"""What the escapee does beside running, at most one thing an increment."""
AWAY_LEAD = 30
HIDE_LEAD = 20
LEAD_PER_STRETCH = 5
HAZARD_DC = 14
HAZARD_BASE_DC = 10
HAZARD_BASE_COST = 5
RETRY_COST = 10
MAX_INCREMENTS = 100

OPTIONS = (
    Option(
        "hazard_base_cost",
        Whole(0, AWAY_LEAD - 1),
        HAZARD_BASE_COST,
        "What a hazard costs beside its penalty; 0 as the source's example reckons.",
    ),
    Option("max_increments", Whole(1, 200), MAX_INCREMENTS, "The chaser gives up after so many."),
)
"""What a table may settle for itself."""


class Chase(NamedTuple):
    """Where a chase stands."""

    lead: int  # the escapee's total less the chaser's
    increments: int  # run so far
    ended: int  # RUNNING, CAUGHT, AWAY or CALLED_OFF


@rule
def judged(lead: int) -> int:
    """What a lead means at the end of an increment: RUNNING, CAUGHT or AWAY.

    Examples
    --------
    >>> [judged(lead) for lead in (0, 1, 29, 30)] == [CAUGHT, RUNNING, RUNNING, AWAY]
    True
    """
    if lead <= 0:
        return CAUGHT
    return AWAY if lead >= AWAY_LEAD else RUNNING


@rule
def set_out(lead: int) -> Chase:
    """A chase that starts with a lead; without one it is over already."""
    return Chase(lead, 0, judged(lead))


@rule
def lead_over_distance(distance_ft: int, chaser_speed_ft: int) -> int:
    """The lead that a distance gives: 5 for each full increment of the chaser's base speed.

    Examples
    --------
    >>> lead_over_distance(100, 30), lead_over_distance(29, 30)
    (15, 0)
    """
    return LEAD_PER_STRETCH * (distance_ft // chaser_speed_ft)


@rule
def can_hide(lead: int, is_open_ground: bool) -> bool:
    """Say whether the escapee may try to hide where he is."""
    return lead >= HIDE_LEAD and not is_open_ground


@rule
def hides(natural_hide: int, hide: int, natural_spot: int, spot: int) -> bool:
    """Say whether he is gone: his Hide check must beat the chaser's Spot, not just equal it.

    Examples
    --------
    >>> hides(11, 4, 12, 2), hides(11, 4, 12, 3)
    (True, False)
    """
    return opposed(natural_hide, hide, natural_spot, spot) > 0


@rule
def hazard_cost(penalty: int, base_cost: int) -> int:
    """What a hazard takes off the lead, whether or not it comes off."""
    return base_cost + penalty


@rule
def most_penalty(lead: int, base_cost: int) -> int:
    """The largest penalty a lead can pay for; negative where it can pay for no hazard.

    Examples
    --------
    >>> most_penalty(12, 5), most_penalty(5, 5)
    (6, -1)
    """
    return lead - 1 - base_cost


@rule
def can_make_hazard(lead: int, penalty: int, base_cost: int) -> bool:
    """Say whether the lead is not used up by a hazard with this penalty."""
    return 0 <= penalty <= most_penalty(lead, base_cost)


@rule
def makes_hazard(natural: int, dexterity: int, penalty: int) -> bool:
    """Say whether a hazard comes off: a Dexterity check, DC 14, burdened by the penalty."""
    return passes(natural, dexterity - penalty, HAZARD_DC)


@rule
def clears_hazard(natural: int, modifier: int, penalty: int) -> bool:
    """Say whether the chaser gets past a hazard: DC 10 + the penalty it was made with."""
    return passes(natural, modifier, HAZARD_BASE_DC + penalty)


@rule
def after_hazard(chase: Chase, penalty: int, base_cost: int) -> Chase:
    """The chase once a hazard has been paid for."""
    return Chase(chase.lead - hazard_cost(penalty, base_cost), chase.increments, chase.ended)


@rule
def after_hiding(chase: Chase) -> Chase:
    """The chase once he has hidden: he is away, whatever the lead."""
    return Chase(chase.lead, chase.increments + 1, AWAY)


@rule
def after_forfeit(chase: Chase, is_escapee: bool) -> Chase:
    """The chase after somebody could not get on: the escapee is caught, the chaser has lost him."""
    return Chase(chase.lead, chase.increments + 1, CAUGHT if is_escapee else AWAY)


@rule
def after_increment(chase: Chase, gained: int, lost: int, max_increments: int) -> Chase:
    """The chase after both have run an increment.

    Parameters
    ----------
    gained, lost : int
        What the escapee and the chaser added to their totals: their checks, 0 if they
        were stopped, less 10 for each retry.
    max_increments : int
        The chaser gives up after so many.

    Examples
    --------
    >>> after_increment(set_out(8), 12, 0, 100)
    Chase(lead=20, increments=1, ended=0)
    """
    lead, run = chase.lead + gained - lost, chase.increments + 1
    ended = judged(lead)
    if ended == RUNNING and run >= max_increments:
        ended = CALLED_OFF
    return Chase(lead, run, ended)


# ---------------------------------------------------------------- exact odds

D20 = odds.fair_die(20)
HIDDEN = AWAY_LEAD + 1
"""Beside leads, where the solver puts those who have hidden."""


class Hazards(NamedTuple):
    """Hazards as somebody makes one whenever he can pay for it and does not hide."""

    penalty: int
    dexterity: int  # the escapee's modifier
    balance: int  # the chaser's modifier, speed included
    base_cost: int = HAZARD_BASE_COST


class Odds(NamedTuple):
    """How a chase ends; the first three add up to 1."""

    caught: Fraction
    away: Fraction  # those who have hidden among them
    called_off: Fraction
    hidden: Fraction
    mean_increments: Fraction


def exact_odds(
    start: int | odds.Distribution[int],
    modifier_escapee: int = 0,
    modifier_chaser: int = 0,
    *,
    hide_over_spot: int | None = None,
    hazards: Hazards | None = None,
    max_increments: int = MAX_INCREMENTS,
) -> Odds:
    """How a chase ends on even ground, where both roll d20 + a modifier each increment.

    Parameters
    ----------
    start : int or mapping of lead to probability
        The lead at the start.
    modifier_escapee, modifier_chaser : int
        What each adds to his check; only the difference matters.
    hide_over_spot : int, optional
        The escapee hides as soon as he may; his Hide modifier less the chaser's Spot.
        None: he never does.
    hazards : Hazards, optional
        He makes such a hazard whenever he can. None: he never does.
    max_increments : int, default 100
        Then it is called off.

    Notes
    -----
    Chances are carried from increment to increment as whole numbers over a common
    denominator, so nothing is rounded.

    Examples
    --------
    >>> round(float(exact_odds(10, 2, 0).caught), 6)
    0.372504
    """
    first = {start: Fraction(1)} if isinstance(start, int) else start
    moves = _Moves(modifier_escapee, modifier_chaser, hide_over_spot, hazards)
    steps = {lead: moves.after(lead) for lead in range(1, AWAY_LEAD)}
    per_step = _common_denominator(steps.values())
    per_start = _common_denominator([first])
    weights = {lead: _weights(step, per_step) for lead, step in steps.items()}
    here = [0] * (HIDDEN + 1)
    for lead, weight in _weights(first, per_start).items():
        here[_clipped(lead)] += weight
    n_running, total = 0, per_start
    for _ in range(max_increments):
        n_running = n_running * per_step + sum(here[1:AWAY_LEAD])
        total *= per_step
        here = _next(here, weights, per_step)
    # The sum above is of chances over ever larger denominators, the last of them left out.
    mean = Fraction(n_running * per_step, total)
    caught, hidden = Fraction(here[0], total), Fraction(here[HIDDEN], total)
    away = Fraction(here[AWAY_LEAD], total) + hidden
    return Odds(caught, away, 1 - caught - away, hidden, mean)


def _next(here: list[int], weights: Mapping[int, Mapping[int, int]], per_step: int) -> list[int]:
    """The weights an increment later; what has ended stays where it is."""
    after = [0] * len(here)
    for lead, weight in enumerate(here):
        if lead not in weights:
            after[lead] += weight * per_step
        elif weight:
            for reached, chance in weights[lead].items():
                after[reached] += weight * chance
    return after


def _clipped(lead: int) -> int:
    return min(max(lead, 0), AWAY_LEAD)


def _common_denominator(distributions: Any) -> int:
    return lcm(*(chance.denominator for each in distributions for chance in each.values()))


def _weights(distribution: odds.Distribution[int], denominator: int) -> dict[int, int]:
    return {each: int(chance * denominator) for each, chance in distribution.items()}


class _Moves:
    """Where an increment leads to from each lead."""

    def __init__(
        self, escapee: int, chaser: int, hide_over_spot: int | None, hazards: Hazards | None
    ) -> None:
        self.ahead = {natural + escapee: p for natural, p in D20.items()}
        self.behind = {-(natural + chaser): p for natural, p in D20.items()}
        self.both = _sum_of(self.ahead, self.behind)
        self.hide_over_spot, self.hazards = hide_over_spot, hazards

    def after(self, lead: int) -> odds.Distribution[int]:
        """The lead after an increment, 0 for caught, AWAY_LEAD for away, HIDDEN."""
        if self.hide_over_spot is not None and can_hide(lead, False):
            gone = hide_prob(self.hide_over_spot)
            seen = [(_clipped(lead + move), (1 - gone) * p) for move, p in self.behind.items()]
            return odds.gather([(HIDDEN, gone), *seen])
        hazards = self.hazards
        if hazards is None or not can_make_hazard(lead, hazards.penalty, hazards.base_cost):
            return odds.gather((_clipped(lead + move), p) for move, p in self.both.items())
        left = lead - hazard_cost(hazards.penalty, hazards.base_cost)
        stopped = hazard_prob(*hazards[:3])
        return odds.gather(
            (_clipped(left + move), chance * p)
            for chance, moves in ((stopped, self.ahead), (1 - stopped, self.both))
            for move, p in moves.items()
        )


def _sum_of(a: odds.Distribution[int], b: odds.Distribution[int]) -> odds.Distribution[int]:
    return odds.gather((x + y, p * q) for x, p in a.items() for y, q in b.items())


def hide_prob(hide_over_spot: int) -> Fraction:
    """Chance that an attempt to hide ends the chase."""
    pairs = (
        (hides(a, hide_over_spot, b, 0), p * q) for a, p in D20.items() for b, q in D20.items()
    )
    return odds.gather(pairs).get(True, Fraction(0))


def hazard_prob(penalty: int, dexterity: int, balance: int) -> Fraction:
    """Chance that a hazard comes off and stops the chaser for an increment."""
    made = sum(p for natural, p in D20.items() if makes_hazard(natural, dexterity, penalty))
    cleared = sum(p for natural, p in D20.items() if clears_hazard(natural, balance, penalty))
    return Fraction(made * (1 - cleared))


def initiative_leads(initiative: int) -> odds.Distribution[int]:
    """The lead that an initiative check gives, with its chances."""
    return {natural + initiative: p for natural, p in D20.items()}


# ---------------------------------------------------------------- what can be asked

_MODIFIER = Whole(-30, 60)
_STARTS = ("lead", "initiative", "distance_ft")
START_OPTIONS = (
    Option("lead", Whole(-99, 99), None, "The lead at the start."),
    Option("distance_ft", Whole(0, 5000), None, "Feet between them at the start, in its place."),
)
"""How a chase may start; if nothing is said, with an initiative check."""


def verify_one_start(asked: Mapping[str, Any]) -> None:
    """Say so if more than one start is given.

    Raises
    ------
    RefusedError
        Naming the first two.
    """
    said = [name for name in _STARTS if asked.get(name) is not None]
    if len(said) > 1:
        first, second = (Option(name, Flag()).flag for name in said[:2])
        raise RefusedError(
            f"a chase starts in one way: give {first} or {second}, not both (chase)", said[1]
        )


def _answer(asked: Mapping[str, Any]) -> Answer:
    verify_one_start(asked)
    _verify_of_use(asked)
    start, how = _start(asked)
    hide_over_spot = None if asked["hide"] is None else asked["hide"] - asked["spot"]
    found = exact_odds(
        start,
        asked["modifier_escapee"],
        asked["modifier_chaser"],
        hide_over_spot=hide_over_spot,
        hazards=_hazards(asked),
        max_increments=asked["max_increments"],
    )
    rows = [("he is caught", found.caught), ("he gets away", found.away)]
    data: dict[str, Any] = {"caught": found.caught, "away": found.away}
    if hide_over_spot is not None:
        rows.append(("   by hiding", found.hidden))
        data["hidden"] = found.hidden
    rows += [("called off", found.called_off), ("mean increments", found.mean_increments)]
    data |= {"called_off": found.called_off, "mean_increments": found.mean_increments}
    return Answer(data, [f"A chase that starts with {how}:", *chance_lines(rows)])


_PARTS = {
    "distance_ft": ("chaser_speed_ft",),
    "hide": ("spot",),
    "penalty": ("dexterity", "balance", "hazard_base_cost"),
}
"""What says nothing unless the option before it is given."""


def _verify_of_use(asked: Mapping[str, Any]) -> None:
    problems = {
        part: f"it goes with {Option(whole, Flag()).flag}; give that too (chase)"
        for whole, parts in _PARTS.items()
        for part in parts
        if asked[whole] is None
    }
    verify_of_use(ODDS.options, asked, problems)


def _start(asked: Mapping[str, Any]) -> tuple[int | odds.Distribution[int], str]:
    if asked["lead"] is not None:
        return asked["lead"], f"a lead of {asked['lead']}"
    if asked["distance_ft"] is not None:
        lead = lead_over_distance(asked["distance_ft"], asked["chaser_speed_ft"])
        return lead, f"{asked['distance_ft']} ft between them, a lead of {lead}"
    initiative = asked["initiative"] or 0
    return initiative_leads(initiative), f"an initiative check of {initiative:+d}"


def _hazards(asked: Mapping[str, Any]) -> Hazards | None:
    """The hazards that were asked for.

    Raises
    ------
    RefusedError
        If no lead could pay for them.
    """
    penalty, base_cost = asked["penalty"], asked["hazard_base_cost"]
    if penalty is None:
        return None
    if not can_make_hazard(AWAY_LEAD - 1, penalty, base_cost):
        cost = hazard_cost(penalty, base_cost)
        raise RefusedError(
            f"a hazard that costs {cost} uses up any lead below {AWAY_LEAD} (chase)", "penalty"
        )
    return Hazards(penalty, asked["dexterity"], asked["balance"], base_cost)


ODDS = Question(
    options=(
        *START_OPTIONS,
        Option("initiative", _MODIFIER, None, "The escapee's modifier to an initiative check."),
        Option("chaser_speed_ft", Whole(5, 300), 30, "The chaser's base speed."),
        Option("modifier_escapee", _MODIFIER, 0, "What the escapee adds to his checks."),
        Option("modifier_chaser", _MODIFIER, 0, "What the chaser adds to his."),
        Option("hide", _MODIFIER, None, "He hides as soon as he may, with this modifier."),
        Option("spot", _MODIFIER, 0, "The chaser's Spot."),
        Option("penalty", Whole(0, AWAY_LEAD), None, "He makes hazards with this penalty."),
        Option("dexterity", _MODIFIER, 0, "His modifier for hazards."),
        Option("balance", _MODIFIER, 0, "The chaser's modifier against them, speed included."),
        *OPTIONS,
    ),
    answer=_answer,
    help="""Give the odds of a chase, exactly.

    Both roll d20 and a modifier each increment, on ground without obstacles. The
    escapee may use tactics: he hides as soon as he may (--hide), and makes a hazard
    whenever his lead can pay for it and he does not hide (--penalty).

    \b
      tavern odds chase --lead 10 --modifier-escapee 2
      tavern odds chase --distance-ft 100 --chaser-speed-ft 30
      tavern odds chase --lead 10 --hide 4 --spot 1 --penalty 2 --dexterity 3
    """,
)
