"""Whether talk finds the cheats or ruins the innocent: gossip town against silent town.

    python studies/gossip.py --jobs 2

plays both for 60 nights, 50 times each, with the same people and the same dice
on the first night, and prints what talk changes, with 95 % intervals. A third
town talks as much and never lies on purpose: what it lacks is what lies do.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import replicates as rep

from tavern_abm import Scenario, TavernModel

NIGHTS = 60
FOLLOWED = 14
"""Nights after his first try for which a cheat is followed."""
TOWNS: dict[str, tuple[str, dict[str, Any]]] = {
    "silent": ("silent-town", {}),
    "truthful": ("gossip-town", {"talk.lie_prob": 0.0}),
    "gossip": ("gossip-town", {}),
}
"""The arms: a built-in scenario and what is set in it."""
OUTCOMES = {
    "nights": ("delay", "cheats", "nights to the first just suspicion (14 at the most)"),
    "same_night": ("at_once", "cheats", "suspected in the night of the first try"),
    "found": ("found", "cheats", "suspected within 14 nights"),
    "holders": ("right", "pairs", "of those who could hold a cheat for one, at the end"),
    "ppv": ("right", "suspicions", "of all suspicions, the share about a cheat"),
    "conviction_ppv": ("convictions_just", "convictions", "of all convictions, those of cheats"),
    "just_convictions": ("convictions_just", "runs", "convictions of cheats, a run"),
    "unjust_convictions": ("convictions_unjust", "runs", "convictions of others, a run"),
    "unjust_beatings": ("unjust_beatings", "runs", "beaten or killed though no cheats, a run"),
    "just_beatings": ("just_beatings", "runs", "cheats beaten or killed, a run"),
    "tries": ("tricks_tried", "runs", "tricks tried, a run"),
}
"""Each outcome: the sums it is a ratio of, and what it means."""


@cache
def town(name: str) -> Scenario:
    """The scenario of an arm, read once in each process."""
    return Scenario.load(*TOWNS[name])


def play(point: rep.Point, replicate: int) -> dict[str, float]:
    """One run: how soon each cheat was suspected, and who suffered."""
    model = TavernModel(town(point["town"]), rng=rep.SEED, replicate=replicate)
    model.run_for(NIGHTS)
    return first_suspicions(model) | sentences(model.nights)


def first_suspicions(model: TavernModel) -> dict[str, float]:
    """Delays from a cheat's first try to the first just suspicion.

    Cheats who could be followed for `FOLLOWED` nights; those who left town
    unsuspected in that time are left out.
    """
    people, n = model.people, model.n_rows
    tried, suspected = people.first_try[:n], people.suspected[:n]
    is_cheat = (people.is_cheat[:n] == 1) & (tried > 0) & (tried <= NIGHTS - FOLLOWED)
    gone = np.where(people.gone[:n] > 0, people.gone[:n], NIGHTS + 1)
    is_lost = (suspected == 0) & (gone <= tried + FOLLOWED)
    followed = is_cheat & ~is_lost
    delay = np.where(suspected > 0, suspected - tried, FOLLOWED)[followed].clip(0, FOLLOWED)
    return {
        "cheats": float(followed.sum()),
        "delay": float(delay.sum()),
        "at_once": float((delay == 0).sum()),
        "found": float((delay < FOLLOWED).sum()),
    }


def sentences(nights: pd.DataFrame) -> dict[str, float]:
    """Who was convicted and beaten, and how beliefs stood on the last night."""
    sums = nights.sum(numeric_only=True)
    last = nights[nights["night"] == NIGHTS].sum(numeric_only=True)
    names = ("convictions_just", "convictions_unjust", "tricks_tried", "tellings")
    return {name: float(sums[name]) for name in names} | {
        "runs": 1.0,
        "convictions": float(sums["convictions_just"] + sums["convictions_unjust"]),
        "unjust_beatings": float(sums["beaten_unjust"] + sums["killed_unjust"]),
        "just_beatings": float(sums["beaten_just"] + sums["killed_just"]),
        "right": float(last["suspected_right"]),
        "pairs": float(last["suspected_right"] + last["missed"]),
        "suspicions": float(last["suspected_right"] + last["suspected_wrong"]),
    }


def estimates(runs: pd.DataFrame) -> pd.DataFrame:
    """Every outcome in each town, what talk changes, and what the lies in it change."""
    parts = {name: rep.of(runs, town=name) for name in TOWNS}
    rows = []
    for name, (top, bottom, meaning) in OUTCOMES.items():
        pairs = {town: (part[top], part[bottom]) for town, part in parts.items()}
        found = {town: rep.ratio(*pair) for town, pair in pairs.items()}
        found["change"] = rep.ratio_difference(pairs["gossip"], pairs["silent"])
        found["lies"] = rep.ratio_difference(pairs["gossip"], pairs["truthful"])
        rows.append(rep.row({"outcome": name, "meaning": meaning}, found))
    return pd.DataFrame(rows)


def figure(table: pd.DataFrame) -> go.Figure:
    """What talk changes, in per cent of what it is in silence."""
    share = 100 * table["change"] / table["silent"]
    half = 100 * table["change_half"] / table["silent"].abs()
    bars = go.Scatter(
        x=share,
        y=table["meaning"],
        mode="markers",
        marker={"size": 10},
        error_x={"type": "data", "array": half},
    )
    drawn = go.Figure(bars)
    drawn.add_vline(0, line_dash="dot")
    drawn.update_xaxes(title="change with talk, % of silent town (95 % interval)")
    drawn.update_yaxes(autorange="reversed")
    return drawn.update_layout(template="simple_white", width=900, height=480)


def lines(table: pd.DataFrame) -> list[str]:
    """The table in print."""
    said = []
    for row in table.to_dict("records"):
        said.append(f"{row['meaning']}:")
        for arm in TOWNS:
            said.append(f"    {arm:<9} {rep.about(row[arm], row[f'{arm}_half']):.3f}")
        change = rep.about(row["change"], row["change_half"])
        lies = rep.about(row["lies"], row["lies_half"])
        said.append(f"    talk changes it by {change:+.3f}; the lies in it by {lies:+.3f}")
    return said


def main(values: list[str] | None = None) -> Any:
    """Play, estimate, write and print."""
    asked = rep.arguments(__doc__ or "", 50, "runs/gossip", values)
    points = [{"town": name} for name in TOWNS]
    runs = rep.play_all(play, points, asked.replicates, asked.jobs)
    table = estimates(runs)
    print("\n".join(lines(table)))
    rep.write(asked.out, runs, table, figure(table))
    return table


if __name__ == "__main__":
    main()
