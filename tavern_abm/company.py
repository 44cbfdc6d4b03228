"""The society around the tables of a town: who knows whom, debts, flights and talk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .games import load_game
from .patrons.columns import Ints, People, Sheet
from .patrons.decisions import Policy
from .society.acquaintance import blank_acquaintances, greet_kin, grown, make_acquaintances
from .society.grapevine import Grapevine
from .society.talk import Choices, make_talk
from .tables.flight import Flights, runners
from .tables.record import N_BELIEVED, N_HEARSAY, N_RAN, N_RUMORS, N_TELLINGS
from .tables.rumored import spring_all
from .tables.seating import Sitting
from .town.loans import UNABLE, UNPAID, blank_log, make_collect_debts, make_lend, make_loans

if TYPE_CHECKING:
    from .playing import Tonight
    from .recording import Record
    from .scenario import Scenario
    from .tables.picking import Menu

OF_TALK = [N_HEARSAY, N_RUMORS, N_TELLINGS, N_BELIEVED]
"""The counts that a tally of talk adds to."""


def judged_games(games: Sequence[str]) -> list[str]:
    """Those of some games at whose tables people are accused of cheating."""
    return [game for game in games if "accuses" in load_game(game, "tables").Choices._fields]


class Company:
    """What people do with each other beside playing.

    Parameters
    ----------
    scenario : Scenario
        The town.
    policy : Policy
        The decisions of its people.
    run_key : int
        The key of the run.
    menu : Menu
        What there is to play, and for what stakes.
    games : sequence of str
        What is played in the town.

    Attributes
    ----------
    acquaintances : record array, shape (n_rows, width)
        Who knows whom. Where nobody talks or lends, nobody is acquainted.
    grapevine : Grapevine
        What people know by hearing or seeing it.
    flights : Flights
        The chases through the streets.
    """

    def __init__(
        self,
        scenario: Scenario,
        policy: Policy,
        run_key: int,
        menu: Menu,
        games: Sequence[str],
    ) -> None:
        self._talk, self._policy, self._run_key = scenario.talk, policy, run_key
        self._menu = menu
        self.loans = make_loans(scenario)
        self.flights = Flights(scenario, policy)
        self._run, self._n_ran = scenario.flight.runs, 0
        talk = make_talk(scenario)
        n_taverns = len(scenario.taverns)
        memory = scenario.talk.rumor_memory
        self.grapevine: Grapevine = Grapevine(talk, memory, n_taverns, judged_games(games))
        self.acquaintances: Any = blank_acquaintances(0, 1)
        self._are_acquainted = self.grapevine.is_on or bool(self.loans.lending)

    def grow(self, n_rows: int, people: People, sheet: Sheet) -> None:
        """Make room for all who have been drawn: at first, the town's inhabitants."""
        n_new = n_rows - len(self.acquaintances)
        if len(self.acquaintances) or not self._are_acquainted:
            self.acquaintances = grown(self.acquaintances, n_new)
        else:
            around = (self._talk.acquaintances, self._talk.rewiring)
            self.acquaintances = make_acquaintances(people, sheet, self._run_key, *around)
        self.grapevine.grow(n_rows)

    def welcome(self, rows: Ints, night: int, people: People, sheet: Sheet) -> None:
        """Newcomers, who now live here: they know their kin."""
        if self._are_acquainted:
            greet_kin(self.acquaintances, rows, night, people, sheet)

    # ------------------------------------------------------------- the night

    def settle_debts(
        self,
        n_rows: int,
        night: int,
        key: int,
        people: People,
        sheet: Sheet,
        counts: Any,
        flows: Any,
        record: Record,
    ) -> None:
        """In the morning: debts that are due are paid, or not."""
        if not self.loans.lending:
            return
        collect_debts = make_collect_debts(self._policy["pays_back"])
        log = blank_log(n_rows)
        args = (n_rows, night, key, people, sheet, self.loans, counts, flows, log)
        n = collect_debts(*args)
        record.debts_are(log[:n])
        for what, *_, debtor, creditor, amount, _ in log[:n].tolist():
            if what in (UNPAID, UNABLE):
                self.grapevine.spring_plain("dodged", night, debtor, creditor, amount=amount)
                counts[people.home[creditor], N_RUMORS] += self.grapevine.has_rumors

    def lend(self, when: Sitting, tonight: Tonight, record: Record) -> None:
        """As a sitting begins, those who are broke may find somebody who lends them a stake."""
        if not self.loans.lending or when.sitting == 1:
            return
        lend = make_lend(self._policy["asks_for_loan"], self._policy["lends"])
        world, crowd = tonight.world, tonight.crowd
        log = blank_log(len(crowd.rows))
        around = (world.people, world.beliefs, world.ways, self.acquaintances, self.loans)
        n = lend(when, self._menu, crowd, *around, tonight.counts, tonight.flows, log)
        record.debts_are(log[:n])

    def chase(self, when: Sitting, tonight: Tonight, record: Record) -> None:
        """After a sitting: the chases of those who ran from a sentence in it."""
        n_ran = sum(tonight.counts[:, N_RAN].tolist()) if self._run else 0
        n_before, self._n_ran = (0 if when.sitting == 1 else self._n_ran), n_ran
        if n_ran == n_before:
            return
        rounds = record.rounds_of(tonight.night)
        ran = runners(rounds[rounds["round"] >= when.first_round])
        notes = record.room_for(len(ran))
        self.flights.run(ran, when, tonight.world, notes, tonight.counts, tonight.flows)

    def talk(self, tonight: Tonight, n_rows: int, record: Record) -> None:
        """At closing time: who is still there tells others what he believes and has heard."""
        if not self.grapevine.is_on:
            return
        world, counts = tonight.world, tonight.counts
        if self.grapevine.has_rumors:
            sprung = spring_all(self.grapevine, record.rounds_of(tonight.night), world.people)
            counts[:, OF_TALK] += sprung
        people, sheet, beliefs = world.people, world.sheet, world.beliefs
        around = (self.acquaintances, beliefs, world.ways, self._policy.choices(Choices))
        one_in = record.extent.one_story_in
        tally = self.grapevine.gossip(tonight.night, n_rows, people, sheet, *around, one_in)
        counts[:, OF_TALK] += tally
