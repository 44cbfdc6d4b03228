"""Long throws in the yard of a house: by the rules, to the coin, and told as they went."""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavern_abm import TavernModel, chance
from tavern_abm.asking import RefusedError, read_options
from tavern_abm.coins import rake
from tavern_abm.data_tables import DataError
from tavern_abm.events import event_kinds
from tavern_abm.games import long_throw as lt
from tavern_abm.patrons.columns import NOBODY
from tavern_abm.patrons.decisions.long_throw import (
    backs_thrower,
    enters_throw,
    talent,
    throwing_form,
)
from tavern_abm.scenario import ScenarioError
from tavern_abm.tables import long_throw as yard
from tavern_abm.tables import long_throw_events as events
from tests.strategies import DICE_ALONE
from tests.tables.plain_yard import Held, watched

STYLES = {
    "far": {},
    "precision": {"style": "precision"},
    "caber": {"style": "caber", "object": "discus"},
    "toss": {"style": "toss"},
    "halfling": {"object": "halfling"},
    "aimed": {"style": "precision", "object": "halfling"},
}
EVENT = {"game": "long-throw", "rounds": [7, 13]}
ROUNDS = ([7, 13], [1, 19], [25, 31])  # nobody can be in two events at once


def town(*yards: dict[str, Any], rng: int = 5, threads: int = 1, **settings: Any) -> TavernModel:
    """A small house with a yard and no tables, and many halflings."""
    plan = {
        "patrons": 60,
        "population.ancestries": {"human": 0.6, "halfling": 0.4},
        "taverns.0.mugs_mean": 6.0,
        "taverns.0.tables": [],
        "rounds_per_night": 12 * max(2, len(yards)),
        "taverns.0.yard": [
            EVENT | {"rounds": rounds} | each for each, rounds in zip(yards, ROUNDS, strict=False)
        ],
    }
    return TavernModel(DICE_ALONE, rng=rng, threads=threads, **plan | settings)


# ---------------------------------------------------------------- a contest, told plainly


def replay(held: Held, options: dict[str, Any]) -> dict[str, Any]:
    """The same contest once more, with lists and dicts: purses, wounds and what was noted."""
    event, when, yards, crowd, world, own, *_ = held.args
    people, sheet, minds = held.before, world.sheet, world.minds
    contest = lt.Contest(*own.contests[event].tolist())
    tavern = int(yards.tavern[event])
    key = chance.subkey(
        chance.hash63(
            chance.hash63(chance.subkey(when.night_key, chance.TAVERN, tavern + 1), chance.TABLE),
            int(yards.number[event]),
        ),
        chance.TABLE,
        when.first_round,
    )
    here = [row for row in crowd.rows.tolist() if people[row].tavern == tavern]

    def own_key(row: int) -> int:
        return chance.hash63(int(people[row].luck), key)

    def off(row: int) -> int:
        drunk = min(4, max(0, people[row].drinks - 2)) * minds.drink_penalty
        return int(-drunk - 2 * people[row].weary)

    def thrower(row: int) -> lt.Thrower:
        one = sheet[row]
        hand = 2 * people[row].hurt_hand if contest.style == lt.PRECISION else 0
        feats = (one.feats >> 2 & 1, one.feats >> 4 & 1)
        return lt.Thrower(
            *map(int, (one.strength, one.dexterity, one.size_class, one.base_attack, *feats)),
            form=off(row) - int(hand),
        )

    able = [row for row in here if lt.can_enter(thrower(row), contest)]
    stake = int(yards.stake[event])
    if stake == 0:
        purses = sorted(int(people[row].gold) for row in able)
        median = purses[(len(purses) - 1) // 2] if purses else 0
        stake = next((s for s in (100, 50, 20, 10, 5, 2, 1) if s * 50 <= median), 1)
    weights = {row: exp(throwing_form(thrower(row), contest)) for row in able}
    places = min(int(yards.entrants[event]), len(able))
    willing = []
    for row in able:
        patron = people[row]
        others = (places - 1) * sum(weights.values()) / len(able)
        if patron.gold >= stake and enters_throw(
            weights[row] / (weights[row] + others),
            places,
            stake,
            patron.gold,
            patron.wounds,
            patron.rationality,
            minds.thrill,
            chance.unit(own_key(row), chance.ENTER, 0),
        ):
            willing.append(row)
    if len(willing) < 2:
        return {"able": len(willing), "held": False}
    willing.sort(key=lambda row: chance.draw(own_key(row), chance.CONTEST, 0))
    throwers = willing[: int(yards.entrants[event])]
    onlookers = [row for row in here if row not in throwers]
    onlookers.sort(key=lambda row: chance.draw(own_key(row), chance.CONTEST, 1))
    forms = [throwing_form(thrower(row), contest) for row in throwers]
    laid, backed = [0] * len(throwers), {}
    for row in onlookers:
        if people[row].gold >= stake:
            u = chance.unit(own_key(row), chance.BACK, 0)
            choice = backs_thrower(forms, laid, stake, people[row].rationality, minds.thrill, u)
            if choice >= 0:
                backed[row] = choice
                laid[choice] += stake

    wounds = {row: int(people[row].wounds) for row in here}
    gone: set[int] = set()
    flights: dict[int, int] = {}
    suffered: dict[int, int] = {}

    def wound(row: int, points: int) -> None:
        wounds[row] += points
        if wounds[row] >= sheet[row].constitution:
            gone.add(row)

    def land(strength: int, is_solid: bool, at: int) -> None:
        fit = [
            row
            for row in onlookers
            if sheet[row].ancestry == own.people[event]
            and people[row].drinks > 2
            and row not in gone
            and 2 * wounds[row] < sheet[row].constitution
        ]
        if not own.is_person[event] or not fit:
            return
        row = max(fit, key=lambda each: (people[each].drinks, -onlookers.index(each)))
        flights[row] = flights.get(row, 0) + 1
        if chance.roll(key, chance.CONTEST, at, 20) + sheet[row].tumble + off(row) < 15:
            bonus = max(0, (strength - 10) // 2) if is_solid else 0
            damage = chance.roll(key, chance.DAMAGE, at, 6) + bonus
            suffered[row] = suffered.get(row, 0) + damage
            wound(row, damage)

    pelted: dict[int, int] = {}
    naturals: list[int] = []
    series = 0
    if contest.style == lt.PRECISION:
        left = list(range(len(throwers)))
        while len(left) > 1:
            reach = [i for i in left if lt.can_reach(thrower(throwers[i]), contest, series + 1)]
            if not reach:
                break
            series += 1
            hit = []
            for i in reach:
                one = thrower(throwers[i])
                natural = chance.roll(key, chance.THROW, 12 * series + i, 20)
                is_hit = lt.hits(natural, lt.attack_modifier(one, contest, series), 5)
                hit += [i] if is_hit else []
                land(one.strength, is_hit, 12 * series + i)
            left = hit or left
        winners = left
    else:
        results = {}
        for i, row in enumerate(throwers):
            one = thrower(row)
            natural = chance.roll(key, chance.THROW, i, 20)
            naturals.append(natural)
            is_short = contest.style == lt.TOSS and lt.falls_short(natural, one, contest)
            in_hay = contest.style == lt.TOSS and not is_short
            if not (in_hay and options.get("soft_landing")):
                land(one.strength, False, i)
            if is_short:
                pelted[row] = chance.roll(key, chance.DAMAGE, 1_000_000 + i, 4)
                wound(row, pelted[row])
            else:
                results[i] = lt.degree_of_success(natural, one, contest)
        winners = [i for i, result in results.items() if result == max(results.values())]

    gold = {row: int(people[row].gold) for row in here}
    rake_bp = int(world.houses.rake_bp[tavern])
    house = changed = 0
    if winners:
        changed = stake * (len(throwers) - len(winners))
        house = rake(changed, rake_bp)
        prize = changed - house
        for i, row in enumerate(throwers):
            if i in winners:
                place = winners.index(i)
                gold[row] += prize // len(winners) + (place < prize % len(winners))
            else:
                gold[row] -= stake
    on = {i: sum(each == i for each in backed.values()) for i in winners}
    n_backed = sum(n > 0 for n in on.values())
    if n_backed:
        lost = stake * sum(each not in winners for each in backed.values())
        part = (lost - rake(lost, rake_bp)) // n_backed
        changed += lost
        house += lost
        for row, each in backed.items():
            gain = part * stake // (on[each] * stake) if each in winners else -stake
            gold[row] += gain
            house -= gain if each in winners else 0
    return {
        "held": True,
        "able": len(willing),
        "stake": stake,
        "throwers": throwers,
        "winners": winners,
        "series": series,
        "gold": gold,
        "wounds": wounds,
        "gone": gone,
        "house": house,
        "changed": changed,
        "bets": stake * len(backed),
        "flights": flights,
        "suffered": suffered,
        "pelted": pelted,
    }


def compare(held: Held, options: dict[str, Any]) -> dict[str, Any]:
    plain = replay(held, options)
    if not plain["held"]:
        assert (held.n, held.cell) == (0, None)
        assert np.array_equal(held.before.gold, held.after.gold)
        return plain
    cell, facts = held.cell, held.cell["facts"]
    throwers = plain["throwers"]
    assert held.n == len(throwers)
    assert held.counts["able"] >= plain["able"]
    assert cell["rows"].tolist() == throwers + [NOBODY] * (12 - len(throwers))
    assert facts[events.WINNERS] == sum(1 << i for i in plain["winners"])
    assert facts[events.N_SERIES] == plain["series"]
    assert facts[events.BETS_CP] == held.counts["bets_cp"] == plain["bets"]
    assert facts[events.PELTED] == sum(1 << throwers.index(row) for row in plain["pelted"])
    assert facts[events.STONES] == sum(plain["pelted"].values())
    assert (cell["stake"], cell["pool"]) == (plain["stake"], plain["changed"])
    hurt = {row for row in plain["suffered"] if plain["suffered"][row]}
    assert held.counts["hurt"] == len(hurt) + len(plain["pelted"])
    thrown = int(facts[events.THROWN])
    assert (thrown == NOBODY) == (not plain["flights"])
    if plain["flights"]:
        assert facts[events.N_FLIGHTS] == plain["flights"][thrown]
        most = max(plain["suffered"].values(), default=0)
        assert facts[events.THROWN_DAMAGE] == plain["suffered"].get(thrown, 0) == most
    for row, gold in plain["gold"].items():
        assert held.after.gold[row] == gold
        assert held.after.wounds[row] == plain["wounds"][row]
        assert (
            held.after.games_net[row] - held.before.games_net[row] == gold - held.before.gold[row]
        )
        assert (held.after.tavern[row] == NOBODY) == (row in plain["gone"])
        assert held.after.sittings[row] - held.before.sittings[row] == (row in throwers)
    assert held.counts["rake_cp"] == plain["house"]
    assert held.counts["changed_hands_cp"] == plain["changed"]
    assert held.counts["staked_cp"] == plain["bets"] + plain["stake"] * len(throwers)
    assert held.counts["contests"] == held.counts["rounds"] == held.counts["games"] == 1
    return plain


@pytest.mark.parametrize("style", STYLES)
def test_every_number_is_that_of_a_plain_replay(style: str) -> None:
    options = STYLES[style]
    model = town({"options": options}, {"entrants": 3, "stake": 7}, **{"taverns.0.rake_bp": 650})
    model.run_for(1)
    shown = []
    for _ in range(4):
        for held in watched(model, "long-throw"):
            which = options if held.args[0] == 0 else {}
            shown.append(compare(held, which))
    assert len(shown) == 16
    assert all(each["held"] for each in shown)
    if "halfling" in (style, options.get("object")) or style == "toss":
        assert any(each["flights"] for each in shown)
        assert any(each["suffered"] for each in shown)
    assert any(each["pelted"] for each in shown) == (style == "toss")


def test_hay_may_be_soft() -> None:
    soft = {"style": "toss", "soft_landing": True, "distance": 1, "object": "halfling"}
    model = town({"options": soft})
    for held in (each for _ in range(3) for each in watched(model, "long-throw")):
        plain = compare(held, soft)
        assert len(plain["flights"]) <= len(plain["pelted"])


# ---------------------------------------------------------------- the run


SETTINGS = [
    {"rng": 1, "taverns.0.rake_bp": 0},
    {"rng": 2, "taverns.0.rake_bp": 1000, "patrons": 25},
    {"rng": 3, "minds.thrill": 2.0, "taverns.0.tables": [{"game": "rotting-toes"}]},
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("style", ["precision", "toss"])
def test_books_balance_and_nobody_is_in_debt(style: str, settings: dict[str, Any]) -> None:
    model = town({"options": STYLES[style], "entrants": 12}, {"rounds": [1]}, **settings)
    for _ in range(6):
        net = model.people.games_net.sum()
        model.run_for(1)  # the ledger is checked at every closing
        assert model.people.gold.min() >= 0
        rakes = model.nights.iloc[-1]["rake_cp"]
        if "taverns.0.tables" not in settings:
            assert model.people.games_net.sum() - net == -rakes
    assert model.nights["contests"].sum() >= 6


def columns(model: TavernModel) -> dict[str, Any]:
    return {name: model.people[name][: model.n_rows].tolist() for name in ("gold", "wounds")}


def test_threads_do_not_matter() -> None:
    one, two = (town({"options": STYLES["toss"]}, threads=n) for n in (1, 2))
    for model in (one, two):
        model.run_for(3)
    assert columns(one) == columns(two)


def test_kernel_and_plain_python_hold_the_same() -> None:
    fast, plain = (town({"options": STYLES["aimed"]}, {"rounds": [1]}) for _ in range(2))
    hold = plain.playing._holds["long-throw"]
    plain.playing._holds["long-throw"] = getattr(hold, "py_func", hold)
    for model in (fast, plain):
        model.run_for(3)
    assert columns(fast) == columns(plain)


def test_the_yard_moves_nobody_elses_luck() -> None:
    """Who neither threw nor bet has the evening he would have had without it."""
    with_, without = town({}), town()
    for model in (with_, without):
        model.run_for(1)
    idle = (with_.people.games_net == 0) & (with_.people.sittings == 0)
    assert idle.sum() >= 20
    for name in ("gold", "drinks", "tavern"):
        assert np.array_equal(with_.people[name][idle], without.people[name][idle])


def test_a_users_own_decision_is_asked() -> None:
    from tavern_abm import Policy

    def nobody(*args: Any) -> bool:
        return False

    plan = {"taverns.0.tables": [], "taverns.0.yard": [EVENT], "patrons": 40}
    model = TavernModel(DICE_ALONE, rng=1, policy=Policy(enters_throw=nobody), **plan)
    model.run_for(1)
    assert model.nights["contests"].sum() == 0


# ---------------------------------------------------------------- not held


def unopened(model: TavernModel) -> list[str]:
    model.run_for(1)
    told = model.events
    return told[told["kind"] == "not_opened"]["text"].tolist()


def test_too_few_who_would_and_could(tmp_path: Path) -> None:
    (tmp_path / "objects.toml").write_text(
        '[[object]]\nname = "anvil"\nweight_lb = 2000\nincrement_ft = 1\n'
    )
    (tmp_path / "customs.toml").write_text("")
    model = town({"options": {"object": "anvil"}}, data=str(tmp_path))
    assert unopened(model) == [
        "The throw of the anvil was not held tonight: nobody there can lift the anvil (2,000 lb)."
    ]


def test_a_stake_nobody_can_cover() -> None:
    assert unopened(town({"stake": 10**9})) == [
        "The throw of the stone was not held tonight: nobody could cover a stake of 10,000,000 gp."
    ]


def test_what_a_scenario_may_not_say() -> None:
    for options, text in (
        ({"object": "lgo"}, "no such object: 'lgo'"),
        ({"style": "toss", "object": "log"}, "a toss needs a person to toss"),
        ({"stile": "far"}, "did you mean 'style'"),
        ({"distance": 0}, "must lie in 1 to 1000"),
        ({"distance": 20}, "goes with the style toss, not with far"),
        ({"style": "toss", "target_ac": 7}, "goes with the style precision, not with toss"),
    ):
        with pytest.raises(ScenarioError, match=text):
            town({"options": options})


def test_an_object_that_nobody_could_ever_lift(tmp_path: Path) -> None:
    (tmp_path / "objects.toml").write_text(
        '[[object]]\nname = "keep"\nweight_lb = 900000\nincrement_ft = 1\n'
    )
    options = read_options(lt.OPTIONS, {"object": "keep"})
    with pytest.raises(RefusedError, match=r"nobody can lift the keep: 900000 lb is above"):
        yard.verify_options(options, str(tmp_path))
    (tmp_path / "objects.toml").write_text("object = 3")
    with pytest.raises(DataError):
        yard.verify_options(options, str(tmp_path))


# ---------------------------------------------------------------- what is told


def test_events_say_what_happened() -> None:
    model = town({"options": STYLES["toss"]}, {}, {"options": STYLES["precision"]})
    model.run_for(6)
    told = model.events[model.events["kind"].isin(events.KINDS)]
    assert set(told["kind"]) == set(events.KINDS)
    won = told[told["kind"] == "throw_won"]
    assert (won["amount_cp"] > 0).all() or won[won["amount_cp"] == 0]["other_id"].gt(0).all()
    for each in told.itertuples():
        assert not any(sign in each.text for sign in "{}[]")
        assert each.text.endswith(".")
        assert each.text[0].isupper() or each.text[0].isdigit()
        if each.kind == "thrown":
            assert model.name_of(each.patron_id - 1) in each.text
    assert set(events.KINDS) <= set(event_kinds())


def test_the_strong_have_a_talent_for_it() -> None:
    model = town({})
    found = talent(model.people, model.sheet)
    assert found.shape == (len(model.sheet),)
    order = np.argsort(model.sheet.strength, kind="stable")
    assert (np.diff(found[order]) >= 0).all()
