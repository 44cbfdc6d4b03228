"""The figures of the page of a town's money, each with a finding and a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas as pd

from ..plots.house_profits import plot_house_profits
from ..plots.houses import MOST_EACH, NO_DISTRICT, at_both_ends
from ..plots.lorenz import plot_lorenz
from ..plots.mobility import NAMES, plot_mobility
from ..plots.money_flows import RANKS, plot_money_flows
from ..plots.money_supply import plot_money_supply
from ..plots.theme import short_sum
from ..plots.trades_money import MOST, most_common, plot_trades_money
from ..report.panel import Panel
from ..stories import percent, times
from .books import ENRICHED, RUINED, TownBooks
from .common_lot import can_tell_moves, everyman_of, greatest_gap
from .page_headlines import a_day, small_percent, with_article
from .told import plural

FEW_ROWS = 50
"""A table of at most so many rows is open, and is printed."""
SMALL = 100
"""People below which a Gini coefficient needs a remark."""
MOST_TURNS = 10
_HOUSE = ("House", "District", "Quality", "Guests", "A mug", "Takes", "Pays", "Makes", "Till")
_TROUBLES = ("Bills unpaid", "Closed")
_SPENT_ON = {
    "living": "living",
    "drink": "drink",
    "fee": "seat fees",
    "tax": "taxes",
    "games": "games (to the houses)",
    "bribe": "bribes",
}
_WHOSE = {
    "start": "purses at the start",
    "end": "purses at the end",
    "losses": "losses at the tables",
}


def panels(books: TownBooks) -> list[Panel]:
    """All figures and tables, in the order of the page."""
    several = len(books.districts) > 1
    return [
        _money(books),
        _taverns(books),
        _supply(books),
        _trades(books),
        _houses(books),
        *([_districts(books)] if several else []),
        _owners(books),
        *([_mobility(books)] if can_tell_moves(books) else []),
        _winners(books),
        *([_turns(books)] if len(books.turns) else []),
    ]


def _open(*about: Any) -> Panel:
    panel = Panel(*about)
    panel.is_open = len(panel.rows) <= FEW_ROWS
    return panel


# ---------------------------------------------------------------- where the money goes


def _money(books: TownBooks) -> Panel:
    rows = [
        [RANKS.get(_short(source), _short(source)), RANKS.get(_short(target), _short(target)),
         reason, _sum(amount), _a_night(amount, books)]
        for source, target, reason, amount in books.flows.to_numpy().tolist()
    ]  # fmt: skip
    return Panel(
        "money",
        "Where the money comes from and where it goes",
        "From left to right, each band as wide as its sum over all nights. What a rank won or "
        "lost at the tables is set off within the rank; winnings stand apart, and what is kept in "
        "purses or taken out of savings is reckoned without them. What the brewer, staff and "
        "landlords are paid leaves the books, as living costs do: wages bring it back.",
        _money_finding(books),
        plot_money_flows(books.flows) if len(books.flows) else None,
        ["From", "To", "For", "In all", "A night"],
        rows,
    )


def _short(account: str) -> str:
    return account.removeprefix("purses/")


def _money_finding(books: TownBooks) -> str:
    facts = books.facts
    opening, inflow, outflow, closing = (
        _sum(facts[name]) for name in ("opening_cp", "inflow_cp", "outflow_cp", "closing_cp")
    )
    return (
        f"The town began with {opening}; {inflow} came in and {outflow} went out in "
        f"{times(books.n_nights, 'night')}, which leaves {closing}."
    )


def _taverns(books: TownBooks) -> Panel:
    spending = books.spending
    rows = [
        [_SPENT_ON.get(str(kind), str(kind)), _sum(amount), _a_night(amount, books), _part(share)]
        for kind, amount, share in zip(
            spending.index, spending["amount_cp"], spending["share"], strict=True
        )
        if amount
    ]
    return _open(
        "taverns",
        "What is spent in the taverns",
        "The part of it that goes through the houses and their tables. The table says what people "
        "parted with in all, each kind as a share of it; of the games only what the houses kept, "
        "for the rest is still in somebody's purse.",
        _taverns_finding(books),
        plot_money_flows(books.flows, in_taverns=True) if len(books.flows) else None,
        ["Spent on", "In all", "A night", "Share"],
        rows,
    )


def _taverns_finding(books: TownBooks) -> str:
    facts, spent = books.facts, int(books.spending["amount_cp"].sum())
    if not spent:
        return "Nobody spent a coin."
    takings = int(facts["takings_cp"] or 0)
    text = (
        f"The houses took {_sum(takings)} for {times(int(facts['mugs'] or 0), 'mug')}, for seats "
        f"and at the tables: {small_percent(takings / spent)} of what left people's purses for "
        "good."
    )
    share = facts["gambling_share"]
    if share is not None and facts["lost_cp"]:
        text += (
            f" What losers lost at the tables, to each other and to the houses, was "
            f"{_sum(facts['lost_cp'])}: counted as spent, it is {small_percent(share)} of all that "
            "people spend."
        )
    return text


def _supply(books: TownBooks) -> Panel:
    money = books.money
    rows = [
        [
            int(str(night)),
            *(_sum(row[name]) for name in ("purses_cp", "tills_cp", "supply_cp")),
            *(_sum(row[name]) for name in ("inflow_cp", "outflow_cp", "treasury_cp", "staked_cp")),
            _part(row["turnover"]),
        ]
        for night, row in zip(money.index, _records(money), strict=True)
    ]
    return Panel(
        "supply",
        "How much money there is",
        "As each night closed: what was in purses, and on top of it what was in the tills of the "
        "houses. Below, what was staked that night as a share of all money: the same coin counts "
        "as often as it is staked.",
        _supply_finding(books),
        plot_money_supply(money) if len(money) > 1 else None,
        ["Night", "Purses", "Tills", "Together", "Came in", "Went out", "Treasury", "Staked",
         "Of all money"],
        rows,
    )  # fmt: skip


def _supply_finding(books: TownBooks) -> str:
    if len(books.money) < 2:
        return "No night was played."
    start, end = (int(books.money["supply_cp"].iloc[i]) for i in (0, -1))
    grew = "is as much as at the start"
    if start != end:
        share = f", {small_percent(abs(end - start) / start)}," if start else ""
        grew = f"is {_sum(abs(end - start))}{share} {'more' if end > start else 'less'} than"
        grew += " at the start"
    turnover = books.facts["turnover"]
    text = f"At the end there is {_sum(end)}. That {grew}."
    return (
        f"{text} On a usual night {small_percent(turnover)} of it is staked." if turnover else text
    )


# ---------------------------------------------------------------- people and houses


def _trades(books: TownBooks) -> Panel:
    trades = books.trades[books.trades["person_days"] > 0]
    ordered = trades.sort_values("income_a_day", ascending=False, kind="stable")
    drawn = f" Drawn are the {MOST} with most people." if len(trades) > MOST else ""
    return _open(
        "trades",
        "What each trade earns, spends and loses",
        "To the right of the line what somebody of the trade earns a day, to the left what goes "
        "out of it again; in brackets how many people there are. Beside it, on a scale of its "
        f"own, what the games bring or cost them.{drawn}",
        _trades_finding(books),
        plot_trades_money(books.trades) if len(trades) else None,
        ["Trade", "People", "Day's wage", "Living", "Tax", "Drink and fees", "Games", "Staked",
         "Median purse"],
        [_trade_row(name, row) for name, row in zip(ordered.index, _records(ordered), strict=True)],
    )  # fmt: skip


def _trade_row(trade: Any, row: dict[Any, Any]) -> list[Any]:
    a_head = ("living_a_day", "tax_a_day", "drink_a_day", "games_net_a_day", "staked_a_day")
    return [
        str(trade),
        f"{row['people']:,.0f}",
        _sum(row["wage_cp"]),
        *(_signed(row[name]) for name in a_head),
        _sum(row["median_cp"]),
    ]


def _trades_finding(books: TownBooks) -> str:
    trades = books.trades[books.trades["person_days"] > 0]
    if trades.empty:
        return "Nobody lives here."
    usual = everyman_of(trades)
    row: Any = trades.loc[usual]
    income = float(row["income_a_day"])
    text = f"{with_article(usual).capitalize()} earns {a_day(income)} a day"
    if income:
        text += (
            f"; living takes {percent(row['living_a_day'] / income)} of it, drink and "
            f"fees {percent(row['drink_a_day'] / income)}"
        )
    # Of a trade of one or two the games tell nothing but their luck.
    games = most_common(trades)["games_net_a_day"]
    if not games.any():
        return f"{text}. The games cost nobody anything."
    among = f"Of the {MOST} trades with most people the" if len(trades) > MOST else "The"
    return (
        f"{text}. {among} games cost {with_article(str(games.idxmin()))} most, "
        f"{a_day(max(0.0, -games.min()))} a day, and bring {with_article(str(games.idxmax()))} "
        f"most, {a_day(max(0.0, games.max()))}."
    )


def _houses(books: TownBooks) -> Panel:
    chosen, n_left_out = at_both_ends(books.houses, "profit_per_night_cp", MOST_EACH)
    troubles = (bool(chosen["unpaid_cp"].any()), bool(chosen["closed_night"].notna().any()))
    gap = f" Of {len(books.houses):,} houses, the {MOST_EACH} that do best and worst are shown."
    return _open(
        "houses",
        "What each house makes",
        "What a house takes for drink, seats and as its rake, less what it pays the brewer, the "
        "staff, for rent and repairs and in excise; an average night it was open."
        f"{' × marks a house that closed.' if troubles[1] else ''}{gap if n_left_out else ''}",
        _houses_finding(books),
        plot_house_profits(books.houses) if len(books.houses) else None,
        [*_HOUSE, *(name for name, is_shown in zip(_TROUBLES, troubles, strict=True) if is_shown)],
        [_house_row(row, troubles) for row in _records(chosen)],
    )


def _house_row(row: dict[Any, Any], troubles: Sequence[bool]) -> list[Any]:
    nights = max(1, int(row["nights_open"]))
    closed = row["closed_night"]
    unpaid = _sum(row["unpaid_cp"]) if row["unpaid_cp"] else "–"
    last = (unpaid, "–" if pd.isna(closed) else f"night {int(closed)}")
    return [
        row["tavern"],
        row["district"] or NO_DISTRICT,
        int(row["quality"]),
        f"{row['guests_per_night']:.0f}",
        _sum(row["mug_cp"]),
        _sum(row["takings_cp"] / nights),
        _sum(row["costs_cp"] / nights),
        _sum(row["profit_per_night_cp"]),
        _sum(row["till_cp"]),
        *(each for each, is_shown in zip(last, troubles, strict=True) if is_shown),
    ]


def _houses_finding(books: TownBooks) -> str:
    houses = books.houses
    if houses.empty:
        return "There is no house."
    ordered = _records(houses.sort_values("profit_per_night_cp", ascending=False, kind="stable"))
    best, worst = ordered[0], ordered[-1]
    total, nights = int(houses["profit_cp"].sum()), max(1, books.n_nights)
    text = f"{_makes(best)}."
    if len(houses) > 1:
        does = "make" if total >= 0 else "lose"
        sum_ = _sum(abs(total) / nights)
        text = f"{_makes(best)}, {_makes(worst)}. All together they {does} {sum_} a night."
    if houses["district"].nunique() > 1:
        sums = books.districts["takings_cp"]
        share = percent(sums.max() / max(1, sums.sum()))
        text += f" The district that takes most: {sums.idxmax()}, {share} of all."
    return text


def _makes(house: dict[Any, Any]) -> str:
    profit = float(house["profit_per_night_cp"])
    return f"{house['tavern']} {'makes' if profit >= 0 else 'loses'} {_sum(abs(profit))} a night"


def _districts(books: TownBooks) -> Panel:
    nights = max(1, books.n_nights)
    rows = [
        [
            str(name) or NO_DISTRICT,
            _count(row["people"]),
            int(row["houses"]),
            f"{row['guests'] / nights:,.0f}",
            _sum(row["takings_cp"] / nights),
            _sum(row["profit_cp"] / nights),
            _sum(row["median_cp"]),
        ]
        for name, row in zip(books.districts.index, _records(books.districts), strict=True)
    ]
    return _open(
        "districts",
        "Districts",
        "Who lives there may well spend the evening elsewhere: guests, takings and profits are "
        "those of the houses that stand there, a night.",
        _districts_finding(books),
        None,
        ["District", "People", "Houses", "Guests", "Taken", "Made", "Median purse"],
        rows,
    )


def _districts_finding(books: TownBooks) -> str:
    lived = books.districts[books.districts["median_cp"].notna()].sort_values(
        "median_cp", ascending=False, kind="stable"
    )
    text = f"There are {times(len(books.districts), 'district')}."
    if len(lived) < 2:
        return text
    (rich, most), (poor, least) = (
        (str(lived.index[i]) or NO_DISTRICT, _sum(lived["median_cp"].iloc[i])) for i in (0, -1)
    )
    by_purse = f"{rich} is the richest, with {most}, and {poor} the poorest, with {least}"
    return f"{text} By the median purse {by_purse}."


# ---------------------------------------------------------------- who owns it


def _owners(books: TownBooks) -> Panel:
    wealth = books.wealth
    rows = [
        [title, *(cell(each) for each in wealth[column])]
        for column, (title, cell) in _MEASURES.items()
    ]
    return _open(
        "owners",
        "Who owns the money",
        "Put all people in a row, the poorest first: the curve says how much of all money the "
        "first so many have together. The further it hangs below the straight line, the more "
        f"unequal they are; the Gini coefficient is twice that area. {_small_sample(books)}",
        _owners_finding(books),
        plot_lorenz(books.lorenz, dict(wealth["gini"])) if len(books.lorenz) else None,
        ["", *(_WHOSE[str(when)] for when in wealth.index)],
        rows,
    )


def _small_sample(books: TownBooks) -> str:
    end: Any = books.wealth.loc["end"]
    n = float(end["n"])
    if not 1 < n < SMALL:
        return (
            "In the table stands also the coefficient times n/(n−1), for samples of larger towns."
        )
    factor = n / (n - 1)
    return (
        f"Of so few people it comes out low if they stand for a larger town: by a factor of "
        f"n/(n−1), here {factor:.3f}."
    )


def _owners_finding(books: TownBooks) -> str:
    end: Any = books.wealth.loc["end"]
    if pd.isna(end["gini"]):
        return "Nobody was left to compare."
    start: Any = books.wealth.loc["start"]
    return (
        f"At the end the richest tenth own {percent(end['top_10'])} of what is in purses, the "
        f"richest fifth {percent(end['top_20'])}. The Gini coefficient went from "
        f"{start['gini']:.3f} to {end['gini']:.3f}."
    )


def _mobility(books: TownBooks) -> Panel:
    matrix = books.mobility
    rows = [
        [NAMES[int(str(start))], *("–" if pd.isna(each) else percent(each) for each in shares)]
        for start, shares in zip(matrix.index, matrix.to_numpy(), strict=True)
    ]
    return Panel(
        "mobility",
        "Who rises and who falls",
        "Of those who began in the fifth of the row, how many ended in the fifth of the column. "
        "If nobody moved, all would stand on the rising diagonal; if where one begins said "
        "nothing, every field would say 20 %. Only people who were here both times.",
        _mobility_finding(books),
        plot_mobility(matrix),
        ["At the start", *(f"in the {name}" for name in NAMES.values())],
        rows,
    )


def _mobility_finding(books: TownBooks) -> str:
    matrix, facts = books.mobility, books.facts
    poor, rich = (percent(float(str(matrix.loc[each, each]))) for each in (1, 5))
    return (
        f"Of the poorest fifth {poor} are still in it at the end, of the richest fifth {rich}. "
        f"Purses then and now have a rank correlation of {facts['spearman']:.2f}, and the "
        f"Shorrocks index is {facts['shorrocks']:.2f}."
    )


def _winners(books: TownBooks) -> Panel:
    ranks = books.transfers[books.transfers["by"] == "rank"]
    matrix = ranks.pivot(index="loser", columns="winner", values="amount_cp")
    losers, winners = _in_order(matrix.index), _in_order(matrix.columns)
    rows = [
        [RANKS.get(loser, loser), *(_sum(matrix.loc[loser, winner]) for winner in winners)]
        for loser in losers
    ]
    return _open(
        "winners",
        "Who won whose money",
        "In each night and house the losses of those who lost on balance are shared among those "
        "who won, in proportion to what they won. What people of one rank or trade won from each "
        "other does not show, and nothing is set off between two ranks.",
        _winners_finding(books),
        None,
        ["Lost by", *(f"won by {RANKS.get(winner, winner)}" for winner in winners)],
        rows,
    )


def _in_order(names: Iterable[Any]) -> list[str]:
    """Ranks from the lowest up, then whoever else there is."""
    order = [*RANKS]
    return sorted(map(str, names), key=lambda name: (*order, name).index(name))


def _winners_finding(books: TownBooks) -> str:
    """Between whom most went when both ways are set off, which the table does not do."""
    found = [
        _most_won(greatest_gap(books.transfers, by), names)
        for by, names in (("rank", RANKS), ("trade", {}))
    ]
    told = [f"{by} {each}" for by, each in zip(("ranks", "trades"), found, strict=True) if each]
    if not told:
        return "No rank or trade won anything from another."
    nights = times(books.n_nights, "night")
    return f"On balance, in {nights}, most went, between {', and between '.join(told)}."


def _most_won(gap: tuple[str, str, float] | None, names: dict[str, str]) -> str:
    if gap is None:
        return ""
    loser, winner = (names.get(each, plural(each)) for each in gap[:2])
    return f"from {loser} to {winner}: {_sum(gap[2])}"


def _turns(books: TownBooks) -> Panel:
    turns = books.turns
    rows = [
        [
            row["name"],
            row["called"],
            row["turn"],
            _sum(row["start_cp"]),
            _sum(row["end_cp"]),
            _sum(row["games_net_cp"]),
        ]
        for turn in ("ruined", "enriched")
        for row in _records(turns[turns["turn"] == turn].head(MOST_TURNS))
    ]
    counts = turns["turn"].value_counts()
    ruined, enriched = (int(counts.get(each, 0)) for each in ("ruined", "enriched"))
    more = f" The first {MOST_TURNS} of each are shown." if len(rows) < len(turns) else ""
    return _open(
        "turns",
        "Ruined and enriched",
        f"Ruined: {RUINED}. Enriched: {ENRICHED}.{more}",
        f"{times(ruined, 'person was', 'people were')} ruined, {enriched:,} enriched.",
        None,
        ["Name", "Trade", "Turn", "Came with", "Has at the end", "At the tables"],
        rows,
    )


# ---------------------------------------------------------------- cells


def _records(table: pd.DataFrame) -> list[dict[Any, Any]]:
    return table.to_dict("records")


def _sum(amount_cp: Any) -> str:
    return "–" if amount_cp is None or pd.isna(amount_cp) else short_sum(amount_cp)


def _a_night(amount_cp: float, books: TownBooks) -> str:
    return _sum(amount_cp / max(1, books.n_nights))


def _signed(a_day_cp: float) -> str:
    """A sum a head and day, with a decimal: `-0.2 cp`."""
    return "–" if not a_day_cp else f"{a_day_cp:z,.1f} cp"


def _part(share: Any) -> str:
    return "–" if pd.isna(share) else small_percent(float(share))


def _decimal(value: Any) -> str:
    return "–" if pd.isna(value) else f"{value:.3f}"


def _count(value: Any) -> str:
    return "–" if pd.isna(value) else f"{value:,.0f}"


_MEASURES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "n": ("People", _count),
    "mean_cp": ("Mean", _sum),
    "median_cp": ("Median", _sum),
    "gini": ("Gini coefficient", _decimal),
    "gini_small_sample": ("The same, times n/(n−1)", _decimal),
    "theil": ("Theil index", _decimal),
    "hoover": ("Hoover index", _decimal),
    "top_1": ("The richest hundredth have", _part),
    "top_10": ("The richest tenth", _part),
    "top_20": ("The richest fifth", _part),
}
