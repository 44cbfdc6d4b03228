"""A run folder holds what its reference says, the same bytes for the same run, or nothing."""

import errno
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from tavern_abm import TavernModel, folders
from tavern_abm.crates import METADATA
from tavern_abm.events import event_kinds
from tavern_abm.folders import OccupiedError
from tavern_abm.patrons.columns import DEAD, HERE, LEFT
from tavern_abm.results import totals
from tavern_abm.run_columns import INFO, STATE, TABLES, TOTALS
from tavern_abm.run_folder import RunFolderError, read_run
from tavern_abm.run_reference import markdown
from tavern_abm.tables.record import COUNTS
from tavern_abm.writing import RUN_FILES, holds_run, write_run
from tests.strategies import DICE_ALONE

ROOT = Path(__file__).resolve().parents[1]
STARTED = datetime(2025, 1, 1, 18, tzinfo=UTC)
# Orcs kill and beat; people come and go: so that every table has something in it.
LIVELY: dict[str, Any] = {
    "patrons": 40,
    "population.share_of_cheats": 0.5,
    "population.leave_prob": 0.03,
    "people": [],
}
NIGHTS = 8
OF_ANY_RUN = RUN_FILES - {"interventions.toml"}


def play(*, seed: int = 3, record: str = "notable", threads: int = 1) -> TavernModel:
    model = TavernModel("orc-gate", rng=seed, threads=threads, **LIVELY)
    model.record.keep_all = record == "full"
    model.run_for(NIGHTS)
    return model


@pytest.fixture(scope="module")
def model() -> TavernModel:
    return play()


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "full"
    return write_run(play(record="full", threads=2), folder, report=False)


@pytest.fixture(scope="module")
def run(model: TavernModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(model, tmp_path_factory.mktemp("runs") / "run", started=STARTED)


def info_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    return found


def test_files(run: Path, full: Path) -> None:
    names = {path.name for path in run.iterdir()}
    assert names == OF_ANY_RUN - {"rounds.parquet"}
    assert {path.name for path in full.iterdir()} == OF_ANY_RUN - {"report.html"}
    assert holds_run(run)
    assert not holds_run(run.parent)


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_as_documented(full: Path, name: str) -> None:
    schema = pq.read_schema(full / f"{name}.parquet")
    types = {"string": "text", "float": "float32", "double": "float64"}

    def said(type_: Any) -> str:
        if hasattr(type_, "value_type"):
            return f"list of {said(type_.value_type)}"
        return types.get(str(type_), str(type_))

    written = [(field.name, said(field.type)) for field in schema]
    assert written == [(column.name, column.type) for column in TABLES[name].columns]
    assert pq.read_metadata(full / f"{name}.parquet").num_rows > 0


@pytest.mark.parametrize("name", TABLES)
def test_every_column_has_a_unit_and_a_meaning(name: str) -> None:
    for column in TABLES[name].columns:
        assert column.unit
        assert column.meaning


def test_tables_come_back_as_they_were(model: TavernModel, run: Path) -> None:
    for name, table in model.results().items():
        back = read_run(run).table(name)
        for column in ("witnesses", "feats"):
            if column in back:
                back[column] = back[column].map(list)
        pd.testing.assert_frame_equal(back, table, check_dtype=False)


def test_where_nulls_may_stand(full: Path) -> None:
    found = {
        f"{name}.{column}"
        for name in TABLES
        for column, has in read_run(full).table(name).isna().any().items()
        if has
    }
    said = {
        f"{name}.{column.name}"
        for name, table in TABLES.items()
        for column in table.columns
        if "null" in column.meaning
    }
    assert found <= said
    assert {"patrons.gone_night", "events.is_just"} <= found


def test_events_are_of_the_kinds_documented(run: Path) -> None:
    found = set(read_run(run).table("events")["kind"])
    assert found <= set(event_kinds())
    assert len(found) > 10


EVENTS_OF = {
    "failed_trick": "tricks_noticed",
    "caught": "tricks_convicted",
    "cleared": "cleared",
    "warned": "warned",
    "thrown_out": "thrown_out",
    "banned": "banned",
    "too_lucky": "too_lucky",
    "brawl": "brawls",
    "arrived": "arrived",
    "left": "left",
}


@pytest.mark.parametrize(("kind", "total"), EVENTS_OF.items())
def test_totals_agree_with_events(run: Path, kind: str, total: str) -> None:
    kinds = read_run(run).table("events")["kind"]
    assert info_of(run)["totals"][total] == (kinds == kind).sum()


@pytest.mark.parametrize(
    ("kind", "total"),
    [
        ("accused", "accusations"),
        ("convicted", "convictions"),
        ("beaten", "beaten"),
        ("killed", "killed"),
    ],
)
def test_totals_agree_with_what_was_just(run: Path, kind: str, total: str) -> None:
    events = read_run(run).table("events")
    is_just = events.loc[events["kind"] == kind, "is_just"].astype(bool)
    found = info_of(run)["totals"]
    assert (found[f"{total}_just"], found[f"{total}_unjust"]) == (
        int(is_just.sum()),
        int((~is_just).sum()),
    )


def test_purses_of_those_gone_are_empty(run: Path) -> None:
    patrons = read_run(run).table("patrons")
    gone = patrons[patrons["whereabouts"] != "here"]
    assert set(gone["whereabouts"]) == {"left", "dead"}
    assert (gone["end_cp"] == 0).all()
    assert (gone["gone_night"] >= gone["arrived_night"]).all()


def test_run_json(model: TavernModel, run: Path) -> None:
    info = info_of(run)
    assert list(info) == list(INFO)
    assert list(info["totals"]) == [*COUNTS, *TOTALS]
    assert info["totals"] == totals(model)
    assert (info["scenario"], info["seed"], info["nights"]) == ("orc-gate", 3, NIGHTS)
    assert (info["patrons"], info["record"], info["replicate"]) == (40, "notable", 0)
    assert info["started"] == "2025-01-01T18:00:00+00:00"
    assert info["seconds"] > 0
    assert set(info["versions"]) >= {"tavern_abm", "python", "numpy", "numba", "mesa"}
    assert all(info["versions"].values())


def test_the_ledger_balances(run: Path) -> None:
    info = info_of(run)
    ledger, book = info["ledger"], read_run(run).table("ledger")
    assert list(ledger) == ["opening_cp", "inflow_cp", "outflow_cp", "treasury_cp", "closing_cp"]
    assert ledger["opening_cp"] + ledger["inflow_cp"] - ledger["outflow_cp"] == ledger["closing_cp"]
    for column, key in (("from_account", "inflow_cp"), ("to_account", "outflow_cp")):
        assert book.loc[book[column] == "outside", "amount_cp"].sum() == ledger[key]
    wealth = read_run(run).table("wealth")
    purses = wealth.loc[wealth["night"] == NIGHTS, "gold_cp"].sum()
    assert purses + info["totals"]["till_cp"] == ledger["closing_cp"]


def test_the_scenario_can_be_played_again(model: TavernModel, run: Path) -> None:
    again = TavernModel(run / "scenario.toml", rng=3)
    again.run_for(NIGHTS)
    assert again.digest() == info_of(run)["digest"]


def test_one_digest_for_any_record_place_and_threads(
    model: TavernModel, run: Path, full: Path
) -> None:
    assert info_of(run)["digest"] == info_of(full)["digest"] == model.digest()
    assert info_of(full)["record"] == "full"


def test_another_seed_another_digest(model: TavernModel) -> None:
    assert play(seed=4).digest() != model.digest()


def test_the_same_run_gives_the_same_bytes(run: Path, full: Path, tmp_path: Path) -> None:
    again = write_run(play(), tmp_path / "again")
    for path in run.iterdir():
        if path.name not in ("run.json", METADATA):  # which hold times
            assert path.read_bytes() == (again / path.name).read_bytes(), path.name
    for path in full.glob("*.parquet"):
        if path.name != "rounds.parquet":
            assert path.read_bytes() == (run / path.name).read_bytes(), path.name


def test_every_round_of_a_full_record(full: Path) -> None:
    folder = read_run(full)
    rounds = folder.table("rounds")
    chases, rounds = (rounds[(rounds["game"] == "chase") == is_one] for is_one in (True, False))
    assert len(rounds) == folder.info["totals"]["rounds"]
    assert set(rounds["ended"]) <= {"won", "lost", "void"}
    assert rounds["dice"].str.fullmatch(r"[1-6]{4,9}").all()
    assert len(chases) == folder.info["totals"]["ran"] > 0
    assert not chases["dice"].any()


def test_the_state_is_as_documented_and_plain(model: TavernModel, run: Path) -> None:
    with np.load(run / "state.npz") as state:
        assert set(state.files) == set(STATE)
        arrays = {name: state[name] for name in state.files}
    n_rows = int(arrays["n_rows"])
    assert int(arrays["night"]) == NIGHTS
    whereabouts = arrays["people.whereabouts"]
    assert set(whereabouts[:n_rows]) == {HERE, LEFT, DEAD}
    patrons = read_run(run).table("patrons")
    assert arrays["people.gold"][:n_rows].tolist() == patrons["end_cp"].tolist()
    assert arrays["sheet.bluff"][:n_rows].tolist() == patrons["bluff"].tolist()
    assert arrays["beliefs.subject"].shape == arrays["beliefs.log_odds"].shape
    assert arrays["tills"].tolist() == arrays["ledger.tills"].tolist() == model.tills.tolist()


def test_the_page_is_what_the_code_says() -> None:
    committed = (ROOT / "docs" / "reference" / "run-folder.md").read_text(encoding="utf-8")
    hint = "python -m tavern_abm.run_reference > docs/reference/run-folder.md"
    assert committed == markdown(), f"out of date: {hint}"


# ------------------------------------------------------------- what can go wrong


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the disk be full when a file is written."""
    write_file = folders.write_file

    def fill(name: str) -> None:
        def write(path: Path, content: bytes) -> None:
            if path.name == name:
                path.write_bytes(content[:10])
                raise OSError(errno.ENOSPC, "No space left on device")
            write_file(path, content)

        monkeypatch.setattr(folders, "write_file", write)

    return fill


@pytest.mark.parametrize("name", sorted(OF_ANY_RUN - {"rounds.parquet"}))
def test_a_full_disk_leaves_nothing(
    model: TavernModel, tmp_path: Path, full_disk: Callable[[str], None], name: str
) -> None:
    full_disk(name)
    with pytest.raises(OSError, match="No space left") as caught:
        write_run(model, tmp_path / "run", report=name == "report.html")
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_older_run(
    model: TavernModel, tmp_path: Path, full_disk: Callable[[str], None]
) -> None:
    write_run(model, tmp_path / "run", report=False)
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    full_disk("run.json")
    with pytest.raises(OSError, match="No space left"):
        write_run(model, tmp_path / "run", report=False, force=True)
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_run_json_comes_last(
    model: TavernModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    write_file = folders.write_file

    def write(path: Path, content: bytes) -> None:
        with pytest.raises(RunFolderError):
            read_run(path.parent)
        written.append(path.name)
        write_file(path, content)

    monkeypatch.setattr(folders, "write_file", write)
    write_run(model, tmp_path / "run")
    assert written[-1] == "run.json"
    assert {*written} == {path.name for path in (tmp_path / "run").iterdir()}


def test_what_is_there_is_not_replaced_unasked(model: TavernModel, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    write_run(model, folder, report=False)
    (folder / "notes.txt").write_text("mine")
    (folder / "rounds.parquet").write_text("of another run")
    with pytest.raises(OccupiedError, match="not empty"):
        write_run(model, folder)
    write_run(model, folder, report=False, force=True)
    assert (folder / "notes.txt").read_text() == "mine"
    assert not (folder / "rounds.parquet").exists()


def test_an_evening_without_games(tmp_path: Path) -> None:
    model = TavernModel(DICE_ALONE, rng=1, patrons=5, rounds_per_night=0, people=[])
    model.record.keep_all = True
    model.run_for(1)
    folder = read_run(write_run(model, tmp_path / "run"))
    assert [len(folder.table(name)) for name in ("events", "suspicion", "rounds")] == [0, 0, 0]
    assert folder.info["totals"]["auc_reputation"] is None
