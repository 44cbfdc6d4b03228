"""What a person is called by his trade: the word that people use of a man or a woman of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .data_tables import DataError, Trade, load_tables


def trade_of(trade: str, sex: str, trades: Mapping[str, Trade]) -> str:
    """Say in a word what somebody is by trade.

    Parameters
    ----------
    trade : str
        Its name in ``data/trades.toml``.
    sex : {"female", "male"}
        His or hers.
    trades : mapping of str to Trade
        As `trades_played` finds them; of one that is not among them the name is said.

    Examples
    --------
    >>> known = load_tables().trades
    >>> [trade_of("barmaid", sex, known) for sex in ("female", "male")]
    ['barmaid', 'potman']
    >>> trade_of("smith", "female", known), trade_of("rat-catcher", "male", known)
    ('smith', 'rat-catcher')
    """
    known = trades.get(trade)
    if known is None:
        return trade
    return (known.male if sex == "male" else known.female) or trade


def trades_of(trades: Iterable[Any], sexes: Iterable[Any], known: Mapping[str, Trade]) -> list[str]:
    """Say of many people what they are by trade, as `trade_of` does of one."""
    return [trade_of(str(trade), str(sex), known) for trade, sex in zip(trades, sexes, strict=True)]


def trades_played(scenario: Mapping[str, Any]) -> dict[str, Trade]:
    """Find the trades a finished run was played with, by what its scenario says.

    Its own tables may be gone by now: then these are the shipped ones.
    """
    try:
        return load_tables(scenario.get("data")).trades
    except DataError:
        return load_tables().trades
