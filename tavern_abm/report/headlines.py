"""The few numbers at the top of a report page, each with what it means."""

from __future__ import annotations

import math

from ..plots.theme import short_sum
from ..stories import percent, times
from .data import RunData


def headlines(data: RunData) -> list[dict[str, str]]:
    """The numbers at the top: each with a name and what it means."""
    return [
        _rounds(data),
        _tried(data),
        _convicted(data),
        _hurt(data),
        _inequality(data),
        _known(data),
    ]


def _headline(name: str, value: str, meaning: str) -> dict[str, str]:
    return {"name": name, "value": value, "meaning": meaning}


def _rounds(data: RunData) -> dict[str, str]:
    guests = round(data.totals["guests"] / max(1, data.n_nights))
    staked = short_sum(data.totals["staked_cp"])
    of = "of all games" if data.has_games and len(data.game_order) > 1 else "of dice"
    meaning = f"{of}, with {times(guests, 'guest')} on a usual night. Staked in all: {staked}."
    return _headline("Rounds played", f"{data.totals['rounds']:,}", meaning)


def _tried(data: RunData) -> dict[str, str]:
    totals = data.totals
    cheats = times(int(data.patrons["is_cheat"].sum()), "cheat")
    people = times(len(data.patrons), "person", "people")
    meaning = (
        f"by {cheats} among {people} who ever lived here. Noticed: {totals['tricks_noticed']:,}; "
        f"caught in the act: {totals['tricks_convicted']:,}."
    )
    return _headline("Tricks tried", f"{totals['tricks_tried']:,}", meaning)


def _convicted(data: RunData) -> dict[str, str]:
    just, unjust = data.totals["convictions_just"], data.totals["convictions_unjust"]
    accused = data.totals["accusations_just"] + data.totals["accusations_unjust"]
    meaning = (
        f"after {times(accused, 'accusation')}. Of those found guilty, {just:,} had cheated "
        f"and {unjust:,} had not."
    )
    return _headline("Found guilty", f"{just + unjust:,}", meaning)


def _hurt(data: RunData) -> dict[str, str]:
    totals = data.totals
    beaten = totals["beaten_just"] + totals["beaten_unjust"]
    killed = totals["killed_just"] + totals["killed_unjust"]
    unjust = totals["beaten_unjust"] + totals["killed_unjust"]
    lucky = totals["too_lucky"]
    meaning = "Nobody was."
    if beaten + killed:
        meaning = f"Beaten: {beaten:,}; killed: {killed:,}. "
        if beaten + killed == 1:
            meaning += f"That one had {'not ' if unjust else ''}cheated."
        elif unjust:
            meaning += f"{unjust:,} of these had not cheated."
        else:
            meaning += "All of them had cheated."
    if lucky:
        meaning += f" Also {times(lucky, 'beating')} for mere luck."
    return _headline("Beaten or killed as cheats", f"{beaten + killed:,}", meaning)


def _inequality(data: RunData) -> dict[str, str]:
    gini = data.totals["gini"]
    if gini is None or not math.isfinite(gini):
        return _headline("Inequality (Gini)", "–", "Nobody was left to compare.")
    meaning = "0 would be all alike, 1 one person with everything."
    if len(data.bands):
        meaning += f" Before the first night it was {data.bands['gini'].iloc[0]:.2f}."
    meaning += f" Too poor to pay for an evening: {data.totals['broke']:,}."
    return _headline("Inequality (Gini)", f"{gini:.2f}", meaning)


def _known(data: RunData) -> dict[str, str]:
    area = data.totals["auc_reputation"]
    name = "How well cheats are known"
    if area is None or not math.isfinite(area):
        return _headline(name, "–", "There are not both cheats and honest people with a name.")
    meaning = (
        "Take a cheat and an honest person at random: this is how often the cheat has the "
        "worse name. 50\N{NO-BREAK SPACE}% would be guessing."
    )
    value = percent(area) if area == 1 or area < 0.995 else f"over {percent(0.99)}"
    return _headline(name, value, meaning)
