"""Names of taverns: no two alike, fit for the house, and as stable as can be."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.data_tables import DataError
from tavern_abm.founding.signs import Pattern, Signs, Tone, load_signs, make_signs, plain

PLACES = ("market", "harbour", "river", "craftsmen", "castle", "poor quarter", "temple", "gate")
CITY = [Tone(PLACES[i % len(PLACES)], 1 + i * 7 % 5) for i in range(5000)]
keys = st.integers(0, 2**63 - 1)


def own(folder: Path, text: str) -> Path:
    (folder / "signs.toml").write_text(text)
    return folder


def problem(folder: Path, text: str) -> str:
    with pytest.raises(DataError) as error:
        load_signs(own(folder, text))
    return str(error.value).removeprefix(f"{folder}/")


def few_words(*forms: str) -> Signs:
    patterns = tuple(Pattern(name=form, form=form, weight=1) for form in forms)
    return Signs(patterns, {"one": ("Eel", "Pot"), "other": ("Sun", "Eel")})


def words_of(signs: list[str]) -> list[str]:
    left_out = {"the", "and", "of", "in", "to", "a"}
    words = (re.sub(r"'s?\b", "", sign.lower()).split() for sign in signs)
    return [word for each in words for word in set(each) - left_out]


def test_thousands_of_signs_no_two_alike_and_none_numbered() -> None:
    signs = make_signs(5000, 3, tones=CITY)
    assert len({plain(sign) for sign in signs}) == 5000
    assert max(map(len, signs)) <= 60
    assert not any("Number" in sign for sign in signs)


def test_a_quarter_of_poor_houses_does_not_run_out_of_signs() -> None:
    signs = make_signs(2000, 3, tones=[Tone("poor", 1)] * 2000)
    assert len({plain(sign) for sign in signs}) == 2000
    assert not any("Number" in sign for sign in signs)


@given(keys, st.integers(0, 40), st.integers(0, 40))
def test_more_houses_leave_the_first_ones_their_names(key: int, few: int, more: int) -> None:
    assert make_signs(few + more, key, tones=CITY)[:few] == make_signs(few, key, tones=CITY)


@given(keys)
def test_a_taken_name_is_given_up_however_it_is_spelt(key: int) -> None:
    (sign,) = make_signs(1, key)
    (instead,) = make_signs(1, key, taken=[sign])
    assert instead != sign
    for spelt in (sign.upper(), sign.removeprefix("The "), sign.replace(" and ", " & ")):
        assert make_signs(1, key, taken=[spelt]) == [instead]


@given(keys)
def test_a_small_town_has_no_word_on_two_signs(key: int) -> None:
    words = words_of(make_signs(12, key, tones=CITY, taken=["The Rusty Flagon"]))
    assert len(words) == len(set(words))
    assert not {"rusty", "flagon"} & set(words)


def test_another_key_other_signs() -> None:
    assert not set(make_signs(20, 1)) & set(make_signs(20, 2))


def test_a_sign_fits_the_part_of_town() -> None:
    lists = load_signs().words
    by_the_sea = {w.split()[0] for name in ("sea", "mariner", "ship") for w in lists[name]}

    def share(place: str) -> float:
        signs = make_signs(100, 5, tones=[Tone(place, 2)] * 100)
        return sum(bool({*re.findall(r"[\w-]+", sign)} & by_the_sea) for sign in signs) / 100

    assert share("harbour") > 0.3
    assert share("castle") < 0.1


def test_fine_houses_bear_other_signs_than_poor_ones() -> None:
    poor, fine = (make_signs(150, 9, tones=[Tone("", band)] * 150) for band in (1, 5))
    assert sum(sign.startswith("The ") for sign in poor) < 135
    assert all(sign.startswith("The ") for sign in fine)
    assert not any(re.search("Rusty|Leaky|Thirsty", sign) for sign in fine)


def test_a_place_is_known_by_its_words() -> None:
    pattern = Pattern(name="a", form="The Keel", weight=1, places=("harbour",), quality=(1, 2))
    fitting = [Tone("harbour", 1), Tone("Old Harbour", 2), Tone("harbour-side", 1)]
    assert all(pattern.fits(tone) for tone in fitting)
    others = [Tone("harbour", 3), Tone("harbourless", 1), Tone("", 1)]
    assert not any(pattern.fits(tone) for tone in others)


def test_a_list_that_stands_twice_gives_two_words() -> None:
    signs = few_words("The {one} and {one}")
    assert {*make_signs(2, 1, signs=signs)} == {"The Eel and Pot", "The Pot and Eel"}


def test_signs_are_numbered_when_all_are_used() -> None:
    signs = make_signs(5, 1, signs=few_words("The {one}"))
    assert len({plain(sign) for sign in signs}) == 5
    assert {"The Eel", "The Pot"} == {sign for sign in signs if "Number" not in sign}
    assert sum(sign.endswith(" Number 2") for sign in signs) >= 1


def test_the_least_used_word_goes_first() -> None:
    signs = make_signs(2, 1, taken=["The Eel"], signs=few_words("The {one} Inn", "The {other} Bar"))
    assert not any("Eel" in sign for sign in signs)


def test_own_words_go_before_the_shipped_ones(tmp_path: Path) -> None:
    text = '[[words]]\nname = "number"\nwords = ["Ninety"]\n'
    text += '[[pattern]]\nname = "wall"\nform = "The Wall"\nweight = 0\n'
    signs = load_signs(own(tmp_path, text))
    assert signs.words["number"] == ("Ninety",)
    assert len(signs.words) == len(load_signs().words)
    assert signs.patterns[-1].name == "wall"
    assert "The Wall" not in make_signs(200, 1, signs=signs)


def test_what_is_wrong_is_said_with_file_and_line(tmp_path: Path) -> None:
    pattern = '[[pattern]]\nname = "a"\nform = "The {beats}"\nweight = 1\n'
    assert problem(tmp_path, pattern).startswith("signs.toml: a: form: no list of words 'beats'")
    for form in ("The {x", "The x}", "The {{beast}}", "The }{"):
        unclosed = pattern.replace("The {beats}", form)
        expected = "signs.toml:3: a: form: must have a } for each {, around the name of a list"
        assert problem(tmp_path, unclosed) == f"{expected} (got {form!r})"
    spaced = '[[words]]\nname = "a"\nwords = ["Two  Eels"]\n'
    assert problem(tmp_path, spaced).startswith("signs.toml:3: a: words.0: ")
    assert "; " not in problem(tmp_path, spaced)
    long = spaced.replace("Two  Eels", "E" * 31)
    expected = "signs.toml:3: a: words.0: must have at most 30 characters (got 31)"
    assert problem(tmp_path, long) == expected
    empty = spaced.replace('"Two  Eels"', "")
    expected = "signs.toml:3: a: words: must have at least 1 entry (got 0)"
    assert problem(tmp_path, empty) == expected
    upside = '[[pattern]]\nname = "a"\nform = "The Eel"\nweight = 1\nquality = [3, 2]\n'
    assert "quality: must be from low to high (got [3, 2])" in problem(tmp_path, upside)
    assert problem(tmp_path, "[[patern]]").endswith("did you mean 'pattern'?)")
    (tmp_path / "signs.toml").rename(tmp_path / "sign.toml")
    with pytest.raises(DataError, match=r"sign\.toml: no table of that name"):
        load_signs(tmp_path)


def test_a_folder_may_hold_other_tables_only(tmp_path: Path) -> None:
    assert load_signs(tmp_path).words == load_signs().words


def test_the_shipped_words_read_well() -> None:
    signs = load_signs()
    assert all(word[0].isupper() for words in signs.words.values() for word in words)
    assert all(len({*map(str.casefold, words)}) == len(words) for words in signs.words.values())
    used = {slot for pattern in signs.patterns for slot in pattern.slots}
    assert used == set(signs.words)
    bands = {band for p in signs.patterns for band in range(p.quality[0], p.quality[1] + 1)}
    assert bands == {1, 2, 3, 4, 5}
    assert all(a.name != b.name for a, b in pairwise(signs.patterns))
