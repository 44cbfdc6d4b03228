"""A finished run in a few lines, for whoever started it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from .analysis import fortunes
from .coins import show
from .run_folder import RunFolder
from .stories import times

TOP = 3
"""How many of those who won and lost most are named."""


def summary(run: RunFolder) -> list[str]:
    """Tell what came of a run: people, money, tricks and what was done about them.

    Parameters
    ----------
    run : RunFolder
        A finished run.

    Returns
    -------
    list of str
        Lines of at most about 100 characters.
    """
    info = run.info
    houses = run.scenario()["taverns"]
    sign = houses[0]["name"] if len(houses) == 1 else times(len(houses), "tavern")
    parts = {
        "People": _people(info),
        "House": _house(run, houses),
        "Dice": _dice(info["totals"]),
        "Tricks": _tricks(info["totals"]),
        "Justice": _justice(info["totals"]),
        "Fortunes": _fortunes(run.table("patrons")),
    }
    lines = [f"{sign}: {times(info['nights'], 'night')}, seed {info['seed']}", ""]
    for name, part in parts.items():
        for i, line in enumerate(part):
            lines.append(f"{'' if i else name:<10}{line}")
    return lines


def _people(info: dict[str, Any]) -> Iterator[str]:
    totals = info["totals"]
    yield (
        f"{info['patrons']:,} at the start; {totals['arrived']:,} came, {totals['left']:,} left "
        f"for good, {totals['died']:,} died; {totals['living']:,} live here now"
    )


def _house(run: RunFolder, houses: list[dict[str, Any]]) -> Iterator[str]:
    ledger = run.table("ledger", ["to_account", "reason", "amount_cp"])
    income = ledger[ledger["to_account"].str.startswith("till/")]
    by_reason = income.groupby("reason")["amount_cp"].sum()
    sources = [
        f"{show(by_reason[reason])} {words}"
        for reason, words in (
            ("drink", "for drink"),
            ("fee", "at the door"),
            ("rake", "from the tables"),
        )
        if reason in by_reason
    ]
    yield "took " + (", ".join(sources) or "nothing")
    till = run.info["totals"]["till_cp"]
    made = till - sum(house["till_cp"] for house in houses)
    verb = "lost" if made < 0 else "made"
    yield f"{verb} {show(abs(made))} when all was paid; {show(till)} in the till now"


def _dice(totals: dict[str, Any]) -> Iterator[str]:
    yield f"{times(totals['rounds'], 'round')} played, {show(totals['staked_cp'])} staked"


def _tricks(totals: dict[str, Any]) -> Iterator[str]:
    yield (
        f"{totals['tricks_tried']:,} tried, {totals['tricks_noticed']:,} fumbled, "
        f"{totals['tricks_convicted']:,} caught in the act"
    )


def _justice(totals: dict[str, Any]) -> Iterator[str]:
    for label, kind in (
        ("accused", "accusations"),
        ("guilty by vote", "convictions"),
        ("beaten", "beaten"),
        ("killed", "killed"),
    ):
        just, unjust = totals[f"{kind}_just"], totals[f"{kind}_unjust"]
        who = f"{times(just, 'cheat')}, {times(unjust, 'innocent')}" if just or unjust else "nobody"
        yield f"{label + ':':<16}{who}"
    if totals["too_lucky"]:
        yield f"and beaten for mere luck: {totals['too_lucky']:,}"


def _fortunes(patrons: pd.DataFrame) -> Iterator[str]:
    top = fortunes(patrons, TOP)
    people = [f"{name} ({trade})" for name, trade in zip(top["name"], top["trade"], strict=True)]
    width = max(map(len, people), default=0)
    for who, net in zip(people, top["games_net_cp"], strict=True):
        yield f"{who:<{width}}  {'won' if net > 0 else 'lost'} {show(abs(net))}"
    if top.empty:
        yield "nobody won or lost anything at the tables"
