"""What may be asked of a game: kinds of value, options, answers."""

import pickle
import re
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.asking import (
    ByName,
    Chance,
    Estimate,
    Faces,
    Flag,
    Kind,
    Names,
    OneOf,
    Option,
    RefusedError,
    Sum,
    Text,
    Whole,
    chance_lines,
    near,
    read_options,
    to_json,
)

SIDES = OneOf(("rot", "not", "out"))


@pytest.mark.parametrize(
    ("kind", "given_", "value"),
    [
        (Whole(2, 8), "6", 6),
        (Whole(2, 8), 6, 6),
        (Whole(-5, 30), "-5", -5),
        (Whole(0, 2**63 - 1), str(2**63 - 1), 2**63 - 1),
        (Chance(), "1/4", Fraction(1, 4)),
        (Chance(), "0.25", Fraction(1, 4)),
        (Chance(), ".5", Fraction(1, 2)),
        (Chance(), 0.01, Fraction(1, 100)),
        (Chance(), 1e-05, Fraction(1, 100_000)),
        (Chance(), 1, Fraction(1)),
        (Chance(), Fraction(2, 3), Fraction(2, 3)),
        (Sum(), "3 gp 5 sp", 350),
        (Sum(), 12, 12),
        (Sum(0), "0", 0),
        (SIDES, " Rot ", "rot"),
        (Flag(), True, True),
        (Text(), " Bo ", "Bo"),
        (Names(1, 3), "Ann, Bo", ("Ann", "Bo")),
        (Names(1, 3), ["Ann", "Bo"], ("Ann", "Bo")),
        (ByName(SIDES), "East=rot, South = not", {"East": "rot", "South": "not"}),
        (ByName(SIDES), {"East": "ROT"}, {"East": "rot"}),
        (ByName(Sum(0)), {"Ann": "3 sp", "Bo": 5}, {"Ann": 30, "Bo": 5}),
        (ByName(Faces(), ()), "Ann=4 6 3,Bo", {"Ann": (4, 6, 3), "Bo": ()}),
        (Faces(), "4 6 3", (4, 6, 3)),
        (Faces(), [4, 6, 3], (4, 6, 3)),
    ],
)
def test_values_are_read(kind: Kind, given_: Any, value: Any) -> None:
    assert kind.read(given_) == value
    assert kind.word is not None
    assert isinstance(kind.schema(), dict)


@pytest.mark.parametrize(
    ("kind", "given_", "words"),
    [
        (Whole(2, 8), "9", "must lie in 2 to 8 (got 9)"),
        (Whole(2, 8), "six", "'six' is not a whole number"),
        (Whole(2, 8), True, "True is not a whole number"),
        (Whole(2, 8), 3.0, "3.0 is not a whole number"),
        (Whole(2, 8), "9" * 5000, "is not a whole number"),
        (Chance(), "5/4", "'5/4' is not a chance from 0 to 1"),
        (Chance(), "1/0", "'1/0' is not a chance"),
        (Chance(), "1e-99999999", "is not a chance"),
        (Chance(), "-0.1", "'-0.1' is not a chance"),
        (Chance(), float("nan"), "'nan' is not a chance"),
        (Chance(), True, "'True' is not a chance"),
        (Chance(), Fraction(5, 4), "'5/4' is not a chance"),
        (Sum(), "0 cp", "'0 cp' is not a sum from 1 cp"),
        (Sum(), "much", "not a sum of money: 'much'"),
        (Sum(), 1.5, "not a sum of money: 1.5"),
        (Sum(), True, "not a sum of money: True"),
        (SIDES, "nit", "'nit' is none of rot, not, out (did you mean 'not'?)"),
        (Flag(), "yes", "must be true or false (got 'yes')"),
        (Text(), "  ", "must be one line that is not blank"),
        (Text(), "a\nb", "must be one line"),
        (Names(2, 3), "Ann", "give 2 to 3 names, parted by commas (got 1)"),
        (
            Names(4, 12, game="magic-wand"),
            "Ann,Bo,Cy",
            "magic-wand needs 4 or more seats, their names parted by commas (got 3)",
        ),
        (Names(2, 3, game="x"), "A,B,C,D", "x has 3 seats at the most (got 4)"),
        (Names(2, 2, game="x"), "A", "x needs 2 seats, their names parted by commas (got 1)"),
        (Names(2, 3), "", "give 2 to 3 names, parted by commas (no names given)"),
        (Names(2, 2), " , ", "give 2 names, parted by commas (no names given)"),
        (
            Names(2, 9, game="race"),
            "",
            "race needs 2 or more seats, their names parted by commas (no names given)",
        ),
        (Names(2, 3), "Ann,,Bo", "1 to 40 printable characters (got '')"),
        (Names(2, 3), "Ann,Bo,Ann", "two seats are called 'Ann'"),
        (Names(2, 3), "Ann,Bo=3", "no '=' and no ',' (got 'Bo=3')"),
        (ByName(SIDES), "East", "'East' should read name=rot|not|out"),
        (ByName(SIDES), "=rot", "'=rot' should read name=rot|not|out"),
        (ByName(SIDES), "East=maybe", "East: 'maybe' is none of rot, not, out (East=maybe)"),
        (ByName(SIDES), "East=rot,East=not", "'East' is named twice"),
        (ByName(Sum()), {"Ann": []}, "Ann: not a sum of money: []"),
        (ByName(Faces(), ()), "Ann=", "Ann: '' should be faces of dice, such as '4 6 3'"),
        (Faces(), "4 six", "'4 six' should be faces of dice"),
    ],
)
def test_what_is_no_such_value_says_what_is_allowed(kind: Kind, given_: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        kind.read(given_)


@given(st.text(max_size=30))
def test_no_text_is_more_than_a_value_error(text: str) -> None:
    kinds: list[Kind] = [
        Whole(0, 9),
        Chance(),
        Sum(),
        SIDES,
        Text(),
        Names(1, 2),
        Faces(),
        ByName(Sum()),
    ]
    for kind in kinds:
        with suppress(ValueError):
            kind.read(text)


@given(st.fractions(0, 1, max_denominator=10**6))
def test_chances_are_exact(chance: Fraction) -> None:
    assert Chance().read(str(chance)) == chance


# ---------------------------------------------------------------- options

OPTIONS = (
    Option("limit", OneOf(("fixed", "pot", "no")), "fixed"),
    Option("ante_cp", Sum(), 1, "What each puts in."),
    Option("referee", Flag(), True),
)


def test_options_have_their_defaults() -> None:
    assert read_options(OPTIONS, {}) == {"limit": "fixed", "ante_cp": 1, "referee": True}
    found = read_options(OPTIONS, {"ante_cp": "5 sp", "referee": False})
    assert found == {"limit": "fixed", "ante_cp": 50, "referee": False}


@pytest.mark.parametrize(
    ("said", "name", "words"),
    [
        ({"refere": True}, "refere", "no such option (did you mean 'referee'?)"),
        ({"xyz": 1}, "xyz", "no such option; there are limit, ante_cp, referee"),
        ({"limit": "none"}, "limit", "'none' is none of fixed, pot, no"),
    ],
)
def test_options_that_are_refused(said: dict[str, Any], name: str, words: str) -> None:
    with pytest.raises(RefusedError) as caught:
        read_options(OPTIONS, said)
    assert words in caught.value.problem
    assert caught.value.option == name


def test_a_game_without_options_says_so() -> None:
    with pytest.raises(RefusedError, match="no such rule; there are none"):
        read_options((), {"ante": 1}, "rule")


def test_an_option_on_the_command_line() -> None:
    assert Option("ante_cp", Sum()).flag == "--ante-cp"


def test_a_refusal_survives_a_pickle() -> None:
    error = pickle.loads(pickle.dumps(RefusedError("too few seats", "players")))
    assert (str(error), error.problem, error.option) == (
        "too few seats",
        "too few seats",
        "players",
    )


def test_near() -> None:
    assert near("rott", ["rot", "not"]) == " (did you mean 'rot'?)"
    assert near("xyz", ["rot", "not"]) == ""


# ---------------------------------------------------------------- answers


def test_json_of_an_answer() -> None:
    data = {
        "win": Fraction(1, 4),
        "share": Estimate(0.5, 0.01, 100),
        "by_seat": [Fraction(1, 3), 2],
        "mean": 6.5,
        "name": "Ann",
        "none": None,
        "is_exact": True,
    }
    assert to_json(data) == {
        "win": {"exact": "1/4", "value": 0.25},
        "share": {
            "exact": None,
            "value": 0.5,
            "standard_error": 0.01,
            "n": 100,
            "method": "simulated",
        },
        "by_seat": [{"exact": "1/3", "value": 1 / 3}, 2],
        "mean": 6.5,
        "name": "Ann",
        "none": None,
        "is_exact": True,
    }


def test_lines_of_chances() -> None:
    long = Fraction(3**40, 3**41 + 1)
    rows = [("a wins", Fraction(1, 4)), ("b", long), ("c", 0.5), ("d", Estimate(0.1, 0.002, 5000))]
    assert chance_lines(rows) == [
        "  a wins   0.250000   1/4",
        "  b        0.333333",
        "  c        0.500000",
        "  d        0.100000   +- 0.002000 (simulated, 5,000 times)",
    ]
    assert chance_lines([]) == []
