"""Two finished runs held against each other."""

import json
import math
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tavern_abm import Scenario, TavernModel
from tavern_abm.continuing import put_in, read_interventions
from tavern_abm.run_folder import RunFolderError
from tavern_abm.sweep_pages.compare_page import page
from tavern_abm.sweeps.counterfactuals.compare_tables import csv_of, frame_of, json_of
from tavern_abm.sweeps.counterfactuals.compare_text import suggestion, text_of
from tavern_abm.sweeps.counterfactuals.comparing import compare, settings_of
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.writing import write_run

PATRONS = 24


def write(folder: Path, nights: int = 5, seed: int = 2, deeds: str = "", **settings: Any) -> Path:
    model = TavernModel(scenario(**settings), rng=seed)
    if deeds:
        file = folder.with_suffix(".toml")
        file.write_text(deeds)
        put_in(model, read_interventions(file))
    model.run_for(nights)
    return write_run(model, folder, report=False)


def scenario(**settings: Any) -> Scenario:
    return Scenario.load("rusty-flagon", {"patrons": PATRONS} | settings)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    place = tmp_path_factory.mktemp("runs")
    left = '[[left]]\nwho = "Odo Atwater"\nnight = 1\n'
    return {
        "base": write(place / "base"),
        "again": write(place / "again"),
        "orc": write(place / "orc", **{"taverns.0.custom": "orc"}),
        "dear": write(place / "dear", **{"taverns.0.mug_cp": 9}),
        "short": write(place / "short", nights=3),
        "other": write(place / "other", seed=3),
        "without": write(place / "without", deeds=left),
    }


# ---------------------------------------------------------------- how they were played


def test_a_run_and_its_repetition_are_the_same(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["again"])
    assert found.is_same
    assert not found.settings
    assert not found.facts
    assert found.parting is not None
    assert found.parting.one is found.parting.other is None
    assert "They are the same run, to the last coin" in text_of(found)
    assert "the same run" in page(found)


def test_fields_that_differ_are_named_by_their_path(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["orc"])
    assert [tuple(each) for each in found.settings] == [("taverns.0.custom", "decent", "orc")]
    assert found.shares_luck
    assert "taverns.0.custom: decent in A, orc in B" in text_of(found)


def test_settings_of_lists_and_of_what_one_lacks() -> None:
    one = {"a": {"b": 1}, "taverns": [{"name": "Fox", "tables": [{"seats": 6}]}]}
    other = {"a": {"b": 1, "c": [1]}, "taverns": [{"name": "Fox", "tables": [{"seats": 4}]}]}
    assert [tuple(each) for each in settings_of(one, other)] == [
        ("taverns.0.tables.0.seats", 6, 4),
        ("a.c", "(not there)", [1]),
    ]


def test_another_seed_is_other_luck(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["other"])
    assert not found.shares_luck
    assert found.parting is None
    assert ("seed", 2, 3) in [tuple(each) for each in found.facts]
    # Strangers of the same number are not the same person; those whom the file names are.
    assert found.fates.n_matched == 3
    text = text_of(found)
    assert "Their luck is not the same" in text
    assert "tavern whatif" not in text


def test_what_was_put_in_is_told(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["without"])
    assert [tuple(each) for each in found.facts] == [
        ("put in", "nothing", "left Odo Atwater (night 1)")
    ]
    assert (
        suggestion(found)
        == f"tavern whatif {shlex.quote(str(runs['base']))} --without 'Odo Atwater'"
    )


# ---------------------------------------------------------------- where they part


def test_they_part_at_the_first_event_that_differs(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["without"]).parting
    assert found is not None
    assert found.one is None
    assert found.other is not None
    assert (found.other.night, found.other.round) == (1, 0)
    assert found.other.text.startswith("Odo Atwater left town for good")


def test_before_they_part_every_event_is_the_same(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["orc"]).parting
    assert found is not None
    events = [pd.read_parquet(runs[name] / "events.parquet") for name in ("base", "orc")]
    moments = [each for each in (found.one, found.other) if each]
    night, round_ = moments[0].night, moments[0].round
    before = [
        each[(each["night"] < night) | ((each["night"] == night) & (each["round"] < round_))]
        for each in events
    ]
    pd.testing.assert_frame_equal(*before)
    after = [each.drop(columns="witnesses") for each in events]
    assert not after[0].equals(after[1])


def test_evenings_are_counted_apart_from_the_first_that_differs(runs: dict[str, Path]) -> None:
    """A dearer mug leaves everybody's way out of an evening alone, and not his purse."""
    found = compare(runs["base"], runs["dear"]).parting
    assert found is not None
    assert [night for night, _, _ in found.nights] == [1, 2, 3, 4, 5]
    evenings = [
        pd.read_parquet(runs[name] / "evenings.parquet").set_index(["night", "patron_id"])
        for name in ("base", "dear")
    ]
    one, other = evenings[0].align(evenings[1], join="outer")
    for night, differing, people in found.nights:
        rows = [one.loc[night].astype(object), other.loc[night].astype(object)]
        same = (rows[0] == rows[1]).all(axis=1)
        assert (differing, people) == (int((~same).sum()), len(same))


# ---------------------------------------------------------------- what came of it


def test_quantities_are_those_of_the_folders(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["orc"], ["tricks_tried", "gini", "living"])
    infos = [json.loads((runs[name] / "run.json").read_text()) for name in ("base", "orc")]
    for value in found.values:
        expected = [info["totals"][value.name] for info in infos]
        assert [value.one, value.other] == pytest.approx(expected)


def test_runs_of_different_length_are_compared_over_the_nights_that_both_have(
    runs: dict[str, Path],
) -> None:
    """The same scenario and seed: as far as both go they are the same."""
    found = compare(runs["base"], runs["short"])
    assert found.n_nights == 3
    assert found.values
    known = [each.change for each in found.values if not math.isnan(each.change)]
    assert len(known) > 15
    assert not any(known)
    assert found.parting is not None
    assert found.parting[:2] == (None, None)
    assert not any(differing for _, differing, _ in found.parting.nights)
    assert not found.fates.is_whole
    assert not found.fates.gone
    assert "in the first 3 nights of each" in text_of(found)
    assert (found.houses["guests_one"] == found.houses["guests_other"]).all()


def test_own_quantities_only(runs: dict[str, Path]) -> None:
    with pytest.raises(SweepError, match="did you mean 'gini'"):
        compare(runs["base"], runs["orc"], ["ginny"])


# ---------------------------------------------------------------- people


def test_people_are_held_against_themselves(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["without"])
    gone = {each.name: each for each in found.fates.gone}
    assert (gone["Odo Atwater"].other, gone["Odo Atwater"].other_night) == ("left", 1)
    patrons = [
        pd.read_parquet(runs[name] / "patrons.parquet").set_index("name")
        for name in ("base", "without")
    ]
    changes = [abs(each.change_cp) for each in found.fates.purses]
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0
    for each in found.fates.purses:
        ends = [int(table.loc[each.name, "end_cp"]) for table in patrons]
        assert [each.one_cp, each.other_cp] == ends


def test_strangers_of_one_name_are_not_one_person(runs: dict[str, Path]) -> None:
    from tavern_abm.run_folder import read_run
    from tavern_abm.sweeps.counterfactuals import faring

    named = set(faring._people(read_run(runs["other"]), shares_luck=False)["name"])
    assert named == {"Wymar Irons", "Lettice Vye", "Odo Atwater"}


# ---------------------------------------------------------------- told


def test_text_fits_and_ends_with_the_question_of_many_pairs(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["orc"])
    text = text_of(found)
    assert text == str(found)
    folder = shlex.quote(str(runs["base"]))
    assert text.endswith(f"tavern whatif {folder} --set taverns.0.custom=orc")
    long = [line for line in text.splitlines() if len(line) > 100 and str(folder) not in line]
    assert not long


def test_the_table_and_json_have_the_same_numbers(runs: dict[str, Path]) -> None:
    found = compare(runs["base"], runs["orc"])
    table = found.to_frame()
    pd.testing.assert_frame_equal(table, frame_of(found))
    assert (table["difference"] == table["other"] - table["one"]).sum() >= len(table) - 3
    assert csv_of(found).splitlines()[0] == "about,quantity,one,other,difference"
    document = json.loads(json_of(found))
    assert len(document["values"]) == len(table)
    assert document["settings"] == [{"path": "taverns.0.custom", "one": "decent", "other": "orc"}]
    assert document["shares_luck"] is True


def test_the_page_tells_the_same(runs: dict[str, Path]) -> None:
    made = page(compare(runs["base"], runs["orc"]))
    assert "taverns.0.custom: decent in A, orc in B" in made
    assert "How they drift apart" in made


def test_a_folder_without_a_run_is_refused(tmp_path: Path, runs: dict[str, Path]) -> None:
    with pytest.raises(RunFolderError, match="not a run folder"):
        compare(runs["base"], tmp_path)
