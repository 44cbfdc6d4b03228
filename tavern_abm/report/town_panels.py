"""The figures of a report page about a town of several houses: what they and its districts take."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ..plots.districts import plot_districts
from ..plots.houses import MOST_EACH, NO_DISTRICT, a_night, plot_takings
from ..plots.theme import short_sum
from ..stories import percent, times
from .data import RunData
from .panel import MOST_ROWS, Panel


def houses(data: RunData) -> Panel:
    """What each house takes a night."""
    table = data.house_sums.assign(a_night_cp=a_night(data.house_sums))
    table = table.sort_values("a_night_cp", ascending=False, kind="stable")
    drawn = f" Drawn are the first {MOST_EACH} and the last {MOST_EACH}."
    return Panel(
        "houses",
        "The houses",
        "What a house takes for drink, at the door and as its share of the games, an average "
        f"night. × marks a house that closed.{drawn if len(table) > 2 * MOST_EACH else ''}",
        _houses_finding(table),
        plot_takings(table),
        ["House", "District", "Quality", "Guests", "Takes", "Till at the end", "Open"],
        [_house_row(row) for row in table.head(MOST_ROWS).to_dict("records")],
        n_rows=len(table),
    )


def _houses_finding(table: pd.DataFrame) -> str:
    first, last = (table.iloc[i] for i in (0, -1))
    closed = int(table["closed_night"].notna().sum())
    text = (
        f"Of {times(len(table), 'house')} {first['tavern']} takes most, "
        f"{short_sum(first['a_night_cp'])} a night, and {last['tavern']} least, "
        f"{short_sum(last['a_night_cp'])}."
    )
    return f"{text} {times(closed, 'house')} closed." if closed else text


def _house_row(row: dict[Any, Any]) -> list[Any]:
    return [
        row["tavern"],
        row["district"] or NO_DISTRICT,
        int(row["quality"]),
        f"{row['guests_per_night']:,.0f}",
        short_sum(row["a_night_cp"]),
        short_sum(row["till_cp"]),
        "yes" if pd.isna(row["closed_night"]) else f"until night {int(row['closed_night'])}",
    ]


def districts(data: RunData) -> Panel:
    """What the houses of each district take, night by night."""
    table = data.district_sums
    total = max(1, int(table["takings_cp"].sum()))
    first = table.iloc[0]
    share = percent(first["takings_cp"] / total)
    rows = [
        [
            row["district"] or NO_DISTRICT,
            int(row["houses"]),
            f"{row['guests'] / max(1, data.n_nights):,.0f}",
            short_sum(row["takings_cp"] / max(1, data.n_nights)),
            percent(row["takings_cp"] / total),
        ]
        for row in table.to_dict("records")
    ]
    return Panel(
        "districts",
        "Districts",
        "What the houses take, by the district where they stand, one on top of the other.",
        f"The district that takes most: {first['district'] or NO_DISTRICT}, {share} of all.",
        plot_districts(data.takings, data.n_nights) if total > 1 else None,
        ["District", "Houses", "Guests a night", "Taken a night", "Share"],
        rows,
    )
