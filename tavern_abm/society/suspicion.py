"""Who believes what about whom: a directed network of log-odds.

Edge i -> j is what i believes about j's being a cheat. Each patron holds at
most K of them, one row of fixed width; the weakest goes when the memory is
full. A belief is stored as of the night it last moved and faded when it is
read. What is seen at a table adds to it, exactly; what is heard only moves it
towards what the teller believes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled import kernel, rule
from ..patrons.columns import NOBODY, aligned
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
SETTLED_FLOOR = 1e120  # what keeps even a faded settled belief above all that are not
NEGLIGIBLE = 1e-50  # what may be left of a belief before strengths are counted anew


HELD = np.dtype(
    [
        ("log_odds", np.float32),  # as of the night it last moved
        ("n_own", np.float32),  # Hand rounds of his seen oneself, fading like the belief
        ("moved", np.int32),  # that night
        ("settled", np.int32),  # 1: a trick confirmed in public
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
    told: NDArray[np.int64]  # who has told him of late: a bit for teller row mod 63


class Memory(NamedTuple):
    """One patron's row of `Beliefs`: arrays of shape (K,)."""

    subject: NDArray[np.int32]
    strength: NDArray[np.float64]
    held: Any
    told: NDArray[np.int64]


class Ways(NamedTuple):
    """How beliefs are formed, as the kernels are handed it."""

    prior: float  # log-odds about a stranger
    fade: NDArray[np.float64]  # what is left of a belief after n nights
    settled_fade: NDArray[np.float64]
    growth: NDArray[np.float64]  # the reciprocals of both, as far as `horizon`
    settled_growth: NDArray[np.float64]
    epoch: int  # night from which strengths are counted
    horizon: int  # nights after which they are counted anew
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
    beliefs = Beliefs(
        aligned(shape, np.int32),
        aligned(shape, np.float64),
        aligned(shape, HELD).view(np.recarray),
        aligned(shape, np.int64),
    )
    beliefs.subject.fill(NOBODY)
    beliefs.strength.fill(FREE)
    return beliefs


def fading(factor: float) -> NDArray[np.float64]:
    """What is left of 1 after 0, 1, 2, ... nights: products, the same everywhere."""
    left = [1.0]
    for _ in range(FADE_NIGHTS - 1):
        left.append(left[-1] * factor)
    return np.array(left)


def growing(fade: NDArray[np.float64]) -> NDArray[np.float64]:
    """The reciprocals of `fading`, kept finite beyond the horizon."""
    return np.asarray(1.0 / np.maximum(fade, NEGLIGIBLE**2))


def horizon_of(fade: NDArray[np.float64], settled_fade: NDArray[np.float64]) -> int:
    """Nights until next to nothing is left of a belief: at least 1."""
    gone = np.flatnonzero(np.minimum(fade, settled_fade) < NEGLIGIBLE)
    return int(gone[0]) if len(gone) else FADE_NIGHTS - 1


def count_anew(beliefs: Beliefs, night: int, ways: Ways) -> Ways:
    """Count strengths from tonight, once the last count has run out of numbers.

    All of a kind shrink by what the nights since have left of them, so their
    order stays; what comes out as nothing had faded to nothing.
    """
    nights = night - ways.epoch
    if nights < ways.horizon:
        return ways
    left = min(nights, FADE_NIGHTS - 1)
    settled = np.maximum(beliefs.strength * ways.settled_fade[left], SETTLED_FLOOR)
    shrunk = np.where(beliefs.held.settled == 1, settled, beliefs.strength * ways.fade[left])
    beliefs.strength[...] = np.where(beliefs.subject == NOBODY, FREE, shrunk)
    return ways._replace(epoch=night)


@rule
def memory_of(beliefs: Beliefs, who: int) -> Memory:
    """The memory of the patron in row `who`."""
    return Memory(beliefs.subject[who], beliefs.strength[who], beliefs.held[who], beliefs.told[who])


@rule
def kept(memory: Memory, k: int, night: int, ways: Ways) -> float:
    """The share of a belief that has not faded yet."""
    nights = min(night - int(memory.held[k].moved), FADE_NIGHTS - 1)
    if memory.held[k].settled == 1:
        return ways.settled_fade[nights]
    return ways.fade[nights]


@rule
def log_odds_now(memory: Memory, k: int, night: int, ways: Ways) -> float:
    """A belief as it stands tonight."""
    left = kept(memory, k, night, ways)
    return ways.prior + (float(memory.held[k].log_odds) - ways.prior) * left


@rule
def strength_of(log_odds: float, settled: int, night: int, ways: Ways) -> float:
    """What a belief that moves tonight is kept for in a full memory.

    Its distance from the prior, counted up by what later nights will take from
    it: all beliefs fade alike, so the order of these numbers is that of the
    faded distances on any later night, and nothing need be faded to find the
    weakest. Settled beliefs stand above all others.
    """
    nights = night - ways.epoch
    if settled == 1:
        return SETTLED_STRENGTH * abs(log_odds - ways.prior) * ways.settled_growth[nights]
    return abs(log_odds - ways.prior) * ways.growth[nights]


@rule
def write(memory: Memory, k: int, log_odds: float, night: int, ways: Ways) -> None:
    """Let a belief stand at `log_odds` as of tonight."""
    belief = memory.held[k]
    belief.log_odds = log_odds
    belief.moved = night
    memory.strength[k] = strength_of(log_odds, int(belief.settled), night, ways)


@rule
def find(memory: Memory, about: int) -> int:
    """The place of the belief about somebody in a patron's memory, or NOBODY."""
    # Without a way out of the loop it is compiled to a few wide comparisons.
    found = NOBODY
    for k in range(len(memory.subject)):
        if memory.subject[k] == about:
            found = k
    return found


@rule
def recall(memory: Memory) -> int:
    """Read a patron's memory through, so that the rounds of a sitting find it at hand.

    A big town's beliefs do not fit a processor's cache. Read one by one as
    rounds need them, each is waited for; read together, they come together.
    The steps are what a cache line holds. Returns how many of the beliefs
    looked at are real: a number that has to be computed.
    """
    n = 0
    for k in range(0, len(memory.subject), 16):
        n += 1 if memory.subject[k] != NOBODY else 0
    for k in range(0, len(memory.strength), 8):
        n += 1 if memory.strength[k] > 0.0 else 0
    for k in range(0, len(memory.strength), 4):
        n += 1 if memory.held[k].moved > 0 else 0
    return n


@rule
def place(memory: Memory, about: int, night: int, ways: Ways) -> int:
    """The place of the belief about somebody; made, if need be, at the weakest one's cost.

    Out goes the belief nearest to the prior as it stands tonight, a settled
    one only if all are settled.
    """
    k = find(memory, about)
    if k != NOBODY:
        return k
    weakest = 0
    least = math.inf
    for at in range(len(memory.strength)):
        if memory.strength[at] < least:
            weakest = at
            least = memory.strength[at]
    memory.subject[weakest] = about
    memory.strength[weakest] = 0.0
    belief = memory.held[weakest]
    belief.log_odds = ways.prior
    belief.n_own = 0.0
    belief.moved = night
    belief.settled = 0
    memory.told[weakest] = 0
    return weakest


@rule
def refresh(memory: Memory, k: int, night: int, ways: Ways) -> None:
    """Write the fading down, so that the belief stands as of tonight."""
    belief = memory.held[k]
    nights = min(night - int(belief.moved), FADE_NIGHTS - 1)
    if nights > 0:
        belief.log_odds = log_odds_now(memory, k, night, ways)
        belief.n_own = float(belief.n_own) * ways.fade[nights]
        belief.moved = night


@rule
def clamp(x: float, bound: float) -> float:
    """`x` within -`bound` and `bound`."""
    return min(bound, max(-bound, x))


@rule
def witness(memory: Memory, k: int, shift: float, night: int, ways: Ways) -> None:
    """Add what one has seen of a round; a settled belief stays as it is."""
    refresh(memory, k, night, ways)
    belief = memory.held[k]
    belief.n_own = float(belief.n_own) + 1.0
    if belief.settled == 0:
        write(memory, k, clamp(float(belief.log_odds) + shift, BOUND), night, ways)


@rule
def settle(memory: Memory, k: int, night: int, ways: Ways) -> None:
    """A trick confirmed in public: the belief stands at its bound and is settled."""
    memory.held[k].settled = 1
    write(memory, k, BOUND, night, ways)


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
def distrust_of(memory: Memory, teller: int, night: int, ways: Ways) -> float:
    """What somebody believes tonight about one who tells him something, 0 to 1."""
    k = find(memory, teller)
    if k == NOBODY:
        return logistic(ways.prior)
    return logistic(log_odds_now(memory, k, night, ways))


@rule
def is_deaf(memory: Memory, k: int, teller: int, ways: Ways) -> bool:
    """Say whether what `teller` says does not count: it is settled, or he has said it before."""
    if memory.held[k].settled == 1:
        return True
    return ways.teller_memory > 0 and (int(memory.told[k]) & 1 << teller % TELLER_BITS) != 0


@rule
def be_moved(
    memory: Memory, k: int, teller: int, told: float, distrust: float, night: int, ways: Ways
) -> None:
    """Move a belief towards what `teller` believes, and remember that he has told it."""
    belief = memory.held[k]
    moved = heard(float(belief.log_odds), told, float(belief.n_own), distrust, ways.hearsay)
    write(memory, k, moved, night, ways)
    if ways.teller_memory > 0:
        memory.told[k] = int(memory.told[k]) | 1 << teller % TELLER_BITS


@rule
def hear(memory: Memory, about: int, teller: int, told: float, night: int, ways: Ways) -> int:
    """Take in what `teller` believes about somebody; the place of the belief.

    A teller counts once a subject while he is remembered (`teller_memory`),
    and nothing he says moves a settled belief.
    """
    k = place(memory, about, night, ways)
    refresh(memory, k, night, ways)
    if not is_deaf(memory, k, teller, ways):
        distrust = distrust_of(memory, teller, night, ways)
        be_moved(memory, k, teller, told, distrust, night, ways)
    return k


@rule
def hear_trusting(
    memory: Memory, about: int, teller: int, told: float, distrust: float, night: int, ways: Ways
) -> None:
    """`hear`, by one who knows already how far he distrusts the teller."""
    k = place(memory, about, night, ways)
    refresh(memory, k, night, ways)
    if not is_deaf(memory, k, teller, ways):
        be_moved(memory, k, teller, told, distrust, night, ways)


def forget_tellers(beliefs: Beliefs, night: int, teller_memory: int) -> None:
    """Every `teller_memory` nights, what was told before may be told again."""
    if teller_memory > 0 and night % teller_memory == 0:
        beliefs.told[...] = 0


@cache
def make_collect() -> Callable[..., int]:
    """The kernel that writes down what observers believe tonight; how many beliefs there are.

    By observer and place in his memory, into arrays with room for all places.
    """

    @kernel
    def collect(
        observers: Any,
        night: int,
        beliefs: Beliefs,
        ways: Ways,
        observer_id: Any,
        subject_id: Any,
        log_odds: Any,
        n_own: Any,
        settled: Any,
    ) -> int:
        n = 0
        for i in range(len(observers)):
            memory = memory_of(beliefs, observers[i])
            for k in range(len(memory.subject)):
                if memory.subject[k] == NOBODY:
                    break
                belief = memory.held[k]
                nights = min(night - int(belief.moved), FADE_NIGHTS - 1)
                observer_id[n] = observers[i] + 1
                subject_id[n] = memory.subject[k] + 1
                log_odds[n] = log_odds_now(memory, k, night, ways)
                n_own[n] = float(belief.n_own) * ways.fade[nights]
                settled[n] = belief.settled
                n += 1
        return n

    return collect


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
        ``n_own`` (float32), ``settled`` (bool); an edge a row.
    """
    most = len(observers) * beliefs.subject.shape[1]
    kinds = (np.int32, np.int32, np.float32, np.float32, np.bool_)
    columns = [np.empty(most, kind) for kind in kinds]
    n = make_collect()(observers, night, beliefs, ways, *columns)
    names = ("observer_id", "subject_id", "log_odds", "n_own", "settled")
    return {name: column[:n].copy() for name, column in zip(names, columns, strict=True)}


def with_belief(network: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The columns of `edges` with ``belief``, the probability (float64), beside the log-odds."""
    belief = 1.0 / (1.0 + np.exp(-network["log_odds"].astype(np.float64)))
    names = ("observer_id", "subject_id", "log_odds", "belief", "n_own", "settled")
    return {name: (network | {"belief": belief})[name] for name in names}


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
