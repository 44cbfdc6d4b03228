"""A line of somebody's own: what he would say himself of what befell him, or what he did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from .identity import luck_of

if TYPE_CHECKING:
    from .rumors import Evenings

PARTS = ("self", "doer")
"""Tags of tales in which the teller is the subject, or the other one."""


def says_of(of: Evenings, unless: Collection[str] = ()) -> Callable[[int], str]:
    """What gives somebody's own line by his patron_id; empty if he has none.

    Parameters
    ----------
    of : Evenings
        What rumours of the evening are made of.
    unless : collection of str
        Ids of wordings that have been told: nobody says them again.
    """
    own = defaultdict(list)
    for tale in of.tales:
        if not tale.tags.isdisjoint(PARTS):
            own[tale.teller].append(tale)
    told = set(unless)

    def says(patron_id: int) -> str:
        lines = [
            (luck_of("says", *of.key, patron_id, wording.id), wording, tale)
            for tale in own[patron_id]
            for wording in of.voice.wordings(tale.claim.kind)
            if wording.id not in told
            and wording.condition.holds(tale.tags)
            and not wording.condition.wanted.isdisjoint(PARTS)
        ]
        for luck, wording, tale in sorted(lines, key=lambda line: line[:2]):
            words = of.voice.speak(wording, tale, key=luck, head=False, tail=False)
            if words is not None and words.form != "overheard":
                told.add(wording.id)
                return words.text
        return ""

    return says
