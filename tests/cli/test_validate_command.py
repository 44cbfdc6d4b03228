"""`tavern validate`: the table, its JSON, and its exit code."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from click.testing import CliRunner

from tavern_abm import validate as v
from tavern_abm.cli.validate import validate
from tavern_abm.validate.check import Check, Finding, Trial, within


def called(*args: str) -> Any:
    return CliRunner().invoke(validate, args)


def made(verdict_holds: bool) -> Check:
    def run(trial: Trial) -> list[Finding]:
        return [
            Finding(0.25, 0.26 if verdict_holds else 0.36, 0.01),
            within(0.0, 1.0, 0.123456789),
        ]

    return Check("Made up", "a coin", "everybody knows", ("heads", "of a share"), run)


@pytest.fixture
def sound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(v, "CHECKS", (made(True),))


@pytest.fixture
def unsound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(v, "CHECKS", (made(False), made(True)))


@pytest.mark.usefixtures("sound")
def test_the_table() -> None:
    done = called()
    assert done.exit_code == 0
    heading, title, source, heads, share, _, last = done.stdout.splitlines()
    assert heading.split() == ["MADE", "UP", "exact", "estimate", "std", "error", "z"]
    assert (title, source) == ("  a coin", "    [everybody knows]")
    assert heads.split() == ["heads", "0.25", "0.26", "0.01", "+1.00", "agrees"]
    assert share.split() == ["of", "a", "share", "0", "to", "1", "0.123457", "agrees"]
    assert last == "2 lines, all agree; the largest z is 1.00"


@pytest.mark.usefixtures("unsound")
def test_one_that_is_off_is_said_and_ends_with_1() -> None:
    done = called()
    assert done.exit_code == 1
    (line,) = [line for line in done.stdout.splitlines() if "IS OFF" in line]
    assert line.split()[:2] == ["heads", "0.25"]
    assert done.stdout.splitlines()[-1] == "4 lines, 1 OFF; the largest z is 11.00"
    assert done.stdout.count("MADE UP") == 1


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_no_number_at_all_is_off(monkeypatch: pytest.MonkeyPatch, option: list[str]) -> None:
    check = Check("Made up", "a half", "", ("life",), lambda trial: [Finding(1.0, math.nan)])
    monkeypatch.setattr(v, "CHECKS", (check,))
    done = called(*option)
    assert done.exit_code == 1
    assert "is off" in done.output.lower()


@pytest.mark.usefixtures("unsound")
def test_json_is_a_list_and_nothing_else() -> None:
    done = called("--json")
    assert done.exit_code == 1
    lines = json.loads(done.stdout)
    wanted = {"name", "exact", "source", "estimate", "standard_error", "z", "verdict"}
    assert all(wanted <= set(line) for line in lines)
    assert [line["verdict"] for line in lines] == ["is off", "agrees", "agrees", "agrees"]


def test_only_what_a_word_names() -> None:
    done = called("--only", "Checks on a D20")
    assert done.exit_code == 0
    assert "a check of +6 against DC 19" in done.output
    assert "arm wrestling" not in done.output


def test_the_seed_decides_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(trial: Trial) -> list[Finding]:
        return [within(0, 2**63, trial.key)]

    monkeypatch.setattr(v, "CHECKS", (Check("Made up", "a key", "", ("it",), run),))
    one, again, other = (called("--seed", seed, "--json").stdout for seed in ("1", "1", "2"))
    assert one == again != other


def test_what_no_check_is_about() -> None:
    done = called("--only", "dragons")
    assert done.exit_code == 2
    assert "no check is about 'dragons'; name them with --list" in done.output


def test_the_list_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Check, "hold", lambda self, seed: pytest.fail("it ran"))
    done = called("--list")
    assert done.exit_code == 0
    assert "    half-life of a belief, nights" in done.stdout.splitlines()
    names = json.loads(called("--list", "--json", "--only", "half-life").stdout)
    assert "fading, seen every round in a night: half-life of a belief, nights" in names


def test_the_help_teaches() -> None:
    text = called("--help").output
    for part in ("--only", "--seed", "--json", "--list", "4 standard errors", "Exit code 0"):
        assert part in text
