"""`Patron`, as a user of Mesa meets him."""

import numpy as np
import pandas as pd
import pytest

from tavern_abm import TavernModel
from tavern_abm.patrons.columns import DEAD, HERE, LEFT
from tavern_abm.patrons.patron import Patron
from tests.strategies import DICE_ALONE

ORDER = ["night", "from_account", "to_account", "reason", "amount_cp"]


def small(**settings: object) -> TavernModel:
    return TavernModel(DICE_ALONE, rng=3, patrons=40, **settings)


def ledger(model: TavernModel) -> pd.DataFrame:
    return model.results()["ledger"]


@pytest.fixture
def model() -> TavernModel:
    return small()


@pytest.fixture(scope="module")
def worn() -> TavernModel:
    """A town in which many have left, died and arrived."""
    model = small(
        **{
            "population.leave_prob": 0.05,
            "population.share_of_cheats": 0.4,
            "taverns.0.custom": "orc",
            "minds.tau": 0.9,
        }
    )
    model.run_for(25)
    return model


def test_everybody_is_a_patron_with_his_row(model: TavernModel) -> None:
    assert len(model.agents) == 40
    for row, patron in enumerate(model.agents):
        assert isinstance(patron, Patron)
        assert (patron.row, patron.unique_id) == (row, row + 1)
    assert list(model.agents_by_type) == [Patron]
    assert len(model.agents_by_type[Patron]) == 40


def test_he_shows_his_row_and_his_sheet(model: TavernModel) -> None:
    for patron in model.agents:
        row = patron.row
        assert patron.gold == model.people.gold[row]
        assert patron.wage == model.data.trades[patron.trade].wage_cp
        assert patron.thievery == model.people.thievery[row]
        assert patron.strength == model.sheet.strength[row]
        assert patron.honesty == pytest.approx(float(model.sheet.honesty[row]))
        assert patron.ancestry == model.ancestries[model.sheet.ancestry[row]]
        assert sorted(patron.feats) == sorted(model.data.trades[patron.trade].feats)
        assert patron.sex in ("female", "male")
        assert patron.name in repr(patron)
    names = [patron.name for patron in model.agents]
    assert len(set(names)) == len(names)
    assert names[:3] == ["Wymar Irons", "Lettice Vye", "Odo Atwater"]


def test_select_agg_and_groupby(model: TavernModel) -> None:
    rich = model.agents.select(lambda patron: patron.gold > 1000)
    assert {patron.row for patron in rich} == set(np.flatnonzero(model.people.gold > 1000))
    assert model.agents.agg("gold", sum) == model.people.gold.sum()
    by_trade = model.agents.groupby("trade")
    sizes = {trade: len(group) for trade, group in by_trade.groups.items()}
    assert sum(sizes.values()) == 40
    for trade, size in sizes.items():
        assert size == (model.people.trade == model.trades.index(trade)).sum()
    assert model.agents.get("unique_id") == list(range(1, 41))


def test_a_patron_by_id_or_name(model: TavernModel) -> None:
    assert model.patron(2).name == "Lettice Vye"
    assert model.patron("Odo Atwater").unique_id == 3
    with pytest.raises(KeyError, match="nobody here is called 'Nemo'"):
        model.patron("Nemo")


# ---------------------------------------------------------------- writing


def test_a_gift_is_booked_as_an_intervention(model: TavernModel) -> None:
    model.run_for(2)
    before = ledger(model)
    patron = model.patron(5)
    had = patron.gold
    patron.gold += 500
    assert patron.gold == had + 500 == model.people.gold[4]
    after = ledger(model)
    (booked,) = after[len(before) :][ORDER].values.tolist()
    assert booked == [2, "outside", f"purse/{patron.trade}", "intervention", 500]
    pd.testing.assert_frame_equal(after[: len(before)], before)
    model.run_for(2)  # and the books balance
    assert (ledger(model).reason == "intervention").sum() == 1


def test_taking_coins_is_booked_the_other_way(model: TavernModel) -> None:
    model.run_for(1)
    patron = model.patron(1)
    had = patron.gold
    patron.gold = 0
    (booked,) = ledger(model).query("reason == 'intervention'")[ORDER].values.tolist()
    assert booked == [1, f"purse/{patron.trade}", "outside", "intervention", had]
    model.run_for(1)


def test_nothing_else_is_ever_booked_as_an_intervention(model: TavernModel) -> None:
    patron = model.patron(1)
    patron.gold += 0
    patron.thievery = 12
    model.run_for(3)
    assert "intervention" not in set(ledger(model).reason)


def test_a_gift_before_the_first_night(model: TavernModel) -> None:
    opening = model.ledger.opening_cp
    model.patron(1).gold += 70
    model.run_for(1)
    summary = model.ledger.summary()
    assert summary["opening_cp"] == opening
    flows = summary["inflow_cp"] - summary["outflow_cp"]
    assert opening + flows == summary["closing_cp"] == model.people.gold.sum() + model.tills.sum()


def test_a_purse_below_zero_is_refused(model: TavernModel) -> None:
    patron = model.patron(1)
    had = patron.gold
    with pytest.raises(ValueError, match=f"Wymar Irons holds {had} cp, no more"):
        patron.gold = -1
    assert patron.gold == had
    assert "intervention" not in set(ledger(model).reason)


def test_what_is_written_holds_from_the_next_night_on(model: TavernModel) -> None:
    for patron in model.agents:
        patron.propensity = 1.0 if patron.unique_id == 1 else 0.0
        patron.is_cheat = int(patron.unique_id == 1)
        patron.strength = 9
    assert (model.sheet.strength == 9).all()
    model.run_for(10)
    assert model.people.tries[0] > 0
    assert not model.people.tries[1:].any()


def test_a_wound_keeps_him_at_home(model: TavernModel) -> None:
    for patron in model.agents:
        patron.bruised_until = 3
    model.run_for(3)
    assert model.nights.guests.tolist() == [0, 0, 0]
    model.run_for(1)
    assert model.nights.guests.iloc[-1] > 0


# ---------------------------------------------------------------- coming and going


def test_agents_are_those_who_live_here(worn: TavernModel) -> None:
    whereabouts = worn.people.whereabouts[: worn.n_rows]
    assert {HERE, LEFT, DEAD} == set(whereabouts.tolist())
    assert worn.n_rows > 45
    here = np.flatnonzero(whereabouts == HERE)
    assert sorted(patron.row for patron in worn.agents) == here.tolist()
    assert all(patron.unique_id == patron.row + 1 for patron in worn.agents)
    assert len(worn.agents_by_type[Patron]) == len(here)
    assert worn.living().tolist() == here.tolist()


def test_a_view_is_the_same_one_night_after_night(model: TavernModel) -> None:
    patron = model.patron(1)
    model.run_for(2)
    assert model.patron(1) is patron


def test_the_gone_take_no_coins() -> None:
    model = small(**{"population.leave_prob": 0.2})
    everybody = {patron.row: patron for patron in model.agents}
    model.run_for(5)
    gone = np.flatnonzero(model.people.whereabouts[:40] == LEFT)
    assert len(gone)
    patron = everybody[int(gone[0])]
    with pytest.raises(ValueError, match=f"{patron.name} does not live here any more"):
        patron.gold += 1
    with pytest.raises(KeyError):
        model.patron(patron.unique_id)
    assert "intervention" not in set(ledger(model).reason)


def test_the_pinned_stay() -> None:
    model = small(**{"population.leave_prob": 1.0, "population.arrive_prob": 0.0})
    model.run_for(2)
    assert [patron.unique_id for patron in model.agents] == [1, 2, 3]


@pytest.mark.parametrize("value", [1.5, True, "12"])
def test_gold_is_whole_copper(value: object) -> None:
    patron = TavernModel(DICE_ALONE, rng=7, patrons=5).agents.to_list()[0]
    with pytest.raises(TypeError, match="whole copper pieces"):
        patron.gold = value
