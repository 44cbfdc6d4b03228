"""Two runs held against each other, as one tidy table and as JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import pandas as pd

from .compare_text import suggestion
from .comparing import Comparison

__all__ = ["csv_of", "frame_of", "json_of"]


def frame_of(found: Comparison) -> pd.DataFrame:
    """Every number as one tidy table.

    Returns
    -------
    DataFrame
        ``about`` ("town", "house NAME" or somebody's name), ``quantity``, ``one``, ``other``
        and ``difference``. Sums are those of all nights.
    """
    rows: list[tuple[str, str, float, float]] = [
        ("town", each.name, each.one, each.other) for each in found.values
    ]
    for house in found.houses.to_dict("records"):
        sides = [str(name) for name in house if str(name).endswith("_one")]
        names = [name.removesuffix("_one") for name in sides]
        rows += [
            (f"house {house['tavern']}", name, house[f"{name}_one"], house[f"{name}_other"])
            for name in names
        ]
    rows += [(each.name, "purse_cp", each.one_cp, each.other_cp) for each in found.fates.purses]
    table = pd.DataFrame(rows, columns=["about", "quantity", "one", "other"])
    return table.assign(difference=table["other"] - table["one"])


def csv_of(found: Comparison) -> str:
    """The table as text with commas; what is not defined is left empty."""
    return frame_of(found).to_csv(index=False, lineterminator="\n")


def json_of(found: Comparison) -> str:
    """One JSON object: how the two were played, where they part, and every number."""
    parting = found.parting
    document = {
        "runs": [_run(run) for run in (found.one, found.other)],
        "nights": found.n_nights,
        "is_same": found.is_same,
        "shares_luck": found.shares_luck,
        "settings": [each._asdict() for each in found.settings],
        "facts": [each._asdict() for each in found.facts],
        "parting": None
        if parting is None
        else {
            "one": parting.one and parting.one._asdict(),
            "other": parting.other and parting.other._asdict(),
            "evenings": [
                dict(zip(("night", "differing", "people"), each, strict=True))
                for each in parting.nights
            ],
        },
        "values": _records(frame_of(found)),
        "gone": [each._asdict() for each in found.fates.gone],
        "ask_more": suggestion(found) or None,
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _run(run: Any) -> dict[str, Any]:
    names = ("scenario", "seed", "nights", "digest")
    return {"path": str(run.path)} | {name: run.info.get(name) for name in names}


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows, with null for what is not defined."""
    return [
        {
            str(name): None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in row.items()
        }
        for row in table.to_dict("records")
    ]
