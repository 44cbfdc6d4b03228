"""Of a big town a sample of talk and beliefs is written down, and nothing else changes."""

from __future__ import annotations

import json
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm import TavernModel
from tavern_abm.crates import METADATA
from tavern_abm.extent import BIG_TOWN, SAMPLE, WHOLE, Extent
from tavern_abm.report import render
from tavern_abm.results import Making, digest, totals
from tavern_abm.results.events import tell
from tavern_abm.run_folder import read_run
from tavern_abm.scenario import load_scenario
from tavern_abm.writing import STEPS, write_run
from tests.strategies import DICE_ALONE

NIGHTS = 8
TOWN: dict[str, Any] = {
    "patrons": 150,
    "population.share_of_cheats": 0.3,
    "population.leave_prob": 0.02,
    "minds.tau": 0.5,
    "talk.contacts": 2,
}
FEW = Extent(7, 5, False)


def play(extent: Extent, **settings: Any) -> TavernModel:
    model = TavernModel(load_scenario("gossip-town", TOWN | settings), rng=5)
    model.record.extent = extent
    return model


@pytest.fixture(scope="module")
def whole() -> TavernModel:
    model = play(WHOLE)
    model.run_for(NIGHTS)
    return model


@pytest.fixture(scope="module")
def sample() -> TavernModel:
    model = play(FEW)
    model.run_for(NIGHTS)
    return model


def test_the_size_of_a_town_decides() -> None:
    assert TavernModel(DICE_ALONE, rng=1, patrons=BIG_TOWN + 1).record.extent == SAMPLE
    assert play(WHOLE).record.extent == WHOLE


def test_all_suspicions_and_all_beliefs_of_some_are_kept(
    whole: TavernModel, sample: TavernModel
) -> None:
    everything, kept = (model.results()["suspicion"] for model in (whole, sample))
    assert everything["in_full"].all()
    is_chosen = everything["observer_id"] % 7 == 0
    is_kept = is_chosen | (everything["belief"] > 0.5)
    expected = everything[is_kept].assign(in_full=is_chosen[is_kept]).reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, expected)
    assert sorted(set(kept["night"])) == [7, 8]
    assert 0 < (~kept["in_full"]).sum() < len(kept) < len(everything) / 2


def test_whole_stories_are_kept(whole: TavernModel, sample: TavernModel) -> None:
    everything, kept = (model.results()["tellings"] for model in (whole, sample))
    rumors = whole.results()["rumors"].set_index("rumor_id")
    story = everything["rumor_id"].map(rumors["story_id"])
    pd.testing.assert_frame_equal(kept, everything[story % 5 == 0].reset_index(drop=True))
    assert 0 < len(kept) < len(everything) / 2
    assert set(kept["told_from"]) - {0} <= set(kept["telling_id"])


def test_nothing_else_changes(whole: TavernModel, sample: TavernModel) -> None:
    everything, kept = whole.results(), sample.results()
    for name in everything.keys() - {"suspicion", "tellings"}:
        pd.testing.assert_frame_equal(everything[name], kept[name])
    assert totals(whole) == totals(sample)


def test_how_things_stood_is_written_where_it_is_not_too_much(
    sample: TavernModel, tmp_path: Path
) -> None:
    folder = write_run(sample, tmp_path / "notable", report=False)
    assert not (folder / "state.npz").exists()
    info = json.loads((folder / "run.json").read_text())
    assert info["extent"] == {"one_observer_in": 7, "one_story_in": 5, "has_state": False}
    full = play(FEW)
    full.record.keep_all = True
    full.run_for(NIGHTS)
    folder = write_run(full, tmp_path / "full", report=False)
    assert (folder / "state.npz").exists()
    assert json.loads((folder / "run.json").read_text())["digest"] == info["digest"]


def test_the_report_says_so(whole: TavernModel, sample: TavernModel, tmp_path: Path) -> None:
    runs = [
        read_run(write_run(model, tmp_path / name, report=False))
        for name, model in (("whole", whole), ("sample", sample))
    ]
    page, other = map(render, runs)
    for text in ("one story in 5 are kept", "the beliefs of one person in 7"):
        assert (text in page, text in other) == (False, True)


def test_one_table_at_a_time(whole: TavernModel) -> None:
    gone: list[weakref.ref[pd.DataFrame]] = []
    making = Making(whole)
    for _, table in making.tables():
        assert [one() for one in gone if one() is not None] == []
        gone.append(weakref.ref(table))
        del table
    assert len(gone) == len(making.names)
    assert making.digest() == whole.digest() == digest(whole.results())
    assert making.totals() == totals(whole)


@pytest.mark.parametrize("record", ["notable", "full"])
def test_a_spent_model_leaves_the_same_files(record: str, tmp_path: Path) -> None:
    folders = []
    for spent in (False, True):
        model = play(WHOLE)
        model.record.keep_all = record == "full"
        model.run_for(3)
        folders.append(write_run(model, tmp_path / str(spent), report=False, spent=spent))
    assert not vars(model)
    one, other = folders
    assert {file.name for file in one.iterdir()} == {file.name for file in other.iterdir()}
    for file in one.iterdir():
        if file.name not in ("run.json", METADATA):
            assert file.read_bytes() == (other / file.name).read_bytes(), file.name
    infos = [json.loads((folder / "run.json").read_text()) for folder in folders]
    keys = infos[0].keys() - {"started", "ended", "seconds", "salt"}
    assert {key: infos[0][key] for key in keys} == {key: infos[1][key] for key in keys}


@pytest.mark.parametrize("thin_out", [False, True])
def test_told_night_by_night_it_is_the_same_story(whole: TavernModel, thin_out: bool) -> None:
    model = play(WHOLE)
    for _ in range(NIGHTS):
        model.run_for(1)
        tell(model, thin_out=thin_out)
    assert model.digest() == whole.digest()
    n_kept, n_all = (sum(map(len, each.record.rounds())) for each in (model, whole))
    assert (n_kept < n_all) == thin_out


def test_every_step_of_writing_is_told(whole: TavernModel, tmp_path: Path) -> None:
    steps: list[str] = []
    write_run(whole, tmp_path / "run", progress=steps.append)
    assert len(steps) == len(set(steps)) == STEPS
    assert (steps[0], steps[-1]) == ("state", "report")
    assert {*Making.names} < {*steps}


def test_a_digest_does_not_hang_on_the_size_of_pieces(
    whole: TavernModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = whole.results()
    changed = {**tables, "wealth": tables["wealth"].assign(gold_cp=lambda t: t["gold_cp"] + 1)}
    assert digest(changed) != digest(tables)
    swapped = dict(reversed(tables.items()))
    assert digest(swapped) == digest(tables)
    text = {"x": pd.DataFrame({"name": ["a, b"]})}
    assert digest(text) != digest({"x": pd.DataFrame({"name": ["a", "b"]})})
    assert digest({"x": pd.DataFrame({"n": np.arange(3)})}) == digest(
        {"x": pd.DataFrame({"n": np.arange(3, dtype=np.int8)})}
    )
