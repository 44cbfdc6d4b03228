"""Who knows whom: a small world by home tavern, district, trade and kin, and those met since.

People stand in a ring, those of one home tavern together, within it by the
district and the trade of the head of their household, and kin side by side. Each
is joined to the `k` nearest, and a share `q` of these ties is rewired to anybody:
the small world of Watts and Strogatz (1998), made by NetworkX. Kin always know
each other. Strangers who talk may become acquainted; a newcomer knows his kin
alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import chance
from ..compiled import kernel, rule
from ..patrons.columns import HERE, NOBODY, Ints, People, Sheet, aligned, stacked

if TYPE_CHECKING:
    import networkx as nx

KIN, TRADE, TAVERN, BY_CHANCE, MET = range(5)
TIES = ("kin", "trade", "tavern", "chance", "met")
"""What joins two people: household, trade, home tavern, nothing of these, or a talk."""
ROOM = 8
"""Places beyond those of a full circle, for kin who come later and for friends."""
DRAWS_AT_A_TIME = 4096

ACQUAINTANCE = np.dtype(
    [
        ("other", np.int32),  # row, NOBODY where free
        ("since", np.int32),  # night, 0 for those who knew each other from the start
        ("tie", np.int8),  # index into TIES
    ],
    align=True,
)


class KeyedRandom(random.Random):
    """Python's generator fed with keyed draws, for libraries that ask for one.

    Examples
    --------
    >>> KeyedRandom(7).random() == KeyedRandom(7).random() == chance.unit(7, chance.TIE, 0)
    True
    """

    def __init__(self, key: int) -> None:
        self._key, self._n = key, 0
        self._draws: list[int] = []
        super().__init__(0)

    def _next(self) -> int:
        at = self._n % DRAWS_AT_A_TIME
        if at == 0:
            labels = chance.TIE * 2**32 + np.arange(self._n, self._n + DRAWS_AT_A_TIME)
            keys = np.full(DRAWS_AT_A_TIME, self._key, np.int64)
            self._draws = chance.hash63_wrapping(keys, labels).tolist()
        self._n += 1
        return self._draws[at]

    def random(self) -> float:
        """A float in [0, 1)."""
        return (self._next() >> 10) * 2.0**-53

    def getrandbits(self, k: int) -> int:
        """A whole number of `k` bits, 62 at the most."""
        return self._next() >> 63 - k


def blank_acquaintances(n: int, width: int) -> Any:
    """`n` people who know nobody, with room for `width` others each."""
    blank = aligned((n, width), ACQUAINTANCE).view(np.recarray)
    blank.other[...] = NOBODY
    return blank


def make_acquaintances(people: People, sheet: Sheet, run_key: int, k: int, rewiring: float) -> Any:
    """The acquaintances of a town's first inhabitants.

    Parameters
    ----------
    people, sheet : record arrays of shape (n,)
        Everybody; home, trade and household matter.
    run_key : int
        Places in the ring and the rewiring are drawn from it.
    k : int
        Whom one knows on average, even; in a town of no more people everybody
        knows everybody.
    rewiring : float
        Share of the ties that lead anywhere, 0 to 1.

    Returns
    -------
    record array of ACQUAINTANCE, shape (n, width)
        The places of each, free ones (``other`` is NOBODY) last; kin first, then
        those of the trade, the tavern, and the rest. Ties go both ways.
    """
    n = len(sheet.household)
    order = ring(people, sheet, run_key)
    one, other, is_rewired = _small_world(n, k, rewiring, chance.subkey(run_key, chance.TIE, 0))
    one, other = order[one], order[other]
    kin_one, kin_other = _kin(sheet)
    one, other = np.concatenate([kin_one, one]), np.concatenate([kin_other, other])
    is_rewired = np.concatenate([np.zeros(len(kin_one), bool), is_rewired])
    tie = _ties(one, other, is_rewired, people, sheet)
    pair = np.minimum(one, other) * n + np.maximum(one, other)
    _, first = np.unique(pair, return_index=True)  # kin stand twice where the ring has them too
    return _filled(n, k, one[first], other[first], tie[first])


def ring(people: People, sheet: Sheet, run_key: int) -> Ints:
    """The rows in the order in which people stand in the ring.

    By home tavern, district and trade of the head of the household, household (in
    an order that is drawn), and within it by row.
    """
    head = sheet.household
    luck = chance.draws(chance.subkeys(run_key, chance.PERSON, head + 1), chance.TIE, 0)
    quarter = sheet.quarter[head]
    return np.lexsort((np.arange(len(head)), luck, people.trade[head], quarter, people.home))


def _small_world(n: int, k: int, rewiring: float, key: int) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """The ties among `n` places in a ring, and which of them are no neighbours'."""
    import networkx as nx

    graph = nx.watts_strogatz_graph(n, min(k, n), rewiring, seed=KeyedRandom(key))
    pairs = np.array(graph.edges, np.int64).reshape(-1, 2)
    apart = np.abs(pairs[:, 0] - pairs[:, 1])
    return pairs[:, 0], pairs[:, 1], np.minimum(apart, n - apart) > k // 2


def _kin(sheet: Sheet) -> tuple[Ints, Ints]:
    """All pairs of a household."""
    order = np.argsort(sheet.household, kind="stable")
    head = sheet.household[order]
    ones, others = [order[:0]], [order[:0]]
    for apart in range(1, len(head)):
        at = np.flatnonzero(head[apart:] == head[:-apart])
        if not len(at):
            break
        ones.append(order[at])
        others.append(order[at + apart])
    return np.concatenate(ones), np.concatenate(others)


def _ties(one: Ints, other: Ints, is_rewired: Any, people: People, sheet: Sheet) -> Ints:
    """What joins each pair."""
    shares_home = people.home[one] == people.home[other]
    return np.select(
        [
            sheet.household[one] == sheet.household[other],
            is_rewired | ~shares_home,
            people.trade[one] == people.trade[other],
        ],
        [KIN, BY_CHANCE, TRADE],
        TAVERN,
    )


def _filled(n: int, k: int, one: Ints, other: Ints, tie: Ints) -> Any:
    """Both ends of each tie written down."""
    owner, friend = np.concatenate([one, other]), np.concatenate([other, one])
    tie = np.concatenate([tie, tie])
    order = np.lexsort((friend, tie, owner))
    owner, friend, tie = owner[order], friend[order], tie[order]
    degree = np.bincount(owner, minlength=n)
    width = max(2 * k, int(degree.max(initial=0))) + ROOM
    place = np.arange(len(owner)) - np.repeat(np.cumsum(degree) - degree, degree)
    acquaintances = blank_acquaintances(n, width)
    acquaintances.other[owner, place] = friend
    acquaintances.tie[owner, place] = tie
    return acquaintances


def grown(acquaintances: Any, n: int) -> Any:
    """The same with `n` people below them who know nobody yet (a new array)."""
    return stacked(acquaintances, blank_acquaintances(n, acquaintances.shape[1]))


@rule
def knows(circle: Any, other: int) -> bool:
    """Say whether somebody is among a patron's acquaintances: `circle` is his row of them."""
    found = False
    for k in range(len(circle)):
        if circle[k].other == other:
            found = True
    return found


@rule
def place_for(circle: Any, people: People) -> int:
    """Where there is room for one more: a free place, else that of one who is gone; or NOBODY."""
    for k in range(len(circle)):
        other = circle[k].other
        if other == NOBODY or people[other].whereabouts != HERE:
            return k
    return NOBODY


@rule
def befriend(
    acquaintances: Any, one: int, other: int, tie: int, night: int, people: People
) -> bool:
    """Let two people know each other from now on; say whether they do so newly.

    Nothing happens if they are acquainted, or if either has no room: he knows as
    many as he can who still live here.
    """
    if one == other or knows(acquaintances[one], other):
        return False
    mine = place_for(acquaintances[one], people)
    yours = place_for(acquaintances[other], people)
    if mine == NOBODY or yours == NOBODY:
        return False
    record = acquaintances[one][mine]
    record.other = other
    record.tie = tie
    record.since = night
    record = acquaintances[other][yours]
    record.other = one
    record.tie = tie
    record.since = night
    return True


@cache
def make_greet_kin() -> Callable[..., None]:
    """The kernel in which newcomers and their household get to know each other."""

    @kernel
    def greet(rows: Ints, night: int, people: People, sheet: Sheet, acquaintances: Any) -> None:
        for i in range(len(rows)):
            row = rows[i]
            for other in range(sheet[row].household, row):  # a household's rows are in a row
                if people[other].whereabouts == HERE:
                    befriend(acquaintances, row, other, KIN, night, people)

    return greet


def greet_kin(acquaintances: Any, rows: Ints, night: int, people: People, sheet: Sheet) -> None:
    """Let newcomers and those of their household who live here know each other.

    Call it once they live here. Nobody else knows them.

    Parameters
    ----------
    rows : ndarray of int
        Newcomers, none of them pinned by name.
    """
    make_greet_kin()(rows, night, people, sheet, acquaintances)


def pairs(acquaintances: Any, living: Ints) -> dict[str, NDArray[Any]]:
    """Who knows whom among those who live here, as columns, a pair a row.

    Parameters
    ----------
    living : ndarray of int
        Rows, in order.

    Returns
    -------
    dict of ndarray
        ``patron_id`` and ``other_id`` (int32, the lower id first), ``tie`` (str)
        and ``since_night`` (int32).
    """
    others = np.asarray(acquaintances.other)[living]
    at, place = np.nonzero(others > living[:, None])  # a free place is -1
    is_here = np.zeros(len(acquaintances), bool)
    is_here[living] = True
    found = is_here[others[at, place]]
    at, place = at[found], place[found]
    row = living[at]
    ties = np.array(TIES, dtype=object)[acquaintances.tie[row, place]]
    return {
        "patron_id": (row + 1).astype(np.int32),
        "other_id": (others[at, place] + 1).astype(np.int32),
        "tie": ties,
        "since_night": acquaintances.since[row, place].astype(np.int32),
    }


def to_networkx(acquaintances: Any, living: Ints) -> nx.Graph[int]:
    """The same as a graph: nodes are patron ids, edges have ``tie`` and ``since_night``."""
    import networkx as nx

    columns = {name: column.tolist() for name, column in pairs(acquaintances, living).items()}
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from((living + 1).tolist())
    for one, other, tie, since in zip(*columns.values(), strict=True):
        graph.add_edge(one, other, tie=tie, since_night=since)
    return graph
