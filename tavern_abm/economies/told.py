"""The town on one page, in words and short tables, whatever it is printed as."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import pandas as pd

from ..coins import CP_PER_GP, CP_PER_SP, rounded, show
from ..stories import times
from .books import TownBooks
from .common_lot import can_tell_moves, everyman_of, greatest_gap, vacant_places

HOURS_A_DAY = 12
"""A working day, by which it is reckoned how long somebody works for a mug."""
MOST_TRADES = 7
MOST_HOUSES = 16
ENDS_OF_HOUSES = 8
"""Of more houses than `MOST_HOUSES`, so many of the best and of the worst are shown."""
NAMED = 1
"""Of the ruined and the enriched so many are named."""


class Grid(NamedTuple):
    """A small table: heads of its columns, rows of text, and which columns are text."""

    heads: list[str]
    rows: list[list[str]]
    n_words: int = 1  # columns from the left that are words
    most: tuple[int, ...] = ()  # letters of each of those, where lines must not grow too long


class Section(NamedTuple):
    """A part of the page: a title, sentences, and a table, each of them if there is any."""

    title: str
    lines: list[str]
    grid: Grid | None = None


def sections_of(books: TownBooks) -> list[Section]:
    """The page of a town, section by section."""
    return [
        section
        for section in (
            _title(books),
            _everyman(books),
            _trades(books),
            _houses(books),
            _owners(books),
            _winners(books),
            _ledger(books),
            _remarks(books),
        )
        if section.lines or section.grid
    ]


def rough(amount_cp: float) -> str:
    """A sum as people would say it: its two greatest coins at the most.

    Examples
    --------
    >>> rough(15), rough(1284), rough(12_849), rough(1_284_930), rough(-31), rough(0.4)
    ('1 sp 5 cp', '12 gp 8 sp', '128 gp', '12,849 gp', '-3 sp 1 cp', '0 cp')
    """
    amount = abs(amount_cp)
    step = CP_PER_GP if amount >= 100 * CP_PER_GP else CP_PER_SP if amount >= CP_PER_GP else 1
    return show(rounded(amount_cp, step))


def _title(books: TownBooks) -> Section:
    facts = books.facts
    houses, is_open = int(facts["houses"] or 0), int(facts["houses_open"] or 0)
    shut = f", {houses - is_open:,} of them closed for good" if is_open < houses else ""
    n_vacant, places = vacant_places(books)
    stand = "stands" if n_vacant == 1 else "stand"
    room = f"; {n_vacant:,} of {places:,} places {stand} vacant" if n_vacant else ""
    line = f"{_heads(books)}; {times(houses, 'house')}{shut}{room}"
    nights = times(books.n_nights, "night")
    return Section(f"The money of {books.scenario}: {nights}, seed {books.seed}", [line])


def _heads(books: TownBooks) -> str:
    """Who lives here and goes to taverns; of a town that has more guests than people, both."""
    n, all_of_them = round(books.facts["people"] or 0), books.inhabitants
    if not all_of_them:
        return times(n, "patron")
    town = times(all_of_them, "inhabitant")
    if n > all_of_them:
        return f"{town} and {times(n, 'patron')}"
    return f"{town}, of whom {n:,} {'goes' if n == 1 else 'go'} to taverns"


def _everyman(books: TownBooks) -> Section:
    """What one of the common lot earns, drinks and loses; what a mug costs him."""
    trade = everyman_of(books.trades)
    if not trade:
        return Section("", [])
    his = books.trades.loc[trade]
    title = f"{'An' if trade[0] in 'aeiou' else 'A'} {trade}, a day"
    return Section(title, [_living(his), _evening(his, books), _at_tables(his)])


def _living(his: Any) -> str:
    tax = f", pays {_small(his['tax_a_day'])} of it in tax" if his["tax_cp"] else ""
    return (
        f"Earns {_small(his['income_a_day'])} (wage {show(his['wage_cp'])}){tax}, lives on "
        f"{_small(his['living_a_day'])}, leaves {_small(his['drink_a_day'])} at an inn; "
        f"purse {rough(0 if pd.isna(his['median_cp']) else his['median_cp'])}."
    )


def _evening(his: Any, books: TownBooks) -> str:
    days, out = int(his["person_days"]), int(his["nights_out"])
    visits = ""
    if out:
        mugs = f"{his['mugs'] / out:.1f} mugs"
        visits = f"Out {7 * out / days:.1f} evenings a week, with {mugs} each"
    mug = books.facts["mug_cp"]
    if mug is None:
        return f"{visits}." if visits else ""
    work = f", {_time_for(mug, int(his['wage_cp']))}" if his["wage_cp"] else ""
    return f"{visits + '. ' if visits else ''}A mug costs {mug:.1f} cp{work}."


def _time_for(price: float, wage: int) -> str:
    """How long somebody works for a price.

    Examples
    --------
    >>> _time_for(4, 14), _time_for(4, 200), _time_for(30, 10)
    ('3 h 26 min of work', '14 min of work', '3.0 days of work')
    """
    minutes = round(price / wage * HOURS_A_DAY * 60)
    if minutes >= HOURS_A_DAY * 60:
        return f"{price / wage:.1f} days of work"
    hours, rest = divmod(minutes, 60)
    return f"{f'{hours} h ' if hours else ''}{rest} min of work"


def _at_tables(his: Any) -> str:
    if not his["staked_cp"]:
        return "Does not play."
    net = float(his["games_net_a_day"])
    turn = f"{'wins' if net > 0 else 'loses'} {_small(abs(net))}"
    return (
        f"Puts {_small(his['staked_a_day'])} on the tables and "
        f"{'comes out even' if abs(net) < 0.05 else turn}."
    )


def _small(amount_cp: float) -> str:
    """A sum of a day: in cp with a decimal where it is small."""
    return f"{amount_cp:.1f} cp" if amount_cp < CP_PER_SP else rough(amount_cp)


def _trades(books: TownBooks) -> Section:
    table = books.trades.sort_values("people", ascending=False, kind="stable")
    table = table[table["people"] > 0]
    shown, rest = table.head(MOST_TRADES), table.iloc[MOST_TRADES:]
    if len(rest) == 1:
        shown, rest = table, rest.iloc[:0]
    heads = ["people", "wage", "earns", "lives on", "inn", "games", "purse"]
    rows = [_trade_row(str(trade), row) for trade, row in shown.iterrows()]
    if len(rest):
        rows.append(_other_trades(rest))
    return Section("", [], Grid(["Trades, cp a person and day", *heads], rows))


def _trade_row(trade: str, row: Any) -> list[str]:
    purse = "" if pd.isna(row["median_cp"]) else rough(row["median_cp"])
    return [trade, _count(row["people"]), f"{row['wage_cp']:,}", *_daily(row), purse]


def _daily(row: Any) -> list[str]:
    names = ("income_a_day", "living_a_day", "drink_a_day")
    net = round(float(row["games_net_a_day"]), 1)
    return [*(f"{row[name]:,.1f}" for name in names), f"{net:+,.1f}" if net else "0.0"]


def _count(people: float) -> str:
    return f"{people:,.0f}" if people >= 10 else f"{people:.1f}"


def _other_trades(rest: pd.DataFrame) -> list[str]:
    days = dict.fromkeys(("income_a_day", "living_a_day"), "paid_days")
    days |= dict.fromkeys(("drink_a_day", "games_net_a_day"), "person_days")
    means = {
        name: float((rest[name] * rest[of]).sum()) / max(1, int(rest[of].sum()))
        for name, of in days.items()
    }
    people = _count(float(rest["people"].sum()))
    return [f"{len(rest)} other trades", people, "", *_daily(means), ""]


def _houses(books: TownBooks) -> Section:
    table = books.houses.sort_values("profit_per_night_cp", ascending=False, kind="stable")
    heads = ["district", "quality", "mug", "guests", "takes", "pays", "makes", "till"]
    if len(table) <= MOST_HOUSES:
        rows = [_house_row(row) for _, row in table.iterrows()]
    else:
        best, worst = table.head(ENDS_OF_HOUSES), table.tail(ENDS_OF_HOUSES)
        between = table.iloc[ENDS_OF_HOUSES:-ENDS_OF_HOUSES]
        rows = [_house_row(row) for _, row in best.iterrows()]
        rows.append(_other_houses(between))
        rows += [_house_row(row) for _, row in worst.iterrows()]
    grid = Grid(["Houses, cp a night open", *heads], rows, n_words=2, most=(28, 13))
    return Section("", [], grid)


def _house_row(row: Any) -> list[str]:
    nights = max(1, int(row["nights_open"]))
    sign = str(row["tavern"])
    if not pd.isna(row["closed_night"]):
        sign = f"{sign} (shut {row['closed_night']})"
    return [
        sign,
        str(row["district"]),
        str(row["quality"]),
        f"{row['mug_cp']:,}",
        f"{row['guests_per_night']:,.0f}",
        f"{row['takings_cp'] / nights:,.0f}",
        f"{row['costs_cp'] / nights:,.0f}",
        f"{row['profit_per_night_cp']:+,.0f}",
        rough(row["till_cp"]),
    ]


def _other_houses(rest: pd.DataFrame) -> list[str]:
    """The houses that are neither among the best nor among the worst, on average."""
    nights = max(1, int(rest["nights_open"].sum()))
    sums = rest[["guests", "takings_cp", "costs_cp", "profit_cp", "drinks_cp"]].sum()
    means = (f"{sums[name] / nights:,.0f}" for name in ("guests", "takings_cp", "costs_cp"))
    made = f"{sums['profit_cp'] / nights:+,.0f}"
    till = rough(float(rest["till_cp"].mean()))
    return [f"{len(rest):,} between, on average", "", "", "", *means, made, till]


def _owners(books: TownBooks) -> Section:
    heads = ["people", "of people", "of coin", "purse", "earns a day", "games, in all"]
    purses = max(1, int(books.ranks["purses_cp"].sum()))
    people = max(1e-9, float(books.ranks["people"].sum()))
    rows = [
        [
            str(rank),
            _count(row["people"]),
            share(row["people"] / people),
            share(row["purses_cp"] / purses),
            "" if pd.isna(row["median_cp"]) else rough(row["median_cp"]),
            rough(row["income_a_day"]),
            rough(row["games_net_cp"]),
        ]
        for rank, row in books.ranks.iterrows()
    ]
    return Section("Who owns the money", _spread(books), Grid(["rank", *heads], rows))


def share(part: float, decimals: int = 0) -> str:
    """A share in per cent; of what is something it never says that it is nothing.

    Examples
    --------
    >>> share(0.224), share(0.004), share(0.0), share(0.014, 1), share(0.0002, 1)
    ('22%', '<1%', '0%', '1.4%', '<0.1%')
    """
    least = 10.0 ** -(decimals + 2)
    return f"<{least:.{decimals}%}" if 0 < part < least / 2 else f"{part:.{decimals}%}"


def _spread(books: TownBooks) -> list[str]:
    facts, rows = books.facts, books.wealth.to_dict("index")
    end, start = rows["end"], rows["start"]
    lines = [
        f"{rough(facts['purses_cp'] or 0)} in {times(int(end['n']), 'purse')}, "
        f"{rough(facts['tills_cp'] or 0)} in the tills; "
        f"{rough(facts['coins_a_head_cp'] or 0)} a head, median "
        f"{rough(0 if pd.isna(end['median_cp']) else end['median_cp'])}."
    ]
    if math.isnan(end["gini"] + start["gini"]):
        return lines
    return [
        *lines,
        f"Gini {start['gini']:.3f} at the start, {end['gini']:.3f} now; Theil {end['theil']:.3f}; "
        f"the richest 1% have {share(end['top_1'])}, 10% {share(end['top_10'])}, "
        f"20% {share(end['top_20'])}.",
    ]


def _winners(books: TownBooks) -> Section:
    facts = books.facts
    if not facts["staked_cp"]:
        return Section("", [])
    rake, kept = facts["rake_cp"] or 0, "nothing"
    if rake:
        kept = f"{rough(rake)} ({share(facts['hold'] or 0.0, 1)})"
    line = (
        f"{rough(facts['staked_cp'])} staked, {share(facts['turnover'] or 0.0)} of all coin each "
        f"evening; the houses kept {kept}."
    )
    return Section("Who won it", [line, *_carried(books), *_moved(books), *_turns(books)])


def _carried(books: TownBooks) -> list[str]:
    """Which trades won and lost most, and what passed between ranks on balance."""
    played = books.trades.sort_values("games_net_cp", kind="stable")
    worst, best = played.iloc[0], played.iloc[-1]
    parts = []
    if worst["games_net_cp"] < 0:
        parts.append(f"{_cost(played.index[0], worst)}")
    if best["games_net_cp"] > 0:
        parts.append(f"{_cost(played.index[-1], best)}")
    lines = [f"Of the trades {', '.join(parts)}."] if parts else []
    gap = greatest_gap(books.transfers, "rank")
    if gap:
        lines.append(f"Between ranks, {rough(gap[2])} went from the {gap[0]} to the {gap[1]}.")
    lost = books.facts["gambling_share"]
    return (
        [*lines, f"What losers lost is {share(lost)} of all that people spend."] if lost else lines
    )


def _cost(trade: Any, row: Any) -> str:
    net = int(row["games_net_cp"])
    verb = "won" if net > 0 else "lost"
    each = _small(abs(float(row["games_net_a_day"])))
    return f"{plural(str(trade))} {verb} {rough(abs(net))} ({each} a day)"


def plural(noun: str) -> str:
    """Several of a trade.

    Examples
    --------
    >>> [plural(noun) for noun in ("smith", "thief", "fisherman", "lackey", "deputy", "witch")]
    ['smiths', 'thieves', 'fishermen', 'lackeys', 'deputies', 'witches']
    """
    if noun.endswith("man"):
        return f"{noun[:-2]}en"
    if noun.endswith("ief") or noun.endswith("wife"):
        return f"{noun.removesuffix('e')[:-1]}ves"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def _moved(books: TownBooks) -> list[str]:
    facts, table = books.facts, books.mobility
    if not can_tell_moves(books):
        return []
    poor, rich = table.to_numpy()[[0, -1], [0, -1]].tolist()
    return [
        f"Of the poorest fifth {share(poor)} still are, of the richest {share(rich)} "
        f"(Shorrocks {facts['shorrocks']:.2f}, rank correlation {facts['spearman']:.2f})."
    ]


def _turns(books: TownBooks) -> list[str]:
    lines = []
    for turn, words in (("ruined", "Ruined"), ("enriched", "Made rich")):
        some = books.turns[books.turns["turn"] == turn]
        if some.empty:
            lines.append(f"{words}: nobody.")
            continue
        named = [
            f"{row['name']}, {row['called']} ({rough(row['start_cp'])} -> {rough(row['end_cp'])})"
            for _, row in some.head(NAMED).iterrows()
        ]
        more = f", and {len(some) - len(named):,} more" if len(some) > len(named) else ""
        lines.append(f"{words}: {'; '.join(named)}{more}.")
    return lines


def _ledger(books: TownBooks) -> Section:
    facts = books.facts
    names = ("opening_cp", "inflow_cp", "outflow_cp", "closing_cp")
    opening, inflow, outflow, closing = (rough(facts[name] or 0) for name in names)
    line = f"{opening} at the start, {inflow} came in, {outflow} went out, {closing} there now."
    return Section("The ledger", [line, f"{_taxes(books)}{_estates(books)}"])


def _estates(books: TownBooks) -> str:
    """What those who left and the dead had with them, if anything."""
    left = books.estates["amount_cp"]
    ways = {"left": "who left took {} away", "died": "the dead left {} to heirs elsewhere"}
    told = "; ".join(way.format(rough(int(left[how]))) for how, way in ways.items() if left[how])
    return f" {told[0].upper()}{told[1:]}." if told else ""


def _taxes(books: TownBooks) -> str:
    tax, excise = int(books.spending["amount_cp"]["tax"]), int(books.houses["excise_cp"].sum())
    if not tax + excise:
        return "No taxes."
    rate = share(books.facts["tax_rate"] or 0.0, 1)
    taken = [f"{rough(tax)} of wages ({rate})"] if tax else []
    taken += [f"{rough(excise)} excise"] if excise else []
    return f"The treasury took {' and '.join(taken)}."


def _remarks(books: TownBooks) -> Section:
    return Section("Mind", list(books.notes)) if books.notes else Section("", [])
