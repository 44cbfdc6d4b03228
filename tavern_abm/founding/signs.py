"""Names of taverns: patterns and words of ``data/signs.toml``, no two houses of one name."""

from __future__ import annotations

import difflib
import functools
import itertools
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple, Self

from pydantic import AfterValidator, Field, model_validator

from ..chance import hash63
from ..data_tables import DataError, Entry, Source, merged, read_source, verify_folder
from ..shipped import shipped

FILE = "signs.toml"
CANDIDATES = 6
"""Signs thought of for each house; the one whose words are the least used is taken."""

# A list of words may be short: then a house has to look further before its name is numbered.
_MOST_TRIES = 300
_SLOT = re.compile(r"\{([^{}]*)\}")
_LONGEST = 60  # of a tavern's name in a scenario
_LITTLE = frozenset({"the", "and", "of", "in", "to", "a", "it", "is", "under", "before", "both"})


def _spaced(word: str) -> str:
    """Keep what stands on a board to words parted by one space."""
    if word.split(" ") != word.split():
        raise ValueError(f"must be words parted by one space (got {word!r})")
    return word


def _closed(form: str) -> str:
    """Keep the braces of a form to pairs, each around the name of a list."""
    if set(_SLOT.sub("", form)) & {"{", "}"}:
        raise ValueError(f"must have a }} for each {{, around the name of a list (got {form!r})")
    return form


class Words(Entry):
    """Words that stand for each other in a pattern."""

    words: Annotated[
        tuple[Annotated[str, AfterValidator(_spaced), Field(min_length=1, max_length=30)], ...],
        Field(strict=False, min_length=1),
    ]


class Pattern(Entry):
    """How a sign is put together, and for which houses.

    Examples
    --------
    >>> Pattern(name="head", form="The {beast}'s Head", weight=1, quality=(2, 5)).slots
    ('beast',)
    """

    form: Annotated[
        str,
        AfterValidator(_spaced),
        AfterValidator(_closed),
        Field(min_length=1, max_length=_LONGEST),
    ]
    weight: Annotated[float, Field(ge=0)]
    quality: Annotated[
        tuple[Annotated[int, Field(ge=1, le=5)], Annotated[int, Field(ge=1, le=5)]],
        Field(strict=False),
    ] = (1, 5)
    places: Annotated[tuple[str, ...], Field(strict=False)] = ()

    @property
    def slots(self) -> tuple[str, ...]:
        """Names of the lists whose words go in, in their order."""
        return tuple(_SLOT.findall(self.form))

    @model_validator(mode="after")
    def _from_low_to_high(self) -> Self:
        if self.quality[0] > self.quality[1]:
            raise ValueError(f"quality: must be from low to high (got {list(self.quality)})")
        return self

    def fits(self, tone: Tone) -> bool:
        """Say whether a house may have such a sign."""
        low, high = self.quality
        spoken = tone.place.casefold().replace("-", " ").split()
        return low <= tone.quality <= high and (
            not self.places or any(place.casefold() in spoken for place in self.places)
        )


class Tone(NamedTuple):
    """What a house is like, as far as its sign shows it.

    Attributes
    ----------
    place : str
        The district, or its kind: a pattern for harbours is used where "harbour"
        is one of its words.
    quality : int
        1 poor to 5 fine.
    """

    place: str = ""
    quality: int = 3


@dataclass(frozen=True, eq=False)
class Signs:
    """Patterns and lists of words; compared by identity."""

    patterns: tuple[Pattern, ...]
    words: dict[str, tuple[str, ...]]


def load_signs(folder: str | Path | None = None) -> Signs:
    """Read the shipped patterns and words, and before them those of a user's folder.

    Parameters
    ----------
    folder : str or Path, optional
        A folder that may hold a ``signs.toml`` beside other tables: a pattern or
        a list of words in it takes the place of the shipped one of the same name,
        or is added at the end.

    Raises
    ------
    DataError
        If there is no such folder, or an entry is wrong; the message names
        file, entry and what is allowed.

    Examples
    --------
    >>> load_signs().words["number"][:3]
    ('Two', 'Three', 'Four')
    """
    sources = [read_source(shipped("data") / FILE)]
    if folder is not None:
        sources += _own_file(Path(folder))
    return _built(tuple(sources))


def _own_file(folder: Path) -> list[Source]:
    """The file of a user's folder, if there is one; none that looks like it is misspelt."""
    verify_folder(folder)
    names = [path.name for path in sorted(folder.glob("*.toml"))]
    if FILE in names:
        return [read_source(folder / FILE)]
    for name in difflib.get_close_matches(FILE, names, 1, 0.8):
        raise DataError(folder / name, f"no table of that name (did you mean {FILE!r}?)")
    return []


@functools.lru_cache(maxsize=16)
def _built(sources: tuple[Source, ...]) -> Signs:
    patterns: dict[str, Pattern] = merged(sources, "pattern", Pattern)
    lists: dict[str, Words] = merged(sources, "words", Words)
    for pattern in patterns.values():
        for slot in pattern.slots:
            if slot not in lists:
                problem = f"form: no list of words {slot!r} (there are {', '.join(lists)})"
                raise DataError(sources[-1].path, problem, entry=pattern.name)
    if not any(each.weight > 0 and each.fits(Tone()) for each in patterns.values()):
        raise DataError(sources[-1].path, "no pattern for a decent house in any part of town")
    return Signs(tuple(patterns.values()), {each.name: each.words for each in lists.values()})


def make_signs(
    n: int,
    key: int,
    taken: Iterable[str] = (),
    tones: Sequence[Tone | tuple[str, int]] = (),
    signs: Signs | None = None,
) -> list[str]:
    """Name `n` houses, each otherwise than all others.

    A house is thought of under six names, which follow from `key`, its number and
    its tone. It gets the one whose words stand on the fewest signs before it, taken
    ones among them: so a small town has no two harts and no two lanterns, and more
    houses leave the first ones' names as they are.

    Parameters
    ----------
    n : int
        How many, 0 or more.
    key : int
        Of 63 bits; another key, other names.
    taken : iterable of str
        Names that are taken already, of houses that somebody named himself.
    tones : sequence of Tone
        Of each house; those beyond its end are decent houses anywhere.
    signs : Signs, optional
        Patterns and words; left out: the shipped ones.

    Returns
    -------
    list of str
        No two alike, none like one of `taken`, not even by capitals, "The" or "&".

    Examples
    --------
    >>> make_signs(2, key=1)
    ['The Oak and Woodcock', 'The Mauleverer Arms']
    >>> make_signs(2, key=1, tones=[Tone("harbour", 1), Tone("castle", 5)])
    ["The Harbourmaster's Joy", 'The Lyre and Lily']
    """
    book = _SignBook(signs or load_signs(), taken)
    named = itertools.chain((Tone(*tone) for tone in tones), itertools.repeat(Tone()))
    return [
        book.enter(hash63(key, number), tone) for number, tone in zip(range(n), named, strict=False)
    ]


class _SignBook:
    """The signs of a town so far, and how often each word stands on them."""

    def __init__(self, signs: Signs, taken: Iterable[str]) -> None:
        self._signs = signs
        self._taken: set[str] = set()
        self._used: Counter[str] = Counter()
        self._fitting = functools.cache(self._patterns_for)
        for name in taken:
            self._enter(name)

    def enter(self, key: int, tone: Tone) -> str:
        """Name the next house."""
        free = (
            sign
            for sign in itertools.islice(self._thought_of(key, tone), _MOST_TRIES)
            if plain(sign) not in self._taken
        )
        candidates = list(itertools.islice(free, CANDIDATES)) or [self._numbered(key, tone)]
        sign = min(candidates, key=self._wear)
        self._enter(sign)
        return sign

    def _enter(self, name: str) -> None:
        self._taken.add(plain(name))
        self._used.update(_words_of(name))

    def _wear(self, sign: str) -> tuple[int, int]:
        """How often its words stand elsewhere: the most used one, and all together."""
        counts = [self._used[word] for word in _words_of(sign)]
        return max(counts, default=0), sum(counts)

    def _thought_of(self, key: int, tone: Tone) -> Iterator[str]:
        """Signs for a house, one after the other, without end."""
        patterns, cumulative = self._fitting(tone)
        for attempt in itertools.count():
            luck = hash63(key, attempt)
            at = hash63(luck, 0) / 2**63 * cumulative[-1]
            pattern = patterns[min(bisect_right(cumulative, at), len(patterns) - 1)]
            sign = self._filled(pattern, luck)
            if len(sign) <= _LONGEST:
                yield sign

    def _patterns_for(self, tone: Tone) -> tuple[list[Pattern], list[float]]:
        """Patterns that fit a house, and their weights added up."""
        usable = [each for each in self._signs.patterns if each.weight > 0]
        fitting = [each for each in usable if each.fits(tone)]
        fitting = fitting or [each for each in usable if each.fits(Tone())]
        return fitting, list(itertools.accumulate(each.weight for each in fitting))

    def _filled(self, pattern: Pattern, luck: int) -> str:
        """The sign of a pattern, its words drawn from `luck`."""
        chosen: list[str] = []
        for i, slot in enumerate(pattern.slots, start=1):
            left = [word for word in self._signs.words[slot] if word not in chosen]
            left = left or list(self._signs.words[slot])
            chosen.append(left[hash63(luck, i) % len(left)])
        words = iter(chosen)
        return _SLOT.sub(lambda _: next(words), pattern.form)

    def _numbered(self, key: int, tone: Tone) -> str:
        """Where every sign has been used: the first one thought of, with a number."""
        sign = next(self._thought_of(key, tone))
        numbers = (f"{sign} Number {number}" for number in itertools.count(2))
        return next(name for name in numbers if plain(name) not in self._taken)


def plain(name: str) -> str:
    """A name as it sounds: without capitals, leading "The", marks, and "&" said out.

    Examples
    --------
    >>> plain("The Fox & Lantern"), plain("fox and  lantern")
    ('fox and lantern', 'fox and lantern')
    """
    spoken = re.sub(r"[^\w ]", "", name.casefold().replace("&", " and ").replace("-", " "))
    return " ".join(spoken.split()).removeprefix("the ")


def _words_of(name: str) -> set[str]:
    """The words of a name by which people tell it from others; fox for "Fox's"."""
    words = re.sub(r"['’]s?\b", "", name.casefold()).replace("-", " ").split()
    return {word for word in words if word not in _LITTLE}
