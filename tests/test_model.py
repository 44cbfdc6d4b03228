"""`TavernModel`: the same seed is the same evening, however it is run; and the edges of a town."""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
from typing import Any

import mesa
import numba
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm import Scenario, TavernModel
from tavern_abm.patrons.columns import Row
from tavern_abm.patrons.decisions import Policy
from tavern_abm.results import rounds_table, totals
from tavern_abm.scenario import ScenarioError
from tests.strategies import DICE_ALONE, scenarios, seeds

TABLES = {
    "acquaintances",
    "evenings",
    "events",
    "games",
    "ledger",
    "nights",
    "patrons",
    "players",
    "rumors",
    "suspicion",
    "tellings",
    "trials",
    "wealth",
}
SHORT = """
from tavern_abm import TavernModel
model = TavernModel("orc-gate", rng=7, patrons=16, **{"minds.tau": 0.9})
model.run_for(3)
print(model.digest())
"""


def played(nights: int, **kwargs: Any) -> TavernModel:
    model = TavernModel(DICE_ALONE, **{"rng": 7, "patrons": 60} | kwargs)
    model.run_for(nights)
    return model


def bare(nights: int, **changes: Any) -> TavernModel:
    """A run of the plainest scenario, in which nobody is pinned by name."""
    model = TavernModel(Scenario().with_settings(changes), rng=3)
    if nights:
        model.run_for(nights)
    return model


def in_another_process(**environment: str) -> str:
    """The digest of a short run in a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SHORT],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def short_digest() -> str:
    model = TavernModel("orc-gate", rng=7, patrons=16, **{"minds.tau": 0.9})
    model.run_for(3)
    return model.digest()


@pytest.fixture(scope="module")
def month() -> TavernModel:
    return played(30)


# ---------------------------------------------------------------- reproducible


def test_the_same_seed_is_the_same_evening(month: TavernModel) -> None:
    again = played(30)
    assert again.digest() == month.digest()
    for name, table in month.results().items():
        pd.testing.assert_frame_equal(again.results()[name], table)
    assert set(month.results()) == TABLES


@pytest.mark.parametrize("other", [{"rng": 8}, {"replicate": 1}, {"rng": 7 + 2**32}])
def test_another_seed_is_another_evening(month: TavernModel, other: dict[str, int]) -> None:
    assert played(30, **other).digest() != month.digest()


def test_a_run_without_a_seed_can_be_repeated_from_the_one_it_took() -> None:
    model = played(2, rng=None)
    assert played(2, rng=model.seed).digest() == model.digest()
    assert played(2, rng=np.int64(7)).digest() == played(2).digest()


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_matter(threads: int) -> None:
    one = played(8, patrons=300)
    assert played(8, patrons=300, threads=threads).digest() == one.digest()


@settings(max_examples=20)
@given(scenarios(), seeds, st.integers(2, 4))
def test_threads_do_not_matter_in_any_town(scenario: Scenario, seed: int, threads: int) -> None:
    one, many = (TavernModel(scenario, rng=seed, threads=n) for n in (1, threads))
    one.run_for(3)
    many.run_for(3)
    assert many.digest() == one.digest()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="Numba is switched off")
def test_compiled_and_uncompiled_are_the_same(short_digest: str) -> None:
    assert in_another_process(NUMBA_DISABLE_JIT="1") == short_digest


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_the_order_of_sets_does_not_matter(short_digest: str, seed: str) -> None:
    assert in_another_process(PYTHONHASHSEED=seed) == short_digest


@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_a_pickled_run_goes_on_to_the_same_end(month: TavernModel, protocol: int) -> None:
    model = played(11)
    assert len(model.agents) > 50  # views and all
    copy = pickle.loads(pickle.dumps(model, protocol))
    copy.run_for(19)
    assert copy.digest() == month.digest()
    assert copy.time == 30
    assert copy.datacollector.get_model_vars_dataframe().equals(
        month.datacollector.get_model_vars_dataframe()
    )


def test_a_pickle_is_a_copy() -> None:
    model = played(3)
    before = model.digest()
    pickle.loads(pickle.dumps(model)).run_for(2)
    assert model.digest() == before
    copy = pickle.loads(pickle.dumps(model))
    copy.patron(1).gold += 9
    assert (model.patron(1).gold, model.digest()) == (copy.patron(1).gold - 9, before)
    copy.run_for(1)


def test_looking_changes_nothing(month: TavernModel) -> None:
    model = TavernModel(DICE_ALONE, rng=7, patrons=60)
    for night in range(1, 31):
        model.run_for(1)
        assert model.time == night
        assert len(model.events) == len(model.events)
        assert len(model.agents) == len(model.living())
        _ = (model.patrons, model.suspicion.to_networkx(), model.nights, repr(list(model.agents)))
    assert model.digest() == month.digest()


def test_nights_can_be_played_one_by_one_or_together(month: TavernModel) -> None:
    model = played(10)
    for _ in range(5):
        model.step()
    model.run_for(15)
    assert model.digest() == month.digest()


def test_each_table_has_a_say_in_the_digest(month: TavernModel) -> None:
    """Anything a user could read counts: a coin, a belief, a word."""
    from tavern_abm.results import digest

    tables = month.results()
    for name, column in (
        ("nights", "till_cp"),
        ("patrons", "name"),
        ("wealth", "gold_cp"),
        ("events", "witnesses"),
        ("events", "is_just"),
        ("suspicion", "log_odds"),
        ("ledger", "reason"),
    ):
        changed = tables | {name: tables[name].copy()}
        values = changed[name][column].tolist()
        values[0], values[-1] = values[-1], values[0]
        if values == changed[name][column].tolist():
            values[0] = values[1]
        changed[name][column] = pd.Series(values, dtype=changed[name][column].dtype)
        is_same = values == tables[name][column].tolist()
        assert (digest(changed) == month.digest()) == is_same, (name, column)


# ---------------------------------------------------------------- common random numbers


def dice(model: TavernModel) -> dict[tuple[int, int, int, int], str]:
    """The first throw of every round, by night, round, tavern and table."""
    table = rounds_table(model)
    keys = zip(table.night, table["round"], table.tavern_id, table.table_id, strict=True)
    return dict(zip(keys, (faces[:4] for faces in table.dice), strict=True))


def with_every_round(**kwargs: Any) -> TavernModel:
    model = TavernModel(DICE_ALONE, **{"rng": 7, "patrons": 60} | kwargs)
    model.record.keep_all = True
    model.run_for(1)
    return model


@pytest.mark.parametrize(
    "changed",
    [
        {"minds.thrill": 2.0},
        {"minds.tau": 0.9},
        {"minds.rationality": 0.5},
        {"population.share_of_cheats": 0.5},
        {"taverns.0.custom": "orc"},
        {"taverns.0.mugs_mean": 9.0},
        {"patrons": 61},
        {"taverns.1.name": "The Other"},
        {"people": []},
    ],
)
def test_dice_stay_where_they_are(changed: dict[str, Any]) -> None:
    before, after = dice(with_every_round()), dice(with_every_round(**changed))
    assert (1, 1, 1, 1) in before
    assert (1, 1, 1, 1) in after
    both = before.keys() & after.keys()
    assert len(both) > 30
    assert all(before[at] == after[at] for at in both)


def test_people_stay_who_they_are() -> None:
    few, many = TavernModel(DICE_ALONE, rng=7, patrons=40), TavernModel(DICE_ALONE, rng=7)
    assert few.people.gold.tolist() == many.people.gold[:40].tolist()
    assert [few.name_of(row) for row in range(40)] == [many.name_of(row) for row in range(40)]


def test_another_night_another_table_and_another_round_have_other_dice() -> None:
    model = TavernModel(DICE_ALONE, rng=7, patrons=60)
    model.record.keep_all = True
    model.run_for(6)
    throws = list(dice(model).values())
    assert len(throws) > 500
    # 6^4 throws are possible, so that as many are all but all found.
    expected = 1296 * (1 - (1 - 1 / 1296) ** len(throws))
    assert len(set(throws)) == pytest.approx(expected, abs=5 * math.sqrt(expected * 0.25))


# ---------------------------------------------------------------- policies


def test_ones_own_decisions_change_the_run(month: TavernModel) -> None:
    """Three at once, since every set of them is compiled anew; each shows in a column."""
    policy = Policy(
        tries_to_cheat=lambda patron, toes, stake, restraint, night, minds, u: False,
        accuses=lambda patron, belief, night, accuse_prob, lost_face, u: False,
        table_stake=lambda median_purse: 7,
    )
    ours, others = played(10, policy=policy).nights, month.nights[:10]
    assert ours.tricks_tried.sum() == 0 < others.tricks_tried.sum()
    accusations = ["accusations_just", "accusations_unjust"]
    assert ours[accusations].sum().sum() == 0 < others[accusations].sum().sum()
    assert not (ours.staked_cp % 7).any()
    assert (others.staked_cp % 7).any()


def test_nobody_goes_out_where_nobody_wants_to() -> None:
    model = played(3, policy=Policy(goes_out=lambda patron, minds, night, u: False))
    assert model.nights.guests.tolist() == [0, 0, 0]


def test_those_that_cannot_be_compiled_are_asked_in_python() -> None:
    asked: list[float] = []

    def now_and_then(
        patron: Row, toes: Any, stake: int, restraint: float, night: int, minds: Any, u: float
    ) -> bool:
        asked.append(float(u))
        return str(len(asked)).endswith("7")

    def all_on_rot(patron, win_prob, n_rot, n_not, mood, minds, u):  # type: ignore[no-untyped-def]
        return {"all": 1}[min(("all", "some"))]

    policy = Policy(tries_to_cheat=now_and_then, bets=all_on_rot)
    model = played(3, policy=policy)
    assert len(asked) > 100
    tried = sum(str(i).endswith("7") for i in range(1, len(asked) + 1))
    assert model.nights.tricks_tried.sum() == tried > 0
    # Who is not of the kind is no cheat by the record, whatever he does.
    tricksters = model.patrons.query("has_tried")
    assert (tricksters.is_cheat == tricksters.is_cheat_kind).all()
    assert not tricksters.is_cheat.all()


def test_the_shipped_decisions_given_as_ones_own_change_nothing(month: TavernModel) -> None:
    policy = Policy(**{name: Policy()[name] for name in Policy()})
    assert played(30, policy=policy).digest() == month.digest()


def test_unknown_decisions_and_settings_are_named() -> None:
    with pytest.raises(TypeError, match="did you mean 'goes_out'"):
        Policy(go_out=lambda *args: True)
    with pytest.raises(ScenarioError, match="did you mean 'capacity'"):
        TavernModel(DICE_ALONE, **{"taverns.0.capcity": 3})


# ---------------------------------------------------------------- Mesa


def test_batches_of_runs() -> None:
    rows = mesa.batch_run(
        TavernModel,
        {"scenario": "rusty-flagon", "patrons": [20, 30], "taverns.0.rake_bp": [0, 500]},
        rng=[1, 2],
        max_steps=4,
        data_collection_period=1,
        display_progress=False,
    )
    table = pd.DataFrame(rows)
    assert len(table.groupby(["patrons", "taverns.0.rake_bp", "RunId"])) == 8
    last = table[table.Step == table.Step.max()]
    assert len(last) == 8
    for row in last.itertuples(index=False):
        values = dict(zip(last.columns, row, strict=True))
        model = TavernModel(
            "rusty-flagon",
            rng=values.get("rng", values.get("seed")),
            patrons=values["patrons"],
            **{"taverns.0.rake_bp": values["taverns.0.rake_bp"]},
        )
        model.run_for(4)
        assert model.gini == values["gini"]
        assert model.n_rounds == values["n_rounds"]


def test_the_data_collector(month: TavernModel) -> None:
    collected = month.datacollector.get_model_vars_dataframe()
    nights = month.nights
    assert collected.gini.tolist() == nights.gini.tolist()
    assert collected.n_rounds.tolist() == nights.rounds.tolist()
    assert collected.n_beaten.sum() == nights[["beaten_just", "beaten_unjust"]].sum().sum()
    assert len(collected) == 30


def test_agents_may_be_looked_at_before_the_night_of_a_step() -> None:
    class Counting(TavernModel):
        def step(self) -> None:
            self.most = max(patron.gold for patron in self.agents)
            super().step()

    model = Counting("rusty-flagon", rng=7, **{"population.leave_prob": 0.2})
    for _ in range(3):
        model.run_for(1)
        assert {patron.row for patron in model.agents} == set(model.living().tolist())


def test_before_the_first_night() -> None:
    model = TavernModel(DICE_ALONE, rng=7, patrons=10)
    assert model.time == 0
    assert (model.n_guests, model.n_rounds, model.n_beaten) == (0, 0, 0)
    assert len(model.nights) == len(model.events) == len(model.suspicion.to_frame()) == 0
    assert len(model.patrons) == 10
    assert model.suspicion.to_networkx().number_of_edges() == 0
    assert set(model.results()) == TABLES
    assert len(model.digest()) == 64


def test_what_is_asked_for_last_night(month: TavernModel) -> None:
    last = month.nights.iloc[-1]
    assert month.n_guests == last.guests
    assert month.n_rounds == last.rounds
    assert month.n_beaten == last.beaten_just + last.beaten_unjust
    assert month.scenario.patrons == 60
    assert month.seed == 7


# ---------------------------------------------------------------- the edges of a town


def assert_quiet(model: TavernModel, nights: int) -> None:
    """Nobody played, and everything that can be asked for can be asked for."""
    assert model.nights.rounds.sum() == model.nights.games.sum() == 0
    assert len(model.nights) == nights * len(model.scenario.taverns)
    assert set(model.results()) == TABLES
    assert totals(model)["rounds"] == 0
    assert totals(model)["auc_reputation"] is None
    assert len(model.suspicion.to_frame()) == 0


def test_an_evening_without_rounds() -> None:
    model = bare(5, rounds_per_night=0)
    assert_quiet(model, 5)
    assert model.nights.guests.sum() > 100
    assert model.nights.mugs.sum() == 0


def test_a_town_of_one() -> None:
    model = bare(20, patrons=1)
    assert_quiet(model, 20)
    assert model.nights.guests.max() == 1
    assert model.nights.mugs.sum() > 0
    assert model.gini == 0


def test_a_town_of_two_plays() -> None:
    model = bare(30, patrons=2, **{"population.leave_prob": 0.0, "minds.go_out_prob": 1.0})
    assert model.nights.rounds.sum() > 0
    assert model.nights[["accusations_just", "accusations_unjust"]].sum().sum() == 0  # no judges


def test_everybody_broke() -> None:
    broke = {"population.purse_days": 0.001, "population.purse_sigma": 0.0}
    model = bare(5, **broke, **{"economy.wages": False, "population.leave_prob": 0.0})
    assert_quiet(model, 5)
    assert model.nights.guests.sum() == 0
    assert (model.nights.broke == 120).all()
    assert totals(model)["broke"] == 120
    assert model.gini == 0 or math.isfinite(model.gini)


def test_a_house_for_one_guest() -> None:
    model = bare(5, **{"taverns.0.capacity": 1})
    assert_quiet(model, 5)
    assert model.nights.guests.tolist() == [1] * 5


def test_a_tavern_without_tables() -> None:
    model = bare(5, **{"taverns.0.tables": []})
    assert_quiet(model, 5)
    assert model.nights.mugs.sum() > 100


def test_a_tavern_with_no_table_of_its_kind() -> None:
    model = bare(5, **{"taverns.0.tables.0.count": 0})
    assert_quiet(model, 5)
    assert model.nights.mugs.sum() > 100


def test_one_tavern_with_tables_and_one_without() -> None:
    model = bare(5, **{"taverns.1.name": "Dry", "taverns.1.tables": []})
    by_tavern = model.nights.groupby("tavern")[["rounds", "mugs", "guests"]].sum()
    assert by_tavern.loc["Dry", "rounds"] == 0
    assert by_tavern.loc["The Rusty Flagon", "rounds"] > 0
    assert (by_tavern[["mugs", "guests"]] > 50).all().all()


def test_a_house_with_room_for_everybody_has_its_share_of_regulars() -> None:
    model = bare(0, **{"taverns.0.capacity": 30, "taverns.1.name": "Roomy"})
    assert (model.people.home == 1).mean() > 0.3


def test_a_custom_without_luck_or_blows() -> None:
    nights = bare(20, **{"taverns.0.custom": "lax", "minds.tau": 0.9}).nights
    harsh = ["banned", "beaten_just", "beaten_unjust", "killed_just", "killed_unjust", "too_lucky"]
    assert nights[harsh].sum().sum() == nights.too_lucky_chances.sum() == 0
    assert nights[["warned", "thrown_out"]].sum().sum() > 0


def test_tables_of_two_sizes() -> None:
    tables = [{"seats": 2, "count": 3, "stake": 5}, {"seats": 9, "stake": "auto"}]
    model = bare(5, **{"taverns.0.tables": tables})
    assert (model.nights.rounds > 24 * 4).all()
    table = with_kept_rounds(**{"taverns.0.tables": tables})
    assert set(table[table.table_id <= 3].stake) == {5}
    assert not table.duplicated(["night", "round", "tavern_id", "table_id"]).any()


def test_tables_of_two_open_ended_kinds_have_ids_of_their_own() -> None:
    rich = {"seats": 2, "stake": 50}
    table = with_kept_rounds(**{"taverns.0.tables": [rich, {"seats": 3, "stake": 1}]})
    assert set(table.stake) == {1, 50}
    assert not table.duplicated(["night", "round", "tavern_id", "table_id"]).any()


def with_kept_rounds(**changes: Any) -> pd.DataFrame:
    model = TavernModel(Scenario().with_settings(changes), rng=3)
    model.record.keep_all = True
    model.run_for(3)
    return rounds_table(model)


def test_a_town_that_dies_out() -> None:
    model = bare(4, patrons=30, **{"population.leave_prob": 1.0, "population.arrive_prob": 0.0})
    assert model.nights.living.tolist() == [0, 0, 0, 0]
    assert len(model.agents) == len(model.living()) == 0
    assert set(model.results()) == TABLES
    assert totals(model)["living"] == 0
    assert totals(model)["left"] == 30
    assert model.people.gold.sum() == 0


def test_a_town_that_grows_by_thousands_of_rows() -> None:
    model = bare(40, patrons=50, **{"population.leave_prob": 0.5, "population.arrive_prob": 1.0})
    assert model.n_rows > 700
    patrons = model.patrons
    assert len(patrons) == model.n_rows
    assert patrons.patron_id.tolist() == list(range(1, model.n_rows + 1))
    assert patrons.name.is_unique
    assert len(model.agents) == (patrons.whereabouts == "here").sum()


def test_many_seats_and_long_sittings() -> None:
    model = bare(3, rounds_per_night=7, rounds_per_sitting=50, **{"taverns.0.tables.0.seats": 12})
    rounds = model.nights.rounds
    assert (rounds <= 7 * np.ceil(model.nights.guests / 12)).all()
    assert (rounds > 0).all()


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        ({"rng": -1}, ValueError, "rng must be at least 0"),
        ({"rng": "seven"}, TypeError, "rng must be a whole number"),
        ({"replicate": -1}, ValueError, "replicate must be at least 0"),
        ({"threads": 0}, ValueError, "threads must be at least 1"),
        ({"policy": 5}, TypeError, "policy must be a Policy"),
    ],
)
def test_what_a_model_is_made_of(wrong: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        TavernModel(DICE_ALONE, **wrong)


def test_a_scenario_is_a_name_a_path_or_a_scenario() -> None:
    with pytest.raises(TypeError, match="a name, a path or a Scenario"):
        TavernModel(5)


def test_a_decision_is_a_function() -> None:
    with pytest.raises(TypeError, match="tries_to_cheat must be a function"):
        Policy(tries_to_cheat=5)


def test_strange_answers_of_a_policy_cost_nobody_anything() -> None:
    policy = Policy(
        table_stake=lambda median: -5,
        bets=lambda patron, win_prob, n_rot, n_not, mood, minds, u: 7,
    )
    model = TavernModel(DICE_ALONE, rng=3, policy=policy, patrons=40)
    model.run_for(2)
    nights = model.nights
    assert (nights.staked_cp == nights.rounds).all()  # the Hand's copper, and nobody else's
    assert nights.changed_hands_cp.sum() == 0


def test_what_a_patron_takes_in_memory() -> None:
    model = TavernModel("rusty-flagon", rng=1, patrons=50)
    sizes = model.bytes_per_patron()
    assert sizes.pop("in all") == pytest.approx(sum(sizes.values()))
    assert sizes["person"] == model.people.itemsize + model.sheet.itemsize
    more = TavernModel("rusty-flagon", rng=1, patrons=50, **{"suspicion.memory": 64})
    assert more.bytes_per_patron()["beliefs"] == 2 * sizes["beliefs"]
