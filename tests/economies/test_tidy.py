"""The books for machines: nothing lost, nothing that JSON does not know."""

import dataclasses
import io
import json
import math

import numpy as np
import pandas as pd

from tavern_abm.economies.books import TownBooks
from tavern_abm.economies.tidy import FILES, TABLES, csv_files, csv_of, json_of, unit_of
from tests.fake_economy import fake_books


def with_gaps() -> TownBooks:
    books = fake_books()
    wealth = books.wealth.astype(float)
    wealth.loc["losses", "gini_small_sample"] = math.nan
    return dataclasses.replace(
        books, wealth=wealth, mobility=books.mobility * np.nan, facts=books.facts | {"hold": None}
    )


def test_json_is_one_object_without_nan() -> None:
    books = with_gaps()
    text = json_of(books)
    document = json.loads(text, parse_constant=lambda word: 1 / 0)
    assert list(document) == [field.name for field in dataclasses.fields(TownBooks)]
    assert document["facts"]["hold"] is None
    assert document["wealth"][2]["gini_small_sample"] is None
    assert document["houses"][0]["closed_night"] is None
    assert document["mobility"][0] == {"start": 1, **dict.fromkeys("12345")}


def test_json_has_every_number_of_every_table() -> None:
    books = fake_books()
    document = json.loads(json_of(books))
    for name in TABLES:
        table = getattr(books, name)
        assert len(document[name]) == len(table)
        for column in table.select_dtypes("number"):
            if column != "closed_night":
                found = [row[str(column)] for row in document[name]]
                assert found == table[column].tolist(), (name, column)


def test_csv_is_one_tidy_table() -> None:
    books = with_gaps()
    table = pd.read_csv(io.StringIO(csv_of(books)), keep_default_na=False, dtype=str)
    assert list(table.columns) == ["figure", "key", "value", "unit"]
    assert not table.duplicated(["figure", "key"]).any()
    found = table.set_index(["figure", "key"])["value"]
    assert found["houses.profit_cp", "3"] == str(books.houses.loc[3, "profit_cp"])
    assert found["house_nights.till_cp", "2/1"] == "10074"
    assert found["flows.amount_cp", "outside/purses/poor/wage"] == "8400"
    assert found["hold", ""] == found["wealth.gini_small_sample", "losses"] == ""


def test_units_go_by_names() -> None:
    assert unit_of("income_a_day") == "cp a person and day"
    assert unit_of("takings_cp") == "cp"
    assert unit_of("share_of_wealth") == unit_of("turnover") == "share"
    assert unit_of("guests") == ""


def test_every_table_is_a_file_of_its_own() -> None:
    books = fake_books()
    files = dict(csv_files(books))
    assert set(files) == FILES
    back = pd.read_csv(io.BytesIO(files["houses.csv"]))
    assert back["profit_cp"].tolist() == books.houses["profit_cp"].tolist()
    assert back["tavern_id"].tolist() == [1, 2, 3]
    facts = pd.read_csv(io.BytesIO(files["facts.csv"])).set_index("fact")["value"]
    assert float(facts["hold"]) == books.facts["hold"]
