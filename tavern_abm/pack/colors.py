"""Details that make a line stick, drawn once for each event: a boot left behind, a kettle pledged.

All who tell of an event tell of the same boot, so that players can find it. They are read
from ``data/wordings/colors.toml``, where each of the four slots has its values and the
sentence that tells how these stand among words.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from ..data_tables import DataError, Entry, merged, read_source, verify_folder
from ..run_folder import RunFolder
from ..shipped import shipped
from .identity import luck_of, salt_of
from .tags import COLOR_SLOTS

FILE = "colors.toml"
"""Its name, in the folder of wordings."""
PRONOUNS = {"female": {"his": "her", "him": "her", "he": "she"}}
_PRONOUN = re.compile(r"\{(his|him|he)\}")
_BRACES = re.compile(r"\{([^{}]*)\}")


def _plain(value: str) -> str:
    """Words as they can stand in the middle of a sentence."""
    if not value.strip() or value != " ".join(value.split()):
        raise ValueError("must be words with single spaces between")
    if any(character.isdigit() for character in value):
        raise ValueError("must be in words, without digits")
    if value[-1] in ".,;:!?":
        raise ValueError("must end in a word: the sentence brings its stop")
    known = ("his", "him", "he")
    for slot in _BRACES.findall(value):
        if slot not in known:
            raise ValueError(f"unknown {{{slot}}} (known: {{his}}, {{him}}, {{he}})")
    return value


class Color(Entry):
    """A slot, how its values stand in a sentence, and the values."""

    about: str = ""
    frame: str
    values: Annotated[
        tuple[Annotated[str, AfterValidator(_plain)], ...], Field(min_length=1, strict=False)
    ]

    @model_validator(mode="after")
    def _is_a_slot(self) -> Self:
        if self.name not in COLOR_SLOTS:
            raise ValueError(f"no slot {{{self.name}}} (there are {', '.join(COLOR_SLOTS)})")
        if f"{{{self.name}}}" not in self.frame:
            raise ValueError(f"frame: must hold {{{self.name}}}")
        if len({*self.values}) < len(self.values):
            raise ValueError("values: none may stand twice")
        return self


def load_colors(folder: str | Path | None = None) -> dict[str, Color]:
    """The four slots with their values: the shipped ones, or a user's in place of them.

    Parameters
    ----------
    folder : str or Path, optional
        A user's own folder of wordings; of the slots that its ``colors.toml`` has, those
        values are taken.

    Raises
    ------
    DataError
        With file, line and what is allowed.

    Examples
    --------
    >>> colors = load_colors()
    >>> sorted(colors), all(len(color.values) >= 40 for color in colors.values())
    (['pledge', 'spot', 'tell', 'thing'], True)
    """
    paths = [shipped("data") / "wordings" / FILE]
    if folder is not None:
        verify_folder(Path(folder))
        own = Path(folder) / FILE
        paths += [own] if own.exists() else []
    return _built(tuple(map(read_source, paths)))


@functools.lru_cache(maxsize=16)
def _built(sources: tuple[Any, ...]) -> dict[str, Color]:
    found = merged(sources, "color", Color)
    for slot in COLOR_SLOTS:
        if slot not in found:
            raise DataError(sources[0].path, f"there are no values for {{{slot}}}")
    return found


def color_of(slot: str, *key: object, folder: str | Path | None = None) -> str:
    """The value of a slot for what is named, the same whenever it is asked for.

    It may hold {his}, {him} or {he}, which stand for whom the sentence is about.

    Examples
    --------
    >>> color_of("thing", 4, "event", 12) == color_of("thing", 4, "event", 12)
    True
    """
    return _drawn(load_colors(folder)[slot], key)


def _drawn(color: Color, key: tuple[object, ...]) -> str:
    return color.values[luck_of("color", color.name, *key) % len(color.values)]


def fitted(value: str, sex: str) -> str:
    """A value as it is said of a man or of a woman.

    Examples
    --------
    >>> fitted("{his} mother's kettle", "female"), fitted("{his} mother's kettle", "male")
    ("her mother's kettle", "his mother's kettle")
    """
    words = PRONOUNS.get(sex, {})
    return _PRONOUN.sub(lambda slot: words.get(slot[1], slot[1]), value)


@dataclass(frozen=True)
class Colors:
    """The colour of one run.

    Attributes
    ----------
    key : tuple
        What tells this run from others.
    slots : dict of str to Color
        The four slots.
    """

    key: tuple[object, ...]
    slots: dict[str, Color]

    @classmethod
    def of(cls, run: RunFolder, folder: str | Path | None = None) -> Colors:
        """The colour of a run: of its salt, so it stays the same when the run goes on.

        Parameters
        ----------
        run : RunFolder
            The run.
        folder : str or Path, optional
            A user's own folder of wordings.
        """
        return cls((salt_of(run),), load_colors(folder))

    def of_event(self, slot: str, event_id: int, story_id: int = 0) -> str:
        """The value of a slot for an event, or for a story that somebody made up.

        It may hold {his}, {him} or {he}: see `fitted`.
        """
        what = ("event", event_id) if event_id else ("story", story_id)
        return _drawn(self.slots[slot], (*self.key, *what))

    def tell_of(self, patron_id: int, sex: str) -> str:
        """Somebody's habit that one could take for a cheat's."""
        return fitted(_drawn(self.slots["tell"], (*self.key, "patron", patron_id)), sex)
