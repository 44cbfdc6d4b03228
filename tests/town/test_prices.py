"""Prices by quality: a named price goes first, bands rise, and they agree with wages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavern_abm import Scenario, TavernModel
from tavern_abm.data_tables import DataError, load_tables
from tavern_abm.scenario.schema import Tavern
from tavern_abm.town.prices import Prices, prices_of

DATA = load_tables()
BANDS = sorted(DATA.qualities.values(), key=lambda quality: quality.band)
STAFF = {
    "poor": {"barmaid": 1, "servant": 1},
    "plain": {"bartender": 1, "servant": 2},
    "decent": {"barmaid": 2, "bartender": 1, "cook": 1},
    "good": {"barmaid": 2, "bartender": 1, "cook": 1, "guard": 1},
    "fine": {"barmaid": 2, "bartender": 1, "cook": 2, "guard": 1, "minstrel": 1, "servant": 2},
}


def priced(**tavern: Any) -> Prices:
    return prices_of(Tavern(**tavern), DATA)


def test_a_decent_house_is_the_one_we_know() -> None:
    assert priced() == Prices(mug_cp=4, seat_fee_cp=2, staff_cp=410, upkeep_cp=0, till_cp=10_000)


def test_what_is_named_goes_first() -> None:
    named = {"mug_cp": 7, "seat_fee_cp": 0, "staff_cp": 1, "upkeep_cp": 2, "till_cp": 0}
    assert priced(quality=5, **named) == Prices(**named)
    assert priced(quality=5, mug_cp=7)._replace(mug_cp=16) == priced(quality=5)


@pytest.mark.parametrize("quality", range(1, 6))
def test_staff_upkeep_and_first_till_go_with_the_size(quality: int) -> None:
    band = BANDS[quality - 1]
    usual = priced(quality=quality)
    assert priced(quality=quality, capacity=band.places) == usual
    double = priced(quality=quality, capacity=2 * band.places)
    by_size = ("staff_cp", "upkeep_cp", "till_cp")
    assert double == usual._replace(**{name: 2 * getattr(usual, name) for name in by_size})
    small = priced(quality=quality, capacity=1)
    for name in by_size:
        assert getattr(small, name) == round(getattr(band, name) / band.places)


@pytest.mark.parametrize("quality", range(1, 6))
@pytest.mark.parametrize("capacity", ["auto", 400])
def test_the_first_till_pays_the_house_for_some_24_nights(
    quality: int, capacity: int | str
) -> None:
    prices = priced(quality=quality, capacity=capacity)
    nights = prices.till_cp / (prices.staff_cp + prices.upkeep_cp)
    assert nights == pytest.approx(24, abs=0.6)


def test_better_is_dearer() -> None:
    assert [each.band for each in BANDS] == [1, 2, 3, 4, 5]
    for name in ("mug_cp", "seat_fee_cp", "staff_cp", "till_cp"):
        values = [getattr(each, name) for each in BANDS]
        assert values == sorted(set(values)), name


@pytest.mark.parametrize("quality", BANDS, ids=lambda quality: quality.name)
def test_staff_are_paid_by_the_wages_of_their_trades(quality: Any) -> None:
    wages = sum(DATA.trades[trade].wage_cp * n for trade, n in STAFF[quality.name].items())
    assert quality.staff_cp == wages


def test_a_mug_is_a_part_of_a_days_work() -> None:
    """A twentieth of a labourer's day at the poor house; an evening at the fine one is it all."""
    labourer, noble = DATA.trades["labourer"].wage_cp, DATA.trades["noble"].wage_cp
    poor, _, decent, _, fine = BANDS
    assert (poor.mug_cp / labourer, decent.mug_cp / labourer) == (1 / 20, 1 / 10)
    evening = fine.seat_fee_cp + 2 * fine.mug_cp
    assert labourer <= evening < noble / 6


@pytest.mark.slow
def test_in_a_town_the_houses_of_every_band_live() -> None:
    """Each band together keeps a part of what it takes: it neither fails nor gushes."""
    takings, made = np.zeros(6), np.zeros(6)
    for seed in range(1, 5):
        settings = {"town": {"population": 20_000, "seed": seed}}
        model = TavernModel(Scenario().with_settings(settings), rng=seed)
        before = model.tills.copy()
        model.run_for(30)
        assert model.nights["is_open"].all()
        sums = model.nights.groupby("tavern_id")[["guests", "drinks_cp"]].sum().to_numpy()
        for house, (guests, drinks_cp), gain in zip(
            model.scenario.taverns, sums, model.tills - before, strict=True
        ):
            takings[house.quality] += drinks_cp + house.seat_fee_cp * guests
            made[house.quality] += gain
    kept = made[1:] / takings[1:]
    assert ((kept > 0.0) & (kept < 0.3)).all(), kept


# ---------------------------------------------------------------- a user's own bands


def own(folder: Path, text: str) -> Path:
    (folder / "qualities.toml").write_text(text)
    return folder


def band(name: str, number: int) -> str:
    return (
        f'[[quality]]\nname = "{name}"\nmug_cp = 9\nband = {number}\nseat_fee_cp = "1 sp"\n'
        "staff_cp = 0\nupkeep_cp = 0\ntill_cp = 5\nplaces = 1\n"
    )


def test_a_band_of_ones_own(tmp_path: Path) -> None:
    data = load_tables(own(tmp_path, band("decent", 3)))
    assert prices_of(Tavern(), data) == Prices(9, 10, 0, 0, 5)
    assert prices_of(Tavern(quality=2), data) == priced(quality=2)


@pytest.mark.parametrize(
    ("text", "line", "name", "other"),
    [
        (band("grand", 5), 4, "grand", "fine"),
        (band("decent", 2), 4, "decent", "plain"),  # and so there would be none of band 3
        (band("poor", 4), 4, "poor", "good"),
        (band("decent", 3) + band("meek", 3), 13, "meek", "decent"),
    ],
)
def test_two_of_a_band_are_refused(
    tmp_path: Path, text: str, line: int, name: str, other: str
) -> None:
    with pytest.raises(DataError) as refused:
        load_tables(own(tmp_path, text))
    assert refused.value.line == line
    assert f"{name}: band: " in str(refused.value)
    assert f"is that of {other!r} already" in str(refused.value)


def test_a_price_below_nothing_is_refused(tmp_path: Path) -> None:
    text = band("decent", 3).replace("mug_cp = 9", "mug_cp = -1")
    with pytest.raises(DataError, match=r"qualities\.toml:3: decent: mug_cp: must be at least 0"):
        load_tables(own(tmp_path, text))


@pytest.mark.parametrize("sum_", ["10_000_000_000_000", "-1"])
def test_sums_of_a_table_have_the_bounds_of_those_of_a_scenario(tmp_path: Path, sum_: str) -> None:
    text = band("decent", 3).replace("till_cp = 5", f"till_cp = {sum_}")
    with pytest.raises(DataError, match=r"qualities\.toml:\d+: decent: till_cp: must be"):
        load_tables(own(tmp_path, text))


def test_the_largest_sums_still_fit(tmp_path: Path) -> None:
    text = band("decent", 3).replace("till_cp = 5", "till_cp = 1_000_000_000_000")
    data = load_tables(own(tmp_path, text))
    assert prices_of(Tavern(capacity=1_000), data).till_cp == 10**12
