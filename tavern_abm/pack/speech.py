"""Numbers, sums and times as people say them, with what they can mean; and sentences made tidy.

Whoever has a story at third hand says less exactly what he was told: the sum and the night
are as he holds them, but the words leave room. How much room follows from a key and from how
many mouths the story came through, never from whether it is true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..coins import CP_PER_GP, CP_PER_SP
from .identity import luck_of
from .matter import Span

_SMALL = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = (*("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),)
_GOLD_FROM = 10 * CP_PER_GP
"""From here on nobody counts in silver, in copper."""
_VAGUE_FROM = 20
"""Fewer coins than this are counted, by everybody."""
_VAGUE_OF_TEN = (0, 0, 2, 7)
"""In how many cases of ten somebody leaves room, by how many people the story came through."""


class Spoken(NamedTuple):
    """Words, and the least and the most that they can mean."""

    words: str
    span: Span


def pick[T](things: Sequence[T], *what: object) -> T:
    """One of several things, as `luck_of` what it is for has it."""
    return things[luck_of(*what) % len(things)]


def is_vague(hops: int, *what: object) -> bool:
    """Whether somebody leaves room in what he says, who has it through so many people."""
    return luck_of(*what, "vague") % 10 < _VAGUE_OF_TEN[min(hops, len(_VAGUE_OF_TEN) - 1)]


# ------------------------------------------------------------- numbers


def number(n: int) -> str:
    """A number in words.

    Parameters
    ----------
    n : int
        From 0 to 999,999.

    Examples
    --------
    >>> number(62), number(130), number(2005)
    ('sixty-two', 'a hundred and thirty', 'two thousand and five')
    """
    if n < len(_SMALL):
        return _SMALL[n]
    if n < 100:
        tens, ones = divmod(n, 10)
        return f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens]
    size, name = (1000, "thousand") if n >= 1000 else (100, "hundred")
    many, rest = divmod(n, size)
    whole = f"{'a' if many == 1 else number(many)} {name}"
    joint = " and " if rest < 100 else " "
    return f"{whole}{joint}{number(rest)}" if rest else whole


# ------------------------------------------------------------- sums


def sum_said(amount_cp: int, hops: int, *what: object) -> Spoken:
    """A sum as somebody says it.

    Parameters
    ----------
    amount_cp : int
        As he holds it, at least 1.
    hops : int
        How many people the story came through, himself counted.
    *what : object
        What it is said of, for the luck of it.

    Returns
    -------
    Spoken
        Words without a slot left, and the span in copper pieces; it holds `amount_cp`.

    Examples
    --------
    >>> sum_said(620, 1, "a")
    Spoken(words='sixty-two silver', span=(620, 629))
    >>> {sum_said(680, 3, n).words for n in range(30)} == {
    ...     "sixty-eight silver",
    ...     "the best part of seventy silver",
    ...     "sixty-odd silver",
    ... }
    True
    """
    coin, name = (CP_PER_GP, "gold") if amount_cp >= _GOLD_FROM else (CP_PER_SP, "silver")
    if amount_cp < CP_PER_SP:
        return Spoken(f"{number(amount_cp)} copper", (amount_cp, amount_cp))
    coins, rest = divmod(amount_cp, coin)
    if coins >= _VAGUE_FROM and is_vague(hops, *what):
        words, (least, most) = pick(_roundly(coins), *what, "how")
        return Spoken(f"{words} {name}", (least * coin, most * coin + coin - 1))
    if amount_cp < CP_PER_GP and rest:
        words = f"{number(coins)} silver and {number(rest)} copper"
        return Spoken(words, (amount_cp, amount_cp))
    if coin == CP_PER_SP and coins % 10 == 0 and luck_of(*what, "gold") % 2:
        coins, coin, name = coins // 10, CP_PER_GP, "gold"
        return Spoken(f"{number(coins)} gold", (amount_cp - rest, amount_cp - rest + CP_PER_SP - 1))
    return Spoken(f"{number(coins)} {name}", (coins * coin, coins * coin + coin - 1))


def _roundly(n: int) -> list[tuple[str, Span]]:
    """Ways to say about how many, each with what it can mean; all of them hold `n`, 20 or more.

    Examples
    --------
    >>> _roundly(68)
    [('sixty-odd', (61, 69)), ('the best part of seventy', (66, 69))]
    >>> _roundly(240)
    [('better than two hundred', (201, 299)), ('a good two hundred', (200, 240))]
    """
    size = 100 if n >= 200 else 10
    low, rest = n // size * size, n % size
    few, many = size * 2 // 5, size * 3 // 5
    odd = f"better than {number(low)}" if size == 100 else f"{number(low)}-odd"
    ways = [(odd, (low + 1, low + size - 1))] if rest else []
    if rest >= many:
        ways.append((f"the best part of {number(low + size)}", (low + many, low + size - 1)))
    if rest <= few:
        ways.append((f"a good {number(low).removeprefix('a ')}", (low, low + few)))
    return ways


# ------------------------------------------------------------- times


def when_said(back: int, hops: int, *what: object) -> Spoken:
    """When it was, as somebody says it.

    Parameters
    ----------
    back : int
        Nights before tonight, 0 for tonight.
    hops, what
        As in `sum_said`.

    Returns
    -------
    Spoken
        With the fewest and the most nights back that the words can mean.

    Examples
    --------
    >>> when_said(1, 1), when_said(5, 1)
    (Spoken(words='last night', span=(1, 1)), Spoken(words='five nights back', span=(5, 5)))
    """
    if is_vague(hops, *what):
        ways = [way.spoken for way in _ABOUT if way.said_of[0] <= back <= way.said_of[1]]
        if ways:
            return pick(ways, *what, "how")
    words = _WHEN.get(back) or (f"{number(back)} nights back",)
    said = pick(words, *what, "how")
    return Spoken(said, _A_WEEK.get(said, (back, back)))


_WEEK, _FORTNIGHT = (6, 8), (12, 16)
"""Nights that people call a week, and two."""
_WHEN = {
    0: ("tonight", "this very night"),
    1: ("last night",),
    2: ("the night before last", "two nights back"),
    7: ("seven nights back", "a week back"),
    14: ("a fortnight back", "fourteen nights back"),
}
_A_WEEK = {
    **dict.fromkeys(("a week back", "this week past"), _WEEK),
    **dict.fromkeys(("a fortnight back", "this fortnight"), _FORTNIGHT),
}
"""Words for a night that can mean the ones beside it as well."""


class _Round(NamedTuple):
    """Words that leave room.

    Attributes
    ----------
    spoken : Spoken
        With all that listeners would let pass for it.
    said_of : Span
        The nights of which they are said.
    """

    spoken: Spoken
    said_of: Span


_ABOUT = (
    _Round(Spoken("the other night", (1, 6)), (2, 5)),
    _Round(Spoken("three or four nights back", (2, 5)), (3, 4)),
    _Round(Spoken("not a week back", (1, 7)), (1, 6)),
    _Round(Spoken("five or six nights back", (4, 7)), (5, 6)),
    _Round(Spoken("about a week back", (5, 9)), (6, 8)),
    _Round(Spoken("more than a week back", (7, 13)), (8, 12)),
    _Round(Spoken("ten nights back or so", (8, 12)), (9, 11)),
    _Round(Spoken("about a fortnight back", _FORTNIGHT), (12, 16)),
    _Round(Spoken("weeks back", (12, 60)), (14, 60)),
)


def since_said(back: int, hops: int, *what: object) -> Spoken:
    """How long since, as somebody says it of what goes on ever since.

    Parameters
    ----------
    back, hops, what
        As in `when_said`.

    Examples
    --------
    >>> since_said(1, 1).words, since_said(5, 1).words, since_said(7, 1).words
    ('since last night', 'these five nights', 'this week past')
    """
    if is_vague(hops, *what):
        ways = [way.spoken for way in _FOR_ABOUT if way.said_of[0] <= back <= way.said_of[1]]
        if ways:
            return pick(ways, *what, "how")
    words = _SINCE.get(back) or f"these {number(back)} nights"
    return Spoken(words, _A_WEEK.get(words, (back, back)))


_SINCE = {0: "since this evening", 1: "since last night", 7: "this week past", 14: "this fortnight"}
_FOR_ABOUT = (
    _Round(Spoken("these few nights", (2, 6)), (2, 5)),
    _Round(Spoken("this week and more", (7, 13)), (8, 12)),
    _Round(Spoken("this fortnight or so", _FORTNIGHT), (12, 16)),
)

# ------------------------------------------------------------- sentences

_OPENING = re.compile(r'(^|[\s(])"')
_START = re.compile(
    r"(^|[.!?…]\s+|[.]”\s+|(?:^|[.!?…,:;”)]\s+)“)([a-zà-ÿ])",
)


def curled(text: str) -> str:
    """Straight double quotes as pairs of curly ones.

    Examples
    --------
    >>> curled('"Whose?" "His."')
    '“Whose?” “His.”'
    """
    return _OPENING.sub(r"\1“", text).replace('"', "”")


def capitalised(text: str) -> str:
    """Capitals where a sentence starts, or speech does.

    A word after a question in quotes stays as it is: it may belong to the same sentence.

    Examples
    --------
    >>> capitalised("the Eel Pot. “who's that?” asked Nan. “my brother Tam.” “oh.”")
    "The Eel Pot. “Who's that?” asked Nan. “My brother Tam.” “Oh.”"
    """
    before = ""
    while before != text:  # a start may end where the next one begins
        before, text = text, _START.sub(lambda at: at[1] + at[2].upper(), text)
    return text


def words_in(text: str) -> list[str]:
    """The words of a text in small letters, without stops and quotes.

    Examples
    --------
    >>> words_in("“Don't.” “But that half-orc?”")
    ["don't", 'but', 'that', 'half-orc']
    """
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.casefold())


def four_grams(words: Sequence[str]) -> set[tuple[str, ...]]:
    """All runs of four words.

    Examples
    --------
    >>> four_grams(["a", "b", "c", "d"])
    {('a', 'b', 'c', 'd')}
    """
    return {tuple(words[at : at + 4]) for at in range(len(words) - 3)}
