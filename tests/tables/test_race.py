"""Races in the yard of a house: by the rules, to the coin, and told as they went."""

from __future__ import annotations

from math import exp, floor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavern_abm import Policy, TavernModel, chance
from tavern_abm.asking import read_options
from tavern_abm.coins import rake
from tavern_abm.courses import load_course, mounted, to_array
from tavern_abm.data_tables import DataError
from tavern_abm.events import event_kinds
from tavern_abm.games import race, race_sheet
from tavern_abm.games.race_odds import asked_course
from tavern_abm.patrons.columns import FEATS, NOBODY
from tavern_abm.patrons.competitor import Competitor
from tavern_abm.patrons.decisions import race as decisions
from tavern_abm.scenario import ScenarioError
from tavern_abm.tables import race as yard
from tavern_abm.tables import race_events as events
from tests.strategies import DICE_ALONE
from tests.tables.plain_yard import Held, watched

COURSES: dict[str, dict[str, Any]] = {
    "plain": {},
    "marathon": {"course": "dak-rothian-marathon"},
    "tower": {"course": "tower-climb"},
    "derby": {"course": "shoulder-derby", "damage_instead": True, "fatigue": "on"},
    "trees": {"course": "treetop-race"},
    "long": {"increments": "marathon", "pacing": False},
    "wall": {"kind": "climb", "dc": 24, "increments": 3},
}
EVENT = {"game": "race", "rounds": [7, 13]}
ROUNDS = ([7, 13], [1, 19], [25, 31])  # nobody can be in two events at once


def town(*yards: dict[str, Any], rng: int = 5, threads: int = 1, **settings: Any) -> TavernModel:
    """A small house with a yard and no tables."""
    policy = settings.pop("policy", None)
    plan = {
        "patrons": 60,
        "taverns.0.mugs_mean": 6.0,
        "taverns.0.tables": [],
        "rounds_per_night": 12 * max(2, len(yards)),
        "taverns.0.yard": [
            EVENT | {"rounds": rounds} | each for each, rounds in zip(yards, ROUNDS, strict=False)
        ],
    }
    more = {} if policy is None else {"policy": policy}
    return TavernModel(DICE_ALONE, rng=rng, threads=threads, **more, **plan | settings)


# ---------------------------------------------------------------- a race, told plainly


class Replay:
    """The same race once more, with lists and dicts."""

    def __init__(self, held: Held, asked: dict[str, Any]) -> None:
        self.event, self.when, self.yards, self.crowd, self.world, *_ = held.args
        self.people, self.sheet = held.before, self.world.sheet
        self.options = read_options(race.OPTIONS, asked)
        self.course = asked_course(self.options)
        self.rows = to_array(self.course, self.options["damage_instead"])
        fatigue = race.FATIGUE.index(self.options["fatigue"])
        self.is_long = race.is_long_race(len(self.rows), fatigue)
        self.tavern = int(self.yards.tavern[self.event])
        here = chance.subkey(self.when.night_key, chance.TAVERN, self.tavern + 1)
        number = int(self.yards.number[self.event])
        event_key = chance.hash63(chance.hash63(here, chance.TABLE), number)
        self.key = chance.subkey(event_key, chance.TABLE, self.when.first_round)
        self.here = [
            row for row in self.crowd.rows.tolist() if self.people[row].tavern == self.tavern
        ]

    def own_key(self, row: int) -> int:
        return chance.hash63(int(self.people[row].luck), self.key)

    def entrant(self, row: int, pace: int) -> Any:
        one, patron = self.sheet[row], self.people[row]
        names = ("strength", "dexterity", "constitution", "wisdom", "speed_ft")
        skills = ("climb", "swim", "jump", "balance", "tumble", "hide", "spot", "ride")
        feats = tuple(feat for i, feat in enumerate(FEATS) if one.feats >> i & 1)
        sheet = Competitor("", feats=feats, **{n: int(one[n]) for n in (*names, *skills)})
        who = race_sheet.entrant(mounted(sheet, self.course.mount), pace, self.is_long)
        drunk = min(4, max(0, patron.drinks - 2)) * self.world.minds.drink_penalty
        off = -drunk - 2 * patron.weary
        who[race_sheet.OWN : race_sheet.OWN + race_sheet.N_SKILLS] += off
        who[race_sheet.MOUNTS + race_sheet.RIDING] += off
        who[race_sheet.OWN + race_sheet.CLIMBING] -= 2 * patron.hurt_hand
        return who

    def mean(self, row: int) -> float:
        who = self.entrant(row, race_sheet.STEADY)
        kinds = self.rows[:, race.KIND].tolist()
        each = [race_sheet.check_modifier(who, kind, race_sheet.skill_of(kind)) for kind in kinds]
        return sum(each) / len(each)

    def enter(self) -> list[int]:
        self.stake = int(self.yards.stake[self.event])
        if self.stake == 0:
            purses = sorted(int(self.people[row].gold) for row in self.here)
            median = purses[(len(purses) - 1) // 2]
            self.stake = next((s for s in (100, 50, 20, 10, 5, 2, 1) if s * 50 <= median), 1)
        form = {row: decisions.racing_form(self.mean(row), len(self.rows)) for row in self.here}
        average = sum(map(exp, form.values())) / len(form)
        places = min(int(self.yards.entrants[self.event]), len(self.here))
        willing = []
        for row in self.here:
            patron, mine = self.people[row], exp(form[row])
            if patron.gold >= self.stake and decisions.enters_race(
                mine / (mine + (places - 1) * average),
                places,
                self.stake,
                patron.gold,
                patron.wounds,
                patron.rationality,
                self.world.minds.thrill,
                chance.unit(self.own_key(row), chance.ENTER, 0),
            ):
                willing.append(row)
        self.form = form
        willing.sort(key=lambda row: chance.draw(self.own_key(row), chance.CONTEST, 0))
        return willing

    def bet(self, racers: list[int]) -> dict[int, int]:
        onlookers = [row for row in self.here if row not in racers]
        onlookers.sort(key=lambda row: chance.draw(self.own_key(row), chance.CONTEST, 1))
        forms = [self.form[row] for row in racers]
        laid, backed = [0] * len(racers), {}
        for row in onlookers:
            patron = self.people[row]
            if patron.gold >= self.stake:
                u = chance.unit(self.own_key(row), chance.BACK, 0)
                thrill = self.world.minds.thrill
                choice = decisions.backs_racer(
                    forms, laid, self.stake, patron.rationality, thrill, u
                )
                if choice >= 0:
                    backed[row] = choice
                    laid[choice] += self.stake
        return backed

    def paces(self, racers: list[int]) -> list[int]:
        if not (self.is_long and self.options["pacing"]):
            return [race_sheet.STEADY] * len(racers)
        afoot = sum(kind < race_sheet.MOUNTED for kind in self.rows[:, race.KIND])
        return [
            decisions.chooses_pace(
                floor(self.mean(row)),
                int(self.sheet[row].constitution),
                afoot,
                chance.unit(self.own_key(row), chance.CHOICE, 0),
            )
            for row in racers
        ]

    def is_done_for(self, row: int, state: Any) -> bool:
        return bool(self.people[row].wounds + state[race.HURT] >= self.sheet[row].constitution)

    def choose(self, i: int, u: float) -> int:
        state, who = self.states[i], self.entrants[i]
        open_ = [c for c in range(4) if race.can_choose(state, self.rows, who, c)]
        lost = race.LOSE_GROUND if race.LOSE_GROUND in open_ else race.GIVE_UP
        if self.is_done_for(self.racers[i], state):
            return lost
        if race.TAKE_DAMAGE in open_:
            if self.rows[race.completed(state), race.DAMAGE_IS] == race.OPEN:
                return race.TAKE_DAMAGE
            harm = decisions.expected_harm(state, self.rows)
            loss = decisions.expected_loss(state, self.rows, who)
            if decisions.takes_damage(harm, loss, u):
                return race.TAKE_DAMAGE
        elif race.TRY_AGAIN in open_:
            others = [
                each[race.TOTAL]
                for j, each in enumerate(self.states)
                if j != i and not each[race.OUT]
            ]
            lead = state[race.TOTAL] - max(others) if others else 0
            if decisions.gives_up(lead, len(self.rows) - race.completed(state) - 1, u):
                return race.GIVE_UP
        return race.TRY_AGAIN if race.TRY_AGAIN in open_ else lost

    def run(self, racers: list[int]) -> None:
        self.racers = racers
        chosen = self.paces(racers)
        self.entrants = [self.entrant(*each) for each in zip(racers, chosen, strict=True)]
        self.states = [[0] * race.N_RACER for _ in racers]
        self.worn: set[int] = set()
        drawn = [0] * len(racers)
        self.n_run = 0
        while self.n_run < len(self.rows) and sum(not s[race.OUT] for s in self.states) > 1:
            for i, state in enumerate(self.states):
                if state[race.OUT]:
                    continue
                own = chance.subkey(self.key, chance.PATRON, i)
                race.enter(state, self.rows, self.entrants[i])
                while state[race.NEEDS]:
                    need, at = state[race.NEEDS], drawn[i]
                    drawn[i] += 1
                    faces = int(self.rows[race.completed(state), race.FACES])
                    if need == race.CHOOSE:
                        thrown = self.choose(i, chance.unit(own, chance.CHOICE, at))
                    elif need == race.HARM:
                        thrown = chance.roll(own, chance.DAMAGE, at, faces)
                    else:
                        thrown = chance.roll(own, chance.THROW, at, 20)
                    race.after(state, self.rows, self.entrants[i], thrown)
                if state[race.RESTS] or state[race.OUT] == race.DROWNED:
                    self.worn.add(racers[i])
                if not state[race.OUT] and self.is_done_for(racers[i], state):
                    state[race.OUT] = race.GAVE_UP
            self.n_run += 1
        left = [i for i, state in enumerate(self.states) if not state[race.OUT]]
        best = max((self.states[i][race.TOTAL] for i in left), default=0)
        self.winners = [i for i in left if self.states[i][race.TOTAL] == best]

    def pay(self, backed: dict[int, int]) -> None:
        self.net = dict.fromkeys(self.here, 0)
        rake_bp = int(self.world.houses.rake_bp[self.tavern])
        self.house = self.changed = 0
        if self.winners:
            self.changed = self.stake * (len(self.racers) - len(self.winners))
            self.house = rake(self.changed, rake_bp)
            prize = self.changed - self.house
            for i, row in enumerate(self.racers):
                if i in self.winners:
                    place, n = self.winners.index(i), len(self.winners)
                    self.net[row] += prize // n + (place < prize % n)
                else:
                    self.net[row] -= self.stake
        on = {i: sum(each == i for each in backed.values()) for i in self.winners}
        n_backed = sum(n > 0 for n in on.values())
        if n_backed:
            lost = self.stake * sum(each not in self.winners for each in backed.values())
            part = (lost - rake(lost, rake_bp)) // n_backed
            self.changed += lost
            self.house += lost
            for row, each in backed.items():
                if each in self.winners:
                    self.net[row] += part // on[each]
                    self.house -= part // on[each]
                else:
                    self.net[row] -= self.stake


def compare(held: Held, asked: dict[str, Any]) -> Replay:
    plain = Replay(held, asked)
    willing = plain.enter()
    assert held.counts["able"] >= len(willing)
    if len(willing) < 2:
        plain.racers = []
        assert (held.n, held.cell) == (0, None)
        assert np.array_equal(held.before.gold, held.after.gold)
        return plain
    racers = willing[: int(plain.yards.entrants[plain.event])]
    backed = plain.bet(racers)
    plain.run(racers)
    plain.pay(backed)
    cell, facts = held.cell, held.cell["facts"]
    assert held.n == len(racers)
    assert cell["rows"].tolist() == racers + [NOBODY] * (12 - len(racers))
    assert facts[events.WINNERS] == sum(1 << i for i in plain.winners)
    assert facts[events.N_RUN] == plain.n_run
    assert facts[events.BETS_CP] == held.counts["bets_cp"] == plain.stake * len(backed)
    assert facts[events.N_ONLOOKERS] == len(plain.here) - len(racers)
    for fact, out in ((events.FINISHED, race.RUNNING), (events.DROWNED, race.DROWNED)):
        bits = sum(1 << i for i, state in enumerate(plain.states) if state[race.OUT] == out)
        assert facts[fact] == bits
    hurt = [i for i, state in enumerate(plain.states) if state[race.HURT]]
    assert facts[events.HURT] == sum(1 << i for i in hurt)
    assert held.counts["hurt"] == len(hurt)
    assert facts[events.WORST_DAMAGE] == max(state[race.HURT] for state in plain.states)
    if plain.winners:
        assert facts[events.TOTAL] == plain.states[plain.winners[0]][race.TOTAL]
    assert (cell["stake"], cell["pool"]) == (plain.stake, plain.changed)
    damage = {row: state[race.HURT] for row, state in zip(racers, plain.states, strict=True)}
    for row in plain.here:
        before, after = held.before[row], held.after[row]
        assert after.gold - before.gold == after.games_net - before.games_net == plain.net[row]
        assert after.wounds - before.wounds == damage.get(row, 0)
        stays_home = damage.get(row, 0) and after.wounds >= plain.sheet[row].constitution
        assert (after.tavern == NOBODY) == stays_home
        assert after.weary == (before.weary or row in plain.worn)
        assert after.sittings - before.sittings == (row in racers)
    assert held.counts["rake_cp"] == plain.house
    assert held.counts["changed_hands_cp"] == plain.changed
    assert held.counts["staked_cp"] == plain.stake * (len(backed) + len(racers))
    assert held.counts["contests"] == held.counts["rounds"] == held.counts["games"] == 1
    return plain


@pytest.mark.parametrize("name", COURSES)
def test_every_number_is_that_of_a_plain_replay(name: str) -> None:
    asked = COURSES[name]
    model = town({"options": asked}, {"entrants": 3, "stake": 7}, **{"taverns.0.rake_bp": 650})
    shown = []
    for _ in range(4):
        for held in watched(model, "race"):
            shown.append(compare(held, asked if held.args[0] == 0 else {}))
    races = [each for each in shown if each.racers]
    assert len(races) >= 12
    if name == "marathon":
        outs = {state[race.OUT] for each in races for state in each.states}
        assert {race.RUNNING, race.DROWNED} <= outs
        assert any(each.worn for each in races)
        assert any(each.n_run < len(each.rows) for each in shown) or len(outs) > 2


# ---------------------------------------------------------------- the run


SETTINGS: list[dict[str, Any]] = [
    {"rng": 1, "taverns.0.rake_bp": 0},
    {"rng": 2, "taverns.0.rake_bp": 1000, "patrons": 25},
    {"rng": 3, "minds.thrill": 2.0, "taverns.0.tables": [{"game": "rotting-toes"}]},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_books_balance_and_nobody_is_in_debt(settings: dict[str, Any]) -> None:
    model = town({"options": COURSES["marathon"], "entrants": 12}, {"rounds": [1]}, **settings)
    for _ in range(6):
        net = model.people.games_net.sum()
        model.run_for(1)  # the ledger is checked at every closing
        assert model.people.gold.min() >= 0
        if "taverns.0.tables" not in settings:
            assert model.people.games_net.sum() - net == -model.nights.iloc[-1]["rake_cp"]
    assert model.nights["contests"].sum() >= 6


def columns(model: TavernModel) -> dict[str, Any]:
    return {name: model.people[name][: model.n_rows].tolist() for name in ("gold", "wounds")}


def test_threads_do_not_matter() -> None:
    one, two = (town({"options": COURSES["marathon"]}, threads=n) for n in (1, 2))
    for model in (one, two):
        model.run_for(3)
    assert columns(one) == columns(two)


def test_kernel_and_plain_python_hold_the_same() -> None:
    fast, plain = (
        town({"options": COURSES["marathon"]}, {"rounds": [1], "options": COURSES["trees"]})
        for _ in range(2)
    )
    hold = plain.playing._holds["race"]
    plain.playing._holds["race"] = getattr(hold, "py_func", hold)
    for model in (fast, plain):
        model.run_for(3)
    assert columns(fast) == columns(plain)


def test_the_yard_moves_nobody_elses_luck() -> None:
    """Who neither raced nor bet has the evening he would have had without it."""
    with_, without = town({}), town()
    for model in (with_, without):
        model.run_for(1)
    idle = (with_.people.games_net == 0) & (with_.people.sittings == 0)
    assert idle.sum() >= 20
    for name in ("gold", "drinks", "tavern"):
        assert np.array_equal(with_.people[name][idle], without.people[name][idle])


def test_a_users_own_decisions_are_asked() -> None:
    def nobody(*args: Any) -> bool:
        return False

    model = town({}, policy=Policy(enters_race=nobody))
    model.run_for(1)
    assert model.nights["contests"].sum() == 0

    def strange(*args: Any) -> int:
        return 77

    model = town({"options": COURSES["long"]}, policy=Policy(backs_racer=strange))
    model.run_for(1)
    assert model.nights["contests"].sum() > 0 == model.nights["bets_cp"].sum()


def test_who_is_badly_hurt_stays_at_home_and_the_worn_out_rest_by_tomorrow() -> None:
    model = town({"options": COURSES["marathon"], "entrants": 12}, patrons=80)
    model.run_for(8)
    wounds, constitution = model.people.wounds, model.sheet.constitution
    at_home = model.people.bruised_until >= 8
    assert (wounds > 0).any()
    assert not (wounds[~at_home] >= constitution[~at_home]).any()


# ---------------------------------------------------------------- not held


def unopened(model: TavernModel) -> list[str]:
    model.run_for(1)
    told = model.events
    return told[told["kind"] == "not_opened"]["text"].tolist()


def test_a_stake_nobody_can_cover_and_nobody_who_would() -> None:
    (text,) = unopened(town({"stake": 10**9}))
    assert "The race was not held tonight: nobody could cover a stake of 10,000,000 gp" in text
    (text,) = unopened(town({}, **{"minds.thrill": -10.0}))
    assert "The race was not held tonight: it takes 2" in text


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"course": "quay-dsh"}, "did you mean 'quay-dash'"),
        ({"course": "quay-dash", "increments": 4}, "the course says so itself"),
        ({"kind": "foot", "dc": 12}, "no DC in a race of kind 'foot'"),
        ({"kind": "fot"}, "did you mean 'foot'"),
        ({"increments": 101}, "must lie in 1 to 100"),
    ],
)
def test_what_a_scenario_may_not_say(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ScenarioError, match=text):
        town({"options": options})


def test_a_course_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "courses").mkdir()
    (tmp_path / "customs.toml").write_text("")
    path = tmp_path / "courses" / "lane.toml"
    path.write_text('title = "the Lane"\n[[leg]]\nkind = "foot"\nincrements = 3\n')
    model = town({"options": {"course": "lane"}}, {}, data=str(tmp_path))
    assert model.playing._own["race"].n_increments.tolist() == [3, 10]
    model.run_for(1)
    assert "the Lane" in " ".join(model.events["text"])
    path.write_text('[[leg]]\nkind = "fot"\nincrements = 3\n')
    with pytest.raises(DataError, match=r"lane\.toml: leg 1, from increment 1: kind: 'fot'"):
        yard.verify_options(read_options(race.OPTIONS, {"course": "lane"}), str(tmp_path))


def test_courses_as_the_kernel_has_them() -> None:
    model = town({"options": COURSES["marathon"]}, {"options": COURSES["derby"]}, {})
    own = model.playing._own["race"]
    assert own.courses.shape == (3, 20, race.N_COLUMNS)
    assert own.n_increments.tolist() == [20, 8, 10]
    assert own.n_afoot.tolist() == [18, 0, 10]
    assert own.is_long.tolist() == [1, 1, 0]
    assert np.array_equal(own.courses[0], to_array(load_course("dak-rothian-marathon")))
    assert own.mounts.tolist() == [[16, 15, 60, 7, 0], [15, 13, 30, 4, 0], [16, 15, 60, 7, 0]]


# ---------------------------------------------------------------- what is told


def test_events_say_what_happened() -> None:
    model = town(
        {"options": COURSES["marathon"], "entrants": 12},
        {"options": {"kind": "climb", "dc": 60}, "entrants": 3},
        {"rounds": [25], "options": {"increments": "dash"}, "entrants": 12},
    )
    model.run_for(12)
    told = model.events[model.events["kind"].isin(events.KINDS)]
    assert set(told["kind"]) == set(events.KINDS)
    for each in told.itertuples():
        assert not any(sign in each.text for sign in "{}[]")
        assert each.text.endswith(".")
        assert each.text[0].isupper()
        if each.kind != "race_unfinished":
            assert model.name_of(each.patron_id - 1) in each.text or each.other_id > 0
    won = told[told["kind"] == "race_won"]
    assert (won["amount_cp"] > 0).all()
    assert (won["other_id"] > 0).sum() == won["text"].str.contains("and shared").sum()
    came_in = won[won["text"].str.contains("never came in|did not see the end of it")]
    assert len(came_in) > 0
    assert not came_in["text"].str.contains("eleven others").any()
    assert set(events.KINDS) <= set(event_kinds())


def test_what_a_course_is_called() -> None:
    assert events.title_of("dak-rothian-marathon") == "the Dak'Rothian Marathon"
    assert events.title_of("some/where/old-mill.toml") == "the Old Mill"
