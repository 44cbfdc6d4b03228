"""`tavern play`: the same game as text and as JSON."""

import json
import subprocess
import sys
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli.play import play


def run(*args: str) -> Result:
    return CliRunner().invoke(play, ["rotting-toes", *args])


def text(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    return result.stdout


def document(*args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text(*args, "--json"))
    return found


def test_a_round_is_told_throw_by_throw() -> None:
    told = text("--players", "North,East,South,West", "--seed", "3")
    assert told.startswith("Round 1. North")
    for word in ("East", "South", "West", "Throw 1:", "Throw 2:", "taken away"):
        assert word in told
    assert told == text("--seed", "3")
    assert told != text("--seed", "4")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "args",
    [
        ["--rounds", "5"],
        ["--rounds", "6", "--cheat", "East", "--thievery", "6", "--stake", "7 cp"],
        ["--quick", "--rounds", "3"],
        ["--weighted", "South", "--rounds", "9", "--lucky"],
    ],
)
def test_json_is_the_same_as_data(args: list[str], seed: int) -> None:
    args = [*args, "--seed", str(seed)]
    found = document(*args)
    sentences = [each["text"] for part in found["rounds"] for each in part["records"]]
    told = " ".join(text(*args).split("\n"))
    assert told.startswith(" ".join(sentences))
    total = dict.fromkeys(found["players"], 0)
    for part in found["rounds"]:
        for name, net in part["net_cp"].items():
            total[name] += net
    assert total == found["net_cp"]
    if not found["quick"]:
        assert sum(total.values()) == 0


def test_the_document() -> None:
    found = document("--players", "Ann, Bo", "--seed", "2", "--stake", "5 sp", "--bets", "Bo=rot")
    assert list(found) == [
        "game",
        "seed",
        "players",
        "stake_cp",
        "custom",
        "quick",
        "rounds",
        "net_cp",
    ]
    assert (found["players"], found["stake_cp"], found["seed"]) == (["Ann", "Bo"], 50, 2)
    (part,) = found["rounds"]
    assert part["hand"] == "Ann"
    assert part["ended"] in ("win", "lose")
    assert [each["kind"] for each in part["records"]][:3] == ["opening", "bet", "throw"]
    won = 50 if part["ended"] == "win" else -50
    assert part["net_cp"] == {"Ann": won, "Bo": -won}


@pytest.mark.parametrize(("custom", "penalty"), [("tavern", "ejected"), ("orc", "killed")])
def test_a_cheat_is_caught_one_day_and_the_custom_follows(custom: str, penalty: str) -> None:
    args = ["--cheat", "North", "--thievery", "-5", "--rounds", "5", "--custom", custom]
    told = text(*args)
    assert "North is caught cheating. The round is void." in told
    assert "Every stake goes back to its owner." in told
    records = [each for part in document(*args)["rounds"] for each in part["records"]]
    (found,) = [each for each in records if each["kind"] == "penalty"]
    assert (found["seat"], found["penalty"]) == ("North", penalty)


def test_orcs_beat_the_lucky() -> None:
    args = ["--players", "A,B", "--bets", "A=rot,B=rot", "--cheat", "A", "--thievery", "30"]
    found = document(*args, "--custom", "orc", "--rounds", "20")
    kinds = [each["kind"] for part in found["rounds"] for each in part["records"]]
    assert kinds[-1] == "beating"
    assert len(found["rounds"]) == 7


def test_quick_pays_2d4_gold_a_gold() -> None:
    found = document("--quick", "--stake", "3 gp", "--bets", "East=rot,South=not,West=out")
    (part,) = found["rounds"]
    paid = part["records"][-1]
    assert paid["kind"] == "quick_payout"
    gain = 300 * sum(paid["dice"])
    east, south = (-300, gain) if part["ended"] == "win" else (gain, -300)
    assert part["net_cp"] == {"North": south, "East": east, "South": south, "West": 0}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--players", "Ann"], ["--players", "2 to 12", "got 1"]),
        (["--players", ",".join("ABCDEFGHIJKLM")], ["--players", "2 to 12", "got 13"]),
        (["--players", "Ann,Bo,Ann"], ["--players", "two seats", "Ann"]),
        (["--players", "Ann,,Bo"], ["--players", "printable"]),
        (["--rounds", "0"], ["--rounds", "1<=x<=1000"]),
        (["--stake", "3 pp"], ["--stake", "3 pp"]),
        (["--cheat", "Bob"], ["--cheat", "Bob", "North, East, South, West"]),
        (["--weighted", "Bob"], ["--weighted", "Bob"]),
        (["--bets", "Bob=rot"], ["--bets", "Bob"]),
        (["--bets", "East=maybe"], ["--bets", "East=maybe", "=out"]),
        (["--bets", "East=rot,East=not"], ["--bets", "twice"]),
        (["--cheat", "East", "--thievery", "31"], ["--thievery", "-5<=x<=30"]),
        (["--thievery", "5"], ["--thievery", "--cheat"]),
        (["--dc", "41"], ["--dc", "5<=x<=40"]),
        (["--custom", "elf"], ["--custom", "tavern", "orc"]),
        (["--weighted", "East", "--custom", "orc"], ["--weighted", "orcs"]),
        (["--seed", "x"], ["--seed", "x"]),
    ],
)
def test_wrong_usage_is_named(args: list[str], words: list[str]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert all(word in result.stderr for word in words), result.stderr


def test_an_unknown_game_suggests_the_nearest() -> None:
    result = CliRunner().invoke(play, ["Rotting Toes"])
    assert result.exit_code == 2
    assert "did you mean 'rotting-toes'?" in result.stderr


def test_it_loads_nothing_heavy() -> None:
    script = (
        "import sys; from tavern_abm.cli.play import play;"
        "play(['rotting-toes'], standalone_mode=False);"
        "heavy = {'numba', 'pandas', 'mesa', 'pydantic', 'plotly'} & set(sys.modules);"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
