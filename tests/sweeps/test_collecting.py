"""Outcomes read off a model: those of its tables, of its report and of its folder."""

import math
import time

import numpy as np
import pytest

from tavern_abm import TavernModel
from tavern_abm.economies import books_of
from tavern_abm.results import totals
from tavern_abm.run_folder import RunFolder, read_run
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.measuring.collecting import Collected, state_digest
from tavern_abm.sweeps.measuring.folder_source import FolderSource
from tavern_abm.sweeps.measuring.quantities import DEFAULT_OUTPUTS, quantities
from tavern_abm.tables.record import TOO_LUCKY
from tavern_abm.writing import write_run

NIGHTS, WARM_UP = 9, 4
STANDING = ("suspected_right", "suspected_wrong", "missed", "unsuspected")
"""Of these the last night counts; ``run.json`` adds the nights up."""


@pytest.fixture(scope="module", params=["orc-gate", "river-town"])
def played(request: pytest.FixtureRequest) -> TavernModel:
    """A rough house that beats the lucky, and a town of several houses."""
    model = TavernModel(request.param, rng=3)
    model.run_for(NIGHTS)
    return model


@pytest.fixture(scope="module")
def folder(played: TavernModel, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    place = tmp_path_factory.mktemp("runs") / "run"
    return read_run(write_run(played, place, report=False))


def is_same(one: float, other: float, digits: int = 8) -> bool:
    both_nan = math.isnan(one) and math.isnan(other)
    return both_nan or math.isclose(one, other, rel_tol=10**-digits, abs_tol=1e-12)


def test_counts_are_those_of_the_nights(played: TavernModel) -> None:
    nights = played.nights
    collected = Collected(played)
    assert collected.outcome("rounds") == nights["rounds"].sum()
    assert collected.outcome("gini") == nights["gini"].iloc[-1]
    by_night = nights.groupby("night")["rake_cp"].sum()
    assert collected.series("rake_cp").tolist() == by_night.tolist()
    assert collected.outcome("rake_cp:max") == by_night.max()
    assert collected.outcome("gini:mean") == pytest.approx(
        nights.groupby("night").gini.first().mean()
    )
    assert collected.outcome("is_open") == nights[nights["night"] == NIGHTS]["is_open"].sum()
    assert collected.outcome("repute") == pytest.approx(
        nights[nights["night"] == NIGHTS]["repute"].mean()
    )


def test_a_warm_up_is_left_out(played: TavernModel) -> None:
    nights = played.nights[played.nights["night"] > WARM_UP]
    collected = Collected(played, WARM_UP)
    assert collected.nights.tolist() == list(range(WARM_UP + 1, NIGHTS + 1))
    assert collected.outcome("rounds") == nights["rounds"].sum()
    assert len(collected.series("gini")) == NIGHTS - WARM_UP
    before = played.nights.groupby("night")["gini"].first()[WARM_UP]
    assert collected.outcome("gini_change") == pytest.approx(played.gini - before, abs=1e-12)


def test_scores_are_those_of_the_report(played: TavernModel) -> None:
    collected = Collected(played)
    for name, value in totals(played).items():
        if name in quantities() and name not in STANDING:
            found = collected.outcome(name)
            # The brier of a night is read off a table of logistic(), to 3e-6.
            digits = 4 if name == "brier" else 8
            assert is_same(found, math.nan if value is None else value, digits), name


def test_profits_are_those_of_the_economy(played: TavernModel, folder: RunFolder) -> None:
    houses = books_of(folder).houses
    collected = Collected(played)
    for name, column in (
        ("house_profit_cp", "profit_cp"),
        ("takings_cp", "takings_cp"),
        ("costs_cp", "costs_cp"),
        ("fees_cp", "fees_cp"),
    ):
        assert collected.outcome(name) == houses[column].sum(), name
        for house in houses.to_dict("records"):
            assert collected.outcome(f"{name}@{house['tavern']}") == house[column]


@pytest.mark.parametrize("warm_up", [0, WARM_UP])
def test_a_folder_gives_the_same_numbers(
    played: TavernModel, folder: RunFolder, warm_up: int
) -> None:
    of_model = Collected(played, warm_up)
    of_folder = Collected(FolderSource(folder), warm_up)
    for name, quantity in quantities().items():
        assert is_same(of_model.outcome(name), of_folder.outcome(name)), name
        if quantity.is_series:
            np.testing.assert_allclose(of_model.series(name), of_folder.series(name), rtol=1e-9)


def test_lucky_people_are_beaten_unjustly_if_they_did_not_cheat() -> None:
    model = TavernModel("orc-gate", rng=3)
    model.run_for(NIGHTS)
    events = model.events
    lucky = events[events["kind"] == "too_lucky"]
    unjust = lucky[~lucky["is_just"].astype(bool)]
    collected = Collected(model)
    assert len(unjust) > 0
    assert collected.outcome("unjust_beatings") == len(unjust) + model.nights["beaten_unjust"].sum()
    by_night = unjust.groupby("night").size().reindex(range(1, NIGHTS + 1), fill_value=0)
    nights = model.nights.groupby("night")["beaten_unjust"].sum()
    assert collected.series("unjust_beatings").tolist() == (by_night + nights).tolist()


def test_a_cheat_who_is_beaten_for_luck_is_beaten_justly() -> None:
    model = TavernModel("orc-gate", rng=3)
    model.run_for(NIGHTS)
    before = Collected(model).outcome("unjust_beatings")
    lucky = [cells for cells in model.record.rounds() if (cells["notable"] & TOO_LUCKY).any()]
    at = np.flatnonzero(lucky[0]["notable"] & TOO_LUCKY)[0]
    lucky[0]["is_cheat"][at] = 1
    assert Collected(model).outcome("unjust_beatings") == before - 1
    assert (
        Collected(model).outcome("beatings")
        == model.nights[["beaten_just", "beaten_unjust", "too_lucky"]].sum().sum()
    )


def test_ratios_are_of_sums_and_nothing_where_there_is_nothing() -> None:
    model = TavernModel("rusty-flagon", rng=1)
    model.run_for(30)
    nights, collected = model.nights, Collected(model)
    just, unjust = nights["convictions_just"].sum(), nights["convictions_unjust"].sum()
    assert just + unjust > 0
    assert collected.outcome("conviction_ppv") == just / (just + unjust)
    assert collected.outcome("unjust_per_100_convictions") == 100 * unjust / (just + unjust)
    quiet = nights["convictions_just"] + nights["convictions_unjust"] == 0
    assert np.isnan(collected.series("conviction_ppv")).tolist() == quiet.tolist()


def test_a_share_of_nothing_is_no_number() -> None:
    model = TavernModel("plain-dice", rng=1, patrons=12, **{"population.share_of_cheats": 0.0})
    model.run_for(2)
    assert math.isnan(Collected(model).outcome("conviction_ppv"))


def test_a_house_that_is_not_there(played: TavernModel) -> None:
    with pytest.raises(SweepError, match="no house is called 'The Rusty Flaggon'; there are"):
        Collected(played).outcome("rake_cp@The Rusty Flaggon")
    sign = played.scenario.taverns[0].name
    with pytest.raises(SweepError, match=f"did you mean {sign!r}"):
        Collected(played).outcome(f"rake_cp@{sign}s")


# ---------------------------------------------------------------- the digest of a state


def small(**settings: object) -> TavernModel:
    model = TavernModel("rusty-flagon", rng=5, patrons=30, **settings)
    model.run_for(3)
    return model


def test_the_same_run_has_the_same_digest() -> None:
    assert state_digest(small()) == state_digest(small())
    again = TavernModel("rusty-flagon", rng=5, patrons=30, threads=2)
    again.run_for(3)
    assert state_digest(again) == state_digest(small())


def test_another_seed_or_setting_has_another() -> None:
    other = TavernModel("rusty-flagon", rng=6, patrons=30)
    other.run_for(3)
    rake = small(**{"taverns.0.rake_bp": 600})
    assert len({state_digest(each) for each in (small(), other, rake)}) == 3


def changed_coin(model: TavernModel) -> None:
    model.people.gold[7] += 1


def changed_belief(model: TavernModel) -> None:
    model.beliefs.held.log_odds[3, 0] += np.float32(0.001)


def changed_till(model: TavernModel) -> None:
    model.tills[0] -= 1


def changed_night(model: TavernModel) -> None:
    model.record.nights[1][1][0, 5] += 1  # rake of the second night


def changed_measure(model: TavernModel) -> None:
    night = list(model.record.nights[0])
    night[3] += 1e-12
    model.record.nights[0] = tuple(night)


def changed_story(model: TavernModel) -> None:
    model.company.grapevine.store.n_heard[0] += 1


@pytest.mark.parametrize(
    "change",
    [changed_coin, changed_belief, changed_till, changed_night, changed_measure, changed_story],
)
def test_the_least_change_changes_it(change: object) -> None:
    model = small()
    before = state_digest(model)
    change(model)  # type: ignore[operator]
    assert state_digest(model) != before


def test_outcomes_cost_little_beside_the_run() -> None:
    model = TavernModel("rusty-flagon", rng=1)
    model.run_for(30)
    times = []
    for _ in range(5):
        began = time.perf_counter()
        collected = Collected(model)
        for name in DEFAULT_OUTPUTS:
            collected.outcome(name)
        state_digest(model)
        times.append(time.perf_counter() - began)
    # Three milliseconds at rest; the bound leaves room for a machine that is busy.
    assert min(times) < 0.03
