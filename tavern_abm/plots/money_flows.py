"""Where the money comes from and where it goes: a Sankey diagram of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go

from .. import coins
from . import theme

NOTHING = "No coin changed hands."
NOTHING_SPENT = "Nobody spent a coin in a tavern."
PURSES, TABLES, TILLS, TREASURY, OUTSIDE = "purses/", "tables", "tills", "treasury", "outside"
THE_TABLES, TAVERNS, THE_TREASURY = "the tables", "taverns", "the treasury"
KEPT, DRAWN = "kept in purses", "out of savings"
TILLS_KEPT, TILLS_DRAWN = "kept in tills", "out of the tills"
OTHER, WINNERS, OTHER_WINNERS = "other ways", "the winners", "other winners"
HEIGHT, ON_PAPER, PAD = 430, 400, 16
"""Heights in pixels: of the figure on a screen, on paper, and between two accounts of a side."""
ROOM = HEIGHT - 48
LEAST = 0.004
"""What gets less than this share of all is put together with others of its kind."""
RANKS = {
    "poor": "the poor",
    "common": "common people",
    "well-off": "the well-off",
    "noble": "nobles",
}
"""Ranks of people in words."""
IN_WORDS = {
    "wage": "wages",
    "arrival": "newcomers' purses",
    "living": "living",
    "estate": "left or died with it",
    "bribe": "bribes",
    "goods": "the brewer",
    "staff": "staff",
    "upkeep": "rent and repairs",
    "investment": "new tables",
    "closure": "houses wound up",
}
_COLOURS = {
    "purses/poor": theme.SKY,
    "purses/common": theme.BLUE,
    "purses/well-off": theme.GREEN,
    "purses/noble": theme.PURPLE,
    TAVERNS: theme.ORANGE,
    THE_TABLES: theme.VERMILION,
    THE_TREASURY: "#6b5b95",
}


class Stream(NamedTuple):
    """Coins that go one way."""

    source: str
    target: str
    amount_cp: int


def plot_money_flows(flows: pd.DataFrame, in_taverns: bool = False) -> go.Figure:
    """Draw the ways of money from left to right, each as wide as its sum.

    Parameters
    ----------
    flows : DataFrame
        As `TownBooks.flows`: ``source``, ``target``, ``reason``, ``amount_cp``.
    in_taverns : bool, default False
        Only what is spent in taverns, and what becomes of it; wages and living
        costs, which dwarf it, are then left out.
    """
    found = _grouped(tavern_streams(flows) if in_taverns else streams(flows))
    if not found:
        return theme.empty(NOTHING_SPENT if in_taverns else NOTHING)
    names = list(dict.fromkeys(name for each in found for name in each[:2]))
    number = {name: i for i, name in enumerate(names)}
    colours = [_colour(name) for name in names]
    x, y = _places(names, found)
    figure = go.Figure(
        go.Sankey(
            arrangement="snap",
            node={
                "label": [_label(name, found) for name in names],
                "color": colours,
                "x": x,
                "y": y,
                "pad": PAD,
                "thickness": 16,
                "line": {"width": 0},
                "customdata": [_title(name) for name in names],
                "hovertemplate": "%{customdata}: %{value:,.0f} cp<extra></extra>",
            },
            link={
                "source": [number[each.source] for each in found],
                "target": [number[each.target] for each in found],
                "value": [each.amount_cp for each in found],
                "color": [_faint(colours[number[each.source]]) for each in found],
                "customdata": [_about(each) for each in found],
                "hovertemplate": "%{customdata}<extra></extra>",
            },
            textfont={"size": 12},
        )
    )
    edges = {"l": 6, "r": 6, "t": 34, "b": 14}
    paper = {"paper": ON_PAPER}
    return theme.styled(figure, HEIGHT, margin=edges, hovermode="closest", meta=paper)


def streams(flows: pd.DataFrame) -> list[Stream]:
    """What comes in, whose purses it goes through, and where it ends.

    Games are set off within each rank: what a rank lost on balance goes to the
    tables, and from there to the ranks that won and to the houses. What a rank
    took in and did not spend is kept; what it spent beyond that is out of savings.

    Examples
    --------
    >>> rows = [("outside", "purses/poor", "wage", 9), ("purses/poor", "outside", "living", 7)]
    >>> table = pd.DataFrame(rows, columns=["source", "target", "reason", "amount_cp"])
    >>> [tuple(each) for each in streams(table)][1:]
    [('purses/poor', 'living', 7), ('purses/poor', 'kept in purses', 2)]
    """
    found = [
        Stream(*_ends(source, target, reason), amount)
        for source, target, reason, amount in _rows(flows)
        if TABLES not in (source, target)
    ]
    found += [*_at_tables(flows)]
    return _added_up([*found, *_balanced(found)])


def tavern_streams(flows: pd.DataFrame) -> list[Stream]:
    """The part of `streams` that goes through taverns and their tables."""
    is_in = flows["source"].isin([TILLS, TABLES]) | flows["target"].isin([TILLS, TABLES])
    found = streams(flows[is_in])
    return [each for each in found if each.target != KEPT and each.source != DRAWN]


def _rows(flows: pd.DataFrame) -> Iterable[tuple[str, str, str, int]]:
    columns = (flows[name].tolist() for name in ("source", "target", "reason", "amount_cp"))
    return zip(*columns, strict=True)


def _ends(source: str, target: str, reason: str) -> tuple[str, str]:
    """Names of the two ends: those outside are called by the reason."""
    names = {TILLS: TAVERNS, TREASURY: THE_TREASURY}
    gifts = ("gifts", "taken away") if reason == "intervention" else (reason, reason)
    from_, to = (IN_WORDS.get(gift, gift) for gift in gifts)
    return (
        from_ if source == OUTSIDE else names.get(source, source),
        to if target == OUTSIDE else names.get(target, target),
    )


def _at_tables(flows: pd.DataFrame) -> Iterable[Stream]:
    """What each rank won or lost at the tables on balance, and what the houses took."""
    net: dict[str, int] = {}
    for source, target, _, amount in _rows(flows):
        if TABLES in (source, target):
            other, sign = (source, -1) if target == TABLES else (target, 1)
            net[other] = net.get(other, 0) + sign * amount
    for name, amount in net.items():
        if name == TILLS and amount:
            yield Stream(THE_TABLES, TAVERNS, amount)
        elif amount < 0:
            yield Stream(name, THE_TABLES, -amount)
        elif amount > 0:
            yield Stream(THE_TABLES, f"won by {_title(name)}", amount)


def _balanced(found: list[Stream]) -> Iterable[Stream]:
    """What purses and tills kept of it, or what they added out of what they had."""
    left: dict[str, int] = {}
    for source, target, amount in found:
        left[source] = left.get(source, 0) - amount
        left[target] = left.get(target, 0) + amount
    for name, amount in left.items():
        if name.startswith(PURSES) or name == TAVERNS:
            kept, drawn = (TILLS_KEPT, TILLS_DRAWN) if name == TAVERNS else (KEPT, DRAWN)
            if amount > 0:
                yield Stream(name, kept, amount)
            elif amount < 0:
                yield Stream(drawn, name, -amount)


def _added_up(found: Iterable[Stream]) -> list[Stream]:
    sums: dict[tuple[str, str], int] = {}
    for source, target, amount in found:
        sums[source, target] = sums.get((source, target), 0) + int(amount)
    return [Stream(*ends, amount) for ends, amount in sums.items() if amount > 0]


def _grouped(found: list[Stream]) -> list[Stream]:
    """The same with the smallest ends put together, the winners apart from the others."""
    into, out_of = _sums(found, 1), _sums(found, 0)
    starts = sum(amount for name, amount in out_of.items() if name not in into)
    ends = set(into) - set(out_of) - {THE_TREASURY}
    small = {name for name in ends if into[name] < LEAST * starts}
    winners = {name for name in ends if name.startswith("won by ")}
    title = WINNERS if winners <= small else OTHER_WINNERS
    for names, together in ((winners & small, title), (small - winners, OTHER)):
        if len(names) > 1:
            found = [
                each._replace(target=together) if each.target in names else each for each in found
            ]
    return _added_up(found)


def _places(names: list[str], found: list[Stream]) -> tuple[list[float], list[float]]:
    """Where each account stands: sources, purses, tables, taverns and ends, from left to right.

    Every side is filled from the top in the order of `_ORDER`; taverns and
    tables stand amid what they pay for. Both axes run from 0 to 1.
    """
    into, out_of = _sums(found, 1), _sums(found, 0)
    size = {name: max(into.get(name, 0), out_of.get(name, 0)) for name in names}
    side = {name: _side(name, into) for name in names}
    is_whole = BEGINNINGS in side.values()
    order = _ORDER if is_whole else [name for name in _ORDER if name != THE_TREASURY]
    scale = _scale([size[name] for name in names if side[name] == ENDS])
    y: dict[str, float] = {}
    for number in (BEGINNINGS, OF_PURSES, ENDS):
        heights = {name: size[name] * scale for name in names if side[name] == number}
        y |= _stacked(heights, order)
    for name in (TAVERNS, THE_TABLES):
        paid = [(y[each.target], each.amount_cp) for each in found if each.source == name]
        if paid:
            y[name] = sum(place * amount for place, amount in paid) / sum(a for _, a in paid)
    across = _ACROSS if is_whole else _ACROSS_IN_TAVERNS
    return [across[side[name]] for name in names], [y[name] for name in names]


BEGINNINGS, OF_PURSES, AT_TABLES, AT_TAVERNS, ENDS = range(5)
_ACROSS = (0.001, 0.24, 0.48, 0.66, 0.999)
_ACROSS_IN_TAVERNS = (0.001, 0.001, 0.34, 0.58, 0.999)
_ORDER = (
    "wages",
    "newcomers' purses",
    DRAWN,
    "gifts",
    *(f"{PURSES}{rank}" for rank in ("common", "well-off", "poor", "noble")),
    TILLS_DRAWN,
    "living",
    KEPT,
    "left or died with it",
    OTHER,
    "bribes",
    WINNERS,
    THE_TREASURY,
    "the brewer",
    "staff",
    "rent and repairs",
)


def _side(name: str, into: dict[str, int]) -> int:
    if name in (THE_TABLES, TAVERNS):
        return AT_TABLES if name == THE_TABLES else AT_TAVERNS
    if name.startswith(PURSES) or name == TILLS_DRAWN:
        return OF_PURSES
    return ENDS if name in into else BEGINNINGS


def _scale(ends: list[int]) -> float:
    """Share of the height for each cp, so that all ends have room with a gap between them."""
    return max(0.1, 1 - (len(ends) - 1) * PAD / ROOM) / max(1, sum(ends))


def _stacked(heights: dict[str, float], order: Sequence[str]) -> dict[str, float]:
    """Middles of accounts one below the other in this order, those not in it at the end."""
    places, top = {}, 0.0
    for name in sorted(heights, key=lambda name: (*order, name).index(name)):
        places[name] = min(0.99, top + heights[name] / 2)
        top += heights[name] + PAD / ROOM
    return places


def _sums(found: list[Stream], end: int) -> dict[str, int]:
    sums: dict[str, int] = {}
    for each in found:
        sums[str(each[end])] = sums.get(str(each[end]), 0) + each.amount_cp
    return sums


def _title(name: str) -> str:
    rank = name.removeprefix(PURSES)
    return RANKS.get(rank, rank) if name.startswith(PURSES) else name


def _label(name: str, found: list[Stream]) -> str:
    through = max(_sums(found, 0).get(name, 0), _sums(found, 1).get(name, 0))
    return f"{theme.safe(_title(name))} {theme.short_sum(through)}"


def _about(each: Stream) -> str:
    return (
        f"{theme.safe(_title(each.source))} → {theme.safe(_title(each.target))}: "
        f"{coins.show(each.amount_cp)}"
    )


def _colour(name: str) -> str:
    """The colour of an account; a winner has that of his rank."""
    ranks = {f"won by {title}": PURSES + rank for rank, title in RANKS.items()}
    return _COLOURS.get(ranks.get(name, name), theme.GREY)


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.35)"
