"""`tavern sweep`: what it plays, says and refuses."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tavern_abm.sweeps.designs.reading import load_design
from tavern_abm.sweeps.stores.frames import read
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick_sweep import content, n_records

ROOT = Path(__file__).resolve().parents[2]
DESIGN = """
scenario = "plain-dice"
nights = 2
replicates = 3
outputs = ["rounds", "gini"]
set = { patrons = 20 }

[[factors]]
path = "taverns.0.rake_bp"
label = "rake"
values = [0, 500]
"""
MINE = """
def brittle(model):
    if model.scenario.taverns[0].rake_bp == 500:
        raise ZeroDivisionError("no such coin")
    return 1.0
"""


@pytest.fixture(autouse=True)
def design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tax.toml").write_text(DESIGN)
    Path("mine.py").write_text(MINE)
    Path("brittle.toml").write_text(DESIGN.replace('"gini"]', '"mine.py:brittle"]'))


def sweep(*arguments: str, jobs: str = "1") -> Result:
    options = () if "--dask" in arguments else ("--jobs", jobs)
    return CliRunner().invoke(tavern, ["sweep", *arguments, *options], prog_name="tavern")


def document(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sweep(*arguments, "--json").stdout)
    return found


# ------------------------------------------------------------- what it says


def test_a_sweep() -> None:
    result = sweep("tax.toml")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert re.fullmatch(r"tax: 2 points, 6 runs done; 6 played now in [\d.]+ s", lines[0])
    assert lines[2:4] == ["means over the runs of a point:", "  point  rake  runs  rounds    gini"]
    assert lines[-2:] == ["tavern summary sweeps/tax    estimates with intervals", "sweeps/tax"]
    assert max(map(len, lines)) <= 100
    frames = read("sweeps/tax")
    assert frames.runs["status"].tolist() == ["done"] * 6
    rounds = frames.outcomes.groupby("scenario_id")["rounds"].mean()
    assert lines[4].split() == ["0", "0", "3", f"{rounds[0]:.4g}", lines[4].split()[-1]]
    assert Path("sweeps/tax/design.toml").read_text() == DESIGN
    assert Path("sweeps/tax/ro-crate-metadata.json").is_file()


def test_json_and_quiet() -> None:
    found = document("tax.toml")
    assert {key: found[key] for key in ("design", "out", "runs", "done", "failed")} == {
        "design": "tax",
        "out": "sweeps/tax",
        "runs": 6,
        "done": 6,
        "failed": 0,
    }
    assert sweep("tax.toml", "--resume", "--quiet").stdout == "sweeps/tax\n"


def test_options_take_the_place_of_what_the_design_says() -> None:
    options = ("--nights", "1", "--replicates", "2", "--seed", "9", "--set", "patrons=12")
    assert sweep("tax.toml", *options, "--out", "other").exit_code == 0
    said = Store.open("other").document
    assert (said["replications"], said["seed"]) == (2, 9)
    assert said["configuration"]["until"] == 1
    assert said["configuration"]["said"]["patrons"] == 12


def test_a_failed_run_is_told_with_its_seed_and_its_command() -> None:
    result = sweep("brittle.toml")
    assert result.exit_code == 1
    runs = read("sweeps/brittle").runs.set_index("run_id")
    assert runs["status"].tolist() == ["done"] * 3 + ["failed"] * 3
    assert "3 runs failed" in result.stdout
    seed = runs.loc[1000000, "seed"]
    line = f"point 1, replication 0, seed {seed}: ZeroDivisionError: no such coin"
    assert line in result.stdout
    command = "tavern rerun sweeps/brittle --run 1000000"
    assert command in result.stdout
    again = CliRunner().invoke(tavern, command.split()[1:], prog_name="tavern")
    assert again.exit_code == 1
    assert "no such coin" in again.stderr


def test_nothing_is_merged_if_not_asked() -> None:
    result = sweep("tax.toml", "--no-merge")
    assert result.exit_code == 0
    assert "tavern merge sweeps/tax" in result.stdout
    assert not Path("sweeps/tax/runs.parquet").exists()


# ------------------------------------------------------------- going on


def test_a_store_is_gone_on_with_only_if_asked() -> None:
    assert sweep("tax.toml").exit_code == 0
    before = {file: file.read_bytes() for file in Path("sweeps").rglob("*") if file.is_file()}
    result = sweep("tax.toml")
    assert result.exit_code == 2
    assert "'sweeps/tax' holds a sweep already; --resume goes on with it" in result.stderr
    assert {file: file.read_bytes() for file in before} == before
    result = sweep("tax.toml", "--resume", "--replicates", "5")
    assert "10 runs done; 4 played now" in result.stdout


def test_fewer_replications_than_the_store_is_for() -> None:
    Store.create("sweeps/tax", load_design("tax.toml", {}, replications=5))
    result = sweep("tax.toml", "--resume")
    assert result.exit_code == 0
    assert "6 played now in" in result.stdout
    assert "; 4 that the store is for are missing\n" in result.stdout
    assert Store.open("sweeps/tax").manifest.status == "stopped"
    assert "4 played now in" in sweep("sweeps/tax", "--resume").stdout
    assert Store.open("sweeps/tax").manifest.status == "finished"


def test_by_the_folder_of_the_store() -> None:
    sweep("brittle.toml")
    Path("mine.py").unlink()  # the store has its own copy
    result = sweep("sweeps/brittle", "--resume", "--retry-failed")
    assert result.exit_code == 1
    assert "3 played now" in result.stdout
    assert "10 runs" not in result.stdout
    refused = sweep("sweeps/brittle")
    assert refused.exit_code == 2
    assert "--resume goes on with it" in refused.stderr
    assert "--nights is for a new sweep" in sweep(
        "sweeps/brittle", "--resume", "--nights", "5"
    ).stderr.replace("\n", " ")


def test_resume_of_nothing_begins() -> None:
    result = sweep("tax.toml", "--resume")
    assert result.exit_code == 0
    assert "6 played now" in result.stdout


def test_another_design_is_refused() -> None:
    sweep("tax.toml")
    result = sweep("tax.toml", "--resume", "--nights", "3")
    assert result.exit_code == 3
    assert result.stderr.count("\n") == 1
    assert "(nights: 2 there, 3 here)" in result.stderr


def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sweep("tax.toml")
    monkeypatch.setattr("tavern_abm.sweeps.stores.store.source_digest", lambda: "0" * 64)
    result = sweep("tax.toml", "--resume")
    assert result.exit_code == 3
    assert "results would mix" in result.stderr


def test_another_sweep_in_the_folder_is_refused() -> None:
    sweep("tax.toml")
    with Store.open("sweeps/tax").locked():
        result = sweep("tax.toml", "--resume", "--replicates", "9")
    assert result.exit_code == 3
    assert f"process {os.getpid()}" in result.stderr
    assert len(Store.open("sweeps/tax").finished()) == 6


# ------------------------------------------------------------- shards


def test_shards_and_their_merge() -> None:
    for shard in ("1/2", "2/2"):
        assert sweep("tax.toml", "--shard", shard).exit_code == 0
    sweep("tax.toml", "--out", "whole")
    shards = [f"sweeps/tax-shard-{each}-of-2" for each in (1, 2)]
    merged = CliRunner().invoke(tavern, ["merge", *shards, "--out", "sweeps/tax"])
    assert merged.exit_code == 0
    assert content(Path("sweeps/tax")) == content(Path("whole"))


@pytest.mark.parametrize(
    ("shard", "problem"),
    [("3/2", "shards of 2 are 1/2 to 2/2"), ("x", "like 3/8")],
)
def test_what_is_no_shard(shard: str, problem: str) -> None:
    result = sweep("tax.toml", "--shard", shard)
    assert result.exit_code == 2
    assert problem in " ".join(result.stderr.split())
    assert not Path("sweeps").exists()


def test_a_shard_without_runs_is_no_failure() -> None:
    for option in ("--quiet", "--dry-run"):
        result = sweep("tax.toml", "--shard", "9/9", option)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith("shard 9/9 has no runs: ")
    assert document("tax.toml", "--shard", "9/9")["runs"] == 0
    assert not Path("sweeps").exists()


def test_shards_without_runs_are_not_missed() -> None:
    for number in range(1, 10):
        assert sweep("tax.toml", "--shard", f"{number}/9").exit_code == 0
    shards = sorted(map(str, Path("sweeps").glob("tax-shard-*")))
    assert len(shards) == 6
    merged = CliRunner().invoke(tavern, ["merge", *shards, "--out", "sweeps/tax"])
    assert (merged.exit_code, merged.stderr) == (0, "")
    assert Store.open("sweeps/tax").manifest.status == "finished"


# ------------------------------------------------------------- dry run


def test_a_dry_run_leaves_nothing() -> None:
    began = time.monotonic()
    result = sweep("tax.toml", "--dry-run", jobs="2")
    assert time.monotonic() - began < 20
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "tax: 2 points (grid) x 3 replications: 6 runs of 2 nights"
    assert "  rake: 0, 500" in lines
    assert re.search(r"time: .*(in one process|not known)", result.stdout)
    assert not Path("sweeps").exists()


@pytest.mark.parametrize(
    "name", ["cheating-and-custom", "talk-and-unjust-beatings", "house-edge-and-inequality"]
)
@pytest.mark.slow
def test_every_ready_design_is_told_within_20_seconds(name: str) -> None:
    began = time.monotonic()
    result = sweep(name, "--dry-run")
    assert result.exit_code == 0
    assert time.monotonic() - began < 20


def test_a_dry_run_as_json() -> None:
    found = json.loads(sweep("tax.toml", "--dry-run", "--json").stdout)
    assert found["runs"] == {"least": 6, "most": 6}
    assert found["points"] == 2


# ------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["no-such.toml"], 3, "no such design"),
        (["rusty-flagon"], 3, "is a scenario, not a design"),
        (["tax.toml", "--retry-failed"], 2, "--retry-failed goes with --resume"),
        (["tax.toml", "--set", "patron=3"], 3, "did you mean 'patrons'"),
        (["tax.toml", "--replicates", "0"], 2, "--replicates"),
        (["tax.toml", "--out", "tax.toml"], 2, "'tax.toml' is something else"),
        (["tax.toml", "--out", "."], 2, "'.' is something else"),
        (["tax.toml", "--dry-run", "--resume"], 2, "leave --resume out"),
    ],
    ids=str,
)
def test_refused(arguments: list[str], code: int, problem: str) -> None:
    result = sweep(*arguments)
    assert result.exit_code == code
    assert problem in " ".join(result.stderr.split())
    assert not Path("sweeps").exists()


def test_an_unreachable_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("tavern_abm.sweeps.running.dask_workers.CONNECT_SECONDS", 1.0)
    result = sweep("tax.toml", "--dask", "tcp://127.0.0.1:9")
    assert result.exit_code == 3
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not Path("sweeps").exists()


def test_an_unreachable_scheduler_changes_no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("tavern_abm.sweeps.running.dask_workers.CONNECT_SECONDS", 1.0)
    sweep("tax.toml")
    files = [each for each in sorted(Path("sweeps/tax").rglob("*")) if each.is_file()]
    before = {each: each.read_bytes() for each in files}
    more = ("--resume", "--replicates", "9", "--dask", "tcp://127.0.0.1:9")
    assert sweep("tax.toml", *more).exit_code == 3
    assert {each: each.read_bytes() for each in files} == before


# ------------------------------------------------------------- what runs do


OWN = """
import os
from pathlib import Path


class Own(BaseException):
    pass


def loud(model):
    print("heard everywhere")
    return 1.0


def strange(model):
    raise Own("no such coin \\ud800")


def wandering(model):
    os.chdir("/")
    return 1.0


def leaving(model):
    if not Path("left").exists():
        Path("left").touch()
        Path("sweeps/own").rename("elsewhere")
    return 1.0
"""


def own_design(function: str, outputs: str = "") -> None:
    Path("own.py").write_text(OWN)
    Path("own.toml").write_text(DESIGN.replace('"gini"]', f'"own.py:{function}"{outputs}]'))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_run_prints_is_none_of_our_words(
    jobs: str, capfd: pytest.CaptureFixture[str]
) -> None:
    own_design("loud")
    result = sweep("own.toml", "--json", jobs=jobs)
    assert json.loads(result.stdout)["done"] == 6
    assert "heard" not in capfd.readouterr().out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_whatever_a_run_raises_it_has_failed(jobs: str) -> None:
    own_design("strange")
    result = sweep("own.toml", jobs=jobs)
    assert result.exit_code == 1
    assert "no such coin \\ud800" in result.stdout
    assert "tavern summary" not in result.stdout
    assert len(read(Path("sweeps/own")).failures) == 6
    for part in Path("sweeps/own/parts").glob("*.records.jsonl"):
        for record in map(json.loads, part.read_bytes().splitlines()[1:]):
            assert record["error"].encode().endswith(b"no such coin \\ud800")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_may_change_the_working_folder(jobs: str) -> None:
    own_design("wandering")
    assert sweep("own.toml", jobs=jobs).exit_code == 0
    assert len(read(Path("sweeps/own")).outcomes) == 6


def test_a_store_that_is_moved_while_it_plays_is_told() -> None:
    own_design("leaving")
    result = sweep("own.toml")
    assert (result.exit_code, result.stdout) == (1, "")
    lines = result.stderr.splitlines()
    assert lines[0] == "sweeps/own is gone: deleted, moved or renamed while it was played"
    assert lines[1].endswith("go on with: tavern sweep own.toml --resume")
    Path("elsewhere").rename("sweeps/own")
    assert sweep("own.toml", "--resume").exit_code == 0


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("tavern_abm.sweeps.stores.parts.Part.done", full)
        result = sweep("tax.toml")
    assert result.exit_code == 1
    assert result.stderr.startswith("sweeps/tax cannot be written: ")
    assert result.stderr.endswith("go on with: tavern sweep tax.toml --resume\n")
    assert sweep("tax.toml", "--resume").exit_code == 0


def test_what_the_table_leaves_out_is_named() -> None:
    own_design("loud", ', "gini", "rake_cp", "house_profit_cp", "gini_change"')
    lines = sweep("own.toml").stdout.splitlines()
    (line,) = [each for each in lines if "not shown" in each]
    assert line.endswith("house_profit_cp, gini_change")


# ------------------------------------------------------------- stopped


def process(*arguments: str) -> subprocess.Popen[str]:
    program = "from tavern_abm.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, "sweep", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_stopped(jobs: str, sign: signal.Signals) -> None:
    with process("tax.toml", "--replicates", "2000", "--jobs", jobs) as playing:
        until = time.monotonic() + 200
        while (
            n_records(Path("sweeps")) < 20 and time.monotonic() < until and playing.poll() is None
        ):
            time.sleep(0.02)
        if sign == signal.SIGINT:
            os.killpg(playing.pid, sign)  # as a terminal does
        else:
            playing.send_signal(sign)
        said, wrong = playing.communicate(timeout=60)
    assert (playing.returncode, said) == (130, "")
    lines = wrong.splitlines()
    n = len(Store.open("sweeps/tax").finished())
    assert lines[0] == f"interrupted; {n:,} of 4,000 runs; {4000 - n:,} are missing"
    assert lines[1:] == ["go on with: tavern sweep tax.toml --resume"]
    assert 20 <= n == n_records(Path("sweeps"))
    assert Store.open("sweeps/tax").manifest.status == "stopped"


def test_a_place_within_another_sweep_is_refused() -> None:
    assert sweep("tax.toml", "--out", "s").exit_code == 0
    result = sweep("tax.toml", "--out", "s/a/inner")
    assert result.exit_code == 2
    assert "'s/a/inner' lies in the folder of a sweep, 's'; name a place outside" in result.stderr
    assert not Path("s/a").exists()


def test_a_sweep_is_played_again_from_within_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """As its metadata say: there the default place lies in the store."""
    assert sweep("tax.toml", "--out", "s").exit_code == 0
    monkeypatch.chdir("s")
    assert sweep("design.toml").exit_code == 0
    assert content(next(Path("sweeps").iterdir())) == content(Path())
