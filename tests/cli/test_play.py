"""`tavern play`: the same game as text and as JSON."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli.play import make_play_of, play
from tavern_abm.games import GAMES, about
from tavern_abm.tables.telling import AtTable, Play, Told, closing


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
        assert sum(part["net_cp"].values()) + part["house_cp"] == 0
        for name, net in part["net_cp"].items():
            total[name] += net
    assert total == found["net_cp"]
    assert sum(total.values()) + found["house_cp"] == 0
    if not found["options"]["quick"]:
        assert found["house_cp"] == 0


def test_the_document() -> None:
    found = document("--players", "Ann, Bo", "--seed", "2", "--stake", "5 sp", "--bets", "Bo=rot")
    assert list(found) == [
        "game",
        "seed",
        "players",
        "stake_cp",
        "options",
        "opening",
        "rounds",
        "net_cp",
        "house_cp",
        "played",
    ]
    assert found["opening"] == []
    assert found["options"]["bets"] == {"Bo": "rot"}
    assert (found["players"], found["stake_cp"], found["seed"]) == (["Ann", "Bo"], 50, 2)
    (part,) = found["rounds"]
    assert part["hand"] == "Ann"
    assert part["ended"] in ("win", "lose")
    assert list(part) == ["round", "hand", "ended", "net_cp", "house_cp", "records"]
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
        (["--players", "Ann"], ["--players", "rotting-toes needs 2 or more seats", "got 1"]),
        (["--players", ",".join("ABCDEFGHIJKLM")], ["--players", "12 seats at the most", "got 13"]),
        (["--players", "Ann,Bo,Ann"], ["--players", "two seats", "Ann"]),
        (["--players", "Ann,,Bo"], ["--players", "printable"]),
        (["--rounds", "0"], ["--rounds", "1<=x<=1000"]),
        (["--stake", "3 pp"], ["--stake", "3 pp"]),
        (["--cheat", "Bob"], ["--cheat", "Bob", "North, East, South, West"]),
        (["--weighted", "Bob"], ["--weighted", "Bob"]),
        (["--bets", "Bob=rot"], ["--bets", "Bob"]),
        (["--bets", "East=maybe"], ["--bets", "East=maybe", "rot, not, out"]),
        (["--bets", "East"], ["--bets", "'East' should read name=rot|not|out"]),
        (["--bets", "East=rot,East=not"], ["--bets", "twice"]),
        (["--cheat", "East", "--thievery", "31"], ["--thievery", "-5<=x<=30"]),
        (["--thievery", "5"], ["--thievery", "--cheat"]),
        (["--dc", "41"], ["--dc", "5<=x<=40"]),
        (["--custom", "elf"], ["--custom", "tavern", "orc"]),
        (["--weighted", "East", "--custom", "orc"], ["--weighted", "orcs"]),
        (["--seed", "x"], ["--seed", "x"]),
        (["--seed", "-1"], ["--seed", "-1"]),
        (["--ask", "Bob"], ["--ask", "'Bob'", "North, East, South, West"]),
        (["--dice", "Bob=4"], ["--dice", "'Bob'", "North, East, South, West"]),
        (["--dice", "North=four"], ["--dice", "'four'", "4 6 3"]),
        (["--purses", "Bob=4"], ["--purses", "'Bob'"]),
        (["--side-bets", "Bob=4"], ["--side-bets", "'Bob'"]),
        (["--purses", "East"], ["--purses", "'East' should read name=sum"]),
        (["--purses", "East=-3"], ["--purses", "East", "0 cp"]),
        (
            ["--purses", "East=3 sp"],
            ["--purses", "East cannot sit down at rotting-toes", "stake of 1 gp", "3 sp"],
        ),
        (["--rake-bp", "10001"], ["--rake-bp", "0<=x<=10000"]),
        (["--quick", "--rake-bp", "5"], ["--rake-bp", "no pot to rake"]),
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


def test_a_game_that_cannot_be_played_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("tavern_abm.tables.rotting_toes.PLAY")
    result = run()
    assert result.exit_code == 2
    assert "play has nothing for rotting-toes" in result.stderr


# ---------------------------------------------------------------- purses and rake


def test_an_empty_purse_is_passed_over_and_watches() -> None:
    args = ["--players", "Ann,Bo,Cy", "--rounds", "9", "--bets", "Ann=rot,Bo=rot,Cy=rot"]
    args += ["--purses", "Bo=1 gp", "--stake", "1 gp"]
    for seed in range(40):
        found = document(*args, "--seed", str(seed))
        records = [each for part in found["rounds"] for each in part["records"]]
        assert found["net_cp"]["Bo"] >= -100
        if any(each["kind"] == "passed_over" for each in records):
            assert "Bo" not in [part["hand"] for part in found["rounds"][-1:]]
            unable = [each for each in records if each["kind"] == "bet" and not each["can_pay"]]
            assert {each["seat"] for each in unable} == {"Bo"}
            assert {each["stake_cp"] for each in unable} == {0}
            assert text(*args, "--seed", str(seed)).count("Round ") == 9
            return
    pytest.fail("Bo never lost his last coin")


def test_too_few_who_can_pay_end_the_game() -> None:
    args = ["--players", "Ann,Bo", "--purses", "Ann=1 gp,Bo=1 gp", "--bets", "Ann=rot,Bo=rot"]
    found = document(*args, "--rounds", "5")
    assert found["played"] == len(found["rounds"]) == 1
    assert "Too few are left to play on. After 1 round:" in text(*args, "--rounds", "5")


def test_the_house_takes_its_rake_from_what_changes_hands() -> None:
    args = ["--bets", "East=rot,South=rot,West=not", "--rake-bp", "500", "--stake", "99 cp"]
    found = document(*args)
    (part,) = found["rounds"]
    assert part["house_cp"] == found["house_cp"] == 198 * 500 // 10_000 == 9
    assert "The house takes 9 cp." in text(*args)
    assert "The house has taken" in text(*args, "--rounds", "2")


def test_a_rake_of_everything_leaves_nothing() -> None:
    told = text("--bets", "East=rot,South=rot,West=not", "--rake-bp", "10000")
    assert "Nothing is left to share. The house takes 2 gp." in told


def test_side_bets_may_differ_from_the_stake() -> None:
    args = ["--bets", "East=rot,South=not,West=out", "--side-bets", "East=5 sp,South=2 gp"]
    for seed in range(20):
        (part,) = document(*args, "--seed", str(seed))["rounds"]
        won = {"North": 25, "East": -50, "South": 25, "West": 0}
        lost = {"North": -100, "East": 300, "South": -200, "West": 0}
        assert part["net_cp"] == (won if part["ended"] == "win" else lost)


def test_coins_of_a_quick_payout_come_from_nowhere_and_that_is_said() -> None:
    args = ["--quick", "--bets", "East=rot,South=rot,West=rot", "--rounds", "3"]
    found = document(*args)
    assert found["house_cp"] == -sum(found["net_cp"].values()) != 0
    assert "The quick payout made" in text(*args) or "The quick payout swallowed" in text(*args)


# ---------------------------------------------------------------- real dice, real people

FIXED = ("--bets", "East=rot,South=rot,West=not")


def ask(args: list[str], typed: str) -> Result:
    return CliRunner().invoke(play, ["rotting-toes", *args], input=typed)


def test_dice_given_in_order() -> None:
    told = text(*FIXED, "--dice", "North=4 4 2 1 6 3 3")
    assert "Throw 1: 4 4 2 1, doubles." in told
    assert "Throw 2: 6 3 3, doubles." in told
    assert "North wins" in told


def test_faces_that_are_not_needed_are_named_and_missing_ones_are_thrown() -> None:
    result = run(*FIXED, "--dice", "North=4 4 2 1 6 3 3 5,East=2 2")
    assert (
        result.stderr == "not needed: 1 face of North's dice\nnot needed: 2 faces of East's dice\n"
    )
    assert "Throw 1: 4 4 2 1" in text(*FIXED, "--dice", "North=4 4 2 1")


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["--dice", "North=4 7"], "throw 2 of North in rotting-toes: a d6 has no face 7 (throw 1)"),
        (["--dice", "North=4 4 2 1 0"], "throw 5 of North in rotting-toes: a d6 has no face 0"),
        (
            ["--dice", "North=4 3 2 1 21", "--cheat", "North"],
            "throw 5 of North in rotting-toes: a d20 has no face 21 (a Thievery check)",
        ),
        (
            ["--dice", "East=-1", "--weighted", "North"],
            "throw 1 of East in rotting-toes: a d20 has no face -1 (a Perception check)",
        ),
    ],
)
def test_a_face_the_die_does_not_have(args: list[str], problem: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert problem in result.stderr


def test_dice_asked_for_at_every_throw() -> None:
    result = ask([*FIXED, "--dice", "North"], "4421\n6 3\n3\n")
    assert result.exit_code == 0
    assert "Throw 2: 6 3 3, doubles." in result.stdout
    assert "North, throw 4d6 for throw 1: 4421\n" in result.stderr
    assert "and a d6 more: 3\n" in result.stderr


def test_wrong_dice_are_asked_for_again() -> None:
    result = ask([*FIXED, "--dice", "North"], "4 7 1 1\n1 2 3 4 5\nx\n\n4 4 2 1\n6,3,3\n")
    assert "A d6 shows 1 to 6, not '7'. North, throw 4d6 for throw 1: " in result.stderr
    assert "That is 5 faces for 4 dice" in result.stderr
    assert "not 'x'" in result.stderr
    assert "Nothing was typed" in result.stderr
    assert "Throw 2: 6 3 3, doubles." in result.stdout


def test_bets_are_asked_for_after_what_came_before_was_said() -> None:
    result = ask(["--ask", "South", "--bets", "East=rot,West=rot"], "maybe\nN\n")
    assert result.exit_code == 0
    assert "South, 1 gp on which? So far 1 on rot, 0 on not [rot/not/out]: " in result.stderr
    assert "'maybe' is none of rot, not, out." in result.stderr
    assert result.output.index("East") < result.output.index("South, 1 gp on which?")
    (bet,) = [line for line in result.stdout.splitlines() if "South" in line]
    assert "not" in bet.lower()


def test_a_cheat_at_the_table_decides_for_himself() -> None:
    args = [*FIXED, "--cheat", "North", "--ask", "North", "--dice", "North=1 2 4 6 20 6 4 3 20"]
    turned = ask(args, "yes\n4\nyes\n4\n")
    assert "turns the 1 into a 4" in turned.stdout or "the 1 into a 4" in turned.stdout
    assert "North, 1 2 4 6: try to turn a die (Thievery +6, DC 19) [yes/no]: " in turned.stderr
    assert "North, unseen: the 1 becomes [6/4/2/leave]: " in turned.stderr
    assert "North wins" in turned.stdout
    left = ask(args, "yes\nleave\nno\n")
    assert (
        "North could turn a die unseen (Thievery 20 + 6 = 26 against DC 19), and lets it be."
        in (left.stdout)
    )
    assert "No doubles in two throws" in left.stdout
    assert "Thievery" not in ask(args, "no\nno\n").stdout


@pytest.mark.parametrize("args", [["--ask", "East"], ["--dice", "North"]])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_nobody_answers_any_more(args: list[str], form: list[str]) -> None:
    result = ask([*args, *form], "")
    assert result.exit_code == 2
    (line,) = [each for each in result.stderr.splitlines() if each.startswith("nobody answered: ")]
    assert "Usage" not in result.stderr
    assert result.stderr.endswith(line + "\n")


def test_who_is_asked_reads_the_story_beside_the_document() -> None:
    args = ["--ask", "South", "--bets", "East=rot,West=rot", "--json"]
    result = ask(args, "not\n")
    assert json.loads(result.stdout)["rounds"][0]["records"][2]["bet"] == "not"
    assert "Throw 1:" in result.stderr
    assert run("--json").stderr == ""


def test_asking_changes_nobody_elses_luck() -> None:
    args = ["--bets", "East=rot,South=not,West=out"]
    result = ask([*args, "--ask", "East,South"], "")
    assert result.exit_code == 0
    assert result.stdout == text(*args)


def test_help_teaches_with_examples_and_groups() -> None:
    told = text("--help")
    headings = [line for line in told.splitlines() if line[:1].isalpha() and line.endswith(":")]
    assert headings == [
        "At the table:",
        "Stakes:",
        "Real people at a real table:",
        "Bets:",
        "Tricks:",
        "The house:",
        "Output:",
    ]
    assert "tavern play rotting-toes --cheat East --thievery 6 --rounds 4 --custom orc\n" in told
    assert "[default: 1 gp]" in told
    assert "[default: 1]" in told


def test_games_are_listed_a_line_each() -> None:
    told = CliRunner().invoke(play, ["--help"]).stdout
    for name in GAMES:
        assert f"{name:<16}{about(name)}\n" in told


# ---------------------------------------------------------------- a game of skill


def _jump(table: AtTable) -> Iterator[Told]:
    yield Told("opening", "They line up.", {"sheets": len(table.sheets)})
    for number in range(1, table.rounds + 1):
        for name in table.players:
            fall = table.dice.roll(name, 20, "a jump") + table.sheets[name].skill("jump")
            yield Told("jump", f"{name}: {fall}.", {"who": name}, number, joins=True)
    yield closing(dict.fromkeys(table.players, 0))


JUMP = Play(_jump, (1, 3), (), "Jump.", players="Ann,Bo", has_stakes=False, has_sheets=True)


def test_a_game_of_skill_reads_a_roster(tmp_path: Path) -> None:
    roster = tmp_path / "team.toml"
    roster.write_text('[[people]]\nname = "Bo"\njump = 7\n')
    command = make_play_of("jump", JUMP)
    told = CliRunner().invoke(command, ["--roster", str(roster), "--dice", "Bo=13", "--ask", "Ann"])
    assert "Bo: 20." in told.stdout
    assert told.stdout.startswith("They line up. Ann: ")
    found = json.loads(CliRunner().invoke(command, ["--json"]).stdout)
    assert found["opening"] == [{"kind": "opening", "sheets": 2, "text": "They line up."}]
    assert "--stake" not in CliRunner().invoke(command, ["--help"]).stdout


def test_a_roster_that_is_not_there() -> None:
    result = CliRunner().invoke(make_play_of("jump", JUMP), ["--roster", "/no/such.toml"])
    assert result.exit_code == 2
    assert "'--roster': /no/such.toml: No such file or directory" in result.stderr


def test_the_house_may_throw_by_hand() -> None:
    found = document("--quick", "--bets", "East=rot", "--dice", "the house=4 4")
    paid = found["rounds"][0]["records"][-1]
    assert paid["dice"] == [4, 4]


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
