"""Outcomes and series of a run, taken from its record without making its tables.

A run of the Rusty Flagon takes some fifty milliseconds and its tables ninety more: what a sweep
wants is read off the arrays that the record keeps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .quantities import HOWS, Floats, Quantity, quantities, verify_house, wanted

if TYPE_CHECKING:
    import pandas as pd

    from ...model import TavernModel

type Ints = NDArray[np.int64]


class Source(Protocol):
    """What quantities are worked out from: a model that has been played, or a run folder.

    Nights count from 1 and are all there, whatever the warm-up; `n` of them, `k` houses.
    """

    @property
    def n_nights(self) -> int:
        """How many were played."""
        ...

    @property
    def houses(self) -> list[str]:
        """Signs of the houses, in order."""
        ...

    def column(self, name: str) -> NDArray[Any]:
        """A column of the table of nights: (n, k), or (n,) of the town."""
        ...

    def money(self, reason: str) -> Ints:
        """Coins that went by a reason of the ledger, (n, k)."""
        ...

    def unjust_luck(self) -> Ints:
        """Beatings for luck of people who had not cheated, (n, k)."""
        ...

    def purses(self, night: int) -> tuple[Ints, Ints]:
        """Ids and coins of those who lived here as a night closed; night 0 is the start."""
        ...

    def people(self) -> pd.DataFrame:
        """Everybody who has ever lived here: the columns of ``patrons`` that scores are made of."""
        ...

    def beliefs(self) -> pd.DataFrame:
        """All beliefs at the end, as `scores.scored_pairs` takes them."""
        ...

    def false_tellings(self) -> Ints:
        """The nights of tellings of rumours that were false."""
        ...

    def scores(self) -> Mapping[str, float]:
        """Scores that have been worked out already."""
        ...


class Collected:
    """What a run came to.

    Parameters
    ----------
    source : TavernModel or Source
        After its last night.
    warm_up : int, default 0
        First nights that are left out.

    Examples
    --------
    >>> from tavern_abm import TavernModel
    >>> model = TavernModel("plain-dice", rng=1, patrons=20)
    >>> model.run_for(3)
    >>> collected = Collected(model, warm_up=1)
    >>> collected.nights.tolist(), len(collected.series("rounds"))
    ([2, 3], 2)
    >>> bool(collected.series("rounds").sum() == collected.outcome("rounds"))
    True
    """

    def __init__(self, source: TavernModel | Source, warm_up: int = 0) -> None:
        from ...model import TavernModel
        from .model_source import ModelSource

        is_model = isinstance(source, TavernModel)
        self.source: Source = ModelSource(source) if is_model else source  # type: ignore
        self.warm_up = warm_up

    @property
    def nights(self) -> Ints:
        """The nights that count."""
        return np.arange(self.warm_up + 1, self.source.n_nights + 1, dtype=np.int64)

    def outcome(self, name: str) -> float:
        """A number of the run: see `quantities`.

        Raises
        ------
        SweepError
            If there is no such quantity, or no house of that sign.
        """
        asked = wanted(name)
        quantity = asked.quantity
        if quantity.of_run is not None:
            return float(quantity.of_run(self))
        if asked.how == "ratio":
            top, bottom = (
                sum(float(self._nightly(part).sum()) for part in parts) for parts in quantity.parts
            )
            return quantity.times * top / bottom if bottom else float("nan")
        if asked.how == "last" and quantity.of_purses is not None:
            return float(quantity.of_purses(self.purses(self.source.n_nights)))
        return HOWS[asked.how](self._nightly(quantity.name, asked.house))

    def series(self, name: str) -> Floats:
        """A number a night: see `quantities`."""
        asked = wanted(name)
        return self._nightly(asked.quantity.name, asked.house)

    def _nightly(self, name: str, house: str | None = None) -> Floats:
        quantity = quantities()[name]
        if quantity.kind == "ratio":
            return self._ratio(quantity)
        assert quantity.of_nights is not None
        values = np.asarray(quantity.of_nights(self), dtype=np.float64)
        if values.ndim == 1:
            return values
        if house is not None:
            return values[:, self._house(house)]
        return values.mean(axis=1) if quantity.by_house == "mean" else values.sum(axis=1)

    def _ratio(self, quantity: Quantity) -> Floats:
        top, bottom = (
            np.sum([self._nightly(part) for part in parts], axis=0) for parts in quantity.parts
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(bottom != 0, quantity.times * top / bottom, np.nan)

    def _house(self, sign: str) -> int:
        verify_house(sign, self.source.houses)
        return self.source.houses.index(sign)

    # ------------------------------------------------------------- what quantities ask for

    def column(self, name: str) -> NDArray[Any]:
        """A column of the table of nights, of those that count: (n, k), or (n,) of the town."""
        return self.source.column(name)[self.warm_up :]

    def money(self, reasons: Sequence[str]) -> Ints:
        """Coins that went by any of these reasons, (n, k)."""
        total = np.zeros((len(self.nights), len(self.source.houses)), np.int64)
        for reason in reasons:
            total += self.source.money(reason)[self.warm_up :]
        return total

    def unjust_luck(self) -> Ints:
        """Beatings for luck of people who had not cheated, (n, k)."""
        return self.source.unjust_luck()[self.warm_up :]

    def purses(self, night: int) -> Ints:
        """The purses of a night, in cp, sorted."""
        return np.sort(self.source.purses(night)[1])

    def by_purses(self, of: Callable[[Ints], float]) -> Floats:
        """A measure of the purses of each night."""
        return np.array([of(self.purses(night)) for night in self.nights.tolist()], np.float64)

    def gini_change(self) -> float:
        """The Gini at the end less that before the first night that counts."""
        from ...measures import gini_of_sorted

        return float(self.column("gini")[-1]) - gini_of_sorted(self.purses(self.warm_up))

    def rank_correlation(self) -> float:
        """Of the purses at the end with those before the first night that counts."""
        from ...measures import spearman

        before, after = (self.source.purses(night) for night in (self.warm_up, self._last))
        _, at, end = np.intersect1d(before[0], after[0], return_indices=True)
        return spearman(before[1][at], after[1][end])

    @property
    def _last(self) -> int:
        return self.source.n_nights

    def arrived(self) -> float:
        """People who came in the nights that count."""
        return float((self._people["arrived_night"] > self.warm_up).sum())

    def gone(self, whereabouts: str) -> float:
        """People who have left or died in the nights that count."""
        people = self._people
        is_gone = people["whereabouts"] == whereabouts
        return float((people.loc[is_gone, "gone_night"] > self.warm_up).sum())

    def false_tellings(self) -> float:
        """Tellings of false rumours in the nights that count."""
        return float((self.source.false_tellings() > self.warm_up).sum())

    @cached_property
    def _people(self) -> pd.DataFrame:
        return self.source.people()

    @cached_property
    def _pairs(self) -> pd.DataFrame:
        from ...scores import scored_pairs

        return scored_pairs(self.source.beliefs(), self._people)

    def reputation_auc(self) -> float:
        """How well reputations tell cheats, as ``run.json`` has it."""
        from ...measures import auc, reputations

        known = self.source.scores()
        if "auc_reputation" in known:
            return known["auc_reputation"]
        believed = reputations(self.source.beliefs())["reputation"]
        is_cheat = self._people.set_index("patron_id")["is_cheat"].reindex(believed.index)
        return float(auc(believed, is_cheat))

    def score(self, name: str) -> float:
        """One of the scores of `scores.MEANINGS`, as ``run.json`` has it."""
        known = self.source.scores()
        if name in known:
            return known[name]
        value = self._waiting.get(name, self._won.get(name))
        if value is None:
            value = self._believed[name]
        return value if np.isnan(value) else float(f"{value:.9g}")

    @cached_property
    def _waiting(self) -> dict[str, float]:
        from ...scores import waiting_scores

        return waiting_scores(self._people, self._last)

    @cached_property
    def _won(self) -> dict[str, float]:
        from ...scores import hands_won

        return hands_won(self._people)

    @cached_property
    def _believed(self) -> dict[str, float]:
        from ...scores import belief_scores

        return belief_scores(self._pairs)


def state_digest(model: TavernModel) -> str:
    """SHA-256 over how a town stands at the end and what its nights came to.

    What stands is all that a run goes on from: people and their purses, beliefs, tills, the
    balances of the ledger, who knows whom and what is told (the arrays of ``state.npz``). Of each
    night, the counts by house, the tills and the town's measures are added. It takes two or
    three milliseconds, where a digest of all tables takes ninety.

    Examples
    --------
    >>> from tavern_abm import TavernModel
    >>> one, other = (TavernModel("plain-dice", rng=1, patrons=20) for _ in "ab")
    >>> one.run_for(2), other.run_for(2)
    (None, None)
    >>> state_digest(one) == state_digest(other)
    True
    >>> other.people.gold[0] += 1
    >>> state_digest(one) == state_digest(other)
    False
    """
    from ...continuing.standing import state

    sha = hashlib.sha256()
    for name, value in state(model).items():
        _add(sha, name, value)
    for night, counts, tills, *measures, houses in model.record.nights:
        _add(sha, f"night {night}", counts)
        _add(sha, "tills", tills)
        _add(sha, "measures", np.array(measures, np.float64))
        for name, column in zip(houses._fields, houses, strict=True):
            _add(sha, name, column)
    return sha.hexdigest()


def _add(sha: Any, name: str, value: Any) -> None:
    """An array with its name and shape; numbers count by value, whatever the machine's order."""
    array = np.ascontiguousarray(value)
    sha.update(f"{name} {array.dtype.str[1:]} {array.shape}\n".encode())
    little = array.dtype.newbyteorder("<")
    sha.update(array.astype(little, copy=False).tobytes())
