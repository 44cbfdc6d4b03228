"""What the guests of an evening were told: which version each holds, and through whom."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from ..run_folder import RunFolder
from .firsthand import Happening, Version
from .matter import Hop
from .tagging import SAW_IT, WAS_TOLD

_COLUMNS = (
    *("telling_id", "rumor_id", "teller_id", "listener_id", "night", "tavern_id"),
    *("knew", "believed", "told_from"),
)


class Telling(NamedTuple):
    """A telling, as far as it tells through whom a story went."""

    story: int
    teller: int
    listener: int
    night: int
    tavern: int
    told_from: int


class Hearsay:
    """What the guests of one evening have been told by then.

    Parameters
    ----------
    run : RunFolder
        The run.
    night : int
        From 1.
    guests : collection of int
        Whose knowledge is asked for, by patron_id.
    versions : mapping of int to Version
        All there are by then, by rumor_id.
    happenings : mapping of int to Happening
        How each story began, by story_id.
    """

    def __init__(
        self,
        run: RunFolder,
        night: int,
        guests: Collection[int],
        versions: Mapping[int, Version],
        happenings: Mapping[int, Happening],
    ) -> None:
        story = {rumor: each.story_id for rumor, each in versions.items()}
        table = run.table("tellings", _COLUMNS, [("night", "<=", night)])
        table = table.assign(story=table["rumor_id"].map(story)).dropna(subset=["story"])
        table = table.astype({"story": "int64"}).sort_values("telling_id")
        mine = table[table["listener_id"].isin(list(guests))]
        self._known = mine[["story", "listener_id"]].drop_duplicates()
        news = mine[~mine["knew"] & mine["believed"]]
        self._news = news.drop_duplicates(["story", "listener_id"])
        self._tellings = _lineage(table, self._news["telling_id"].tolist())
        self._happenings = happenings
        self._chains: dict[int, tuple[Hop, ...]] = {}

    def believed(self) -> Iterator[tuple[int, int, int]]:
        """Who holds which version since which telling: listener, rumor_id and telling_id."""
        names = ("listener_id", "rumor_id", "telling_id")
        yield from zip(*(self._news[name].tolist() for name in names), strict=True)

    def known(self) -> Iterator[tuple[int, int]]:
        """Who was told of which story, whether he believed it or not: story and listener."""
        names = ("story", "listener_id")
        yield from zip(*(self._known[name].tolist() for name in names), strict=True)

    def chain(self, telling: int) -> tuple[Hop, ...]:
        """Through whom a story came to the listener of a telling, who is the last."""
        path = []
        while telling and telling not in self._chains:
            path.append(telling)
            telling = self._tellings[telling].told_from
        chain = self._chains.get(telling, ())
        for each in reversed(path):
            one = self._tellings[each]
            before = chain or (self._first(one),)
            chain = _lengthened(before, Hop(one.listener, WAS_TOLD, one.night, one.tavern))
            self._chains[each] = chain
        return chain

    def _first(self, one: Telling) -> Hop:
        """Whoever tells a story without having been told."""
        began = self._happenings[one.story]
        return Hop(one.teller, began.knowers.get(one.teller, SAW_IT), began.night, began.tavern)


def _lengthened(chain: tuple[Hop, ...], hop: Hop) -> tuple[Hop, ...]:
    """A chain with one more; who had forgotten it and hears it anew stands in it once.

    Examples
    --------
    >>> ann, bo = Hop(1, SAW_IT, 4, 1), Hop(2, WAS_TOLD, 5, 1)
    >>> _lengthened((ann, bo), Hop(1, WAS_TOLD, 9, 1)) == (ann,)
    True
    """
    for at, each in enumerate(chain):
        if each.patron_id == hop.patron_id:
            return chain[: at + 1]
    return (*chain, hop)


def _lineage(table: pd.DataFrame, wanted: Collection[int]) -> dict[int, Telling]:
    """Some tellings, and those by which their tellers came to know, back to the first."""
    told_from = table.set_index("telling_id")["told_from"]
    needed: set[int] = set()
    ids = {*wanted}
    while ids:
        needed |= ids
        ids = {*told_from.reindex(sorted(ids)).dropna().astype("int64").tolist()} - needed - {0}
    rows = table[table["telling_id"].isin(needed)]
    names = ("story", "teller_id", "listener_id", "night", "tavern_id", "told_from")
    fields = zip(*(rows[name].tolist() for name in names), strict=True)
    return dict(zip(rows["telling_id"].tolist(), (Telling(*each) for each in fields), strict=True))
