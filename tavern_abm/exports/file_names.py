"""Names of files made of names that people gave, for every system and for links to them."""

from __future__ import annotations

import re
import unicodedata

LENGTH = 80
"""The most characters."""
BYTES = 200
"""The most bytes, where a file's name may have 255: an ending and a number must fit behind."""
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\/:*?\"<>|#^\[\]{}%`$&;!~]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(?=$|[ .])")
"""Windows knows no files of these names, whatever comes after a full stop."""


def safe(name: str, instead: str = "Nameless") -> str:
    r"""A name without whatever a file system or a link takes for a sign of its own.

    Parameters
    ----------
    name : str
        Of any characters and any length.
    instead : str
        Given where nothing is left of it.

    Examples
    --------
    >>> safe('../Zoë "Red" O\'Brien | [[Tam]]')
    "Zoë Red O'Brien Tam"
    >>> safe("???")
    'Nameless'
    """
    plain = unicodedata.normalize("NFC", _UNSAFE.sub(" ", name))
    printed = "".join(each for each in plain if each.isprintable())
    short = _within(" ".join(printed.split())[:LENGTH]).strip(" .-'@")
    if _RESERVED.match(short):
        short = f"The {short}"
    return short or instead


def _within(name: str) -> str:
    """A name cut to the most bytes, before the sign that would not fit."""
    return name.encode()[:BYTES].decode(errors="ignore")


class Names:
    """Safe names, none given twice: not even where a system does not tell capitals apart."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, name: str, instead: str = "Nameless") -> str:
        """A name for one more file, such as "Tam Harl", then "Tam Harl 2".

        Examples
        --------
        >>> names = Names()
        >>> names.take("Tam/Harl"), names.take("TAM HARL")
        ('Tam Harl', 'TAM HARL 2')
        """
        plain = safe(name, instead)
        free, number = plain, 1
        while free.casefold() in self._taken:
            number += 1
            free = f"{plain} {number}"
        self._taken.add(free.casefold())
        return free
