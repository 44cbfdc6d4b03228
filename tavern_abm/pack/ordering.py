"""The order of a set: one that tells nothing, and in which neighbours differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from .choosing import Offer
from .identity import shuffled


def in_order(offers: Iterable[Offer], salt: str) -> list[Offer]:
    """Put a set in an order that tells nothing, in which neighbours differ.

    Neither two of one form nor two of one event or teller stand beside each other, as
    far as that can be.
    """
    left = shuffled(salt, offers, lambda offer: offer.key)
    ordered: list[Offer] = []
    while left:
        ordered.append(left.pop(_next(left, ordered)))
    return _mended(ordered)


def _next(left: Sequence[Offer], ordered: Sequence[Offer]) -> int:
    """The place of the first that differs from the last; of the commonest form if it must be."""
    forms = [offer.utterance.form for offer in left]
    commonest = max(sorted(set(forms)), key=forms.count)
    must = 2 * forms.count(commonest) > len(left)
    if not ordered:
        return forms.index(commonest) if must else 0
    costs = [
        (_alike(ordered[-1], offer), must and offer.utterance.form != commonest) for offer in left
    ]
    return costs.index(min(costs))


def _alike(one: Offer, other: Offer) -> int:
    """In how much two would be alike as neighbours."""
    same = (
        one.utterance.form == other.utterance.form,
        one.source == other.source,
        one.tale.teller == other.tale.teller,
    )
    return sum(same)


def _mended(ordered: list[Offer]) -> list[Offer]:
    """Exchange pairs while that makes neighbours less alike."""
    best = _likeness(ordered)
    for i in range(len(ordered)):
        for j in range(i + 1, len(ordered)):
            if best == 0:
                return ordered
            tried = ordered.copy()
            tried[i], tried[j] = tried[j], tried[i]
            found = _likeness(tried)
            if found < best:
                ordered, best = tried, found
    return ordered


def _likeness(ordered: Sequence[Offer]) -> int:
    return sum(_alike(*pair) for pair in pairwise(ordered))
