"""`tavern odds`: exact numbers, as text and as JSON."""

import json
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tavern_abm.asking import Answer, Estimate, Option, Question, Whole, chance_lines
from tavern_abm.cli.odds import make_odds_of, odds
from tavern_abm.games import GAMES, about


def ask(*args: str) -> Result:
    return CliRunner().invoke(odds, ["rotting-toes", *args])


def answer(*args: str) -> dict[str, Any]:
    result = ask(*args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def exact(number: dict[str, Any]) -> Fraction:
    fraction = Fraction(number["exact"])
    assert number["value"] == float(fraction)
    return fraction


def test_honest_odds() -> None:
    assert answer() == {
        "game": "rotting-toes",
        "hand_wins": {"exact": "397/972", "value": 397 / 972},
        "hand_loses": {"exact": "575/972", "value": 575 / 972},
        "caught": {"exact": "0", "value": 0.0},
    }


def test_a_cheats_odds() -> None:
    found = answer("--thievery", "6", "--dc", "19")
    assert exact(found["hand_wins"]) == Fraction(925, 1296)
    assert exact(found["caught"]) == Fraction(371, 1296)
    assert exact(answer("--thievery", "6", "--failures", "1")["hand_wins"]) == Fraction(319, 648)


@pytest.mark.parametrize("dc", [5, 19, 40])
@pytest.mark.parametrize("thievery", [-5, 0, 12, 30])
def test_every_modifier_and_dc_adds_up(thievery: int, dc: int) -> None:
    found = answer("--thievery", str(thievery), "--dc", str(dc))
    assert sum(exact(found[key]) for key in ("hand_wins", "hand_loses", "caught")) == 1


def test_weighted_dice() -> None:
    assert exact(answer("--weighted", "1/3")["hand_wins"]) == Fraction(205747, 421875)
    assert answer("--weighted", "1/6") == answer()


def test_expected_gains() -> None:
    win, lose = Fraction(397, 972), Fraction(575, 972)
    found = answer("--n-rot", "2", "--n-not", "1", "--stake", "1 gp")["expected"]
    assert {role: exact(gain) for role, gain in found.items()} == {
        "hand": 100 * win - 100 * lose,
        "not": 100 * win - 100 * lose,
        "rot": 100 * lose - 100 * win,
    }
    found = answer("--n-rot", "3", "--stake", "7 cp")["expected"]
    assert {role: exact(gain) for role, gain in found.items()} == {
        "hand": 21 * win - 7 * lose,
        "rot": Fraction(7, 3) * lose - 7 * win,
    }


def test_nothing_is_to_be_gained_where_nobody_bets_rot() -> None:
    assert exact(answer("--n-rot", "0")["expected"]["hand"]) == 0


def test_evidence() -> None:
    found = answer(
        *("--llr", "--thievery", "6", "--tau", "1/4", "--false-alarm", "0.01", "--failures", "0")
    )
    expected = {"W0": 0.1597, "W1": 1.1808, "W2": 2.0340, "L0": -0.5329, "L1": 2.2130, "L2": 2.8407}
    for seen, llr in expected.items():
        assert found["llr"][seen] == pytest.approx(llr, abs=1e-4)
    assert found["llr"]["V2"] is None
    assert exact(found["honest_expectation"]) == Fraction(81607, 82944)
    assert [exact(found["cheat_ends"][end]) for end in "WLV"] == [
        Fraction(41317, 82944),
        Fraction(6715, 13824),
        Fraction(1337, 82944),
    ]
    assert found == answer("--llr")


def test_evidence_of_other_parameters() -> None:
    found = answer("--llr", "--thievery", "0", "--tau", "1", "--false-alarm", "1/20", "--dc", "15")
    assert found["llr"]["L0"] is None
    assert exact(found["honest_expectation"]) == 1 - exact(found["cheat_ends"]["V"])
    assert found["assumed"]["tau"] == {"exact": "1", "value": 1.0}


def test_evidence_against_a_hand_who_has_failed_before() -> None:
    """A catch is one failed check away: by far more of his rounds are void."""
    fresh, wary = answer("--llr"), answer("--llr", "--failures", "1")
    assert exact(wary["cheat_ends"]["V"]) > 10 * exact(fresh["cheat_ends"]["V"])
    assert wary["assumed"]["failures"] == 1
    assert "has one failed check tonight" in ask("--llr", "--failures", "1").output


def test_the_text_teaches() -> None:
    text = ask().output
    assert "397/972     0.408436" in text
    assert "(1 + n_not)/n_rot = 397/575 = 0.6904" in text
    assert (
        "Thievery +6, DC 19, one failed check already"
        in ask("--thievery", "6", "--failures", "1").output
    )
    assert "bet on rot can only lose" in ask("--thievery", "6").output
    assert "with 2 on rot and 0 on not beside the Hand, 1 gp each" in ask("--n-rot", "2").output


def test_the_text_of_evidence() -> None:
    text = ask("--llr", "--tau", "1").output
    assert "won, 0 odd" in text
    assert "settled" in text
    assert "cleared" in text


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--thievery", "31"], ["--thievery", "-5<=x<=30"]),
        (["--thievery", "-6"], ["--thievery", "-5<=x<=30"]),
        (["--dc", "4"], ["--dc", "5<=x<=40"]),
        (["--dc", "hard"], ["--dc", "'hard' is not a whole number"]),
        (["--failures", "2"], ["--failures", "0<=x<=1"]),
        (["--weighted", "4/3"], ["--weighted", "4/3", "0 to 1"]),
        (["--weighted", "1/0"], ["--weighted", "1/0", "0 to 1"]),
        (["--llr", "--tau", "-0.1"], ["--tau", "0 to 1"]),
        (["--llr", "--tau", "1e-99999999"], ["--tau", "0 to 1"]),
        (["--llr", "--false-alarm", "nan"], ["--false-alarm", "0 to 1"]),
        (["--n-rot", "-1"], ["--n-rot", "0<=x<=100"]),
        (["--stake", "0 cp"], ["--stake", "1 cp"]),
        (["--stake", "much"], ["--stake", "much"]),
        (["--tau", "1/4"], ["--tau", "--llr"]),
        (["--failures", "1"], ["--failures says nothing without --thievery or --llr"]),
        (["--dc", "19"], ["--dc says nothing without --thievery or --llr"]),
        (["--llr", "--weighted", "1/3"], ["--weighted", "--llr"]),
        (["--llr", "--n-not", "0"], ["--n-not", "--llr"]),
    ],
)
def test_bad_numbers_are_named(args: list[str], words: list[str]) -> None:
    result = ask(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert all(word in result.stderr for word in words), result.stderr


def test_an_unknown_game_suggests_the_nearest() -> None:
    result = CliRunner().invoke(odds, ["roting-toes"])
    assert result.exit_code == 2
    assert "no such game: 'roting-toes'; did you mean 'rotting-toes'?" in result.stderr
    assert "games: rotting-toes, magic-wand" in CliRunner().invoke(odds, ["poker"]).stderr


@pytest.mark.parametrize("args", [["--json", "rotting-toes"], ["--n-rot", "2", "rotting-toes"]])
def test_options_may_stand_before_the_game(args: list[str]) -> None:
    before = CliRunner().invoke(odds, args)
    assert before.exit_code == 0
    assert before.stdout == ask(*args[:-1]).stdout


def test_a_game_without_odds_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("tavern_abm.games.rotting_toes.ODDS")
    result = ask()
    assert result.exit_code == 2
    assert "odds has nothing for rotting-toes" in result.stderr


def test_help_lists_the_games_a_line_each() -> None:
    text = CliRunner().invoke(odds, ["--help"]).stdout
    for name in GAMES:
        assert f"{name:<16}{about(name)}\n" in text


def test_help_of_a_game_teaches_and_groups() -> None:
    text = ask("--help").stdout
    assert "tavern odds rotting-toes --weighted 1/3              loaded dice\n" in text
    headings = [line for line in text.splitlines() if line[:1].isalpha() and line.endswith(":")]
    assert headings == [
        "Tricks and dice:",
        "What a bet is worth:",
        "What a round proves:",
        "Output:",
    ]
    assert "[default: 19; 5<=x<=40]" in text


def test_an_estimate_is_said_to_be_one() -> None:
    """A game whose odds are simulated says so, as text and as JSON."""
    found = Estimate(0.25, 0.001, 10_000)
    question = Question([Option("seats", Whole(4, 12), 4)], lambda asked: _told(asked, found), "?")
    command = make_odds_of("a-game", question)
    document = json.loads(CliRunner().invoke(command, ["--seats", "5", "--json"]).stdout)
    assert document == {
        "game": "a-game",
        "seats": 5,
        "given": ["seats"],
        "share": {
            "exact": None,
            "value": 0.25,
            "standard_error": 0.001,
            "n": 10_000,
            "method": "simulated",
        },
    }
    assert "0.250000   +- 0.001000 (simulated" in CliRunner().invoke(command, []).stdout


def _told(asked: Mapping[str, Any], found: Estimate) -> Answer:
    data = {"seats": asked["seats"], "given": sorted(asked["given"]), "share": found}
    return Answer(data, chance_lines([("share", found)]))


def test_it_loads_nothing_heavy() -> None:
    script = (
        "import sys; from tavern_abm.cli.odds import odds;"
        "odds(['rotting-toes', '--llr', '--json'], standalone_mode=False);"
        "heavy = {'numba', 'numpy', 'pandas', 'mesa', 'pydantic', 'plotly'} & set(sys.modules);"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
