"""`tavern rerun`: a run folder's run, or one of a sweep, played again."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from tavern_abm import TavernModel
from tavern_abm.cli import tavern
from tavern_abm.continuing import put_in, read_interventions, revive
from tavern_abm.extent import SAMPLE, WHOLE
from tavern_abm.rerunning import difference_of, rerun
from tavern_abm.run_folder import RunFolderError, read_run
from tavern_abm.shipped import shipped
from tavern_abm.sweeps.designs.making import design_of
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.running.run_again import kept_of, play_again, traceback_of
from tavern_abm.sweeps.running.working import first_line
from tavern_abm.sweeps.stores.parts import close_parts, part_of
from tavern_abm.sweeps.stores.store import Store
from tavern_abm.writing import write_run

NIGHTS = 3


def invoke(*args: str | Path) -> Result:
    return CliRunner().invoke(tavern, ["rerun", *map(str, args)], standalone_mode=False)


def command(*args: str | Path) -> Result:
    """As the program itself: errors come as lines and exit codes."""
    return CliRunner().invoke(tavern, ["rerun", *map(str, args)])


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run; nobody changes it."""
    model = TavernModel("rusty-flagon", rng=5, patrons=30)
    model.run_for(NIGHTS)
    return write_run(model, tmp_path_factory.mktemp("runs") / "kept", report=False)


@pytest.fixture
def run(kept: Path, tmp_path: Path) -> Path:
    """A copy of it to do anything with."""
    return Path(shutil.copytree(kept, tmp_path / "run"))


def with_info(run: Path, **changes: Any) -> None:
    file = run / "run.json"
    info = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(info | changes), encoding="utf-8")


def with_cell(run: Path, table: str, column: str, row: int, change: Callable[[Any], Any]) -> None:
    file = run / f"{table}.parquet"
    there = pq.read_table(file)
    values = there[column].to_pylist()
    values[row] = change(values[row])
    at = there.column_names.index(column)
    array = pa.array(values, there.schema.field(column).type)
    pq.write_table(there.set_column(at, column, array), file)


# ---------------------------------------------------------------- run folders


def test_a_run_comes_to_the_same(kept: Path) -> None:
    found = command(kept)
    assert found.exit_code == 0
    assert found.stdout == f"the same: {read_run(kept).info['digest']}\n"


def test_a_run_that_went_on_with_what_was_put_in(kept: Path, tmp_path: Path) -> None:
    model = revive(read_run(kept))
    name = model.name_of(int(model.living()[3]))
    file = tmp_path / "what.toml"
    text = f'[[paid]]\nnight = 5\nwho = "{name}"\namount = "2 gp"\n'
    file.write_text(f'{text}\n[[left]]\nnight = 4\nwho = "{model.name_of(0)}"\n', encoding="utf-8")
    put_in(model, read_interventions(file))
    model.run_for(3)
    further = write_run(model, tmp_path / "further", report=False)
    found = rerun(read_run(further))
    assert found.is_same
    assert found.model.interventions is not None
    assert len(found.model.interventions.done) == 2
    (further / "interventions.toml").unlink()
    assert not rerun(read_run(further)).is_same  # they made the difference


def test_every_round_and_another_replicate(tmp_path: Path) -> None:
    model = TavernModel("plain-dice", rng=2, replicate=4, patrons=20)
    model.record.keep_all = True
    model.run_for(2)
    folder = write_run(model, tmp_path / "full", report=False)
    found = rerun(read_run(folder))
    assert found.is_same
    again = write_run(found.model, tmp_path / "again", report=False)
    assert (again / "rounds.parquet").read_bytes() == (folder / "rounds.parquet").read_bytes()


def test_another_seed_is_not_the_same(run: Path) -> None:
    with_info(run, seed=6)
    found = command(run)
    assert found.exit_code == 1
    first, second, third = found.stdout.splitlines()
    assert first.startswith("not the same: ")
    assert second.startswith("first difference: nights, row 1 (night 1), guests: ")
    assert "wealth" in third


@pytest.mark.parametrize(
    ("table", "column", "row", "change"),
    [
        ("wealth", "gold_cp", 40, lambda coins: coins + 1),
        ("nights", "gini", 2, lambda share: share + 1e-12),
        ("events", "witnesses", 0, lambda ids: [*(ids or []), 3]),
        ("patrons", "name", 7, lambda name: f"{name} II"),
    ],
)
def test_a_cell_that_was_changed_is_found(
    run: Path, table: str, column: str, row: int, change: Callable[[Any], Any]
) -> None:
    with_cell(run, table, column, row, change)
    (found,) = rerun(read_run(run)).differing
    assert (found.table, found.column, found.row) == (table, column, row + 1)
    told = command(run)
    assert told.exit_code == 1
    assert "but tables of the folder were changed since" in told.stdout
    assert f"{table}, row {row + 1}" in told.stdout


def test_rows_that_are_gone() -> None:
    now = pa.table({"night": [1, 2, 3], "rounds": [9, 8, 7]})
    found = difference_of("nights", now.slice(0, 2), now)
    assert str(found) == "nights, row 3 (night 3), night: no such row in the folder, 3 now"
    assert difference_of("nights", now.drop_columns("night"), now) is None  # formats grow


def test_no_number_is_as_good_as_another() -> None:
    share = pa.table({"gini": pa.array([float("nan"), 0.5])})
    assert difference_of("nights", share, share) is None
    other = pa.table({"gini": pa.array([float("nan"), 0.6])})
    assert difference_of("nights", share, other) is not None


def test_a_table_that_is_missing(run: Path) -> None:
    (run / "trials.parquet").unlink()
    (found,) = rerun(read_run(run)).differing
    assert (found.table, found.then) == ("trials", "no such table")


def test_a_digest_that_was_changed(run: Path) -> None:
    with_info(run, digest="0" * 64)
    found = command(run)
    assert found.exit_code == 1
    assert "run.json has another digest than they have" in found.stdout


def test_other_versions_are_told(run: Path) -> None:
    versions = read_run(run).info["versions"]
    with_info(run, versions=versions | {"tavern_abm": "0.0.1", "numpy": "1.0"})
    found = command(run)
    assert found.exit_code == 0
    assert "was played with tavern_abm 0.0.1 (now " in found.stderr
    assert "numpy 1.0 (now " in found.stderr
    document = json.loads(invoke(run, "--json").stdout)
    assert document["same"] is True
    assert document["versions"]["tavern_abm"]["then"] == "0.0.1"


def test_earlier_nights_by_another_version_are_told(run: Path) -> None:
    with_info(run, continued_from={"nights": 2, "digest": "", "version": "0.0.1"})
    assert "its nights 1 to 2 were played by tavern-abm 0.0.1" in command(run).stderr


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decisions": ["goes_out"]}, "played with decisions of its own (goes_out)"),
        ({"data_digest": "0"}, "it tells of tables of its own, and the scenario has none"),
        ({"replicate": -1}, "damaged: its replicate is no whole number"),
    ],
)
def test_what_cannot_be_played_again(run: Path, changes: dict[str, Any], message: str) -> None:
    with_info(run, **changes)
    with pytest.raises(RunFolderError, match=r"^[^\n]*$") as error:
        rerun(read_run(run))
    assert message in str(error.value)


def test_usage_and_files(run: Path, tmp_path: Path) -> None:
    for args, code, message in (
        ((run, "--run", "3"), 2, "--run is for sweeps"),
        ((run, "--debug"), 2, "--debug is for sweeps"),
        ((run, "--out", run), 2, "is not empty; name another"),
        ((tmp_path / "none",), 3, "no such folder"),
        ((tmp_path,), 3, "neither a run nor a sweep (no run.json, no sweep.json)"),
    ):
        found = command(*args)
        assert found.exit_code == code, message
        assert message in found.stderr
    (run / "scenario.toml").unlink()
    assert "the scenario of this run is missing" in command(run).stderr


def test_a_run_as_it_is_now_can_be_written(kept: Path, tmp_path: Path) -> None:
    assert command(kept, "--out", tmp_path / "again").exit_code == 0
    for name in ("nights", "patrons", "wealth"):
        file = f"{name}.parquet"
        assert (tmp_path / "again" / file).read_bytes() == (kept / file).read_bytes()


def test_a_town_of_which_a_sample_is_kept(tmp_path: Path) -> None:
    model = TavernModel("rusty-flagon", rng=2, patrons=40)
    model.record.extent = SAMPLE  # as towns of more than 20,000 people have it
    model.run_for(3)
    folder = write_run(model, tmp_path / "big", report=False)
    assert not (folder / "state.npz").exists()
    assert rerun(read_run(folder)).is_same
    with_info(folder, extent=WHOLE._asdict())
    assert not rerun(read_run(folder)).is_same


# ---------------------------------------------------------------- runs of a sweep


def sweep(place: Path, runs: list[tuple[int, int]]) -> Store:
    """A store of two points and three replications with some of its runs."""
    design = design_of(
        scenario="rusty-flagon",
        factors={"taverns.0.rake_bp": [0, 800]},
        fixed={"patrons": 20},
        replications=3,
        nights=2,
        outputs=["rounds", "rake_cp", "conviction_ppv"],
    )
    return played(place, design, runs)


def played(place: Path, design: Any, runs: list[tuple[int, int]]) -> Store:
    store = Store.create(place, design)
    part = part_of(place, design.configuration)
    for each in runs:
        run = design.run(*each)
        try:
            part.done(run, design.configuration(run), 0.1)
        except ZeroDivisionError as error:
            part.failed(run, first_line(error), traceback_of(error), 0.1)
    close_parts(place)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return sweep(tmp_path / "store", [(0, 0), (1, 0), (1, 1)])


def test_a_run_of_a_sweep_comes_to_the_same(store: Store) -> None:
    found = command(store.path, "--run", "1000001")
    assert found.exit_code == 0, found.stderr
    lines = found.stdout.splitlines()
    assert lines[0] == "run 1000001: point 1, replication 1"
    assert "taverns.0.rake_bp = 800" in lines
    beside = [line for line in lines if line.endswith("as in the sweep")]
    assert [line.split()[0] for line in beside] == ["rounds", "rake_cp", "conviction_ppv"]
    assert lines[-1].startswith("the same: ")


def test_it_can_be_written_whole(store: Store, tmp_path: Path) -> None:
    out = tmp_path / "whole"
    assert command(store.path, "--run", "1000000", "--out", out).exit_code == 0
    whole = read_run(out)
    kept = kept_of(store, 1_000_000)
    assert kept is not None
    assert whole.info["seed"] == kept.record.seed
    assert whole.info["totals"]["rake_cp"] == kept.outcomes["rake_cp"]
    assert rerun(whole).is_same


def test_a_place_within_the_sweep_is_refused(store: Store) -> None:
    found = command(store.path, "--run", "1000000", "--out", store.path / "runs" / "one")
    assert found.exit_code == 2
    assert "lies in the folder of a sweep" in found.stderr
    assert not (store.path / "runs").exists()


def test_what_is_not_the_same_is_shown(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from tavern_abm.sweeps.measuring.collecting import Collected

    plain = Collected.outcome
    monkeypatch.setattr(
        Collected, "outcome", lambda self, name: plain(self, name) + (name == "rake_cp")
    )
    monkeypatch.setattr(
        "tavern_abm.sweeps.measuring.collecting.state_digest", lambda model: "other"
    )
    found = play_again(store, 1_000_001)
    assert found.differing == ("rake_cp", "digest")
    told = command(store.path, "--run", "1000001")
    assert told.exit_code == 1
    assert "in the sweep, other now" in told.stdout
    document = json.loads(invoke(store.path, "--run", "1000001", "--json").stdout)
    assert document["differing"] == ["rake_cp", "digest"]
    assert document["sweep"]["outcomes"]["rake_cp"] == document["outcomes"]["rake_cp"] - 1


def test_a_run_that_was_not_played_yet(store: Store) -> None:
    found = command(store.path, "--run", "2")
    assert found.exit_code == 0
    assert "the sweep has not played it yet: " in found.stdout


@pytest.mark.parametrize("run_id", [3, 1_000_003, 2_000_000])
def test_a_run_that_is_not_of_the_sweep(store: Store, run_id: int) -> None:
    with pytest.raises(SweepError, match=f"there is no run {run_id}: .*from 0 to 1000002"):
        play_again(store, run_id)


def test_a_run_of_another_shard_is_refused(store: Store) -> None:
    shard = Store.create(store.path.with_name("shard"), store.design, shard=(1, 2))
    mine = [run.run_id for run in store.design.runs(3) if is_played(shard, run.run_id)]
    assert len(mine) == 3
    found = command(shard.path, "--run", "1")
    assert found.exit_code == 3
    assert "run 1 is of another shard than 1/2" in found.stderr


def is_played(store: Store, run_id: int) -> bool:
    try:
        return play_again(store, run_id).output is not None
    except SweepError:
        return False


def test_own_tables_that_are_gone_or_changed_are_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    shutil.copy(shipped("data") / "trades.toml", tmp_path / "mine")
    fixed = {"patrons": 20, "data": str(tmp_path / "mine")}
    design = design_of(scenario="rusty-flagon", fixed=fixed, nights=1, outputs=["gini"])
    store = played(tmp_path / "s", design, [(0, 0)])
    shutil.rmtree(tmp_path / "mine")
    assert command(store.path, "--run", "0").exit_code == 0  # the sweep has its own copy
    trades = store.path / "own" / "data" / "trades.toml"
    trades.write_text(trades.read_text() + "# mine\n", encoding="utf-8")
    found = command(store.path, "--run", "0")
    assert (found.exit_code, found.stderr.count("\n")) == (3, 1)
    assert f"own tables in {trades.parent} are not those that it was made with" in found.stderr
    shutil.rmtree(trades.parent)
    found = command(store.path, "--run", "0")
    assert (found.exit_code, found.stderr.count("\n")) == (3, 1)
    assert f"data: no such folder (got '{trades.parent}')" in found.stderr


def test_the_program_may_have_changed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavern_abm.sweeps.running.run_again.source_digest", lambda: "other")
    found = command(store.path, "--run", "0")
    assert found.exit_code == 0
    assert "has been changed since it was played" in found.stderr


def test_which_run_must_be_said(store: Store) -> None:
    found = command(store.path)
    assert found.exit_code == 2
    assert "which run of the sweep?" in found.stderr


MINE = "def share(model):\n    nobody = model.n_rows - {n}\n    return 1 / nobody\n"


def test_a_run_that_failed_fails_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(MINE.format(n=20), encoding="utf-8")
    design = design_of(
        scenario="plain-dice",
        factors={"patrons": [20, 21]},
        nights=1,
        outputs=["rounds", f"{tmp_path / 'mine.py'}:share"],
    )
    store = played(tmp_path / "store", design, [(0, 0), (1, 0)])
    (tmp_path / "mine.py").unlink()  # the store has it
    found = command(store.path, "--run", "0")
    assert found.exit_code == 1
    assert found.stdout.splitlines()[-1] == "it fails again"
    assert "return 1 / nobody" in found.stderr
    assert found.stderr.rstrip().endswith("ZeroDivisionError: division by zero")
    assert "run_again.py" not in found.stderr
    assert command(store.path, "--run", "1000000").exit_code == 0
    seen: list[Any] = []
    monkeypatch.setattr("pdb.post_mortem", seen.append)
    assert command(store.path, "--run", "0", "--debug").exit_code == 1
    assert len(seen) == 1
    out = tmp_path / "out"
    assert "no run was written" in command(store.path, "--run", "0", "--out", out).stderr
    assert not out.exists()
    document = json.loads(invoke(store.path, "--run", "0", "--json").stdout)
    assert (document["status"], document["sweep"]["status"]) == ("failed", "failed")


def area(settings: dict[str, Any], seed: int) -> dict[str, float]:
    """A model that is a function."""
    return {"area": 2.0 * settings["a"]}


def test_a_function_has_no_run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tavern_abm.sweeps.measuring.function_configuration.imported", lambda name, kind: area
    )  # test modules cannot be imported by name
    design = design_of(area, factors={"a": [1, 2]}, outputs=["area"])
    store = played(tmp_path / "store", design, [(1, 0)])
    found = command(store.path, "--run", "1000000", "--out", tmp_path / "out")
    assert found.exit_code == 1
    assert "the same: " in found.stdout
    assert "not of a scenario alone" in found.stderr
