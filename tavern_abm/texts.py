"""Columns of text made of numbers, without a Python string a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def named(names: Sequence[str], numbers: Any) -> pd.Series[str]:
    """The names of numbers, empty where there is none (below 0), as a column of text.

    Parameters
    ----------
    names : sequence of str
        The name of 0, 1, ...
    numbers : ndarray of int, shape (n,)
        Below ``len(names)``.

    Examples
    --------
    >>> named(["won", "lost"], np.array([1, -1, 0])).tolist()
    ['lost', '', 'won']
    """
    import pandas as pd

    words = pd.array([*names, ""], dtype="str")
    at = np.where(numbers < 0, len(names), numbers)
    return pd.Series(words.take(at), copy=False)
