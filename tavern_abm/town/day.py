"""The day: wages and living costs, who comes and goes, who goes out at night and where."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from .. import chance
from ..chance import subkey, unit
from ..compiled import kernel, rule
from ..patrons.columns import HERE, LEFT, NOBODY, People, Row, Sheet
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.general import ENTRY_MUGS, Minds, can_pay_entry, logistic, may_enter
from ..tables.accounts import ESTATE, LIVING, TAX, WAGE
from ..tables.fitness import mend
from ..tables.houses import Houses
from .bar import pay_at_door

DECENT = 3
"""The band of quality beside which houses are better or worse."""


class Days(NamedTuple):
    """How days pass, as the kernel is handed it."""

    wages: int  # 1: people earn their wage
    living: int  # 1: people pay for their living
    leave_prob: float
    roaming: int  # 1: there is a choice of taverns
    loyalty: float  # what makes one's home tavern dearer, as a utility
    quality_taste: float  # what a band of quality adds to a house, as a utility
    distance: float  # what a house far from home lacks, as a utility
    repute: float  # what a house's name adds, as a utility
    tax_bp: int  # of wages


@rule
def living_cost(purse: int, wage: int) -> int:
    """What a day costs, in cp: the more, the more one has; never more than the purse.

    Without games or drink a purse comes to rest between 25 wages and 49 cp more.

    Examples
    --------
    >>> living_cost(2500, 100), living_cost(1000, 100), living_cost(30, 100)
    (100, 80, 30)
    """
    return min(purse, (40 * wage + max(0, purse - 15 * wage)) // 50)


@rule
def live_a_day(patron: Row, night: int, days: Days, flows: Any) -> None:
    """Pay for the day out of the purse, then earn its wage; who keeps at home earns none.

    Of a wage its tax goes to the treasury, rounded down, before anything is bought of it.
    """
    wage = patron.wage
    trade = patron.trade
    if days.living == 1:
        cost = living_cost(patron.gold, wage)
        patron.gold -= cost
        flows[0, LIVING, trade] += cost
    if days.wages == 1 and patron.bruised_until < night and patron.low_until < night:
        tax = wage * days.tax_bp // 10_000
        patron.gold += wage - tax
        flows[0, WAGE, trade] += wage
        flows[0, TAX, trade] += tax


@rule
def leave_for_good(patron: Row, night: int, flows: Any) -> int:
    """Go away with one's purse, in cp; the row stays, since others remember it."""
    purse = patron.gold
    flows[0, ESTATE, patron.trade] += purse
    patron.gold = 0
    patron.whereabouts = LEFT
    patron.gone = night
    return purse


@rule
def begin_evening(patron: Row, patron_id: int, night_key: int, streaks_last: int) -> None:
    """Nothing drunk, nothing tried, and the keys of tonight's draws.

    A streak of wins as the Hand goes on where that is the custom of his home tavern.
    """
    patron.luck = subkey(night_key, chance.PATRON, patron_id)
    patron.tavern = NOBODY
    patron.visited = NOBODY
    patron.table = NOBODY
    patron.wish = NOBODY
    patron.weary = 0
    patron.sitting = 0
    patron.drinks = 0
    if streaks_last == 0:
        patron.streak = 0
    patron.is_tricking = 0
    patron.net_before = patron.games_net
    patron.failed = 0
    patron.filter = 0.0
    patron.has_accused = 0


@rule
def is_welcome(patron: Row, tavern: int, night: int, houses: Houses) -> bool:
    """Say whether a patron is let in there tonight and can pay for an evening."""
    if houses.is_open[tavern] == 0:
        return False
    can_pay = can_pay_entry(patron.gold, houses.fee[tavern], houses.mug[tavern])
    return may_enter(patron, tavern, night) and can_pay


@rule
def another_tavern(patron: Row, quarter: int, houses: Houses) -> int:
    """The house beside his own that comes to a patron's mind tonight; NOBODY if there is none.

    The nearer to where he lives and the larger it is, the likelier:
    ``houses.comes_to_mind`` has the weights, added up.
    """
    home = patron.home
    last = len(houses.fee) - 1
    before = 0.0
    if home > 0:
        before = houses.comes_to_mind[quarter, home - 1]
    own = houses.comes_to_mind[quarter, home] - before
    others = houses.comes_to_mind[quarter, last] - own
    if others <= 0.0:
        return NOBODY
    luck = unit(patron.luck, chance.COME_TO_MIND, 0) * others
    first, end = 0, home - 1
    # The two parts of the row are searched apart, so that no rounding finds his own.
    if (luck >= before and home < last) or home == 0:
        luck += own
        first, end = home + 1, last
    while first < end:
        middle = (first + end) // 2
        if houses.comes_to_mind[quarter, middle] > luck:
            end = middle
        else:
            first = middle + 1
    return first


@rule
def price_of_evening(tavern: int, houses: Houses) -> int:
    """The fee at the door and two mugs, in cp."""
    return houses.fee[tavern] + ENTRY_MUGS * houses.mug[tavern]


@rule
def draws_him(
    patron: Row,
    quarter: int,
    tavern: int,
    houses: Houses,
    days: Days,
    tavern_appeal: Callable[..., float],
) -> float:
    """How much a house draws somebody who lives in a `quarter`, as a utility."""
    loyalty = days.loyalty if tavern == patron.home else 0.0
    return tavern_appeal(
        patron,
        loyalty,
        price_of_evening(tavern, houses),
        days.quality_taste * (houses.quality[tavern] - DECENT),
        days.distance * houses.is_far[quarter, tavern],
        days.repute * houses.repute[tavern],
    )


@rule
def pick_tavern(
    patron: Row,
    quarter: int,
    night: int,
    houses: Houses,
    days: Days,
    tavern_appeal: Callable[..., float],
) -> int:
    """Where a patron would go tonight; NOBODY if there is nowhere he could.

    His own house or, where people roam, one other: so what loyalty is worth
    does not depend on how many houses a town has.
    """
    home = patron.home
    is_welcome_home = is_welcome(patron, home, night, houses)
    if days.roaming == 0:
        return home if is_welcome_home else NOBODY
    other = another_tavern(patron, quarter, houses)
    if other == NOBODY or not is_welcome(patron, other, night, houses):
        return home if is_welcome_home else NOBODY
    if not is_welcome_home:
        return other
    at_home = draws_him(patron, quarter, home, houses, days, tavern_appeal)
    elsewhere = draws_him(patron, quarter, other, houses, days, tavern_appeal)
    stays = unit(patron.luck, chance.PICK_TAVERN, 1) < logistic(at_home - elsewhere)
    return home if stays else other


@cache
def make_live_day(
    goes_out: Callable[..., bool], tavern_appeal: Callable[..., float]
) -> Callable[..., tuple[int, int]]:
    """The kernel of the day up to the tavern's door, with these decisions.

    It fills `guests` with the rows of those who want to go out (their `tavern`
    is set) and `leavers` with the rows and purses of those who left for good,
    and returns how many there are of each.
    """

    @kernel(defaults=shipped_decisions())
    def live_day(
        n: int,
        night: int,
        night_key: int,
        people: People,
        sheet: Sheet,
        houses: Houses,
        minds: Minds,
        days: Days,
        flows: Any,
        guests: Any,
        leavers: Any,
    ) -> tuple[int, int]:
        n_guests = 0
        n_leavers = 0
        for row in range(n):
            patron = people[row]
            if patron.whereabouts != HERE:
                continue
            begin_evening(patron, row + 1, night_key, houses.streaks_last[patron.home])
            if patron.is_player == 1:
                continue
            luck = patron.luck
            if patron.wounds > 0:
                mend(patron, sheet[row])
            if patron.arrived != night:
                live_a_day(patron, night, days, flows)
                can_leave = patron.is_rooted == 0
                if can_leave and unit(luck, chance.LEAVE, 0) < days.leave_prob:
                    leavers[n_leavers, 0] = row
                    leavers[n_leavers, 1] = leave_for_good(patron, night, flows)
                    n_leavers += 1
                    continue
            quarter = sheet[row].quarter
            tavern = pick_tavern(patron, quarter, night, houses, days, tavern_appeal)
            u = unit(luck, chance.GO_OUT, 0)
            if tavern != NOBODY and goes_out(patron, minds, night, u):
                patron.tavern = tavern
                guests[n_guests] = row
                n_guests += 1
        return n_guests, n_leavers

    return live_day


@cache
def make_enter() -> Callable[..., None]:
    """The kernel that takes the fee of each guest at the door."""

    @kernel
    def enter(guests: Any, people: People, houses: Houses, counts: Any, flows: Any) -> None:
        for i in range(len(guests)):
            pay_at_door(people[guests[i]], houses, counts, flows)

    return enter


@cache
def make_count_newcomers() -> Callable[..., int]:
    """The kernel that says how many of the vacant places are filled today."""

    @kernel
    def count_newcomers(night_key: int, n_vacant: int, arrive_prob: float) -> int:
        n = 0
        for place in range(n_vacant):
            if unit(night_key, chance.ARRIVE, place) < arrive_prob:
                n += 1
        return n

    return count_newcomers
