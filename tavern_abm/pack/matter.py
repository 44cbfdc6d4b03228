"""What a rumour is made of before it is a document: claims, tales and utterances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

Span = tuple[int, int]
"""The least and the most that spoken words can mean, both included: "the best part of seventy"."""


class Claim(NamedTuple):
    """What a version of a story says, or what an event was."""

    kind: str  # one of tags.KINDS
    game: str  # as `tavern play` knows it; empty if none
    subject: int  # patron_id
    other: int  # patron_id; 0 nobody
    amount_cp: int  # 0 where no sum is told
    night: int
    tavern: int  # tavern_id; 0 in no tavern


class Hop(NamedTuple):
    """One person a story has come through."""

    patron_id: int
    how: str  # "saw it", "did it", "lived it", "made it up" or "was told"
    night: int  # on which he saw it, made it up or was told
    tavern: int  # where


@dataclass(frozen=True)
class Tale:
    """A version of a story in the head of somebody who could tell it tonight.

    Attributes
    ----------
    rumor_id, story_id : int
        As in the table of rumours; 0 for what only the event's own witnesses tell.
    event_id : int
        The event it springs from; 0 if it was made up.
    claim : Claim
        What the teller holds to have happened.
    teller : int
        His patron_id.
    chain : tuple of Hop
        From whoever saw, did or made it up to the teller, who is the last.
    tags : frozenset of str
        All that is so of it, in the vocabulary of `tags`.
    heard : int
        How many of those who sit in the teller's house tonight know the story.
    guests : int
        How many sit there.
    """

    rumor_id: int
    story_id: int
    event_id: int
    claim: Claim
    teller: int
    chain: tuple[Hop, ...]
    tags: frozenset[str]
    heard: int
    guests: int


@dataclass(frozen=True)
class Said:
    """What the words of an utterance claim, and nothing that they leave out.

    A field that the words leave open is None. The kind and the subject always count. Words
    that deny it (`denies`) claim that what is charged is not so.
    """

    kind: str
    subject: int
    other: int | None = None
    game: str | None = None
    amount_cp: Span | None = None
    night: Span | None = None
    tavern: int | None = None
    adds: str = ""  # what the teller puts in of his own, for the game master
    adds_untrue: bool = False
    denies: bool = False


@dataclass(frozen=True)
class Utterance:
    """A tale in words.

    Attributes
    ----------
    text : str
        As it is read aloud.
    said : Said
        What it claims.
    wording : str
        Id of the wording: the file and eight characters that follow from its words.
    form : str
        "overheard", "address", "question", "first person" or "plain".
    head, tail : str
        Ids of the lines put before and after; empty for none.
    named : frozenset of int
        Everybody that the words name.
    """

    text: str
    said: Said
    wording: str
    form: str
    head: str = ""
    tail: str = ""
    named: frozenset[int] = field(default_factory=frozenset)
