"""Names for the ear: which two a table of players would take for one another."""

from __future__ import annotations

from collections.abc import Iterable

NEAR = 2
"""Edits by which two given names must differ, and one more, to be told apart."""
TITLES = frozenset(
    ("lady", "lord", "sir", "dame", "mother", "father", "old", "young", "master", "mistress")
)
"""Words before a given name, which are none."""


def given_of(name: str) -> str:
    """The name by which somebody is called, without a title; a title alone is kept.

    Examples
    --------
    >>> [given_of(name) for name in ("Tam Harl", "Lady Ysolde Vane", "Mother Quill", "Old")]
    ['Tam', 'Ysolde', 'Quill', 'Old']
    """
    words = name.split() or [""]
    own = [word for word in words if word.casefold() not in TITLES]
    return (own or words)[0]


def confusable(one: str, other: str, *, of_one_event: bool = False) -> bool:
    """Whether the ear takes two people's names for one another.

    It does if their given names begin with the same two letters, or if two
    edits make one of them the other. People of one event must not even share
    a first letter: whoever hears of both at once keeps no more of them.

    Parameters
    ----------
    one, other : str
        Names in full, or given names alone.
    of_one_event : bool, default False
        Hold them to the stricter rule.

    Examples
    --------
    >>> confusable("Jory Vane", "Joss Wren"), confusable("Odo Fenn", "Otto Reed")
    (True, True)
    >>> confusable("Hob Merrow", "Hedda Slagg")
    False
    >>> confusable("Hob Merrow", "Hedda Slagg", of_one_event=True)
    True
    """
    a, b = given_of(one).casefold(), given_of(other).casefold()
    n_letters = 1 if of_one_event else 2
    return a[:n_letters] == b[:n_letters] or edits(a, b) <= NEAR


def edits(one: str, other: str) -> int:
    """Letters to be put in, taken out or changed to make one word of another.

    Examples
    --------
    >>> edits("tam", "tom"), edits("hob", "hobbe"), edits("", "nan")
    (1, 2, 3)
    """
    before = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, its in enumerate(other, start=1):
            row.append(min(row[-1] + 1, before[j] + 1, before[j - 1] + (letter != its)))
        before = row
    return before[-1]


def is_apart(name: str, others: Iterable[str]) -> bool:
    """Whether a name can be told from all of some others.

    Examples
    --------
    >>> is_apart("Morza", ["Corvin Leal", "Tam Harl"]), is_apart("Moss", ["Morza"])
    (True, False)
    """
    return not any(confusable(name, other) for other in others)
