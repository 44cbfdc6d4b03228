"""The few numbers at the top of the page of a town's money, each with what it means."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ..plots.theme import short_sum
from ..stories import percent, times
from .books import TownBooks
from .common_lot import everyman_of

LEAST_A_DAY = 0.05
"""What the games bring a head and day, in cp, below which they bring nothing worth telling."""


def headlines(books: TownBooks) -> list[dict[str, str]]:
    """The numbers at the top: each with a name and what it means."""
    found = [
        *([_wage(books), _mug(books)] if has_wages(books) else []),
        _money(books),
        _inequality(books),
        _games(books),
        _houses(books),
        _turns(books),
        *([_treasury(books)] if books.facts["treasury_cp"] else []),
    ]
    return [dict(zip(("name", "value", "meaning"), each, strict=True)) for each in found]


def has_wages(books: TownBooks) -> bool:
    """Whether anybody here lived long enough to earn."""
    return bool((books.trades["person_days"] > 0).any())


def _wage(books: TownBooks) -> tuple[str, str, str]:
    trade = everyman_of(books.trades)
    row: Any = books.trades.loc[trade]
    games = float(row["games_net_a_day"])
    at_tables = f"and {'wins' if games > 0 else 'loses'} {a_day(abs(games))} at the tables"
    if abs(games) < LEAST_A_DAY:
        at_tables = "and comes out even at the tables"
    meaning = (
        f"Lives on {a_day(row['living_a_day'])}, pays {a_day(row['drink_a_day'])} for drink and "
        f"fees, {at_tables}, on an average day."
    )
    wage = short_sum(int(row["wage_cp"]))
    return f"{with_article(trade).capitalize()}'s wage a day", wage, meaning


def _mug(books: TownBooks) -> tuple[str, str, str]:
    mug = books.facts["mug_cp"]
    if mug is None:
        return "A mug", "–", "Nobody bought one."
    trade = everyman_of(books.trades)
    wage = int(str(books.trades.loc[trade, "wage_cp"]))
    prices = books.houses["mug_cp"]
    low, high = int(prices.min()), int(prices.max())
    text = f"From {short_sum(low)} to {short_sum(high)} by house. " if low < high else ""
    if wage:
        works = f"{with_article(trade)} works {percent(mug / wage)} of a day"
        text += f"For one of the usual price {works}."
    return "A mug, on average", a_day(mug), text.strip()


def _money(books: TownBooks) -> tuple[str, str, str]:
    facts = books.facts
    start, end = int(facts["opening_cp"] or 0), int(facts["closing_cp"] or 0)
    a_head = facts["coins_a_head_cp"]
    heads = "" if a_head is None or pd.isna(a_head) else f", {short_sum(a_head)} a head"
    meaning = (
        f"{short_sum(facts['purses_cp'] or 0)} in purses{heads}, and "
        f"{short_sum(facts['tills_cp'] or 0)} in tills. At the start it was {short_sum(start)}."
    )
    return "Money in the town", short_sum(end), meaning


def _inequality(books: TownBooks) -> tuple[str, str, str]:
    end: Any = books.wealth.loc["end"]
    name = "Inequality (Gini)"
    if pd.isna(end["gini"]):
        return name, "–", "Nobody was left to compare."
    meaning = (
        f"0 is all alike, 1 one with everything. At the start {_gini(books, 'start')}. "
        f"The richest tenth own {percent(end['top_10'])} of what is in purses."
    )
    return name, f"{end['gini']:.2f}", meaning


def _gini(books: TownBooks, when: str) -> str:
    value: Any = books.wealth.loc[when, "gini"]
    return "–" if pd.isna(value) else f"{value:.2f}"


def _games(books: TownBooks) -> tuple[str, str, str]:
    facts = books.facts
    staked = (facts["staked_cp"] or 0) / max(1, books.n_nights)
    name = "Staked a night"
    if not staked:
        return name, "–", "Nobody played for money."
    meaning = f"{small_percent(facts['turnover'] or 0)} of all the money there is, every night."
    hold = facts["hold"] or 0
    took = f"{small_percent(hold)} of it" if hold else "nothing of it"
    return name, short_sum(staked), f"{meaning} The houses took {took}."


def _houses(books: TownBooks) -> tuple[str, str, str]:
    houses = books.houses
    pay = int((houses["profit_cp"] > 0).sum())
    closed = int(houses["closed_night"].notna().sum())
    best = houses["profit_per_night_cp"].max()
    meaning = (
        f"The best makes {short_sum(best)} a night." if pay else "None of them makes a profit."
    )
    if closed:
        meaning += f" {times(closed, 'house')} closed for want of money."
    return "Houses that pay", f"{pay:,} of {len(houses):,}", meaning


def _turns(books: TownBooks) -> tuple[str, str, str]:
    ruined, enriched = int(books.facts["ruined"] or 0), int(books.facts["enriched"] or 0)
    meaning = (
        f"could pay for an evening once and no longer can. Made rich by the tables: {enriched:,}."
    )
    return "People ruined", f"{ruined:,}", meaning


def _treasury(books: TownBooks) -> tuple[str, str, str]:
    treasury = books.facts["treasury_cp"] or 0
    a_night = short_sum(treasury / max(1, books.n_nights))
    return "To the treasury", short_sum(treasury), f"in taxes and excise: {a_night} a night."


def a_day(sum_cp: float) -> str:
    """A sum of a day: in coins, or with a decimal where it is less than ten.

    Examples
    --------
    >>> a_day(3.26), a_day(4.0), a_day(113.9)
    ('3.3 cp', '4 cp', '1 gp 1 sp 4 cp')
    """
    return short_sum(sum_cp) if sum_cp >= 9.95 else f"{sum_cp:.1f}".removesuffix(".0") + " cp"


def with_article(word: str) -> str:
    """A word with its article.

    Examples
    --------
    >>> with_article("smith"), with_article("apprentice")
    ('a smith', 'an apprentice')
    """
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def small_percent(share: float) -> str:
    r"""A share in per cent, with a decimal where it is small.

    Examples
    --------
    >>> small_percent(0.031), small_percent(0.0004)
    ('3.1\xa0%', 'under 0.1\xa0%')
    """
    if 0 < share < 0.0005:
        return "under 0.1\N{NO-BREAK SPACE}%"
    if 0 < share < 0.1:
        return f"{share:.1%}".replace("%", "\N{NO-BREAK SPACE}%")
    return percent(share)
