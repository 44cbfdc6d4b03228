"""Who believes what about whom: a directed network of log-odds.

Edge i -> j is what i believes about j's being a cheat. Each patron holds at
most K of them, one row of fixed width; the weakest goes when the memory is
full. A belief is stored as of the night it last moved and faded when it is
read. What is seen at a table adds to it, exactly; what is heard only moves it
towards what the teller believes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled import rule
from ..patrons.columns import NOBODY
from ..patrons.decisions.general import logistic

if TYPE_CHECKING:
    import networkx as nx

BOUND = 6.0
"""Log-odds stay within this; a trick confirmed in public stands at it."""
HEARSAY_BOUND = 4.5
HEARSAY_WEIGHT = 8.0
TELLER_BITS = 63
FADE_NIGHTS = 4096
FREE = -1.0  # strength of a free place: the first to be taken
SETTLED_STRENGTH = 1e200
LEAST = 1e-100  # what 4,095 nights leave of a belief, about: keeps strengths finite


HELD = np.dtype(
    [
        ("log_odds", np.float32),  # as of the night it last moved
        ("n_own", np.float32),  # Hand rounds of his seen oneself, fading like the belief
        ("moved", np.int32),  # that night
        ("settled", np.int32),  # 1: a trick confirmed in public
        ("told", np.int64),  # who has told him of late: a bit for teller row mod 63
    ]
)
"""A belief. One record, since whatever touches it touches all of it."""


class Beliefs(NamedTuple):
    """Arrays of shape (n_rows, K): the K places of each patron's memory.

    Free places lie behind the taken ones.
    """

    subject: NDArray[np.int32]  # row of whom it is about, NOBODY where free
    strength: NDArray[np.float64]  # what a belief is kept for: see `strength_of`
    held: Any  # record array of HELD


class Ways(NamedTuple):
    """How beliefs are formed, as the kernels are handed it."""

    prior: float  # log-odds about a stranger
    fade: NDArray[np.float64]  # what is left of a belief after n nights
    settled_fade: NDArray[np.float64]
    false_alarm: float
    attention: int  # 0: everything is followed
    sore_loser: float
    hearsay: float
    teller_memory: int  # nights; 0: every telling counts
    assumed_win: float  # chance that an assumed cheat wins a round as Hand
    cheat_evidence: NDArray[np.float64]  # A[tavern, f, result, odd throws, f after]
    honest_evidence: NDArray[np.float64]  # H[result, odd throws]


def blank_beliefs(n: int, memory: int) -> Beliefs:
    """`n` patrons who know nobody, with room for `memory` others each."""
    shape = (n, memory)
    held = np.zeros(shape, HELD).view(np.recarray)
    return Beliefs(np.full(shape, NOBODY, np.int32), np.full(shape, FREE), held)


def more_beliefs(beliefs: Beliefs, more: Beliefs) -> Beliefs:
    """The rows of `more` below those of `beliefs` (new arrays)."""
    subject, strength, held = (np.concatenate(pair) for pair in zip(beliefs, more, strict=True))
    return Beliefs(subject, strength, held.view(np.recarray))


def fading(factor: float) -> NDArray[np.float64]:
    """What is left of 1 after 0, 1, 2, ... nights: products, the same everywhere."""
    left = [1.0]
    for _ in range(FADE_NIGHTS - 1):
        left.append(left[-1] * factor)
    return np.array(left)


@rule
def kept(beliefs: Beliefs, who: int, k: int, night: int, ways: Ways) -> float:
    """The share of a belief that has not faded yet."""
    nights = min(night - int(beliefs.held.moved[who, k]), FADE_NIGHTS - 1)
    if beliefs.held.settled[who, k] == 1:
        return ways.settled_fade[nights]
    return ways.fade[nights]


@rule
def log_odds_now(beliefs: Beliefs, who: int, k: int, night: int, ways: Ways) -> float:
    """A belief as it stands tonight."""
    left = kept(beliefs, who, k, night, ways)
    return ways.prior + (float(beliefs.held.log_odds[who, k]) - ways.prior) * left


@rule
def strength_of(log_odds: float, settled: int, night: int, ways: Ways) -> float:
    """What a belief that moves tonight is kept for in a full memory.

    Its distance from the prior, counted up by what later nights will take from
    it: all beliefs fade alike, so the order of these numbers is that of the
    faded distances on any later night, and nothing need be faded to find the
    weakest. Settled beliefs stand above all others.
    """
    nights = min(night, FADE_NIGHTS - 1)
    if settled == 1:
        return SETTLED_STRENGTH * abs(log_odds - ways.prior) / max(ways.settled_fade[nights], LEAST)
    return abs(log_odds - ways.prior) / max(ways.fade[nights], LEAST)


@rule
def write(beliefs: Beliefs, who: int, k: int, log_odds: float, night: int, ways: Ways) -> None:
    """Let a belief stand at `log_odds` as of tonight."""
    beliefs.held.log_odds[who, k] = log_odds
    beliefs.held.moved[who, k] = night
    settled = int(beliefs.held.settled[who, k])
    beliefs.strength[who, k] = strength_of(log_odds, settled, night, ways)


@rule
def find(beliefs: Beliefs, who: int, about: int) -> int:
    """The place of the belief about somebody in a patron's memory, or NOBODY."""
    # Without a way out of the loop it is compiled to a few wide comparisons.
    found = NOBODY
    for k in range(beliefs.subject.shape[1]):
        if beliefs.subject[who, k] == about:
            found = k
    return found


@rule
def recall(beliefs: Beliefs, who: int) -> int:
    """Read a patron's memory through, so that the rounds of a sitting find it at hand.

    A big town's beliefs do not fit a processor's cache. Read one by one as
    rounds need them, each is waited for; read together, they come together.
    Returns the night of the latest belief: a number that has to be computed.
    """
    latest = 0
    for k in range(0, beliefs.subject.shape[1], 2):  # two to a cache line
        latest = max(latest, int(beliefs.held.moved[who, k]))
    return latest


@rule
def place(beliefs: Beliefs, who: int, about: int, night: int, ways: Ways) -> int:
    """The place of the belief about somebody; made, if need be, at the weakest one's cost.

    Out goes the belief nearest to the prior as it stands tonight, a settled
    one only if all are settled.
    """
    k = find(beliefs, who, about)
    if k != NOBODY:
        return k
    weakest = 0
    least = math.inf
    for at in range(beliefs.subject.shape[1]):
        if beliefs.strength[who, at] < least:
            weakest = at
            least = beliefs.strength[who, at]
    beliefs.subject[who, weakest] = about
    beliefs.strength[who, weakest] = 0.0
    beliefs.held.log_odds[who, weakest] = ways.prior
    beliefs.held.n_own[who, weakest] = 0.0
    beliefs.held.moved[who, weakest] = night
    beliefs.held.settled[who, weakest] = 0
    beliefs.held.told[who, weakest] = 0
    return weakest


@rule
def refresh(beliefs: Beliefs, who: int, k: int, night: int, ways: Ways) -> None:
    """Write the fading down, so that the belief stands as of tonight."""
    nights = min(night - int(beliefs.held.moved[who, k]), FADE_NIGHTS - 1)
    if nights > 0:
        beliefs.held.log_odds[who, k] = log_odds_now(beliefs, who, k, night, ways)
        beliefs.held.n_own[who, k] = float(beliefs.held.n_own[who, k]) * ways.fade[nights]
        beliefs.held.moved[who, k] = night


@rule
def clamp(x: float, bound: float) -> float:
    """`x` within -`bound` and `bound`."""
    return min(bound, max(-bound, x))


@rule
def witness(beliefs: Beliefs, who: int, k: int, shift: float, night: int, ways: Ways) -> None:
    """Add what one has seen of a round; a settled belief stays as it is."""
    refresh(beliefs, who, k, night, ways)
    beliefs.held.n_own[who, k] = float(beliefs.held.n_own[who, k]) + 1.0
    if beliefs.held.settled[who, k] == 0:
        moved = clamp(float(beliefs.held.log_odds[who, k]) + shift, BOUND)
        write(beliefs, who, k, moved, night, ways)


@rule
def settle(beliefs: Beliefs, who: int, k: int, night: int, ways: Ways) -> None:
    """A trick confirmed in public: the belief stands at its bound and is settled."""
    beliefs.held.settled[who, k] = 1
    write(beliefs, who, k, BOUND, night, ways)


@rule
def heard(log_odds: float, told: float, n_own: float, distrust: float, hearsay: float) -> float:
    """Where a belief moves when somebody tells of his: towards it, never past it.

    Parameters
    ----------
    log_odds : float
        The listener's belief about the subject.
    told : float
        The teller's, within the bound of what can be put into words (4.5).
    n_own : float
        Hand rounds of the subject the listener has seen himself.
    distrust : float
        The listener's belief, 0 to 1, that the teller is a cheat.
    hearsay : float
        The greatest share of the way, for one who has seen nothing himself.

    Examples
    --------
    >>> heard(0.0, 2.0, 0.0, 0.1, 0.3)
    0.54
    """
    told = clamp(told, HEARSAY_BOUND)
    is_beyond = abs(log_odds) > HEARSAY_BOUND and abs(log_odds) > abs(told) and log_odds * told > 0
    if is_beyond:
        return log_odds
    weight = hearsay * (1.0 - distrust) * HEARSAY_WEIGHT / (HEARSAY_WEIGHT + n_own)
    return log_odds + weight * (told - log_odds)


@rule
def hear(
    beliefs: Beliefs, who: int, about: int, teller: int, told: float, night: int, ways: Ways
) -> int:
    """Take in what `teller` believes about somebody; the place of the belief.

    A teller counts once a subject while he is remembered (`teller_memory`),
    and nothing he says moves a settled belief.
    """
    k = place(beliefs, who, about, night, ways)
    refresh(beliefs, who, k, night, ways)
    bit = 1 << (teller % TELLER_BITS)
    is_old_news = ways.teller_memory > 0 and (int(beliefs.held.told[who, k]) & bit) != 0
    if beliefs.held.settled[who, k] == 1 or is_old_news:
        return k
    of_teller = find(beliefs, who, teller)
    distrust = logistic(ways.prior)
    if of_teller != NOBODY:
        distrust = logistic(log_odds_now(beliefs, who, of_teller, night, ways))
    log_odds, n_own = float(beliefs.held.log_odds[who, k]), float(beliefs.held.n_own[who, k])
    moved = heard(log_odds, told, n_own, distrust, ways.hearsay)
    write(beliefs, who, k, moved, night, ways)
    if ways.teller_memory > 0:
        beliefs.held.told[who, k] = int(beliefs.held.told[who, k]) | bit
    return k


def forget_tellers(beliefs: Beliefs, night: int, teller_memory: int) -> None:
    """Every `teller_memory` nights, what was told before may be told again."""
    if teller_memory > 0 and night % teller_memory == 0:
        beliefs.held.told[...] = 0


def edges(
    beliefs: Beliefs, observers: NDArray[np.int64], night: int, ways: Ways
) -> dict[str, NDArray[Any]]:
    """The network of these observers as it stands tonight, as columns.

    Parameters
    ----------
    observers : ndarray of int
        Rows, in the order they shall come.

    Returns
    -------
    dict of ndarray
        ``observer_id`` and ``subject_id`` (int32), ``log_odds`` (float32),
        ``belief`` (float64, 0 to 1), ``n_own`` (float32), ``settled`` (bool);
        an edge a row, by observer and place in his memory.
    """
    subject = beliefs.subject[observers]
    is_taken = subject != NOBODY
    whole = beliefs.held.view(np.ndarray)[observers]
    held = {name: whole[name][is_taken] for name in ("log_odds", "n_own", "moved", "settled")}
    nights = np.minimum(night - held["moved"], FADE_NIGHTS - 1)
    settled = held["settled"] == 1
    left = np.where(settled, ways.settled_fade[nights], ways.fade[nights])
    log_odds = ways.prior + (held["log_odds"].astype(np.float64) - ways.prior) * left
    return {
        "observer_id": np.repeat(observers + 1, is_taken.sum(axis=1)).astype(np.int32),
        "subject_id": (subject[is_taken] + 1).astype(np.int32),
        "log_odds": log_odds.astype(np.float32),
        "belief": 1.0 / (1.0 + np.exp(-log_odds)),
        "n_own": (held["n_own"].astype(np.float64) * ways.fade[nights]).astype(np.float32),
        "settled": settled,
    }


def to_networkx(network: dict[str, NDArray[Any]]) -> nx.DiGraph[int]:
    """The suspicion network as a graph: an edge from who believes to whom it is about.

    Nodes are patron ids; an edge has ``belief``, ``log_odds``, ``n_own`` and
    ``settled``.
    """
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph()
    columns = {name: column.tolist() for name, column in network.items()}
    pairs = zip(columns.pop("observer_id"), columns.pop("subject_id"), strict=True)
    for i, (observer, subject) in enumerate(pairs):
        graph.add_edge(observer, subject, **{name: column[i] for name, column in columns.items()})
    return graph
