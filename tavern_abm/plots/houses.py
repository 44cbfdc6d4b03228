"""Bars of a town's houses, coloured by district: what they take in."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from .. import coins
from . import theme

NOTHING = "There is no house."
NO_DISTRICT = "no district"
OTHER_DISTRICTS = "other districts"
CLOSED = "×"
"""Marks a house that closed."""
MOST_EACH = 15
"""Of more than twice as many houses, so many from the top and from the bottom are drawn."""
MOST_DISTRICTS = 6
BAR, MARGIN = 22, 110
"""Heights in pixels: of a bar, and of the figure's edges."""


def plot_takings(houses: pd.DataFrame) -> go.Figure:
    """Draw what each house takes a night, in silver pieces, the greatest first.

    Parameters
    ----------
    houses : DataFrame
        As `TownBooks.houses`: ``tavern``, ``district``, ``takings_cp``,
        ``nights_open``, ``closed_night`` (<NA> while it is open).
    """
    value = a_night(houses)
    hover = [
        f"{theme.safe(tavern)} ({district_name(district)}): {coins.show(round(sum_cp))} a night"
        for tavern, district, sum_cp in zip(
            houses["tavern"], houses["district"], value, strict=True
        )
    ]
    return bars_of_houses(houses.assign(value=value, hover=hover), "Takings a night (sp)")


def a_night(houses: pd.DataFrame) -> pd.Series[float]:
    """What each house took, a night it was open."""
    return houses["takings_cp"] / houses["nights_open"].clip(lower=1)


def bars_of_houses(houses: pd.DataFrame, title: str) -> go.Figure:
    """Draw a bar for each house, from the greatest down, or for those at both ends.

    Parameters
    ----------
    houses : DataFrame
        One row a house: ``tavern``, ``district`` ("" for none), ``value`` in
        cp, ``hover`` (escaped), ``closed_night`` (<NA> while it is open).
    title : str
        Of the axis, whose unit is the silver piece.
    """
    if houses.empty:
        return theme.empty(NOTHING)
    chosen, n_left_out = at_both_ends(houses, "value", MOST_EACH)
    figure = go.Figure()
    for number, (name, rows) in enumerate(by_district(chosen)):
        figure.add_trace(_bars(rows, name, number))
    figure.update_yaxes(
        tickmode="array",
        tickvals=[*chosen["place"], *([MOST_EACH] if n_left_out else [])],
        ticktext=[
            *map(_label, chosen["tavern"], chosen["closed_night"].notna()),
            *_gap(n_left_out),
        ],
        range=[len(chosen) + bool(n_left_out) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
        ticksuffix=" ",
    )
    figure.update_xaxes(title_text=title, nticks=7)
    height = MARGIN + BAR * (len(chosen) + bool(n_left_out))
    several = chosen["district"].nunique() > 1
    above = 16 if several else 34
    return theme.styled(figure, height, barmode="overlay", showlegend=several, margin_t=above)


def at_both_ends(table: pd.DataFrame, column: str, most: int) -> tuple[pd.DataFrame, int]:
    """Sort a table from the greatest down; of a long one keep `most` from each end.

    Returns
    -------
    chosen : DataFrame
        With a column ``place``, counted from 0; that after a gap is one greater.
    n_left_out : int
        Rows that fell into the gap.

    Examples
    --------
    >>> ends, n = at_both_ends(pd.DataFrame({"sum": [3, 9, 1, 7, 5]}), "sum", 1)
    >>> ends["sum"].tolist(), ends["place"].tolist(), n
    ([9, 1], [0, 2], 3)
    """
    ordered = table.sort_values(column, ascending=False, kind="stable")
    n = len(ordered)
    if n <= 2 * most:
        return ordered.assign(place=range(n)), 0
    ends = pd.concat([ordered.head(most), ordered.tail(most)])
    return ends.assign(place=[*range(most), *range(most + 1, 2 * most + 1)]), n - 2 * most


def by_district(houses: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Part houses by district, that with most of them first; the smallest districts as one."""
    counts = houses["district"].value_counts(sort=False)
    order: Sequence[str] = sorted(counts.index, key=lambda each: (-counts[each], each))
    names = names_of_districts(order)
    told = houses["district"].map(names)
    return [(name, houses[told == name]) for name in dict.fromkeys(names.values())]


def names_of_districts(order: Sequence[str]) -> dict[str, str]:
    """What each district is called on a figure: beyond `MOST_DISTRICTS` several are one.

    Examples
    --------
    >>> (
    ...     [*names_of_districts("abcdefg").values()][-1],
    ...     [*names_of_districts("abcdefgh").values()][-2:],
    ... )
    ('g', ['other districts', 'other districts'])
    """
    own = order if len(order) == MOST_DISTRICTS + 1 else order[:MOST_DISTRICTS]
    names = {each: district_name(each) for each in own}
    return names | dict.fromkeys(order[len(own) :], OTHER_DISTRICTS)


def district_name(district: str) -> str:
    """Say a district's name on a figure."""
    return theme.short(district) if district else NO_DISTRICT


def _bars(rows: pd.DataFrame, name: str, number: int) -> go.Bar:
    return go.Bar(
        x=(rows["value"] / coins.CP_PER_SP).tolist(),
        y=rows["place"].tolist(),
        orientation="h",
        width=0.75,
        name=name,
        marker=theme.looks(number),
        hovertext=rows["hover"].tolist(),
        hoverinfo="text",
    )


def _label(tavern: str, is_closed: bool) -> str:
    return f"{theme.short(tavern)} {CLOSED}" if is_closed else theme.short(tavern)


def _gap(n_left_out: int) -> list[str]:
    return [f"<i>… {n_left_out:,} more …</i>"] if n_left_out else []
