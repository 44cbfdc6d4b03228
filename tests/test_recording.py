"""The result tables agree with each other: nights with events, people, wealth and the ledger."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm import TavernModel
from tavern_abm.measures import gini
from tavern_abm.results import rounds_table, totals
from tavern_abm.tables.record import COUNTS
from tests.strategies import DICE_ALONE

NIGHTS = 45
LIVELY = {
    "patrons": 90,
    "population.share_of_cheats": 0.3,
    "population.leave_prob": 0.02,
    "minds.tau": 0.5,
    "taverns.0.custom": "dockside",
    "taverns.0.rake_bp": 300,
    "taverns.0.till_cp": 300,
    "taverns.0.upkeep_cp": 15,
    "taverns.1.name": "The Gate",
    "taverns.1.custom": "orc",
    "fortunes.closing": False,  # a till that is empty is what is looked at
}
type Tables = dict[str, pd.DataFrame]


def run(**settings: Any) -> TavernModel:
    return TavernModel(DICE_ALONE, rng=21, **LIVELY | settings)


@pytest.fixture(scope="module")
def model() -> TavernModel:
    model = run()
    model.run_for(NIGHTS)
    return model


@pytest.fixture(scope="module")
def tables(model: TavernModel) -> Tables:
    return model.results()


def by_night(events: pd.DataFrame, *kinds: str, is_just: bool | None = None) -> pd.Series:
    """How many events of these kinds, by night and tavern."""
    some = events[events.kind.isin(kinds)]
    if is_just is not None:
        some = some[some.is_just == is_just]
    index = pd.MultiIndex.from_product([range(1, NIGHTS + 1), (1, 2)])
    return some.groupby(["night", "tavern_id"]).size().reindex(index, fill_value=0)


def test_nights_are_sums_of_events(tables: Tables) -> None:
    events = tables["events"]
    nights = tables["nights"].set_index(["night", "tavern_id"])
    for column, found in {
        "tricks_tried": by_night(events, "trick", "failed_trick"),
        "tricks_noticed": by_night(events, "failed_trick"),
        "tricks_convicted": by_night(events, "caught"),
        "accusations_just": by_night(events, "accused", is_just=True),
        "accusations_unjust": by_night(events, "accused", is_just=False),
        "convictions_just": by_night(events, "convicted", is_just=True),
        "convictions_unjust": by_night(events, "convicted", is_just=False),
        "cleared": by_night(events, "cleared"),
        "warned": by_night(events, "warned"),
        "thrown_out": by_night(events, "thrown_out"),
        "banned": by_night(events, "banned"),
        "beaten_just": by_night(events, "beaten", is_just=True),
        "beaten_unjust": by_night(events, "beaten", is_just=False),
        "killed_just": by_night(events, "killed", is_just=True),
        "killed_unjust": by_night(events, "killed", is_just=False),
        "too_lucky": by_night(events, "too_lucky"),
        "brawls": by_night(events, "brawl"),
    }.items():
        assert found.tolist() == nights[column].tolist(), column
        if column not in ("killed_unjust", "beaten_unjust"):
            assert found.sum() > 0, column


def test_nights_have_a_row_a_night_and_tavern(tables: Tables) -> None:
    nights = tables["nights"]
    assert nights.night.tolist() == [n for n in range(1, NIGHTS + 1) for _ in range(2)]
    assert nights.tavern_id.tolist() == [1, 2] * NIGHTS
    assert nights.tavern.tolist() == ["The Rusty Flagon", "The Gate"] * NIGHTS
    assert set(COUNTS) < set(nights.columns)
    assert not nights.isna().any().any()
    nets = {"cheats_net_cp", "honest_net_cp"}
    assert (nights[[name for name in COUNTS if name not in nets]] >= 0).all().all()
    for kind in ("cheats", "honest"):
        assert (nights[f"{kind}_net_cp"] >= -nights[f"{kind}_staked_cp"]).all()
        assert nights[f"{kind}_net_cp"].any()
    assert (nights.cheats_hands + nights.honest_hands).tolist() == nights.rounds.tolist()


def test_nights_agree_with_the_ledger(tables: Tables) -> None:
    nights = tables["nights"].set_index(["night", "tavern_id"])
    sums = (
        tables["ledger"]
        .pivot_table("amount_cp", ["night", "tavern_id"], "reason", "sum", fill_value=0)
        .reindex(nights.index, fill_value=0)
    )
    for column, reason in {
        "staked_cp": "stake",
        "rake_cp": "rake",
        "drinks_cp": "drink",
    }.items():
        assert nights[column].tolist() == sums[reason].tolist(), column
    assert (nights.guests * 2).tolist() == sums["fee"].tolist()
    assert (nights.drinks_cp == 4 * nights.mugs).all()
    income = sums["fee"] + sums["drink"] + sums["rake"]
    costs = sums["goods"] + sums["staff"] + sums["upkeep"]
    change = (income - costs).groupby("tavern_id").cumsum()
    start = change.index.get_level_values(1).map({1: 300, 2: 10_000})
    assert (change + start.to_numpy()).tolist() == nights.till_cp.tolist()


def test_wealth_is_that_of_those_who_live_here(model: TavernModel, tables: Tables) -> None:
    wealth, nights = tables["wealth"], tables["nights"].drop_duplicates("night")
    patrons = tables["patrons"].set_index("patron_id")
    purses = wealth.groupby("night").gold_cp
    assert purses.size()[1:].tolist() == nights.living.tolist()
    assert [gini(purse) for _, purse in purses][1:] == pytest.approx(nights.gini.tolist())
    for night in nights.itertuples():
        ordered = np.sort(purses.get_group(night.night))
        assert night.median_cp in (ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2])
        assert night.broke == (ordered < 10).sum()
    start = wealth[wealth.night == 0].set_index("patron_id").gold_cp
    assert start.to_dict() == patrons.start_cp[patrons.arrived_night == 0].to_dict()
    end = wealth[wealth.night == NIGHTS].set_index("patron_id").gold_cp
    assert end.to_dict() == patrons.end_cp[patrons.whereabouts == "here"].to_dict()
    here = wealth[wealth.night > 0].merge(patrons.reset_index(), on="patron_id")
    assert (here.arrived_night <= here.night).all()
    assert (here.night < here.gone_night.fillna(10**6)).all()
    assert not wealth.duplicated(["night", "patron_id"]).any()


def test_coins_of_a_life_add_up(tables: Tables) -> None:
    patrons, ledger = tables["patrons"], tables["ledger"]
    played = ledger.groupby(["reason", "from_account"]).amount_cp.sum()
    into_tills = played["rake"]["pot"]
    assert patrons.games_net_cp.sum() == -into_tills
    assert patrons.drinks_cp.sum() == tables["nights"].drinks_cp.sum()
    assert not patrons.end_cp[patrons.whereabouts != "here"].any()
    for trade, group in patrons.groupby("trade"):
        account = f"purse/{trade}"
        inward = ledger[ledger.to_account == account].amount_cp.sum()
        outward = ledger[ledger.from_account == account].amount_cp.sum()
        start = group.start_cp[group.arrived_night == 0].sum()
        assert start + inward - outward == group.end_cp.sum()


def test_hands_add_up_to_rounds(model: TavernModel, tables: Tables) -> None:
    patrons, nights = tables["patrons"], tables["nights"]
    assert patrons.hands.sum() == nights.rounds.sum()
    assert (patrons.hand_wins <= patrons.hands).all()
    assert patrons.tries.sum() == nights.tricks_tried.sum()
    assert patrons.failed_checks.sum() == nights.tricks_noticed.sum()
    assert (patrons.is_cheat == (patrons.is_cheat_kind & patrons.has_tried)).all()
    assert (patrons.has_tried == (patrons.tries > 0)).all()


def test_patrons_and_their_whereabouts(model: TavernModel, tables: Tables) -> None:
    patrons = tables["patrons"]
    here = patrons.whereabouts == "here"
    assert patrons.gone_night.isna().tolist() == here.tolist()
    assert set(patrons.whereabouts) == {"here", "left", "dead"}
    assert set(patrons.condition) == {"healthy", "bruised"}
    bruised = patrons.patron_id[patrons.condition == "bruised"]
    assert (model.people.bruised_until[bruised - 1] > NIGHTS).all()
    model_here = [patron.unique_id for patron in model.agents]
    assert sorted(model_here) == patrons.patron_id[here].tolist()
    assert set(patrons.home_tavern) == {"The Rusty Flagon", "The Gate"}


def test_reputations_are_means_of_beliefs(tables: Tables) -> None:
    suspicion, patrons = tables["suspicion"], tables["patrons"].set_index("patron_id")
    assert sorted(set(suspicion.night)) == [7, 14, 21, 28, 35, 42, 45]
    last = suspicion[suspicion.night == NIGHTS]
    beliefs = last.groupby("subject_id").belief
    assert patrons.reputation.dropna().to_dict() == pytest.approx(beliefs.mean().to_dict())
    assert patrons.believers[patrons.believers > 0].to_dict() == beliefs.size().to_dict()
    notorious = (last.belief > 0.5).groupby(last.subject_id).sum()
    assert patrons.notoriety[notorious.index].tolist() == notorious.tolist()
    assert not patrons.notoriety.drop(notorious.index).any()
    living = set(patrons.index[patrons.whereabouts == "here"])
    assert set(last.observer_id) <= living  # whom others think of may be gone
    assert (last.observer_id != last.subject_id).all()
    assert not last.duplicated(["observer_id", "subject_id"]).any()
    assert last.log_odds.between(-6.001, 6.001).all()
    np.testing.assert_allclose(last.belief, 1 / (1 + np.exp(-last.log_odds)), atol=1e-6)
    assert (last.groupby("observer_id").size() <= 32).all()


def test_totals_are_sums(model: TavernModel, tables: Tables) -> None:
    found, nights, patrons = totals(model), tables["nights"], tables["patrons"]
    for name in COUNTS:
        assert found[name] == nights[name].sum()
    assert found["arrived"] == (patrons.arrived_night > 0).sum()
    assert found["left"] + found["died"] + found["living"] == len(patrons)
    assert found["till_cp"] == nights[nights.night == NIGHTS].till_cp.sum()
    assert found["gini"] == nights.gini.iloc[-1]
    assert found["broke"] == nights.broke.iloc[-1]
    known = patrons.dropna(subset="reputation")
    cheats, honest = known[known.is_cheat].reputation, known[~known.is_cheat].reputation
    above = (cheats.to_numpy()[:, None] > honest.to_numpy()).mean()
    ties = (cheats.to_numpy()[:, None] == honest.to_numpy()).mean()
    assert found["auc_reputation"] == pytest.approx(above + ties / 2)


def test_every_round_is_kept_on_demand(tables: Tables) -> None:
    model = run()
    model.record.keep_all = True
    model.run_for(NIGHTS)
    rounds, nights = rounds_table(model), tables["nights"]
    counted = rounds.groupby(["night", "tavern_id"]).size()
    assert counted.tolist() == nights.rounds[nights.rounds > 0].tolist()
    assert rounds.pool.sum() == nights.changed_hands_cp.sum()
    assert not rounds.duplicated(["night", "round", "tavern_id", "table_id"]).any()
    # What is kept besides changes no other table.
    for name, table in model.results().items():
        pd.testing.assert_frame_equal(table, tables[name])


def test_rounds_hold_their_dice_and_their_ends(tables: Tables) -> None:
    model = run()
    model.record.keep_all = True
    model.run_for(5)
    for one in rounds_table(model).itertuples():
        assert len(one.dice) in ((4, 7, 9) if one.ended == "void" else (7, 9))
        assert set(one.dice) <= set("123456")
        pairs = [len(set(d)) < len(d) for d in (one.dice[:4], one.dice[4:7], one.dice[7:]) if d]
        turned = (one.tried & ~one.failed).bit_count()
        if one.ended == "won":
            assert sum(pairs) + turned == 2
        elif one.ended == "lost":
            assert sum(pairs) + turned < 2
        else:
            assert one.failed_before + one.failed.bit_count() == 2
