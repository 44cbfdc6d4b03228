"""The documents of a pack: what the game master gets, and what the players may see.

The two are of different types. A players' document has no field for a truth, a chain, a
seed, a scenario, a version or a name that was not spoken, so none can slip into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .matter import Said

# ------------------------------------------------------------- for the players


@dataclass(frozen=True)
class PlayerRumor:
    """A rumour as the players hear it."""

    text: str
    heard_at: str  # the sign of the house
    speaker_as_seen: str  # "a sour half-orc carter on the settle by the fire"


@dataclass(frozen=True)
class PlayersPage:
    """All that players may see, in an order that tells nothing."""

    title: str
    rumors: tuple[PlayerRumor, ...]


# ------------------------------------------------------------- for the game master


@dataclass(frozen=True)
class Link:
    """One person a rumour has come through, in words."""

    name: str
    patron_id: int
    how: str  # "saw it", "did it", "lived it", "made it up" or "was told"
    night: int
    tavern: str  # its sign; empty outside a tavern
    pressed: str  # what becomes of who asks there: "out tonight: the Three Keys", "left town"


@dataclass(frozen=True)
class Rumor:
    """A rumour with its key."""

    id: str  # 16 letters and digits, the same in every export of a run
    number: int  # on the die, from 1
    text: str
    form: str
    teller: str
    teller_id: int
    speaker_as_seen: str
    seat: str
    tavern: str
    tavern_id: int
    chain: tuple[Link, ...]
    pressed: str  # what the teller answers when asked where he has it: "Nan told me over the wash."
    truth: str  # "true", "partly true" or "false"
    key: str  # what is true, in a sentence or two
    said: Said
    kind: str
    event: int  # event_id; 0: made up
    story: int
    hook: str  # what it could lead to
    strength: int  # of the hook: 1 gossip, 2 a lead, 3 somebody needs something done
    dc: int  # to hear it
    wording: str
    head: str
    tail: str
    about: tuple[int, ...]  # patron_ids of whom it is about


@dataclass(frozen=True)
class Sheet:
    """What a stat block of the free rules needs of a person."""

    abilities: dict[str, int]  # "str" ... "cha"
    hp: int
    level: int
    size: str  # "Small" or "Medium"
    speed_ft: int
    block: str  # of the free rules: commoner, bandit, guard, thug, spy or noble
    skills_35: dict[str, int]  # modifiers by skill: "Sleight of Hand", "Spot", "Bluff" ...
    skills_4: dict[str, int]
    skills_5: dict[str, int]  # with "passive Perception"
    coins_cp: int


@dataclass(frozen=True)
class Card:
    """A person on a half-card; everything but `name`, `looks` and `tonight` is not for players."""

    id: str
    patron_id: int
    name: str
    what: str  # "half-orc carter"
    sex: str
    tavern: str  # where tonight; empty at home
    tavern_id: int
    tonight: str
    looks: str  # see and hear
    says: str
    wants: str
    belief: str
    secret: str
    numbers: tuple[str, str, str]  # three of 3.5, of 4th and of 5th edition, in words
    fight: str  # "Fights like a thug."
    rumors: tuple[int, ...]  # numbers of the rumours he tells or is in
    history: tuple[str, ...]  # for the page: what the record says of him, newest first
    sheet: Sheet
    kin: tuple[str, ...] = ()  # of his household, and where each is tonight


@dataclass(frozen=True)
class SessionHook:
    """A situation to walk into tonight, at most ninety words in all."""

    id: str
    title: str
    motif: str  # one of hooks.MOTIFS
    tavern: str
    tavern_id: int
    now: str
    wants: tuple[str, ...]  # "Morza: for somebody else to stop it"
    clock: str
    if_nobody: str  # taken from running on
    lever: str
    stakes: str
    people: tuple[int, ...]  # patron_ids
    events: tuple[int, ...]  # event_ids it was found in


@dataclass(frozen=True)
class Pack:
    """A game master's pack for one evening."""

    title: str  # "Rumours at the Eel Pot, night 14"
    run: dict[str, Any]  # scenario, seed, replicate, version, nights
    night: int
    taverns: dict[int, str]
    rumors: tuple[Rumor, ...]
    notes: tuple[str, ...]  # lines under the table: what the mix came to, and why
    cards: tuple[Card, ...]
    hooks: tuple[SessionHook, ...]


def players_page(pack: Pack) -> PlayersPage:
    """What of a pack the players may see."""
    return PlayersPage(
        title="What is being said",
        rumors=tuple(
            PlayerRumor(each.text, each.tavern, each.speaker_as_seen) for each in pack.rumors
        ),
    )
