"""`TavernModel`: the order of the night."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import mesa
import numpy as np

from . import chance
from .data_tables import load_tables
from .events import title_of
from .games import load_game
from .measures import gini_of_sorted
from .patrons.columns import (
    HERE,
    SEXES,
    Floats,
    Ints,
    People,
    Sheet,
    blank_people,
    blank_sheet,
    grown,
    stacked,
)
from .patrons.decisions import Policy
from .patrons.names import name_of
from .patrons.patron import Patron
from .patrons.traits import generate, inclinations
from .scenario import Scenario, load_scenario
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
from .tables.picking import make_pick_rooms
from .tables.record import (
    COUNTS,
    GAME_COUNTS,
    N_BEATEN_JUST,
    N_BEATEN_UNJUST,
    N_GUESTS,
    N_ROUNDS,
    N_TOO_LUCKY,
    blank_notes,
)
from .tables.seating import NO_LIMIT, Crowd, Sitting
from .tables.seats import Tables, World, blank_tables
from .tables.sittings import Task
from .town import setup
from .town.bar import make_serve, serve
from .town.closing import make_close_houses, make_count_purses
from .town.day import make_count_newcomers, make_enter, make_live_day
from .town.doors import admit
from .town.ledger import Ledger

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

NO_TALLY = nullcontext()
BLOCK = 64
"""Columns grow by at least so many rows."""
NOTHING: Ints = np.zeros(0, np.int64)
"""The own arrays of a game that needs none."""
NIGHTS_BETWEEN_NETWORKS = 7
"""The suspicion network is recorded every so many nights, and on the last."""


class TavernModel(mesa.Model):
    """A town's taverns at play, a night a unit of time.

    `step` plays one:

    1. **Day**: people pay for their living and earn their wage, wounds mend,
       bans run out, beliefs fade; some leave for good, newcomers arrive.
    2. **Doors open**: who goes out tonight; the fee is paid at the door.
    3. **Sittings**: seats fill, people have a drink; then, round by round,
       every table plays its game, those who saw it weigh it, accusations are
       made, judged and carried out.
    4. **Closing**: the houses pay for goods, staff and upkeep; the books are
       checked to the coin; the night is recorded.

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
        self._scenario = _resolved(scenario, settings)
        self.replicate = replicate
        self.threads = threads
        self.policy = policy or Policy()
        self.data = load_tables(self._scenario.data)
        self.run_key = chance.run_key(self.seed, replicate)
        self._set_up_town()
        self._set_up_people()
        self._set_up_records()

    # ------------------------------------------------------------- setting up

    def _set_up_town(self) -> None:
        scenario = self._scenario
        self.trades = list(self.data.trades)
        self.ancestries = list(self.data.ancestries)
        self.houses = setup.make_houses(scenario, self.data)
        self.bills = setup.make_bills(scenario)
        self.room_plan = setup.plan_rooms(scenario)
        self.event_plan = setup.plan_events(scenario)
        self.rooms = setup.make_rooms(self.room_plan)
        self.yards = setup.make_yards(self.event_plan)
        self.menu = setup.make_menu(self.room_plan, len(scenario.taverns))
        self._most_rooms = int(np.diff(self.menu.starts).max())
        self.games = list(dict.fromkeys([*(game for game, _ in self.rooms), *self.yards]))
        self._floors: dict[tuple[str, int], tuple[Tables, Any]] = {}
        self._make_kernels()
        self.minds = setup.make_minds(scenario)
        self.ways = setup.make_ways(scenario)
        self.justice = setup.make_justice(scenario)
        self.days = setup.make_days(scenario)
        self.capacity = [NO_LIMIT if t.capacity == "auto" else t.capacity for t in scenario.taverns]
        self.tills = np.array([t.till_cp for t in scenario.taverns], np.int64)

    def _make_kernels(self) -> None:
        """The kernels that play each game, with the decisions of this model, and their arrays."""
        self._plays, self._holds, self._own = {}, {}, {}
        for game in self.games:
            tables = load_game(game, "tables")
            choices = self.policy.choices(tables.Choices)
            if game in self.yards:
                self._holds[game] = tables.make_hold(choices)
            else:
                self._plays[game] = tables.make_play_sitting(choices, serve)
            self._own[game] = NOTHING
            if hasattr(tables, "make_own"):
                plan = [*self.room_plan, *self.event_plan]
                options = [place.options for place in plan if place.game == game]
                self._own[game] = tables.make_own(options, self._scenario)

    def _set_up_people(self) -> None:
        self.people: People = blank_people(0)
        self._rows = cast(Any, self.people).view(np.ndarray)
        self.sheet: Sheet = blank_sheet(0)
        self.beliefs: Beliefs = blank_beliefs(0, self._scenario.suspicion.memory)
        self.inclinations: Floats = np.zeros((0, len(self.games)))
        self.won: Ints = np.zeros((0, len(self.games)), np.int64)
        self.sat: Ints = np.zeros((0, len(self.games)), np.int64)
        self.n_rows = 0
        self._names: dict[int, str] = {}
        self._pinned_names = {person.name for person in self._scenario.people}
        self._views: dict[int, Patron] = {}
        self._views_are_stale = True
        self._arrive(self._scenario.patrons, night=0)
        self._purses_at_start, _ = self._count_purses()

    def _set_up_records(self) -> None:
        from .recording import Record

        self.ledger = Ledger(
            self.trades,
            [tavern.name for tavern in self._scenario.taverns],
            self._purses_at_start,
            self.tills,
        )
        self.record = Record(len(self._scenario.taverns), self.games)
        gold = self._rows["gold"][self._living]
        self.record.wealth(0, self._living, gold)
        self._sum_up(np.zeros((len(self.tills), len(COUNTS)), np.int64))
        self.gini = gini_of_sorted(np.sort(gold))
        reporters = ("gini", "n_guests", "n_rounds", "n_beaten")
        self.datacollector = mesa.DataCollector({name: name for name in reporters})
        self._pool: ThreadPoolExecutor | None = None

    # ------------------------------------------------------------- the night

    def step(self) -> None:
        """Play one night."""
        night = int(self.time)
        key = chance.subkey(self.run_key, chance.NIGHT, night)
        flows = self.ledger.blank()
        counts = np.zeros((len(self.tills), len(COUNTS)), np.int64)
        guests = self._pass_day(night, key, flows)
        crowd = self._open_doors(guests, counts, flows)
        self._tonight = self.world()
        if len(self.games) > 1:
            shape = (len(self.games), len(self.tills), len(GAME_COUNTS))
            self._by_game = np.zeros(shape, np.int64)
        per_sitting = self._scenario.rounds_per_sitting
        for sitting in range(1, setup.n_sittings(self._scenario) + 1):
            first_round = 1 + (sitting - 1) * per_sitting
            n_rounds = min(per_sitting, self._scenario.rounds_per_night - first_round + 1)
            when = Sitting(night, sitting, first_round, n_rounds, key)
            self._hold_events(when, crowd, counts, flows)
            self._play_sitting(when, crowd, counts, flows)
        if setup.n_sittings(self._scenario) > 0:
            self._note_unopened(night, crowd)
        self._close(night, counts, flows)

    def _pass_day(self, night: int, key: int, flows: Any) -> Ints:
        """The day; the rows of those who want to go out tonight."""
        forget_tellers(self.beliefs, night, self.ways.teller_memory)
        self.ways = count_anew(self.beliefs, night, self.ways)
        n_vacant = self._scenario.patrons - len(self._living)
        arrive_prob = self._scenario.population.arrive_prob
        newcomers = make_count_newcomers()(key, n_vacant, arrive_prob)
        if newcomers:
            rows = self._arrive(newcomers, night)
            trade, gold = self._rows["trade"][rows], self._rows["gold"][rows]
            np.add.at(flows[0, ARRIVAL], trade, gold)
            self.record.arrivals(night, rows)
        n = self.n_rows
        guests, leavers = np.empty(n, np.int64), np.empty((n, 2), np.int64)
        live_day = make_live_day(self.policy["goes_out"])
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

    def _hold_events(self, when: Sitting, crowd: Crowd, counts: Any, flows: Any) -> None:
        """The contests in the yards that begin with this sitting, in the order of the plan.

        The tables of these houses stand idle in its first round: everybody goes
        out to look.
        """
        if not self.event_plan:
            return
        due = [event for event in self.event_plan if when.first_round in event.what.rounds]
        busy = [event.tavern for event in due]
        for rooms in self.rooms.values():
            rooms.skips[:] = np.isin(rooms.tavern, busy)
        for event in due:
            game = event.game
            scratch = load_game(game, "tables").blank_scratch(max(1, len(crowd.rows)))
            args = (event.number, when, self.yards[game], crowd, self._tonight, self._own[game])
            notes = self.record.room_for(1)
            with self._tallying(game, crowd, counts):
                self._holds[game](*args, notes, counts, flows, scratch)

    def _pick_rooms(self, when: Sitting, crowd: Crowd) -> None:
        """Everybody makes up his mind what to play, where there is a choice."""
        if self._most_rooms > 1:
            appeals = np.empty(self._most_rooms)
            pick_rooms = make_pick_rooms(self.policy["game_appeal"])
            pick_rooms(when, self.menu, crowd, self.people, self.inclinations, appeals)

    def _play_sitting(self, when: Sitting, crowd: Crowd, counts: Any, flows: Any) -> None:
        """A drink for everybody, seats, and the rounds of this sitting at every table."""
        self._pick_rooms(when, crowd)
        world, serves = self._tonight, 1
        for kind, rooms in self.rooms.items():
            game, n_seats = kind
            most = setup.most_tables(n_seats, rooms, len(crowd.rows))
            tables, scratch = self._floor(kind, most)
            play, rest = self._plays[game], (world, self._own[game], tables)
            task = Task(1, serves, 0, -1, when, rooms, crowd)
            notes = self.record.room_for(len(tables.turn) * when.n_rounds)
            with self._tallying(game, crowd, counts):
                if self.threads <= 1:
                    play(task, *rest, notes, counts, flows, scratch)
                else:
                    begin = task._replace(last=0)
                    n_tables = play(begin, *rest, notes, counts, flows, scratch)
                    self._in_slices(kind, n_tables, task, rest, counts, flows)
            serves = 0
        if serves:
            make_serve()(crowd, when, self.people, self.houses, counts, flows)

    def _tallying(self, game: str, crowd: Crowd, counts: Any) -> AbstractContextManager[None]:
        """Put down under a game what happens to the counts and purses meanwhile.

        With one game alone that is all that happens, and is seen at closing.
        """
        return NO_TALLY if len(self.games) == 1 else self._tally(game, crowd, counts)

    @contextmanager
    def _tally(self, game: str, crowd: Crowd, counts: Any) -> Iterator[None]:
        at, rows = self.games.index(game), crowd.rows
        before = counts[:, GAME_COUNTS].copy()
        net, sat = self._rows["games_net"][rows], self._rows["sittings"][rows]
        yield
        self._by_game[at] += counts[:, GAME_COUNTS] - before
        self.won[rows, at] += self._rows["games_net"][rows] - net
        self.sat[rows, at] += self._rows["sittings"][rows] - sat

    def _note_unopened(self, night: int, crowd: Crowd) -> None:
        """Write down which rooms and events found too few people all night, and why."""
        for kind, rooms in self.rooms.items():
            if not rooms.opened.all():
                plan = [place for place in self.room_plan if setup.kind_of(place) == kind]
                self._note_idle(night, plan, rooms.opened, rooms.able, crowd)
            rooms.opened[:] = rooms.able[:] = 0
        for game, yards in self.yards.items():
            if not yards.held.all():
                plan = [place for place in self.event_plan if place.game == game]
                self._note_idle(night, plan, yards.held, yards.able, crowd)
            yards.held[:] = yards.able[:] = 0

    def _note_idle(
        self, night: int, plan: list[setup.Place], opened: Ints, able: Ints, crowd: Crowd
    ) -> None:
        for at, place in enumerate(plan):
            if opened[at] > 0 or getattr(place.what, "count", 1) == 0:
                continue
            there = crowd.rows[crowd.starts[place.tavern] : crowd.starts[place.tavern + 1]]
            richest = int(self._rows["gold"][there].max()) if len(there) else 0
            why_not = getattr(load_game(place.game, "tables"), "why_not", None)
            sheets = np.asarray(self.sheet)[there]
            data = self._scenario.data
            problem = why_not(place.options, data, sheets) if why_not else ""
            title = title_of(place.game, place.options, data)
            needed = load_game(place.game).MIN_SEATS
            self.record.unopened(night, place, title, needed, int(able[at]), richest, problem)

    def _floor(self, kind: tuple[str, int], n_tables: int) -> tuple[Tables, Any]:
        """Tables and scratch of a kind, kept from sitting to sitting."""
        floor = self._floors.get(kind)
        if floor is None or len(floor[0].turn) < n_tables:
            blank_scratch = load_game(kind[0], "tables").blank_scratch
            floor = (blank_tables(n_tables, kind[1]), blank_scratch(kind[1]))
            self._floors[kind] = floor
        return floor

    def _in_slices(
        self,
        kind: tuple[str, int],
        n_tables: int,
        task: Task,
        rest: Any,
        counts: Any,
        flows: Any,
    ) -> None:
        """Each slice notes and adds up for itself; the order of neither matters."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        game, n_seats = kind
        blank_scratch = load_game(game, "tables").blank_scratch
        cuts = [n_tables * i // self.threads for i in range(self.threads + 1)]
        jobs = []
        for first, last in pairwise(cuts):
            n_cells = (last - first) * task.when.n_rounds
            notes = blank_notes(n_cells, int(self.record.keep_all))
            part = (notes, np.zeros_like(counts), np.zeros_like(flows))
            piece = task._replace(begins=0, serves=0, first=first, last=last)
            args = (piece, *rest, *part, blank_scratch(n_seats))
            jobs.append((self._pool.submit(self._plays[game], *args), part))
        for job, (notes, some_counts, some_flows) in jobs:
            job.result()
            self.record.take_over(notes)
            counts += some_counts
            flows += some_flows

    def _close(self, night: int, counts: Any, flows: Any) -> None:
        """The houses' bills, the check of the books, the record of the night."""
        unpaid = np.empty_like(self.tills)
        make_close_houses()(self.houses, self.bills, self.tills, unpaid, flows)
        self.ledger.book(night, flows)
        purses, n_broke = self._count_purses()
        self.ledger.verify(night, purses, self.tills)
        gold = self._rows["gold"][self._living]
        purses = np.sort(gold)
        self.gini = gini_of_sorted(purses)
        self._sum_up(counts)
        self.record.night(night, counts, self.tills, purses, self.gini, n_broke, unpaid)
        if len(self.games) > 1:
            self.record.by_game(self._by_game)
        self.record.wealth(night, self._living, gold)
        if night % NIGHTS_BETWEEN_NETWORKS == 0:
            self.record.network(night, self._edges())
        self._views_are_stale = True
        self.datacollector.collect(self)

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
        living = np.empty(self.n_rows, np.int64)
        n_living, n_broke = make_count_purses()(
            self.n_rows, self.people, self.houses, purses, living
        )
        self._living = living[:n_living]
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

    def _grow(self, n: int) -> None:
        ids = np.arange(len(self._rows) + 1, len(self._rows) + n + 1)
        everybody = self._scenario.patrons
        homes = [float(everybody if room == NO_LIMIT else room) for room in self.capacity]
        people, sheet = generate(ids, self.run_key, self._scenario, self.data, homes)
        self.people = stacked(self.people, people)
        self._rows = cast(Any, self.people).view(np.ndarray)  # the same memory, read faster
        self.sheet = stacked(self.sheet, sheet)
        likes = inclinations(ids, self.run_key, self.games, self._scenario, people, sheet)
        self.inclinations = np.concatenate([self.inclinations, likes])
        nothing = np.zeros((n, len(self.games)), np.int64)
        self.won, self.sat = (np.concatenate([each, nothing]) for each in (self.won, self.sat))
        more = blank_beliefs(n, self._scenario.suspicion.memory)
        self.beliefs = grown(self.beliefs, more)

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
        if len(self.games) == 1:
            return self._rows["games_net"][:n, None], self._rows["sittings"][:n, None]
        return self.won[:n], self.sat[:n]

    def options_at(self, tavern: int, table_id: int) -> dict[str, Any]:
        """The options of the game at a table, or of an event in the yard."""
        here = [place for place in [*self.room_plan, *self.event_plan] if place.tavern == tavern]
        return max(
            (place for place in here if place.first_table < table_id),
            key=lambda place: place.first_table,
        ).options

    def name_of(self, row: int) -> str:
        """The full name of whoever stands in a row."""
        if row not in self._names:
            pinned = self._scenario.people
            if row < len(pinned):
                self._names[row] = pinned[row].name
            else:
                ancestry = self.ancestries[self.sheet.ancestry.item(row)]
                sex = SEXES[self.sheet.sex.item(row)]
                luck = chance.subkey(self.run_key, chance.NAME, 0)
                self._names[row] = name_of(
                    row + 1, ancestry, sex, self.data.names, luck, taken=self._pinned_names
                )
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
        return self.record.nights_table(self)

    @property
    def events(self) -> pd.DataFrame:
        """Notable events, one a row, each with a sentence."""
        return self.record.events_table(self)

    @property
    def patrons(self) -> pd.DataFrame:
        """Everybody who has ever lived here, with his record."""
        return self.record.patrons_table(self)

    @property
    def suspicion(self) -> Network:
        """The suspicion network as it stands."""
        return Network(with_belief(self._edges()))

    def results(self) -> dict[str, pd.DataFrame]:
        """Every result table of the run folder by its name."""
        return self.record.tables(self)

    def digest(self) -> str:
        """SHA-256 over the names and values of the result tables."""
        from .recording import digest

        return digest(self.results())

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the threads and the kernels, which are made again."""
        made_again: dict[str, Any] = {
            "_pool": None,
            "_tonight": None,
            "_plays": {},
            "_holds": {},
            "_floors": {},
        }
        return self.__dict__ | made_again

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make again what was left out."""
        self.__dict__.update(state)
        self._rows = cast(Any, self.people).view(np.ndarray)
        self._make_kernels()


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


def _resolved(scenario: str | Path | Scenario, settings: dict[str, Any]) -> Scenario:
    if not isinstance(scenario, str | Path | Scenario):
        raise TypeError(f"scenario must be a name, a path or a Scenario (got {scenario!r})")
    if isinstance(scenario, Scenario):
        return scenario.with_settings(settings) if settings else scenario
    return load_scenario(scenario, settings)
