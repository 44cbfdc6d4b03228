"""`tavern summary`: estimates of a sweep on stdout and in files."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tavern_abm.sweeps.design import Auto, Factor
from tavern_abm.sweeps.estimating.convergence import add_needed, add_stopped
from tavern_abm.sweeps.estimating.pairs import COLUMNS as DIFFERENCE_COLUMNS
from tavern_abm.sweeps.estimating.pairs import differences
from tavern_abm.sweeps.estimating.summaries import COLUMNS as SUMMARY_COLUMNS
from tavern_abm.sweeps.estimating.summaries import summarize
from tavern_abm.sweeps.sensitivities.sensitivity import indices
from tavern_abm.sweeps.stores.frames import read
from tests.sweeps.fake_sweep import CHEATS, CUSTOM, fake_design, fake_frames, write_fake_store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    design = fake_design("pair", replications=6)
    frames = fake_frames(design, failed=[2])
    return write_fake_store(tmp_path_factory.mktemp("sweeps") / "fake", design, frames)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def summary(store: Path, *arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["summary", str(store), *arguments], prog_name="tavern")


def test_text_is_the_default(store: Path) -> None:
    result = summary(store)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "fake-pair: 16 points, 90 runs done, 6 failed"
    assert any(line.startswith("gini: Gini of purses") for line in lines)
    assert max(map(len, lines)) <= 100


def test_what_is_printed_is_what_the_functions_give(store: Path) -> None:
    frames = read(store)
    rows = json.loads(summary(store, "--format", "json", "--output", "gini").stdout)["rows"]
    known = summarize(frames, outputs=["gini"])
    assert [row["mean"] for row in rows if row["mean"] is not None] == known[
        "mean"
    ].dropna().tolist()
    rows = json.loads(
        summary(store, "--format", "json", "--against", "custom=orc", "--by", "custom").stdout
    )["rows"]
    changes = differences(frames, {"taverns.0.custom": "orc"}, by=["taverns.0.custom"])
    assert [row["change"] for row in rows] == changes["change"].tolist()


def test_json_says_what_it_is_of(store: Path) -> None:
    document = json.loads(summary(store, "--format", "json", "--confidence", "90%").stdout)
    about = {key: value for key, value in document.items() if key not in ("rows", "results")}
    assert about == {
        "name": "fake-pair",
        "points": 16,
        "runs_done": 90,
        "runs_failed": 6,
        "outputs": ["cheating_rate", "unjust_beatings", "gini", "conviction_ppv"],
        "confidence": 0.9,
    }
    assert {row["confidence"] for row in document["rows"]} == {0.9}


def test_tables_go_to_files(store: Path) -> None:
    for name in ("csv", "parquet"):
        result = summary(store, "--format", name, "--out", f"to/table.{name}")
        assert (result.exit_code, result.stdout) == (0, f"to/table.{name}\n")
    by_csv, by_parquet = pd.read_csv("to/table.csv"), pd.read_parquet("to/table.parquet")
    assert len(by_csv) == len(by_parquet) == 64
    assert by_csv["mean"].tolist()[:2] == by_parquet["mean"].tolist()[:2]
    assert Path("to/table.csv").read_text() == summary(store, "--format", "csv").stdout


def test_how_many_are_needed(store: Path) -> None:
    needed = []
    for width in ("5%", "0.001"):
        result = summary(store, "--within", width, "--output", "gini", "--format", "json")
        needed.append([row["needed"] for row in json.loads(result.stdout)["rows"]])
    assert needed[0][2] is needed[1][2] is None  # all runs of this point failed
    assert max(filter(None, needed[0])) < min(filter(None, needed[1]))


def test_how_many_pairs_are_needed(store: Path) -> None:
    asked = ("--against", "custom=orc", "--by", "custom", "--output", "gini")
    assert "needed" in summary(store, *asked, "--within", "0.0005").stdout
    result = summary(store, *asked, "--within", "0.0005", "--format", "json")
    rows = json.loads(result.stdout)["rows"]
    frames = read(store)
    found = differences(
        frames, {"taverns.0.custom": "orc"}, by=["taverns.0.custom"], outputs=["gini"]
    )
    known = add_needed(found, half_width=0.0005)
    assert [row["needed"] for row in rows] == known["needed"].tolist()
    assert min(known["needed"]) > 6


def test_factors_go_by_their_labels(tmp_path: Path) -> None:
    design = fake_design("pair", replications=6)
    cheats = Factor((CHEATS,), "share of cheats", levels=design.factors[1].levels)
    design = dataclasses.replace(design, factors=(design.factors[0], cheats))
    place = write_fake_store(tmp_path / "labelled", design, fake_frames(design))
    lines = summary(place, "--output", "gini").stdout.splitlines()
    assert "share of cheats" in lines[4]
    by = summary(place, "--output", "gini", "--by", "share of cheats")
    assert by.stdout == summary(place, "--output", "gini", "--by", "share_of_cheats").stdout
    said = summary(place, "--output", "gini", "--against", "share of cheats=0.05")
    known = summary(place, "--output", "gini", "--against", "share_of_cheats=0.05")
    assert said.stdout.splitlines()[2:] == known.stdout.splitlines()[2:]
    wrong = summary(place, "--by", "share of cheat")
    assert "did you mean 'share of cheats'?" in wrong.stderr
    rows = json.loads(summary(place, "--format", "json").stdout)["rows"]
    assert CHEATS in rows[0]  # files have the paths


def test_a_factor_that_changes_nothing_is_told(tmp_path: Path, store: Path) -> None:
    design = fake_design("pair", replications=6)
    frames = fake_frames(design)
    runs = frames.outcomes.copy()
    custom = frames.runs[CUSTOM].to_numpy()
    for name in design.configuration.outputs:  # of the first custom at all customs
        runs[name] = np.tile(runs.loc[custom == custom[0], name], 4)
    same = dataclasses.replace(frames, outcomes=runs)
    place = write_fake_store(tmp_path / "idle", design, same)
    told = "custom changes nothing: every run is the same at all its levels."
    assert told in summary(place, "--output", "gini").stdout.splitlines()
    assert told in summary(place, "--against", "custom=orc").stdout.splitlines()
    assert "changes nothing" not in summary(store).stdout


def test_points_that_were_stopped_at_are_marked(tmp_path: Path) -> None:
    design = fake_design("one", replications=12)
    frames = fake_frames(design)
    asked = Auto("gini", half_width=0.0075, at_least=10, at_most=12)
    auto = dataclasses.replace(design, replications=asked)
    place = write_fake_store(tmp_path / "auto", auto, frames)
    known = add_stopped(summarize(frames), asked)
    assert known.loc[known["output"] != "gini", "stopped"].isna().all()
    text = summary(place, "--output", "gini").stdout
    assert "stopped" in text.splitlines()[4]
    assert "Stopped: narrow as soon as" in text
    assert "stopped" not in summary(place, "--by", "share_of_cheats").stdout
    rows = json.loads(summary(place, "--format", "json", "--output", "gini").stdout)["rows"]
    assert [row["stopped"] for row in rows] == known["stopped"].dropna().tolist()


def test_a_sample_has_no_two_points_alike(tmp_path: Path) -> None:
    design = fake_design("latin-hypercube", 20, replications=4)
    place = write_fake_store(tmp_path / "sampled", design, fake_frames(design))
    first = str(fake_frames(design).runs["minds.tau"].iloc[0])
    result = summary(place, "--against", f"tau={first}")
    told = " ".join(result.stderr.split())
    assert "alone, one with tau = " in told
    assert told.endswith("; ask --sensitivity what it does, or name a point by its number")
    text = summary(place, "--by", "tau", "--against", f"tau={first}", "--output", "gini").stdout
    assert "No point has its like at the other level" in text


def test_a_function_that_is_not_here_can_be_summarized(store: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(store, tmp_path / "copy")
    document = json.loads((copy / "design.json").read_text())
    document["configuration"] = {"kind": "function", "function": "nowhere:f", "outputs": ["gini"]}
    (copy / "design.json").write_text(json.dumps(document))
    assert summary(copy).exit_code == 0


def test_what_moves_the_outcomes(store: Path) -> None:
    text = summary(store, "--sensitivity", "--output", "gini").stdout
    assert text.startswith("fake-pair: what moves its outcomes\n95 % intervals in brackets\n")
    assert "  factor" in text
    rows = json.loads(summary(store, "--sensitivity", "--format", "json").stdout)["rows"]
    frames = read(store)
    known = indices(fake_design("pair", replications=6), frames, ["gini"])
    values = [row["value"] for row in rows if row["output"] == "gini"]
    assert values == [None if value != value else value for value in known["value"]]


def test_options_of_the_intervals(store: Path) -> None:
    together = summary(store, "--simultaneous").stdout
    assert "All 60 intervals hold together with 95 % (Bonferroni)." in together
    few = summary(store, "--rows", "2", "--output", "gini").stdout
    assert "... and 14 more" in few


def test_a_page_is_written(store: Path) -> None:
    result = summary(store, "--format", "html", "--out", "page.html")
    assert (result.exit_code, result.stdout) == (0, "page.html\n")
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.lstrip().startswith("<!")
    assert "unjust_beatings" in page
    summary(store, "--format", "html", "--output", "gini", "--out", "gini.html")
    assert "unjust_beatings" not in Path("gini.html").read_text(encoding="utf-8")
    result = summary(store, "--format", "csv", "--out", "t.csv", "--page", "page2.html")
    assert result.stdout == "t.csv\npage2.html\n"
    result = summary(store, "--format", "html")
    assert result.stdout == f"{store / 'summary.html'}\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--output", "ginny"], "'--output': no output 'ginny'; did you mean 'gini'?"),
        (["--by", "custm"], "'--by': no parameter 'custm' varies"),
        (["--against", "99"], "'--against': no point 99; there are 0 to 15"),
        (["--against", "custom=elvish"], "'--against': no point has taverns.0.custom = elvish"),
        (["--against", "orc"], "'--against': 'orc' is no point; write its number, or like"),
        (["--confidence", "95"], "'95' is no confidence; write it like 0.95 or 95%"),
        (["--within", "none"], "'none' is no width; write it like 0.01 or 5%"),
        (["--within", "0"], "'0' is no width"),
        (["--format", "parquet"], "parquet goes to a file; name one with --out"),
        (["--format", "html", "--page", "x.html"], "--page goes with the other formats"),
        (["--sensitivity", "--by", "custom"], "--sensitivity is of all points; leave --by out"),
        (["--format", "html", "--by", "custom"], "a page is of all points as they are; leave --by"),
        (["--page", "x.html", "--against", "0"], "a page is of all points as they are; leave --ag"),
        (["--format", "html", "--output", "gini/gini"], "a page has no ratios of sums"),
        (["--format", "html", "--output", "ginny"], "no output 'ginny'; did you mean 'gini'?"),
        (
            ["--by", "share_of_cheats", "--against", "custom=orc"],
            "--by averages over taverns.0.custom; add --by custom as well",
        ),
        (["--rows", "-1"], "-1 is not in the range"),
    ],
)
def test_what_is_asked_wrongly_is_named(store: Path, arguments: list[str], text: str) -> None:
    result = summary(store, *arguments)
    assert result.exit_code == 2
    assert text in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize("option", ["--out", "--page"])
def test_nothing_is_written_over_unasked(store: Path, option: str) -> None:
    Path("mine.txt").write_text("mine")
    result = summary(store, "--format", "csv", option, "mine.txt")
    assert result.exit_code == 2
    assert "--force" in result.stderr
    before = (store / "runs.parquet").read_bytes()
    result = summary(store, "--format", "csv", option, str(store / "runs.parquet"), "--force")
    assert result.exit_code == 2
    assert "lies in the sweep itself" in result.stderr
    assert (store / "runs.parquet").read_bytes() == before
    assert Path("mine.txt").read_text() == "mine"


def test_a_place_within_a_sweep(store: Path) -> None:
    """Parts are no place for a summary, whatever it is called, nor is another sweep."""
    within = [store / "parts" / "summary.csv", *store.glob("parts/*.records.jsonl")]
    for place in within:
        result = summary(store, "--format", "csv", "--out", str(place), "--force")
        assert result.exit_code == 2
        assert f"lies in the folder of a sweep, '{store.name}'" in result.stderr
    assert not within[0].exists()


def test_one_digest_stands_for_all_results(store: Path) -> None:
    results = json.loads((store / "merged.json").read_text())["results"]
    assert summary(store).stdout.splitlines()[-1] == f"results: SHA-256 {results}"
    assert json.loads(summary(store, "--format", "json").stdout)["results"] == results


def test_tables_whose_parts_are_gone(store: Path) -> None:
    """They are summarized as they are, which is said."""
    Path("sweeps").mkdir()
    copy = Path(shutil.copytree(store, Path("sweeps/copy")))
    before = (copy / "outcomes.parquet").read_bytes()
    for file in (copy / "parts").iterdir():
        file.unlink()
    for options in ((), ("--format", "html")):
        result = summary(copy, *options)
        assert result.exit_code == 0
        assert "sweeps/copy: its parts have lost 96 runs that its tables hold" in result.stderr
    assert summary(copy).stdout == summary(store).stdout
    assert (copy / "outcomes.parquet").read_bytes() == before


def test_a_summary_in_the_store_is_replaced(store: Path) -> None:
    for _ in range(2):
        result = summary(store, "--format", "csv", "--out", str(store / "summary.csv"))
        assert result.exit_code == 0


def test_a_folder_that_is_no_sweep(tmp_path: Path) -> None:
    for place, text in ((tmp_path / "nowhere", "no such folder"), (tmp_path, "not a sweep")):
        result = CliRunner().invoke(tavern, ["summary", str(place)], standalone_mode=False)
        assert text in str(result.exception)


def test_a_sweep_of_which_nothing_is_done(tmp_path: Path) -> None:
    design = fake_design("one", replications=2)
    lost = fake_frames(design, failed=[0, 1, 2, 3])
    place = write_fake_store(tmp_path / "lost", design, lost)
    result = CliRunner().invoke(tavern, ["summary", str(place)], standalone_mode=False)
    assert "no run of it is done: there is nothing to summarize" in str(result.exception)


def test_the_how_to_names_every_column() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "read-a-summary.md"
    section = page.read_text(encoding="utf-8").split("## For other programs")[1]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    named = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    end = named.index("needed")
    assert named[:end] == list(SUMMARY_COLUMNS)
    assert named[end + 1] == "stopped"
    assert set(named[end + 2 :]) == {"against_id", "needed", *DIFFERENCE_COLUMNS}
