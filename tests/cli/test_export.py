"""`tavern export`: every table as CSV, and an evening in whatever else programs read."""

import errno
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tavern_abm import TavernModel, folders
from tavern_abm.cli import packs, tavern
from tavern_abm.cli.export import DEFAULTS, EVENING
from tavern_abm.exports import foundry
from tavern_abm.exports.formats import FORMATS
from tavern_abm.pack import assembly
from tavern_abm.pack.identity import salt_of
from tavern_abm.pack.memory import read_memory
from tavern_abm.pack.rumors import TooFewError
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run
from tavern_abm.writing import write_run
from tests.fake_pack import fake_pack
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


# ---------------------------------------------------------------- one evening


class Maker:
    """Stands in for what makes a pack: says what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def __call__(self, run: object, **asked: Any) -> object:
        self.asked.append(asked)
        return fake_pack(int(str(asked["count"] or "20").removeprefix("d")))


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch) -> Maker:
    made = Maker()
    monkeypatch.setattr(assembly, "make_pack", made)
    return made


def all_files(folder: str) -> dict[str, bytes]:
    paths = (path for path in Path(folder).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_the_command_offers_every_format_there_is() -> None:
    assert set(EVENING) == {*FORMATS, "zip"}


@pytest.mark.parametrize("format_", EVENING)
def test_each_format_is_a_folder_beside_the_run(format_: str, maker: Maker) -> None:
    result = export("run", "--to", format_, "--no-ahead", "--die", "d6")
    assert (result.exit_code, result.stdout) == (0, f"{Path(f'run-{format_}').resolve()}\n")
    salt = read_run("run").info["salt"]
    made = all_files(f"run-{format_}")
    if format_ == "zip":
        assert sorted(made) == ["for-players.zip", "game-master.zip"]
        assert all(zipfile.is_zipfile(f"run-zip/{name}") for name in made)
    else:
        assert made == FORMATS[format_](fake_pack(6), salt, 13)


def test_the_same_run_gives_the_same_bytes(maker: Maker) -> None:
    for place in ("one", "two"):
        assert export("run", "--to", "zip", "--no-ahead", "--out", place).exit_code == 0
    assert all_files("one") == all_files("two")


def test_what_is_asked_for_is_handed_on(maker: Maker) -> None:
    options = ["--tavern", "1", "--night", "2", "--count", "7", "--mix", "1,0,0", "--kind", "owes"]
    more = ["--strength", "2", "--draw", "3", "--people", "4", "--situations", "0"]
    result = export("run", "--to", "html", *options, *more)
    assert (result.exit_code, result.stderr) == (0, "")
    (asked,) = maker.asked
    assert {name: value for name, value in asked.items() if name != "seen"} == {
        "tavern": 1,
        "night": 2,
        "count": 7,
        "mix": [1, 0, 0],
        "kinds": ["owes"],
        "strength": 2,
        "draw": 3,
        "people": 4,
        "situations": 0,
        "ahead": None,
    }


def test_left_out_options_are_those_of_make_pack() -> None:
    import inspect

    taken = {
        name: each.default
        for name, each in inspect.signature(assembly.make_pack).parameters.items()
    }
    assert taken["people"] == DEFAULTS["people"]
    assert taken["situations"] == DEFAULTS["situations"]
    assert tuple(taken["mix"]) == DEFAULTS["mix"]
    assert taken["draw"] == DEFAULTS["draw"]


@pytest.mark.parametrize("format_", ["foundry", "zip"])
def test_the_version_of_foundry(format_: str, maker: Maker) -> None:
    export("run", "--to", format_, "--no-ahead", "--foundry", "12", "--out", "old")
    export("run", "--to", format_, "--no-ahead", "--out", "new")
    old, new = all_files("old"), all_files("new")
    assert old != new
    if format_ == "foundry":
        assert old == foundry.files(fake_pack(), read_run("run").info["salt"], core=12)


def test_a_set_is_remembered_and_exported_again_as_it_was(maker: Maker) -> None:
    options = ["--no-ahead", "--die", "d6", "--seen", "told.json"]
    assert export("run", "--to", "html", *options).exit_code == 0
    (session,) = read_memory(Path("told.json")).sessions
    assert [told.wording for told in session.told] == [each.wording for each in fake_pack(6).rumors]
    assert export("run", "--to", "markdown", *options).exit_code == 0
    assert len(read_memory(Path("told.json")).sessions) == 1
    assert [len(asked["seen"].sessions) for asked in maker.asked] == [0, 0]
    options[2] = "d8"
    assert export("run", "--to", "roll20", *options).exit_code == 0
    assert [len(each.told) for each in read_memory(Path("told.json")).sessions] == [6, 8]
    assert len(maker.asked[-1]["seen"].sessions) == 1


def test_a_memory_is_written_only_when_the_files_are(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    there_is_room = folders.write_file

    def write(path: Path, content: bytes) -> None:
        if "told.json" not in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        there_is_room(path, content)

    salt_of(read_run("run"))
    monkeypatch.setattr(folders, "write_file", write)
    result = export("run", "--to", "html", "--no-ahead", "--seen", "told.json", "--out", "there")
    assert (result.exit_code, result.stderr) == (1, "the disk is full: there\n")
    assert names(".") == ["run"]


def test_a_vault_keeps_the_notes_of_its_owner(maker: Maker) -> None:
    options = ["--to", "obsidian", "--no-ahead"]
    assert export("run", *options).exit_code == 0
    Path("run-obsidian/game-master/Session 1.md").write_text("They burned it down.\n")
    assert export("run", *options).exit_code == 2
    assert export("run", *options, "--die", "d6", "--force").exit_code == 0
    made = all_files("run-obsidian")
    assert made["game-master/Session 1.md"] == b"They burned it down.\n"
    assert "game-master/Rumours/Rumour 07.md" not in made


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--to", "csv", "--die", "d6"], "--die is about one evening; --to csv writes all"),
        (["--to", "csv", "--kind", "owes"], "--kind is about one evening"),
        (["--to", "csv", "--no-ahead"], "--no-ahead is about one evening"),
        (["--to", "html", "--foundry", "12"], "--foundry goes with --to foundry and zip"),
        (["--to", "html", "--die", "d6", "--count", "6"], "--die and --count both say how many"),
        (["--to", "html", "--die", "d7"], "'d7' is not one of"),
        (["--to", "foundry", "--foundry", "11"], "'11' is not one of"),
        (["--to", "html", "--mix", "1,2"], "'1,2' is no mix"),
        (["--to", "html", "--kind", "ows"], "did you mean 'owes'?"),
        (["--to", "html", "--tavern", "Nowhere at all"], "'--tavern': no house is called"),
        (["--to", "html", "--seen", "run/run.json"], "'--seen': 'run/run.json' holds no rumours"),
    ],
)
def test_wrong_usage_of_an_evening(arguments: list[str], words: str, maker: Maker) -> None:
    result = export("run", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert names(".") == ["run"]


def test_a_die_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def make_pack(run: object, **asked: Any) -> None:
        raise TooFewError(7, 20)

    monkeypatch.setattr(assembly, "make_pack", make_pack)
    for option, value in (("--die", "d20"), ("--count", "20")):
        result = export("run", "--to", "html", "--no-ahead", option, value)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"'{option}': " in result.stderr
        assert "only 7" in result.stderr
    assert names(".") == ["run"]


def test_a_night_that_was_not_played() -> None:
    result = export("run", "--to", "html", "--night", "99")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'--night': " in result.stderr
    assert names(".") == ["run"]


def test_a_run_that_cannot_be_played_on_is_exported_all_the_same(maker: Maker) -> None:
    result = export("run", "--to", "markdown")
    assert result.exit_code == 0
    assert "so no situation says what comes of it (--no-ahead)\n" in result.stderr
    assert maker.asked[0]["ahead"] is None


def test_a_damaged_table_is_told_of_once() -> None:
    Path("run/tellings.parquet").write_bytes(b"PAR1")
    result = export("run", "--to", "markdown")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("run/tellings.parquet: damaged")
    assert result.stderr.count("\n") == 1


def test_no_export_stands_among_the_files_of_a_run() -> None:
    before = names("run")
    for format_ in ("csv", "html"):
        result = export("run", "--to", format_, "--out", "run", "--force")
        assert result.exit_code == 2
        assert "'--out': 'run' is the folder of a run; name another" in result.stderr
    assert names("run") == before


@pytest.mark.parametrize("name", ["scenario.toml", "state.npz"])
def test_what_the_pack_needs_as_well_is_missed_once(
    maker: Maker, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def look(run: RunFolder, _: int) -> None:
        raise RunFolderError(run.path / name, "damaged: no more of it")

    Path("run", name).write_bytes(b"half of i")
    monkeypatch.setattr(packs, "_looked_ahead", look)
    result = export("run", "--to", "html")
    assert (result.exit_code, result.stderr) == (3, f"run/{name}: damaged: no more of it\n")
    assert maker.asked == []
