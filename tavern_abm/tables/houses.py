"""The taverns as columns: what kernels need to know of each house."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray


class Houses(NamedTuple):
    """Arrays of shape (n_taverns,), unless said otherwise."""

    dc: NDArray[Any]  # of a Thievery check at its tables
    rake_bp: NDArray[Any]
    restraint: NDArray[Any]  # how far its custom holds cheats back, log-odds
    custom: NDArray[Any]  # (n_taverns, 5): chances of WARNED to KILLED, added up
    ban_nights: NDArray[Any]
    lucky_wins: NDArray[Any]  # wins in a row that bring a beating; 0: no such custom
    fee: NDArray[Any]  # cp at the door
    mug: NDArray[Any]  # cp
    mugs_mean: NDArray[Any]  # mugs a guest wants in a sitting
    no_mug_prob: NDArray[Any]  # chance that he wants none: exp(-mugs_mean)
    goods_bp: NDArray[Any]
    streaks_last: NDArray[Any]  # 1: a streak as the Hand lasts beyond the evening
    is_open: NDArray[Any]  # 0: has closed down
    quality: NDArray[Any]  # 1 to 5
    quarter: NDArray[Any]  # index of its district
    repute: NDArray[Any]  # its name in the town: 0 as any, below 0 ill
    lift: NDArray[Any]  # what its tables agree on as a stake, in hundredths of what is usual
    comes_to_mind: NDArray[Any]  # (n_districts, n_taverns): weights, added up along each row
    is_far: NDArray[Any]  # (n_districts, n_taverns): 1 where it is far for those who live there
