"""`tavern run`: what it writes and says, and how it fails."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tavern_abm import TavernModel, compiled, folders
from tavern_abm.cli import run as command
from tavern_abm.cli import tavern
from tavern_abm.run_folder import read_run
from tavern_abm.scenario import load_scenario
from tavern_abm.town.ledger import LedgerError

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--patrons", "30", "--nights", "3")
QUICK = (*SMALL, "--no-report")


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["run", *arguments], prog_name="tavern")


def document(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def process(*arguments: str, program: str = "", **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", f"{program}\nfrom tavern_abm.cli import main; main()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


# ------------------------------------------------------------- what it says


def test_summary() -> None:
    result = run(*SMALL)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "The Rusty Flagon: 3 nights, seed 1"
    heads = [line.split()[0] for line in lines[2:-2] if line[0] != " "]
    assert heads == ["People", "House", "Games", "Tricks", "Justice", "Talk", "Fortunes"]
    assert max(map(len, lines)) <= 100
    assert lines[-2:] == ["", "runs/rusty-flagon-1/report.html"]
    assert Path(lines[-1]).is_file()
    totals = read_run("runs/rusty-flagon-1").info["totals"]
    assert f"{totals['rounds']:,} rounds played" in result.stdout
    labels = re.findall(r"^.{10}([a-z ]+): ", result.stdout, re.MULTILINE)
    assert labels == ["accused", "guilty by vote", "beaten", "killed"]
    top = [line.split(")")[1].split()[0] for line in lines if ") " in line]
    assert top == ["won"] * 3 + ["lost"] * 3


def test_the_last_line_without_a_report() -> None:
    assert run(*QUICK, "--out", "here").stdout.splitlines()[-1] == "here"
    assert not Path("here/report.html").exists()


def test_quiet() -> None:
    result = run(*SMALL, "--quiet")
    assert (result.stdout, result.stderr) == ("runs/rusty-flagon-1/report.html\n", "")


def test_json() -> None:
    found = document("orc-gate", *QUICK, "--seed", "7")
    assert set(found) == {"scenario", "seed", "nights", "digest", "out", "totals", "ledger"}
    assert (found["scenario"], found["seed"], found["nights"]) == ("orc-gate", 7, 3)
    assert found["out"] == "runs/orc-gate-7"
    assert re.fullmatch("[0-9a-f]{64}", found["digest"])
    assert found["totals"]["guests"] > 0
    ledger = found["ledger"]
    assert list(ledger) == ["opening_cp", "inflow_cp", "outflow_cp", "treasury_cp", "closing_cp"]
    assert ledger["opening_cp"] + ledger["inflow_cp"] - ledger["outflow_cp"] == ledger["closing_cp"]
    info = read_run(found["out"]).info
    assert {key: info[key] for key in found if key != "out"} == {
        key: value for key, value in found.items() if key != "out"
    }


def test_options_reach_the_scenario() -> None:
    document(*QUICK, "--set", "taverns.0.rake_bp=500", "--set", "taverns.0.custom=orc")
    scenario = read_run("runs/rusty-flagon-1").scenario()
    assert scenario["patrons"] == 30
    assert scenario["taverns"][0]["rake_bp"] == 500
    assert scenario["taverns"][0]["custom"] == "orc"


@pytest.mark.parametrize(("folder", "word"), [(None, "seconds a game"), ("cold", "once a version")])
def test_a_cold_cache_is_announced(
    folder: str | None,
    word: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = Path(folder) if folder else None
    if place:
        place.mkdir()
    monkeypatch.setattr(compiled, "cache_folder", lambda: place)
    scenario = load_scenario("orc-gate")
    command._say_if_it_takes_long(scenario)
    said = capsys.readouterr().err
    assert word in said
    assert "rotting-toes" in said
    if place:
        (place / "rotting_toes.make_play_sitting.locals.play_sitting-1.py312.nbi").touch()
        command._say_if_it_takes_long(scenario)
        assert capsys.readouterr().err == ""
        command._say_if_it_takes_long(load_scenario("rusty-flagon"))
        assert "compiling magic-wand, arm-wrestling" in capsys.readouterr().err


# ------------------------------------------------------------- the same run again


def test_the_same_digest_whatever_does_not_matter() -> None:
    first = document(*QUICK)
    for arguments in (
        (),
        ("--record", "full"),
        ("--threads", "2"),
        ("--out", "elsewhere", "--record", "full", "--threads", "2"),
    ):
        assert document(*QUICK, *arguments)["digest"] == first["digest"]
    assert "rounds" in read_run("elsewhere").tables
    assert "rounds" not in read_run("runs/rusty-flagon-1").tables


@pytest.mark.parametrize(
    ("wanted", "patrons", "threads"),
    [("auto", 300, 1), ("auto", 20_000, 3), (1, 100_000, 1), (2, 30, 2)],
)
def test_threads_are_for_big_towns(
    wanted: int | str, patrons: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 5}, raising=False)
    assert command.threads_for(wanted, patrons) == threads


@pytest.mark.parametrize("wrong", ["0", "many"])
def test_threads_are_a_number_or_auto(wrong: str) -> None:
    result = run(*QUICK, "--threads", wrong)
    assert result.exit_code == 2
    assert "--threads" in result.stderr


def test_another_seed_another_digest() -> None:
    assert document(*QUICK, "--seed", "2")["digest"] != document(*QUICK)["digest"]


def test_hash_seeds_do_not_matter(tmp_path: Path) -> None:
    runs = [process("run", *QUICK, "--json", "--out", seed, PYTHONHASHSEED=seed) for seed in "12"]
    found = [json.loads(each.communicate(timeout=300)[0]) for each in runs]
    assert found[0]["digest"] == found[1]["digest"]
    for path in Path("1").glob("*.parquet"):
        assert path.read_bytes() == Path("2", path.name).read_bytes()


# ------------------------------------------------------------- where it goes


def test_a_finished_run_in_the_default_folder_is_replaced() -> None:
    run(*QUICK)
    assert run(*QUICK, "--set", "taverns.0.custom=lax").exit_code == 0
    assert read_run("runs/rusty-flagon-1").scenario()["taverns"][0]["custom"] == "lax"


def test_anything_else_in_the_default_folder_is_not() -> None:
    Path("runs/rusty-flagon-1").mkdir(parents=True)
    Path("runs/rusty-flagon-1/thesis.txt").write_text("mine")
    result = run(*QUICK)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'runs/rusty-flagon-1' holds no finished run; name another" in result.stderr
    assert [path.name for path in Path("runs/rusty-flagon-1").iterdir()] == ["thesis.txt"]


def test_out_that_is_not_empty(tmp_path: Path) -> None:
    run(*QUICK, "--out", "here")
    result = run(*QUICK, "--seed", "2", "--out", "here")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'--out': 'here' is not empty; --force replaces what is in it" in result.stderr
    assert read_run("here").info["seed"] == 1
    assert run(*QUICK, "--seed", "2", "--out", "here", "--force").exit_code == 0
    assert read_run("here").info["seed"] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


@pytest.mark.parametrize(("out", "words"), [("file", "is a file"), (".", "name a folder inside")])
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_out_that_cannot_be_replaced(out: str, words: str, force: tuple[str, ...]) -> None:
    Path("file").write_text("mine")
    result = run(*QUICK, "--out", out, *force)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert Path("file").read_text() == "mine"


def test_an_empty_folder_will_do() -> None:
    Path("here").mkdir()
    assert run(*QUICK, "--out", "here").exit_code == 0


# ------------------------------------------------------------- what can go wrong


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["rusty-flagn"], 3, ["rusty-flagn: no such scenario", "did you mean 'rusty-flagon'?"]),
        (["none.toml"], 3, ["none.toml: no such file"]),
        (["--set", "taverns.0.capcity=3"], 3, ["taverns.0.capcity", "did you mean 'capacity'?"]),
        (["--set", "taverns.0.rake_bp=-1"], 3, ["taverns.0.rake_bp", "got -1"]),
        (["--patrons", "9999999"], 3, ["patrons: must be at most 1000000"]),
        (["--set", "rake"], 2, ["--set", "'rake' is no setting", "taverns.0.rake_bp=500"]),
        (["--set", "=3"], 2, ["--set", "'=3' is no setting"]),
        (["--nights", "x"], 2, ["--nights", "'x' is not a whole number"]),
        (["--nights", "0"], 2, ["--nights", "1<=x"]),
        (["--patrons", "0"], 2, ["--patrons", "x>=1"]),
        (["--seed", "-1"], 2, ["--seed", "0<=x"]),
        (["--record", "all"], 2, ["--record", "notable", "full"]),
        (["--threads", "0"], 2, ["--threads"]),
        (["--nigths", "3"], 2, ["--nigths", "--nights"]),
    ],
)
def test_mistakes_are_named(arguments: list[str], code: int, words: list[str]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert all(word in result.stderr for word in words), result.stderr
    assert code == 2 or result.stderr.count("\n") == 1
    assert list(Path().iterdir()) == []


def test_an_out_that_cannot_be_written_is_found_before_the_first_night(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TavernModel, "run_for", lambda *_: pytest.fail("a night was played"))
    for out, reason in (("x" * 300, "File name too long"), ("file/run", "Not a directory")):
        Path("file").write_text("mine")
        result = run(*QUICK, "--out", out)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"cannot write to {out}: {reason}; choose another --out\n"
        assert [path.name for path in Path().iterdir()] == ["file"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_under_stdout() -> None:
    command_line = [sys.executable, "-c", "from tavern_abm.cli import main; main()", "run", *QUICK]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command_line,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            check=False,
        )
    assert done.returncode == 1
    said = "stdout could not be written (the disk is full); the run is in runs/rusty-flagon-1"
    assert done.stderr.splitlines()[-1] == said
    assert read_run("runs/rusty-flagon-1").info["nights"] == 3


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    run(*QUICK, "--out", "here")
    monkeypatch.setattr(folders, "write_file", write)
    for place in ("here", "there"):
        result = run(*QUICK, "--seed", "2", "--out", place, "--force")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"the disk is full: {place}\n"
    assert read_run("here").info["seed"] == 1
    assert [path.name for path in Path().iterdir()] == ["here"]


def test_books_that_do_not_balance(monkeypatch: pytest.MonkeyPatch) -> None:
    def step(model: TavernModel) -> None:
        raise LedgerError("night 1, The Rusty Flagon: 3 cp left in the pots")

    monkeypatch.setattr(TavernModel, "step", step)
    result = run(*QUICK)
    assert result.exit_code == 1
    assert result.stderr == "the run failed: night 1, The Rusty Flagon: 3 cp left in the pots\n"
    assert list(Path().iterdir()) == []


# A model that says when it has played two nights, and then plays slowly.
SLOW = """
import time
from tavern_abm import TavernModel
step = TavernModel.step
def slow(model):
    step(model)
    if model.time == 2:
        print("two nights", flush=True)
    if model.time > 2:
        time.sleep(60)
TavernModel.step = slow
"""


def test_ctrl_c_while_it_plays() -> None:
    Path("runs").mkdir()
    running = process("run", *QUICK, program=SLOW)
    assert running.stdout is not None
    assert running.stdout.readline() == "two nights\n"
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=60)
    assert (running.returncode, stdout) == (130, "")
    last = stderr.splitlines()[-1]
    assert re.fullmatch(r"interrupted in night [23] of 3; nothing was written", last)
    assert "Traceback" not in stderr
    assert list(Path("runs").iterdir()) == []


def test_ctrl_c_while_it_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    run(*QUICK, "--out", "here")
    write_file = folders.write_file

    def write(path: Path, content: bytes) -> None:
        if path.name == "events.parquet":
            raise KeyboardInterrupt
        write_file(path, content)

    monkeypatch.setattr(folders, "write_file", write)
    result = run(*QUICK, "--seed", "2", "--out", "here", "--force")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == "interrupted in night 3 of 3; nothing was written\n"
    assert read_run("here").info["seed"] == 1
    assert [path.name for path in Path().iterdir()] == ["here"]
