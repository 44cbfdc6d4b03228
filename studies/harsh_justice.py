"""Whether harsh justice makes its own verdicts worse.

    python studies/harsh_justice.py --jobs 2

A harsh custom removes cheats, so fewer of those accused are cheats; sore losers
go on accusing as before; and so the share of the convicted who are cheats must
fall, though nobody judges worse. Design: custom of the house x how sore losers
are x talk x share of cheats among newcomers, 50 replicates of 120 nights, the
first 20 dropped. Control: whoever goes is replaced the next morning by one of
his own kind, so that the custom changes nobody's share. Where the gap between
customs stays open, a second control keeps the chance of a try the same under
every custom: what is then left of the gap was deterrence.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import replicates as rep
from plotly.subplots import make_subplots

from tavern_abm import Scenario, TavernModel

NIGHTS, DROPPED = 120, 20
CUSTOMS = ("lax", "decent", "dockside", "orc")
SORENESS = (0.0, 0.5, 1.5)
CONTACTS = (0, 3)
NEWCOMERS = (0.05, 0.1, 0.2)
MIDDLE = {"sore_loser": 0.5, "newcomers": 0.1}
BASE = {
    "patrons": 120,
    "flight.runs": False,  # removal is by sentence alone
    "bribes.bribe_prob": 0.0,
    "loans.lending": False,
}
ARMS = ("as it comes", "prevalence held", "tries held", "both held")
"""What the custom may change: prevalence and tries; only tries; only prevalence; neither."""
PANELS = {f"newcomers {share:.0%} cheats": ("as it comes", share) for share in NEWCOMERS} | {
    arm: (arm, MIDDLE["newcomers"]) for arm in ARMS[1:]
}
"""The columns of the figure: an arm and a share of cheats among newcomers."""
COLOURS = dict(zip(SORENESS, ("#1b7837", "#c2a500", "#b2182b"), strict=True))
OUTCOMES = {
    "ppv": ("just", "convictions", 1.0),
    "ppv_people": ("cheats_convicted", "people_convicted", 1.0),
    "just_per_1000": ("just", "patron_nights", 1000.0),
    "unjust_per_1000": ("unjust", "patron_nights", 1000.0),
    "unjust_accusations_per_1000": ("accusations_unjust", "patron_nights", 1000.0),
    "gain_per_100": ("cheats_net_cp", "cheats_hands", 100.0),
    "tricks_per_100": ("tricks", "hands", 100.0),
    "prevalence": ("cheat_nights", "patron_nights", 1.0),
    "at_the_dice": ("cheats_hands", "hands", 1.0),
}
"""Each outcome: the sums it is a ratio of, and a factor."""


def design() -> list[rep.Point]:
    """All points: the design, its control, and the controls with tries held."""
    points = [
        _point(*each, "as it comes") for each in product(CUSTOMS, SORENESS, CONTACTS, NEWCOMERS)
    ]
    # Replaced by his own kind, it makes no difference what newcomers are like.
    points += [
        _point(*each, MIDDLE["newcomers"], "prevalence held")
        for each in product(CUSTOMS, SORENESS, CONTACTS)
    ]
    middle = MIDDLE["sore_loser"], MIDDLE["newcomers"]
    points += [
        _point(custom, middle[0], contacts, middle[1], arm)
        for custom, contacts, arm in product(CUSTOMS, CONTACTS, ARMS[2:])
    ]
    return points


def _point(custom: str, sore: float, contacts: int, newcomers: float, arm: str) -> rep.Point:
    return {
        "custom": custom,
        "sore_loser": sore,
        "contacts": contacts,
        "newcomers": newcomers,
        "arm": arm,
    }


@cache
def base() -> Scenario:
    """The scenario that all points start from."""
    return Scenario().with_settings(BASE)


def scenario_of(point: rep.Point) -> Scenario:
    """The scenario of a point."""
    return base().with_settings(
        {
            "taverns.0.custom": point["custom"],
            "suspicion.sore_loser": point["sore_loser"],
            "talk.contacts": point["contacts"],
            "population.newcomers_share_of_cheats": point["newcomers"],
            "population.hold_prevalence": point["arm"] in ("prevalence held", "both held"),
            "minds.tau_moves": point["arm"] not in ("tries held", "both held"),
        }
    )


def play(point: rep.Point, replicate: int) -> dict[str, float]:
    """One run: verdicts, sentences and what cheating brought, after the first nights."""
    model = TavernModel(scenario_of(point), rng=rep.SEED, replicate=replicate)
    model.run_for(DROPPED)
    before = np.asarray(model.people)[: model.n_rows].copy()
    cheat_nights = 0
    for _ in range(NIGHTS - DROPPED):
        model.run_for(1)
        cheat_nights += int(model.people.is_cheat[model.living()].sum())
    nights = model.nights
    sums = nights[nights["night"] > DROPPED].sum(numeric_only=True)
    return (
        verdicts(sums)
        | deeds(np.asarray(model.people)[: model.n_rows], before)
        | {"cheat_nights": float(cheat_nights)}
    )


def verdicts(sums: Any) -> dict[str, float]:
    """Sums over the nights that count."""
    just, unjust = float(sums["convictions_just"]), float(sums["convictions_unjust"])
    return {
        "just": just,
        "unjust": unjust,
        "convictions": just + unjust,
        "accusations_just": float(sums["accusations_just"]),
        "accusations_unjust": float(sums["accusations_unjust"]),
        "caught": float(sums["tricks_convicted"]),
        "tricks": float(sums["tricks_tried"]),
        "patron_nights": float(sums["living"]),
    }


def deeds(after: Any, before: Any) -> dict[str, float]:
    """What was done since `before`: rows of people, to which newcomers have been added."""
    grown = {
        name: after[name] - np.pad(before[name], (0, len(after) - len(before)))
        for name in ("hands", "games_net", "convicted")
    }
    is_kind = after["is_cheat"] == 1
    was_convicted = grown["convicted"] > 0
    return {
        "hands": float(grown["hands"].sum()),
        "cheats_hands": float(grown["hands"][is_kind].sum()),
        "cheats_net_cp": float(grown["games_net"][is_kind].sum()),
        "people_convicted": float(was_convicted.sum()),
        "cheats_convicted": float((was_convicted & is_kind & (after["tries"] > 0)).sum()),
    }


def estimates(runs: pd.DataFrame) -> pd.DataFrame:
    """Every outcome at every point, and the gap to the lax custom at the same others."""
    rows = []
    for point in design():
        mine = rep.of(runs, **point)
        lax = rep.of(runs, **point | {"custom": "lax"})
        found = {}
        for name, (top, bottom, factor) in OUTCOMES.items():
            own, base_ = (factor * mine[top], mine[bottom]), (factor * lax[top], lax[bottom])
            found[name] = rep.ratio(*own)
            found[f"{name}_gap"] = rep.ratio_difference(own, base_)
        rows.append(rep.row(point, found))
    return pd.DataFrame(rows)


def figure(table: pd.DataFrame) -> go.Figure:
    """PPV by custom: a panel a share of cheats among newcomers, and one a control."""
    drawn = make_subplots(
        rows=len(CONTACTS),
        cols=len(PANELS),
        shared_yaxes=True,
        shared_xaxes=True,
        horizontal_spacing=0.015,
        column_titles=list(PANELS),
        row_titles=[f"{contacts} contacts a night" for contacts in CONTACTS],
    )
    panels = product(enumerate(CONTACTS, start=1), enumerate(PANELS.values(), start=1))
    for (line, contacts), (column, (arm, share)) in panels:
        at = {"arm": arm, "contacts": contacts, "newcomers": share}
        for trace in _by_soreness(table, at, is_named=line == column == 1):
            drawn.add_trace(trace, row=line, col=column)
    drawn.update_yaxes(range=[0, 1.03])
    drawn.update_yaxes(title="convicted who are cheats", col=1)
    legend = {"orientation": "h", "x": 0.5, "xanchor": "center", "y": -0.12}
    margin = {"t": 40, "b": 70, "l": 70, "r": 40}
    return drawn.update_layout(
        template="simple_white", width=1300, height=560, margin=margin, legend=legend
    )


def _by_soreness(table: pd.DataFrame, at: rep.Point, *, is_named: bool) -> list[go.Scatter]:
    """A line for each level of sore losers that was played there."""
    traces = []
    for sore, colour in COLOURS.items():
        part = rep.of(table.assign(replicate=0), sore_loser=sore, **at)
        trace = go.Scatter(
            x=part["custom"],
            y=part["ppv"],
            error_y={"type": "data", "array": part["ppv_half"]},
            name=f"sore losers {sore}",
            line={"color": colour},
            showlegend=is_named,
        )
        traces += [trace] if len(part) else []
    return traces


def lines(table: pd.DataFrame) -> list[str]:
    """The middle of the design in print, arm by arm, and how often the gap points down."""
    said = []
    for arm, contacts in product(ARMS, CONTACTS):
        said.append(f"{arm}, {contacts} contacts, sore losers 0.5, newcomers 10 %:")
        for custom in CUSTOMS:
            row = _row(table, custom, contacts, arm)
            said.append(f"    {custom:<9}{_cells(row)}")
    harsh = table[(table["custom"] == "orc") & (table["arm"] == "as it comes")]
    down = harsh["ppv_gap"] + harsh["ppv_gap_half"] < 0
    up = harsh["ppv_gap"] - harsh["ppv_gap_half"] > 0
    said.append(
        f"orc against lax as it comes: PPV surely lower at {down.sum()} of {len(harsh)} points,"
        f" surely higher at {up.sum()}"
    )
    return said


def _row(table: pd.DataFrame, custom: str, contacts: int, arm: str) -> dict[str, Any]:
    wanted = MIDDLE | {"custom": custom, "contacts": contacts, "arm": arm}
    chosen = np.ones(len(table), bool)
    for name, value in wanted.items():
        chosen &= (table[name] == value).to_numpy()
    return {str(k): v for k, v in table[chosen].to_dict("records")[0].items()}


def _cells(row: dict[str, Any]) -> str:
    ppv = rep.about(row["ppv"], row["ppv_half"])
    gap = rep.about(row["ppv_gap"], row["ppv_gap_half"])
    return (
        f"PPV {ppv:.3f}  gap {gap:+.3f}  of people {row['ppv_people']:.3f}"
        f"  just/1000 {row['just_per_1000']:.2f}  unjust/1000 {row['unjust_per_1000']:.2f}"
        f"  gain/100 {row['gain_per_100']:+.0f} cp  prevalence {row['prevalence']:.4f}"
        f"  of Hand turns {row['at_the_dice']:.4f}"
    )


def main(values: list[str] | None = None) -> pd.DataFrame:
    """Play, estimate, write and print."""
    asked = rep.arguments(__doc__ or "", 50, "runs/harsh-justice", values)
    runs = rep.play_all(play, design(), asked.replicates, asked.jobs)
    table = estimates(runs)
    print("\n".join(lines(table)))
    rep.write(asked.out, runs, table, figure(table))
    return table


if __name__ == "__main__":
    main()
