"""Names that the ear takes for one another."""

from __future__ import annotations

import pytest

from tavern_abm.pack.ear import confusable, edits, is_apart


@pytest.mark.parametrize(
    ("one", "other", "as_one", "of_one_event"),
    [
        ("Jory Vane", "Joss Wren", True, True),  # two letters at the front
        ("Odo Fenn", "Bodo Reed", True, True),  # one edit
        ("Tam Harl", "Pim Roe", True, True),  # two edits
        ("Tam Harl", "Pip Roe", False, False),  # three
        ("Hob Merrow", "Hedda Slagg", False, True),  # one letter at the front
        ("Hob Merrow", "Nan Merrow", False, False),  # a byname is a family's
        ("Lady Ysolde Vane", "Lady Petronel Fenn", False, False),  # a title is no name
        ("Lady Ysolde Vane", "Ysmay Dunn", True, True),
        ("TAM HARL", "Tamsin Reed", True, True),
    ],
)
def test_who_is_taken_for_whom(one: str, other: str, as_one: bool, of_one_event: bool) -> None:
    for pair in ((one, other), (other, one)):
        assert confusable(*pair) is as_one
        assert confusable(*pair, of_one_event=True) is of_one_event


def test_edits_are_those_of_a_table_filled_by_hand() -> None:
    words = ("", "tam", "tom", "tamsin", "mat", "hobbe")
    counted = {("", "tam"): 3, ("tam", "tom"): 1, ("tam", "tamsin"): 3, ("tam", "mat"): 2}
    for (one, other), n in counted.items():
        assert edits(one, other) == edits(other, one) == n
    assert all(edits(word, word) == 0 for word in words)
    assert all(
        edits(a, c) <= edits(a, b) + edits(b, c) for a in words for b in words for c in words
    )


def test_one_among_several() -> None:
    assert is_apart("Morza", [])
    assert is_apart("Morza", ["Corvin Leal", "Tam Harl"])
    assert not is_apart("Moss", ["Corvin Leal", "Morza Vell"])


def test_a_name_that_is_none() -> None:
    assert not confusable("", "Tamsin")
    assert confusable("", "")
