"""`tavern run --from`: going on from a run, and how it is refused."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tavern_abm.crates import METADATA
from tavern_abm.run_folder import read_run

FIRST = ("gossip-town", "--patrons", "40", "--nights", "3", "--seed", "5", "--no-report")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["run", *arguments], prog_name="tavern")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "inn-5"
    result = run(*FIRST, "--out", str(folder))
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def inn(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "runs" / "inn-5")
    return Path("runs/inn-5")


def refused(*arguments: str) -> tuple[int, str]:
    """Exit code and last line of what cannot be."""
    result = run(*arguments)
    assert "Traceback" not in result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return 3, str(result.exception)  # what the program turns into this exit code
    return result.exit_code, result.stderr.strip().splitlines()[-1]


def test_it_is_the_run_in_one_go(inn: Path) -> None:
    more = run("--from", str(inn), "--nights", "2", "--no-report")
    assert (more.exit_code, more.stderr) == (0, "")
    assert more.stdout.splitlines()[0] == "2 taverns: 5 nights, seed 5"
    assert more.stdout.splitlines()[-1] == "runs/inn-5-night-5"
    nights = ("--nights", "5")
    assert run(*FIRST, *nights, "--out", "whole").exit_code == 0
    for file in Path("whole").iterdir():
        if file.name not in ("run.json", METADATA):
            assert file.read_bytes() == Path("runs/inn-5-night-5", file.name).read_bytes(), file
    assert read_run("whole").info["digest"] == read_run("runs/inn-5-night-5").info["digest"]


def test_again_and_where_it_goes(inn: Path) -> None:
    salt = read_run(inn).info["salt"]
    assert run("--from", str(inn), "--quiet", "--no-report").stdout == "runs/inn-5-night-10\n"
    again = run("--from", "runs/inn-5-night-10", "--nights", "1", "--json", "--no-report")
    document: dict[str, Any] = json.loads(again.stdout)
    assert (document["out"], document["nights"]) == ("runs/inn-5-night-11", 11)
    info = read_run("runs/inn-5-night-11").info
    assert info["salt"] == salt
    assert info["continued_from"]["nights"] == 10
    # The same once more takes the place of what it made.
    assert run("--from", "runs/inn-5-night-10", "--nights", "1", "--no-report").exit_code == 0
    assert sorted(each.name for each in Path("runs").iterdir()) == [
        "inn-5",
        "inn-5-night-10",
        "inn-5-night-11",
    ]


def test_with_interventions_and_a_report(inn: Path) -> None:
    name = read_run(inn).table("patrons")["name"].iloc[-1]
    Path("s1.toml").write_text(f'[[paid]]\nwho = "{name}"\namount = "3 gp"\n')
    result = run("--from", str(inn), "--nights", "2", "--interventions", "s1.toml")
    assert (result.exit_code, result.stderr) == (0, "")
    page = Path("runs/inn-5-night-5/report.html").read_text(encoding="utf-8")
    assert f"{name} had 3 gp from somebody from outside." in page
    assert "night = 4" in Path("runs/inn-5-night-5/interventions.toml").read_text()


def test_interventions_in_a_new_run() -> None:
    Path("s1.toml").write_text('[[paid]]\nwho = "Dame Orla"\namount = "7 cp"\nnight = 2\n')
    assert run(*FIRST, "--interventions", "s1.toml", "--out", "new").exit_code == 0
    events = read_run("new").table("events", filters=[("kind", "==", "given")])
    assert events[["night", "amount_cp"]].to_numpy().tolist() == [[2, 7]]


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (("rusty-flagon",), "SCENARIO"),
        (("--seed", "5"), "--seed"),
        (("--patrons", "40"), "--patrons"),
        (("--set", "patrons=40"), "--set"),
        (("--record", "full"), "--record"),
    ],
)
def test_what_is_for_new_runs(inn: Path, more: tuple[str, ...], word: str) -> None:
    code, said = refused("--from", str(inn), *more)
    assert code == 2
    assert said == f"Error: {word} is for a new run; with --from all of it is that of '{inn}'"


def test_never_in_place_of_the_run_itself(inn: Path) -> None:
    for folder in (str(inn), "runs/../runs/inn-5/"):
        code, said = refused("--from", str(inn), "--out", folder, "--force")
        assert (code, "is the run that is gone on from" in said) == (2, True)
    assert read_run(inn).info["nights"] == 3


def test_the_run_itself_is_named_without_force_as_well(inn: Path) -> None:
    code, said = refused("--from", str(inn), "--out", str(inn))
    assert (code, "is the run that is gone on from; name another folder" in said) == (2, True)


def test_a_strange_run_is_not_replaced_unasked(inn: Path) -> None:
    """Only what went on from this very run gives way to what goes on from it again."""
    target = "runs/inn-5-night-5"
    assert run(*FIRST, "--out", target).exit_code == 0
    before = read_run(target).info
    code, said = refused("--from", str(inn), "--nights", "2", "--no-report")
    assert code == 2
    assert said == (
        f"Error: Invalid value for '--out': '{target}' holds a run that did not come of '{inn}'; "
        "--force replaces it, or name another folder"
    )
    assert read_run(target).info == before
    assert run("--from", str(inn), "--nights", "2", "--no-report", "--force").exit_code == 0
    assert read_run(target).info["nights"] == 5


def test_who_cannot_tell_it_yet_is_said(inn: Path) -> None:
    patrons = read_run(inn).table("patrons")
    evenings = read_run(inn).table("evenings", filters=[("night", "==", 3)])
    ill = evenings.loc[evenings["condition"].isin(["bruised", "lying low"]), "patron_id"]
    names = dict(zip(patrons["patron_id"], patrons["name"], strict=True))
    well = evenings.loc[evenings["condition"] == "healthy", "patron_id"]
    one, other = (names[ids.iloc[0]] for ids in (ill, well))
    Path("s1.toml").write_text(f'[[rumor]]\nby = "{one}"\nabout = "{other}"\nclaim = "cheats"\n')
    go = ("--from", str(inn), "--nights", "1", "--no-report", "--interventions", "s1.toml")
    result = run(*go)
    assert result.exit_code == 0, result.output
    assert re.fullmatch(rf"s1.toml:1: rumor 1: by: {one} .* from night \d+\n", result.stderr)
    assert run(*go, "--quiet").stderr == ""


def test_a_folder_that_is_none(inn: Path) -> None:
    assert refused("--from", "nowhere") == (3, "nowhere: no such folder")
    assert refused("--from", "runs")[0] == 3
    (inn / "state.npz").unlink()
    assert "the state of this run is missing" in refused("--from", str(inn))[1]


def test_interventions_that_cannot_be(inn: Path) -> None:
    Path("s1.toml").write_text('[[died]]\nwho = "Dame Oral"\n')
    code, said = refused("--from", str(inn), "--interventions", "s1.toml", "--no-report")
    assert code == 3
    assert said.startswith("s1.toml:1: died 1: who: nobody in town is called 'Dame Oral'")
    assert not Path("runs/inn-5-night-10").exists()
    code, said = refused("--from", str(inn), "--interventions", "none.toml")
    assert (code, said) == (3, "none.toml: cannot be read: No such file or directory")


def test_another_version_is_said(inn: Path) -> None:
    info = json.loads((inn / "run.json").read_text(encoding="utf-8"))
    info["versions"]["tavern_abm"] = "0.0.1"
    (inn / "run.json").write_text(json.dumps(info), encoding="utf-8")
    result = run("--from", str(inn), "--nights", "1", "--no-report")
    assert result.exit_code == 0
    assert "runs/inn-5 was played by version 0.0.1 and goes on with " in result.stderr


def test_an_evening_is_told_of_alike_after_going_on(inn: Path) -> None:
    def page(folder: str, *options: str) -> str:
        asked = ["rumors", folder, "--count", "4", *options]
        result = CliRunner().invoke(tavern, asked, prog_name="tavern")
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout.rpartition("\n" * 2)[0]  # without the line that says of which run

    assert run("--from", str(inn), "--nights", "2", "--no-report").exit_code == 0
    before = page(str(inn))
    assert page("runs/inn-5-night-5", "--night", "3") == before
    assert run(*FIRST, "--out", "again").exit_code == 0
    assert page("again") != before  # another run of the same seed tells others
