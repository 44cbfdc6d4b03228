"""Inequality, ups and downs of the people of a town."""

import numpy as np
import pandas as pd
import pytest

from tavern_abm import measures
from tavern_abm.economies.riches import (
    CURVE_POINTS,
    lorenz_table,
    losses_of,
    moves,
    turns_table,
    wealth_table,
)

ROWS = {
    # name: (wage, price of an evening, start, end, won at games, where)
    "ruined": (10, 6, 60, 5, -30, "here"),
    "ruined by less": (10, 6, 50, 0, -10, "here"),
    "still pays": (10, 6, 60, 6, -50, "here"),
    "came with little": (10, 6, 49, 0, -40, "here"),
    "never could pay": (1, 60, 50, 0, -40, "here"),
    "dead": (10, 6, 60, 0, -30, "dead"),
    "enriched": (10, 6, 60, 120, 250, "here"),
    "enriched by more": (10, 6, 60, 500, 400, "here"),
    "not doubled": (10, 6, 60, 119, 250, "here"),
    "by work": (10, 6, 60, 900, 249, "here"),
    "left": (10, 6, 60, 120, 250, "left"),
    "noble without wage": (0, 6, 60, 120, 0, "here"),
}


@pytest.fixture
def people() -> pd.DataFrame:
    columns = ["wage_cp", "evening_cp", "start_cp", "end_cp", "games_net_cp", "whereabouts"]
    table = pd.DataFrame.from_dict(ROWS, orient="index", columns=columns)
    table.insert(0, "name", table.index)
    return table.assign(trade="smith", called="smith", rank="common").set_index(
        pd.RangeIndex(1, len(ROWS) + 1, name="patron_id")
    )


def test_who_is_ruined_and_who_is_made_rich(people: pd.DataFrame) -> None:
    turns = turns_table(people)
    named = dict(turns.groupby("turn")["name"].agg(list))
    assert named == {
        "ruined": ["ruined", "ruined by less"],
        "enriched": ["enriched by more", "enriched"],
    }
    assert turns["patron_id"].tolist() == [1, 2, 8, 7]


def test_losses_are_those_of_the_losers(people: pd.DataFrame) -> None:
    assert losses_of(people).tolist() == [30, 10, 50, 40, 40, 30]


def test_spread_is_that_of_the_measures() -> None:
    purses = pd.Series([0, 3, 3, 40, 900])
    row = wealth_table({"end": purses}).loc["end"]
    assert row["gini"] == measures.gini(purses)
    assert row["gini_small_sample"] == pytest.approx(measures.gini(purses) * 5 / 4, abs=1e-12)
    assert row["theil"] == measures.theil(purses)
    assert row["hoover"] == measures.hoover(purses)
    assert row["top_10"] == measures.top_share(purses, 0.1)
    assert (row["n"], row["total_cp"], row["median_cp"]) == (5, 946, 3)


def test_nobody_is_spread_over_nothing() -> None:
    nobody = pd.Series([], dtype="int64")
    table = wealth_table({"end": nobody, "losses": pd.Series([7])})
    assert table.loc["end", ["n", "total_cp"]].tolist() == [0, 0]
    assert np.isnan(table.loc["end", "gini"])
    assert np.isnan(table.loc["losses", "gini_small_sample"])
    assert lorenz_table({"end": nobody}).empty
    assert len(lorenz_table({"end": nobody, "losses": pd.Series([7])})) == 2


def test_a_curve_of_many_keeps_to_a_few_points_that_lie_on_it() -> None:
    purses = pd.Series(np.random.default_rng(1).integers(0, 10_000, 1000))
    table = lorenz_table({"end": purses})
    assert len(table) == CURVE_POINTS
    people, money = measures.lorenz(purses)
    on_it = np.interp(table["share_of_people"], people, money)
    assert table["share_of_wealth"].tolist() == pytest.approx(on_it.tolist(), abs=1e-12)


def test_moves_are_of_those_here_both_times() -> None:
    start = pd.Series({i: i for i in range(1, 12)})
    end = pd.Series({i: 100 - i for i in range(2, 14)})
    table, spearman, shorrocks = moves({"start": start, "end": end})
    assert spearman == pytest.approx(-1, abs=1e-12)
    assert table.to_numpy().tolist() == np.eye(5)[::-1].tolist()
    assert shorrocks == pytest.approx((5 - 1) / 4)
