"""Rumours where the answer is known: the evening's own rules, with all else switched off.

`maki_thompson` lets one story run through people who are all in one house every
night, meet anybody, and tell and believe whatever they hear. `retell` hands one
story from mouth to mouth.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .. import chance
from ..chance import draw, subkey, unit
from ..compiled import kernel
from ..patrons.columns import NOBODY, Floats, Ints, aligned
from .company import anybody_else
from .rumors import (
    PERSON,
    TELLING,
    TOLD,
    Retelling,
    Vine,
    blank_store,
    blank_versions,
    change_of,
    learn,
    pass_on,
    place_of,
)

STORY = 0


def untroubled(**changes: Any) -> Retelling:
    """How rumours travel where everything is told, believed and stifled, and nothing changes."""
    how = Retelling(
        n_rumors=1,
        fresh_nights=1,
        tell_prob=1.0,
        believe_prob=1.0,
        stifle_prob=1.0,
        exaggerate_prob=0.0,
        misplace_prob=0.0,
        mistake_prob=0.0,
        lie_prob=0.0,
        honesty=0.0,
        grudge_nights=0,
    )
    return how._replace(**changes)


@cache
def make_maki_thompson() -> Callable[..., None]:
    """The kernel of `maki_thompson`: fills `never`, the share that never hears in each run."""

    @kernel
    def spread(key: int, contacts: int, vine: Vine, there: Ints, never: Any) -> None:
        n, store = len(there), vine.store
        for run in range(len(never)):
            for who in range(n):
                store.story[who, 0] = NOBODY
                store.n_heard[who] = 0
            learn(vine, 0, STORY, TELLING, NOBODY, 1)
            luck, night, n_telling = subkey(key, chance.NIGHT, run), 0, 1
            n_heard = 1
            while n_telling > 0:
                night += 1
                for teller in range(n):
                    for at in range(contacts):
                        is_telling = (
                            place_of(store, teller, STORY) != NOBODY
                            and store.known[teller, 0].status == TELLING
                        )
                        if not is_telling:
                            break
                        u = draw(
                            subkey(luck, chance.PATRON, teller), chance.MEET, night * contacts + at
                        )
                        listener = anybody_else(there, 0, n, teller, u)
                        knew = place_of(store, listener, STORY) != NOBODY
                        pass_on(vine, teller, 0, listener, knew, STORY, 0, night, True, True)
                        n_heard += 0 if knew else 1
                        n_telling += -1 if knew else 1
            never[run] = 1.0 - n_heard / n

    return spread


def maki_thompson(n: int, n_runs: int, key: int, contacts: int = 3) -> Floats:
    """The share that never hears a story, in the classical limit of Maki and Thompson (1973).

    One witness of `n`; all are there every night and meet anybody, `contacts`
    times; everything is told and believed; a teller whose listener knew the
    story stops. One after the other, until nobody tells.

    Parameters
    ----------
    n : int
        People, two at least.
    n_runs : int
        How often it is played.
    key : int
        Of the draws.

    Returns
    -------
    ndarray of float, shape (n_runs,)
        Their mean tends to the root of x = exp(-2 (1 - x)), 0.203188, as `n`
        grows (Sudbury 1985); for finite `n` see `never_hears`.

    Examples
    --------
    >>> float(maki_thompson(2, 1, key=1)[0])
    0.0
    """
    never = np.empty(n_runs)
    versions, tellings = blank_versions(1), aligned(0, TOLD).view(np.recarray)
    vine = Vine(blank_store(n, 1), versions, tellings, np.zeros(2, np.int64), 0)
    make_maki_thompson()(key, contacts, vine, np.arange(n), never)
    return never


def never_hears(n: int) -> float:
    """The exact mean of `maki_thompson`, by the chain of those ignorant and those telling.

    From i ignorant and s telling one of them meets one of the n - 1 others: with
    chance i / (n - 1) it is one more who tells, otherwise one less.

    Examples
    --------
    >>> round(never_hears(120), 6), round(never_hears(1000), 6)
    (0.20258, 0.203103)
    """
    # After i have been left ignorant, how the number of tellers is distributed:
    # s falls by one at every meeting with one who knows.
    chances = np.zeros(n + 2)
    chances[1] = 1.0
    never = 0.0
    for ignorant in range(n - 1, -1, -1):
        rises = ignorant / (n - 1)
        nobody_tells = 0.0
        up = np.zeros(n + 2)
        for tellers in range(n - ignorant, 0, -1):
            here = chances[tellers]
            if here == 0.0:
                continue
            up[tellers + 1] += here * rises
            if tellers == 1:
                nobody_tells += here * (1.0 - rises)
            else:
                chances[tellers - 1] += here * (1.0 - rises)
        never += nobody_tells * ignorant / n
        chances = up
    return float(never)


@cache
def make_retell() -> Callable[..., int]:
    """The kernel of `retell`: how many of `n_runs` stories are told right at last."""

    @kernel
    def retell(key: int, n_runs: int, n_tellings: int, how: Retelling, versions: Any) -> int:
        n_right = 0
        for run in range(n_runs):
            luck, is_right = subkey(key, chance.PERSON, run), True
            for telling in range(n_tellings):
                u = unit(luck, chance.BEND, telling)
                if change_of(versions[0], how, u) == PERSON:
                    is_right = not is_right
            n_right += 1 if is_right else 0
        return n_right

    return retell


def retell(n_tellings: int, mistake_prob: float, n_runs: int, key: int) -> float:
    """The share of stories that name the right one of two people after so many tellings.

    Each telling takes the one for the other with chance `mistake_prob`, e; the
    exact share is (1 + (1 - 2 e)**n) / 2.

    Examples
    --------
    >>> retell(5, 0.0, 100, key=1), retell(3, 1.0, 100, key=1)
    (1.0, 0.0)
    """
    how = untroubled(mistake_prob=mistake_prob)
    return make_retell()(key, n_runs, n_tellings, how, blank_versions(1)) / n_runs
