"""Loans: a stake for one who is broke, from one who knows and trusts him.

Asked for in the house as a sitting begins, paid back in the morning on the
night it is due, or not. A debt that was not paid falls due again after as
many nights; it lapses when either of the two is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import chance
from ..chance import draw, slot, subkey, unit
from ..coins import show
from ..compiled import kernel, rule
from ..patrons.columns import HERE, NOBODY, People, Row, Sheet
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.general import logistic, logit
from ..patrons.decisions.lending import Loans, dodge_slope
from ..society.acquaintance import KIN
from ..society.suspicion import Beliefs, Memory, Ways, find, log_odds_now, memory_of
from ..tables.accounts import BORROWED, GOT_BACK, LENT, PAID_BACK
from ..tables.happenings import Event, Person, plain_event
from ..tables.picking import Menu
from ..tables.record import N_DODGED, N_LOANS, N_LOANS_CP, N_PAID_BACK
from ..tables.seating import Crowd, Sitting

if TYPE_CHECKING:
    from ..scenario.schema import Scenario

MOST_ASKED = 8
"""Friends whom one asks for a loan before a sitting."""
ASK, BEGIN, FIRST_ASKED = range(3)  # slots of the draws of purpose LEND in a sitting

LOAN, PAID, UNPAID, UNABLE = range(1, 5)
"""What became of a debt. UNABLE: he had less in his purse than he owed."""
DEBT = np.dtype(
    [
        (name, np.int64)
        for name in (
            "what",
            "night",
            "round",  # 0 for what happens in the morning
            "tavern",  # index, NOBODY in the morning
            "debtor",  # row, as is the next
            "creditor",
            "amount",  # cp
            "due",  # night
        )
    ]
)
"""What happened to a debt, as it is logged."""

KINDS = {
    "lent": "borrowed amount_cp from other_id, who trusts him",
    "paid_back": "paid back the amount_cp he owed to other_id",
    "dodged": "did not pay back the amount_cp he owed to other_id when it was due",
}
"""Kinds of event; patron_id is always the debtor."""
WORDINGS = {
    LOAN: (
        "{creditor} lent {debtor} {sum}, to be paid back by night {due}.",
        "{debtor} was broke, and {creditor} let {him} have {sum} until night {due}.",
        "{debtor} asked round the room for {sum}, and {creditor} lent it, due on night {due}.",
    ),
    PAID: (
        "{debtor} paid {creditor} back the {sum} {he} owed.",
        "{debtor} came round in the morning with the {sum} {he} owed {creditor}.",
    ),
    UNPAID: (
        "{debtor} had the {sum} {he} owed {creditor}, and kept it.",
        "{creditor} asked for {sum} back, and {debtor} would not pay though {he} could.",
    ),
    UNABLE: (
        "{debtor} could not pay {creditor} the {sum} {he} owed.",
        "The {sum} {debtor} owed {creditor} fell due, and {his} purse was too light.",
    ),
}


def make_loans(scenario: Scenario) -> Loans:
    """How loans go in a scenario."""
    loans = scenario.loans
    return Loans(
        lending=int(loans.lending),
        due_nights=loans.due_nights,
        trust=loans.trust,
        share_of_purse=loans.share_of_purse,
        dodge_logit=logit(loans.dodge_prob),
        honesty=dodge_slope(scenario.population.honesty_odds_ratio),
        grudge_nights=scenario.justice.grudge_nights,
    )


def blank_log(n: int) -> Any:
    """Room for `n` records of DEBT."""
    return np.zeros(n, DEBT).view(np.recarray)


@rule
def cheapest_stake(menu: Menu, tavern: int) -> int:
    """The least stake of a tavern's rooms, 1 where a table agrees on its own; 0 without rooms."""
    least = 0
    for at in range(menu.starts[tavern], menu.starts[tavern + 1]):
        stake = max(1, menu.stake[at])
        least = stake if least == 0 else min(least, stake)
    return least


@rule
def belief_about(memory: Memory, other: int, night: int, ways: Ways) -> float:
    """What somebody believes about another, 0 to 1; the prior where he holds no belief."""
    k = find(memory, other)
    return logistic(ways.prior if k == NOBODY else log_odds_now(memory, k, night, ways))


@rule
def resents(patron: Row, other: int, night: int, loans: Loans) -> bool:
    """Say whether he bears the other a grudge tonight."""
    return patron.grudge == other and night - patron.grudge_night <= loans.grudge_nights


@rule
def find_lender(
    row: int,
    asked: int,
    when: Sitting,
    people: People,
    beliefs: Beliefs,
    ways: Ways,
    acquaintances: Any,
    loans: Loans,
    lends: Callable[..., bool],
) -> int:
    """The first of somebody's acquaintances in the house who lends him that; or NOBODY.

    He asks kin before others, each from a place in his circle that is drawn, and
    no more than `MOST_ASKED`.
    """
    patron, circle = people[row], acquaintances[row]
    start = draw(patron.luck, chance.LEND, slot(when.sitting, BEGIN)) % len(circle)
    n_asked = 0
    for among_kin in (True, False):
        for step in range(len(circle)):
            known = circle[(start + step) % len(circle)]
            other = int(known.other)
            if other == NOBODY or (known.tie == KIN) != among_kin:
                continue
            lender = people[other]
            if lender.tavern != patron.tavern or lender.is_player == 1:
                continue
            if n_asked == MOST_ASKED:
                return NOBODY
            u = unit(patron.luck, chance.LEND, slot(when.sitting, FIRST_ASKED + n_asked))
            n_asked += 1
            belief = belief_about(memory_of(beliefs, other), row, when.night, ways)
            grudge = resents(lender, row, when.night, loans)
            if lends(lender, asked, belief, among_kin, grudge, loans, u):
                return other
    return NOBODY


@rule
def write_debt(
    debt: Any, what: int, night: int, round_: int, tavern: int, debtor: int, patron: Row
) -> None:
    """Log what happened to a debt, before it is changed or forgotten."""
    debt.what = what
    debt.night = night
    debt.round = round_
    debt.tavern = tavern
    debt.debtor = debtor
    debt.creditor = patron.owes_to
    debt.amount = patron.owes_cp
    debt.due = patron.owes_due


@rule
def hand_over(
    giver: Row, taker: Row, coins: int, place: int, out: int, into: int, flows: Any
) -> None:
    """Coins from one purse into another; `place` is 0 or 1 + the tavern."""
    giver.gold -= coins
    flows[place, out, giver.trade] += coins
    taker.gold += coins
    flows[place, into, taker.trade] += coins


@rule
def clear_debt(patron: Row) -> None:
    """Nothing is owed any more."""
    patron.owes_to = NOBODY
    patron.owes_cp = 0


@cache
def make_lend(asks_for_loan: Callable[..., int], lends: Callable[..., bool]) -> Callable[..., int]:
    """The kernel that lends to the broke as a sitting begins, with these decisions.

    It writes each loan into `log`, which has room for one a guest, and returns how
    many there were. Who owes already borrows nothing more. Players' characters
    neither lend nor borrow.
    """

    @kernel(defaults=shipped_decisions())
    def lend(
        when: Sitting,
        menu: Menu,
        crowd: Crowd,
        people: People,
        beliefs: Beliefs,
        ways: Ways,
        acquaintances: Any,
        loans: Loans,
        counts: Any,
        flows: Any,
        log: Any,
    ) -> int:
        n = 0
        if loans.lending == 0:
            return n
        for i in range(len(crowd.rows)):
            row = crowd.rows[i]
            patron = people[row]
            tavern = patron.tavern
            if tavern == NOBODY or patron.owes_to != NOBODY or patron.is_player == 1:
                continue
            cheapest = cheapest_stake(menu, tavern)
            if cheapest == 0:
                continue
            u = unit(patron.luck, chance.LEND, slot(when.sitting, ASK))
            asked = int(asks_for_loan(patron, cheapest, u))
            if asked <= 0:
                continue
            other = find_lender(
                row, asked, when, people, beliefs, ways, acquaintances, loans, lends
            )
            if other == NOBODY or people[other].gold < asked:
                continue
            hand_over(people[other], patron, asked, 1 + tavern, LENT, BORROWED, flows)
            patron.owes_to = other
            patron.owes_cp = asked
            patron.owes_due = when.night + loans.due_nights
            counts[tavern, N_LOANS] += 1
            counts[tavern, N_LOANS_CP] += asked
            write_debt(log[n], LOAN, when.night, when.first_round, tavern, row, patron)
            n += 1
        return n

    return lend


@cache
def make_collect_debts(pays_back: Callable[..., bool]) -> Callable[..., int]:
    """The kernel that collects what is due this morning, with this decision.

    It writes what was paid and what was not into `log`, which has room for one a
    patron, and returns how many there were. They are counted for the home tavern
    of the creditor, who bears a grudge against him who does not pay.
    """

    @kernel(defaults=shipped_decisions())
    def collect_debts(
        n_rows: int,
        night: int,
        night_key: int,
        people: People,
        sheet: Sheet,
        loans: Loans,
        counts: Any,
        flows: Any,
        log: Any,
    ) -> int:
        n = 0
        for row in range(n_rows):
            patron = people[row]
            if patron.owes_to == NOBODY:
                continue
            creditor = people[patron.owes_to]
            if patron.whereabouts != HERE or creditor.whereabouts != HERE:
                clear_debt(patron)
                continue
            if night < patron.owes_due:
                continue
            can_pay = patron.gold >= patron.owes_cp
            u = unit(subkey(night_key, chance.PATRON, row + 1), chance.REPAY, 0)
            if can_pay and pays_back(patron, sheet[row], loans, u):
                write_debt(log[n], PAID, night, 0, NOBODY, row, patron)
                hand_over(patron, creditor, patron.owes_cp, 0, PAID_BACK, GOT_BACK, flows)
                clear_debt(patron)
                counts[creditor.home, N_PAID_BACK] += 1
            else:
                what = UNPAID if can_pay else UNABLE
                write_debt(log[n], what, night, 0, NOBODY, row, patron)
                patron.dodged += 1
                patron.owes_due = night + loans.due_nights
                creditor.grudge = row
                creditor.grudge_night = night
                counts[creditor.home, N_DODGED] += 1
            n += 1
        return n

    return collect_debts


def debt_events(log: Any, who: Callable[[int], Person]) -> list[Event]:
    """Tell what happened to debts, an event a record of DEBT."""
    return [
        _debt_event(dict(zip(DEBT.names or (), debt, strict=True)), who) for debt in log.tolist()
    ]


def _debt_event(debt: dict[str, int], who: Callable[[int], Person]) -> Event:
    debtor, creditor = who(debt["debtor"]), who(debt["creditor"])
    wordings = WORDINGS[debt["what"]]
    luck = chance.hash63(debt["night"] * 1000 + debt["round"], debt["debtor"])
    text = wordings[luck % len(wordings)].format(
        debtor=debtor.name,
        creditor=creditor.name,
        he=debtor.he,
        him=debtor.him,
        his=debtor.his,
        sum=show(debt["amount"]),
        due=debt["due"],
    )
    kind = {LOAN: "lent", PAID: "paid_back"}.get(debt["what"], "dodged")
    event = plain_event(
        debt["night"],
        kind,
        text,
        row=debt["debtor"],
        tavern=debt["tavern"],
        amount=debt["amount"],
    )
    return event._replace(round=debt["round"], other_id=debt["creditor"] + 1)
