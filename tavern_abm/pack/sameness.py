"""When two rumours sound alike: the words they share, and how they begin."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

RUN = 4
"""So many words in a row must not come twice in a set."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without signs.

    Examples
    --------
    >>> words_of("“Don't.” “That's why, Osk.”")
    ["don't", "that's", 'why', 'osk']
    """
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def name_words(names: Iterable[str]) -> frozenset[str]:
    """The words that names are made of, small words of signs ("the", "of") left out.

    Examples
    --------
    >>> sorted(name_words(["Tam Harl", "The Sign of the Eel"]))
    ['eel', 'harl', 'sign', 'tam']
    """
    return frozenset(word for name in names for word in words_of(name)) - _SMALL


def without_names(words: Iterable[str], names: Collection[str]) -> list[str]:
    """Words but those of names, possessives ("Tam's") too.

    Examples
    --------
    >>> without_names(["tam's", "mother", "wept"], {"tam"})
    ['mother', 'wept']
    """
    return [word for word in words if word not in names and word.removesuffix("'s") not in names]


def runs_of(words: list[str], n: int = RUN) -> Iterator[tuple[str, ...]]:
    """Every run of so many words.

    Examples
    --------
    >>> list(runs_of(["a", "b", "c"], 2))
    [('a', 'b'), ('b', 'c')]
    """
    return zip(*(words[start:] for start in range(n)), strict=False)


def runs_in(text: str, people: Collection[str], signs: Collection[str]) -> frozenset[str]:
    """All runs of `RUN` words: as the text stands, without people's names, and without signs.

    Two rumours that share none of them share four words in a row in nobody's count.

    Parameters
    ----------
    text : str
        Of a rumour.
    people, signs : collection of str
        Words of names, as `name_words` gives them.
    """
    bare = words_of(text)
    nameless = without_names(bare, people)
    spoken = (bare, nameless, without_names(nameless, signs))
    return frozenset(" ".join(run) for words in spoken for run in runs_of(words))


def opening_of(text: str, n: int) -> str:
    """The first words of a text.

    Examples
    --------
    >>> opening_of("“Lucky, isn't he?” “Who?”", 2)
    "lucky isn't"
    """
    return " ".join(words_of(text)[:n])


_SMALL = frozenset(("the", "of", "and", "a", "an", "in", "at", "on", "to", "by", "for", "with"))
