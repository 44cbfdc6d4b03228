"""In what state everybody is on a night: hurt, hiding, in debt, penniless, banned, gone or dead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..run_folder import RunFolder
from .tables import tables_of

State = frozenset[str]
CONDITIONS = {"bruised": "bruised", "lying low": "hiding"}
"""What the table of evenings calls a state, and what we do."""
MUGS = 2
"""An evening is the fee and so many mugs: who cannot pay them is broke."""
_BAN = re.compile(r"for ([\d,]+) nights?")


def states_on(
    run: RunFolder, night: int, rows: Mapping[int, Mapping[str, Any]], scenario: Mapping[str, Any]
) -> dict[int, State]:
    """The state of each as the night closes.

    Parameters
    ----------
    run : RunFolder
        The run.
    night : int
        From 1.
    rows : mapping of int to mapping
        Rows of the table of patrons, by patron_id.
    scenario : mapping
        As it was played.

    Returns
    -------
    dict of int to frozenset of str
        Of "bruised", "hiding", "owes", "broke", "banned", "dead" and "gone".
    """
    found: dict[int, set[str]] = {each: set() for each in rows}
    is_last = night == run.info["nights"]
    _mark_gone(found, night, rows)
    _mark_conditions(found, run, night)
    _mark(found, "broke", _broke(run, night, rows, scenario))
    if is_last:
        _mark(found, "owes", (each for each, row in rows.items() if row["owes_cp"] > 0))
        _mark(found, "banned", (each for each, row in rows.items() if row["banned_tavern_id"] > 0))
    else:
        _mark(found, "owes", _owing(run, night, found))
        _mark(found, "banned", _banned(run, night, scenario))
    return {each: frozenset(_of_the_living(state)) for each, state in found.items()}


def _of_the_living(state: set[str]) -> set[str]:
    """Who is dead or gone has no other state."""
    return state & {"dead", "gone"} or state


def _mark(found: dict[int, set[str]], word: str, whom: Iterable[int]) -> None:
    for each in whom:
        if each in found:
            found[each].add(word)


def _mark_gone(
    found: dict[int, set[str]], night: int, rows: Mapping[int, Mapping[str, Any]]
) -> None:
    for each, row in rows.items():
        if row["whereabouts"] != "here" and row["gone_night"] <= night:
            found[each].add("dead" if row["whereabouts"] == "dead" else "gone")


def _mark_conditions(found: dict[int, set[str]], run: RunFolder, night: int) -> None:
    columns = ["night", "patron_id", "condition"]
    table = run.table("evenings", columns, [("night", "==", night)])
    for each, condition in zip(table["patron_id"], table["condition"], strict=True):
        if condition in CONDITIONS:
            found[int(each)].add(CONDITIONS[condition])


def _broke(
    run: RunFolder, night: int, rows: Mapping[int, Mapping[str, Any]], scenario: Mapping[str, Any]
) -> list[int]:
    """Those whose purse does not cover an evening in the house they call their own."""
    prices = {
        str(tavern["name"]): tavern.get("seat_fee_cp", 0) + MUGS * tavern.get("mug_cp", 0)
        for tavern in scenario["taverns"]
    }
    table = run.table("wealth", ["night", "patron_id", "gold_cp"], [("night", "==", night)])
    purses = zip(table["patron_id"].tolist(), table["gold_cp"].tolist(), strict=True)
    return [
        each
        for each, gold in purses
        if each in rows and gold < prices.get(str(rows[each]["home_tavern"]), 0)
    ]


def _owing(run: RunFolder, night: int, found: Mapping[int, set[str]]) -> list[int]:
    """Those with a debt: it lapses when one of the two is gone, not when it is not paid."""
    columns = ["event_id", "night", "kind", "patron_id", "other_id"]
    table = run.table("events", columns, [("night", "<=", night)])
    table = table[table["kind"].isin(["lent", "paid_back"])].sort_values("event_id")
    owed: dict[int, int] = {}
    for kind, one, other in zip(table["kind"], table["patron_id"], table["other_id"], strict=True):
        if kind == "lent":
            owed[int(one)] = int(other)
        else:
            owed.pop(int(one), None)
    away = {each for each, state in found.items() if state & {"dead", "gone"}}
    return [one for one, other in owed.items() if other not in away]


def _banned(run: RunFolder, night: int, scenario: Mapping[str, Any]) -> list[int]:
    """Those with a ban that has not run out: as its sentence says, or because they got away."""
    columns = ["night", "tavern_id", "kind", "patron_id", "text"]
    filters = [("night", "<=", night), ("kind", "in", ["banned", "got_away"])]
    rows = run.table("events", columns, filters).to_dict("records")
    lasts = _nights_of_runaways(scenario) if any(row["kind"] == "got_away" for row in rows) else []
    found = []
    for row in rows:
        is_sentence = row["kind"] == "banned"
        nights = _nights_of(str(row["text"])) if is_sentence else lasts[row["tavern_id"] - 1]
        if row["night"] + nights > night:
            found.append(int(row["patron_id"]))
    return found


def _nights_of_runaways(scenario: Mapping[str, Any]) -> list[int]:
    """For how long each house bars who ran from its sentence: no less than he lies low."""
    customs = tables_of(scenario).customs
    low = int(scenario.get("justice", {}).get("lie_low_nights", 0))
    names = [str(tavern.get("custom", "")) for tavern in scenario["taverns"]]
    return [max(low, customs[each].ban_nights if each in customs else 0) for each in names]


def _nights_of(text: str) -> int:
    """For how many nights a sentence bans.

    Examples
    --------
    >>> _nights_of("Agnes Chaloner was banned from The Laughing Crane for 30 nights.")
    30
    """
    found = _BAN.search(text)
    return int(found[1].replace(",", "")) if found else 0
