"""Bribes and flights: who pays, who runs, who goes after him, and what comes of it."""

from __future__ import annotations

from copy import deepcopy
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm import Scenario, TavernModel, chance
from tavern_abm.games import chase as rules
from tavern_abm.games import race_sheet
from tavern_abm.patrons.columns import DEAD, FEATS, NOBODY, SKILLS
from tavern_abm.patrons.competitor import Competitor
from tavern_abm.patrons.decisions import Policy
from tavern_abm.patrons.decisions.chase import DECISIONS
from tavern_abm.scenario import ScenarioError
from tavern_abm.society.judgement import BANNED, BEATEN, KILLED, OUT, WARNED
from tavern_abm.society.suspicion import memory_of, place, write
from tavern_abm.tables import flight
from tavern_abm.tables.accounts import BRIBED
from tavern_abm.tables.chase_told import tell_chase
from tavern_abm.tables.chase_ways import Way, shipped_ways, ways_by_house
from tavern_abm.tables.flight_run import Choices, blank_scratch, encoded, run_chase
from tavern_abm.tables.flight_told import (
    HARM,
    HOW,
    INCREMENTS,
    LEAD,
    LOW_NIGHTS,
    OFF,
    SENTENCED,
    START,
    competitor,
    set_up,
    short_names,
)
from tavern_abm.tables.happenings import Person, Round, Teller
from tavern_abm.tables.record import (
    COUNTS,
    N_AWAY,
    N_BRIBES,
    N_BRIBES_CP,
    N_HURT,
    N_RAN,
    NO_SEAT,
    blank_notes,
)
from tavern_abm.tables.seating import Sitting
from tavern_abm.tables.seats import World, blank_tables
from tavern_abm.tables.sentencing import condemn, find_pursuer, running, sentence
from tests.strategies import DICE_ALONE, seeds

NIGHT, ROUND, KEY = 5, 3, 999
WHEN = Sitting(NIGHT, 1, 1, 6, KEY)
RUNNING = DICE_ALONE.with_settings({"flight.runs": True, "bribes.bribe_prob": 0.05})
CHOICES = Choices(*(DECISIONS[name] for name in Choices._fields))
WAYS = list(shipped_ways())


class Asked:
    """Decisions that answer as they are told, and remember what they were asked."""

    def __init__(self, pays: bool = False, runs: bool = False) -> None:
        self.pays, self.runs = pays, runs
        self.sums: list[int] = []
        self.edges: list[float] = []

    def offers_bribe(self, patron: Any, sheet: Any, what: int, sum_cp: int, *rest: Any) -> bool:
        self.sums.append(sum_cp)
        return self.pays

    def flees(self, patron: Any, sheet: Any, what: int, edge: float, *rest: Any) -> bool:
        self.edges.append(edge)
        return self.runs


def a_town(n: int = 5, **settings_: Any) -> tuple[TavernModel, World]:
    """So many people in a house, healthy and sober, with 1000 cp each."""
    model = TavernModel(RUNNING, rng=1, people=[], patrons=n, **settings_)
    people, sheet = model.people, model.sheet
    people.gold[:], people.tavern[:], people.wage[:] = 1000, 0, 50
    sheet.strength[:], sheet.dexterity[:], sheet.speed_ft[:], sheet.feats[:] = 10, 10, 30, 0
    return model, model.world()


def a_table(world: World) -> Any:
    tables = blank_tables(1, 6)
    n = len(world.people)
    tables.seats[0, :n] = tables.seated[0, :n] = range(n)
    tables.key[0] = chance.subkey(chance.subkey(KEY, chance.TAVERN, 1), chance.TABLE, 0)
    return tables


def books() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((1, len(COUNTS)), np.int64), np.zeros((2, 24, 12), np.int64)


def condemned(
    world: World, tables: Any, what: int, asked: Asked, net: list[int], mildest: int = WARNED
) -> tuple[Any, np.ndarray, np.ndarray]:
    counts, flows = books()
    lost = np.array([*net, *[0] * (6 - len(net))])
    penalty = condemn(world, tables, 0, 0, what, mildest, asked, NIGHT, ROUND, counts, flows, lost)
    return penalty, counts[0], flows


# ---------------------------------------------------------------- the warden


def test_a_warden_who_is_bought_sees_to_a_warning() -> None:
    _, world = a_town(**{"bribes.take_prob": 1.0, "bribes.bribe_days": 3.0})
    asked = Asked(pays=True, runs=True)
    penalty, counts, flows = condemned(world, a_table(world), KILLED, asked, [0] * 5)
    assert (penalty.sentence, penalty.bribe, penalty.ran) == (WARNED, 150, 0)
    assert asked.sums == [150]
    assert not asked.edges
    assert world.people.gold.tolist() == [850, 1000, 1000, 1000, 1000]
    assert flows[1, BRIBED].sum() == flows.sum() == 150
    assert (counts[N_BRIBES], counts[N_BRIBES_CP]) == (1, 150)
    assert world.people.tavern[0] == 0


def test_who_was_caught_at_it_cannot_buy_the_evening_too() -> None:
    _, world = a_town(**{"bribes.take_prob": 1.0})
    for what in (OUT, BEATEN):
        tables = a_table(world)
        asked = Asked(pays=True)
        penalty, _, _ = condemned(world, tables, what, asked, [0] * 5, mildest=OUT)
        assert penalty.sentence == OUT
        assert tables.seats[0, 0] == NOBODY
        assert len(asked.sums) == (what > OUT)


def test_a_warden_takes_it_with_his_chance_and_an_honest_one_costs_nothing() -> None:
    _, world = a_town(1, **{"bribes.take_prob": 0.3, "flight.runs": False})
    n, n_taken = 2000, 0
    for key in range(n):
        tables = a_table(world)
        tables.key[0] = key
        world.people.gold[0] = 1000
        penalty, counts, _ = condemned(world, tables, BANNED, Asked(pays=True), [0])
        taken = penalty.bribe > 0
        assert penalty.sentence == (WARNED if taken else BANNED)
        assert world.people.gold[0] == (900 if taken else 1000)
        assert counts[N_BRIBES] == taken
        n_taken += taken
    assert n_taken / n == pytest.approx(0.3, abs=4 * sqrt(0.3 * 0.7 / n))


def test_nobody_is_asked_where_nobody_bribes_or_runs_nor_is_a_player() -> None:
    _, world = a_town(**{"bribes.bribe_prob": 0.0, "flight.runs": False})
    asked = Asked(pays=True, runs=True)
    condemned(world, a_table(world), BEATEN, asked, [0] * 5)
    _, world = a_town()
    world.people.is_player[0] = 1
    condemned(world, a_table(world), BEATEN, asked, [0] * 5)
    assert asked.sums == asked.edges == []


# ---------------------------------------------------------------- who runs, and who is after him


@pytest.mark.parametrize("what", [WARNED, OUT])
def test_nobody_runs_from_a_mild_sentence(what: int) -> None:
    _, world = a_town()
    asked = Asked(runs=True)
    penalty, _, _ = condemned(world, a_table(world), what, asked, [0] * 5)
    assert (penalty.ran, penalty.sentence) == (0, what)
    assert not asked.edges


@pytest.mark.parametrize("what", [BANNED, BEATEN, KILLED])
def test_who_runs_leaves_with_his_pursuer_and_nothing_is_carried_out_yet(what: int) -> None:
    _, world = a_town()
    tables, people = a_table(world), world.people
    before = people[0].copy()
    people.streak[0] = 3
    penalty, counts, flows = condemned(world, tables, what, Asked(runs=True), [20, -10, -10, 0, 0])
    assert (penalty.sentence, penalty.ran, penalty.pursuer, penalty.nights) == (what, 1, 1, 0)
    assert tables.seats[0].tolist() == [NOBODY, NOBODY, 2, 3, 4, NOBODY]
    assert people.tavern[:2].tolist() == [NOBODY, 0]
    before["tavern"] = NOBODY
    assert people[0].tolist() == before.tolist()
    assert counts[N_RAN] == counts.sum() == 1
    assert not flows.any()


def believe(world: World, row: int, log_odds: float) -> None:
    memory = memory_of(world.beliefs, row)
    write(memory, place(memory, 0, NIGHT, world.ways), log_odds, NIGHT, world.ways)


def pursuer(world: World, net: list[int]) -> int:
    lost = np.array([*net, *[0] * (6 - len(net))])
    return find_pursuer(world, a_table(world), 0, 0, NIGHT, lost)


def test_the_fastest_of_those_who_are_angry_goes_after_him() -> None:
    _, world = a_town()
    assert pursuer(world, [0] * 5) == NO_SEAT
    believe(world, 2, -0.1)
    assert pursuer(world, [0] * 5) == NO_SEAT
    believe(world, 4, 0.1)
    assert pursuer(world, [0] * 5) == 4
    # Of equals the first clockwise; then whoever is faster; the fastest of all is not angry.
    net = [30, 0, -10, -20, 0]
    assert pursuer(world, net) == 2
    world.sheet.feats[3] = 1 << FEATS.index("Run")
    assert pursuer(world, net) == 3
    world.sheet.strength[1], world.sheet.strength[4] = 18, 16
    assert pursuer(world, net) == 4
    world.people.drinks[4] = 6
    assert pursuer(world, net) == 3
    world.people.is_player[3] = 1
    assert pursuer(world, net) == 2


def test_he_reckons_with_who_is_after_him() -> None:
    _, world = a_town()
    world.sheet.strength[:] = [14, 10, 10, 10, 10]
    world.sheet.speed_ft[1] = 50
    asked = Asked()
    condemned(world, a_table(world), BEATEN, asked, [20, -20, 0, 0, 0])
    condemned(world, a_table(world), BEATEN, asked, [0] * 5)
    assert asked.edges == [-2.0, 100.0]


@given(st.integers(3, 18), st.integers(10, 60), st.booleans(), st.integers(0, 9), st.booleans())
@settings(max_examples=40, deadline=None)
def test_running_is_the_check_that_a_chase_is_run_with(
    strength: int, speed_ft: int, has_run: bool, drinks: int, is_weary: bool
) -> None:
    _, world = a_town(1)
    sheet, patron = world.sheet[0], world.people[0]
    sheet.strength, sheet.speed_ft = strength, speed_ft
    sheet.feats = has_run << FEATS.index("Run")
    patron.drinks, patron.weary = drinks, is_weary
    who = np.zeros(race_sheet.N_FIELDS, np.int64)
    flight.fill_chase_sheet(world, 0, who)
    found = race_sheet.check_modifier(who, race_sheet.FOOT, race_sheet.STRENGTH)
    assert running(world, 0) == found


# ---------------------------------------------------------------- one chase


def a_cell(what: int, pursuer_seat: int = 1, accuser: int = 2, round_: int = ROUND) -> Any:
    """A round after which the first ran from his sentence."""
    cell = blank_notes(1, 0).blank[0]
    cell["night"], cell["round"], cell["rows"][:5], cell["seated"] = NIGHT, round_, range(5), 31
    cell["sentence"], cell["ran"], cell["pursuer"], cell["accuser"] = what, 1, pursuer_seat, accuser
    return cell


def pursued(world: World, cell: Any) -> tuple[Any, np.ndarray, np.ndarray]:
    """What a chase is written down as, and what it did to the books."""
    notes, (counts, flows) = blank_notes(1, 0), books()
    streets = flight.make_streets([WAYS])
    scratch = blank_scratch(len(WAYS))
    flight.pursue(cell, WHEN, world, streets, CHOICES, notes, counts, flows, scratch)
    assert notes.n[0] == 1
    return notes.cells[0], counts[0], flows


def first_that(ended: int, what: int, **settings_: Any) -> tuple[World, World, Any, Any]:
    """The first of many chases that ends so: the world before and after, its cell and its note."""
    model, _ = a_town(**settings_)
    for round_ in range(1, 60):
        before, after = model.world(), deepcopy(model.world())
        cell = a_cell(what, round_=round_)
        note, _, _ = pursued(after, cell)
        if note["ended"] == ended:
            return before, after, cell, note
    raise AssertionError


@pytest.mark.parametrize("what", [BANNED, BEATEN, KILLED])
def test_caught_he_gets_what_he_would_have_had_at_the_table(what: int) -> None:
    world, after, cell, note = first_that(rules.CAUGHT, what)
    counts, flows = books()
    seat_key = chance.slot(int(cell["round"]), 0)
    key = a_table(world).key[0]
    found = sentence(world, 0, what, 0, key, seat_key, NIGHT, counts, flows)
    assert (note["sentence"], note["nights"], note["estate"]) == found
    world.people.wounds[:2] = note["facts"][HARM : HARM + 2]
    if what != KILLED:
        # Caught in the act nobody accused him: he resents who ran him down.
        world.people.grudge[0], world.people.grudge_night[0] = 1, NIGHT
    else:
        world.people.grudge[0], world.people.grudge_night[0] = after.people[0][
            ["grudge", "grudge_night"]
        ]
    assert after.people.tolist() == world.people.tolist()


def test_the_books_of_a_chase_are_those_of_the_sentence() -> None:
    model, _ = a_town()
    for round_ in range(1, 30):
        one, other = deepcopy(model.world()), deepcopy(model.world())
        note, counts, flows = pursued(one, a_cell(KILLED, round_=round_))
        want, want_flows = books()
        if note["ended"] == rules.CAUGHT:
            sentence(other, 0, KILLED, 0, 1, 1, NIGHT, want, want_flows)
        else:
            want[0, N_AWAY] = 1
        counts[N_HURT] = 0
        assert counts.tolist() == want[0].tolist()
        assert (flows == want_flows).all()
        assert (one.people.whereabouts[0] == DEAD) == (note["ended"] == rules.CAUGHT)


def test_away_he_is_barred_and_lies_low() -> None:
    _, after, _, note = first_that(rules.AWAY, KILLED, **{"flight.lie_low_nights": 9})
    patron = after.people[0]
    assert (patron.low_until, patron.banned_until, patron.banned_from) == (14, 14, 0)
    assert (patron.escaped, patron.beaten, patron.tavern) == (1, 0, NOBODY)
    assert patron.gold == 1000
    assert (note["sentence"], note["nights"], note["facts"][LOW_NIGHTS]) == (0, 9, 9)


def test_with_nobody_after_him_he_is_away_at_once() -> None:
    _, world = a_town()
    note, counts, _ = pursued(world, a_cell(BEATEN, pursuer_seat=NO_SEAT))
    assert (note["ended"], note["facts"][INCREMENTS], note["pursuer"]) == (rules.AWAY, 0, NO_SEAT)
    assert counts[N_AWAY] == counts.sum() == 1


def test_a_chase_is_written_down() -> None:
    _, world = a_town()
    world.people.drinks[:2] = 3, 5
    note, _, _ = pursued(world, a_cell(BEATEN))
    facts = note["facts"]
    assert note["rows"].tolist() == [0, 1, 2] + [-1] * 9
    assert (note["hand"], note["pursuer"], note["accuser"], note["seated"]) == (0, 1, 2, 3)
    assert note["game"] == flight.GAME
    assert (facts[SENTENCED], facts[OFF], facts[OFF + 1]) == (BEATEN, -1, -3)
    assert note["ran"] == 0


def test_the_ways_leave_wounds_but_not_on_the_dead() -> None:
    model, _ = a_town()
    cruel = [Way("glass", "over glass", obstacle="glass", check="jump", dc=60, failing="hurt",
                 damage=(1, 4))]  # fmt: skip
    n_wounded = 0
    for round_ in range(1, 20):
        world, notes, (counts, flows) = deepcopy(model.world()), blank_notes(1, 0), books()
        streets = flight.make_streets([cruel])
        flight.pursue(a_cell(KILLED, round_=round_), WHEN, world, streets, CHOICES, notes, counts,
                      flows, blank_scratch(1))  # fmt: skip
        note, wounds = notes.cells[0], world.people.wounds
        is_dead = note["ended"] == rules.CAUGHT
        assert note["facts"][HARM] > 0 or note["facts"][INCREMENTS] == 0
        assert wounds[0] == (0 if is_dead else note["facts"][HARM])
        assert wounds[1] == note["facts"][HARM + 1]
        assert counts[0, N_HURT] == (wounds[:2] > 0).sum()
        n_wounded += wounds[1] > 0
    assert n_wounded > 5


# ---------------------------------------------------------------- run and told


def somebody(name: str, rng: np.random.Generator) -> Competitor:
    skills = {skill: int(rng.integers(-3, 12)) for skill in SKILLS[2:]}
    scores = rng.integers(3, 19, 2).tolist()
    return Competitor(
        name,
        strength=scores[0],
        dexterity=scores[1],
        speed_ft=int(rng.choice([20, 30, 40])),
        feats=("Run",) if rng.random() < 0.3 else (),
        **skills,
    )


def test_a_chase_that_was_run_is_the_one_that_is_told() -> None:
    """To the last die: 500 chases over few ways and many, by people of all kinds."""
    rng, seen = np.random.default_rng(3), set()
    for _ in range(500):
        ways = [WAYS[i] for i in rng.permutation(len(WAYS))[: rng.integers(1, len(WAYS) + 1)]]
        people = somebody("Ann", rng), somebody("Bo", rng)
        seed = int(rng.integers(2**63))
        scratch = blank_scratch(len(ways))
        for who, each in zip(scratch.who, people, strict=True):
            who[:] = race_sheet.entrant(each)
        run = run_chase(seed, encoded(ways), CHOICES, scratch)
        chase = set_up(*people, seed, ways, DECISIONS)
        told = list(tell_chase(chase))
        harm = [
            sum(sum(each.facts["dice"]) for each in told
                if each.kind == "hurt" and each.facts["who"] == name and not each.facts["to_mount"])
            for name in ("Ann", "Bo")
        ]  # fmt: skip
        assert run.state == chase.state
        assert run.start == told[0].facts["lead"]
        assert run.how == ("", "hidden", "forfeit").index(chase.how)
        assert scratch.harm.tolist() == harm
        seen.add((run.state.ended, run.how))
    assert {(rules.CAUGHT, 0), (rules.AWAY, 0), (rules.AWAY, 1), (rules.AWAY, 2)} <= seen


@given(st.integers(-6, 0), st.integers(0, 1), seeds)
@settings(max_examples=60, deadline=None)
def test_a_sheet_as_it_was_that_night(off: int, hurt_hand: int, seed: int) -> None:
    """What the kernel brings to a chase is what the teller reads out of the record."""
    _, world = a_town(1, **{"minds.drink_penalty": 1})
    rng = np.random.default_rng(seed % 2**32)
    for name in (*SKILLS, "strength", "dexterity", "wisdom", "constitution"):
        world.sheet[name][0] = rng.integers(3, 19)
    patron = world.people[0]
    patron.hurt_hand, patron.weary = hurt_hand, off <= -5
    patron.drinks = 2 - off - 2 * patron.weary
    who = np.zeros(race_sheet.N_FIELDS, np.int64)
    flight.fill_chase_sheet(world, 0, who)
    told = race_sheet.entrant(competitor("Ann", world.sheet[0], off, hurt_hand))
    used = range(race_sheet.PACE)  # the rest is of long races
    assert who[used].tolist() == told[used].tolist()


def test_runners_come_in_the_order_of_rounds_and_tables() -> None:
    cells = np.concatenate([[blank_notes(1, 0).blank[0]] for _ in range(6)])
    cells["round"], cells["tavern"], cells["table"] = (
        [2, 1, 1, 2, 1, 1], [0, 1, 0, 0, 0, 1], [5, 0, 3, 1, 9, 2],
    )  # fmt: skip
    cells["ran"] = [1, 1, 1, 1, 0, 1]
    found = flight.runners(cells)
    where = list(zip(found["round"], found["tavern"], found["table"], strict=True))
    assert where == [(1, 0, 3), (1, 1, 0), (1, 1, 2), (2, 0, 1), (2, 0, 5)]


@pytest.mark.parametrize(
    ("a", "b", "short"),
    [
        ("Ann Fisk", "Bo Rand", ("Ann", "Bo")),
        ("Ann Fisk", "Ann Rand", ("Ann Fisk", "Ann Rand")),
        ("The Captain", "Old Tom", ("The Captain", "Old Tom")),
    ],
)
def test_names_in_the_thick_of_it(a: str, b: str, short: tuple[str, str]) -> None:
    assert short_names(a, b) == short


def plan_ways(scenario: Scenario) -> list[list[Way]]:
    return ways_by_house(scenario.data, [tavern.district for tavern in scenario.taverns])


def test_a_district_of_the_scenarios_own(tmp_path: Any) -> None:
    (tmp_path / "ways.toml").write_text(
        '[[ways]]\nname = "a"\npath = "a"\n'
        '[[ways]]\nname = "b"\npath = "b"\ndistricts = ["Old End"]\n'
    )
    towns = {"data": str(tmp_path), "taverns.0.district": "old end"}
    (ways,) = plan_ways(RUNNING.with_settings(towns))
    assert [(way.name, way.districts) for way in ways] == [("a", ()), ("b", ("old end",))]
    (tmp_path / "ways.toml").write_text('[[ways]]\nname = "a"\ndistricts = [3, ""]\n')
    with pytest.raises(ScenarioError, match="way 1, 'a'"):
        RUNNING.with_settings(towns)


@pytest.mark.parametrize("district", ["town", "market", "harbour", "river", "meadow", "nowhere"])
def test_every_district_has_ways_enough(district: str) -> None:
    (ways,) = plan_ways(RUNNING.with_settings({"taverns.0.district": district}))
    assert 6 <= len(ways) < len(WAYS)
    assert all(not way.districts or district in way.districts for way in ways)


# ---------------------------------------------------------------- a town that runs

ROUGH = {
    "patrons": 100,
    "population.share_of_cheats": 0.4,
    "minds.tau": 0.8,
    "justice.accuse_prob": 0.8,
    "justice.threshold_mean": -0.5,
    "bribes.bribe_prob": 0.2,
}
N_NIGHTS = 60


@pytest.fixture(scope="module", params=["dockside", "orc"])
def model(request: pytest.FixtureRequest) -> TavernModel:
    model = TavernModel(RUNNING, rng=9, **ROUGH | {"taverns.0.custom": request.param})
    model.run_for(N_NIGHTS)
    return model


def at(events: pd.DataFrame, *kinds: str) -> set[tuple[int, ...]]:
    """Where events of some kinds happened, and to whom."""
    where = ["night", "round", "tavern_id", "table_id", "patron_id"]
    return set(map(tuple, events[events.kind.isin(kinds)][where].values.tolist()))


SENTENCES = ("warned", "thrown_out", "banned", "beaten", "killed")


def test_everybody_found_guilty_is_sentenced_or_gets_away(model: TavernModel) -> None:
    events = model.events
    guilty = at(events, "convicted", "caught")
    assert guilty == at(events, *SENTENCES, "got_away")
    assert not at(events, *SENTENCES) & at(events, "got_away")
    assert at(events, "ran") == at(events, "got_away", "run_down") <= guilty
    assert at(events, "run_down") <= at(events, "banned", "beaten", "killed")
    assert at(events, "bribed") <= at(events, "warned", "thrown_out")
    assert len(at(events, "ran")) > 20
    assert at(events, "bribed")


def test_the_counts_are_those_of_the_events(model: TavernModel) -> None:
    events, nights = model.events, model.nights
    kinds = events.kind.value_counts()
    for name, kind in (("ran", "ran"), ("got_away", "got_away"), ("bribes", "bribed")):
        assert nights[name].sum() == kinds.get(kind, 0)
    bribed = events[events.kind == "bribed"]
    assert nights.bribes_cp.sum() == bribed.amount_cp.sum()
    ledger = model.results()["ledger"]
    assert ledger[ledger.reason == "bribe"].amount_cp.sum() == bribed.amount_cp.sum()
    assert model.people.escaped.sum() == kinds.get("got_away", 0)


def test_every_chase_is_told_increment_by_increment(model: TavernModel) -> None:
    chases = model.events[model.events.kind.isin(["run_down", "got_away"])]
    n_told = 0
    for cells in model.record.rounds():
        for cell in cells[cells["game"] == flight.GAME]:
            here = chases[
                (chases.night == cell["night"])
                & (chases["round"] == cell["round"])
                & (chases.table_id == cell["table"] + 1)
            ]
            (text,) = here.text
            n = int(cell["facts"][INCREMENTS])
            # Each increment but one that ends by hiding or a forfeit says what the lead is then.
            said = text.count("lead is") + text.count("makes the lead")
            assert said >= n - (cell["facts"][HOW] > 0)
            if n > 0:
                assert f" {cell['facts'][START]}" in text
                n_told += 1
            if n > 0 and cell["facts"][HOW] == 0 and cell["ended"] == rules.AWAY:
                assert (
                    f"lead is {cell['facts'][LEAD]}" in text
                    or f"lead {cell['facts'][LEAD]}" in text
                )
    assert n_told > 10


def test_the_runner_and_his_pursuer_miss_the_rest_of_the_sitting(model: TavernModel) -> None:
    events, per_sitting = model.events, model.scenario.rounds_per_sitting
    for ran in events[events.kind == "ran"].itertuples():
        last = -(-ran.round // per_sitting) * per_sitting
        later = events[(events.night == ran.night) & (events["round"] > ran.round)]
        rest = later[later["round"] <= last]
        there = {
            each for event in rest.itertuples() for each in (*event.witnesses, event.patron_id)
        }
        assert ran.patron_id not in there
        assert ran.other_id not in there
        after = later[~later.kind.isin(["arrived", "left", "lent", "paid_back", "dodged"])]
        assert all(ran.patron_id not in event.witnesses for event in after.itertuples())


def test_flight_switched_off_moves_nobody_elses_dice() -> None:
    """Until somebody runs, the evening is the same to the coin."""
    on, off = (
        TavernModel(RUNNING, rng=9, **ROUGH | {"flight.runs": runs, "bribes.bribe_prob": 0.0})
        for runs in (True, False)
    )
    nights = 0
    while on.nights.ran.sum() == 0 if nights else True:
        for each in (on, off):
            each.run_for(1)
        nights += 1
        if on.nights.ran.sum() == 0:
            assert on.people.gold.tolist() == off.people.gold.tolist()
    same = on.events[on.events.night < nights]
    pd.testing.assert_frame_equal(same, off.events[off.events.night < nights])


def test_a_chase_by_a_policy_of_ones_own_is_told_by_it() -> None:
    def first(edges: Any, u: float) -> int:
        return 0

    policy = Policy(chooses_way=first)
    model = TavernModel(RUNNING, rng=9, policy=policy, **ROUGH | {"taverns.0.custom": "orc"})
    model.run_for(25)
    chases = [cells[cells["game"] == flight.GAME] for cells in model.record.rounds()]
    n_long = sum(int((cells["facts"][:, INCREMENTS] > 1).sum()) for cells in chases)
    told = model.events[model.events.kind.isin(["run_down", "got_away"])].text
    assert told.str.contains("The lead is|makes the lead").sum() >= n_long > 5


def test_a_chase_that_cannot_be_told_is_summed_up() -> None:
    _, world = a_town()
    note, _, _ = pursued(world, a_cell(BEATEN))
    cell = {name: note[name].tolist() for name in note.dtype.names}
    played = Round(NIGHT, ROUND, 0, 1, cell["rows"], cell)
    people = [Person(name, 0, False) for name in ("Ann Fisk", "Bo Rand", "Cy Orr")]
    teller = Teller(played, lambda row: people[row], "the Flagon", 19, {})
    from tavern_abm.tables.chase import tell_round

    first, *rest = list(tell_round(teller))
    assert first.kind == ("run_down" if cell["ended"] == rules.CAUGHT else "got_away")
    assert (first.patron_id, first.other_id) == (1, 2)
    assert "Ann Fisk" in first.text
    assert [event.kind for event in rest] == (["beaten"] if rest else [])
