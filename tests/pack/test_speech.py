"""Numbers, sums and times in words, and what these can mean."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.pack.forms import FORMS, form_of
from tavern_abm.pack.speech import (
    capitalised,
    curled,
    is_vague,
    number,
    since_said,
    sum_said,
    when_said,
)
from tavern_abm.pack.templates import chosen, expanded, slots_of

SMALL = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
WORDS = {word: n for n, word in enumerate(SMALL.split())} | {"fifteen": 15, "sixteen": 16}
WORDS |= {"seventeen": 17, "eighteen": 18, "nineteen": 19, "a": 1}
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
WORDS |= {word: 10 * n for n, word in enumerate(TENS, 2)}


def value_of(words: str) -> int:
    """A number read back from its words, by a second way."""
    total = part = 0
    for word in re.split(r"[ -]", words):
        if word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = part * 1000, 0
        elif word != "and":
            part += WORDS[word]
    return total + part


@given(st.integers(0, 999_999))
def test_a_number_reads_back(n: int) -> None:
    assert value_of(number(n)) == n


@given(st.integers(1, 100_000_00), st.integers(1, 6), st.integers())
def test_a_sum_means_what_was_meant_and_holds_no_digit(cp: int, hops: int, key: int) -> None:
    words, (least, most) = sum_said(cp, hops, key)
    assert least <= cp <= most
    assert not re.search(r"\d|  |^an? ?$", words)


@given(st.integers(0, 400), st.integers(1, 6), st.integers())
def test_a_time_means_what_was_meant(back: int, hops: int, key: int) -> None:
    for words, (least, most) in (when_said(back, hops, key), since_said(back, hops, key)):
        assert least <= back <= most
        assert not re.search(r"\d", words)


def test_who_saw_it_says_it_to_the_silver() -> None:
    assert sum_said(620, 1, "x").words == "sixty-two silver"
    for key in range(50):
        words, (least, most) = sum_said(683, 1, key)
        assert (words, least, most) == ("sixty-eight silver", 680, 689)


@pytest.mark.parametrize(
    ("cp", "words", "span"),
    [
        (680, "the best part of seventy silver", (660, 699)),
        (680, "sixty-odd silver", (610, 699)),
        (620, "a good sixty silver", (600, 649)),
        (24_600, "the best part of three hundred gold", None),
    ],
)
def test_ways_to_say_it_roundly(cp: int, words: str, span: tuple[int, int] | None) -> None:
    said = dict(sum_said(cp, 4, key) for key in range(200))
    if span is None:
        assert words not in said
    else:
        assert said[words] == span


def test_the_more_mouths_the_more_room() -> None:
    share = [sum(is_vague(hops, n) for n in range(2000)) / 2000 for hops in (1, 2, 3, 7)]
    assert share[0] == 0
    assert share[1] == pytest.approx(0.2, abs=4 * (0.2 * 0.8 / 2000) ** 0.5)
    assert share[2] == pytest.approx(0.7, abs=4 * (0.7 * 0.3 / 2000) ** 0.5)
    assert share[3] == share[2]


@pytest.mark.parametrize(
    ("back", "words", "span"),
    [
        (5, "five or six nights back", (4, 7)),
        (5, "not a week back", (1, 7)),
        (7, "about a week back", (5, 9)),
        (9, "more than a week back", (7, 13)),
        (10, "ten nights back or so", (8, 12)),
        (13, "about a fortnight back", (12, 16)),
    ],
)
def test_ways_to_say_about_when(back: int, words: str, span: tuple[int, int]) -> None:
    assert dict(when_said(back, 4, key) for key in range(200))[words] == span


def test_a_week_and_a_fortnight_are_not_counted_to_the_night() -> None:
    said = dict(when_said(back, 1, key) for back in (7, 14) for key in range(20))
    assert said["a week back"] == since_said(7, 1)[1] == (6, 8)
    assert said["a fortnight back"] == since_said(14, 1)[1] == (12, 16)
    assert said["seven nights back"] == (7, 7)


@pytest.mark.parametrize("way", ["more than a week back", "this week and more"])
def test_nobody_says_more_than_a_week_of_a_week(way: str) -> None:
    for back in (7, 8):
        ways = [spoken(back, 4, key) for spoken in (when_said, since_said) for key in range(200)]
        assert (way in {words for words, _ in ways}) is (back == 8)


def test_how_it_is_said_follows_from_the_key_alone() -> None:
    assert sum_said(680, 3, "a", 1) == sum_said(680, 3, "a", 1)
    assert len({sum_said(680, 3, "a", n).words for n in range(40)}) > 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the Eel Pot. it is.", "The Eel Pot. It is."),
        ("“who?” “him.” “oh.”", "“Who?” “Him.” “Oh.”"),
        ("“who?” asked Tam. “him.”", "“Who?” asked Tam. “Him.”"),
        ("he said “now then” and went.", "He said “now then” and went."),
        ("he said: “now then.” and went.", "He said: “Now then.” And went."),
        ("five nights back… it was.", "Five nights back… It was."),
    ],
)
def test_capitals(text: str, said: str) -> None:
    assert capitalised(text) == said
    assert capitalised(said) == said


def test_straight_quotes_become_curly_ones() -> None:
    assert curled('"Who?" "Him." He said "so".') == "“Who?” “Him.” He said “so”."


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("“Who?” “Tam Harl.”", "overheard"),
        ("Watch Tam Harl's hands.", "address"),
        ("Have you seen him?", "address"),
        ("Where does he get it?", "question"),
        ("I never liked him.", "first person"),
        ("Tam Harl said “so be it” and paid.", "plain"),
        ("Tam Harl owes half the street.", "plain"),
    ],
)
def test_forms(text: str, form: str) -> None:
    assert form_of(text) == form
    assert form in FORMS


def test_a_choice_is_taken_by_its_key() -> None:
    text = "no [dice|bets] for [me|us]."
    assert len(expanded(text)) == 4
    assert {chosen(text, n) for n in range(60)} == {*expanded(text)}
    assert chosen(text, "key") == chosen(text, "key")


def test_slots_in_their_order() -> None:
    assert slots_of("{who} [{by.he}|{sum}] {who}") == ("who", "by.he", "sum", "who")
