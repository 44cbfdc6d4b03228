"""A run in a few lines."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tavern_abm.run_folder import read_run
from tavern_abm.summary import summary
from tests.fake_run import Fake, write_fake_run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_fake_run(tmp_path / "run", Fake(nights=5))


def lines(folder: Path, **totals: Any) -> list[str]:
    info = json.loads((folder / "run.json").read_text())
    info["totals"] |= totals
    (folder / "run.json").write_text(json.dumps(info))
    return summary(read_run(folder))


def test_what_was_told(folder: Path) -> None:
    told = lines(folder, rumors=12, tellings=340, believed=120, hearsay=1, ppv=0.758)
    at = next(i for i, line in enumerate(told) if line.startswith("Talk"))
    assert told[at : at + 3] == [
        "Talk      12 rumours told 340 times, believed 120",
        "          suspicions passed on 1 time",
        "          of suspicions, 76% are right",
    ]


def test_a_silent_town_and_an_older_run(folder: Path) -> None:
    silent = lines(folder, tellings=0, hearsay=0, ran=0)
    assert not any(line.startswith("Talk") or "ran for it" in line for line in silent)
    info = json.loads((folder / "run.json").read_text())
    for name in ("tellings", "hearsay", "ran", "rumors", "believed"):
        del info["totals"][name]
    (folder / "run.json").write_text(json.dumps(info))
    assert summary(read_run(folder)) == silent


def test_who_ran(folder: Path) -> None:
    assert "          3 ran for it, and 1 got away" in lines(folder, ran=3, got_away=1)


def test_people_are_called_by_the_word_of_their_trade(folder: Path) -> None:
    file = folder / "patrons.parquet"
    pd.read_parquet(file).assign(trade="laundress", sex="male").to_parquet(file)
    told = "\n".join(summary(read_run(folder)))
    assert "(launderer)" in told
    assert "laundress" not in told


def test_murders_are_no_justice(folder: Path) -> None:
    """Who was killed by no table's sentence is told of, and apart."""
    assert not any("murdered" in line for line in summary(read_run(folder)))
    file = folder / "events.parquet"
    events = pd.read_parquet(file)
    events.loc[:1, ["kind", "round"]] = ["killed", 0]
    events.to_parquet(file)
    told = lines(folder, killed_just=0, killed_unjust=0)
    at = told.index("          murdered:       2 people, by no table's sentence")
    assert "          killed:         nobody" in told[:at]
    assert told[at + 1].startswith("Talk")
