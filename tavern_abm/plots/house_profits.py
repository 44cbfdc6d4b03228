"""What each house makes, or loses, a night."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from .. import coins
from . import theme
from .houses import bars_of_houses, district_name


def plot_house_profits(houses: pd.DataFrame) -> go.Figure:
    """Draw profits to the right and losses to the left, coloured by district.

    Of a large town only the houses that do best and worst are drawn.

    Parameters
    ----------
    houses : DataFrame
        As `TownBooks.houses`: ``tavern``, ``district``, ``profit_per_night_cp``,
        ``takings_cp``, ``costs_cp``, ``nights_open``, ``closed_night`` (<NA>
        while it is open).
    """
    rows = houses.assign(
        value=houses["profit_per_night_cp"],
        hover=[_about(house) for house in houses.to_dict("records")],
    )
    return bars_of_houses(rows, "Profit a night (sp)")


def _about(house: dict[Any, Any]) -> str:
    nights = max(1, int(house["nights_open"]))
    sums = (house["takings_cp"] / nights, house["costs_cp"] / nights, house["profit_per_night_cp"])
    takings, costs, profit = (coins.show(round(each)) for each in sums)
    text = (
        f"{theme.safe(house['tavern'])} ({district_name(house['district'])}): {profit} a night<br>"
        f"takes {takings}, pays {costs}"
    )
    closed = house["closed_night"]
    return text if pd.isna(closed) else f"{text}<br>closed on night {int(closed)}"
