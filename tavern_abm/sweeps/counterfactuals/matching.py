"""Pairs of runs that share their luck, and what the change did to each quantity."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..estimating.estimates import CONFIDENCE, Estimate, mean_t, p_of, paired
from ..estimating.ratios import ratio, ratio_difference
from ..estimating.simultaneous import holm

__all__ = ["BASE", "CHANGED", "Effect", "Pairs", "Share", "effects", "match"]

BASE, CHANGED = 0, 1
"""The two design points."""


class Pairs(NamedTuple):
    """Runs of two design points side by side.

    Attributes
    ----------
    replications : array of int, shape (n,)
        Those of which both runs are there, in order.
    base, changed : DataFrame
        A row a replication, in that order, and a column an outcome.
    n_lost : int
        Replications of which a run failed.
    """

    replications: NDArray[np.int64]
    base: pd.DataFrame
    changed: pd.DataFrame
    n_lost: int

    @property
    def n(self) -> int:
        """How many pairs there are."""
        return len(self.replications)


class Share(NamedTuple):
    """A quantity that is a ratio of sums, such as the share of convictions that are just.

    Attributes
    ----------
    top, bottom : tuple of str
        Outcomes whose sums are divided.
    times : float
        What the ratio is multiplied with.
    """

    top: tuple[str, ...]
    bottom: tuple[str, ...]
    times: float = 1.0


class Effect(NamedTuple):
    """What the change did to a quantity.

    Attributes
    ----------
    name : str
        The quantity.
    base, changed : Estimate
        Its mean on either side, over the pairs in which it is defined on both; of a share,
        that of all cases of all pairs.
    change : Estimate
        Changed less base, pair by pair.
    n_differ : int
        Pairs that differ at all.
    narrowed : float
        So many times as many runs with luck of their own make as narrow an interval.
    p : float
        Two-sided, of Student's test of the pairs; NaN below two, and where all differ alike.
    p_holm : float
        The same, adjusted by Holm for all the quantities that are looked at.
    """

    name: str
    base: Estimate
    changed: Estimate
    change: Estimate
    n_differ: int
    narrowed: float
    p: float
    p_holm: float

    @property
    def is_sure(self) -> bool:
        """Whether it stands among all the quantities looked at."""
        return self.p_holm < 1 - self.change.confidence

    @property
    def is_likely(self) -> bool:
        """Whether its own interval leaves 0 out."""
        return self.change.is_clear

    @property
    def is_untouched(self) -> bool:
        """Whether no pair differs at all."""
        return self.change.n > 0 and self.n_differ == 0

    @property
    def is_alike(self) -> bool:
        """Whether every pair differs by the same, so that there is nothing to test it by."""
        return self.change.sd == 0 and self.change.value != 0

    @property
    def strength(self) -> float:
        """Standard errors that the change is away from 0."""
        if not self.change.has_interval or self.change.value == 0:
            return 0.0
        error = self.change.sd / math.sqrt(self.change.n)
        return abs(self.change.value) / error if error else math.inf


def match(runs: pd.DataFrame, outcomes: pd.DataFrame) -> Pairs:
    """Put the runs of two design points side by side, replication by replication.

    Parameters
    ----------
    runs : DataFrame
        ``run_id``, ``scenario_id`` (0: as it is, 1: changed), ``replication_id``, ``status``.
    outcomes : DataFrame
        ``run_id`` and a column an outcome; of runs that are done.
    """
    done = runs.loc[runs["status"] == "done", ["run_id", "scenario_id", "replication_id"]]
    keys = {"scenario_id", "replication_id"} & set(outcomes.columns)
    values = done.merge(outcomes.drop(columns=list(keys)), on="run_id", validate="one_to_one")
    sides = [
        values[values["scenario_id"] == side]
        .set_index("replication_id")
        .drop(columns=["run_id", "scenario_id"])
        for side in (BASE, CHANGED)
    ]
    both = sides[0].index.intersection(sides[1].index).sort_values()
    n_all = runs["replication_id"].nunique()
    base, changed = (side.loc[both] for side in sides)
    return Pairs(both.to_numpy(np.int64), base, changed, n_all - len(both))


def effects(
    pairs: Pairs,
    names: Sequence[str] | None = None,
    confidence: float = CONFIDENCE,
    shares: Mapping[str, Share] | None = None,
) -> list[Effect]:
    """Estimate what the change did, a quantity at a time.

    Parameters
    ----------
    pairs : Pairs
        As `match` gives them.
    names : sequence of str, optional
        The outcomes; all of them if not given. Holm's adjustment is for these together.
    confidence : float, default 0.95
        Of the intervals.
    shares : mapping, optional
        Which of them are ratios of sums. A run without a conviction has no share of just
        ones; all runs together have.

    Examples
    --------
    >>> luck = pd.Series([3.0, 9.0, 1.0, 6.0])
    >>> pairs = Pairs(np.arange(4), luck.to_frame("x"), (luck + [1, 2, 1, 2]).to_frame("x"), 0)
    >>> found = effects(pairs)[0]
    >>> print(found.change, found.n_differ, found.is_sure)
    1.5 (0.5813 to 2.419) 4 True
    """
    chosen = list(pairs.base.columns) if names is None else list(names)
    known = shares or {}
    found = [
        _of_share(pairs, name, known[name], confidence)
        if name in known
        else _of_means(pairs, name, confidence)
        for name in chosen
    ]
    adjusted = holm([each.p for each in found]).tolist()
    return [each._replace(p_holm=p) for each, p in zip(found, adjusted, strict=True)]


def _of_means(pairs: Pairs, name: str, confidence: float) -> Effect:
    base, changed = (
        side[name].to_numpy(np.float64, na_value=math.nan) for side in (pairs.base, pairs.changed)
    )
    is_defined = np.isfinite(base) & np.isfinite(changed)
    base, changed = base[is_defined], changed[is_defined]
    found = paired(changed, base, confidence)
    return Effect(
        name,
        mean_t(base, confidence),
        mean_t(changed, confidence),
        found.change,
        int((base != changed).sum()),
        found.narrowed,
        found.p,
        found.p,
    )


def _of_share(pairs: Pairs, name: str, share: Share, confidence: float) -> Effect:
    """What the change did to a ratio of sums: of all cases, not of the runs that have any."""
    (base_top, base_bottom), (top, bottom) = (
        tuple(side[list(names)].sum(axis=1).to_numpy(np.float64) for names in share[:2])
        for side in (pairs.base, pairs.changed)
    )
    base = ratio(base_top, base_bottom, confidence)
    changed = ratio(top, bottom, confidence)
    change = ratio_difference((top, bottom), (base_top, base_bottom), confidence)
    apart = base.sd**2 + changed.sd**2
    narrowed = apart / change.sd**2 if change.sd else (math.inf if apart else 1.0)
    p = p_of(change)
    return Effect(
        name,
        _times(base, share.times),
        _times(changed, share.times),
        _times(change, share.times),
        int(((base_top != top) | (base_bottom != bottom)).sum()),
        narrowed,
        p,
        p,
    )


def _times(estimate: Estimate, factor: float) -> Estimate:
    value, low, high, n, sd, confidence = estimate
    return Estimate(value * factor, low * factor, high * factor, n, sd * factor, confidence)
