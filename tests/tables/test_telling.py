"""Dice and decisions at the table: the program's, or those of the people who sit there."""

from collections import Counter
from collections.abc import Callable, Iterator
from math import sqrt

import pytest

from tavern_abm.asking import RefusedError
from tavern_abm.tables.telling import HOUSE, Ask, Deciders, Dice, Told, closing, lines

PLAYERS = ("Ann", "Bo", "Cy")


def keyboard(*typed: str) -> tuple[Ask, list[str]]:
    """Somebody who types these lines, and the questions he was asked."""
    left: Iterator[str] = iter(typed)
    questions: list[str] = []

    def ask(question: str) -> str:
        questions.append(question)
        for line in left:
            return line
        raise RefusedError("nobody answered")

    return ask, questions


def falls(dice: Dice, who: str, n: int = 40) -> list[int]:
    return [dice.roll(who, 20) for _ in range(n)]


# ---------------------------------------------------------------- dice


def test_the_same_seed_throws_the_same_for_everybody() -> None:
    first, second = Dice(7, PLAYERS), Dice(7, PLAYERS)
    assert [falls(first, who) for who in PLAYERS] == [falls(second, who) for who in PLAYERS]
    assert falls(Dice(7, PLAYERS), "Ann") != falls(Dice(8, PLAYERS), "Ann")


def test_everybody_has_dice_of_his_own_by_his_place() -> None:
    alone = falls(Dice(7, PLAYERS), "Bo")
    dice = Dice(7, PLAYERS)
    among = [(dice.roll("Ann", 6), dice.roll("Bo", 20), dice.roll(HOUSE, 4))[1] for _ in range(40)]
    assert among == alone
    assert falls(Dice(7, ("X", "Y", "Z")), "Y") == alone
    all_of_them = [tuple(falls(Dice(7, PLAYERS), who)) for who in (*PLAYERS, HOUSE)]
    assert len(set(all_of_them)) == 4


def test_onlookers_have_dice_of_their_own_too() -> None:
    dice = Dice(7, PLAYERS)
    found = [tuple(falls(dice, who)) for who in (HOUSE, "Zed", "Yan", *PLAYERS)]
    assert len(set(found)) == 6


def test_dice_are_fair() -> None:
    n = 12_000
    counts = Counter(Dice(3, PLAYERS).throw("Ann", n, 6))
    assert set(counts) == set(range(1, 7))
    for number in counts.values():
        assert abs(number / n - 1 / 6) < 4 * sqrt(1 / 6 * 5 / 6 / n)


def test_loaded_dice_follow_their_cases() -> None:
    n = 12_000
    counts = Counter(Dice(3, PLAYERS).throw_loaded("Ann", n, (1, 2, 2, 2)))
    assert abs(counts[2] / n - 3 / 4) < 4 * sqrt(3 / 16 / n)


def test_given_faces_come_first_and_then_the_program_throws() -> None:
    dice = Dice(7, PLAYERS, {"Ann": [4, 6], "Bo": [20, 3]})
    plain = Dice(7, PLAYERS)
    assert dice.throw("Ann", 3, 6) == (4, 6, plain.throw("Ann", 3, 6)[2])
    assert dice.roll("Bo", 20) == 20
    assert dice.unused() == {"Bo": 1}
    assert falls(dice, "Cy") == falls(plain, "Cy")


def test_given_faces_of_loaded_dice_are_faces() -> None:
    dice = Dice(7, PLAYERS, {"Ann": [5, 6]})
    assert dice.throw_loaded("Ann", 2, (6, 6, 5, 1)) == (5, 6)


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_is_not_on_the_die_names_who_what_and_where(face: int) -> None:
    dice = Dice(7, PLAYERS, {"Bo": [4, face]}, game="race")
    with pytest.raises(RefusedError) as caught:
        dice.throw("Bo", 2, 6, "a jump")
    assert str(caught.value) == (
        f"throw 2 of Bo in race: a d6 has no face {face} (a jump); it shows 1 to 6"
    )
    assert caught.value.option == "dice"


@pytest.mark.parametrize(
    "typed", [["4421"], ["4 4 2 1"], ["4,4,2,1"], ["4", "4 2", "1"], [" 4  4\t2 1 "]]
)
def test_dice_may_be_typed_in_many_ways(typed: list[str]) -> None:
    ask, questions = keyboard(*typed)
    dice = Dice(7, PLAYERS, {"Ann": None}, ask)
    assert dice.throw("Ann", 4, 6, "throw 1") == (4, 4, 2, 1)
    assert questions[0] == "Ann, throw 4d6 for throw 1"
    assert len(questions) == len(typed)


def test_the_house_may_be_asked_as_well() -> None:
    ask, questions = keyboard("17")
    assert Dice(7, PLAYERS, {HOUSE: None}, ask).roll(HOUSE, 20) == 17
    assert questions == ["the house, throw a d20"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("7 1", "A d6 shows 1 to 6, not '7'"),
        ("zero", "A d6 shows 1 to 6, not 'zero'"),
        ("\u0664", "A d6 shows 1 to 6"),
        ("9" * 9999, "A d6 shows 1 to 6"),
        ("", "Nothing was typed"),
        ("1 2 3", "That is 3 faces for 2 dice"),
    ],
)
def test_what_is_no_throw_is_asked_for_again(line: str, problem: str) -> None:
    ask, questions = keyboard(line, "5 6")
    assert Dice(7, PLAYERS, {"Ann": None}, ask).throw("Ann", 2, 6, "luck") == (5, 6)
    assert questions[1].startswith(problem)
    assert questions[1].endswith(". Ann, throw 2d6 for luck")


def test_a_big_die_is_not_read_digit_by_digit() -> None:
    ask, _ = keyboard("12", "3")
    assert Dice(7, PLAYERS, {"Ann": None}, ask).throw("Ann", 2, 20) == (12, 3)


def test_without_a_keyboard_the_program_throws() -> None:
    assert falls(Dice(7, PLAYERS, {"Ann": None}), "Ann") == falls(Dice(7, PLAYERS), "Ann")


# ---------------------------------------------------------------- decisions


def never(u: float) -> str:
    raise AssertionError("the program was asked")


def test_the_program_decides_for_its_people_with_a_uniform_number() -> None:
    deciders = Deciders(7, PLAYERS)
    seen: list[float] = []

    def otherwise(u: float) -> str:
        seen.append(u)
        return "rot"

    for _ in range(500):
        assert deciders.choose("Ann", "?", ("rot", "not"), otherwise) == "rot"
    assert all(0 <= u < 1 for u in seen)
    assert len(set(seen)) == 500
    assert abs(sum(seen) / 500 - 0.5) < 4 / sqrt(12 * 500)


def test_asking_one_moves_nobody_elses_luck() -> None:
    ask, _ = keyboard("rot", "not")
    some, none = Deciders(7, PLAYERS, ["Ann"], ask), Deciders(7, PLAYERS)
    for deciders in (some, none):
        for _ in range(2):
            deciders.choose("Ann", "?", ("rot", "not"), lambda u: "rot")
    assert [some.luck(who) for who in PLAYERS] == [none.luck(who) for who in PLAYERS]


@pytest.mark.parametrize(
    ("line", "word"), [("rot", "rot"), (" NOT ", "not"), ("o", "out"), ("ru", "run")]
)
def test_words_may_be_cut_short(line: str, word: str) -> None:
    ask, questions = keyboard(line)
    deciders = Deciders(7, PLAYERS, ["Ann"], ask)
    assert deciders.is_asked("Ann")
    assert not deciders.is_asked("Bo")
    assert deciders.choose("Ann", "Ann?", ("rot", "run", "not", "out"), never) == word
    assert questions == ["Ann? [rot/run/not/out]"]


@pytest.mark.parametrize("line", ["r", "", "rotten", "x"])
def test_what_is_none_of_the_words_is_asked_again(line: str) -> None:
    ask, questions = keyboard(line, "run")
    chosen = Deciders(7, PLAYERS, ["Ann"], ask).choose("Ann", "Ann?", ("rot", "run"), never)
    assert chosen == "run"
    assert questions[1] == f"'{line}' is none of rot, run. Ann? [rot/run]"


def test_where_there_is_no_choice_nobody_is_asked() -> None:
    ask, questions = keyboard()
    deciders = Deciders(7, PLAYERS, ["Ann"], ask)
    assert deciders.choose("Ann", "?", ("fold",), never) == "fold"
    assert deciders.number("Ann", "?", 3, 3, lambda u: 0) == 3
    assert questions == []


def test_numbers() -> None:
    ask, questions = keyboard("eleven", "11", "9" * 5000, " -3 ")
    deciders = Deciders(7, PLAYERS, ["Ann"], ask)
    assert deciders.number("Ann", "How many?", -5, 10, lambda u: 0) == -3
    assert questions[0] == "How many? [-5 to 10]"
    assert questions[1] == "'eleven' is no number from -5 to 10. How many? [-5 to 10]"
    assert deciders.number("Bo", "How many?", 0, 10, lambda u: int(10 * u)) in range(10)


# ---------------------------------------------------------------- what is told


def test_sums_are_read_as_money_and_may_be_left() -> None:
    asked: list[str] = []
    lines = iter(["", "3 qp", "9 sp 1 cp", "2 sp 4 cp", "back", "b", "24"])

    def ask(question: str) -> str:
        asked.append(question)
        return next(lines)

    deciders = Deciders(1, ["Ann"], ["Ann"], ask)
    assert deciders.sum("Ann", "How much?", 24, 90, lambda u: 0) == 24
    assert asked[0] == "How much? [2 sp 4 cp to 9 sp, or back]"
    assert asked[2].startswith("'3 qp' is no sum from 2 sp 4 cp to 9 sp. How much?")
    assert deciders.sum("Ann", "How much?", 24, 90, lambda u: 0) is None
    assert deciders.sum("Ann", "How much?", 24, 90, lambda u: 0) is None
    assert deciders.sum("Ann", "How much?", 24, 90, lambda u: 0) == 24
    assert deciders.sum("Ann", "How much?", 5, 5, lambda u: 0) == 5
    assert deciders.sum("Bo", "How much?", 5, 6, lambda u: 6) == 6


def test_who_is_asked_may_say_it_in_words() -> None:
    deciders = Deciders(1, ["Ann"], ["Ann"], lambda question: "  a  cart of hay ")
    assert deciders.describe("Ann", "What is it?") == "a cart of hay"
    assert deciders.describe("Bo", "What is it?") == ""


def test_names_may_be_typed_in_any_case() -> None:
    lines = iter(["ann", "BO", "c"])
    deciders = Deciders(1, ["Zed"], ["Zed"], lambda question: next(lines))
    who = ["Ann", "Bo", "Cy"]
    assert [deciders.choose("Zed", "Who?", who, lambda u: "") for _ in who] == who


def test_a_record_as_json() -> None:
    told = Told("throw", "Ann throws a 4.", {"who": "Ann", "face": 4}, round=2)
    assert told.to_dict() == {"kind": "throw", "who": "Ann", "face": 4, "text": "Ann throws a 4."}


def test_books_balance_to_the_coin() -> None:
    told = closing({"Ann": 5, "Bo": -6}, 1, "Ann is ahead.", games=3)
    assert told.facts == {"net_cp": {"Ann": 5, "Bo": -6}, "house_cp": 1, "games": 3}
    with pytest.raises(RuntimeError, match="coins were made or lost"):
        closing({"Ann": 5, "Bo": -6})


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([("A.", False), ("B.", True), ("C.", False)], ["A. B.", "C."]),
        ([("", False), ("B.", True), ("", True), ("C.", True)], ["B. C."]),
        ([("A.", False), ("", False), ("C.", True)], ["A. C."]),
        ([], []),
    ],
)
def test_lines(texts: list[tuple[str, bool]], said: list[str]) -> None:
    assert list(lines(Told("x", text, joins=joins) for text, joins in texts)) == said


def test_lines_are_said_as_they_are_told() -> None:
    """A line is complete when the next begins; nothing is read ahead of that."""
    told: list[str] = []

    def telling() -> Iterator[Told]:
        for word in ("A.", "B.", "C."):
            told.append(word)
            yield Told("x", word)

    first: Callable[[], str] = lines(telling()).__next__
    assert first() == "A."
    assert told == ["A.", "B."]
