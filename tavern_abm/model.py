"""`TavernModel`: the order of the night."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import mesa
import numpy as np

from . import chance
from .company import Company
from .data_tables import load_tables
from .extent import extent_of
from .founding import resolved
from .measures import gini_of_sorted
from .patrons.columns import (
    HERE,
    SEXES,
    Ints,
    People,
    Sheet,
    blank_people,
    blank_sheet,
    grown,
    stacked,
)
from .patrons.decisions import Policy
from .patrons.names import NameBook
from .patrons.patron import Patron
from .patrons.prevalence import kinds_to_come, recast
from .patrons.traits import generate, inclinations
from .playing import Playing, Tonight
from .recording import HousesTonight, Record
from .scenario import Scenario, load_scenario
from .society.scoring import score_night
from .society.suspicion import (
    Beliefs,
    blank_beliefs,
    count_anew,
    edges,
    forget_tellers,
    to_networkx,
    with_belief,
)
from .tables.accounts import ARRIVAL
from .tables.record import (
    COUNTS,
    N_BEATEN_JUST,
    N_BEATEN_UNJUST,
    N_GUESTS,
    N_ROUNDS,
    N_TOO_LUCKY,
)
from .tables.seating import NO_LIMIT, Crowd
from .tables.seats import World
from .town import setup
from .town.closing import EVENING, make_close_houses, make_count_purses
from .town.day import make_count_newcomers, make_enter, make_live_day
from .town.districts import homes_left, rehome
from .town.doors import admit
from .town.fortunes import Books, Fortunes, Turn
from .town.ledger import Ledger
from .town.reputation import renew_repute

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from .continuing.effects import Interventions

BLOCK = 64
"""Columns grow by at least so many rows."""
NIGHTS_BETWEEN_NETWORKS = 7
"""The suspicion network is recorded every so many nights, and on the last."""


class TavernModel(mesa.Model):
    """A town's taverns at play, a night a unit of time.

    `step` plays one:

    1. **Day**: what a user puts in happens; newcomers arrive, debts that are due are
       paid or not; then person by person: wounds mend, he pays for his living and
       earns his wage, of which the town has its tax, and may leave for good. Bans run
       out and beliefs fade by the date.
    2. **Doors open**: who goes out tonight, and where; the fee is paid at the door.
    3. **Sittings**: who is broke may borrow a stake; contests are held in the yards;
       people pick what they would play, have a drink, and seats fill; then, round by
       round, every table plays its game, those who saw it weigh it, accusations are
       made and judged; the condemned pay the warden, run or are punished. After it,
       those who ran are chased.
    4. **Talk**: who is still there tells others what he suspects, has seen and
       has heard.
    5. **Closing**: the houses pay for goods, excise, staff and upkeep; one that
       cannot closes down, one that thrives grows; the books are checked to the
       coin; beliefs are scored; the night is recorded.

    Nights and rounds count from 1.

    Parameters
    ----------
    scenario : str, path or Scenario, default "rusty-flagon"
        A built-in scenario by name, a TOML file, or a `Scenario`.
    rng : int, optional
        The seed. Any other value that Mesa takes is turned into one by it.
    replicate : int, default 0
        Another run of the same seed.
    policy : Policy, optional
        A user's own decisions.
    threads : int, default 1
        Threads that play the tables; the results are the same for any number.
    **settings
        Scenario fields by dotted path, such as ``**{"taverns.0.rake_bp": 500}``.

    Attributes
    ----------
    people, sheet : NamedTuple of columns
        Row ``patron_id - 1`` is that patron, for good. Rows from `n_rows` on
        are people drawn ahead who have not come yet.
    beliefs : Beliefs
        Who believes what about whom.
    gini, n_guests, n_rounds, n_beaten : float, int
        Of the last night; Mesa's data collector keeps them.
    ledger : Ledger
        The books.
    run_key, dice_key : int
        The keys of who lives here, and of what falls by chance in the nights. They are
        the same; another `dice_key` plays other nights of the same people.
    interventions : Interventions, optional
        What is put in from outside: see `continuing.put_in`.

    Examples
    --------
    >>> model = TavernModel("rusty-flagon", rng=42, patrons=30)
    >>> model.run_for(2)
    >>> len(model.nights)
    2
    """

    def __init__(
        self,
        scenario: str | Path | Scenario = "rusty-flagon",
        *,
        rng: Any = None,
        replicate: int = 0,
        policy: Policy | None = None,
        threads: int = 1,
        **settings: Any,
    ) -> None:
        verify_run(rng, replicate, threads, policy)
        super().__init__(rng=int(rng) if isinstance(rng, np.integer) else rng)
        loaded = _loaded(scenario, settings)
        self.replicate = replicate
        self.threads = threads
        self._is_skipping = False
        self.interventions: Interventions | None = None
        self.policy = policy or Policy()
        self.data = load_tables(loaded.data)
        self._scenario = resolved(loaded, self.data)
        self.run_key = self.dice_key = chance.run_key(self.seed, replicate)
        self._set_up_town()
        self._set_up_people()
        self._set_up_records()

    # ------------------------------------------------------------- setting up

    def _set_up_town(self) -> None:
        scenario = self._scenario
        self.trades = list(self.data.trades)
        self.ancestries = list(self.data.ancestries)
        self.gamblers = list(getattr(self.data, "gamblers", {"plain": None}))
        self.houses = setup.make_houses(scenario, self.data)
        self.bills = setup.make_bills(scenario, self.data)
        self.playing = Playing(scenario, self.policy, self.threads)
        self.minds = setup.make_minds(scenario)
        self.ways = setup.make_ways(scenario)
        self.justice = setup.make_justice(scenario)
        self.days = setup.make_days(scenario)
        self.capacity = [NO_LIMIT if t.capacity == "auto" else t.capacity for t in scenario.taverns]
        self.tills = np.array([tavern.till_cp for tavern in scenario.taverns], np.int64)
        self.fortunes = Fortunes(scenario.fortunes, self.tills, self.playing.menu)

    def _set_up_people(self) -> None:
        self.people: People = blank_people(0)
        self._rows = cast(Any, self.people).view(np.ndarray)
        self.sheet: Sheet = blank_sheet(0)
        self.beliefs: Beliefs = blank_beliefs(0, self._scenario.suspicion.memory)
        what = (self.playing.menu, self.playing.games)
        self.company: Company = Company(self._scenario, self.policy, self.run_key, *what)
        self.n_rows = 0
        luck = chance.subkey(self.run_key, chance.NAME, 0)
        pinned = [person.name for person in self._scenario.people]
        self._names = NameBook(self.data.names, luck, pinned)
        self._views: dict[int, Patron] = {}
        self._views_are_stale = True
        self._arrive(self._scenario.patrons, night=0)
        self._purses_at_start, _ = self._count_purses()
        self._n_cheats_at_start = int(self._rows["is_cheat"][: self.n_rows].sum())

    def _set_up_records(self) -> None:
        self.ledger = Ledger(
            self.trades,
            [tavern.name for tavern in self._scenario.taverns],
            self._purses_at_start,
            self.tills,
        )
        self.record = Record(len(self._scenario.taverns), self.playing.games)
        self.record.extent = extent_of(self._scenario.patrons)
        gold = self._evenings["gold"]
        self.record.evenings(0, self._evenings)
        self._sum_up(np.zeros((len(self.tills), len(COUNTS)), np.int64))
        self.gini = gini_of_sorted(np.sort(gold))
        reporters = ("gini", "n_guests", "n_rounds", "n_beaten")
        self.datacollector = mesa.DataCollector({name: name for name in reporters})

    # ------------------------------------------------------------- the night

    def step(self) -> None:
        """Play one night."""
        if self._is_skipping:
            return
        night = int(self.time)
        key = chance.subkey(self.dice_key, chance.NIGHT, night)
        flows = self.ledger.blank()
        counts = np.zeros((len(self.tills), len(COUNTS)), np.int64)
        self.record.night_begins()
        guests = self._pass_day(night, key, counts, flows)
        crowd = self._open_doors(guests, counts, flows)
        tonight = Tonight(night, key, self.world(), crowd, counts, flows)
        self.playing.open(self.record)
        for when in self.playing.sittings(night, key):
            self.company.lend(when, tonight, self.record)
            self.playing.hold_events(when, tonight)
            self.playing.play(when, tonight)
            self.company.chase(when, tonight, self.record)
        self.playing.note_unopened(tonight)
        self.company.talk(tonight, self.n_rows, self.record)
        self._close(night, counts, flows)

    def _pass_day(self, night: int, key: int, counts: Any, flows: Any) -> Ints:
        """The day; the rows of those who want to go out tonight."""
        forget_tellers(self.beliefs, night, self.ways.teller_memory)
        self.ways = count_anew(self.beliefs, night, self.ways)
        if self.interventions is not None and self.interventions(self, night, counts, flows):
            self.look_around()
        self._let_in_newcomers(night, key, flows)
        books = (counts, flows, self.record)
        self.company.settle_debts(self.n_rows, night, key, self.people, self.sheet, *books)
        n = self.n_rows
        guests, leavers = np.empty(n, np.int64), np.empty((n, 2), np.int64)
        live_day = make_live_day(self.policy["goes_out"], self.policy["tavern_appeal"])
        n_guests, n_leavers = live_day(
            n,
            night,
            key,
            self.people,
            self.sheet,
            self.houses,
            self.minds,
            self.days,
            flows,
            guests,
            leavers,
        )
        self.record.departures(night, leavers[:n_leavers])
        return guests[:n_guests]

    def _let_in_newcomers(self, night: int, key: int, flows: Any) -> None:
        """Some of the vacant places are filled; as a control, all of them with the same kinds."""
        population = self._scenario.population
        n_vacant = self._scenario.patrons - len(self._living)
        n = make_count_newcomers()(key, n_vacant, population.arrive_prob)
        if population.hold_prevalence:
            n = n_vacant
        if n == 0:
            return
        rows = self._arrive(n, night)
        if population.hold_prevalence:
            kinds = kinds_to_come(
                self.people, self._living, self._scenario.patrons, self._n_cheats_at_start
            )
            recast(self.people, self.sheet, rows, kinds, self.run_key, self._scenario)
        self.company.welcome(rows, night, self.people, self.sheet)
        trade, gold = self._rows["trade"][rows], self._rows["gold"][rows]
        np.add.at(flows[0, ARRIVAL], trade, gold)
        self.record.arrivals(night, rows)

    def _open_doors(self, guests: Ints, counts: Any, flows: Any) -> Crowd:
        """Let tonight's guests in, those of each tavern together."""
        guests = admit(guests, self._rows, self.capacity)
        n, n_taverns = len(guests), len(self.tills)
        starts = np.array([0, n])
        if n_taverns > 1:
            tavern = self._rows["tavern"][guests]
            order = np.argsort(tavern, kind="stable")
            guests = guests[order]
            starts = np.searchsorted(tavern[order], np.arange(n_taverns + 1))
        make_enter()(guests, self.people, self.houses, counts, flows)
        return Crowd(guests, starts, *np.empty((3, n), np.int64))

    def world(self) -> World:
        """What the tables are handed: all that they may read and write beside themselves."""
        return World(
            self.people,
            self.sheet,
            self.beliefs,
            self.houses,
            self.minds,
            self.ways,
            self.justice,
        )

    def _close(self, night: int, counts: Any, flows: Any) -> None:
        """The houses' bills, the check of the books, the record of the night."""
        unpaid = np.empty_like(self.tills)
        make_close_houses()(self.houses, self.bills, self.tills, unpaid, flows)
        renew_repute(self.houses.repute, counts)
        tonight = HousesTonight(
            self.houses.is_open.copy(), self.houses.lift.copy(), unpaid, self.houses.repute.copy()
        )
        turns = self._turn_fortunes(night, unpaid, flows)
        self.ledger.book(night, flows)
        purses, n_broke = self._count_purses()
        self.ledger.verify(night, purses, self.tills)
        purses = np.sort(self._evenings["gold"])
        self.gini = gini_of_sorted(purses)
        self.score = score_night(self._living, night, self.people, self.beliefs, self.ways, counts)
        self._sum_up(counts)
        brier = self.score.brier
        self.record.night(
            night, counts, self.tills, purses, self.gini, n_broke, brier, tonight, turns
        )
        if len(self.playing.games) > 1:
            self.record.by_game(self.playing.tonight_by_game)
        self.record.evenings(night, self._evenings)
        if night % NIGHTS_BETWEEN_NETWORKS == 0:
            self.record.network(night, self._edges())
        self._views_are_stale = True
        self.datacollector.collect(self)

    def _turn_fortunes(self, night: int, unpaid: Ints, flows: Any) -> list[Turn]:
        """Houses close and grow; whose home tavern has closed takes to another."""
        books = Books(self.houses, self.bills, self.tills, unpaid, flows)
        turns = self.fortunes.turn(night, books, self.playing.rooms, self.playing.menu)
        if any(turn.kind == "closed" for turn in turns):
            rehome(self.people, self.sheet, self.run_key, self._scenario, self.houses)
        return turns

    def _sum_up(self, counts: Any) -> None:
        """Last night's sums over the taverns, for Mesa's data collector and for a glance."""
        self.counts = counts
        sums = counts.sum(axis=0).tolist()
        self.n_guests: int = sums[N_GUESTS]
        self.n_rounds: int = sums[N_ROUNDS]
        self.n_beaten: int = sums[N_BEATEN_JUST] + sums[N_BEATEN_UNJUST] + sums[N_TOO_LUCKY]

    def _count_purses(self) -> tuple[Ints, int]:
        """Coins in purses by trade, and how many people are broke; notes who lives here."""
        purses = np.empty(len(self.trades), np.int64)
        evenings = np.empty(self.n_rows, EVENING)
        n_living, n_broke = make_count_purses()(
            self.n_rows, int(self.time), self.people, self.houses, purses, evenings
        )
        self._evenings = evenings[:n_living]
        self._living = self._evenings["row"].astype(np.int64)
        return purses, n_broke

    def _edges(self) -> dict[str, Any]:
        """The suspicion network of those who live here."""
        return edges(self.beliefs, self._living, int(self.time), self.ways)

    # ------------------------------------------------------------- people

    def living(self) -> Ints:
        """Rows of those who live here, in order."""
        return self._living

    def _arrive(self, n: int, night: int) -> Ints:
        """Let `n` newcomers in; their rows. Columns grow in blocks, drawn ahead."""
        rows = np.arange(self.n_rows, self.n_rows + n)
        lacking = self.n_rows + n - len(self._rows)
        if lacking > 0:
            self._grow(max(lacking, BLOCK, len(self._rows) // 8) if night else lacking)
        self.n_rows += n
        self._rows["whereabouts"][rows] = HERE
        self._rows["arrived"][rows] = night
        return rows

    def take_in(self, people: People, sheet: Sheet, n_rows: int) -> None:
        """Let these people be the town's, `n_rows` of them come by now: those of another model."""
        self.people, self.sheet, self.n_rows = people, sheet, n_rows
        self._rows = cast(Any, people).view(np.ndarray)
        self._views_are_stale = True

    def look_around(self, night: int | None = None) -> None:
        """See anew who lives here and what they hold, as one who has changed it must.

        Parameters
        ----------
        night : int, optional
            The night that has just closed, if the nights up to it were played by another
            model whose people these are. They pass here without being played.
        """
        if night is not None:
            self._is_skipping = True
            self.run_for(night)
            self._is_skipping = False
        self._count_purses()
        self.gini = gini_of_sorted(np.sort(self._evenings["gold"]))
        self._views_are_stale = True

    def evenings_of_nobody(self) -> Any:
        """No evenings, as the record keeps them: an array of EVENING."""
        return self._evenings[:0]

    def _grow(self, n: int) -> None:
        ids = np.arange(len(self._rows) + 1, len(self._rows) + n + 1)
        homes = homes_left(self._scenario, self.houses).tolist()
        people, sheet = generate(ids, self.run_key, self._scenario, self.data, homes)
        self.people = stacked(self.people, people)
        self._rows = cast(Any, self.people).view(np.ndarray)  # the same memory, read faster
        self.sheet = stacked(self.sheet, sheet)
        games = self.playing.games
        likes = inclinations(ids, self.run_key, games, self._scenario, people, sheet)
        self.playing.grow(likes)
        more = blank_beliefs(n, self._scenario.suspicion.memory)
        self.beliefs = grown(self.beliefs, more)
        self.company.grow(len(self._rows), self.people, self.sheet)

    def intervene(self, row: int, amount_cp: int) -> None:
        """Give coins to a patron from outside (or take them), and book it."""
        if amount_cp == 0:
            return
        if self.people.whereabouts[row] != HERE:
            raise ValueError(f"{self.name_of(row)} does not live here any more")
        if self.people.gold[row] + amount_cp < 0:
            raise ValueError(f"{self.name_of(row)} holds {self.people.gold[row]} cp, no more")
        self.people.gold[row] += amount_cp
        trade = int(self.people.trade[row])
        self.ledger.intervene(int(self.time), trade, amount_cp)

    def by_game(self) -> tuple[Ints, Ints]:
        """Coins won less lost, and sittings, by row and game: two arrays (n_rows, n_games)."""
        n = self.n_rows
        if len(self.playing.games) == 1:
            return self._rows["games_net"][:n, None], self._rows["sittings"][:n, None]
        return self.playing.won[:n], self.playing.sat[:n]

    def bytes_per_patron(self) -> dict[str, float]:
        """Memory that a row of people takes, by what for, in bytes; nothing is per pair."""
        playing, company = self.playing, self.company
        parts: dict[str, tuple[Any, ...]] = {
            "person": (self.people, self.sheet),
            "beliefs": self.beliefs,
            "acquaintances": (company.acquaintances,),
            "rumours": company.grapevine.store,
            "games": (playing.inclinations, playing.won, playing.sat),
        }
        n = len(self._rows)
        sizes = {name: sum(part.nbytes for part in arrays) / n for name, arrays in parts.items()}
        return sizes | {"in all": sum(sizes.values())}

    def name_of(self, row: int) -> str:
        """The full name of whoever stands in a row."""
        if len(self._names) <= row:
            # All at once: a town of 100,000 is looked up column by column, not row by row.
            new, who = slice(len(self._names), self.n_rows), self.sheet
            columns = (each[new].tolist() for each in (who.ancestry, who.sex, who.household))
            for ancestry, sex, head in zip(*columns, strict=True):
                self._names.enter(self.ancestries[ancestry], SEXES[sex], head)
        return self._names[row]

    # ------------------------------------------------------------- Mesa's views

    @property
    def seed(self) -> int:
        """The seed of the run, as a whole number."""
        return int(self._seed)

    @property
    def scenario(self) -> Scenario:
        """The scenario, resolved."""
        return self._scenario

    @scenario.setter
    def scenario(self, value: Any) -> None:
        # Mesa sets a scenario of its own in its constructor; ours is set after.
        self._scenario = value

    @property
    def agents(self) -> Any:
        """The `Patron` views of those who live here, as Mesa's AgentSet."""
        self._look_at_people()
        return self._all_agents

    @property
    def agents_by_type(self) -> Any:
        """Mesa's AgentSets by type."""
        self._look_at_people()
        return self._agents_by_type

    def _look_at_people(self) -> None:
        """Make views of those who have come and drop those who have gone, when asked for."""
        if not self._views_are_stale:
            return
        here = set(self._living.tolist())
        for row in [row for row in self._views if row not in here]:
            self._views.pop(row).remove()
        for row in sorted(here - self._views.keys()):
            self._views[row] = Patron(self, row)
        self._views_are_stale = False

    def register_agent(self, agent: Any) -> None:
        """Register an agent; a patron's id is that of his row."""
        if isinstance(agent, Patron):
            self.agent_id_counter = agent.row + 1
        super().register_agent(agent)

    def patron(self, who: int | str) -> Patron:
        """The patron with this id or name, if he lives here.

        Raises
        ------
        KeyError
            If nobody here is called so.
        """
        for agent in self.agents:
            if who in (agent.unique_id, agent.name):
                return agent  # type: ignore[no-any-return]
        raise KeyError(f"nobody here is called {who!r}")

    # ------------------------------------------------------------- what happened

    @property
    def nights(self) -> pd.DataFrame:
        """A row a night and tavern."""
        from .results import nights_table

        return nights_table(self)

    @property
    def events(self) -> pd.DataFrame:
        """Notable events, one a row, each with a sentence."""
        from .results import events_table

        return events_table(self)

    @property
    def patrons(self) -> pd.DataFrame:
        """Everybody who has ever lived here, with his record."""
        from .results import patrons_table

        return patrons_table(self)

    @property
    def suspicion(self) -> Network:
        """The suspicion network as it stands."""
        return Network(with_belief(self._edges()))

    def results(self) -> dict[str, pd.DataFrame]:
        """Every result table of the run folder by its name."""
        from .results import result_tables

        return result_tables(self)

    def digest(self) -> str:
        """SHA-256 over the names and values of the result tables."""
        from .results import digest

        return digest(self.results())

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Look at the columns anew."""
        self.__dict__.update(state)
        self._rows = cast(Any, self.people).view(np.ndarray)


class Network:
    """The suspicion network at one time."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns = columns

    def to_networkx(self) -> nx.DiGraph[int]:
        """As a graph: an edge from who believes to whom it is about."""
        return to_networkx(self.columns)

    def to_frame(self) -> pd.DataFrame:
        """As a table, an edge a row."""
        import pandas as pd

        return pd.DataFrame(self.columns)


def verify_run(rng: Any, replicate: int, threads: int, policy: Any) -> None:
    """Say what is wrong with what a model is made of, beside its scenario.

    Raises
    ------
    TypeError, ValueError
        Naming the argument, what was given and what is allowed.
    """
    if isinstance(rng, str | float | bool):
        raise TypeError(f"rng must be a whole number or what NumPy takes as a seed (got {rng!r})")
    if isinstance(rng, int | np.integer) and rng < 0:
        raise ValueError(f"rng must be at least 0 (got {rng})")
    if replicate < 0:
        raise ValueError(f"replicate must be at least 0 (got {replicate})")
    if threads < 1:
        raise ValueError(f"threads must be at least 1 (got {threads})")
    if policy is not None and not isinstance(policy, Policy):
        raise TypeError(f"policy must be a Policy (got {policy!r})")


def _loaded(scenario: str | Path | Scenario, settings: dict[str, Any]) -> Scenario:
    if not isinstance(scenario, str | Path | Scenario):
        raise TypeError(f"scenario must be a name, a path or a Scenario (got {scenario!r})")
    if isinstance(scenario, Scenario):
        return scenario.with_settings(settings) if settings else scenario
    return load_scenario(scenario, settings)
