"""Rumours: what each patron knows, how a story springs, travels, and changes on the way.

A *story* is one event, or one invention; a *version* is a wording of what it
claims, and the story bears the number of its first version. Everybody knows
one version of a story, the first he heard. A teller whose listener knows the
story already, in whatever version, stops telling it (Maki and Thompson 1973):
it is the teller who stops. Who does not believe a story knows it and does not
tell it on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled import rule
from ..patrons.columns import NOBODY, Ints, aligned
from ..patrons.decisions.talk import CHEATS, CLAIMS, OWES

TELLING, STOPPED, DISBELIEVED = range(3)
"""What somebody does with a story he knows."""
SUM, PLACE, NIGHT, PERSON, INVENTED = 1, 2, 4, 8, 16
"""Bits of a version's `changed`: what is another in it than in the one it was made from."""
CHANGES = {
    0: "",
    SUM: "sum",
    PLACE: "place",
    NIGHT: "night",
    PERSON: "person",
    INVENTED: "invented",
}
AN_INVENTION = -1
NO_GAME = -1
KINDS = {
    "caught": CHEATS,
    "convicted": CHEATS,
    "cleared": CHEATS,
    "thrown_out": CLAIMS.index("thrown_out"),
    "banned": CLAIMS.index("banned"),
    "beaten": CLAIMS.index("beaten"),
    "killed": CLAIMS.index("killed"),
    "too_lucky": CLAIMS.index("too_lucky"),
    "big_win": CLAIMS.index("won"),
    "broke": CLAIMS.index("broke"),
    "brawl": CLAIMS.index("brawl"),
    "ran": CLAIMS.index("ran"),
    "run_down": CLAIMS.index("run_down"),
    "dodged": OWES,
    "bribed": CLAIMS.index("bribed"),
}
"""The kinds of event that make a story, and what it claims; in each, patron_id is its subject."""
CLAIM_OF = tuple(KINDS.values())
WEEK = 7
LIE_ABOUT_DEBTS = 0.25
"""Share of the lies that are about debts; the others call somebody a cheat."""

HEARSAY, N_VERSIONS, N_TOLD, N_BELIEVED = range(4)
"""What is counted by tavern: columns of `tally`."""

KNOWN = np.dtype(
    [
        ("rumor", np.int32),  # the version he knows
        ("told_from", np.int32),  # number of the telling he has it from; NOBODY: saw or made it
        ("heard", np.int32),  # night
        ("subject", np.int32),  # row of whom that version is about
        ("claim", np.int16),  # index into CLAIMS
        ("status", np.int16),  # TELLING, STOPPED, DISBELIEVED
    ]
)
"""A story somebody knows: what he needs to make up his mind whether to tell it stands here."""
VERSION = np.dtype(
    [
        ("story", np.int32),  # number of the story's first version
        ("parent", np.int32),  # the version it was made from, NOBODY for the first
        ("subject", np.int32),  # row of whom it is about
        ("other", np.int32),  # row of who else was in it, NOBODY
        ("amount", np.int64),  # cp, 0 where no sum is told
        ("night", np.int32),  # as claimed
        ("made_night", np.int32),  # in which it was made; of a story that of its event
        ("made_by", np.int32),  # row; NOBODY: nobody made it up or changed it
        ("table", np.int32),  # number of the event's table, NOBODY
        ("tavern", np.int16),  # index, as claimed; NOBODY: in no house
        ("in_round", np.int16),  # of the event
        ("claim", np.int8),  # index into CLAIMS
        ("kind", np.int8),  # of its event: place in KINDS; AN_INVENTION
        ("game", np.int8),  # index into `games.GAMES`, NO_GAME
        ("changed", np.int8),  # bits
    ],
    align=True,
)
"""What a rumour claims, in one of its versions."""
TOLD = np.dtype(
    [
        ("rumor", np.int32),  # the version as the listener heard it
        ("known", np.int32),  # the version as the teller knew it
        ("teller", np.int32),
        ("listener", np.int32),
        ("told_from", np.int32),  # number of the telling by which the teller had it; NOBODY
        ("night", np.int32),
        ("tavern", np.int16),
        ("knew", np.int8),  # 1: the listener knew the story already
        ("believed", np.int8),
    ],
    align=True,
)
"""A telling."""


class Store(NamedTuple):
    """What everybody knows: arrays of shape (n_rows, K) but for the last."""

    story: NDArray[np.int32]  # NOBODY where free
    known: Any  # record array of KNOWN
    n_heard: Ints  # (n_rows,): stories ever; the next goes to this place modulo K


class Vine(NamedTuple):
    """The store and the books of rumours, with room for what is to come."""

    store: Store
    versions: Any  # record array of VERSION: all of them
    tellings: Any  # record array of TOLD: those since `first`
    n: Ints  # (2,): versions and tellings there are
    first: int  # the number of the first of `tellings`


class Retelling(NamedTuple):
    """How rumours travel, as kernels are handed it: probabilities and nights."""

    n_rumors: int  # told to each contact at most
    fresh_nights: int
    tell_prob: float
    believe_prob: float
    stifle_prob: float
    exaggerate_prob: float
    misplace_prob: float
    mistake_prob: float
    lie_prob: float
    honesty: float  # what a standard deviation of honesty adds to the log-odds of a lie
    grudge_nights: int


def blank_store(n: int, memory: int) -> Store:
    """`n` people who have heard nothing yet, and remember `memory` stories each."""
    story = aligned((n, memory), np.int32)
    story.fill(NOBODY)
    known = aligned((n, memory), KNOWN).view(np.recarray)
    return Store(story, known, np.zeros(n, np.int64))


def blank_versions(n: int) -> Any:
    """Room for `n` versions."""
    return aligned(n, VERSION).view(np.recarray)


# ---------------------------------------------------------------- what people know


@rule
def place_of(store: Store, who: int, story: int) -> int:
    """Where a patron keeps a story, or NOBODY if he does not know it."""
    # Without a way out of the loop it is compiled to a few wide comparisons.
    stories = store.story[who]
    found = NOBODY
    for k in range(len(stories)):
        if stories[k] == story:
            found = k
    return found


@rule
def learn(vine: Vine, who: int, rumor: int, status: int, told_from: int, night: int) -> None:
    """Take a story in, in this version; out goes the one heard longest ago, if there is no room."""
    store, version = vine.store, vine.versions[rumor]
    k = store.n_heard[who] % store.story.shape[1]
    store.n_heard[who] += 1
    store.story[who, k] = version.story
    known = store.known[who, k]
    known.rumor = rumor
    known.told_from = told_from
    known.heard = night
    known.subject = version.subject
    known.claim = version.claim
    known.status = status


@rule
def stop(store: Store, who: int, k: int) -> None:
    """Tell a story no more."""
    store.known[who, k].status = STOPPED


@rule
def pass_on(
    vine: Vine,
    teller: int,
    k: int,
    listener: int,
    knew: bool,
    rumor: int,
    telling: int,
    night: int,
    is_believed: bool,
    is_stifled: bool,
) -> None:
    """Let a teller tell the story he keeps in place `k`, in the version `rumor`.

    If the listener `knew` it, the teller stops (where `is_stifled`); if not, the
    listener knows it now.
    """
    if not knew:
        status = TELLING if is_believed else DISBELIEVED
        learn(vine, listener, rumor, status, telling, night)
    elif is_stifled:
        stop(vine.store, teller, k)


# ---------------------------------------------------------------- how stories spring


@rule
def spring(
    vine: Vine,
    kind: int,
    game: int,
    subject: int,
    other: int,
    amount: int,
    night: int,
    round_: int,
    tavern: int,
    table: int,
) -> int:
    """Put a story down that an event has made; its number.

    Parameters
    ----------
    kind : int
        The event's place in `KINDS`.
    """
    at = vine.n[0]
    vine.n[0] += 1
    version = vine.versions[at]
    version.story = at
    version.parent = NOBODY
    version.claim = CLAIM_OF[kind]
    version.kind = kind
    version.game = game
    version.changed = 0
    version.subject = subject
    version.other = other
    version.amount = amount
    version.night = night
    version.made_night = night
    version.made_by = NOBODY
    version.in_round = round_
    version.tavern = tavern
    version.table = table
    return at


@rule
def invent(
    vine: Vine,
    liar: int,
    claim: int,
    game: int,
    subject: int,
    amount: int,
    night: int,
    tavern: int,
) -> int:
    """Put down what somebody has made up, and let him tell it; its number.

    In a story of debts it is he himself who is owed.
    """
    other = liar if claim == OWES else NOBODY
    at = spring(vine, 0, game, subject, other, amount, night, 0, tavern, NOBODY)
    version = vine.versions[at]
    version.claim = claim
    version.kind = AN_INVENTION
    version.changed = INVENTED
    version.made_by = liar
    learn(vine, liar, at, TELLING, NOBODY, night)
    return at


@rule
def copy_of(vine: Vine, rumor: int, teller: int, night: int, change: int) -> Any:
    """A new version like another, made by a teller tonight, for him to change."""
    at = vine.n[0]
    vine.n[0] += 1
    vine.versions[at] = vine.versions[rumor]
    version = vine.versions[at]
    version.parent = rumor
    version.changed = change
    version.made_by = teller
    version.made_night = night
    return version


# ---------------------------------------------------------------- how stories change


@rule
def speakable(cp: int) -> int:
    """The nearest sum with no more than two figures that count: nobody says 137 cp.

    Examples
    --------
    >>> [speakable(cp) for cp in (7, 99, 137, 145, 1999, 64_999)]
    [7, 99, 140, 150, 2000, 65000]
    """
    step = 1
    while cp // step >= 100:
        step *= 10
    return (cp + step // 2) // step * step


@rule
def grown_sum(cp: int, u: float) -> int:
    """A sum that has grown by 20 to 100 %, as one would say it: always more than it was.

    Examples
    --------
    >>> grown_sum(137, 0.0), grown_sum(137, 0.999), grown_sum(1, 0.0)
    (160, 270, 2)
    """
    return max(cp + 1, speakable(int(cp * (1.2 + 0.8 * u))))


@rule
def change_of(version: Any, how: Retelling, u: float) -> int:
    """What this telling changes: SUM, NIGHT (or place), PERSON or nothing, one at the most.

    Each with the chance of the scenario, as long as these do not add up to more
    than 1. Where a rumour names no sum none can grow.
    """
    if u < how.exaggerate_prob:
        return SUM if version.amount > 0 else 0
    if u < how.exaggerate_prob + how.misplace_prob:
        return NIGHT
    if u < how.exaggerate_prob + how.misplace_prob + how.mistake_prob:
        return PERSON
    return 0


@rule
def with_sum(vine: Vine, rumor: int, teller: int, night: int, amount: int) -> int:
    """A version with another sum."""
    version = copy_of(vine, rumor, teller, night, SUM)
    version.amount = amount
    return vine.n[0] - 1


@rule
def about_another(vine: Vine, rumor: int, teller: int, night: int, subject: int) -> int:
    """A version about somebody else."""
    version = copy_of(vine, rumor, teller, night, PERSON)
    version.subject = subject
    return vine.n[0] - 1


@rule
def misplaced(
    vine: Vine, rumor: int, teller: int, night: int, n_taverns: int, u: float, v: float
) -> int:
    """A version with another night, of the week before the one it names, or another tavern.

    Either is as likely where both can be; `rumor` itself where neither can.
    """
    told = vine.versions[rumor]
    can_move = n_taverns > 1 and told.tavern != NOBODY
    n_nights = min(WEEK, int(told.night) - 1)
    if can_move and (u < 0.5 or n_nights < 1):
        version = copy_of(vine, rumor, teller, night, PLACE)
        tavern = int(v * (n_taverns - 1))
        version.tavern = tavern + 1 if tavern >= told.tavern else tavern
        return vine.n[0] - 1
    if n_nights < 1:
        return rumor
    version = copy_of(vine, rumor, teller, night, NIGHT)
    version.night = told.night - 1 - int(v * n_nights)
    return vine.n[0] - 1


@rule
def next_telling(vine: Vine) -> Any:
    """The next telling to be written down."""
    at = vine.n[1]
    vine.n[1] += 1
    return vine.tellings[at - vine.first]
