"""`tavern export`: every table as CSV."""

import errno
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tavern_abm import TavernModel, folders
from tavern_abm.cli import tavern
from tavern_abm.run_folder import read_run
from tavern_abm.writing import write_run
from tests.fake_run import AWKWARD, Fake, write_fake_run


@pytest.fixture(autouse=True)
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_fake_run(Path("run"), Fake(patrons=8, nights=3))


def export(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["export", *arguments], prog_name="tavern")


def names(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def test_every_table_becomes_a_file_beside_the_run() -> None:
    result = export("run", "--to", "csv")
    assert (result.exit_code, result.stderr) == (0, "")
    assert Path(result.stdout.strip()) == Path("run-csv").resolve()
    assert names("run-csv") == sorted(f"{name}.csv" for name in read_run("run").tables)


def test_values_come_back(tmp_path: Path) -> None:
    model = TavernModel("orc-gate", rng=3, patrons=30)
    model.record.keep_all = True
    model.run_for(3)
    write_run(model, "played", report=False)
    assert export("played", "--to", "csv", "--out", "csv").stdout == "csv\n"
    played = read_run("played")
    assert "rounds.csv" in names("csv")
    for name in played.tables:
        table = played.table(name)
        back = pd.read_csv(Path("csv", f"{name}.csv"), keep_default_na=False, dtype=str)
        assert list(back.columns) == list(table.columns)
        assert len(back) == len(table)
        for column in table:
            if table[column].dtype.kind in "if":
                read = pd.to_numeric(back[column]).astype(table[column].dtype)
                assert (read.isna() | (read == table[column])).all()
            elif column in ("feats", "witnesses", "judges", "beliefs"):
                texts = [";".join(map(str, value)) for value in table[column]]
                assert back[column].tolist() == texts
            else:
                texts = ["" if value is pd.NA else str(value) for value in table[column]]
                assert back[column].tolist() == texts


def test_names_that_a_comma_or_a_quote_is_in() -> None:
    export("run", "--to", "csv")
    assert set(AWKWARD) <= set(pd.read_csv("run-csv/patrons.csv")["name"])


def test_out_that_is_not_empty() -> None:
    Path("here").mkdir()
    Path("here/notes.txt").write_text("mine")
    result = export("run", "--to", "csv", "--out", "here")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'--out': 'here' is not empty; --force replaces what is in it" in result.stderr
    assert export("run", "--to", "csv", "--out", "here", "--force").exit_code == 0
    assert "notes.txt" in names("here")
    assert "nights.csv" in names("here")


def test_never_into_the_run_itself() -> None:
    before = names("run")
    assert export("run", "--to", "csv", "--out", "run").exit_code == 2
    assert names("run") == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run"], ["--to", "csv"]),
        (["run", "--to", "excel"], ["--to", "'excel'", "csv"]),
        (["--to", "csv"], ["RUN"]),
    ],
)
def test_wrong_usage(arguments: list[str], words: list[str]) -> None:
    result = export(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert all(word in result.stderr for word in words)


def test_no_run() -> None:
    result = export("nowhere", "--to", "csv")
    assert (result.exit_code, result.stderr) == (3, "nowhere: no such folder\n")


def test_a_damaged_run_leaves_nothing() -> None:
    Path("run/wealth.parquet").write_bytes(b"PAR1")
    result = export("run", "--to", "csv")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("run/wealth.parquet: damaged")
    assert names(".") == ["run"]


def test_a_missing_table_is_named() -> None:
    Path("run/wealth.parquet").unlink()
    result = export("run", "--to", "csv")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "run/wealth.parquet: this table is missing\n"
    assert names(".") == ["run"]


def test_where_nothing_can_be_written() -> None:
    result = export("run", "--to", "csv", "--out", "x" * 300)
    assert (result.exit_code, result.stdout) == (1, "")
    assert (
        result.stderr == f"cannot write to {'x' * 300}: File name too long; choose another --out\n"
    )
    assert names(".") == ["run"]


def test_a_full_disk_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(folders, "write_file", write)
    result = export("run", "--to", "csv", "--out", "there")
    assert (result.exit_code, result.stderr) == (1, "the disk is full: there\n")
    assert names(".") == ["run"]
