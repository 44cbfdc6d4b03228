"""What is played in a town of an evening: its rooms and yards, and a sitting at all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .events import title_of
from .games import load_game
from .patrons.columns import Floats, Ints, People, stacked
from .patrons.decisions import Policy
from .tables.picking import make_pick_rooms
from .tables.record import GAME_COUNTS, blank_notes
from .tables.seating import Crowd, Sitting
from .tables.seats import Tables, World, blank_tables
from .tables.sittings import Task
from .town import setup
from .town.bar import make_serve, serve

if TYPE_CHECKING:
    from .recording import Record
    from .scenario import Scenario

NOTHING: Ints = np.zeros(0, np.int64)
"""The own arrays of a game that needs none."""
NO_TALLY = nullcontext()


class Tonight(NamedTuple):
    """A night, as those who play it are handed it."""

    night: int
    key: int
    world: World
    crowd: Crowd
    counts: Any
    flows: Any


class Playing:
    """The rooms and yards of a town, the kernels that play there, and who has won what.

    Parameters
    ----------
    scenario : Scenario
        The town.
    policy : Policy
        The decisions of its people.
    record : Record
        Where rounds are written down.
    threads : int
        Threads that play the tables; the results are the same for any number.

    Attributes
    ----------
    games : list of str
        What is played, in the order of the columns below.
    inclinations : ndarray of float, shape (n_rows, n_games)
        How people are inclined to each game, as a utility.
    won, sat : ndarray of int, shape (n_rows, n_games)
        Coins won less lost, and sittings. Not kept where there is one game alone.
    """

    def __init__(self, scenario: Scenario, policy: Policy, threads: int) -> None:
        self.scenario, self.policy, self.threads = scenario, policy, threads
        self.room_plan = setup.plan_rooms(scenario)
        self.event_plan = setup.plan_events(scenario)
        self.rooms = setup.make_rooms(self.room_plan)
        self.yards = setup.make_yards(self.event_plan)
        self.menu = setup.make_menu(self.room_plan, len(scenario.taverns))
        self.games = list(dict.fromkeys([*(game for game, _ in self.rooms), *self.yards]))
        self.inclinations: Floats = np.zeros((0, len(self.games)))
        self.won: Ints = np.zeros((0, len(self.games)), np.int64)
        self.sat: Ints = np.zeros((0, len(self.games)), np.int64)
        self._most_rooms = int(np.diff(self.menu.starts).max())
        self._floors: dict[tuple[str, int], tuple[Tables, Any]] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._places: dict[int, list[setup.Place]] = defaultdict(list)
        for place in [*self.room_plan, *self.event_plan]:
            self._places[place.tavern].append(place)
        self._make_kernels()

    def _make_kernels(self) -> None:
        """The kernels that play each game, with the decisions of this town, and their arrays."""
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
                self._own[game] = tables.make_own(options, self.scenario)

    def grow(self, inclinations: Floats) -> None:
        """Make room for more people, with these inclinations."""
        self.inclinations = stacked(self.inclinations, inclinations)
        nothing = np.zeros((len(inclinations), len(self.games)), np.int64)
        self.won, self.sat = stacked(self.won, nothing), stacked(self.sat, nothing)

    # ------------------------------------------------------------- an evening

    def open(self, record: Record) -> None:
        """Begin an evening, of which `record` keeps the rounds."""
        self.record = record
        shape = (len(self.games), len(self.scenario.taverns), len(GAME_COUNTS))
        self.tonight_by_game = np.zeros(shape, np.int64)

    def sittings(self, night: int, key: int) -> Iterator[Sitting]:
        """The sittings of an evening; the last may be shorter."""
        per_sitting, n_rounds = self.scenario.rounds_per_sitting, self.scenario.rounds_per_night
        for sitting in range(1, setup.n_sittings(self.scenario) + 1):
            first = 1 + (sitting - 1) * per_sitting
            yield Sitting(night, sitting, first, min(per_sitting, n_rounds - first + 1), key)

    def hold_events(self, when: Sitting, tonight: Tonight) -> None:
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
            game, crowd = event.game, tonight.crowd
            scratch = load_game(game, "tables").blank_scratch(max(1, len(crowd.rows)))
            args = (event.number, when, self.yards[game], crowd, tonight.world, self._own[game])
            notes = self.record.room_for(1)
            with self._tallying(game, tonight):
                self._holds[game](*args, notes, tonight.counts, tonight.flows, scratch)

    def pick_rooms(self, when: Sitting, crowd: Crowd, people: People) -> None:
        """Everybody makes up his mind what to play, where there is a choice."""
        if self._most_rooms > 1:
            appeals = np.empty(self._most_rooms)
            pick_rooms = make_pick_rooms(self.policy["game_appeal"])
            pick_rooms(when, self.menu, crowd, people, self.inclinations, appeals)

    def play(self, when: Sitting, tonight: Tonight) -> None:
        """A drink for everybody, seats, and the rounds of this sitting at every table."""
        crowd, counts, flows = tonight.crowd, tonight.counts, tonight.flows
        self.pick_rooms(when, crowd, tonight.world.people)
        serves = 1
        for kind, rooms in self.rooms.items():
            game, n_seats = kind
            most = setup.most_tables(n_seats, rooms, len(crowd.rows))
            tables, scratch = self._floor(kind, most)
            play, rest = self._plays[game], (tonight.world, self._own[game], tables)
            task = Task(1, serves, 0, -1, when, rooms, crowd)
            notes = self.record.room_for(len(tables.turn) * when.n_rounds)
            with self._tallying(game, tonight):
                if self.threads <= 1:
                    play(task, *rest, notes, counts, flows, scratch)
                else:
                    begin = task._replace(last=0)
                    n_tables = play(begin, *rest, notes, counts, flows, scratch)
                    self._in_slices(kind, n_tables, task, rest, counts, flows)
            serves = 0
        if serves:
            make_serve()(crowd, when, tonight.world.people, tonight.world.houses, counts, flows)

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
        """Each slice notes and adds up for itself; the order of neither matters.

        What it has added up is looked at only for the taverns its tables stand in: the
        flows of a big town take ten megabytes.
        """
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        game, n_seats = kind
        blank_scratch = load_game(game, "tables").blank_scratch
        cuts = [n_tables * i // self.threads for i in range(self.threads + 1)]
        jobs = []
        for first, last in pairwise(cuts):
            n_cells = (last - first) * task.when.n_rounds
            notes = blank_notes(n_cells, int(self.record.keep_all))
            part = (notes, np.zeros(counts.shape, np.int64), np.zeros(flows.shape, np.int64))
            piece = task._replace(begins=0, serves=0, first=first, last=last)
            args = (piece, *rest, *part, blank_scratch(n_seats))
            taverns = rest[-1].tavern[first:last]
            jobs.append((self._pool.submit(self._plays[game], *args), part, taverns))
        for job, (notes, some_counts, some_flows), taverns in jobs:
            job.result()
            self.record.take_over(notes)
            if len(taverns):
                here = slice(taverns.min(), taverns.max() + 1)
                counts[here] += some_counts[here]
                flows[1:][here] += some_flows[1:][here]

    # ------------------------------------------------------------- what it came to

    def _tallying(self, game: str, tonight: Tonight) -> AbstractContextManager[None]:
        """Put down under a game what happens to the counts and purses meanwhile.

        With one game alone that is all that happens, and is seen at closing.
        """
        return NO_TALLY if len(self.games) == 1 else self._tally(game, tonight)

    @contextmanager
    def _tally(self, game: str, tonight: Tonight) -> Iterator[None]:
        at, rows, counts = self.games.index(game), tonight.crowd.rows, tonight.counts
        people = np.asarray(tonight.world.people)
        before = counts[:, GAME_COUNTS].copy()
        net, sat = people["games_net"][rows], people["sittings"][rows]
        yield
        self.tonight_by_game[at] += counts[:, GAME_COUNTS] - before
        self.won[rows, at] += people["games_net"][rows] - net
        self.sat[rows, at] += people["sittings"][rows] - sat

    def note_unopened(self, tonight: Tonight) -> None:
        """Write down which rooms and events found too few people all night, and why."""
        if setup.n_sittings(self.scenario) == 0:
            return
        for kind, rooms in self.rooms.items():
            if not rooms.opened.all():
                plan = [place for place in self.room_plan if setup.kind_of(place) == kind]
                self._note_idle(plan, rooms.opened, rooms.able, tonight)
            rooms.opened[:] = rooms.able[:] = 0
        for game, yards in self.yards.items():
            if not yards.held.all():
                plan = [place for place in self.event_plan if place.game == game]
                self._note_idle(plan, yards.held, yards.able, tonight)
            yards.held[:] = yards.able[:] = 0

    def _note_idle(
        self, plan: list[setup.Place], opened: Ints, able: Ints, tonight: Tonight
    ) -> None:
        crowd, data = tonight.crowd, self.scenario.data
        for at, place in enumerate(plan):
            is_shut = tonight.world.houses.is_open[place.tavern] == 0
            if is_shut or opened[at] > 0 or getattr(place.what, "count", 1) == 0:
                continue
            there = crowd.rows[crowd.starts[place.tavern] : crowd.starts[place.tavern + 1]]
            purses = np.asarray(tonight.world.people)["gold"][there]
            richest = int(purses.max()) if len(there) else 0
            why_not = getattr(load_game(place.game, "tables"), "why_not", None)
            sheets = np.asarray(tonight.world.sheet)[there]
            problem = why_not(place.options, data, sheets) if why_not else ""
            title = title_of(place.game, place.options, data)
            needed = load_game(place.game).MIN_SEATS
            told = (place, title, needed, int(able[at]), richest, problem)
            self.record.unopened(tonight.night, *told)

    def options_at(self, tavern: int, table_id: int) -> dict[str, Any]:
        """The options of the game at a table, or of an event in the yard."""
        return setup.place_of(self._places[tavern], table_id).options

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the threads and the kernels, which are made again."""
        made_again: dict[str, Any] = {"_pool": None, "_plays": {}, "_holds": {}, "_floors": {}}
        return self.__dict__ | made_again

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make again what was left out."""
        self.__dict__.update(state)
        self._make_kernels()
