"""The parts of a report page about a town of several houses."""

from pathlib import Path

import pandas as pd
import pytest

from tavern_abm.report import _house
from tavern_abm.report.data import RunData
from tavern_abm.report.panel import MOST_ROWS
from tavern_abm.report.town_panels import districts, houses
from tavern_abm.run_folder import read_run
from tests.economies.tiny_town import LEDGER, write_tiny_town


def data(folder: Path, version: int = 4, ledger: str = LEDGER) -> RunData:
    return RunData(read_run(write_tiny_town(folder / "run", ledger, version)))


@pytest.mark.parametrize("version", [2, 4])
def test_takings_are_those_of_the_ledger(tmp_path: Path, version: int) -> None:
    table = data(tmp_path, version).house_sums
    # The Ale: 2 + 8 + 12 over the bar and at the door, and a rake of 2.
    assert table["takings_cp"].tolist() == [24, 40]
    assert table["tavern"].tolist() == ["The Ale", "The Bed"]


def test_a_house_in_words_and_numbers(tmp_path: Path) -> None:
    panel = houses(data(tmp_path))
    rows = {row[0]: row[1:] for row in panel.rows}
    assert rows["The Ale"][0] == "market"
    assert rows["The Ale"][3] == "8 cp"
    assert panel.finding.startswith("Of 2 houses The Bed takes most")
    assert "closed" in panel.caption
    assert sum(len(trace.x) for trace in panel.figure.data) == 2


def test_a_closed_house_says_when(tmp_path: Path) -> None:
    panel = houses(data(tmp_path))
    rows = {row[0]: row[-1] for row in panel.rows}
    assert rows == {"The Ale": "yes", "The Bed": "until night 2"}
    assert "1 house closed." in panel.finding
    assert "The Bed ×" in panel.figure.layout.yaxis.ticktext


def test_districts_add_up_to_the_town(tmp_path: Path) -> None:
    found = data(tmp_path)
    panel = districts(found)
    assert panel.finding == "The district that takes most: castle, 62\xa0% of all."
    assert [row[0] for row in panel.rows] == ["castle", "market"]
    assert sum(sum(trace.y) for trace in panel.figure.data) * 100 == pytest.approx(64)


def test_no_house_takes_a_coin(tmp_path: Path) -> None:
    found = data(tmp_path, ledger="1 0 outside purse/smith wage 100")
    assert districts(found).figure is None
    assert houses(found).figure is not None


def test_only_a_town_has_them(tmp_path: Path) -> None:
    folder = write_tiny_town(tmp_path / "run")
    assert RunData(read_run(folder)).has_town
    text = (folder / "scenario.toml").read_text()
    (folder / "scenario.toml").write_text(text[: text.rindex("[[taverns]]")])
    assert not RunData(read_run(folder)).has_town


def test_a_town_has_the_name_of_its_scenario_and_a_house_its_own() -> None:
    house = {"name": "The Ale", "custom": "lax"}
    assert (
        _house({"taverns": [house, house | {"name": "The Bed"}]}, "eelmere")["title"] == "eelmere"
    )
    assert _house({"taverns": [house]}, "eelmere")["title"] == "The Ale"


def test_a_life_calls_a_man_by_his_word(tmp_path: Path) -> None:
    found = data(tmp_path)
    file = found.run.path / "patrons.parquet"
    pd.read_parquet(file).assign(trade="barmaid").to_parquet(file)
    assert RunData(found.run).patrons["trade"].tolist() == [
        "barmaid",
        "potman",
        "potman",
        "barmaid",
    ]


def test_a_large_town_has_a_table_of_all_it_can_show(tmp_path: Path) -> None:
    folder = write_tiny_town(tmp_path / "run")
    house = '[[taverns]]\nname = "H{i}"\ndistrict = "d{d}"\nquality = 1\ncustom = "lax"\n'
    house += "mug_cp = 1\nseat_fee_cp = 1\ntill_cp = 1\n"
    text = "".join(house.format(i=i, d=i % 20) for i in range(500))
    (folder / "scenario.toml").write_text((folder / "scenario.toml").read_text() + text)
    nights = pd.read_parquet(folder / "nights.parquet")
    more = [nights.head(1).assign(tavern_id=3 + i, tavern=f"H{i}") for i in range(500)]
    pd.concat([nights, *more]).to_parquet(folder / "nights.parquet")
    panel = houses(RunData(read_run(folder)))
    assert panel.n_rows == 502
    assert len(panel.rows) == MOST_ROWS
    assert len(panel.figure.data) <= 7
    assert sum(len(trace.x) for trace in panel.figure.data) == 30
