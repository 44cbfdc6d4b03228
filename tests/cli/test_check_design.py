"""`tavern check` of a design: sound or not, and how many runs of what."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tavern_abm.cli.check_design import holds_design
from tavern_abm.scenario import builtin_scenarios
from tavern_abm.sweeps.designs.ready import ready_designs

STUDY = """
about = "Does it matter?"
replicates = 5
outputs = ["gini", "tpr"]
series = ["rounds"]

[[factors]]
path = "taverns.0.custom"
label = "custom"
values = ["orc", "lax"]

[[factors]]
path = "minds.tau"
range = { from = 0, to = 1, levels = 11 }
"""


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(STUDY, encoding="utf-8")


def check(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["check", *arguments])


def test_what_is_in_it() -> None:
    result = check("study.toml")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "study: a sound design",
        "  Does it matter?",
        "  rusty-flagon, 30 nights a run; 22 points (grid) x 5 replicates: 110 runs",
        "  custom: orc, lax",
        "  minds.tau: 0.0, 0.1, 0.2 ... 1.0 (11 levels)",
        "  outputs: gini, tpr",
        "  series: rounds",
        "  seed 1; in a replicate all points have the same luck",
    ]


def test_a_byte_order_mark_hides_no_design() -> None:
    Path("study.toml").write_text("\ufeffoutputs = ['gini']\n", encoding="utf-8")
    assert holds_design("study.toml")


def test_luck_of_its_own_and_a_scale() -> None:
    Path("study.toml").write_text(
        "\ufeffreplicates = 2\nseed = 9\nluck = 'own'\n[sampling]\nmethod = 'random'\npoints = 2\n"
        "[[factors]]\npath = 'minds.tau'\nbetween = [0.1, 0.9]\nlog = true\n",
        encoding="utf-8",
    )
    lines = check("study.toml").stdout.splitlines()
    assert lines[2] == "  minds.tau: 0.1 to 0.9, logarithmic"
    assert lines[-1] == "  seed 9; each point has luck of its own"
    document = json.loads(check("study.toml", "--json").stdout)
    assert (document["seed"], document["luck"]) == (9, "own")


def test_bounds_and_replicates_as_many_as_it_takes() -> None:
    Path("study.toml").write_text(
        'replicates = "auto"\noutputs = ["gini"]\n[auto]\noutput = "gini"\nrelative = 0.1\n'
        '[sampling]\nmethod = "random"\npoints = 1\n'
        '[[factors]]\npath = "patrons"\nbetween = [30, 60]\nwhole = true\n'
    )
    lines = check("study.toml").stdout.splitlines()
    told = "1 point (random) x 10 to 200 replicates, by gini"
    assert lines[1] == f"  rusty-flagon, 30 nights a run; {told}"
    assert lines[2] == "  patrons: 30 to 60, whole numbers"


def test_as_json() -> None:
    found = json.loads(check("study.toml", "--json").stdout)
    assert (found["is_valid"], found["points"], found["replicates"]) == (True, 22, 5)
    assert found["factors"] == ["custom", "minds.tau"]
    assert found["problems"] == []


def test_what_is_wrong() -> None:
    Path("study.toml").write_text(STUDY.replace("minds.tau", "minds.tua"), encoding="utf-8")
    result = CliRunner().invoke(tavern, ["check", "study.toml", "--json"])
    assert result.exit_code == 3
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["path"], problem["line"]) == ("study.toml", 13)
    result = check("study.toml")
    assert result.exit_code == 3
    assert result.stderr == ("study.toml:13: minds.tua: unknown field (did you mean 'tau'?)\n")


def test_scenarios_and_designs_are_told_apart() -> None:
    assert all(map(holds_design, ready_designs()))
    assert all(holds_design(str(path)) for path in ready_designs().values())
    assert not any(map(holds_design, builtin_scenarios()))
    assert not any(holds_design(str(path)) for path in builtin_scenarios().values())
    result = check("study.toml", "--trades")
    assert result.exit_code == 2
    assert "--trades is said of a town, and this is a design" in result.stderr
