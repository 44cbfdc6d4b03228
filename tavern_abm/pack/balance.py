"""How many of a set are true, and wording that does not tell which.

The counts are drawn around the mix, so that nobody can count them off. And true, partly
true and false ones are alike in what a listener notices without knowing the truth: whether
a sum is named, this house or another, a time; how it is put; how long it is; whether it is
exclaimed; whether it says where it is from. What the teller knows may tell; how he speaks
may not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .sameness import words_of

if TYPE_CHECKING:
    from .matter import Utterance

FloatArray = NDArray[np.float64]

TRUTHS = ("true", "partly true", "false")
MIX = (60, 25, 15)
"""Of a hundred rumours so many are true, partly true and false."""
FORMS = ("overheard", "address", "question", "first person", "plain")
USUAL_WORDS, SPREAD_OF_WORDS = 26, 8
"""Words of a rumour, and how far they usually are from that."""
LONG, LONGER, LONGEST = 24, 28, 34
"""Words above which it is noticed."""
KINDS = ("cheats", "won", "thrown_out", "brawl", "banned", "broke", "owes")
"""Kinds that come often and are told rightly and wrongly: of these none is to tell either."""


class Shares(NamedTuple):
    """What share of a set should have each feature; of `length` and forms none is sought."""

    sum: float = 0.22
    here: float = 0.17
    elsewhere: float = 0.23
    time: float = 0.15
    head: float = 0.16
    tail: float = 0.12
    long: float = 0.55
    longer: float = 0.4
    longest: float = 0.2
    exclaims: float = 0.08
    other: float = 0.3
    cheats: float = 0.12
    won: float = 0.13
    thrown_out: float = 0.1
    brawl: float = 0.08
    banned: float = 0.08
    broke: float = 0.08
    owes: float = 0.05
    length: float = 0.0
    overheard: float = 0.22
    address: float = 0.28
    question: float = 0.03
    first: float = 0.25
    plain: float = 0.22


SHARES = Shares()
FEATURES = Shares._fields
AT_MOST, OF_EVENTS = 2.0, 0.5
"""What is sought of a feature: at most so many times the share of the truth whose offers have it
the least, and of no truth more than such a part of the events that are told with it."""
DEALT = ("length", "head", "tail")
"""Features whose shares are not sought by scales: of length there is none, the others are dealt."""


def features_of(utterance: Utterance, house: int = 0) -> list[float]:
    """What a listener in a house notices of an utterance, in the order of `FEATURES`.

    All are 0 or 1 but for ``length``, which is in usual spreads from the usual.

    Examples
    --------
    >>> from .matter import Said, Utterance
    >>> said = Said("owes", 3, amount_cp=(620, 629))
    >>> found = features_of(Utterance("He owes " + "and owes " * 12, said, "owes-1", "plain"))
    >>> dict(zip(FEATURES, found))["sum"], dict(zip(FEATURES, found))["here"]
    (1.0, 0.0)
    """
    said, words = utterance.said, words_of(utterance.text)
    n_words = len(words)
    is_here = "here" in words or (said.tavern is not None and said.tavern == house)
    noticed = (
        said.amount_cp is not None,
        is_here,
        said.tavern is not None and not is_here,
        said.night is not None,
        bool(utterance.head),
        bool(utterance.tail),
        n_words > LONG,
        n_words > LONGER,
        n_words > LONGEST,
        "!" in utterance.text,
        said.other is not None,
        *(said.kind == kind for kind in KINDS),
        (n_words - USUAL_WORDS) / SPREAD_OF_WORDS,
    )
    return [float(each) for each in (*noticed, *(utterance.form == form for form in FORMS))]


def draw_counts(n: int, mix: Sequence[float], rng: np.random.Generator) -> list[int]:
    """How many of `n` are to be true, partly true and false.

    Half are as the mix has it, the others thrown for by it: near enough to what was asked
    for, and nobody can tell the last one by counting.

    Parameters
    ----------
    n : int
        In all.
    mix : sequence of float
        Weights of the three, as `MIX`.
    rng : numpy.random.Generator
        The throws.

    Examples
    --------
    >>> sum(draw_counts(20, MIX, np.random.default_rng(1)))
    20
    >>> draw_counts(5, (1, 0, 0), np.random.default_rng(1))
    [5, 0, 0]
    """
    weights = np.asarray(mix, np.float64) / sum(mix)
    fixed = (weights * n / 2).astype(np.int64)
    left = weights * n - fixed
    counts: list[int] = (fixed + rng.multinomial(n - fixed.sum(), left / left.sum())).tolist()
    return counts


class Scales:
    """Keeps, while a set is gathered, how unevenly features fall on true and false ones.

    Parameters
    ----------
    features : ndarray of float, shape (n_offers, n_features)
        As `features_of` gives them.
    labels : ndarray of int, shape (n_offers,)
        Places in `TRUTHS`.
    counts : sequence of int
        How many of each truth the set shall have.
    sought : ndarray of float, shape (n_features,)
        Shares to be sought, as `shares_for` gives them.
    rng : numpy.random.Generator
        Which way shares are rounded: a tenth of three false ones is none most times, and one
        now and then.
    """

    EVEN, USUAL = 12.0, 0.3
    """What an uneven feature costs, and an unusual share of it, by the square."""

    def __init__(
        self,
        features: FloatArray,
        labels: NDArray[np.int64],
        counts: Sequence[int],
        sought: FloatArray,
        rng: np.random.Generator,
    ) -> None:
        n = max(1, sum(counts))
        self.features = features - sought
        share = np.array(counts, np.float64) / n
        self.signed = np.eye(len(TRUTHS))[labels] - share  # shape (n_offers, 3)
        self.squares = (self.features**2).sum(1)
        self.weights = np.array([name not in DEALT for name in FEATURES], np.float64)
        dealt = np.array([deal(counts, each, rng) for each in sought]).T
        self.uneven = np.outer(share, dealt.sum(0)) - dealt
        self.unusual = n * sought - dealt.sum(0)

    def move(self, offer: int, by: int) -> None:
        """Put an offer into the set (`by` 1), or take it out (-1)."""
        self.uneven += by * np.outer(self.signed[offer], self.features[offer])
        self.unusual += by * self.features[offer]

    def costs(self) -> FloatArray:
        """What each offer would add, shape (n_offers,); less than 0 where it evens out."""
        tilt = 2 * ((self.signed @ self.uneven) * self.features).sum(1)
        tilt += (self.signed**2).sum(1) * self.squares
        usual = self.weights * self.features
        drift = 2 * usual @ self.unusual + (usual * self.features).sum(1)
        costs: FloatArray = self.EVEN * tilt + self.USUAL * drift
        return costs


def deal(counts: Sequence[int], share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """How many rumours of each truth have something that a share of all is to have.

    To each truth its share, rounded up or down, and to all together as well: one throw says
    where the rounding falls, so that on the whole no truth has more of it.

    Examples
    --------
    >>> deal([12, 5, 3], 0.2, np.random.default_rng(1)).sum()
    np.int64(4)
    """
    edges = np.floor(rng.random() + share * np.cumsum([0, *counts]))
    return np.diff(edges).astype(np.int64)


def shares_for(
    features: FloatArray,
    labels: NDArray[np.int64],
    events: NDArray[np.int64],
    counts: Sequence[int],
) -> FloatArray:
    """The shares to be sought: little of what the offers of one truth hardly have.

    Parameters
    ----------
    features : ndarray of float, shape (n_offers, n_features)
        As `features_of` gives them.
    labels, events : ndarray of int, shape (n_offers,)
        Places in `TRUTHS`, and what they are about.
    counts : sequence of int
        How many of each truth are wanted.

    Returns
    -------
    ndarray of float, shape (n_features,)
    """
    shares: FloatArray = np.array(SHARES, np.float64)
    for at in np.unique(labels):
        own = features[labels == at]
        shares = np.minimum(shares, AT_MOST * own.mean(0))
        _, place = np.unique(events[labels == at], return_inverse=True)
        told = np.zeros((place.max() + 1, len(FEATURES)))
        np.maximum.at(told, place, own)
        shares = np.minimum(shares, OF_EVENTS * told.sum(0) / max(1, counts[at]))
    shares[FEATURES.index("length")] = SHARES.length
    return shares
