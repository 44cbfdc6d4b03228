"""The ledger of a run, sorted out: which kinds of account, whose trade, which house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

LEDGER = ["night", "tavern_id", "from_account", "to_account", "reason", "amount_cp"]
KINDS = ("outside", "purse", "pot", "till", "treasury")
"""Kinds of account, as the ledger's accounts begin."""

type Cells = NDArray[np.int64]


def entries_of(ledger: pd.DataFrame) -> pd.DataFrame:
    """The ledger with its accounts taken apart.

    Parameters
    ----------
    ledger : DataFrame
        The columns of `LEDGER`. Accounts are ``purse/<trade>``, ``till/<tavern_id>``, ``pot``,
        ``outside`` and ``treasury``.

    Returns
    -------
    DataFrame
        ``night``, ``tavern_id`` (0 in no tavern), ``source``, ``target`` (of `KINDS`), ``reason``,
        ``trade`` (of the purse concerned; "" where there is none) and ``amount_cp``. Text is
        categorical.

    Examples
    --------
    >>> row = (3, 1, "purse/smith", "till/1", "drink", 8)
    >>> entries = entries_of(pd.DataFrame([row], columns=LEDGER))
    >>> entries[["source", "target", "trade", "amount_cp"]].to_dict("records")
    [{'source': 'purse', 'target': 'till', 'trade': 'smith', 'amount_cp': 8}]
    """
    codes, names = pd.factorize(pd.concat([ledger["from_account"], ledger["to_account"]]))
    parts = [str(name).partition("/") for name in names]
    kinds = np.array([KINDS.index(kind) for kind, _, _ in parts])[codes]
    trades = sorted({"", *(name for kind, _, name in parts if kind == "purse")})
    of_purse = [trades.index(name) if kind == "purse" else 0 for kind, _, name in parts]
    givers, takers = np.array_split(np.array(of_purse)[codes], 2)
    source, target = (_words(half, KINDS) for half in np.array_split(kinds, 2))
    return pd.DataFrame(
        {
            "night": ledger["night"],
            "tavern_id": ledger["tavern_id"],
            "source": source,
            "target": target,
            "reason": ledger["reason"].astype("category"),
            "trade": _words(np.maximum(givers, takers), trades),
            "amount_cp": ledger["amount_cp"],
        }
    )


def _words(codes: NDArray[Any], words: Sequence[str]) -> Any:
    """Words by their places in a list, as a categorical column."""
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(list(words)))


def is_from(entries: pd.DataFrame, source: str, *targets: str) -> Any:
    """Which entries leave a kind of account (for one of these kinds, if any is named)."""
    leaves = entries["source"] == source
    return leaves & entries["target"].isin(targets) if targets else leaves


def signed(entries: pd.DataFrame, account: str) -> pd.Series[Any]:
    """What each entry adds to a kind of account: its amount, or less its amount, or 0."""
    sign = (entries["target"] == account).astype(int) - (entries["source"] == account).astype(int)
    return sign * entries["amount_cp"]


def grid(entries: pd.DataFrame, amounts: pd.Series[Any], n_nights: int, n_houses: int) -> Cells:
    """Amounts added up by night and house, shape (n_nights + 1, n_houses + 1).

    The first row is of what was booked before the first night, the first column of what happened in
    no house.
    """
    shape = (n_nights + 1, n_houses + 1)
    cells: Cells = np.zeros(shape, np.int64)
    night, house = entries["night"].to_numpy(), entries["tavern_id"].to_numpy()
    np.add.at(cells, (night, house), amounts.to_numpy())
    return cells
