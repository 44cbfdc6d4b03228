"""How much of a run is written down: all of it, or of a big town's talk and beliefs a sample.

Who believes what about whom, and who told whom what, grow with the town by more than a
hundred bytes a head and night. Beyond `BIG_TOWN` patrons a run folder would hold little else. There
it keeps a sample that says the same: every suspicion, all that one observer in so many
believes, and the whole way of one story in so many. Sums by night, scores and reputations
are of everybody in any town.
"""

from __future__ import annotations

from typing import Any, NamedTuple

BIG_TOWN = 20_000
"""Patrons up to whom everything is written down."""


class Extent(NamedTuple):
    """What is written down of a run; the same whatever `--record` says.

    Set ``model.record.extent`` before the first night to have another.
    """

    one_observer_in: int  # whose beliefs are all kept: ids that divide by it
    one_story_in: int  # whose tellings are kept: story ids that divide by it
    has_state: bool  # whether `state.npz` is written without `--record full`


WHOLE = Extent(1, 1, True)
SAMPLE = Extent(23, 23, False)
"""An odd number, so as not to fall in step with couples or with a house's tables."""


def extent_of(patrons: int) -> Extent:
    """What is written down of a town with so many places.

    Examples
    --------
    >>> extent_of(20_000) == WHOLE, extent_of(20_001) == SAMPLE
    (True, True)
    """
    return WHOLE if patrons <= BIG_TOWN else SAMPLE


def kept_of(network: dict[str, Any], extent: Extent) -> dict[str, Any]:
    """The beliefs of a network that are written down, with ``in_full`` (bool) beside them.

    Parameters
    ----------
    network : dict of ndarray
        Columns, ``observer_id`` and ``log_odds`` among them; a belief a row.

    Returns
    -------
    dict of ndarray
        The same columns, of fewer rows perhaps, and ``in_full``: whether all that this
        observer believes is among them. Of others only suspicions are (above even odds).

    Examples
    --------
    >>> import numpy as np
    >>> network = {"observer_id": np.array([1, 2, 2]), "log_odds": np.array([1.5, -2.0, -1.0])}
    >>> kept = kept_of(network, Extent(2, 1, True))
    >>> kept["observer_id"].tolist(), kept["in_full"].tolist()
    ([1, 2, 2], [False, True, True])
    >>> kept_of(network, Extent(5, 1, True))["log_odds"].tolist()
    [1.5]
    """
    in_full = network["observer_id"] % extent.one_observer_in == 0
    if in_full.all():
        return network | {"in_full": in_full}
    is_kept = in_full | (network["log_odds"] > 0)
    return {name: column[is_kept] for name, column in (network | {"in_full": in_full}).items()}
