"""Every outcome that a design can name: found, summed up rightly, refused in one line."""

import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tavern_abm.cli import tavern
from tavern_abm.run_columns import TABLES
from tavern_abm.scores import MEANINGS
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.measuring.outputs_reference import markdown
from tavern_abm.sweeps.measuring.quantities import (
    DEFAULT_OUTPUTS,
    HOWS,
    quantities,
    verify_names,
    verify_outputs,
    verify_series,
    wanted,
)
from tavern_abm.sweeps.measuring.quantity_words import GROUPS


def test_all_that_a_night_counts_can_be_asked_for() -> None:
    columns = {column.name for column in TABLES["nights"].columns}
    assert columns - {"night", "tavern_id", "tavern"} <= set(quantities())


def test_all_scores_of_the_report_can_be_asked_for() -> None:
    assert set(MEANINGS) <= set(quantities())


def test_every_quantity_says_what_it_is() -> None:
    for name, quantity in quantities().items():
        assert quantity.name == name
        assert quantity.group in GROUPS
        assert all((quantity.title, quantity.unit, quantity.meaning)), name
        assert quantity.title[0].isupper(), name
        assert (quantity.kind == "final") == (quantity.of_run is not None)
        assert quantity.how in ({""} if quantity.kind == "final" else {*HOWS, "ratio"})


def test_ratios_are_of_quantities_that_have_nights() -> None:
    known = quantities()
    ratios = [each for each in known.values() if each.kind == "ratio"]
    parts = [part for each in ratios for names in each.parts for part in names]
    assert len(ratios) > 10
    assert {known[part].kind for part in parts} == {"nightly"}


def test_what_is_taken_unasked_can_be_asked_for() -> None:
    verify_outputs(DEFAULT_OUTPUTS)
    assert [wanted(name).quantity.name for name in DEFAULT_OUTPUTS] == [*DEFAULT_OUTPUTS]


@pytest.mark.parametrize(
    ("how", "value"),
    [("sum", 9.0), ("mean", 3.0), ("last", 2.0), ("max", 6.0), ("min", 1.0), ("sd", math.sqrt(7))],
)
def test_ways_to_sum_up_nights(how: str, value: float) -> None:
    assert HOWS[how](np.array([1.0, 6.0, 2.0])) == pytest.approx(value)


def test_nights_without_a_number_are_left_out_of_means() -> None:
    values = np.array([1.0, math.nan, 3.0])
    assert HOWS["mean"](values) == 2
    assert HOWS["max"](values) == 3
    assert math.isnan(HOWS["mean"](np.array([math.nan])))
    assert math.isnan(HOWS["sd"](np.array([1.0])))
    assert math.isnan(HOWS["sum"](values))  # a sum with a gap is none


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gin", "unknown output 'gin'; did you mean 'gini'?"),
        ("xyzzy", "unknown output 'xyzzy'; tavern schema --outputs lists them"),
        ("gini:median", "output 'gini:median': nights are summed up by sum, mean, last, max, min"),
        ("cheating_rate:sum", "nights are summed up by mean, last, max, min, sd"),
        ("gini_change:mean", "output 'gini_change:mean': gini_change is of the run as it ends"),
        ("gini@The Rusty Flagon", "gini is of the whole town"),
        ("cheating_rate@The Rusty Flagon", "cheating_rate is of the whole town"),
        ("rake_cp@", "only what happens in a house"),
    ],
)
def test_what_cannot_be_asked_for_is_said_in_one_line(name: str, message: str) -> None:
    with pytest.raises(SweepError) as error:
        wanted(name)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gini_change", "series 'gini_change': it is of the run as it ends and has no nights"),
        ("gini:mean", "a series is not summed up; leave ':mean' out"),
        ("gin", "did you mean 'gini'?"),
    ],
)
def test_series_have_nights(name: str, message: str) -> None:
    with pytest.raises(SweepError, match=r"^[^\n]*$") as error:
        verify_series([name])
    assert message in str(error.value)


def test_ratios_and_houses_can_be_series() -> None:
    names = ["cheating_rate", "rake_cp@The Rusty Flagon", "top_10_share"]
    verify_series(names)
    asked = [wanted(name) for name in names]
    assert [each.quantity.kind for each in asked] == ["ratio", "nightly", "nightly"]
    assert [each.house for each in asked] == [None, "The Rusty Flagon", None]


@pytest.mark.parametrize("name", ["run_id", "time"])
def test_names_of_columns_of_ours_are_taken(name: str) -> None:
    with pytest.raises(SweepError, match="every sweep has a column of that name"):
        verify_names([name])


def test_names_are_there_once() -> None:
    with pytest.raises(SweepError, match="output 'gini' is there twice"):
        verify_outputs(["gini", "rounds", "gini"])
    verify_outputs(["gini", "gini:mean"])  # two different numbers


def test_own_outputs_are_not_called_as_ours() -> None:
    verify_outputs(["delay"], own=["delay"])
    with pytest.raises(SweepError, match="own output 'gini' is called as one of ours"):
        verify_outputs(["gini"], own=["gini"])


def test_titles_tell_quantities_apart() -> None:
    same = {"auc", "just_convictions", "unjust_convictions"}  # second names of others
    titles = [each.title for name, each in quantities().items() if name not in same]
    assert len(set(titles)) == len(titles)


def test_the_command_lists_them_all() -> None:
    listed = CliRunner().invoke(tavern, ["schema", "--outputs"]).stdout.splitlines()
    names = [line.split()[0] for line in listed if line.startswith("  ")]
    assert names == list(quantities())
    assert max(map(len, listed)) <= 100
    page = CliRunner().invoke(tavern, ["schema", "--outputs", "--markdown"]).stdout
    assert page == markdown()


def test_the_page_says_what_there_is() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "outcomes.md"
    hint = "python -m tavern_abm.sweeps.measuring.outputs_reference > docs/reference/outcomes.md"
    assert page.read_text(encoding="utf-8") == markdown(), hint
