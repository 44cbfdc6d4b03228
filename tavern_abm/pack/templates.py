"""The text of a wording before it is filled: ``{slots}`` and ``[one|the other]``."""

from __future__ import annotations

import functools
import itertools
import re

from .speech import pick

SLOT = re.compile(r"\{([^{}]*)\}")
CHOICE = re.compile(r"\[([^\[\]]*)\]")
QUOTED = re.compile(r"“[^”]*”")
MOST_EXPANDED = 64
"""So many versions of a text with choices are looked at."""


def chosen(text: str, *what: object) -> str:
    """A text with one of each choice in it, by the luck of what it is said of.

    Examples
    --------
    >>> chosen("No [dice|cards|bets] for me.", 1) in {
    ...     "No dice for me.",
    ...     "No cards for me.",
    ...     "No bets for me.",
    ... }
    True
    """
    if "[" not in text:
        return text
    number = itertools.count()
    return CHOICE.sub(lambda at: pick(at[1].split("|"), *what, next(number)), text)


@functools.lru_cache(maxsize=4096)
def expanded(text: str) -> tuple[str, ...]:
    """All that a text with choices can be.

    Examples
    --------
    >>> expanded("No [dice|bets] for me.")
    ('No dice for me.', 'No bets for me.')
    """
    parts = CHOICE.split(text)
    options = [[part] if at % 2 == 0 else part.split("|") for at, part in enumerate(parts)]
    every = itertools.product(*options)
    return tuple("".join(each) for each in itertools.islice(every, MOST_EXPANDED))


@functools.lru_cache(maxsize=8192)
def pieces(text: str) -> tuple[str, ...]:
    """Words and slots in turn, words first.

    Examples
    --------
    >>> pieces("{who} owes {by}.")
    ('', 'who', ' owes ', 'by', '.')
    """
    return tuple(SLOT.split(text))


@functools.lru_cache(maxsize=8192)
def slots_of(text: str) -> tuple[str, ...]:
    """The slots of a text, in order, whichever choice is taken.

    Examples
    --------
    >>> slots_of("{who} owes [{by}|somebody].")
    ('who', 'by')
    """
    return tuple(SLOT.findall(text))


def outside_quotes(text: str) -> str:
    """What of a text the teller says himself, in nobody else's name.

    Examples
    --------
    >>> outside_quotes("{who} says “I saw it” and grins.")
    '{who} says … and grins.'
    """
    return QUOTED.sub("…", text)
