"""Loans: who is asked, what moves, what becomes of a debt, how it is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tavern_abm import Policy, Scenario, TavernModel, chance
from tavern_abm.patrons.columns import DEAD, HERE, LEFT, NOBODY, blank_people, blank_sheet
from tavern_abm.patrons.decisions.general import logit
from tavern_abm.patrons.decisions.lending import asks_for_loan, lends, pays_back
from tavern_abm.society.acquaintance import BY_CHANCE, KIN, befriend, blank_acquaintances
from tavern_abm.society.suspicion import blank_beliefs, memory_of, place, settle
from tavern_abm.tables.accounts import BORROWED, FLOWS, GOT_BACK, LENT, PAID_BACK
from tavern_abm.tables.happenings import Person
from tavern_abm.tables.picking import Menu
from tavern_abm.tables.record import COUNTS, N_DODGED, N_LOANS, N_LOANS_CP, N_PAID_BACK
from tavern_abm.tables.seating import Crowd, Sitting
from tavern_abm.town.loans import (
    DEBT,
    LOAN,
    MOST_ASKED,
    PAID,
    UNABLE,
    UNPAID,
    WORDINGS,
    blank_log,
    cheapest_stake,
    debt_events,
    make_collect_debts,
    make_lend,
    make_loans,
)
from tavern_abm.town.setup import make_ways

SCENARIO = Scenario().with_settings({"taverns.1.name": "B"})
LOANS = make_loans(SCENARIO)
WAYS = make_ways(SCENARIO)
NIGHT = 5
MENU = Menu(np.array([0, 2, 3]), np.arange(3), np.zeros(3, np.int64), np.array([20, 0, 500]))
"""The first house has a room for 20 cp and one that agrees on its stake; the second one for 500."""


def plain(kernel: Any) -> Any:
    """A kernel as plain Python."""
    return getattr(kernel, "py_func", kernel)


class Room:
    """`n` guests with 10,000 cp and a wage of 100 each, but the first, who has 10 cp."""

    def __init__(self, n: int = 4, tavern: int = 0) -> None:
        self.people, self.sheet = blank_people(n), blank_sheet(n)
        self.people.whereabouts[:] = HERE
        self.people.tavern[:] = tavern
        self.people.gold[:], self.people.wage[:] = 10_000, 100
        self.people.gold[0] = 10
        self.people.luck[:] = chance.subkeys(3, chance.PATRON, np.arange(n))
        self.acquaintances = blank_acquaintances(n, 12)
        self.beliefs = blank_beliefs(n, 8)
        self.counts = np.zeros((2, len(COUNTS)), np.int64)
        self.flows = np.zeros((3, len(FLOWS), 1), np.int64)

    def know(self, *others: int, tie: int = KIN) -> Room:
        for other in others:
            befriend(self.acquaintances, 0, other, tie, 0, self.people)
        return self

    def lend(
        self,
        sitting: int = 2,
        ask: Any = asks_for_loan,
        give: Any = lends,
        how: Any = plain,
        **loans: Any,
    ) -> Any:
        n = len(self.people)
        when = Sitting(NIGHT, sitting, 6 * sitting - 5, 6, 9)
        crowd = Crowd(np.arange(n), np.array([0, n, n]), *np.empty((3, n), np.int64))
        log = blank_log(n)
        around = (self.people, self.beliefs, WAYS, self.acquaintances, LOANS._replace(**loans))
        n_lent = how(make_lend(ask, give))(when, MENU, crowd, *around, self.counts, self.flows, log)
        return log[:n_lent]

    def owe(self, amount: int, due: int = NIGHT, to: int = 1) -> Room:
        self.people.owes_to[0], self.people.owes_cp[0] = to, amount
        self.people.owes_due[0] = due
        return self

    def collect(
        self, night: int = NIGHT, pay: Any = pays_back, how: Any = plain, **loans: Any
    ) -> Any:
        n = len(self.people)
        log = blank_log(n)
        n_logged = how(make_collect_debts(pay))(
            n, night, 8, self.people, self.sheet, LOANS._replace(**loans),
            self.counts, self.flows, log,
        )  # fmt: skip
        return log[:n_logged]


def always(*args: Any) -> bool:
    return True


def never(*args: Any) -> bool:
    return False


# ---------------------------------------------------------------- lending


def test_a_loan_moves_a_days_wage_and_is_due_in_seven_nights() -> None:
    room = Room().know(1)
    log = room.lend()
    assert log.tolist() == [(LOAN, NIGHT, 7, 0, 0, 1, 100, NIGHT + 7)]
    assert room.people.gold.tolist() == [110, 9900, 10_000, 10_000]
    owed = (room.people.owes_to[0], room.people.owes_cp[0], room.people.owes_due[0])
    assert owed == (1, 100, NIGHT + 7)
    assert room.flows[1, LENT, 0] == room.flows[1, BORROWED, 0] == 100
    assert room.flows.sum() == 200
    assert room.counts[0, [N_LOANS, N_LOANS_CP]].tolist() == [1, 100]
    assert room.counts.sum() == 101


def test_who_owes_already_borrows_nothing_more() -> None:
    room = Room().know(1)
    room.lend()
    room.people.gold[0] = 0
    assert len(room.lend(sitting=3)) == 0


@pytest.mark.parametrize("stranger", ["unknown", "elsewhere", "player"])
def test_only_acquaintances_in_the_house_are_asked(stranger: str) -> None:
    room = Room()
    if stranger != "unknown":
        room.know(1)
    if stranger == "elsewhere":
        room.people.tavern[1] = 1
    if stranger == "player":
        room.people.is_player[1] = 1
    assert len(room.lend(give=always)) == 0


@pytest.mark.parametrize("column", ["owes_to", "tavern", "is_player"])
def test_who_does_not_ask(column: str) -> None:
    room = Room().know(1)
    room.people[column][0] = {"owes_to": 2, "tavern": NOBODY, "is_player": 1}[column]
    assert len(room.lend(give=always)) == 0


def test_lending_can_be_switched_off() -> None:
    assert len(Room().know(1).lend(lending=0, give=always)) == 0


def test_kin_are_asked_before_others_wherever_they_stand() -> None:
    for luck in range(30):
        room = Room().know(1, 2, tie=BY_CHANCE).know(3, tie=KIN)
        room.people.luck[0] = luck
        assert room.lend(give=always)[0].creditor == 3


def test_others_are_asked_in_an_order_that_is_drawn() -> None:
    found = set()
    for luck in range(60):
        room = Room().know(1, 2, 3, tie=BY_CHANCE)
        room.people.luck[0] = luck
        found.add(int(room.lend(give=always)[0].creditor))
    assert found == {1, 2, 3}


def test_no_more_than_so_many_are_asked() -> None:
    asked = []

    def refuses(lender: Any, *args: Any) -> bool:
        asked.append(int(lender.gold))
        return False

    room = Room(12).know(*range(1, 12), tie=BY_CHANCE)
    room.people.gold[1:] = 10_000 + np.arange(1, 12)
    room.lend(give=refuses)
    assert len(asked) == len(set(asked)) == MOST_ASKED


def test_nobody_lends_to_one_he_takes_for_a_cheat() -> None:
    room = Room().know(1)
    memory = memory_of(room.beliefs, 1)
    settle(memory, place(memory, 0, NIGHT, WAYS), NIGHT, WAYS)
    assert len(room.lend()) == 0
    assert len(room.lend(trust=1.0)) == 1


def test_nobody_lends_to_one_he_resents_until_he_has_got_over_it() -> None:
    for since, n_lent in ((NIGHT, 0), (NIGHT - 30, 0), (NIGHT - 31, 1)):
        room = Room().know(1)
        room.people.grudge[1], room.people.grudge_night[1] = 0, since
        assert len(room.lend()) == n_lent


def test_the_cheapest_stake_of_a_house() -> None:
    assert [cheapest_stake(MENU, tavern) for tavern in (0, 1)] == [1, 500]
    assert cheapest_stake(MENU._replace(starts=np.array([0, 0, 3])), 0) == 0
    assert len(Room(tavern=1).know(1).lend()) == 0  # 110 cp would not do there


def test_ones_own_decisions_are_asked() -> None:
    log = Room().know(1).lend(ask=lambda patron, cheapest, u: 7 if patron.gold == 10 else 0)
    assert log.amount.tolist() == [7]
    # A lender's own decision cannot give away what he has not got.
    room = Room().know(1)
    room.people.gold[1] = 99
    assert len(room.lend(give=always)) == 0


def test_the_kernels_do_what_they_do_as_plain_python() -> None:
    for luck in range(20):
        found = []
        for how in (plain, lambda kernel: kernel):
            room = Room(12)
            room.people.luck[:] = chance.subkeys(luck, chance.PATRON, np.arange(12))
            room.people.gold[:] = chance.draws(room.people.luck, chance.TRAIT, 0) % 2000
            for one in range(12):
                for other in range(one):
                    if chance.draw(luck, chance.TIE, 12 * one + other) % 3 == 0:
                        tie = KIN if (one + other) % 4 == 0 else BY_CHANCE
                        befriend(room.acquaintances, one, other, tie, 0, room.people)
            logs = [room.lend(how=how).copy(), room.collect(NIGHT + 7, how=how).copy()]
            found.append((*logs, room.flows, room.counts, np.asarray(room.people)))
        assert all((one == other).all() for one, other in zip(*found, strict=True))
        assert len(found[0][0]) == len(found[0][1])


# ---------------------------------------------------------------- paying back


def test_nothing_is_asked_before_it_is_due() -> None:
    room = Room().owe(5, due=NIGHT + 1)
    assert len(room.collect(pay=never)) == 0
    assert room.people.owes_cp[0] == 5


def test_a_debt_that_is_paid_is_over() -> None:
    room = Room().owe(10)
    room.people.home[1] = 1
    assert room.collect(pay=always).tolist() == [(PAID, NIGHT, 0, NOBODY, 0, 1, 10, NIGHT)]
    assert room.people.gold.tolist() == [0, 10_010, 10_000, 10_000]
    assert (room.people.owes_to[0], room.people.owes_cp[0]) == (NOBODY, 0)
    assert room.flows[0, PAID_BACK, 0] == room.flows[0, GOT_BACK, 0] == 10
    assert room.counts[1, N_PAID_BACK] == room.counts.sum() == 1
    assert room.people.grudge.tolist() == [NOBODY] * 4


@pytest.mark.parametrize(
    ("owed", "pay", "what"), [(10, never, UNPAID), (11, always, UNABLE), (11, never, UNABLE)]
)
def test_who_does_not_pay_is_resented_and_asked_again(owed: int, pay: Any, what: int) -> None:
    room = Room().owe(owed)
    assert room.collect(pay=pay).tolist() == [(what, NIGHT, 0, NOBODY, 0, 1, owed, NIGHT)]
    people = room.people
    assert (people.gold[0], people.owes_cp[0], people.owes_due[0]) == (10, owed, NIGHT + 7)
    assert (people.dodged[0], people.grudge[1], people.grudge_night[1]) == (1, 0, NIGHT)
    assert not room.flows.any()
    assert room.counts[0, N_DODGED] == room.counts.sum() == 1
    people.gold[0] = 100
    assert len(room.collect(NIGHT + 6, pay=always)) == 0
    assert room.collect(NIGHT + 7, pay=always).what.tolist() == [PAID]


@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("gone", [LEFT, DEAD])
def test_a_debt_lapses_when_either_is_gone(row: int, gone: int) -> None:
    room = Room().owe(5)
    room.people.whereabouts[row] = gone
    assert len(room.collect()) == 0
    assert (room.people.owes_to[0], room.people.owes_cp[0]) == (NOBODY, 0)
    assert not room.flows.any()


def test_the_share_that_dodges_is_that_of_the_scenario() -> None:
    n = 4000
    dodged = 0
    for i in range(n):
        room = Room(2).owe(5)
        log = blank_log(2)
        args = (room.people, room.sheet, LOANS, room.counts, room.flows, log)
        plain(make_collect_debts(pays_back))(2, NIGHT, i, *args)
        dodged += int(log[0].what == UNPAID)
    assert dodged / n == pytest.approx(0.1, abs=4 * (0.09 / n) ** 0.5)


# ---------------------------------------------------------------- telling


def who(row: int) -> Person:
    return (Person("Ada Bell", 0, True), Person("Odo Crane", 0, False))[row]


def test_each_event_names_both_and_the_sum() -> None:
    log = blank_log(4)
    for i, what in enumerate((LOAN, PAID, UNPAID, UNABLE)):
        log[i] = (
            what,
            NIGHT,
            7 if what == LOAN else 0,
            1 if what == LOAN else NOBODY,
            0,
            1,
            14,
            12,
        )
    events = debt_events(log, who)
    assert [event.kind for event in events] == ["lent", "paid_back", "dodged", "dodged"]
    for event in events:
        assert (event.patron_id, event.other_id, event.amount_cp) == (1, 2, 14)
        assert "Ada Bell" in event.text
        assert "Odo Crane" in event.text
        assert "1 sp 4 cp" in event.text
    assert [(event.round, event.tavern_id) for event in events] == [(7, 2), *[(0, 0)] * 3]
    assert "12" in events[0].text
    assert debt_events(log, who) == events


def test_every_wording_reads_well_with_either_sex() -> None:
    log = blank_log(1)
    for what, wordings in WORDINGS.items():
        found = set()
        for night in range(1, 40):
            for debtor in (0, 1):
                log[0] = (what, night, 0, NOBODY, debtor, 1 - debtor, 14, 30)
                (event,) = debt_events(log, who)
                found.add(event.text)
                assert not {"{", "}"} & set(event.text)
                him = " she " if debtor else " he "
                assert him not in event.text
        assert len(found) == 2 * len(wordings)


# ---------------------------------------------------------------- in a town


BROKE = {"population.purse_days": 2.0, "loans.share_of_purse": 0.5}


def lending_town(**settings: Any) -> TavernModel:
    policy = Policy(goes_out=lambda patron, minds, night, u: True)
    return TavernModel("rusty-flagon", rng=4, patrons=60, policy=policy, **(BROKE | settings))


def debts(model: TavernModel) -> Any:
    events = model.events
    return events[events.kind.isin(["lent", "paid_back", "dodged"])]


def test_a_towns_debts_add_up() -> None:
    model = lending_town(**{"loans.dodge_prob": 0.3})
    model.run_for(25)
    events, people = debts(model), model.people
    lent = events[events.kind == "lent"]
    paid = events[events.kind == "paid_back"]
    assert len(lent) > 20
    assert len(paid) > 10
    assert (events.kind == "dodged").sum() > 3
    books = model.results()["ledger"].groupby("reason").amount_cp.sum()
    assert books["loan"] == 2 * lent.amount_cp.sum()
    assert books["payback"] == 2 * paid.amount_cp.sum()
    nights = model.nights[["loans", "loans_cp", "paid_back", "dodged"]].sum()
    assert nights.tolist() == [
        len(lent), lent.amount_cp.sum(), len(paid), (events.kind == "dodged").sum()
    ]  # fmt: skip
    gone = np.flatnonzero(people.whereabouts[: model.n_rows] != HERE) + 1
    outstanding = lent[~lent.patron_id.isin(gone) & ~lent.other_id.isin(gone)].amount_cp.sum()
    repaid = paid[~paid.patron_id.isin(gone) & ~paid.other_id.isin(gone)].amount_cp.sum()
    owing = people.owes_to[: model.n_rows]
    between_here = (owing != NOBODY) & ~np.isin(owing + 1, gone)
    between_here[gone - 1] = False
    assert people.owes_cp[: model.n_rows][between_here].sum() == outstanding - repaid


def test_a_town_without_lending_plays_the_same_first_night() -> None:
    """Nobody borrows before the second sitting, and nobody else's luck is moved by it."""
    with_loans, without = lending_town(), lending_town(**{"loans.lending": False})
    for model in (with_loans, without):
        model.run_for(1)
    assert len(debts(with_loans)) > 0
    assert len(debts(without)) == 0
    assert (with_loans.people.luck == without.people.luck).all()
    first = [m.events.query("round <= 6").drop(columns="event_id") for m in (with_loans, without)]
    assert first[0].equals(first[1])


def test_the_switches_reach_the_kernel() -> None:
    settings = {
        "loans.due_nights": 3,
        "loans.trust": 0.5,
        "loans.share_of_purse": 0.25,
        "loans.dodge_prob": 0.2,
        "loans.lending": False,
        "justice.grudge_nights": 9,
    }
    loans = make_loans(Scenario().with_settings(settings))
    assert loans[:4] == (0, 3, 0.5, 0.25)
    assert loans.dodge_logit == logit(0.2)
    assert loans.grudge_nights == 9
    assert DEBT.names == ("what", "night", "round", "tavern", "debtor", "creditor", "amount", "due")
